// Biases, affine layers, gradient descent.
// operations: biasadd biasadd_bp xw_plus_b xw_plus_b_bp relu_layer apply_sgd
// aliases: bias_add BiasAddGrad ApplyGradientDescent
// calls: Add RELU Sum
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/nn.h>
#include <system/openmp_pragmas.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

/// The channel axis of x, whose rank is known. The bias must fit.
int channelAxis(const ChannelBias& a, const PartialShape& x, const PartialShape& bias) {
  const int axis = a.channelsFirst ? 1 : x.rank() - 1;
  if (axis < 0 || axis >= x.rank())
    reject("input 0 'x': its rank is {}, so it has no channel axis (shape {})", x.rank(), x.text());
  if (!compatible(bias, PartialShape(bias.type(), {x[axis]})))
    reject("input 1 'bias': its shape is {}, not [{}]", bias.text(), x[axis]);
  requireSameType(bias, 1, "bias", x, 0, "x");
  return axis;
}

/// The shape with which the bias broadcasts with x.
Dims biasDims(graph::Context& block, const NDArray& x, const NDArray& bias) {
  const int axis =
      channelAxis(arguments<ChannelBias>(block), PartialShape::of(x.shapeInfo()), PartialShape::of(bias.shapeInfo()));
  Dims dims(static_cast<size_t>(x.rankOf()), 1);
  dims[static_cast<size_t>(axis)] = bias.lengthOf();
  return dims;
}

/// x, in which the bias gives an unknown number of channels.
PartialShape biasedShape(Inference& in) {
  PartialShape x = in.input(0);
  const PartialShape bias = in.input(1);
  if (!x.hasRank()) return x;
  const int axis = channelAxis(in.arguments<ChannelBias>(), x, bias);
  if (x[axis] == PartialShape::UNKNOWN && bias.hasRank()) x.set(axis, bias[0]);
  return x;
}

/// In graphs, where the sum is left out if nobody wants it.
void biasRule(Gradient& g) {
  const Symbol x = g.input(0), bias = g.input(1);
  if (!g.shape(x).hasRank()) {
    const auto results = g.callAll("biasadd_bp", {x, bias, g.of()}, g.ownArguments());
    g.set(0, results[0]);
    return g.set(1, results[1]);
  }
  const int rank = g.rank(x), channels = g.arguments<ChannelBias>().channelsFirst ? 1 : rank - 1;
  std::vector<int> others;
  for (int d = 0; d < rank; d++)
    if (d != channels) others.push_back(d);
  g.set(0, g.of());
  g.set(1, others.empty() ? g.of() : g.sum(g.of(), others));
}

void biasInputs(Schema& schema) {
  schema.input("x", "any shape with an axis of C channels");
  schema.input("bias", "[C], the type of x");
  schema.argument(&ChannelBias::channelsFirst, "channels_first", "whether the channels C are axis 1, not the last")
      .atFlag(0);
}

}  // namespace

CUSTOM_OP_IMPL(biasadd, 2, 1, true, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &bias = *INPUT_VARIABLE(1);
  // Channels that come last are stretched as they are.
  if (bias.rankOf() == 1 && x.rankOf() > 1 && x.dataType() == bias.dataType() && !x.isEmpty() &&
      channelAxis(arguments<ChannelBias>(block), PartialShape::viewing(x.shapeInfo()),
                  PartialShape::viewing(bias.shapeInfo())) == x.rankOf() - 1) {
    broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, x, bias, *OUTPUT_VARIABLE(0));
    return Status::OK;
  }
  broadcastTo(loops::OpGroup::Broadcast, broadcast::Add, x, bias.reshape('c', biasDims(block, x, bias)),
              *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(biasadd)
DECLARE_SCHEMA(biasadd) {
  schema.summary("Adds a bias to every channel.").formula("z = x + bias along C");
  biasInputs(schema);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS})
      .outputTypes({ALL_FLOATS, ALL_INTS})
      .gradient("biasadd_bp")
      .gradient(biasRule);
  schema.infer([](Inference& in) { in.output(biasedShape(in)); });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "bias": [10.0, 20.0]})")
      .elsewhere({.tensorflow = "tf.nn.bias_add"})
      .words("bias, add offset")
      .see("add xw_plus_b");
}
DECLARE_SYN(bias_add, biasadd);

