// Names that resemble a misspelt one.
#ifndef NDFORGE_SRC_SYSTEM_SUGGESTIONS_H
#define NDFORGE_SRC_SYSTEM_SUGGESTIONS_H

#include <system/common.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sd {

/// The edit distance: the number of characters to insert, delete or replace.
SD_LIB_EXPORT size_t editDistance(std::string_view a, std::string_view b);

/// Up to three of the names that are nearest to `name`, as "'axis', 'axes'"; empty when none is near.
SD_LIB_EXPORT std::string suggestions(std::string_view name, const std::vector<std::string_view>& names);

}  // namespace sd

#endif
