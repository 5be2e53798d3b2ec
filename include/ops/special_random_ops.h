// The numbered random operations that have loops of their own.
#ifndef NDFORGE_OPS_SPECIAL_RANDOM_OPS_H
#define NDFORGE_OPS_SPECIAL_RANDOM_OPS_H

#include <ops/functors/random.h>

#endif
