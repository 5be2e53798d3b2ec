// Conversion between coordinates and offsets, for many elements at once.
#ifndef NDFORGE_LOOPS_INDICES_H
#define NDFORGE_LOOPS_INDICES_H

#include <system/common.h>

namespace sd::loops {

/// What happens to an index outside its dimension.
enum class IndexMode : int { Throw = 0, Wrap = 1, Clip = 2 };

/// flat[i] = sum over j of indices[i, j] * stride j of `info`, for `length` rows of rank(info) indices. An index out of
/// range throws in any mode but Wrap and Clip. @throws std::runtime_error before anything is written
SD_LIB_EXPORT void ravelMultiIndex(const LongType* indices, LongType* flat, LongType length, const LongType* info,
                                   IndexMode mode);

/// The inverse: writes `length` rows of indices. @throws std::runtime_error, before anything is written, for an offset
/// at which `info` has no element
SD_LIB_EXPORT void unravelIndex(LongType* indices, const LongType* flat, LongType length, const LongType* info);

}  // namespace sd::loops

#endif
