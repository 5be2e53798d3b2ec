// Measures graphs.
//
//   graphs           the overhead of nodes, and how building and compiling grow with their number
//   graphs --serve   for compare/ (see serve.h): rows "EXPRESSION ELEMENTS", or "EXPRESSION ELEMENTS plain" without
//   fusion
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <cstring>

#include "serve.h"

namespace {

using namespace sd;
using namespace sd::graph;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

void addPlaceholder(Graph& graph, int id, std::string name) {
  auto* variable = new Variable(true);
  variable->setName(&name);
  graph.getVariableSpace()->putVariable(id, variable);
}

/// x + 1 + 1 + …
std::unique_ptr<Graph> chain(int nodes) {
  auto graph = std::make_unique<Graph>();
  addPlaceholder(*graph, -1, "x");
  for (int i = 1; i <= nodes; i++)
    graph->addNode(new Node(OpType_SCALAR, scalar::Add, i, {i == 1 ? -1 : i - 1}, {}, {}, 1.f));
  return graph;
}

void measureChain(int nodes) {
  NDArray x('c', {10}, FLOAT32), z('c', {10}, FLOAT32);
  double building = 1e9, compiling = 1e9, running = 1e9, compilingAll = 1e9;
  const int rounds = std::max(3, 30000 / nodes);
  for (int round = 0; round < rounds; round++) {
    auto start = Clock::now();
    const auto graph = chain(nodes);
    building = std::min(building, since(start));
    SessionOptions options;
    options.withoutPasses = {"all"};
    start = Clock::now();
    Session session(*graph, options);
    session.run({&x}, {&z});
    compiling = std::min(compiling, since(start));
    for (int k = 0; k < 20; k++) {
      start = Clock::now();
      session.run({&x}, {&z});
      running = std::min(running, since(start));
    }
    start = Clock::now();
    Session all(*graph);
    all.run({&x}, {&z});
    compilingAll = std::min(compilingAll, since(start));
  }
  std::printf("%8d %10.2f %18.2f %18.2f %14.1f\n", nodes, building * 1e3, compiling * 1e3, compilingAll * 1e3,
              running / nodes * 1e9);
}

/// Nodes are added in the order of evaluation; each returns its number.
struct Expression {
  Graph graph;
  int last = 0;

  int scalar(int number, int x, float value) {
    graph.addNode(new Node(OpType_SCALAR, number, ++last, {x}, {}, {}, value));
    return last;
  }
  int transform(sd::graph::OpType type, int number, int x) {
    graph.addNode(new Node(type, number, ++last, {x}));
    return last;
  }
  int pair(int number, int x, int y) {
    graph.addNode(new Node(OpType_PAIRWISE, number, ++last, {x, y}));
    return last;
  }
  int sum(int x) {
    graph.addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, ++last, {x}));
    return last;
  }
};

constexpr int X = -1, Y = -2, Z = -3;

void build(Expression& e, const std::string& name) {
  addPlaceholder(e.graph, X, "x");
  addPlaceholder(e.graph, Y, "y");
  addPlaceholder(e.graph, Z, "z");
  if (name == "sum_of_tanh") {  // sum(tanh(x * 2 + y) * z)
    const int inner = e.pair(pairwise::Add, e.scalar(scalar::Multiply, X, 2), Y);
    e.sum(e.pair(pairwise::Multiply, e.transform(OpType_TRANSFORM_STRICT, transform::Tanh, inner), Z));
  } else if (name == "ratio") {  // (x - y) / (abs(x) + abs(z) + 1)
    const int below = e.scalar(scalar::Add,
                               e.pair(pairwise::Add, e.transform(OpType_TRANSFORM_SAME, transform::Abs, X),
                                      e.transform(OpType_TRANSFORM_SAME, transform::Abs, Z)),
                               1);
    e.pair(pairwise::Divide, e.pair(pairwise::Subtract, X, Y), below);
  } else if (name == "swish") {  // x * sigmoid(1.702 * x) + y * z
    const int gate = e.transform(OpType_TRANSFORM_STRICT, transform::Sigmoid, e.scalar(scalar::Multiply, X, 1.702f));
    e.pair(pairwise::Add, e.pair(pairwise::Multiply, X, gate), e.pair(pairwise::Multiply, Y, Z));
  } else {
    std::fprintf(stderr, "graphs: there is no expression '%s'\n", name.c_str());
    std::exit(2);
  }
}

/// An expression with its arrays and its session.
class Call : public benchmarks::Row {
 public:
  Call(const std::string& name, LongType n, bool fused)
      : _x('c', {n}, FLOAT32),
        _y('c', {n}, FLOAT32),
        _z('c', {n}, FLOAT32),
        _result(name == "sum_of_tanh" ? NDArray(FLOAT32) : NDArray('c', {n}, FLOAT32)) {
    const double step = 2.0 / static_cast<double>(n);
    _x.linspace(-1, step);
    _y.linspace(0.5, step / 2);
    _z.linspace(-0.5, step / 2);
    build(_expression, name);
    SessionOptions options;
    if (!fused) options.withoutPasses = {"fusion"};
    _session = std::make_unique<Session>(_expression.graph, options);
  }
  void run(long calls) override {
    for (long i = 0; i < calls; i++) _session->run({&_x, &_y, &_z}, {&_result});
  }
  /// The first element.
  std::vector<double> results() override {
    run(1);
    return {_result.e<double>(0)};
  }

 private:
  Expression _expression;
  NDArray _x, _y, _z, _result;
  std::unique_ptr<Session> _session;
};

std::unique_ptr<Call> make(const std::string& row) {
  std::istringstream words(row);
  std::string name, kind;
  LongType elements = 0;
  if (!(words >> name >> elements) || elements <= 0) return nullptr;
  words >> kind;
  return std::make_unique<Call>(name, elements, kind != "plain");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--serve") == 0) return benchmarks::serve(make);
  if (argc != 1) return std::fprintf(stderr, "usage: graphs [--serve]\n"), 2;
  std::printf("chains of x + 1, 10 elements; times in ms, of a node in ns\n%8s %10s %18s %18s %14s\n", "nodes",
              "building", "compile, no passes", "compile, passes", "run, a node");
  for (const int nodes : {1000, 10000, 100000}) measureChain(nodes);
  return 0;
}
