// Reductions on buffers, for use by operations.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_REDUCTIONS_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_REDUCTIONS_H

#include <loops/Executor.h>

namespace sd::ops::helpers {

/// z = the position of the largest element of x along `axes` (empty: of the whole array), counted in c order inside the
/// reduced part. Among equal elements the first is taken; NaN is never taken. The position is 0 when no element is
/// taken or there are none. Axes may be negative and in any order. z has x's shape without the axes or with 1 in their
/// place, and type INT32 or INT64. Throws std::invalid_argument for shapes, std::runtime_error for axes and types.
SD_LIB_EXPORT void argMax(loops::In x, loops::Out z, const loops::Axes& axes);

}  // namespace sd::ops::helpers

#endif
