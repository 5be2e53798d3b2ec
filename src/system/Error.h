// Throws errors with a formatted text: fail("[{}] …", name), fail<std::out_of_range>(…), invalidArgument(…).
// fail throws std::runtime_error, the error of arrays, shapes, buffers, helpers and loops. invalidArgument throws
// std::invalid_argument, the error of operations and of the few array methods that document it.
#ifndef NDFORGE_SRC_SYSTEM_ERROR_H
#define NDFORGE_SRC_SYSTEM_ERROR_H

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace sd {

/// Formats the message; compiled once, so that call sites only pass their arguments.
[[nodiscard]] std::string formatted(fmt::string_view text, fmt::format_args arguments);

/// Messages read `[op] argument 1 'indices': value 7 at [2] is outside 0..4 (shape [3, 5])`.
template <typename E = std::runtime_error, typename... Args>
[[noreturn]] [[gnu::cold]] void fail(fmt::format_string<Args...> text, Args&&... args) {
  throw E(formatted(text, fmt::make_format_args(args...)));
}

template <typename... Args>
[[noreturn]] [[gnu::cold]] void invalidArgument(fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(formatted(text, fmt::make_format_args(args...)));
}

}  // namespace sd

#endif
