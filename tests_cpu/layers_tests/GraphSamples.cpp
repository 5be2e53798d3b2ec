#include "GraphSamples.h"

#include <graph/generated/graph_generated.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstring>

#include "GraphPrograms.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace nd_test {
namespace {

ops::DeclarableOp* op(const char* name) { return ops::OpRegistrator::getInstance().find(name); }

Node* add(Graph& graph, Node* node, const std::string& name = "", int scope = 0) {
  node->setName(name);
  if (scope != 0) node->setScopeInfo(scope, scope == 20 ? "body" : nullptr);
  graph.addNode(node);
  return node;
}

std::unique_ptr<Graph> numbered() {
  auto graph = std::make_unique<Graph>();
  graph->setId(77);
  placeholder(*graph, -1, "x", FLOAT32, {-1, 3});
  variable(*graph, -2, "row", floatArray({3}, {1, 2, 3}), true);
  variable(*graph, -3, "", floatArray({2, 3}, {1, 2, 3, 4, 5, 6}));
  variable(*graph, -9, "deviation", floatArray({2}, {0, 0}));
  add(*graph, new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2}), "abs");
  add(*graph, new Node(OpType_SCALAR, scalar::Multiply, 2, {1}, {3, 5}, {}, 2.5f));
  add(*graph, new Node(OpType_BROADCAST, broadcast::Add, 3, {2, -2}, {4}, {1}), "shifted");
  auto* power = add(*graph, new Node(OpType_SCALAR, scalar::Pow, 4, {3}, {5}, {}, 2.f));
  power->markInplace(false);
  add(*graph, new Node(OpType_PAIRWISE, pairwise::Subtract, 5, {4, -3}, {6, 7, 8}));
  add(*graph, new Node(OpType_REDUCE_SAME, reduce::Sum, 6, {5}, {}, {0}), "sums");
  add(*graph, new Node(OpType_INDEX_REDUCE, indexreduce::IndexMax, 7, {5}, {}, {1}), "largest");
  add(*graph, new Node(OpType_SUMMARYSTATS, variance::SummaryStatsVariance, 8, {5}, {-9}, {1}));
  return graph;
}

std::unique_ptr<Graph> custom() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "x", FLOAT32, {2, 3});
  variable(*graph, -2, "w", floatArray({3, 2}, {1, 2, 3, 4, 5, 6}));
  variable(*graph, -3, "b", floatArray({2}, {0.5, -0.5}));
  add(*graph, new Node(op("matmul"), 4, {-1, -2}), "product");
  add(*graph, new Node(op("biasadd"), 5, {4, -3}), "biased");
  auto* sums = add(*graph, new Node(op("reduce_sum"), 6, {5}), "sums");
  sums->setArgument("axis", {ops::ArgumentValue::Form::Integers, {0}, {}, {}});
  sums->setArgument("keep_dims", {ops::ArgumentValue::Form::Flags, {1}, {}, {}});
  auto* cast = add(*graph, new Node(op("cast"), 7, {6}), "cast");
  cast->setArgument("dtype", {ops::ArgumentValue::Form::Types, {DOUBLE}, {}, {}});
  add(*graph, new Node(op("lrelu"), 8, {5}, {}, {}, 0.f, {0.25}), "leaky");
  add(*graph, new Node(op("unstack"), 9, {8}, {}, {}, 0.f, {}, {0}), "parts");
  auto* last = new Node(op("tanh"), 10);
  last->pickInput(9, 1);
  add(*graph, last, "last");
  auto* ids = add(*graph, new Node(op("argmax"), 11, {5}, {}, {1}), "ids");
  ids->getContextPrototype()->appendD(INT32);
  ids->getContextPrototype()->appendB(false);
  graph->addOutput(7);
  graph->addOutput(10);
  graph->addOutput(11);
  graph->getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  graph->getExecutorConfiguration()->_timestats = true;
  return graph;
}

std::unique_ptr<Graph> whileLoop() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "start", FLOAT32, {});
  variable(*graph, -2, "limit", numberArray(100));
  add(*graph, logicNode(logic::Scope, 10, {}));
  add(*graph, logicNode(logic::Scope, 20, {}), "body");
  add(*graph, logicNode(logic::While, 1, {-1, 10, 20}), "loop");
  add(*graph, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 11, {1, -2}), "", 10);
  auto* twice = new Node(OpType_SCALAR, scalar::Multiply, 21, {1}, {}, {}, 2.f);
  twice->markInplace(false);
  add(*graph, twice, "twice", 20);
  add(*graph, logicNode(logic::Return, 22, {21}, {1}), "", 20);
  add(*graph, new Node(OpType_SCALAR, scalar::Add, 2, {1}, {}, {}, 0.5f), "result");
  return graph;
}

