// The results of reductions of empty arrays, as the reference of the numbered operations states them.
#include <cmath>
#include <limits>

#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

constexpr double INF = std::numeric_limits<double>::infinity(), NOT_A_NUMBER = std::numeric_limits<double>::quiet_NaN();

struct EmptyRow {
  OpGroup group;
  const char* name;
  DataType x, z;
  double expected;
  std::vector<double> params = {};

  friend std::ostream& operator<<(std::ostream& out, const EmptyRow& row) { return out << row.name; }
};

const std::vector<EmptyRow> ROWS = {
    {OpGroup::ReduceSame, "Sum", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceSame, "Sum", INT16, INT16, 0},
    {OpGroup::ReduceSame, "Sum", BOOL, BOOL, 0},
    {OpGroup::ReduceSame, "Prod", DOUBLE, DOUBLE, 1},
    {OpGroup::ReduceSame, "Prod", UINT8, UINT8, 1},
    {OpGroup::ReduceSame, "Max", FLOAT32, FLOAT32, -INF},
    {OpGroup::ReduceSame, "Max", DOUBLE, DOUBLE, -INF},
    {OpGroup::ReduceSame, "Max", INT8, INT8, -128},
    {OpGroup::ReduceSame, "Max", UINT16, UINT16, 0},
    {OpGroup::ReduceSame, "Min", FLOAT32, FLOAT32, INF},
    {OpGroup::ReduceSame, "Min", INT8, INT8, 127},
    {OpGroup::ReduceSame, "Min", UINT16, UINT16, 65535},
    {OpGroup::ReduceSame, "ASum", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceSame, "AMax", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceSame, "AMax", INT32, INT32, 0},
    {OpGroup::ReduceSame, "ReduceSameBenchmarkOp", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "Mean", FLOAT32, FLOAT32, NOT_A_NUMBER},
    {OpGroup::ReduceFloat, "Mean", INT32, DOUBLE, NOT_A_NUMBER},
    {OpGroup::ReduceFloat, "Mean", HALF, HALF, NOT_A_NUMBER},
    {OpGroup::ReduceFloat, "AMean", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "Norm1", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "Norm2", DOUBLE, DOUBLE, 0},
    {OpGroup::ReduceFloat, "NormMax", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "NormFrobenius", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "NormP", FLOAT32, FLOAT32, 0, {2}},
    {OpGroup::ReduceFloat, "SquaredNorm", BFLOAT16, BFLOAT16, 0},
    {OpGroup::ReduceFloat, "Entropy", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "LogEntropy", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "ShannonEntropy", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceFloat, "ReduceFloatBenchmarkOp", FLOAT32, FLOAT32, 0},
    {OpGroup::ReduceBool, "Any", FLOAT32, BOOL, 0},
    {OpGroup::ReduceBool, "All", INT32, BOOL, 1},
    {OpGroup::ReduceBool, "IsFinite", FLOAT32, BOOL, 1},
    {OpGroup::ReduceBool, "IsInfOrNan", FLOAT32, BOOL, 0},
    {OpGroup::ReduceBool, "IsNan", HALF, BOOL, 0},
    {OpGroup::ReduceBool, "IsInf", DOUBLE, BOOL, 0},
    {OpGroup::ReduceBool, "IsPositive", INT8, BOOL, 0},
    {OpGroup::ReduceBool, "IsNegative", FLOAT32, BOOL, 0},
    {OpGroup::ReduceLong, "CountNonZero", FLOAT32, INT64, 0},
    {OpGroup::ReduceLong, "CountZero", BOOL, INT64, 0},
    {OpGroup::ReduceLong, "MatchCondition", FLOAT32, INT64, 0, {0, 0, 10}},
    {OpGroup::IndexReduce, "IndexMax", FLOAT32, INT64, 0},
    {OpGroup::IndexReduce, "IndexMin", INT32, INT32, 0},
    {OpGroup::IndexReduce, "IndexAbsoluteMax", FLOAT32, INT64, 0},
    {OpGroup::IndexReduce, "IndexAbsoluteMin", FLOAT32, INT64, 0},
    {OpGroup::IndexReduce, "FirstIndex", FLOAT32, INT64, -1, {0, 0, 10}},
    {OpGroup::IndexReduce, "LastIndex", FLOAT32, INT32, -1, {0, 0, 10}},
    {OpGroup::SummaryStats, "SummaryStatsVariance", FLOAT32, FLOAT32, 0},
    {OpGroup::SummaryStats, "SummaryStatsStandardDeviation", DOUBLE, DOUBLE, 0},
    {OpGroup::Reduce3, "ManhattanDistance", FLOAT32, FLOAT32, 0},
    {OpGroup::Reduce3, "EuclideanDistance", INT32, FLOAT32, 0},
    {OpGroup::Reduce3, "Dot", DOUBLE, DOUBLE, 0},
    {OpGroup::Reduce3, "EqualsWithEps", FLOAT32, FLOAT32, 0},
};

