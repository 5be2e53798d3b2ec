// A file that is there as a whole or not at all: what stands under its name stays until the new content is complete.
#ifndef NDFORGE_SRC_SYSTEM_OUTPUTFILE_H
#define NDFORGE_SRC_SYSTEM_OUTPUTFILE_H

#include <system/common.h>

#include <cstdint>
#include <string>

namespace sd {

/// Writes beside the target, in its folder, and takes its name in commit(). Symbolic links are followed, and the
/// permissions of a file that exists are kept. Where the name cannot be taken (several hard links, a folder that may
/// not be written to) the complete content is copied into the file that exists. Devices and pipes are written directly.
///
/// Every error is a std::runtime_error that begins with `tag` and names the file.
class SD_LIB_EXPORT OutputFile {
 public:
  OutputFile(std::string tag, const std::string& target);
  /// Without commit() nothing has changed.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, uint64_t size);
  void commit();

 private:
  std::string _tag, _target;
  std::string _resolved;   // the target behind symbolic links
  std::string _temporary;  // empty where the target is written directly
  int _descriptor = -1;
  bool _copies = false;  // the target keeps its place on the disk
  bool _existed = false;

  void openBeside(const std::string& folder, unsigned mode);
  void copyIntoTarget();
  void writeAll(int descriptor, const char* data, uint64_t size) const;
  [[noreturn]] void failed(const char* what, int error) const;
};

/// Whether two names stand for one file that can hold one content only: devices such as /dev/null take any number.
SD_LIB_EXPORT bool isSameTarget(const std::string& a, const std::string& b);

}  // namespace sd

#endif
