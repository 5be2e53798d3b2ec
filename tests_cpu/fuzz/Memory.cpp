#include "Memory.h"

#include <array/DataTypeUtils.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace fuzz {
namespace {

constexpr size_t PAGE = 4096, SMALL = size_t{64} << 10, SMALL_COUNT = 160, LARGE_COUNT = 24;
constexpr size_t MARGIN = 64;  // checked bytes on the side without a guard page

}  // namespace

Memory::Memory() {
  _bytes = SMALL_COUNT * (SMALL + PAGE) + LARGE_COUNT * (LARGEST + PAGE) + PAGE;
  void* base = mmap(nullptr, _bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) throw std::runtime_error("no address space for the arrays");
  _base = static_cast<uint8_t*>(base);
  uint8_t* at = _base + PAGE;
  for (size_t i = 0; i < SMALL_COUNT + LARGE_COUNT; i++) {
    const size_t size = i < SMALL_COUNT ? SMALL : LARGEST;
    if (mprotect(at, size, PROT_READ | PROT_WRITE) != 0) throw std::runtime_error("no memory for the arrays");
    at += size + PAGE;
  }
}

Memory::~Memory() { munmap(_base, _bytes); }

uint8_t* Memory::take(size_t size, bool atEnd) {
  if (size > LARGEST) return nullptr;
  uint8_t* block;
  size_t room;
  if (size <= SMALL && _small < SMALL_COUNT) {
    block = _base + PAGE + _small++ * (SMALL + PAGE);
    room = SMALL;
  } else if (_large < LARGE_COUNT) {
    block = _base + PAGE + SMALL_COUNT * (SMALL + PAGE) + _large++ * (LARGEST + PAGE);
    room = LARGEST;
  } else {
    return nullptr;
  }
  return atEnd ? block + room - size : block;
}

bool Placed::place(Memory& memory, const Array& array, uint8_t pattern, bool atEnd, const Placed* other) {
  _array = array;
  if (!_array.given) return true;
  const std::vector<LongType> info = _array.info();
  if (!_array.nullInfo) {
    _info = reinterpret_cast<LongType*>(memory.take(info.size() * sizeof(LongType), true));
    if (_info == nullptr) return false;
    std::copy(info.begin(), info.end(), _info);
  }
  _infoBefore = info;
  if (!extentOf(_array, _extent)) return false;
  if (other != nullptr) {
    // Either the elements lie inside the other array's bytes, or the array gets memory elsewhere.
    const LongType unit = _array.unit(), shift = _array.shift * unit;
    const auto inside = static_cast<LongType>(other->regionSize());
    if (shift >= 0 && _extent.low == 0 && shift + (_extent.high + 1) * unit <= inside) {
      _first = other->region() + shift;
      _block = other->_block;
      _blockSize = other->_blockSize;
      _shared = true;
      _before.assign(_block, _block + _blockSize);
      return true;
    }
  }
  // Strings begin with 64-bit offsets, which are aligned as all numbers are.
  const size_t size = _array.isString() ? (regionSize() + 7) / 8 * 8 : regionSize();
  _blockSize = size + MARGIN;
  _block = memory.take(_blockSize, atEnd);
  if (_block == nullptr) return false;
  _first = (atEnd ? _block + MARGIN : _block) + offset();
  fill(pattern);
  return true;
}

template <typename F>
void Placed::forEach(F&& f) const {
  const Dims &dims = _array.dims, &strides = _array.strides;
  Dims at(dims.size(), 0);
  LongType offset = 0;
  for (LongType left = _array.length(); left > 0; left--) {
    f(offset);
    for (size_t d = dims.size(); d-- > 0;) {
      offset += strides[d];
      if (++at[d] < dims[d]) break;
      offset -= strides[d] * dims[d];
      at[d] = 0;
    }
  }
}

void Placed::fill(uint8_t pattern) {
  std::memset(_block, pattern, _blockSize);
  const Bytes& values = _array.values;
  if (_array.isString()) {
    std::copy(values.begin(), values.end(), _first);
  } else if (!values.empty() && !_array.isEmpty() &&
             _array.length() <= LongType{1} << 22) {  // larger arrays are not read
    // The size of the type, even if a lie places the elements further apart.
    const size_t size = sd::DataTypeUtils::sizeOf(_array.type);
    const LongType unit = _array.unit();
    size_t next = 0;
    forEach([&](LongType offset) {
      std::memcpy(_first + offset * unit, values.data() + next, size);
      next = next + 2 * size <= values.size() ? next + size : 0;
    });
  }
  _before.assign(_block, _block + _blockSize);
}

void Placed::restore(uint8_t pattern) {
  if (_block == nullptr) return;
  if (_shared)
    std::copy(_before.begin(), _before.end(), _block);
  else
    fill(pattern);
}

bool Placed::unchanged() const {
  if (_info != nullptr && !std::equal(_infoBefore.begin(), _infoBefore.end(), _info)) return false;
  return _block == nullptr || std::memcmp(_before.data(), _block, _blockSize) == 0;
}

bool Placed::gapsUntouched() const {
  if (_info != nullptr && !std::equal(_infoBefore.begin(), _infoBefore.end(), _info)) return false;
  if (_block == nullptr || _array.isString() || _shared) return true;
  Bytes now(_block, _block + _blockSize);
  const auto unit = static_cast<size_t>(_array.unit());
  const auto first = static_cast<size_t>(_first - _block);
  forEach([&](LongType offset) {
    const size_t at = first + static_cast<size_t>(offset * static_cast<LongType>(unit));
    std::memcpy(now.data() + at, _before.data() + at, unit);
  });
  return now == _before;
}

Bytes Placed::elements() const {
  Bytes bytes;
  if (_block == nullptr || _array.isString()) return bytes;
  const auto unit = static_cast<size_t>(_array.unit());
  forEach([&](LongType offset) {
    const uint8_t* at = _first + offset * static_cast<LongType>(unit);
    bytes.insert(bytes.end(), at, at + unit);
  });
  return bytes;
}

}  // namespace fuzz
