// The first integer of a call as the code of an element type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_DATATYPES_TYPE_CODE_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_DATATYPES_TYPE_CODE_H

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {

/// @throws std::runtime_error for a number that is no code of a numeric type
inline bool readTypeCode(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const LongType code = block.intArgument64(0);
  asRuntimeError([&] { return checkedType(code, row.name()); });
  row.access().setIntegers(row.memberOf(arguments), &code, 1);
  return true;
}

}  // namespace sd::ops

#endif
