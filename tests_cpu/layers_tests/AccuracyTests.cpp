// Elementary functions over their whole range: the error in units in the last place, against the C library in a wider
// type (double for float, long double for double).
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "NumberedHarness.h"
#include "random"

using namespace sd;
using namespace sd::numbered;

namespace {

using Wide = long double;

/// A function of one or two arguments: the numbered operation and the exact function.
struct Function {
  OpGroup group;
  const char* name;
  Wide (*truth)(Wide x, Wide y);
  double ulps = 4;
  /// Absolute error of the formula itself, in units in the last place of 1: the error that remains after cancellation.
  double absolute = 0;
  /// Additional units per unit of |x|: the effect of rounding an argument before exp.
  double slope = 0;
  /// Additional units per unit of |x|^3.
  double cubic = 0;
};

Wide sigmoid(Wide x) { return x >= 0 ? 1 / (1 + expl(-x)) : expl(x) / (1 + expl(x)); }
Wide softplus(Wide x) { return fmaxl(x, 0) + log1pl(expl(-fabsl(x))); }
Wide sigmoidSlope(Wide x) { return sigmoid(x) * sigmoid(-x); }
/// Twice the argument of tanh in the published approximation of GELU.
Wide geluArgument(Wide x) { return 2 * sqrtl(2 / acosl(-1.0L)) * (x + 0.044715L * x * x * x); }
Wide geluArgumentSlope(Wide x) { return 2 * sqrtl(2 / acosl(-1.0L)) * (1 + 0.134145L * x * x); }

// Elementary functions: correct to 4 units everywhere; results in the denormal range are measured in its spacing.
const std::vector<Function> ELEMENTARY = {
    {OpGroup::TransformStrict, "Exp", [](Wide x, Wide) { return expl(x); }},
    {OpGroup::TransformStrict, "Expm1", [](Wide x, Wide) { return expm1l(x); }},
    {OpGroup::TransformStrict, "Log", [](Wide x, Wide) { return logl(x); }},
    {OpGroup::TransformStrict, "Log1p", [](Wide x, Wide) { return log1pl(x); }},
    {OpGroup::TransformStrict, "Sin", [](Wide x, Wide) { return sinl(x); }},
    {OpGroup::TransformStrict, "Cosine", [](Wide x, Wide) { return cosl(x); }},
    {OpGroup::TransformStrict, "Tan", [](Wide x, Wide) { return tanl(x); }},
    {OpGroup::TransformStrict, "ASin", [](Wide x, Wide) { return asinl(x); }},
    {OpGroup::TransformStrict, "ACos", [](Wide x, Wide) { return acosl(x); }},
    {OpGroup::TransformStrict, "ATan", [](Wide x, Wide) { return atanl(x); }},
    {OpGroup::TransformStrict, "Sinh", [](Wide x, Wide) { return sinhl(x); }},
    {OpGroup::TransformStrict, "Cosh", [](Wide x, Wide) { return coshl(x); }},
    {OpGroup::TransformStrict, "Tanh", [](Wide x, Wide) { return tanhl(x); }},
    {OpGroup::TransformStrict, "ASinh", [](Wide x, Wide) { return asinhl(x); }},
    {OpGroup::TransformStrict, "ACosh", [](Wide x, Wide) { return acoshl(x); }},
    {OpGroup::TransformStrict, "ATanh", [](Wide x, Wide) { return atanhl(x); }},
    {OpGroup::TransformStrict, "Erf", [](Wide x, Wide) { return erfl(x); }},
    {OpGroup::TransformStrict, "Erfc", [](Wide x, Wide) { return erfcl(x); }},
    {OpGroup::TransformStrict, "SinhDerivative", [](Wide x, Wide) { return coshl(x); }},
    {OpGroup::TransformFloat, "Sqrt", [](Wide x, Wide) { return sqrtl(x); }, 0.501},
    {OpGroup::TransformFloat, "RSqrt", [](Wide x, Wide) { return 1 / sqrtl(x); }},
    {OpGroup::TransformSame, "Reciprocal", [](Wide x, Wide) { return 1 / x; }, 0.501},
    {OpGroup::Pairwise, "Pow", [](Wide x, Wide y) { return powl(x, y); }},
    {OpGroup::Pairwise, "Atan2", [](Wide x, Wide y) { return atan2l(y, x); }},
    {OpGroup::Pairwise, "FMod", [](Wide x, Wide y) { return fmodl(x, y); }, 0},
    {OpGroup::Pairwise, "Remainder", [](Wide x, Wide y) { return remainderl(x, y); }, 0},
};

// Compositions. Without cancellation, the bound is 4 units for each elementary function and 1/2 for each arithmetic
// step, times the factor by which later steps multiply a relative error. With cancellation, the error is relative to
// the larger term and is bounded in units of 1 (or of |x|, see `absolute` in errorOf).
const std::vector<Function> COMPOSED = {
    // One exp, one addition, one division; the exp is of the argument itself, so nothing is amplified.
    {OpGroup::TransformStrict, "Sigmoid", [](Wide x, Wide) { return sigmoid(x); }, 6},
    {OpGroup::TransformStrict, "LogSigmoidDerivative", [](Wide x, Wide) { return sigmoid(-x); }, 6},
    // log1p and exp, both well conditioned there; the sum has terms of one sign.
    {OpGroup::TransformStrict, "SoftPlus", [](Wide x, Wide) { return softplus(x); }, 10},
    {OpGroup::TransformStrict, "LogSigmoid", [](Wide x, Wide) { return -softplus(-x); }, 10},
    {OpGroup::TransformStrict, "Swish", [](Wide x, Wide) { return x * sigmoid(x); }, 7},
    // u = 1.702*x: the constant and the product each have a relative error of 2^-p, which is up to 2 * |u| units in
    // exp(u).
    {OpGroup::TransformStrict, "GELU", [](Wide x, Wide) { return x * sigmoid(1.702L * x); }, 8, 0, 3.404},
    // tanh(softplus(x)): both are well conditioned (their relative condition numbers are at most 1).
    {OpGroup::TransformStrict, "Mish", [](Wide x, Wide) { return x * tanhl(softplus(x)); }, 16},
    // 1 - tanh^2 and s*(1-s) cancel near 0: the error is relative to 1.
    {OpGroup::TransformStrict, "TanhDerivative", [](Wide x, Wide) { return 1 / (coshl(x) * coshl(x)); }, 8, 12},
    {OpGroup::TransformStrict, "SigmoidDerivative", [](Wide x, Wide) { return sigmoid(x) * sigmoid(-x); }, 12, 12},
    // x*sigmoid(u); u = 1.6x + 0.071x^3 has at most five roundings, which are up to 5 * |u| units in exp(u).
    {OpGroup::TransformStrict, "PreciseGELU", [](Wide x, Wide) { return x * sigmoid(geluArgument(x)); }, 8, 0, 8, 0.36},
    {OpGroup::TransformStrict, "RationalTanh",
     [](Wide x, Wide) {
       const Wide d = fabsl(x) * 2 / 3, sum = d + d * d + 1.41645L * d * d * d * d;
       return copysignl(1.7159L, x) * (sum > 1e4000L ? 1 : sum / (1 + sum));
     },
     10},
    // L*A*(exp(x) - 1) cancels near 0.
    {OpGroup::TransformStrict, "SELU",
     [](Wide x, Wide) {
       const Wide scale = 1.0507009873554804934193349852946L, alpha = 1.6732632423543772848170429916717L;
       return x > 0 ? scale * x : scale * alpha * expm1l(x);
     },
     8, 12},
    {OpGroup::TransformStrict, "SoftSign", [](Wide x, Wide) { return x / (1 + fabsl(x)); }, 5},
};

// Derivatives where they are small: their terms decrease like exp(x), and cancellation must not destroy them.
const std::vector<Function> TAILS = {
    {OpGroup::TransformStrict, "TanhDerivative", [](Wide x, Wide) { return 1 / (coshl(x) * coshl(x)); }, 12},
    {OpGroup::TransformStrict, "SigmoidDerivative", [](Wide x, Wide) { return sigmoidSlope(x); }, 12},
    {OpGroup::TransformStrict, "SwishDerivative", [](Wide x, Wide) { return sigmoid(x) + x * sigmoidSlope(x); }, 40},
    {OpGroup::TransformStrict, "GELUDerivative",
     [](Wide x, Wide) { return sigmoid(1.702L * x) + 1.702L * x * sigmoidSlope(1.702L * x); }, 40, 0, 3.404},
    {OpGroup::TransformStrict, "PreciseGELUDerivative",
     [](Wide x, Wide) {
       const Wide u = geluArgument(x);
       return sigmoid(u) + x * geluArgumentSlope(x) * sigmoidSlope(u);
     },
     40, 0, 8, 0.36},
    {OpGroup::TransformStrict, "MishDerivative",
     [](Wide x, Wide) {
       const Wide s = softplus(x), c = coshl(s);
       return tanhl(s) + x * sigmoid(x) / (c * c);
     },
     60},
};

template <typename T>
struct Format;
template <>
struct Format<float> {
  static constexpr DataType type = FLOAT32;
  using Bits = uint32_t;
};
template <>
struct Format<double> {
  static constexpr DataType type = DOUBLE;
  using Bits = uint64_t;
};

/// Values of every exponent and sign, denormals and special values, and many values in the range where functions bend.
template <typename T>
std::vector<T> spread(size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{0,
                        T(-0.0),
                        1,
                        -1,
                        T(0.5),
                        T(-0.5),
                        2,
                        -2,
                        3,
                        10,
                        -10,
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::denorm_min(),
                        -Limits::denorm_min(),
                        Limits::min(),
                        -Limits::min(),
                        Limits::max(),
                        Limits::lowest(),
                        Limits::epsilon(),
                        1 + Limits::epsilon(),
                        1 - Limits::epsilon() / 2};
  std::mt19937_64 random(seed);
  // Every exponent in turn, with a random significand and sign.
  constexpr int EXPONENTS = sizeof(T) == 4 ? 255 : 2047, SIGNIFICAND = Limits::digits - 1;
  while (values.size() < count / 2) {
    const auto exponent = static_cast<typename Format<T>::Bits>(values.size() % EXPONENTS);
    const auto rest = static_cast<typename Format<T>::Bits>(random());
    const auto significand = rest & ((typename Format<T>::Bits(1) << SIGNIFICAND) - 1);
    const auto sign = (rest >> (8 * sizeof(T) - 1)) << (8 * sizeof(T) - 1);
    values.push_back(std::bit_cast<T>(sign | (exponent << SIGNIFICAND) | significand));
  }
  std::uniform_real_distribution<T> narrow(-1, 1), middle(-10, 10),
      large(sizeof(T) == 4 ? -110 : -760, sizeof(T) == 4 ? 110 : 760);
  while (values.size() < count) {
    values.push_back(narrow(random));
    values.push_back(middle(random));
    values.push_back(large(random));
  }
  return values;
}

/// Error of `got` in units in the last place beyond what `absolute` allows; infinity for a wrong special value.
template <typename T>
double errorOf(const Function& f, T x, T got, Wide truth) {
  const double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(truth)) return std::isnan(got) ? 0 : wrong;
  if (std::isnan(got)) return wrong;
  const auto rounded = static_cast<T>(truth);
  if (got == rounded) return got != 0 || f.ulps > 4 || std::signbit(got) == std::signbit(rounded) ? 0 : wrong;
  if (std::isinf(truth)) return wrong;
  constexpr Wide LARGEST = std::numeric_limits<T>::max();
  // Near overflow a neighbour may be infinite: count it as the value after the largest.
  const Wide unit = ulpOf(Format<T>::type, std::min(std::fabs(truth), LARGEST));
  const Wide value = std::isinf(got) ? std::copysign(LARGEST + ulpOf(Format<T>::type, LARGEST), static_cast<Wide>(got))
                                     : static_cast<Wide>(got);
  const Wide one = std::numeric_limits<T>::epsilon() * f.absolute * std::max(std::fabs(static_cast<Wide>(x)), Wide(1));
  // A composition may lose a step whose value is below the smallest normal number.
  const Wide underflow = f.absolute > 0 || f.ulps > 4
                             ? std::numeric_limits<T>::min() * std::max(std::fabs(static_cast<Wide>(x)), Wide(1))
                             : 0;
  const Wide rest = std::max(Wide(0), std::fabs(value - truth) - one - underflow) / unit -
                    f.slope * std::fabs(static_cast<Wide>(x)) - f.cubic * std::fabs(static_cast<Wide>(x) * x * x);
  return static_cast<double>(std::max(Wide(0), rest));
}

