// Properties of element types, and the texts of exceptions that name them.
#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <exceptions/allocation_exception.h>
#include <exceptions/datatype_exception.h>
#include <exceptions/graph_execution_exception.h>
#include <exceptions/unknown_graph_exception.h>
#include <gtest/gtest.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using sd::DataType;
using sd::DataTypeUtils;
using sd::Environment;

namespace {

struct TypeRow {
  DataType type;
  int number;
  size_t size;
  const char* name;
  char kind;  ///< r real, z signed integer, u unsigned integer, b boolean, s string
  DataType fromT;
};

const TypeRow ROWS[] = {
    {sd::BOOL, 1, 1, "BOOL", 'b', DataTypeUtils::fromT<bool>()},
    {sd::HALF, 3, 2, "HALF", 'r', DataTypeUtils::fromT<float16>()},
    {sd::FLOAT32, 5, 4, "FLOAT", 'r', DataTypeUtils::fromT<float>()},
    {sd::DOUBLE, 6, 8, "DOUBLE", 'r', DataTypeUtils::fromT<double>()},
    {sd::INT8, 7, 1, "INT8", 'z', DataTypeUtils::fromT<int8_t>()},
    {sd::INT16, 8, 2, "INT16", 'z', DataTypeUtils::fromT<int16_t>()},
    {sd::INT32, 9, 4, "INT32", 'z', DataTypeUtils::fromT<int>()},
    {sd::INT64, 10, 8, "INT64", 'z', DataTypeUtils::fromT<sd::LongType>()},
    {sd::UINT8, 11, 1, "UINT8", 'u', DataTypeUtils::fromT<uint8_t>()},
    {sd::UINT16, 12, 2, "UINT16", 'u', DataTypeUtils::fromT<uint16_t>()},
    {sd::UINT32, 13, 4, "UINT32", 'u', DataTypeUtils::fromT<uint32_t>()},
    {sd::UINT64, 14, 8, "UINT64", 'u', DataTypeUtils::fromT<sd::UnsignedLong>()},
    {sd::BFLOAT16, 17, 2, "BFLOAT16", 'r', DataTypeUtils::fromT<bfloat16>()},
    {sd::UTF8, 50, 4, "UTF8", 's', DataTypeUtils::fromT<std::string>()},
    {sd::UTF16, 51, 4, "UTF16", 's', DataTypeUtils::fromT<std::u16string>()},
    {sd::UTF32, 52, 4, "UTF32", 's', DataTypeUtils::fromT<std::u32string>()},
};

TEST(DataTypeUtilsTests, ElementTypes) {
  for (const auto& row : ROWS) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(DataTypeUtils::asInt(row.type), row.number);
    EXPECT_EQ(DataTypeUtils::fromInt(row.number), row.type);
    EXPECT_EQ(row.fromT, row.type);
    EXPECT_EQ(DataTypeUtils::sizeOf(row.type), row.size);
    EXPECT_EQ(DataTypeUtils::sizeOfElement(row.type), row.size);
    EXPECT_EQ(DataTypeUtils::asString(row.type), row.name);
    EXPECT_TRUE(DataTypeUtils::isElementType(row.type));
    EXPECT_EQ(DataTypeUtils::isR(row.type), row.kind == 'r');
    EXPECT_EQ(DataTypeUtils::isZ(row.type), row.kind == 'z' || row.kind == 'u');
    EXPECT_EQ(DataTypeUtils::isU(row.type), row.kind == 'u');
    EXPECT_EQ(DataTypeUtils::isB(row.type), row.kind == 'b');
    EXPECT_EQ(DataTypeUtils::isS(row.type), row.kind == 's');

    sd::LongType info[4] = {0, 0, 1, 99};
    sd::ArrayOptions::setDataType(info, row.type);
    EXPECT_EQ(DataTypeUtils::sizeOf(info), row.size);
    EXPECT_EQ(DataTypeUtils::pickPairwiseResultType(info, info), row.type);
  }
}

