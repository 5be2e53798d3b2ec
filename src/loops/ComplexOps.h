// Numbered operations on complex numbers.
#ifndef NDFORGE_SRC_LOOPS_COMPLEXOPS_H
#define NDFORGE_SRC_LOOPS_COMPLEXOPS_H

#include <loops/Executor.h>

#include "loops/ComplexAssign.h"

namespace sd::loops {

/// Whether the operation exists for complex numbers.
bool acceptsComplex(OpGroup group, int number);

/// The type of its result for complex numbers of type x.
DataType complexResult(OpGroup group, int number, DataType x);

/// loops::pairwise, scalar and trueBroadcast on complex x, y and z; z may be BOOL for comparisons. Types must be equal,
/// and x and y are broadcast to z. @throws sd::datatype_exception for other operations and types
void complexBinary(OpGroup group, int number, In x, In y, Out z);

/// loops::broadcast on complex numbers.
void complexAlong(OpGroup group, int number, In x, In y, Out z, const Axes& axes);

/// loops::transform on complex numbers.
void complexTransform(OpGroup group, int number, In x, Out z);

/// loops::reduce on complex numbers.
void complexReduce(OpGroup group, int number, In x, Out z, const Axes& axes);

}  // namespace sd::loops

#endif
