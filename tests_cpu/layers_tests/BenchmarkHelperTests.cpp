// Benchmarks as programs write them: what is run, how often, and the tables. Times are not checked.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <helpers/BenchmarkHelper.h>
#include <helpers/LoopKind.h>
#include <ops/declarable/headers/broadcastable.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;

namespace {

/// The fields of each line except the header.
std::vector<std::vector<std::string>> table(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) lines.back().push_back(field);
  }
  EXPECT_FALSE(lines.empty());
  EXPECT_EQ(lines.at(0).at(0), "TestName");
  for (const auto& line : lines) EXPECT_EQ(line.size(), 15u);
  lines.erase(lines.begin());
  return lines;
}

/// Counts its runs.
class Counter : public OpBenchmark {
 public:
  int* count;
  explicit Counter(int* counter) : count(counter) { setTestName("counter"); }
  void executeOnce() override { ++*count; }
  OpBenchmark* clone() const override { return new Counter(*this); }
};

}  // namespace

TEST(BenchmarkHelperTests, RunsAreCounted) {
  int count = 0;
  Counter counter(&count);
  const auto lines = table(BenchmarkHelper(3, 7).runOperationSuit(&counter));
  EXPECT_EQ(count, 10);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0][0], "counter");
  EXPECT_EQ(lines[0][2], "3");
  EXPECT_EQ(lines[0][3], "7");
  EXPECT_EQ(lines[0][4], "N/A");
  const double mean = std::stod(lines[0][10]), median = std::stod(lines[0][11]), least = std::stod(lines[0][12]),
               most = std::stod(lines[0][13]);
  EXPECT_TRUE(0 <= least && least <= median && median <= most && least <= mean && mean <= most);
  EXPECT_EQ(table(BenchmarkHelper(0, 1).runOperationSuit({&counter, &counter})).size(), 2u);
  std::vector<OpBenchmark*> list = {&counter};
  const std::string bare = BenchmarkHelper(0, 1).runOperationSuit(list, false);
  EXPECT_EQ(bare.find("counter\t"), 0u);
  EXPECT_EQ(std::count(bare.begin(), bare.end(), '\n'), 1);
  EXPECT_THROW(BenchmarkHelper(1, 0), std::runtime_error);
}

TEST(BenchmarkHelperTests, NumberedOperations) {
  NDArray x('c', {2, 2}, {1, 4, 9, 16}, FLOAT32), y('c', {2, 2}, {1, 2, 3, 4}, FLOAT32), z('f', {2, 2}, FLOAT32);
  NDArray row('c', {2}, {10, 20}, FLOAT32), sums('c', {2}, FLOAT32), sum(FLOAT32), axes('c', {1}, {0}, INT32);
  NDArray three = NDArrayFactory::create<float>(3.f);
  ScalarBenchmark twice(scalar::Multiply, "twice", &x, &z), thrice(scalar::Multiply, "thrice", &x, &three, &z);
  TransformBenchmark root(transform::Sqrt, "root", &x, &z);
  PairwiseBenchmark add(pairwise::Add, "add", &x, &y, &z);
  BroadcastBenchmark rows(broadcast::Add, "rows", &x, &row, &z, {1});
  ReductionBenchmark columns(reduce::Sum, "columns", &x, &sums, {0}), listed(reduce::Sum, "listed", &x, &axes, &sums),
      all(reduce::Mean, "all", &x, &sum);
  MatrixBenchmark product(1, 0, true, false, "product", &x, &y, &z);
  struct {
    OpBenchmark* benchmark;
    const NDArray* result;
    std::vector<double> expected;
  } const calls[] = {{&twice, &z, {2, 8, 18, 32}},    {&thrice, &z, {3, 12, 27, 48}},
                     {&root, &z, {1, 2, 3, 4}},       {&add, &z, {2, 6, 12, 20}},
                     {&rows, &z, {11, 24, 19, 36}},   {&columns, &sums, {10, 20}},
                     {&listed, &sums, {10, 20}},      {&all, &sum, {7.5}},
                     {&product, &z, {28, 38, 52, 72}}};
  for (const auto& [benchmark, result, expected] : calls) {
    SCOPED_TRACE(benchmark->testName());
    const std::unique_ptr<OpBenchmark> copy(benchmark->clone());
    copy->executeOnce();
    expectArray(*result, result->getShapeAsVector(), expected, 1e-6);
  }
  EXPECT_EQ(root.opNum(), transform::Sqrt);
  EXPECT_EQ(add.dataType(), "FLOAT");
  EXPECT_EQ(add.shape(), "[2, 2]");
  EXPECT_EQ(add.orders(), "c/c/f");
  EXPECT_EQ(add.inplace(), "false");
  EXPECT_EQ(columns.axis(), "0");
  EXPECT_EQ(TransformBenchmark(transform::Abs, "in place", &x, &x).inplace(), "true");
  EXPECT_THROW(TransformBenchmark(transform::Abs).executeOnce(), std::runtime_error);
}

