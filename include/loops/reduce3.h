// Distances and similarities on buffers whose types are known at compile time.
#ifndef NDFORGE_LOOPS_REDUCE3_H
#define NDFORGE_LOOPS_REDUCE3_H

#include <loops/Parts.h>
#include <loops/TypedOperands.h>

#include <cstdint>

namespace functions::reduce3 {

/// X: the type of x and y, Z: that of z. Parameters and errors are those of sd::loops::reduce3. The dimensions
/// determine the sub-arrays, so arguments that describe sub-arrays are ignored.
template <typename X, typename Z>
class Reduce3 {
  using Info = const sd::LongType*;

 public:
  /// For the whole arrays; `extraParams` points to three values of Z or is nullptr.
  static void execScalar(int opNum, const void* x, const sd::LongType* xShapeInfo, void* extraParams, const void* y,
                         const sd::LongType* yShapeInfo, void* z, const sd::LongType* zShapeInfo) {
    sd::loops::reduce3(opNum, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), out(z, zShapeInfo), extraParams,
                       extraParams == nullptr ? 0 : 3, {});
  }
  /// For the sub-arrays along the dimensions.
  static void exec(int opNum, const void* x, const sd::LongType* xShapeInfo, void* extraParams, const void* y,
                   const sd::LongType* yShapeInfo, void* z, const sd::LongType* zShapeInfo, const int* dimension,
                   int dimensionLength) {
    sd::loops::reduce3(opNum, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), out(z, zShapeInfo), extraParams,
                       extraParams == nullptr ? 0 : 1, {dimension, dimension + dimensionLength});
  }
  /// For the sub-arrays start to stop - 1.
  static void exec(int opNum, const void* x, Info xShapeInfo, void* extraParams, const void* y, Info yShapeInfo,
                   void* z, Info zShapeInfo, const int* dimension, int dimensionLength, int64_t start, int64_t stop) {
    sd::loops::reduce3Part(opNum, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), out(z, zShapeInfo), extraParams,
                           extraParams == nullptr ? 0 : 1, {dimension, dimension + dimensionLength}, start, stop);
  }
  static void exec(int opNum, const void* x, Info xShapeInfo, void* extraParams, const void* y, Info yShapeInfo,
                   void* z, Info zShapeInfo, const int* dimension, int dimensionLength, Info, Info, int64_t start,
                   int64_t stop) {
    exec(opNum, x, xShapeInfo, extraParams, y, yShapeInfo, z, zShapeInfo, dimension, dimensionLength, start, stop);
  }
  /// For all pairs of sub-arrays.
  static void execAll(int opNum, const void* x, const sd::LongType* xShapeInfo, void* extraParams, const void* y,
                      const sd::LongType* yShapeInfo, void* z, const sd::LongType* zShapeInfo, const int* dimension,
                      int dimensionLength) {
    sd::loops::reduce3All(opNum, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), out(z, zShapeInfo), extraParams,
                          extraParams == nullptr ? 0 : 1, {dimension, dimension + dimensionLength});
  }
  /// For all pairs whose sub-array of x is one of start to stop - 1.
  static void execAll(int opNum, const void* x, Info xShapeInfo, void* extraParams, const void* y, Info yShapeInfo,
                      void* z, Info zShapeInfo, const int* dimension, int dimensionLength, Info, Info, Info, Info,
                      int64_t start, int64_t stop) {
    sd::loops::reduce3AllPart(opNum, in(x, xShapeInfo, "x"), in(y, yShapeInfo, "y"), out(z, zShapeInfo), extraParams,
                              extraParams == nullptr ? 0 : 1, {dimension, dimension + dimensionLength}, start, stop);
  }

 private:
  static sd::loops::In in(const void* data, const sd::LongType* info, const char* name) {
    return sd::loops::typedIn<X>("Reduce3", name, data, info);
  }
  static sd::loops::Out out(void* data, const sd::LongType* info) {
    return sd::loops::typedOut<Z>("Reduce3", data, info);
  }
};

}  // namespace functions::reduce3

#endif
