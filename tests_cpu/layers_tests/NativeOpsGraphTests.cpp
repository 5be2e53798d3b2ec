// C functions of graphs: stored graphs, results, scopes, and what they refuse.
#include <graph/Context.h>
#include <graph/GraphHolder.h>
#include <graph/GraphState.h>
#include <graph/ResultWrapper.h>
#include <graph/VariablesSet.h>
#include <graph/generated/graph_generated.h>
#include <gtest/gtest.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/CustomOperations.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace sd;
using namespace sd::graph;

namespace {

constexpr LongType STORED = 4711;

/// Node 1 'hidden' = abs of the placeholder -1 'x' with 2 columns, node 2 'scaled' = node 1 * -2 'factors',
/// node 3 = sums over dimension 1.
std::unique_ptr<Graph> smallGraph() {
  auto graph = std::make_unique<Graph>();
  auto x = std::make_unique<Variable>(true);
  const std::string name = "x";
  x->setName(&name);
  x->shape() = {-1, 2};
  graph->getVariableSpace()->putVariable(-1, x.release());
  graph->getVariableSpace()->putVariable(
      -2, new Variable(new NDArray('c', {2}, std::vector<double>{10, 100}, FLOAT32), "factors", -2));
  auto* hidden = new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2});
  hidden->setName("hidden");
  graph->addNode(hidden);
  static ops::multiply multiply;
  auto* scaled = new Node(&multiply, 2, {1, -2}, {3});
  scaled->setName("scaled");
  graph->addNode(scaled);
  graph->addNode(new Node(OpType_REDUCE_SAME, reduce::Sum, 3, {2}, {}, {1}));
  return graph;
}

class NativeOpsGraphTests : public testing::Test {
 protected:
  void SetUp() override {
    lastErrorMessage();
    GraphHolder::getInstance().dropGraph(STORED);
    GraphHolder::getInstance().registerGraph(STORED, smallGraph().release());
  }
  void TearDown() override {
    GraphHolder::getInstance().dropGraph(STORED);
    EXPECT_EQ(lastErrorCode(), 0) << lastErrorMessage();
  }

  /// Whether the last call has stored an error with this text; forgets it.
  static testing::AssertionResult failedWith(const std::string& part) {
    const bool stored = lastErrorCode() == 1;
    const std::string message = lastErrorMessage();
    if (stored && message.find(part) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << (stored ? "" : "no error, former ") << "message '" << message << "' without '"
                                       << part << "'";
  }
};

const LongType* infoOf(const NDArray& array) { return array.shapeInfo(); }

std::vector<float> floatsOf(OpaqueVariable* variable) {
  const auto* data = static_cast<const float*>(getVariableBuffer(variable));
  return {data, data + shape::length(getVariableShape(variable))};
}

}  // namespace

TEST_F(NativeOpsGraphTests, StoredGraphsAreExecutedWithInputsByNumber) {
  NDArray x('c', {2, 2}, std::vector<double>{1, -2, -3, 4}, FLOAT32);
  const NDArray before = x;
  for (int run = 0; run < 2; run++) {
    Pointer buffers[] = {x.buffer()}, shapes[] = {const_cast<LongType*>(infoOf(x))};
    int indices[] = {-1};
    OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, buffers, shapes, indices, 1);
    ASSERT_NE(set, nullptr) << lastErrorMessage();
    EXPECT_EQ(getVariablesSetStatus(set), Status::OK);
    ASSERT_EQ(getVariablesSetSize(set), 1);
    OpaqueVariable* variable = getVariable(set, 0);
    EXPECT_EQ(getVariableId(variable), 3);
    EXPECT_EQ(getVariableIndex(variable), 0);
    EXPECT_STREQ(getVariableName(variable), "");
    EXPECT_EQ(floatsOf(variable), (std::vector<float>{210, 430}));
    deleteVariablesSet(set);
    EXPECT_TRUE(x.equalsTo(&before));
  }
}

