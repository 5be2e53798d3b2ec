// Dropout. The mask depends only on the seed, so that the gradient can compute it again.
// operations: dropout dropout_bp alpha_dropout_bp
// calls: Multiply
#include <ops/declarable/headers/random.h>

#include "ops/declarable/helpers/real.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

constexpr LongType ROOT_SEED = 3019;

/// The probability with which an element is kept.
double keepProbability(graph::Context& block, bool positive) {
  const double p = block.floatArgument(0), q = flag(block, 0) ? 1 - p : p;
  if (!(q >= 0 && q <= 1) || (positive && q == 0))
    reject("argument 'p': the probability to keep is {}, outside {}0, 1]", q, positive ? "(" : "[");
  return q;
}

/// The dimensions of the mask: those of x, or those that input `input` contains, which must broadcast to x.
Dims maskDims(graph::Context& block, const NDArray& x, int input) {
  const NDArray* noise = block.optionalArray(input);
  if (noise == nullptr) return x.getShapeAsVector();
  Dims dims = integersOf(*noise, input, "noise");
  if (static_cast<int>(dims.size()) > x.rankOf())
    reject("input {} 'noise': it lists {} dimensions, but x has {} (shape {})", input, dims.size(), x.rankOf(),
           text(x));
  while (static_cast<int>(dims.size()) < x.rankOf()) dims.insert(dims.begin(), 1);
  if (!broadcasting::broadcastsTo(dims, broadcasting::sizesOf(x.shapeInfo())))
    reject("input {} 'noise': dimensions {} do not broadcast to {}", input, text(dims), text(x));
  return dims;
}

/// Each element is `kept` with probability q, else `dropped`.
NDArray mask(graph::Context& block, DataType type, const Dims& dims, double q, double kept, double dropped) {
  NDArray result = unset(computeType(type), dims);
  const graph::RandomGenerator rng(ROOT_SEED, block.intArgument64(0));
  const float limit = static_cast<float>(q);
  withReal(type, [&]<typename T>() {
    T* values = result.bufferAsT<T>();
    const T yes = static_cast<T>(kept), no = static_cast<T>(dropped);
    overElements(result.lengthOf(), 1, [=](LongType start, LongType stop) {
      for (LongType i = start; i < stop; i++) values[i] = rng.relativeT<float>(i) < limit ? yes : no;
    });
  });
  return result;
}

/// z = values * mask
void masked(const NDArray& values, const NDArray& mask, NDArray& z) {
  const Dense x(values, mask.dataType());
  if (z.dataType() == mask.dataType())
    broadcastTo(loops::OpGroup::Broadcast, broadcast::Multiply, *x, mask, z);
  else
    z.assign(*x * mask);
}

constexpr const char* FLOATS = "p: the probability to keep an element";
constexpr const char* INTEGERS = "seed: the seed of the mask; 0 for the default seed";
constexpr const char* BOOLEANS = "inverted?: p is the probability to drop an element (default false)";

}  // namespace

CONFIGURABLE_OP_IMPL(dropout, 1, 1, true, 1, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const double q = keepProbability(block, false);
  const Dims dims = maskDims(block, x, 1);
  if (z.isEmpty()) return Status::OK;
  if (q == 1)
    z.assign(x);
  else if (q == 0)
    z.nullify();
  else
    masked(x, mask(block, x.dataType(), dims, q, 1 / q, 0), z);
  return Status::OK;
}
DECLARE_TYPES(dropout) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Sets elements to 0 at random and scales the others.",
                  .formula = "z = x / q with probability q, else 0",
                  .inputs = "x: any shape\nnoise?: dimensions of the mask, which broadcast to x (default x's own)",
                  .outputs = "z: the shape and type of x",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS});
}

CONFIGURABLE_OP_IMPL(dropout_bp, 2, 1, false, 1, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const double q = keepProbability(block, true);
  requireSameShape(g, 1, "g", x, 0, "x");
  const Dims dims = maskDims(block, x, 2);
  if (z.isEmpty()) return Status::OK;
  if (q == 1)
    z.assign(g);
  else
    masked(g, mask(block, x.dataType(), dims, q, 1 / q, 0), z);
  return Status::OK;
}
DECLARE_TYPES(dropout_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of dropout: the same elements are dropped.",
                  .formula = "gradX = g / q where x was kept, else 0",
                  .inputs = "x: the input of dropout\ng: the incoming gradient, like x\nnoise?: as in dropout",
                  .outputs = "gradX: the shape and type of x",
                  .floats = FLOATS,
                  .integers = INTEGERS,
                  .booleans = BOOLEANS});
}

CONFIGURABLE_OP_IMPL(alpha_dropout_bp, 2, 1, false, 4, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const double q = T_ARG(0);
  if (!(q > 0 && q <= 1)) reject("argument 'p': {} is outside (0, 1]", q);
  requireSameShape(g, 1, "g", x, 0, "x");
  if (!z.isEmpty()) masked(g, mask(block, x.dataType(), x.getShapeAsVector(), q, T_ARG(1), 0), z);
  return Status::OK;
}
DECLARE_TYPES(alpha_dropout_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedInputTypes(2, ANY)
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradient of alpha dropout, alpha x + alpha1 for kept elements.",
                  .formula = "gradX = alpha g where x was kept, else 0",
                  .inputs = "x: the input\ng: the incoming gradient, like x",
                  .outputs = "gradX: the shape and type of x",
                  .floats = "p: the probability to keep an element\nalpha: the slope\nalpha1: the offset (not "
                            "used)\nbeta: value of dropped elements (not used)",
                  .integers = INTEGERS});
}

}  // namespace sd::ops
