// Tables of graph files, requests and results that are well formed for FlatBuffers and say nonsense.
#include <graph/ExecutionResult.h>
#include <graph/GraphDrawing.h>
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "GraphAttacks.h"
#include "GraphSamples.h"

using namespace sd;
using namespace sd::graph;
using namespace nd_test;

namespace {

GraphTables tablesOf(const Graph& graph) { return GraphTables::of(bytesOf(graph)); }

const std::vector<GraphTables>& samples() {
  static const std::vector<GraphTables> tables = [] {
    std::vector<GraphTables> all;
    for (const auto& sample : graphSamples()) all.push_back(tablesOf(*sample.make()));
    return all;
  }();
  return tables;
}

GraphTables mutant(uint64_t seed) {
  Random random(seed);
  GraphTables tables = samples()[below(random, samples().size())];
  for (size_t k = 1 + below(random, 3); k > 0; k--) mutate(tables, random);
  return tables;
}

GraphTables sampleNamed(const std::string& name) {
  for (size_t i = 0; i < samples().size(); i++)
    if (graphSamples()[i].name == name) return samples()[i];
  throw std::logic_error(name);
}

NodeTable& nodeOf(GraphTables& tables, int id) {
  for (NodeTable& node : tables.nodes)
    if (node.id == id) return node;
  throw std::logic_error("there is no node " + std::to_string(id));
}

void makeCall(NodeTable& node, const char* operation) {
  node.kind = OpType_CUSTOM;
  node.number = ops::OpRegistrator::getInstance().find(operation)->getOpHash();
  node.properties.clear();
}

/// What a session says; empty when it runs.
std::string sessionError(const GraphTables& tables) {
  const auto graph = loaded(tables.bytes(), MUTANT);
  const Fed fed(*graph);
  try {
    Session(*graph, {.mostIterations = 50}).run(fed.feeds);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// What an execution node by node says.
std::string executionError(const GraphTables& tables) {
  const auto graph = loaded(tables.bytes(), MUTANT);
  const Fed fed(*graph);
  const auto& placeholders = graph->getPlaceholders();
  for (size_t i = 0; i < placeholders.size(); i++) placeholders[i]->setNDArray(new NDArray(*fed.feeds[i].array));
  try {
    return GraphExecutioner::execute(graph.get()) == Status::OK ? "" : GraphExecutioner::failureMessage();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

TEST(GraphStructureAttacksTests, ContradictoryGraphsAreRefusedOrRun) {
  const MemoryLimit limit(uint64_t{1} << 28);
  AttackOutcomes outcomes;
  for (uint64_t seed = 0; seed < 5000; seed++) {
    SCOPED_TRACE(seed);
    const auto start = std::chrono::steady_clock::now();
    attack(mutant(seed).bytes(), outcomes);
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(outcomes.loads, 1000) << outcomes.runs;
  EXPECT_GT(outcomes.runs, 500);
  EXPECT_LT(outcomes.loads, 4500);
}

TEST(GraphStructureAttacksTests, ContradictoryRequestsAreRefusedOrRun) {
  const MemoryLimit limit(uint64_t{1} << 28);
  int runs = 0, refusals = 0;
  for (const GraphSample& sample : graphSamples()) {
    // With other values a loop of scopes may be endless.
    if (std::string(sample.name) == "while") continue;
    const std::unique_ptr<Graph> graph = sample.make();
    graph->setOrigin(MUTANT);
    const std::string before = bytesOf(*graph);
    const Fed fed(*graph);
    Graph inputs;
    const auto& placeholders = graph->getPlaceholders();
    for (size_t i = 0; i < placeholders.size(); i++)
      inputs.getVariableSpace()->putVariable(
          placeholders[i]->id(), new Variable(new NDArray(*fed.feeds[i].array), placeholders[i]->getName()->c_str()));
    const GraphTables valid = tablesOf(inputs);
    for (uint64_t seed = 0; seed < 600; seed++) {
      SCOPED_TRACE(std::string(sample.name) + " " + std::to_string(seed));
      Random random(seed);
      GraphTables tables = valid;
      for (size_t k = below(random, 5); k > 0; k--) mutate(tables, random);
      const std::string bytes = tables.requestBytes();
      flatbuffers::Verifier verifier(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
      ASSERT_TRUE(verifier.VerifyBuffer<FlatInferenceRequest>(nullptr));
      flatbuffers::FlatBufferBuilder builder;
      try {
        const auto* request = flatbuffers::GetRoot<FlatInferenceRequest>(bytes.data());
        builder.Finish(GraphExecutioner::execute(graph.get(), builder, request));
        const ExecutionResult result(flatbuffers::GetRoot<FlatResult>(builder.GetBufferPointer()));
        runs++;
      } catch (const std::exception& error) {
        ASSERT_STRNE(error.what(), "");
        refusals++;
      }
      ASSERT_EQ(bytesOf(*graph), before);
    }
  }
  EXPECT_GT(runs, 500);
  EXPECT_GT(refusals, 500);
}

TEST(GraphStructureAttacksTests, ContradictoryResultsAreRefusedOrRead) {
  int reads = 0, refusals = 0;
  for (uint64_t seed = 0; seed < 5000; seed++) {
    SCOPED_TRACE(seed);
    const std::string bytes = mutant(seed).resultBytes();
    try {
      const ExecutionResult result(flatbuffers::GetRoot<FlatResult>(bytes.data()));
      flatbuffers::FlatBufferBuilder builder;
      builder.Finish(result.asFlatResult(builder));
      const ExecutionResult again(flatbuffers::GetRoot<FlatResult>(builder.GetBufferPointer()));
      ASSERT_EQ(again.size(), result.size());
      reads++;
    } catch (const std::exception& error) {
      ASSERT_EQ(std::string(error.what()).find("[Variable] "), 0u) << error.what();
      refusals++;
    }
  }
  EXPECT_GT(reads, 2000);
  EXPECT_GT(refusals, 200);
}

TEST(GraphStructureAttacksTests, WhatIsOddIsDrawn) {
  GraphTables tables = sampleNamed("while");
  NodeTable scope;
  scope.id = 23;
  scope.kind = OpType_LOGIC;
  scope.number = logic::Scope;
  scope.scope = 20;
  tables.nodes.push_back(scope);
  makeCall(nodeOf(tables, 2), "cast");
  nodeOf(tables, 2).types = {0, 1};
  const auto graph = loaded(tables.bytes(), MUTANT);
  EXPECT_NE(dotOf(*graph).find("23"), std::string::npos);
  EXPECT_NE(svgOf(*graph).find("23"), std::string::npos);
  EXPECT_NE(tableOf(*graph).find("inherit"), std::string::npos) << tableOf(*graph);

  tables = sampleNamed("lists");
  nodeOf(tables, 2).pairs = {{1, 0}, {-1, 0}, {3, 0}};  // the place in the list is computed
  EXPECT_GE(loaded(tables.bytes(), MUTANT)->estimateRequiredMemory(), 0);
}

TEST(GraphStructureAttacksTests, StatedShapesTakeNoMemory) {
  GraphTables tables = sampleNamed("custom");
  for (VariableTable& variable : tables.variables)
    if (variable.name == "x") variable.shape = {int64_t{1} << 40, 3};
  // A node that takes the rows apart has so many outputs.
  const auto graph = loaded(tables.bytes(), MUTANT);
  EXPECT_NE(tableOf(*graph).find("unstack"), std::string::npos);
  try {
    graph->estimateRequiredMemory();
    ADD_FAILURE();
  } catch (const std::exception& error) {
    EXPECT_STREQ(
        error.what(),
        "[graph] mutant.fb: node 9 'parts' (unstack): [unstack] 1099511627776 outputs are more than the 1048576 "
        "that an operation may have");
  }
  EXPECT_EQ(sessionError(tables), "");

  tables = sampleNamed("numbered");
  tables.variables[0].shape = {int64_t{1} << 61, 3};
  EXPECT_EQ(loaded(tables.bytes())->estimateRequiredMemory(), INT64_MAX);
  tables.variables[0].shape = {int64_t{1} << 40, int64_t{1} << 40};
  EXPECT_GE(loaded(tables.bytes())->estimateRequiredMemory(), 0);
}

TEST(GraphStructureAttacksTests, NamesMayHaveAnyCharacters) {
  const std::string name("sta\0cked\n\xFF", 9);
  GraphTables tables = sampleNamed("lists");
  nodeOf(tables, 4).name = name;
  for (VariableTable& variable : tables.variables)
    if (variable.id->first == 4) variable.name = name;
  nodeOf(tables, 4).outputNames = {name, name + "2"};
  const auto graph = loaded(tables.bytes());
  EXPECT_EQ(*graph->getVariableSpace()->getVariable(4, 0)->getName(), name);
  EXPECT_EQ(*graph->getVariableSpace()->getVariable(4, 1)->getName(), name + "2");
  const std::string written = bytesOf(*graph);
  EXPECT_EQ(bytesOf(*loaded(written)), written);
  EXPECT_EQ(bytesOf(*std::unique_ptr<Graph>(graph->clone())), written);
}

TEST(GraphStructureAttacksTests, TextsInFortranOrderAreCopied) {
  GraphTables tables = sampleNamed("numbered");
  const LongType flags = ArrayOptions::flagsOfDataType(UTF8);
  VariableTable texts;
  texts.id = {-20, 0};
  texts.dtype = UTF8;
  texts.array = {std::vector<int64_t>{2, 2, 2, 1, 2, flags, 1, 'f'}, std::vector<int8_t>(44), UTF8, 0};
  for (size_t i = 0; i < 5; i++) (*texts.array->bytes)[8 * i] = static_cast<int8_t>(i);
  for (size_t i = 0; i < 4; i++) (*texts.array->bytes)[40 + i] = static_cast<int8_t>('a' + i);
  tables.variables.push_back(texts);
  const auto graph = loaded(tables.bytes());
  const std::unique_ptr<Graph> copy(graph->clone());
  const NDArray& array = *copy->getVariableSpace()->getVariable(-20)->getNDArray();
  EXPECT_EQ(array.ordering(), 'f');
  EXPECT_EQ(array.asByteVector(), graph->getVariableSpace()->getVariable(-20)->getNDArray()->asByteVector());
  EXPECT_EQ(bytesOf(*copy), bytesOf(*graph));
}

TEST(GraphStructureAttacksTests, ListsAreNoInputsOfOtherOperations) {
  for (const char* operation : {"add", "matmul", "tanh", "concat", "reduce_sum"}) {
    GraphTables tables = sampleNamed("lists");
    makeCall(nodeOf(tables, 4), operation);
    nodeOf(tables, 4).pairs = {{1, 0}, {-1, 0}};
    const std::string expected = std::string("[graph] mutant.fb: node 4 'stacked' (") + operation + "): [" + operation +
                                 "] input 0 is a list of arrays";
    EXPECT_EQ(sessionError(tables), expected);
    EXPECT_EQ(executionError(tables), expected);
    nodeOf(tables, 4).pairs = {{-1, 0}, {1, 0}};
    const std::string second = sessionError(tables);
    EXPECT_NE(second.find("input 1 is a list of arrays"), std::string::npos) << operation << ": " << second;
  }
}

TEST(GraphStructureAttacksTests, ErrorsNameTheFileAndTheNode) {
  GraphTables tables = sampleNamed("lists");
  tables.outputs = {{1, 0}};
  EXPECT_EQ(sessionError(tables), "[graph] mutant.fb: the result (1, 0) '' is a list of arrays");

  tables = sampleNamed("custom");
  makeCall(nodeOf(tables, 9), "random_normal");
  EXPECT_EQ(
      sessionError(tables),
      "[graph] mutant.fb: node 9 'parts' (random_normal): [random_normal] 2 floating arguments are needed, 0 given");

  tables = sampleNamed("custom");
  nodeOf(tables, 4).pairs = {{-1, 0}};
  EXPECT_EQ(sessionError(tables), "[graph] mutant.fb: node 4 'product' (matmul): [matmul] input 1 'y' is missing");

  tables = sampleNamed("while");
  nodeOf(tables, 21).integers.reset();
  nodeOf(tables, 21).number = scalar::Divide;
  EXPECT_EQ(sessionError(tables),
            "[graph] mutant.fb: node 1 'loop' (While): the loop has not ended after 50 iterations");
  tables.nodes.erase(std::find_if(tables.nodes.begin(), tables.nodes.end(), [](auto& node) { return node.id == 22; }));
  EXPECT_EQ(sessionError(tables),
            "[graph] mutant.fb: node 1 'loop' (While): scope 20, the body, does not end with a Return");

  tables = sampleNamed("numbered");
  tables.configuration->output = OutputMode_EXPLICIT;
  tables.outputs.clear();
  EXPECT_EQ(sessionError(tables), "[Session] mutant.fb: the graph has no results");
}
