// One step of gated recurrent units, with the reset gate applied before the product.
// operations: gruCell gruCell_bp
// calls: Sigmoid Sum Tanh
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/recurrent.h>
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/generic/recurrent/gradients.h"
#include "ops/declarable/helpers/lstm_arguments.h"
#include "ops/declarable/helpers/recurrent_shapes.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using namespace helpers;

constexpr const char* NAMES[] = {
    "x",     "h0",    "weights_gates", "weights_candidate", "bias_gates", "bias_candidate", "gradR",
    "gradU", "gradC", "gradH"};

/// The checked inputs; for the body also the inputs in the compute type, and the gates.
struct Cell {
  LongType N, inputs, units;
  DataType type;
  std::vector<const NDArray*> given;
  std::vector<NDArray> in;
  NDArray r, u, c;

  Cell(graph::Context& block, int numInputs) {
    for (int k = 0; k < numInputs; k++) given.push_back(&requiredInput(block, k, NAMES[k]));
    N = given[0]->sizeAt(0);
    inputs = given[0]->sizeAt(1);
    units = given[1]->sizeAt(1);
    const Dims expected[] = {{N, inputs}, {N, units}, {inputs + units, 2 * units}, {inputs + units, units},
                             {2 * units}, {units}};
    for (int k = 0; k < numInputs; k++)
      requireShape(*given[static_cast<size_t>(k)], k, NAMES[k], k < 6 ? expected[k] : Dims{N, units});
    type = realTypeOf(floatTypeOf(*given[0]));
  }
  bool isEmpty() const { return N == 0 || inputs == 0 || units == 0; }

  /// Columns [from, to) of the rows of a weight matrix that belong to x or to h.
  NDArray xRows(const NDArray& w, LongType from, LongType to) const { return w({0, inputs, from, to}, true); }
  NDArray hRows(const NDArray& w, LongType from, LongType to) const {
    return w({inputs, inputs + units, from, to}, true);
  }

  void compute() {
    for (const NDArray* array : given) in.push_back(working(array, array->getShapeAsVector(), type));
    const NDArray &x = in[0], &h = in[1], &wc = in[3];
    NDArray ru = mmul(x, xRows(in[2], 0, 2 * units)) + mmul(h, hRows(in[2], 0, 2 * units)) + in[4];
    ru.applyTransform(transform::Sigmoid, ru);
    r = ru({0, 0, 0, units}, true).dup('c');
    u = ru({0, 0, units, 2 * units}, true).dup('c');
    c = mmul(x, xRows(wc, 0, units)) + mmul(r * h, hRows(wc, 0, units)) + in[5];
    c.applyTransform(transform::Tanh, c);
  }
};

/// Checks the first `count` inputs.
void requireCell(Inference& in, int count) {
  using namespace recurrent;
  const PartialShape x = required(in, 0, NAMES[0]), h0 = required(in, 1, NAMES[1]);
  const LongType N = known(sizeOf(x, 0), sizeOf(h0, 0)), inputs = sizeOf(x, 1), units = sizeOf(h0, 1);
  const LongType rows = sum(inputs, units);
  requireSizes(h0, 1, NAMES[1], {N, units});
  requireSizes(required(in, 2, NAMES[2]), 2, NAMES[2], {rows, times(2, units)});
  requireSizes(required(in, 3, NAMES[3]), 3, NAMES[3], {rows, units});
  requireSizes(required(in, 4, NAMES[4]), 4, NAMES[4], {times(2, units)});
  requireSizes(required(in, 5, NAMES[5]), 5, NAMES[5], {units});
  for (int k = 6; k < count; k++) requireSizes(required(in, k, NAMES[k]), k, NAMES[k], {N, units});
}

void describeInputs(Schema& schema) {
  schema.input("x", "[N, nIn]").types({ALL_FLOATS, ALL_INTS}).rank(2);
  schema.input("h0", "[N, nU], the state before").rank(2);
  schema.input("weights_gates", "[nIn + nU, 2 nU], rows of x first, columns r, u");
  schema.input("weights_candidate", "[nIn + nU, nU], rows of x first");
  schema.input("bias_gates", "[2 nU]");
  schema.input("bias_candidate", "[nU]");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
  schema.words("gated recurrent unit, one step");
}

#define SD_GRU_CELL                                                                                   \
  R"({"x": [[1.0]], "h0": [[2.0]], "weights_gates": [[0.0, 0.0], [0.0, 0.0]], "weights_candidate": )" \
  R"([[0.0], [0.0]], "bias_gates": [0.0, 0.0], "bias_candidate": [0.0])"

/// gruCell_bp takes the gradients of the gates with those that come through h; see its note.
void cellRule(Gradient& g) {
  if (g.prefersRules()) return recurrent::gruCellRule(g);
  const Symbol x = g.input(0), h0 = g.input(1), u = g.output(1), c = g.output(2), gradH = g.ofOrZero(3);
  const Symbol gradU = g.ofOrZero(1) + gradH * (h0 - c), gradC = g.ofOrZero(2) + gradH * (1.0 - u);
  const Symbol ofState = g.call("slice", {g.input(3)}, Slice{{g.size(x, 1), 0}, {-1, -1}});
  const Symbol gradR = g.ofOrZero(0) + g.matmul(gradC * (1.0 - c * c), ofState, false, true) * h0;
  std::vector<Symbol> given;
  for (int i = 0; i < 6; i++) given.push_back(g.input(i));
  given.insert(given.end(), {gradR, gradU, gradC, gradH});
  const auto results = g.callAll("gruCell_bp", given, {});
  for (int i = 0; i < 6; i++) g.set(i, results[static_cast<size_t>(i)]);
}

}  // namespace

