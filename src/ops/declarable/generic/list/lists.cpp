// Whole lists: creation, copying, sizes.
// operations: create_list clone_list size_list
// aliases: TensorArrayV3 tensorarrayv3 TensorArrayCreateV3 tensorarraycreatev3 TensorArrayIdentityV3
// aliases: tensorarrayidentityv3 TensorArraySizeV3 tensorarraysizev3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {
namespace {

/// The first integer, or the only input when there are no integers.
bool readHeight(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() >= 1) return storeIndex(row, arguments, block.intArgument64(0));
  if (block.width() != 1) return false;
  return storeIndex(row, arguments, indexFrom(requiredArray(block, 0, "height"), 0));
}

/// Beside a height in the list, a list is expandable only when the list says so.
bool readExpandable(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  return storeIndex(row, arguments, block.numI() >= 2 && block.intArgument64(1) != 0 ? 1 : 0);
}

}  // namespace

LIST_OP_IMPL(create_list, -2, 2, 0, -2) {
  if (block.width() == 0) reject("input 0 is missing");
  const auto& a = arguments<CreateList>(block);
  auto list = std::make_unique<NDArrayList>(a.height, a.expandable);
  auto counter = std::make_unique<NDArray>(NDArrayFactory::create<int>(list->counter()));
  setupResultList(list.release(), block);
  block.pushNDArrayToVariableSpace(block.nodeId(), 1, counter.release());
  return Status::OK;
}
DECLARE_SCHEMA(create_list) {
  schema.summary("Makes an empty list of arrays.");
  schema.input("height", "any array; its value counts when it is the only input and no integer is given");
  schema.input("shape", "not used").optional();
  schema.argument(&CreateList::height, "height", "the number of entries; stored only, lists grow as they are written")
      .atInteger(0)
      .readBy(readHeight)
      .atLeast(0);
  schema
      .argument(&CreateList::expandable, "expandable", "stored only; in the list of integers false when it is left out")
      .atInteger(1)
      .readBy(readExpandable);
  schema.output("list", "the new list");
  schema.output("counter", "scalar, INT32, 0");
  describeList(schema, MAKES_LIST);
  schema.infer([](Inference& in) {
    in.output(PartialShape());
    inferCounter(in);
  });
  schema.elsewhere({.tensorflow = "tf.TensorArray", .onnx = "SequenceEmpty"})
      .words("tensor array, sequence")
      .see("write_list stack_list");
}
DECLARE_SYN(TensorArrayV3, create_list);
DECLARE_SYN(tensorarrayv3, create_list);
DECLARE_SYN(TensorArrayCreateV3, create_list);
DECLARE_SYN(tensorarraycreatev3, create_list);

LIST_OP_IMPL(clone_list, 1, 1, 0, 0) {
  setupResultList(requiredList(block).clone(), block);
  return Status::OK;
}
DECLARE_SCHEMA(clone_list) {
  schema.summary("A copy of a list and of its entries.");
  schema.input("list", "a list");
  schema.output("list", "the copy");
  describeList(schema, MAKES_LIST);
  schema.elsewhere({.tensorflow = "tf.TensorArray.identity"}).words("copy").see("create_list");
}
DECLARE_SYN(TensorArrayIdentityV3, clone_list);
DECLARE_SYN(tensorarrayidentityv3, clone_list);

LIST_OP_IMPL(size_list, 1, 1, 0, 0) {
  setupResult(new NDArray(NDArrayFactory::create<int>(requiredList(block).elements())), block);
  return Status::OK;
}
DECLARE_SCHEMA(size_list) {
  schema.summary("Counts the entries of a list.");
  schema.input("list", "a list");
  schema.output("size", "scalar, INT32");
  describeList(schema, READS_LIST);
  schema.infer(inferCounter);
  schema.elsewhere({.tensorflow = "tf.TensorArray.size", .onnx = "SequenceLength"})
      .words("length, number of entries")
      .see("create_list");
}
DECLARE_SYN(TensorArraySizeV3, size_list);
DECLARE_SYN(tensorarraysizev3, size_list);

}  // namespace sd::ops
