// Finds the kernels of element-wise operations and the types in which they compute.
#ifndef NDFORGE_SRC_LOOPS_ELEMENTKERNELS_H
#define NDFORGE_SRC_LOOPS_ELEMENTKERNELS_H

#include <iterator>

#include "loops/Kernels.h"
#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::loops {

/// What pairwise, scalar and broadcast operations need to know of their group.
struct BinaryGroup {
  const simd::BinaryKernel (*kernels)[simd::COMPUTE_TYPES];
  ResultTypes result;
  bool integersOnly;
};

using BinaryColumn = const simd::BinaryKernel (simd::KernelTable::*)[simd::MAX_OPS][simd::COMPUTE_TYPES];

/// The kernels of the groups from Pairwise to BroadcastInt.
inline constexpr BinaryColumn BINARY_COLUMNS[] = {
    &simd::KernelTable::pairwise,  &simd::KernelTable::pairwiseBool,  &simd::KernelTable::pairwiseInt,
    &simd::KernelTable::scalar,    &simd::KernelTable::scalarBool,    &simd::KernelTable::scalarInt,
    &simd::KernelTable::broadcast, &simd::KernelTable::broadcastBool, &simd::KernelTable::broadcastInt};
inline constexpr int FIRST_BINARY = static_cast<int>(OpGroup::Pairwise);
static_assert(static_cast<int>(OpGroup::Scalar) == FIRST_BINARY + 3 &&
              static_cast<int>(OpGroup::Broadcast) == FIRST_BINARY + 6 &&
              static_cast<int>(OpGroup::BroadcastInt) == FIRST_BINARY + 8);

/// @throws std::runtime_error for groups of other operations
inline BinaryGroup binaryGroup(OpGroup group) {
  const auto column = static_cast<size_t>(static_cast<int>(group) - FIRST_BINARY);
  if (column >= std::size(BINARY_COLUMNS)) fail("[{}] this group has no operations of two operands", groupName(group));
  const GroupTraits& traits = traitsOf(group);
  return {simd::kernels().*BINARY_COLUMNS[column], traits.result, traits.operands == OperandTypes::Integers};
}

/// The type that an operation computes in for elements of this type.
inline Storage computeType(const OpInfo& op, Storage storage) {
  const Storage own = arithmeticType(storage);
  return op.computesInFloat ? floatFor(own) : own;
}

}  // namespace sd::loops

#endif
