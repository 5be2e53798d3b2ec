// Special functions of single numbers.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SPECIAL_FUNCTIONS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_SPECIAL_FUNCTIONS_H

namespace sd::ops {

/// ln |Gamma(x)|; inf for 0 and negative integers.
double logGamma(double x);
/// The derivative of ln Gamma; inf for 0 and negative integers.
double digammaOf(double x);
/// sum over k >= 0 of (k + q)^-x, x > 1, q > 0.
double hurwitzZeta(double x, double q);
/// The derivative of order n of digamma, x > 0; NaN when n is not an integer.
double polygammaOf(double n, double x);
/// The regularised incomplete beta function I_x(a, b), a > 0, b > 0, 0 <= x <= 1.
double incompleteBeta(double a, double b, double x);

}  // namespace sd::ops

#endif
