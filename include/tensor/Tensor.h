// Fused operators on arrays of elements: composed at compile time, one pass over memory. docs/tensor.md describes them.
#ifndef NDFORGE_TENSOR_TENSOR_H
#define NDFORGE_TENSOR_TENSOR_H

#include <tensor/OperationsAggregate.h>
#include <tensor/OperationsFunctions.h>
#include <tensor/Points.h>

#endif
