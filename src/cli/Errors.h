// The errors of the command. Any other exception also counts as bad data.
#ifndef NDFORGE_SRC_CLI_ERRORS_H
#define NDFORGE_SRC_CLI_ERRORS_H

#include <exceptions/allocation_exception.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace sd::cli {

/// The command line is wrong by itself: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line does not fit the arrays: exit code 1.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs code that may run out of memory. @throws DataError that says what needed the memory
template <typename F>
auto withMemory(const std::string& what, F&& code) {
  try {
    return std::forward<F>(code)();
  } catch (const std::bad_alloc&) {
    throw DataError(what + " needs more memory than is available");
  } catch (const std::length_error&) {
    throw DataError(what + " needs more memory than can be addressed");
  } catch (const allocation_exception& error) {
    throw DataError(what + " needs more memory than is available: " + error.what());
  }
}

/// Standard output cannot be written: exit code 1. `isQuiet`: the reader of a pipe has closed it, no message is
/// printed.
struct OutputError : DataError {
  explicit OutputError(int error)
      : DataError(std::string("standard output cannot be written: ") + std::strerror(error)), isQuiet(error == EPIPE) {}
  bool isQuiet;
};

}  // namespace sd::cli

#endif
