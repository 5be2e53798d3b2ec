// How the elements of two or three arrays can be walked together.
#ifndef NDFORGE_HELPERS_LOOPKIND_H
#define NDFORGE_HELPERS_LOOPKIND_H

#include <helpers/shape.h>

#include <initializer_list>

namespace sd {

class LoopKind {
 public:
  enum Kind {
    EWS1,        ///< contiguous in all arrays
    EWSNONZERO,  ///< with a constant step in each array
    RANK1,
    RANK2,
    RANK3,
    RANK4,
    RANK5,  ///< by that many nested loops
    COMMON  ///< none of these
  };

  /// For arrays of equal shape.
  static Kind deduceKindOfLoopXZ(const LongType* xShapeInfo, const LongType* zShapeInfo) {
    return deduce({xShapeInfo, zShapeInfo});
  }
  static Kind deduceKindOfLoopXYZ(const LongType* xShapeInfo, const LongType* yShapeInfo, const LongType* zShapeInfo) {
    return deduce({xShapeInfo, yShapeInfo, zShapeInfo});
  }

 private:
  static Kind deduce(std::initializer_list<const LongType*> infos) {
    bool dense = true, stepped = true;
    const LongType* first = *infos.begin();
    for (const LongType* info : infos) {
      const LongType step = shape::elementWiseStride(info);
      // Vectors and scalars are walked in the same way in both orders.
      const bool alike =
          shape::order(info) == shape::order(first) || shape::numOfNonUnitDims(shape::rank(info), info + 1) <= 1;
      dense = dense && alike && step == 1;
      stepped = stepped && alike && step > 0;
    }
    if (dense) return EWS1;
    if (stepped) return EWSNONZERO;
    const int rank = shape::rank(first);
    return rank >= 1 && rank <= 5 ? static_cast<Kind>(RANK1 + rank - 1) : COMMON;
  }
};

}  // namespace sd

#endif
