// Stored graphs: registration, copies, locks, threads. Sessions on one variable space.
#include <exceptions/graph_execution_exception.h>
#include <exceptions/graph_exists_exception.h>
#include <exceptions/no_results_exception.h>
#include <exceptions/unknown_graph_exception.h>
#include <graph/ExecutionResult.h>
#include <graph/GraphExecutioner.h>
#include <graph/GraphHolder.h>
#include <graph/InferenceRequest.h>
#include <graph/SessionLocalStorage.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using namespace sd;
using namespace sd::graph;

namespace {

NDArray* floats(const std::vector<double>& values) {
  return new NDArray('c', {static_cast<LongType>(values.size())}, values, FLOAT32);
}

std::vector<double> numbers(const NDArray& array) {
  std::vector<double> values;
  for (LongType i = 0; i < array.lengthOf(); i++) values.push_back(array.e<double>(i));
  return values;
}

/// Node 1 = abs(-1), node 2 = node 1 * factor.
Graph* scaled(const std::vector<double>& values, float factor) {
  auto graph = std::make_unique<Graph>();
  graph->getVariableSpace()->putVariable(-1, floats(values));
  graph->addNode(new Node(OpType_TRANSFORM_SAME, transform::Abs, 1, {-1}, {2}));
  graph->addNode(new Node(OpType_SCALAR, scalar::Multiply, 2, {1}, {}, {}, factor));
  return graph.release();
}

std::vector<double> resultOf(Graph& graph, int id = 2) {
  if (GraphExecutioner::execute(&graph) != Status::OK) return {};
  return numbers(*graph.getVariableSpace()->getVariable(id, 0)->getNDArray());
}

constexpr auto A_WHILE = std::chrono::milliseconds(30);

}  // namespace

TEST(GraphHolderTests, GraphsAreFoundByNumber) {
  GraphHolder holder;
  EXPECT_FALSE(holder.hasGraph(5));
  Graph* graph = scaled({1, -2}, 3);
  holder.registerGraph(5, graph);
  EXPECT_TRUE(holder.hasGraph(5) && holder.hasGraphAny(5));
  EXPECT_FALSE(holder.hasGraph(6));
  EXPECT_EQ(holder.pullGraph(5), graph);
  holder.dropGraph(5);
  EXPECT_FALSE(holder.hasGraph(5));
  holder.registerGraph(5, scaled({1}, 1));
  holder.dropGraphAny(5);
  EXPECT_FALSE(holder.hasGraphAny(5));
  EXPECT_EQ(&GraphHolder::getInstance(), &GraphHolder::getInstance());
}

TEST(GraphHolderTests, WrongNumbersAndGraphsAreErrors) {
  GraphHolder holder;
  const std::unique_ptr<Graph> second(scaled({1}, 1));
  holder.registerGraph(7, scaled({1}, 1));
  try {
    holder.registerGraph(7, second.get());
    ADD_FAILURE() << "registered twice";
  } catch (const graph_exists_exception& error) {
    EXPECT_EQ(error.graphId(), 7);
  }
  EXPECT_EQ(resultOf(*second), std::vector<double>{1});  // still the caller's
  EXPECT_THROW(holder.registerGraph(8, nullptr), std::invalid_argument);
  EXPECT_THROW(holder.replaceGraph(7, nullptr), std::invalid_argument);
  EXPECT_FALSE(holder.hasGraph(8));
  EXPECT_TRUE(holder.hasGraph(7));
  try {
    holder.pullGraph(9);
    ADD_FAILURE() << "an unknown graph";
  } catch (const unknown_graph_exception& error) {
    EXPECT_EQ(error.graphId(), 9);
  }
  EXPECT_THROW(holder.cloneGraph(9), unknown_graph_exception);
  EXPECT_NO_THROW(holder.dropGraph(9));
  EXPECT_NO_THROW(holder.forgetGraph(9));
  EXPECT_FALSE(holder.hasGraph(9));
}

TEST(GraphHolderTests, ForgottenGraphsAreTheCallers) {
  GraphHolder holder;
  const std::unique_ptr<Graph> graph(scaled({1, -2}, 3));
  holder.registerGraph(1, graph.get());
  holder.forgetGraph(1);
  EXPECT_FALSE(holder.hasGraph(1));
  EXPECT_EQ(resultOf(*graph), (std::vector<double>{3, 6}));
  {
    GraphHolder other;
    other.registerGraph(1, scaled({1}, 1));  // deleted with the holder
  }
}

