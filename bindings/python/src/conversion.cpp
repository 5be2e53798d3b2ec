// Arrays from Python values.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "core.h"
#include "elements.h"

namespace ndforge {

namespace {

constexpr int DEEPEST = 32;

/// Objects that give each other without end are a RecursionError.
class Deeper {
 public:
  Deeper() {
    if (Py_EnterRecursiveCall(" while an array was made") != 0) throw nb::python_error();
  }
  ~Deeper() { Py_LeaveRecursiveCall(); }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;
};

/// The leaves of nested sequences, and the shape that they have together.
class Leaves {
 public:
  explicit Leaves(nb::handle value) { visit(value, 0); }
  const std::vector<LongType>& shape() const { return _shape; }
  const std::vector<nb::object>& values() const { return _values; }

 private:
  std::vector<LongType> _shape;
  std::vector<nb::object> _values;
  bool _known = false;  // whether the shape is complete

  static bool isSequence(nb::handle value) {
    PyObject* object = value.ptr();
    if (PyUnicode_Check(object) != 0 || PyBytes_Check(object) != 0) return false;
    return PyList_Check(object) != 0 || PyTuple_Check(object) != 0 || PySequence_Check(object) != 0;
  }

  void visit(nb::handle value, size_t depth) {
    nb::object own;
    if (depth > 0 && isArrayLike(value)) {  // arrays among the elements
      const NDArray array = toArray(value, std::nullopt, Sharing::ForReading);
      own = nb::steal(nestedList(array));
      value = own;
    }
    if (!isSequence(value)) {
      if (_known && depth != _shape.size()) ragged(depth);
      _known = true;
      _values.push_back(nb::borrow(value));
      return;
    }
    if (depth >= DEEPEST) throw nb::value_error("[array] the sequences are nested more than 32 deep");
    const Py_ssize_t size = PySequence_Size(value.ptr());
    if (size < 0) throw nb::python_error();
    if (depth == _shape.size()) {
      if (_known) ragged(depth);
      _shape.push_back(size);
      if (size == 0) _known = true;
    } else if (_shape[depth] != size) {
      throw nb::value_error(("[array] sequences of " + std::to_string(_shape[depth]) + " and of " +
                             std::to_string(size) + " elements side by side at depth " + std::to_string(depth)).c_str());
    }
    for (Py_ssize_t i = 0; i < size; i++) {
      const nb::object item = nb::steal(PySequence_GetItem(value.ptr(), i));
      if (!item.is_valid()) throw nb::python_error();
      visit(item, depth + 1);
    }
  }

  [[noreturn]] static void ragged(size_t depth) {
    throw nb::value_error(("[array] numbers and sequences side by side at depth " + std::to_string(depth)).c_str());
  }
};

enum class Leaf { Boolean, Integer, Real, Complex, Text };

Leaf kindOf(nb::handle value) {
  PyObject* object = value.ptr();
  if (PyBool_Check(object) != 0) return Leaf::Boolean;
  if (PyLong_Check(object) != 0) return Leaf::Integer;
  if (PyFloat_Check(object) != 0) return Leaf::Real;
  if (PyUnicode_Check(object) != 0) return Leaf::Text;
  if (PyComplex_Check(object) != 0) return Leaf::Complex;
  // A class has the methods of its objects, but is no number.
  if (PyType_Check(object) == 0) {
    if (nb::hasattr(value, "__index__")) return Leaf::Integer;
    if (nb::hasattr(value, "__float__")) return Leaf::Real;
  }
  throw nb::type_error((std::string("[array] no element can be made of ") + shown(value)).c_str());
}

/// A text as UTF-8. Bytes that were no UTF-8 when an array's element became a Python text become what they were.
std::string utf8Of(PyObject* text) {
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text, &size)) return {bytes, static_cast<size_t>(size)};
  PyErr_Clear();
  const nb::object encoded = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  char* bytes = nullptr;
  if (!encoded.is_valid() || PyBytes_AsStringAndSize(encoded.ptr(), &bytes, &size) != 0) throw nb::python_error();
  return {bytes, static_cast<size_t>(size)};
}

NDArray ofTexts(const Leaves& leaves, DataType type) {
  std::vector<std::string> texts;
  for (const nb::object& value : leaves.values()) {
    if (kindOf(value) != Leaf::Text) throw nb::type_error("[array] texts and numbers side by side");
    texts.push_back(utf8Of(value.ptr()));
  }
  return leaves.shape().empty() ? NDArray(texts.at(0), type) : NDArray(leaves.shape(), texts, type);
}

