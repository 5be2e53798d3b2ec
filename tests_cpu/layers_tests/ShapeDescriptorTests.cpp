#include <array/ShapeDescriptor.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <set>
#include <unordered_set>

#include "ShapeTestCases.h"

namespace {

using namespace shape_tests;
using sd::ShapeDescriptor;

Longs built(const ShapeDescriptor& descriptor) {
  const std::unique_ptr<LongType[]> info(descriptor.toShapeInfo());
  return slotsAt(info.get());
}

TEST(ShapeDescriptorTests, ContiguousShapes) {
  struct Row {
    Longs dims;
    char order;
    Longs strides;
    LongType flags;
  };
  const std::vector<Row> rows = {
      {{}, 'c', {}, 0},
      {{5}, 'c', {1}, 0},
      {{2, 3, 4}, 'c', {12, 4, 1}, 0},
      {{2, 3, 4}, 'f', {1, 2, 6}, 0},
      {{1, 3, 1}, 'f', {1, 1, 3}, 0},
      {{2, 0, 4}, 'c', {0, 0, 0}, ARRAY_EMPTY},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.dims));
    const Longs expected = slotsOf(row.dims, row.strides, row.order, 1, ARRAY_LONG | row.flags);
    const ShapeDescriptor descriptor(sd::INT64, row.order, row.dims);
    EXPECT_EQ(expected, built(descriptor));
    EXPECT_EQ(expected,
              built(ShapeDescriptor(sd::INT64, row.order, row.dims.data(), static_cast<int>(row.dims.size()))));
    EXPECT_EQ(row.flags != 0, descriptor.isEmpty());
    EXPECT_EQ(product(row.dims), descriptor.arrLength());
    EXPECT_EQ(product(row.dims), descriptor.allocLength());
    EXPECT_EQ(SHAPE_DESC_OK, descriptor.validate());
    EXPECT_EQ(descriptor, ShapeDescriptor(expected.data()));
    EXPECT_EQ(row.strides, Longs(descriptor.stridesPtr(), descriptor.stridesPtr() + descriptor.rank()));
  }
  EXPECT_EQ(slotsOf({}, {}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY), built(ShapeDescriptor::emptyDescriptor(sd::FLOAT32)));
  EXPECT_EQ(0, ShapeDescriptor::emptyDescriptor(sd::FLOAT32).arrLength());
  EXPECT_EQ(slotsOf({}, {}, 'c', 1), built(ShapeDescriptor::scalarDescriptor(sd::FLOAT32)));
  EXPECT_EQ(slotsOf({7}, {1}, 'c', 1), built(ShapeDescriptor::vectorDescriptor(7, sd::FLOAT32)));
  EXPECT_EQ(slotsOf({7}, {1}, 'c', 1), built(ShapeDescriptor(sd::FLOAT32, 7)));
  EXPECT_EQ(slotsOf({0}, {0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY), built(ShapeDescriptor(sd::FLOAT32, 0)));
}

TEST(ShapeDescriptorTests, FromBuffers) {
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(layout.name);
    const Longs slots = slotsOf(layout), ints = slotsOf({}, {}, 'f', 1, ARRAY_INT);
    EXPECT_EQ(slots, built(ShapeDescriptor(slots.data())));
    Longs expected = slots;
    expected[slots.size() - 3] = ARRAY_INT;
    EXPECT_EQ(expected, built(ShapeDescriptor(slots.data(), sd::INT32)));
    EXPECT_EQ(expected, built(ShapeDescriptor(slots.data(), ints.data())));
    EXPECT_EQ('f', ShapeDescriptor(slots.data(), ints.data(), ints.data()).order());
  }
  EXPECT_EQ(sd::ANY, ShapeDescriptor(slotsOf({2}, {1}, 'c', 1).data(), false).dataType());
  EXPECT_THROW(ShapeDescriptor(static_cast<const LongType*>(nullptr)), std::runtime_error);
  const LongType bad[] = {99};
  EXPECT_THROW(ShapeDescriptor{bad}, std::runtime_error);
}

