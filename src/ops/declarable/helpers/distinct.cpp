#include "ops/declarable/helpers/distinct.h"

#include <bit>

#include "ops/declarable/helpers/real.h"

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

Dense keysOf(const NDArray& array, LongType firstNaN) {
  if (!array.isR()) return Dense(array, array.dataType() == UINT64 ? UINT64 : INT64);
  NDArray keys = unset(DOUBLE, dimsOf(array.shapeInfo()));
  if (array.isEmpty()) return Dense(std::move(keys), DOUBLE);
  keys.assign(array);
  const auto* values = keys.bufferAsT<double>();
  auto* bits = static_cast<UnsignedLong*>(keys.buffer());
  overElements(array.lengthOf(), 1, [values, bits, firstNaN](LongType start, LongType stop) {
    for (LongType i = start; i < stop; i++) {
      const double value = values[i];
      // The payload of a quiet NaN has 51 bits, and no other number has these bit patterns.
      bits[i] = value == value ? std::bit_cast<UnsignedLong>(value + 0.0)  // -0 becomes 0
                               : 0xFFF8000000000000u | static_cast<UnsignedLong>(firstNaN + i);
    }
  });
  return Dense(std::move(keys), DOUBLE);
}

}  // namespace sd::ops::helpers
