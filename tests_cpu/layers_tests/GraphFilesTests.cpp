// Graphs in files: what is written comes back, what others write is understood, and errors name file and node.
#include <array/NDArrayFile.h>
#include <graph/ExecutionResult.h>
#include <graph/GraphExecutioner.h>
#include <graph/InferenceRequest.h>
#include <graph/ResultWrapper.h>
#include <graph/exceptions/unresolved_input_exception.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <cmath>

#include "GraphSamples.h"
#include "NDArrayHelpers.h"
#include "NpyTestTools.h"
#include "TestDataPath.h"

using namespace sd;
using namespace sd::graph;
using nd_test::bytesOf;
using nd_test::graphSamples;
using nd_test::loaded;
using nd_test::messageOf;
using test::TemporaryFile;

namespace {

std::vector<std::vector<int8_t>> resultsOf(std::unique_ptr<Graph> graph) {
  const nd_test::Fed fed(*graph);
  Session session(std::move(graph));
  std::vector<std::vector<int8_t>> bytes;
  for (const NDArray& result : session.run(fed.feeds)) bytes.push_back(result.asByteVector());
  return bytes;
}

/// The same graph, executed node by node.
std::vector<std::vector<int8_t>> interpretedResultsOf(Graph& graph) {
  const nd_test::Fed fed(graph);
  const std::vector<Variable*> placeholders = graph.getPlaceholders();
  for (size_t i = 0; i < placeholders.size(); i++) placeholders[i]->setNDArray(new NDArray(*fed.feeds[i].array));
  EXPECT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  std::vector<std::vector<int8_t>> bytes;
  for (const Variable* result : *results)
    if (result->hasNDArray()) bytes.push_back(result->getNDArray()->asByteVector());
  return bytes;
}

}  // namespace

TEST(GraphFilesTests, GraphsComeBack) {
  for (const auto& sample : graphSamples()) {
    SCOPED_TRACE(sample.name);
    const auto graph = sample.make();
    const std::string bytes = bytesOf(*graph);
    const auto back = loaded(bytes);
    EXPECT_TRUE(back->built());
    EXPECT_EQ(bytesOf(*back), bytes);
    EXPECT_EQ(bytesOf(*loaded(bytesOf(*back))), bytes);
    EXPECT_EQ(back->hashCode(), graph->hashCode());
    EXPECT_EQ(back->id(), graph->id());
    EXPECT_EQ(back->totalNodes(), graph->buildGraph() == Status::OK ? graph->totalNodes() : -1);
    ASSERT_EQ(back->allNodes().size(), graph->allNodes().size());
    for (const Node* node : graph->allNodes()) {
      const auto& all = back->allNodes();
      const auto found = std::find_if(all.begin(), all.end(), [&](const Node* n) { return n->id() == node->id(); });
      ASSERT_NE(found, all.end());
      const Node& twin = **found;
      EXPECT_TRUE(twin.equals(node)) << node->describe();
      EXPECT_EQ(twin.describe(), node->describe());
      EXPECT_EQ(twin.getCustomOp(), node->getCustomOp());
      EXPECT_EQ(twin.getLayer(), node->getLayer()) << node->describe();
      EXPECT_EQ(twin.isInplace(), node->isInplace()) << node->describe();
      EXPECT_EQ(twin.getFrameId(), node->getFrameId()) << node->describe();
      EXPECT_EQ(twin.isScoped(), node->isScoped());
      EXPECT_EQ(twin.scopeId(), node->scopeId());
      EXPECT_EQ(twin.scopeName(), node->scopeName());
      EXPECT_EQ(twin.scalarOperand(), node->scalarOperand()) << node->describe();
      EXPECT_EQ(twin.namedArguments(), node->namedArguments()) << node->describe();
      EXPECT_TRUE(twin.getContextPrototype()->sameArguments(*node->getContextPrototype())) << node->describe();
    }
    const auto expected = resultsOf(sample.make());
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(resultsOf(loaded(bytes)), expected);
    EXPECT_EQ(interpretedResultsOf(*back), interpretedResultsOf(*sample.make()));
  }
}

