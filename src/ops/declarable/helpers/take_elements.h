// Elements at given positions.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TAKE_ELEMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TAKE_ELEMENTS_H

#include <system/common.h>

namespace sd::ops::helpers {

/// to[j] = from[indices[j]] for j < n. Reads several elements before it writes them, so that processors wait for them
/// together; a compiler, for which `to` might overlap `from`, cannot arrange that.
template <typename T>
void takeElements(const T* from, const LongType* indices, LongType n, T* to) {
  constexpr LongType AT_ONCE = 8;
  LongType j = 0;
  for (; j + AT_ONCE <= n; j += AT_ONCE) {
    T taken[AT_ONCE];
    for (LongType k = 0; k < AT_ONCE; k++) taken[k] = from[indices[j + k]];
    for (LongType k = 0; k < AT_ONCE; k++) to[j + k] = taken[k];
  }
  for (; j < n; j++) to[j] = from[indices[j]];
}

}  // namespace sd::ops::helpers

#endif
