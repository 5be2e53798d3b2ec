// Functors with explicit operand and result types, and executors on a range of sub-arrays.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/LoopsCoordsHelper.h>
#include <helpers/data_gen.h>
#include <loops/OpList.h>
#include <loops/broadcasting.h>
#include <loops/legacy_ops.h>
#include <loops/reduce3.h>
#include <ops/ops.h>

#include <cmath>
#include <memory>

using namespace sd;

namespace {

template <template <typename...> class F, typename X, typename Y, typename Z>
constexpr bool givesZ = std::is_same_v<decltype(F<X, Y, Z>::op(X(), Y(), static_cast<Z*>(nullptr))), Z>&&
    std::is_same_v<decltype(F<X, Y, Z>::op(X(), Y())), Z>&& std::is_same_v<decltype(F<X, X>::op(X(), X())), X>;

// Every functor with two operands, in every group that has a form with three types.
#define SD_GIVES_Z(NUMBER, FUNCTOR)                                                             \
  static_assert(givesZ<FUNCTOR, float, double, float> && givesZ<FUNCTOR, int, float, double> && \
                    givesZ<FUNCTOR, float16, float16, float16>,                                 \
                #FUNCTOR);
#define SD_GIVES_TRUTH(NUMBER, FUNCTOR) \
  static_assert(std::is_same_v<decltype(FUNCTOR<float, bool>::op(1.f, 1.f, nullptr)), bool>, #FUNCTOR);
#define SD_GIVES_TRUTH_OF_ONE(NUMBER, FUNCTOR) \
  static_assert(std::is_same_v<decltype(FUNCTOR<float, bool>::op(1.f, nullptr)), bool>, #FUNCTOR);
#define SD_TAKES_PARAMETERS(NUMBER, FUNCTOR) \
  static_assert(std::is_same_v<decltype(FUNCTOR<float>::op(1.f, static_cast<float*>(nullptr))), float>, #FUNCTOR);
#define SD_TAKES_PARAMETERS_INT(NUMBER, FUNCTOR) \
  static_assert(std::is_same_v<decltype(FUNCTOR<int>::op(1, 2, static_cast<int*>(nullptr))), int>, #FUNCTOR);
#define SD_APPLY_EACH(MACRO, LIST) SD_FOR_EACH_OP(MACRO, LIST)

SD_APPLY_EACH(SD_GIVES_Z, PAIRWISE_TRANSFORM_OPS)
SD_APPLY_EACH(SD_GIVES_Z, SCALAR_OPS)
SD_APPLY_EACH(SD_GIVES_Z, BROADCAST_OPS)
SD_APPLY_EACH(SD_GIVES_TRUTH, PAIRWISE_BOOL_OPS)
SD_APPLY_EACH(SD_GIVES_TRUTH_OF_ONE, TRANSFORM_BOOL_OPS)
SD_APPLY_EACH(SD_TAKES_PARAMETERS, TRANSFORM_SAME_OPS)
SD_APPLY_EACH(SD_TAKES_PARAMETERS, TRANSFORM_STRICT_OPS)
SD_APPLY_EACH(SD_TAKES_PARAMETERS_INT, PAIRWISE_INT_OPS)

// As templates over one type they can be passed to kernels and sd::tensor.
template <template <typename...> class F>
float ofOneType(float x, float y) {
  return F<float>::op(x, y);
}

}  // namespace

TEST(TypedFunctorTests, OneTwoAndThreeTypes) {
  float two = 2;
  EXPECT_EQ(simdOps::Mod<int>::op(-7, 4), -3);
  EXPECT_EQ((simdOps::Mod<int, int>::op(-7, 4)), -3);
  EXPECT_EQ((simdOps::Mod<int, int, int>::op(-7, 4)), -3);
  EXPECT_EQ((simdOps::Mod<float, double, float>::op(7.5f, 2.0, &two)), 1.5f);
  EXPECT_EQ((simdOps::Mod<float16, float16, float16>::op(float16(7), float16(4))), float16(3));
  EXPECT_EQ(ofOneType<simdOps::Subtract>(5, 3), 2);
}

TEST(TypedFunctorTests, ComputesInTheCommonTypeOfTheOperands) {
  EXPECT_EQ((simdOps::Divide<int, int, float>::op(5, 2)), 2.f);
  EXPECT_EQ((simdOps::Divide<int, float, double>::op(5, 2.f)), 2.5);
  EXPECT_EQ((simdOps::Multiply<int, LongType, LongType>::op(1 << 30, 8)), LongType(1) << 33);
  EXPECT_EQ((simdOps::Add<bool, bool, bool>::op(true, true)), true);
  EXPECT_DOUBLE_EQ((simdOps::LogX<int, int, double>::op(8, 2)), 3);
  EXPECT_EQ((simdOps::Sqrt<int, float>::op(16, nullptr)), 4.f);
  EXPECT_FLOAT_EQ((simdOps::RSqrt<float16, float>::op(float16(4))), 0.5f);
  EXPECT_EQ((simdOps::Assign<float, int>::op(2.75f)), 2);
}

TEST(TypedFunctorTests, ParametersHaveAnyTypeOrAreMissing) {
  float alpha = 3;
  const double falsehood = 2;
  EXPECT_EQ((simdOps::Axpy<float, float, float>::op(2, 1, &alpha)), 7);
  EXPECT_EQ((simdOps::Axpy<float, float, float>::op(2, 1)), 3);  // alpha is 1
  EXPECT_EQ((simdOps::Add<float, float, float>::op(2, &alpha)), 5);
  EXPECT_TRUE((simdOps::And<int, bool>::op(1, 2)));
  EXPECT_FALSE((simdOps::And<int, bool>::op(1, 2, &falsehood)));
  EXPECT_TRUE((simdOps::Not<int, bool>::op(0)));
  EXPECT_THROW((simdOps::Add<float, float, float>::op(2, nullptr)), std::runtime_error);
}

TEST(TypedFunctorTests, DivisionOfIntegersByZeroIsAnError) {
  EXPECT_THROW((simdOps::Mod<int, int, int>::op(1, 0)), std::runtime_error);
  EXPECT_THROW((simdOps::Divide<int, uint8_t, int>::op(1, 0)), std::runtime_error);
  EXPECT_THROW((simdOps::ReverseDivide<int, int, int>::op(0, 1)), std::runtime_error);
  EXPECT_EQ((simdOps::SafeDivide<int, int, int>::op(1, 0)), 0);
  EXPECT_TRUE(std::isinf((simdOps::Divide<float, float, float>::op(1, 0))));
}

TEST(TypedFunctorTests, Reduce3OfSomeSubArrays) {
  using Distance = functions::reduce3::Reduce3<float, float>;
  NDArray x('c', {4, 3}, FLOAT32), y('f', {4, 3}, FLOAT32), one('c', {3}, {1, 0, 2}, FLOAT32);
  x.linspace(1);
  y.assign(2);
  const int axis = 1;
  struct Part {
    int64_t first, last;
    std::vector<float> expected;
  };
  // Row k of x is {3k + 1, 3k + 2, 3k + 3}: its dot product with {2, 2, 2} is 18k + 12, with {1, 0, 2} 9k + 7.
  for (const Part& part : {Part{0, 4, {12, 30, 48, 66}}, Part{1, 3, {-1, 30, 48, -1}}, Part{2, 2, {-1, -1, -1, -1}}}) {
    NDArray z('c', {4}, {-1, -1, -1, -1}, FLOAT32);
    Distance::exec(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), z.buffer(),
                   z.shapeInfo(), &axis, 1, part.first, part.last);
    EXPECT_EQ(z.asVectorT<float>(), part.expected);
    for (LongType k = 0; k < 4; k++) z.p(k, -1.f);
    Distance::exec(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, one.buffer(), one.shapeInfo(), z.buffer(),
                   z.shapeInfo(), &axis, 1, nullptr, nullptr, part.first, part.last);
    for (LongType k = 0; k < 4; k++)
      EXPECT_EQ(z.e<float>(k), k >= part.first && k < part.last ? static_cast<float>(9 * k + 7) : -1.f);
  }
  NDArray all('c', {4, 4}, FLOAT32), some('c', {4, 4}, FLOAT32);
  Distance::execAll(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), all.buffer(),
                    all.shapeInfo(), &axis, 1);
  Distance::execAll(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), some.buffer(),
                    some.shapeInfo(), &axis, 1, nullptr, nullptr, nullptr, nullptr, 1, 2);
  for (LongType i = 0; i < 4; i++)
    for (LongType k = 0; k < 4; k++) EXPECT_EQ(some.e<float>(i, k), i == 1 ? all.e<float>(i, k) : 0.f);
  EXPECT_THROW(Distance::exec(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), all.buffer(),
                              all.shapeInfo(), &axis, 1, 0, 4),
               std::runtime_error);
  NDArray z('c', {4}, FLOAT32);
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{-1, 2}, {2, 1}, {0, 5}})
    EXPECT_THROW(Distance::exec(reduce3::Dot, x.buffer(), x.shapeInfo(), nullptr, y.buffer(), y.shapeInfo(), z.buffer(),
                                z.shapeInfo(), &axis, 1, first, last),
                 std::runtime_error);
}

