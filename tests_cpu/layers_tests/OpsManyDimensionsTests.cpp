// Lists that are too long to be kept without a heap allocation, and transposes of every size. Element k of an input is
// k, so that every element of a result shows where it came from.
#include <array/NDArray.h>
#include <array/ShapeList.h>
#include <gtest/gtest.h>
#include <helpers/ConstantShapeHelper.h>
#include <ops/declarable/CustomOperations.h>

#include <vector>

using namespace sd;

namespace {

NDArray counted(const std::vector<LongType>& shape, DataType type = INT32) {
  NDArray x('c', shape, type);
  x.linspace(0);
  return x;
}

}  // namespace

TEST(OpsManyDimensions, Permute) {
  const std::vector<LongType> sizes = {2, 1, 3, 1, 2, 1, 1, 2, 1, 3}, order = {9, 0, 7, 1, 2, 8, 3, 4, 5, 6};
  NDArray x = counted(sizes);
  auto result = ops::permute().evaluate({&x}, {}, order);
  ASSERT_EQ(result.status(), Status::OK);
  const NDArray& z = *result.at(0);
  ASSERT_TRUE(z.isSameShape({3, 2, 2, 1, 3, 1, 1, 2, 1, 1}));
  const auto values = z.getBufferAsVector<LongType>();
  size_t at = 0;
  for (LongType a = 0; a < 3; a++)
    for (LongType b = 0; b < 2; b++)
      for (LongType c = 0; c < 2; c++)
        for (LongType d = 0; d < 3; d++)
          for (LongType e = 0; e < 2; e++) ASSERT_EQ(values[at++], (((b * 3 + d) * 2 + e) * 2 + c) * 3 + a);
  EXPECT_THROW(ops::permute().evaluate({&x}, {}, {9, 0, 7, 1, 2, 8, 3, 4, 5, 5}), std::invalid_argument);
  EXPECT_THROW(ops::permute().evaluate({&x}, {}, {9, 0, 7, 1, 2, 8, 3, 4, 5}), std::invalid_argument);
}

TEST(OpsManyDimensions, StridedSlice) {
  NDArray x = counted({2, 1, 2, 1, 3, 1, 1, 2, 1, 4});
  std::vector<LongType> arguments(5, 0);
  for (int d = 0; d < 10; d++) arguments.push_back(d == 4 ? 2 : 0);
  for (int d = 0; d < 10; d++) arguments.push_back(d == 4 ? -4 : x.sizeAt(d));
  for (int d = 0; d < 10; d++) arguments.push_back(d == 4 ? -2 : d == 9 ? 3 : 1);
  auto result = ops::strided_slice().evaluate({&x}, {}, arguments);
  ASSERT_EQ(result.status(), Status::OK);
  const NDArray& z = *result.at(0);
  ASSERT_TRUE(z.isSameShape({2, 1, 2, 1, 2, 1, 1, 2, 1, 2}));
  const auto values = z.getBufferAsVector<LongType>();
  size_t at = 0;
  for (LongType a = 0; a < 4; a++)
    for (const LongType b : {2, 0})
      for (LongType c = 0; c < 2; c++)
        for (const LongType d : {0, 3}) ASSERT_EQ(values[at++], ((a * 3 + b) * 2 + c) * 4 + d);
}

TEST(OpsManyDimensions, StridedSliceRefusesMoreThanArraysHave) {
  NDArray x = counted({3}), eps('c', {1}, FLOAT32), floats('c', {3}, FLOAT32);
  std::vector<LongType> arguments = {0, 0, 0, (LongType{1} << 40) - 1, 0};
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < 41; d++) arguments.push_back(k == 0 ? 0 : 1);
  EXPECT_THROW(ops::strided_slice().evaluate({&x}, {}, arguments), std::invalid_argument);
  EXPECT_THROW(ops::strided_slice_bp().evaluate({&floats, &eps}, {}, arguments), std::invalid_argument);
}

TEST(OpsManyDimensions, TransposeOfEverySize) {
  for (const DataType type : {INT8, INT16, FLOAT32, DOUBLE}) {
    for (const LongType rows : {1, 2, 3, 4, 7, 8, 15, 16, 17, 33, 130})
      for (const LongType columns : {1, 2, 3, 5, 8, 9, 16, 19, 31, 40, 64}) {
        std::vector<double> numbers;
        for (LongType i = 0; i < rows * columns; i++) numbers.push_back(static_cast<double>(i % 120));
        NDArray x('c', {rows, columns}, numbers, type);
        auto result = ops::transpose().evaluate({&x});
        ASSERT_EQ(result.status(), Status::OK);
        ASSERT_TRUE(result.at(0)->isSameShape({columns, rows}));
        const auto values = result.at(0)->getBufferAsVector<LongType>();
        for (LongType c = 0; c < columns; c++)
          for (LongType r = 0; r < rows; r++)
            ASSERT_EQ(values[static_cast<size_t>(c * rows + r)], (r * columns + c) % 120)
                << DataTypeUtils::asString(type) << " " << rows << "x" << columns;
      }
  }
}

TEST(OpsManyDimensions, ShapeListsOfAnyLength) {
  const auto& interned = ConstantShapeHelper::getInstance();
  std::vector<const LongType*> shapes;
  for (LongType size = 1; size <= 9; size++)
    shapes.push_back(ConstantShapeHelper::getInstance().vectorShapeInfo(size, INT8));
  ShapeList list;
  for (const LongType* shape : shapes) list.push_back(shape);
  ShapeList copy = list;
  for (const ShapeList& each : {list, copy, ShapeList(shapes)}) {
    ASSERT_EQ(each.size(), 9);
    for (int i = 0; i < 9; i++) EXPECT_EQ(each.at(i), shapes[static_cast<size_t>(i)]);
    EXPECT_THROW(each.at(9), missing_shape);
    EXPECT_THROW(each.at(-1), missing_shape);
  }
  copy.detach();
  // The list contains one of its buffers twice: it is freed once. Interned ones are not freed.
  copy.push_back(copy.at(3));
  copy.push_back(shapes[0]);
  EXPECT_FALSE(interned.isInterned(copy.at(3)));
  copy.destroy();
  EXPECT_EQ(copy.size(), 0);
  EXPECT_TRUE(interned.isInterned(shapes[0]));
  EXPECT_EQ(shapes[0][1], 1);
}