TEST(GraphHolderTests, ReplacedGraphsAreExecutedFromThenOn) {
  GraphHolder holder;
  holder.replaceGraph(1, scaled({1, -2}, 3));  // registers
  const std::unique_ptr<Graph> before(holder.cloneGraph(1));
  Graph* second = scaled({10}, 2);
  holder.replaceGraph(1, second);
  holder.replaceGraph(1, second);  // the same one
  const std::unique_ptr<Graph> after(holder.cloneGraph(1));
  EXPECT_EQ(resultOf(*before), (std::vector<double>{3, 6}));
  EXPECT_EQ(resultOf(*after), std::vector<double>{20});
}

TEST(GraphHolderTests, CopiesChangeNothingInTheStoredGraph) {
  GraphHolder holder;
  Graph* stored = scaled({1, -2}, 3);
  // A node writes variable -2, one passes -1 on, and one works in place on what is passed on.
  stored->getVariableSpace()->putVariable(-2, floats({0, 0}));
  stored->addNode(new Node(OpType_TRANSFORM_SAME, transform::Neg, 3, {-1}, {-2}));
  auto* enter = new Node(OpType_LOGIC, logic::Enter, 4, {-1}, {5});
  enter->setFrameId(1);
  stored->addNode(enter);
  stored->addNode(new Node(OpType_TRANSFORM_SAME, transform::Square, 5, {4}));
  holder.registerGraph(1, stored);
  for (int run = 0; run < 2; run++) {
    const std::unique_ptr<Graph> copy(holder.cloneGraph(1));
    EXPECT_EQ(resultOf(*copy), (std::vector<double>{3, 6}));
    EXPECT_EQ(numbers(*copy->getVariableSpace()->getVariable(5, 0)->getNDArray()), (std::vector<double>{1, 4}));
    EXPECT_EQ(numbers(*copy->getVariableSpace()->getVariable(-2)->getNDArray()), (std::vector<double>{-1, 2}));
  }
  EXPECT_EQ(numbers(*stored->getVariableSpace()->getVariable(-1)->getNDArray()), (std::vector<double>{1, -2}));
  EXPECT_EQ(numbers(*stored->getVariableSpace()->getVariable(-2)->getNDArray()), (std::vector<double>{0, 0}));
  EXPECT_FALSE(stored->getVariableSpace()->getVariable(2)->hasNDArray());
}

TEST(GraphHolderTests, CopiesOutliveTheStoredGraph) {
  GraphHolder holder;
  holder.registerGraph(1, scaled({1, -2}, 3));
  const std::unique_ptr<Graph> copy(holder.cloneGraph(1));
  const std::unique_ptr<VariableSpace> variables(copy->getVariableSpace()->clone());
  holder.dropGraph(1);
  EXPECT_EQ(resultOf(*copy), (std::vector<double>{3, 6}));
  EXPECT_EQ(numbers(*variables->getVariable(-1)->getNDArray()), (std::vector<double>{1, -2}));
  // The number is free again.
  holder.registerGraph(1, scaled({5}, 1));
  const std::unique_ptr<Graph> second(holder.cloneGraph(1));
  EXPECT_EQ(resultOf(*second), std::vector<double>{5});
  EXPECT_EQ(resultOf(*copy), (std::vector<double>{3, 6}));
}

// ---- locks

TEST(GraphHolderTests, StoredGraphsAreExecutedWithRequests) {
  GraphHolder holder;
  Graph* graph = scaled({1, -2}, 10);
  graph->nodeById(2)->setName("scaled");
  holder.registerGraph(5, graph);
  flatbuffers::FlatBufferBuilder asked, answered;
  const auto answer = [&](const FlatInferenceRequest* request) {
    answered.Clear();
    answered.Finish(holder.execute(5, answered, request));
    return GetFlatResult(answered.GetBufferPointer());
  };
  EXPECT_EQ(answer(nullptr)->id(), 5);
  const ExecutionResult plain(answer(nullptr));
  ASSERT_EQ(plain.size(), 1);
  EXPECT_EQ(numbers(*plain.byId("scaled")->getNDArray()), (std::vector<double>{10, 20}));
  const std::unique_ptr<NDArray> x(floats({-3, 4, 5}));
  ExecutorConfiguration everything;
  everything._outputMode = OutputMode_VARIABLE_SPACE;
  InferenceRequest request(5, &everything);
  request.appendVariable(-1, x.get());
  asked.Finish(request.asFlatInferenceRequest(asked));
  const ExecutionResult fed(answer(GetFlatInferenceRequest(asked.GetBufferPointer())));
  ASSERT_EQ(fed.size(), 3);
  EXPECT_EQ(numbers(*fed.byId(-1)->getNDArray()), (std::vector<double>{-3, 4, 5}));
  EXPECT_EQ(numbers(*fed.byId(2)->getNDArray()), (std::vector<double>{30, 40, 50}));
  EXPECT_EQ(numbers(*graph->getVariableSpace()->getVariable(-1)->getNDArray()), (std::vector<double>{1, -2}));
  EXPECT_FALSE(graph->getVariableSpace()->getVariable(2)->hasNDArray());
}

