// What the tuples of operations in the scalar, pairwise and broadcast groups have in common.
#ifndef NDFORGE_OPS_BROADCASTTUPLE_H
#define NDFORGE_OPS_BROADCASTTUPLE_H

namespace sd {

/// The numbers of one operation. Tuple is the class that inherits from this one.
template <typename Tuple, typename Scalar, typename Pairwise, typename Broadcast>
class BroadcastTuple {
 public:
  Scalar s;
  Pairwise p;
  Broadcast b;

  constexpr BroadcastTuple(Scalar scalarOp, Pairwise pairwiseOp, Broadcast broadcastOp)
      : s(scalarOp), p(pairwiseOp), b(broadcastOp) {}

  static constexpr Tuple custom(Scalar scalarOp, Pairwise pairwiseOp, Broadcast broadcastOp) {
    return {scalarOp, pairwiseOp, broadcastOp};
  }
};

}  // namespace sd

#endif
