#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <unordered_set>

#include "cnpy/Printable.h"
#include "cnpy/Zip.h"
#include "system/Error.h"

namespace sd::npy {
namespace {

constexpr uint32_t LOCAL_HEADER = 0x04034b50, DIRECTORY_ENTRY = 0x02014b50, DIRECTORY_END = 0x06054b50;
constexpr uint32_t ZIP64_END = 0x06064b50, ZIP64_LOCATOR = 0x07064b50;
constexpr size_t LOCAL_SIZE = 30, ENTRY_SIZE = 46, END_SIZE = 22, ZIP64_END_SIZE = 56, LOCATOR_SIZE = 20;
constexpr uint16_t FULL16 = 0xffff;
constexpr uint32_t FULL32 = 0xffffffff;

// Deflate compresses at most 1032 bytes to one.
constexpr uint64_t BEST_RATIO = 1032;

uint64_t number(const char* bytes, int count) {
  uint64_t value = 0;
  for (int i = 0; i < count; ++i) value |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

uint16_t u16(const char* bytes) { return uint16_t(number(bytes, 2)); }
uint32_t u32(const char* bytes) { return uint32_t(number(bytes, 4)); }
uint64_t u64(const char* bytes) { return number(bytes, 8); }

}  // namespace

ZipReader::ZipReader(const std::string& file) : _file(file), _stream(file, std::ios::binary) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) bad("there is no such file");
  if (!std::filesystem::is_regular_file(file, error)) bad("not a regular file");
  _fileSize = std::filesystem::file_size(file, error);
  if (!_stream || error) bad("cannot be opened for reading");
  readDirectory(findDirectory());
}

void ZipReader::bad(std::string_view what) const {
  fail<std::runtime_error>("[npz] '{}': {}", _file, printable(what, 300));
}

std::vector<char> ZipReader::bytesAt(uint64_t offset, uint64_t count, std::string_view what) {
  if (offset > _fileSize || count > _fileSize - offset)
    bad(fmt::format("{} would be at bytes {} to {}, but there are {} bytes (the file is truncated or damaged)", what,
                    offset, offset + count, _fileSize));
  std::vector<char> bytes(count);
  _stream.clear();
  _stream.seekg(std::streamoff(offset));
  _stream.read(bytes.data(), std::streamsize(count));
  if (!_stream) bad(fmt::format("{} cannot be read", what));
  return bytes;
}

ZipReader::Directory ZipReader::findDirectory() {
  if (_fileSize < END_SIZE) bad("not a .npz file (too short for a zip archive)");
  // A comment of up to 65535 bytes may follow the record.
  const uint64_t tailSize = std::min<uint64_t>(_fileSize, END_SIZE + FULL16);
  const std::vector<char> tail = bytesAt(_fileSize - tailSize, tailSize, "the end of the archive");
  for (size_t at = tail.size() - END_SIZE + 1; at-- > 0;) {
    const char* record = tail.data() + at;
    if (u32(record) != DIRECTORY_END || at + END_SIZE + u16(record + 20) != tail.size()) continue;
    const bool zip64 = u16(record + 10) == FULL16 || u32(record + 12) == FULL32 || u32(record + 16) == FULL32;
    const uint64_t endOffset = _fileSize - tailSize + at;
    if (zip64) return readZip64End(endOffset);
    if (u16(record + 4) != 0 || u16(record + 6) != 0 || u16(record + 8) != u16(record + 10))
      bad("archives in several parts are not supported");
    return {u32(record + 16), u32(record + 12), u16(record + 10)};
  }
  bad("not a .npz file, or truncated (the directory of the zip archive is missing)");
}

ZipReader::Directory ZipReader::readZip64End(uint64_t endOffset) {
  if (endOffset < LOCATOR_SIZE) bad("the zip64 record is missing");
  const std::vector<char> locator = bytesAt(endOffset - LOCATOR_SIZE, LOCATOR_SIZE, "the zip64 locator");
  if (u32(locator.data()) != ZIP64_LOCATOR) bad("the zip64 record is missing");
  const std::vector<char> end = bytesAt(u64(locator.data() + 8), ZIP64_END_SIZE, "the zip64 record");
  if (u32(end.data()) != ZIP64_END) bad("the zip64 record is missing");
  return {u64(end.data() + 48), u64(end.data() + 40), u64(end.data() + 32)};
}

