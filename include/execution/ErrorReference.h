// The last error of a thread, as the C interface reports it.
#ifndef NDFORGE_EXECUTION_ERRORREFERENCE_H
#define NDFORGE_EXECUTION_ERRORREFERENCE_H

#include <system/common.h>

#include <string>

namespace sd {

class SD_LIB_EXPORT ErrorReference {
 public:
  /// 0: no error.
  int errorCode() const noexcept { return _errorCode; }

  /// The text of the last error. Reading it resets the code to 0; the text remains until another is set.
  const char* errorMessage() noexcept;

  void setErrorCode(int errorCode) noexcept { _errorCode = errorCode; }

  /// Copies the text, and shortens it when memory runs out. nullptr means an empty text.
  void setErrorMessage(const std::string& message) noexcept;
  void setErrorMessage(const char* message) noexcept;

 private:
  int _errorCode = 0;
  std::string _errorMessage;
};

}  // namespace sd

#endif