TEST_F(NativeOpsGraphTests, SeveralInputsAndShapes) {
  for (const LongType rows : {1, 5, 3}) {
    NDArray x('c', {rows, 2}, FLOAT32), factors('c', {2}, std::vector<double>{1, 2}, FLOAT32);
    x.assign(-1.f);
    Pointer buffers[] = {factors.buffer(), x.buffer()};
    Pointer shapes[] = {const_cast<LongType*>(infoOf(factors)), const_cast<LongType*>(infoOf(x))};
    int indices[] = {-2, -1};
    OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, buffers, shapes, indices, 2);
    ASSERT_NE(set, nullptr) << lastErrorMessage();
    EXPECT_EQ(floatsOf(getVariable(set, 0)), std::vector<float>(static_cast<size_t>(rows), 3.f));
    deleteVariablesSet(set);
  }
  // What was fed is not stored.
  const Graph& stored = *GraphHolder::getInstance().pullGraph(STORED);
  EXPECT_EQ(stored.getVariableSpace()->getVariable(-2)->getNDArray()->e<float>(1), 100.f);
  EXPECT_FALSE(stored.getVariableSpace()->getVariable(-1)->hasNDArray());
}

TEST_F(NativeOpsGraphTests, InputsThatNodesWriteAreCopied) {
  Graph* graph = smallGraph().release();
  graph->addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 4, {-2}, {-2}));
  graph->getExecutorConfiguration()->_outputMode = OutputMode_EXPLICIT;
  graph->addOutput(-2);
  GraphHolder::getInstance().replaceGraph(STORED, graph);
  NDArray x('c', {1, 2}, FLOAT32), factors('c', {2}, std::vector<double>{1, 2}, FLOAT32);
  auto* info = const_cast<LongType*>(infoOf(factors));
  Pointer buffers[] = {x.buffer(), factors.buffer(), factors.buffer()};
  Pointer shapes[] = {const_cast<LongType*>(infoOf(x)), info, info};
  int indices[] = {-1, -2, -2};
  OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, buffers, shapes, indices, 3);
  ASSERT_NE(set, nullptr) << lastErrorMessage();
  ASSERT_EQ(getVariablesSetSize(set), 1);
  EXPECT_STREQ(getVariableName(getVariable(set, 0)), "factors");
  EXPECT_EQ(floatsOf(getVariable(set, 0)), (std::vector<float>{-1, -2}));
  EXPECT_EQ(factors.e<float>(1), 2.f);
  deleteVariablesSet(set);
}

TEST_F(NativeOpsGraphTests, BytesThatAreNoGraphAreRefused) {
  alignas(8) char bytes[256];
  for (size_t i = 0; i < sizeof(bytes); i++) bytes[i] = static_cast<char>(i * 37);
  for (const LongType size : {8, 100, 256}) {
    EXPECT_EQ(registerGraphFromBytes(nullptr, 1, bytes, size), Status::BAD_INPUT);
    EXPECT_TRUE(failedWith("no valid graph"));
    EXPECT_EQ(executeFlatGraphBytes(nullptr, bytes, size), nullptr);
    EXPECT_TRUE(failedWith("no valid graph"));
  }
  for (const LongType size : {LongType(-1), LongType(0), LongType(7), LongType(1) << 31}) {
    EXPECT_EQ(registerGraphFromBytes(nullptr, 1, bytes, size), Status::BAD_INPUT);
    EXPECT_TRUE(failedWith(std::to_string(size)));
  }
  EXPECT_EQ(registerGraphFromBytes(nullptr, 1, bytes + 1, 100), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("address"));
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, "/no/such/file.fb"), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("/no/such/file.fb"));
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, "/"), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("/: this is a folder"));
  EXPECT_FALSE(GraphHolder::getInstance().hasGraph(1));
  // A number in use is refused before the bytes are read.
  EXPECT_EQ(registerGraphFromBytes(nullptr, STORED, bytes, 100), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("already exists"));
}

