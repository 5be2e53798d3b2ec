// Fused operators on arrays of elements, composed at compile time, in one pass over memory. See docs/tensor.md.
#ifndef NDFORGE_TENSOR_TENSOR_H
#define NDFORGE_TENSOR_TENSOR_H

#include <tensor/OperationsAggregate.h>
#include <tensor/OperationsFunctions.h>
#include <tensor/Points.h>

#endif
