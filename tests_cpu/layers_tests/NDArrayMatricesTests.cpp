// Triangles, identities and traces of arrays; raw copies; shapes imposed on buffers.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <helpers/PointersManager.h>

#include <cmath>
#include <memory>
#include <span>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

TEST(NDArrayMatricesTests, TrianglesFollowTheirFormula) {
  std::vector<double> counted;
  for (int i = 0; i < 24; i++) counted.push_back(i + 1);
  for (DataType type : {BOOL, HALF, FLOAT32, DOUBLE, INT8, INT64})
    for (char direction : {'u', 'l', 'b'})
      for (bool edges : {false, true})
        for (int lower : {-7, -1, 0, 1, 3, 7})
          for (int upper : {-7, -2, 0, 1, 7}) {
            std::vector<double> expected = counted;
            for (int batch = 0; batch < 2; batch++)
              for (int row = 0; row < 3; row++)
                for (int column = 0; column < 4; column++) {
                  const int up = column - lower, down = column - upper;
                  const bool inUpper = direction != 'l' && (edges ? row <= up : row < up);
                  const bool inLower = direction != 'u' && (edges ? row >= down : row > down);
                  double& value = expected[batch * 12 + row * 4 + column];
                  if (inUpper || inLower) value = -9;
                  if (type == BOOL) value = 1;
                }
            for (auto& x : layoutsOf({2, 3, 4}, counted, type)) {
              NDArray z = x.ulike();
              x.fillAsTriangular<float>(-9, lower, upper, z, direction, edges);
              expectArray(z, {2, 3, 4}, expected);
              if (lower != 1) continue;
              x.fillAsTriangular<float>(-9, lower, upper, x, direction, edges);
              expectArray(x, {2, 3, 4}, expected);
            }
          }
}

TEST(NDArrayMatricesTests, AVectorIsEveryRowOfASquare) {
  NDArray x('c', {3}, {1, 2, 3}, FLOAT32), z('f', {3, 3}, FLOAT32);
  x.fillAsTriangular<float>(0, 1, 0, z, 'u');
  expectArray(z, {3, 3}, {1, 0, 0, 1, 2, 0, 1, 2, 3});
  x.fillAsTriangular<float>(0, 0, -1, z, 'l');
  expectArray(z, {3, 3}, {1, 2, 3, 0, 2, 3, 0, 0, 3});
}

TEST(NDArrayMatricesTests, TrianglesThatDoNotFitAreRefused) {
  NDArray x('c', {2, 3}, FLOAT32), square('c', {2, 2}, FLOAT32), v('c', {3}, FLOAT32), text("text");
  EXPECT_THROW(x.fillAsTriangular<float>(0, 0, 0, square), std::runtime_error);
  EXPECT_THROW(v.fillAsTriangular<float>(0, 0, 0, square), std::runtime_error);
  EXPECT_THROW(v.fillAsTriangular<float>(0, 0, 0, v), std::runtime_error);
  EXPECT_THROW(x.fillAsTriangular<float>(0, 0, 0, x, 'x'), std::runtime_error);
  EXPECT_THROW(text.fillAsTriangular<float>(0, 0, 0, text), std::exception);
  NDArray none('c', {0, 2}, FLOAT32);
  none.fillAsTriangular<float>(0, 0, 0, none);
  EXPECT_TRUE(none.isEmpty());
}

TEST(NDArrayMatricesTests, IdentityAndUnitaryMatrices) {
  const double h = std::sqrt(0.5);
  struct {
    std::vector<double> values;
    bool identity, unitary;
  } const rows[] = {{{1, 0, 0, 1}, true, true},     {{1, 1e-6, 0, 1}, true, true}, {{1, 1e-4, 0, 1}, false, false},
                    {{0, 1, 1, 0}, false, true},    {{h, -h, h, h}, false, true},  {{-1, 0, 0, 1}, false, true},
                    {{2, 0, 0, 0.5}, false, false}, {{NAN, 0, 0, 1}, false, false}};
  for (const auto& row : rows)
    for (auto& x : layoutsOf({2, 2}, row.values)) {
      EXPECT_EQ(x.isIdentityMatrix(), row.identity);
      EXPECT_EQ(x.isUnitary(), row.unitary);
    }
  EXPECT_THROW(NDArray('c', {2, 3}, FLOAT32).isIdentityMatrix(), std::runtime_error);
  EXPECT_THROW(NDArray('c', {2, 3}, FLOAT32).isUnitary(), std::runtime_error);
  EXPECT_THROW(NDArray('c', {4}, FLOAT32).isIdentityMatrix(), std::runtime_error);
}

TEST(NDArrayMatricesTests, RawCopiesIgnoreShapes) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32), z('c', {6}, FLOAT32);
  z.copyBuffersContinuouslyFrom(x);
  expectArray(z, {6}, {1, 2, 3, 4, 5, 6});
  z.copyBuffersContinuouslyFrom(x, 8, 1, 4);
  expectArray(z, {6}, {1, 5, 6, 4, 5, 6});
  auto tail = z({4, 6});
  tail.copyBuffersContinuouslyFrom(x, 8);
  expectArray(z, {6}, {1, 5, 6, 4, 1, 2});
  EXPECT_THROW(z.copyBuffersContinuouslyFrom(x, 8, 5), std::runtime_error);
  EXPECT_THROW(z.copyBuffersContinuouslyFrom(x, 8, 0, 5), std::runtime_error);
  EXPECT_THROW(z.copyBuffersContinuouslyFrom(NDArray()), std::runtime_error);
  expectArray(z, {6}, {1, 5, 6, 4, 1, 2});
}

