// `ndforge graph`: graphs in files are run, shown and measured; calls that are refused.
#ifdef NDFORGE_CLI

#include <graph/Graph.h>
#include <ops/declarable/CustomOperations.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "CliTestTools.h"

namespace {

using namespace sd;
using namespace sd::graph;
using namespace test;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CliGraph : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (IsSkipped()) return;
    makeModel()->save(_folder.path + "/model.fb");
    makeLoop()->save(_folder.path + "/loop.fb");
    makeFrames()->save(_folder.path + "/frames.fb");
    const std::vector<char> three = bytesOf<float>({3, 3, 3});
    npy::saveNpz(_folder.path + "/weights.npz", {{"w", {DataType::FLOAT32, 'c', {3}, three.data()}}});
    npy::saveNpz(_folder.path + "/other.npz", {{"v", {DataType::FLOAT32, 'c', {3}, three.data()}}});
    const std::vector<char> x = bytesOf<float>({1, 2, 3, 4, 5, 6}), y = bytesOf<float>({10, 20, 30, 40, 50, 60});
    npy::saveNpz(_folder.path + "/inputs.npz", {{"right", {DataType::FLOAT32, 'c', {2, 3}, y.data()}},
                                                {"left", {DataType::FLOAT32, 'c', {2, 3}, x.data()}}});
    npy::saveNpz(_folder.path + "/misspelt.npz", {{"lefd", {DataType::FLOAT32, 'c', {2, 3}, x.data()}},
                                                  {"right", {DataType::FLOAT32, 'c', {2, 3}, y.data()}}});
  }

  static void addVariable(Graph& graph, int id, const char* name, const NDArray& array) {
    graph.getVariableSpace()->putVariable(id, new Variable(new NDArray(array), name, id));
  }

  static void addInput(Graph& graph, int id, const std::string& name, const std::vector<LongType>& shape) {
    auto* variable = new Variable(true);
    variable->setName(&name);
    variable->shape() = shape;
    variable->setDataType(FLOAT32);
    graph.getVariableSpace()->putVariable(id, variable);
  }

  static Node& addCall(Graph& graph, const char* operation, int id, const char* name,
                       std::initializer_list<int> inputs) {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(operation), id, inputs);
    node->setName(std::string(name));
    graph.addNode(node);
    return *node;
  }

  /// sum = (left + right) * w; largest = top_k of sum, with two outputs. A node is there twice.
  static std::unique_ptr<Graph> makeModel() {
    auto owned = std::make_unique<Graph>();
    Graph& graph = *owned;
    addInput(graph, -1, "left", {-1, 3});
    addInput(graph, -2, "right", {-1, 3});
    addVariable(graph, -3, "w", NDArray('c', {3}, {1, 2, 1}, FLOAT32));
    addCall(graph, "add", 1, "both", {-1, -2});
    addCall(graph, "multiply", 2, "weighted", {1, -3});
    addCall(graph, "multiply", 3, "again", {1, -3});
    addCall(graph, "subtract", 4, "difference", {2, 3});
    ops::ArgumentValue two;
    two.integers = {2};
    addCall(graph, "top_k", 5, "largest", {2}).setArgument("k", two);
    return owned;
  }

  /// Doubles a number while it is below the limit.
  static std::unique_ptr<Graph> makeLoop() {
    auto owned = std::make_unique<Graph>();
    Graph& graph = *owned;
    addVariable(graph, -1, "start", NDArray('c', {}, {3}, FLOAT32));
    addVariable(graph, -2, "limit", NDArray('c', {}, {100}, FLOAT32));
    graph.addNode(new Node(OpType_LOGIC, logic::Scope, 10));
    graph.addNode(new Node(OpType_LOGIC, logic::Scope, 20));
    graph.addNode(new Node(OpType_LOGIC, logic::While, 1, {-1, 10, 20}));
    const auto inScope = [&graph](int scope, Node* node) {
      node->setScopeInfo(scope);
      graph.addNode(node);
    };
    auto& registry = ops::OpRegistrator::getInstance();
    inScope(10, new Node(registry.find("less"), 11, {1, -2}));
    inScope(20, new Node(registry.find("add"), 21, {1, 1}));
    inScope(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1}));
    return owned;
  }

  /// Branches whose Merge has a third input, so that no plan is compiled.
  static std::unique_ptr<Graph> makeFrames() {
    auto owned = std::make_unique<Graph>();
    Graph& graph = *owned;
    addVariable(graph, -1, "x", NDArray('c', {2}, {1, -2}, FLOAT32));
    addVariable(graph, -2, "condition", NDArray('c', {}, {1}, BOOL));
    graph.addNode(new Node(OpType_LOGIC, logic::Switch, 1, {-1, -2}));
    auto* no = new Node(OpType_TRANSFORM_SAME, transform::Neg, 2);
    auto* yes = new Node(OpType_TRANSFORM_SAME, transform::Square, 3);
    no->pickInput(1, 0);
    yes->pickInput(1, 1);
    graph.addNode(no);
    graph.addNode(yes);
    graph.addNode(new Node(OpType_LOGIC, logic::Merge, 4, {2, 3, -1}));
    return owned;
  }

  void expectResult(const std::string& file, const std::vector<float>& values) {
    EXPECT_EQ(result(file).bytes, bytesOf<float>(values)) << file;
  }
};

