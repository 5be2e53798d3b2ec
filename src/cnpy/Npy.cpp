#include "cnpy/Npy.h"

#include <algorithm>
#include <set>

#include "cnpy/NpyFile.h"
#include "cnpy/Printable.h"
#include "cnpy/Zip.h"
#include "system/Error.h"
#include "system/OutputFile.h"

namespace sd::npy {
namespace {

constexpr std::string_view SUFFIX = ".npy";

bool isArray(const std::string& member) { return member.size() > SUFFIX.size() && member.ends_with(SUFFIX); }

std::string nameOf(const std::string& member) { return member.substr(0, member.size() - SUFFIX.size()); }

Array readMember(ZipReader& zip, const ZipReader::Member& member, const std::string& file) {
  const std::string where = fmt::format("'{}', member '{}'", file, printable(member.name));
  std::vector<char> bytes = zip.read(member);
  const Header header = parseHeader(bytes.data(), bytes.size(), where);
  checkPresent(header, bytes.size() - header.dataOffset, where);
  bytes.erase(bytes.begin(), bytes.begin() + std::ptrdiff_t(header.dataOffset));
  bytes.resize(header.dataBytes);
  normalise(header, bytes.data());
  return {header.dtype, header.order(), header.dims, std::move(bytes)};
}

// Checks an array that is to be written and returns its header.
std::string headerFor(const View& array, std::string_view where, size_t& bytes) {
  if (array.order != 'c' && array.order != 'f')
    fail<std::runtime_error>("[npy] {}: the order is neither 'c' nor 'f'", where);
  bytes = checkedBytes(array.dims, itemSizeOf(array.dtype), where);
  if (bytes > 0 && array.data == nullptr) fail<std::runtime_error>("[npy] {}: the data pointer is null", where);
  // An array whose layout is the same in both orders is written as 'c' order.
  const auto longer = std::count_if(array.dims.begin(), array.dims.end(), [](LongType dim) { return dim > 1; });
  return makeHeader(descrOf(array.dtype), array.order == 'f' && longer > 1 && bytes > 0, array.dims);
}

}  // namespace

Array load(const std::string& file) {
  NpyFile npy(file);
  const Header& header = npy.header();
  Array array{header.dtype, header.order(), header.dims, std::vector<char>(header.dataBytes)};
  npy.read(array.bytes.data());
  return array;
}

void save(const std::string& file, DataType dtype, char order, const std::vector<LongType>& dims, const void* data) {
  const std::string where = fmt::format("'{}'", file);
  size_t bytes = 0;
  const std::string header = headerFor({dtype, order, dims, data}, where, bytes);
  OutputFile output("npy", file);
  output.write(header.data(), header.size());
  if (bytes > 0) output.write(data, bytes);
  output.commit();
}

std::vector<std::string> namesInNpz(const std::string& file) {
  const ZipReader zip(file);
  std::vector<std::string> names;
  for (const auto& member : zip.members())
    if (isArray(member.name)) names.push_back(nameOf(member.name));
  return names;
}

std::map<std::string, Array> loadNpz(const std::string& file) {
  ZipReader zip(file);
  std::map<std::string, Array> arrays;
  for (const auto& member : zip.members())
    if (isArray(member.name)) arrays.emplace(nameOf(member.name), readMember(zip, member, file));
  return arrays;
}

Array loadNpz(const std::string& file, const std::string& name) {
  ZipReader zip(file);
  std::string names;
  for (const auto& member : zip.members()) {
    if (!isArray(member.name)) continue;
    if (nameOf(member.name) == name) return readMember(zip, member, file);
    names += (names.empty() ? "" : ", ") + nameOf(member.name);
  }
  fail<std::runtime_error>("[npz] '{}': it has no array '{}' (it has {})", file, name,
                           names.empty() ? "none" : printable(names, 200));
}

void saveNpz(const std::string& file, const std::vector<std::pair<std::string, View>>& arrays) {
  std::set<std::string> names;
  std::vector<std::pair<std::string, size_t>> headers;
  for (const auto& [name, array] : arrays) {
    if (name.empty()) fail<std::runtime_error>("[npz] '{}': the name of an array is empty", file);
    if (!names.insert(name).second) fail<std::runtime_error>("[npz] '{}': two arrays are named '{}'", file, name);
    size_t bytes = 0;
    std::string header = headerFor(array, fmt::format("'{}', array '{}'", file, name), bytes);
    headers.emplace_back(std::move(header), bytes);
  }
  ZipWriter zip(file);
  for (size_t i = 0; i < arrays.size(); ++i)
    zip.add(arrays[i].first + std::string(SUFFIX), headers[i].first, arrays[i].second.data, headers[i].second);
  zip.finish();
}

}  // namespace sd::npy