template <typename T>
class Accuracy : public ::testing::Test {
 protected:
  void run(const Function& f, const std::vector<T>& xs, const std::vector<T>& ys) {
    const loops::NumberedOp* op = loops::findOp(f.group, f.name);
    if (!op || !isBuilt(Format<T>::type)) return;
    std::vector<T> z(xs.size());
    const std::vector<LongType> info = shapeInfoOf(Format<T>::type, {static_cast<LongType>(xs.size())}, {1}, 'c');
    if (f.group == OpGroup::Pairwise)
      loops::pairwise(f.group, op->number, {xs.data(), info.data()}, {ys.data(), info.data()}, {z.data(), info.data()});
    else
      loops::transform(f.group, op->number, {xs.data(), info.data()}, {z.data(), info.data()});
    double worst = 0;
    size_t at = 0;
    for (size_t i = 0; i < xs.size(); ++i) {
      const Wide truth = f.truth(xs[i], ys[i]);
      // A composition's formula may have no value at an infinity; the numbered data covers these cases.
      if (f.ulps > 4 && std::isinf(xs[i])) continue;
      const double error = errorOf(f, xs[i], z[i], truth);
      if (error > worst) worst = error, at = i;
    }
    std::printf("%-24s %s  %8.2f ulp at %a\n", f.name, facts(Format<T>::type).name, worst, static_cast<double>(xs[at]));
    EXPECT_LE(worst, f.ulps) << f.name << " " << facts(Format<T>::type).name << " of "
                             << textAt(Format<T>::type, bytes(xs[at])) << ", " << textAt(Format<T>::type, bytes(ys[at]))
                             << ": got " << textAt(Format<T>::type, bytes(z[at])) << ", expected "
                             << static_cast<double>(f.truth(xs[at], ys[at]));
  }

