// Fused operators on arrays of elements: composed at compile time, one pass over memory. docs/tensor.md describes them.
#ifndef NDFORGE_TENSOR_TENSOR_H
#define NDFORGE_TENSOR_TENSOR_H

#include <ops/functors/extended.h>
#include <ops/ops.h>
#include <tensor/Aggregate.h>
#include <tensor/Apply.h>
#include <tensor/Search.h>

#endif
