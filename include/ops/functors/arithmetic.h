// Functors of two operands: arithmetic, kinds of division, powers, minimum and maximum, activations with a scalar.
#ifndef NDFORGE_OPS_FUNCTORS_ARITHMETIC_H
#define NDFORGE_OPS_FUNCTORS_ARITHMETIC_H

#include <math/gamma.h>
#include <ops/functors/base.h>

namespace simdOps {

template <typename T, typename...>
struct Add : Op {
  static constexpr const char* formula = "x + y";
  static T op(T x, T y) { return math::add(x, y); }
};

template <typename T, typename...>
struct Subtract : Op {
  static constexpr const char* formula = "x - y";
  static T op(T x, T y) { return math::subtract(x, y); }
};

template <typename T, typename...>
struct ReverseSubtract : Op {
  static constexpr const char* formula = "y - x";
  static T op(T x, T y) { return math::subtract(y, x); }
};

template <typename T, typename...>
struct Multiply : Op {
  static constexpr const char* formula = "x * y";
  static T op(T x, T y) { return math::multiply(x, y); }
};

/// x / y; integers truncate toward 0.
template <typename T>
SD_INLINE T quotient(T x, T y) {
  if constexpr (math::isInteger<T>)
    return math::Functions<T>::divide(x, y);
  else
    return x / y;
}

template <typename T, typename...>
struct Divide : ScalarIntegers<T> {
  static constexpr const char* formula = "x / y; integers truncate toward 0";
  static constexpr Divisor divisor = Divisor::Y;
  static constexpr int cost = 2;
  static T op(T x, T y) { return quotient(x, y); }
};

template <typename T, typename...>
struct ReverseDivide : ScalarIntegers<T> {
  static constexpr const char* formula = "y / x; integers truncate toward 0";
  static constexpr Divisor divisor = Divisor::X;
  static constexpr int cost = 2;
  static T op(T x, T y) { return quotient(y, x); }
};

/// x / y, and 0 where y is 0.
template <typename T, typename...>
struct SafeDivide : ScalarIntegers<T> {
  static constexpr const char* formula = "y == 0 ? 0 : x / y";
  static constexpr int cost = 2;
  static T op(T x, T y) {
    const T zero = constant<T>(0);
    if constexpr (math::isInteger<T>)
      return y == 0 ? zero : quotient(x, y);
    else
      return select<T>(y == zero, zero, x / y);
  }
};

template <typename T, typename...>
struct DivideNoNan : SafeDivide<T> {};

template <typename T, typename...>
struct TruncateDiv : ScalarIntegers<T> {
  static constexpr const char* formula = "trunc(x / y)";
  static constexpr Divisor divisor = Divisor::Y;
  static constexpr int cost = 2;
  static T op(T x, T y) { return math::trunc(quotient(x, y)); }
};

template <typename T, typename...>
struct FloorDiv : ScalarIntegers<T> {
  static constexpr const char* formula = "floor(x / y)";
  static constexpr Divisor divisor = Divisor::Y;
  static constexpr int cost = 2;
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>) {
      const T q = quotient(x, y);
      const T r = math::Functions<T>::modulo(x, y);
      return r != 0 && (r < 0) != (y < 0) ? static_cast<T>(q - 1) : q;
    } else {
      return math::floor(x / y);
    }
  }
};

/// The exact remainder of a division.
template <typename T>
struct RestOp : ScalarIntegers<T> {
  static constexpr Divisor divisor = Divisor::Y;
  static constexpr int cost = 12;
};

template <typename T, typename...>
struct FMod : RestOp<T> {
  static constexpr const char* formula = "fmod(x, y): the sign of x";
  static T op(T x, T y) { return math::fmod(x, y); }
};

template <typename T, typename...>
struct Remainder : RestOp<T> {
  static constexpr const char* formula = "x - n * y with n = x / y rounded to nearest, halves to even";
  static T op(T x, T y) { return math::remainder(x, y); }
};

template <typename T, typename...>
struct FloorMod : RestOp<T> {
  static constexpr const char* formula = "x - floor(x / y) * y: the sign of y";
  static T op(T x, T y) {
    const T m = math::fmod(x, y);
    if constexpr (math::isInteger<T>) {
      if ((x < T(0)) == (y < T(0))) return m;
      return math::fmod(math::add(m, y), y);
    } else {
      const T zero = constant<T>(0), sum = m + y;
      // |sum| is at most |y|; |y| itself is one period too much, and infinity has no remainder
      const T moved = select<T>(math::abs(sum) < math::abs(y), sum, math::copysign(sum - y, y));
      return select<T>(y < zero, select<T>(x < zero, m, moved), select<T>(x < zero, moved, m));
    }
  }
};

