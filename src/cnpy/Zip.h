// The part of the ZIP format that .npz files use: stored and deflated members, with the zip64 extension.
#ifndef NDFORGE_SRC_CNPY_ZIP_H
#define NDFORGE_SRC_CNPY_ZIP_H

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "system/OutputFile.h"

namespace sd::npy {

/// Reads archives by their central directory. All values in an archive are checked against the size of the file before
/// they are used; the content of a member is checked against its CRC.
class ZipReader {
 public:
  struct Member {
    std::string name;
    unsigned method = 0;
    uint32_t crc = 0;
    uint64_t compressedSize = 0;
    uint64_t size = 0;
    uint64_t headerOffset = 0;
    bool encrypted = false;
  };

  /// Opens a file and reads its directory.
  explicit ZipReader(const std::string& file);

  const std::vector<Member>& members() const { return _members; }

  /// The content of a member, decompressed if necessary.
  std::vector<char> read(const Member& member);

 private:
  struct Directory {
    uint64_t offset, size, entries;
  };

  Directory findDirectory();
  Directory readZip64End(uint64_t endOffset);
  void readDirectory(const Directory& directory);
  std::vector<char> bytesAt(uint64_t offset, uint64_t count, std::string_view what);
  std::vector<char> inflate(const Member& member, const std::vector<char>& packed) const;
  [[noreturn]] void bad(std::string_view what) const;

  std::string _file;
  std::ifstream _stream;
  uint64_t _fileSize = 0;
  std::vector<Member> _members;
};

/// Writes an archive of stored members, with zip64 records where values do not fit the plain ones.
class ZipWriter {
 public:
  explicit ZipWriter(const std::string& file);

  /// Appends a member whose content is `head` followed by `size` bytes at `data`.
  void add(const std::string& name, std::string_view head, const void* data, uint64_t size);

  /// Writes the directory. Until then the target does not exist, or is the old file.
  void finish();

 private:
  void put(const void* data, uint64_t size);

  std::string _file;
  OutputFile _output;
  uint64_t _offset = 0;
  uint64_t _count = 0;
  std::string _directory;
};

}  // namespace sd::npy

#endif
