// Lists of integers from an input or from arguments; short lists need no heap allocation.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LISTED_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_LISTED_H

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/ShortList.h"

namespace sd::ops {

/// `count` integer arguments, starting at `first`.
inline ShortList<LongType> listed(graph::Context& block, size_t first, size_t count) {
  ShortList<LongType> values;
  for (size_t i = first; i < first + count; i++) values.push_back(block.intArgument64(i));
  return values;
}

/// The integers of an input if it is given, else all integer arguments.
inline ShortList<LongType> listed(graph::Context& block, int input) {
  const NDArray* array = block.optionalArray(input);
  if (array == nullptr) return listed(block, 0, block.numI());
  ShortList<LongType> values;
  if (array->isR() || array->dataType() == UINT64) {
    for (const LongType value : integersOf(*array, input)) values.push_back(value);
  } else {
    for (LongType i = 0, n = array->lengthOf(); i < n; i++) values.push_back(array->e<LongType>(i));
  }
  return values;
}

}  // namespace sd::ops

#endif
