// Writes a file completely or not at all: an existing file stays until the new content is complete.
#ifndef NDFORGE_SRC_SYSTEM_OUTPUTFILE_H
#define NDFORGE_SRC_SYSTEM_OUTPUTFILE_H

#include <system/common.h>

#include <cstdint>
#include <string>

namespace sd {

/// Writes to a temporary file in the target's folder, which takes the target's name in commit(). Symbolic links are
/// followed, and the permissions of an existing file are kept. Where the name cannot be taken (several hard links, a
/// folder without write permission) the complete content is copied into the existing file. Devices and pipes are
/// written directly.
/// Every error is a std::runtime_error that begins with `tag` and names the file.
class SD_LIB_EXPORT OutputFile {
 public:
  OutputFile(std::string tag, const std::string& target);
  /// If commit() was not called, the target is unchanged.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, uint64_t size);
  void commit();

 private:
  std::string _tag, _target;
  std::string _resolved;   // the target after resolving symbolic links
  std::string _temporary;  // empty when the target is written directly
  int _descriptor = -1;
  bool _copies = false;  // the content is copied into the existing file
  bool _existed = false;

  void openBeside(const std::string& folder, unsigned mode);
  void copyIntoTarget();
  void writeAll(int descriptor, const char* data, uint64_t size) const;
  [[noreturn]] void failed(const char* what, int error) const;
};

/// Whether two names refer to the same file. False for devices such as /dev/null, which take any number of outputs.
SD_LIB_EXPORT bool isSameTarget(const std::string& a, const std::string& b);

}  // namespace sd

#endif
