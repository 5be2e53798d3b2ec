// Conversion between the encodings of strings.
#ifndef NDFORGE_SRC_TYPES_UNICODE_H
#define NDFORGE_SRC_TYPES_UNICODE_H

#include <array/DataType.h>

#include <string>
#include <string_view>

namespace sd::unicode {

/// The bytes of `text`, which is encoded as `from`, encoded as `to` (UTF8, UTF16, UTF32; host byte order). Equal
/// encodings are copied without a look. @throws std::invalid_argument when the text is not in its encoding
std::string transcode(std::string_view bytes, DataType from, DataType to);

}  // namespace sd::unicode

#endif
