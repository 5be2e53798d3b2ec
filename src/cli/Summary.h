// The printed summary of an array.
#ifndef NDFORGE_SRC_CLI_SUMMARY_H
#define NDFORGE_SRC_CLI_SUMMARY_H

#include <string>

#include "cli/Array.h"

namespace sd::cli {

/// Type and shape; minimum, maximum and mean (NaN elements are left out and counted); the elements in rows, without
/// the middle of large arrays. The array must be in c order.
std::string summaryOf(const Array& array);

}  // namespace sd::cli

#endif
