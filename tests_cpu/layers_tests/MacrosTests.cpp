// The macros that programs and operations use: lists, instantiation, selection, lambdas, memory.
#include <array/DataTypeUtils.h>
#include <exceptions/allocation_exception.h>
#include <gtest/gtest.h>
#include <memory/Workspace.h>
#include <system/op_boilerplate.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace macros_test {

// The result tells which instantiation was called.
template <typename T>
size_t single(int value) {
  return sizeof(T) + static_cast<size_t>(value);
}
template <typename A, typename B>
size_t pairOf(size_t plus) {
  return sizeof(A) * 10 + sizeof(B) + plus;
}
template <typename X, typename Y, typename Z>
size_t tripleOf() {
  return sizeof(X) * 100 + sizeof(Y) * 10 + sizeof(Z);
}
template <typename X, typename Y, typename Z>
bool isOneOfOperands() {
  return std::is_same_v<Z, X> || std::is_same_v<Z, Y>;
}
template <typename T>
struct Holder {
  static size_t size(int times) { return sizeof(T) * static_cast<size_t>(times); }
};

BUILD_SINGLE_TEMPLATE(template size_t single, (int value), SD_COMMON_TYPES);
BUILD_DOUBLE_TEMPLATE(template size_t pairOf, (size_t plus), SD_COMMON_TYPES, SD_INDEXING_TYPES);
BUILD_TRIPLE_TEMPLATE(template size_t tripleOf, (), SD_COMMON_TYPES, SD_FLOAT_TYPES, SD_INDEXING_TYPES);
BUILD_PAIRWISE_TEMPLATE(template bool isOneOfOperands, (), SD_PAIRWISE_TYPES_0);
BUILD_PAIRWISE_TEMPLATE(template bool isOneOfOperands, (), SD_PAIRWISE_TYPES_12);
BUILD_SINGLE_UNCHAINED_TEMPLATE(template struct Holder<, >, SD_FLOAT_TYPES);

template <typename T>
struct Plus {
  static T op(T a, T b) { return a + b; }
};
template <typename T>
struct Times {
  static T op(T a, T b) { return a * b; }
};
template <typename T, typename U>
struct First {
  static T op(T a, U) { return a; }
};
template <typename T, typename U>
struct Second {
  static T op(T, U b) { return static_cast<T>(b); }
};

template <typename Op>
double run(double a, double b) {
  return static_cast<double>(Op::op(a, b));
}

#define ARITHMETIC_OPS (3, Plus), (8, Times)
#define CHOICE_OPS (0, First), (1, Second)

}  // namespace macros_test

namespace {

using namespace macros_test;
using sd::DataType;
using Workspace = sd::memory::Workspace;

// The enum values of a list of entries.
#define TEST_ENUM(DATA, ENTRY) SD_PP_CALL_A(TEST_ENUM_I, ENTRY)
#define TEST_ENUM_I(ENUM, TYPE) ENUM,
#define ENUMS_OF(...) (std::vector<DataType>{SD_PP_FOR_A(TEST_ENUM, ~, __VA_ARGS__)})
// Whether the types of a list belong to its enum values.
#define TEST_MATCH(DATA, ENTRY) SD_PP_CALL_A(TEST_MATCH_I, ENTRY)
#define TEST_MATCH_I(ENUM, TYPE) &&sd::DataTypeUtils::fromT<TYPE>() == ENUM

#ifndef SD_SELECTIVE_TYPES
TEST(TypeListTests, ContentsInOrder) {
  using Types = std::vector<DataType>;
  const Types floats = {sd::BFLOAT16, sd::FLOAT32, sd::DOUBLE, sd::HALF};
  const Types integers = {sd::INT32, sd::INT64, sd::INT8, sd::INT16, sd::UINT8, sd::UINT16, sd::UINT32, sd::UINT64};
  Types numeric = floats;
  numeric.insert(numeric.end(), integers.begin(), integers.end());
  Types common = numeric;
  common.insert(common.begin(), sd::BOOL);
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES), common);
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES_EXTENDED), common);
  EXPECT_EQ(ENUMS_OF(SD_NUMERIC_TYPES), numeric);
  EXPECT_EQ(ENUMS_OF(SD_FLOAT_TYPES), floats);
  EXPECT_EQ(ENUMS_OF(SD_FLOAT_NATIVE), (Types{sd::FLOAT32, sd::DOUBLE, sd::HALF}));
  EXPECT_EQ(ENUMS_OF(SD_INTEGER_TYPES), integers);
  EXPECT_EQ(ENUMS_OF(SD_INDEXING_TYPES), (Types{sd::INT32, sd::INT64}));
  EXPECT_EQ(ENUMS_OF(SD_LONG_TYPES), (Types{sd::INT64, sd::UINT64}));
  EXPECT_EQ(ENUMS_OF(SD_GENERIC_NUMERIC_TYPES),
            (Types{sd::BFLOAT16, sd::FLOAT32, sd::DOUBLE, sd::HALF, sd::INT32, sd::INT64}));
  EXPECT_EQ(ENUMS_OF(SD_STRING_TYPES), (Types{sd::UTF8, sd::UTF16, sd::UTF32}));
  EXPECT_EQ(ENUMS_OF(SD_BOOL_TYPES), Types{sd::BOOL});
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES_0), Types{sd::BOOL});
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES_12), Types{sd::UINT64});
  EXPECT_EQ(ENUMS_OF(SD_FLOAT_TYPES_3), Types{sd::HALF});
  EXPECT_EQ(COUNT_NARG(SD_PAIRWISE_TYPES_4), 25);
}
#endif

