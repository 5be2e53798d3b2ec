// Calls that ask for more or larger outputs than are possible.
#include <array/NDArrayList.h>
#include <exceptions/allocation_exception.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory/MemoryCounter.h>

#include <limits>
#include <memory>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

constexpr LongType MANY = std::numeric_limits<int>::max();
constexpr const char* TOO_MANY = "2147483647 outputs are more than the 1048576 that an operation may have";

/// The call's outputs do not fit into memory: an error says how much they need, before they are allocated.
void expectTooLarge(const char* name, const std::vector<In>& rows, const Arguments& a, const std::string& message) {
  ops::DeclarableOp* op = findBuilt(name);
  if (op == nullptr) return;
  std::vector<Array> arrays;
  for (const In& row : rows) arrays.push_back(row.make());
  std::vector<NDArray*> inputs;
  for (const Array& array : arrays) inputs.push_back(const_cast<NDArray*>(array.get()));
  graph::Context block(1);
  setInputs(block, inputs);
  setArguments(block, a);
  const auto expect = [&](const char* how, auto&& call) {
    try {
      call();
      ADD_FAILURE() << name << ", " << how << ": no error";
    } catch (const allocation_exception& error) {
      const std::string text = error.what();
      EXPECT_EQ(text.find(fmt::format("[{}] output 0: ", name)), 0u) << how << ": " << text;
      EXPECT_NE(text.find(message), std::string::npos) << how << ": " << text;
      EXPECT_NE(text.find("could not be allocated"), std::string::npos) << how << ": " << text;
    }
  };
  expect("evaluate", [&] { op->evaluate(inputs, a.t, a.i, a.b, a.d); });
  expect("execute", [&] { op->execute(&block); });
}

}  // namespace

TEST(OpsSizes, NumberOfOutputs) {
  checkRejections("unstack",
                  {{"rows of nothing", {In(FLOAT32, {MANY, 0})}, {.i = {0}}, refusal::Argument, TOO_MANY},
                   {"columns of nothing", {In(FLOAT32, {0, MANY})}, {.i = {-1}}, refusal::Argument, TOO_MANY}});
  checkRejections("tear", {{"rows of nothing", {In(FLOAT32, {MANY, 0})}, {.i = {1}}, refusal::Argument, TOO_MANY},
                           {"and more", {In(FLOAT32, {MANY, 0, MANY})}, {.i = {1}}, refusal::Argument, "outputs are"}});
  checkRejections("split", {{"nothing", {In(FLOAT32, {0})}, {.i = {MANY}}, refusal::Argument, TOO_MANY}});
  checkRejections("split_v", {{"nothing",
                               {In(FLOAT32, {0}), In(INT32, {(1 << 20) + 1})},
                               {},
                               refusal::Argument,
                               "1048577 outputs are more than the 1048576"}});
  checkRejections("dynamic_partition",
                  {{"two", {In(FLOAT32, {2}), In(INT32, {2})}, {.i = {MANY}}, refusal::Argument, TOO_MANY}});
}

TEST(OpsSizes, NumberOfOutputsAtTheBound) {
  ops::DeclarableOp* op = findBuilt("unstack");
  if (op == nullptr) GTEST_SKIP() << "unstack is not in this build";
  NDArray x('c', {1 << 20, 0}, FLOAT32);
  const ResultSet parts = op->evaluate({&x}, {}, {0});
  ASSERT_EQ(parts.size(), 1 << 20);
  EXPECT_TRUE(parts.at(0)->isEmpty());
}

TEST(OpsSizes, ListsOfNothing) {
  const NDArray x('c', {MANY, 0}, FLOAT32);
  NDArrayList list(0, true);
  EXPECT_THROW(list.unstack(&x, 0), std::runtime_error);
  EXPECT_EQ(list.elements(), 0);
}

