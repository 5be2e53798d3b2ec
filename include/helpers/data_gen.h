// Declares nothing of its own: programs include it beside the arrays that they fill.
#ifndef NDFORGE_HELPERS_DATA_GEN_H
#define NDFORGE_HELPERS_DATA_GEN_H

#include <array/NDArrayFactory.h>

#endif
