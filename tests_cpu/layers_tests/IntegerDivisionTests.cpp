// Arrays of integers divided by one integer. Kernels multiply by its inverse; the expected values are quotients and
// remainders of integers of 128 bits.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

using namespace sd;

namespace {

__extension__ using Wide = __int128;

Wide truncated(Wide x, Wide y) { return x / y; }
Wide floored(Wide x, Wide y) { return x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0); }

struct Division {
  scalar::Ops op;
  const char* name;
  Wide (*value)(Wide x, Wide y);
};

constexpr Division DIVISIONS[] = {
    {scalar::Divide, "Divide", truncated},
    {scalar::TruncateDiv, "TruncateDiv", truncated},
    {scalar::FloorDiv, "FloorDiv", floored},
    {scalar::Mod, "Mod", [](Wide x, Wide y) { return x - truncated(x, y) * y; }},
    {scalar::FMod, "FMod", [](Wide x, Wide y) { return x - truncated(x, y) * y; }},
    {scalar::TruncateMod, "TruncateMod", [](Wide x, Wide y) { return x - truncated(x, y) * y; }},
    {scalar::FloorMod, "FloorMod", [](Wide x, Wide y) { return x - floored(x, y) * y; }},
};

/// Small ones, those near the ends of the range, powers of 2 and their neighbours.
template <typename T>
std::vector<T> divisors() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> result;
  for (int k = 1; k <= 20; k++) {
    result.push_back(static_cast<T>(k));
    result.push_back(static_cast<T>(Limits::max() - k + 1));
    result.push_back(static_cast<T>(Limits::max() / k));
    if (Limits::is_signed) {
      result.push_back(static_cast<T>(-k));
      result.push_back(static_cast<T>(Limits::min() + k - 1));
    }
  }
  for (int bit = 5; bit < Limits::digits; bit++)
    for (int k : {-1, 0, 1}) result.push_back(static_cast<T>((T(1) << bit) + k));
  return result;
}

/// Multiples of the divisor with their neighbours in all parts of the range, and its ends.
template <typename T>
std::vector<T> dividends(T divisor) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> result;
  for (Wide part = 0; part <= 64; part++) {
    const Wide from = Limits::min(), near = from + (Wide(Limits::max()) - from) * part / 64;
    for (const Wide x : {near, truncated(near, divisor) * divisor})
      for (int k : {-1, 0, 1})
        if (x + k >= Limits::min() && x + k <= Limits::max()) result.push_back(static_cast<T>(x + k));
  }
  for (int k = 0; k < 8; k++) result.push_back(static_cast<T>(k));
  return result;
}

template <typename T>
class IntegerDivision : public ::testing::Test {};

using IntegerTypes =
    ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, sd::LongType, sd::UnsignedLong>;
TYPED_TEST_SUITE(IntegerDivision, IntegerTypes);

}  // namespace

TYPED_TEST(IntegerDivision, agreesWithWideIntegers) {
  using T = TypeParam;
  for (const T divisor : divisors<T>()) {
    const std::vector<T> values = dividends(divisor);
    NDArray x = NDArrayFactory::create<T>('c', {static_cast<LongType>(values.size())}, values);
    NDArray y = NDArrayFactory::create<T>(divisor), z = x.ulike();
    for (const Division& division : DIVISIONS) {
      x.applyScalarArr(division.op, y, z);
      for (LongType k = 0; k < x.lengthOf(); k++) {
        const auto value = values[static_cast<size_t>(k)];
        // Where the type does not hold the quotient of its least value and -1, it wraps.
        ASSERT_EQ(z.bufferAsT<T>()[k], static_cast<T>(division.value(value, divisor)))
            << division.name << " of " << +value << " and " << +divisor;
      }
    }
  }
}

TYPED_TEST(IntegerDivision, runsOfAllLengths) {
  using T = TypeParam;
  for (LongType n = 1; n <= 70; n++) {
    NDArray x('c', {n + 2}, DataTypeUtils::fromT<T>());
    x.linspace(3);
    NDArray inner = x({1, n + 1}, true), y = NDArrayFactory::create<T>(T(7));
    inner.applyScalarArr(scalar::FloorDiv, y, inner);
    EXPECT_EQ(x.e<T>(0), T(3));
    for (LongType k = 1; k <= n; k++) ASSERT_EQ(x.e<T>(k), T((3 + k) / 7)) << "element " << k << " of " << n;
    EXPECT_EQ(x.e<T>(n + 1), T(n + 4));
  }
}