  static const uint8_t* bytes(const T& value) { return reinterpret_cast<const uint8_t*>(&value); }
};

using FloatTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Accuracy, FloatTypes);

TYPED_TEST(Accuracy, elementaryFunctions) {
  const std::vector<TypeParam> xs = spread<TypeParam>(200000, 1), ys = spread<TypeParam>(200000, 2);
  std::vector<TypeParam> shuffled = ys;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(3));
  for (const Function& f : ELEMENTARY) this->run(f, xs, shuffled);
}

TYPED_TEST(Accuracy, compositions) {
  const std::vector<TypeParam> xs = spread<TypeParam>(100000, 4);
  for (const Function& f : COMPOSED) this->run(f, xs, xs);
}

TYPED_TEST(Accuracy, tails) {
  std::vector<TypeParam> xs;
  for (int i = 0; i <= 18000; ++i) xs.insert(xs.end(), {-2 - TypeParam(i) / 1000, 2 + TypeParam(i) / 1000});
  for (const Function& f : TAILS) this->run(f, xs, xs);
  for (const Function& f : COMPOSED) this->run(f, xs, xs);
}

/// Powers of ordinary bases and exponents, because most pairs with random exponents overflow; angles and remainders of
/// the same numbers.
TYPED_TEST(Accuracy, ordinaryPairs) {
  std::vector<TypeParam> xs, ys;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<TypeParam> logBase(-8, 8),
      exponent(sizeof(TypeParam) == 4 ? -10 : -80, sizeof(TypeParam) == 4 ? 10 : 80);
  for (int i = 0; i < 200000; ++i) {
    const bool whole = i % 4 == 0;
    xs.push_back(std::exp(logBase(random)) * (whole && i % 8 ? -1 : 1));
    ys.push_back(whole ? std::round(exponent(random)) : exponent(random));
  }
  for (const Function& f : ELEMENTARY)
    if (f.group == OpGroup::Pairwise) this->run(f, xs, ys);
}

}  // namespace