TEST(GraphFilesTests, ArgumentsOfEveryKindComeBack) {
  Graph graph;
  auto* reshape = ops::OpRegistrator::getInstance().find("reshape");
  auto* node = new Node(reshape, 3, {}, {-7, 0}, {2, -1}, 0.f, {0.1, -INFINITY, NAN});
  node->setName("\u00e9tape");
  node->setInputs({{-1, 0}, {0, -1}});  // the second input is absent
  node->getContextPrototype()->appendI({1, LongType{1} << 40, -5});
  node->getContextPrototype()->appendB(true);
  node->getContextPrototype()->appendB(false);
  node->getContextPrototype()->appendD(BFLOAT16);
  node->setArgument("shape", {ops::ArgumentValue::Form::Integers, {3, -1, LongType{1} << 50}, {}, {}});
  node->markInplace(true);
  node->setScalar(-0.5);
  graph.addNode(node);
  auto* layer = ops::OpRegistrator::getInstance().find("lstmLayer");
  auto* second = new Node(layer, 4, {-1});
  second->setArgument("direction", {ops::ArgumentValue::Form::Name, {}, {}, "backward"});
  graph.addNode(second);
  auto* third = new Node(ops::OpRegistrator::getInstance().find("lrn"), 5, {-1});
  third->setArgument("alpha", {ops::ArgumentValue::Form::Numbers, {}, {0.25}, {}});
  graph.addNode(third);
  graph.getVariableSpace()->putVariable(-1, new NDArray('c', {2}, {1., 2.}, FLOAT32));
  const auto back = loaded(bytesOf(graph));
  EXPECT_EQ(bytesOf(*back), bytesOf(graph));
  const Node &twin = *back->nodeById(3), &other = *back->nodeById(4);
  EXPECT_EQ(*twin.getName(), "\u00e9tape");
  EXPECT_EQ(twin.inputs(), node->inputs());
  EXPECT_EQ(twin.outputs(), node->outputs());
  EXPECT_EQ(twin.dimensions(), (std::vector<int>{2, -1}));
  EXPECT_TRUE(twin.isInplace());
  EXPECT_EQ(twin.scalarOperand(), -0.5);
  EXPECT_EQ(twin.namedArguments(), node->namedArguments());
  EXPECT_EQ(other.namedArguments(), second->namedArguments());
  EXPECT_EQ(back->nodeById(5)->namedArguments(), third->namedArguments());
  ContextPrototype& arguments = *twin.getContextPrototype();
  EXPECT_EQ(arguments.intArgument64(1), LongType{1} << 40);
  EXPECT_TRUE(std::isnan(arguments.floatArgument(2)));
  EXPECT_TRUE(arguments.boolArgument(0) && !arguments.boolArgument(1));
  EXPECT_EQ(arguments.typeArgument(0), BFLOAT16);
  EXPECT_TRUE(arguments.sameArguments(*node->getContextPrototype()));
}

TEST(GraphFilesTests, ExecutionsDoNotChangeWhatIsWritten) {
  const auto graph = graphSamples()[2].make();
  delete graph->getVariableSpace()->getVariable(-2)->getNDArray();
  graph->getVariableSpace()->getVariable(-2)->setNDArray(new NDArray('c', {}, {50.}, FLOAT32));
  const std::string before = bytesOf(*graph);
  const auto copy = std::unique_ptr<Graph>(graph->cloneWithProxy());
  const std::string name = "start";
  copy->getVariableSpace()->putVariable(-1, new NDArray('c', {}, {1.}, FLOAT32));
  ASSERT_EQ(GraphExecutioner::execute(copy.get()), Status::OK);
  EXPECT_EQ(copy->getVariableSpace()->getVariable(2)->getNDArray()->e<double>(0), 64.5);
  EXPECT_EQ(bytesOf(*graph), before);
}

TEST(GraphFilesTests, FilesAreSavedAndLoaded) {
  const TemporaryFile file(".fb");
  const auto graph = graphSamples()[0].make();
  graph->save(file.path);
  EXPECT_EQ(test::contentOf(file.path), bytesOf(*graph));
  EXPECT_EQ(getFileSize(file.path.c_str()), static_cast<long>(bytesOf(*graph).size()));
  const auto back = Graph::load(file.path);
  EXPECT_EQ(back->origin(), file.path);
  EXPECT_EQ(bytesOf(*back), bytesOf(*graph));
  const std::unique_ptr<Graph> imported(GraphExecutioner::importFromFlatBuffers(file.path.c_str()));
  EXPECT_EQ(bytesOf(*imported), bytesOf(*graph));
  const std::unique_ptr<uint8_t[]> bytes(readFlatBuffers(file.path.c_str()));
  const std::unique_ptr<Graph> pointed(GraphExecutioner::importFromFlatPointer(bytes.get()));
  EXPECT_EQ(bytesOf(*pointed), bytesOf(*graph));
  // At an odd address.
  const std::string shifted = " " + bytesOf(*graph);
  EXPECT_EQ(bytesOf(*Graph::load(shifted.data() + 1, shifted.size() - 1)), bytesOf(*graph));
}

