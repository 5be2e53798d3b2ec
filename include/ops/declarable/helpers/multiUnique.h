// Tests whether arrays have elements in common.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_MULTIUNIQUE_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_MULTIUNIQUE_H

#include <array/NDArray.h>

#include <vector>

namespace sd::ops::helpers {

/// True when no value occurs twice in all the arrays together. @throws std::invalid_argument unless all hold integers
SD_LIB_EXPORT bool multiUnique(const std::vector<NDArray*>& inputList, memory::Workspace* workspace = nullptr);

}  // namespace sd::ops::helpers

#endif
