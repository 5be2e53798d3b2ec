// The type of the result of a numbered operation, where it depends on more than the group.
#ifndef NDFORGE_LOOPS_RESULTTYPE_H
#define NDFORGE_LOOPS_RESULTTYPE_H

#include <loops/OpGroup.h>

namespace sd::loops {

/// As resultType(op.group, x, floating), but real for the magnitudes of complex numbers.
SD_LIB_EXPORT DataType resultType(const NumberedOp& op, DataType x, DataType floating);

}  // namespace sd::loops

#endif
