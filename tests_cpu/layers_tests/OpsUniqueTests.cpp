// Distinct values of long arrays, whose parts are searched in different threads.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <limits>
#include <map>
#include <vector>

#include "ThreadCount.h"

using namespace sd;

namespace {

/// A length that no number of threads divides.
constexpr LongType LENGTH = 200'003;

/// A sequence in which values from 0 to range - 1 come back in different parts, and new ones come in all of them.
std::vector<LongType> repeated(LongType range) {
  std::vector<LongType> values;
  unsigned long state = 1;
  for (LongType i = 0; i < LENGTH; i++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values.push_back(static_cast<LongType>((state >> 33) % static_cast<unsigned long>(range)));
  }
  return values;
}

void expectDistinct(DataType type, const std::vector<LongType>& source, bool withNaN) {
  NDArray x = NDArrayFactory::create<LongType>('c', {LENGTH}, source).cast(type);
  std::map<double, LongType> numbers;
  std::vector<double> values;
  std::vector<LongType> indices, counts;
  for (LongType i = 0; i < LENGTH; i++) {
    const bool isNaN = withNaN && i % 1000 == 7;
    if (isNaN) x.p(i, std::numeric_limits<double>::quiet_NaN());
    const double value = x.e<double>(i);
    auto number = static_cast<LongType>(values.size());
    if (!isNaN) number = numbers.emplace(value, number).first->second;
    if (number == static_cast<LongType>(values.size())) {
      values.push_back(value);
      counts.push_back(0);
    }
    indices.push_back(number);
    counts[static_cast<size_t>(number)]++;
  }

  for (int threads : {1, 2, 3}) {
    SCOPED_TRACE(threads);
    const ThreadCount limit(threads);
    ops::unique_with_counts op;
    const auto results = op.evaluate({&x});
    ASSERT_EQ(results.status(), Status::OK);
    ASSERT_EQ(results.size(), 3);
    ASSERT_EQ(results.at(0)->dataType(), type);
    const auto found = results.at(0)->getBufferAsVector<double>();
    ASSERT_EQ(found.size(), values.size());
    for (size_t k = 0; k < values.size(); k++)
      ASSERT_TRUE(found[k] == values[k] || (found[k] != found[k] && values[k] != values[k])) << "value " << k;
    EXPECT_EQ(results.at(1)->getBufferAsVector<LongType>(), indices);
    EXPECT_EQ(results.at(2)->getBufferAsVector<LongType>(), counts);
  }
}

}  // namespace

TEST(Unique, LongArraysInSeveralThreads) {
  for (DataType type : {INT64, INT32, FLOAT32, DOUBLE, UINT64})
    for (LongType range : {3, 20'000, 1'000'000}) {
      SCOPED_TRACE(testing::Message() << DataTypeUtils::asString(type) << " " << range);
      expectDistinct(type, repeated(range), false);
    }
}

TEST(Unique, NaNAndZerosOfBothSigns) {
  std::vector<LongType> values = repeated(500);
  expectDistinct(FLOAT32, values, true);
  expectDistinct(DOUBLE, values, true);

  NDArray x('c', {LENGTH}, FLOAT32);
  for (LongType i = 0; i < LENGTH; i++) x.p(i, i % 2 == 0 ? -0.0f : 0.0f);
  for (int threads : {1, 2, 3}) {
    const ThreadCount limit(threads);
    ops::unique_with_counts op;
    const auto results = op.evaluate({&x});
    ASSERT_EQ(results.status(), Status::OK);
    EXPECT_EQ(results.at(2)->getBufferAsVector<LongType>(), std::vector<LongType>{LENGTH});
  }
}
