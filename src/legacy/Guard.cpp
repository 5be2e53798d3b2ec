// Exceptions as error codes.
#include "legacy/Guard.h"

#include <execution/LaunchContext.h>

#include <new>
#include <stdexcept>
#include <string>

namespace sd::legacy {

void storeError(const char* function, const char* message) noexcept {
  ErrorReference* error = LaunchContext::defaultContext()->errorReference();
  error->setErrorCode(1);
  try {
    error->setErrorMessage(message[0] == '[' ? std::string(message) : fmt::format("[{}] {}", function, message));
  } catch (...) {
    error->setErrorMessage(message);
  }
}

void storeCurrentException(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    storeError(function, "there is not enough memory for what it needs beside its operands");
  } catch (const std::length_error&) {
    storeError(function, "it needs a list that is longer than any memory");
  } catch (const std::exception& error) {
    storeError(function, error.what());
  } catch (...) {
    storeError(function, "threw an object that is not a std::exception");
  }
}

}  // namespace sd::legacy
