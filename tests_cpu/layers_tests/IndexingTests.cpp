// x[…], x(…), masks, comparisons and loops over the first dimension.
#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <gtest/gtest.h>
#include <nd/array.h>

#include <string>

#include "NDArrayHelpers.h"
#include "TestData.h"

using namespace sd;
using nd_test::expectArray;

namespace {

NDArray counted(const std::vector<LongType>& shape, DataType type = FLOAT32) {
  NDArray x('c', shape, type);
  x.linspace(0);
  return x;
}

template <typename F>
void expectError(F&& f, const std::string& text) {
  try {
    f();
    FAIL() << "no error: " << text;
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

}  // namespace

TEST(Indexing, AsNumPy) {
  const auto arrays = loadNpz((test::dataFolder() / "array" / "indexing.npz").string());
  size_t count = 0;
  for (const auto& [name, x] : arrays) {
    if (name.substr(4) != "x") continue;
    SCOPED_TRACE(name);
    count++;
    const NDArray &rows = arrays.at(name.substr(0, 4) + "index"), &part = arrays.at(name.substr(0, 4) + "part");
    std::vector<indexing::Index> indices;
    for (LongType i = 0; i < (rows.isEmpty() ? 0 : rows.sizeAt(0)); i++)
      indices.emplace_back(static_cast<indexing::Index::Kind>(rows.e<int>(i, 0)), rows.e<LongType>(i, 1),
                           rows.e<LongType>(i, 2), rows.e<LongType>(i, 3));
    const NDArray view = indexing::viewAt(x, indices.data(), indices.size());
    EXPECT_EQ(view.getShapeAsVector(), part.getShapeAsVector());
    if (part.hasElements()) {
      expectArray(view, part.getShapeAsVector(), part.getBufferAsVector<double>(), 0);
      EXPECT_EQ(view.getDataBuffer().get(), x.getDataBuffer().get());
    }
  }
  EXPECT_EQ(count * 3, arrays.size());
}

TEST(Indexing, Syntax) {
  NDArray x = counted({3, 4});
  expectArray(x[1], {4}, {4, 5, 6, 7});
  expectArray(x(0, 1), {}, {1});
  expectArray(x(all, interval(1, 3)), {3, 2}, {1, 2, 5, 6, 9, 10});
  expectArray(x(interval(none, none, -1), 0), {3}, {8, 4, 0});
  expectArray(x(ellipsis, newaxis, -1), {3, 1}, {3, 7, 11});
  expectArray(x[interval(1, none)][0], {4}, {4, 5, 6, 7});
  expectArray(x.T()[1], {3}, {1, 5, 9});
  expectArray(x.reshape({2, 6})[0], {6}, {0, 1, 2, 3, 4, 5});
  expectArray(NDArray({2, 3}, FLOAT32), {2, 3}, {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(static_cast<float>(x(2, 1)), 9);
  // The forms of the reference keep their meaning.
  expectArray(x({1, 2, 0, 0}), {4}, {4, 5, 6, 7});
  expectArray(x(1, {0}), {4}, {4, 5, 6, 7});
}

TEST(Indexing, Assignments) {
  NDArray x = counted({2, 3});
  x(all, 0) = 9;
  expectArray(x, {2, 3}, {9, 1, 2, 9, 4, 5});
  x[0] = x[1];
  expectArray(x, {2, 3}, {9, 4, 5, 9, 4, 5});
  x[1] = x[0] + x[1];
  expectArray(x, {2, 3}, {9, 4, 5, 18, 8, 10});
  x(all, interval(1, none)) = NDArrayFactory::create<double>('c', {2}, {-1, -2});
  expectArray(x, {2, 3}, {9, -1, -2, 18, -1, -2});
  x[1] += 1;
  expectArray(x, {2, 3}, {9, -1, -2, 19, 0, -1});
  x(interval(2, 1)) = 7;  // nothing
  expectArray(x, {2, 3}, {9, -1, -2, 19, 0, -1});
  x(all, interval(none, none, -1)) = NDArray(x);
  expectArray(x, {2, 3}, {-2, -1, 9, -1, 0, 19});
  expectError([&] { x[0] = NDArray({2}, FLOAT32); }, "does not broadcast");
}

TEST(Indexing, Loops) {
  NDArray x = counted({3, 2});
  for (auto row : x) row *= 2;
  expectArray(x, {3, 2}, {0, 2, 4, 6, 8, 10});
  double sum = 0;
  for (const auto element : x[1]) sum += static_cast<double>(element);
  EXPECT_EQ(sum, 10);
  for (auto row : NDArray({0, 3}, FLOAT32)) FAIL() << row.lengthOf();
  expectError([] { begin(NDArray(FLOAT32)); }, "scalar");
}

TEST(Indexing, Comparisons) {
  const NDArray x = counted({4}), y = NDArrayFactory::create<int>('c', {4}, {1, 1, 1, 3});
  expectArray(x < y, {4}, {1, 0, 0, 0});
  expectArray(x <= y, {4}, {1, 1, 0, 1});
  expectArray(x > y, {4}, {0, 0, 1, 0});
  expectArray(x >= y, {4}, {0, 1, 1, 1});
  expectArray(x > 1, {4}, {0, 0, 1, 1});
  expectArray(1 > x, {4}, {1, 0, 0, 0});
  expectArray(y < 1.5, {4}, {1, 1, 1, 0});
  expectArray(y == 3, {4}, {0, 0, 0, 1});
  expectArray(y != 3, {4}, {1, 1, 1, 0});
  expectArray(!x, {4}, {1, 0, 0, 0});
  expectArray(!(x > 1), {4}, {1, 1, 0, 0});
  EXPECT_EQ((x < 1).dataType(), BOOL);
  EXPECT_TRUE(x == NDArray(x));
  EXPECT_FALSE(x != NDArray(x));
  expectArray(counted({2, 1}) < counted({2}), {2, 2}, {0, 1, 0, 0});
}

TEST(Indexing, Selections) {
  NDArray x = counted({3, 2});
  expectArray(NDArray(x[x > 2]), {3}, {3, 4, 5});
  expectArray(NDArray(x[x > 9]), {0}, {});
  const NDArray rows = NDArrayFactory::create<int>('c', {3}, {2, 0, -1});
  expectArray(NDArray(x[rows]), {3, 2}, {4, 5, 0, 1, 4, 5});
  const NDArray truth = x(all, 0) > 1;  // [3]
  expectArray(NDArray(x[truth]), {2, 2}, {2, 3, 4, 5});
  x[x < 2] = -1;
  expectArray(x, {3, 2}, {-1, -1, 2, 3, 4, 5});
  x[truth] = NDArrayFactory::create<float>('c', {2}, {7, 8});
  expectArray(x, {3, 2}, {-1, -1, 7, 8, 7, 8});
  x[rows] = 0.5;
  expectArray(x, {3, 2}, {0.5, 0.5, 7, 8, 0.5, 0.5});
  x.T()[NDArrayFactory::create<LongType>('c', {1}, {1})] = 3;  // through a view
  expectArray(x, {3, 2}, {0.5, 3, 7, 3, 0.5, 3});
  NDArray flags = x > 1;
  flags[flags] = false;
  expectArray(flags, {3, 2}, {0, 0, 0, 0, 0, 0});
}

TEST(Indexing, Errors) {
  const NDArray x = counted({3, 4});
  expectError([&] { x[3]; }, "[index] position 3 is outside -3..2 of dimension 0 (shape [3, 4])");
  expectError([&] { x(0, -5); }, "position -5 is outside -4..3 of dimension 1");
  expectError([&] { x(0, 0, 0); }, "3 indices are given for 2 dimensions");
  expectError([&] { x(ellipsis, ellipsis); }, "2 ellipses");
  expectError([&] { x(interval(0, 1, 0)); }, "step 0");
  expectError([&] { static_cast<void>(static_cast<float>(x[0])); }, "a part of shape [4] is not one number");
  expectError([&] { NDArray()[0]; }, "no shape");
  expectError([&] { x[x].values(); }, "type FLOAT32 does not select");
  expectError([&] { x[x.T() > 1].values(); }, "a mask of shape [4, 3] does not fit to shape [3, 4]");
  expectError([&] { x[NDArrayFactory::create<int>('c', {1}, {3})].values(); }, "position 3 is outside -3..2");
  expectError([&] { static_cast<void>(x < NDArray("text")); }, "cannot be compared");
  const std::vector<indexing::Index> many(33, newaxis);
  expectError([&] { indexing::viewAt(x, many.data(), many.size()); }, "more than 32 dimensions");
}
