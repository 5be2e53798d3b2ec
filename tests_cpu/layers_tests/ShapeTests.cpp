#include <gtest/gtest.h>
#include <helpers/LoopsCoordsHelper.h>
#include <helpers/shape.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;
constexpr LongType HUGE_DIM = std::numeric_limits<LongType>::max();

class ShapeLayoutTests : public testing::TestWithParam<Layout> {};

INSTANTIATE_TEST_SUITE_P(Layouts, ShapeLayoutTests, testing::ValuesIn(layouts()),
                         [](const auto& layout) { return layout.param.name; });

TEST_P(ShapeLayoutTests, SlotsAreRead) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  const LongType* info = slots.data();
  const int rank = static_cast<int>(layout.dims.size());
  EXPECT_EQ(rank, shape::rank(info));
  EXPECT_EQ(static_cast<int>(slots.size()), shape::shapeInfoLength(info));
  EXPECT_EQ(slots.size() * 8, shape::shapeInfoByteLength(info));
  EXPECT_EQ(product(layout.dims), shape::length(info));
  EXPECT_EQ(layout.order, shape::order(info));
  EXPECT_EQ(sd::FLOAT32, sd::ArrayOptions::dataType(info));
  EXPECT_FALSE(shape::isEmpty(info));
  for (int i = 0; i < rank; i++) {
    EXPECT_EQ(layout.dims[i], shape::sizeAt(info, i));
    EXPECT_EQ(layout.dims[i], shape::sizeAt(info, i - rank));
    EXPECT_EQ(layout.strides[i], shape::strideAt(info, i));
    EXPECT_EQ(layout.strides[i], shape::stride(info)[i]);
  }
  EXPECT_NO_THROW(shape::validate(info));
}

TEST_P(ShapeLayoutTests, ElementsAreCountedInCOrder) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  const auto coordinates = allCoordinates(layout.dims);
  for (LongType i = 0; i < product(layout.dims); i++) {
    Longs longs(layout.dims.size());
    std::vector<int> ints(layout.dims.size());
    shape::index2coords(i, slots.data(), longs.data());
    shape::index2coords(i, slots.data(), ints.data());
    EXPECT_EQ(coordinates[i], longs);
    EXPECT_TRUE(std::equal(ints.begin(), ints.end(), longs.begin()));
    EXPECT_EQ(i, shape::coords2index(slots.data(), longs.data()));
    const LongType offset = offsetOf(longs, layout.strides);
    EXPECT_EQ(offset, shape::getOffset(slots.data(), longs.data()));
    EXPECT_EQ(offset + 100, shape::getOffset(slots.data(), ints.data(), 100));
    EXPECT_EQ(offset, shape::getIndexOffset(i, slots.data()));
    EXPECT_EQ(offset, sd::offset_from_coords(layout.strides.data(), longs.data(), shape::rank(slots.data())));
  }
}

TEST_P(ShapeLayoutTests, OffsetsInBothOrders) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  for (const char order : {'c', 'f'}) {
    Longs offsets(product(layout.dims), -99);
    shape::calcOffsets(slots.data(), offsets.data(), order);
    EXPECT_EQ(allOffsets(layout.dims, layout.strides, order), offsets) << order;
  }
}

TEST_P(ShapeLayoutTests, EwsAndOrderFollowTheStrides) {
  const Layout& layout = GetParam();
  Longs slots = slotsOf(layout.dims, layout.strides, layout.order, -5);
  shape::checkStridesEwsAndOrder(slots.data());
  const LongType inC = commonStep(allOffsets(layout.dims, layout.strides, 'c'));
  const LongType inF = commonStep(allOffsets(layout.dims, layout.strides, 'f'));
  const char order = inC && inF ? layout.order : inC ? 'c' : inF ? 'f' : layout.order;
  EXPECT_EQ(inC ? inC : inF, shape::elementWiseStride(slots.data()));
  EXPECT_EQ(order, shape::order(slots.data()));
}

