// How list operations find their list and the array inputs after it.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LIST_LISTARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_LIST_LISTARGUMENTS_H

#include <array/NDArrayFactory.h>
#include <ops/declarable/headers/list.h>

#include <initializer_list>
#include <utility>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {

/// Input 0 if it is a list, else null.
inline NDArrayList* givenList(graph::Context& block) {
  if (block.givenVariableSpace() == nullptr || !block.fastpath_in().empty() || block.width() == 0) return nullptr;
  return block.variable(0)->getNDArrayList();
}

/// Input 0. @throws std::invalid_argument when it is not a list
inline NDArrayList& requiredList(graph::Context& block) {
  NDArrayList* list = givenList(block);
  if (list == nullptr) reject("input 0 'list': it is not a list");
  return *list;
}

inline const NDArray& requiredArray(const graph::Context& block, int index, const char* name) {
  const NDArray* array = block.optionalArray(index);
  if (array == nullptr) reject("input {} '{}': it is missing", index, name);
  return *array;
}

/// The index of an entry, from an array with one element.
inline int indexFrom(const NDArray& array, int input) {
  const LongType value = scalarInteger(array, input, "index");
  if (value != static_cast<int>(value)) reject("input {} 'index': {} is not a valid entry number", input, value);
  return static_cast<int>(value);
}

/// A list of integers: rank 0 or 1, or a matrix with one row or column.
inline Dims vectorFrom(const NDArray& array, int input, const char* name) {
  if (array.lengthOf() != 1) requireList(array, input, name);
  return integersOf(array, input, name);
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

// ---- schemas

inline constexpr const char *READS_LIST = "reads a list, which other operations change",
                            *WRITES_LIST = "changes a list", *MAKES_LIST = "makes a list";

/// What all operations on lists state. The outputs of most are known when the operation runs.
inline void describeList(Schema& schema, const char* sideEffect) {
  schema.sameTypes().sideEffect(sideEffect).notDifferentiable(WORKS_ON_LISTS);
  schema.infer([](Inference& in) { in.output(PartialShape()); });
}

inline void inferCounter(Inference& in) { in.output(PartialShape::scalar(INT32)); }

inline bool storeIndex(const ArgumentRow& row, void* arguments, LongType index) {
  row.access().setIntegers(row.memberOf(arguments), &index, 1);
  return true;
}

}  // namespace sd::ops

#endif
