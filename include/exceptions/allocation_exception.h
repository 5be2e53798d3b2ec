// Thrown when memory cannot be allocated.
#ifndef NDFORGE_EXCEPTIONS_ALLOCATION_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_ALLOCATION_EXCEPTION_H

#include <system/common.h>

#include <stdexcept>
#include <string>

namespace sd {

/// Thrown when memory is exhausted, a limit is reached or a size is invalid.
class SD_LIB_EXPORT allocation_exception : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// "message; Requested bytes: [n]" and, in the second overload, the limit.
  static allocation_exception build(const std::string& message, LongType bytes);
  static allocation_exception build(const std::string& message, LongType limit, LongType bytes);
};

}  // namespace sd

#endif
