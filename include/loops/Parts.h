// Operations along dimensions for a part of the sub-arrays: those numbered first to last - 1, counted in c order over
// the other dimensions. The rest of z is not written.
//
// Errors are those of loops/Executor.h, and std::runtime_error when these sub-arrays do not exist.
#ifndef NDFORGE_LOOPS_PARTS_H
#define NDFORGE_LOOPS_PARTS_H

#include <loops/Executor.h>

namespace sd::loops {

/// As reduce3: element k of z, in c order, is the result for sub-array k.
SD_LIB_EXPORT void reduce3Part(int op, In x, In y, Out z, const void* params, int paramCount, const Axes& axes,
                               LongType first, LongType last);

/// As reduce3All, for sub-arrays of x.
SD_LIB_EXPORT void reduce3AllPart(int op, In x, In y, Out z, const void* params, int paramCount, const Axes& axes,
                                  LongType first, LongType last);

/// As broadcast, or as inverseBroadcast when `inverse`.
SD_LIB_EXPORT void broadcastPart(OpGroup group, int op, In x, In y, Out z, const void* params, const Axes& axes,
                                 bool inverse, LongType first, LongType last);

}  // namespace sd::loops

#endif
