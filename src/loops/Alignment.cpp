#include "loops/Alignment.h"

#include <algorithm>

#include "shape/broadcasting.h"

namespace sd::loops {

bool matchSizes(const Operand& x, Space space, LongType* strides) {
  int k = 0;
  for (int i = 0; i < space.rank; i++) {
    strides[i] = 0;
    if (space.sizes[i] == 1) continue;
    while (k < x.rank && x.sizes[k] == 1) k++;
    if (k == x.rank || x.sizes[k] != space.sizes[i]) return false;
    strides[i] = x.strides[k++];
  }
  while (k < x.rank && x.sizes[k] == 1) k++;
  return k == x.rank;
}

bool matchElements(const Operand& x, Space space, LongType* strides) {
  if (matchSizes(x, space, strides)) return true;
  LongType length = 1;
  for (int i = 0; i < space.rank; i++) length *= space.sizes[i];
  const LongType stride = linearStride(x);
  if (length != x.length || stride == 0) return false;
  LongType run = stride;
  for (int i = space.rank - 1; i >= 0; i--) {
    strides[i] = run;
    run *= space.sizes[i];
  }
  return true;
}

bool matchBroadcast(const Operand& x, Space space, LongType* strides) {
  const int lead = space.rank - x.rank;
  for (int i = 0; i < -lead; i++)
    if (x.sizes[i] != 1) return false;
  for (int i = 0; i < space.rank; i++) {
    strides[i] = 0;
    const int k = i - lead;
    if (k < 0) continue;
    if (!broadcasting::stretches(x.sizes[k], space.sizes[i])) return false;
    if (x.sizes[k] != 1) strides[i] = x.strides[k];
  }
  return true;
}

bool matchAlong(const Operand& y, Space space, const Axes& axes, LongType* strides) {
  LongType sizes[SD_MAX_RANK], along[SD_MAX_RANK];
  const int rank = static_cast<int>(axes.size());
  for (int i = 0; i < rank; i++) sizes[i] = space.sizes[axes[i]];
  if (!matchElements(y, {rank, sizes}, along)) return false;
  std::fill_n(strides, space.rank, LongType(0));
  for (int i = 0; i < rank; i++) strides[axes[i]] = along[i];
  return true;
}

}  // namespace sd::loops
