#include <helpers/logger.h>

#include <cstdarg>
#include <cstdio>

namespace sd {

namespace {

template <typename T>
void printValues(const char* title, const std::vector<T>& values) {
  std::printf("%s: [", title);
  for (size_t i = 0; i < values.size(); i++) std::printf(i == 0 ? "%lld" : ", %lld", static_cast<long long>(values[i]));
  std::printf("]\n");
  std::fflush(stdout);
}

}  // namespace

void Logger::info(const char* format, ...) {
  if (format == nullptr) return;
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::fflush(stdout);
}

void Logger::printv(const char* title, const std::vector<int>& values) { printValues(title, values); }

void Logger::printv(const char* title, const std::vector<LongType>& values) { printValues(title, values); }

Status Logger::logStatusMsg(Status code, const char* message) {
  if (message != nullptr) info("%s\n", message);
  return code;
}

Status Logger::logKernelFailureMsg(const char* message) { return logStatusMsg(Status::KERNEL_FAILURE, message); }

}  // namespace sd
