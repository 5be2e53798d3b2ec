// Views by indices.
#include <array/Indexing.h>

#include <algorithm>

#include "array/NDArrayCommon.h"
#include "shape/SubArrays.h"

namespace sd {

namespace indexing {

namespace {

/// The first position and the number of positions of an interval in a dimension, by the rules of Python's slices.
struct Steps {
  LongType first, count;

  Steps(const Index& index, LongType size) {
    if (index.step == 0) invalidArgument("[index] an interval has the step 0");
    const bool back = index.step < 0;
    const auto bound = [size, back](LongType given, LongType missing) {
      if (given == none) return missing;
      const LongType least = back ? -1 : 0, most = back ? size - 1 : size;
      return std::clamp(given < 0 ? given + size : given, least, most);
    };
    first = bound(index.start, back ? size - 1 : 0);
    const LongType stop = bound(index.stop, back ? -1 : size), distance = back ? first - stop : stop - first;
    // -step overflows only for the lowest number, which as an unsigned number is its own magnitude.
    const uint64_t step = back ? uint64_t{0} - static_cast<uint64_t>(index.step) : static_cast<uint64_t>(index.step);
    count = distance <= 0 ? 0 : static_cast<LongType>((static_cast<uint64_t>(distance) - 1) / step + 1);
  }
};

}  // namespace

NDArray viewAt(const NDArray& array, const Index* indices, size_t count) {
  if (array.shapeInfo() == nullptr) invalidArgument("[index] the array has no shape");
  const int rank = array.rankOf();
  int used = 0, added = 0, ellipses = 0;
  for (size_t i = 0; i < count; i++) {
    used += indices[i].kind == Index::Kind::Position || indices[i].kind == Index::Kind::Interval;
    added += indices[i].kind == Index::Kind::NewAxis;
    ellipses += indices[i].kind == Index::Kind::Ellipsis;
  }
  if (ellipses > 1) invalidArgument("[index] there are {} ellipses: at most one is possible", ellipses);
  if (used > rank)
    invalidArgument("[index] {} indices are given for {} dimensions (shape {})", used, rank, arrays::shapeText(array));
  if (rank + added > SD_MAX_RANK)
    invalidArgument("[index] the view would have more than {} dimensions (shape {})", SD_MAX_RANK,
                    arrays::shapeText(array));
  LongType sizes[2 * SD_MAX_RANK], strides[2 * SD_MAX_RANK], offset = 0;
  int next = 0, newRank = 0;
  const auto append = [&](LongType size, LongType stride) {
    sizes[newRank] = size;
    strides[newRank++] = stride;
  };
  const auto keep = [&](int dimensions) {
    for (; dimensions > 0; dimensions--, next++) append(array.sizeAt(next), array.stridesOf()[next]);
  };
  for (size_t i = 0; i < count; i++) {
    const Index& index = indices[i];
    if (index.kind == Index::Kind::NewAxis) {
      append(1, 1);
    } else if (index.kind == Index::Kind::Ellipsis) {
      keep(rank - used);
    } else {
      const LongType size = array.sizeAt(next), stride = array.stridesOf()[next];
      if (index.kind == Index::Kind::Position) {
        if (index.start < -size || index.start >= size)
          fail<std::out_of_range>("[index] position {} is outside {}..{} of dimension {} (shape {})", index.start,
                                  -size, size - 1, next, arrays::shapeText(array));
        offset += (index.start < 0 ? index.start + size : index.start) * stride;
      } else {
        const Steps steps(index, size);
        if (steps.count > 0) offset += steps.first * stride;
        append(steps.count, steps.count > 1 ? stride * index.step : stride);
      }
      next++;
    }
  }
  keep(rank - next);
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  const bool isEmpty = std::find(sizes, sizes + newRank, 0) != sizes + newRank;
  if (isEmpty || !array.hasElements())
    return NDArray('c', std::vector<LongType>(sizes, sizes + newRank), array.dataType(), array.getContext());
  shape::fillContiguous(info, array.dataType(), 'c', newRank, sizes);
  std::copy_n(strides, newRank, shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  return array.viewOf(info, offset);
}

void Part::refuseNumber() const {
  invalidArgument("[index] a part of shape {} is not one number", arrays::shapeText(*this));
}

}  // namespace indexing

indexing::PartIterator begin(const NDArray& array) {
  if (array.shapeInfo() == nullptr || array.rankOf() == 0)
    invalidArgument("[index] there are no parts of a scalar to go through");
  return indexing::PartIterator(array, 0);
}
indexing::PartIterator end(const NDArray& array) { return indexing::PartIterator(array, array.sizeAt(0)); }

}  // namespace sd
