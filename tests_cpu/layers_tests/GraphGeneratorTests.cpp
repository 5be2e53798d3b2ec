// Generated graphs through the interpreter: the values of nodes that are computed apart, whatever the graph is made of.
#include "GraphGenerator.h"

#include <graph/GraphExecutioner.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <set>

#include "GraphGeneratorCalls.h"

using namespace sd;
using namespace sd::graph;
using namespace sd::graphtest;

namespace {

constexpr uint64_t SEEDS = 5000;
constexpr int MOST_FAILURES = 5;

/// Why the execution failed, or which values are wrong; empty when all is well.
std::string executed(Graph& graph, const GeneratedGraph& generated) {
  try {
    if (GraphExecutioner::execute(&graph) != Status::OK) return GraphExecutioner::failureMessage();
  } catch (const std::exception& error) {
    return error.what();
  }
  const std::unique_ptr<std::vector<Variable*>> results(graph.fetchOutputs());
  // With all nodes as results, those of branches that were not taken have no values.
  const bool all = graph.getExecutorConfiguration()->_outputMode == OutputMode_VARIABLE_SPACE;
  if (!all && results->size() < generated.results.size()) return "there are fewer results than nodes that give them";
  return differences(generated, *graph.getVariableSpace());
}

/// Executes the graph twice, and a clone of it.
bool check(const GeneratedGraph& generated) {
  Graph& graph = *generated.graph;
  const std::unique_ptr<Graph> clone(graph.clone());
  generated.feed(*graph.getVariableSpace());
  generated.feed(*clone->getVariableSpace());
  const std::string first = executed(graph, generated), second = executed(graph, generated),
                    cloned = executed(*clone, generated);
  EXPECT_EQ(first, "") << generated.description << "\n" << graph.text();
  EXPECT_EQ(second, "") << "second execution of " << generated.description;
  EXPECT_EQ(cloned, "") << "clone of " << generated.description;
  return first.empty() && second.empty() && cloned.empty();
}

/// Whether what inference says, which may be little, is true of the array.
bool agrees(const ops::PartialShape& shape, const NDArray& array) {
  if (shape.hasType() && shape.type() != array.dataType()) return false;
  if (!shape.hasRank()) return true;
  const std::vector<LongType> sizes = array.getShapeAsVector();
  if (static_cast<size_t>(shape.rank()) != sizes.size()) return false;
  for (int axis = 0; axis < shape.rank(); axis++)
    if (shape[axis] >= 0 && shape[axis] != sizes[static_cast<size_t>(axis)]) return false;
  return true;
}

}  // namespace

TEST(GraphGenerator, ExecutionsGiveTheValuesOfSeparateCalls) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  std::set<std::string> custom, numbered;
  size_t nodes = 0;
  int failed = 0;
  for (uint64_t seed = 0; seed < SEEDS && failed < MOST_FAILURES; seed++) {
    const GeneratedGraph generated = generateGraph(seed);
    ASSERT_FALSE(generated.results.empty()) << generated.description;
    nodes += generated.nodes.size();
    for (const GeneratedNode& node : generated.nodes)
      (std::string_view(node.call.op->getOpDescriptor()->kind()) == "numbered" ? numbered : custom)
          .insert(node.call.name());
    failed += check(generated) ? 0 : 1;
  }
  std::printf("%zu nodes of %zu custom and %zu numbered operations; %zu can stand in a graph\n", nodes, custom.size(),
              numbered.size(), knownCalls().size());
  EXPECT_GE(custom.size(), 250u);
  EXPECT_GE(numbered.size(), 150u);
}

TEST(GraphGenerator, InferenceKnowsTheShapesOfResults) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  size_t known = 0, unknown = 0;
  for (uint64_t seed = 0; seed < SEEDS / 5 && !HasFailure(); seed++) {
    const GeneratedGraph generated = generateGraph(seed);
    for (const GeneratedNode& node : generated.nodes) {
      std::vector<NDArray*> inputs;
      for (const ArrayPtr& value : node.values) inputs.push_back(value.get());
      const std::vector<ops::PartialShape> shapes = node.call.infer(inputs);
      for (size_t k = 0; k < shapes.size(); k++) {
        const auto array = generated.expected.find({node.id, static_cast<int>(k)});
        if (array == generated.expected.end()) continue;
        EXPECT_TRUE(agrees(shapes[k], *array->second))
            << node.call.name() << " output " << k << ": " << shapes[k].text() << ", not "
            << ShapeUtils::shapeAsString(array->second.get()) << " in " << generated.description;
        (shapes[k].isComplete() ? known : unknown)++;
      }
    }
  }
  EXPECT_GT(known, 20 * unknown);
}

TEST(GraphGenerator, EqualSeedsGiveEqualGraphs) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  std::set<std::string> descriptions;
  for (uint64_t seed = 0; seed < 50; seed++) {
    const GeneratedGraph first = generateGraph(seed), second = generateGraph(seed);
    EXPECT_EQ(first.description, second.description);
    EXPECT_EQ(first.graph->hashCode(), second.graph->hashCode());
    descriptions.insert(first.description);
  }
  EXPECT_EQ(descriptions.size(), 50u);
}

TEST(GraphGenerator, ControlFlowGivesTheValuesOfLoopsInCpp) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  int failed = 0;
  for (uint64_t seed = 0; seed < SEEDS / 5 && failed < MOST_FAILURES; seed++) {
    const GeneratedGraph generated = generateControlGraph(seed);
    failed += check(generated) ? 0 : 1;
  }
}
