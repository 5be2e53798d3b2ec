#include <helpers/TAD.h>

#include <iterator>
#include <utility>

#include "shape/Interned.h"
#include "shape/SubArrays.h"
#include "system/Error.h"

namespace shape {

using sd::LongType;

void TAD::init(const LongType* info, const int* dims, int n) { init(0, info, dims, n); }

void TAD::init(int index, const LongType* info, const int* dims, int n) {
  validate(info, "tad");
  std::vector<LongType> copy(info, info + shapeInfoLength(info));
  sd::normaliseSlots(copy.data());
  const uint32_t kept = sd::keptDimensions(shape::rank(info), dims, n, "tad");
  const sd::SubArrays parts(copy.data(), kept);

  _info = std::move(copy);
  _excluded.assign(parts.excluded, parts.excluded + parts.excludedCount);
  _dimension.clear();
  for (int i = 0; i < shape::rank(info); i++)
    if (kept >> i & 1) _dimension.push_back(i);
  _tadInfo.clear();
  _offsets.reset();

  tadIndex = index;
  shapeInfo = _info.data();
  rank = shape::rank(shapeInfo);
  dimension = _dimension.data();
  dimensionLength = static_cast<int>(_dimension.size());
  numTads = parts.count;
  wholeThing = parts.excludedCount == 0;
  tadOnlyShapeInfo = tadOffsets = tadShape = tadStride = nullptr;
  tadRank = 0;
}

void TAD::createTadOnlyShapeInfo() {
  if (!shapeInfo) sd::fail("[tad] createTadOnlyShapeInfo was called before init");
  _tadInfo.resize(shapeInfoLength(rank));
  calcSubArrsShapeInfoAndOffsets(shapeInfo, 0, static_cast<int>(_excluded.size()), _excluded.data(), _tadInfo.data(),
                                 nullptr);
  if (!wholeThing && _tadInfo[0] == 1) {
    // A sub-array of rank 1 becomes a matrix with one row.
    LongType slots[] = {2, 1, _tadInfo[1], 1, _tadInfo[2], _tadInfo[3], _tadInfo[4], _tadInfo[5]};
    _tadInfo.assign(std::begin(slots), std::end(slots));
    if (!isEmpty(slots)) checkStridesEwsAndOrder(_tadInfo.data());
  }
  tadOnlyShapeInfo = _tadInfo.data();
  tadRank = shape::rank(tadOnlyShapeInfo);
  tadShape = shapeOf(tadOnlyShapeInfo);
  tadStride = stride(tadOnlyShapeInfo);
}

void TAD::createOffsets() {
  if (!shapeInfo) sd::fail("[tad] createOffsets was called before init");
  LongType slots[SD_MAX_SHAPEINFOLENGTH];
  _offsets = sd::allocateOffsets(numTads);
  calcSubArrsShapeInfoAndOffsets(shapeInfo, numTads, static_cast<int>(_excluded.size()), _excluded.data(), slots,
                                 _offsets.get());
  tadOffsets = _offsets.get();
}

LongType TAD::tadOffset(LongType index) const {
  if (index < 0 || index >= numTads) sd::fail("[tad] sub-array {} is outside 0..{}", index, numTads - 1);
  const LongType* strides = stride(shapeInfo);
  LongType offset = 0;
  for (size_t k = _excluded.size(); k-- > 0;) {
    const LongType dim = shapeInfo[1 + _excluded[k]];
    offset += index % dim * strides[_excluded[k]];
    index /= dim;
  }
  return offset;
}

bool TAD::dimensionsDescending(int rankOfArray, const int* dims, int n) const {
  for (int i = 0; i < n; i++)
    if (dims[i] != rankOfArray - n + i) return false;
  return true;
}

}  // namespace shape
