// Times and memory of graphs and their nodes: the classes, what an execution fills in, tables and traces.
#include <array/NDArrayFactory.h>
#include <exceptions/graph_execution_exception.h>
#include <graph/GraphExecutioner.h>
#include <graph/TimeHolder.h>
#include <graph/profiling/GraphProfilingHelper.h>
#include <gtest/gtest.h>
#include <helpers/ConstantShapeHelper.h>
#include <ops/declarable/CustomOperations.h>
#include <system/Environment.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "Messages.h"

using namespace sd;
using namespace sd::graph;
using nd_test::errorOf;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Node 1 'distance' = abs(-1), node 2 = tanh(1), node 3 = sums of 2 over dimension 0.
std::unique_ptr<Graph> threeNodes() {
  auto graph = std::make_unique<Graph>();
  graph->getVariableSpace()->putVariable(-1,
                                         new NDArray('c', {3, 2}, std::vector<double>{-1, 2, -3, 4, -5, 6}, FLOAT32));
  auto* first = new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2});
  first->setName("distance");
  graph->addNode(first);
  graph->addNode(new Node(OpType_TRANSFORM_STRICT, transform::Tanh, 2, {1}, {3}));
  graph->addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {2}, {}, {0}));
  return graph;
}

/// Switches profiling of the process on for as long as it lives.
struct Profiling {
  Profiling() { Environment::getInstance().setProfiling(true); }
  ~Profiling() { Environment::getInstance().setProfiling(false); }
};

}  // namespace

TEST(GraphProfileTests, NodesKeepWhatIsSet) {
  struct Row {
    void (NodeProfile::*set)(LongType);
    LongType (NodeProfile::*get)() const;
  };
  const Row rows[] = {
      {&NodeProfile::setBuildTime, &NodeProfile::getBuildTime},
      {&NodeProfile::setPreparationTime, &NodeProfile::getPreparationTime},
      {&NodeProfile::setExecutionTime, &NodeProfile::getExecutionTime},
      {&NodeProfile::setTotalTime, &NodeProfile::getTotalTime},
      {&NodeProfile::setShapeFunctionTime, &NodeProfile::getShapeFunctionTime},
      {&NodeProfile::setArrayTime, &NodeProfile::getArrayTime},
      {&NodeProfile::setInputTime, &NodeProfile::getInputTime},
      {&NodeProfile::setActivationsSize, &NodeProfile::getActivationsSize},
      {&NodeProfile::setTemporarySize, &NodeProfile::getTemporarySize},
      {&NodeProfile::setObjectsSize, &NodeProfile::getObjectsSize},
      {&NodeProfile::setTotalSize, &NodeProfile::getTotalSize},
  };
  NodeProfile node(7, "logits"), other(7);
  LongType value = 10;
  for (const Row& row : rows) {
    EXPECT_EQ((node.*row.get)(), 0);
    (node.*row.set)(value++);
    (other.*row.set)(100);
  }
  value = 10;
  for (const Row& row : rows) EXPECT_EQ((node.*row.get)(), value++);
  node.merge(&other);
  value = 110;
  for (const Row& row : rows) EXPECT_EQ((node.*row.get)(), value++);
  EXPECT_EQ(node.merges(), 2);
  EXPECT_EQ(node.id(), 7);
  EXPECT_EQ(node.name(), "logits");
  node.merge(nullptr);
  EXPECT_EQ(node.merges(), 2);
  NodeProfile copy;
  copy.assign(&node);
  copy.assign(nullptr);
  EXPECT_EQ(copy.name(), "logits");
  EXPECT_EQ(copy.getTotalSize(), node.getTotalSize());
}

