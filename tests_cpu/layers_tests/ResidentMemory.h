// The resident memory of the process.
#ifndef NDFORGE_TESTS_RESIDENTMEMORY_H
#define NDFORGE_TESTS_RESIDENTMEMORY_H

#include <system/common.h>

#include <fstream>
#include <string>

namespace sd_test {

/// 0 where the system does not report it, and under AddressSanitizer, which keeps freed memory.
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
