#include "cli/Number.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {

Number::Number(const std::string& text, const std::string& option) : _text(text) {
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const char* first = text.data() + (sign ? 1 : 0);
  const char* last = text.data() + text.size();
  _isNegative = sign && text[0] == '-';
  const auto [end, error] = std::from_chars(first, last, _magnitude);
  _isInteger = error == std::errc() && end == last;
  char* realEnd = nullptr;
  _real = std::strtod(text.c_str(), &realEnd);
  if (text == "true" || text == "false") {
    _isInteger = true;
    _magnitude = text == "true";
    _real = double(_magnitude);
  } else if (text.empty() || *realEnd != '\0' || std::isspace(static_cast<unsigned char>(text[0]))) {
    throw UsageError(fmt::format("{}: '{}' is not a number", option, shortened(text)));
  }
  // "1e3" is also an integer.
  if (!_isInteger && std::trunc(_real) == _real && std::fabs(_real) < 0x1p63) {
    _isInteger = true;
    _magnitude = uint64_t(std::fabs(_real));
  }
}

void Number::doesNotFit(DataType dtype) const {
  throw DataError(fmt::format("the value {} does not fit into {}; --dtype chooses another type", shortened(_text),
                              typeName(dtype)));
}

template <typename T>
T Number::as(DataType dtype) const {
  if constexpr (std::is_same_v<T, bool>) {
    return _real != 0;
  } else if constexpr (IS_FLOAT<T>) {
    return T(_real);
  } else {
    if (!_isInteger) doesNotFit(dtype);
    const uint64_t most = uint64_t(std::numeric_limits<T>::max());
    const uint64_t limit = !_isNegative ? most : std::is_signed_v<T> ? most + 1 : 0;
    if (_magnitude > limit) doesNotFit(dtype);
    return T(_isNegative ? 0 - _magnitude : _magnitude);
  }
}

void Number::store(DataType dtype, void* element) const {
  if (DataTypeUtils::isC(dtype)) {  // the imaginary part is 0
    std::memset(element, 0, DataTypeUtils::sizeOf(dtype));
    return store(DataTypeUtils::partType(dtype), element);
  }
  visitType(dtype, [&](auto zero) {
    const auto value = as<decltype(zero)>(dtype);
    std::memcpy(element, &value, sizeof(value));
  });
}

}  // namespace sd::cli
