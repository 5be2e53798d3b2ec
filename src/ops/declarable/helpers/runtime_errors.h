// Refusals that are std::runtime_error, because programs expect that of some operations. Other operations throw
// std::invalid_argument.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RUNTIME_ERRORS_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_RUNTIME_ERRORS_H

#include <ops/declarable/RunningOp.h>

#include <stdexcept>
#include <utility>

#include "system/Error.h"

namespace sd::ops {

/// As reject(), but throws std::runtime_error.
template <typename... Args>
[[noreturn]] [[gnu::cold]] void rejectAtRuntime(fmt::format_string<Args...> text, Args&&... args) {
  fail("[{}] {}", RunningOp::name(), formatted(text, fmt::make_format_args(args...)));
}

/// The result of `check`; what it refuses becomes std::runtime_error with the same message.
template <typename Check>
decltype(auto) asRuntimeError(Check&& check) {
  try {
    return std::forward<Check>(check)();
  } catch (const std::invalid_argument& error) {
    throw std::runtime_error(error.what());
  }
}

}  // namespace sd::ops

#endif
