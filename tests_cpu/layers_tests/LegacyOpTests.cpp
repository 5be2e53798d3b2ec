// Numbered operations as operation objects: a table row for each kind of wrapper, then the peculiarities of each kind.
#include <array/NDArray.h>
#include <exceptions/datatype_exception.h>
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/LegacyBroadcastBoolOp.h>
#include <ops/declarable/LegacyBroadcastOp.h>
#include <ops/declarable/LegacyIndexReduceOp.h>
#include <ops/declarable/LegacyPairwiseTransformBoolOp.h>
#include <ops/declarable/LegacyPairwiseTransformOp.h>
#include <ops/declarable/LegacyRandomOp.h>
#include <ops/declarable/LegacyReduce3Op.h>
#include <ops/declarable/LegacyReduceOp.h>
#include <ops/declarable/LegacyScalarBoolOp.h>
#include <ops/declarable/LegacyScalarOp.h>
#include <ops/declarable/LegacyStatsOp.h>
#include <ops/declarable/LegacyTransformOp.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace sd;
using namespace sd::ops;

namespace {

using Dims = std::vector<LongType>;
using Values = std::vector<double>;
using Arrays = std::vector<NDArray*>;

constexpr double INF = std::numeric_limits<double>::infinity();

NDArray array(const Dims& dims, const Values& values, DataType type = FLOAT32, char order = 'c') {
  NDArray result('c', dims, values, type);
  return order == 'c' ? result : result.dup('f');
}

void expectArray(const NDArray& z, DataType type, const Dims& dims, const Values& values, const std::string& what) {
  EXPECT_EQ(z.dataType(), type) << what;
  EXPECT_EQ(Dims(z.shapeOf(), z.shapeOf() + z.rankOf()), dims) << what;
  ASSERT_EQ(z.lengthOf(), static_cast<LongType>(values.size())) << what;
  for (size_t i = 0; i < values.size(); i++)
    EXPECT_NEAR(z.e<double>(static_cast<LongType>(i)), values[i], 1e-5 * std::max(1.0, std::fabs(values[i])))
        << what << " [" << i << "]";
}

struct Row {
  const char* what;
  std::function<LegacyOp*()> make;
  std::vector<NDArray> inputs;
  Values floats;
  std::vector<LongType> integers;
  std::vector<bool> booleans;
  DataType type;
  Dims dims;
  Values values;
};

std::vector<Row> rows() {
  const NDArray x = array({2, 3}, {1, -2, 3, -4, 5, -6}), ones = array({2, 3}, {1, 1, 1, 1, 1, 1});
  const NDArray axis1 = array({1}, {1}, INT32), both = array({2}, {-1, 0}, INT64), row = array({3}, {10, 20, 30});
  const NDArray ints = array({2, 3}, {1, 0, 3, 0, 5, 0}, INT32), f = array({2, 3}, {1, -2, 3, -4, 5, -6}, DOUBLE, 'f');
  const NDArray empty('c', Dims{0, 3}, FLOAT32), four = array({}, {4});
  const LongType all = SD_MAX_DIMENSION;
  const auto make = [](auto* tag, int number) {
    using Op = std::remove_pointer_t<decltype(tag)>;
    return [number]() -> LegacyOp* { return new Op(number); };
  };
#define OP(CLASS, NUMBER) make(static_cast<CLASS*>(nullptr), NUMBER)
  return {
      {"same", OP(LegacyTransformSameOp, transform::Abs), {x}, {}, {}, {}, FLOAT32, {2, 3}, {1, 2, 3, 4, 5, 6}},
      {"same int",
       OP(LegacyTransformSameOp, transform::Square),
       {ints},
       {},
       {},
       {},
       INT32,
       {2, 3},
       {1, 0, 9, 0, 25, 0}},
      {"same f order",
       OP(LegacyTransformSameOp, transform::Neg),
       {f},
       {},
       {},
       {},
       DOUBLE,
       {2, 3},
       {-1, 2, -3, 4, -5, 6}},
      {"same empty", OP(LegacyTransformSameOp, transform::Abs), {empty}, {}, {}, {}, FLOAT32, {0, 3}, {}},
      {"same with parameters",
       OP(LegacyTransformSameOp, transform::ClipByValue),
       {x},
       {-2, 3},
       {},
       {},
       FLOAT32,
       {2, 3},
       {1, -2, 3, -2, 3, -2}},
      {"float of int",
       OP(LegacyTransformFloatOp, transform::Sqrt),
       {ints},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {1, 0, std::sqrt(3), 0, std::sqrt(5), 0}},
      {"float of double",
       OP(LegacyTransformFloatOp, transform::Sqrt),
       {array({1}, {2}, DOUBLE)},
       {},
       {},
       {},
       DOUBLE,
       {1},
       {std::sqrt(2)}},
      {"strict",
       OP(LegacyTransformStrictOp, transform::HardTanh),
       {x},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {1, -1, 1, -1, 1, -1}},
      {"strict with parameters",
       OP(LegacyTransformStrictOp, transform::Affine),
       {x},
       {2, 1},
       {},
       {},
       FLOAT32,
       {2, 3},
       {3, -3, 7, -7, 11, -11}},
      {"bool", OP(LegacyTransformBoolOp, transform::IsPositive), {x}, {}, {}, {}, BOOL, {2, 3}, {1, 0, 1, 0, 1, 0}},
      {"any", OP(LegacyTransformAnyOp, transform::Assign), {x}, {}, {}, {}, FLOAT32, {2, 3}, {1, -2, 3, -4, 5, -6}},
      {"pairwise",
       OP(LegacyPairwiseTransformOp, pairwise::Subtract),
       {x, ones},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {0, -3, 2, -5, 4, -7}},
      {"pairwise one element",
       OP(LegacyPairwiseTransformOp, pairwise::Multiply),
       {x, four},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {4, -8, 12, -16, 20, -24}},
      {"pairwise bool",
       OP(LegacyPairwiseTransformBoolOp, pairwise::GreaterThan),
       {x, ones},
       {},
       {},
       {},
       BOOL,
       {2, 3},
       {0, 0, 1, 0, 1, 0}},
      {"scalar of an argument",
       OP(LegacyScalarOp, scalar::Multiply),
       {x},
       {0.5},
       {},
       {},
       FLOAT32,
       {2, 3},
       {.5, -1, 1.5, -2, 2.5, -3}},
      {"scalar of an input",
       OP(LegacyScalarOp, scalar::Add),
       {x, four},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {5, 2, 7, 0, 9, -2}},
      {"scalar bool", OP(LegacyScalarBoolOp, scalar::LessThan), {x}, {1}, {}, {}, BOOL, {2, 3}, {0, 1, 0, 1, 0, 1}},
      {"scalar bool with parameters",
       OP(LegacyScalarBoolOp, scalar::MatchCondition),
       {x},
       {3, 0, 0, 3},
       {},
       {},
       BOOL,
       {2, 3},
       {0, 0, 0, 0, 1, 0}},
      {"broadcast",
       OP(LegacyBroadcastOp, broadcast::Add),
       {x, row, axis1},
       {},
       {},
       {},
       FLOAT32,
       {2, 3},
       {11, 18, 33, 6, 25, 24}},
      {"broadcast by arguments",
       OP(LegacyBroadcastOp, broadcast::Multiply),
       {x, array({2}, {1, 2})},
       {},
       {0},
       {},
       FLOAT32,
       {2, 3},
       {1, -2, 3, -8, 10, -12}},
      {"broadcast bool",
       OP(LegacyBroadcastBoolOp, broadcast::GreaterThan),
       {x, array({3}, {0, 0, 4})},
       {},
       {1},
       {},
       BOOL,
       {2, 3},
       {1, 0, 0, 0, 1, 0}},
      {"reduce same", OP(LegacyReduceSameOp, reduce::Sum), {x, axis1}, {}, {}, {}, FLOAT32, {2}, {2, -5}},
      {"reduce same kept", OP(LegacyReduceSameOp, reduce::Sum), {x, axis1}, {}, {}, {true}, FLOAT32, {2, 1}, {2, -5}},
      {"reduce same all", OP(LegacyReduceSameOp, reduce::Max), {x}, {}, {}, {}, FLOAT32, {}, {5}},
      {"reduce same INT_MAX", OP(LegacyReduceSameOp, reduce::Max), {x}, {}, {all}, {}, FLOAT32, {}, {5}},
      {"reduce INT_MAX wins", OP(LegacyReduceSameOp, reduce::Max), {x, axis1}, {}, {all}, {}, FLOAT32, {}, {5}},
      {"reduce same all kept", OP(LegacyReduceSameOp, reduce::Max), {x, both}, {}, {}, {true}, FLOAT32, {1, 1}, {5}},
      {"reduce same old format",
       OP(LegacyReduceSameOp, reduce::Max),
       {x},
       {},
       {},
       {false, false},
       FLOAT32,
       {1, 1},
       {5}},
      {"reduce same by arguments", OP(LegacyReduceSameOp, reduce::Sum), {x}, {}, {-2}, {}, FLOAT32, {3}, {-3, 3, -3}},
      {"reduce same empty", OP(LegacyReduceSameOp, reduce::Sum), {empty}, {}, {0}, {}, FLOAT32, {3}, {0, 0, 0}},
      {"reduce same empty all", OP(LegacyReduceSameOp, reduce::Prod), {empty}, {}, {}, {}, FLOAT32, {}, {1}},
      {"reduce float", OP(LegacyReduceFloatOp, reduce::Norm1), {x, axis1}, {}, {}, {}, FLOAT32, {2}, {6, 15}},
      {"reduce float of int",
       OP(LegacyReduceFloatOp, reduce::Mean),
       {ints},
       {},
       {1},
       {},
       FLOAT32,
       {2},
       {4. / 3, 5. / 3}},
      {"reduce float with a parameter",
       OP(LegacyReduceFloatOp, reduce::NormP),
       {x},
       {3},
       {1},
       {},
       FLOAT32,
       {2},
       {std::cbrt(36.), std::cbrt(64. + 125 + 216)}},
      {"reduce bool", OP(LegacyReduceBoolOp, reduce::Any), {ints}, {}, {0}, {}, BOOL, {3}, {1, 1, 1}},
      {"reduce bool all", OP(LegacyReduceBoolOp, reduce::All), {ints}, {}, {all}, {}, BOOL, {}, {0}},
      {"reduce long", OP(LegacyReduceLongOp, reduce::CountNonZero), {ints}, {}, {1}, {}, INT64, {2}, {2, 1}},
      {"reduce long with parameters",
       OP(LegacyReduceLongOp, reduce::MatchCondition),
       {x},
       {0, 0, 3},
       {1},
       {},
       INT64,
       {2},
       {2, 1}},
      {"index", OP(LegacyIndexReduceOp, indexreduce::IndexAbsoluteMax), {x, axis1}, {}, {}, {}, INT64, {2}, {2, 2}},
      {"index all", OP(LegacyIndexReduceOp, indexreduce::IndexMin), {x}, {}, {}, {}, INT64, {}, {5}},
      {"distance",
       OP(LegacyReduce3Op, reduce3::ManhattanDistance),
       {x, ones},
       {},
       {},
       {},
       FLOAT32,
       {},
       {0 + 3 + 2 + 5 + 4 + 7}},
      {"distance along", OP(LegacyReduce3Op, reduce3::Dot), {x, ones}, {}, {1}, {}, FLOAT32, {2}, {2, -5}},
      {"distance to one row", OP(LegacyReduce3Op, reduce3::Dot), {x, row}, {}, {1}, {}, FLOAT32, {2}, {60, -120}},
      {"distance from one row", OP(LegacyReduce3Op, reduce3::Dot), {row, x}, {}, {1}, {}, FLOAT32, {2}, {60, -120}},
      {"unequal pairs", OP(LegacyReduce3Op, reduce3::EqualsWithEps), {x, ones}, {0.7}, {}, {}, FLOAT32, {}, {4}},
      {"variance",
       OP(LegacyStatsOp, variance::SummaryStatsVariance),
       {x},
       {},
       {0, 1},
       {},
       FLOAT32,
       {2},
       {38. / 9, 206. / 9}},
      {"variance corrected",
       OP(LegacyStatsOp, variance::SummaryStatsVariance),
       {x},
       {},
       {1, 1},
       {},
       FLOAT32,
       {2},
       {38. / 6, 206. / 6}},
      {"deviation of all",
       OP(LegacyStatsOp, variance::SummaryStatsStandardDeviation),
       {ints},
       {},
       {},
       {},
       FLOAT32,
       {},
       {std::sqrt(35. / 6 - 2.25)}},
      {"infinity",
       OP(LegacyTransformStrictOp, transform::Exp),
       {array({2}, {INF, -INF})},
       {},
       {},
       {},
       FLOAT32,
       {2},
       {INF, 0}},
  };
#undef OP
}

NDArray* pointer(const NDArray& array) { return const_cast<NDArray*>(&array); }

Arrays pointers(const std::vector<NDArray>& arrays) {
  Arrays result;
  for (const NDArray& a : arrays) result.push_back(pointer(a));
  return result;
}

}  // namespace