TEST(TypedFunctorTests, BroadcastToSomeSubArrays) {
  using Sums = functions::broadcast::Broadcast<float, float, float>;
  NDArray x('c', {3, 2}, {1, 2, 3, 4, 5, 6}, FLOAT32), y('c', {2}, {10, 20}, FLOAT32), z('f', {3, 2}, FLOAT32);
  const int axis = 1;
  Sums::exec(broadcast::Subtract, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(), z.shapeInfo(),
             &axis, 1, nullptr, nullptr, nullptr, nullptr, LoopKind::COMMON, 1, 3);
  EXPECT_EQ(z.asVectorT<float>(), (std::vector<float>{0, 0, -7, -16, -5, -14}));
  z.nullify();
  Sums::exec(broadcast::Subtract, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(), z.shapeInfo(),
             &axis, 1, nullptr, nullptr, nullptr, nullptr, 0, 3);
  EXPECT_EQ(z.asVectorT<float>(), (std::vector<float>{-9, -18, -7, -16, -5, -14}));
  z.nullify();
  Sums::execInverse(broadcast::Subtract, y.buffer(), y.shapeInfo(), x.buffer(), x.shapeInfo(), z.buffer(),
                    z.shapeInfo(), &axis, 1, nullptr, nullptr, nullptr, nullptr, 0, 1);
  EXPECT_EQ(z.asVectorT<float>(), (std::vector<float>{9, 18, 0, 0, 0, 0}));
  EXPECT_THROW(Sums::exec(broadcast::Add, x.buffer(), x.shapeInfo(), y.buffer(), y.shapeInfo(), z.buffer(),
                          z.shapeInfo(), &axis, 1, nullptr, nullptr, nullptr, nullptr, 0, 4),
               std::runtime_error);
}

