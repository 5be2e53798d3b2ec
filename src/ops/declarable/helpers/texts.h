// The strings of arrays: reading them, and making an output from strings of which no length is known before.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TEXTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TEXTS_H

#include <execution/Parallel.h>

#include <string>
#include <string_view>
#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

/// The strings of an input as UTF-8. Whatever the encoding of the array, operations work on UTF-8: its order of bytes
/// is that of the characters, and no character is part of another one.
class Texts {
 public:
  /// Checks all strings, so that nobody has to check them later. The array must outlive the object.
  /// @throws std::invalid_argument naming the input for strings that are not valid in their encoding
  Texts(const NDArray& array, int index, const char* name);
  Texts(Texts&&) = default;

  LongType size() const { return _size; }
  std::string_view operator[](LongType i) const {
    return {_bytes + _offsets[i], static_cast<size_t>(_offsets[i + 1] - _offsets[i])};
  }
  /// Whether every character is a byte.
  bool isAscii() const { return _isAscii; }
  /// Bytes of all strings.
  LongType bytes() const { return _offsets[_size]; }

 private:
  const LongType* _offsets;
  const char* _bytes;
  LongType _size;
  bool _isAscii = true;
  // of arrays in other encodings
  std::vector<LongType> _ownOffsets;
  std::vector<char> _ownBytes;  // not a string, whose characters may move with it
};

/// Strings that are made one after the other.
class TextWriter {
 public:
  void add(std::string_view text) { _bytes.append(text); }
  /// Ends the string to which the calls of add() since the last end() belong.
  void end() { _ends.push_back(static_cast<LongType>(_bytes.size())); }

  /// The text that is being written.
  std::string& bytes() { return _bytes; }
  const std::vector<LongType>& ends() const { return _ends; }
  /// Changes the encoding from UTF-8.
  void encode(DataType type);

 private:
  std::string _bytes;
  std::vector<LongType> _ends;
};

/// z = the strings of the writers, one behind the other: z.lengthOf() strings of UTF-8.
void store(std::vector<TextWriter>& writers, NDArray& z);

/// Makes z of strings. write(first, last, writer) writes the strings first to last - 1, in several threads when
/// `cost`, the nanoseconds for all, is worth it. It must not throw but for want of memory.
template <typename F>
void writeTexts(NDArray& z, double cost, F&& write) {
  const LongType length = z.lengthOf();
  const int threads = execution::threadsFor(cost);
  std::vector<TextWriter> writers(static_cast<size_t>(threads));
  execution::parallel(threads, [&](int thread, int count) {
    TextWriter& writer = writers[static_cast<size_t>(thread)];
    write(length * thread / count, length * (thread + 1) / count, writer);
    writer.encode(z.dataType());
  });
  store(writers, z);
}

/// Which element of each operand, counted in c order, belongs to an element of the shape that they broadcast to.
class BroadcastWalk {
 public:
  /// The operands broadcast to `shape`.
  BroadcastWalk(const NDArray& shape, const std::vector<const NDArray*>& operands);

  /// Calls f(i, places) for elements first to last - 1; places[k] is the element of operand k.
  template <typename F>
  void run(LongType first, LongType last, F&& f) const {
    if (first >= last) return;
    const size_t rank = _sizes.size(), operands = _strides.size();
    Dims at(rank, 0), places(operands, 0);
    LongType rest = first;
    for (size_t d = rank; d-- > 0;) {
      at[d] = rest % _sizes[d];
      rest /= _sizes[d];
      for (size_t k = 0; k < operands; k++) places[k] += at[d] * _strides[k][d];
    }
    for (LongType i = first; i < last; i++) {
      f(i, static_cast<const LongType*>(places.data()));
      for (size_t d = rank; d-- > 0;) {
        for (size_t k = 0; k < operands; k++) places[k] += _strides[k][d];
        if (++at[d] < _sizes[d]) break;
        for (size_t k = 0; k < operands; k++) places[k] -= _sizes[d] * _strides[k][d];
        at[d] = 0;
      }
    }
  }

 private:
  Dims _sizes;
  std::vector<Dims> _strides;  // of each operand
};

}  // namespace sd::ops::helpers

#endif
