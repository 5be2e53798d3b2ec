// Clipping of values and of norms, and the gradients of the latter.
//
// With the norm n of a sub-array (divided by its number of elements in the average forms) and the limit c: z = x * c /
// n where n > c, else x. The gradients follow the published interface: gradX = c / n * gradZ * (1 - x * sum(x) / n^2),
// which is the derivative if gradZ is constant.
// operations: clipbyvalue clipbynorm clipbynorm_bp clipbyavgnorm clipbyavgnorm_bp clip_by_global_norm
// aliases: ClipByValue
// calls: ClipByValue Multiply Norm2 ReverseSubtract Sum
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/transforms.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "types/TypeDispatch.h"

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
  const auto& a = arguments<ClipBounds>(block);
  if (a.min || a.max) {
    if (!a.min || !a.max)
      fail<std::out_of_range>("[{}] argument '{}' is missing", RunningOp::name(), a.min ? "max" : "min");
    if (!(*a.min < *a.max)) reject("the bounds {} and {} are not in ascending order", *a.min, *a.max);
    bounds.p(0, *a.min);
    bounds.p(1, *a.max);
  } else {
    for (int i = 1; i < 3; i++) {
      const char* name = i == 1 ? "min" : "max";
      const NDArray* bound = block.optionalArray(i);
      if (bound == nullptr) reject("argument '{}' is missing", name);
      requireScalar(*bound, i, name);
      setBound(bounds, i - 1, *bound);
    }
  }
  if (!z.isEmpty())
    loops::transform(loops::OpGroup::TransformSame, transform::ClipByValue, in(x), out(z), bounds.buffer());
  return Status::OK;
}
DECLARE_SCHEMA(clipbyvalue) {
  schema.summary("Limits each element to a range.")
      .formula("z = min(max(x, lower), upper), lower and upper the bounds; NaN stays NaN");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.input("min", "one element, the lower bound").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("max", "one element, the upper bound").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&ClipBounds::min, "min", "the lower bound, less than max; both count before the inputs").atFloat(0);
  schema.argument(&ClipBounds::max, "max", "the upper bound").atFloat(1);
  schema.output("z", "x's shape and type");
  schema.sameTypes().infer(inferLikeFirst).elementwise("transform.ClipByValue");
  schema.example(R"({"x": [-2.0, 0.5, 3.0], "min": -1.0, "max": 1.0})");
  schema.elsewhere({.numpy = "numpy.clip", .torch = "torch.clamp", .tensorflow = "tf.clip_by_value", .onnx = "Clip"});
  schema.words("clamp, limit, saturate").see("clipbynorm");
  schema.gradient([](Gradient& g) {
    const auto& a = g.arguments<ClipBounds>();
    const Symbol x = g.input(0);
    const Symbol lower = a.min ? g.constant(*a.min, x) : g.input(1);
    const Symbol upper = a.max ? g.constant(*a.max, x) : g.input(2);
    const Symbol below = g.call("less", {x, lower}), above = g.call("greater", {x, upper});
    const Symbol zeros = g.zerosLike(x);
    g.set(0, g.call("select", {below, zeros, g.call("select", {above, zeros, g.of()})}));
    if (!a.min) g.set(1, g.reshapeLike(g.sum(g.keepWhere(below, g.of())), lower));
    if (!a.max) g.set(2, g.reshapeLike(g.sum(g.keepWhere(above, g.of())), upper));
  });
}
DECLARE_SYN(ClipByValue, clipbyvalue);

namespace {

/// The compute type for arrays of this type.
DataType widened(DataType type) { return DataTypeUtils::isHalf(type) ? FLOAT32 : type; }

std::vector<int> axesOf(const ClipByNorm& a, int rank) {
  std::vector<int> axes = checkedAxes(a.axis, rank, "axis");
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
  if (std::isnan(limit)) reject("argument 'clip_norm' is not a number");
  return limit;
}

/// Calls f(norm, k) for each norm.
template <typename F>
void forEachNorm(NDArray& norms, F&& f) {
  auto* values = norms.bufferAsT<double>();
  for (LongType k = 0; k < norms.lengthOf(); k++) values[k] = f(values[k], k);
}

Status clip(graph::Context& block, bool average, NDArray& z) {
  const auto& a = arguments<ClipByNorm>(block);
  const double limit = checkedLimit(a.clipNorm);
  const Dense x(*block.array(0), widened(z.dataType()));
  const auto axes = axesOf(a, x->rankOf());
  if (z.isEmpty()) return Status::OK;
  NDArray factors = normsOf(*x, axes, average);
  forEachNorm(factors, [&](double norm, LongType) { return norm > limit ? limit / norm : 1; });
  DenseOut target(z, x->dataType());
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, *x, factors, *target);
  target.commit();
  return Status::OK;
}

