// The shape of a matrix product.
#ifndef NDFORGE_SRC_SHAPE_MATMUL_H
#define NDFORGE_SRC_SHAPE_MATMUL_H

#include <system/common.h>

namespace shape {

/// Writes the sizes of the product, at most SD_MAX_RANK, and returns its rank. @throws std::invalid_argument when the
/// operands do not fit
int matmulSizes(const sd::LongType* x, const sd::LongType* y, bool transX, bool transY, sd::LongType* sizes);

}  // namespace shape

#endif
