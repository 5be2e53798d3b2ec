// Operations on lists of arrays (array/NDArrayList.h): the list is the first input.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_LIST_H

#include <ops/declarable/DeclarableListOp.h>

namespace sd::ops {

// ---- making and copying lists
DECLARE_LIST_OP(create_list, -2, 2, 0, -2)
DECLARE_LIST_OP(clone_list, 1, 1, 0, 0)
DECLARE_LIST_OP(size_list, 1, 1, 0, 0)

// ---- single entries
DECLARE_LIST_OP(write_list, 2, 1, 0, -2)
DECLARE_LIST_OP(read_list, 1, 1, 0, 0)
DECLARE_LIST_OP(delete_list, -2, 1, 0, -2)

// ---- splitting an array into entries
DECLARE_LIST_OP(unstack_list, 1, 1, 0, 0)
DECLARE_LIST_OP(split_list, 2, 1, 0, -2)
DECLARE_LIST_OP(scatter_list, 1, 1, 0, -2)

// ---- joining entries into an array
DECLARE_LIST_OP(stack_list, 1, 1, 0, 0)
DECLARE_LIST_OP(gather_list, 2, 1, 0, -2)
DECLARE_LIST_OP(pick_list, 1, 1, 0, -2)

}  // namespace sd::ops

#endif
