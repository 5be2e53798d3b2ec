// Shapes and types of operators that programs register.
#include <ops/declarable/RegisterOperator.h>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// The type of a result for inputs of this type. Sums of BOOL are counts.
DataType resultType(DataType type, OperatorResult result, bool aggregates) {
  if (result == OperatorResult::Truth) return BOOL;
  if (type == INHERIT) return INHERIT;
  if (result == OperatorResult::Real) return DataTypeUtils::pickFloatingType(type);
  return aggregates && type == BOOL ? INT64 : type;
}

}  // namespace

void inferElements(Inference& in, int inputs, OperatorResult result) {
  PartialShape z = in.input(0);
  for (int i = 1; i < inputs; i++) {
    const PartialShape next = in.input(i);
    const DataType type =
        z.hasType() && next.hasType() ? DataTypeUtils::pickPairwiseResultType(z.type(), next.type()) : INHERIT;
    z = broadcast(z, next).withType(type);
  }
  in.output(z.withType(resultType(z.type(), result, false)).withOrder('c'));
}

void inferAggregation(Inference& in, const std::vector<int>& axis, bool keepDims, OperatorResult result) {
  const PartialShape x = in.input(0);
  in.output(reduced(x, axis, keepDims, resultType(x.type(), result, true)).withOrder('c'));
}

}  // namespace sd::ops
