// Small graphs for the tests of passes: what a pass makes of them, and whether results stay what they are without it.
#ifndef NDFORGE_TESTS_CPU_LAYERS_TESTS_PASSTESTING_H
#define NDFORGE_TESTS_CPU_LAYERS_TESTS_PASSTESTING_H

#include <graph/Graph.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "call/argument_values.h"
#include "graph/OpenGraph.h"
#include "graph/passes/Pass.h"

namespace passes {

using sd::DataType;
using sd::LongType;
using sd::NDArray;

using Names = std::vector<std::string>;

/// An array whose elements are different, some of them negative, some -0.
inline NDArray sample(const std::vector<LongType>& shape, DataType dataType = sd::FLOAT32, char order = 'c') {
  NDArray array(order, shape, dataType);
  for (LongType i = 0; i < array.lengthOf(); i++)
    array.p(i, sd::DataTypeUtils::isR(dataType) ? (i % 7 == 3 ? -0.0 : ((i * 37) % 61 - 30) / 8.0)
                                                : static_cast<double>((i * 37) % 61 - 30));
  return array;
}

inline NDArray filled(const std::vector<LongType>& shape, double value, DataType dataType = sd::FLOAT32) {
  NDArray array('c', shape, dataType);
  for (LongType i = 0; i < array.lengthOf(); i++) array.p(i, value);
  return array;
}

/// A graph with its inputs. Values are numbers of nodes, or negative ones of variables.
class Small {
 public:
  using Arguments = std::vector<std::pair<std::string, sd::ops::ArgumentValue>>;

  int input(NDArray array) {
    _variable--;
    _inputs.emplace_back(_variable, std::move(array));
    auto* variable = new sd::graph::Variable(true);
    _graph.getVariableSpace()->putVariable(_variable, variable);
    return _variable;
  }
  int constant(const NDArray& array) {
    const int id = variable(array);
    _graph.getVariableSpace()->getVariable(id)->setVariableType(sd::graph::CONSTANT);
    return id;
  }
  int variable(const NDArray& array) {
    _variable--;
    _graph.getVariableSpace()->putVariable(_variable, new sd::graph::Variable(new NDArray(array), nullptr, _variable));
    return _variable;
  }
  /// By name, with named arguments.
  int call(const char* operation, const std::vector<int>& inputs, const Arguments& arguments = {}) {
    auto* node = new sd::graph::Node(sd::ops::OpRegistrator::getInstance().find(operation), ++_node);
    for (const auto& [name, value] : arguments) node->setArgument(name, value);
    return add(node, inputs);
  }
  /// A numbered operation.
  int number(sd::graph::OpType group, int op, const std::vector<int>& inputs, float scalar = 0.f) {
    return add(new sd::graph::Node(group, op, ++_node, {}, {}, {}, scalar), inputs);
  }
  void result(int id) { _results.push_back({id, 0}); }
  void result(int id, int output) { _results.push_back({id, output}); }

  /// The operations of the nodes after a pass, in their order; a null name: before any.
  Names after(const char* pass) const {
    std::vector<sd::graph::FedShape> feeds;
    for (const auto& [id, array] : _inputs) feeds.push_back({{id, 0}, array.shapeInfo(), {}});
    return namesAfter(feeds, pass);
  }
  /// The same when no shapes are known.
  Names afterWithoutShapes(const char* pass) const {
    std::vector<sd::graph::FedShape> feeds;
    for (const auto& [id, array] : _inputs) feeds.push_back({{id, 0}, nullptr, sd::ops::PartialShape()});
    return namesAfter(feeds, pass);
  }

  /// How many nodes all passes leave, which run one after the other.
  int afterAll() const {
    std::vector<sd::graph::FedShape> feeds;
    for (const auto& [id, array] : _inputs) feeds.push_back({{id, 0}, array.shapeInfo(), {}});
    sd::graph::OpenGraph open(_graph, feeds, _results);
    for (const sd::graph::Pass& each : sd::graph::allPasses()) each.run(open);
    return open.liveNodes();
  }

