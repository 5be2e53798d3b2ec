// Damaged .npy and .npz files for every function that reads them.
#ifndef NDFORGE_FUZZ_FILES_H
#define NDFORGE_FUZZ_FILES_H

#include <string>

#include "Worker.h"

namespace fuzz {

Work fileWork(uint64_t seed);
std::string describeFile(uint64_t seed, uint64_t index);

}  // namespace fuzz

#endif
