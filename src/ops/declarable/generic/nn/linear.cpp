// Biases, affine layers, gradient descent.
// operations: biasadd biasadd_bp xw_plus_b xw_plus_b_bp relu_layer apply_sgd
// aliases: bias_add BiasAddGrad ApplyGradientDescent
// calls: Add RELU Sum
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/nn.h>
#include <system/openmp_pragmas.h>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// The shape with which a bias [C] broadcasts with x.
Dims biasDims(graph::Context& block, const NDArray& x, const NDArray& bias) {
  const bool channelsFirst = flag(block, 0);
  const int axis = channelsFirst ? 1 : x.rankOf() - 1;
  if (axis < 0 || axis >= x.rankOf())
    reject("input 0 'x': its rank is {}, so it has no channel axis (shape {})", x.rankOf(), text(x));
  if (bias.rankOf() != 1 || bias.lengthOf() != x.sizeAt(axis))
    reject("input 1 'bias': its shape is {}, not [{}]", text(bias), x.sizeAt(axis));
  if (bias.dataType() != x.dataType())
    reject("input 1 'bias': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(bias.dataType()),
           DataTypeUtils::describe(x.dataType()));
  Dims dims(static_cast<size_t>(x.rankOf()), 1);
  dims[static_cast<size_t>(axis)] = bias.lengthOf();
  return dims;
}

constexpr const char* NCHW = "isNCHW?: C is axis 1, else the last (default false)";

}  // namespace

CUSTOM_OP_IMPL(biasadd, 2, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &bias = *INPUT_VARIABLE(1);
  broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, x, bias.reshape('c', biasDims(block, x, bias)),
              *OUTPUT_VARIABLE(0));
  return Status::OK;
}
DECLARE_SHAPE_FN(biasadd) {
  inputShape->at(1);
  biasDims(block, *INPUT_VARIABLE(0), *INPUT_VARIABLE(1));
  return shapes(like(inputShape->at(0)));
}
DECLARE_TYPES(biasadd) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "Adds a bias to every channel.",
                  .formula = "z = x + bias along C",
                  .inputs = "x: any shape with an axis of C channels\nbias: [C], the type of x",
                  .outputs = "z: like x",
                  .booleans = NCHW});
}
DECLARE_SYN(bias_add, biasadd);

CUSTOM_OP_IMPL(biasadd_bp, 3, 2, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &bias = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradBias = *OUTPUT_VARIABLE(1);
  const Dims dims = biasDims(block, x, bias);
  requireSameShape(g, 2, "g", x, 0, "x");
  if (x.isEmpty()) {
    gradBias.nullify();
    return Status::OK;
  }
  gradX.assign(g);
  NDArray sums = unset(gradBias.dataType(), dims);
  sumTo(g, sums);
  gradBias.assign(sums.reshape('c', {bias.lengthOf()}));
  return Status::OK;
}
DECLARE_SHAPE_FN(biasadd_bp) {
  inputShape->at(2);
  biasDims(block, *INPUT_VARIABLE(0), *INPUT_VARIABLE(1));
  return shapes(like(inputShape->at(0)), like(inputShape->at(1)));
}
DECLARE_TYPES(biasadd_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of biasadd.",
                  .formula = "gradX = g, gradBias = sum(g) over all axes but C",
                  .inputs = "x: as in biasadd\nbias: [C]\ng: the incoming gradient, like x",
                  .outputs = "gradX: like x\ngradBias: like bias",
                  .booleans = NCHW});
}
DECLARE_SYN(BiasAddGrad, biasadd_bp);

// ---- x w + b

namespace {

struct Affine {
  bool x = false, w = false, z = false;  ///< transposed

