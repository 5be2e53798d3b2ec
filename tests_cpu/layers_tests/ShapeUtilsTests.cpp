#include <array/DataTypeUtils.h>
#include <gtest/gtest.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;
using sd::ShapeUtils;
using Ints = std::vector<int>;

Longs contiguous(const Longs& dims, LongType flags = ARRAY_FLOAT) {
  Longs strides(dims.size());
  LongType step = 1;
  for (size_t i = dims.size(); i-- > 0; step *= dims[i]) strides[i] = step;
  if (product(dims) == 0) {
    strides.assign(dims.size(), 0);
    flags |= ARRAY_EMPTY;
  }
  return slotsOf(dims, strides, 'c', 1, flags);
}

TEST(ShapeUtilsTests, ReducedShapes) {
  struct Row {
    Longs dims;
    Ints axes;
    bool keepDims, oldShapes;
    Longs expected;
    Ints normalised;
  };
  const std::vector<Row> rows = {
      {{2, 3, 4}, {1}, false, false, {2, 4}, {1}},
      {{2, 3, 4}, {1}, true, false, {2, 1, 4}, {1}},
      {{2, 3, 4}, {-1, 0}, false, false, {3}, {0, 2}},
      {{2, 3, 4}, {-1, 0}, true, false, {1, 3, 1}, {0, 2}},
      {{2, 3, 4}, {2, 0, 1}, false, false, {}, {0, 1, 2}},
      {{2, 3, 4}, {2, 0, 1}, true, false, {1, 1, 1}, {0, 1, 2}},
      {{2, 3, 4}, {}, false, false, {}, {}},
      {{2, 3, 4}, {}, true, false, {1, 1, 1}, {}},
      {{2, 3}, {SD_MAX_DIMENSION}, false, false, {}, {SD_MAX_DIMENSION}},
      {{5}, {0}, true, false, {1}, {0}},
      {{5}, {-1}, true, false, {1}, {0}},
      {{5}, {0}, false, false, {}, {0}},
      {{5}, {}, true, false, {}, {}},
      {{}, {}, false, false, {}, {}},
      {{}, {0}, false, false, {}, {0}},
      {{2, 3}, {}, false, true, {1, 1}, {}},
      {{2, 3}, {0}, false, true, {1, 3}, {0}},
      {{2, 3}, {1}, false, true, {2, 1}, {1}},
      {{2, 0, 3}, {1}, false, false, {2, 3}, {1}},
      {{2, 0, 3}, {0}, false, false, {0, 3}, {0}},
      {{2, 0, 3}, {0}, true, false, {1, 0, 3}, {0}},
      {{2, 0, 3}, {0, 1, 2}, false, false, {}, {0, 1, 2}},
      {{2, 0, 3}, {}, false, false, {2, 0, 3}, {}},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.dims) + testing::PrintToString(row.axes));
    const Longs slots = contiguous(row.dims);
    Ints axes = row.axes;
    const LongType* info = ShapeUtils::evalReduceShapeInfo('c', axes, slots.data(), row.keepDims, row.oldShapes);
    EXPECT_EQ(contiguous(row.expected), slotsAt(info));
    EXPECT_EQ(row.normalised, axes);
    axes = row.axes;
    info = ShapeUtils::evalReduceShapeInfo('f', axes, slots.data(), sd::INT64, row.keepDims, row.oldShapes);
    EXPECT_EQ(row.expected, dimsAt(info));
    EXPECT_EQ(sd::INT64, sd::ArrayOptions::dataType(info));
  }
  const Longs slots = contiguous({2, 3});
  for (const Ints& bad : std::vector<Ints>{{2}, {-3}, {0, 0}, {0, -2}}) {
    Ints axes = bad;
    EXPECT_THROW(ShapeUtils::evalReduceShapeInfo('c', axes, slots.data()), std::runtime_error)
        << testing::PrintToString(bad);
  }
}

