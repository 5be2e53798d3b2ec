// Random calls of the C functions of graphs: each succeeds, or stores an error with a text.
#include <graph/GraphHolder.h>
#include <gtest/gtest.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/OpRegistrator.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "GraphAttacks.h"
#include "GraphSamples.h"

using namespace sd;
using namespace sd::graph;
using namespace nd_test;

namespace {

/// A program that knows no rules, except that it frees what it has and passes handles and memory that exist.
class Caller {
 public:
  explicit Caller(uint64_t seed) : _random(seed) {
    for (const DataType type : {FLOAT32, DOUBLE, INT32, BOOL})
      for (const auto& shape : std::vector<std::vector<LongType>>{{}, {2}, {2, 3}, {1, 1, 4}, {0, 2}})
        _arrays.emplace_back(shape.empty() ? new NDArray(type) : new NDArray('c', shape, type));
    _state = getGraphState(static_cast<LongType>(seed));
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() {
    deleteGraphState(_state);
    for (LongType id = 0; id < 4; id++) GraphHolder::getInstance().dropGraph(id);
  }

  void call() {
    lastErrorMessage();
    const bool succeeded = callOne();
    const int code = lastErrorCode();
    const std::string message = lastErrorMessage();
    if (!succeeded) {
      ASSERT_EQ(code, 1) << message;
      ASSERT_NE(message, "");
      failures++;
    } else {
      ASSERT_EQ(code, 0) << message;
      successes++;
    }
  }

  int successes = 0, failures = 0;

 private:
  Random _random;
  std::vector<std::unique_ptr<NDArray>> _arrays;
  Pointer _state = nullptr;
  std::vector<Pointer> _buffers, _shapes;
  std::vector<int> _ids, _indices;

  bool oneIn(size_t n) { return below(_random, n) == 0; }
  int number() {
    static const std::vector<int> numbers = {0,   1,   2,   3,         4,         10,      11,        20,  21,
                                             30,  31,  -1,  -2,        -3,        -9,      77,        -77, 1 << 20,
                                             100, 120, 500, INT32_MAX, INT32_MIN, 1 << 30, -(1 << 30)};
    return numbers[below(_random, numbers.size())];
  }
  int small() { return static_cast<int>(below(_random, 5)) - (oneIn(8) ? 2 : 0); }
  LongType graphId() { return oneIn(10) ? static_cast<LongType>(_random()) : static_cast<LongType>(below(_random, 4)); }
  NDArray& array() { return *_arrays[below(_random, _arrays.size())]; }

  /// So many arrays in _buffers and _shapes; now and then one is null or has a broken shape.
  void chooseArrays(int count) {
    static LongType broken[] = {77, 1, 2, 3, 4, 5, 6, 7};
    _buffers.clear();
    _shapes.clear();
    for (int i = 0; i < count; i++) {
      NDArray& chosen = array();
      _buffers.push_back(oneIn(20) ? nullptr : chosen.buffer());
      _shapes.push_back(oneIn(20) ? nullptr : oneIn(20) ? broken : const_cast<LongType*>(chosen.shapeInfo()));
    }
  }
  void choosePlaces(int count) {
    _ids.clear();
    _indices.clear();
    for (int i = 0; i < count; i++) {
      _ids.push_back(oneIn(3) ? number() : small());
      _indices.push_back(oneIn(5) ? number() : small());
    }
  }

  std::string graphBytes() {
    static const std::vector<std::string> valid = [] {
      std::vector<std::string> all;
      for (const GraphSample& sample : graphSamples())
        // An execution with other values may not end.
        if (std::string(sample.name) != "while") all.push_back(bytesOf(*sample.make()));
      return all;
    }();
    std::string bytes = valid[below(_random, valid.size())];
    if (oneIn(4)) {
      GraphTables tables = GraphTables::of(bytes);
      for (VariableTable& variable : tables.variables)
        if (oneIn(2)) variable.id = {number(), small()};
      bytes = tables.bytes();
    }
    if (oneIn(8)) bytes[below(_random, bytes.size())] ^= static_cast<char>(1 << below(_random, 8));
    return bytes;
  }

  bool inspect(OpaqueVariablesSet* set) {
    if (set == nullptr) return false;
    const bool succeeded = getVariablesSetStatus(set) == Status::OK;
    const LongType size = getVariablesSetSize(set);
    for (LongType i = 0; i < size; i++) {
      OpaqueVariable* variable = getVariable(set, i);
      getVariableId(variable);
      getVariableIndex(variable);
      if (getVariableName(variable) == nullptr) return false;
    }
    deleteVariablesSet(set);
    return succeeded;
  }

  bool callOne() {
    switch (below(_random, 12)) {
      case 0:
      case 1: {
        std::string bytes = graphBytes();
        const auto size = static_cast<LongType>(oneIn(8) ? below(_random, bytes.size()) : bytes.size());
        return registerGraphFromBytes(nullptr, graphId(), bytes.data(), size) == Status::OK;
      }
      case 2:
        return unregisterGraph(nullptr, graphId()) == Status::OK;
      case 3:
      case 4: {
        const int count = small();
        chooseArrays(count);
        choosePlaces(count);
        for (int& id : _ids)
          if (oneIn(2)) id = -1;
        return inspect(executeStoredGraph(nullptr, graphId(), _buffers.data(), _shapes.data(), _ids.data(), count));
      }
      case 5: {
        const char* inputs[] = {"x", oneIn(3) ? "row" : "x"};
        const char* outputs[] = {"abs", oneIn(3) ? "" : "merged"};
        NDArray &x = array(), &y = array();
        OpaqueDataBuffer* buffers[] = {allocateDataBuffer(x.lengthOf(), x.dataType(), false),
                                       oneIn(6) ? nullptr : allocateDataBuffer(y.lengthOf(), y.dataType(), false)};
        lastErrorMessage();  // of buffers without elements
        const LongType* shapes[] = {oneIn(9) ? y.shapeInfo() : x.shapeInfo(), y.shapeInfo()};
        const bool done =
            inspect(executeStoredGraphByNames(nullptr, graphId(), inputs, buffers, shapes, oneIn(3) ? 2 : 1, outputs,
                                              static_cast<int>(below(_random, 3))));
        for (OpaqueDataBuffer* buffer : buffers)
          if (buffer != nullptr) deleteDataBuffer(buffer);
        return done;
      }
      case 6: {
        std::string bytes = graphBytes();
        OpaqueResultWrapper* result = executeFlatGraphBytes(nullptr, bytes.data(), static_cast<LongType>(bytes.size()));
        if (result == nullptr) return false;
        const bool filled = getResultWrapperSize(result) > 0 && getResultWrapperPointer(result) != nullptr;
        deleteResultWrapper(result);
        return filled;
      }
      case 7:
        return registerScopeOfGraphState(_state, number()) == Status::OK;
      case 8:
      case 9: {
        static const std::vector<ops::DeclarableOp*> operations = ops::OpRegistrator::getInstance().operations();
        const int count = small();
        choosePlaces(count);
        const LongType hash = oneIn(20) ? number() : operations[below(_random, operations.size())]->getOpHash();
        return attachOpToScopeOfGraphState(_state, number(), number(), hash, nullptr, _ids.data(), _indices.data(),
                                           count) == Status::OK;
      }
      case 10: {
        const int count = small();
        choosePlaces(count);
        return defineReturnOfGraphState(_state, number(), number(), _ids.data(), _indices.data(), count) == Status::OK;
      }
      default: {
        const int inputs = small(), outputs = small(), scopes = small();
        std::vector<LongType> scopeIds;
        for (int i = 0; i < scopes; i++) scopeIds.push_back(oneIn(20) ? LongType{1} << 40 : number());
        chooseArrays(std::max(0, outputs));
        std::vector<Pointer> outputBuffers = _buffers, outputShapes = _shapes;
        chooseArrays(std::max(0, inputs));
        static const std::vector<LongType> logic = {20, 30, 40, 50, 60, 70, 80, 90, 100, 10, 7, -1, LongType{1} << 40};
        return execCustomOpWithScope(nullptr, _state, logic[below(_random, logic.size())], scopeIds.data(), scopes,
                                     _buffers.data(), _shapes.data(), inputs, outputBuffers.data(), outputShapes.data(),
                                     outputs) == Status::OK;
      }
    }
  }
};

}  // namespace

TEST(GraphCallAttacksTests, EachCallSucceedsOrStoresAnError) {
  const MemoryLimit limit(uint64_t{1} << 28);
  int successes = 0, failures = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    Caller caller(seed);
    for (int k = 0; k < 100; k++) {
      SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(k));
      caller.call();
      if (testing::Test::HasFatalFailure()) return;
    }
    successes += caller.successes;
    failures += caller.failures;
  }
  EXPECT_GT(successes, 2000);
  EXPECT_GT(failures, 2000);
}