CUSTOM_OP_IMPL(gruCell, 6, 4, false, 0, 0) {
  Cell cell(block, 6);
  NDArray* const z[] = {OUTPUT_VARIABLE(0), OUTPUT_VARIABLE(1), OUTPUT_VARIABLE(2), OUTPUT_VARIABLE(3)};
  if (z[0]->isEmpty()) return Status::OK;
  if (cell.isEmpty()) reject("input 0 'x' has no features");
  cell.compute();
  z[0]->assign(cell.r);
  z[1]->assign(cell.u);
  z[2]->assign(cell.c);
  z[3]->assign(cell.c + cell.u * (cell.in[1] - cell.c));
  return Status::OK;
}
INFERRED_SHAPES(gruCell)
DECLARE_SCHEMA(gruCell) {
  schema.summary("One step of gated recurrent units.")
      .formula(
          "[r, u] = sigmoid([x, h0] weights_gates + bias_gates), c = tanh([x, r h0] weights_candidate + "
          "bias_candidate), h = u h0 + (1 - u) c");
  describeInputs(schema);
  schema.output("r", "[N, nU], the reset gate");
  schema.output("u", "[N, nU], the update gate");
  schema.output("c", "[N, nU], the candidate");
  schema.output("h", "[N, nU], the new state");
  schema.infer([](Inference& in) {
    requireCell(in, 6);
    const PartialShape h = in.input(1).withType(recurrent::floatTypeOf(in.input(0).type()));
    for (int k = 0; k < 4; k++) in.output(h);
  });
  schema.example(SD_GRU_CELL "}")
      .elsewhere({.torch = "torch.nn.GRUCell", .tensorflow = "tf.keras.layers.GRUCell"})
      .see("gru sruCell lstmCell");
  schema.gradient(cellRule);
}

CUSTOM_OP_IMPL(gruCell_bp, 10, 6, false, 0, 0) {
  Cell cell(block, 10);
  NDArray* z[6];
  for (int k = 0; k < 6; k++) z[k] = OUTPUT_VARIABLE(k);
  if (cell.isEmpty()) {
    for (NDArray* result : z)
      if (!result->isEmpty()) result->nullify();
    return Status::OK;
  }
  cell.compute();
  const NDArray &x = cell.in[0], &h = cell.in[1], &wru = cell.in[2], &wc = cell.in[3];
  const NDArray &r = cell.r, &u = cell.u, &c = cell.c;
  const LongType n = cell.units;
  const NDArray gradC = cell.in[8] * (1. - c * c), gradU = cell.in[7] * u * (1. - u), gradR = cell.in[6] * r * (1. - r);
  const auto back = [](const NDArray& grad, const NDArray& weights) { return mmul(grad, weights.transpose()); };

  z[0]->assign(back(gradU, cell.xRows(wru, n, 2 * n)) + back(gradC, cell.xRows(wc, 0, n)) +
               back(gradR, cell.xRows(wru, 0, n)));
  z[1]->assign(cell.in[9] * u + back(gradU, cell.hRows(wru, n, 2 * n)) + back(gradC, cell.hRows(wc, 0, n)) * r +
               back(gradR, cell.hRows(wru, 0, n)));
  const NDArray xT = x.transpose(), hT = h.transpose(), resetT = (r * h).transpose();
  cell.xRows(*z[2], 0, n).assign(mmul(xT, gradR));
  cell.hRows(*z[2], 0, n).assign(mmul(hT, gradR));
  cell.xRows(*z[2], n, 2 * n).assign(mmul(xT, gradU));
  cell.hRows(*z[2], n, 2 * n).assign(mmul(hT, gradU));
  cell.xRows(*z[3], 0, n).assign(mmul(xT, gradC));
  cell.hRows(*z[3], 0, n).assign(mmul(resetT, gradC));
  (*z[4])({0, n}, true).assign(gradR.reduceAlongDimension(reduce::Sum, {0}));
  (*z[4])({n, 2 * n}, true).assign(gradU.reduceAlongDimension(reduce::Sum, {0}));
  z[5]->assign(gradC.reduceAlongDimension(reduce::Sum, {0}));
  return Status::OK;
}
INFERRED_SHAPES(gruCell_bp)
DECLARE_SCHEMA(gruCell_bp) {
  schema.summary("The gradients of gruCell.")
      .formula("of sum(r gradR + u gradU + c gradC + u h0 gradH), with r constant in c and u constant in the last term")
      .note(
          "gradH reaches h0 through gradH u only: the caller gives gradU = gradH (h0 - c), gradC = gradH (1 - u) and "
          "gradR = (gradC (1 - c^2) W^T) h0, W: the last rows of weights_candidate.");
  describeInputs(schema);
  for (int k = 6; k < 10; k++) schema.input(NAMES[k], "[N, nU]");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradH0", "the shape and type of h0");
  schema.output("gradWeightsGates", "the shape and type of weights_gates");
  schema.output("gradWeightsCandidate", "the shape and type of weights_candidate");
  schema.output("gradBiasGates", "the shape and type of bias_gates");
  schema.output("gradBiasCandidate", "the shape and type of bias_candidate");
  schema.notDifferentiable(IS_GRADIENT).see("gruCell").infer([](Inference& in) {
    requireCell(in, 10);
    for (int k = 0; k < 6; k++) in.output(in.input(k).withType(recurrent::floatTypeOf(in.input(k).type())));
  });
  schema.example(SD_GRU_CELL R"(, "gradR": [[0.0]], "gradU": [[2.0]], "gradC": [[0.5]], "gradH": [[1.0]]})");
}

}  // namespace sd::ops
