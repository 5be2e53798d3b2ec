// Functors of one floating-point operand (TRANSFORM_STRICT): elementary functions, activations and their derivatives.
#ifndef NDFORGE_OPS_FUNCTORS_STRICT_H
#define NDFORGE_OPS_FUNCTORS_STRICT_H

#include <ops/functors/transform.h>

namespace simdOps {

// ----------------------------------------------------------------------------------------------- elementary functions

/// A functor that calls one elementary function of math/math.h.
#define SD_ELEMENTARY(NAME, FUNCTION, FORMULA)                          \
  template <typename T>                                                 \
  struct NAME : FloatOp {                                               \
    static constexpr const char* formula = FORMULA;                     \
    static T op(T x, Params<T> = nullptr) { return math::FUNCTION(x); } \
  };

SD_ELEMENTARY(Exp, exp, "exp(x)")
SD_ELEMENTARY(Expm1, expm1, "exp(x) - 1")
SD_ELEMENTARY(Log, log, "natural logarithm of x")
SD_ELEMENTARY(Log1p, log1p, "log(1 + x)")
SD_ELEMENTARY(Sin, sin, "sin(x)")
SD_ELEMENTARY(Cosine, cos, "cos(x)")
SD_ELEMENTARY(Tan, tan, "tan(x)")
SD_ELEMENTARY(ASin, asin, "asin(x)")
SD_ELEMENTARY(ACos, acos, "acos(x)")
SD_ELEMENTARY(ATan, atan, "atan(x)")
SD_ELEMENTARY(Sinh, sinh, "sinh(x)")
SD_ELEMENTARY(Cosh, cosh, "cosh(x)")
SD_ELEMENTARY(Tanh, tanh, "tanh(x)")
SD_ELEMENTARY(ASinh, asinh, "asinh(x)")
SD_ELEMENTARY(ACosh, acosh, "acosh(x)")
SD_ELEMENTARY(ATanh, atanh, "atanh(x)")
SD_ELEMENTARY(Erf, erf, "erf(x)")
SD_ELEMENTARY(Erfc, erfc, "1 - erf(x)")
SD_ELEMENTARY(Rint, rint, "x rounded to an integer, halves to even")
SD_ELEMENTARY(Sigmoid, sigmoid, "1 / (1 + exp(-x))")
SD_ELEMENTARY(SoftPlus, softplus, "log(1 + exp(x))")

#undef SD_ELEMENTARY

// -------------------------------------------------------------------------------------------------------- activations

template <typename T>
struct ScaledTanh : WithParams<2, FloatOp> {
  static constexpr const char* formula = "a * tanh(b * x); extra: a, b";
  static T op(T x, const Scalar<T>* params) {
    return math::splat<T>(params[0]) * math::tanh(math::splat<T>(params[1]) * x);
  }
};

template <typename T>
struct Affine : WithParams<2> {
  static constexpr const char* formula = "a * x + b; extra: a, b";
  static T op(T x, const Scalar<T>* params) { return math::splat<T>(params[0]) * x + math::splat<T>(params[1]); }
};

/// The limit that keeps the result of exp within the range of a 16-bit float.
inline constexpr double STABLE_LIMIT = 3.79297773665;

template <typename T>
struct Stabilize : WithParams<1> {
  static constexpr const char* formula = "C = 3.79297773665: x*k > C ? C/k : x*k < -C ? -C/k : x; extra: k";
  static T op(T x, const Scalar<T>* params) {
    const T k = math::splat<T>(params[0]), limit = constant<T>(STABLE_LIMIT);
    return select<T>(x * k > limit, limit / k, select<T>(x * k < -limit, -limit / k, x));
  }
};

template <typename T>
struct StabilizeFP16 : Op {
  static constexpr const char* formula = "x <= 0 ? 6.1035e-05 : x";
  static T op(T x, Params<T> = nullptr) { return select<T>(x <= constant<T>(0), constant<T>(6.1035e-05), x); }
};

template <typename T>
struct SetRange : WithParams<2, FloatOp> {
  static constexpr const char* formula =
      "min <= x <= max ? x : min == 0 and max == 1 ? floor(sigmoid(x) * (max - min)) + min : floor(x * (max - min)) + "
      "min; extra: min, max";
  static T op(T x, const Scalar<T>* params) {
    const T low = math::splat<T>(params[0]), high = math::splat<T>(params[1]);
    const T source = params[0] == 0 && params[1] == 1 ? math::sigmoid(x) : x;
    return select<T>((x >= low) && (x <= high), x, math::floor(source * (high - low)) + low);
  }
};

template <typename T>
struct HardTanh : Op {
  static constexpr const char* formula = "x < -1 ? -1 : x > 1 ? 1 : x";
  static T op(T x, Params<T> = nullptr) {
    const T one = constant<T>(1);
    return select<T>(x < -one, -one, select<T>(x > one, one, x));
  }
};

template <typename T>
struct HardSigmoid : Op {
  static constexpr const char* formula = "min(1, max(0, 0.2 * x + 0.5))";
  static T op(T x, Params<T> = nullptr) {
    const T v = constant<T>(0.2) * x + constant<T>(0.5), zero = constant<T>(0), one = constant<T>(1);
    return select<T>(v < zero, zero, select<T>(v > one, one, v));
  }
};

template <typename T>
struct SoftSign : Op {
  static constexpr const char* formula = "x / (1 + |x|)";
  static T op(T x, Params<T> = nullptr) { return x / (constant<T>(1) + math::abs(x)); }
};

template <typename T>
struct RectifiedTanh : FloatOp {
  static constexpr const char* formula = "max(0, tanh(x))";
  static T op(T x, Params<T> = nullptr) {
    const T zero = constant<T>(0), t = math::tanh(x);
    return select<T>(t < zero, zero, t);
  }
};

/// |d| + d^2 + 1.41645 d^4 for d = 2x/3. 1 / (1 + this) approximates a decay like that of exp(-2|d|).
template <typename T>
SD_INLINE T rationalTanhSum(T d) {
  const T square = d * d;
  return math::abs(d) + square + constant<T>(1.41645) * square * square;
}

template <typename T>
struct RationalTanh : Op {
  static constexpr const char* formula = "d = 2x/3: 1.7159 * sgn(d) * (1 - 1 / (1 + |d| + d^2 + 1.41645 * d^4))";
  static constexpr int cost = 3;
  static T op(T x, Params<T> = nullptr) {
    const T d = constant<T>(2.0 / 3.0) * x, one = constant<T>(1), sum = rationalTanhSum(d);
    // 1 - 1 / (1 + sum), without cancellation for small x and without infinity / infinity for large x.
    const T ratio = select<T>(sum > constant<T>(1e30), one, sum / (one + sum));
    return constant<T>(1.7159) * Sign<T>::op(d) * ratio;
  }
};

/// Constants of the self-normalising activation (Klambauer et al. 2017).
inline constexpr double SELU_LAMBDA = 1.0507009873554804934193349852946;
inline constexpr double SELU_ALPHA = 1.6732632423543772848170429916717;

template <typename T>
struct SELU : FloatOp {
  static constexpr const char* formula = "x > 0 ? L * x : L * A * (exp(x) - 1); L = 1.05070098…, A = 1.67326324…";
  static T op(T x, Params<T> = nullptr) {
    return select<T>(x > constant<T>(0), constant<T>(SELU_LAMBDA) * x,
                     constant<T>(SELU_LAMBDA * SELU_ALPHA) * math::expm1(x));
  }
};

template <typename T>
struct Swish : FloatOp {
  static constexpr const char* formula = "x * sigmoid(x)";
  static T op(T x, Params<T> = nullptr) { return x * math::sigmoid(x); }
};

template <typename T>
struct LogSigmoid : FloatOp {
  static constexpr const char* formula = "log(sigmoid(x))";
  static T op(T x, Params<T> = nullptr) { return math::negate(math::softplus(math::negate(x))); }
};

template <typename T>
struct GELU : FloatOp {
  static constexpr const char* formula = "x * sigmoid(1.702 * x)";
  static T op(T x, Params<T> = nullptr) { return x * math::sigmoid(constant<T>(1.702) * x); }
};

/// sqrt(2/pi) * (x + 0.044715 x^3), the argument of tanh in the published approximation.
template <typename T>
SD_INLINE T geluArgument(T x) {
  return constant<T>(0.7978845608028654) * (x + constant<T>(0.044715) * x * x * x);
}

template <typename T>
struct PreciseGELU : FloatOp {
  static constexpr const char* formula = "x/2 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 * x^3)))";
  /// (1 + tanh(t)) / 2 is sigmoid(2t), which does not cancel for negative x.
  static T op(T x, Params<T> = nullptr) { return x * math::sigmoid(constant<T>(2) * geluArgument(x)); }
};

/// tanh(log(1 + exp(x))) = p / q without overflow and without cancellation, with e = exp(-|x|): (1 + exp(x))^2 is
/// multiplied by e^2 for positive x.
template <typename T>
struct TanhOfSoftplus {
  T e, p, q;

