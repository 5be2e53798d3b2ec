// Distinct values of arrays.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DISTINCT_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_DISTINCT_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// Numbers keys in the order of their first occurrence.
class KeyTable {
 public:
  KeyTable() : _slots(1024), _shift(64 - 10) {}
  /// The number of the key; a key that is not in the table gets the next number.
  LongType number(UnsignedLong key);
  bool contains(UnsignedLong key) const { return _slots[slotOf(key)].number >= 0; }
  LongType size() const { return _size; }
  /// Prefetches the slot that number(key) reads first.
  void prefetch(UnsignedLong key) const { __builtin_prefetch(&_slots[firstSlot(key)]); }

 private:
  struct Slot {
    UnsignedLong key = 0;
    LongType number = -1;  // -1: the slot is free
  };
  std::vector<Slot> _slots;  // a power of two in number, at most half of them in use
  int _shift;
  LongType _size = 0;

  // Multiplication by 2^64 / golden ratio spreads neighbouring keys; the high bits depend on all bits of the key.
  size_t firstSlot(UnsignedLong key) const { return ((key ^ (key >> 32)) * 0x9E3779B97F4A7C15u) >> _shift; }
  size_t slotOf(UnsignedLong key) const;
  void grow();
};

/// A key of 64 bits for each element in c order. Equal numbers have equal keys, also 0 and -0. Every NaN has a
/// different key, which depends on `firstNaN` + its position. Reads the array, which must outlive the result, or a copy
/// of it.
Dense keysOf(const NDArray& array, LongType firstNaN = 0);

}  // namespace sd::ops::helpers

#endif
