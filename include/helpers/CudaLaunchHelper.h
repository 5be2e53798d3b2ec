// Sizes of kernel launches on a device.
#ifndef NDFORGE_HELPERS_CUDALAUNCHHELPER_H
#define NDFORGE_HELPERS_CUDALAUNCHHELPER_H

#include <system/common.h>
#include <types/triple.h>

namespace sd {

class SD_LIB_EXPORT CudaLaunchHelper {
 public:
  /// Number of blocks for a reduction of `length` elements: length / blockSize rounded up, 1 to 512.
  /// @throws std::runtime_error for a block size below 1
  static int getReductionBlocks(LongType length, int blockSize = 512);
  /// Number of blocks as above, threads per block, bytes of shared memory.
  static Triple getFlatLaunchParams(LongType length, int blockSize = 512, int sharedMemory = 0);
};

}  // namespace sd

#endif