  SD_INLINE explicit TanhOfSoftplus(T x) {
    const T two = constant<T>(2);
    e = math::exp(math::negate(math::abs(x)));
    const auto isPositive = x > constant<T>(0);
    p = select<T>(isPositive, two * e + constant<T>(1), (e + two) * e);
    q = p + two * select<T>(isPositive, e * e, constant<T>(1));
  }
};

template <typename T>
struct Mish : FloatOp {
  static constexpr const char* formula = "x * tanh(log(1 + exp(x)))";
  static T op(T x, Params<T> = nullptr) {
    const TanhOfSoftplus<T> t(x);
    return x * (t.p / t.q);
  }
};

// -------------------------------------------------------------------------------------------------------- derivatives

/// 1 - tanh(x)^2 as 1 / cosh(x)^2 = 4 e / (1 + e)^2 with e = exp(-2|x|): no cancellation for large |x|.
template <typename T>
SD_INLINE T sechSquared(T x) {
  const T one = constant<T>(1), e = math::exp(constant<T>(-2) * math::abs(x));
  return constant<T>(4) * e / ((one + e) * (one + e));
}

template <typename T>
struct TanhDerivative : FloatOp {
  static constexpr const char* formula = "1 - tanh(x)^2";
  static T op(T x, Params<T> = nullptr) { return sechSquared(x); }
};

template <typename T>
struct HardTanhDerivative : Op {
  static constexpr const char* formula = "-1 <= x <= 1 ? 1 : 0";
  static T op(T x, Params<T> = nullptr) {
    return select<T>(math::abs(x) <= constant<T>(1), constant<T>(1), constant<T>(0));
  }
};

template <typename T>
struct SigmoidDerivative : FloatOp {
  static constexpr const char* formula = "s * (1 - s), s = sigmoid(x)";
  static T op(T x, Params<T> = nullptr) {
    const T one = constant<T>(1), e = math::exp(-math::abs(x));
    return e / ((one + e) * (one + e));
  }
};

template <typename T>
struct SoftSignDerivative : Op {
  static constexpr const char* formula = "1 / (1 + |x|)^2";
  static constexpr int cost = 2;
  static T op(T x, Params<T> = nullptr) {
    const T d = constant<T>(1) + math::abs(x);
    return constant<T>(1) / (d * d);
  }
};

template <typename T>
struct TanDerivative : FloatOp {
  static constexpr const char* formula = "1 / cos(x)^2";
  static T op(T x, Params<T> = nullptr) {
    const T c = math::cos(x);
    return constant<T>(1) / (c * c);
  }
};

template <typename T>
struct SELUDerivative : FloatOp {
  static constexpr const char* formula = "x > 0 ? L : L * A * exp(x); L = 1.05070098…, A = 1.67326324…";
  static T op(T x, Params<T> = nullptr) {
    return select<T>(x > constant<T>(0), constant<T>(SELU_LAMBDA),
                     constant<T>(SELU_LAMBDA * SELU_ALPHA) * math::exp(x));
  }
};

template <typename T>
struct HardSigmoidDerivative : Op {
  static constexpr const char* formula = "x < -2.5 or x > 2.5 ? 0 : 0.2";
  static T op(T x, Params<T> = nullptr) {
    return select<T>(math::abs(x) > constant<T>(2.5), constant<T>(0), constant<T>(0.2));
  }
};

template <typename T>
struct RationalTanhDerivative : Op {
  static constexpr const char* formula =
      "d = 2x/3, a = 1 + |d| + d^2 + 1.41645 * d^4: 1.7159 * 2/3 * (1 + sgn(d) * (2d + 5.6658 * d^3)) / a^2";
  static constexpr int cost = 3;
  static T op(T x, Params<T> = nullptr) {
    const T d = constant<T>(2.0 / 3.0) * x, a = constant<T>(1) + rationalTanhSum(d);
    const T slope = constant<T>(2) * d + constant<T>(4 * 1.41645) * d * d * d;
    return constant<T>(1.7159 * 2.0 / 3.0) * (constant<T>(1) + Sign<T>::op(d) * slope) / (a * a);
  }
};

template <typename T>
struct RectifiedTanhDerivative : FloatOp {
  static constexpr const char* formula = "x > 0 ? 1 - tanh(x)^2 : 0";
  static T op(T x, Params<T> = nullptr) { return select<T>(x > constant<T>(0), sechSquared(x), constant<T>(0)); }
};

template <typename T>
struct SwishDerivative : FloatOp {
  static constexpr const char* formula = "s + x * s * (1 - s), s = sigmoid(x)";
  static T op(T x, Params<T> = nullptr) { return math::sigmoid(x) + x * SigmoidDerivative<T>::op(x); }
};

template <typename T>
struct ACoshDerivative : FloatOp {
  static constexpr const char* formula = "1 / (sqrt(x - 1) * sqrt(x + 1))";
  static T op(T x, Params<T> = nullptr) {
    const T one = constant<T>(1);
    return one / (math::sqrt(x - one) * math::sqrt(x + one));
  }
};

template <typename T>
struct ASinhDerivative : FloatOp {
  static constexpr const char* formula = "1 / sqrt(x^2 + 1)";
  static T op(T x, Params<T> = nullptr) { return constant<T>(1) / math::sqrt(x * x + constant<T>(1)); }
};

template <typename T>
struct SinhDerivative : FloatOp {
  static constexpr const char* formula = "cosh(x)";
  static T op(T x, Params<T> = nullptr) { return math::cosh(x); }
};

template <typename T>
struct LogSigmoidDerivative : FloatOp {
  static constexpr const char* formula = "1 / (exp(x) + 1)";
  static T op(T x, Params<T> = nullptr) { return math::sigmoid(math::negate(x)); }
};

template <typename T>
struct SpecialDerivative : Op {
  static constexpr const char* formula = "x * (1 - x)";
  static T op(T x, Params<T> = nullptr) { return x * (constant<T>(1) - x); }
};

template <typename T>
struct CubeDerivative : Op {
  static constexpr const char* formula = "3 * x * x";
  static T op(T x, Params<T> = nullptr) { return constant<T>(3) * x * x; }
};

template <typename T>
struct GELUDerivative : FloatOp {
  static constexpr const char* formula = "s * (1 + u * (1 - s)), u = 1.702 * x, s = sigmoid(u)";
  static T op(T x, Params<T> = nullptr) {
    const T u = constant<T>(1.702) * x;
    return SwishDerivative<T>::op(u);
  }
};

template <typename T>
struct PreciseGELUDerivative : FloatOp {
  static constexpr const char* formula =
      "t = 0.797885x + 0.0356774x^3: 0.5 + (0.398942x + 0.0535161x^3) * sech(t)^2 + 0.5 * tanh(t)";
  static T op(T x, Params<T> = nullptr) {
    const T t = geluArgument(x);
    const T slope = x * (constant<T>(0.3989422804014327) + constant<T>(0.05351611220445019) * x * x);
    // From 32 on sech(t)^2 is 0, while the slope may overflow.
    const T bounded = select<T>(math::abs(x) < constant<T>(32), slope, constant<T>(0));
    return math::sigmoid(constant<T>(2) * t) + bounded * sechSquared(t);
  }
};

template <typename T>
struct MishDerivative : FloatOp {
  static constexpr const char* formula = "th + x * sigmoid(x) * (1 - th^2), th = tanh(log(1 + exp(x)))";
  static T op(T x, Params<T> = nullptr) {
    // sigmoid(x) * (1 - th^2) = 4 * f * (1 + e) / q^2
    const TanhOfSoftplus<T> t(x);
    const T f = select<T>(x > constant<T>(0), t.e * t.e, t.e);
    return (t.p * t.q + x * (constant<T>(4) * f * (constant<T>(1) + t.e))) / (t.q * t.q);
  }
};

}  // namespace simdOps

#endif