TEST(ShapeDescriptorTests, Validation) {
  struct Row {
    char order;
    Longs dims, strides;
    LongType ews, expected;
  };
  const std::vector<Row> rows = {
      {'c', {3, 4}, {4, 1}, 1, SHAPE_DESC_OK},
      {'c', {3, 4}, {8, 2}, 2, SHAPE_DESC_OK},
      {'c', {3, 4}, {4, 1}, 0, SHAPE_DESC_INCORRECT_EWS},
      {'c', {3, 4}, {4, 1}, 2, SHAPE_DESC_INCORRECT_EWS},
      {'c', {3, 4}, {6, 1}, 0, SHAPE_DESC_OK},
      {'c', {3, 4}, {6, 1}, 1, SHAPE_DESC_INCORRECT_EWS},
      {'c', {3, 4}, {3, 1}, 0, SHAPE_DESC_INCORRECT_STRIDES},
      {'c', {3, 4}, {1, 3}, 1, SHAPE_DESC_INCORRECT_STRIDES | SHAPE_DESC_INCORRECT_EWS},
      {'f', {3, 4}, {1, 3}, 1, SHAPE_DESC_OK},
      {'f', {3, 4}, {1, 5}, 0, SHAPE_DESC_OK},
      {'f', {3, 4}, {4, 1}, 0, SHAPE_DESC_INCORRECT_STRIDES},
      {'c', {3}, {-1}, -1, SHAPE_DESC_INCORRECT_STRIDES},
      {'c', Longs(33, 1), Longs(33, 1), 1, SHAPE_DESC_INCORRECT_RANK},
      {'c', {3, 0}, {7, 7}, 5, SHAPE_DESC_OK},
  };
  for (const Row& row : rows)
    EXPECT_EQ(row.expected, ShapeDescriptor(sd::FLOAT32, row.order, row.dims, row.strides, row.ews).validate())
        << testing::PrintToString(row.strides) << " ews " << row.ews;
}

TEST(ShapeDescriptorTests, ElementWiseStrides) {
  struct Row {
    char order;
    Longs dims, strides;
    LongType given, descriptor, built;
  };
  const std::vector<Row> rows = {
      {'c', {3, 4}, {4, 1}, 1, 1, 1}, {'c', {3, 4}, {4, 1}, 5, 1, 1}, {'c', {3, 4}, {8, 2}, 1, 2, 2},
      {'c', {3, 4}, {6, 1}, 1, 0, 0}, {'f', {3, 4}, {1, 3}, 1, 1, 1}, {'c', {5}, {3}, 1, 3, 3},
      {'c', {3, 4}, {4, 1}, 0, 1, 0},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.strides));
    EXPECT_EQ(row.descriptor, ShapeDescriptor(sd::FLOAT32, row.order, row.dims, row.strides).ews());
    const int rank = static_cast<int>(row.dims.size());
    const Longs slots =
        built(ShapeDescriptor(sd::FLOAT32, row.order, row.dims.data(), row.strides.data(), rank, row.given, 0));
    EXPECT_EQ(slotsOf(row.dims, row.strides, row.order, row.built), slots) << "an ews that contradicts is replaced";
  }
}

TEST(ShapeDescriptorTests, ExtrasCannotChangeTheType) {
  const LongType dims[] = {2, 3}, none[] = {2, 0}, strides[] = {3, 1};
  EXPECT_EQ(slotsOf({2, 3}, {3, 1}, 'c', 1, ARRAY_FLOAT | ARRAY_SPARSE),
            built(ShapeDescriptor(sd::FLOAT32, 'c', dims, strides, 2, 1, ARRAY_SPARSE | ARRAY_INT | ARRAY_UNSIGNED)));
  EXPECT_THROW(built(ShapeDescriptor(sd::FLOAT32, 'c', dims, strides, 2, 1, ARRAY_EMPTY | ARRAY_SPARSE)),
               std::runtime_error);
  EXPECT_EQ(slotsOf({2, 0}, {0, 0}, 'c', 1, ARRAY_FLOAT | ARRAY_EMPTY),
            built(ShapeDescriptor(sd::FLOAT32, 'c', none, nullptr, 2, 1, ARRAY_SPARSE)));
  EXPECT_EQ(slotsOf({}, {}, 'c', 1), built(ShapeDescriptor(sd::FLOAT32, 'c', nullptr, nullptr, 0, 1, 0)));
}