nb::object indexOf(const nb::object& value) {
  nb::object integer = nb::steal(PyNumber_Index(value.ptr()));
  if (!integer.is_valid()) throw nb::python_error();
  return integer;
}

/// Integers as they are; those beyond INT64 only if all are within UINT64.
NDArray ofIntegers(const Leaves& leaves) {
  const auto& values = leaves.values();
  bool isLarge = false;
  NDArray array = emptyArray(leaves.shape(), sd::INT64);
  auto* data = static_cast<int64_t*>(array.buffer());
  for (size_t i = 0; i < values.size() && !isLarge; i++) {
    const nb::object integer = indexOf(values[i]);
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
    if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    isLarge = overflow > 0;
    if (overflow < 0) {
      PyErr_Format(PyExc_OverflowError, "[array] the integer %R does not fit into 64 bits", integer.ptr());
      throw nb::python_error();
    }
    data[i] = value;
  }
  if (!isLarge) return array;
  array = emptyArray(leaves.shape(), sd::UINT64);
  auto* large = static_cast<uint64_t*>(array.buffer());
  for (size_t i = 0; i < values.size(); i++) {
    large[i] = PyLong_AsUnsignedLongLong(indexOf(values[i]).ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
  }
  return array;
}

std::complex<double> complexOf(PyObject* object) {
  const double re = PyComplex_RealAsDouble(object), im = PyComplex_ImagAsDouble(object);
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  return {re, im};
}

NDArray ofNumbers(const Leaves& leaves, Leaf kind) {
  if (kind == Leaf::Integer) return ofIntegers(leaves);
  const auto& values = leaves.values();
  NDArray array = emptyArray(
      leaves.shape(), kind == Leaf::Boolean ? sd::BOOL : kind == Leaf::Complex ? sd::COMPLEX128 : sd::DOUBLE);
  for (size_t i = 0; i < values.size(); i++) {
    if (kind == Leaf::Complex) {
      static_cast<std::complex<double>*>(array.buffer())[i] = complexOf(values[i].ptr());
    } else if (kind == Leaf::Boolean) {
      static_cast<bool*>(array.buffer())[i] = values[i].is(Py_True);
    } else {
      const double value = PyFloat_AsDouble(values[i].ptr());
      if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      static_cast<double*>(array.buffer())[i] = value;
    }
  }
  return array;
}

/// Whether all integers of `values` can be elements of this integer type.
void checkRange(const NDArray& values, DataType type) {
  if (!sd::DataTypeUtils::isZ(type) || !sd::DataTypeUtils::isZ(values.dataType())) return;
  const NDArray back = converted(converted(values, type), values.dataType());
  const auto* before = static_cast<const int64_t*>(values.buffer());
  const auto* after = static_cast<const int64_t*>(back.buffer());
  const bool fromSigned = values.dataType() == sd::INT64;
  for (LongType i = 0; i < values.lengthOf() && !values.isEmpty(); i++) {
    const bool signChanged = fromSigned ? type == sd::UINT64 && before[i] < 0 : !sd::DataTypeUtils::isU(type) && before[i] < 0;
    if (before[i] == after[i] && !signChanged) continue;
    PyErr_Format(PyExc_OverflowError, "[array] the integer at position %lld is outside the range of %s",
                 static_cast<long long>(i), nameOf(type));
    throw nb::python_error();
  }
}

NDArray ofSequence(nb::handle value, std::optional<DataType> type) {
  const Leaves leaves(value);
  if (leaves.values().empty()) return emptyArray(leaves.shape(), type.value_or(sd::DOUBLE));
  Leaf kind = Leaf::Boolean;
  for (const nb::object& leaf : leaves.values()) kind = std::max(kind, kindOf(leaf));
  if (kind == Leaf::Text) return ofTexts(leaves, type.value_or(sd::UTF8));
  NDArray array = ofNumbers(leaves, kind);
  if (!type || *type == array.dataType()) return array;
  if (sd::DataTypeUtils::isS(*type)) throw nb::type_error("[array] numbers do not become texts");
  if (array.isC() && !sd::DataTypeUtils::isC(*type))
    throw nb::type_error("[array] complex numbers do not become real ones");
  checkRange(array, *type);
  return converted(array, *type);
}

}  // namespace