TEST_P(ShapeLayoutTests, PermutingMovesElementsWithTheirCoordinates) {
  const Layout& layout = GetParam();
  std::vector<int> permutation(layout.dims.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  do {
    Longs slots = slotsOf(layout);
    shape::doPermuteShapeInfo(slots.data(), permutation.data());
    Longs dims, strides;
    for (const int from : permutation) {
      dims.push_back(layout.dims[from]);
      strides.push_back(layout.strides[from]);
    }
    EXPECT_EQ(dims, dimsAt(slots.data()));
    EXPECT_EQ(strides, stridesAt(slots.data()));
    const char order = shape::order(slots.data());
    if (const LongType ews = shape::elementWiseStride(slots.data())) {
      EXPECT_EQ(ews, commonStep(allOffsets(dims, strides, order)));
    }
    Longs out(slots.size());
    Longs original = slotsOf(layout);
    shape::permuteShapeBufferInPlace(original.data(), permutation.data(), out.data());
    EXPECT_EQ(slots, out);
    const std::unique_ptr<LongType[]> copy(shape::permuteShapeBuffer(original.data(), permutation.data()));
    EXPECT_EQ(slots, slotsAt(copy.get()));
  } while (std::next_permutation(permutation.begin(), permutation.end()));
}

TEST_P(ShapeLayoutTests, ViewsOfOtherShapesKeepTheSequence) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  const LongType n = product(layout.dims);
  std::vector<Longs> targets{{n}, {1, n}, {n, 1, 1}};
  for (LongType d = 2; d < n; d++)
    if (n % d == 0) {
      targets.push_back({d, n / d});
      targets.push_back({d, 1, n / d});
      for (LongType e = 2; e < n / d; e++)
        if (n / d % e == 0) targets.push_back({d, e, n / d / e});
    }
  targets.push_back(layout.dims);
  const Longs sequence = allOffsets(layout.dims, layout.strides);
  for (const Longs& target : targets) {
    const int rank = static_cast<int>(target.size());
    Longs out(shape::shapeInfoLength(rank), -7);
    const bool isView = shape::reshapeC(slots.data(), layout.order, rank, target.data(), out.data());
    // A view exists exactly when some strides give the sequence; a group has the strides of its last element.
    if (isView) {
      EXPECT_EQ(target, dimsAt(out.data()));
      EXPECT_EQ(sequence, allOffsets(target, stridesAt(out.data())));
      if (const LongType ews = shape::elementWiseStride(out.data())) {
        EXPECT_EQ(ews, commonStep(allOffsets(target, stridesAt(out.data()), shape::order(out.data()))));
      }
    } else {
      Longs strides(target.size());
      LongType inner = 1;
      for (int i = rank - 1; i >= 0; i--) {
        strides[i] = target[i] > 1 ? sequence[inner] - sequence[0] : 0;
        inner *= target[i];
      }
      EXPECT_NE(sequence, allOffsets(target, strides)) << testing::PrintToString(target);
    }
  }
}

TEST_P(ShapeLayoutTests, SubArraysCoverTheArray) {
  const Layout& layout = GetParam();
  const Longs slots = slotsOf(layout);
  const int rank = static_cast<int>(layout.dims.size());
  for (unsigned excludedBits = 0; excludedBits + 1 < 1u << rank; excludedBits++) {
    std::vector<int> excluded;
    Longs outerDims, outerStrides, innerDims, innerStrides;
    for (int i = 0; i < rank; i++) {
      const bool out = excludedBits >> i & 1;
      if (out) excluded.push_back(i);
      (out ? outerDims : innerDims).push_back(layout.dims[i]);
      (out ? outerStrides : innerStrides).push_back(layout.strides[i]);
    }
    const LongType count = product(outerDims);
    for (const bool keepUnities : {false, true}) {
      Longs sub(slots.size(), -7), offsets(count, -7);
      shape::calcSubArrsShapeInfoAndOffsets(slots.data(), count, static_cast<int>(excluded.size()), excluded.data(),
                                            sub.data(), offsets.data(), keepUnities);
      EXPECT_EQ(allOffsets(outerDims, outerStrides), offsets);
      Longs dims = innerDims;
      if (keepUnities) {
        dims = layout.dims;
        for (const int i : excluded) dims[i] = 1;
      }
      EXPECT_EQ(dims, dimsAt(sub.data()));
      EXPECT_EQ(allOffsets(innerDims, innerStrides), allOffsets(dims, stridesAt(sub.data())));
      if (const LongType ews = shape::elementWiseStride(sub.data())) {
        EXPECT_EQ(ews, commonStep(allOffsets(dims, stridesAt(sub.data()), shape::order(sub.data()))));
      }
      EXPECT_NO_THROW(shape::validate(sub.data()));
    }
    std::vector<int> kept;
    for (int i = 0; i < rank; i++)
      if (!(excludedBits >> i & 1)) kept.push_back(i);
    const int n = static_cast<int>(kept.size());
    EXPECT_EQ(product(innerDims), shape::tadLength(slots.data(), kept.data(), n));
    EXPECT_EQ(count, shape::lengthPerSlice(rank, layout.dims.data(), kept.data(), n));
    Longs copy = slots;
    EXPECT_EQ(count, shape::tensorsAlongDimension(copy.data(), kept.data(), n));
  }
}

