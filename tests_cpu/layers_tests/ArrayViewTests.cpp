// Typed views of arrays by coordinates. This file is compiled as in a debug build, so coordinates are checked.
#undef NDEBUG
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>

#include <string>
#include <type_traits>

#include "Messages.h"

using namespace sd;
using nd_test::errorOf;

namespace {

static_assert(SD_VIEW_CHECKS);
static_assert(std::is_same_v<ArrayView<float, 2>, ArrayView<float, 2, true>>);

}  // namespace

TEST(ArrayViewTests, ElementsOfEveryLayout) {
  const NDArray c('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), f = c.dup('f'), transposed = c.transpose(),
                                                             part = c({0, 2, 1, 3}, true);
  const auto inOrder = c.asView<float, 2>(), fortran = f.asView<float, 2>();
  const auto turned = transposed.asView<float, 2>(), last = part.asView<float, 2>();
  for (LongType i = 0; i < 2; i++)
    for (LongType j = 0; j < 3; j++) {
      EXPECT_EQ(inOrder(i, j), static_cast<float>(3 * i + j + 1));
      EXPECT_EQ(fortran(i, j), inOrder(i, j));
      EXPECT_EQ(turned(j, i), inOrder(i, j));
      if (j > 0) {
        EXPECT_EQ(last(i, j - 1), inOrder(i, j));
      }
    }
  EXPECT_EQ(inOrder.extent(1), 3);
  EXPECT_EQ(inOrder.stride(0), 3);
  EXPECT_EQ(turned.stride(0), 1);
  EXPECT_EQ(last.size(), 4);
  EXPECT_EQ(last.data_handle(), c.bufferAsT<float>() + 1);
  EXPECT_EQ(inOrder.rank(), 2);
}

TEST(ArrayViewTests, WritesShowInTheArray) {
  NDArray x('c', {2, 2, 2}, INT64);
  auto view = x.asView<LongType, 3>();
  view(1, 0, 1) = 9;
  EXPECT_EQ(x.e<LongType>(1, 0, 1), 9);
  const ArrayView<const LongType, 3> reading = view;
  EXPECT_EQ(reading(1, 0, 1), 9);
  static_assert(!std::is_assignable_v<decltype(reading(0, 0, 0)), LongType>);
  static_assert(!std::is_constructible_v<ArrayView<LongType, 3>, ArrayView<const LongType, 3>>);
}

TEST(ArrayViewTests, ScalarsAndEmptyArrays) {
  NDArray scalar(FLOAT32);
  scalar.asView<float, 0>()() = 2.5f;
  EXPECT_EQ(scalar.e<float>(0), 2.5f);
  NDArray none('c', {0, 3}, FLOAT32);
  const auto view = none.asView<float, 2>();
  EXPECT_TRUE(view.empty());
  EXPECT_THROW(view(0, 0), std::runtime_error);
}

TEST(ArrayViewTests, CoordinatesOutside) {
  NDArray x('c', {2, 3}, FLOAT32);
  const auto view = x.asView<float, 2>();
  EXPECT_EQ(errorOf([&] { view(1, 3); }), "[ArrayView] index 3 of dimension 1 is outside 0..2 (shape [2, 3])");
  EXPECT_EQ(errorOf([&] { view(-1, 0); }), "[ArrayView] index -1 of dimension 0 is outside 0..1 (shape [2, 3])");
  const ArrayView<float, 2, false> unchecked(x.bufferAsT<float>(), x.shapeOf(), x.stridesOf());
  EXPECT_NO_THROW(unchecked(0, 5)) << "an element of the buffer, though not of row 0";
}

TEST(ArrayViewTests, OtherTypesAndRanks) {
  NDArray x('c', {2, 3}, FLOAT32);
  EXPECT_EQ(errorOf([&] { x.asView<double, 2>(); }), "[NDArray] an element of type FLOAT32 was requested as DOUBLE");
  EXPECT_EQ(errorOf([&] { x.asView<float, 3>(); }),
            "[asView] a view of rank 3 was requested of an array of shape [2, 3]");
  const NDArray text = NDArrayFactory::string("a");
  EXPECT_THROW((text.asView<uint8_t, 0>()), std::invalid_argument);
}
