// Operand checks for every numbered operation of arrays. Names are looked up only for messages.
#ifndef NDFORGE_SRC_ARRAY_OPNAMES_H
#define NDFORGE_SRC_ARRAY_OPNAMES_H

#include "loops/OpInfo.h"

#include "array/NDArrayCommon.h"

namespace sd {

using loops::opName;

/// @throws std::runtime_error for string arrays and arrays without a shape
template <typename... Arrays>
void requireOperands(loops::OpGroup group, int number, const Arrays&... operands) {
  if (((operands.isS() || operands.shapeInfo() == nullptr) || ...)) {
    const std::string name = opName(group, number);
    (arrays::requireNumbers(name.c_str(), operands), ...);
  }
}

/// The parameters as an array of `type`; nullptr when there are none.
inline const void* paramsAs(const ExtraArguments* extraParams, DataType type) {
  return extraParams == nullptr ? nullptr : extraParams->argumentsAsT(type);
}

}  // namespace sd

#endif
