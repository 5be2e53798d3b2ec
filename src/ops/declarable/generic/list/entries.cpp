// Single entries of lists: writing, reading, removing.
// operations: write_list read_list delete_list
// aliases: TensorArrayWriteV3 tensorarraywritev3 TensorArrayReadV3 tensorarrayreadv3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {
namespace {

/// Whether input 0 may be a list. If it is an array the body rejects it, before it reads anything.
bool mayBeList(const graph::Context& block) { return block.optionalArray(0) == nullptr; }

/// The last of three or more inputs, or the only integer beside two.
bool readWriteIndex(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const int width = static_cast<int>(block.width());
  if (!mayBeList(block)) return false;
  if (width >= 3) return storeIndex(row, arguments, indexFrom(requiredArray(block, width - 1, "index"), width - 1));
  if (width != 2 || block.numI() != 1) return false;
  return storeIndex(row, arguments, block.intArgument64(0));
}

/// The last of two or more inputs.
bool readDeleteIndex(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  const int last = static_cast<int>(block.width()) - 1;
  return last >= 1 && mayBeList(block) &&
         storeIndex(row, arguments, indexFrom(requiredArray(block, last, "index"), last));
}

}  // namespace

LIST_OP_IMPL(write_list, 2, 1, 0, -2) {
  NDArrayList& list = requiredList(block);
  const int width = static_cast<int>(block.width());
  const auto& a = arguments<WriteList>(block);
  if (width < 2 || !a.index) return Status::BAD_INPUT;
  const int arrayAt = width >= 3 ? width - 2 : 1, index = *a.index;
  const Status status = writeCopy(list, index, requiredArray(block, arrayAt, "array"));
  if (status != Status::OK) return status;
  setupResult(new NDArray(NDArrayFactory::create<int>(list.counter())), block);
  return Status::OK;
}
DECLARE_SCHEMA(write_list) {
  schema.summary("Writes a copy of an array to an entry of a list.")
      .formula("list[index] = array")
      .note("The first write fixes type and shape; a later array that does not match gives the status BAD_INPUT.");
  schema.input("list", "a list");
  schema.input("array", "the type and shape of the entries; with more than three inputs the last but one");
  schema.input("index", "scalar, the number of the entry; with more than three inputs the last one");
  schema.argument(&WriteList::index, "index", "the number of the entry; needed when there is no such input")
      .atInteger(0)
      .readBy(readWriteIndex);
  schema.output("counter", "scalar, INT32, the number of writes so far");
  describeList(schema, WRITES_LIST);
  schema.infer(inferCounter);
  schema.elsewhere({.tensorflow = "tf.TensorArray.write", .onnx = "SequenceInsert"})
      .words("store, append")
      .see("read_list");
}
DECLARE_SYN(TensorArrayWriteV3, write_list);
DECLARE_SYN(tensorarraywritev3, write_list);

LIST_OP_IMPL(read_list, 1, 1, 0, 0) {
  const NDArrayList& list = requiredList(block);
  requireEntries(list);
  const std::optional<int>& index = arguments<ReadList>(block).index;
  if (!index) reject("input 1 'index': it is missing");
  requireEntry(list, *index);
  setupResult(list.read(*index), block);
  return Status::OK;
}
DECLARE_SCHEMA(read_list) {
  schema.summary("Copies an entry of a list.").formula("array = list[index]");
  schema.input("list", "a list");
  schema.input("index", "scalar, the number of the entry").optional();
  schema.argument(&ReadList::index, "index", "the number of the entry; needed when there is no such input")
      .atInteger(0)
      .elseInput(1);
  schema.output("array", "a copy of the entry");
  describeList(schema, READS_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.read", .onnx = "SequenceAt"}).words("get, entry").see("write_list");
}
DECLARE_SYN(TensorArrayReadV3, read_list);
DECLARE_SYN(tensorarrayreadv3, read_list);

LIST_OP_IMPL(delete_list, -2, 1, 0, -2) {
  NDArrayList& list = requiredList(block);
  int index = arguments<DeleteList>(block).index;
  if (index < 0) index += list.elements();
  requireEntry(list, index);
  setupResult(list.remove(index), block);
  return Status::OK;
}
DECLARE_SCHEMA(delete_list) {
  schema.summary("Removes an entry from a list and returns it.");
  schema.input("list", "a list");
  schema.input("index", "scalar, the number of the entry; the last input if there are more").optional();
  schema.argument(&DeleteList::index, "index", "the number of the entry; negative ones count from the end")
      .readBy(readDeleteIndex);
  schema.output("array", "the entry");
  describeList(schema, WRITES_LIST);
  schema.elsewhere({.onnx = "SequenceErase"}).words("remove, pop").see("read_list");
}

}  // namespace sd::ops