TEST(GraphFilesTests, ErrorsOfFilesNameThem) {
  EXPECT_EQ(getFileSize("/nowhere/graph.fb"), -1);
  const std::string missing = messageOf<std::runtime_error>([] { Graph::load("/nowhere/graph.fb"); });
  EXPECT_EQ(missing, "[graph] /nowhere/graph.fb: File not found, or it cannot be read: No such file or directory");
  EXPECT_THROW(GraphExecutioner::importFromFlatBuffers("/nowhere/graph.fb"), std::runtime_error);
  EXPECT_THROW(readFlatBuffers("/nowhere/graph.fb"), std::runtime_error);
  const auto graph = graphSamples()[0].make();
  EXPECT_EQ(messageOf<std::runtime_error>([&] { graph->save("/nowhere/graph.fb"); }),
            "[graph] '/nowhere/graph.fb': cannot be opened for writing: No such file or directory");
  const TemporaryFile file(".fb");
  for (const size_t size : {0, 1, 4, 7, 8, 100}) {
    test::write(file.path, bytesOf(*graph).substr(0, size));
    EXPECT_EQ(messageOf<std::runtime_error>([&] { Graph::load(file.path); }),
              "[graph] " + file.path + ": this is no graph file, or it is damaged");
  }
  EXPECT_THROW(Graph::load(nullptr, 5), std::runtime_error);
}

TEST(GraphFilesTests, RequestsFeedAGraphAndChangeNothing) {
  const auto graph = graphSamples()[1].make();
  const std::string before = bytesOf(*graph);
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), w('c', {3, 2}, {1, 0, 0, 1, 1, 1}, FLOAT32);
  InferenceRequest request(0);
  request.appendVariable("x", &x);
  request.appendVariable(-2, &w);
  flatbuffers::FlatBufferBuilder asked, answered;
  asked.Finish(request.asFlatInferenceRequest(asked));
  for (int run = 0; run < 2; run++) {
    answered.Clear();
    answered.Finish(
        GraphExecutioner::execute(graph.get(), answered, GetFlatInferenceRequest(asked.GetBufferPointer())));
    flatbuffers::Verifier verifier(answered.GetBufferPointer(), answered.GetSize());
    ASSERT_TRUE(VerifyFlatResultBuffer(verifier));
    const FlatResult* flat = GetFlatResult(answered.GetBufferPointer());
    EXPECT_EQ(flat->id(), -1);
    EXPECT_EQ(flat->timing()->size(), graph->allNodes().size());
    const ExecutionResult result(flat);
    ASSERT_EQ(result.size(), 3);
    // x w + b = [[4.5, 4.5], [10.5, 10.5]]
    EXPECT_EQ(result.byId("cast")->getNDArray()->dataType(), DOUBLE);
    EXPECT_EQ(result.byId("cast")->getNDArray()->asVectorT<double>(), (std::vector<double>{15, 15}));
    EXPECT_FLOAT_EQ(result.byId(10)->getNDArray()->e<float>(0), std::tanh(10.5f));
    EXPECT_EQ(bytesOf(*graph), before);
  }
  // Not even the values of an earlier execution.
  graph->getVariableSpace()->getVariable(-1)->setNDArray(new NDArray(x));
  ASSERT_EQ(GraphExecutioner::execute(graph.get()), Status::OK);
  const NDArray earlier(*graph->getVariableSpace()->getVariable(4)->getNDArray());
  x.assign(0);
  asked.Clear();
  asked.Finish(request.asFlatInferenceRequest(asked));
  answered.Clear();
  GraphExecutioner::execute(graph.get(), answered, GetFlatInferenceRequest(asked.GetBufferPointer()));
  EXPECT_TRUE(graph->getVariableSpace()->getVariable(4)->getNDArray()->equalsTo(earlier));

  InferenceRequest wrong(0);
  wrong.appendVariable("y", &x);
  asked.Clear();
  asked.Finish(wrong.asFlatInferenceRequest(asked));
  EXPECT_EQ(messageOf<std::runtime_error>([&] {
              GraphExecutioner::execute(graph.get(), answered, GetFlatInferenceRequest(asked.GetBufferPointer()));
            }),
            "[graph] the request has a value for (0, 0) 'y', but there is no such variable");
}