TEST(GraphProfileTests, NodesAddCallsAndShapes) {
  NodeProfile node(1);
  node.addCall(1, 10, 12);
  node.addCall(2, 20, 25);
  EXPECT_EQ(node.calls(), 2);
  EXPECT_EQ(node.getPreparationTime(), 3);
  EXPECT_EQ(node.getExecutionTime(), 30);
  EXPECT_EQ(node.getTotalTime(), 37);
  const NDArray x('c', {2, 3}, FLOAT32), scalar(INT64);
  node.addInputShape(x.shapeInfo());
  node.addInputShape(scalar.shapeInfo());
  node.addOutputShape(x.shapeInfo());
  EXPECT_EQ(node.inputShapes(), (std::vector<std::string>{"FLOAT32 [2, 3]", "INT64 []"}));
  EXPECT_EQ(node.outputShapes(), std::vector<std::string>{"FLOAT32 [2, 3]"});
  NodeProfile later(1);
  later.addInputShape(scalar.shapeInfo());
  node.merge(&later);
  EXPECT_EQ(node.inputShapes(), std::vector<std::string>{"INT64 []"});
  EXPECT_EQ(node.outputShapes(), std::vector<std::string>{"FLOAT32 [2, 3]"});
  node.clearShapes();
  EXPECT_TRUE(node.inputShapes().empty() && node.outputShapes().empty());
  const LongType broken[] = {-3, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_THROW(node.addInputShape(nullptr), std::runtime_error);
  EXPECT_THROW(node.addOutputShape(broken), std::runtime_error);
  EXPECT_TRUE(node.outputShapes().empty());
}

TEST(GraphProfileTests, ProfilesFindNodesByNumber) {
  GraphProfile profile;
  EXPECT_FALSE(profile.nodeExists(3));
  NodeProfile* node = profile.nodeById(3, "first");
  for (int id = 4; id < 200; id++) profile.nodeById(id);
  EXPECT_EQ(profile.nodeById(3), node);
  EXPECT_EQ(node->name(), "first");
  profile.nodeById(3, "second");
  EXPECT_EQ(node->name(), "second");
  EXPECT_TRUE(profile.nodeExists(3));
  ASSERT_EQ(profile.nodes().size(), 197u);
  EXPECT_EQ(profile.nodes()[0], node);
  EXPECT_EQ(profile.nodes()[196]->id(), 199);
}

TEST(GraphProfileTests, MergedProfilesAddUp) {
  GraphProfile a, b;
  a.addToTotal(1);
  a.addToActivations(2);
  a.addToTemporary(3);
  a.addToObjects(4);
  a.setBuildTime(5);
  a.setExecutionTime(6);
  a.nodeById(1, "x")->setExecutionTime(10);
  b.addToTotal(10);
  b.setExecutionTime(60);
  b.nodeById(1)->setExecutionTime(20);
  b.nodeById(2, "y")->setExecutionTime(30);
  a.merge(&b);
  EXPECT_EQ(a.merges(), 2);
  EXPECT_EQ(a.getTotalSize(), 11);
  EXPECT_EQ(a.getActivationsSize(), 2);
  EXPECT_EQ(a.getTemporarySize(), 3);
  EXPECT_EQ(a.getObjectsSize(), 4);
  EXPECT_EQ(a.getBuildTime(), 5);
  EXPECT_EQ(a.getExecutionTime(), 66);
  EXPECT_EQ(a.nodeById(1)->getExecutionTime(), 30);
  EXPECT_EQ(a.nodeById(1)->name(), "x");
  EXPECT_EQ(a.nodeById(2)->getExecutionTime(), 30);
  a.merge(&a);
  EXPECT_EQ(a.nodeById(2)->getExecutionTime(), 60);
  EXPECT_EQ(a.getExecutionTime(), 132);
  a.merge(nullptr);
  EXPECT_EQ(a.merges(), 4);
  GraphProfile c;
  c.nodeById(9);
  c.assign(&a);
  c.assign(&c);
  c.assign(nullptr);
  EXPECT_FALSE(c.nodeExists(9));
  EXPECT_EQ(c.nodeById(1)->getExecutionTime(), 60);
  a.nodeById(1)->setExecutionTime(0);
  EXPECT_EQ(c.nodeById(1)->getExecutionTime(), 60);  // a copy
}

TEST(GraphProfileTests, EventsAreSpansOfTime) {
  GraphProfile profile;
  const LongType before = GraphProfile::currentTime();
  profile.startEvent("load");
  EXPECT_FALSE(profile.hasEvent("load"));
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  profile.recordEvent("load");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  profile.spotEvent("checked");
  const LongType all = GraphProfile::relativeTime(before);
  EXPECT_GE(profile.eventTime("load"), 2000000);
  EXPECT_GE(profile.eventTime("checked"), 2000000);
  EXPECT_LE(profile.eventTime("load") + profile.eventTime("checked"), all);
  EXPECT_TRUE(contains(profile.text(), "checked"));
  profile.recordEvent("never started");
  EXPECT_FALSE(profile.hasEvent("never started"));
  profile.deleteEvent("load");
  EXPECT_FALSE(profile.hasEvent("load"));
  EXPECT_THROW(profile.eventTime("load"), std::out_of_range);
  EXPECT_THROW(profile.startEvent(nullptr), std::runtime_error);
  EXPECT_THROW(profile.recordEvent(nullptr), std::runtime_error);
  EXPECT_THROW(profile.spotEvent(nullptr), std::runtime_error);
  EXPECT_THROW(profile.deleteEvent(nullptr), std::runtime_error);
}

TEST(GraphProfileTests, ExecutionsFillTheProfileOfTheFlowPath) {
  for (const bool bySetting : {true, false}) {
    const auto graph = threeNodes();
    graph->getExecutorConfiguration()->_timestats = bySetting;
    std::unique_ptr<Profiling> profiling;
    if (!bySetting) profiling = std::make_unique<Profiling>();
    FlowPath flow;
    graph->getVariableSpace()->setFlowPath(&flow);
    ASSERT_EQ(GraphExecutioner::execute(graph.get()), Status::OK);
    GraphProfile& profile = *flow.profile();
    EXPECT_GT(profile.getExecutionTime(), 0);
    ASSERT_EQ(profile.nodes().size(), 3u);
    LongType total = 0;
    for (const NodeProfile* node : profile.nodes()) {
      EXPECT_EQ(node->calls(), 1);
      EXPECT_GT(node->getExecutionTime(), 0);
      EXPECT_GE(node->getTotalTime(), node->getExecutionTime() + node->getPreparationTime());
      EXPECT_EQ(node->getTotalTime(), flow.outerTime(node->id()));
      EXPECT_EQ(node->getExecutionTime(), flow.innerTime(node->id()));
      total += node->getTotalTime();
    }
    EXPECT_LE(total, profile.getExecutionTime());
    EXPECT_EQ(profile.nodeById(1)->name(), "distance");
    EXPECT_EQ(profile.nodeById(1)->operation(), *graph->nodeById(1)->getCustomOp()->getOpName());
    EXPECT_EQ(profile.nodeById(2)->inputShapes(), std::vector<std::string>{"FLOAT32 [3, 2]"});
    EXPECT_EQ(profile.nodeById(3)->outputShapes(), std::vector<std::string>{"FLOAT32 [2]"});
    EXPECT_EQ(profile.nodeById(1)->getActivationsSize(), 24);
    EXPECT_EQ(profile.nodeById(3)->getActivationsSize(), 8);
    EXPECT_EQ(profile.getActivationsSize(), 24 + 24 + 8);
    graph->getVariableSpace()->setFlowPath(nullptr);
  }
}

TEST(GraphProfileTests, NothingIsMeasuredUnlessAskedFor) {
  const auto graph = threeNodes();
  FlowPath flow;
  graph->getVariableSpace()->setFlowPath(&flow);
  ASSERT_EQ(GraphExecutioner::execute(graph.get()), Status::OK);
  EXPECT_TRUE(flow.profile()->nodes().empty());
  EXPECT_EQ(flow.profile()->getExecutionTime(), 0);
  EXPECT_EQ(flow.outerTime(1), 0);
  graph->getVariableSpace()->setFlowPath(nullptr);
}

TEST(GraphProfileTests, SingleNodesAreMeasuredToo) {
  const auto graph = threeNodes();
  graph->getExecutorConfiguration()->_timestats = true;
  ASSERT_EQ(GraphExecutioner::executeFlatNode(graph.get(), graph->nodeById(1), nullptr), Status::OK);
  EXPECT_GT(graph->nodeById(1)->outerTime(), 0);
  EXPECT_GT(graph->nodeById(1)->innerTime(), 0);
  EXPECT_LE(graph->nodeById(1)->innerTime(), graph->nodeById(1)->outerTime());
  // One that needs a flow path.
  VariableSpace& variables = *graph->getVariableSpace();
  variables.putVariable(-2, new NDArray('c', {1}, std::vector<double>{1}, BOOL));
  graph->addNode(new Node(OpType_LOGIC, logic::Switch, 7, {-1, -2}));
  ASSERT_EQ(GraphExecutioner::executeFlatNode(graph.get(), graph->nodeById(7), nullptr), Status::OK);
  EXPECT_TRUE(variables.getVariable(7, 1)->hasNDArray());
  EXPECT_FALSE(variables.getVariable(7, 0)->hasNDArray());
}

TEST(GraphProfileTests, NodesOfALoopAreCountedForEachIteration) {
  Graph graph;
  VariableSpace& variables = *graph.getVariableSpace();
  const auto number = [](double value) {
    auto* array = new NDArray(FLOAT32);
    array->p(0, value);
    return array;
  };
  variables.putVariable(-1, number(0));
  variables.putVariable(-2, number(5));
  const auto scoped = [&](int scope, Node* node) {
    node->setScopeInfo(scope);
    graph.addNode(node);
  };
  ops::less less;
  ops::add add;
  graph.addNode(new Node(OpType_LOGIC, logic::Scope, 10));
  graph.addNode(new Node(OpType_LOGIC, logic::Scope, 20));
  auto* test = new Node(&less, 11);
  test->pickInput(1, 0);
  test->pickInput(-2, 0);
  scoped(10, test);
  auto* step = new Node(OpType_SCALAR, scalar::Add, 21, {}, {}, {}, 1.f);
  step->pickInput(1, 0);
  scoped(20, step);
  scoped(20, new Node(OpType_LOGIC, logic::Return, 22, {21}, {1}));
  graph.addNode(new Node(OpType_LOGIC, logic::While, 1, {-1, 10, 20}));
  graph.getExecutorConfiguration()->_timestats = true;
  FlowPath flow;
  variables.setFlowPath(&flow);
  ASSERT_EQ(GraphExecutioner::execute(&graph), Status::OK) << GraphExecutioner::failureMessage();
  GraphProfile& profile = *flow.profile();
  EXPECT_EQ(profile.nodeById(1)->calls(), 1);
  EXPECT_EQ(profile.nodeById(11)->calls(), 6);
  EXPECT_EQ(profile.nodeById(21)->calls(), 5);
  EXPECT_EQ(profile.nodeById(1)->operation(), "While");
  EXPECT_GE(profile.nodeById(1)->getTotalTime(),
            profile.nodeById(11)->getTotalTime() + profile.nodeById(21)->getTotalTime());
  variables.setFlowPath(nullptr);
}

TEST(GraphProfileTests, TheTableNamesTheSlowestNodesFirst) {
  GraphProfile profile;
  profile.setExecutionTime(4000);
  NodeProfile* fast = profile.nodeById(1, "fast");
  fast->addCall(100, 800, 1000);
  NodeProfile* slow = profile.nodeById(2, "slow");
  slow->setOperation("matmul");
  slow->addCall(200, 2700, 3000);
  slow->setActivationsSize(20000);
  const NDArray x('c', {2, 3}, FLOAT32);
  slow->addInputShape(x.shapeInfo());
  slow->addOutputShape(x.shapeInfo());
  const std::string text = profile.text();
  EXPECT_LT(text.find("slow (matmul)"), text.find("fast"));
  for (const char* part : {"4000 ns", "75.0%", "25.0%", "2700 ns", "20.0 KB", "FLOAT32 [2, 3] -> FLOAT32 [2, 3]"})
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  for (const char* part : {"node 2 'slow' (matmul)", "3000 ns", "200 ns", "20000 bytes", "FLOAT32 [2, 3]"})
    EXPECT_TRUE(contains(slow->text(), part)) << part << "\n" << slow->text();
  // Averages of two executions are half of the sums.
  GraphProfile second;
  second.assign(&profile);
  profile.merge(&second);
  EXPECT_TRUE(contains(profile.text(), "averages of 2 executions"));
  EXPECT_TRUE(contains(profile.text(), "2700 ns"));
  testing::internal::CaptureStdout();
  profile.printOut();
  fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), profile.text());
}