TEST_P(ShapeLayoutTests, CoordinatesStepThroughAllElements) {
  const Layout& layout = GetParam();
  const LongType rank = static_cast<LongType>(layout.dims.size());
  const Longs expected = allOffsets(layout.dims, layout.strides);
  Longs coordinates(layout.dims.size(), 0), doubled = layout.strides;
  for (LongType& stride : doubled) stride *= 2;
  LongType offset = 0;
  sd::zip_size_t both{0, 0};
  Longs zipped = coordinates;
  for (const LongType want : expected) {
    EXPECT_EQ(want, offset);
    EXPECT_EQ(want, both.first);
    EXPECT_EQ(2 * want, both.second);
    offset = sd::inc_coords(layout.dims.data(), layout.strides.data(), coordinates.data(), offset, rank);
    both = sd::inc_coords(layout.dims.data(), layout.strides.data(), doubled.data(), zipped.data(), both, rank);
  }
  EXPECT_EQ(0, offset) << "after the last element comes the first";
}

TEST(ShapeTests, StatesOfCoordinates) {
  const LongType bases[] = {2, 3, 4}, strides[] = {12, 4, 1}, others[] = {1, 2, 6};
  sd::CoordsState<2> state;
  LongType offset = sd::init_coords<3>(state, 5, bases, strides);
  EXPECT_EQ(5, offset);
  EXPECT_EQ(4, STRIDE(1, state));
  EXPECT_EQ(12, STRIDE(state, 0));
  EXPECT_EQ(1, COORDS(2, state));
  for (LongType i = 5; i < 24; i++) {
    EXPECT_EQ(i, offset);
    offset = sd::inc_coords<3>(state, offset);
  }
  EXPECT_EQ(0, offset);

  sd::ZipCoordsState<2> zip;
  auto offsets = sd::init_coords<3, 0, false>(zip, 0, bases, strides, others);
  EXPECT_EQ(12, ZIP_STRIDE1(0, zip));
  EXPECT_EQ(6, ZIP_STRIDE2(2, zip));
  const Longs first = allOffsets({2, 3, 4}, {12, 4, 1}, 'f');
  for (LongType i = 0; i < 24; i++) {
    EXPECT_EQ(first[i], offsets.first);
    EXPECT_EQ(i, offsets.second);
    offsets = sd::inc_coords<3, 0, false>(zip, offsets);
  }
  LongType coordinates[3];
  sd::index2coords_F(5, 3, bases, coordinates);
  EXPECT_EQ(Longs({1, 2, 0}), Longs(coordinates, coordinates + 3));
  sd::index2coords_C(5, 3, bases, coordinates);
  EXPECT_EQ(Longs({0, 1, 1}), Longs(coordinates, coordinates + 3));
}

TEST(ShapeTests, CoordinatesOfSomeDimensions) {
  const Longs slots = slotsOf({2, 3, 4}, {12, 4, 1}, 'c', 1);
  const int dims[] = {0, 2};
  int coordinates[] = {-1, -1, -1};
  shape::index2coords(6, slots.data(), dims, 2, coordinates);
  EXPECT_EQ(1, coordinates[0]);
  EXPECT_EQ(-1, coordinates[1]);
  EXPECT_EQ(2, coordinates[2]);
}

TEST(ShapeTests, KindsOfShapes) {
  struct Row {
    Longs dims;
    bool scalar, vector, matrix, rowVector, columnVector;
  };
  const std::vector<Row> rows = {
      {{}, true, false, false, false, false},         {{1}, true, true, false, true, false},
      {{1, 1}, true, true, false, true, false},       {{5}, false, true, false, false, true},
      {{1, 5}, false, true, false, true, false},      {{5, 1}, false, true, false, false, true},
      {{3, 4}, false, false, true, false, false},     {{1, 1, 1}, false, false, false, false, false},
      {{2, 3, 4}, false, false, false, false, false},
  };
  for (const Row& row : rows) {
    const Longs slots = slotsOf(row.dims, Longs(row.dims.size(), 1), 'c', 0);
    SCOPED_TRACE(testing::PrintToString(row.dims));
    EXPECT_EQ(row.scalar, shape::isScalar(slots.data()) == 1);
    EXPECT_EQ(row.vector, shape::isVector(slots.data()) == 1);
    EXPECT_EQ(row.matrix, shape::isMatrix(slots.data()) == 1);
    EXPECT_EQ(row.rowVector, shape::isRowVector(slots.data()));
    EXPECT_EQ(row.columnVector, shape::isColumnVector(slots.data()));
  }
  int position = -1;
  EXPECT_TRUE(shape::isLikeVector(slotsOf({1, 5, 1}, {5, 1, 1}, 'c', 1).data(), position));
  EXPECT_EQ(1, position);
  EXPECT_FALSE(shape::isLikeVector(slotsOf({1, 1}, {1, 1}, 'c', 1).data(), position));
  EXPECT_TRUE(shape::isCommonVector(slotsOf({1, 1}, {1, 1}, 'c', 1).data(), position));
  EXPECT_EQ(0, position);
  EXPECT_FALSE(shape::isCommonVector(slotsOf({2, 2}, {2, 1}, 'c', 1).data(), position));
}

