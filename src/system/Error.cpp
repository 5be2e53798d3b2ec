#include "system/Error.h"

namespace sd {

std::string formatted(fmt::string_view text, fmt::format_args arguments) { return fmt::vformat(text, arguments); }

}  // namespace sd