const std::vector<float> WEIGHTED = {11, 44, 33, 44, 110, 66}, ZEROS = {0, 0, 0, 0, 0, 0};

TEST_F(CliGraph, RunsOnNamedAndPositionalInputs) {
  const char* inputs[] = {"-i left=x.npy -i right=y.npy",
                          "-i right=y.npy -i left=x.npy",
                          "-i x.npy -i y.npy",
                          "-i right=y.npy -i x.npy",
                          "-i y.npy -i left=x.npy",
                          "-i inputs.npz",
                          "-i left=inputs.npz -i y.npy",
                          "-i left=inputs.npz:left -i right=inputs.npz:right",
                          "-i x.npy -i y.npy --threads 1",
                          "-i x.npy -i y.npy --without equal,dead",
                          "-i x.npy -i y.npy --without all"};
  for (const char* arguments : inputs) {
    const Result r = run(std::string("graph run model.fb -o weighted=z.npy ") + arguments);
    ASSERT_EQ(r.code, 0) << arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << arguments;
    expectResult("z.npy", WEIGHTED);
    fs::remove(_folder.path + "/z.npy");
  }
}

TEST_F(CliGraph, WritesResultsByNameInOrderAndTogether) {
  Result r = run("graph run model.fb -i x.npy -i y.npy -o d.npy -o values.npy -o indices.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("d.npy", ZEROS);
  expectResult("values.npy", {44, 33, 110, 66});
  EXPECT_EQ(result("indices.npy").dims, (std::vector<LongType>{2, 2}));

  r = run("graph run model.fb -i x.npy -i y.npy -o largest:1=i.npz -o both=b.npy -o 2=w.npy -o d2.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("b.npy", {11, 22, 33, 44, 55, 66});
  expectResult("w.npy", WEIGHTED);
  expectResult("d2.npy", ZEROS);
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/i.npz"), std::vector<std::string>{"largest:1"});

  r = run("graph run model.fb -i x.npy -i y.npy -o all.npz");
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(npy::namesInNpz(_folder.path + "/all.npz"),
            (std::vector<std::string>{"difference", "largest", "largest:1"}));
}

TEST_F(CliGraph, PrintsASummaryWithoutOutputs) {
  const Result r = run("graph run model.fb -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out,
            "difference: float32 [2, 3]\nmin 0  max 0  mean 0\n[[0. 0. 0.]\n [0. 0. 0.]]\n"
            "largest: float32 [2, 2]\nmin 33  max 110  mean 63.25\n[[ 44.  33.]\n [110.  66.]]\n"
            "largest:1: int64 [2, 2]\nmin 1  max 2  mean 1.5\n[[1 2]\n [1 2]]\n");
  EXPECT_EQ(run("graph run loop.fb").out, "float32 []\nmin 192  max 192  mean 192\n192.0\n");
  EXPECT_EQ(run("graph run frames.fb").out, "float32 [2]\nmin 1  max 4  mean 2.5\n[1. 4.]\n");
}

TEST_F(CliGraph, Json) {
  using nlohmann::json;
  const auto parsed = [&](const std::string& arguments) {
    const Result r = run(arguments + " --json");
    EXPECT_EQ(r.code, 0) << arguments << ": " << r.err;
    return json::parse(r.out);
  };
  json r = parsed("graph run model.fb -i x.npy -i y.npy --repeat 3");
  EXPECT_EQ(r["file"], "model.fb");
  EXPECT_EQ(r["seconds"]["runs"], 3);
  ASSERT_EQ(r["results"].size(), 3u);
  EXPECT_EQ(r["results"][1], json::parse(R"({"name": "largest", "type": "float32", "shape": [2, 2],
                                             "values": [[44.0, 33.0], [110.0, 66.0]]})"));
  r = parsed("graph run model.fb -i x.npy -i y.npy -o weighted=z.npy");
  EXPECT_EQ(r["results"],
            json::parse(R"([{"name": "weighted", "type": "float32", "shape": [2, 3], "file": "z.npy"}])"));
  expectResult("z.npy", WEIGHTED);
  r = parsed("graph show model.fb");
  EXPECT_EQ(r["inputs"][0], json::parse(R"({"name": "left", "type": "float32", "shape": [null, 3]})"));
  EXPECT_EQ(r["variables"][0], json::parse(R"({"id": -3, "name": "w", "type": "float32", "shape": [3]})"));
  EXPECT_EQ(r["nodes"][1], json::parse(R"({"id": 2, "name": "weighted", "operation": "multiply",
                                           "inputs": [[1, 0], [-3, 0]]})"));
  EXPECT_EQ(r["results"], json({4, 5}));
  r = parsed("graph show model.fb --passes --plan --memory --shape 7x3 --shape 7x3");
  EXPECT_EQ(r["inputs"][1]["shape"], json({7, 3}));
  EXPECT_FALSE(r["passes"].empty() || r["plan"].empty());
  EXPECT_EQ(r["memory"]["variables"], 12);
  r = parsed("graph bench model.fb --shape 4x3 --shape 4x3 --seconds 0.01");
  EXPECT_EQ(r["inputs"][0]["shape"], json({4, 3}));
  for (const char* key : {"reading", "seconds", "withoutPasses", "nodes", "memory", "slowest"})
    EXPECT_TRUE(r.contains(key)) << key;
  EXPECT_FALSE(r["slowest"].empty());
}

TEST_F(CliGraph, RepeatsAndMeasures) {
  const Result r = run("graph run loop.fb --repeat 20");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, ", 20 runs), the first ")) << r.out;
  EXPECT_TRUE(has(r.out, "\n192.0\n")) << r.out;
}

