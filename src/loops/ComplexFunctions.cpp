#include "loops/ComplexFunctions.h"

#include <algorithm>
#include <iterator>

namespace sd::loops {

namespace {

using Complex = std::complex<double>;

bool isFinite(Complex z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

Complex oneMinus(Complex z) { return {1 - z.real(), -z.imag()}; }

Complex expm1(Complex z) {
  const Complex e = std::exp(z);
  if (!isFinite(z)) return {e.real() - 1, e.imag()};
  // e^x cos y - 1 without cancellation near 0
  const double x = z.real(), y = z.imag(), half = std::sin(y / 2), size = std::expm1(x);
  const double real = std::isinf(size) ? e.real() : size * std::cos(y) - 2 * half * half;
  return {real, e.imag()};
}

/// A number with twice the digits: the sum of its parts, which do not overlap.
struct Wide {
  double high, low;
};
Wide sum(double a, double b) {
  const double s = a + b, c = s - a;
  return {s, (a - (s - c)) + (b - c)};
}
Wide square(double a) {
  const double p = a * a;
  return {p, std::fma(a, a, -p)};
}

/// |1 + z|^2 - 1 = 2x + x^2 + y^2, whose terms may cancel.
double squaredLengthLess1(double x, double y) {
  const Wide xx = square(x), yy = square(y), first = sum(2 * x, xx.high), both = sum(first.high, yy.high);
  return both.high + (both.low + first.low + xx.low + yy.low);
}

Complex log1p(Complex z) {
  const double x = z.real(), y = z.imag();
  // For larger z, |1 + z| is exact enough, and its square may overflow.
  const double near = std::abs(x) < 4 && std::abs(y) < 4 ? squaredLengthLess1(x, y) : 4;
  if (near < -0.5 || near > 3) return std::log(Complex(1 + x, y));
  return {std::log1p(near) / 2, std::atan2(y, 1 + x)};
}

Complex sign(Complex z) {
  const bool infiniteX = std::isinf(z.real()), infiniteY = std::isinf(z.imag());
  if (infiniteX != infiniteY)
    return infiniteX ? Complex(std::copysign(1.0, z.real()), 0) : Complex(0, std::copysign(1.0, z.imag()));
  if (!isFinite(z)) return {NAN, NAN};
  if (z == Complex(0)) return 0;
  // The length of the largest numbers overflows, those of the smallest have few digits.
  int exponent;
  std::frexp(std::max(std::abs(z.real()), std::abs(z.imag())), &exponent);
  const Complex scaled(std::ldexp(z.real(), -exponent), std::ldexp(z.imag(), -exponent));
  return scaled / magnitude(scaled);
}

struct Row {
  std::string_view name;
  ComplexFunction function;
};

#define SD_STANDARD(NAME, FUNCTION)                  \
  {                                                  \
    NAME, [](Complex z) { return std::FUNCTION(z); } \
  }

constexpr Row ROWS[] = {
    SD_STANDARD("Sqrt", sqrt),
    {"RSqrt", [](Complex z) { return quotient(Complex(1), std::sqrt(z)); }},
    SD_STANDARD("Exp", exp),
    {"Expm1", expm1},
    SD_STANDARD("Log", log),
    {"Log1p", log1p},
    SD_STANDARD("Sin", sin),
    SD_STANDARD("Cosine", cos),
    SD_STANDARD("Tan", tan),
    SD_STANDARD("Sinh", sinh),
    SD_STANDARD("Cosh", cosh),
    SD_STANDARD("Tanh", tanh),
    SD_STANDARD("ASin", asin),
    SD_STANDARD("ACos", acos),
    SD_STANDARD("ATan", atan),
    SD_STANDARD("ASinh", asinh),
    SD_STANDARD("ACosh", acosh),
    SD_STANDARD("ATanh", atanh),
    {"Sign", sign},
    {"Cube", [](Complex z) { return product(product(z, z), z); }},
    {"OneMinus", oneMinus},
    {"TimesOneMinus", [](Complex z) { return product(z, oneMinus(z)); }},
};

#undef SD_STANDARD

/// By squares: as many products as the exponent has digits, and those of the ones.
Complex integerPower(Complex x, int exponent) {
  Complex result(1);
  bool first = true;
  for (unsigned left = static_cast<unsigned>(std::abs(exponent)); left != 0; left /= 2) {
    if (left % 2 != 0) result = first ? x : product(result, x);
    if (left % 2 != 0) first = false;
    if (left > 1) x = product(x, x);
  }
  return exponent < 0 ? quotient(Complex(1), result) : result;
}

}  // namespace

ComplexFunction complexFunction(std::string_view name) {
  const auto found = std::find_if(std::begin(ROWS), std::end(ROWS), [&](const Row& row) { return row.name == name; });
  return found == std::end(ROWS) ? nullptr : found->function;
}

Complex power(Complex x, Complex y) {
  if (y == Complex(0)) return 1;
  if (x == Complex(0)) return y.real() > 0 ? Complex(0) : Complex(NAN, NAN);
  if (y.imag() == 0 && std::abs(y.real()) < 100 && std::trunc(y.real()) == y.real())
    return integerPower(x, static_cast<int>(y.real()));
  return std::pow(x, y);
}

}  // namespace sd::loops
