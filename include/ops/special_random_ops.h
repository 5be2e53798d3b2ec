// The numbered random operations that need special loops.
#ifndef NDFORGE_OPS_SPECIAL_RANDOM_OPS_H
#define NDFORGE_OPS_SPECIAL_RANDOM_OPS_H

#include <ops/random_ops.h>

#endif