TEST_F(CliGraph, WeightsReplaceVariables) {
  Result r = run("graph run model.fb --weights weights.npz -i x.npy -i y.npy -o weighted=z.npy");
  ASSERT_EQ(r.code, 0) << r.err;
  expectResult("z.npy", {33, 66, 99, 132, 165, 198});
  r = run("graph run model.fb --weights other.npz -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 1);
  EXPECT_TRUE(has(r.err, "'v'") && has(r.err, "other.npz")) << r.err;
}

TEST_F(CliGraph, ShowsGraphs) {
  Result r = run("graph show model.fb");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* part : {"model.fb: 5 nodes, 2 inputs, 2 results\n", "  left   float32 [?, 3]\n", "  w  float32 [3]",
                           "  largest     float32 [?, 2], int64 [?, 2]\n", "multiply(both, w)", "k = 2"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  for (const char* shapes : {"--shape left=2x3 --shape right=2x3", "--shape 2x3 --shape 2x3", "-i x.npy --shape 2x3"}) {
    r = run(std::string("graph show model.fb ") + shapes);
    EXPECT_TRUE(has(r.out, "  largest     float32 [2, 2], int64 [2, 2]\n")) << shapes << r.out << r.err;
  }
  r = run("graph show loop.fb");
  EXPECT_TRUE(has(r.out, "scope 20\n")) << r.out << r.err;
}

TEST_F(CliGraph, DrawsGraphs) {
  Result r = run("graph show model.fb --dot");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(r.out.starts_with("digraph \"model.fb\" {") && has(r.out, "float32 [?, 3]")) << r.out;
  r = run("graph show model.fb --svg --shape 7x3 --shape 7x3 -o model.svg");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(r.out, "");
  const std::string svg = contentOf(_folder.path + "/model.svg");
  EXPECT_TRUE(svg.starts_with("<svg ") && has(svg, "float32 [7, 3]")) << svg;
  EXPECT_TRUE(has(svg, ">2  weighted</text>")) << svg;
  // After the passes, one of two equal products is left.
  r = run("graph show model.fb --dot --passes --without fusion --shape 7x3 --shape 7x3");
  EXPECT_EQ(r.code, 0) << r.err;
  const size_t first = r.out.find("label=\"multiply");
  EXPECT_TRUE(first != std::string::npos && r.out.find("label=\"multiply", first + 1) == std::string::npos) << r.out;
}

TEST_F(CliGraph, ShowsPassesPlanAndMemory) {
  Result r = run("graph show model.fb --passes --shape 7x3 --shape 7x3");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "\nequal ")) << r.out;
  const size_t equal = r.out.find("\nequal ");
  EXPECT_TRUE(has(r.out.substr(equal, r.out.find('\n', equal + 1) - equal), " 1 changes ")) << r.out;
  r = run("graph show model.fb --passes --without equal --shape 7x3 --shape 7x3");
  EXPECT_TRUE(r.code == 0 && !has(r.out, "equal ")) << r.out << r.err;
  r = run("graph show model.fb --plan --memory --without all -i x.npy -i y.npy");
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_TRUE(has(r.out, "node 5 'largest' (top_k)")) << r.out;
  EXPECT_TRUE(has(r.out, "inputs     48 bytes\nvariables  12 bytes\nplan       ")) << r.out;
}