TEST(LegacyOpTests, ValuesOfEveryKind) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.what);
    const std::unique_ptr<LegacyOp> op(row.make());
    auto result = op->evaluate(pointers(row.inputs), row.floats, row.integers, row.booleans);
    ASSERT_EQ(result.status(), Status::OK);
    ASSERT_EQ(result.size(), 1);
    if (!std::isinf(row.values.empty() ? 0 : row.values[0])) {
      expectArray(*result.at(0), row.type, row.dims, row.values, "evaluate");
    } else {
      EXPECT_EQ(result.at(0)->e<double>(0), row.values[0]);
    }

    // The caller's outputs: in f order, and as a view of a larger array.
    NDArray f = row.dims.empty() ? NDArray(row.type) : NDArray('f', row.dims, row.type);
    EXPECT_EQ(op->execute(pointers(row.inputs), {&f}, row.floats, row.integers, row.booleans), Status::OK);
    EXPECT_TRUE(f.isEmpty() || f.equalsTo(result.at(0)));

    // The number in the context takes precedence over the object's; clones keep the number.
    const std::unique_ptr<LegacyOp> clone(op->clone());
    auto again = clone->evaluate(pointers(row.inputs), row.floats, row.integers, row.booleans);
    EXPECT_TRUE(again.at(0)->isEmpty() || again.at(0)->equalsTo(result.at(0)));
  }
}