TEST(DataTypeUtilsTests, TypesThatArraysCannotHave) {
  for (int number : {0, 2, 4, 15, 16, 20, 53, 100, 200, -1, 999}) {
    const auto type = DataTypeUtils::fromInt(number);
    EXPECT_FALSE(DataTypeUtils::isElementType(type)) << number;
    EXPECT_THROW(DataTypeUtils::sizeOf(type), std::runtime_error) << number;
    EXPECT_THROW(DataTypeUtils::asString(type), std::runtime_error) << number;
    EXPECT_EQ(DataTypeUtils::describe(type), "type " + std::to_string(number));
  }
  EXPECT_TRUE(DataTypeUtils::isZ(sd::INHERIT));
}

TEST(DataTypeUtilsTests, Limits) {
  EXPECT_EQ(DataTypeUtils::min<float>(), FLT_MIN);
  EXPECT_EQ(DataTypeUtils::min<double>(), DBL_MIN);
  EXPECT_EQ(DataTypeUtils::min<float16>(), 6.103515625e-05f);
  EXPECT_EQ(DataTypeUtils::min<bfloat16>()._data, static_cast<int16_t>(0xff7f));
  EXPECT_EQ(DataTypeUtils::min<int>(), INT_MIN);
  EXPECT_EQ(DataTypeUtils::min<sd::LongType>(), LLONG_MIN);
  EXPECT_EQ(DataTypeUtils::min<uint8_t>(), 0);
  EXPECT_EQ(DataTypeUtils::max<float>(), FLT_MAX);
  EXPECT_EQ(DataTypeUtils::max<float16>(), 65504.f);
  EXPECT_EQ(DataTypeUtils::max<int8_t>(), 127);
  EXPECT_EQ(DataTypeUtils::max<uint64_t>(), ULLONG_MAX);
  EXPECT_TRUE(DataTypeUtils::max<bool>());
  EXPECT_TRUE(std::isinf(DataTypeUtils::infOrMax<float>()));
  EXPECT_TRUE(std::isinf(DataTypeUtils::infOrMax<double>()));
  EXPECT_EQ(DataTypeUtils::infOrMax<float16>(), 65504.f);
  EXPECT_EQ(DataTypeUtils::infOrMax<int>(), INT_MAX);
  EXPECT_TRUE(std::isnan(DataTypeUtils::nanOrZero<double>()));
  EXPECT_EQ(DataTypeUtils::nanOrZero<int>(), 0);
  EXPECT_EQ(DataTypeUtils::eps<float>(), FLT_EPSILON);
  EXPECT_EQ(DataTypeUtils::eps<double>(), DBL_EPSILON);
  EXPECT_EQ(DataTypeUtils::eps<float16>(), 0.0009765625f);
  EXPECT_EQ(DataTypeUtils::eps<int>(), 0);
  EXPECT_EQ(DataTypeUtils::min_positive<double>(), 2.2250738585072014e-308);
  EXPECT_EQ(DataTypeUtils::min_positive<float16>(), 6.103515625e-05f);
  EXPECT_EQ(DataTypeUtils::min_positive<float>(), 0.f);
}

TEST(DataTypeUtilsTests, PairwiseResultType) {
  struct Row {
    DataType x, y, plain, boosted;
  };
  const Row rows[] = {
      {sd::INT32, sd::INT32, sd::INT32, sd::INT32},
      {sd::INT32, sd::FLOAT32, sd::FLOAT32, sd::FLOAT32},
      {sd::HALF, sd::INT64, sd::HALF, sd::HALF},
      {sd::BOOL, sd::BFLOAT16, sd::BFLOAT16, sd::BFLOAT16},
      {sd::FLOAT32, sd::DOUBLE, sd::FLOAT32, sd::DOUBLE},
      {sd::DOUBLE, sd::FLOAT32, sd::DOUBLE, sd::DOUBLE},
      {sd::INT64, sd::INT8, sd::INT64, sd::INT64},
      {sd::INT8, sd::INT64, sd::INT8, sd::INT64},
      {sd::BOOL, sd::UINT8, sd::BOOL, sd::UINT8},
      {sd::COMPLEX64, sd::DOUBLE, sd::COMPLEX64, sd::COMPLEX64},
      {sd::INT8, sd::COMPLEX128, sd::COMPLEX128, sd::COMPLEX128},
      {sd::COMPLEX64, sd::COMPLEX128, sd::COMPLEX64, sd::COMPLEX128},
  };
  auto& environment = Environment::getInstance();
  for (const auto& row : rows) {
    EXPECT_EQ(DataTypeUtils::pickPairwiseResultType(row.x, row.y), row.plain);
    environment.allowPrecisionBoost(true);
    EXPECT_EQ(DataTypeUtils::pickPairwiseResultType(row.x, row.y), row.boosted);
    environment.allowPrecisionBoost(false);
  }
}

