#include "ops/declarable/helpers/distinct.h"

#include <bit>

namespace sd::ops::helpers {

void KeyTable::resize(size_t slots) {
  _slots.assign(slots, -1);
  _shift = 64 - std::countr_zero(slots);
  for (size_t k = 0; k < _keys.size(); k++) _slots[slotOf(_keys[k])] = static_cast<LongType>(k);
}

size_t KeyTable::slotOf(UnsignedLong key) const {
  // Multiplication by 2^64 / golden ratio spreads neighbours; its high bits depend on all bits of the key.
  size_t slot = static_cast<size_t>(((key ^ (key >> 32)) * 0x9E3779B97F4A7C15u) >> _shift);
  while (_slots[slot] >= 0 && _keys[static_cast<size_t>(_slots[slot])] != key) slot = (slot + 1) & (_slots.size() - 1);
  return slot;
}

LongType KeyTable::number(UnsignedLong key) {
  LongType& slot = _slots[slotOf(key)];
  if (slot >= 0) return slot;
  const LongType next = slot = size();
  _keys.push_back(key);
  // Small tables stay in the cache; few resizes make large ones.
  if (2 * _keys.size() > _slots.size()) resize(4 * _slots.size());
  return next;
}

std::vector<UnsignedLong> keysOf(const NDArray& array, LongType firstNaN) {
  std::vector<UnsignedLong> keys(static_cast<size_t>(array.lengthOf()));
  if (keys.empty()) return keys;
  if (!array.isR()) {
    const Dense values(array, array.dataType() == UINT64 ? UINT64 : INT64);
    std::copy_n(values.as<UnsignedLong>(), keys.size(), keys.begin());
    return keys;
  }
  const Dense values(array, DOUBLE);
  for (size_t i = 0; i < keys.size(); i++) {
    const double value = values.as<double>()[i];
    // A quiet NaN has room for 51 bits; other numbers never have these patterns.
    keys[i] = value == 0       ? 0
              : value == value ? std::bit_cast<UnsignedLong>(value)
                               : 0xFFF8000000000000u | static_cast<UnsignedLong>(firstNaN + static_cast<LongType>(i));
  }
  return keys;
}

}  // namespace sd::ops::helpers