TEST(LegacyOpTests, TheNumberOfTheContextGoesFirst) {
  NDArray x = array({2}, {1, -4}), z('c', Dims{2}, FLOAT32);
  LegacyTransformSameOp abs(transform::Abs), none;
  graph::Context context(1);
  context.setInputArray(0, &x);
  context.setOutputArray(0, &z);
  context.setOpNum(transform::Neg);
  EXPECT_EQ(abs.execute(&context), Status::OK);
  expectArray(z, FLOAT32, {2}, {-1, 4}, "the number of the context");
  EXPECT_EQ(none.execute(&context), Status::OK);
  context.setOpNum(-1);
  EXPECT_EQ(abs.execute(&context), Status::OK);
  expectArray(z, FLOAT32, {2}, {1, 4}, "the number of the object");
  EXPECT_THROW(none.execute(&context), std::runtime_error);
}

TEST(LegacyOpTests, AxesOfTheContext) {
  NDArray x = array({2, 3}, {1, -2, 3, -4, 5, -6}), sums('c', Dims{2}, FLOAT32), row = array({3}, {10, 20, 30});
  LegacyReduceSameOp sum(reduce::Sum);
  graph::Context context(1);
  context.setInputArray(0, &x);
  context.setOutputArray(0, &sums);
  context.getAxis()->push_back(1);
  EXPECT_EQ(sum.execute(&context), Status::OK);
  expectArray(sums, FLOAT32, {2}, {2, -5}, "sums");

  LegacyBroadcastOp add(broadcast::Add);
  NDArray z('c', Dims{2, 3}, FLOAT32);
  graph::Context other(1);
  other.setInputArray(0, &x);
  other.setInputArray(1, &row);
  other.setOutputArray(0, &z);
  other.getAxis()->push_back(-1);
  EXPECT_EQ(add.execute(&other), Status::OK);
  expectArray(z, FLOAT32, {2, 3}, {11, 18, 33, 6, 25, 24}, "broadcast");
}

