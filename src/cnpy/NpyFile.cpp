#include "cnpy/NpyFile.h"

#include <algorithm>
#include <filesystem>

#include "system/Error.h"

namespace sd::npy {

NpyFile::NpyFile(const std::string& file) : _where("'" + file + "'"), _stream(file, std::ios::binary) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) fail<std::runtime_error>("[npy] {}: there is no such file", _where);
  if (!std::filesystem::is_regular_file(file, error)) fail<std::runtime_error>("[npy] {}: not a regular file", _where);
  const size_t fileSize = std::filesystem::file_size(file, error);
  if (!_stream || error) fail<std::runtime_error>("[npy] {}: cannot be opened for reading", _where);

  std::vector<char> text(std::min(fileSize, PREFIX_SIZE));
  _stream.read(text.data(), std::streamsize(text.size()));
  const size_t total = headerSize(text.data(), text.size(), _where);
  text.resize(std::min(fileSize, total));
  _stream.seekg(0);
  _stream.read(text.data(), std::streamsize(text.size()));
  if (!_stream) fail<std::runtime_error>("[npy] {}: cannot be read", _where);
  _header = parseHeader(text.data(), text.size(), _where);
  checkPresent(_header, fileSize - total, _where);
}

void NpyFile::read(char* to) {
  _stream.seekg(std::streamoff(_header.dataOffset));
  _stream.read(to, std::streamsize(_header.dataBytes));
  if (!_stream) fail<std::runtime_error>("[npy] {}: cannot be read", _where);
  normalise(_header, to);
}

void checkPresent(const Header& header, size_t present, std::string_view where) {
  if (present < header.dataBytes)
    fail<std::runtime_error>("[npy] {}: truncated: the array (shape [{}]) needs {} bytes, but there are {}", where,
                             fmt::join(header.dims, ", "), header.dataBytes, present);
}

}  // namespace sd::npy
