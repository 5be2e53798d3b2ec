#include <array/NDArrayFile.h>

#include <cstring>

#include "array/NDArrayCommon.h"
#include "cnpy/Npy.h"

namespace sd {

namespace {

NDArray fromFile(const npy::Array& file) {
  auto& shapes = ConstantShapeHelper::getInstance();
  const LongType* info = file.dims.empty() ? shapes.scalarShapeInfo(file.dtype)
                                           : arrays::interned(file.dtype, file.order,
                                                              static_cast<int>(file.dims.size()), file.dims.data());
  NDArray array = NDArray::uninitialized(info, LaunchContext::defaultContext());
  if (array.hasElements()) std::memcpy(array.buffer(), file.bytes.data(), file.bytes.size());
  return array;
}

// The array itself, or a copy in `copy` when its elements are not contiguous.
npy::View viewForFile(const char* op, const NDArray& array, NDArray& copy) {
  if (array.isS())
    fail<std::runtime_error>("[{}] arrays of strings cannot be saved (type {})", op,
                             DataTypeUtils::describe(array.dataType()));
  arrays::requireNumbers(op, array);
  const NDArray* dense = &array;
  if (array.hasElements() && !arrays::isCanonical(array.shapeInfo())) {
    copy = array.dup();
    dense = &copy;
  }
  return {array.dataType(), dense->ordering(), array.getShapeAsVector(), dense->buffer()};
}

}  // namespace

void saveNpy(const NDArray& array, const std::string& file) {
  NDArray copy;
  const npy::View view = viewForFile("saveNpy", array, copy);
  npy::save(file, view.dtype, view.order, view.dims, view.data);
}

NDArray loadNpy(const std::string& file) { return fromFile(npy::load(file)); }

void saveNpz(const std::map<std::string, NDArray>& arrays, const std::string& file) {
  std::vector<NDArray> copies(arrays.size());
  std::vector<std::pair<std::string, npy::View>> views;
  for (const auto& [name, array] : arrays)
    views.emplace_back(name, viewForFile("saveNpz", array, copies[views.size()]));
  npy::saveNpz(file, views);
}

std::map<std::string, NDArray> loadNpz(const std::string& file) {
  std::map<std::string, NDArray> arrays;
  for (const auto& [name, array] : npy::loadNpz(file)) arrays.emplace(name, fromFile(array));
  return arrays;
}

NDArray loadNpz(const std::string& file, const std::string& name) { return fromFile(npy::loadNpz(file, name)); }

}  // namespace sd
