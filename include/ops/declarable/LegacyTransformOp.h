// The wrappers of all transforms.
#ifndef NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMOP_H
#define NDFORGE_OPS_DECLARABLE_LEGACYTRANSFORMOP_H

#include <ops/declarable/LegacyTransformAnyOp.h>
#include <ops/declarable/LegacyTransformBoolOp.h>
#include <ops/declarable/LegacyTransformFloatOp.h>
#include <ops/declarable/LegacyTransformSameOp.h>
#include <ops/declarable/LegacyTransformStrictOp.h>

#endif
