// The memory that the process has in the machine.
#ifndef NDFORGE_TESTS_RESIDENTMEMORY_H
#define NDFORGE_TESTS_RESIDENTMEMORY_H

#include <system/common.h>

#include <cstdio>

namespace sd_test {

/// 0 where the system does not say.
inline sd::LongType residentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return 0;
  long long total = 0, resident = 0;
  const bool read = std::fscanf(file, "%lld %lld", &total, &resident) == 2;
  std::fclose(file);
  return read ? resident * 4096 : 0;
}

}  // namespace sd_test

#endif
