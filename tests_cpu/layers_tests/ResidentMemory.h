// The memory that the process has in the machine.
#ifndef NDFORGE_TESTS_RESIDENTMEMORY_H
#define NDFORGE_TESTS_RESIDENTMEMORY_H

#include <system/common.h>

#include <fstream>
#include <string>

namespace sd_test {

/// 0 where the system does not say, and under AddressSanitizer, which keeps what was freed.
inline sd::LongType residentBytes() {
#if defined(__SANITIZE_ADDRESS__)
  return 0;
#else
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    sd::LongType kilobytes = 0;
    if (word == "VmRSS:" && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
#endif
}

}  // namespace sd_test

#endif