TEST(LegacyOpTests, ScalarOfTheConstructor) {
  NDArray x = array({2}, {1, 2}), five = array({}, {5}), two = array({2}, {1, 2});
  LegacyScalarOp add(scalar::Add, five);
  LegacyScalarBoolOp greater(scalar::GreaterThan, five);
  five.p(0, 100.f);  // the array was copied
  expectArray(*add.evaluate({&x}).at(0), FLOAT32, {2}, {6, 7}, "constructor");
  const std::unique_ptr<LegacyOp> clone(add.clone());
  expectArray(*clone->evaluate({&x}).at(0), FLOAT32, {2}, {6, 7}, "clone");
  expectArray(*add.evaluate({&x}, {1.0}).at(0), FLOAT32, {2}, {2, 3}, "an argument goes first");
  expectArray(*greater.evaluate({&x}).at(0), BOOL, {2}, {0, 0}, "bool");
  EXPECT_THROW(LegacyScalarOp(scalar::Add, two), std::invalid_argument);
}

TEST(LegacyOpTests, InPlace) {
  NDArray x = array({3}, {1, -2, 3}), y = array({3}, {1, 1, 1});
  auto result = LegacyTransformSameOp(transform::Abs).evaluate({&x}, {}, {}, {}, {}, true);
  EXPECT_EQ(result.at(0), &x);
  expectArray(x, FLOAT32, {3}, {1, 2, 3}, "transform");
  LegacyPairwiseTransformOp(pairwise::Add).evaluate({&x, &y}, {}, {}, {}, {}, true);
  expectArray(x, FLOAT32, {3}, {2, 3, 4}, "pairwise");
  LegacyScalarOp(scalar::Multiply).evaluate({&x}, {2}, {}, {}, {}, true);
  expectArray(x, FLOAT32, {3}, {4, 6, 8}, "scalar");
  EXPECT_EQ(LegacyReduceSameOp(reduce::Sum).evaluate({&x}, {}, {}, {}, {}, true).at(0), &x);
  expectArray(x, FLOAT32, {}, {18}, "reduction");
}

