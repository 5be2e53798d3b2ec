// What transforms of complex numbers do.
#ifndef NDFORGE_SRC_LOOPS_COMPLEXTRANSFORMS_H
#define NDFORGE_SRC_LOOPS_COMPLEXTRANSFORMS_H

#include <array/DataType.h>

#include <string_view>

namespace sd::loops {

/// Whether the transform of this name exists for complex numbers.
bool isComplexTransform(std::string_view name);

/// The type of its result for complex numbers of type x.
DataType complexTransformResult(std::string_view name, DataType x);

}  // namespace sd::loops

#endif
