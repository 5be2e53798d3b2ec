// Single entries of lists: writing, reading, removing.
// operations: write_list read_list delete_list
// aliases: TensorArrayWriteV3 tensorarraywritev3 TensorArrayReadV3 tensorarrayreadv3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {

LIST_OP_IMPL(write_list, 2, 1, 0, -2) {
  NDArrayList& list = requiredList(block);
  const int width = static_cast<int>(block.width());
  int arrayAt, index;
  if (width >= 3) {
    arrayAt = width - 2;
    index = indexFrom(requiredArray(block, width - 1, "index"), width - 1);
  } else if (width == 2 && block.numI() == 1) {
    arrayAt = 1;
    index = INT_ARG(0);
  } else {
    return Status::BAD_INPUT;
  }
  const Status status = writeCopy(list, index, requiredArray(block, arrayAt, "array"));
  if (status != Status::OK) return status;
  setupResult(new NDArray(NDArrayFactory::create<int>(list.counter())), block);
  return Status::OK;
}
DECLARE_SYN(TensorArrayWriteV3, write_list);
DECLARE_SYN(tensorarraywritev3, write_list);

LIST_OP_IMPL(read_list, 1, 1, 0, 0) {
  const NDArrayList& list = requiredList(block);
  requireEntries(list);
  const int index = block.numI() > 0 ? INT_ARG(0) : indexFrom(requiredArray(block, 1, "index"), 1);
  requireEntry(list, index);
  setupResult(list.read(index), block);
  return Status::OK;
}
DECLARE_SYN(TensorArrayReadV3, read_list);
DECLARE_SYN(tensorarrayreadv3, read_list);

LIST_OP_IMPL(delete_list, -2, 1, 0, -2) {
  NDArrayList& list = requiredList(block);
  const int last = static_cast<int>(block.width()) - 1;
  int index = last >= 1 ? indexFrom(requiredArray(block, last, "index"), last) : -1;
  if (index < 0) index += list.elements();
  requireEntry(list, index);
  setupResult(list.remove(index), block);
  return Status::OK;
}

static const Documented documentation[] = {
    {"write_list",
     {.summary = "Writes a copy of an array to an entry of a list.",
      .formula = "list[index] = array",
      .inputs = "list: a list\narray: the type and shape of the entries\nindex?: scalar, the number of the entry",
      .outputs = "counter: INT32 scalar, the number of writes so far",
      .integers = "index?: the number of the entry; used when there is no such input",
      .notes = "The first write fixes type and shape; a later array that does not match gives the status BAD_INPUT."}},
    {"read_list",
     {.summary = "Copies an entry of a list.",
      .formula = "array = list[index]",
      .inputs = "list: a list\nindex?: scalar, the number of the entry",
      .outputs = "array: a copy of the entry",
      .integers = "index?: overrides the input"}},
    {"delete_list",
     {.summary = "Removes an entry from a list and returns it.",
      .inputs = "list: a list\nindex?: scalar, the number of the entry; negative ones count from the end (default -1)",
      .outputs = "array: the entry"}},
};

}  // namespace sd::ops