TEST(LegacyOpTests, OtherTypesOfOutputs) {
  NDArray x = array({2}, {1.5, -2.5}), whole('c', Dims{2}, INT16), wide('c', Dims{2}, DOUBLE);
  EXPECT_EQ(LegacyTransformAnyOp(transform::Assign).execute({&x}, {&whole}), Status::OK);
  expectArray(whole, INT16, {2}, {1, -2}, "any to INT16");
  EXPECT_EQ(LegacyTransformFloatOp(transform::Sqrt).execute({&x}, {&wide}), Status::OK);
  EXPECT_NEAR(wide.e<double>(0), std::sqrt(1.5), 1e-12);
  NDArray position(INT32);
  EXPECT_EQ(LegacyIndexReduceOp(indexreduce::IndexMin).execute({&x}, {&position}), Status::OK);
  EXPECT_EQ(position.e<int>(0), 1);
}

TEST(LegacyOpTests, Rejections) {
  NDArray x = array({2, 3}, {1, 2, 3, 4, 5, 6}), y = array({3, 2}, {1, 2, 3, 4, 5, 6}),
          d = array({2, 3}, {1, 2, 3, 4, 5, 6}, DOUBLE);
  NDArray ints = array({2, 3}, {1, 2, 3, 4, 5, 6}, INT32), row = array({3}, {1, 2, 3}), oneHalf = array({1}, {0.5});
  NDArray text("text"), z('c', Dims{2, 3}, INT8), scalar = array({}, {1});
  z.assign(7);

  // Types that a group does not support give a status.
  EXPECT_EQ(LegacyTransformStrictOp(transform::Tanh).evaluate({&ints}).status(), Status::VALIDATION);
  EXPECT_EQ(LegacyTransformSameOp(transform::Abs).execute({&x}, {&z}), Status::VALIDATION);
  EXPECT_EQ(LegacyTransformBoolOp(transform::IsNan).execute({&x}, {&z}), Status::VALIDATION);
  EXPECT_EQ(LegacyIndexReduceOp(indexreduce::IndexMax).execute({&x}, {&oneHalf}), Status::VALIDATION);
  EXPECT_EQ(LegacyTransformSameOp(transform::Abs).evaluate({&text}).status(), Status::VALIDATION);
  EXPECT_EQ(LegacyTransformSameOp(transform::Abs).evaluate({}).status(), Status::VALIDATION);
  EXPECT_EQ(LegacyPairwiseTransformOp(pairwise::Add).evaluate({&x, &y}).status(), Status::VALIDATION);
  EXPECT_NE(DeclarableOp::lastValidationMessage().find("[3, 2]"), std::string::npos);

  const auto refused = [](const char* what, const char* part, const std::function<void()>& call) {
    try {
      call();
      ADD_FAILURE() << what << " is not refused";
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << what << ": " << error.what();
    }
  };
  refused("unknown number", "400", [&] { LegacyTransformSameOp(400).evaluate({&x}); });
  refused("number of another group", "TRANSFORM_ANY", [&] { LegacyTransformAnyOp(3).evaluate({&x}); });
  refused("types of a pair", "DOUBLE", [&] { LegacyPairwiseTransformOp(pairwise::Add).evaluate({&x, &d}); });
  refused("second operand", "input 1", [&] { LegacyPairwiseTransformOp(pairwise::Add).evaluate({&x}); });
  refused("scalar", "scalar", [&] { LegacyScalarOp(scalar::Add).evaluate({&x}); });
  refused("long scalar", "[scalar.Add] Add: argument 'scalar'", [&] {
    LegacyScalarOp(scalar::Add).evaluate({&x, &row});
  });
  refused("axes of a broadcast", "'axis'", [&] { LegacyBroadcastOp(broadcast::Add).evaluate({&x, &row}); });
  refused("shape of a broadcast", "Add", [&] { LegacyBroadcastOp(broadcast::Add).evaluate({&x, &row}, {0}); });
  refused("axis", "'axis': 2", [&] { LegacyReduceSameOp(reduce::Sum).evaluate({&x}, {2}); });
  refused("axis twice", "more than once", [&] { LegacyReduceSameOp(reduce::Sum).evaluate({&x}, {1, -1}); });
  refused("axes of a float type", "FLOAT32", [&] { LegacyReduceSameOp(reduce::Sum).evaluate({&x, &oneHalf}); });
  refused("parameters", "2", [&] { LegacyTransformStrictOp(transform::Affine).evaluate({&x}, {1.0}); });
  refused("no parameters", "NormP", [&] { LegacyReduceFloatOp(reduce::NormP).evaluate({&x}); });
  refused("lengths of a distance", "Dot", [&] { LegacyReduce3Op(reduce3::Dot).evaluate({&x, &row}); });
  refused("output", "[3, 2]", [&] { LegacyReduceSameOp(reduce::Sum).execute({&x}, {&y}, {}, {1}); });
  for (LongType i = 0; i < z.lengthOf(); i++) EXPECT_EQ(z.e<int>(i), 7);
}