TEST_F(NativeOpsGraphTests, FilesAreNotReadWithoutEnd) {
  const std::string large = testing::TempDir() + "large.fb";
  std::ofstream(large).put('x');
  std::filesystem::resize_file(large, std::uintmax_t{3} << 30);  // takes no space
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, large.c_str()), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("3221225472 bytes"));
  std::filesystem::remove(large);
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, "/dev/zero"), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("no regular file"));
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, ""), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("empty"));
}

TEST_F(NativeOpsGraphTests, SharedContentsAreNotReadAgainAndAgain) {
  // 20,000 nodes with one list of 100,000 texts.
  flatbuffers::FlatBufferBuilder builder;
  const auto text = builder.CreateString("a");
  const auto texts = builder.CreateVector(std::vector<flatbuffers::Offset<flatbuffers::String>>(100000, text));
  std::vector<flatbuffers::Offset<FlatNode>> nodes;
  for (int k = 1; k <= 20000; k++) {
    FlatNodeBuilder node(builder);
    node.add_id(k);
    node.add_opType(OpType_TRANSFORM_SAME);
    node.add_controlDeps(texts);
    nodes.push_back(node.Finish());
  }
  builder.Finish(CreateFlatGraph(builder, 1, 0, builder.CreateVector(nodes)));
  const auto before = std::chrono::steady_clock::now();
  EXPECT_EQ(registerGraphFromBytes(nullptr, 1, builder.GetBufferPointer(), builder.GetSize()), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("no valid graph: [graph] the tables share contents so often"));
  EXPECT_EQ(executeFlatGraphBytes(nullptr, builder.GetBufferPointer(), builder.GetSize()), nullptr);
  EXPECT_TRUE(failedWith("the tables share contents so often"));
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(4));
}

TEST_F(NativeOpsGraphTests, ResultsAreCopies) {
  GraphHolder::getInstance().pullGraph(STORED)->getExecutorConfiguration()->_outputMode = OutputMode_VARIABLE_SPACE;
  NDArray x('c', {1, 2}, std::vector<double>{1, -2}, FLOAT32);
  Pointer buffers[] = {x.buffer()}, shapes[] = {const_cast<LongType*>(infoOf(x))};
  int indices[] = {-1};
  OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, buffers, shapes, indices, 1);
  ASSERT_NE(set, nullptr) << lastErrorMessage();
  bool found = false;
  for (LongType i = 0; i < getVariablesSetSize(set); i++) {
    OpaqueVariable* variable = getVariable(set, i);
    if (getVariableId(variable) != -1) continue;
    found = true;
    EXPECT_STREQ(getVariableName(variable), "x");
    EXPECT_NE(getVariableBuffer(variable), x.buffer());
    x.p(0, 7.f);
    EXPECT_EQ(floatsOf(variable), (std::vector<float>{1, -2}));
  }
  EXPECT_TRUE(found);
  deleteVariablesSet(set);
}

