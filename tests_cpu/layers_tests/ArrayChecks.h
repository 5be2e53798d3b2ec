// Compares arrays with each other, bit by bit, and with what is known of them before they are computed.
#ifndef NDFORGE_TESTS_ARRAYCHECKS_H
#define NDFORGE_TESTS_ARRAYCHECKS_H

#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/ShapeUtils.h>
#include <ops/declarable/PartialShape.h>

#include <cstring>
#include <string>
#include <vector>

namespace nd_test {

/// first, first + step, …
inline sd::NDArray counted(const std::vector<sd::LongType>& shape, double first, double step,
                           sd::DataType type = sd::FLOAT32) {
  sd::NDArray array('c', shape, type);
  array.linspace(first, step);
  return array;
}

/// The same bits, type and shape.
inline void expectSame(const sd::NDArray& expected, const sd::NDArray& actual) {
  ASSERT_EQ(expected.dataType(), actual.dataType());
  ASSERT_TRUE(expected.isSameShape(actual))
      << sd::ShapeUtils::shapeAsString(&expected) << ", not " << sd::ShapeUtils::shapeAsString(&actual);
  if (expected.isS()) {
    for (sd::LongType k = 0; k < expected.lengthOf(); k++)
      ASSERT_EQ(expected.e<std::string>(k), actual.e<std::string>(k));
    return;
  }
  const sd::NDArray a = expected.dup('c'), b = actual.dup('c');
  if (a.lengthOf() == 0) return;
  EXPECT_EQ(0, std::memcmp(a.buffer(), b.buffer(), static_cast<size_t>(a.lengthOf()) * a.sizeOfT()));
}

/// Whether everything that is known of a shape holds.
inline void expectFits(const sd::ops::PartialShape& known, const sd::NDArray& array) {
  EXPECT_TRUE(!known.hasType() || known.type() == array.dataType());
  if (!known.hasRank()) return;
  ASSERT_EQ(known.rank(), array.rankOf());
  for (int axis = 0; axis < known.rank(); axis++)
    EXPECT_TRUE(known[axis] == sd::ops::PartialShape::UNKNOWN || known[axis] == array.sizeAt(axis));
}

}  // namespace nd_test

#endif
