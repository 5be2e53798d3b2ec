// The numbered random operations whose numbers depend on their own index alone.
#ifndef NDFORGE_OPS_RANDOM_OPS_H
#define NDFORGE_OPS_RANDOM_OPS_H

#include <ops/functors/random.h>

#endif
