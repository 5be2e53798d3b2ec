// Keeps exceptions inside the library: what a C function throws becomes the error of the calling thread.
#ifndef NDFORGE_SRC_LEGACY_GUARD_H
#define NDFORGE_SRC_LEGACY_GUARD_H

#include <exception>
#include <type_traits>
#include <utility>

#include "system/Error.h"

namespace sd::legacy {

/// Stores code 1 and the message of the exception that is being handled; the function's name stands in front of
/// messages that name no operation.
void storeCurrentException(const char* function) noexcept;

/// Stores code 1 and a message.
void storeError(const char* function, const char* message) noexcept;

/// Runs `body` and returns what it returns, or `failed` when it throws.
template <typename F>
auto guardedOr(std::invoke_result_t<F> failed, const char* function, F&& body) noexcept -> std::invoke_result_t<F> {
  try {
    return std::forward<F>(body)();
  } catch (...) {
    storeCurrentException(function);
  }
  return failed;
}

/// Runs `body` and returns what it returns, or 0 when it throws.
template <typename F>
auto guarded(const char* function, F&& body) noexcept -> std::invoke_result_t<F> {
  using Result = std::invoke_result_t<F>;
  if constexpr (std::is_void_v<Result>) {
    try {
      std::forward<F>(body)();
    } catch (...) {
      storeCurrentException(function);
    }
  } else {
    return guardedOr(Result{}, function, std::forward<F>(body));
  }
}

/// The object behind a handle. @throws std::invalid_argument for a null handle
template <typename T>
T& required(const char* argument, T* handle) {
  if (handle == nullptr) fail("argument '{}' is null", argument);
  return *handle;
}

}  // namespace sd::legacy

#endif
