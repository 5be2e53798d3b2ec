// Keeps exceptions inside the library: an exception in a C function becomes the calling thread's error.
#ifndef NDFORGE_SRC_LEGACY_GUARD_H
#define NDFORGE_SRC_LEGACY_GUARD_H

#include <exception>
#include <type_traits>
#include <utility>

#include "system/Error.h"

namespace sd::legacy {

/// Stores code 1 and the message of the exception being handled. Messages that name no operation are prefixed with the
/// function's name.
void storeCurrentException(const char* function) noexcept;

/// Stores code 1 and a message.
void storeError(const char* function, const char* message) noexcept;

/// Whether the error that this thread stored last was a lack of memory.
bool storedErrorIsMemory() noexcept;

/// Runs `body` and returns its result, or `failed` if it throws.
template <typename F>
auto guardedOr(std::invoke_result_t<F> failed, const char* function, F&& body) noexcept -> std::invoke_result_t<F> {
  try {
    return std::forward<F>(body)();
  } catch (...) {
    storeCurrentException(function);
  }
  return failed;
}

/// Runs `body` and returns its result, or 0 if it throws.
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
