// Text that the C interface returns.
#ifndef NDFORGE_TYPES_UTF8STRING_H
#define NDFORGE_TYPES_UTF8STRING_H

#include <system/common.h>

#include <string>

namespace sd {

/// `_length` bytes of UTF-8 and a terminating NUL. An empty string may have no buffer.
struct SD_LIB_EXPORT utf8string {
  bool _allocated = false;  // the buffer is the string's own, from new[]
  char* _buffer = nullptr;
  unsigned int _length = 0;

  utf8string() = default;
  /// Copies `length` bytes. Throws std::runtime_error for a negative length, or a null text with a length.
  utf8string(const char* text, int length);
  utf8string(const std::string& text);
  utf8string(const utf8string& other);
  utf8string& operator=(const utf8string& other);
  ~utf8string();
};

}  // namespace sd

#endif
