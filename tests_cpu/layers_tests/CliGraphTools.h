// The files with graphs that the tests of `ndforge graph` use.
#ifndef NDFORGE_TESTS_CLIGRAPHTOOLS_H
#define NDFORGE_TESTS_CLIGRAPHTOOLS_H

#include <graph/Graph.h>
#include <ops/declarable/CustomOperations.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "CliTestTools.h"

namespace test {

using namespace sd;
using namespace sd::graph;

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CliGraphs : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    if (IsSkipped()) return;
    makeModel()->save(_folder.path + "/model.fb");
    makeSum()->save(_folder.path + "/sum.fb");
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

  /// sum = left + right.
  static std::unique_ptr<Graph> makeSum() {
    auto graph = std::make_unique<Graph>();
    addInput(*graph, -1, "left", {-1, 3});
    addInput(*graph, -2, "right", {-1, 3});
    addCall(*graph, "add", 1, "sum", {-1, -2});
    return graph;
  }

  /// weighted = (left + right) * w; largest = top_k of weighted, with two outputs. A node is there twice.
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

  /// What a command prints with --json.
  nlohmann::json parsed(const std::string& arguments) {
    const Result r = run(arguments + " --json");
    EXPECT_EQ(r.code, 0) << arguments << ": " << r.err;
    return nlohmann::json::parse(r.out);
  }

  void expectResult(const std::string& file, const std::vector<float>& values) {
    EXPECT_EQ(result(file).bytes, bytesOf<float>(values)) << file;
  }
};

inline const std::vector<float> WEIGHTED = {11, 44, 33, 44, 110, 66}, ZEROS = {0, 0, 0, 0, 0, 0};

}  // namespace test

#endif