CUSTOM_OP_IMPL(biasadd_bp, 3, 2, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &bias = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(2);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradBias = *OUTPUT_VARIABLE(1);
  const Dims dims = biasDims(block, x, bias);
  requireSameShape(g, 2, "gradZ", x, 0, "x");
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
INFERRED_SHAPES(biasadd_bp)
DECLARE_SCHEMA(biasadd_bp) {
  schema.summary("The gradients of biasadd.").formula("gradX = gradZ, gradBias = sum(gradZ) over all axes but C");
  biasInputs(schema);
  schema.input("gradZ", "the shape of x");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradBias", "the shape and type of bias");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).gradient(linearBackwardRule);
  schema.infer([](Inference& in) {
    in.output(merged(biasedShape(in), in.input(2)));
    in.output(in.input(1));
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "bias": [10.0, 20.0], "gradZ": [[1.0, 2.0], [3.0, 4.0]]})")
      .words("bias")
      .see("biasadd");
}
DECLARE_SYN(BiasAddGrad, biasadd_bp);

// ---- x w + b

namespace {

/// Only 1 means true in the list of integers.
bool readOne(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const auto index = static_cast<size_t>(row.first());
  if (block.numI() <= index) return false;
  const LongType value = block.intArgument64(index) == 1 ? 1 : 0;
  row.access().setIntegers(row.memberOf(arguments), &value, 1);
  return true;
}

/// The shape of op(x) op(weights) before the result is transposed, in 'f' order. Checks the inputs; `vectorOnly`: the
/// bias may also be a column.
PartialShape affineShape(Inference& in, const AffineProduct& a, bool vectorOnly) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  const PartialShape x = in.input(0), w = in.input(1), b = in.input(2);
  requireRank(x, 2, 0, "x");
  requireRank(w, 2, 1, "weights");
  const auto dim = [](const PartialShape& shape, int d) { return shape.hasRank() ? shape[d] : UNKNOWN; };
  const LongType inner = dim(x, a.transposeA ? 0 : 1), other = dim(w, a.transposeB ? 1 : 0);
  if (inner != UNKNOWN && other != UNKNOWN && inner != other)
    reject("shapes {} and {} of inputs 0 'x' and 1 'weights' do not match for a matrix product", x.text(), w.text());
  LongType columns = dim(w, a.transposeB ? 0 : 1);
  if (b.hasRank()) {
    const auto one = [&](int d) { return b[d] == 1 || b[d] == UNKNOWN; };
    const bool vector = b.rank() == 1 || (b.rank() == 2 && (one(0) || (vectorOnly && one(1))));
    const LongType length = b.length();
    if (!vector || (length != UNKNOWN && columns != UNKNOWN && length != columns))
      reject("input 2 'bias': its shape is {}, not [{}]", b.text(), columns);
    if (columns == UNKNOWN) columns = length;
  }
  return PartialShape(x.type(), {dim(x, a.transposeA ? 1 : 0), columns}, 'f');
}

void affineInputs(Schema& schema, const char* bias) {
  schema.input("x", "[M, K], or [K, M] when it is transposed");
  schema.input("weights", "[K, N], or [N, K] when it is transposed");
  schema.input("bias", bias);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
}

void transposeArguments(Schema& schema) {
  schema.argument(&AffineProduct::transposeA, "transpose_a", "whether x is transposed").atInteger(0).readBy(readOne);
  schema.argument(&AffineProduct::transposeB, "transpose_b", "whether weights is transposed")
      .atInteger(1)
      .readBy(readOne);
}

/// The gradients of op(x) op(w) + b from that of the result before it is transposed.
std::vector<Symbol> affineGradients(Gradient& g, const AffineProduct& a, Symbol x, Symbol w, Symbol b, Symbol of) {
  return {a.transposeA ? g.matmul(w, of, a.transposeB, true) : g.matmul(of, w, false, !a.transposeB),
          a.transposeB ? g.matmul(of, x, true, a.transposeA) : g.matmul(x, of, !a.transposeA),
          g.reshapeLike(g.sum(of, {0}), b)};
}

/// Of xw_plus_b_bp.
std::vector<Symbol> affineGradients(Gradient& g) {
  return affineGradients(g, g.arguments<AffineProduct>(), g.input(0), g.input(1), g.input(2), g.input(3));
}

/// z = op(x) op(w) + b, computed in float for 16-bit types.
void affine(const NDArray& x, const NDArray& w, const NDArray& b, NDArray& z, const AffineProduct& a) {
  const DataType type = computeType(z);
  const Dense left(x, type), right(w, type);
  NDArray target = a.transposeOut ? z.transpose() : z.viewOf(z.shapeInfo(), 0);
  DenseOut out(target, type);
  MmulHelper::matmul(&*left, &*right, &*out, a.transposeA, a.transposeB);
  NDArray row = unset(type, {1, b.lengthOf()});
  row.assign(b.reshape('c', {1, b.lengthOf()}));
  *out += row;
  out.commit();
}

}  // namespace

