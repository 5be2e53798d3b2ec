// Moves whole sub-arrays: shuffle, tear, pull rows, concatenate, scatter; sums and means of several arrays.
//
// Errors (shapes, indices, null buffers, overlapping operands, types) are std::runtime_error, thrown before anything is
// written.
#ifndef NDFORGE_SRC_LOOPS_MOVING_H
#define NDFORGE_SRC_LOOPS_MOVING_H

#include <loops/Executor.h>

namespace sd::loops {

/// The sub-arrays of an array: the shapeInfo that they share, and the offset of each in elements. If info is nullptr,
/// they are the single elements of a vector.
struct Parts {
  const LongType* info;
  const LongType* offsets;
};

/// An array and its sub-arrays.
struct PartedArray {
  Out array;
  Parts parts;
};

/// In each array: for r = 0, 1, … swaps sub-arrays r and map[r], unless map[r] is negative. `map` has one entry for
/// each sub-array.
SD_LIB_EXPORT void shuffle(const std::vector<PartedArray>& arrays, const int* map);

/// Copies sub-array i of x to targets[i]; each target has the shape zInfo.
SD_LIB_EXPORT void tear(In x, Parts parts, void* const* targets, const LongType* zInfo);

/// Copies sub-array indexes[i] of x to sub-array i of z, for i < n.
SD_LIB_EXPORT void pullRows(In x, Parts xParts, Out z, Parts zParts, const LongType* indexes, LongType n);

/// Concatenates arrays of one type along a dimension. The other dimensions must be equal.
SD_LIB_EXPORT void concat(int dimension, const std::vector<In>& inputs, Out z);

/// How scatterUpdate combines an element of x and an element of y. The numbers are part of the interface.
enum class Update : int { Add, Subtract, Multiply, Divide, ReverseSubtract, ReverseDivide, Assign };
inline constexpr int UPDATE_COUNT = 7;

/// For i = 0 … n - 1: sub-array indexes[i] of x op= sub-array i of y if both have equal lengths, else does nothing.
/// `indexes` is INT32 or INT64. Only the caller knows how many sub-arrays x and y have: of the indices, only negative
/// ones throw.
SD_LIB_EXPORT void scatterUpdate(Update update, LongType n, void* x, Parts xParts, const void* y, Parts yParts,
                                 In indexes);

/// The sum over n contiguous arrays of (element / n), computed in float for 16-bit floats and otherwise in the type
/// itself (integers truncate each term). Writes the result to z, if z has data; also writes it to every x if
/// `propagate` is set or z has no data.
SD_LIB_EXPORT void average(void* const* x, DataType type, int n, LongType length, Out z, bool propagate);

/// z += the sum of n contiguous arrays. Integers wrap around.
SD_LIB_EXPORT void accumulate(const void* const* x, DataType type, int n, LongType length, Out z);

}  // namespace sd::loops

#endif
