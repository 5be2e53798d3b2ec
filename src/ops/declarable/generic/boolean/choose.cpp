// The elements that fulfil a condition.
#include <ops/declarable/headers/boolean.h>

#include <cmath>
#include <optional>

#include "ops/declarable/Common.h"

#if NOT_EXCLUDED(OP_choose)

namespace sd::ops {
namespace {

constexpr double EPS = 1e-5;
constexpr LongType MODES = 16;

bool holds(LongType mode, double a, double c) {
  switch (mode) {
    case 0:
      return std::fabs(a - c) <= EPS;
    case 1:
      return std::fabs(a - c) > EPS;
    case 2:
      return a < c;
    case 3:
      return a > c;
    case 4:
      return a <= c;
    case 5:
      return a >= c;
    case 6:
      return std::fabs(a) < c;
    case 7:
      return std::fabs(a) > c;
    case 8:
      return std::isinf(a);
    case 9:
      return std::isnan(a);
    case 10:
      return a == c;
    case 11:
      return a != c;
    case 12:
      return std::fabs(a) >= c;
    case 13:
      return std::fabs(a) <= c;
    case 14:
      return std::isfinite(a);
    default:
      return !std::isfinite(a);
  }
}

/// The array whose elements are filtered, and what they are compared with.
struct Filter {
  const NDArray* from;
  const NDArray* with = nullptr;  // null: the argument
  double value = 0;
  LongType mode;

  explicit Filter(graph::Context& block) : from(block.array(0)), mode(block.intArgument64(0)) {
    if (mode < 0 || mode >= MODES) reject("argument 'mode': {} is outside 0..{}", mode, MODES - 1);
    with = block.optionalArray(1);
    if (with == nullptr) {
      value = block.floatArgument(0);
      return;
    }
    // A scalar is what the other array is compared with; of two scalars it is the first one.
    if (from->lengthOf() == 1) std::swap(from, with);
    if (with->lengthOf() != 1 && !with->isSameShape(from))
      reject("input 1 'comp': shape {} is neither that of input 0 'arg', {}, nor one element", text(*with),
             text(*from));
  }

  /// Calls f(position in c order) for each element that is kept.
  template <typename F>
  void forEach(F&& f) const {
    const Dense values(*from, DOUBLE);
    std::optional<Dense> others;
    if (with != nullptr) others.emplace(*with, DOUBLE);
    const auto* a = values.as<double>();
    const double* c = others ? others->as<double>() : &value;
    const LongType step = with != nullptr && with->lengthOf() != 1 ? 1 : 0;
    for (LongType i = 0; i < from->lengthOf(); i++)
      if (holds(mode, a[i], c[i * step])) f(i);
  }
};

}  // namespace

CUSTOM_OP_IMPL(choose, -1, 2, false, -2, -1) {
  const Filter filter(block);
  NDArray &z = *OUTPUT_VARIABLE(0), &count = *OUTPUT_VARIABLE(1);
  count.assign(z.lengthOf());
  if (z.isEmpty()) return Status::OK;
  const Dense values(*filter.from, DOUBLE);
  DenseOut kept(z, DOUBLE);
  auto* target = kept.as<double>();
  filter.forEach([&](LongType i) { *target++ = values.as<double>()[i]; });
  kept.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(choose) {
  LongType count = 0;
  Filter(block).forEach([&](LongType) { count++; });
  return shapes(vectorOf(ArrayOptions::dataType(inputShape->at(0)), count), scalarOf(INT64));
}

DECLARE_TYPES(choose) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes(0, {ALL_FLOATS})
      ->setAllowedOutputTypes(1, {INT32, INT64})
      ->document({.summary = "The elements, in c order, that fulfil a condition.",
                  .formula =
                      "modes of a against c: 0 |a - c| <= 1e-5, 1 |a - c| > 1e-5, 2 a < c, 3 a > c, 4 a <= c, 5 a "
                      ">= c, 6 |a| < c, 7 |a| > c, 8 a infinite, 9 a NaN, 10 a == c, 11 a != c, 12 |a| >= c, 13 "
                      "|a| <= c, 14 a finite, 15 a not finite",
                  .inputs = "arg: the values a, any shape\ncomp?: the values c: the shape of arg, or one element. When "
                            "arg has one element, it is c, and comp holds the values",
                  .outputs = "z: vector of the values that were kept, the type of arg\ncount: scalar, INT64",
                  .floats = "scalar?: c, when there is no comp",
                  .integers = "mode: 0..15"});
}

}  // namespace sd::ops

#endif