bool isArrayLike(nb::handle value) {
  PyObject* object = value.ptr();
  if (arrayIn(object) != nullptr) return true;
  if (PyUnicode_Check(object) != 0 || PyBytes_Check(object) != 0 || PyList_Check(object) != 0 ||
      PyTuple_Check(object) != 0 || PyLong_Check(object) != 0 || PyFloat_Check(object) != 0 || PyComplex_Check(object) != 0)
    return false;
  if (PyType_Check(object) != 0) return false;  // a class has the methods of its objects
  return PyObject_CheckBuffer(object) != 0 || nb::hasattr(value, "__dlpack__") || nb::hasattr(value, "__array__");
}

NDArray toArray(nb::handle value, std::optional<DataType> type, Sharing sharing) {
  const Deeper deeper;
  if (const NDArray* array = arrayIn(value.ptr())) {
    if (type && *type != array->dataType()) {
      if (sharing == Sharing::Always) throw nb::value_error("[asarray] another type needs a copy");
      return converted(*array, *type);
    }
    return sharing == Sharing::Never ? copyOf(*array)
                                     : strided(*array, shapeOf(*array), {array->stridesOf(), array->stridesOf() + array->rankOf()}, 0);
  }
  if (isArrayLike(value)) {
    if (auto shared = sharedArray(value)) {
      const bool converts = type && *type != shared->array.dataType();
      if (converts && sharing == Sharing::Always) throw nb::value_error("[asarray] another type needs a copy");
      if (shared->isReadOnly && sharing == Sharing::Always)
        throw nb::value_error("[asarray] the memory may not be written, so it can only be copied");
      if (converts) return converted(shared->array, *type);
      const bool copies = sharing == Sharing::Never || (shared->isReadOnly && sharing == Sharing::IfPossible);
      return copies ? copyOf(shared->array) : std::move(shared->array);
    }
    if (nb::hasattr(value, "__array__") && sharing != Sharing::Always) {
      const nb::object other = value.attr("__array__")();
      if (auto shared = sharedArray(other)) return type ? converted(shared->array, *type) : copyOf(shared->array);
      const nb::object dtype = nb::getattr(other, "dtype", nb::none());
      const nb::object kind = nb::getattr(dtype, "kind", nb::none());
      const std::string kindName = nb::isinstance<nb::str>(kind) ? textOf(kind) : "";
      // Numbers in the other byte order, or at addresses where they cannot be read
      if (kindName == "i" || kindName == "u" || kindName == "f" || kindName == "c")
        if (auto shared = sharedArray(other.attr("astype")(dtype.attr("newbyteorder")("="))))
          return type ? converted(shared->array, *type) : std::move(shared->array);
      // Texts and other Python values
      if (!type && (kindName == "U" || kindName == "T")) type = sd::UTF8;
      if (kindName == "U" || kindName == "T" || kindName == "O") return ofSequence(other.attr("tolist")(), type);
      throw nb::type_error((std::string("[array] there are no arrays of elements like those of ") +
                            shown(dtype)).c_str());
    }
  }
  if (sharing == Sharing::Always) throw nb::value_error("[asarray] this cannot be shared, only copied");
  return ofSequence(value, type);
}