TEST(GraphProfileTests, TracesAreEventsOfChrome) {
  const auto graph = threeNodes();
  graph->nodeById(2)->setName("a \"quoted\" name\n\xff");
  graph->getExecutorConfiguration()->_timestats = true;
  FlowPath flow;
  graph->getVariableSpace()->setFlowPath(&flow);
  ASSERT_EQ(GraphExecutioner::execute(graph.get()), Status::OK);
  graph->getVariableSpace()->setFlowPath(nullptr);
  const auto trace = nlohmann::json::parse(flow.profile()->chromeTrace());
  const auto& events = trace.at("traceEvents");
  ASSERT_EQ(events.size(), 3u);
  double last = 0;
  for (size_t i = 0; i < 3; i++) {
    EXPECT_EQ(events[i].at("ph"), "X");
    EXPECT_EQ(events[i].at("args").at("node"), static_cast<int>(i) + 1);
    EXPECT_GE(events[i].at("ts").get<double>(), last);
    last = events[i].at("ts").get<double>() + events[i].at("dur").get<double>() - 1e-3;
  }
  EXPECT_EQ(events[0].at("ts"), 0.);
  EXPECT_TRUE(contains(events[0].at("name"), "distance"));
  EXPECT_TRUE(contains(events[1].at("name"), "a \"quoted\" name\n"));
  EXPECT_EQ(events[2].at("args").at("outputs"), nlohmann::json::array({"FLOAT32 [2]"}));

  const std::string path = testing::TempDir() + "ndforge_trace.json";
  flow.profile()->toChromeTrace(path);
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), flow.profile()->chromeTrace() + "\n");
  std::remove(path.c_str());
  EXPECT_TRUE(contains(errorOf([&] { flow.profile()->toChromeTrace("/no/such/folder/trace.json"); }),
                       "/no/such/folder/trace.json"));
}

