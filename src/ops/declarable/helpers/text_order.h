// The order of strings.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TEXT_ORDER_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_TEXT_ORDER_H

#include <vector>

#include "ops/declarable/helpers/texts.h"

namespace sd::ops::helpers {

/// The positions, counted in c order, of strings with the given sizes when each line along `axis` is sorted by the
/// numbers of the characters. Equal strings keep their order.
std::vector<LongType> orderAlong(const Texts& texts, const Dims& sizes, int axis, bool descending);

/// z = the strings at these positions.
void pickTexts(const Texts& texts, const std::vector<LongType>& positions, NDArray& z);

}  // namespace sd::ops::helpers

#endif