TEST(GraphFilesTests, BytesAreExecuted) {
  auto graph = graphSamples()[4].make();
  std::string bytes = bytesOf(*graph);
  EXPECT_EQ(GraphExecutioner::executeFlatBuffer(bytes.data()), nullptr);
  EXPECT_NE(GraphExecutioner::failureMessage().find("a placeholder that is not fed"), std::string::npos)
      << GraphExecutioner::failureMessage();
  graph->getVariableSpace()->getVariable(-1)->setNDArray(new NDArray('c', {2}, {3., -4.}, FLOAT32));
  bytes = bytesOf(*graph);
  const std::unique_ptr<ResultWrapper> wrapper(GraphExecutioner::executeFlatBuffer(bytes.data()));
  ASSERT_NE(wrapper, nullptr);
  flatbuffers::Verifier verifier(static_cast<const uint8_t*>(wrapper->pointer()), static_cast<size_t>(wrapper->size()));
  ASSERT_TRUE(VerifyFlatResultBuffer(verifier));
  const ExecutionResult result(GetFlatResult(wrapper->pointer()));
  EXPECT_EQ(result.byId("merged")->getNDArray()->asVectorT<float>(), (std::vector<float>{9, 16}));
}

TEST(GraphFilesTests, WeightsComeFromArchives) {
  const TemporaryFile file(".npz");
  const auto graph = graphSamples()[1].make();
  graph->saveWeights(file.path);
  auto arrays = loadNpz(file.path);
  ASSERT_EQ(arrays.size(), 2u);
  EXPECT_TRUE(arrays.at("w").equalsTo(graph->getVariableSpace()->getVariable(-2)->getNDArray()));

  const NDArray b('c', {2}, {7., 8.}, FLOAT32), w('c', {3, 2}, {1, 0, 0, 1, 1, 1}, FLOAT32);
  saveNpz({{"-3", b}, {"w", w}}, file.path);
  graph->loadWeights(file.path);
  EXPECT_TRUE(graph->getVariableSpace()->getVariable(-3)->getNDArray()->equalsTo(b));
  EXPECT_TRUE(graph->getVariableSpace()->getVariable(-2)->getNDArray()->equalsTo(w));

  const std::string start = "[Graph::loadWeights] " + file.path + ": ";
  const auto message = [&] { return messageOf<std::runtime_error>([&] { graph->loadWeights(file.path); }); };
  const NDArray other('c', {2}, {1., 2.}, FLOAT32);
  saveNpz({{"b", other}, {"v", w}}, file.path);
  EXPECT_EQ(message(), start + "there is no variable 'v'");
  saveNpz({{"b", other}, {"w", other}}, file.path);
  EXPECT_EQ(message(), start + "array 'w' for variable -2 'w': its shape is [3, 2], that of the array is [2]");
  saveNpz({{"b", b.cast(DOUBLE)}}, file.path);
  EXPECT_EQ(message(), start + "array 'b' for variable -3 'b': its type is FLOAT, that of the array is DOUBLE");
  saveNpz({{"-3", other}, {"b", other}}, file.path);
  EXPECT_EQ(message(), start + "variable -3 'b' has two arrays, by its name and by its number");
  EXPECT_TRUE(graph->getVariableSpace()->getVariable(-3)->getNDArray()->equalsTo(b));
  // Constants stay constants.
  const auto numbered = graphSamples()[0].make();
  numbered->saveWeights(file.path);
  numbered->loadWeights(file.path);
  EXPECT_EQ(numbered->getVariableSpace()->getVariable(-2)->variableType(), CONSTANT);
  EXPECT_EQ(bytesOf(*numbered), bytesOf(*graphSamples()[0].make()));
}