TEST(GraphProfileTests, TracesEndWhenTheyAreLong) {
  GraphProfile profile;
  EXPECT_EQ(nlohmann::json::parse(profile.chromeTrace()).at("traceEvents").size(), 0u);
  for (int i = 0; i < 100003; i++) profile.addStep(i, i, 1);
  EXPECT_EQ(profile.droppedSteps(), 3);
  const auto trace = nlohmann::json::parse(profile.chromeTrace());
  EXPECT_EQ(trace.at("traceEvents").size(), 100000u);
  EXPECT_EQ(trace.at("droppedSteps"), 3);
}

TEST(GraphProfileTests, TheHelperMergesSeveralExecutions) {
  const auto graph = threeNodes();
  const std::unique_ptr<GraphProfile> profile(GraphProfilingHelper::profile(graph.get(), 4));
  EXPECT_EQ(profile->merges(), 4);
  ASSERT_EQ(profile->nodes().size(), 3u);
  for (const NodeProfile* node : profile->nodes()) EXPECT_EQ(node->calls(), 4);
  EXPECT_EQ(profile->getActivationsSize(), 4 * (24 + 24 + 8));
  EXPECT_FALSE(graph->getExecutorConfiguration()->_timestats);
  // The graph's own variables are as they were.
  EXPECT_FALSE(graph->getVariableSpace()->getVariable(1)->hasNDArray());
  EXPECT_EQ(graph->getVariableSpace()->getVariable(-1)->getNDArray()->e<float>(0), -1.f);
  EXPECT_THROW(GraphProfilingHelper::profile(nullptr, 1), std::invalid_argument);
  EXPECT_THROW(GraphProfilingHelper::profile(graph.get(), 0), std::invalid_argument);
  graph->addNode(new Node(OpType_LOGIC, 77, 9, {3}));
  EXPECT_THROW(GraphProfilingHelper::profile(graph.get(), 1), graph_execution_exception);
  EXPECT_FALSE(graph->getExecutorConfiguration()->_timestats);
}

TEST(GraphProfileTests, TimeHoldersKeepTimesOfNodes) {
  TimeHolder times;
  EXPECT_EQ(times.innerTime(3) + times.outerTime(3), 0);
  times.setInnerTime(3, 5);
  times.setOuterTime(3, 7);
  EXPECT_EQ(times.innerTime(3), 5);
  EXPECT_EQ(times.outerTime(3), 7);
  EXPECT_EQ(times.innerTime(4), 0);
}
