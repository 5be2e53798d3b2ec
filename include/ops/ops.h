// The functors of all numbered operations. To add one, write a class template in the header of its kind and one line in
// loops/legacy_ops.h.
#ifndef NDFORGE_OPS_OPS_H
#define NDFORGE_OPS_OPS_H

#include <ops/functors/arithmetic.h>
#include <ops/functors/bitwise.h>
#include <ops/functors/compare.h>
#include <ops/functors/random.h>
#include <ops/functors/reduce.h>
#include <ops/functors/reduce3.h>
#include <ops/functors/strict.h>
#include <ops/functors/transform.h>
#include <ops/functors/typed.h>
#include <ops/functors/typed_reduce.h>

#endif
