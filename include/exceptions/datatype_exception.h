// Operands of the wrong element type.
#ifndef NDFORGE_EXCEPTIONS_DATATYPE_EXCEPTION_H
#define NDFORGE_EXCEPTIONS_DATATYPE_EXCEPTION_H

#include <array/DataType.h>
#include <system/common.h>

#include <stdexcept>
#include <string>

namespace sd {

/// Thrown when element types are not compatible.
class SD_LIB_EXPORT datatype_exception : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// "where; Expected: [T]; Actual: [T1, T2]". Each overload omits what it does not get.
  static datatype_exception build(const std::string& where, DataType actual);
  static datatype_exception build(const std::string& where, DataType expected, DataType actual);
  static datatype_exception build(const std::string& where, DataType expected, DataType actualX, DataType actualY);
};

}  // namespace sd

#endif
