// Distinct values of arrays.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DISTINCT_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DISTINCT_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// Numbers keys in the order in which they come first.
class KeyTable {
 public:
  KeyTable() { resize(1024); }
  /// The number of the key, a new one when it was not there.
  LongType number(UnsignedLong key);
  bool contains(UnsignedLong key) const { return _slots[slotOf(key)] >= 0; }
  LongType size() const { return static_cast<LongType>(_keys.size()); }

 private:
  std::vector<LongType> _slots;  // numbers, -1 where free; a power of two of them, at most half in use
  std::vector<UnsignedLong> _keys;
  int _shift;

  size_t slotOf(UnsignedLong key) const;
  void resize(size_t slots);
};

/// A key for each element in c order; equal numbers have equal keys, 0 and -0 too. Each NaN has a key of its own, which
/// depends on `firstNaN` + its position.
std::vector<UnsignedLong> keysOf(const NDArray& array, LongType firstNaN = 0);

}  // namespace sd::ops::helpers

#endif
