// Functions on the slots of a shapeInfo: sizes, strides, element-wise stride, order, axes.
#include <gtest/gtest.h>
#include <helpers/shape.h>

#include <stdexcept>

#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;

TEST(ShapeSlotsTests, UnitDimensionsAreLeftOut) {
  struct Case {
    Longs dims, strides, keptDims, keptStrides;
  };
  const Case cases[] = {
      {{2, 1, 3}, {3, 3, 1}, {2, 3}, {3, 1}},    {{1, 1}, {1, 1}, {}, {}}, {{4}, {2}, {4}, {2}},
      {{1, 5, 1, 1}, {50, 10, 7, 1}, {5}, {10}}, {{}, {}, {}, {}},
  };
  for (const Case& c : cases) {
    const Longs info = slotsOf(c.dims, c.strides, 'c', 1);
    Longs dims(c.dims.size()), strides(c.dims.size());
    const int kept = shape::excludeUnitiesFromShapeInfo(info.data(), dims.data(), strides.data());
    ASSERT_EQ(kept, static_cast<int>(c.keptDims.size()));
    EXPECT_EQ(kept, shape::numOfNonUnitDims(static_cast<int>(c.dims.size()), info.data() + 1));
    dims.resize(kept), strides.resize(kept);
    EXPECT_EQ(dims, c.keptDims);
    EXPECT_EQ(strides, c.keptStrides);
  }
}

TEST(ShapeSlotsTests, ProductsAndSlots) {
  const int sizes[] = {2, 3, 4};
  EXPECT_EQ(24, shape::prodLong(sizes, 3));
  EXPECT_EQ(1, shape::prodLong(sizes, 0));
  Longs info = slotsOf({2, 3}, {3, 1}, 'c', 1);
  EXPECT_TRUE(shape::isContiguous(info.data()));
  shape::setEws(info.data(), 2);
  EXPECT_EQ(2, shape::elementWiseStride(info.data()));
  EXPECT_FALSE(shape::isContiguous(info.data()));
  EXPECT_EQ('f', shape::setOrder(info.data(), 'f'));
  EXPECT_EQ('f', shape::order(info.data()));
}

TEST(ShapeSlotsTests, StridesOfAnOrder) {
  Longs info = slotsOf({2, 3, 4}, {1, 1, 1}, 'c', 0);
  shape::updateStrides(info.data(), 'c');
  EXPECT_EQ(Longs(info.begin() + 4, info.begin() + 7), (Longs{12, 4, 1}));
  EXPECT_EQ(1, shape::elementWiseStride(info.data()));
  shape::updateStrides(info.data(), 'f');
  EXPECT_EQ(Longs(info.begin() + 4, info.begin() + 7), (Longs{1, 2, 6}));
  EXPECT_EQ('f', shape::order(info.data()));
  Longs strides(3);
  shape::updateStrides(3, info.data() + 1, strides.data(), 'c');
  EXPECT_EQ(strides, (Longs{12, 4, 1}));
  Longs none = slotsOf({2, 0}, {5, 5}, 'c', 0, ARRAY_FLOAT | ARRAY_EMPTY);
  shape::updateStrides(none.data(), 'c');
  EXPECT_EQ(Longs(none.begin() + 3, none.begin() + 5), (Longs{0, 0}));
  EXPECT_TRUE(shape::strideEquals(slotsOf({2, 3}, {3, 1}, 'c', 1).data(), slotsOf({5, 2}, {3, 1}, 'c', 1).data()));
  EXPECT_FALSE(shape::strideEquals(slotsOf({2, 3}, {3, 1}, 'c', 1).data(), slotsOf({2, 3}, {1, 2}, 'f', 1).data()));
  EXPECT_FALSE(shape::strideEquals(slotsOf({3}, {1}, 'c', 1).data(), slotsOf({2, 3}, {3, 1}, 'c', 1).data()));
}

TEST(ShapeSlotsTests, OneAxis) {
  EXPECT_EQ(2, shape::normaliseAxis(-1, 3));
  EXPECT_EQ(0, shape::normaliseAxis(-3, 3));
  EXPECT_EQ(1, shape::normaliseAxis(1, 3));
  EXPECT_THROW(shape::normaliseAxis(3, 3), std::runtime_error);
  EXPECT_THROW(shape::normaliseAxis(-4, 3), std::runtime_error);
  EXPECT_THROW(shape::normaliseAxis(0, 0), std::runtime_error);
}

}  // namespace
