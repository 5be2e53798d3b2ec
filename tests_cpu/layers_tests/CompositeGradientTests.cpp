// Gradients of what the pass `fusion` makes: those of the operations that were joined, whichever they are.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Operation.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <loops/OpGroup.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "GraphedCall.h"
#include "graph/OpenGraph.h"
#include "graph/passes/Pass.h"

#ifdef SD_ALL_OPS  // operations of many families
#include <nd/nd.h>

using namespace sd;
using graph::Operation;
using nd::Symbol;

namespace {

/// What addGradients gives for the parameters, or the message.
struct Outcome {
  std::vector<NDArray> gradients;
  std::string message;

  Outcome(graph::Graph& graph, const std::string& value, const std::vector<std::string>& parameters) {
    try {
      graph::SessionOptions options;
      for (const auto& place : graph::addGradients(graph, value, parameters, {"", true}))
        options.results.push_back(nd_test::textOf(place));
      gradients = graph::Session(graph, options).run(std::vector<graph::Feed>());
    } catch (const std::invalid_argument& error) {
      message = error.what();
    }
  }
};

/// The sum of y * weights, where y is an operation on x * 1.25, of shape [2, 3], and possibly on an array or a number.
struct Chain {
  graph::Graph graph;
  Symbol loss;
  std::vector<std::string> parameters{"x"};

  Chain(const loops::NumberedOp& op, const std::vector<double>& values) {
    using loops::OpFamily;
    const NDArray own('c', {2, 3}, values, DOUBLE),
        others('c', {2, 3}, std::vector<double>{0.53, 0.27, 1.41, 0.78, 0.36, 2.3}, DOUBLE),
        weights('c', {3}, std::vector<double>{1, 1.25, -0.5}, DOUBLE);
    const std::string name = loops::qualifiedName(op);
    std::vector<double> extra{0.4, 0.7, 0.1, 0.2};
    extra.resize(static_cast<size_t>(op.maxParams));
    if (op.maxParams > 2) extra.back() = 2;  // the number of a condition
    const auto call = [&](const Operation::Operands& operands) {
      return op.maxParams == 0 ? Operation::of(name)->call(operands)
                               : Operation::of(name, ops::NumberedElements{extra})->call(operands);
    };
    const Symbol x = graph.variable("x", own) * 1.25;
    Symbol y;
    switch (loops::traitsOf(op.group).family) {
      case OpFamily::Transform:
        y = call({x});
        break;
      case OpFamily::Scalar:
        y = Operation::of(name, ops::NumberedScalar{0.78, extra})->call({x});
        break;
      default:
        y = call({x, graph.variable("y", others)});
        parameters.emplace_back("y");
    }
    if (y.dataType() != DOUBLE) y = nd::cast(y, {.dtype = DOUBLE});
    loss = nd::reduce_sum(y * graph.constant(weights));
  }
};

bool isElementwise(const loops::NumberedOp& op) {
  using enum loops::OpFamily;
  const loops::GroupTraits& traits = loops::traitsOf(op.group);
  return traits.operands != loops::OperandTypes::Integers &&
         (traits.family == Transform || traits.family == Pairwise || traits.family == Scalar);
}

}  // namespace

TEST(CompositeGradient, IsThatOfTheJoinedNodes) {
  const std::vector<double> positive = {0.31, 0.85, 0.62, 0.47, 0.19, 0.71},
                            mixed = {-0.31, 1.85, -0.62, 1.47, -2.19, 0.13};
  size_t joined = 0, compared = 0, without = 0;
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    if (!isElementwise(op)) continue;
    const std::string name = loops::qualifiedName(op);
    SCOPED_TRACE(name);
    for (const auto& values : {positive, mixed}) {
      Chain chain(op, values);
      graph::OpenGraph open(chain.graph, {}, {{chain.loss.id(), chain.loss.output()}});
      if (graph::fuseElements(open) < 2) continue;
      joined++;
      const auto place = open.value(open.results()[0]).name;
      ASSERT_TRUE(open.writerOf(open.results()[0])->is("composite"));
      const auto fused = open.toGraph();
      const Outcome actual(*fused, nd_test::textOf(place), chain.parameters);
      const Outcome expected(chain.graph, chain.loss.key(), chain.parameters);
      EXPECT_EQ(expected.message.empty(), actual.message.empty()) << expected.message << " / " << actual.message;
      if (!expected.message.empty()) {
        without++;
        EXPECT_NE(std::string::npos, actual.message.find("[composite] '")) << actual.message;
        continue;
      }
      for (size_t i = 0; i < actual.gradients.size(); i++)
        for (LongType k = 0; k < actual.gradients[i].lengthOf(); k++) {
          const double wanted = expected.gradients[i].e<double>(k), given = actual.gradients[i].e<double>(k);
          if (std::isnan(wanted)) continue;
          EXPECT_NEAR(wanted, given, 1e-9 * std::max(1.0, std::abs(wanted))) << "parameter " << i << ", element " << k;
          compared++;
        }
    }
  }
  EXPECT_GT(joined, 250u);
  EXPECT_GT(compared, 1500u);
  EXPECT_GT(without, 20u);
}

#endif