TEST(ShapeUtilsTests, OtherDimensions) {
  EXPECT_EQ(Ints({0, 2}), ShapeUtils::evalDimsToExclude(4, {1, 3}));
  EXPECT_EQ(Ints({0, 2}), ShapeUtils::evalDimsToExclude(4, {-1, 1}));
  EXPECT_EQ(Ints({0, 1, 2}), ShapeUtils::evalDimsToExclude(3, Ints{}));
  EXPECT_EQ(Ints(), ShapeUtils::evalDimsToExclude(2, {0, 1}));
  const int dims[] = {2};
  EXPECT_EQ(Ints({0, 1}), ShapeUtils::evalDimsToExclude(3, 1, dims));
  EXPECT_THROW(ShapeUtils::evalDimsToExclude(3, {3}), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalDimsToExclude(3, {1, 1}), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalDimsToExclude(40, {1}), std::runtime_error);
  const Longs slots = contiguous({2, 3, 4});
  EXPECT_EQ(8, ShapeUtils::getNumOfSubArrs(slots.data(), {0, 2}));
  EXPECT_EQ(4, ShapeUtils::getNumOfSubArrs(slots.data(), {-1}));
  EXPECT_EQ(1, ShapeUtils::getNumOfSubArrs(slots.data(), {}));
  EXPECT_EQ(1, ShapeUtils::getNumOfSubArrs(slots.data(), {0, 1, 2}));
  EXPECT_THROW(ShapeUtils::getNumOfSubArrs(slots.data(), {3}), std::runtime_error);
}

TEST(ShapeUtilsTests, Broadcasts) {
  struct Row {
    Longs a, b;
    std::optional<Longs> expected;
  };
  // Expected: numpy.broadcast_shapes.
  const std::vector<Row> rows = {
      {{3, 1}, {4}, Longs{3, 4}},
      {{2, 3, 4}, {3, 4}, Longs{2, 3, 4}},
      {{3, 4}, {2, 1, 4}, Longs{2, 3, 4}},
      {{2, 1, 4}, {1, 3, 1}, Longs{2, 3, 4}},
      {{}, {2, 3}, Longs{2, 3}},
      {{}, {}, Longs{}},
      {{1}, {1, 1}, Longs{1, 1}},
      {{3, 2}, {4}, std::nullopt},
      {{2, 3}, {3, 2}, std::nullopt},
      {{0}, {1}, Longs{0}},
      {{2, 0}, {2, 1}, Longs{2, 0}},
      {{0, 3}, {3}, Longs{0, 3}},
      {{0}, {3}, std::nullopt},
  };
  for (const Row& row : rows)
    for (const bool swapped : {false, true})
      for (const bool evalMinMax : {false, true}) {
        const Longs a = contiguous(swapped ? row.b : row.a), b = contiguous(swapped ? row.a : row.b);
        SCOPED_TRACE(testing::PrintToString(row.a) + testing::PrintToString(row.b));
        EXPECT_EQ(row.expected.has_value(), ShapeUtils::areShapesBroadcastable(a.data(), b.data()));
        EXPECT_EQ(row.expected.has_value(), ShapeUtils::areShapesBroadcastable(row.a, row.b));
        const LongType* result = nullptr;
        EXPECT_EQ(row.expected.has_value(), ShapeUtils::evalBroadcastShapeInfo(a.data(), b.data(), evalMinMax, result));
        if (!row.expected) {
          EXPECT_EQ(nullptr, result);
          continue;
        }
        EXPECT_EQ(contiguous(*row.expected), slotsAt(result));
        // Summing over the backward axes gives the operand's length again.
        for (const Longs* operand : {&a, &b}) {
          const Ints axes = ShapeUtils::evalBroadcastBackwardAxis(operand->data(), result);
          LongType rest = 1;
          for (int i = 0; i < static_cast<int>(row.expected->size()); i++)
            if (std::find(axes.begin(), axes.end(), i) == axes.end()) rest *= (*row.expected)[i];
          EXPECT_EQ(shape::length(operand->data()), rest);
        }
      }
}

