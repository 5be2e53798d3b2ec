// The threshold code is in loops/type_conversions.h.
#ifndef NDFORGE_HELPERS_THRESHOLD_H
#define NDFORGE_HELPERS_THRESHOLD_H

#include <loops/type_conversions.h>

#endif