TEST_F(NativeOpsGraphTests, StoredGraphsAreExecutedByNames) {
  OpaqueDataBuffer* buffer = allocateDataBuffer(6, FLOAT32, false);
  auto* values = static_cast<float*>(dbPrimaryBuffer(buffer));
  for (int i = 0; i < 6; i++) values[i] = static_cast<float>(i - 3);
  OpaqueDataBuffer* view = dbCreateView(buffer, 16, 8);  // -1, 0, 1, 2
  const NDArray x('c', {2, 2}, FLOAT32);
  const char* names[] = {"x"};
  const char* outputs[] = {"scaled", "hidden", "factors"};
  OpaqueDataBuffer* inputs[] = {view};
  const LongType* shapes[] = {infoOf(x)};
  OpaqueVariablesSet* set = executeStoredGraphByNames(nullptr, STORED, names, inputs, shapes, 1, outputs, 3);
  ASSERT_NE(set, nullptr) << lastErrorMessage();
  ASSERT_EQ(getVariablesSetSize(set), 3);
  EXPECT_EQ(floatsOf(getVariable(set, 0)), (std::vector<float>{10, 0, 10, 200}));
  EXPECT_EQ(floatsOf(getVariable(set, 1)), (std::vector<float>{1, 0, 1, 2}));
  EXPECT_EQ(floatsOf(getVariable(set, 2)), (std::vector<float>{10, 100}));
  deleteVariablesSet(set);
  set = executeStoredGraphByNames(nullptr, STORED, names, inputs, shapes, 1, nullptr, 0);
  ASSERT_NE(set, nullptr) << lastErrorMessage();
  EXPECT_EQ(floatsOf(getVariable(set, 0)), (std::vector<float>{10, 210}));
  deleteVariablesSet(set);

  const auto call = [&](const char* name, OpaqueDataBuffer* input, const LongType* info, const char* output) {
    return executeStoredGraphByNames(nullptr, STORED, &name, &input, &info, 1, &output, 1);
  };
  const NDArray longer('c', {9, 2}, FLOAT32);
  EXPECT_EQ(call("y", view, infoOf(x), "hidden"), nullptr);
  EXPECT_TRUE(failedWith("no variable 'y'"));
  EXPECT_EQ(call(nullptr, view, infoOf(x), "hidden"), nullptr);
  EXPECT_TRUE(failedWith("inputNames"));
  EXPECT_EQ(call("x", nullptr, infoOf(x), "hidden"), nullptr);
  EXPECT_TRUE(failedWith("inputs"));
  EXPECT_EQ(call("x", view, nullptr, "hidden"), nullptr);
  EXPECT_TRUE(failedWith("inputShapes"));
  EXPECT_EQ(call("x", view, infoOf(longer), "hidden"), nullptr);
  EXPECT_TRUE(failedWith("inputs"));
  EXPECT_EQ(call("x", view, infoOf(x), "nothing"), nullptr);
  EXPECT_TRUE(failedWith("'nothing'"));
  EXPECT_EQ(call("x", view, infoOf(x), ""), nullptr);
  EXPECT_TRUE(failedWith("outputNames"));
  EXPECT_EQ(call("x", view, infoOf(x), nullptr), nullptr);
  EXPECT_TRUE(failedWith("outputNames"));
  EXPECT_EQ(executeStoredGraphByNames(nullptr, STORED, nullptr, nullptr, nullptr, 1, nullptr, 0), nullptr);
  EXPECT_TRUE(failedWith("inputNames"));
  EXPECT_EQ(executeStoredGraphByNames(nullptr, 99, nullptr, nullptr, nullptr, 0, nullptr, 0), nullptr);
  EXPECT_TRUE(failedWith("99"));
  deleteDataBuffer(view);
  deleteDataBuffer(buffer);
}