void ZipReader::readDirectory(const Directory& directory) {
  const std::vector<char> bytes = bytesAt(directory.offset, directory.size, "the directory");
  std::unordered_set<std::string_view> names;
  size_t at = 0;
  if (directory.entries > bytes.size() / ENTRY_SIZE) bad("the directory is too short for its number of entries");
  _members.reserve(directory.entries);
  for (uint64_t i = 0; i < directory.entries; ++i) {
    if (bytes.size() - at < ENTRY_SIZE || u32(bytes.data() + at) != DIRECTORY_ENTRY)
      bad(fmt::format("entry {} of the directory is damaged", i));
    const char* entry = bytes.data() + at;
    const size_t nameSize = u16(entry + 28), extraSize = u16(entry + 30), commentSize = u16(entry + 32);
    if (bytes.size() - at - ENTRY_SIZE < nameSize + extraSize + commentSize)
      bad(fmt::format("entry {} of the directory is truncated", i));
    Member member;
    member.name.assign(entry + ENTRY_SIZE, nameSize);
    member.encrypted = (u16(entry + 8) & 1) != 0;
    member.method = u16(entry + 10);
    member.crc = u32(entry + 16);
    member.compressedSize = u32(entry + 20);
    member.size = u32(entry + 24);
    member.headerOffset = u32(entry + 42);
    const char* extra = entry + ENTRY_SIZE + nameSize;
    for (size_t left = extraSize; left >= 4;) {
      const size_t size = u16(extra + 2);
      if (size > left - 4) break;
      if (u16(extra) == 1) {  // zip64: the values that did not fit the plain fields, in this order
        const char* field = extra + 4;
        const char* fieldEnd = field + size;
        for (uint64_t* value : {&member.size, &member.compressedSize, &member.headerOffset}) {
          if (*value != FULL32) continue;
          if (fieldEnd - field < 8) bad(fmt::format("entry {} of the directory lacks its zip64 values", i));
          *value = u64(field);
          field += 8;
        }
      }
      extra += 4 + size;
      left -= 4 + size;
    }
    at += ENTRY_SIZE + nameSize + extraSize + commentSize;
    _members.push_back(std::move(member));
    if (!names.insert(_members.back().name).second) bad("two members have the same name");
  }
}

std::vector<char> ZipReader::read(const Member& member) {
  const std::vector<char> local = bytesAt(member.headerOffset, LOCAL_SIZE, "the header of a member");
  if (u32(local.data()) != LOCAL_HEADER) bad(fmt::format("the header of member '{}' is damaged", member.name));
  if (member.encrypted) bad(fmt::format("member '{}' is encrypted", member.name));
  if (member.method != 0 && member.method != Z_DEFLATED)
    bad(fmt::format("member '{}' is compressed with method {} (only 0, stored, and 8, deflated, are supported)",
                    member.name, member.method));
  const uint64_t start = member.headerOffset + LOCAL_SIZE + u16(local.data() + 26) + u16(local.data() + 28);
  if (member.method == 0 && member.size != member.compressedSize)
    bad(fmt::format("member '{}' is stored without compression, but its two sizes differ", member.name));
  if (member.size / BEST_RATIO > member.compressedSize)
    bad(fmt::format("member '{}' claims {} bytes, which is more than {} compressed bytes can hold", member.name,
                    member.size, member.compressedSize));
  std::vector<char> content = bytesAt(start, member.compressedSize, fmt::format("member '{}'", member.name));
  if (member.method == Z_DEFLATED) content = inflate(member, content);
  uLong crc = 0;
  for (size_t at = 0; at < content.size();) {
    const uInt part = uInt(std::min<size_t>(content.size() - at, std::numeric_limits<int>::max()));
    crc = crc32(crc, reinterpret_cast<const Bytef*>(content.data() + at), part);
    at += part;
  }
  if (crc != member.crc) bad(fmt::format("member '{}' is damaged (its checksum differs)", member.name));
  return content;
}

std::vector<char> ZipReader::inflate(const Member& member, const std::vector<char>& packed) const {
  std::vector<char> content(member.size);
  z_stream z{};
  if (inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  size_t read = 0, written = 0;
  int status = Z_OK;
  constexpr size_t PART = size_t{1} << 30;  // zlib's counters have 32 bits
  while (status == Z_OK) {
    const size_t in = std::min(packed.size() - read, PART), out = std::min(content.size() - written, PART);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
    z.avail_in = uInt(in);
    // The end of the stream may follow the last byte of content, so even an empty buffer needs a valid address.
    Bytef none;
    z.next_out = out == 0 ? &none : reinterpret_cast<Bytef*>(content.data() + written);
    z.avail_out = uInt(out);
    status = ::inflate(&z, Z_NO_FLUSH);
    read += in - z.avail_in;
    written += out - z.avail_out;
  }
  inflateEnd(&z);
  if (status != Z_STREAM_END || written != content.size())
    bad(fmt::format("member '{}' cannot be decompressed ({} of {} bytes)", member.name, written, content.size()));
  return content;
}

}  // namespace sd::npy
