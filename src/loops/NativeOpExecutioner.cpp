#include <legacy/NativeOpExecutioner.h>

#include <helpers/shape.h>

#include <bit>
#include <string_view>

#include "loops/Operand.h"
#include "loops/ReduceCommon.h"
#include "shape/SubArrays.h"
#include "system/Error.h"

namespace {

bool isPermutation(const sd::loops::Axes& axes, const sd::LongType* info) {
  if (info == nullptr || shape::rank(info) < 2 || static_cast<int>(axes.size()) != shape::rank(info)) return false;
  uint32_t found = 0;
  for (const int axis : axes)
    if (axis >= 0 && axis < shape::rank(info)) found |= 1u << axis;
  return std::popcount(found) == shape::rank(info);
}

}  // namespace

sd::loops::Axes NativeOpExecutioner::axes(const char* function, const int* dimension, int dimensionLength) {
  if (dimensionLength < 0) sd::fail("[{}] argument 'dimensionLength' is {}", function, dimensionLength);
  if (dimension == nullptr && dimensionLength > 0) sd::fail("[{}] argument 'dimension' is null", function);
  return sd::loops::Axes(dimension, dimension + dimensionLength);
}

sd::loops::Axes NativeOpExecutioner::axes(const char* function, const int* dimension, int dimensionLength, Info whole,
                                          Info tad, Info offsets) {
  if (dimension != nullptr || dimensionLength != 0 || tad == nullptr) {
    sd::loops::Axes given = axes(function, dimension, dimensionLength);
    const bool reduces = std::string_view(function).starts_with("execReduce");
    if (reduces && isPermutation(given, whole)) given.push_back(sd::loops::PERMUTED);
    return given;
  }
  shape::validate(whole, function);
  shape::validate(tad, function);
  // Both list their dimensions in the same order. It does not matter which unit dimensions match.
  const int rank = shape::rank(whole);
  uint32_t kept = 0;
  int at = rank;
  for (int d = shape::rank(tad); d-- > 0;) {
    const sd::LongType size = tad[1 + d];
    if (size == 1) continue;
    do --at;
    while (at >= 0 && (whole[1 + at] != size || shape::stride(whole)[at] != shape::stride(tad)[d]));
    if (at < 0) break;
    kept |= 1u << at;
  }
  const sd::SubArrays parts(whole, kept);
  bool fits = at >= 0 || (rank == 0 && shape::length(tad) == 1);
  sd::LongType coordinates[SD_MAX_RANK] = {}, offset = 0;
  for (sd::LongType i = 0; fits && offsets != nullptr && i < parts.count; i++) {
    fits = offsets[i] == offset;
    for (int k = parts.excludedCount; k-- > 0;) {
      const int d = parts.excluded[k];
      offset += shape::stride(whole)[d];
      if (++coordinates[k] < whole[1 + d]) break;
      offset -= whole[1 + d] * shape::stride(whole)[d];
      coordinates[k] = 0;
    }
  }
  sd::loops::Axes result;
  for (int d = 0; d < rank; d++)
    if ((kept >> d & 1) != 0 || (kept == 0 && whole[1 + d] == 1)) result.push_back(d);
  // An empty list would mean all dimensions.
  if (!fits || (result.empty() && shape::length(whole) != 1))
    sd::fail("[{}] sub-arrays of shape {} do not lie along whole dimensions of shape {}", function,
             sd::loops::shapeText(tad), sd::loops::shapeText(whole));
  return result;
}

sd::graph::RandomGenerator& NativeOpExecutioner::generator(sd::Pointer state) {
  if (state == nullptr) sd::fail("[execRandom] argument 'state' is null");
  return *static_cast<sd::graph::RandomGenerator*>(state);
}
