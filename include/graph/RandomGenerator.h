// The random number generator, under the path that programs include.
#ifndef NDFORGE_GRAPH_RANDOMGENERATOR_H
#define NDFORGE_GRAPH_RANDOMGENERATOR_H

#include <helpers/RandomGenerator.h>

#endif