TEST_F(CliGraph, MeasuresGraphs) {
  const Result r =
      run("graph bench model.fb --shape left=4x3 --shape right=4x3 --seconds 0.01 --trace trace.json --threads 1");
  ASSERT_EQ(r.code, 0) << r.err;
  for (const char* part : {"model.fb: left float32 [4, 3], right float32 [4, 3]\n", "\ncompilation ", "\nrun ",
                           "\nwithout passes ", "\nmemory ", "\nslowest nodes", "top_k", "weighted"})
    EXPECT_TRUE(has(r.out, part)) << part << "\n" << r.out;
  const auto trace = nlohmann::json::parse(contentOf(_folder.path + "/trace.json"));
  std::set<int> nodes;
  for (const auto& event : trace["traceEvents"]) nodes.insert(event["args"]["node"].get<int>());
  EXPECT_EQ(nodes, (std::set<int>{1, 2, 3, 4, 5}));
  for (const char* file : {"loop.fb", "frames.fb"})
    EXPECT_EQ(run(std::string("graph bench --seconds 0.01 ") + file).code, 0) << file;
}

TEST_F(CliGraph, RefusesWrongCalls) {
  const struct {
    const char* arguments;
    int code;
    const char* message;
  } cases[] = {
      {"graph", 2, "see 'ndforge graph --help'"},
      {"graph walk", 2, "walk"},
      {"graph run", 2, "see 'ndforge graph run --help'"},
      {"graph run model.fb --nonsense", 2, "nonsense"},
      {"graph run none.fb", 1, "none.fb"},
      {"graph show x.npy", 1, "x.npy"},
      {"graph bench text.npy", 1, "text.npy"},
      {"graph run model.fb -i x.npy", 2, "'model.fb': the input 'right' is missing"},
      {"graph run model.fb", 2, "the inputs 'left', 'right' are missing"},
      {"graph run model.fb -i lefd=x.npy -i right=y.npy", 2, "has no input 'lefd'; did you mean 'left'?"},
      {"graph run model.fb -i nothing=x.npy", 2, "has no input 'nothing'; its inputs are left, right"},
      {"graph run model.fb -i misspelt.npz", 2, "has no input 'lefd'; did you mean 'left'?"},
      {"graph run model.fb -i left=x.npy -i left=y.npy", 2, "the input 'left' is given twice"},
      {"graph run model.fb -i x.npy -i y.npy -i y.npy", 2, "has 2 inputs; there is none left for 'y.npy'"},
      {"graph run model.fb -i left=none.npy -i y.npy", 1, "none.npy"},
      {"graph run model.fb -i left=two.npz -i y.npy", 1, "several arrays"},
      {"graph run model.fb -i left=two.npz:third -i y.npy", 1, "third"},
      {"graph run model.fb -i nans.npy -i y.npy", 1, "the input 'left' is float32, not float64"},
      {"graph run model.fb -i row.npy -i y.npy", 1, "the input 'left' has shape [?, 3], not [3]"},
      {"graph run model.fb -i x.npy -i y.npy -o weightet=z.npy", 2,
       "has no node or variable 'weightet'; did you mean 'weighted'"},
      {"graph run model.fb -i x.npy -i y.npy -o both:1=z.npy", 2, "'both' has no output 1"},
      {"graph run model.fb -i x.npy -i y.npy -o z.txt", 2, "neither a .npy nor a .npz file"},
      {"graph run model.fb -i x.npy -i y.npy -o z.npy -o both=z.npy", 2, "are the same file"},
      {"graph run model.fb -i x.npy -i y.npy -o 1.npy -o 2.npy -o 3.npy -o 4.npy", 2, "none is left for '4.npy'"},
      {"graph run model.fb -i x.npy -i y.npy --without equall", 2, "no pass 'equall'; did you mean 'equal'?"},
      {"graph run model.fb -i x.npy -i y.npy --repeat 0", 2, "--repeat"},
      {"graph run model.fb -i x.npy -i y.npy --threads -1", 2, "--threads"},
      {"graph run model.fb --weights none.npz -i x.npy -i y.npy", 1, "none.npz"},
      {"graph show model.fb --passes", 2, "the shape of the input 'left' is not known; --shape left=32x3 gives it"},
      {"graph show model.fb --shape left=2y3", 2, "is not a shape"},
      {"graph show model.fb --shape left=2x3 --shape right=5x3", 1, "node 1 'both' (add)"},
      {"graph show model.fb --shape left=2x4", 1, "the input 'left' has shape [?, 3], not [2, 4]"},
      {"graph show model.fb --dot --svg", 2, "choose one"},
      {"graph show model.fb --svg --memory", 2, "--memory"},
      {"graph show frames.fb --plan", 1, "no plan is compiled"},
      {"graph bench model.fb --shape 2x3 --shape 2x3 --seconds 0", 2, "--seconds"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, c.code) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << c.arguments << ": " << r.err;
    EXPECT_EQ(r.out, "") << c.arguments;
    EXPECT_TRUE(r.err.starts_with("ndforge: ")) << r.err;
  }
  EXPECT_FALSE(fs::exists(_folder.path + "/1.npy"));
}

