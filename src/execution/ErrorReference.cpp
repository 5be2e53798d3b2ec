#include <execution/ErrorReference.h>

namespace sd {

const char* ErrorReference::errorMessage() noexcept {
  _errorCode = 0;
  return _errorMessage.c_str();
}

void ErrorReference::setErrorMessage(const std::string& message) noexcept { setErrorMessage(message.c_str()); }

void ErrorReference::setErrorMessage(const char* message) noexcept {
  try {
    _errorMessage.assign(message == nullptr ? "" : message);
  } catch (...) {
    // Out of memory: keep as much as the existing capacity holds.
    _errorMessage.clear();
    for (; *message != '\0' && _errorMessage.size() < _errorMessage.capacity(); ++message) _errorMessage += *message;
  }
}

}  // namespace sd
