#include "cnpy/NpyFile.h"

#include <algorithm>
#include <filesystem>

#include "system/Error.h"

namespace sd::npy {

NpyFile::NpyFile(const std::string& file) : where_("'" + file + "'"), stream_(file, std::ios::binary) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) fail<std::runtime_error>("[npy] {}: there is no such file", where_);
  if (!std::filesystem::is_regular_file(file, error)) fail<std::runtime_error>("[npy] {}: not a regular file", where_);
  const size_t fileSize = std::filesystem::file_size(file, error);
  if (!stream_ || error) fail<std::runtime_error>("[npy] {}: cannot be opened for reading", where_);

  std::vector<char> text(std::min(fileSize, PREFIX_SIZE));
  stream_.read(text.data(), std::streamsize(text.size()));
  const size_t total = headerSize(text.data(), text.size(), where_);
  text.resize(std::min(fileSize, total));
  stream_.seekg(0);
  stream_.read(text.data(), std::streamsize(text.size()));
  if (!stream_) fail<std::runtime_error>("[npy] {}: cannot be read", where_);
  header_ = parseHeader(text.data(), text.size(), where_);
  checkPresent(header_, fileSize - total, where_);
}

void NpyFile::read(char* to) {
  stream_.seekg(std::streamoff(header_.dataOffset));
  stream_.read(to, std::streamsize(header_.dataBytes));
  if (!stream_) fail<std::runtime_error>("[npy] {}: cannot be read", where_);
  normalise(header_, to);
}

void checkPresent(const Header& header, size_t present, std::string_view where) {
  if (present < header.dataBytes)
    fail<std::runtime_error>("[npy] {}: truncated: the array (shape [{}]) needs {} bytes, but there are {}", where,
                             fmt::join(header.dims, ", "), header.dataBytes, present);
}

}  // namespace sd::npy
