// Clipping of values and of norms, and the gradients of the latter.
//
// With the norm n of a sub-array (divided by its number of elements in the average forms) and the limit c: z = x * c /
// n where n > c, else x. The gradients follow the published interface: gradX = c / n * eps * (1 - x * sum(x) / n^2),
// which is the derivative if eps is constant.
// operations: clipbyvalue clipbynorm clipbynorm_bp clipbyavgnorm clipbyavgnorm_bp clip_by_global_norm
// aliases: ClipByValue
// calls: ClipByValue Multiply Norm2 ReverseSubtract Sum
#include <ops/declarable/headers/transforms.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "types/TypeDispatch.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

/// Sets a bound in x's type. A bound beyond the range of an integer type becomes the end of the range.
void setBound(NDArray& bounds, LongType index, const NDArray& given) {
  if (given.isR()) return bounds.p(index, given.e<double>(0));
  loops::withNumericType("clipbyvalue", bounds.dataType(), [&]<typename T>() {
    const auto clamped = [&](auto value) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        using Limits = std::numeric_limits<T>;
        if (std::cmp_less(value, Limits::min())) return bounds.p(index, Limits::min());
        if (std::cmp_greater(value, Limits::max())) return bounds.p(index, Limits::max());
      }
      bounds.p(index, value);
    };
    if (given.dataType() == UINT64)
      clamped(given.e<uint64_t>(0));
    else
      clamped(given.e<LongType>(0));
  });
}

}  // namespace

CONFIGURABLE_OP_IMPL(clipbyvalue, -2, 1, true, -2, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray bounds('c', {2}, x.dataType());
  if (block.numT() > 0) {
    const double left = block.floatArgument(0), right = block.floatArgument(1);
    if (!(left < right)) reject("the bounds {} and {} are not in ascending order", left, right);
    bounds.p(0, left);
    bounds.p(1, right);
  } else {
    for (int i = 1; i < 3; i++) {
      requireScalar(*block.array(i), i, i == 1 ? "left" : "right");
      setBound(bounds, i - 1, *block.array(i));
    }
  }
  if (!z.isEmpty())
    loops::transform(loops::OpGroup::TransformSame, transform::ClipByValue, in(x), out(z), bounds.buffer());
  return Status::OK;
}
DECLARE_TYPES(clipbyvalue) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setSameMode(true)
      ->document({.summary = "Limits each element to a range.",
                  .formula = "z = min(max(x, left), right); NaN stays NaN",
                  .inputs = "x: any shape\nleft?: one element\nright?: one element",
                  .outputs = "z: x's shape and type",
                  .floats = "left?: overrides the input; less than right\nright?: overrides the input"});
}
DECLARE_SYN(ClipByValue, clipbyvalue);

namespace {


/// The compute type for arrays of this type.
DataType widened(DataType type) { return DataTypeUtils::isHalf(type) ? FLOAT32 : type; }

std::vector<int> axesOf(graph::Context& block, int rank) {
  std::vector<int> axes = checkedAxes(*block.getIArguments(), rank);
  if (axes.empty()) {
    axes.resize(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  return axes;
}

/// The DOUBLE norm of each sub-array over the axes, in x's shape with these axes reduced to 1.
NDArray normsOf(const NDArray& x, const std::vector<int>& axes, bool average) {
  const NDArray reduced = x.reduceAlongDimension(reduce::Norm2, axes, true);
  NDArray norms(reduced.shapeInfo(), DOUBLE, false, LaunchContext::defaultContext(), false);
  norms.assign(reduced);
  if (average) norms /= static_cast<double>(x.lengthOf() / norms.lengthOf());
  return norms;
}

double checkedLimit(double limit) {
  if (std::isnan(limit)) reject("'clipNorm' is not a number");
  return limit;
}

/// Input `input` if it is given, else the argument.
double limitOf(graph::Context& block, int input) {
  if (const NDArray* given = input < 0 ? nullptr : block.optionalArray(input)) {
    requireScalar(*given, input, "clipNorm");
    return checkedLimit(given->e<double>(0));
  }
  if (block.numT() == 0) reject("'clipNorm' is missing");
  return checkedLimit(block.floatArgument(0));
}

/// Calls f(norm, k) for each norm.
template <typename F>
void forEachNorm(NDArray& norms, F&& f) {
  auto* values = norms.bufferAsT<double>();
  for (LongType k = 0; k < norms.lengthOf(); k++) values[k] = f(values[k], k);
}

Status clip(graph::Context& block, double limit, bool average, NDArray& z) {
  const Dense x(*block.array(0), widened(z.dataType()));
  const auto axes = axesOf(block, x->rankOf());
  if (z.isEmpty()) return Status::OK;
  NDArray factors = normsOf(*x, axes, average);
  forEachNorm(factors, [&](double norm, LongType) { return norm > limit ? limit / norm : 1; });
  DenseOut target(z, x->dataType());
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, *x, factors, *target);
  target.commit();
  return Status::OK;
}

Status clipGradient(graph::Context& block, double limit, bool average, NDArray& gradient) {
  const NDArray& eps = *block.array(1);
  requireSameShape(eps, 1, "eps", *block.array(0), 0, "x");
  const Dense x(*block.array(0), widened(gradient.dataType()));
  const auto axes = axesOf(block, x->rankOf());
  if (gradient.isEmpty()) return Status::OK;
  NDArray factors = normsOf(*x, axes, average), slopes(factors);
  slopes.assign(x->reduceAlongDimension(reduce::Sum, axes, true));
  auto* slope = slopes.bufferAsT<double>();
  // gradX = eps * (factor - x * slope)
  forEachNorm(factors, [&](double norm, LongType k) {
    const bool clipped = norm > limit;
    slope[k] = clipped ? slope[k] / (norm * norm) * (limit / norm) : 0;
    return clipped ? limit / norm : 1;
  });
  const Dense above(eps, x->dataType());
  NDArray product = *x;
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, *x, slopes, product);
  broadcastTo(loops::OpGroup::Pairwise, pairwise::ReverseSubtract, product, factors, product);
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, product, *above, product);
  gradient.assign(product);
  return Status::OK;
}

