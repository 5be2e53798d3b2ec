// Conversion between the encodings of strings.
#ifndef NDFORGE_SRC_TYPES_UNICODE_H
#define NDFORGE_SRC_TYPES_UNICODE_H

#include <array/DataType.h>

#include <string>
#include <string_view>

namespace sd::unicode {

/// Converts the bytes of `text` from encoding `from` to encoding `to` (UTF8, UTF16, UTF32; host byte order). When both
/// are equal the bytes are copied without a check. @throws std::invalid_argument when the text is invalid in its
/// encoding
std::string transcode(std::string_view bytes, DataType from, DataType to);

}  // namespace sd::unicode

#endif