Status clipGradient(graph::Context& block, bool average, NDArray& gradient) {
  const auto& a = arguments<ClipByNorm>(block);
  const double limit = checkedLimit(a.clipNorm);
  const NDArray& gradZ = *block.array(1);
  requireSameShape(gradZ, 1, "gradZ", *block.array(0), 0, "x");
  const Dense x(*block.array(0), widened(gradient.dataType()));
  const auto axes = axesOf(a, x->rankOf());
  if (gradient.isEmpty()) return Status::OK;
  NDArray factors = normsOf(*x, axes, average), slopes(factors);
  slopes.assign(x->reduceAlongDimension(reduce::Sum, axes, true));
  auto* slope = slopes.bufferAsT<double>();
  // gradX = gradZ * (factor - x * slope)
  forEachNorm(factors, [&](double norm, LongType k) {
    const bool clipped = norm > limit;
    slope[k] = clipped ? slope[k] / (norm * norm) * (limit / norm) : 0;
    return clipped ? limit / norm : 1;
  });
  const Dense above(gradZ, x->dataType());
  NDArray product = *x;
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, *x, slopes, product);
  broadcastTo(loops::OpGroup::Pairwise, pairwise::ReverseSubtract, product, factors, product);
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, product, *above, product);
  gradient.assign(product);
  return Status::OK;
}

/// The arguments; `input` may give the limit, unless it is -1.
void clipArguments(Schema& schema, int input) {
  ArgumentRow& limit = schema.argument(&ClipByNorm::clipNorm, "clip_norm", "the limit c of the norm");
  limit.atFloat(0).require();
  if (input >= 0) limit.orInput(input);
  schema
      .argument(&ClipByNorm::axis, "axis", "the dimensions of a sub-array; the whole array is one when there are none")
      .atInteger(0);
}

struct Member {
  const char *summary, *formula, *gradientSummary, *gradientNote, *words, *see;
  NamesElsewhere elsewhere;
};

/// The gradient operations of the interface take gradZ for constant. With s = c / n where n > c, else 1:
/// gradX = s gradZ - [n > c] s x sum(gradZ x) / sum(x^2).
template <bool AVERAGED>
void clipRule(Gradient& g) {
  const auto& a = g.arguments<ClipByNorm>();
  const Symbol x = g.input(0);
  const Reduction kept{a.axis, true};
  const Symbol length = g.call("reduce_norm2", {x}, kept);
  const Symbol norm = AVERAGED ? length / g.call("reduce_sum", {g.onesLike(x)}, kept) : length;
  const Symbol limit = g.constant(a.clipNorm, norm), clipped = g.call("greater", {norm, limit});
  const Symbol scale = g.call("select", {clipped, limit / norm, g.onesLike(norm)});
  const Symbol product = g.call("reduce_sum", {g.of() * x}, kept);
  const Symbol along = g.keepWhere(clipped, scale * product / (length * length));
  g.set(0, g.of() * scale - x * along);
}

#define SD_CLIP_EXAMPLE(GRADIENT, LIMIT) R"({"x": [3.0, 4.0], )" GRADIENT R"("clip_norm": )" LIMIT "}"

const Member NORM = {"Scales each sub-array whose Euclidean norm exceeds a limit down to the limit.",
                     "z = x * c / n where n > c, else x; n = sqrt(sum(x^2))",
                     "The gradient of clipbynorm for a constant gradient of z.",
                     "This is the derivative only for a gradZ that is constant over each sub-array.",
                     "gradient clipping, max norm",
                     "clipbyavgnorm clip_by_global_norm",
                     {.tensorflow = "tf.clip_by_norm"}};
const Member AVERAGE = {
    "Scales each sub-array whose norm per element exceeds a limit down to the limit.",
    "z = x * c / n where n > c, else x; n = sqrt(sum(x^2)) / (number of elements)",
    "The gradient of clipbyavgnorm for a constant gradient of z.",
    "Not the derivative: the norm per element stands where the norm belongs, and gradZ counts as constant.",
    "gradient clipping",
    "clipbynorm",
    {.tensorflow = "tf.compat.v1.clip_by_average_norm"}};

void describe(Schema& schema, const Member& member, bool limitIsInput, const char* example) {
  schema.summary(member.summary).formula(member.formula);
  schema.input("x", "any shape");
  if (limitIsInput) schema.input("clip_norm", "one element, the limit").optional();
  clipArguments(schema, limitIsInput ? 1 : -1);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferLikeFirst);
  schema.example(example).elsewhere(member.elsewhere).words(member.words).see(member.see);
}

