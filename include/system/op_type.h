// The numbers of the two statistics.
#ifndef NDFORGE_SYSTEM_OP_TYPE_H
#define NDFORGE_SYSTEM_OP_TYPE_H

namespace op_type {

inline constexpr int Variance = 0;
inline constexpr int StandardDeviation = 1;

}  // namespace op_type

#endif