TEST(ShapeUtilsTests, TypesAndEmptinessOfBroadcasts) {
  const Longs ints = contiguous({4}, ARRAY_INT), floats = contiguous({3, 1}),
              doubles = contiguous({1, 3, 1}, ARRAY_DOUBLE);
  const LongType* result = nullptr;
  EXPECT_TRUE(ShapeUtils::evalBroadcastShapeInfo(ints.data(), floats.data(), true, result));
  EXPECT_EQ(sd::FLOAT32, sd::ArrayOptions::dataType(result));
  EXPECT_THROW(ShapeUtils::evalBroadcastShapeInfo(ints.data(), floats.data(), true, result), std::runtime_error);
  result = nullptr;
  EXPECT_TRUE(ShapeUtils::evalBroadcastShapeInfo(floats.data(), doubles.data(), true, result));
  EXPECT_EQ(sd::DOUBLE, sd::ArrayOptions::dataType(result)) << "the larger rank comes first";
  result = nullptr;
  EXPECT_TRUE(ShapeUtils::evalBroadcastShapeInfo(floats.data(), doubles.data(), false, result));
  EXPECT_EQ(sd::FLOAT32, sd::ArrayOptions::dataType(result));
  const Longs scalar = slotsOf({}, {}, 'c', 1), empty = slotsOf({}, {}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY);
  result = nullptr;
  EXPECT_TRUE(ShapeUtils::evalBroadcastShapeInfo(scalar.data(), empty.data(), true, result));
  EXPECT_EQ(empty, slotsAt(result));
}

TEST(ShapeUtilsTests, BackwardAxes) {
  const Longs result = contiguous({2, 3, 4});
  EXPECT_EQ(Ints({0}), ShapeUtils::evalBroadcastBackwardAxis(contiguous({3, 4}).data(), result.data()));
  EXPECT_EQ(Ints({0, 1}), ShapeUtils::evalBroadcastBackwardAxis(contiguous({1, 4}).data(), result.data()));
  EXPECT_EQ(Ints({0, 1, 2}), ShapeUtils::evalBroadcastBackwardAxis(contiguous({}).data(), result.data()));
  EXPECT_EQ(Ints(), ShapeUtils::evalBroadcastBackwardAxis(result.data(), result.data()));
  EXPECT_THROW(ShapeUtils::evalBroadcastBackwardAxis(result.data(), contiguous({4}).data()), std::runtime_error);
}

TEST(ShapeUtilsTests, Permutations) {
  EXPECT_EQ(Ints({2, 0, 1}), ShapeUtils::evalPermutFromTo({2, 3, 4}, {4, 2, 3}));
  EXPECT_EQ(Ints(), ShapeUtils::evalPermutFromTo({2, 3}, {2, 3}));
  EXPECT_EQ(Ints({1, 0, 2}), ShapeUtils::evalPermutFromTo({2, 3, 2}, {3, 2, 2}));
  EXPECT_THROW(ShapeUtils::evalPermutFromTo({2, 3}, {2, 4}), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalPermutFromTo({2, 3}, {2, 3, 1}), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalPermutFromTo({2, 3}, {2, 2}), std::runtime_error);
  EXPECT_FALSE(ShapeUtils::isPermutNecessary({0, 1, 2}));
  EXPECT_FALSE(ShapeUtils::isPermutNecessary({}));
  EXPECT_TRUE(ShapeUtils::isPermutNecessary({1, 0}));
  const Longs slots = contiguous({2, 3, 4});
  const int turn[] = {2, 0, 1};
  EXPECT_EQ(slotsOf({4, 2, 3}, {1, 12, 4}, 'c', 0),
            slotsAt(ShapeUtils::evalPermShapeInfo(turn, 3, slots.data(), false)));
  EXPECT_EQ(contiguous({4, 2, 3}), slotsAt(ShapeUtils::evalPermShapeInfo(turn, 3, slots.data(), true)));
  EXPECT_EQ(slotsOf({4, 3, 2}, {1, 4, 12}, 'f', 1), slotsAt(ShapeUtils::evalTranspShapeInfo(slots.data(), false)));
  EXPECT_THROW(ShapeUtils::evalPermShapeInfo(turn, 2, slots.data(), false), std::runtime_error);
}

