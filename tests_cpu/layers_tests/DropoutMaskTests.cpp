// Masks of dropout in graphs: which seeds they follow from, and that gradients make the same ones again.
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <nd/nd.h>
#include <training/Trainer.h>

#include <vector>

#include "ControlPrograms.h"
#include "GraphPrograms.h"
#include "PassTesting.h"

#ifdef SD_ALL_OPS

using namespace sd;
using namespace sd::graph;
using passes::filled;

namespace {

constexpr LongType LENGTH = 400;

std::vector<double> valuesOf(const NDArray& array) {
  std::vector<double> values;
  for (LongType i = 0; i < array.lengthOf(); i++) values.push_back(array.e<double>(i));
  return values;
}

/// How many are not 0.
LongType kept(const std::vector<double>& values) {
  return std::count_if(values.begin(), values.end(), [](double value) { return value != 0; });
}

ops::args::Dropout withSeed(LongType seed) {
  ops::args::Dropout dropout;
  dropout.p = 0.5;
  dropout.seed = seed;
  return dropout;
}

}  // namespace

TEST(DropoutMasks, FollowFromTheSeedOfTheRunAndThatOfTheNode) {
  for (const bool optimised : {false, true}) {
    SCOPED_TRACE(optimised);
    Graph graph;
    const nd::Symbol x = graph.placeholder("x", FLOAT32, {LENGTH});
    const nd::Symbol y = nd::dropout(x, withSeed(7)), other = nd::dropout(x, withSeed(8));
    const nd::Symbol ofConstant = nd::dropout(graph.constant(filled({LENGTH}, 1)), withSeed(7));
    const nd::Symbol dx = nd::grad(nd::reduce_sum(y), {x})[0];
    SessionOptions options;
    options.results = {y.key(), other.key(), ofConstant.key(), dx.key()};
    if (!optimised) options.withoutPasses = {"all"};
    Session session(graph, options);
    const NDArray ones = filled({LENGTH}, 1);
    const auto run = [&](uint64_t seed) {
      RunOptions with;
      with.seed = seed;
      const std::vector<NDArray> results = session.run({{x, ones}}, with);
      const std::vector<double> mask = valuesOf(results[0]);
      EXPECT_GT(kept(mask), LENGTH / 3);
      EXPECT_LT(kept(mask), LENGTH * 2 / 3);
      EXPECT_NE(valuesOf(results[1]), mask) << "another seed of the node";
      EXPECT_EQ(valuesOf(results[2]), mask) << "of a constant";
      EXPECT_EQ(valuesOf(results[3]), mask) << "of the gradient";
      return mask;
    };
    const std::vector<double> alone = run(0), one = run(1);
    EXPECT_EQ(alone, valuesOf(nd::dropout(ones, withSeed(7)))) << "without a seed, that of the node counts";
    EXPECT_NE(alone, one);
    EXPECT_NE(one, run(2));
    EXPECT_EQ(one, run(1));
    EXPECT_EQ(alone, run(0));
  }
}

TEST(DropoutMasks, AreTheSameInTheGradientsOfLoopsAndConditions) {
  for (const LoopValues loops : {LoopValues::Keep, LoopValues::Recompute}) {
    graphtest::Program p;
    const graphtest::Place x = p.parameter("x", filled({LENGTH}, 1, DOUBLE));
    const graphtest::Places values = p.loop(p.constant(3, INT64), {x}, [&](const graphtest::Places& now, int scope) {
      return graphtest::Places{p.callWith("dropout", {now[0]}, "p", ops::numberArgument(0.5), scope)};
    });
    p.call("reduce_sum", {values[0]}, 0, "loss");
    GradientOptions gradient;
    gradient.loops = loops;
    const graphtest::Place dx = addGradients(p.graph, "loss", {"x"}, gradient)[0];
    SessionOptions options;
    options.results = {graphtest::textOf(values[0]), graphtest::textOf(dx)};
    Session session(p.graph, options);
    std::vector<std::vector<double>> masks;
    for (const uint64_t seed : {0, 1, 2}) {
      RunOptions with;
      with.seed = seed;
      const std::vector<NDArray> results = session.run(std::vector<Feed>(), with);
      masks.push_back(valuesOf(results[0]));
      EXPECT_GT(kept(masks.back()), 0);
      EXPECT_EQ(valuesOf(results[1]), masks.back()) << seed;  // of ones, the product of the masks
    }
    EXPECT_NE(masks[0], masks[1]);
    EXPECT_NE(masks[1], masks[2]);
  }
}

TEST(DropoutMasks, EachStepOfATrainerHasOthers) {
  std::vector<std::vector<double>> ends;
  for (const uint64_t seed : {5, 5, 6}) {
    Graph graph;
    const NDArray zeros('c', {LENGTH}, FLOAT32);
    const nd::Symbol w = graph.variable("w", zeros), x = graph.placeholder("x", FLOAT32, {LENGTH});
    const nd::Symbol loss = nd::reduce_sum(nd::dropout(w * x, withSeed(0)));
    training::Trainer trainer(graph, loss, {w}, training::Sgd{0.5}, {.seed = seed});
    // Each step subtracts its mask: 0.5 * 2 where elements are kept.
    for (int step = 0; step < 2; step++) trainer.step({{x, filled({LENGTH}, 1)}});
    ends.push_back(valuesOf(graph.array(w)));
    const LongType once = std::count(ends.back().begin(), ends.back().end(), -1.);
    EXPECT_GT(once, LENGTH / 3) << "kept in one step and not in the other";
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_NE(ends[0], ends[2]);
}

#endif
