// Kinds of operations that have no enum of their own.
#ifndef NDFORGE_SYSTEM_OPTYPE_H
#define NDFORGE_SYSTEM_OPTYPE_H

typedef int OpType;

namespace op_type {

inline constexpr int Variance = 0;
inline constexpr int StandardDeviation = 1;

}  // namespace op_type

#endif
