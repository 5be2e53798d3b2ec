// choose: the elements of an array that satisfy a condition.
// operations: choose
#include <ops/declarable/headers/indexing.h>

#include <cmath>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

constexpr double EPSILON = 1e-5;

bool fulfils(LongType mode, double a, double c) {
  switch (mode) {
    case 0:
      return std::abs(a - c) <= EPSILON;
    case 1:
      return std::abs(a - c) > EPSILON;
    case 2:
      return a < c;
    case 3:
      return a > c;
    case 4:
      return a <= c;
    case 5:
      return a >= c;
    case 6:
      return std::abs(a) < c;
    case 7:
      return std::abs(a) > c;
    case 8:
      return std::isinf(a);
    case 9:
      return std::isnan(a);
    case 10:
      return a == c;
    case 11:
      return a != c;
    case 12:
      return std::abs(a) >= c;
    case 13:
      return std::abs(a) <= c;
    case 14:
      return std::isfinite(a);
    default:
      return !std::isfinite(a);
  }
}

/// The elements to choose from, and the values that they are compared with.
class Candidates {
 public:
  explicit Candidates(graph::Context& block) {
    const LongType mode = integer(block, 0, 0);
    if (mode < 0 || mode > 15) reject("integer argument 0: condition {} is outside 0..15", mode);
    const NDArray& x = *block.array(0);
    const NDArray* other = block.width() > 1 ? block.array(1) : nullptr;
    if (other == nullptr) {
      if (block.numT() == 0) reject("a value to compare with is needed, as input 1 or as floating argument");
      NDArray scalar(x.dataType());
      scalar.p(0, block.floatArgument(0));
      choose(x, scalar, mode);
    } else if (x.lengthOf() == 1) {
      choose(other->cast(x.dataType()), x, mode);
    } else {
      if (other->lengthOf() != 1) requireSameShape(*other, 1, "comp", x, 0, "arg");
      choose(x, other->cast(x.dataType()), mode);
    }
  }
  const std::vector<double>& chosen() const { return _chosen; }
  LongType count() const { return static_cast<LongType>(_chosen.size()); }

 private:
  std::vector<double> _chosen;

  void choose(const NDArray& from, const NDArray& with, LongType mode) {
    if (from.isEmpty()) return;
    const Dense values(from, DOUBLE), limits(with, DOUBLE);
    const LongType step = with.lengthOf() == 1 ? 0 : 1;
    for (LongType i = 0; i < from.lengthOf(); i++) {
      const double a = values.as<double>()[i];
      if (fulfils(mode, a, limits.as<double>()[i * step])) _chosen.push_back(a);
    }
  }
};

}  // namespace

CUSTOM_OP_IMPL(choose, -1, 2, false, -2, -1) {
  const Candidates candidates(block);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) {
    DenseOut target(z, DOUBLE);
    std::copy(candidates.chosen().begin(), candidates.chosen().end(), target.as<double>());
    target.commit();
  }
  OUTPUT_VARIABLE(1)->assign(candidates.count());
  return Status::OK;
}

DECLARE_SHAPE_FN(choose) {
  return shapes(vectorOf(ArrayOptions::dataType(inputShape->at(0)), Candidates(block).count()), scalarOf(INT64));
}

DECLARE_TYPES(choose) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes(0, {ALL_FLOATS})
      ->setAllowedOutputTypes(1, {ALL_INTS})
      ->document({.summary = "Keeps the elements that satisfy a condition.",
                  .formula = "z = those a of arg, in c order, for which the condition on a and c holds",
                  .inputs = "arg: any shape; when it has one element, the elements of comp are compared with it\n"
                            "comp?: arg's shape or one element; overrides the argument",
                  .outputs = "z: a vector, arg's type\ncount: its length, an INT64 scalar",
                  .floats = "c?: the value to compare with when there is no input 1",
                  .integers = "condition: 0 |a-c| <= 1e-5, 1 |a-c| > 1e-5, 2 a < c, 3 a > c, 4 a <= c, 5 a >= c, "
                              "6 |a| < c, 7 |a| > c, 8 a infinite, 9 a NaN, 10 a == c, 11 a != c, 12 |a| >= c, "
                              "13 |a| <= c, 14 a finite, 15 a not finite"});
}

}  // namespace sd::ops