TEST(ShapeDescriptorTests, PaddedBuffers) {
  struct Row {
    char order;
    Longs dims, paddings, strides;
    LongType ews, allocated;
    bool flagged;
  };
  const std::vector<Row> rows = {
      {'c', {2, 3, 4}, {0, 0, 0}, {12, 4, 1}, 1, 24, false},
      {'c', {2, 3, 4}, {0, 1, 2}, {24, 6, 1}, 0, 48, true},
      {'c', {2, 3, 4}, {3, 1, 2}, {24, 6, 1}, 0, 120, true},
      {'c', {2, 3, 4}, {3, 0, 0}, {12, 4, 1}, 1, 60, false},
      {'f', {2, 3, 4}, {1, 1, 0}, {1, 3, 12}, 0, 48, true},
      {'f', {2, 3, 4}, {0, 0, 2}, {1, 2, 6}, 1, 36, false},
      {'c', {2, 3}, {}, {3, 1}, 1, 6, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::PrintToString(row.paddings));
    const auto descriptor = ShapeDescriptor::paddedBufferDescriptor(sd::FLOAT32, row.order, row.dims, row.paddings);
    EXPECT_EQ(row.allocated, descriptor.allocLength());
    const LongType flags = ARRAY_FLOAT | (row.flagged ? ARRAY_HAS_PADDED_BUFFER : 0);
    EXPECT_EQ(slotsOf(row.dims, row.strides, row.order, row.ews, flags), built(descriptor));
  }
  EXPECT_THROW(ShapeDescriptor::paddedBufferDescriptor(sd::FLOAT32, 'c', {2, 3}, {0, -1}), std::runtime_error);
  EXPECT_THROW(
      ShapeDescriptor::paddedBufferDescriptor(sd::FLOAT32, 'c', {2, 3}, {0, std::numeric_limits<LongType>::max()}),
      std::runtime_error);
}

TEST(ShapeDescriptorTests, RoomForStrides) {
  EXPECT_EQ(15, ShapeDescriptor(sd::FLOAT32, 'c', {3, 3}, {6, 1}).allocLength());
  EXPECT_EQ(9, ShapeDescriptor(sd::FLOAT32, 'c', {5}, {2}).allocLength());
  EXPECT_EQ(12, ShapeDescriptor(sd::FLOAT32, 'f', {3, 4}, {1, 3}).allocLength());
}

TEST(ShapeDescriptorTests, BadShapesAreRejected) {
  const LongType large = std::numeric_limits<LongType>::max();
  EXPECT_THROW(built(ShapeDescriptor(sd::FLOAT32, 'c', Longs(33, 1))), std::runtime_error);
  EXPECT_THROW(built(ShapeDescriptor(sd::FLOAT32, 'x', {2})), std::runtime_error);
  EXPECT_THROW(built(ShapeDescriptor(sd::FLOAT32, 'c', {2, -1})), std::runtime_error);
  EXPECT_THROW(built(ShapeDescriptor(sd::FLOAT32, 'c', {large, large})), std::runtime_error);
  EXPECT_THROW(built(ShapeDescriptor(sd::HALF2, 'c', {2})), std::runtime_error);
  EXPECT_THROW(built(ShapeDescriptor()), std::runtime_error);
  EXPECT_THROW(ShapeDescriptor(sd::FLOAT32, 'c', {2, 3}, Longs{1}), std::runtime_error);
  EXPECT_THROW(ShapeDescriptor(sd::FLOAT32, 'c', nullptr, 2), std::runtime_error);
  EXPECT_THROW(ShapeDescriptor(sd::FLOAT32, 'c', nullptr, -1), std::runtime_error);
  EXPECT_THROW(ShapeDescriptor(sd::FLOAT32, 'c', {large, large}).arrLength(), std::runtime_error);
  EXPECT_THROW(ShapeDescriptor(sd::FLOAT32, 'c', {3, 4}, {large, 1}).allocLength(), std::runtime_error);
}

TEST(ShapeDescriptorTests, KeysOfContainers) {
  const std::vector<ShapeDescriptor> all = {
      ShapeDescriptor(sd::FLOAT32, 'c', {2, 3}),     ShapeDescriptor(sd::FLOAT32, 'f', {2, 3}),
      ShapeDescriptor(sd::INT32, 'c', {2, 3}),       ShapeDescriptor(sd::FLOAT32, 'c', {3, 2}),
      ShapeDescriptor(sd::FLOAT32, 'c', {2, 3, 1}),  ShapeDescriptor(sd::FLOAT32, 'c', {2, 3}, {5, 1}),
      ShapeDescriptor::emptyDescriptor(sd::FLOAT32), ShapeDescriptor::scalarDescriptor(sd::FLOAT32),
  };
  std::set<ShapeDescriptor> ordered(all.begin(), all.end());
  std::unordered_set<ShapeDescriptor> hashed(all.begin(), all.end());
  ordered.insert(all.begin(), all.end());
  hashed.insert(all.begin(), all.end());
  EXPECT_EQ(all.size(), ordered.size());
  EXPECT_EQ(all.size(), hashed.size());
  EXPECT_TRUE(all[0] != all[1]);
  EXPECT_EQ(1u, hashed.count(ShapeDescriptor(sd::FLOAT32, 'c', {2, 3})));
}

}  // namespace
