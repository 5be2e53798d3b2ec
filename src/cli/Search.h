// What `ndforge ops --search` finds.
#ifndef NDFORGE_SRC_CLI_SEARCH_H
#define NDFORGE_SRC_CLI_SEARCH_H

#include <string>
#include <vector>

#include "cli/Custom.h"

namespace sd::cli {

/// The operations that have all words of a text somewhere in their names, the names elsewhere (NumPy, PyTorch,
/// TensorFlow, ONNX), the words of their schema or the summary. The best come first: a whole name counts most, then a
/// name elsewhere, the beginning of a name, a word, the summary.
std::vector<CustomOp> searchOps(const std::string& text);

}  // namespace sd::cli

#endif