TEST_F(CliGraph, TextsAreRefused) {
  Graph graph;
  addInput(graph, -1, "words", {2});
  graph.getVariableSpace()->getVariable(-1)->setDataType(UTF8);
  addVariable(graph, -2, "names", NDArray({2}, std::vector<std::string>{"one", "three"}, UTF8));
  addVariable(graph, -3, "w", NDArray('c', {2}, {1, 2}, FLOAT32));
  addCall(graph, "add", 1, "sum", {-3, -3});
  graph.save(_folder.path + "/texts.fb");
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"graph run texts.fb -i x.npy", "the input 'words' is an array of texts, not float32"},
      {"graph show texts.fb --plan", "the input 'words' is an array of texts"},
      {"graph show texts.fb --shape words=2 --plan", "the input 'words' is an array of texts"},
      {"graph bench texts.fb", "the input 'words' is an array of texts"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, 1) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
  }
  Graph results;
  addVariable(results, -2, "names", NDArray({2}, std::vector<std::string>{"one", "three"}, UTF8));
  addVariable(results, -3, "w", NDArray('c', {2}, {1, 2}, FLOAT32));
  addCall(results, "add", 1, "sum", {-3, -3});
  results.save(_folder.path + "/texts.fb");
  for (const char* target : {"z.npy", "z.npz"}) {
    const Result r = run(std::string("graph run texts.fb -o names=") + target);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_TRUE(has(r.err, "'texts.fb': the result 'names' is an array of texts")) << r.err;
    EXPECT_FALSE(fs::exists(_folder.path + "/" + target));
  }
}

