// The wrappers of all reductions.
#ifndef NDFORGE_OPS_DECLARABLE_LEGACYREDUCEOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYREDUCEOP_H

#include <ops/declarable/LegacyReduceBoolOp.h>
#include <ops/declarable/LegacyReduceFloatOp.h>
#include <ops/declarable/LegacyReduceLongOp.h>
#include <ops/declarable/LegacyReduceSameOp.h>

#endif
