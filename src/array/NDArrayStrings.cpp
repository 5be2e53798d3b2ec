// String arrays: n + 1 offsets (LongType, in bytes, the first one is 0), followed by the bytes of all strings.
#include <array/NDArray.h>

#include <cstring>
#include <string_view>

#include "array/NDArrayCommon.h"
#include "types/Unicode.h"

namespace sd {

namespace {

template <typename Char>
constexpr DataType ENCODING = sizeof(Char) == 1   ? UTF8
                              : sizeof(Char) == 2 ? UTF16
                                                  : UTF32;

template <typename Char>
std::string encoded(std::basic_string_view<Char> text, DataType dtype) {
  return unicode::transcode({reinterpret_cast<const char*>(text.data()), text.size() * sizeof(Char)}, ENCODING<Char>,
                            dtype);
}

template <typename Char>
std::string encoded(const Char* text, DataType dtype) {
  if (text == nullptr) fail("[NDArray] a string is null");
  return encoded(std::basic_string_view<Char>(text), dtype);
}

template <typename Char>
std::string encoded(const std::basic_string<Char>& text, DataType dtype) {
  return encoded(std::basic_string_view<Char>(text), dtype);
}

template <typename Text>
std::vector<std::string> encodedAll(const std::vector<Text>& texts, DataType dtype) {
  std::vector<std::string> result;
  result.reserve(texts.size());
  for (const Text& text : texts) result.push_back(encoded(text, dtype));
  return result;
}

const LongType* stringInfo(const std::vector<LongType>& shape, DataType dtype) {
  if (!DataTypeUtils::isS(dtype)) fail("[NDArray] strings cannot be stored as {}", arrays::typeText(dtype));
  if (shape.empty()) return ConstantShapeHelper::getInstance().scalarShapeInfo(dtype);
  return arrays::interned(dtype, 'c', static_cast<int>(shape.size()), shape.data());
}

// The bytes of string i. @throws std::runtime_error when the offsets in the buffer are invalid
std::string_view bytesAt(const ArrayHandle& array, LongType i) {
  const size_t header = (static_cast<size_t>(array.lengthOf()) + 1) * sizeof(LongType);
  const size_t all = array.getDataBuffer()->getLenInBytes();
  const auto* offsets = array.bufferAsT<LongType>();
  if (header > all || offsets[i] < 0 || offsets[i] > offsets[i + 1] ||
      static_cast<size_t>(offsets[i + 1]) > all - header)
    fail<std::runtime_error>("[NDArray] the buffer of a string array of shape {} is damaged", arrays::shapeText(array));
  return {reinterpret_cast<const char*>(offsets) + header + offsets[i],
          static_cast<size_t>(offsets[i + 1] - offsets[i])};
}

}  // namespace

void NDArray::storeStrings(const LongType* internedShapeInfo, const std::vector<std::string>& strings) {
  setInterned(internedShapeInfo);
  if (static_cast<LongType>(strings.size()) != _length)
    invalidArgument("[NDArray] {} strings given for shape {} of length {}", strings.size(), arrays::shapeText(*this),
                    _length);
  const size_t header = (strings.size() + 1) * sizeof(LongType);
  size_t bytes = header;
  for (const std::string& text : strings) bytes += text.size();
  if (_context == nullptr) _context = LaunchContext::defaultContext();
  memory::Workspace* workspace = _context->getWorkspace();
  _buffer = DataBuffer::make(bytes, _dataType, workspace, DataBuffer::Fill::Nothing);
  _isAttached = workspace != nullptr;
  auto* offsets = static_cast<LongType*>(_buffer->primary());
  char* data = static_cast<char*>(_buffer->primary()) + header;
  offsets[0] = 0;
  for (size_t i = 0; i < strings.size(); i++) {
    if (!strings[i].empty()) std::memcpy(data + offsets[i], strings[i].data(), strings[i].size());
    offsets[i + 1] = offsets[i] + static_cast<LongType>(strings[i].size());
  }
}

template <typename S>
NDArray::NDArray(const std::vector<LongType>& shape, const std::vector<S>& text, DataType dtype, LaunchContext* context)
    : ArrayElements(context) {
  storeStrings(stringInfo(shape, dtype), encodedAll(text, dtype));
}

#define SD_STRING_CONSTRUCTORS(CHAR)                                                                                 \
  NDArray::NDArray(const CHAR* text, DataType dtype, LaunchContext* context) : ArrayElements(context) {              \
    storeStrings(stringInfo({}, dtype), {encoded(text, dtype)});                                                     \
  }                                                                                                                  \
  NDArray::NDArray(const std::basic_string<CHAR>& text, DataType dtype, LaunchContext* context)                      \
      : ArrayElements(context) {                                                                                     \
    storeStrings(stringInfo({}, dtype), {encoded(text, dtype)});                                                     \
  }                                                                                                                  \
  template SD_LIB_EXPORT NDArray::NDArray(const std::vector<LongType>&, const std::vector<const CHAR*>&, DataType,   \
                                          LaunchContext*);                                                           \
  template SD_LIB_EXPORT NDArray::NDArray(const std::vector<LongType>&, const std::vector<std::basic_string<CHAR>>&, \
                                          DataType, LaunchContext*);

SD_STRING_CONSTRUCTORS(char)
SD_STRING_CONSTRUCTORS(char16_t)
SD_STRING_CONSTRUCTORS(char32_t)

#undef SD_STRING_CONSTRUCTORS

std::string ArrayElements::readString(LongType i, DataType encoding) const {
  if (!isS()) invalidArgument("[NDArray] an element of type {} is not a string", arrays::typeText(_dataType));
  elementOffset(i);
  return unicode::transcode(bytesAt(*this, i), _dataType, encoding);
}

std::string ArrayElements::readUtf8(LongType i) const { return readString(i, UTF8); }

std::u16string ArrayElements::readUtf16(LongType i) const {
  const std::string bytes = readString(i, UTF16);
  std::u16string text(bytes.size() / sizeof(char16_t), u'\0');
  std::memcpy(text.data(), bytes.data(), bytes.size());
  return text;
}

std::u32string ArrayElements::readUtf32(LongType i) const {
  const std::string bytes = readString(i, UTF32);
  std::u32string text(bytes.size() / sizeof(char32_t), U'\0');
  std::memcpy(text.data(), bytes.data(), bytes.size());
  return text;
}

NDArray NDArray::transcoded(DataType dtype) const {
  if (!isS() || !DataTypeUtils::isS(dtype))
    fail<std::runtime_error>("[cast] type {} cannot become {}", arrays::typeText(_dataType), arrays::typeText(dtype));
  std::vector<std::string> strings;
  for (LongType i = 0; i < _length; i++) strings.push_back(readString(i, dtype));
  NDArray result(_context);
  result.storeStrings(arrays::contiguous(_shapeInfo, dtype, 'c'), strings);
  return result;
}

}  // namespace sd
