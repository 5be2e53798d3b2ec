#include "cli/Number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {

Number::Number(const std::string& text, const std::string& option) : text_(text) {
  const bool sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const char* first = text.data() + (sign ? 1 : 0);
  const char* last = text.data() + text.size();
  isNegative_ = sign && text[0] == '-';
  const auto [end, error] = std::from_chars(first, last, magnitude_);
  isInteger_ = error == std::errc() && end == last;
  char* realEnd = nullptr;
  real_ = std::strtod(text.c_str(), &realEnd);
  if (text == "true" || text == "false") {
    isInteger_ = true;
    magnitude_ = text == "true";
    real_ = double(magnitude_);
  } else if (text.empty() || *realEnd != '\0' || std::isspace(static_cast<unsigned char>(text[0]))) {
    throw UsageError(fmt::format("{}: '{}' is not a number", option, shortened(text)));
  }
  // "1e3" is also an integer.
  if (!isInteger_ && std::trunc(real_) == real_ && std::fabs(real_) < 0x1p63) {
    isInteger_ = true;
    magnitude_ = uint64_t(std::fabs(real_));
  }
}

void Number::doesNotFit(DataType dtype) const {
  throw DataError(fmt::format("the value {} does not fit into {}; --dtype chooses another type", shortened(text_),
                              typeName(dtype)));
}

template <typename T>
T Number::as(DataType dtype) const {
  if constexpr (std::is_same_v<T, bool>) {
    return real_ != 0;
  } else if constexpr (IS_FLOAT<T>) {
    return T(real_);
  } else {
    if (!isInteger_) doesNotFit(dtype);
    const uint64_t most = uint64_t(std::numeric_limits<T>::max());
    const uint64_t limit = !isNegative_ ? most : std::is_signed_v<T> ? most + 1 : 0;
    if (magnitude_ > limit) doesNotFit(dtype);
    return T(isNegative_ ? 0 - magnitude_ : magnitude_);
  }
}

void Number::store(DataType dtype, void* element) const {
  visitType(dtype, [&](auto zero) {
    const auto value = as<decltype(zero)>(dtype);
    std::memcpy(element, &value, sizeof(value));
  });
}

}  // namespace sd::cli
