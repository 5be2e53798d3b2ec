// One call for all pairs of shapes that broadcast.
#ifndef NDFORGE_OPS_DECLARABLE_HELPERS_BROADCASTHELPER_H
#define NDFORGE_OPS_DECLARABLE_HELPERS_BROADCASTHELPER_H

#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <memory>

namespace sd::ops {

class BroadcastHelper {
 public:
  /// z = x op y with broadcasting; a new array, which belongs to the caller, when z is nullptr. nullptr when the shapes
  /// do not broadcast. Empty operands leave z as it is. @throws std::runtime_error as NDArray::applyTrueBroadcast does
  static NDArray* broadcastApply(BroadcastOpsTuple op, NDArray* x, NDArray* y, NDArray* z,
                                 ExtraArguments* extraArgs = nullptr) {
    if (!ShapeUtils::areShapesBroadcastable(*x, *y)) return nullptr;
    if (z == nullptr) return new NDArray(x->applyTrueBroadcast(op, *y, extraArgs));
    x->applyTrueBroadcast(op, *y, *z, true, extraArgs);
    return z;
  }
  /// The same for comparisons: the result is BOOL.
  static NDArray* broadcastApply(BroadcastBoolOpsTuple op, NDArray* x, NDArray* y, NDArray* z,
                                 ExtraArguments* extraArgs = nullptr) {
    const LongType* info = nullptr;
    if (!ShapeUtils::evalBroadcastShapeInfo(*x, *y, true, info, x->getContext()->getWorkspace())) return nullptr;
    std::unique_ptr<NDArray> made;
    if (z == nullptr) {
      made = std::make_unique<NDArray>(x->ordering(), ShapeUtils::shapeAsVector(info), BOOL, x->getContext());
      z = made.get();
    }
    x->applyTrueBroadcast(op, *y, *z, true, extraArgs);
    made.release();
    return z;
  }
};

}  // namespace sd::ops

#endif