TEST(ShapeTests, Equality) {
  const Longs c = slotsOf({2, 3}, {3, 1}, 'c', 1), f = slotsOf({2, 3}, {1, 2}, 'f', 1),
              other = slotsOf({3, 2}, {2, 1}, 'c', 1);
  EXPECT_TRUE(shape::equalsSoft(c.data(), f.data()));
  EXPECT_FALSE(shape::equalsStrict(c.data(), f.data()));
  EXPECT_TRUE(shape::equalsStrict(c.data(), Longs(c).data()));
  EXPECT_FALSE(shape::equalsSoft(c.data(), other.data()));
  EXPECT_FALSE(shape::shapeEquals(2, other.data() + 1, 1, other.data() + 1));
  EXPECT_FALSE(shape::haveSameShapeAndStrides(c.data(), f.data()));
  EXPECT_TRUE(
      shape::haveSameShapeAndStrides(slotsOf({1, 3}, {3, 1}, 'c', 1).data(), slotsOf({1, 3}, {9, 1}, 'c', 1).data()));
  const Longs none = slotsOf({0, 3}, {0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY),
              noneToo = slotsOf({2, 0}, {0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY);
  EXPECT_TRUE(shape::equalsSoft(none.data(), noneToo.data())) << "empty shapes of one rank";
  EXPECT_FALSE(shape::shapeEquals(none.data(), noneToo.data()));
  EXPECT_FALSE(shape::equalsSoft(none.data(), c.data()));
  const Longs ints = slotsOf({2, 3}, {3, 1}, 'c', 1, ARRAY_INT);
  EXPECT_FALSE(shape::equalsStrict(c.data(), ints.data()));
  EXPECT_TRUE(shape::equalsStrict(slotsOf({}, {}, 'c', 1).data(), slotsOf({}, {}, 'f', 0, ARRAY_INT).data()))
      << "two buffers of rank 0 always are";
}

TEST(ShapeTests, ContiguousOrders) {
  struct Row {
    Longs dims, strides;
    char expected;
  };
  std::vector<Row> rows = {{{3, 4}, {4, 1}, 'c'},      {{3, 4}, {1, 3}, 'f'}, {{5}, {1}, 'a'},
                           {{1, 5}, {5, 1}, 'a'},      {{4, 3}, {2, 9}, 'c'}, {{}, {}, 'a'},
                           {{2, 3, 4}, {1, 2, 6}, 'f'}};
  for (Row& row : rows)
    EXPECT_EQ(row.expected, shape::getOrder(static_cast<int>(row.dims.size()), row.dims.data(), row.strides.data(), 1))
        << testing::PrintToString(row.strides);
}

TEST(ShapeTests, ContiguousBuffers) {
  const LongType dims[] = {2, 3, 4};
  const std::unique_ptr<LongType[]> c(shape::shapeBuffer(3, sd::INT16, dims)),
      f(shape::shapeBufferFortran(3, sd::DOUBLE, dims));
  EXPECT_EQ(slotsOf({2, 3, 4}, {12, 4, 1}, 'c', 1, ARRAY_SHORT), slotsAt(c.get()));
  EXPECT_EQ(slotsOf({2, 3, 4}, {1, 2, 6}, 'f', 1, ARRAY_DOUBLE), slotsAt(f.get()));
  const LongType none[] = {2, 0, 4};
  const std::unique_ptr<LongType[]> empty(shape::shapeBuffer(3, sd::FLOAT32, none));
  EXPECT_EQ(slotsOf({2, 0, 4}, {0, 0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY), slotsAt(empty.get()));
  EXPECT_EQ(0, shape::length(empty.get()));
  const std::unique_ptr<LongType[]> scalar(shape::createScalarShapeInfo());
  EXPECT_EQ(1, shape::rank(scalar.get()));
  LongType old[8];
  EXPECT_EQ(Longs({2, 1, 1, 1, 1, 0, 1, 99}), slotsAt(shape::createScalarShapeInfo(old)));
}

TEST(ShapeTests, BadShapesAreRejected) {
  const LongType negative[] = {2, -1}, large[] = {HUGE_DIM, 2}, largeEmpty[] = {HUGE_DIM, HUGE_DIM, 0};
  LongType out[SD_MAX_SHAPEINFOLENGTH];
  const Longs many(40, 1);
  EXPECT_THROW(shape::lengthChecked(2, negative), std::runtime_error);
  EXPECT_THROW(shape::lengthChecked(2, large), std::runtime_error);
  EXPECT_THROW(shape::lengthChecked(33, many.data()), std::runtime_error);
  EXPECT_EQ(0, shape::lengthChecked(3, largeEmpty));
  EXPECT_EQ(1, shape::lengthChecked(32, many.data()));
  EXPECT_THROW(shape::fillContiguous(out, sd::FLOAT32, 'c', 2, negative), std::runtime_error);
  EXPECT_THROW(shape::fillContiguous(out, sd::FLOAT32, 'c', 2, large), std::runtime_error);
  EXPECT_THROW(shape::fillContiguous(out, sd::FLOAT32, 'c', 33, many.data()), std::runtime_error);
  EXPECT_THROW(shape::fillContiguous(out, sd::FLOAT32, 'a', 1, many.data()), std::runtime_error);
  EXPECT_THROW(shape::fillContiguous(out, sd::HALF2, 'c', 1, many.data()), std::runtime_error);

  const std::vector<Longs> bad = {
      {33, 1},
      {-1, 1},
      slotsOf({2, -3}, {1, 1}, 'c', 1),
      slotsOf({HUGE_DIM, 2}, {2, 1}, 'c', 1),
      slotsOf({4, 4}, {HUGE_DIM / 2, 1}, 'c', 0),
      slotsOf({4}, {std::numeric_limits<LongType>::min()}, 'c', 0),
      slotsOf({2}, {1}, 'x', 1),
      slotsOf({2}, {1}, 'c', 1, 0),
      slotsOf({2}, {1}, 'c', 1, ARRAY_EMPTY),
  };
  for (const Longs& slots : bad)
    EXPECT_THROW(shape::validate(slots.data()), std::runtime_error) << testing::PrintToString(slots);
  EXPECT_THROW(shape::validate(nullptr), std::runtime_error);

  const Longs matrix = slotsOf({2, 3}, {3, 1}, 'c', 1);
  EXPECT_THROW(shape::sizeAt(matrix.data(), 2), std::runtime_error);
  EXPECT_THROW(shape::sizeAt(matrix.data(), -3), std::runtime_error);
  EXPECT_EQ(1, shape::sizeAt(slotsOf({}, {}, 'c', 1).data(), 5));
  for (const std::vector<int>& permutation : std::vector<std::vector<int>>{{0, 0}, {1, 2}, {-1, 0}}) {
    Longs copy = matrix;
    EXPECT_THROW(shape::doPermuteShapeInfo(copy.data(), permutation.data()), std::runtime_error);
    EXPECT_EQ(matrix, copy);
  }
  const LongType other[] = {7};
  EXPECT_THROW(shape::reshapeC(matrix.data(), 'c', 1, other, out), std::runtime_error);
}

TEST(ShapeTests, AnotherOrderNeedsACopy) {
  const LongType target[] = {4, 3};
  LongType out[SD_MAX_SHAPEINFOLENGTH];
  EXPECT_FALSE(shape::reshapeC(slotsOf({3, 4}, {4, 1}, 'c', 1).data(), 'f', 2, target, out));
  EXPECT_TRUE(shape::reshapeC(slotsOf({3, 4}, {8, 2}, 'c', 0).data(), 'f', 2, target, out)) << "without ews: any order";
  EXPECT_THROW(shape::reshapeC(slotsOf({3, 4}, {4, 1}, 'c', 1).data(), 'x', 2, target, out), std::runtime_error);
}

TEST(ShapeTests, Axes) {
  int sorted[4];
  const int given[] = {-1, 0, 2};
  EXPECT_EQ(3, shape::normaliseAxes(given, 3, 4, sorted));
  EXPECT_EQ(0, sorted[0]);
  EXPECT_EQ(2, sorted[1]);
  EXPECT_EQ(3, sorted[2]);
  const int repeated[] = {1, -3}, outside[] = {4};
  EXPECT_THROW(shape::normaliseAxes(repeated, 2, 4, sorted), std::runtime_error);
  EXPECT_THROW(shape::normaliseAxes(outside, 1, 4, sorted), std::runtime_error);
  EXPECT_THROW(shape::normaliseAxes(nullptr, 1, 4, sorted), std::runtime_error);
}

TEST(ShapeTests, Transposed) {
  Longs slots = slotsOf({2, 3, 4}, {12, 4, 1}, 'c', 1);
  shape::transposeInplace(slots.data());
  EXPECT_EQ(slotsOf({4, 3, 2}, {1, 4, 12}, 'f', 1), slots);
}

TEST(ShapeTests, Slices) {
  Longs matrix = slotsOf({3, 4}, {4, 1}, 'c', 1), cube = slotsOf({2, 3, 4}, {1, 2, 6}, 'f', 1),
        vector = slotsOf({5}, {2}, 'c', 2);
  const std::unique_ptr<LongType[]> row(shape::sliceOfShapeBuffer(2, matrix.data()));
  EXPECT_EQ(slotsOf({1, 4}, {1, 1}, 'c', 1, 8), slotsAt(row.get())) << "the offset is in the place of the flags";
  const std::unique_ptr<LongType[]> plane(shape::sliceOfShapeBuffer(1, cube.data()));
  EXPECT_EQ(slotsOf({3, 4}, {2, 6}, 'f', 2, 1), slotsAt(plane.get()));
  const std::unique_ptr<LongType[]> element(shape::sliceOfShapeBuffer(3, vector.data()));
  EXPECT_EQ(slotsOf({1, 1}, {1, 1}, 'c', 1, 6), slotsAt(element.get()));
  EXPECT_THROW(shape::sliceOfShapeBuffer(3, matrix.data()), std::runtime_error);
  EXPECT_THROW(shape::sliceOfShapeBuffer(-1, matrix.data()), std::runtime_error);
  EXPECT_THROW(shape::sliceOfShapeBuffer(0, slotsOf({}, {}, 'c', 1).data()), std::runtime_error);
}

TEST(ShapeTests, RangesOfDimensions) {
  struct Row {
    Longs idx;
    bool keepUnities, isStrided;
    Longs dims;
    LongType offset;
    Longs offsets;
  };
  // For {3, 4} with strides {4, 1}.
  const std::vector<Row> rows = {
      {{0, 0, 0, 0}, false, false, {3, 4}, 0, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
      {{1, 2, 0, 0}, false, false, {4}, 4, {0, 1, 2, 3}},
      {{1, 2, 0, 0}, true, false, {1, 4}, 4, {0, 1, 2, 3}},
      {{1, 3, 1, 3}, false, false, {2, 2}, 5, {0, 1, 4, 5}},
      {{1, -1, 2, -1}, false, false, {2, 2}, 6, {0, 1, 4, 5}},
      {{2, 3, 3, 4}, false, false, {}, 11, {0}},
      {{0, 3, 2, 0, 4, 2}, false, true, {2, 2}, 0, {0, 2, 8, 10}},
      {{0, 0, 7, 1, 4, 3}, true, true, {3, 1}, 1, {0, 4, 8}},
      {{0, 0, 1, 3, 0, -2}, false, true, {3, 2}, 3, {0, -2, 4, 2, 8, 6}},
  };
  const Longs whole = slotsOf({3, 4}, {4, 1}, 'c', 1);
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.idx));
    Longs out(SD_MAX_SHAPEINFOLENGTH);
    LongType offset = -1;
    shape::calcSubArrShapeInfoAndOffset(row.idx.data(), whole.data(), out.data(), offset, row.keepUnities,
                                        row.isStrided);
    EXPECT_EQ(row.dims, dimsAt(out.data()));
    EXPECT_EQ(row.offset, offset);
    EXPECT_EQ(row.offsets, allOffsets(row.dims, stridesAt(out.data())));
  }
  Longs out(SD_MAX_SHAPEINFOLENGTH);
  LongType offset;
  for (const Longs& idx : std::vector<Longs>{{0, 5, 0, 0}, {2, 1, 0, 0}, {-9, 2, 0, 0}, {0, 0, 4, 5}})
    EXPECT_THROW(shape::calcSubArrShapeInfoAndOffset(idx.data(), whole.data(), out.data(), offset), std::runtime_error)
        << testing::PrintToString(idx);
  for (const Longs& idx : std::vector<Longs>{{0, 2, 0, 0, 0, 1}, {0, 2, -1, 0, 0, 1}, {3, 0, -1, 0, 0, 1}})
    EXPECT_THROW(shape::calcSubArrShapeInfoAndOffset(idx.data(), whole.data(), out.data(), offset, false, true),
                 std::runtime_error)
        << testing::PrintToString(idx);
}

TEST(ShapeTests, ElementsThatFallTogether) {
  struct Row {
    Longs maxDims, minDims;
    std::vector<int> exclude;
  };
  const std::vector<Row> rows = {{{2, 3, 4}, {4}, {}},     {{2, 3, 4}, {3, 4}, {}},    {{2, 3, 4}, {2, 4}, {1}},
                                 {{2, 3, 4}, {3}, {0, 2}}, {{2, 3, 4}, {1, 3, 1}, {}}, {{2, 3, 4}, {2, 1}, {1}},
                                 {{2, 3}, {2, 3}, {}},     {{2, 3, 4}, {}, {}},        {{2, 1, 4}, {1, 4}, {}}};
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.minDims));
    const Longs maxSlots = slotsOf(row.maxDims, Longs(row.maxDims.size(), 1), 'c', 0);
    const Longs minSlots = slotsOf(row.minDims, Longs(row.minDims.size(), 1), 'c', 0);
    std::vector<bool> absent(row.maxDims.size());
    for (size_t i = 0; i < row.maxDims.size() - row.minDims.size(); i++)
      absent[row.exclude.empty() ? i : static_cast<size_t>(row.exclude[i])] = true;
    const auto maxCoordinates = allCoordinates(row.maxDims);
    const auto minCoordinates = allCoordinates(row.minDims);
    for (LongType m = 0; m < product(row.minDims); m++) {
      std::vector<int> expected;
      for (size_t i = 0; i < maxCoordinates.size(); i++) {
        bool together = true;
        for (size_t d = 0, k = 0; d < row.maxDims.size(); d++) {
          if (absent[d]) continue;
          together &= row.minDims[k] == 1 || minCoordinates[m][k] == maxCoordinates[i][d];
          k++;
        }
        if (together) expected.push_back(static_cast<int>(i));
      }
      std::vector<int> found(maxCoordinates.size());
      found.resize(shape::outerArrayIndexes(found.data(), m, maxSlots.data(), minSlots.data(),
                                            row.exclude.empty() ? nullptr : row.exclude.data()));
      EXPECT_EQ(expected, found) << m;
    }
  }
  int out[24];
  const Longs max = slotsOf({2, 3}, {3, 1}, 'c', 1), bad = slotsOf({2}, {1}, 'c', 1);
  EXPECT_THROW(shape::outerArrayIndexes(out, 0, max.data(), bad.data()), std::runtime_error);
  EXPECT_THROW(shape::outerArrayIndexes(out, 0, bad.data(), max.data()), std::runtime_error);
  EXPECT_THROW(shape::outerArrayIndexes(out, 6, max.data(), max.data()), std::runtime_error);
}

