// C functions that map files into memory.
#include <fcntl.h>
#include <legacy/NativeOps.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <system_error>

#include "legacy/Guard.h"

using namespace sd::legacy;
using sd::LongType;

namespace {

/// Closes the file unless it was released.
class File {
 public:
  explicit File(int descriptor) : _descriptor(descriptor) {}
  ~File() {
    if (_descriptor >= 0) close(_descriptor);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  int get() const { return _descriptor; }
  void release() { _descriptor = -1; }

 private:
  int _descriptor;
};

[[noreturn]] void failOnFile(const char* what, const char* fileName) {
  const int code = errno;
  sd::fail<std::runtime_error>("cannot {} '{}': {}", what, fileName, std::generic_category().message(code));
}

}  // namespace

LongType* mmapFile(sd::Pointer*, const char* fileName, LongType length) {
  return guarded(__func__, [&] {
    required("fileName", fileName);
    if (length <= 0) sd::fail("argument 'length' is {}: it must be positive", length);
    auto result = std::make_unique<LongType[]>(2);
    File file(open(fileName, O_RDWR | O_CLOEXEC));
    if (file.get() < 0) failOnFile("open", fileName);
    struct stat status;
    if (fstat(file.get(), &status) != 0) failOnFile("read the size of", fileName);
    // Reading a mapped page behind the end of a file causes a bus error.
    if (status.st_size < length)
      sd::fail<std::runtime_error>("'{}' has {} bytes, but {} are to be mapped", fileName,
                                   static_cast<LongType>(status.st_size), length);
    void* address = mmap(nullptr, static_cast<size_t>(length), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (address == MAP_FAILED) failOnFile("map", fileName);
    result[0] = reinterpret_cast<LongType>(address);
    result[1] = file.get();
    file.release();
    return result.release();
  });
}

void munmapFile(sd::Pointer*, LongType* ptrMap, LongType length) {
  guarded(__func__, [&] {
    required("ptrMap", ptrMap);
    if (length <= 0) sd::fail("argument 'length' is {}: it must be positive", length);
    munmap(reinterpret_cast<void*>(ptrMap[0]), static_cast<size_t>(length));
    close(static_cast<int>(ptrMap[1]));
    delete[] ptrMap;
  });
}
