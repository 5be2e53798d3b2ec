// The real and imaginary parts of arrays.
#include "parts.h"

namespace ndforge {

namespace {

void requireNumbers(const NDArray& array) {
  if (array.isS()) throw nb::type_error("texts have no real and imaginary parts");
}

}  // namespace

NDArray partOf(const NDArray& array, LongType first) {
  const DataType type = sd::DataTypeUtils::partType(array.dataType());
  const std::vector<LongType> shape = shapeOf(array);
  if (array.isEmpty()) return emptyArray(shape, type);
  std::vector<LongType> strides;
  for (size_t d = 0; d < shape.size(); d++) strides.push_back(2 * array.stridesOf()[d]);
  return stridedAs(array, type, shape, strides, 2 * array.bufferOffset() + first);
}

namespace {

int setPart(PyObject* object, PyObject* value, LongType first) {
  return guarded<int>(-1, [&] {
    NDArray& array = *arrayIn(object);
    requireNumbers(array);
    if (value == nullptr) throw nb::type_error("parts of an array cannot be deleted");
    if (first == 1 && !array.isC()) throw nb::type_error("the imaginary part of real numbers cannot be set");
    if (array.isEmpty()) return 0;
    const nb::object everywhere = nb::steal(PyTuple_New(0));
    if (array.isC()) {
      NDArray part = partOf(array, first);
      setItem(part, everywhere, value);
    } else {
      setItem(array, everywhere, value);
    }
    return 0;
  });
}

}  // namespace

PyObject* getReal(PyObject* object, void*) {
  return guardedObject([&] {
    const NDArray& array = *arrayIn(object);
    requireNumbers(array);
    return array.isC() ? newArray(partOf(array, 0)) : Py_NewRef(object);
  });
}

PyObject* getImaginary(PyObject* object, void*) {
  return guardedObject([&] {
    const NDArray& array = *arrayIn(object);
    requireNumbers(array);
    return newArray(array.isC() ? partOf(array, 1) : emptyArray(shapeOf(array), array.dataType()));
  });
}

int setReal(PyObject* object, PyObject* value, void*) { return setPart(object, value, 0); }
int setImaginary(PyObject* object, PyObject* value, void*) { return setPart(object, value, 1); }

}  // namespace ndforge