// ---- random

namespace {

struct RandomRow {
  const char* what;
  int number;
  std::vector<NDArray> inputs;
  Values floats;
  std::vector<int> integers;
  Dims dims;
  double low, high;
};

}  // namespace

TEST(LegacyOpTests, RandomNumbers) {
  const NDArray shape = array({2}, {20, 50}, INT64), vector = array({1000}, Values(1000, 2)), one = array({}, {1}),
                two = array({}, {2}), oneHalf = array({}, {0.5}), eleven = array({}, {11}, INT32);
  const std::vector<RandomRow> rows = {
      {"uniform", random::UniformDistribution, {shape}, {-1, 3}, {}, {20, 50}, -1, 3},
      {"uniform of inputs", random::UniformDistribution, {shape, one, two}, {}, {}, {20, 50}, 1, 2},
      {"uniform like x", random::UniformDistribution, {vector}, {-1, 3}, {}, {1000}, -1, 3},
      {"dropout", random::DropOut, {vector}, {0.5}, {}, {1000}, 0, 2},
      {"dropout inverted", random::DropOutInverted, {vector, oneHalf}, {}, {}, {1000}, 0, 4},
      {"merge", random::ProbablisticMerge, {vector, array({1000}, Values(1000, 3))}, {0.5}, {}, {1000}, 2, 3},
      {"linspace", random::Linspace, {shape}, {1, 2}, {}, {20, 50}, 1, 2},
      {"linspace of inputs", random::Linspace, {one, two, eleven}, {}, {}, {11}, 1, 2},
      {"choice", random::Choice, {array({3}, {1, 2, 3}), array({3}, {0.3, 0.3, 0.4})}, {}, {}, {3}, 1, 3},
      {"choice of a shape",
       random::Choice,
       {array({2}, {1, 2}), array({2}, {0.5, 0.5}), shape},
       {},
       {},
       {20, 50},
       1,
       2},
      {"gaussian", random::GaussianDistribution, {shape}, {10, 1}, {}, {20, 50}, 3, 17},
      {"bernoulli", random::BernoulliDistribution, {shape}, {0.5}, {}, {20, 50}, 0, 1},
      {"binomial", random::BinomialDistribution, {shape}, {0.5}, {4}, {20, 50}, 0, 4},
      {"binomial of inputs", random::BinomialDistributionEx, {shape, two, oneHalf}, {}, {}, {20, 50}, 0, 2},
      {"log normal", random::LogNormalDistribution, {shape}, {0, 0.1}, {}, {20, 50}, 0.4, 2.5},
      {"truncated", random::TruncatedNormalDistribution, {shape}, {1, 2}, {}, {20, 50}, -3, 5},
      {"alpha dropout", random::AlphaDropOut, {vector}, {0.5, 1, 0, -3}, {}, {1000}, -3, 2},
      {"exponential", random::ExponentialDistribution, {shape}, {1}, {}, {20, 50}, 0, 25},
      {"exponential inv", random::ExponentialDistributionInv, {shape}, {1}, {}, {20, 50}, 0, 25},
      {"poisson", random::PoissonDistribution, {shape}, {3}, {}, {20, 50}, 0, 30},
      {"gamma", random::GammaDistribution, {shape}, {2, 1}, {}, {20, 50}, 0, 30},
  };
  for (const RandomRow& row : rows) {
    SCOPED_TRACE(row.what);
    LegacyRandomOp op(row.number);
    graph::RandomGenerator rng(119, 5), other(120, 5);
    Arrays inputs = pointers(row.inputs);
    Values floats = row.floats;
    std::vector<int> integers = row.integers;
    auto first = op.execute(rng, inputs, floats, integers), again = op.execute(rng, inputs, floats, integers);
    auto different = op.execute(other, inputs, floats, integers);
    ASSERT_EQ(first.status(), Status::OK);
    const NDArray& z = *first.at(0);
    EXPECT_EQ(z.dataType(), FLOAT32);
    EXPECT_EQ(Dims(z.shapeOf(), z.shapeOf() + z.rankOf()), row.dims);
    EXPECT_TRUE(z.equalsTo(again.at(0)));
    if (row.number != random::Linspace && z.lengthOf() > 100) {
      EXPECT_FALSE(z.equalsTo(different.at(0)));
    }
    EXPECT_GE(z.reduceNumber(reduce::Min).e<double>(0), row.low);
    EXPECT_LE(z.reduceNumber(reduce::Max).e<double>(0), row.high);
  }
}

