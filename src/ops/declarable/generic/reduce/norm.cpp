// Norms along dimensions, selected by a number.
// operations: norm
// calls: Norm1 Norm2 NormMax NormP
#include <algorithm>

#include "ops/declarable/generic/reduce/Reduction.h"

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
  const bool all = a.axis.empty() || std::find(a.axis.begin(), a.axis.end(), SD_MAX_DIMENSION) != a.axis.end();
  if (!in.knows(&Norm::axis)) return in.output(PartialShape(type));
  in.output(all ? PartialShape::scalar(type) : reduced(x, a.axis, false, type).withOrder('c'));
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
}

}  // namespace sd::ops