TEST(GraphHolderTests, RequestsThatCannotBeAnsweredAreErrors) {
  GraphHolder holder;
  flatbuffers::FlatBufferBuilder asked, answered;
  EXPECT_THROW(holder.execute(5, answered, nullptr), unknown_graph_exception);
  holder.registerGraph(5, new Graph());
  EXPECT_THROW(holder.execute(5, answered, nullptr), no_results_exception);
  auto fails = std::make_unique<Graph>();
  fails->addNode(new Node(OpType_LOGIC, static_cast<int>(logic::Merge), 1, {2, 2}));
  fails->getVariableSpace()->putVariable(2, new Variable());
  holder.registerGraph(6, fails.release());
  EXPECT_THROW(holder.execute(6, answered, nullptr), graph_execution_exception);
  // A value that a node computes cannot be given.
  holder.registerGraph(7, scaled({1, -2}, 10));
  const std::unique_ptr<NDArray> x(floats({1}));
  InferenceRequest request(7);
  request.appendVariable(1, x.get());
  asked.Finish(request.asFlatInferenceRequest(asked));
  EXPECT_THROW(holder.execute(7, answered, GetFlatInferenceRequest(asked.GetBufferPointer())), std::runtime_error);
  holder.dropGraph(7);  // the lock is free
}

