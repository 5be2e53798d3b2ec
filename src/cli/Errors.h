// The two ways in which the command fails. Anything else that is thrown is bad data as well.
#ifndef NDFORGE_SRC_CLI_ERRORS_H
#define NDFORGE_SRC_CLI_ERRORS_H

#include <stdexcept>

namespace sd::cli {

/// The command line is wrong by itself: exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command line and the arrays do not fit: exit code 1.
struct DataError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sd::cli

#endif
