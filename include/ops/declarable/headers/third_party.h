// Operations made for third-party programs.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_THIRD_PARTY_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_THIRD_PARTY_H

#include <ops/declarable/DeclarableCustomOp.h>

#include <vector>

namespace sd::ops {

namespace args {
/// Arguments of firas_sparse.
struct SparseColumns {
  std::vector<LongType> columnNumbers{};
};
}  // namespace args

DECLARE_CUSTOM_OP(firas_sparse, 1, 1, false, 0, -1)

}  // namespace sd::ops

#endif