TEST(NDArrayMatricesTests, EnforcedShapesDescribeTheBufferAnew) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, INT32);
  x.enforce({3, 2});
  expectArray(x, {3, 2}, {1, 2, 3, 4, 5, 6});
  x.enforce({3, 2}, 'f');
  expectArray(x, {3, 2}, {1, 4, 2, 5, 3, 6});
  EXPECT_THROW(x.enforce({4, 2}), std::runtime_error);
  NDArray wide('c', {2, 6}, INT32);
  NDArray every = wide({0, 2, 1, 0, 6, 2}, true, true);
  EXPECT_THROW(every.enforce({6}), std::runtime_error);
}

TEST(NDArrayMatricesTests, QuantizedArraysAreFlaggedAndSmall) {
  NDArray x('c', {4, 5}, FLOAT32);
  const NDArray q = NDArray::quantize(x);
  EXPECT_TRUE(ArrayOptions::hasPropertyBitSet(q.shapeInfo(), ARRAY_QUANTIZED));
  EXPECT_EQ(ArrayOptions::spaceType(q.shapeInfo()), QUANTIZED);
  EXPECT_EQ(q.dataType(), FLOAT32);
  EXPECT_TRUE(q.isSameShape(x));
  EXPECT_EQ(q.getDataBuffer()->getLenInBytes(), 28u);
  EXPECT_THROW(NDArray::quantize(NDArray('c', {2}, INT32)), std::runtime_error);
}

TEST(NDArrayMatricesTests, SpansSeeTheElementsInMemoryOrder) {
  NDArray x('f', {2, 2}, {1, 2, 3, 4}, INT32);
  std::span<int> values = x.asSpan<int>();
  EXPECT_EQ(std::vector<int>(values.begin(), values.end()), (std::vector<int>{1, 2, 3, 4}));
  values[1] = 9;
  EXPECT_EQ(x.e<int>(1, 0), 9);
  const NDArray& constant = x;
  EXPECT_EQ(constant.asSpan<int>().size(), 4u);
  EXPECT_THROW(x.asSpan<float>(), std::invalid_argument);
  EXPECT_THROW(x({0, 1, 0, 0}).asSpan<int>(), std::runtime_error);
  EXPECT_TRUE(NDArray('c', {0}, INT32).asSpan<int>().empty());
}

TEST(NDArrayMatricesTests, TheBufferIsPrintedAsItLies) {
  NDArray x('f', {2, 2}, {1, 2, 3, 4.25}, FLOAT32), flags('c', {2}, {1, 0}, BOOL);
  const auto printed = [](auto&& print) {
    testing::internal::CaptureStdout();
    print();
    return testing::internal::GetCapturedStdout();
  };
  EXPECT_EQ(printed([&] { x.printCurrentBuffer<float>(true, "x", 2); }), "x: [1.00, 2.00, 3.00, 4.25]\n");
  EXPECT_EQ(printed([&] { x.printCurrentBuffer<float>(); }), "[1.0, 2.0, 3.0, 4.2]\n");
  EXPECT_EQ(printed([&] { x.printCurrentBuffer<int>(); }), "[1, 2, 3, 4]\n");
  EXPECT_EQ(printed([&] { flags.printCurrentBuffer<bool>(); }), "[true, false]\n");
  EXPECT_EQ(printed([&] { x.printCurrentBuffer<float>(false, "x"); }), "x: no device\n");
  EXPECT_EQ(printed([&] { x({0, 1, 0, 0}).printCurrentBuffer<float>(true, nullptr, 0); }), "[1, 3]\n");
  EXPECT_EQ(printed([&] { NDArray('c', {0}, FLOAT32).printCurrentBuffer<float>(); }), "[]\n");
}

TEST(NDArrayMatricesTests, AnInternedShapeDescribesTheBufferAnew) {
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, INT32);
  x.setShapeInfo(ConstantShapeHelper::getInstance().bufferForShapeInfo(INT32, 'c', {3, 2}));
  expectArray(x, {3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_THROW(x.setShapeInfo(ConstantShapeHelper::getInstance().bufferForShapeInfo(INT32, 'c', {3, 3})),
               std::runtime_error);
}

TEST(NDArrayMatricesTests, FactoriesTakeListsForShapeAndValues) {
  expectArray(NDArrayFactory::create<float>('f', {2, 2}, {1, 2, 3, 4}), {2, 2}, {1, 3, 2, 4});
  expectArray(NDArrayFactory::create<float>('c', {0}, {}), {0}, {});
  expectArray(NDArrayFactory::create<float>('c', {}, {7}), {}, {7});
  std::unique_ptr<NDArray> list(NDArrayFactory::create_<int>('c', {2}, {5, 6}));
  expectArray(*list, {2}, {5, 6});
  std::unique_ptr<NDArray> vector(NDArrayFactory::create_<double>(std::vector<double>{1.5}));
  expectArray(*vector, {1}, {1.5});
  std::unique_ptr<NDArray> typed(NDArrayFactory::create_(INT64, 2.9)), zero(NDArrayFactory::create_(UINT8));
  EXPECT_EQ(typed->dataType(), INT64);
  expectArray(*typed, {}, {2});
  EXPECT_EQ(zero->dataType(), UINT8);
  expectArray(*zero, {}, {0});
  EXPECT_THROW(NDArrayFactory::create<float>('c', {2}, {1, 2, 3}), std::runtime_error);
}

TEST(NDArrayMatricesTests, PointersManagerGivesHostMemory) {
  PointersManager manager(LaunchContext::defaultContext(), "test");
  const int source[] = {1, 2};
  EXPECT_EQ(manager.replicatePointer(source, sizeof(source)), source);
  const auto* memory = static_cast<const char*>(manager.allocateDevMem(100));
  EXPECT_EQ(std::vector<char>(memory, memory + 100), std::vector<char>(100, 0));
  manager.synchronize();
}