TEST(GraphCallAttacksTests, GraphsAreReplacedWhileThreadsExecuteThem) {
  constexpr LongType ID = 4712;
  // x * 2 or x * 3.
  const auto bytesWith = [](double factor) {
    Graph graph;
    auto* x = new Variable(true);
    x->shape() = {2};
    graph.getVariableSpace()->putVariable(-1, x);
    graph.addNode(new Node(OpType_SCALAR, scalar::Multiply, 1, {-1}, {}, {}, static_cast<float>(factor)));
    return bytesOf(graph);
  };
  std::string graphs[] = {bytesWith(2), bytesWith(3)};
  std::atomic<int> results{0}, wrong{0};
  std::atomic<bool> stop{false};
  const auto execute = [&] {
    const NDArray x('c', {2}, std::vector<double>{1, 5}, FLOAT32);
    while (!stop) {
      Pointer buffers[] = {const_cast<void*>(x.buffer())}, shapes[] = {const_cast<LongType*>(x.shapeInfo())};
      int number = -1;
      OpaqueVariablesSet* set = executeStoredGraph(nullptr, ID, buffers, shapes, &number, 1);
      if (set == nullptr) {
        if (lastErrorCode() != 1 || std::string(lastErrorMessage()).find("4712") == std::string::npos) wrong++;
        continue;
      }
      const auto* values = static_cast<const float*>(getVariableBuffer(getVariable(set, 0)));
      if ((values[0] != 2 || values[1] != 10) && (values[0] != 3 || values[1] != 15)) wrong++;
      results++;
      deleteVariablesSet(set);
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; t++) threads.emplace_back(execute);
  for (int round = 0; round < 300 || (results < 50 && round < 100000); round++) {
    std::string& bytes = graphs[round % 2];
    if (round % 3 == 0)
      GraphHolder::getInstance().replaceGraph(ID, loaded(bytes).release());
    else if (registerGraphFromBytes(nullptr, ID, bytes.data(), static_cast<LongType>(bytes.size())) != Status::OK)
      lastErrorMessage();  // it is there
    if (round % 5 == 4) unregisterGraph(nullptr, ID);
  }
  stop = true;
  for (std::thread& thread : threads) thread.join();
  unregisterGraph(nullptr, ID);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(results, 0);
  lastErrorMessage();
}
