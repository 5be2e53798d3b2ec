// Loops over arrays: the executors of the numbered operations, and coordinates for hand-written loops.
#ifndef NDFORGE_HELPERS_LOOPS_H
#define NDFORGE_HELPERS_LOOPS_H

#include <helpers/LoopsCoordsHelper.h>
#include <helpers/OmpLaunchHelper.h>
#include <helpers/shape.h>
#include <loops/Executor.h>

#endif