constexpr const char* AXES = "axes?: the dimensions of a sub-array; if none is given, the whole array is one sub-array";

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* limit) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = limit,
                  .outputs = "z: x's shape and type",
                  .floats = "clipNorm: the limit",
                  .integers = AXES});
}

void describeGradient(OpDescriptor* descriptor, const char* summary, const char* inputs) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = "gradX = eps where n <= c, else c / n * eps * (1 - x * sum(x) / n^2)",
                  .inputs = inputs,
                  .outputs = "gradX: the shape and type of eps",
                  .floats = "clipNorm: the limit c",
                  .integers = AXES});
}

}  // namespace

CONFIGURABLE_OP_IMPL(clipbynorm, 1, 1, true, 1, 0) {
  return clip(block, limitOf(block, -1), false, *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(clipbynorm) {
  describe(getOpDescriptor(), "Scales each sub-array whose Euclidean norm exceeds a limit down to the limit.",
           "z = x * c / n where n > c, else x; n = sqrt(sum(x^2))", "x: any shape");
}

CUSTOM_OP_IMPL(clipbynorm_bp, 2, 1, false, 1, 0) {
  return clipGradient(block, limitOf(block, -1), false, *OUTPUT_VARIABLE(0));
}
DECLARE_SHAPE_FN(clipbynorm_bp) { return shapes(like(inputShape->at(1))); }
DECLARE_TYPES(clipbynorm_bp) {
  describeGradient(getOpDescriptor(), "The gradient of clipbynorm for a constant gradient of z.",
                   "x: any shape\neps: the gradient of z, x's shape");
}

CONFIGURABLE_OP_IMPL(clipbyavgnorm, -1, 1, true, -2, 0) {
  return clip(block, limitOf(block, 1), true, *OUTPUT_VARIABLE(0));
}
DECLARE_TYPES(clipbyavgnorm) {
  describe(getOpDescriptor(), "Scales each sub-array whose norm per element exceeds a limit down to the limit.",
           "z = x * c / n where n > c, else x; n = sqrt(sum(x^2)) / number of elements",
           "x: any shape\nclipNorm?: one element; overrides the argument");
}

CUSTOM_OP_IMPL(clipbyavgnorm_bp, -2, 1, false, -1, 0) {
  return clipGradient(block, limitOf(block, 2), true, *OUTPUT_VARIABLE(0));
}
DECLARE_SHAPE_FN(clipbyavgnorm_bp) { return shapes(like(inputShape->at(1))); }
DECLARE_TYPES(clipbyavgnorm_bp) {
  describeGradient(getOpDescriptor(), "The gradient of clipbyavgnorm for a constant gradient of z.",
                   "x: any shape\neps: the gradient of z, x's shape\nclipNorm?: one element; overrides the argument");
}

CUSTOM_OP_IMPL(clip_by_global_norm, 1, 2, true, 1, 0) {
  const double limit = limitOf(block, -1);
  const int n = static_cast<int>(block.width());
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    if (x.isEmpty()) continue;
    const double norm = Dense(x, widened(x.dataType()))->reduceNumber(reduce::Norm2).e<double>(0);
    sum += norm * norm;
  }
  const double norm = std::sqrt(sum);
  for (int i = 0; i < n; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    NDArray& z = *OUTPUT_VARIABLE(i);
    if (z.isEmpty()) continue;
    if (norm > limit && DataTypeUtils::isHalf(x.dataType()))
      z.assign(x.cast(FLOAT32) * (limit / norm));
    else if (norm > limit)
      x.applyScalar(scalar::Multiply, limit / norm, z);
    else
      copy(x, z);
  }
  if (!block.isInplace()) OUTPUT_VARIABLE(n)->p(0, norm);
  return Status::OK;
}
DECLARE_SHAPE_FN(clip_by_global_norm) {
  auto list = std::make_unique<ShapeList>();
  for (int i = 0; i < inputShape->size(); i++) list->push_back(like(inputShape->at(i)));
  list->push_back(scalarOf(ArrayOptions::dataType(inputShape->at(0))));
  return list.release();
}
DECLARE_TYPES(clip_by_global_norm) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = "Scales arrays down when the norm of all their elements together exceeds a limit.",
           .formula = "z_i = x_i * c / g where g > c, else x_i; g = sqrt(sum over all arrays of x^2)",
           .inputs = "x0, x1, …: any shapes",
           .outputs = "z0, z1, …: the shapes and types of the inputs\ng: scalar, the norm, x0's type; absent in place",
           .floats = "clipNorm: the limit c"});
}

}  // namespace sd::ops
