// Messages on standard output.
#ifndef NDFORGE_HELPERS_LOGGER_H
#define NDFORGE_HELPERS_LOGGER_H

#include <system/Environment.h>
#include <system/common.h>

#include <vector>

namespace sd {

class SD_LIB_EXPORT Logger {
 public:
  /// Formats like printf, writes to standard output and flushes. A null format prints nothing.
  static void info(const char* format, ...);
  /// Prints `title: [1, 2, 3]` and a newline.
  static void printv(const char* title, const std::vector<int>& values);
  static void printv(const char* title, const std::vector<LongType>& values);
  /// Prints the message and returns the code.
  static Status logStatusMsg(Status code, const char* message);
  /// Prints the message, if there is one, and returns KERNEL_FAILURE.
  static Status logKernelFailureMsg(const char* message = nullptr);
};

}  // namespace sd

#define SD_LOG_IF(CONDITION, ...)                     \
  {                                                   \
    if (sd::Environment::getInstance().CONDITION()) { \
      sd::Logger::info(__VA_ARGS__);                  \
    }                                                 \
  }
#define sd_printf(...) sd::Logger::info(__VA_ARGS__);
#define sd_debug(...) SD_LOG_IF(isDebugAndVerbose, __VA_ARGS__)
#define sd_logger(...) SD_LOG_IF(isDebugAndVerbose, __VA_ARGS__)
#define sd_verbose(...) SD_LOG_IF(isVerbose, __VA_ARGS__)
#define sd_printv(TITLE, VALUES) sd::Logger::printv(TITLE, VALUES);

#endif