  Affine() = default;
  explicit Affine(graph::Context& block)
      : x(integer(block, 0, 0) == 1), w(integer(block, 1, 0) == 1), z(integer(block, 2, 0) == 1) {}
};

/// Checks x, w and b, and returns the rows and columns of op(x) op(w).
Dims affineDims(const LongType* x, const LongType* w, const LongType* b, const Affine& transposed, bool vectorOnly) {
  for (int k = 0; k < 2; k++)
    if (shape::rank(k == 0 ? x : w) != 2)
      reject("input {} '{}': its rank is {}, not 2", k, k == 0 ? "x" : "w", shape::rank(k == 0 ? x : w));
  const Dims dimsX = dimsOf(x), dimsW = dimsOf(w), dimsB = dimsOf(b);
  if (dimsX[transposed.x ? 0 : 1] != dimsW[transposed.w ? 1 : 0])
    reject("shapes {} and {} of inputs 0 'x' and 1 'w' do not match for a matrix product", text(x), text(w));
  const LongType columns = dimsW[transposed.w ? 0 : 1];
  const bool row = dimsB.size() == 2 && !vectorOnly && dimsB[0] == 1;
  const bool vector = dimsB.size() == 1 || row || (vectorOnly && dimsB.size() == 2 && (dimsB[0] == 1 || dimsB[1] == 1));
  if (!vector || shape::length(b) != columns) reject("input 2 'b': its shape is {}, not [{}]", text(b), columns);
  return {dimsX[transposed.x ? 1 : 0], columns};
}

/// z = op(x) op(w) + b, computed in float for 16-bit types.
void affine(const NDArray& x, const NDArray& w, const NDArray& b, NDArray& z, const Affine& transposed) {
  const DataType type = computeType(z);
  const Dense left(x, type), right(w, type);
  NDArray target = transposed.z ? z.transpose() : z.viewOf(z.shapeInfo(), 0);
  DenseOut out(target, type);
  MmulHelper::matmul(&*left, &*right, &*out, transposed.x, transposed.w);
  NDArray row = unset(type, {1, b.lengthOf()});
  row.assign(b.reshape('c', {1, b.lengthOf()}));
  *out += row;
  out.commit();
}

}  // namespace

CUSTOM_OP_IMPL(xw_plus_b, 3, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) affine(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z, Affine(block));
  return Status::OK;
}
DECLARE_SHAPE_FN(xw_plus_b) {
  const Affine transposed(block);
  Dims dims = affineDims(inputShape->at(0), inputShape->at(1), inputShape->at(2), transposed, false);
  if (transposed.z) std::swap(dims[0], dims[1]);
  return shapes(shapeOf(ArrayOptions::dataType(inputShape->at(0)), 'f', dims));
}
DECLARE_TYPES(xw_plus_b) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A matrix product plus a bias vector.",
                  .formula = "z = op(x) op(w) + b",
                  .inputs = "x: [M, K]\nw: [K, N]\nb: [N] or [1, N]",
                  .outputs = "z: [M, N], the type of x, in 'f' order",
                  .integers = "transposeX?: 1: x is [K, M] (default 0)\ntransposeW?: 1: w is [N, K] (default "
                              "0)\ntransposeZ?: 1: z is [N, M] (default 0)"});
}