TEST(BenchmarkHelperTests, OperandsAreMade) {
  BenchmarkHelper helper(0, 1);
  TransformBenchmark transform(transform::Abs, "abs");
  const auto transforms = GENERATE_XZ() {
    for (const LongType n : {3, 5}) {
      x.push_back(NDArrayFactory::create_<float>('c', {n}));
      z.push_back(NDArrayFactory::create_<float>('c', {n}));
    }
  };
  auto lines = table(helper.runOperationSuit(&transform, transforms));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0][6], "[3]");
  EXPECT_EQ(lines[1][6], "[5]");

  PairwiseBenchmark add(pairwise::Add, "add");
  IntPowerParameters length("length", 2, 2, 6, 2);
  BoolParameters inplace("inplace");
  ParametersBatch batch({&length, &inplace});
  const auto pairs = PARAMETRIC_XYZ() {
    const LongType n = p.getIntParam("length");
    auto* first = NDArrayFactory::create_<double>('c', {n});
    x.push_back(first);
    y.push_back(NDArrayFactory::create_<double>('c', {n}));
    if (p.getBoolParam("inplace"))
      z.pushOwned(std::make_unique<NDArray>(first->reshape('c', {n})));
    else
      z.push_back(NDArrayFactory::create_<double>('c', {n}));
  };
  lines = table(helper.runOperationSuit(&add, pairs, batch));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0][6], "[4]");
  EXPECT_EQ(lines[5][6], "[64]");
  EXPECT_EQ(lines[4][5], "false");
  EXPECT_EQ(lines[5][5], "true");

  const auto uneven = GENERATE_XYZ() {
    x.push_back(NDArrayFactory::create_<float>('c', {2}));
    (void)y;
    (void)z;
  };
  EXPECT_THROW(helper.runOperationSuit(&add, uneven), std::runtime_error);
}

TEST(BenchmarkHelperTests, Operations) {
  sd::ops::add op;
  DeclarableBenchmark benchmark(op);
  PredefinedParameters length("length", {2, 30});
  ParametersBatch batch({&length});
  const auto contexts = PARAMETRIC_D() {
    auto* context = new graph::Context(1);
    const LongType n = p.getIntParam("length");
    for (int i = 0; i < 2; i++) context->setInputArray(i, NDArrayFactory::create_<float>('c', {n}), true);
    context->setOutputArray(0, NDArrayFactory::create_<float>('c', {n}), true);
    return context;
  };
  const auto lines = table(BenchmarkHelper(1, 2).runOperationSuit(&benchmark, contexts, batch));
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0][0], "add");
  EXPECT_EQ(lines[1][6], "[30]");
  EXPECT_THROW(benchmark.executeOnce(), std::runtime_error);
}

TEST(BenchmarkHelperTests, Parameters) {
  IntParameters from("from", 1, 7, 3);
  PredefinedParameters given("given", std::vector<int>{5, -5});
  EXPECT_EQ(from.evaluate(), (std::vector<int>{1, 4, 7}));
  EXPECT_EQ(IntPowerParameters("p", 3, 0, 2).evaluate(), (std::vector<int>{1, 3, 9}));
  EXPECT_THROW(IntPowerParameters("p", 2, 30, 31), std::runtime_error);
  EXPECT_THROW(IntParameters("from", 1, 7, 0), std::runtime_error);
  const std::vector<Parameters> all = ParametersBatch({&from, &given}).parameters();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[3].getIntParam("from"), 4);
  EXPECT_EQ(all[3].getIntParam("given"), -5);
  Parameters parameters;
  parameters.addIntParam("a", 1)->addIntParam({"b", "c"}, {2, 3})->addBoolParam("d", true)->addArrayParam("e", {4, 5});
  EXPECT_EQ(parameters.getIntParam("c"), 3);
  EXPECT_TRUE(parameters.getBoolParam("d"));
  EXPECT_EQ(parameters.getArrayParam("e"), (std::vector<int>{4, 5}));
  EXPECT_THROW(parameters.getIntParam("x"), std::out_of_range);
  EXPECT_THROW(parameters.addIntParam({"b", "c"}, {2}), std::runtime_error);
}

TEST(BenchmarkHelperTests, KindsOfLoops) {
  const NDArray c('c', {3, 4}, FLOAT32), f('f', {3, 4}, FLOAT32),
      steps = NDArray('c', {6, 8})({0, 6, 2, 0, 8, 2}, true, true);
  const NDArray column = c({0, 3, 1, 2}, true), vector('f', {3, 1}, FLOAT32);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXZ(c.shapeInfo(), c.shapeInfo()), LoopKind::EWS1);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXYZ(f.shapeInfo(), f.shapeInfo(), f.shapeInfo()), LoopKind::EWS1);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXZ(c.shapeInfo(), f.shapeInfo()), LoopKind::RANK2);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXZ(c.shapeInfo(), steps.shapeInfo()), LoopKind::RANK2);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXZ(column.shapeInfo(), vector.shapeInfo()), LoopKind::EWSNONZERO);
  const NDArray large('c', {1, 2, 1, 2, 2, 2}, FLOAT32), other('f', {1, 2, 1, 2, 2, 2}, FLOAT32);
  EXPECT_EQ(LoopKind::deduceKindOfLoopXZ(large.shapeInfo(), other.shapeInfo()), LoopKind::COMMON);
}