TEST(ShapeUtilsTests, TiledAndRepeated) {
  const Longs slots = contiguous({2, 3});
  EXPECT_EQ(contiguous({4, 9}), slotsAt(ShapeUtils::evalTileShapeInfo(slots.data(), {2, 3})));
  EXPECT_EQ(contiguous({5, 2, 9}), slotsAt(ShapeUtils::evalTileShapeInfo(slots.data(), {5, 1, 3})));
  EXPECT_EQ(contiguous({2, 12}), slotsAt(ShapeUtils::evalTileShapeInfo(slots.data(), {4})));
  EXPECT_THROW(ShapeUtils::evalTileShapeInfo(slots.data(), {2, 0}), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalTileShapeInfo(slots.data(), {2, std::numeric_limits<LongType>::max()}),
               std::runtime_error);
  EXPECT_EQ(Longs({2, 6}), ShapeUtils::evalRepeatShape(1, {1, 2, 3}, slots.data()));
  EXPECT_EQ(Longs({8, 3}), ShapeUtils::evalRepeatShape(-2, {4}, slots.data()));
  EXPECT_THROW(ShapeUtils::evalRepeatShape(1, {1, 2}, slots.data()), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalRepeatShape(1, {-1}, slots.data()), std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalRepeatShape(2, {1}, slots.data()), std::runtime_error);
}

TEST(ShapeUtilsTests, MatrixProducts) {
  struct Row {
    Longs x, y;
    bool transX, transY;
    std::optional<Longs> expected;
  };
  const std::vector<Row> rows = {
      {{2, 3}, {3, 4}, false, false, Longs{2, 4}},
      {{3, 2}, {3, 4}, true, false, Longs{2, 4}},
      {{2, 3}, {4, 3}, false, true, Longs{2, 4}},
      {{3, 2}, {4, 3}, true, true, Longs{2, 4}},
      {{5, 2, 3}, {5, 3, 4}, false, false, Longs{5, 2, 4}},
      {{5, 3, 2}, {5, 4, 3}, true, true, Longs{5, 2, 4}},
      {{3}, {3}, false, false, Longs{}},
      {{3}, {3, 4}, false, false, Longs{4}},
      {{3}, {4, 3}, false, true, Longs{4}},
      {{2, 3}, {3}, false, false, Longs{2}},
      {{3, 2}, {3}, true, false, Longs{2}},
      {{2, 0}, {0, 4}, false, false, Longs{2, 4}},
      {{2, 3}, {4, 3}, false, false, std::nullopt},
      {{3}, {4}, false, false, std::nullopt},
      {{5, 2, 3}, {6, 3, 4}, false, false, std::nullopt},
      {{5, 2, 3}, {3, 4}, false, false, std::nullopt},
      {{}, {3}, false, false, std::nullopt},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.x) + testing::PrintToString(row.y));
    const Longs x = contiguous(row.x), y = contiguous(row.y);
    if (!row.expected) {
      EXPECT_THROW(ShapeUtils::evalShapeForMatmul(x.data(), y.data(), row.transX, row.transY), std::runtime_error);
      continue;
    }
    EXPECT_EQ(*row.expected, ShapeUtils::evalShapeForMatmul(x.data(), y.data(), row.transX, row.transY));
    EXPECT_EQ(contiguous(*row.expected, ARRAY_DOUBLE),
              slotsAt(ShapeUtils::matrixProductShape(x.data(), y.data(), row.transX, row.transY, sd::DOUBLE)));
  }
}

