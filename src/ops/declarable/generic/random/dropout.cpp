// Dropout. The mask depends on the seed alone, so that the gradient can make it again. Sessions set the seed.
// operations: dropout dropout_bp alpha_dropout_bp
// calls: Multiply
#include <ops/declarable/headers/random.h>

#include <algorithm>

#include "loops/random_sampling.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "shape/broadcasting.h"

namespace sd::ops {
namespace {

constexpr LongType ROOT_SEED = 3019;

/// The probability with which an element is kept.
double keepProbability(const Dropout& a) { return a.inverted ? 1 - a.p : a.p; }

/// The dimensions of the mask: those of x, or those that input `input` contains, which must broadcast to x.
Dims maskDims(graph::Context& block, const NDArray& x, int input) {
  const NDArray* noise = block.optionalArray(input);
  if (noise == nullptr) return x.getShapeAsVector();
  Dims dims = integersOf(*noise, input, "noise_shape");
  if (static_cast<int>(dims.size()) > x.rankOf())
    reject("input {} 'noise_shape': it lists {} dimensions, but x has {} (shape {})", input, dims.size(), x.rankOf(),
           text(x));
  while (static_cast<int>(dims.size()) < x.rankOf()) dims.insert(dims.begin(), 1);
  if (!broadcasting::broadcastsTo(dims, broadcasting::sizesOf(x.shapeInfo())))
    reject("input {} 'noise_shape': dimensions {} do not broadcast to {}", input, text(dims), text(x));
  return dims;
}

/// Each element is `kept` with probability q, else `dropped`.
NDArray mask(LongType seed, DataType type, const Dims& dims, double q, double kept, double dropped) {
  NDArray result = unset(computeType(type), dims);
  const graph::RandomGenerator rng(ROOT_SEED, seed);
  const float limit = static_cast<float>(q);
  withReal(type, [&]<typename T>() {
    T* values = result.bufferAsT<T>();
    const T yes = static_cast<T>(kept), no = static_cast<T>(dropped);
    overElements(result.lengthOf(), 0.5, [=](LongType start, LongType stop) {
      constexpr LongType TILE = 512;
      float drawn[TILE];
      for (LongType first = start, n; first < stop; first += n) {
        n = std::min(TILE, stop - first);
        loops::drawUniform(rng, first, n, drawn);
        for (LongType i = 0; i < n; i++) values[first + i] = drawn[i] < limit ? yes : no;
      }
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

constexpr const char* SEED_TEXT = "the seed of the mask; 0 for the seed of the library";

/// The mask's shape and the arguments of dropout and its gradient.
void describeMask(Schema& schema) {
  schema.input("noise_shape", "the dimensions of the mask, which broadcast to x; those of x when it is not given")
      .types({ALL_INTS, ALL_FLOATS})
      .optional();
  schema.argument(&Dropout::p, "p", "the probability to keep an element; with inverted the probability to drop it")
      .atFloat(0)
      .between(0, 1)
      .require();
  schema.argument(&Dropout::seed, "seed", SEED_TEXT).atInteger(0);
  schema.maskSeed("seed");
  schema.argument(&Dropout::inverted, "inverted", "whether p is the probability to drop an element").atFlag(0);
  schema.outputTypes({ALL_FLOATS}).infer(inferLikeFirst).words("regularization, mask, zero out");
}

}  // namespace

CONFIGURABLE_OP_IMPL(dropout, 1, 1, true, 1, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Dropout>(block);
  const double q = keepProbability(a);
  const Dims dims = maskDims(block, x, 1);
  if (z.isEmpty()) return Status::OK;
  if (q == 1)
    z.assign(x);
  else if (q == 0)
    z.nullify();
  else
    masked(x, mask(a.seed, x.dataType(), dims, q, 1 / q, 0), z);
  return Status::OK;
}
DECLARE_SCHEMA(dropout) {
  schema.summary("Sets elements to 0 at random and scales the others.")
      .formula("z = x / q with probability q, else 0; q: the probability to keep")
      .note(
          "The mask follows from the seed, not from the generator of the context. In runs of graphs that have a seed, "
          "such as steps of trainers, it follows from both seeds.");
  schema.input("x", "any shape").types({ALL_FLOATS});
  describeMask(schema);
  schema.output("z", "the shape and type of x");
  schema.gradient("dropout_bp").elementwise("random.DropOutInverted");
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "p": 1.0})")
      .elsewhere({.torch = "torch.nn.functional.dropout", .tensorflow = "tf.nn.dropout", .onnx = "Dropout"})
      .see("alpha_dropout_bp random_bernoulli");
}

CONFIGURABLE_OP_IMPL(dropout_bp, 2, 1, false, 1, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Dropout>(block);
  const double q = keepProbability(a);
  if (q == 0) reject("argument 'p': every element is dropped");
  requireSameShape(g, 1, "gradZ", x, 0, "x");
  const Dims dims = maskDims(block, x, 2);
  if (z.isEmpty()) return Status::OK;
  if (q == 1)
    z.assign(g);
  else
    masked(g, mask(a.seed, x.dataType(), dims, q, 1 / q, 0), z);
  return Status::OK;
}
DECLARE_SCHEMA(dropout_bp) {
  schema.summary("The gradient of dropout: the same elements are dropped.")
      .formula("gradX = gradZ / q where x was kept, else 0; q: the probability to keep, not 0");
  schema.input("x", "the input of dropout").types({ALL_FLOATS});
  schema.input("gradZ", "the shape of x").types({ALL_FLOATS});
  describeMask(schema);
  schema.output("gradX", "the shape and type of x");
  schema.gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0], "gradZ": [3.0, 4.0], "p": 1.0})").see("dropout");
}

CONFIGURABLE_OP_IMPL(alpha_dropout_bp, 2, 1, false, 4, 1) {
  const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<AlphaDropout>(block);
  if (a.p == 0) reject("argument 'p': 0 is outside (0, 1]");
  requireSameShape(g, 1, "gradZ", x, 0, "x");
  if (!z.isEmpty()) masked(g, mask(a.seed, x.dataType(), x.getShapeAsVector(), a.p, a.alpha, 0), z);
  return Status::OK;
}
DECLARE_SCHEMA(alpha_dropout_bp) {
  schema.summary("The gradient of alpha dropout, which is alpha x + an offset for kept elements.")
      .formula("gradX = alpha gradZ where x was kept, else 0")
      .note(
          "The list of floats holds two more numbers, the offset and the value of dropped elements, which do not "
          "count.");
  schema.input("x", "the input");
  schema.input("gradZ", "the shape of x");
  schema.argument(&AlphaDropout::p, "p", "the probability to keep an element, not 0")
      .atFloat(0)
      .between(0, 1)
      .require();
  schema.argument(&AlphaDropout::alpha, "alpha", "the slope").atFloat(1).require();
  schema.argument(&AlphaDropout::seed, "seed", SEED_TEXT).atInteger(0);
  schema.maskSeed("seed");
  schema.output("gradX", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferLikeFirst).notDifferentiable(IS_GRADIENT);
  // A further input has no meaning, but any is accepted.
  schema.descriptor().setAllowedInputTypes(2, ANY);
  schema.example(R"({"x": [1.0, 2.0], "gradZ": [3.0, 4.0], "p": 1.0, "alpha": 2.0})")
      .words("alpha dropout, SELU")
      .see("dropout_bp selu");
}

}  // namespace sd::ops
