// Tools that the tests of .npy and .npz files share.
#ifndef NDFORGE_TESTS_NPYTESTTOOLS_H
#define NDFORGE_TESTS_NPYTESTTOOLS_H

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "TestData.h"

namespace test {

namespace fs = std::filesystem;

inline const fs::path NPY_DATA = dataFolder() / "npy";

/// The name of a file that is deleted at the end of the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& suffix) {
    static int count = 0;
    const std::string name = "ndforge-" + std::to_string(getpid()) + "-" + std::to_string(count++) + suffix;
    path = (fs::temp_directory_path() / name).string();
  }
  ~TemporaryFile() { fs::remove(path); }
  std::string path;
};

inline std::string contentOf(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write(const std::string& file, std::string_view content) {
  std::ofstream(file, std::ios::binary).write(content.data(), std::streamsize(content.size()));
}

/// Overwrites one byte of a file.
inline void overwrite(const std::string& file, size_t at, char byte) {
  std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(std::streamoff(at)).put(byte);
}

template <typename T>
std::vector<char> bytesOf(const std::vector<T>& values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace test

#endif