TEST(LegacyOpTests, RandomFormsAndTypes) {
  NDArray shape = array({2}, {3, 4}, INT32), start = array({}, {1}), finish = array({}, {3}),
          points = array({}, {5}, INT64);
  graph::RandomGenerator rng(1, 2);
  LegacyRandomOp uniform(random::UniformDistribution), linspace(random::Linspace);
  auto list = uniform.execute(rng, {&shape}, {0., 1.}, {});
  EXPECT_EQ(list.at(0)->lengthOf(), 12);
  expectArray(*linspace.execute(rng, {&start, &finish, &points}, {}, {}).at(0), FLOAT32, {5}, {1, 1.5, 2, 2.5, 3},
              "linspace");
  NDArray z('c', Dims{3, 4}, DOUBLE);
  EXPECT_EQ(uniform.DeclarableOp::execute(rng, Arrays{&shape}, Arrays{&z}, {5, 6}, {}, {}, {}, false, DOUBLE),
            Status::OK);
  EXPECT_GE(z.reduceNumber(reduce::Min).e<double>(0), 5);

  // The context's generator advances.
  graph::Context context(1);
  NDArray f('c', Dims{3, 4}, FLOAT32);
  context.setInputArray(0, &f);
  context.setOutputArray(0, &f);
  context.setRng(rng);
  context.setTArguments({0., 1.});
  EXPECT_EQ(uniform.execute(&context), Status::OK);
  EXPECT_NE(context.getRng().nodeState(), rng.nodeState());
}

