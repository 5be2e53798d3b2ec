// Sizes of launches on a device.
#ifndef NDFORGE_HELPERS_CUDALAUNCHHELPER_H
#define NDFORGE_HELPERS_CUDALAUNCHHELPER_H

#include <system/common.h>
#include <types/triple.h>

namespace sd {

class SD_LIB_EXPORT CudaLaunchHelper {
 public:
  /// Blocks for a reduction of `length` elements: length / blockSize rounded up, 1..512.
  /// @throws std::runtime_error for a block size below 1
  static int getReductionBlocks(LongType length, int blockSize = 512);
  /// Blocks as above, threads in a block, bytes of shared memory.
  static Triple getFlatLaunchParams(LongType length, int blockSize = 512, int sharedMemory = 0);
};

}  // namespace sd

#endif