TEST(TypeListTests, TypesBelongToTheirEnums) {
  EXPECT_TRUE(true SD_PP_FOR_A(TEST_MATCH, ~, SD_COMMON_TYPES));
  EXPECT_TRUE(true SD_PP_FOR_A(TEST_MATCH, ~, SD_STRING_TYPES));
  EXPECT_TRUE(true SD_PP_FOR_A(TEST_MATCH, ~, SD_COMMON_TYPES_ALL));
  EXPECT_EQ(COUNT_NARG(SD_COMMON_TYPES_ALL), 13);
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES_ALL).front(), sd::HALF);
  EXPECT_EQ(ENUMS_OF(SD_COMMON_TYPES).size(), ENUMS_OF(SD_NUMERIC_TYPES).size() + ENUMS_OF(SD_BOOL_TYPES).size());
}

TEST(TypeListTests, EnumLists) {
  using Types = std::vector<DataType>;
  EXPECT_EQ((Types{ALL_FLOATS}), (Types{sd::HALF, sd::FLOAT32, sd::DOUBLE, sd::BFLOAT16}));
  EXPECT_EQ((Types{ALL_INTS}).size(), 8u);
  EXPECT_EQ((Types{ALL_INDICES}), (Types{sd::INT32, sd::INT64}));
  EXPECT_EQ((Types{ALL_STRINGS}), (Types{sd::UTF8, sd::UTF16, sd::UTF32}));
}

TEST(PreprocessorTests, Lists) {
  EXPECT_EQ(COUNT_NARG(a), 1);
  EXPECT_EQ(COUNT_NARG(a, (b, c), d), 3);
  EXPECT_STREQ(STRINGIZE(GET_ELEMENT(1, (1, a), (2, b), (3, c))), "(2, b)");
  EXPECT_STREQ(STRINGIZE(GET_ELEMENT(3, (1, a))), "");
  EXPECT_STREQ(STRINGIZE(SKIP_FIRST_COMMA(, (1, a), (2, b))), "(1, a), (2, b)");
  EXPECT_STREQ(STRINGIZE(EVALUATING_PASTE(a, b)), "ab");
  EXPECT_EQ(ENUMS_OF(SKIP_FIRST_COMMA()).size(), 0u);
}

size_t selectSingle(DataType type) { BUILD_SINGLE_SELECTOR(type, return single, (100), SD_COMMON_TYPES); }

TEST(SelectorTests, SingleCallsEachInstantiation) {
  for (auto type : ENUMS_OF(SD_COMMON_TYPES)) {
    EXPECT_EQ(selectSingle(type), 100 + sd::DataTypeUtils::sizeOf(type)) << type;
  }
}

TEST(SelectorTests, UnknownTypeNamesFunctionAndType) {
  try {
    selectSingle(sd::UTF16);
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.rfind("bad data type", 0), 0u) << text;
    EXPECT_NE(text.find("single"), std::string::npos) << text;
    EXPECT_NE(text.find("UTF16"), std::string::npos) << text;
  }
  EXPECT_THROW(selectSingle(static_cast<DataType>(77)), std::runtime_error);
}

