// Sorting. NaN comes last in both directions; equal elements keep their order.
//
// Errors (shapes, axes, types) are std::runtime_error, thrown before anything is written.
#ifndef NDFORGE_LOOPS_SORTING_H
#define NDFORGE_LOOPS_SORTING_H

#include <array/DataType.h>
#include <loops/Executor.h>

namespace sd::loops {

/// Sorts all elements in place, counted in c order. Any numeric type, any strides.
SD_LIB_EXPORT void sort(Out x, bool descending);

/// Sorts each sub-array of x along `axes` (empty: the whole array).
SD_LIB_EXPORT void sortAlong(Out x, const Axes& axes, bool descending);

/// As sortAlong, into z: the shape and type of x, and either the same memory and layout or not overlapping it.
SD_LIB_EXPORT void sortedAlong(In x, Out z, const Axes& axes, bool descending);

/// Sorts `keys` and permutes `values`, which has the same number of elements, in the same way.
SD_LIB_EXPORT void sortByKey(Out keys, Out values, bool descending);

/// As sortByKey in each sub-array along `axes`; the shapes must be equal.
SD_LIB_EXPORT void sortByKeyAlong(Out keys, Out values, const Axes& axes, bool descending);

/// The positions that the elements of each sub-array of x along `axis` have in order, in `z`: INT64, the shape of x,
/// not overlapping x. -0 equals 0.
SD_LIB_EXPORT void sortedPositions(In x, Out z, int axis, bool descending);

/// Sorts `length` rows of `rank` indices in ascending lexicographic order and permutes `values` (contiguous elements of
/// type `type`) in the same way.
SD_LIB_EXPORT void sortCooIndices(LongType* indices, int rank, LongType length, void* values, DataType type);

}  // namespace sd::loops

#endif