CUSTOM_OP_IMPL(xw_plus_b, 3, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty())
    affine(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z, arguments<AffineProduct>(block));
  return Status::OK;
}
INFERRED_SHAPES(xw_plus_b)
DECLARE_SCHEMA(xw_plus_b) {
  schema.summary("A matrix product plus a bias vector.").formula("z = op(x) op(weights) + bias");
  affineInputs(schema, "[N] or [1, N]");
  transposeArguments(schema);
  schema.argument(&AffineProduct::transposeOut, "transpose_out", "whether the result is transposed")
      .atInteger(2)
      .readBy(readOne);
  schema.output("z", "[M, N], or [N, M] when it is transposed, the type of x, in 'f' order");
  schema.infer([](Inference& in) {
    const auto& a = in.arguments<AffineProduct>();
    const PartialShape z = affineShape(in, a, false);
    in.output(a.transposeOut ? PartialShape(z.type(), {z[1], z[0]}, 'f') : z);
  });
  schema.example(R"({"x": [[1.0, 2.0]], "weights": [[1.0, 2.0], [3.0, 4.0]], "bias": [10.0, 20.0]})")
      .elsewhere({.torch = "torch.nn.functional.linear", .tensorflow = "tf.compat.v1.nn.xw_plus_b", .onnx = "Gemm"})
      .words("linear layer, dense layer, fully connected, affine")
      .see("matmul relu_layer biasadd");
  schema.gradient([](Gradient& g) {
    const Symbol product = g.arguments<AffineProduct>().transposeOut ? g.permute(g.of(), {1, 0}) : g.of();
    const auto& a = g.arguments<AffineProduct>();
    const Symbol x = g.input(0), w = g.input(1), b = g.input(2);
    // The operation computes all three; in graphs, products that nobody reads go, and others may be added to sums.
    const auto results =
        g.prefersRules() ? affineGradients(g, a, x, w, b, product) : g.callAll("xw_plus_b_bp", {x, w, b, product}, a);
    for (int i = 0; i < 3; i++) g.set(i, results[static_cast<size_t>(i)]);
  });
}

