// Encodings, splitting of text, bits.
#include <array/NDArrayFactory.h>
#include <exceptions/datatype_exception.h>
#include <gtest/gtest.h>
#include <helpers/BitwiseUtils.h>
#include <helpers/StringUtils.h>

#include <limits>

using namespace sd;

TEST(StringUtilsTests, EncodingsOfTheSameText) {
  struct {
    std::string u8;
    std::u16string u16;
    std::u32string u32;
  } const rows[] = {{"", u"", U""},
                    {"plain", u"plain", U"plain"},
                    {"caf\xC3\xA9", u"caf\u00E9", U"caf\u00E9"},
                    {"\xE2\x82\xAC\xF0\x9F\x98\x80", u"\u20AC\U0001F600", U"\u20AC\U0001F600"},
                    {std::string("a\0b", 3), std::u16string(u"a\0b", 3), std::u32string(U"a\0b", 3)}};
  for (const auto& row : rows) {
    std::string u8 = "old";
    std::u16string u16 = u"old";
    std::u32string u32 = U"old";
    EXPECT_TRUE(StringUtils::u8StringToU16String(row.u8, u16) && u16 == row.u16);
    EXPECT_TRUE(StringUtils::u8StringToU32String(row.u8, u32) && u32 == row.u32);
    EXPECT_TRUE(StringUtils::u16StringToU8String(row.u16, u8) && u8 == row.u8);
    EXPECT_TRUE(StringUtils::u16StringToU32String(row.u16, u32) && u32 == row.u32);
    EXPECT_TRUE(StringUtils::u32StringToU8String(row.u32, u8) && u8 == row.u8);
    EXPECT_TRUE(StringUtils::u32StringToU16String(row.u32, u16) && u16 == row.u16);
  }
}

TEST(StringUtilsTests, DamagedTextIsRefusedAndTheResultLeftAlone) {
  std::u16string u16 = u"old";
  std::string u8 = "old";
  for (const char* text : {"\xC3", "\xFF", "\xC0\x80", "\xED\xA0\x80", "a\x80"}) {
    EXPECT_FALSE(StringUtils::u8StringToU16String(text, u16)) << text;
    EXPECT_EQ(u16, u"old");
  }
  EXPECT_FALSE(StringUtils::u16StringToU8String(std::u16string(1, 0xD800), u8));
  EXPECT_FALSE(StringUtils::u32StringToU8String(std::u32string(1, 0x110000), u8));
  EXPECT_EQ(u8, "old");
}

TEST(StringUtilsTests, Pieces) {
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(StringUtils::split("left,right,end", ","), (Pieces{"left", "right", "end"}));
  EXPECT_EQ(StringUtils::split("a--b", "--"), (Pieces{"a", "b"}));
  EXPECT_EQ(StringUtils::split(",a,,", ","), (Pieces{"", "a", "", ""}));
  EXPECT_EQ(StringUtils::split("whole", ","), (Pieces{"whole"}));
  EXPECT_EQ(StringUtils::split("", ","), (Pieces{""}));
  EXPECT_THROW(StringUtils::split("a", ""), std::runtime_error);
  EXPECT_EQ(StringUtils::countSubarrays("abcabca", 7, "abca", 4), 2u);
  EXPECT_EQ(StringUtils::countSubarrays("aaaa", 4, "a", 1), 4u);
  EXPECT_EQ(StringUtils::countSubarrays("aaaa", 4, "aa", 2), 3u);
  EXPECT_EQ(StringUtils::countSubarrays("ab", 2, "abc", 3), 0u);
  EXPECT_EQ(StringUtils::countSubarrays("ab", 2, "", 0), 0u);
  EXPECT_THROW(StringUtils::countSubarrays(nullptr, 2, "a", 1), std::runtime_error);
}

TEST(StringUtilsTests, NumbersAsText) {
  EXPECT_EQ(StringUtils::bitsToString(5), "00000000000000000000000000000101");
  EXPECT_EQ(StringUtils::bitsToString<int8_t>(-2), "11111110");
  EXPECT_EQ(StringUtils::bitsToString(1.0f), "00111111100000000000000000000000");
  EXPECT_EQ(StringUtils::valueToString(2.5), "2.5");
  EXPECT_EQ(StringUtils::vectorToString(std::vector<LongType>{1, -2, 3}), "[1, -2, 3]");
  EXPECT_EQ(StringUtils::vectorToString(std::vector<int>{}), "[]");
}

TEST(StringUtilsTests, BytesOfStringArrays) {
  EXPECT_EQ(StringUtils::byteLength(NDArrayFactory::string({3}, {"a", "", "bcd"})), 4u);
  EXPECT_EQ(StringUtils::byteLength(NDArrayFactory::string({2}, {"a", "\xC3\xA9"}, UTF16)), 4u);
  EXPECT_EQ(StringUtils::byteLength(NDArrayFactory::string(U"abc")), 12u);
  EXPECT_EQ(StringUtils::byteLength(NDArray(UTF8, LaunchContext::defaultContext(), false)), 0u);
  EXPECT_THROW(StringUtils::byteLength(NDArray('c', {2}, FLOAT32)), datatype_exception);
}

TEST(BitwiseUtilsTests, BitsOfAnInt) {
  struct {
    int value, lowest, set;
  } const rows[] = {{0, -1, 0},
                    {1, 0, 1},
                    {40, 3, 2},
                    {-1, 0, 32},
                    {std::numeric_limits<int>::min(), 31, 1},
                    {std::numeric_limits<int>::max(), 0, 31}};
  for (const auto& row : rows) {
    EXPECT_EQ(BitwiseUtils::valueBit(row.value), row.lowest);
    const std::vector<int> bits = BitwiseUtils::valueBits(row.value);
    ASSERT_EQ(bits.size(), 32u);
    LongType sum = 0, set = 0;
    for (int i = 0; i < 32; i++) {
      sum += static_cast<LongType>(bits[i]) << i;
      set += bits[i];
    }
    EXPECT_EQ(static_cast<int>(sum), row.value);
    EXPECT_EQ(set, row.set);
  }
}

TEST(BitwiseUtilsTests, BytesAndBitsOfAnyType) {
  EXPECT_EQ(BitwiseUtils::swap_bytes<uint16_t>(0x1234), 0x3412);
  EXPECT_EQ(BitwiseUtils::swap_bytes<int>(0x12345678), 0x78563412);
  EXPECT_EQ(BitwiseUtils::swap_bytes<uint64_t>(0x0102030405060708), 0x0807060504030201u);
  EXPECT_EQ(BitwiseUtils::swap_bytes<int8_t>(-3), -3);
  EXPECT_EQ(BitwiseUtils::swap_bytes(BitwiseUtils::swap_bytes(2.5f)), 2.5f);
  EXPECT_EQ(BitwiseUtils::flip_bits(5), ~5);
  EXPECT_EQ(BitwiseUtils::flip_bits<uint8_t>(0x0F), 0xF0);
  EXPECT_EQ(BitwiseUtils::flip_bits(true), false);
  EXPECT_EQ(BitwiseUtils::flip_bits(BitwiseUtils::flip_bits(2.5)), 2.5);
  EXPECT_EQ(BitwiseUtils::asByteOrder(), BitwiseUtils::isBE() ? BE : LE);
  const uint16_t one = 1;
  EXPECT_EQ(BitwiseUtils::isBE(), *reinterpret_cast<const char*>(&one) == 0);
}
