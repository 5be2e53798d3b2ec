// Encoders change their input and decoders add to it: these effects are not covered by the checks of all operations.
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <bit>

namespace sd {
namespace {

NDArray updates() { return NDArray('c', {2, 4}, {0.5, -0.75, 0.125, -0.3125, 1, 0.25, -0.5, 0.4375}, FLOAT32); }

void expectValues(const NDArray& array, const std::vector<double>& expected) {
  ASSERT_EQ(array.lengthOf(), static_cast<LongType>(expected.size()));
  for (size_t i = 0; i < expected.size(); i++)
    EXPECT_EQ(array.e<double>(static_cast<LongType>(i)), expected[i]) << "element " << i;
}

const double HALF_BITS = std::bit_cast<int32_t>(0.5f);

TEST(Codec, ThresholdSubtractsWhatItEncodes) {
  NDArray x = updates();
  ops::encode_threshold op;
  const ResultSet results = op.evaluate({&x}, {0.5}, {});
  ASSERT_EQ(results.size(), 2);
  const std::vector<double> left = {0, -0.25, 0.125, -0.3125, 0.5, 0.25, 0, 0.4375};
  expectValues(x, left);
  expectValues(*results.at(0), left);
  expectValues(*results.at(1), {4, 8, HALF_BITS, 0, 1, -2, 5, -7});
}

TEST(Codec, ThresholdStopsAtTheBoundary) {
  NDArray x = updates();
  ops::encode_threshold op;
  const ResultSet results = op.evaluate({&x}, {0.5}, {2});
  expectValues(*results.at(1), {2, 8, HALF_BITS, 0, 1, -2});
  expectValues(x, {0, -0.25, 0.125, -0.3125, 1, 0.25, -0.5, 0.4375});
}

TEST(Codec, ThresholdEncodesNoSingleElement) {
  NDArray x = updates(), same = updates();
  ops::encode_threshold op;
  const ResultSet results = op.evaluate({&x}, {1}, {});
  expectValues(*results.at(1), {0, 8, static_cast<double>(std::bit_cast<int32_t>(1.f)), 0});
  EXPECT_TRUE(x.equalsTo(same, 0));
}

TEST(Codec, ThresholdAndBackGivesTheUpdates) {
  for (DataType type : {FLOAT32, DOUBLE, HALF, BFLOAT16}) {
    NDArray x = updates().cast(type), same = x.dup();
    ops::encode_threshold encode;
    const ResultSet encoded = encode.evaluate({&x}, {0.5}, {});
    ops::decode_threshold decode;
    ASSERT_EQ(decode.execute({&x, encoded.at(1)}, {&x}), Status::OK);
    EXPECT_TRUE(x.equalsTo(same, 0)) << DataTypeUtils::asString(type);
  }
}

TEST(Codec, BitmapSubtractsWhatItEncodes) {
  NDArray x = updates();
  ops::encode_bitmap op;
  const ResultSet results = op.evaluate({&x}, {0.5}, {});
  ASSERT_EQ(results.size(), 3);
  const std::vector<double> left = {0, -0.25, 0.125, -0.0625, 0.5, 0.25, 0, 0.4375};
  expectValues(x, left);
  expectValues(*results.at(0), left);
  const double word = (1 | 2 | 16 | 64) + 65536. * (2 | 8 | 64);
  expectValues(*results.at(1), {8, 8, HALF_BITS, 1, word});
  EXPECT_EQ(results.at(2)->e<int>(0), 5);
}

TEST(Codec, BitmapAndBackGivesTheUpdates) {
  NDArray x('f', {3, 7}, DOUBLE);
  for (LongType i = 0; i < 21; i++) x.p(i, (static_cast<double>(i * 8 % 21) - 10) / 8);
  const NDArray same = x.dup();
  ops::encode_bitmap encode;
  const ResultSet encoded = encode.evaluate({&x}, {0.5}, {});
  EXPECT_FALSE(x.equalsTo(same, 0));
  ops::decode_bitmap decode;
  ASSERT_EQ(decode.execute({&x, encoded.at(1)}, {&x}), Status::OK);
  EXPECT_TRUE(x.equalsTo(same, 0));
}

TEST(Codec, DecodersStartFromZeroInAnotherArray) {
  NDArray x = updates(), z('c', {2, 4}, FLOAT32);
  z.assign(7);
  ops::encode_bitmap encode;
  const ResultSet encoded = encode.evaluate({&x}, {0.5}, {});
  ops::decode_bitmap decode;
  ASSERT_EQ(decode.execute({&x, encoded.at(1)}, {&z}), Status::OK);
  expectValues(z, {0.5, -0.5, 0, -0.25, 0.5, 0, -0.5, 0});
}

TEST(Stitch, NegativeIndexEndsWithAStatus) {
  NDArray indices('c', {2}, {0, -1}, INT32), data('c', {2}, {1, 2}, FLOAT32);
  ops::dynamic_stitch op;
  EXPECT_EQ(op.evaluate({&indices, &data}).status(), Status::VALIDATION);
}

}  // namespace
}  // namespace sd
