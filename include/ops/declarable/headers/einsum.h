// Sums of products of tensors, by Einstein's notation.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_EINSUM_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_EINSUM_H

#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

namespace additional {
/// Sums of products of the operands, as an equation such as "ij,jk->ik" says.
DECLARE_CUSTOM_OP(einsum, 2, 1, false, 0, 0)
DECLARE_CUSTOM_OP(einsum_bp, 3, -1, false, 0, 0)
}  // namespace additional

}  // namespace sd::ops

#endif
