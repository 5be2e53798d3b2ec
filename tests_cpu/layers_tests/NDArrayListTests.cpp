// Lists of arrays: valid entries, joining and splitting, ownership.
#include <array/NDArrayFactory.h>
#include <array/NDArrayList.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

using Shape = std::vector<LongType>;
using Array = std::unique_ptr<NDArray>;

/// start, start + 1, ...
NDArray* counted(const Shape& shape, double start, DataType type = FLOAT32, char order = 'c') {
  auto array = std::make_unique<NDArray>(order, shape, type);
  for (LongType i = 0; i < array->lengthOf(); i++) array->p<double>(i, start + static_cast<double>(i));
  return array.release();
}

/// Entries 0, 1, ... of equal shape; entry i starts with 10 i.
void fill(NDArrayList& list, int entries, const Shape& shape, DataType type = FLOAT32) {
  for (int i = 0; i < entries; i++) ASSERT_EQ(Status::OK, list.write(i, counted(shape, 10 * i, type)));
}

struct Write {
  const char* name;
  Shape reference;  // {}: set by the first write
  Shape first;
  Shape second;
  DataType type;
  Status expected;
};

std::ostream& operator<<(std::ostream& stream, const Write& write) { return stream << write.name; }

class NDArrayListWriteTests : public testing::TestWithParam<Write> {};

INSTANTIATE_TEST_SUITE_P(
    Rules, NDArrayListWriteTests,
    testing::Values(Write{"SameShape", {}, {2, 3}, {2, 3}, FLOAT32, Status::OK},
                    Write{"AnotherRowLength", {}, {1, 10}, {1, 7}, FLOAT32, Status::BAD_INPUT},
                    Write{"AnotherFirstDimension", {}, {2, 3}, {4, 3}, FLOAT32, Status::BAD_INPUT},
                    Write{"RankOfTheReference", {}, {2, 3}, {5, 2, 3}, FLOAT32, Status::OK},
                    Write{"RankOfTheReferenceOtherDims", {}, {2, 3}, {1, 3, 2}, FLOAT32, Status::BAD_INPUT},
                    Write{"RankTooSmall", {}, {2, 3}, {3}, FLOAT32, Status::BAD_INPUT},
                    Write{"RankTooLarge", {}, {3}, {1, 1, 3}, FLOAT32, Status::BAD_INPUT},
                    Write{"AnotherType", {}, {3}, {3}, DOUBLE, Status::BAD_INPUT},
                    Write{"Pieces", {9, 2}, {2, 2}, {4, 2}, FLOAT32, Status::OK},
                    Write{"PieceAndRow", {9, 2}, {3, 2}, {2}, FLOAT32, Status::OK},
                    Write{"PieceOfAnotherWidth", {9, 2}, {2, 2}, {2, 3}, FLOAT32, Status::BAD_INPUT}),
    [](const auto& write) { return write.param.name; });

TEST_P(NDArrayListWriteTests, TypeAndInnerDimensions) {
  const Write& write = GetParam();
  NDArrayList list(0, true);
  list.shape() = write.reference;
  ASSERT_EQ(Status::OK, list.write(3, counted(write.first, 0)));
  Array second(counted(write.second, 100, write.type));
  NDArray* const raw = second.get();
  const Status status = list.write(4, raw);
  EXPECT_EQ(write.expected, status);
  if (status == Status::OK) {
    second.release();
    EXPECT_EQ(raw, list.readRaw(4));
    EXPECT_EQ(2, list.elements());
  } else {
    EXPECT_FALSE(list.isWritten(4));
    EXPECT_EQ(1, list.elements());
    EXPECT_EQ(100, second->e<int>(0)) << "the array is still the caller's";
  }
}

}  // namespace

TEST(NDArrayListTests, TheFirstWriteFixesTypeAndShape) {
  NDArrayList list(5);
  EXPECT_EQ(0, list.elements());
  EXPECT_EQ(0, list.height());
  EXPECT_EQ(INHERIT, list.dataType());
  EXPECT_TRUE(list.shape().empty());
  ASSERT_EQ(Status::OK, list.write(7, counted({2, 3}, 0, INT16)));
  EXPECT_EQ(INT16, list.dataType());
  EXPECT_EQ((Shape{1, 2, 3}), list.shape());
  EXPECT_EQ(1, list.elements());
  EXPECT_EQ(1, list.height());
  EXPECT_TRUE(list.isWritten(7));
  EXPECT_FALSE(list.isWritten(0));
}

