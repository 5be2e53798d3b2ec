// Arrays and pairs in FlatBuffers, the format of graph files.
#ifndef NDFORGE_GRAPH_FLATUTILS_H
#define NDFORGE_GRAPH_FLATUTILS_H

#include <array/NDArray.h>
#include <graph/generated/forward.h>
#include <system/common.h>

#if !defined(SD_BUILDING_LIBRARY) && __has_include(<flatbuffers/flatbuffers.h>)
#include <graph/generated/array_generated.h>
#include <graph/generated/utils_generated.h>
#endif

#include <utility>

namespace sd::graph {

/// The tables that are read must lie in a buffer that FlatBuffers' verifier has accepted, or that this program made.
/// What they say is checked.
class SD_LIB_EXPORT FlatUtils {
 public:
  /// @throws std::runtime_error for nullptr
  static std::pair<int, int> fromIntPair(const IntPair* pair);
  static std::pair<LongType, LongType> fromLongPair(const LongPair* pair);

  /// A new array with the shape, order and type of the table; the caller deletes it. Bytes in the other byte order are
  /// swapped. Elements with gaps between them are made contiguous. An array that is marked as empty although none of
  /// its dimensions is 0 becomes an empty array of rank 0.
  /// @throws std::runtime_error when shape, type and buffer contradict each other
  static NDArray* fromFlatArray(const FlatArray* flatArray);

  /// Writes the elements in the array's own order without gaps, in this machine's byte order.
  /// @throws std::runtime_error for an array without a shape, and when the array does not fit into the builder, whose
  /// limit is 2 GiB
  static flatbuffers::Offset<FlatArray> toFlatArray(flatbuffers::FlatBufferBuilder& builder, const NDArray& array);
};

}  // namespace sd::graph

#endif