template <typename T, typename...>
struct Mod : ScalarIntegers<T> {
  static constexpr const char* formula = "x - floor(x / y) * y; integers: x - trunc(x / y) * y, the sign of x";
  static constexpr Divisor divisor = Divisor::Y;
  static constexpr int cost = 2;
  static T op(T x, T y) {
    if constexpr (math::isInteger<T>)
      return math::Functions<T>::modulo(x, y);
    else
      return x - math::floor(x / y) * y;
  }
};

/// The remainder of the values truncated to integers; it has the sign of the dividend.
template <typename T>
SD_INLINE T truncatedRest(T x, T y) {
  if constexpr (math::isInteger<T>)
    return math::Functions<T>::modulo(x, y);
  else
    return math::fmod(math::trunc(x), math::trunc(y));
}

template <typename T, typename...>
struct TruncateMod : RestOp<T> {
  static constexpr const char* formula = "trunc(x) mod trunc(y): the sign of x";
  static T op(T x, T y) { return truncatedRest(x, y); }
};

template <typename T, typename...>
struct ReverseMod : RestOp<T> {
  static constexpr const char* formula = "trunc(y) mod trunc(x): the sign of y";
  static constexpr Divisor divisor = Divisor::X;
  static T op(T x, T y) { return truncatedRest(y, x); }
};

template <typename T>
struct PowOp : ScalarIntegers<T> {
  static constexpr int cost = 16;
};

template <typename T, typename...>
struct Pow : PowOp<T> {
  static constexpr const char* formula =
      "x^y; integers are exact modulo 2^bits, negative exponents give 0 unless |x| is 1";
  SD_INLINE static T op(T x, T y) { return math::pow(x, y); }
};

template <typename T, typename...>
struct ReversePow : PowOp<T> {
  static constexpr const char* formula = "y^x";
  SD_INLINE static T op(T x, T y) { return math::pow(y, x); }
};

template <typename T, typename...>
struct PowDerivative : FloatOp {
  static constexpr const char* formula = "y * x^(y - 1)";
  static T op(T x, T y) { return y * math::pow(x, y - constant<T>(1)); }
};

template <typename T, typename...>
struct SquaredSubtract : Op {
  static constexpr const char* formula = "(x - y)^2";
  static T op(T x, T y) {
    const T d = math::subtract(x, y);
    return math::multiply(d, d);
  }
};

template <typename T, typename...>
struct SquaredReverseSubtract : Op {
  static constexpr const char* formula = "(y - x)^2";
  static T op(T x, T y) { return SquaredSubtract<T>::op(y, x); }
};

template <typename T, typename...>
struct MaxPairwise : Op {
  static constexpr const char* formula = "x > y ? x : y; a NaN gives y";
  static T op(T x, T y) { return math::max(x, y); }
};

template <typename T, typename...>
struct MinPairwise : Op {
  static constexpr const char* formula = "x < y ? x : y; a NaN gives y";
  static T op(T x, T y) { return math::min(x, y); }
};

template <typename T, typename...>
struct AMaxPairwise : Op {
  static constexpr const char* formula = "|x| > |y| ? x : y";
  static T op(T x, T y) { return select<T>(math::abs(x) > math::abs(y), x, y); }
};

template <typename T, typename...>
struct AMinPairwise : Op {
  static constexpr const char* formula = "|x| < |y| ? x : y";
  static T op(T x, T y) { return select<T>(math::abs(x) < math::abs(y), x, y); }
};

template <typename T, typename...>
struct CopyPws : Op {
  static constexpr const char* formula = "y";
  static T op(T, T y) { return y; }
};

template <typename T, typename...>
struct Copy2 : CopyPws<T> {};

template <typename T, typename...>
struct Axpy : Op {
  static constexpr const char* formula = "alpha * x + y; extra: alpha (1 when not given)";
  static constexpr int maxParams = 1;
  static constexpr double defaultParam = 1;
  static T op(T x, T y, const Scalar<T>* params) { return math::add(math::multiply(math::splat<T>(params[0]), x), y); }
};