TEST(NDArrayListTests, AFirstWriteMustFitAShapeThatWasSet) {
  NDArrayList list(0, true);
  list.shape() = {9, 2};
  Array wrong(counted({2, 3}, 0));
  EXPECT_EQ(Status::BAD_INPUT, list.write(0, wrong.get()));
  EXPECT_EQ(INHERIT, list.dataType());
  EXPECT_EQ((Shape{9, 2}), list.shape());
}

TEST(NDArrayListTests, NothingToWrite) {
  NDArrayList list(0, true);
  NDArray none;
  EXPECT_EQ(Status::BAD_INPUT, list.write(0, nullptr));
  EXPECT_EQ(Status::BAD_INPUT, list.write(0, &none));
  EXPECT_EQ(0, list.elements());
}

TEST(NDArrayListTests, WritingAgainReplaces) {
  NDArrayList list(0, true);
  fill(list, 2, {3});
  NDArray* const old = list.readRaw(1);
  ASSERT_EQ(Status::OK, list.write(1, old)) << "the entry itself";
  expectArray(*list.readRaw(1), {3}, {10, 11, 12});
  ASSERT_EQ(Status::OK, list.write(1, counted({3}, 5)));
  EXPECT_EQ(2, list.elements());
  expectArray(*list.readRaw(1), {3}, {5, 6, 7});
  Array wrong(counted({4}, 0));
  EXPECT_EQ(Status::BAD_INPUT, list.write(1, wrong.get()));
  expectArray(*list.readRaw(1), {3}, {5, 6, 7});
}

TEST(NDArrayListTests, ReadCopiesReadRawDoesNot) {
  NDArrayList list(0, true);
  fill(list, 2, {3});
  Array copy(list.read(1));
  copy->assign(-1.f);
  expectArray(*list.readRaw(1), {3}, {10, 11, 12});
  list.readRaw(1)->assign(-2.f);
  expectArray(*Array(list.read(1)), {3}, {-2, -2, -2});
}

TEST(NDArrayListTests, MissingEntriesAreErrors) {
  NDArrayList list(0, true);
  fill(list, 2, {3});
  EXPECT_EQ("[NDArrayList::read] entry 7 was not written; the list has 2 entries",
            messageOf<std::invalid_argument>([&] { list.read(7); }));
  EXPECT_THROW(list.readRaw(-1), std::invalid_argument);
  EXPECT_THROW(list.remove(2), std::invalid_argument);
  EXPECT_THROW(list.pick({0, 2}), std::invalid_argument);
  EXPECT_EQ(2, list.elements());
}

TEST(NDArrayListTests, RemoveHandsTheEntryOver) {
  NDArrayList list(0, true);
  fill(list, 3, {2});
  NDArray* const raw = list.readRaw(1);
  Array removed(list.remove(1));
  EXPECT_EQ(raw, removed.get());
  expectArray(*removed, {2}, {10, 11});
  EXPECT_EQ(2, list.elements());
  EXPECT_FALSE(list.isWritten(1));
  EXPECT_THROW(list.stack(), std::invalid_argument) << "entry 1 is missing";
}

