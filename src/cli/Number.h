// A number from the command line. It is kept exactly until the type to convert it to is known.
#ifndef NDFORGE_SRC_CLI_NUMBER_H
#define NDFORGE_SRC_CLI_NUMBER_H

#include <array/DataType.h>

#include <cstdint>
#include <string>

namespace sd::cli {

class Number {
 public:
  /// Reads "3", "-2.5", "1e-3", "inf", "nan", "true", "false". @throws UsageError that names `option` for anything else
  Number(const std::string& text, const std::string& option);

  /// Writes the number as an element. @throws DataError when it does not fit into the type
  void store(DataType dtype, void* element) const;

 private:
  template <typename T>
  T as(DataType dtype) const;
  [[noreturn]] void doesNotFit(DataType dtype) const;

  std::string _text;
  double _real = 0;
  bool _isInteger = false;
  bool _isNegative = false;
  uint64_t _magnitude = 0;
};

}  // namespace sd::cli

#endif