template <typename T, typename...>
struct ReplaceNans : Op {
  static constexpr const char* formula = "x is NaN ? y : x";
  static T op(T x, T y) { return select<T>(math::isnan(x), y, x); }
};

template <typename T, typename...>
struct Atan2 : FloatOp {
  static constexpr const char* formula = "atan2(y, x): y is the numerator";
  static T op(T x, T y) { return math::atan2(y, x); }
};

template <typename T, typename...>
struct RelativeError : Op {
  static constexpr const char* formula = "|x - y| / (|x| + |y|), 0 when both are 0";
  static constexpr bool computesInFloat = true;
  static T op(T x, T y) {
    const T zero = constant<T>(0);
    return select<T>((x == zero) && (y == zero), zero, math::abs(x - y) / (math::abs(x) + math::abs(y)));
  }
};

template <typename T, typename...>
struct BinaryRelativeError : WithParams<1> {
  static constexpr const char* formula = "relative error of x and y > threshold ? 1 : 0; extra: threshold";
  static constexpr bool computesInFloat = true;
  static T op(T x, T y, const Scalar<T>* params) {
    return select<T>(RelativeError<T>::op(x, y) > math::splat<T>(params[0]), constant<T>(1), constant<T>(0));
  }
};

template <typename T, typename...>
struct BinaryMinimumAbsoluteRelativeError : WithParams<2> {
  static constexpr const char* formula =
      "relative error > relative and not |x - y| < absolute ? 1 : 0; extra: relative, absolute";
  static constexpr bool computesInFloat = true;
  static T op(T x, T y, const Scalar<T>* params) {
    const auto large = RelativeError<T>::op(x, y) > math::splat<T>(params[0]);
    const auto small = math::abs(x - y) < math::splat<T>(params[1]);
    return select<T>(large && !small, constant<T>(1), constant<T>(0));
  }
};

/// Bitwise logic on the values truncated to 64-bit integers.
struct LogicalOp : Op {
  static constexpr bool isVectorizable = false;
};

template <typename T>
SD_INLINE sd::LongType asInteger(T x) {
  if constexpr (math::isInteger<T>)
    return static_cast<sd::LongType>(x);
  else if (!(x > T(-9223372036854775808.0)))
    return x != x ? 0 : std::numeric_limits<sd::LongType>::min();
  else
    return x < T(9223372036854775808.0) ? static_cast<sd::LongType>(x) : std::numeric_limits<sd::LongType>::max();
}

template <typename T, typename...>
struct LogicalOr : LogicalOp {
  static constexpr const char* formula = "trunc(x) | trunc(y), bitwise";
  static T op(T x, T y) { return static_cast<T>(asInteger(x) | asInteger(y)); }
};

template <typename T, typename...>
struct LogicalXor : LogicalOp {
  static constexpr const char* formula = "trunc(x) ^ trunc(y), bitwise";
  static T op(T x, T y) { return static_cast<T>(asInteger(x) ^ asInteger(y)); }
};

template <typename T, typename...>
struct LogicalAnd : LogicalOp {
  static constexpr const char* formula = "trunc(x) & trunc(y), bitwise";
  static T op(T x, T y) { return static_cast<T>(asInteger(x) & asInteger(y)); }
};

template <typename T, typename...>
struct LogicalNot : LogicalOp {
  static constexpr const char* formula = "not (trunc(x) and trunc(y)): 0 or 1";
  static T op(T x, T y) { return static_cast<T>(!(asInteger(x) != 0 && asInteger(y) != 0)); }
};

template <typename T, typename...>
struct LogPoissonLoss : FloatOp {
  static constexpr const char* formula = "exp(y) - x * y";
  static T op(T x, T y) { return math::exp(y) - x * y; }
};

template <typename T, typename...>
struct LogPoissonLossFull : FloatOp {
  static constexpr const char* formula = "exp(y) - x * y + (x * log(x) - x + 0.5 * log(2 * pi * x))";
  static T op(T x, T y) {
    return math::exp(y) - x * y +
           (x * math::log(x) - x + constant<T>(0.5) * math::log(constant<T>(6.283185307179586) * x));
  }
};

/// Regularised incomplete gamma functions with a = x and t = y.
struct GammaOp : FloatOp {
  static constexpr bool isVectorizable = false;
  static constexpr int cost = 100;
};

