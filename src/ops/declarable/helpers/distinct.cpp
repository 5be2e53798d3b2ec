#include "ops/declarable/helpers/distinct.h"

#include <bit>

namespace sd::ops::helpers {

size_t KeyTable::slotOf(UnsignedLong key) const {
  size_t slot = firstSlot(key);
  while (_slots[slot].number >= 0 && _slots[slot].key != key) slot = (slot + 1) & (_slots.size() - 1);
  return slot;
}

LongType KeyTable::number(UnsignedLong key) {
  Slot& slot = _slots[slotOf(key)];
  if (slot.number >= 0) return slot.number;
  slot = {key, _size++};
  const LongType number = slot.number;
  // The table starts small and grows, so that it stays in the cache when there are few keys.
  if (2 * static_cast<size_t>(_size) > _slots.size()) grow();
  return number;
}

void KeyTable::grow() {
  std::vector<Slot> before(2 * _slots.size());
  before.swap(_slots);
  _shift--;
  for (const Slot& slot : before)
    if (slot.number >= 0) _slots[slotOf(slot.key)] = slot;
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
    // The payload of a quiet NaN has 51 bits, and no other number has these bit patterns.
    keys[i] = value == 0       ? 0
              : value == value ? std::bit_cast<UnsignedLong>(value)
                               : 0xFFF8000000000000u | static_cast<UnsignedLong>(firstNaN + static_cast<LongType>(i));
  }
  return keys;
}

}  // namespace sd::ops::helpers
