// Memory for the arrays of a call: each lies next to a guard page.
#ifndef NDFORGE_FUZZ_MEMORY_H
#define NDFORGE_FUZZ_MEMORY_H

#include <string>

#include "Array.h"

namespace fuzz {

/// Blocks between guard pages, reused from call to call.
class Memory {
 public:
  static constexpr size_t LARGEST = size_t{8} << 20;
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void reset() { _small = _large = 0; }
  /// `size` bytes that end at a guard page, or begin after one; nullptr when there is not enough room.
  uint8_t* take(size_t size, bool atEnd);

 private:
  uint8_t* _base = nullptr;
  size_t _bytes = 0, _small = 0, _large = 0;
};

/// An array in guarded memory.
class Placed {
 public:
  /// Elements without values, and gaps, are filled with the pattern. If `other` is given, the array is placed in its
  /// memory.
  bool place(Memory& memory, const Array& array, uint8_t pattern, bool atEnd, const Placed* other = nullptr);

  const Array& array() const { return _array; }
  void* data() const { return _array.nullBuffer ? nullptr : _first; }
  LongType* info() const { return _info; }
  /// The array's bytes from the lowest element on, and the offset of element 0 in them.
  uint8_t* region() const { return _first + _extent.low * _array.unit(); }
  size_t regionSize() const { return static_cast<size_t>((_extent.high - _extent.low + 1) * _array.unit()); }
  size_t offset() const { return static_cast<size_t>(-_extent.low * _array.unit()); }

  /// Restores all bytes, or fills those without values with another pattern.
  void restore(uint8_t pattern);
  bool unchanged() const;
  /// Whether nothing but elements was written.
  bool gapsUntouched() const;
  /// The elements in c order, without gaps.
  Bytes elements() const;

 private:
  Array _array;
  Extent _extent{0, -1};
  uint8_t *_block = nullptr, *_first = nullptr;
  size_t _blockSize = 0;
  LongType* _info = nullptr;
  std::vector<LongType> _infoBefore;
  Bytes _before;
  bool _shared = false;

  void fill(uint8_t pattern);
  template <typename F>
  void forEach(F&& f) const;
};

}  // namespace fuzz

#endif
