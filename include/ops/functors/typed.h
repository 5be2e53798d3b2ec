// Functors with explicit operand and result types: simdOps::Mod<X, Y, Z>::op(x, y), simdOps::IsNan<X, Z>::op(x).
// They are meant for programs; kernels use the functors over one type.
#ifndef NDFORGE_OPS_FUNCTORS_TYPED_H
#define NDFORGE_OPS_FUNCTORS_TYPED_H

#include <ops/functors/compare.h>
#include <ops/functors/strict.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace simdOps {

namespace detail {

/// The type in which numbers of type T are computed.
template <typename T>
using Computed = std::conditional_t<sd::types::isHalf<T>, float, std::conditional_t<std::is_same_v<T, bool>, int, T>>;

template <template <typename...> class F, typename C>
using ComputedBy = std::conditional_t<F<C>::computesInFloat && std::is_integral_v<C>,
                                      std::conditional_t<sizeof(C) <= 2, float, double>, C>;

/// Accepts nullptr, but not the number 0.
template <typename T>
using IfNull = std::enable_if_t<std::is_same_v<T, std::nullptr_t>, int>;

template <typename F, typename Arguments, typename = void>
inline constexpr bool hasOp = false;
template <typename F, typename... A>
inline constexpr bool hasOp<F, void(A...), std::void_t<decltype(F::op(std::declval<A>()...))>> = true;

}  // namespace detail

/// The functor F on operands of types X and Y. It is computed in the common type of both and converted to Z; integers
/// are computed in float or double if F has no integer form, 16-bit floats in float. Parameters may have any type;
/// nullptr, or no parameters at all, mean F's defaults. @throws std::runtime_error for a division of integers by 0
template <template <typename...> class F, typename X, typename Y, typename Z>
class Typed : public NoSpecialLoop {
  using C = detail::ComputedBy<F, std::common_type_t<detail::Computed<X>, detail::Computed<Y>>>;
  using Functor = F<C>;

 public:
  static constexpr const char* formula = Functor::formula;

  static Z op(X x, Y y) { return op(x, y, nullptr); }
  template <typename Null, detail::IfNull<Null> = 0>
  static Z op(X x, Y y, Null) {
    return op(x, y, static_cast<const C*>(nullptr));
  }
  template <typename P>
  static Z op(X x, Y y, const P* params) {
    const C a = static_cast<C>(x), b = static_cast<C>(y);
    requireDivisor(a, b);
    if constexpr (detail::hasOp<Functor, void(C, C, const C*)>)
      return static_cast<Z>(Functor::op(a, b, Parameters(params).values));
    else
      return static_cast<Z>(Functor::op(a, b));
  }

  /// For functors of one operand. For functors of two, y is the first parameter.
  static Z op(X x) { return op(x, nullptr); }
  template <typename Null, detail::IfNull<Null> = 0>
  static Z op(X x, Null) {
    return op(x, static_cast<const C*>(nullptr));
  }
  template <typename P>
  static Z op(X x, const P* params) {
    if constexpr (detail::hasOp<Functor, void(C, const C*)>)
      return static_cast<Z>(Functor::op(static_cast<C>(x), Parameters(params).values));
    else if constexpr (detail::hasOp<Functor, void(C)>)
      return static_cast<Z>(Functor::op(static_cast<C>(x)));
    else if (params == nullptr)
      throw std::runtime_error(std::string("[simdOps] no second operand: ") + formula);
    else
      return op(x, static_cast<Y>(params[0]), params);
  }

 private:
  /// The parameters that the functor reads, taken from the caller's.
  struct Parameters {
    C values[Functor::maxParams > 0 ? Functor::maxParams : 1];

    template <typename P>
    explicit Parameters(const P* params) {
      for (int i = 0; i < Functor::maxParams || i == 0; i++)
        values[i] = static_cast<C>(params == nullptr || i >= Functor::maxParams ? static_cast<P>(Functor::defaultParam)
                                                                                : params[i]);
    }
  };

  static void requireDivisor(C x, C y) {
    if constexpr (std::is_integral_v<C> && Functor::divisor != Divisor::None)
      if ((Functor::divisor == Divisor::X ? x : y) == 0)
        throw std::runtime_error(std::string("[simdOps] division of integers by 0: ") + formula);
  }
};

/// With two types, X is the type of all operands and Z the type of the result.
#define SD_TYPED(NAME)                                  \
  template <typename X, typename Z>                     \
  struct NAME<X, Z> : Typed<simdOps::NAME, X, X, Z> {}; \
  template <typename X, typename Y, typename Z>         \
  struct NAME<X, Y, Z> : Typed<simdOps::NAME, X, Y, Z> {};

