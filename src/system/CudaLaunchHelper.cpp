#include <helpers/CudaLaunchHelper.h>

#include <algorithm>

#include "system/Error.h"

namespace sd {

int CudaLaunchHelper::getReductionBlocks(LongType length, int blockSize) {
  if (blockSize < 1) fail("[getReductionBlocks] block size {} is below 1", blockSize);
  const LongType blocks = length / blockSize + (length % blockSize > 0 ? 1 : 0);
  return static_cast<int>(std::clamp<LongType>(blocks, 1, 512));
}

Triple CudaLaunchHelper::getFlatLaunchParams(LongType length, int blockSize, int sharedMemory) {
  return {getReductionBlocks(length, blockSize), blockSize, sharedMemory};
}

}  // namespace sd
