// Strings split at delimiters.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_PIECES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_PIECES_H

#include <string>
#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops {

/// The pieces of each string between the delimiters, including empty ones: one more than there are delimiters. @throws
/// std::invalid_argument when the delimiter (input 1) is empty or is not a single string
std::vector<std::vector<std::string>> piecesOf(const NDArray& strings, const NDArray& delimiter);

}  // namespace sd::ops

#endif
