// Arrays for tests: any strides, guarded memory, and a shapeInfo that is built here.
#ifndef NDFORGE_TESTS_NUMBEREDARRAYS_H
#define NDFORGE_TESTS_NUMBEREDARRAYS_H

#include <loops/Executor.h>

#include <numeric>
#include <string>
#include <vector>

#include "NumberedData.h"

namespace sd::numbered {

using Dims = std::vector<LongType>;

/// How the elements of an array lie in memory.
enum class Layout {
  C,            ///< contiguous, last dimension fastest
  F,            ///< contiguous, first dimension fastest
  EverySecond,  ///< 'c' with a gap after each element
  Reversed,     ///< contiguous with gaps, first dimension fastest, but marked as order 'c'
  Permuted,     ///< dimensions rotated by one, without gaps
  Padded,       ///< rows with a gap after each
  Negative,     ///< every dimension has a negative stride
};
inline constexpr Layout LAYOUTS[] = {Layout::C,        Layout::F,      Layout::EverySecond, Layout::Reversed,
                                     Layout::Permuted, Layout::Padded, Layout::Negative};

inline const char* nameOf(Layout layout) {
  static constexpr const char* NAMES[] = {"c", "f", "every second", "reversed", "permuted", "padded", "negative"};
  return NAMES[static_cast<int>(layout)];
}

inline std::string textOf(const Dims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + "]";
}

inline LongType lengthOf(const Dims& dims) {
  return std::accumulate(dims.begin(), dims.end(), LongType(1), std::multiplies<>());
}

/// Strides of the dimensions in elements, and the order for the shapeInfo.
struct Strides {
  std::vector<LongType> steps;
  char order;
};

inline Strides stridesFor(const Dims& dims, Layout layout) {
  const int rank = static_cast<int>(dims.size());
  std::vector<int> fastestFirst(dims.size());
  const bool firstFastest = layout == Layout::F || layout == Layout::Reversed;
  for (int d = 0; d < rank; ++d) fastestFirst[static_cast<size_t>(d)] = firstFastest ? d : rank - 1 - d;
  if (layout == Layout::Permuted && rank > 1)
    std::rotate(fastestFirst.begin(), fastestFirst.begin() + 1, fastestFirst.end());
  const bool gaps = layout == Layout::EverySecond || layout == Layout::Reversed;
  Strides strides{std::vector<LongType>(dims.size()), layout == Layout::F ? 'f' : 'c'};
  LongType step = gaps ? 2 : 1;
  for (size_t i = 0; i < fastestFirst.size(); ++i) {
    const auto d = static_cast<size_t>(fastestFirst[i]);
    strides.steps[d] = step;
    step = step * dims[d] + (layout == Layout::Padded && i == 0 ? 3 : 0);
  }
  if (layout == Layout::Negative)
    for (LongType& s : strides.steps) s = -s;
  return strides;
}

/// The slots of a shapeInfo, with element-wise stride and order normalised as documented for the interface.
inline std::vector<LongType> shapeInfoOf(DataType type, const Dims& dims, std::vector<LongType> steps, char order) {
  const bool empty = std::find(dims.begin(), dims.end(), 0) != dims.end();
  if (empty) std::fill(steps.begin(), steps.end(), 0);
  std::vector<LongType> d, s;
  for (size_t i = 0; i < dims.size(); ++i)
    if (dims[i] != 1) d.push_back(dims[i]), s.push_back(steps[i]);
  LongType ews = 1;
  if (!empty && d.size() == 1) {
    ews = s[0];
  } else if (!empty && d.size() > 1) {
    bool c = true, f = true;
    for (size_t i = 0; i + 1 < d.size(); ++i) {
      c = c && s[i] == d[i + 1] * s[i + 1];
      f = f && s[i + 1] == d[i] * s[i];
    }
    ews = c ? s.back() : f ? s.front() : 0;
    order = c ? 'c' : f ? 'f' : order;
  }
  if (ews < 0) ews = 0;
  std::vector<LongType> info{static_cast<LongType>(dims.size())};
  info.insert(info.end(), dims.begin(), dims.end());
  info.insert(info.end(), steps.begin(), steps.end());
  info.insert(info.end(), {facts(type).flags | (empty ? 8 : 0), ews, order});
  return info;
}

/// Calls f(offset of the element) for all elements in c order.
template <typename F>
void forEachOffset(const Dims& dims, const std::vector<LongType>& steps, F&& f) {
  std::vector<LongType> at(dims.size(), 0);
  LongType offset = 0;
  for (LongType left = lengthOf(dims); left > 0; --left) {
    f(offset);
    for (size_t d = dims.size(); d-- > 0;) {
      offset += steps[d];
      if (++at[d] < dims[d]) break;
      offset -= steps[d] * dims[d];
      at[d] = 0;
    }
  }
}

class TestArray {
 public:
  TestArray(DataType type, Dims dims, Layout layout) : _type(type), _dims(std::move(dims)) {
    const Strides strides = stridesFor(_dims, layout);
    _info = shapeInfoOf(type, _dims, strides.steps, strides.order);
    LongType low = 0, high = 0;
    forEachOffset(_dims, strides.steps, [&](LongType offset) {
      low = std::min(low, offset);
      high = std::max(high, offset);
      _offsets.push_back(offset);
    });
    _storage.assign(static_cast<size_t>((high - low + 1 + 2 * GUARD) * facts(type).bytes), CANARY);
    _base = GUARD - low;
  }

  /// Element i is values[i % count], or values[pick(i)].
  TestArray& fill(const Values& values) {
    return fill(values, [n = values.count](LongType i) { return i % n; });
  }
  template <typename Pick>
  TestArray& fill(const Values& values, Pick&& pick) {
    const auto size = static_cast<size_t>(facts(_type).bytes);
    for (LongType i = 0; i < length(); ++i) std::memcpy(element(i), values.at(pick(i)), size);
    return *this;
  }

  loops::In in() const { return {address(0), _info.data()}; }
  loops::Out out() { return {address(0), _info.data()}; }
  LongType length() const { return static_cast<LongType>(_offsets.size()); }
  const Dims& dims() const { return _dims; }
  DataType type() const { return _type; }
  std::vector<LongType>& info() { return _info; }
  uint8_t* element(LongType i) { return address(_offsets[static_cast<size_t>(i)]); }
  const uint8_t* element(LongType i) const { return address(_offsets[static_cast<size_t>(i)]); }
  const std::vector<uint8_t>& bytes() const { return _storage; }

  /// Whether the bytes between the elements are unchanged.
  bool gapsUntouched() const {
    std::vector<uint8_t> copy = _storage;
    const auto size = static_cast<size_t>(facts(_type).bytes);
    for (LongType offset : _offsets) std::memset(copy.data() + (_base + offset) * facts(_type).bytes, CANARY, size);
    return std::all_of(copy.begin(), copy.end(), [](uint8_t b) { return b == CANARY; });
  }

 private:
  static constexpr LongType GUARD = 16;
  static constexpr uint8_t CANARY = 0xA5;

  uint8_t* address(LongType offset) { return _storage.data() + (_base + offset) * facts(_type).bytes; }
  const uint8_t* address(LongType offset) const { return _storage.data() + (_base + offset) * facts(_type).bytes; }

  DataType _type;
  Dims _dims;
  std::vector<LongType> _info, _offsets;
  std::vector<uint8_t> _storage;
  LongType _base = 0;
};

}  // namespace sd::numbered

#endif
