// How operations on lists find the list and the arrays behind it.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LIST_LISTARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LIST_LISTARGUMENTS_H

#include <array/NDArrayFactory.h>
#include <ops/declarable/headers/list.h>

#include <initializer_list>
#include <utility>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/documentation.h"

namespace sd::ops {

/// Input 0 when it is a list, else null.
inline NDArrayList* givenList(graph::Context& block) {
  if (block.getVariableSpace() == nullptr || !block.fastpath_in().empty() || block.width() == 0) return nullptr;
  return block.variable(0)->getNDArrayList();
}

/// Input 0. @throws std::invalid_argument when it is not a list
inline NDArrayList& requiredList(graph::Context& block) {
  NDArrayList* list = givenList(block);
  if (list == nullptr) reject("input 0 'list': it is not a list");
  return *list;
}

inline const NDArray& requiredArray(graph::Context& block, int index, const char* name) {
  const NDArray* array = block.optionalArray(index);
  if (array == nullptr) reject("input {} '{}': it is missing", index, name);
  return *array;
}

/// The value of a scalar of integers, which names an entry.
inline int indexFrom(const NDArray& array, int input) {
  requireScalar(array, input, "index");
  if (!array.isZ())
    reject("input {} 'index': type {} is not an integer", input, DataTypeUtils::asString(array.dataType()));
  const auto value = array.e<LongType>(0);
  if (value != static_cast<int>(value)) reject("input {} 'index': {} does not number an entry", input, value);
  return static_cast<int>(value);
}

/// The values of integers of rank 0 or 1, or of a matrix with one row or column.
inline Dims vectorFrom(const NDArray& array, int input, const char* name) {
  if (!array.isZ())
    reject("input {} '{}': type {} is not an integer", input, name, DataTypeUtils::asString(array.dataType()));
  if (array.rankOf() > 1 && !array.isVector() && array.lengthOf() != 1)
    reject("input {} '{}': a vector is needed, its shape is {}", input, name, text(array));
  return array.getBufferAsVector<LongType>();
}

inline void requireEntries(const NDArrayList& list) {
  if (list.elements() == 0) reject("input 0 'list': it is empty");
}
inline void requireEntry(const NDArrayList& list, LongType index) {
  if (index != static_cast<int>(index) || !list.isWritten(static_cast<int>(index)))
    reject("entry {} was not written (the list has {} entries)", index, list.elements());
}

/// Writes a copy of the array.
inline Status writeCopy(NDArrayList& list, int index, const NDArray& array) {
  auto copy = std::make_unique<NDArray>(array.dup(array.ordering()));
  const Status status = list.write(index, copy.get());
  if (status == Status::OK) copy.release();
  return status;
}

}  // namespace sd::ops

#endif
