// Joining the entries of a list into one array.
// operations: stack_list gather_list pick_list
// aliases: TensorArrayConcatV3 tensorarrayconcatv3 TensorArrayGatherV3 tensorarraygatherv3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {
namespace {

NDArray slice(const NDArray& array, LongType index) {
  std::vector<LongType> bounds(static_cast<size_t>(2 * array.rankOf()), 0);
  bounds[0] = index;
  bounds[1] = index + 1;
  return array(bounds, false);
}

}  // namespace

LIST_OP_IMPL(stack_list, 1, 1, 0, 0) {
  const NDArrayList& list = requiredList(block);
  requireEntries(list);
  setupResult(list.stack(), block);
  return Status::OK;
}
DECLARE_SCHEMA(stack_list) {
  schema.summary("Stacks the entries 0 to n - 1 of a list along a new dimension 0.").formula("array[i, ..] = list[i]");
  schema.input("list", "a list of n arrays of one shape");
  schema.output("array", "[n, ...]");
  describeList(schema, READS_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.stack", .onnx = "ConcatFromSequence"})
      .words("join")
      .see("unstack_list stack");
}
DECLARE_SYN(TensorArrayConcatV3, stack_list);
DECLARE_SYN(tensorarrayconcatv3, stack_list);

LIST_OP_IMPL(gather_list, 2, 1, 0, -2) {
  const NDArrayList& list = requiredList(block);
  requireEntries(list);
  const NDArray& given = requiredArray(block, 1, "indices");
  const Dims indices = vectorFrom(given, 1, "indices");
  if (static_cast<int>(indices.size()) != list.elements())
    reject("input 1 'indices': {} are given, but the list has {} entries", indices.size(), list.elements());
  requireEntry(list, 0);
  const NDArray& first = *list.readRaw(0);
  for (LongType index : indices) {
    requireEntry(list, index);
    const NDArray& entry = *list.readRaw(static_cast<int>(index));
    if (!entry.isSameShape(first))
      reject("entry {}: its shape is {}, but entry 0 has shape {}", index, text(entry), text(first));
  }
  Dims dims = first.getShapeAsVector();
  dims.insert(dims.begin(), static_cast<LongType>(indices.size()));
  auto z = std::make_unique<NDArray>(zeros(list.dataType(), dims));
  if (!z->isEmpty()) {
    for (size_t k = 0; k < indices.size(); k++) {
      NDArray place = slice(*z, static_cast<LongType>(k));
      place.assign(*list.readRaw(static_cast<int>(indices[k])));
    }
  }
  setupResult(z.release(), block);
  return Status::OK;
}
DECLARE_SCHEMA(gather_list) {
  schema.summary("Stacks entries of a list in a given order along a new dimension 0.")
      .formula("z[k] = list[indices[k]]");
  schema.input("list", "a list of n arrays of one shape");
  schema.input("indices", "[n], numbers of entries");
  schema.output("z", "[n, ...]");
  describeList(schema, READS_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.gather"}).words("join, reorder").see("scatter_list pick_list");
}
DECLARE_SYN(TensorArrayGatherV3, gather_list);
DECLARE_SYN(tensorarraygatherv3, gather_list);

LIST_OP_IMPL(pick_list, 1, 1, 0, -2) {
  const NDArrayList& list = requiredList(block);
  requireEntries(list);
  const NDArray* given = block.optionalArray(1);
  if (given != nullptr && given->lengthOf() != 1) requireList(*given, 1, "indices");
  const std::vector<LongType>& indices = arguments<PickList>(block).indices;
  if (indices.empty()) return invalid(Status::BAD_ARGUMENTS, "argument 'indices' is missing");
  for (LongType index : indices)
    if (index < 0 || index >= list.elements())
      return invalid(Status::BAD_ARGUMENTS,
                     fmt::format("argument 'indices': {} is outside 0..{}", index, list.elements() - 1));
  setupResult(list.pick(std::vector<int>(indices.begin(), indices.end())), block);
  return Status::OK;
}
DECLARE_SCHEMA(pick_list) {
  schema.summary("Joins chosen entries of a list along the list's axis.")
      .note("An index outside 0..n-1 gives the status BAD_ARGUMENTS.");
  schema.input("list", "a list");
  schema.input("indices", "a vector of integers").optional();
  schema.argument(&PickList::indices, "indices", "the numbers of the entries").atInteger(0).orInput(1);
  schema.output("array", "the reference shape of the list, with the number of indices as the size of its axis");
  describeList(schema, READS_LIST);
  schema.words("choose, join").see("gather_list");
}

}  // namespace sd::ops