TEST(DataTypeUtilsTests, FloatingType) {
  EXPECT_EQ(DataTypeUtils::pickFloatingType(sd::BFLOAT16), sd::BFLOAT16);
  EXPECT_EQ(DataTypeUtils::pickFloatingType(sd::INT8), sd::FLOAT32);
  Environment::getInstance().setDefaultFloatDataType(sd::DOUBLE);
  EXPECT_EQ(DataTypeUtils::pickFloatingType(sd::INT8), sd::DOUBLE);
  Environment::getInstance().setDefaultFloatDataType(sd::FLOAT32);
}

TEST(DataTypeUtilsTests, CastShapeInfo) {
  const sd::LongType info[] = {2, 3, 4, 4, 1, 8192, 1, 99};
  int narrow[8];
  EXPECT_TRUE(DataTypeUtils::castShapeInfo<int>(info, narrow));
  EXPECT_EQ(std::vector<int>(narrow, narrow + 8), (std::vector<int>{2, 3, 4, 4, 1, 8192, 1, 99}));
  const sd::LongType large[] = {2, 3, 1LL << 31, 4, 1, 8192, 1, 99};
  EXPECT_FALSE(DataTypeUtils::castShapeInfo<int>(large, narrow));
  const sd::LongType impossible[] = {33};
  EXPECT_FALSE(DataTypeUtils::castShapeInfo<int>(impossible, narrow));
  const sd::LongType negative[] = {-1};
  EXPECT_FALSE(DataTypeUtils::castShapeInfo<int>(negative, narrow));
}

TEST(DataTypeUtilsTests, Conversions) {
  EXPECT_EQ((DataTypeUtils::convertVector<double, int>({1.5, -2.5})), (std::vector<int>{1, -2}));
  enum FlatType : int8_t { FlatDouble = 6 };
  EXPECT_EQ(DataTypeUtils::fromFlatDataType(FlatDouble), sd::DOUBLE);
  EXPECT_TRUE(sd::scalarTypesForNDarray<float16>::value && sd::scalarTypesForNDarray<long>::value);
  EXPECT_FALSE(sd::scalarTypesForNDarray<std::string>::value);
  EXPECT_TRUE(sd::scalarTypesForExecution<sd::LongType>::value);
  EXPECT_FALSE(sd::scalarTypesForExecution<float16>::value);
}

TEST(Exceptions, Texts) {
  EXPECT_STREQ(sd::datatype_exception::build("add", sd::FLOAT32, sd::INT32, sd::BOOL).what(),
               "add; Expected: [FLOAT32]; Actual: [INT32, BOOL]");
  EXPECT_STREQ(sd::datatype_exception::build("add", sd::FLOAT32, DataTypeUtils::fromInt(77)).what(),
               "add; Expected: [FLOAT32]; Actual: [type 77]");
  EXPECT_STREQ(sd::allocation_exception::build("no room", 12).what(), "no room; Requested bytes: [12]");
  const sd::graph_execution_exception error("too deep", 119);
  EXPECT_EQ(error.graphId(), 119);
  EXPECT_NE(std::string(error.what()).find("too deep"), std::string::npos);
  EXPECT_NE(std::string(error.what()).find("119"), std::string::npos);
  EXPECT_THROW(throw sd::unknown_graph_exception(1), sd::graph_exception);
  EXPECT_THROW(throw sd::datatype_exception("x"), std::runtime_error);
}

}  // namespace