template <typename T, typename...>
struct IGamma : GammaOp {
  static constexpr const char* formula = "P(a = x, t = y), the regularised lower incomplete gamma function";
  static T op(T x, T y) { return static_cast<T>(math::lowerGamma(static_cast<double>(x), static_cast<double>(y))); }
};

template <typename T, typename...>
struct IGammac : GammaOp {
  static constexpr const char* formula = "1 - P(a = x, t = y), the regularised upper incomplete gamma function";
  static T op(T x, T y) { return static_cast<T>(math::upperGamma(static_cast<double>(x), static_cast<double>(y))); }
};

/// Selects y or x by a condition. extra: compare, (unused), eps, mode.
struct ConditionalOp : WithParams<4> {
  static constexpr int modeParam = 3;
  static constexpr bool isVectorizable = false;
  static constexpr int cost = 4;
};

template <typename T, typename...>
struct CompareAndSet : ConditionalOp {
  static constexpr const char* formula = "condition(y) ? y : x; extra: compare, unused, eps, mode";
  static T op(T x, T y, const T* params) {
    return math::condition(static_cast<int>(params[3]), y, params[0], params[2]) ? y : x;
  }
};

template <typename T, typename...>
struct CompareAndReplace : ConditionalOp {
  static constexpr const char* formula = "condition(x) ? y : x; extra: compare, unused, eps, mode";
  static T op(T x, T y, const T* params) {
    return math::condition(static_cast<int>(params[3]), x, params[0], params[2]) ? y : x;
  }
};

// ------------------------------------------------------------------------------------ activations with a scalar
// operand

template <typename T, typename...>
struct ELU : FloatOp {
  static constexpr const char* formula = "x >= 0 ? x : y * (exp(x) - 1)";
  static T op(T x, T y) { return select<T>(x >= constant<T>(0), x, y * math::expm1(x)); }
};

template <typename T, typename...>
struct ELUDerivative : FloatOp {
  static constexpr const char* formula = "x >= 0 ? 1 : y * exp(x)";
  static T op(T x, T y) { return select<T>(x >= constant<T>(0), constant<T>(1), y * math::exp(x)); }
};

template <typename T, typename...>
struct SXELogitsSmoother : Op {
  static constexpr const char* formula = "x * (1 - y) + 0.5 * y";
  static constexpr bool computesInFloat = true;
  static T op(T x, T y) { return x * (constant<T>(1) - y) + constant<T>(0.5) * y; }
};

template <typename T, typename...>
struct LeakyRELU : Op {
  static constexpr const char* formula = "x < 0 ? y * x : x";
  static T op(T x, T y) { return select<T>(x < constant<T>(0), math::multiply(y, x), x); }
};

template <typename T, typename...>
struct LeakyRELUDerivative : Op {
  static constexpr const char* formula = "x >= 0 ? 1 : y";
  static T op(T x, T y) { return select<T>(x >= constant<T>(0), constant<T>(1), y); }
};

template <typename T, typename...>
struct LogX : FloatOp {
  static constexpr const char* formula = "log(x) / log(y)";
  static T op(T x, T y) { return math::log(x) / math::log(y); }
};

template <typename T, typename...>
struct RELU : Op {
  static constexpr const char* formula = "x < y ? y : x; NaN stays NaN";
  static T op(T x, T y) { return select<T>(x < y, y, x); }
};

template <typename T, typename...>
struct RELU6 : Op {
  static constexpr const char* formula = "min(max(x, y), 6); NaN stays NaN";
  static T op(T x, T y) {
    const T v = select<T>(x < y, y, x), six = constant<T>(6);
    return select<T>(v > six, six, v);
  }
};

template <typename T, typename...>
struct RELUDerivative : Op {
  static constexpr const char* formula = "x > y ? 1 : 0";
  static T op(T x, T y) { return select<T>(x > y, constant<T>(1), constant<T>(0)); }
};

template <typename T, typename...>
struct Step : RELUDerivative<T> {};

template <typename T, typename...>
struct LstmClip : Op {
  static constexpr const char* formula = "x > y ? y : x < -y ? -y : x";
  static T op(T x, T y) {
    // unsigned values have no lower bound for clipping: -y would wrap
    const T low = std::is_unsigned<Scalar<T>>::value ? constant<T>(0) : math::negate(y);
    return select<T>(x > y, y, select<T>(x < low, low, x));
  }
};

}  // namespace simdOps

#endif
