// The numbered random operations in which each number depends only on its own index.
#ifndef NDFORGE_OPS_RANDOM_OPS_H
#define NDFORGE_OPS_RANDOM_OPS_H

#include <ops/functors/random.h>

#endif
