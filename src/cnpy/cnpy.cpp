#include <cnpy/cnpy.h>

#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>

#include "cnpy/Npy.h"

#include "cnpy/NpyHeader.h"
#include "system/Error.h"

namespace cnpy {
namespace {

using sd::LongType;
using sd::npy::Array;

std::vector<unsigned int> shape32(const std::vector<LongType>& dims, std::string_view where) {
  std::vector<unsigned int> shape;
  for (const LongType dim : dims) {
    if (dim > std::numeric_limits<unsigned int>::max())
      sd::fail<std::runtime_error>("[cnpy] {}: dimension {} does not fit 32 bits; sd::npy::load reads such files",
                                   where, dim);
    shape.push_back(static_cast<unsigned int>(dim));
  }
  return shape;
}

std::vector<LongType> dimsOf(const unsigned int* shape, unsigned int rank) {
  if (rank > SD_MAX_RANK) sd::fail<std::runtime_error>("[cnpy] rank {} is above {}", rank, SD_MAX_RANK);
  if (rank > 0 && shape == nullptr) sd::fail<std::runtime_error>("[cnpy] the shape is null");
  return rank == 0 ? std::vector<LongType>() : std::vector<LongType>(shape, shape + rank);
}

NpyArray copyOf(const Array& array, const std::string& where) {
  NpyArray result;
  result.shape = shape32(array.dims, where);
  result.wordSize = sd::npy::itemSizeOf(array.dtype);
  result.fortranOrder = array.order == 'f';
  result.data = new char[array.bytes.size()];
  std::copy(array.bytes.begin(), array.bytes.end(), result.data);
  return result;
}

bool appends(const std::string& mode) {
  if (mode != "w" && mode != "a") sd::fail<std::runtime_error>("[cnpy] mode '{}' is neither 'w' nor 'a'", mode);
  return mode == "a";
}

void parse(const sd::npy::Header& header, unsigned int& wordSize, unsigned int*& shape, unsigned int& ndims,
           bool& fortranOrder) {
  const std::vector<unsigned int> dims = shape32(header.dims, "the header");
  wordSize = header.itemSize;
  fortranOrder = header.fortranOrder;
  ndims = static_cast<unsigned int>(dims.size());
  shape = new unsigned int[dims.size()];
  std::copy(dims.begin(), dims.end(), shape);
}

}  // namespace

void NpyArray::destruct() {
  delete[] data;
  data = nullptr;
}

void npz_t::destruct() {
  for (auto& entry : *this) entry.second.destruct();
}

NpyArray npyLoad(const std::string& file) { return copyOf(sd::npy::load(file), "'" + file + "'"); }

NpyArray npzLoad(const std::string& file, const std::string& name) {
  return copyOf(sd::npy::loadNpz(file, name), "'" + file + "'");
}

npz_t npzLoad(const std::string& file) {
  npz_t result;
  try {
    for (const auto& [name, array] : sd::npy::loadNpz(file)) result[name] = copyOf(array, "'" + file + "'");
  } catch (...) {
    result.destruct();
    throw;
  }
  return result;
}

NpyArray loadNpyFromPointer(char* data) {
  const sd::npy::Header header = sd::npy::parseHeader(static_cast<const void*>(data), "the file in memory");
  if (header.swapped) sd::fail<std::runtime_error>("[cnpy] the file in memory is in the other byte order");
  NpyArray result;
  result.shape = shape32(header.dims, "the file in memory");
  result.wordSize = header.itemSize;
  result.fortranOrder = header.fortranOrder;
  result.data = data + header.dataOffset;
  return result;
}

NpyArray loadNpyFromHeader(char* data) { return loadNpyFromPointer(data); }

int dataTypeFromHeader(char* data) {
  return sd::npy::parseHeader(static_cast<const void*>(data), "the header in memory").dtype;
}

void parseNpyHeaderPointer(const char* header, unsigned int& wordSize, unsigned int*& shape, unsigned int& ndims,
                           bool& fortranOrder) {
  parse(sd::npy::parseHeader(static_cast<const void*>(header), "the header in memory"), wordSize, shape, ndims,
        fortranOrder);
}

void parseNpyHeaderStr(const std::string& header, unsigned int& wordSize, unsigned int*& shape, unsigned int& ndims,
                       bool& fortranOrder) {
  parse(sd::npy::parseHeader(header.data(), header.size(), "the header"), wordSize, shape, ndims, fortranOrder);
}

namespace detail {

void saveNpy(const std::string& file, sd::DataType dtype, const void* data, const unsigned int* shape,
             unsigned int rank, const std::string& mode) {
  std::vector<LongType> dims = dimsOf(shape, rank);
  if (!appends(mode) || !std::filesystem::exists(file)) return sd::npy::save(file, dtype, 'c', dims, data);

  Array old = sd::npy::load(file);
  const size_t added = sd::npy::checkedBytes(dims, sd::npy::itemSizeOf(dtype), "'" + file + "'");
  if (old.dtype != dtype || old.order != 'c' || old.dims.size() != dims.size() || dims.empty() ||
      !std::equal(dims.begin() + 1, dims.end(), old.dims.begin() + 1))
    sd::fail<std::runtime_error>(
        "[cnpy] '{}': an array of shape [{}] cannot be appended to one of shape [{}] (both need the same type, c order "
        "and the same dimensions after the first)",
        file, fmt::join(dims, ", "), fmt::join(old.dims, ", "));
  if (added > 0 && data == nullptr) sd::fail<std::runtime_error>("[cnpy] '{}': the data pointer is null", file);
  const char* bytes = static_cast<const char*>(data);
  if (added > 0) old.bytes.insert(old.bytes.end(), bytes, bytes + added);
  old.dims[0] += dims[0];
  sd::npy::save(file, dtype, 'c', old.dims, old.bytes.data());
}

void saveNpz(const std::string& file, const std::string& name, sd::DataType dtype, const void* data,
             const unsigned int* shape, unsigned int rank, const std::string& mode) {
  std::map<std::string, Array> old;
  if (appends(mode) && std::filesystem::exists(file)) old = sd::npy::loadNpz(file);
  old.erase(name);
  std::vector<std::pair<std::string, sd::npy::View>> arrays;
  for (const auto& [key, array] : old)
    arrays.push_back({key, {array.dtype, array.order, array.dims, array.bytes.data()}});
  arrays.push_back({name, {dtype, 'c', dimsOf(shape, rank), data}});
  sd::npy::saveNpz(file, arrays);
}

std::vector<char> header(char kind, unsigned int wordSize, const unsigned int* shape, unsigned int rank) {
  const std::string descr = fmt::format("{}{}{}", wordSize == 1 ? '|' : sd::npy::HOST_MARK, kind, wordSize);
  const std::string text = sd::npy::makeHeader(descr, false, dimsOf(shape, rank));
  return std::vector<char>(text.begin(), text.end());
}

}  // namespace detail
}  // namespace cnpy
