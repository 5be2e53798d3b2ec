// Operations on lists of arrays (array/NDArrayList.h): the list is the first input.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H

#include <ops/declarable/DeclarableListOp.h>

#include <optional>
#include <vector>

namespace sd::ops {

namespace args {
struct CreateList {
  int height = 0;
  bool expandable = true;
};

struct WriteList {
  std::optional<int> index{};  ///< needed when no input gives it
};

struct ReadList {
  std::optional<int> index{};  ///< needed when no input gives it
};

struct DeleteList {
  int index = -1;  ///< negative ones count from the end
};

struct UnstackList {
  std::optional<int> axis{};  ///< needed
};

struct PickList {
  std::vector<LongType> indices{};
};
}  // namespace args

// As DECLARE_LIST_OP, with the member that DECLARE_SCHEMA defines.
#define DECLARE_STATED_LIST_OP(NAME, NIN, NOUT, TARGS, IARGS) SD_OP_CLASS(NAME, DeclarableListOp, SD_OP_TYPES_MEMBER)

// ---- making and copying lists
DECLARE_STATED_LIST_OP(create_list, -2, 2, 0, -2)
DECLARE_STATED_LIST_OP(clone_list, 1, 1, 0, 0)
DECLARE_STATED_LIST_OP(size_list, 1, 1, 0, 0)

// ---- single entries
DECLARE_STATED_LIST_OP(write_list, 2, 1, 0, -2)
DECLARE_STATED_LIST_OP(read_list, 1, 1, 0, 0)
DECLARE_STATED_LIST_OP(delete_list, -2, 1, 0, -2)

// ---- splitting an array into entries
DECLARE_STATED_LIST_OP(unstack_list, 1, 1, 0, 0)
DECLARE_STATED_LIST_OP(split_list, 2, 1, 0, -2)
DECLARE_STATED_LIST_OP(scatter_list, 1, 1, 0, -2)

// ---- joining entries into an array
DECLARE_STATED_LIST_OP(stack_list, 1, 1, 0, 0)
DECLARE_STATED_LIST_OP(gather_list, 2, 1, 0, -2)
DECLARE_STATED_LIST_OP(pick_list, 1, 1, 0, -2)

#undef DECLARE_STATED_LIST_OP

}  // namespace sd::ops

#endif