TEST(GraphFilesTests, GraphsThatCannotBeWrittenSayWhy) {
  {
    Graph graph;
    auto* node = new Node(OpType_GRAPH, 0, 2);
    node->setGraph(std::make_unique<Graph>());
    node->setName("inner");
    graph.addNode(node);
    EXPECT_EQ(messageOf<std::runtime_error>([&] { bytesOf(graph); }),
              "[graph] node 2 'inner' (graph): an embedded graph cannot be written into a file");
  }
  Graph graph;
  graph.setOrigin("model.fb");
  graph.addNode(new Node(OpType_TRANSFORM_SAME, 9999, 1, {-1}));
  EXPECT_EQ(messageOf<std::runtime_error>([&] { bytesOf(graph); }),
            "[graph] model.fb: node 1 (TRANSFORM_SAME 9999): there is no such operation");
  Graph named;
  auto* tanh = new Node(ops::OpRegistrator::getInstance().find("tanh"), 1, {-1});
  tanh->setArgument("axis", {ops::ArgumentValue::Form::Integers, {0}, {}, {}});
  named.addNode(tanh);
  EXPECT_EQ(messageOf<std::runtime_error>([&] { bytesOf(named); }),
            "[graph] node 1 (tanh): there is no argument 'axis'");
}

TEST(GraphFilesTests, FilesOfOtherProgramsAreUnderstood) {
  // control.fb: y = 2 (x w); while sum(y) < limit: y = 3 y; the result is flag ? y y : -y, and its sums along the rows
  const std::string file = std::string(NDFORGE_TEST_DATA) + "/graphs/control.fb";
  auto graph = Graph::load(file);
  EXPECT_EQ(graph->id(), 5);
  EXPECT_EQ(graph->getExecutorConfiguration()->_outputMode, OutputMode_EXPLICIT);
  EXPECT_EQ(*graph->output(), (std::vector<int>{12, 16}));
  EXPECT_EQ(graph->scopeById(10)->size(), 2);
  EXPECT_EQ(*graph->scopeById(20)->name(), "body");
  EXPECT_EQ(*graph->nodeById(4)->getCustomOp()->getOpName(), "matmul");
  EXPECT_EQ(graph->nodeById(5)->scalar(), 2.);
  ASSERT_EQ(graph->nodeById(16)->namedArguments().size(), 1u);
  EXPECT_EQ(graph->nodeById(16)->namedArguments()[0].first, "keep_dims");
  EXPECT_EQ(graph->nodeById(4)->getLayer(), 0);
  const std::string written = bytesOf(*graph);
  EXPECT_EQ(bytesOf(*loaded(written)), written);

  const NDArray x('c', {2, 2}, {1, 2, 3, 4}, FLOAT32);
  graph->getVariableSpace()->getVariable(1)->setNDArray(new NDArray(x));
  ASSERT_EQ(GraphExecutioner::execute(graph.get()), Status::OK) << GraphExecutioner::failureMessage();
  const std::string name = "chosen";
  EXPECT_EQ(graph->getVariableSpace()->getVariable(&name)->getNDArray()->asVectorT<float>(),
            (std::vector<float>{324, 1296, 2916, 5184}));
  for (const bool again : {false, true}) {
    Session session(again ? loaded(written) : Graph::load(file), {.results = {"chosen", "sums", "left"}});
    EXPECT_EQ(session.inputs(), std::vector<std::string>{"x"});
    // Without the branch that is not taken.
    EXPECT_THROW(session.run({{"x", x}}), std::runtime_error);
    Session taken(again ? loaded(written) : Graph::load(file), {.results = {"chosen", "sums"}});
    const auto results = taken.run({{"x", x}});
    EXPECT_EQ(results[0].asVectorT<float>(), (std::vector<float>{324, 1296, 2916, 5184}));
    EXPECT_EQ(results[1].getShapeAsVector(), (std::vector<LongType>{2, 1}));
    EXPECT_EQ(results[1].asVectorT<float>(), (std::vector<float>{1620, 8100}));
  }

  // small.fb: sums of the rows of tanh(x)
  Session small(Graph::load(std::string(NDFORGE_TEST_DATA) + "/graphs/small.fb"));
  const NDArray ones('c', {1, 3}, {1, 1, 1}, FLOAT32);
  EXPECT_NEAR(small.run({{"x", ones}})[0].e<double>(0), 3 * std::tanh(1.), 1e-6);
}
