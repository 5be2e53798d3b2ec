// Operations on lists of arrays (array/NDArrayList.h): the list is the first input.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H

#include <ops/declarable/DeclarableListOp.h>

#include <optional>
#include <vector>

namespace sd::ops {

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

// As DECLARE_LIST_OP, with the member that DECLARE_SCHEMA defines.

// ---- making and copying lists
SD_OP_CLASS(create_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(clone_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(size_list, DeclarableListOp, SD_OP_TYPES_MEMBER)

// ---- single entries
SD_OP_CLASS(write_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(read_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(delete_list, DeclarableListOp, SD_OP_TYPES_MEMBER)

// ---- splitting an array into entries
SD_OP_CLASS(unstack_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(split_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(scatter_list, DeclarableListOp, SD_OP_TYPES_MEMBER)

// ---- joining entries into an array
SD_OP_CLASS(stack_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(gather_list, DeclarableListOp, SD_OP_TYPES_MEMBER)
SD_OP_CLASS(pick_list, DeclarableListOp, SD_OP_TYPES_MEMBER)

}  // namespace sd::ops

#endif