// clang-format off
SD_TYPED(Add) SD_TYPED(Subtract) SD_TYPED(ReverseSubtract) SD_TYPED(Multiply) SD_TYPED(Divide) SD_TYPED(ReverseDivide)
SD_TYPED(SafeDivide) SD_TYPED(DivideNoNan) SD_TYPED(TruncateDiv) SD_TYPED(FloorDiv) SD_TYPED(FMod) SD_TYPED(Remainder)
SD_TYPED(FloorMod) SD_TYPED(Mod) SD_TYPED(TruncateMod) SD_TYPED(ReverseMod) SD_TYPED(Pow) SD_TYPED(ReversePow)
SD_TYPED(PowDerivative) SD_TYPED(SquaredSubtract) SD_TYPED(SquaredReverseSubtract) SD_TYPED(MaxPairwise)
SD_TYPED(MinPairwise) SD_TYPED(AMaxPairwise) SD_TYPED(AMinPairwise) SD_TYPED(CopyPws) SD_TYPED(Copy2) SD_TYPED(Axpy)
SD_TYPED(ReplaceNans) SD_TYPED(Atan2) SD_TYPED(RelativeError) SD_TYPED(BinaryRelativeError)
SD_TYPED(BinaryMinimumAbsoluteRelativeError) SD_TYPED(LogicalOr) SD_TYPED(LogicalXor) SD_TYPED(LogicalAnd)
SD_TYPED(LogicalNot) SD_TYPED(LogPoissonLoss) SD_TYPED(LogPoissonLossFull) SD_TYPED(IGamma) SD_TYPED(IGammac)
SD_TYPED(CompareAndSet) SD_TYPED(CompareAndReplace) SD_TYPED(ELU) SD_TYPED(ELUDerivative) SD_TYPED(SXELogitsSmoother)
SD_TYPED(LeakyRELU) SD_TYPED(LeakyRELUDerivative) SD_TYPED(LogX) SD_TYPED(RELU) SD_TYPED(RELU6) SD_TYPED(Step)
SD_TYPED(RELUDerivative) SD_TYPED(LstmClip)

SD_TYPED(EqualTo) SD_TYPED(NotEqualTo) SD_TYPED(GreaterThan) SD_TYPED(LessThan) SD_TYPED(GreaterThanOrEqual)
SD_TYPED(LessThanOrEqual) SD_TYPED(Epsilon) SD_TYPED(And) SD_TYPED(Or) SD_TYPED(Xor) SD_TYPED(Not)
SD_TYPED(MatchConditionBool)

SD_TYPED(Sqrt) SD_TYPED(RSqrt) SD_TYPED(Assign)
// clang-format on

#undef SD_TYPED

// clang-format off
/// Functors of one type on 16-bit floats, which are computed in float and rounded once, and on BOOL.
#define SD_HALVES(NAME)                                                      \
  template <>                                                                \
  struct NAME<float16> : Typed<simdOps::NAME, float16, float16, float16> {}; \
  template <>                                                                \
  struct NAME<bfloat16> : Typed<simdOps::NAME, bfloat16, bfloat16, bfloat16> {};
#define SD_HALVES_AND_BOOL(NAME) \
  SD_HALVES(NAME)                \
  template <>                    \
  struct NAME<bool> : Typed<simdOps::NAME, bool, bool, bool> {};

SD_HALVES_AND_BOOL(Abs) SD_HALVES_AND_BOOL(Sign) SD_HALVES_AND_BOOL(Ones) SD_HALVES_AND_BOOL(Neg)
SD_HALVES_AND_BOOL(Round) SD_HALVES_AND_BOOL(TimesOneMinus) SD_HALVES_AND_BOOL(Cube) SD_HALVES_AND_BOOL(OneMinus)
SD_HALVES_AND_BOOL(Reciprocal) SD_HALVES_AND_BOOL(Square) SD_HALVES_AND_BOOL(CompareAndSetTransform)
SD_HALVES_AND_BOOL(Identity) SD_HALVES_AND_BOOL(Ceiling) SD_HALVES_AND_BOOL(Floor) SD_HALVES_AND_BOOL(ClipByValue)
SD_HALVES_AND_BOOL(Copy)

SD_HALVES(ScaledTanh) SD_HALVES(Affine) SD_HALVES(TanhDerivative) SD_HALVES(HardTanhDerivative)
SD_HALVES(SigmoidDerivative) SD_HALVES(SoftSignDerivative) SD_HALVES(TanDerivative) SD_HALVES(SELUDerivative)
SD_HALVES(HardSigmoidDerivative) SD_HALVES(RationalTanhDerivative) SD_HALVES(RectifiedTanhDerivative)
SD_HALVES(SwishDerivative) SD_HALVES(ACoshDerivative) SD_HALVES(ASinhDerivative) SD_HALVES(SinhDerivative)
SD_HALVES(LogSigmoidDerivative) SD_HALVES(SpecialDerivative) SD_HALVES(Stabilize) SD_HALVES(StabilizeFP16)
SD_HALVES(CubeDerivative) SD_HALVES(Cosine) SD_HALVES(Exp) SD_HALVES(Log) SD_HALVES(SetRange) SD_HALVES(Sigmoid)
SD_HALVES(Sin) SD_HALVES(SoftPlus) SD_HALVES(Tanh) SD_HALVES(ACos) SD_HALVES(ASin) SD_HALVES(ATan) SD_HALVES(HardTanh)
SD_HALVES(SoftSign) SD_HALVES(HardSigmoid) SD_HALVES(RationalTanh) SD_HALVES(RectifiedTanh) SD_HALVES(Sinh)
SD_HALVES(Cosh) SD_HALVES(Tan) SD_HALVES(SELU) SD_HALVES(Swish) SD_HALVES(Log1p) SD_HALVES(Erf) SD_HALVES(ACosh)
SD_HALVES(ASinh) SD_HALVES(Rint) SD_HALVES(LogSigmoid) SD_HALVES(Erfc) SD_HALVES(Expm1) SD_HALVES(ATanh) SD_HALVES(GELU)
SD_HALVES(GELUDerivative) SD_HALVES(PreciseGELU) SD_HALVES(PreciseGELUDerivative) SD_HALVES(Mish)
SD_HALVES(MishDerivative)
// clang-format on

#undef SD_HALVES
#undef SD_HALVES_AND_BOOL

}  // namespace simdOps

#endif