std::unique_ptr<Graph> conditional() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "x", FLOAT32, {2});
  variable(*graph, -2, "choice", numberArray(1));
  add(*graph, new Node(OpType_TRANSFORM_SAME, transform::Neg, 2, {1}), "negative");
  for (const int scope : {10, 20, 30}) add(*graph, logicNode(logic::Scope, scope, {}));
  add(*graph, new Node(OpType_SCALAR_BOOL, scalar::GreaterThan, 11, {-2}, {}, {}, 0.5f), "", 10);
  add(*graph, new Node(OpType_SCALAR, scalar::Add, 21, {1}, {}, {}, 10.f), "", 20);
  add(*graph, new Node(OpType_SCALAR, scalar::Add, 31, {1}, {}, {}, 20.f), "", 30);
  add(*graph, logicNode(logic::Return, 32, {31}, {1}), "", 30);
  add(*graph, logicNode(logic::Conditional, 1, {-1, 10, 20, 30}), "branch");
  add(*graph, logicNode(logic::Expose, 3, {1}));
  return graph;
}

std::unique_ptr<Graph> switches() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "x", FLOAT32, {2});
  variable(*graph, -2, "choice", numberArray(1, BOOL));
  add(*graph, logicNode(logic::Switch, 1, {-1, -2}));
  auto* no = new Node(OpType_TRANSFORM_SAME, transform::Neg, 2);
  no->pickInput(1, 0);
  auto* yes = new Node(OpType_TRANSFORM_SAME, transform::Square, 3);
  yes->pickInput(1, 1);
  add(*graph, no);
  add(*graph, yes);
  add(*graph, logicNode(logic::Merge, 4, {2, 3}), "merged");
  return graph;
}

std::unique_ptr<Graph> frames() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "start", FLOAT32, {});
  variable(*graph, -2, "limit", numberArray(10));
  variable(*graph, -3, "step", numberArray(3));
  for (const int k : {0, 1}) {
    auto* enter = new Node(OpType_LOGIC, logic::Enter, 1 + k, {k == 0 ? -1 : -2}, {}, {}, 0.f, {}, {7});
    enter->setFrameId(7);
    add(*graph, enter);
  }
  add(*graph, logicNode(logic::Merge, 3, {1, 9}));
  add(*graph, new Node(OpType_PAIRWISE_BOOL, pairwise::LessThan, 4, {3, 2}));
  add(*graph, logicNode(logic::LoopCond, 5, {4}));
  add(*graph, logicNode(logic::Switch, 6, {3, 5}));
  auto* sum = new Node(OpType_PAIRWISE, pairwise::Add, 7);
  sum->pickInput(6, 1);
  sum->pickInput(-3);
  add(*graph, sum);
  add(*graph, logicNode(logic::NextIteration, 9, {7}));
  auto* exit = logicNode(logic::Exit, 8, {});
  exit->pickInput(6, 0);
  add(*graph, exit, "end");
  return graph;
}

std::unique_ptr<Graph> lists() {
  auto graph = std::make_unique<Graph>();
  placeholder(*graph, -1, "x", FLOAT32, {2});
  variable(*graph, -2, "y", floatArray({2}, {3, 4}));
  add(*graph, new Node(op("create_list"), 1, {-1}, {2}, {}, 0.f, {}, {2, 0}));
  add(*graph, new Node(op("write_list"), 2, {1, -1}, {3}, {}, 0.f, {}, {0}));
  add(*graph, new Node(op("write_list"), 3, {1, -2}, {4}, {}, 0.f, {}, {1}));
  add(*graph, new Node(op("stack_list"), 4, {1}), "stacked");
  graph->addOutput(4);
  graph->getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  return graph;
}

}  // namespace

const std::vector<GraphSample>& graphSamples() {
  static const std::vector<GraphSample> samples = {
      {"numbered", numbered}, {"custom", custom}, {"while", whileLoop}, {"conditional", conditional},
      {"switch", switches},   {"frames", frames}, {"lists", lists}};
  return samples;
}

std::string bytesOf(const Graph& graph) {
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(graph.asFlatGraph(builder));
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

std::unique_ptr<Graph> loaded(const std::string& bytes, const std::string& origin) {
  return Graph::load(bytes.data(), bytes.size(), origin);
}

Fed::Fed(const Graph& graph) {
  for (const Variable* each : graph.getPlaceholders()) {
    std::vector<LongType> shape = each->shape();
    LongType length = 1;
    for (LongType& dim : shape) {
      if (dim < 0) dim = 2;
      dim = std::min<LongType>(dim, 4);
      length *= dim;
    }
    std::vector<double> values;
    for (LongType i = 0; i < std::min<LongType>(length, 4096); i++) values.push_back(1 + 0.5 * static_cast<double>(i));
    if (length > 4096) shape = {2}, values = {1, 2};
    _arrays.emplace_back(shape.empty() ? number(1) : floats(shape, values));
    feeds.emplace_back(std::to_string(each->id()) + (each->id() < 0 ? "" : ":" + std::to_string(each->index())),
                       *_arrays.back());
  }
}

}  // namespace nd_test