Value::Value(PyObject* object, bool lists) {
  if (NDArray* array = arrayIn(object)) {
    _kind = Kind::Array;
    _array = array;
  } else if (PyBool_Check(object) != 0) {
    _kind = Kind::Boolean;
    _integer = object == Py_True ? 1 : 0;
  } else if (PyLong_Check(object) != 0) {
    _kind = Kind::Integer;
    _integer = PyLong_AsLongLong(object);
    if (_integer == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  } else if (PyFloat_Check(object) != 0) {
    _kind = Kind::Real;
    _real = PyFloat_AsDouble(object);
  } else if (PyComplex_Check(object) != 0) {
    _kind = Kind::Complex;
    _real = PyComplex_RealAsDouble(object);
    _imaginary = PyComplex_ImagAsDouble(object);
  } else if (PyUnicode_Check(object) != 0 || isArrayLike(object) ||
             (lists && (PyList_Check(object) != 0 || PyTuple_Check(object) != 0))) {
    _own.emplace(toArray(object, std::nullopt, Sharing::ForReading));
    _kind = Kind::Array;
  }
}

DataType Value::ownType() const {
  return _kind == Kind::Boolean ? sd::BOOL : _kind == Kind::Integer ? sd::INT64
         : _kind == Kind::Real    ? sd::DOUBLE
                                  : sd::COMPLEX128;
}

DataType Value::typeBeside(DataType other) const {
  if (sd::DataTypeUtils::isC(other)) return other;
  if (_kind == Kind::Complex) return sd::DataTypeUtils::isR(other) ? sd::DataTypeUtils::complexType(other) : sd::COMPLEX128;
  if (_kind == Kind::Real && !sd::DataTypeUtils::isR(other)) return sd::DOUBLE;
  if (_kind == Kind::Integer && other == sd::BOOL) return sd::INT64;
  return other;
}

void Value::become(DataType type) {
  if (_kind == Kind::Integer && sd::DataTypeUtils::isZ(type)) {
    LongType least = std::numeric_limits<LongType>::min(), most = std::numeric_limits<LongType>::max();
    const auto bits = static_cast<int>(sd::DataTypeUtils::sizeOf(type)) * 8;
    if (sd::DataTypeUtils::isU(type)) {
      least = 0;
      if (bits < 64) most = (LongType{1} << bits) - 1;
    } else if (bits < 64) {
      most = (LongType{1} << (bits - 1)) - 1;
      least = -most - 1;
    }
    if (_integer < least || _integer > most) {
      PyErr_Format(PyExc_OverflowError, "the number %lld is outside the range of %s", static_cast<long long>(_integer),
                   nameOf(type));
      throw nb::python_error();
    }
  }
  if (_kind == Kind::Complex && !sd::DataTypeUtils::isC(type))
    throw nb::type_error((std::string("a complex number does not become ") + nameOf(type)).c_str());
  _own.emplace(type);
  if (type == sd::COMPLEX64)
    *static_cast<std::complex<float>*>(_own->buffer()) = std::complex<float>(std::complex<double>(real(), _imaginary));
  else if (type == sd::COMPLEX128)
    *static_cast<std::complex<double>*>(_own->buffer()) = {real(), _imaginary};
  else if (_kind == Kind::Real)
    _own->p<double>(0, _real);
  else
    _own->p<LongType>(0, _integer);
  _kind = Kind::Array;
}

void Value::convert(DataType type) {
  if (array().dataType() == type) return;
  if (array().isS() || sd::DataTypeUtils::isS(type)) throw nb::type_error("texts and numbers do not go together");
  _own = converted(array(), type);
}

void defineConversions(nb::module_& module) {
  module.def(
      "array",
      [](nb::handle value, nb::handle dtype, nb::handle copy) {
        const Sharing sharing = copy.is_none()       ? Sharing::IfPossible
                                : nb::cast<bool>(copy) ? Sharing::Never
                                                     : Sharing::Always;
        return arrayObject(toArray(value, optionalType(dtype), sharing));
      },
      nb::arg("value").none(), nb::arg("dtype") = nb::none(), nb::arg("copy").none() = true,
      "An array from a number, nested sequences, or an array of any library. copy: True, False (an error where a copy "
      "is needed), or None (only where one is needed).");
  module.def(
      "asarray",
      [](nb::handle value, nb::handle dtype) -> nb::object {
        const auto type = optionalType(dtype);
        const NDArray* array = arrayIn(value.ptr());
        if (array != nullptr && (!type || *type == array->dataType())) return nb::borrow(value);
        return arrayObject(toArray(value, type, Sharing::IfPossible));
      },
      nb::arg("value").none(), nb::arg("dtype") = nb::none(),
      "The value as an array, which shares the memory of an array of another library where it can. Memory that may not be "
      "written is copied.");
  module.def(
      "from_dlpack",
      [](nb::handle value) {
        const NDArray* own = arrayIn(value.ptr());
        if (own != nullptr && !own->isS()) return arrayObject(toArray(value, std::nullopt, Sharing::IfPossible));
        auto shared = sharedArray(value);
        if (!shared && !nb::hasattr(value, "__dlpack__")) throw nb::type_error("[from_dlpack] the object has no __dlpack__");
        if (!shared) throw nb::value_error("[from_dlpack] the memory cannot be shared");
        return arrayObject(shared->isReadOnly ? copyOf(shared->array) : std::move(shared->array));
      },
      nb::arg("value"), "An array that shares the memory of an array of another library. Memory that may not be written is "
                        "copied.");
}

}  // namespace ndforge