TEST_F(NativeOpsGraphTests, WrongInputsAreErrors) {
  NDArray x('c', {1, 2}, FLOAT32), wide('c', {2, 3}, FLOAT32), cube('c', {1, 2, 2}, FLOAT32);
  const LongType broken[] = {77, 0, 0, 0};
  const auto call = [&](LongType id, void* buffer, const LongType* info, int index) {
    Pointer buffers[] = {buffer}, shapes[] = {const_cast<LongType*>(info)};
    return executeStoredGraph(nullptr, id, buffers, shapes, &index, 1);
  };
  EXPECT_EQ(call(99, x.buffer(), infoOf(x), -1), nullptr);
  EXPECT_TRUE(failedWith("99"));
  EXPECT_EQ(call(STORED, nullptr, infoOf(x), -1), nullptr);
  EXPECT_TRUE(failedWith("inputBuffers"));
  EXPECT_EQ(call(STORED, x.buffer(), nullptr, -1), nullptr);
  EXPECT_TRUE(failedWith("inputShapes"));
  EXPECT_EQ(call(STORED, x.buffer(), broken, -1), nullptr);
  EXPECT_TRUE(failedWith("inputShapes"));
  EXPECT_EQ(call(STORED, x.buffer(), infoOf(x), -9), nullptr);
  EXPECT_TRUE(failedWith("-9"));
  EXPECT_EQ(call(STORED, x.buffer(), infoOf(x), 1), nullptr);
  EXPECT_TRUE(failedWith("inputIndices"));
  EXPECT_EQ(call(STORED, wide.buffer(), infoOf(wide), -1), nullptr);
  EXPECT_TRUE(failedWith("[2, 3]"));
  EXPECT_EQ(call(STORED, cube.buffer(), infoOf(cube), -1), nullptr);
  EXPECT_TRUE(failedWith("'x'"));
  EXPECT_EQ(executeStoredGraph(nullptr, STORED, nullptr, nullptr, nullptr, 0), nullptr);  // x is not fed
  EXPECT_TRUE(failedWith("hidden"));
  int index = -1;
  EXPECT_EQ(executeStoredGraph(nullptr, STORED, nullptr, nullptr, &index, 1), nullptr);
  EXPECT_TRUE(failedWith("inputBuffers"));
  EXPECT_EQ(executeStoredGraph(nullptr, STORED, nullptr, nullptr, &index, -1), nullptr);
  EXPECT_TRUE(failedWith("-1"));
  EXPECT_EQ(executeStoredGraph(nullptr, STORED, nullptr, nullptr, nullptr, 1), nullptr);
  EXPECT_TRUE(failedWith("inputIndices"));
}

TEST_F(NativeOpsGraphTests, AStatusOtherThanOkIsReturnedAndAnError) {
  auto graph = std::make_unique<Graph>();
  graph->getVariableSpace()->putVariable(-1, new NDArray('c', {2}, FLOAT32));
  graph->addNode(new Node(OpType_LOGIC, 77, 1, {-1}));
  GraphHolder::getInstance().replaceGraph(STORED, graph.release());
  OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, nullptr, nullptr, nullptr, 0);
  EXPECT_TRUE(failedWith("77"));
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(getVariablesSetStatus(set), Status::BAD_INPUT);
  EXPECT_EQ(getVariablesSetSize(set), 0);
  deleteVariablesSet(set);
}

TEST_F(NativeOpsGraphTests, NullHandlesAreErrors) {
  EXPECT_EQ(getVariablesSetSize(nullptr), 0);
  EXPECT_TRUE(failedWith("set"));
  EXPECT_EQ(getVariablesSetStatus(nullptr), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("set"));
  EXPECT_EQ(getVariable(nullptr, 0), nullptr);
  EXPECT_TRUE(failedWith("set"));
  EXPECT_EQ(getVariableId(nullptr), 0);
  EXPECT_TRUE(failedWith("variable"));
  EXPECT_EQ(getVariableIndex(nullptr), 0);
  EXPECT_TRUE(failedWith("variable"));
  EXPECT_EQ(getVariableName(nullptr), nullptr);
  EXPECT_TRUE(failedWith("variable"));
  EXPECT_EQ(getVariableShape(nullptr), nullptr);
  EXPECT_TRUE(failedWith("variable"));
  EXPECT_EQ(getVariableBuffer(nullptr), nullptr);
  EXPECT_TRUE(failedWith("variable"));
  EXPECT_EQ(getResultWrapperSize(nullptr), 0);
  EXPECT_TRUE(failedWith("ptr"));
  EXPECT_EQ(getResultWrapperPointer(nullptr), nullptr);
  EXPECT_TRUE(failedWith("ptr"));
  deleteVariablesSet(nullptr);
  deleteResultWrapper(nullptr);
  deleteGraphState(nullptr);
  EXPECT_EQ(registerGraph(nullptr, 1, nullptr), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("flatBufferPointer"));
  EXPECT_EQ(registerGraphFromBytes(nullptr, 1, nullptr, 100), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("bytes"));
  EXPECT_EQ(registerGraphFromFile(nullptr, 1, nullptr), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("path"));
  EXPECT_EQ(executeFlatGraph(nullptr, nullptr), nullptr);
  EXPECT_TRUE(failedWith("flatBufferPointer"));
  EXPECT_EQ(executeFlatGraphBytes(nullptr, nullptr, 100), nullptr);
  EXPECT_TRUE(failedWith("bytes"));
  EXPECT_FALSE(GraphHolder::getInstance().hasGraph(1));
  VariablesSet set;
  set.push_back(new Variable());
  EXPECT_EQ(getVariable(&set, 1), nullptr);
  EXPECT_TRUE(failedWith("outside 0..0"));
  EXPECT_EQ(getVariable(&set, -1), nullptr);
  EXPECT_TRUE(failedWith("-1"));
  EXPECT_EQ(getVariableShape(getVariable(&set, 0)), nullptr);  // without an array
  EXPECT_TRUE(failedWith("no array"));
  EXPECT_EQ(getVariableBuffer(getVariable(&set, 0)), nullptr);
  EXPECT_TRUE(failedWith("no array"));
}

