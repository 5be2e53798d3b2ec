// One step of gated recurrent units, with the reset gate applied before the product.
// operations: gruCell gruCell_bp
// calls: Sigmoid Sum Tanh
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/recurrent.h>

#include "ops/declarable/helpers/lstm_arguments.h"

namespace sd::ops {
namespace {

using namespace helpers;

constexpr const char* NAMES[] = {"x", "hPrev", "Wru", "Wc", "bru", "bc", "dLdr", "dLdu", "dLdc", "dLdh"};

/// The checked inputs; for the body also the inputs in the compute type, and the gates.
struct Cell {
  LongType N, inputs, units;
  DataType type;
  std::vector<const NDArray*> given;
  std::vector<NDArray> in;
  NDArray r, u, c;

  Cell(graph::Context& block, int numInputs) {
    for (int k = 0; k < numInputs; k++) given.push_back(&requiredInput(block, k, NAMES[k]));
    for (int k = 0; k < 2; k++)
      if (given[static_cast<size_t>(k)]->rankOf() != 2)
        reject("input {} '{}': its rank is {}, not 2 (shape {})", k, NAMES[k], given[static_cast<size_t>(k)]->rankOf(),
               text(*given[static_cast<size_t>(k)]));
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
DECLARE_SHAPE_FN(gruCell) {
  const Cell cell(block, 6);
  const LongType* info = like(inputShape->at(1), floatTypeOf(*block.array(0)));
  return shapes(info, info, info, info);
}
DECLARE_TYPES(gruCell) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document(
          {.summary = "One step of gated recurrent units.",
           .formula = "[r, u] = sigmoid([x, h] Wru + bru), c = tanh(x Wcx + (r h) Wch + bc), h = u h + (1 - u) c",
           .inputs = "x: [N, nIn]\nhPrev: [N, nU]\nWru: [nIn + nU, 2 nU], rows of x first\nWc: [nIn + nU, nU]\nbru: "
                     "[2 nU]\nbc: [nU]",
           .outputs = "r, u, c, h: [N, nU]"});
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
DECLARE_SHAPE_FN(gruCell_bp) {
  const Cell cell(block, 10);
  auto list = std::make_unique<ShapeList>();
  for (int k = 0; k < 6; k++) list->push_back(like(inputShape->at(k), floatTypeOf(*block.array(k))));
  return list.release();
}
DECLARE_TYPES(gruCell_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of gruCell.",
                  .inputs = "x, hPrev, Wru, Wc, bru, bc: as in gruCell\ndLdr, dLdu, dLdc, dLdh: [N, nU]",
                  .outputs = "dLdx, dLdhPrev, dLdWru, dLdWc, dLdbru, dLdbc: the shapes of the inputs",
                  .notes =
                      "dLdh enters through dLdh u only: the caller gives dLdu = dLdh (hPrev - c), dLdc = dLdh (1 - u) "
                      "and dLdr = (dLdc (1 - c^2) Wch^T) hPrev."});
}

}  // namespace sd::ops
