#include "cli/Array.h"

#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <array/NDArray.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <helpers/ConstantShapeHelper.h>

#include <algorithm>
#include <new>

#include "cli/Errors.h"
#include "cnpy/Npy.h"

namespace sd::cli {
namespace {

constexpr std::align_val_t ALIGNMENT{SD_DESIRED_ALIGNMENT};
constexpr std::string_view ARCHIVE = ".npz";

const LongType* intern(DataType dtype, char order, const std::vector<LongType>& dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(dtype, order, dims);
}

npy::Array readFile(const std::string& source) {
  const size_t colon = source.rfind(std::string(ARCHIVE) + ":");
  if (colon != std::string::npos)
    return npy::loadNpz(source.substr(0, colon + ARCHIVE.size()), source.substr(colon + ARCHIVE.size() + 1));
  if (!source.ends_with(ARCHIVE)) return npy::load(source);
  const auto names = npy::namesInNpz(source);
  if (names.size() == 1) return npy::loadNpz(source, names[0]);
  if (names.empty()) throw DataError(fmt::format("'{}' contains no arrays", source));
  throw DataError(
      fmt::format("'{0}' has several arrays ({1}); choose one with {0}:{2}", source, fmt::join(names, ", "), names[0]));
}

}  // namespace

Array Array::allocate(const LongType* info) {
  Array array;
  array._info = info;
  array._data = std::shared_ptr<void>(::operator new(std::max<size_t>(array.bytes(), 1), ALIGNMENT),
                                      [](void* data) { ::operator delete(data, ALIGNMENT); });
  return array;
}

Array Array::allocate(DataType dtype, char order, const std::vector<LongType>& dims) {
  return allocate(intern(dtype, order, dims));
}

Array Array::of(const NDArray& array) {
  const Array result = allocate(array.dataType(), 'c', array.getShapeAsVector());
  if (!array.isEmpty()) NDArray(result.data(), result.info()).assign(array);
  return result;
}

Array Array::read(const std::string& source) {
  const auto loaded =
      withMemory(fmt::format("'{}'", source), [&] { return std::make_shared<npy::Array>(readFile(source)); });
  Array array;
  array._info = intern(loaded->dtype, loaded->order, loaded->dims);
  array._data = std::shared_ptr<void>(loaded, loaded->bytes.data());
  // Kernels need a valid address even for an array without elements.
  return loaded->bytes.empty() ? allocate(array._info) : array;
}

void Array::checkTarget(const std::string& target) {
  if (!target.ends_with(".npy") && !target.ends_with(ARCHIVE))
    throw UsageError(fmt::format("-o: '{}' is neither a .npy nor a .npz file", target));
}

void Array::writeArchive(const std::string& target, const std::vector<std::pair<std::string, Array>>& arrays) {
  std::vector<std::pair<std::string, npy::View>> views;
  for (const auto& [name, array] : arrays) views.push_back({name, {array.dtype(), 'c', array.dims(), array.data()}});
  npy::saveNpz(target, views);
}

void Array::write(const std::string& target) const {
  checkTarget(target);
  if (target.ends_with(ARCHIVE))
    writeArchive(target, {{"z", *this}});
  else
    npy::save(target, dtype(), 'c', dims(), data());
}

Array Array::cast(DataType to) const {
  if (to == dtype()) return *this;
  const Array result = allocate(to, 'c', dims());
  loops::assign(in(), result.out());
  return result;
}

DataType Array::dtype() const { return ArrayOptions::dataType(_info); }

LongType Array::length() const {
  LongType length = 1;
  for (LongType i = 1; i <= _info[0]; ++i) length *= _info[i];
  return length;
}

size_t Array::bytes() const { return size_t(length()) * DataTypeUtils::sizeOf(dtype()); }

std::string Array::shapeText() const { return fmt::format("[{}]", fmt::join(dims(), ", ")); }

}  // namespace sd::cli
