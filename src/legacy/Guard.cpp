// Converts exceptions to error codes.
#include "legacy/Guard.h"

#include <exceptions/allocation_exception.h>
#include <execution/LaunchContext.h>
#include <ops/declarable/DeclarableOp.h>

#include <new>
#include <stdexcept>
#include <string>

#include "ops/declarable/Failures.h"

namespace sd::legacy {

namespace {
thread_local bool storedMemoryError = false;
}

void storeError(const char* function, const char* message) noexcept {
  ErrorReference* error = LaunchContext::defaultContext()->errorReference();
  error->setErrorCode(1);
  storedMemoryError = false;
  try {
    // The prefix is the name of the running operation if there is one, otherwise that of the C function.
    if (const std::string* op = ops::RunningOp::current())
      error->setErrorMessage(ops::named(message, *op));
    else
      error->setErrorMessage(message[0] == '[' ? std::string(message) : fmt::format("[{}] {}", function, message));
  } catch (...) {
    error->setErrorMessage(message);
  }
}

void storeCurrentException(const char* function) noexcept {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    storeError(function, "there is not enough memory for its temporary data");
    storedMemoryError = true;
  } catch (const allocation_exception& error) {
    storeError(function, error.what());
    storedMemoryError = true;
  } catch (const std::length_error&) {
    storeError(function, "it needs a list that exceeds the largest possible size");
  } catch (const std::exception& error) {
    storeError(function, error.what());
  } catch (...) {
    storeError(function, "threw an object that is not a std::exception");
  }
}

bool storedErrorIsMemory() noexcept { return storedMemoryError; }

}  // namespace sd::legacy