TEST(TypedFunctorTests, LinspaceOnTheHeap) {
  const std::unique_ptr<double[]> numbers(linspace<double>(1, 2, 5));
  for (int i = 0; i < 5; i++) EXPECT_DOUBLE_EQ(numbers[static_cast<size_t>(i)], 1 + 0.25 * i);
  const std::unique_ptr<int[]> whole(linspace<int>(1, 4, 4));
  EXPECT_EQ(whole[3], 4);
  delete[] linspace<float>(0, 1, 0);
  EXPECT_THROW(linspace<float>(0, 1, -1), std::runtime_error);
}

TEST(TypedFunctorTests, CoordinatesOfAState) {
  const LongType bases[] = {2, 3, 4}, strides[] = {12, 4, 1}, other[] = {1, 2, 6};
  CoordsState<2> state;
  ZipCoordsState<2> both;
  LongType offset = init_coords<3>(state, 0, bases, strides);
  zip_size_t offsets = init_coords<3>(both, 0, bases, strides, other);
  LongType coords[3];
  for (LongType i = 0; i < 24; i++) {
    index2coords_C(i, 3, bases, coords);
    EXPECT_TRUE(eq_coords<3>(state, coords) && eq_zip_coords<3>(both, coords)) << i;
    coords[1]++;
    EXPECT_FALSE(eq_coords<3>(state, coords) || eq_zip_coords<3>(both, coords)) << i;
    EXPECT_TRUE((eq_coords<3, 2>(state, coords)));
    offset = inc_coords<3>(state, offset);
    offsets = inc_coords<3>(both, offsets);
  }
}