TEST(ShapeUtilsTests, TensorDots) {
  const Longs a = contiguous({3, 4, 5}), b = contiguous({4, 3, 2});
  Ints permutA, permutB;
  Longs matrixA, matrixB;
  // numpy.tensordot(a, b, axes=([1, 0], [0, 1])).shape == (5, 2)
  EXPECT_EQ(Longs({5, 2}),
            ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {1, 0}, {0, 1}, permutA, permutB, matrixA, matrixB));
  EXPECT_EQ(Ints({2, 1, 0}), permutA);
  EXPECT_EQ(Ints(), permutB);
  EXPECT_EQ(Longs({5, 12}), matrixA);
  EXPECT_EQ(Longs({12, 2}), matrixB);
  EXPECT_EQ(Longs({3, 4, 5, 4, 3, 2}),
            ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {}, {}, permutA, permutB, matrixA, matrixB));
  EXPECT_EQ(Longs({60, 1}), matrixA);
  EXPECT_EQ(Longs({4, 5, 4, 2}),
            ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {-3}, {-2}, permutA, permutB, matrixA, matrixB));
  EXPECT_THROW(ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {0}, {0}, permutA, permutB, matrixA, matrixB),
               std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {0}, {0, 1}, permutA, permutB, matrixA, matrixB),
               std::runtime_error);
  EXPECT_THROW(ShapeUtils::evalShapeForTensorDot(a.data(), b.data(), {3}, {0}, permutA, permutB, matrixA, matrixB),
               std::runtime_error);
}

TEST(ShapeUtilsTests, TextAndConversion) {
  const Longs slots = contiguous({2, 3});
  const LongType dims[] = {4, 5};
  EXPECT_EQ("[2, 3]", ShapeUtils::shapeAsString(slots.data()));
  EXPECT_EQ("[4, 5]", ShapeUtils::shapeAsString(2, dims));
  EXPECT_EQ("[7]", ShapeUtils::shapeAsString(Longs{7}));
  EXPECT_EQ("[]", ShapeUtils::shapeAsString(Longs{}));
  // Arrays of any length are passed as shapes, but messages stay short.
  const std::string long64 = ShapeUtils::shapeAsString(Longs(64, 3)), long65 = ShapeUtils::shapeAsString(Longs(65, 3));
  EXPECT_EQ(long64.substr(0, long64.size() - 1) + ", ... 65 in all]", long65);
  EXPECT_LT(ShapeUtils::shapeAsString(Longs(100000, 3)).size(), 300u);
  EXPECT_EQ("[3, 1]", ShapeUtils::strideAsString(slots.data()));
  EXPECT_EQ("[2, 2, 3, 3, 1, 8192, 1, 99]", ShapeUtils::shapeInfoAsString(slots.data()));
  EXPECT_EQ(Longs({2, 3}), ShapeUtils::shapeAsVector(slots.data()));
  EXPECT_EQ(Longs({2, 3}), ShapeUtils::pullShapeFromShapeInfo(slots.data()));
  EXPECT_THROW(ShapeUtils::shapeAsString(static_cast<const LongType*>(nullptr)), std::runtime_error);
  Longs changed = slots;
  ShapeUtils::updateStridesAndType(changed.data(), sd::INT16, 'f');
  EXPECT_EQ(slotsOf({2, 3}, {1, 2}, 'f', 1, ARRAY_SHORT), changed);
  ShapeUtils::updateStridesAndType(changed.data(), slots.data(), 'c');
  EXPECT_EQ(slots, changed);
  EXPECT_EQ(8, ShapeUtils::stringBufferHeaderRequirements(0));
  EXPECT_EQ(32, ShapeUtils::stringBufferHeaderRequirements(3));
  EXPECT_THROW(ShapeUtils::stringBufferHeaderRequirements(-1), std::runtime_error);
  EXPECT_THROW(ShapeUtils::stringBufferHeaderRequirements(std::numeric_limits<LongType>::max()), std::runtime_error);
}

}  // namespace
