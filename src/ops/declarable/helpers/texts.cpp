#include "ops/declarable/helpers/texts.h"

#include <array/NDArrayFactory.h>

#include <algorithm>
#include <cstring>

#include "types/Unicode.h"

namespace sd::ops::helpers {
namespace {

[[noreturn]] void rejectText(const NDArray& array, int index, const char* name, LongType i, const char* what) {
  reject("input {} '{}': the string at {} {}", index, name, text(placeOf(array, i)), what);
}

bool isAsciiText(const char* bytes, LongType size) {
  unsigned char all = 0;
  for (LongType i = 0; i < size; i++) all |= static_cast<unsigned char>(bytes[i]);
  return all < 0x80;
}

bool isValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = unicode::characterAt(text);
    if (!character.isValid) return false;
    text.remove_prefix(character.bytes);
  }
  return true;
}

}  // namespace

Texts::Texts(const NDArray& array, int index, const char* name) : _size(array.lengthOf()) {
  static constexpr LongType NOTHING[] = {0};
  if (!array.isS())
    reject("input {} '{}': its type is {}, not strings", index, name, DataTypeUtils::describe(array.dataType()));
  _offsets = NOTHING;
  _bytes = "";
  if (array.isEmpty()) {
    _size = 0;
    return;
  }
  const size_t header = (static_cast<size_t>(_size) + 1) * sizeof(LongType);
  const size_t all = array.getDataBuffer()->getLenInBytes();
  const auto* offsets = array.bufferAsT<LongType>();
  if (header > all) reject("input {} '{}': its buffer is damaged", index, name);
  const auto room = static_cast<LongType>(all - header);
  bool isSound = offsets[0] == 0;
  for (LongType i = 0; isSound && i < _size; i++) isSound = offsets[i] <= offsets[i + 1] && offsets[i + 1] <= room;
  if (!isSound) reject("input {} '{}': its buffer is damaged", index, name);
  const char* bytes = reinterpret_cast<const char*>(offsets) + header;
  if (array.dataType() == UTF8) {
    _offsets = offsets;
    _bytes = bytes;
    _isAscii = isAsciiText(_bytes, offsets[_size]);
    for (LongType i = 0; !_isAscii && i < _size; i++)
      if (!isValidUtf8((*this)[i])) rejectText(array, index, name, i, "is not valid UTF-8");
    return;
  }
  _ownOffsets.reserve(static_cast<size_t>(_size) + 1);
  _ownOffsets.push_back(0);
  for (LongType i = 0; i < _size; i++) {
    const std::string_view encoded(bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i]));
    try {
      const std::string text = unicode::transcode(encoded, array.dataType(), UTF8);
      _ownBytes.insert(_ownBytes.end(), text.begin(), text.end());
    } catch (const std::exception&) {
      rejectText(array, index, name, i, array.dataType() == UTF16 ? "is not valid UTF-16" : "is not valid UTF-32");
    }
    _ownOffsets.push_back(static_cast<LongType>(_ownBytes.size()));
  }
  _offsets = _ownOffsets.data();
  _bytes = _ownBytes.data();
  _isAscii = isAsciiText(_bytes, static_cast<LongType>(_ownBytes.size()));
}

void TextWriter::encode(DataType type) {
  if (type == UTF8) return;
  std::string encoded;
  LongType start = 0;
  for (LongType& end : _ends) {
    encoded += unicode::transcode(
        std::string_view(_bytes).substr(static_cast<size_t>(start), static_cast<size_t>(end - start)), UTF8, type);
    start = end;
    end = static_cast<LongType>(encoded.size());
  }
  _bytes = std::move(encoded);
}

void store(std::vector<TextWriter>& writers, NDArray& z) {
  const auto length = static_cast<size_t>(z.lengthOf());
  const size_t header = (length + 1) * sizeof(LongType);
  size_t bytes = header;
  for (TextWriter& writer : writers) bytes += writer.bytes().size();
  LaunchContext* context = z.getContext() == nullptr ? LaunchContext::defaultContext() : z.getContext();
  auto buffer = DataBuffer::make(bytes, z.dataType(), context->getWorkspace(), DataBuffer::Fill::Nothing);
  auto* offsets = static_cast<LongType*>(buffer->primary());
  char* const data = static_cast<char*>(buffer->primary()) + header;
  LongType start = 0;
  *offsets++ = 0;
  for (TextWriter& writer : writers) {
    if (!writer.bytes().empty()) std::memcpy(data + start, writer.bytes().data(), writer.bytes().size());
    for (const LongType end : writer.ends()) *offsets++ = start + end;
    start += static_cast<LongType>(writer.bytes().size());
  }
  z = NDArray(std::move(buffer), ShapeDescriptor(z.dataType(), 'c', z.getShapeAsVector()), context);
}

BroadcastWalk::BroadcastWalk(const NDArray& shape, const std::vector<const NDArray*>& operands)
    : _sizes(shape.getShapeAsVector()) {
  for (const NDArray* operand : operands) {
    Dims strides(_sizes.size(), 0);
    LongType stride = 1;
    for (size_t lead = _sizes.size() - static_cast<size_t>(operand->rankOf()), d = _sizes.size(); d-- > lead;) {
      const LongType size = operand->sizeAt(static_cast<int>(d - lead));
      strides[d] = size == 1 ? 0 : stride;
      stride *= size;
    }
    _strides.push_back(std::move(strides));
  }
}

}  // namespace sd::ops::helpers
