// Ready-made operations: roots, powers, exponentials, logarithms, trigonometric and hyperbolic functions, angles, and
// bits of floating-point numbers. Integers are computed in float (8 and 16 bits) or double.
#ifndef NDFORGE_TENSOR_OPERATIONSFUNCTIONS_H
#define NDFORGE_TENSOR_OPERATIONSFUNCTIONS_H

#include <tensor/OperationsArithmetic.h>

SD_TENSOR_BEGIN

SD_TENSOR_FUNCTION(sqrt, 1, simdOps::Sqrt)             ///< the square root
SD_TENSOR_FUNCTION(reciprocalSqrt, 1, simdOps::RSqrt)  ///< 1 / sqrt(x)
SD_TENSOR_FUNCTION(cbrt, 1, simdOps::Cbrt)             ///< the cube root
SD_TENSOR_FUNCTION(pow, 2, simdOps::Pow)               ///< x^y
SD_TENSOR_FUNCTION(hypot, 2, simdOps::Hypot)           ///< sqrt(x^2 + y^2) without overflow

SD_TENSOR_FUNCTION(exp, 1, simdOps::Exp)            ///< e^x
SD_TENSOR_FUNCTION(exp2, 1, simdOps::Exp2)          ///< 2^x
SD_TENSOR_FUNCTION(exp10, 1, simdOps::Exp10)        ///< 10^x
SD_TENSOR_FUNCTION(expM1, 1, simdOps::Expm1)        ///< e^x - 1
SD_TENSOR_FUNCTION(exp2M1, 1, simdOps::Exp2M1)      ///< 2^x - 1
SD_TENSOR_FUNCTION(exp10M1, 1, simdOps::Exp10M1)    ///< 10^x - 1
SD_TENSOR_FUNCTION(log, 1, simdOps::Log)            ///< natural logarithm
SD_TENSOR_FUNCTION(log2, 1, simdOps::Log2)          ///< logarithm to base 2
SD_TENSOR_FUNCTION(log10, 1, simdOps::Log10)        ///< logarithm to base 10
SD_TENSOR_FUNCTION(logP1, 1, simdOps::Log1p)        ///< log(x + 1)
SD_TENSOR_FUNCTION(log2P1, 1, simdOps::Log2P1)      ///< log2(x + 1)
SD_TENSOR_FUNCTION(log10P1, 1, simdOps::Log10P1)    ///< log10(x + 1)
SD_TENSOR_FUNCTION(sigmoid, 1, simdOps::Sigmoid)    ///< 1 / (1 + exp(-x))
SD_TENSOR_FUNCTION(softPlus, 1, simdOps::SoftPlus)  ///< log(1 + exp(x))

SD_TENSOR_FUNCTION(sin, 1, simdOps::Sin)
SD_TENSOR_FUNCTION(cos, 1, simdOps::Cosine)
SD_TENSOR_FUNCTION(tan, 1, simdOps::Tan)
SD_TENSOR_FUNCTION(asin, 1, simdOps::ASin)
SD_TENSOR_FUNCTION(acos, 1, simdOps::ACos)
SD_TENSOR_FUNCTION(atan, 1, simdOps::ATan)
SD_TENSOR_FUNCTION(atan2, 2, simdOps::Arctangent2)      ///< the angle of the point (y, x), where x is the first operand
SD_TENSOR_FUNCTION(sinPi, 1, simdOps::SinPi)            ///< sin(pi * x)
SD_TENSOR_FUNCTION(cosPi, 1, simdOps::CosPi)            ///< cos(pi * x)
SD_TENSOR_FUNCTION(tanPi, 1, simdOps::TanPi)            ///< tan(pi * x)
SD_TENSOR_FUNCTION(asinPi, 1, simdOps::ASinPi)          ///< asin(x) / pi
SD_TENSOR_FUNCTION(acosPi, 1, simdOps::ACosPi)          ///< acos(x) / pi
SD_TENSOR_FUNCTION(atanPi, 1, simdOps::ATanPi)          ///< atan(x) / pi
SD_TENSOR_FUNCTION(atan2Pi, 2, simdOps::Arctangent2Pi)  ///< atan2(x, y) / pi
SD_TENSOR_FUNCTION(sinCos, 1, simdOps::SinCos)          ///< z holds sine and cosine alternately, or pairs of them
SD_TENSOR_FUNCTION(sinCosPi, 1, simdOps::SinCosPi)      ///< of pi * x

SD_TENSOR_FUNCTION(sinh, 1, simdOps::Sinh)
SD_TENSOR_FUNCTION(cosh, 1, simdOps::Cosh)
SD_TENSOR_FUNCTION(tanh, 1, simdOps::Tanh)
SD_TENSOR_FUNCTION(asinh, 1, simdOps::ASinh)
SD_TENSOR_FUNCTION(acosh, 1, simdOps::ACosh)
SD_TENSOR_FUNCTION(atanh, 1, simdOps::ATanh)

SD_TENSOR_FUNCTION(degreesToRadians, 1, simdOps::DegreesToRadians)  ///< x * pi / 180
SD_TENSOR_FUNCTION(radiansToDegrees, 1, simdOps::RadiansToDegrees)  ///< x * 180 / pi

SD_TENSOR_FUNCTION(bitIncrement, 1, simdOps::BitIncrement)  ///< the next larger number
SD_TENSOR_FUNCTION(bitDecrement, 1, simdOps::BitDecrement)  ///< the next smaller number

/// x * 2^n
template <SpanSource X, SpanTarget Z>
void scaleB(const X& x, int n, Z&& z) {
  applyScalar<simdOps::ScaleB>(x, n, z);
}
/// The n-th root. For negative x it is negative when n is odd, else NaN.
template <SpanSource X, SpanTarget Z>
void rootN(const X& x, int n, Z&& z) {
  applyScalar<simdOps::RootN>(x, n, z);
}

SD_TENSOR_END

#endif