CUSTOM_OP_IMPL(xw_plus_b_bp, 4, 3, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &w = *INPUT_VARIABLE(1), &g = *INPUT_VARIABLE(3);
  NDArray &gradX = *OUTPUT_VARIABLE(0), &gradW = *OUTPUT_VARIABLE(1), &gradB = *OUTPUT_VARIABLE(2);
  const auto& a = arguments<AffineProduct>(block);
  const bool transposeX = a.transposeA, transposeW = a.transposeB;
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
INFERRED_SHAPES(xw_plus_b_bp)
DECLARE_SCHEMA(xw_plus_b_bp) {
  schema.summary("The gradients of xw_plus_b.")
      .formula(
          "gradX = gradZ op(weights)^T, gradWeights = op(x)^T gradZ, transposed as their inputs are, gradBias = column "
          "sums of gradZ")
      .note("gradZ has the shape of a result that is not transposed.");
  affineInputs(schema, "[N] or [1, N]");
  schema.input("gradZ", "[M, N]");
  transposeArguments(schema);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradWeights", "the shape and type of weights");
  schema.output("gradBias", "the shape and type of bias");
  schema.gradient(composedRule<affineGradients>).infer([](Inference& in) {
    const PartialShape z = affineShape(in, in.arguments<AffineProduct>(), false), g = in.input(3);
    if (!compatible(g, z)) reject("input 3 'gradZ': its shape is {}, not {}", g.text(), z.text());
    for (int i = 0; i < 3; i++) in.output(in.input(i));
  });
  schema
      .example(
          R"({"x": [[1.0, 2.0]], "weights": [[1.0, 2.0], [3.0, 4.0]], "bias": [10.0, 20.0], "gradZ": [[1.0, 1.0]]})")
      .words("linear layer, dense layer")
      .see("xw_plus_b");
}

CUSTOM_OP_IMPL(relu_layer, 3, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  affine(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z, AffineProduct());
  z.applyScalar(scalar::RELU, arguments<ReluLayer>(block).cutoff, z);
  return Status::OK;
}
INFERRED_SHAPES(relu_layer)
DECLARE_SCHEMA(relu_layer) {
  schema.summary("A matrix product plus a bias vector, limited from below.")
      .formula("z = max(x weights + bias, cutoff)");
  schema.input("x", "[M, K]");
  schema.input("weights", "[K, N]");
  schema.input("bias", "a vector of N elements: [N], [1, N] or [N, 1]");
  schema.argument(&ReluLayer::cutoff, "cutoff", "the lower limit").atFloat(0);
  schema.output("z", "[M, N], the type of x, in 'f' order");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    in.output(affineShape(in, AffineProduct(), true));
  });
  schema.example(R"({"x": [[1.0, 2.0]], "weights": [[1.0, -2.0], [3.0, -4.0]], "bias": [10.0, 0.0]})")
      .elsewhere({.tensorflow = "tf.compat.v1.nn.relu_layer"})
      .words("dense layer, fully connected, rectified linear")
      .see("xw_plus_b relu");
  schema.gradient([](Gradient& g) {
    const Symbol bias = g.input(2), kept = g.keepAbove(g.output(), g.arguments<ReluLayer>().cutoff, g.of());
    const auto results = g.callAll("xw_plus_b_bp", {g.input(0), g.input(1), g.flat(bias), kept}, {});
    g.set(0, results[0]);
    g.set(1, results[1]);
    g.set(2, g.reshapeLike(results[2], bias));
  });
}

namespace {

/// The learning rate is the only floating argument.
bool readRate(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numT() == 0) return false;
  if (block.numT() != 1) reject("argument 'learning_rate': {} values are given, but 1 is needed", block.numT());
  const double rate = block.floatArgument(0);
  row.access().setNumbers(row.memberOf(arguments), &rate, 1);
  return true;
}

}  // namespace

CONFIGURABLE_OP_IMPL(apply_sgd, 2, 1, true, -2, 0) {
  const NDArray &parameters = *INPUT_VARIABLE(0), &gradient = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  requireSameShape(gradient, 1, "gradient", parameters, 0, "parameters");
  if (gradient.dataType() != parameters.dataType())
    fail<std::runtime_error>("[{}] inputs 0 'parameters' and 1 'gradient' differ in type", RunningOp::name());
  const double rate = arguments<GradientDescent>(block).learningRate;
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
DECLARE_SCHEMA(apply_sgd) {
  schema.summary("A step of gradient descent.").formula("z = parameters - learning_rate * gradient");
  schema.input("parameters", "any shape");
  schema.input("gradient", "the shape and type of parameters");
  schema.input("learning_rate", "one element").optional();
  schema.argument(&GradientDescent::learningRate, "learning_rate", "the learning rate")
      .atFloat(0)
      .readBy(readRate)
      .orInput(2)
      .require();
  schema.output("z", "the shape and type of parameters");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferLikeFirst);
  schema.example(R"({"parameters": [1.0, 2.0], "gradient": [10.0, 20.0], "learning_rate": 0.5})")
      .elsewhere({.torch = "torch.optim.SGD", .tensorflow = "tf.raw_ops.ApplyGradientDescent"})
      .words("stochastic gradient descent, optimizer")
      .see("sgd_updater axpy");
  schema.gradient([](Gradient& g) {
    const Symbol gradient = g.input(1);
    const Symbol rate = g.input(2) ? g.input(2) : g.constant(g.arguments<GradientDescent>().learningRate, gradient);
    g.set(0, g.of());
    g.set(1, -(g.of() * rate));
    if (g.input(2)) g.set(2, g.reshapeLike(-g.sum(g.of() * gradient), rate));
  });
}
DECLARE_SYN(ApplyGradientDescent, apply_sgd);

}  // namespace sd::ops
