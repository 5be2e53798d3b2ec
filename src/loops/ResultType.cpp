#include <array/DataTypeUtils.h>
#include <loops/ResultType.h>

#include "loops/ComplexOps.h"

namespace sd::loops {

DataType resultType(const NumberedOp& op, DataType x, DataType floating) {
  const bool isComplex = DataTypeUtils::isC(x) && acceptsComplex(op.group, op.number);
  return isComplex ? complexResult(op.group, op.number, x) : resultType(op.group, x, floating);
}

}  // namespace sd::loops
