// Every operation of the library, and what programs that call them use.
#ifndef NDFORGE_OPS_DECLARABLE_CUSTOMOPERATIONS_H
#define NDFORGE_OPS_DECLARABLE_CUSTOMOPERATIONS_H

#include <array/NDArrayFactory.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/ShapeBuilders.h>
#include <helpers/ShapeUtils.h>
#include <helpers/TAD.h>
#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/BroadcastableBoolOp.h>
#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableListOp.h>
#include <ops/declarable/DeclarableReductionOp.h>
#include <ops/declarable/LogicOp.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/PlatformHelper.h>
#include <ops/declarable/headers/activations.h>
#include <ops/declarable/headers/broadcastable.h>
#include <ops/declarable/headers/decompositions.h>
#include <ops/declarable/headers/flow.h>
#include <ops/declarable/headers/images.h>
#include <ops/declarable/headers/list.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/special.h>

namespace sd {

/// An object of this class makes a program load the library.
struct SD_LIB_EXPORT _loader {
  _loader();
};

}  // namespace sd

#endif
