#include <types/utf8string.h>

#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

namespace sd {

static char* copyOf(const char* text, size_t length) {
  auto* buffer = new char[length + 1];
  if (length > 0) std::memcpy(buffer, text, length);
  buffer[length] = '\0';
  return buffer;
}

utf8string::utf8string(const char* text, int length) {
  if (length < 0)
    throw std::runtime_error("[utf8string] argument 1 'length': " + std::to_string(length) + " is negative");
  if (text == nullptr && length > 0) throw std::runtime_error("[utf8string] argument 0 'text' is null");
  _buffer = copyOf(text, static_cast<size_t>(length));
  _allocated = true;
  _length = static_cast<unsigned int>(length);
}

utf8string::utf8string(const std::string& text) {
  if (text.size() > std::numeric_limits<unsigned int>::max())
    throw std::runtime_error("[utf8string] argument 0 'text' has more than 4294967295 bytes");
  _buffer = copyOf(text.data(), text.size());
  _allocated = true;
  _length = static_cast<unsigned int>(text.size());
}

utf8string::utf8string(const utf8string& other)
    : _allocated(other._buffer != nullptr),
      _buffer(other._buffer == nullptr ? nullptr : copyOf(other._buffer, other._length)),
      _length(other._length) {}

utf8string& utf8string::operator=(const utf8string& other) {
  utf8string copy(other);
  std::swap(_allocated, copy._allocated);
  std::swap(_buffer, copy._buffer);
  std::swap(_length, copy._length);
  return *this;
}

utf8string::~utf8string() {
  if (_allocated) delete[] _buffer;
}

}  // namespace sd