#if defined(HAS_FLOAT32) && defined(HAS_DOUBLE) && defined(HAS_INT32) && defined(HAS_LONG) && defined(HAS_FLOAT16)
TEST(SelectorTests, DoubleTripleAndRepeated) {
  size_t answer = 0;
  BUILD_DOUBLE_SELECTOR(sd::HALF, sd::INT64, answer = pairOf, (1000), SD_COMMON_TYPES, SD_INDEXING_TYPES);
  EXPECT_EQ(answer, 1028u);
  BUILD_TRIPLE_SELECTOR(sd::DOUBLE, sd::HALF, sd::INT32, answer = tripleOf, (), SD_COMMON_TYPES, SD_FLOAT_TYPES,
                        SD_INDEXING_TYPES);
  EXPECT_EQ(answer, 824u);
  BUILD_SINGLE_SELECTOR_TWICE(sd::FLOAT32, answer = pairOf, (0), SD_COMMON_TYPES);
  EXPECT_EQ(answer, 44u);
  BUILD_SINGLE_SELECTOR_THRICE(sd::DOUBLE, answer = tripleOf, (), SD_FLOAT_TYPES);
  EXPECT_EQ(answer, 888u);
  BUILD_SINGLE_SELECTOR(sd::DOUBLE, answer = Holder, ::size(3), SD_FLOAT_TYPES);
  EXPECT_EQ(answer, 24u);
  const auto wrong = [&] {
    BUILD_DOUBLE_SELECTOR(sd::HALF, sd::FLOAT32, answer = pairOf, (1), SD_COMMON_TYPES, SD_INDEXING_TYPES);
  };
  EXPECT_THROW(wrong(), std::runtime_error);
}

TEST(SelectorTests, PairwiseTakesTheTypeOfAnOperand) {
  const auto select = [](DataType x, DataType y, DataType z) {
    size_t answer = 0;
    BUILD_PAIRWISE_SELECTOR(x, y, z, answer = tripleOf, (), SD_COMMON_TYPES, SD_COMMON_TYPES);
    return answer;
  };
  EXPECT_EQ(select(sd::HALF, sd::DOUBLE, sd::DOUBLE), 288u);
  EXPECT_EQ(select(sd::HALF, sd::DOUBLE, sd::HALF), 282u);
  EXPECT_EQ(select(sd::INT32, sd::INT32, sd::INT32), 444u);
  EXPECT_THROW(select(sd::HALF, sd::DOUBLE, sd::INT32), std::runtime_error);
}

TEST(SelectorTests, PartialLeavesTheHeadOpen) {
  const auto select = [](DataType type) -> size_t {
    BUILD_SINGLE_PARTIAL_SELECTOR(type, return pairOf<, double>(100), SD_FLOAT_TYPES);
  };
  const auto selectProtected = [](DataType type) -> size_t {
    BUILD_SINGLE_PARTIAL_SELECTOR(type, return pairOf <, PARAMS(, double > (100)), SD_FLOAT_TYPES);
  };
  EXPECT_EQ(select(sd::HALF), 128u);
  EXPECT_EQ(selectProtected(sd::FLOAT32), 148u);
  EXPECT_THROW(select(sd::INT32), std::runtime_error);
}
#endif

TEST(DispatchTests, ByNumber) {
  using X = double;
  using Y = int;
  const auto one = [](int opNum) -> double { RETURNING_DISPATCH_BY_OPNUM_T(run, PARAMS(6, 7), OPS_A(ARITHMETIC_OPS)); };
  EXPECT_EQ(one(3), 13);
  EXPECT_EQ(one(8), 42);
  const auto two = [](int opNum) {
    double answer = 0;
    DISPATCH_BY_OPNUM_TT(answer = run, (6.5, 7.5), CHOICE_OPS);
    return answer;
  };
  EXPECT_EQ(two(0), 6.5);
  EXPECT_EQ(two(1), 7) << "y is an int";
  EXPECT_THROW(one(4), std::runtime_error);
  EXPECT_THROW(two(-1), std::runtime_error);
}

template <typename T>
T weighted(T x, T y, T weight) {
  auto identity = LAMBDA_T(a) { return a; };
  auto both = LAMBDA_TT(a, b, weight) { return a * weight + b; };
  auto all = LAMBDA_TTT(a, b, c, both, identity) { return both(a, b) + identity(c); };
  return all(x, y, weight);
}