TEST(ShapeTests, EmptySubArrays) {
  const Longs empty = slotsOf({2, 0, 3}, {0, 0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY);
  Longs sub(SD_MAX_SHAPEINFOLENGTH);
  LongType offsets[2] = {-1, -1};
  const int first[] = {0}, second[] = {1};
  shape::calcSubArrsShapeInfoAndOffsets(empty.data(), 2, 1, first, sub.data(), offsets);
  EXPECT_EQ(slotsOf({0, 3}, {0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY), slotsAt(sub.data()));
  EXPECT_EQ(0, offsets[0]);
  EXPECT_EQ(0, offsets[1]);
  shape::calcSubArrsShapeInfoAndOffsets(empty.data(), 0, 1, second, sub.data(), nullptr);
  EXPECT_EQ(slotsOf({2, 3}, {3, 1}, 'c', 1), slotsAt(sub.data()));
}

TEST(ShapeTests, SmallArrays) {
  const int data[] = {10, 20, 30, 40};
  const LongType indexes[] = {1, 3};
  const std::unique_ptr<int[]> rest(shape::removeIndex(data, indexes, 4, 2)), reversed(shape::reverseCopy(data, 4)),
      joined(shape::concat(data, 1, data + 2, 2));
  EXPECT_EQ(std::vector<int>({10, 30}), std::vector<int>(rest.get(), rest.get() + 2));
  EXPECT_EQ(std::vector<int>({40, 30, 20, 10}), std::vector<int>(reversed.get(), reversed.get() + 4));
  EXPECT_EQ(std::vector<int>({10, 30, 40}), std::vector<int>(joined.get(), joined.get() + 3));
  std::initializer_list<int> dims = {2, 3};
  EXPECT_EQ(6, shape::length(dims));
}

TEST(ArrayOptionsTests, TypesAndBits) {
  struct Row {
    sd::DataType type;
    LongType bits;
  };
  const Row rows[] = {{sd::BOOL, 524288},
                      {sd::HALF, 4096},
                      {sd::BFLOAT16, 2048},
                      {sd::FLOAT32, 8192},
                      {sd::DOUBLE, 16384},
                      {sd::INT8, 32768},
                      {sd::INT16, 65536},
                      {sd::INT32, 131072},
                      {sd::INT64, 262144},
                      {sd::UINT8, 8388608 + 32768},
                      {sd::UINT16, 8388608 + 65536},
                      {sd::UINT32, 8388608 + 131072},
                      {sd::UINT64, 8388608 + 262144},
                      {sd::UTF8, 1048576},
                      {sd::UTF16, 4194304},
                      {sd::UTF32, 16777216}};
  for (const Row& before : rows)
    for (const Row& row : rows) {
      Longs slots = slotsOf({2}, {1}, 'c', 1, before.bits | ARRAY_EMPTY);
      sd::ArrayOptions::setDataType(slots.data(), row.type);
      EXPECT_EQ(row.bits | ARRAY_EMPTY, shape::extra(slots.data()));
      EXPECT_EQ(row.type, sd::ArrayOptions::dataType(slots.data()));
    }
  Longs slots = slotsOf({2}, {1}, 'c', 1, ARRAY_EMPTY);
  EXPECT_THROW(sd::ArrayOptions::dataType(slots.data()), std::runtime_error);
  for (const auto type : {sd::INHERIT, sd::FLOAT8, sd::HALF2, sd::QINT8, sd::ANY, sd::AUTO})
    EXPECT_THROW(sd::ArrayOptions::setDataType(slots.data(), type), std::runtime_error);
  EXPECT_EQ(ARRAY_EMPTY, shape::extra(slots.data()));
  EXPECT_EQ(sd::FLOAT32, sd::ArrayOptions::dataTypeOfFlags(ARRAY_FLOAT | ARRAY_DOUBLE | ARRAY_INT))
      << "the first decides";
}

TEST(ArrayOptionsTests, Kinds) {
  struct Row {
    LongType flags;
    sd::ArrayType array;
    sd::SpaceType space;
  };
  const Row rows[] = {{0, sd::DENSE, sd::CONTINUOUS},
                      {ARRAY_SPARSE | ARRAY_COMPRESSED | ARRAY_EMPTY, sd::SPARSE, sd::CONTINUOUS},
                      {ARRAY_COMPRESSED | ARRAY_EMPTY, sd::COMPRESSED, sd::CONTINUOUS},
                      {ARRAY_EMPTY | ARRAY_RAGGED, sd::EMPTY, sd::CONTINUOUS},
                      {ARRAY_RAGGED | ARRAY_COMPLEX, sd::RAGGED, sd::COMPLEX},
                      {ARRAY_COMPLEX | ARRAY_QUANTIZED, sd::DENSE, sd::QUANTIZED}};
  for (const Row& row : rows) {
    const Longs slots = slotsOf({2}, {1}, 'c', 1, row.flags);
    EXPECT_EQ(row.array, sd::ArrayOptions::arrayType(slots.data()));
    EXPECT_EQ(row.space, sd::ArrayOptions::spaceType(slots.data()));
  }
  Longs slots = slotsOf({2}, {1}, 'c', 1, ARRAY_FLOAT);
  EXPECT_THROW(sd::ArrayOptions::sparseType(slots.data()), std::runtime_error);
  sd::ArrayOptions::setPropertyBits(slots.data(), {ARRAY_SPARSE, ARRAY_COO});
  EXPECT_EQ(sd::COO, sd::ArrayOptions::sparseType(slots.data()));
  sd::ArrayOptions::unsetPropertyBit(slots.data(), ARRAY_COO);
  EXPECT_EQ(sd::LIL, sd::ArrayOptions::sparseType(slots.data()));
  EXPECT_TRUE(sd::ArrayOptions::togglePropertyBit(slots.data(), ARRAY_CSC));
  EXPECT_EQ(sd::CSC, sd::ArrayOptions::sparseType(slots.data()));
  EXPECT_FALSE(sd::ArrayOptions::togglePropertyBit(slots.data(), ARRAY_CSC));
  EXPECT_EQ(ARRAY_FLOAT | ARRAY_SPARSE, shape::extra(slots.data()));
}

}  // namespace
