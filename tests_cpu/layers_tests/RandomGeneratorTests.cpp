// The random number generator: the published stream, ranges, states.
#include <array/DataType.h>
#include <graph/RandomGenerator.h>
#include <gtest/gtest.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <limits>
#include <vector>

using sd::LongType;
using sd::graph::RandomGenerator;

namespace {

#include "../data/random_reference.inc"

}  // namespace

TEST(RandomGeneratorTests, GivesThePublishedStream) {
  for (const GeneratorCase& c : GENERATOR_CASES) {
    SCOPED_TRACE(testing::Message() << c.root << " " << c.node << " " << c.index);
    RandomGenerator generator(c.root, c.node);
    EXPECT_EQ(generator.xoroshiro32(static_cast<uint64_t>(c.index)), c.bits32);
    EXPECT_EQ(generator.xoroshiro64(static_cast<uint64_t>(c.index)), c.bits64);
    EXPECT_EQ(generator.relativeT<uint32_t>(c.index), c.bits32);
    EXPECT_EQ(generator.relativeT<uint64_t>(c.index), c.bits64);
    EXPECT_EQ(generator.relativeT<float>(c.index), c.unit);
    EXPECT_EQ(generator.relativeT<double>(c.index), static_cast<double>(c.unit));
    EXPECT_EQ(generator.relativeInt(c.index), c.integer);
    EXPECT_EQ(generator.relativeLong(c.index), c.longInteger);
    generator.rewindH(static_cast<uint64_t>(c.index));
    EXPECT_EQ(static_cast<uint64_t>(generator.nodeState()), c.nodeAfter);
    EXPECT_EQ(generator.rootState(), c.root);
  }
}

TEST(RandomGeneratorTests, ZeroSeedsHaveDefaults) {
  RandomGenerator generator;
  EXPECT_NE(generator.rootState(), 0);
  EXPECT_EQ(generator.nodeState(), 1298567341);
  generator.setStates(5);
  EXPECT_EQ(generator.rootState(), 5);
  EXPECT_EQ(generator.nodeState(), 1298567341);
  generator.setSeed(-3);
  EXPECT_EQ(generator.nodeState(), -3);
  generator.setSeed(uint64_t{0});
  EXPECT_EQ(generator.nodeState(), 0);
  EXPECT_EQ(generator.rootState(), 5);
}

template <typename T>
static void expectInside(T from, T to) {
  const RandomGenerator generator(119, 5);
  const T least = from < to ? from : to, greatest = from < to ? to : from;
  bool varies = false;
  for (LongType i = 0; i < 2000; i++) {
    const T value = generator.relativeT<T>(i, from, to);
    ASSERT_GE(value, least) << i;
    ASSERT_LE(value, greatest) << i;
    varies |= value != generator.relativeT<T>(0, from, to);
  }
  EXPECT_EQ(varies, from != to);
}

TEST(RandomGeneratorTests, RangedValuesStayInside) {
  expectInside<int>(0, 10);
  expectInside<int>(10, 0);
  expectInside<int>(std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  expectInside<int>(16777217, 16777219);
  expectInside<LongType>(std::numeric_limits<LongType>::min(), std::numeric_limits<LongType>::max());
  expectInside<LongType>(-7, 7);
  expectInside<int8_t>(-128, 127);
  expectInside<uint8_t>(3, 250);
  expectInside<int16_t>(-30000, 30000);
  expectInside<uint32_t>(1u, 4294967295u);
  expectInside<uint64_t>(0u, ~uint64_t{0});
  expectInside<float>(-1.5f, 2.5f);
  expectInside<double>(1e300, -1e300);
  expectInside<float16>(float16(-2.f), float16(2.f));
  expectInside<bfloat16>(bfloat16(-2.f), bfloat16(2.f));
}

TEST(RandomGeneratorTests, IntegersAreRoundedTowardsZero) {
  const RandomGenerator generator(119, 1298567341);
  // Floats 0.371667504, 0.196140528, 0.349186182, 0.519540071 from the reference.
  const int expected[] = {-1, -3, -1, 0};
  for (LongType i = 0; i < 4; i++) EXPECT_EQ(generator.relativeT<int>(i, -5, 5), expected[i]);
}

TEST(RandomGeneratorTests, RoundingToSixteenBitsStaysBelowOne) {
  const RandomGenerator generator(119, 5);
  for (LongType i = 0; i < 100000; i++) {
    ASSERT_LT(static_cast<float>(generator.relativeT<float16>(i)), 1.f);
    ASSERT_LT(static_cast<float>(generator.relativeT<bfloat16>(i)), 1.f);
  }
}
