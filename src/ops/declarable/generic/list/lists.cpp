// Whole lists: creation, copying, sizes.
// operations: create_list clone_list size_list
// aliases: TensorArrayV3 tensorarrayv3 TensorArrayCreateV3 tensorarraycreatev3 TensorArrayIdentityV3
// aliases: tensorarrayidentityv3 TensorArraySizeV3 tensorarraysizev3
#include "ops/declarable/generic/list/ListArguments.h"

namespace sd::ops {

LIST_OP_IMPL(create_list, -2, 2, 0, -2) {
  if (block.width() == 0) reject("input 0 is missing");
  int height = 0;
  bool expandable = true;
  if (block.numI() >= 1) {
    height = INT_ARG(0);
    expandable = block.numI() >= 2 && INT_ARG(1) != 0;
  } else if (block.width() == 1) {
    height = indexFrom(requiredArray(block, 0, "height"), 0);
  }
  if (height < 0) reject("argument 'height': {} is negative", height);
  auto list = std::make_unique<NDArrayList>(height, expandable);
  auto counter = std::make_unique<NDArray>(NDArrayFactory::create<int>(list->counter()));
  setupResultList(list.release(), block);
  block.pushNDArrayToVariableSpace(block.nodeId(), 1, counter.release());
  return Status::OK;
}
DECLARE_SYN(TensorArrayV3, create_list);
DECLARE_SYN(tensorarrayv3, create_list);
DECLARE_SYN(TensorArrayCreateV3, create_list);
DECLARE_SYN(tensorarraycreatev3, create_list);

LIST_OP_IMPL(clone_list, 1, 1, 0, 0) {
  setupResultList(requiredList(block).clone(), block);
  return Status::OK;
}
DECLARE_SYN(TensorArrayIdentityV3, clone_list);
DECLARE_SYN(tensorarrayidentityv3, clone_list);

LIST_OP_IMPL(size_list, 1, 1, 0, 0) {
  setupResult(new NDArray(NDArrayFactory::create<int>(requiredList(block).elements())), block);
  return Status::OK;
}
DECLARE_SYN(TensorArraySizeV3, size_list);
DECLARE_SYN(tensorarraysizev3, size_list);

static const Documented documentation[] = {
    {"create_list",
     {.summary = "Makes an empty list of arrays.",
      .inputs = "height: any array; its value when it is the only input and no integer is given\nshape?: not used",
      .outputs = "list: the new list\ncounter: INT32 scalar, 0",
      .integers = "height?: stored only; lists grow as they are written\nexpandable?: stored only (default 0)",
      .booleans = "clearOnRead?: not used"}},
    {"clone_list",
     {.summary = "A copy of a list and of its entries.", .inputs = "list: a list", .outputs = "list: the copy"}},
    {"size_list",
     {.summary = "Counts the entries of a list.", .inputs = "list: a list", .outputs = "size: INT32 scalar"}},
};

}  // namespace sd::ops