TEST_F(CliGraph, FilesAndFoldersThatCannotBeUsedAreNamed) {
  const std::vector<char> values = bytesOf<float>({1, 2, 3, 4});
  const std::vector<char> wide = bytesOf<double>({1, 2, 3});
  npy::saveNpz(_folder.path + "/shape.npz", {{"w", {DataType::FLOAT32, 'c', {2, 2}, values.data()}}});
  npy::saveNpz(_folder.path + "/type.npz", {{"w", {DataType::DOUBLE, 'c', {3}, wide.data()}}});
  fs::create_directory(_folder.path + "/folder");
  const struct {
    const char *arguments, *message;
  } cases[] = {
      {"graph show folder", "folder: this is a folder, not a file"},
      {"graph run /dev/null", "/dev/null: this is no regular file"},
      {"graph show ''", "the name of the file is empty"},
      {"graph run model.fb --weights shape.npz", "shape.npz: array 'w' for variable -3 'w': its shape is [3]"},
      {"graph run model.fb --weights type.npz", "type.npz: array 'w' for variable -3 'w': its type is FLOAT"},
      {"graph run model.fb --weights folder", "'folder'"},
      {"graph run loop.fb -o nowhere/z.npy", "'nowhere/z.npy'"},
      {"graph run loop.fb -o nowhere/z.npz", "'nowhere/z.npz'"},
      {"graph show loop.fb --svg -o nowhere/z.svg", "'nowhere/z.svg'"},
      {"graph show loop.fb -o folder", "'folder'"},
      {"graph bench loop.fb --seconds 0.001 --trace nowhere/t.json", "'nowhere/t.json'"},
  };
  for (const auto& c : cases) {
    const Result r = run(c.arguments);
    EXPECT_EQ(r.code, 1) << c.arguments << ": " << r.err;
    EXPECT_TRUE(has(r.err, c.message)) << c.arguments << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << c.arguments << ": " << r.err;
  }
}

TEST_F(CliGraph, AFileThatIsCutShortIsAnErrorOfOneLine) {
  const std::string whole = contentOf(_folder.path + "/model.fb");
  for (const size_t size : {size_t{0}, size_t{3}, whole.size() / 3, whole.size() - whole.size() / 4}) {
    write(_folder.path + "/cut.fb", whole.substr(0, size));
    const Result r = run("graph show cut.fb");
    EXPECT_EQ(r.code, 1) << size << r.out;
    EXPECT_TRUE(has(r.err, "cut.fb") && std::count(r.err.begin(), r.err.end(), '\n') == 1) << r.err;
  }
}

}  // namespace

#endif
