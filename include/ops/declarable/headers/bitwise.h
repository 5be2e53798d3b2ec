// Operations on the bits of integers.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_BITWISE_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_BITWISE_H

#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>

namespace sd::ops {

// two arrays that broadcast
DECLARE_BROADCASTABLE_OP(bitwise_and, 0, 0)
DECLARE_BROADCASTABLE_OP(bitwise_or, 0, 0)
DECLARE_BROADCASTABLE_OP(bitwise_xor, 0, 0)
DECLARE_BROADCASTABLE_OP(shift_bits, 0, 0)
DECLARE_BROADCASTABLE_OP(rshift_bits, 0, 0)
DECLARE_BROADCASTABLE_OP(cyclic_shift_bits, 0, 0)
DECLARE_BROADCASTABLE_OP(cyclic_rshift_bits, 0, 0)

// any number of arrays
DECLARE_OP(toggle_bits, -1, -1, true)

// one number from two arrays
DECLARE_CUSTOM_OP(bits_hamming_distance, 2, 1, true, 0, 0)

}  // namespace sd::ops

#endif