TEST(LambdaTests, Heads) {
  EXPECT_EQ(weighted<int>(2, 3, 10), 33);
  EXPECT_EQ(weighted<float>(0.5f, 0.25f, 4.f), 6.25f);
  const double limit = 2;
  auto clip = LAMBDA_D(v, limit) { return v > limit ? limit : v; };
  EXPECT_EQ(clip(5), 2);
  auto sum = LAMBDA_FFF(a, b, c) { return a + b + c; };
  EXPECT_EQ(sum(1, 2, 3), 6.f);
  auto half = LAMBDA_HH(a, b) { return a * b; };
  EXPECT_EQ(static_cast<float>(half(1.5f, 2)), 3.f);
  auto indexed = ILAMBDA_F(v, limit) { return v + static_cast<float>(_idx) * static_cast<float>(limit); };
  EXPECT_EQ(indexed(10, 1.f), 21.f);
  auto pick = ILAMBDA_DD(a, b) { return _idx % 2 == 0 ? a : b; };
  EXPECT_EQ(pick(3, 1, 2), 2);
}

TEST(LambdaTests, ThreadBodies) {
  int64_t seen = 0;
  FUNC_1D one = PRAGMA_THREADS_FOR { seen += start + stop + increment; };
  one(0, 1, 20, 300);
  EXPECT_EQ(seen, 321);
  FUNC_2D two = PRAGMA_THREADS_FOR_2D { seen = start_x + stop_x + inc_x + start_y + stop_y + inc_y; };
  two(0, 1, 2, 3, 4, 5, 6);
  EXPECT_EQ(seen, 21);
  FUNC_3D three = PRAGMA_THREADS_FOR_3D { seen = start_z + stop_z + inc_z; };
  three(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
  EXPECT_EQ(seen, 24);
  FUNC_DO each = PRAGMA_THREADS_DO { seen = static_cast<int64_t>(thread_id + numThreads); };
  each(2, 3);
  EXPECT_EQ(seen, 5);
  FUNC_RL longs = PRAGMA_REDUCE_LONG { return stop - start; };
  FUNC_RD doubles = PRAGMA_REDUCE_DOUBLE { return 0.5 * static_cast<double>(stop - start); };
  FUNC_AL joinLongs = LAMBDA_SUML;
  FUNC_AD joinDoubles = LAMBDA_AD { return _old * _new; };
  EXPECT_EQ(joinLongs(longs(0, 2, 7, 1), 10), 15);
  EXPECT_EQ(joinDoubles(doubles(0, 2, 7, 1), 2), 5);
}

TEST(AllocateTests, FromTheHeap) {
  Workspace* none = nullptr;
  double* values = nullptr;
  ALLOCATE(values, none, 100, double);
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(values) % SD_DESIRED_ALIGNMENT, 0u);
  for (int i = 0; i < 100; i++) ASSERT_EQ(values[i], 0.0);
  RELEASE(values, none);
  char* empty = nullptr;
  ALLOCATE(empty, none, 0, char);
  EXPECT_NE(empty, nullptr);
  RELEASE(empty, none);
  float* device = empty == nullptr ? nullptr : reinterpret_cast<float*>(&none);
  ALLOCATE_SPECIAL(device, none, 10, float);
  EXPECT_EQ(device, nullptr);
}

TEST(AllocateTests, FromAWorkspace) {
  Workspace workspace(4096);
  Workspace* where = &workspace;
  char* odd = nullptr;
  sd::LongType* numbers = nullptr;
  ALLOCATE(odd, where, 3, char);
  ALLOCATE(numbers, where, 4, sd::LongType);
  EXPECT_EQ(odd[0] + odd[1] + odd[2], 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(numbers) % alignof(sd::LongType), 0u);
  EXPECT_GE(workspace.getCurrentOffset(), 35);
  EXPECT_EQ(workspace.getSpilledSize(), 0);
  for (int i = 0; i < 4; i++) EXPECT_EQ(numbers[i], 0);
  const auto offset = workspace.getCurrentOffset();
  RELEASE(numbers, where);
  EXPECT_EQ(workspace.getCurrentOffset(), offset);
}

TEST(AllocateTests, ImpossibleSizes) {
  Workspace* none = nullptr;
  double* values = nullptr;
  for (sd::LongType length :
       {-1LL, std::numeric_limits<sd::LongType>::max(), std::numeric_limits<sd::LongType>::min(), 1LL << 60}) {
    const auto take = [&] { ALLOCATE(values, none, length, double); };
    EXPECT_THROW(take(), sd::allocation_exception) << length;
    EXPECT_EQ(values, nullptr);
  }
}

TEST(ThresholdTests, ComeFromTheEnvironment) {
  sd::Environment::getInstance().setElementwiseThreshold(55);
  EXPECT_EQ(ELEMENT_THRESHOLD, 55);
  sd::Environment::getInstance().setElementwiseThreshold(1024);
  EXPECT_EQ(TAD_THRESHOLD, sd::Environment::getInstance().tadThreshold());
}

}  // namespace
