// Norms along dimensions, selected by a number.
// operations: norm
// calls: Norm1 Norm2 NormMax NormP
#include <algorithm>

#include "ops/declarable/generic/reduce/Reduction.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

REDUCTION_OP_IMPL(norm, 1, 1, false, 1, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Norm>(block);
  std::vector<int> dims = a.axis;
  if (std::find(dims.begin(), dims.end(), SD_MAX_DIMENSION) != dims.end()) dims.clear();
  dims = checkedAxes(dims, x.rankOf());
  if (z.isEmpty()) return Status::OK;
  switch (a.kind) {
    case NormKind::Frobenius:
      if (dims.size() != 2 && !(dims.empty() && x.rankOf() == 2))
        reject("the Frobenius norm takes 2 axes, but {} are given for rank {}", dims.size(), x.rankOf());
      [[fallthrough]];
    case NormKind::Euclidean:
      x.reduceAlongDimension(reduce::Norm2, z, dims);
      break;
    case NormKind::Magnitudes:
      x.reduceAlongDimension(reduce::Norm1, z, dims);
      break;
    case NormKind::Maximum:
      x.reduceAlongDimension(reduce::NormMax, z, dims);
      break;
    case NormKind::P: {
      NDArray p(z.dataType());
      p.assign(a.ord);
      x.reduceAlongDimension(reduce::NormP, z, dims, false, true, p.buffer());
    }
  }
  return Status::OK;
}

namespace {

bool reducesAll(const std::vector<int>& axes) {
  return axes.empty() || std::find(axes.begin(), axes.end(), SD_MAX_DIMENSION) != axes.end();
}

/// The numbers of the interface stand in the list of floats: 3 is the Euclidean norm too, all others are the p-norm.
bool readKind(const ArgumentRow& row, const graph::Context& block, void* values) {
  if (block.numT() == 0) return false;
  const double number = std::trunc(block.floatArgument(0));
  NormKind kind = NormKind::P;
  for (const Choice& choice : ChoicesOf<NormKind>::values)
    if (static_cast<double>(choice.number) == number)
      kind = static_cast<NormKind>(&choice - ChoicesOf<NormKind>::values);
  if (number == 3) kind = NormKind::Euclidean;
  if (kind == NormKind::P && block.numT() < 2)
    reject("mode {} is the p-norm: floating argument 1, p, is missing", number);
  const auto enumerator = static_cast<LongType>(kind);
  row.access().setIntegers(row.memberOf(values), &enumerator, 1);
  return true;
}

void inferNorm(Inference& in) {
  const auto& a = in.arguments<Norm>();
  const PartialShape x = in.input(0);
  const bool typed = in.block() != nullptr && in.block()->hasDataType();
  const DataType type = typed ? in.block()->dataType() : x.type();
  const bool all = reducesAll(a.axis);
  if (!in.knows(&Norm::axis)) return in.output(PartialShape(type));
  in.output(all ? PartialShape::scalar(type) : reduced(x, a.axis, false, type).withOrder('c'));
}

void normRule(Gradient& g) {
  const auto& a = g.arguments<Norm>();
  const Symbol x = g.input(0);
  const Reduction axes{reducesAll(a.axis) ? std::vector<int>() : a.axis};
  switch (a.kind) {
    case NormKind::Frobenius:
    case NormKind::Euclidean:
      return g.set(0, g.call("reduce_norm2_bp", {x, g.of()}, axes));
    case NormKind::Magnitudes:
      return g.set(0, g.call("reduce_norm1_bp", {x, g.of()}, axes));
    case NormKind::Maximum:
      return g.set(0, g.call("reduce_norm_max_bp", {x, g.of()}, axes));
    case NormKind::P: {
      // sign(x) |x|^(p - 1) / z^(p - 1)
      const Symbol p = g.constant(a.ord - 1, x), magnitude = g.call("transform.Abs", {x});
      const Symbol factor = g.call("divide_no_nan", {g.of(), g.call("Pow", {g.output(), p})});
      const Symbol slope = g.call("transform.Sign", {x}) * g.call("Pow", {magnitude, p});
      return g.set(0, slope * g.call("reduce_sum_bp", {x, factor}, axes));
    }
  }
}

}  // namespace

DECLARE_SCHEMA(norm) {
  schema.summary("A norm along axes.")
      .formula(
          "frobenius, euclidean: sqrt(sum x^2); magnitudes: sum |x|; maximum: max |x|; p: (sum |x|^ord)^(1 / ord)");
  schema.input("x", "any shape").types({ALL_FLOATS});
  schema.input("axis", "the axes to reduce").types({ALL_INTS, ALL_FLOATS}).rank(0, 2).optional();
  schema.argument(&Norm::kind, "kind", "which norm").atFloat(0).readBy(readKind);
  schema.argument(&Norm::axis, "axis", AXIS_TEXT).atInteger(0).orInput(1);
  schema.argument(&Norm::ord, "ord", "the exponent of the p-norm; read when kind is p").atFloat(1);
  schema.output("y", "x without the axes");
  schema.outputTypes({ALL_FLOATS}).infer(inferNorm);
  schema.example(R"({"x": [[3.0, 4.0], [6.0, 8.0]], "kind": "euclidean", "axis": [1]})")
      .elsewhere({.numpy = "numpy.linalg.norm", .torch = "torch.linalg.vector_norm", .tensorflow = "tf.norm"})
      .words("norm, length, magnitude, Frobenius")
      .see("reduce_norm1 reduce_norm2 reduce_norm_max");
  schema.gradient(normRule);
}

}  // namespace sd::ops