TEST(GraphHolderTests, RequestsOfSeveralThreads) {
  GraphHolder holder;
  holder.registerGraph(5, scaled({0}, 10));
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; thread++)
    threads.emplace_back([&holder, &right, thread] {
      for (int time = 0; time < 10; time++) {
        const std::unique_ptr<NDArray> x(floats({-thread - 1.}));
        InferenceRequest request(5);
        request.appendVariable(-1, x.get());
        flatbuffers::FlatBufferBuilder asked, answered;
        asked.Finish(request.asFlatInferenceRequest(asked));
        answered.Finish(holder.execute(5, answered, GetFlatInferenceRequest(asked.GetBufferPointer())));
        const ExecutionResult result(GetFlatResult(answered.GetBufferPointer()));
        right += result.at(0)->getNDArray()->e<double>(0) == 10. * (thread + 1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 40);
}

TEST(GraphHolderTests, ManyReadOrOneWrites) {
  GraphHolder holder;
  holder.registerGraph(1, scaled({1}, 1));
  holder.lockRead(1);
  std::atomic<int> reached{0};
  std::thread reader([&] {
    holder.lockRead(1);
    reached |= 1;
    holder.unlockRead(1);
  });
  reader.join();  // does not wait
  EXPECT_EQ(reached, 1);
  std::thread writer([&] {
    holder.lockWrite(1);
    reached |= 2;
    std::this_thread::sleep_for(A_WHILE);
    reached |= 4;
    holder.unlockWrite(1);
  });
  std::this_thread::sleep_for(A_WHILE);
  EXPECT_EQ(reached, 1);  // it waits for this thread
  holder.unlockRead(1);
  while ((reached & 2) == 0) std::this_thread::yield();
  holder.lockRead(1);  // waits for the writer
  EXPECT_EQ(reached, 7);
  holder.unlockRead(1);
  writer.join();
}

TEST(GraphHolderTests, ChangesWaitForReaders) {
  GraphHolder holder;
  holder.registerGraph(1, scaled({1}, 1));
  holder.lockRead(1);
  std::atomic<bool> dropped{false};
  std::thread other([&] {
    holder.dropGraph(1);
    dropped = true;
  });
  std::this_thread::sleep_for(A_WHILE);
  EXPECT_FALSE(dropped);
  EXPECT_TRUE(holder.hasGraph(1));
  const std::unique_ptr<Graph> copy(holder.cloneGraph(1));  // although a writer waits
  EXPECT_EQ(resultOf(*copy), std::vector<double>{1});
  holder.unlockRead(1);
  other.join();
  EXPECT_FALSE(holder.hasGraph(1));
}

TEST(GraphHolderTests, OneThreadMayLockSeveralTimes) {
  GraphHolder holder;
  holder.lockWrite(3);  // there need not be a graph
  holder.registerGraph(3, scaled({1}, 2));
  holder.lockWrite(3);
  const std::unique_ptr<Graph> copy(holder.cloneGraph(3));
  EXPECT_EQ(resultOf(*copy), std::vector<double>{2});
  holder.unlockWrite(3);
  holder.dropGraph(3);
  holder.unlockWrite(3);
  holder.lockRead(3);
  holder.lockRead(3);
  EXPECT_THROW(holder.lockWrite(3), std::runtime_error);
  EXPECT_THROW(holder.dropGraph(3), std::runtime_error);
  holder.unlockRead(3);
  holder.unlockRead(3);
  holder.lockWrite(3);
  holder.unlockWrite(3);
}

TEST(GraphHolderTests, OnlyHoldersUnlock) {
  GraphHolder holder;
  EXPECT_THROW(holder.unlockRead(1), std::runtime_error);
  EXPECT_THROW(holder.unlockWrite(1), std::runtime_error);
  holder.lockRead(1);
  EXPECT_THROW(holder.unlockWrite(1), std::runtime_error);
  std::thread other([&] { EXPECT_THROW(holder.unlockRead(1), std::runtime_error); });
  other.join();
  holder.unlockRead(1);
  EXPECT_THROW(holder.unlockRead(1), std::runtime_error);
  holder.lockWrite(2);
  std::thread third([&] { EXPECT_THROW(holder.unlockWrite(2), std::runtime_error); });
  third.join();
  holder.unlockWrite(2);
}

TEST(GraphHolderTests, ThreadsRegisterExecuteAndDrop) {
  GraphHolder holder;
  constexpr int THREADS = 6, ROUNDS = 60, GRAPHS = 3;
  // Graph 2 is replaced, but never missing.
  for (LongType id = 0; id < GRAPHS; id++) holder.registerGraph(id, scaled({1, -2}, static_cast<float>(id + 1)));
  std::atomic<int> executed{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < THREADS; t++)
    threads.emplace_back([&, t] {
      for (int round = 0; round < ROUNDS; round++) {
        const LongType id = (t + round) % GRAPHS;
        if (t < 2) {
          std::unique_ptr<Graph> graph(scaled({1, -2}, static_cast<float>(id + 1)));
          try {
            holder.registerGraph(id, graph.get());
            graph.release();
          } catch (const graph_exists_exception&) {
            if (round % 3 == 0) {
              holder.replaceGraph(id, graph.get());
              graph.release();
            }
          }
        } else if (t == 2 && id != 2) {
          holder.dropGraph(id);
        } else {
          try {
            const std::unique_ptr<Graph> copy(holder.cloneGraph(id));
            const double factor = static_cast<double>(id) + 1;
            if (resultOf(*copy) != std::vector<double>{factor, 2 * factor}) wrong++;
            executed++;
          } catch (const unknown_graph_exception&) {
            std::this_thread::yield();
          }
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(executed, (THREADS - 2) * ROUNDS / GRAPHS);
}

// ---- sessions

TEST(GraphHolderTests, SessionsHaveVariablesOfTheirOwn) {
  VariableSpace common;
  Stash stash;
  common.putVariable(-1, floats({1}));
  SessionLocalStorage storage(&common, &stash);
  EXPECT_EQ(storage.stash(), &stash);
  EXPECT_EQ(storage.numberOfSessions(), 0);
  EXPECT_THROW(storage.getSessionId(), std::runtime_error);
  EXPECT_THROW(storage.localVariableSpace(), std::runtime_error);
  const LongType mine = storage.startSession();
  EXPECT_EQ(storage.getSessionId(), mine);
  EXPECT_TRUE(storage.localVariableSpace()->hasVariable(-1));
  storage.localVariableSpace()->putVariable(1, 0, floats({2}));
  std::thread other([&] {
    EXPECT_THROW(storage.getSessionId(), std::runtime_error);
    const LongType theirs = storage.startSession();
    EXPECT_NE(theirs, mine);
    EXPECT_EQ(storage.numberOfSessions(), 2);
    EXPECT_FALSE(storage.localVariableSpace()->hasVariable(1, 0));
    storage.endSession();
    storage.endSession();
  });
  other.join();
  EXPECT_EQ(storage.numberOfSessions(), 1);
  EXPECT_FALSE(common.hasVariable(1, 0));
  const LongType next = storage.startSession();  // ends the former one
  EXPECT_NE(next, mine);
  EXPECT_EQ(storage.numberOfSessions(), 1);
  EXPECT_FALSE(storage.localVariableSpace()->hasVariable(1, 0));
  storage.endSession(mine);
  EXPECT_EQ(storage.numberOfSessions(), 1);
  storage.endSession(next);
  EXPECT_EQ(storage.numberOfSessions(), 0);
  SessionLocalStorage empty;
  empty.startSession();
  EXPECT_EQ(empty.localVariableSpace()->totalEntries(), 0);
  EXPECT_EQ(empty.stash(), nullptr);
}