TEST(LegacyOpTests, RandomRejections) {
  NDArray shape = array({2}, {3, 4}, INT32), negative = array({2}, {3, -4}, INT32),
          matrix = array({2, 2}, {1, 2, 3, 4}), flags = array({2}, {1, 0}, BOOL), row = array({2}, {1, 2});
  const auto refused = [](int number, const Arrays& inputs, const Values& floats, const char* part) {
    try {
      LegacyRandomOp(number).evaluate(inputs, floats, {});
      ADD_FAILURE() << number << " is not refused: " << part;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused(random::UniformDistribution, {&shape}, {1}, "2 parameters");
  refused(random::UniformDistribution, {&negative}, {0, 1}, "value -4 at [1]");
  refused(random::UniformDistribution, {&flags}, {0, 1}, "BOOL");
  refused(random::UniformDistribution, {&shape, &row, &row}, {}, "one element");
  refused(random::GaussianDistribution, {&matrix}, {0, 1}, "vector");
  refused(random::DropOut, {&shape}, {0.5}, "float type");
  refused(99, {&shape}, {}, "99");
  NDArray z('c', Dims{3, 4}, INT32);
  graph::RandomGenerator rng(1, 2);
  EXPECT_EQ(
      LegacyRandomOp(random::UniformDistribution).DeclarableOp::execute(rng, Arrays{&shape}, Arrays{&z}, {0, 1}, {}),
      Status::VALIDATION);
}