TEST(OpsSizes, SizeOfOutputs) {
  const LongType large = LongType{1} << 45;
  const In listed(INT64, {1}, {35184372088832});
  const std::string vector = "output 0: 140737488355328 bytes for shape [35184372088832] of FLOAT32";
  const std::string square = "output 0: 140737488355328 bytes for shape [4194304, 8388608] of FLOAT32";
  expectTooLarge("lin_space", {}, {.t = {0, 1}, .i = {large}}, vector);
  expectTooLarge("fill", {listed, In(FLOAT32, {})}, {}, vector);
  expectTooLarge("tile", {In(FLOAT32, {1})}, {.i = {large}}, vector);
  expectTooLarge("tri", {}, {.i = {1 << 22, 1 << 23}}, square);
  expectTooLarge("eye", {}, {.i = {1 << 22, 1 << 23}}, square);
  expectTooLarge("onehot", {In(INT32, {2})}, {.i = {-1, large / 2}}, "140737488355328 bytes for shape");
  expectTooLarge("histogram", {In(FLOAT32, {2})}, {.i = {large}}, "281474976710656 bytes for shape");
  expectTooLarge("range", {}, {.t = {0, 35184372088832., 1}}, "bytes for shape [35184372088832]");
  expectTooLarge("randomuniform", {listed}, {.t = {0, 1}}, vector);
  // 2^64 bytes.
  expectTooLarge("tri", {}, {.i = {1LL << 31, 1LL << 31}}, "output 0: more bytes than can be addressed for shape");
}

// Work and memory depend on the number of elements, not on the sizes of dimensions.
TEST(OpsSizes, RowsOfNothing) {
  if (ops::DeclarableOp* op = findBuilt("gather_nd")) {
    NDArray x('c', {4, 0}, FLOAT32), indices('c', {MANY, 0}, INT32);
    const ResultSet results = op->evaluate({&x, &indices});
    ASSERT_EQ(results.size(), 1);
    EXPECT_EQ(results.at(0)->getShapeAsVector(), (optest::Dims{MANY, 4, 0}));
  }
  if (ops::DeclarableOp* op = findBuilt("ctc_beam")) {
    NDArray logits('c', {2, 0, MANY}, FLOAT32), lengths('c', {2}, {0, 0}, INT32);
    const ResultSet results = op->evaluate({&logits, &lengths}, {}, {-1, 5, 1});
    ASSERT_EQ(results.size(), 3);
    EXPECT_EQ(results.at(1)->e<float>(1), 0);
  }
}

// The losses of n slices without elements: all of them 1 for the cosine distance, else 0. The reduced loss and the
// gradient of the weight need no memory for them.
TEST(OpsSizes, LossesOfNothing) {
  struct Loss {
    const char* name;
    std::vector<double> floats;
    double each;
  };
  const Loss losses[] = {
      {"cosine_distance_loss", {}, 1}, {"mean_pairwssqerr_loss", {}, 0}, {"softmax_cross_entropy_loss", {0}, 0}};
  auto& counter = memory::MemoryCounter::getInstance();
  const std::shared_ptr<void> restored(
      nullptr, [&, limit = counter.deviceLimit(0)](void*) { counter.setDeviceLimit(0, limit); });
  counter.setDeviceLimit(0, counter.allocatedDevice(0) + (1 << 20));
  for (const auto& [name, floats, each] : losses)
    for (const LongType n : {LongType{3}, MANY})
      for (int mode = 0; mode < 4; mode++) {
        SCOPED_TRACE(fmt::format("{} of {} slices, mode {}", name, n, mode));
        const NDArray x('c', {n, 0}, FLOAT32), weight('c', {}, {2}, FLOAT32);
        const std::vector<NDArray*> inputs{const_cast<NDArray*>(&x), const_cast<NDArray*>(&weight),
                                           const_cast<NDArray*>(&x)};
        const double sum = each * static_cast<double>(n);
        const double reduced[] = {0, 2 * sum, each, 2 * each}, slopes[] = {sum, sum, 0, each};
        if (ops::DeclarableOp* op = mode == 0 ? nullptr : findBuilt(name)) {
          const ResultSet results = op->evaluate(inputs, floats, {mode, 1});
          ASSERT_EQ(results.size(), 1);
          EXPECT_EQ(results.at(0)->e<float>(0), static_cast<float>(reduced[mode]));
        }
        if (ops::DeclarableOp* op = findBuilt(std::string(name) + "_grad")) {
          const ResultSet results = op->evaluate(inputs, floats, {mode, 1});
          ASSERT_EQ(results.size(), 3);
          EXPECT_EQ(results.at(1)->e<float>(0), static_cast<float>(slopes[mode]));
        }
      }
}
