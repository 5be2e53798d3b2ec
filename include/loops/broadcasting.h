// Broadcast operations on buffers whose types are known at compile time.
#ifndef NDFORGE_LOOPS_BROADCASTING_H
#define NDFORGE_LOOPS_BROADCASTING_H

#include <helpers/LoopKind.h>
#include <loops/Parts.h>
#include <loops/TypedOperands.h>

#include <cstdint>

namespace functions::broadcast {

/// X, Y, Z: the types of x, y, z. Parameters and errors are those of sd::loops::broadcast and related functions. The
/// dimensions determine the sub-arrays, so arguments that describe sub-arrays are ignored.
template <typename X, typename Y, typename Z>
class Broadcast {
  using Info = const sd::LongType*;

 public:
  /// z[k] = op(x[k], y) for the sub-arrays of x along the dimensions.
  static void exec(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z, Info zShapeInfo,
                   const int* dimension, int dimensionLength, Info = nullptr, Info = nullptr, Info = nullptr,
                   Info = nullptr) {
    sd::loops::broadcast(sd::loops::OpGroup::Broadcast, opNum, in<X>(x, xShapeInfo, "x"), in<Y>(y, yShapeInfo, "y"),
                         out(z, zShapeInfo), nullptr, {dimension, dimension + dimensionLength});
  }
  /// z[k] = op(x, y[k]) for the sub-arrays of y.
  static void execInverse(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z,
                          Info zShapeInfo, const int* dimension, int dimensionLength, Info = nullptr, Info = nullptr,
                          Info = nullptr, Info = nullptr) {
    sd::loops::inverseBroadcast(sd::loops::OpGroup::Broadcast, opNum, in<X>(x, xShapeInfo, "x"),
                                in<Y>(y, yShapeInfo, "y"), out(z, zShapeInfo), nullptr,
                                {dimension, dimension + dimensionLength});
  }
  // Only the sub-arrays start to stop - 1; the library chooses how to walk the elements.
  static void exec(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z, Info zShapeInfo,
                   const int* dimension, int dimensionLength, Info, Info, Info, Info, uint64_t start, uint64_t stop) {
    part(false, opNum, x, xShapeInfo, y, yShapeInfo, z, zShapeInfo, dimension, dimensionLength, start, stop);
  }
  static void exec(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z, Info zShapeInfo,
                   const int* dimension, int dimensionLength, Info, Info, Info, Info, sd::LoopKind::Kind,
                   uint64_t start, uint64_t stop) {
    part(false, opNum, x, xShapeInfo, y, yShapeInfo, z, zShapeInfo, dimension, dimensionLength, start, stop);
  }
  static void execInverse(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z,
                          Info zShapeInfo, const int* dimension, int dimensionLength, Info, Info, Info, Info,
                          uint64_t start, uint64_t stop) {
    part(true, opNum, x, xShapeInfo, y, yShapeInfo, z, zShapeInfo, dimension, dimensionLength, start, stop);
  }
  /// With NumPy's broadcasting.
  static void exec(int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z,
                   Info zShapeInfo) {
    sd::loops::trueBroadcast(sd::loops::OpGroup::Broadcast, opNum, in<X>(x, xShapeInfo, "x"), in<Y>(y, yShapeInfo, "y"),
                             out(z, zShapeInfo));
  }

 private:
  static void part(bool inverse, int opNum, const void* x, Info xShapeInfo, const void* y, Info yShapeInfo, void* z,
                   Info zShapeInfo, const int* dimension, int dimensionLength, uint64_t start, uint64_t stop) {
    sd::loops::broadcastPart(sd::loops::OpGroup::Broadcast, opNum, in<X>(x, xShapeInfo, "x"), in<Y>(y, yShapeInfo, "y"),
                             out(z, zShapeInfo), nullptr, {dimension, dimension + dimensionLength}, inverse,
                             static_cast<sd::LongType>(start), static_cast<sd::LongType>(stop));
  }
  template <typename T>
  static sd::loops::In in(const void* data, Info info, const char* name) {
    return sd::loops::typedIn<T>("Broadcast", name, data, info);
  }
  static sd::loops::Out out(void* data, Info info) { return sd::loops::typedOut<Z>("Broadcast", data, info); }
};

}  // namespace functions::broadcast

#endif