void describeGradient(Schema& schema, const Member& member, bool limitIsInput, const char* example,
                      const char* forward) {
  schema.summary(member.gradientSummary)
      .formula("gradX = gradZ where n <= c, else c / n * gradZ * (1 - x * sum(x) / n^2)")
      .note(member.gradientNote);
  schema.input("x", "any shape");
  schema.input("gradZ", "the gradient of z, the shape of x");
  if (limitIsInput) schema.input("clip_norm", "one element, the limit").optional();
  clipArguments(schema, limitIsInput ? 2 : -1);
  schema.output("gradX", "the shape and type of gradZ");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).notDifferentiable(IS_GRADIENT).infer([](Inference& in) {
    in.output(in.input(1));
  });
  schema.example(example).see(forward);
}

}  // namespace

#define SD_CLIP(NAME, NIN, TARGS, BP_NIN, BP_TARGS, AVERAGED, LIMIT_IS_INPUT, MEMBER, LIMIT)                    \
  CONFIGURABLE_OP_IMPL(NAME, NIN, 1, true, TARGS, 0) { return clip(block, AVERAGED, *OUTPUT_VARIABLE(0)); }     \
  DECLARE_SCHEMA(NAME) {                                                                                        \
    describe(schema, MEMBER, LIMIT_IS_INPUT, SD_CLIP_EXAMPLE("", LIMIT));                                       \
    schema.gradient(clipRule<AVERAGED>);                                                                        \
  }                                                                                                             \
  CUSTOM_OP_IMPL(NAME##_bp, BP_NIN, 1, false, BP_TARGS, 0) {                                                    \
    return clipGradient(block, AVERAGED, *OUTPUT_VARIABLE(0));                                                  \
  }                                                                                                             \
  INFERRED_SHAPES(NAME##_bp)                                                                                    \
  DECLARE_SCHEMA(NAME##_bp) {                                                                                   \
    describeGradient(schema, MEMBER, LIMIT_IS_INPUT, SD_CLIP_EXAMPLE("\"gradZ\": [1.0, 1.0], ", LIMIT), #NAME); \
  }

// name, inputs and floats of the operation and of its gradient, average, limit as an input, documentation, limit of the
// example
SD_CLIP(clipbynorm, 1, 1, 2, 1, false, false, NORM, "2.5")
SD_CLIP(clipbyavgnorm, -1, -2, -2, -1, true, true, AVERAGE, "1.25")

CUSTOM_OP_IMPL(clip_by_global_norm, 1, 2, true, 1, 0) {
  const double limit = checkedLimit(arguments<ClipByGlobalNorm>(block).clipNorm);
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
INFERRED_SHAPES(clip_by_global_norm)
DECLARE_SCHEMA(clip_by_global_norm) {
  schema.summary("Scales arrays down when the norm of all their elements together exceeds a limit.")
      .formula("z_k = x_k * c / norm where norm > c, else x_k; norm = sqrt(sum over all arrays of x^2)");
  schema.input("x", "any shapes").any().types({ALL_FLOATS});
  schema.argument(&ClipByGlobalNorm::clipNorm, "clip_norm", "the limit c of the norm").atFloat(0).require();
  schema.output("z", "the shapes and types of the inputs").any();
  schema.output("norm", "scalar; the norm of all elements, the type of the first x").when("not in place");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    for (int i = 0; i < in.inputs(); i++) in.output(in.input(i));
    in.output(PartialShape::scalar(in.input(0).type()));
  });
  schema.example(R"({"x": [[3.0, 0.0], [0.0, 4.0]], "clip_norm": 2.5})");
  schema.elsewhere({.torch = "torch.nn.utils.clip_grad_norm_", .tensorflow = "tf.clip_by_global_norm"});
  schema.words("gradient clipping").see("clipbynorm");
  schema.gradient([](Gradient& g) {
    // z_k = s x_k with s = min(1, c / n): gradX_k = s gradZ_k - [n > c] c / n^3 x_k sum(gradZ x), and x_k / n for n.
    const int count = g.inputs();
    const Symbol n = g.output(count), c = g.constant(g.arguments<ClipByGlobalNorm>().clipNorm, n);
    const Symbol scale = c / g.call("maximum", {n, c});
    Symbol product;
    for (int i = 0; i < count; i++) {
      const Symbol term = g.sum(g.ofOrZero(i) * g.input(i));
      product = product ? product + term : term;
    }
    const Symbol clipped = g.cast(g.call("greater", {n, c}), n);
    Symbol factor = -(clipped * product * c / (n * n * n));
    if (g.of(count)) factor = factor + g.of(count) / n;
    for (int i = 0; i < count; i++) g.set(i, g.ofOrZero(i) * scale + g.input(i) * factor);
  });
}

}  // namespace sd::ops