void runRow(const EmptyRow& row, const TestArray& x, TestArray& z, const loops::Axes& axes) {
  const loops::NumberedOp* op = loops::findOp(row.group, row.name);
  ASSERT_NE(op, nullptr) << row.name;
  const bool ofZ = row.group == OpGroup::ReduceFloat;
  const std::vector<uint8_t> bytes = encode(ofZ ? row.z : row.x, row.params);
  const void* params = bytes.empty() ? nullptr : bytes.data();
  if (row.group == OpGroup::IndexReduce)
    loops::indexReduce(op->number, x.in(), z.out(), params, axes);
  else if (row.group == OpGroup::SummaryStats)
    loops::summaryStats(op->number, x.in(), z.out(), true, axes);
  else if (row.group == OpGroup::Reduce3)
    loops::reduce3(op->number, x.in(), x.in(), z.out(), params, 0, axes);
  else
    loops::reduce(row.group, op->number, x.in(), z.out(), params, axes);
}

double numberAt(const TestArray& z, LongType i) {
  return facts(z.type()).precision ? static_cast<double>(floatAt(z.type(), z.element(i)))
                                   : static_cast<double>(integerAt(z.type(), z.element(i)));
}

class NumberedEmpty : public ::testing::TestWithParam<EmptyRow> {};

TEST_P(NumberedEmpty, givesTheStartValue) {
  const EmptyRow& row = GetParam();
  if (!isBuilt(row.x) || !isBuilt(row.z) || !loops::findOp(row.group, row.name)) GTEST_SKIP() << "not in this build";
  const struct {
    Dims x;
    loops::Axes axes;
    Dims z;
  } forms[] = {{{0}, {0}, {}},        {{0}, {0}, {1}},          {{3, 0}, {1}, {3}},
               {{3, 0}, {1}, {3, 1}}, {{2, 0, 4}, {1}, {2, 4}}, {{2, 0, 4}, {0, 1, 2}, {}}};
  for (const auto& form : forms) {
    const TestArray x(row.x, form.x, Layout::C);
    TestArray z(row.z, form.z, Layout::EverySecond);
    ASSERT_NO_THROW(runRow(row, x, z, form.axes)) << row.name << " of " << textOf(form.x);
    for (LongType i = 0; i < z.length(); ++i) {
      const double got = numberAt(z, i);
      EXPECT_TRUE(std::isnan(row.expected) ? std::isnan(got) : got == row.expected)
          << row.name << " of " << textOf(form.x) << " to " << textOf(form.z) << ": got " << got << ", expected "
          << row.expected;
    }
  }
}

TEST_P(NumberedEmpty, leavesAnEmptyResultAlone) {
  const EmptyRow& row = GetParam();
  if (!isBuilt(row.x) || !isBuilt(row.z) || !loops::findOp(row.group, row.name)) GTEST_SKIP() << "not in this build";
  const TestArray x(row.x, {0, 4}, Layout::C);
  TestArray z(row.z, {0}, Layout::C);
  EXPECT_NO_THROW(runRow(row, x, z, {1})) << row.name;
  EXPECT_TRUE(z.gapsUntouched()) << row.name;
}

std::string rowName(const ::testing::TestParamInfo<EmptyRow>& row) {
  return std::string(row.param.name) + "_" + facts(row.param.x).name + "_" + facts(row.param.z).name + "_" +
         std::to_string(row.index);
}

INSTANTIATE_TEST_SUITE_P(All, NumberedEmpty, ::testing::ValuesIn(ROWS), rowName);

}  // namespace
