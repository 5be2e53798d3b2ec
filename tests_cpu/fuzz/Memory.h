// Memory for the arrays of a call: each lies between pages that cannot be touched.
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
  /// `size` bytes that end at a guard page, or begin behind one; nullptr when there is no room.
  uint8_t* take(size_t size, bool atEnd);

 private:
  uint8_t* _base = nullptr;
  size_t _bytes = 0, _small = 0, _large = 0;
};

/// An array in guarded memory.
class Placed {
 public:
  /// Elements and gaps hold the pattern where there are no values. On the memory of `other` when that is given.
  bool place(Memory& memory, const Array& array, uint8_t pattern, bool atEnd, const Placed* other = nullptr);

  const Array& array() const { return _array; }
  void* data() const { return _array.nullBuffer ? nullptr : _first; }
  LongType* info() const { return _info; }
  /// The bytes that belong to it, from the lowest element on, and where element 0 lies among them.
  uint8_t* region() const { return _first + _extent.low * _array.unit(); }
  size_t regionSize() const { return static_cast<size_t>((_extent.high - _extent.low + 1) * _array.unit()); }
  size_t offset() const { return static_cast<size_t>(-_extent.low * _array.unit()); }

  /// Puts all bytes back to what they were, or to another pattern where nothing was given.
  void restore(uint8_t pattern);
  bool unchanged() const;
  /// True when only elements were written.
  bool gapsUntouched() const;
  /// The elements one after another, in c order.
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