TEST(NDArrayListTests, StackAddsADimension) {
  NDArrayList rows(0, true);
  for (int i : {2, 0, 1}) ASSERT_EQ(Status::OK, rows.write(i, counted({2}, 10 * i)));
  expectArray(*Array(rows.stack()), {3, 2}, {0, 1, 10, 11, 20, 21});

  NDArrayList scalars(0, true);
  for (int i : {0, 1}) ASSERT_EQ(Status::OK, scalars.write(i, NDArrayFactory::create_<int>(5 + i)));
  Array stacked(scalars.stack());
  EXPECT_EQ(INT32, stacked->dataType());
  expectArray(*stacked, {2}, {5, 6});

  NDArrayList columnMajor(0, true);
  for (int i : {0, 1}) ASSERT_EQ(Status::OK, columnMajor.write(i, counted({2, 2}, 4 * i, DOUBLE, 'f')));
  stacked.reset(columnMajor.stack());
  EXPECT_EQ('f', stacked->ordering());
  expectArray(*stacked, {2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
}

TEST(NDArrayListTests, StackOfEmptyEntries) {
  NDArrayList one(0, true);
  ASSERT_EQ(Status::OK, one.write(0, NDArrayFactory::empty_<float>()));
  expectArray(*Array(one.stack()), {0}, {});
  ASSERT_EQ(Status::OK, one.write(1, NDArrayFactory::empty_<float>()));
  expectArray(*Array(one.stack()), {2, 0}, {});
  NDArrayList shaped(0, true);
  fill(shaped, 3, {0, 4});
  Array stacked(shaped.stack());
  expectArray(*stacked, {3, 0, 4}, {});
  EXPECT_EQ(FLOAT32, stacked->dataType());
}

TEST(NDArrayListTests, StackErrors) {
  NDArrayList list(0, true);
  EXPECT_EQ("[NDArrayList::stack] the list is empty", messageOf<std::runtime_error>([&] { list.stack(); }));
  list.shape() = {9, 2};
  ASSERT_EQ(Status::OK, list.write(1, counted({2, 2}, 0)));
  EXPECT_EQ("[NDArrayList::stack] entry 0 was not written; the list has 1 entries",
            messageOf<std::invalid_argument>([&] { list.stack(); }));
  ASSERT_EQ(Status::OK, list.write(0, counted({3, 2}, 0)));
  EXPECT_EQ("[NDArrayList::stack] entry 1 has shape [2, 2], but entry 0 has shape [3, 2]",
            messageOf<std::runtime_error>([&] { list.stack(); }));
}

// Element (i, j, k) of the array is 100 i + 10 j + k; the slices follow from that.
TEST(NDArrayListTests, UnstackTakesEachAxisAway) {
  const Shape dims{2, 3, 4};
  for (NDArray& array : nd_test::layoutsOf(dims, [&] {
         std::vector<double> values;
         for (int i = 0; i < 2; i++)
           for (int j = 0; j < 3; j++)
             for (int k = 0; k < 4; k++) values.push_back(100 * i + 10 * j + k);
         return values;
       }()))
    for (int axis = -3; axis < 3; axis++) {
      SCOPED_TRACE(axis);
      const int d = axis < 0 ? axis + 3 : axis;
      NDArrayList list(0, true);
      list.unstack(&array, axis);
      ASSERT_EQ(dims[d], list.elements());
      EXPECT_EQ(d, list.axis());
      std::vector<int> order(list.elements());
      std::iota(order.rbegin(), order.rend(), 0);
      Array picked(list.pick(order));
      ASSERT_EQ(dims, picked->getShapeAsVector());
      for (int e = 0; e < list.elements(); e++) {
        LongType at = 0;
        for (int i = 0; i < 2; i++)
          for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) {
              LongType position[] = {i, j, k};
              if (position[d] != e) continue;
              ASSERT_EQ(100 * i + 10 * j + k, list.readRaw(e)->e<int>(at++));
              position[d] = order.size() - 1 - e;
              ASSERT_EQ(100 * i + 10 * j + k, picked->e<int>(position[0], position[1], position[2]));
            }
        ASSERT_EQ(list.readRaw(e)->lengthOf(), at);
      }
    }
}

TEST(NDArrayListTests, UnstackGivesCopies) {
  NDArrayList list(0, true);
  Array vector(counted({3}, 5));
  list.unstack(vector.get(), 0);
  vector->assign(0.f);
  ASSERT_EQ(3, list.elements());
  expectArray(*list.readRaw(2), {}, {7});
  EXPECT_EQ((Shape{1}), list.shape());
}

TEST(NDArrayListTests, UnstackOfEmptyArrays) {
  NDArrayList none(0, true), three(0, true);
  NDArray empty('c', {0, 3}, FLOAT32);
  none.unstack(&empty, 0);
  EXPECT_EQ(0, none.elements());
  three.unstack(&empty, 1);
  ASSERT_EQ(3, three.elements());
  expectArray(*three.readRaw(2), {0}, {});
  EXPECT_EQ(FLOAT32, three.dataType());
}

TEST(NDArrayListTests, UnstackErrorsLeaveTheListAsItWas) {
  NDArrayList list(0, true);
  fill(list, 1, {3});
  Array matrix(counted({2, 4}, 0)), scalar(NDArrayFactory::create_<float>(1.f)), fits(counted({2, 3}, 0, DOUBLE));
  EXPECT_EQ("[NDArrayList::unstack] argument 1 'axis': 2 is not a dimension of shape [2, 4]",
            messageOf<std::runtime_error>([&] { list.unstack(matrix.get(), 2); }));
  EXPECT_THROW(list.unstack(matrix.get(), -3), std::runtime_error);
  EXPECT_THROW(list.unstack(scalar.get(), 0), std::runtime_error);
  EXPECT_THROW(list.unstack(nullptr, 0), std::runtime_error);
  EXPECT_EQ(
      "[NDArrayList::unstack] slices of shape [2] and type FLOAT32 do not match a list of shape [1, 3] and "
      "type FLOAT32",
      messageOf<std::runtime_error>([&] { list.unstack(matrix.get(), 1); }));
  EXPECT_THROW(list.unstack(fits.get(), 0), std::runtime_error);
  EXPECT_EQ(1, list.elements());
  EXPECT_EQ(0, list.axis());
  expectArray(*list.readRaw(0), {3}, {0, 1, 2});
}

TEST(NDArrayListTests, PickMayRepeatAndLeaveOut) {
  NDArrayList list(0, true);
  fill(list, 3, {2});
  expectArray(*Array(list.pick({2, 0, 2})), {3, 2}, {20, 21, 0, 1, 20, 21});
  expectArray(*Array(list.pick(std::vector<int>{1})), {1, 2}, {10, 11});
  expectArray(*Array(list.pick(std::vector<int>{})), {0, 2}, {});
}

TEST(NDArrayListTests, PickErrors) {
  NDArrayList list(0, true);
  EXPECT_EQ("[NDArrayList::pick] the list is empty", messageOf<std::runtime_error>([&] { list.pick({0}); }));
  list.shape() = {9, 2};
  ASSERT_EQ(Status::OK, list.write(0, counted({2}, 0)));
  ASSERT_EQ(Status::OK, list.write(1, counted({3, 2}, 0)));
  EXPECT_EQ("[NDArrayList::pick] argument 0 'indices': entry 1 at [1] has shape [3, 2], but a slice has shape [2]",
            messageOf<std::runtime_error>([&] {
              list.pick({0, 1});
            }));
}

TEST(NDArrayListTests, Strings) {
  NDArray words({2, 3}, std::vector<std::string>{"a", "bb", "", "dddd", "e", "ff"});
  NDArrayList rows(0, true), columns(0, true);
  rows.unstack(&words, 0);
  columns.unstack(&words, 1);
  ASSERT_EQ(2, rows.elements());
  ASSERT_EQ(3, columns.elements());
  EXPECT_EQ("ff", rows.readRaw(1)->e<std::string>(2));
  EXPECT_EQ("bb", columns.readRaw(1)->e<std::string>(0));
  EXPECT_EQ("e", columns.readRaw(1)->e<std::string>(1));
  Array stacked(rows.stack()), picked(columns.pick({0, 1, 2}));
  EXPECT_TRUE(stacked->equalsTo(words));
  EXPECT_TRUE(picked->equalsTo(words));
  Array copy(rows.read(0));
  EXPECT_TRUE(copy->equalsTo(rows.readRaw(0)));
}

TEST(NDArrayListTests, CloneIsDeep) {
  NDArrayList list(0, true);
  fill(list, 3, {2});
  list.id() = {4, 2};
  list.name() = "alpha";
  EXPECT_EQ(0, list.counter());
  EXPECT_EQ(1, list.counter());
  std::unique_ptr<NDArrayList> twin(list.clone());
  EXPECT_TRUE(twin->equals(list));
  EXPECT_EQ(std::make_pair(4, 2), twin->id());
  EXPECT_EQ("alpha", twin->name());
  EXPECT_EQ(FLOAT32, twin->dataType());
  EXPECT_EQ((Shape{1, 2}), twin->shape());
  EXPECT_EQ(2, twin->counter());
  EXPECT_EQ(2, list.counter()) << "the counters are two";
  twin->readRaw(0)->assign(-1.f);
  EXPECT_FALSE(twin->equals(list));
  expectArray(*list.readRaw(0), {2}, {0, 1});
}

TEST(NDArrayListTests, EqualsComparesAxisIndicesAndArrays) {
  NDArrayList list(0, true), same(7), fewer(0, true), elsewhere(0, true), doubles(0, true), unstacked(0, true);
  fill(list, 2, {2});
  fill(same, 2, {2});
  fill(fewer, 1, {2});
  fill(doubles, 2, {2}, DOUBLE);
  ASSERT_EQ(Status::OK, elsewhere.write(0, counted({2}, 0)));
  ASSERT_EQ(Status::OK, elsewhere.write(2, counted({2}, 10)));
  NDArray columns('c', {2, 2}, {0, 10, 1, 11}, FLOAT32);
  unstacked.unstack(&columns, 1);
  expectArray(*unstacked.readRaw(1), {2}, {10, 11});
  EXPECT_TRUE(list.equals(same));
  EXPECT_TRUE(same.equals(list));
  for (NDArrayList* other : {&fewer, &elsewhere, &doubles, &unstacked}) {
    EXPECT_FALSE(list.equals(*other));
    EXPECT_FALSE(other->equals(list));
  }
  EXPECT_TRUE(NDArrayList(0).equals(NDArrayList(3)));
}

TEST(NDArrayListTests, EmptyEntriesAreKept) {
  NDArrayList list(0, true);
  fill(list, 1, {0, 4});
  Array copy(list.read(0));
  expectArray(*copy, {0, 4}, {});
  std::unique_ptr<NDArrayList> twin(list.clone());
  EXPECT_TRUE(twin->equals(list));
  NDArrayList other(0, true);
  fill(other, 1, {0, 5});
  EXPECT_FALSE(other.equals(list));
}
