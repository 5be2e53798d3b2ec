// ShapeInfos of the parts of complex arrays.
#ifndef NDFORGE_SRC_LOOPS_COMPLEXPARTS_H
#define NDFORGE_SRC_LOOPS_COMPLEXPARTS_H

#include <array/DataType.h>
#include <system/common.h>

#include <string_view>

namespace sd::loops {

/// Room for one dimension more than arrays have.
struct PartsInfo {
  LongType slots[2 * SD_MAX_RANK + 6];
};

/// The real parts or, from the address of the first of them, the imaginary ones.
PartsInfo onePart(std::string_view op, const LongType* info);
/// The parts of all elements: a last dimension of two. @throws std::invalid_argument for SD_MAX_RANK dimensions
PartsInfo bothParts(std::string_view op, const LongType* info);
/// The same elements as those of another type of the same size.
PartsInfo retyped(const LongType* info, DataType type);

/// The type. @throws std::invalid_argument when there is no shapeInfo or its rank is impossible
DataType typeOf(std::string_view op, const char* argument, const LongType* info);

}  // namespace sd::loops

#endif
