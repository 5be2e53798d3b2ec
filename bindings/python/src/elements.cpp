#include "elements.h"

#include <types/bfloat16.h>
#include <types/float16.h>

#include <complex>

namespace ndforge {

namespace {

/// Element `index` of a dense array.
PyObject* value(const NDArray& dense, LongType index) {
  const void* data = dense.buffer();
  switch (dense.dataType()) {
    case sd::BOOL:
      return PyBool_FromLong(static_cast<const bool*>(data)[index] ? 1 : 0);
    case sd::INT8:
      return PyLong_FromLong(static_cast<const int8_t*>(data)[index]);
    case sd::INT16:
      return PyLong_FromLong(static_cast<const int16_t*>(data)[index]);
    case sd::INT32:
      return PyLong_FromLong(static_cast<const int32_t*>(data)[index]);
    case sd::INT64:
      return PyLong_FromLongLong(static_cast<const int64_t*>(data)[index]);
    case sd::UINT8:
      return PyLong_FromLong(static_cast<const uint8_t*>(data)[index]);
    case sd::UINT16:
      return PyLong_FromLong(static_cast<const uint16_t*>(data)[index]);
    case sd::UINT32:
      return PyLong_FromUnsignedLong(static_cast<const uint32_t*>(data)[index]);
    case sd::UINT64:
      return PyLong_FromUnsignedLongLong(static_cast<const uint64_t*>(data)[index]);
    case sd::HALF:
      return PyFloat_FromDouble(static_cast<double>(static_cast<float>(static_cast<const float16*>(data)[index])));
    case sd::BFLOAT16:
      return PyFloat_FromDouble(static_cast<double>(static_cast<float>(static_cast<const bfloat16*>(data)[index])));
    case sd::FLOAT32:
      return PyFloat_FromDouble(static_cast<double>(static_cast<const float*>(data)[index]));
    case sd::DOUBLE:
      return PyFloat_FromDouble(static_cast<const double*>(data)[index]);
    case sd::COMPLEX64: {
      const auto number = static_cast<const std::complex<float>*>(data)[index];
      return PyComplex_FromDoubles(static_cast<double>(number.real()), static_cast<double>(number.imag()));
    }
    case sd::COMPLEX128: {
      const auto number = static_cast<const std::complex<double>*>(data)[index];
      return PyComplex_FromDoubles(number.real(), number.imag());
    }
    case sd::UTF8:
    case sd::UTF16:
    case sd::UTF32: {
      const std::string text = dense.e<std::string>(index);
      return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
    }
    default:
      throw nb::type_error("elements of this type have no Python value");
  }
}

PyObject* listOf(const NDArray& dense, const std::vector<LongType>& shape, size_t dimension, LongType& next) {
  if (dimension == shape.size()) return value(dense, next++);
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(shape[dimension])));
  if (!list.is_valid()) throw nb::python_error();
  for (LongType i = 0; i < shape[dimension]; i++) {
    PyObject* item = listOf(dense, shape, dimension + 1, next);
    if (item == nullptr) throw nb::python_error();
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i), item);
  }
  return list.release().ptr();
}

}  // namespace

PyObject* element(const NDArray& array) {
  return value(array, 0);  // where an array begins does not depend on its strides
}

PyObject* nestedList(const NDArray& array) {
  LongType next = 0;
  const std::vector<LongType> shape = shapeOf(array);
  const bool isDense = array.isEmpty() || (array.ordering() == 'c' && array.ews() == 1);
  return listOf(isDense ? array : copyOf(array), shape, 0, next);
}

LongType integerOf(PyObject* object, const char* what) {
  const nb::object index = nb::steal(PyNumber_Index(object));
  if (!index.is_valid()) {
    PyErr_Clear();
    throw nb::type_error((std::string("[") + what + "] an integer is needed, not " + shown(object)).c_str());
  }
  const LongType value = PyLong_AsLongLong(index.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value;
}

}  // namespace ndforge