TEST_F(NativeOpsGraphTests, GraphsAreUnregistered) {
  EXPECT_EQ(unregisterGraph(nullptr, STORED), Status::OK);
  EXPECT_FALSE(GraphHolder::getInstance().hasGraph(STORED));
  EXPECT_EQ(unregisterGraph(nullptr, STORED), Status::OK);
  EXPECT_EQ(executeStoredGraph(nullptr, STORED, nullptr, nullptr, nullptr, 0), nullptr);
  EXPECT_TRUE(failedWith("4711"));
}

TEST_F(NativeOpsGraphTests, ThreadsExecuteOneGraph) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&wrong, t] {
      for (int run = 0; run < 25; run++) {
        const LongType rows = 1 + (t + run) % 3;
        NDArray x('c', {rows, 2}, FLOAT32);
        x.assign(static_cast<float>(t + 1));
        Pointer buffers[] = {x.buffer()}, shapes[] = {const_cast<LongType*>(infoOf(x))};
        int indices[] = {-1};
        OpaqueVariablesSet* set = executeStoredGraph(nullptr, STORED, buffers, shapes, indices, 1);
        if (set == nullptr || floatsOf(getVariable(set, 0)) !=
                                  std::vector<float>(static_cast<size_t>(rows), 110.f * static_cast<float>(t + 1)))
          wrong++;
        deleteVariablesSet(set);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// ---- scopes

TEST_F(NativeOpsGraphTests, ALoopIsPutTogetherAndRun) {
  Pointer state = getGraphState(3);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(static_cast<GraphState*>(state)->id(), 3);
  EXPECT_EQ(registerScopeOfGraphState(state, 10), Status::OK);
  EXPECT_EQ(registerScopeOfGraphState(state, 20), Status::OK);
  const int zeros[] = {0, 0}, first[] = {0, 1}, ids[] = {2, 0};
  EXPECT_EQ(attachOpToScopeOfGraphState(state, 10, 1, opHash("less"), nullptr, zeros, first, 2), Status::OK);
  // x + 2, with the scalar as an argument
  OpaqueContext* context = createGraphContext(1);
  double two = 2;
  setGraphContextTArguments(context, &two, 1);
  const int value[] = {0};
  EXPECT_EQ(attachOpToScopeOfGraphState(state, 20, 2, opHash("scalar.Add"), context, value, value, 1), Status::OK);
  deleteGraphContext(context);
  const int indices[] = {0, 1};
  EXPECT_EQ(defineReturnOfGraphState(state, 20, 3, ids, indices, 2), Status::OK);

  NDArray x(FLOAT32), limit(FLOAT32), z(FLOAT32), integer(INT32);
  x.p(0, 1.f);
  limit.p(0, 8.f);
  auto* info = const_cast<LongType*>(infoOf(x));
  Pointer inputs[] = {x.buffer(), limit.buffer()}, shapes[] = {info, info}, outputs[] = {z.buffer()};
  LongType scopes[] = {10, 20};
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, scopes, 2, inputs, shapes, 2, outputs, shapes, 1), Status::OK)
      << lastErrorMessage();
  EXPECT_EQ(z.e<float>(0), 9.f);
  EXPECT_EQ(x.e<float>(0), 1.f);

  z.p(0, -1.f);
  LongType unknown[] = {10, 30}, large[] = {10, LongType(1) << 32};
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, unknown, 2, inputs, shapes, 2, outputs, shapes, 1),
            Status::KERNEL_FAILURE);
  EXPECT_TRUE(failedWith("no scope 30"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, large, 2, inputs, shapes, 2, outputs, shapes, 1),
            Status::KERNEL_FAILURE);
  EXPECT_TRUE(failedWith("4294967296"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 7, scopes, 2, inputs, shapes, 2, outputs, shapes, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("logic operation 7"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, nullptr, 0, scopes, 2, inputs, shapes, 2, outputs, shapes, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("state"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, nullptr, 2, inputs, shapes, 2, outputs, shapes, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("scopes"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, scopes, 2, nullptr, shapes, 2, outputs, shapes, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("inputBuffers"));
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, scopes, 2, inputs, shapes, 2, outputs, nullptr, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("outputShapes"));
  Pointer wrong[] = {const_cast<LongType*>(infoOf(integer))};
  EXPECT_EQ(execCustomOpWithScope(nullptr, state, 0, scopes, 2, inputs, shapes, 2, outputs, wrong, 1),
            Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("INT32"));
  EXPECT_EQ(z.e<float>(0), -1.f);
  deleteGraphState(state);
}

TEST_F(NativeOpsGraphTests, ScopesRefuseWhatDoesNotExist) {
  Pointer state = getGraphState(3);
  const int value[] = {0};
  EXPECT_EQ(registerScopeOfGraphState(state, 10), Status::OK);
  EXPECT_EQ(registerScopeOfGraphState(state, 10), Status::KERNEL_FAILURE);
  EXPECT_TRUE(failedWith("10"));
  EXPECT_EQ(registerScopeOfGraphState(nullptr, 10), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("state"));
  EXPECT_EQ(attachOpToScopeOfGraphState(state, 11, 1, opHash("add"), nullptr, value, value, 1), Status::KERNEL_FAILURE);
  EXPECT_TRUE(failedWith("no scope 11"));
  EXPECT_EQ(attachOpToScopeOfGraphState(state, 10, 1, 5, nullptr, value, value, 1), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("hash 5"));
  EXPECT_EQ(attachOpToScopeOfGraphState(state, 10, 1, opHash("add"), nullptr, nullptr, value, 1), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("inputIds"));
  EXPECT_EQ(attachOpToScopeOfGraphState(nullptr, 10, 1, opHash("add"), nullptr, value, value, 1), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("state"));
  EXPECT_EQ(defineReturnOfGraphState(state, 11, 1, value, value, 1), Status::KERNEL_FAILURE);
  EXPECT_TRUE(failedWith("no scope 11"));
  EXPECT_EQ(defineReturnOfGraphState(state, 10, 1, value, nullptr, 1), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("inputIndices"));
  EXPECT_EQ(defineReturnOfGraphState(state, 10, 1, value, value, -1), Status::BAD_INPUT);
  EXPECT_TRUE(failedWith("negative"));
  EXPECT_EQ(static_cast<GraphState*>(state)->getScope(10)->size(), 0);
  deleteGraphState(state);
}