CUSTOM_OP_IMPL(xw_plus_b_bp, 4, 3, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &w = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(3);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradB = *OUTPUT_VARIABLE(2);
  const bool transposeX = integer(block, 0, 0) == 1, transposeW = integer(block, 1, 0) == 1;
  const DataType type = computeType(x);
  const Dense left(x, type), right(w, type), incoming(g, type);
  if (!gradB.isEmpty()) {
    if (g.isEmpty())
      gradB.nullify();
    else
      gradB.assign(incoming->reduceAlongDimension(reduce::Sum, {0}).reshape('c', gradB.getShapeAsVector()));
  }
  if (x.isEmpty() || w.isEmpty()) {
    if (!gradX.isEmpty()) gradX.nullify();
    if (!gradW.isEmpty()) gradW.nullify();
    return Status::OK;
  }
  DenseOut dx(gradX, type), dw(gradW, type);
  if (transposeX)
    MmulHelper::matmul(&*right, &*incoming, &*dx, transposeW, true);
  else
    MmulHelper::matmul(&*incoming, &*right, &*dx, false, !transposeW);
  if (transposeW)
    MmulHelper::matmul(&*incoming, &*left, &*dw, true, transposeX);
  else
    MmulHelper::matmul(&*left, &*incoming, &*dw, !transposeX, false);
  dx.commit();
  dw.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(xw_plus_b_bp) {
  const Dims dims = affineDims(inputShape->at(0), inputShape->at(1), inputShape->at(2), Affine(block), false);
  if (dimsOf(inputShape->at(3)) != dims)
    reject("input 3 'g': its shape is {}, not {}", text(inputShape->at(3)), text(dims));
  return shapes(like(inputShape->at(0)), like(inputShape->at(1)), like(inputShape->at(2)));
}
DECLARE_TYPES(xw_plus_b_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of xw_plus_b.",
                  .formula = "gradX = g op(w)^T, gradW = op(x)^T g, gradB = column sums of g",
                  .inputs = "x: [M, K]\nw: [K, N]\nb: [N] or [1, N]\ng: the incoming gradient, [M, N]",
                  .outputs = "gradX: like x\ngradW: like w\ngradB: like b",
                  .integers = "transposeX?: as in xw_plus_b\ntransposeW?: as in xw_plus_b"});
}

CUSTOM_OP_IMPL(relu_layer, 3, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  affine(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z, Affine());
  z.applyScalar(scalar::RELU, number(block, 0, 0.0), z);
  return Status::OK;
}
DECLARE_SHAPE_FN(relu_layer) {
  const Dims dims = affineDims(inputShape->at(0), inputShape->at(1), inputShape->at(2), Affine(), true);
  return shapes(shapeOf(ArrayOptions::dataType(inputShape->at(0)), 'f', dims));
}
DECLARE_TYPES(relu_layer) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A matrix product plus a bias vector, limited from below.",
                  .formula = "z = max(x w + b, cutoff)",
                  .inputs = "x: [M, K]\nw: [K, N]\nb: a vector of N elements",
                  .outputs = "z: [M, N], the type of x, in 'f' order",
                  .floats = "cutoff?: default 0"});
}

CONFIGURABLE_OP_IMPL(apply_sgd, 2, 1, true, -2, 0) {
  const NDArray &parameters = *INPUT_VARIABLE(0), &gradient = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(gradient, 1, "gradient", parameters, 0, "parameters");
  if (gradient.dataType() != parameters.dataType())
    fail<std::runtime_error>("[{}] inputs 0 'parameters' and 1 'gradient' differ in type", RunningOp::name());
  double rate = 0;
  if (block.width() == 3) {
    requireScalar(*INPUT_VARIABLE(2), 2, "rate");
    rate = INPUT_VARIABLE(2)->e<double>(0);
  } else if (block.numT() == 1) {
    rate = T_ARG(0);
  } else {
    reject("the learning rate is given neither as input 2 nor as the only floating argument");
  }
  if (z.isEmpty()) return Status::OK;
  const DataType type = computeType(parameters);
  const Dense from(parameters, type), step(gradient, type);
  DenseOut to(z, type);
  withReal(type, [&]<typename T>() {
    const T *p = from.as<T>(), *g = step.as<T>(), lr = static_cast<T>(rate);
    T* result = to.as<T>();
    overElements(z.lengthOf(), 0.5, [=](LongType start, LongType stop) {
      PRAGMA_OMP_SIMD
      for (LongType i = start; i < stop; i++) result[i] = p[i] - lr * g[i];
    });
  });
  to.commit();
  return Status::OK;
}
DECLARE_TYPES(apply_sgd) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "A step of gradient descent.",
                  .formula = "z = parameters - lr gradient",
                  .inputs = "parameters: any shape\ngradient: like parameters\nlr?: one element; overrides the "
                            "argument",
                  .outputs = "z: like parameters",
                  .floats = "lr?: the learning rate"});
}
DECLARE_SYN(ApplyGradientDescent, apply_sgd);

}  // namespace sd::ops