  /// Runs without passes, with one alone, and with all, and compares.
  void check(const char* pass) const {
    Names others = sd::graph::Session::passes(), reordering;
    others.erase(std::find(others.begin(), others.end(), pass));
    for (const sd::graph::Pass& each : sd::graph::allPasses())
      if (each.reordersSums) reordering.push_back(each.name);
    const bool exact = std::find(reordering.begin(), reordering.end(), pass) == reordering.end();
    const std::vector<NDArray> expected = run({"all"});
    compare(expected, run(others), exact, "alone");
    compare(expected, run(reordering), true, "with all that keep bits");
    compare(expected, run({}), reordering.empty(), "with all");
  }
  std::vector<NDArray> run(const Names& without) const {
    sd::graph::SessionOptions options;
    for (const auto& [id, output] : _results)
      options.results.push_back(std::to_string(id) + (output > 0 ? ":" + std::to_string(output) : ""));
    options.withoutPasses = without;
    sd::graph::Session session(_graph, options);
    std::vector<sd::graph::Feed> feeds;
    for (const auto& [id, array] : _inputs) feeds.emplace_back(id, array);
    return session.run(feeds);
  }

 private:
  sd::graph::Graph _graph;
  std::vector<std::pair<int, NDArray>> _inputs;
  std::vector<std::pair<int, int>> _results;
  int _variable = 0, _node = 0;

  int add(sd::graph::Node* node, const std::vector<int>& inputs) {
    for (const int input : inputs) node->pickInput(input, 0);
    _graph.addNode(node);
    return _node;
  }
  Names namesAfter(const std::vector<sd::graph::FedShape>& feeds, const char* pass) const {
    sd::graph::OpenGraph open(_graph, feeds, _results);
    bool found = pass == nullptr;
    for (const sd::graph::Pass& each : sd::graph::allPasses())
      if (pass != nullptr && std::string(each.name) == pass) {
        each.run(open);
        found = true;
      }
    EXPECT_TRUE(found) << "there is no pass " << pass;
    Names names;
    for (int id = 0; id < open.nodes(); id++)
      if (!open.node(id).removed) names.push_back(*open.node(id).op()->getOpName());
    return names;
  }
  static void compare(const std::vector<NDArray>& expected, const std::vector<NDArray>& results, bool exact,
                      const char* how) {
    ASSERT_EQ(results.size(), expected.size());
    for (size_t k = 0; k < results.size(); k++) {
      const NDArray &a = expected[k], &b = results[k];
      ASSERT_EQ(a.dataType(), b.dataType()) << how;
      ASSERT_EQ(a.ordering(), b.ordering()) << how;
      ASSERT_TRUE(a.isSameShape(b)) << how;
      if (!exact) {
        for (LongType i = 0; i < a.lengthOf(); i++) {
          const double x = a.e<double>(i), y = b.e<double>(i);
          if (x == y || (std::isnan(x) && std::isnan(y))) continue;
          ASSERT_NEAR(x, y, 1e-4 * std::max(1., std::abs(x))) << how << ", element " << i;
        }
        continue;
      }
      const NDArray p = const_cast<NDArray&>(a).dup('c'), q = const_cast<NDArray&>(b).dup('c');
      const auto *from = static_cast<const char*>(p.buffer()), *to = static_cast<const char*>(q.buffer());
      const size_t size = p.sizeOfT();
      for (LongType e = 0; e < p.lengthOf(); e++)
        ASSERT_EQ(std::memcmp(from + e * size, to + e * size, size), 0)
            << how << ": element " << e << " of result " << k << " of type " << static_cast<int>(a.dataType()) << " is "
            << q.e<double>(e) << ", not " << p.e<double>(e);
    }
  }
};

}  // namespace passes

#endif
