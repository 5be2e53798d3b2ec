#include <memory/MemoryUtils.h>

#include <cstdio>

#if defined(__linux__)
#include <unistd.h>
#endif

namespace sd::memory {

bool MemoryUtils::retrieveMemoryStatistics(MemoryReport& report) {
#if defined(__linux__)
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return false;
  long long virtualPages = 0, residentPages = 0;
  const bool read = std::fscanf(file, "%lld %lld", &virtualPages, &residentPages) == 2;
  std::fclose(file);
  if (!read) return false;
  const long long pageKilobytes = ::sysconf(_SC_PAGE_SIZE) / 1024;
  report.setVM(virtualPages * pageKilobytes);
  report.setRSS(residentPages * pageKilobytes);
  return true;
#else
  (void)report;
  return false;
#endif
}

}  // namespace sd::memory
