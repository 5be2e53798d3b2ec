// How the elements of an operand reach a kernel: as they are when they form a contiguous run of the kernel's type, else
// converted in contiguous tiles that fit the L1 cache. All loops read and write through this.
#ifndef NDFORGE_SRC_LOOPS_STREAM_H
#define NDFORGE_SRC_LOOPS_STREAM_H

#include "loops/Kernels.h"
#include "loops/Operand.h"

namespace sd::loops {

/// Elements of a tile in loops that also write tiles, and in reductions, which only read.
inline constexpr LongType TILE = 512, REDUCTION_TILE = 1024;

/// A buffer for a tile of N elements of any type.
template <LongType N>
struct alignas(64) TileOf {
  unsigned char bytes[N * sizeof(double)];
};

/// One operand of a loop.
struct Stream {
  char* data;
  simd::ConvertLoop convert;  ///< between the element type and the kernel's type
  int size;                   ///< of an element in memory, in bytes
  bool direct;                ///< the elements have the kernel's type
  Storage storage;            ///< of the elements

  /// Elements that a kernel reads as `kernelType`.
  static Stream input(const Operand& x, Storage kernelType) {
    return {x.data, simd::kernels().convert[x.storage][kernelType], x.elementSize, x.storage == kernelType, x.storage};
  }
  /// Elements that a kernel writes as `kernelType`.
  static Stream output(const Operand& z, Storage kernelType) {
    return {z.data, simd::kernels().convert[kernelType][z.storage], z.elementSize, z.storage == kernelType, z.storage};
  }

  /// Whether elements with this stride can be passed to the kernel as they are.
  bool isRun(LongType stride) const { return direct && stride == 1; }
  /// n elements as a run: in place if they are one, else converted into `tile`.
  const void* load(const char* from, LongType stride, void* tile, LongType n) const {
    if (isRun(stride)) return from;
    convert(from, stride, tile, 1, n);
    return tile;
  }
};

}  // namespace sd::loops

#endif
