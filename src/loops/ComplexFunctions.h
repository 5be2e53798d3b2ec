// Functions of single complex numbers.
#ifndef NDFORGE_SRC_LOOPS_COMPLEXFUNCTIONS_H
#define NDFORGE_SRC_LOOPS_COMPLEXFUNCTIONS_H

#include <cmath>
#include <complex>
#include <string_view>

namespace sd::loops {

/// Functions are computed in double, also those of COMPLEX64.
using ComplexFunction = std::complex<double> (*)(std::complex<double> z);

/// The function that the numbered transform of this name computes; nullptr when there is none. Infinities, NaN and the
/// sides of branch cuts are those of annex G of the C standard.
ComplexFunction complexFunction(std::string_view name);

/// x^y. Integers y of less than three digits multiply x; 0^y is 0 where the real part of y is positive, 1 for y = 0,
/// and NaN otherwise.
std::complex<double> power(std::complex<double> x, std::complex<double> y);

/// Infinite when a part is, even beside NaN.
inline double magnitude(std::complex<double> z) {
  const double square = z.real() * z.real() + z.imag() * z.imag();
  // hypot() takes several times as long.
  return square > 1e-280 && square < 1e280 ? std::sqrt(square) : std::hypot(z.real(), z.imag());
}
inline float magnitude(std::complex<float> z) {
  // In double nothing overflows.
  const double re = z.real(), im = z.imag();
  const auto plain = static_cast<float>(std::sqrt(re * re + im * im));
  return std::isnan(plain) ? std::hypot(z.real(), z.imag()) : plain;
}

/// Products of parts may overflow where the quotient does not. Smith, "Algorithm 116: Complex division", 1962.
template <typename T>
std::complex<T> quotient(std::complex<T> x, std::complex<T> y) {
  const T a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
  if (c == 0 && d == 0) return {a / std::abs(c), b / std::abs(c)};
  if (std::abs(c) >= std::abs(d)) {
    const T ratio = d / c, scale = 1 / (c + d * ratio);
    return {(a + b * ratio) * scale, (b - a * ratio) * scale};
  }
  const T ratio = c / d, scale = 1 / (c * ratio + d);
  return {(a * ratio + b) * scale, (b * ratio - a) * scale};
}

template <typename T>
std::complex<T> product(std::complex<T> x, std::complex<T> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}

}  // namespace sd::loops

#endif
