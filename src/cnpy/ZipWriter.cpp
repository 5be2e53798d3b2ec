#include <zlib.h>

#include <algorithm>
#include <limits>

#include "cnpy/Zip.h"
#include "system/Error.h"

namespace sd::npy {
namespace {

constexpr uint64_t FULL32 = 0xffffffff;
constexpr uint64_t FULL16 = 0xffff;
constexpr uint16_t PLAIN_VERSION = 20, ZIP64_VERSION = 45;
constexpr uint16_t UTF8_NAME = 1 << 11;
constexpr uint16_t FIRST_DATE = (1 << 5) | 1;  // 1980-01-01: a fixed date, so that equal arrays give equal files

void append(std::string& to, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += char((value >> (8 * i)) & 255);
}

uLong checksum(uLong crc, const void* data, uint64_t size) {
  const Bytef* bytes = static_cast<const Bytef*>(data);
  while (size > 0) {
    const uInt part = uInt(std::min<uint64_t>(size, std::numeric_limits<int>::max()));
    crc = crc32(crc, bytes, part);
    bytes += part;
    size -= part;
  }
  return crc;
}

// The fields that a local header and a directory entry share.
std::string commonFields(const std::string& name, bool zip64, uLong crc, uint64_t size, size_t extraSize) {
  const bool ascii = std::all_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x80; });
  std::string fields;
  append(fields, zip64 ? ZIP64_VERSION : PLAIN_VERSION, 2);
  append(fields, ascii ? 0 : UTF8_NAME, 2);
  append(fields, 0, 2);  // method: stored
  append(fields, 0, 2);
  append(fields, FIRST_DATE, 2);
  append(fields, crc, 4);
  append(fields, zip64 ? FULL32 : size, 4);
  append(fields, zip64 ? FULL32 : size, 4);
  append(fields, name.size(), 2);
  append(fields, extraSize, 2);
  return fields;
}

}  // namespace

ZipWriter::ZipWriter(const std::string& file) : _file(file), _output("npz", file) {}

void ZipWriter::put(const void* data, uint64_t size) {
  _output.write(data, size);
  _offset += size;
}

void ZipWriter::add(const std::string& name, std::string_view head, const void* data, uint64_t size) {
  if (name.size() > FULL16) fail<std::runtime_error>("[npz] '{}': a name of {} bytes is too long", _file, name.size());
  const uint64_t total = head.size() + size, start = _offset;
  const uLong crc = checksum(checksum(0, head.data(), head.size()), data, size);

  const bool bigMember = total >= FULL32;
  std::string sizes;
  if (bigMember) {
    append(sizes, total, 8);
    append(sizes, total, 8);
  }
  std::string local("PK\x03\x04");
  local += commonFields(name, bigMember, crc, total, bigMember ? 4 + sizes.size() : 0) + name;
  if (bigMember) {
    append(local, 1, 2);
    append(local, sizes.size(), 2);
    local += sizes;
  }
  put(local.data(), local.size());
  put(head.data(), head.size());
  if (size > 0) put(data, size);

  const bool far = start >= FULL32;
  if (far) append(sizes, start, 8);
  _directory += "PK\x01\x02";
  append(_directory, ZIP64_VERSION, 2);
  _directory += commonFields(name, bigMember, crc, total, sizes.empty() ? 0 : 4 + sizes.size());
  _directory.append(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
  append(_directory, far ? FULL32 : start, 4);
  _directory += name;
  if (!sizes.empty()) {
    append(_directory, 1, 2);
    append(_directory, sizes.size(), 2);
    _directory += sizes;
  }
  ++_count;
}

void ZipWriter::finish() {
  const uint64_t start = _offset, size = _directory.size();
  put(_directory.data(), size);
  std::string end;
  if (start >= FULL32 || size >= FULL32 || _count >= FULL16) {
    const uint64_t recordOffset = _offset;
    end += "PK\x06\x06";
    append(end, 44, 8);  // bytes that follow in this record
    append(end, ZIP64_VERSION, 2);
    append(end, ZIP64_VERSION, 2);
    append(end, 0, 4 + 4);
    append(end, _count, 8);
    append(end, _count, 8);
    append(end, size, 8);
    append(end, start, 8);
    end += "PK\x06\x07";
    append(end, 0, 4);
    append(end, recordOffset, 8);
    append(end, 1, 4);
  }
  end += "PK\x05\x06";
  append(end, 0, 2 + 2);
  append(end, std::min(_count, FULL16), 2);
  append(end, std::min(_count, FULL16), 2);
  append(end, std::min(size, FULL32), 4);
  append(end, std::min(start, FULL32), 4);
  append(end, 0, 2);
  put(end.data(), end.size());
  _output.commit();
}

}  // namespace sd::npy
