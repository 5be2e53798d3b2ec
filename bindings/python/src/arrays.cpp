// The type NDArray.
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>

#include <algorithm>

#include "core.h"
#include "elements.h"
#include "parts.h"

namespace ndforge {

PyTypeObject* arrayType = nullptr;

namespace {

// Objects that were freed last, for the next ones. The interpreter's lock protects them.
constexpr size_t KEPT = 64;
ArrayObject* kept[KEPT];
size_t keptCount = 0;

NDArray& self(PyObject* object) { return reinterpret_cast<ArrayObject*>(object)->array; }

void destroy(PyObject* object) {
  auto* array = reinterpret_cast<ArrayObject*>(object);
  array->array.~NDArray();
  PyTypeObject* type = Py_TYPE(object);
  dropMemory(array);
  Py_DECREF(type);
}

PyObject* tupleOf(const LongType* values, size_t count, LongType factor = 1) {
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(count));
  for (size_t i = 0; tuple != nullptr && i < count; i++)
    PyTuple_SetItem(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(values[i] * factor));
  return tuple;
}

PyObject* getShape(PyObject* object, void*) {
  const std::vector<LongType> shape = shapeOf(self(object));
  return tupleOf(shape.data(), shape.size());
}

PyObject* getStrides(PyObject* object, void*) {
  const NDArray& array = self(object);
  const auto size = static_cast<LongType>(sd::DataTypeUtils::sizeOf(array.dataType()));
  if (array.isEmpty()) return tupleOf(std::vector<LongType>(shapeOf(array).size(), size).data(), shapeOf(array).size());
  return tupleOf(array.stridesOf(), static_cast<size_t>(array.rankOf()), size);
}

LongType sizeOf(const NDArray& array) { return array.isEmpty() ? 0 : array.lengthOf(); }

PyObject* getType(PyObject* object, void*) { return typeObject(self(object).dataType()).release().ptr(); }
PyObject* getRank(PyObject* object, void*) {
  return PyLong_FromSize_t(shapeOf(self(object)).size());
}
PyObject* getSize(PyObject* object, void*) { return PyLong_FromLongLong(sizeOf(self(object))); }
PyObject* getItemSize(PyObject* object, void*) {
  return PyLong_FromSize_t(sd::DataTypeUtils::sizeOf(self(object).dataType()));
}
PyObject* getBytes(PyObject* object, void*) {
  const NDArray& array = self(object);
  return PyLong_FromLongLong(sizeOf(array) * static_cast<LongType>(sd::DataTypeUtils::sizeOf(array.dataType())));
}

/// A view with the dimensions in this order.
NDArray permuted(const NDArray& array, const std::vector<int>& axes) {
  if (array.hasElements() && !array.isS()) {
    Layout layout;
    for (const int axis : axes) layout.add(array.shapeOf()[axis], array.stridesOf()[axis]);
    return knownView(array, layout);
  }
  const std::vector<LongType> shape = shapeOf(array);
  std::vector<LongType> newShape, strides;
  for (const int axis : axes) {
    newShape.push_back(shape[static_cast<size_t>(axis)]);
    strides.push_back(array.isEmpty() ? 1 : array.stridesOf()[axis]);
  }
  return strided(array, newShape, strides, 0);
}

PyObject* getTransposed(PyObject* object, void*) {
  return guardedObject([&] {
    const NDArray& array = self(object);
    std::vector<int> axes(shapeOf(array).size());
    for (size_t i = 0; i < axes.size(); i++) axes[i] = static_cast<int>(axes.size() - 1 - i);
    return newArray(permuted(array, axes));
  });
}

PyObject* getMatrixTransposed(PyObject* object, void*) {
  return guardedObject([&] {
    const NDArray& array = self(object);
    std::vector<int> axes(shapeOf(array).size());
    for (size_t i = 0; i < axes.size(); i++) axes[i] = static_cast<int>(i);
    if (axes.size() < 2) throw nb::value_error("[mT] an array of at least 2 dimensions is needed");
    std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
    return newArray(permuted(array, axes));
  });
}

/// The integers of a call's arguments, or of the one sequence that they consist of.
std::vector<LongType> integersOf(PyObject* arguments, const char* what) {
  nb::object all = nb::borrow(arguments);
  if (PyTuple_Size(arguments) == 1) {
    PyObject* only = PyTuple_GetItem(arguments, 0);
    if (PySequence_Check(only) != 0 && arrayIn(only) == nullptr) all = nb::borrow(only);
  }
  std::vector<LongType> values;
  for (nb::handle item : all) values.push_back(integerOf(item.ptr(), what));
  return values;
}

PyObject* reshape(PyObject* object, PyObject* arguments) {
  return guardedObject([&] {
    const NDArray& array = self(object);
    return newArray(reshaped(array, integersOf(arguments, "reshape")));
  });
}

PyObject* transpose(PyObject* object, PyObject* arguments) {
  return guardedObject([&]() -> PyObject* {
    const NDArray& array = self(object);
    const bool none = PyTuple_Size(arguments) == 0 ||
                      (PyTuple_Size(arguments) == 1 && PyTuple_GetItem(arguments, 0) == Py_None);
    if (none) return getTransposed(object, nullptr);
    std::vector<int> axes;
    const auto rank = static_cast<LongType>(shapeOf(array).size());
    for (LongType axis : integersOf(arguments, "transpose")) {
      const LongType wrapped = axis < 0 ? axis + rank : axis;
      if (wrapped < 0 || wrapped >= rank || std::count(axes.begin(), axes.end(), wrapped) != 0)
        throw nb::value_error(("[transpose] axis " + std::to_string(axis) + " is given twice or is outside -" +
                               std::to_string(rank) + ".." + std::to_string(rank - 1)).c_str());
      axes.push_back(static_cast<int>(wrapped));
    }
    if (axes.size() != static_cast<size_t>(rank))
      throw nb::value_error(("[transpose] " + std::to_string(axes.size()) + " axes for " + std::to_string(rank) +
                             " dimensions").c_str());
    return newArray(permuted(array, axes));
  });
}

PyObject* astype(PyObject* object, PyObject* type) {
  return guardedObject([&] {
    const NDArray& array = self(object);
    const DataType to = dataTypeOf(type);
    const Unlocked unlocked(false);
    return newArray(to == array.dataType() ? copyOf(array) : converted(array, to));
  });
}

PyObject* copy(PyObject* object, PyObject*) {
  return guardedObject([&] { return newArray(copyOf(self(object))); });
}

PyObject* deepCopy(PyObject* object, PyObject*) { return copy(object, nullptr); }

PyObject* item(PyObject* object, PyObject*) {
  return guardedObject([&] {
    const NDArray& array = self(object);
    if (sizeOf(array) != 1)
      throw nb::value_error("[item] only arrays of one element can become a number");
    return element(array);
  });
}

PyObject* toList(PyObject* object, PyObject*) {
  return guardedObject([&] { return nestedList(self(object)); });
}

PyObject* toBytes(PyObject* object, PyObject*) {
  return guardedObject([&] {
    const NDArray dense = copyOf(self(object));
    if (dense.isS()) throw nb::type_error("[tobytes] strings have no fixed size");
    const LongType bytes = sizeOf(dense) * static_cast<LongType>(sd::DataTypeUtils::sizeOf(dense.dataType()));
    return PyBytes_FromStringAndSize(bytes == 0 ? "" : static_cast<const char*>(dense.buffer()), bytes);
  });
}

PyObject* fill(PyObject* object, PyObject* value) {
  return guardedObject([&]() -> PyObject* {
    setItem(self(object), nb::steal(PyTuple_New(0)), value);
    Py_RETURN_NONE;
  });
}

PyObject* device(PyObject*, PyObject*) { return Py_BuildValue("(ii)", 1, 0); }

PyGetSetDef attributes[] = {
    {"shape", getShape, nullptr, "The sizes of the dimensions.", nullptr},
    {"strides", getStrides, nullptr, "The distance of neighbours along each dimension, in bytes.", nullptr},
    {"dtype", getType, nullptr, "The type of the elements.", nullptr},
    {"ndim", getRank, nullptr, "The number of dimensions.", nullptr},
    {"size", getSize, nullptr, "The number of elements.", nullptr},
    {"itemsize", getItemSize, nullptr, "Bytes of an element.", nullptr},
    {"nbytes", getBytes, nullptr, "Bytes of all elements.", nullptr},
    {"real", getReal, setReal, "The real parts: a view of complex numbers, otherwise the array itself.", nullptr},
    {"imag", getImaginary, setImaginary, "The imaginary parts: a view of complex numbers, otherwise zeros.", nullptr},
    {"T", getTransposed, nullptr, "A view with the dimensions in reverse order.", nullptr},
    {"mT", getMatrixTransposed, nullptr, "A view with the last two dimensions exchanged.", nullptr},
    {"__array_interface__", arrayInterface, nullptr, "What NumPy needs to share the memory.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"reshape", reshape, METH_VARARGS,
     "reshape($self, *shape)\n--\n\nThe elements in another shape, one of whose sizes may be -1. A view if the memory "
     "allows it, else a copy."},
    {"transpose", transpose, METH_VARARGS,
     "transpose($self, *axes)\n--\n\nA view with the dimensions in this order; without axes in reverse order."},
    {"astype", astype, METH_O, "astype($self, dtype, /)\n--\n\nA copy with elements of another type."},
    {"copy", copy, METH_NOARGS, "copy($self)\n--\n\nA copy."},
    {"__copy__", copy, METH_NOARGS, nullptr},
    {"__deepcopy__", deepCopy, METH_O, nullptr},
    {"item", item, METH_NOARGS, "item($self)\n--\n\nThe only element as a Python number or text."},
    {"tolist", toList, METH_NOARGS, "tolist($self)\n--\n\nThe elements as nested lists of Python values."},
    {"tobytes", toBytes, METH_NOARGS, "tobytes($self)\n--\n\nThe memory of the elements in row-major order."},
    {"fill", fill, METH_O, "fill($self, value, /)\n--\n\nGives all elements this value."},
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(toDlpack)), METH_FASTCALL | METH_KEYWORDS,
     "A DLPack capsule that shares the memory."},
    {"__dlpack_device__", device, METH_NOARGS, "The CPU."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

NDArray& arrayOnly(nb::handle object) {
  NDArray* array = arrayIn(object.ptr());
  if (array == nullptr) throw nb::type_error(("an array is needed, not " + shown(object)).c_str());
  return *array;
}

ArrayObject* newMemory() {
  if (keptCount > 0) return kept[--keptCount];
  auto* object = static_cast<ArrayObject*>(PyObject_Malloc(sizeof(ArrayObject)));
  if (object == nullptr) throw std::bad_alloc();
  return object;
}

void dropMemory(ArrayObject* object) noexcept {
  if (keptCount < KEPT)
    kept[keptCount++] = object;
  else
    PyObject_Free(object);
}

std::vector<LongType> shapeOf(const NDArray& array) {
  if (array.shapeInfo() == nullptr || (array.isEmpty() && array.rankOf() == 0)) return {0};
  return {array.shapeOf(), array.shapeOf() + array.rankOf()};
}

NDArray emptyArray(const std::vector<LongType>& shape, DataType type) {
  if (sd::DataTypeUtils::isS(type) && std::find(shape.begin(), shape.end(), 0) == shape.end()) {
    size_t size = 1;
    for (const LongType one : shape)
      if (one < 0 || __builtin_mul_overflow(size, static_cast<size_t>(one), &size))
        throw nb::value_error("[array] a size is negative, or there are too many elements");
    return shape.empty() ? NDArray(std::string(), type) : NDArray(shape, std::vector<std::string>(size), type);
  }
  if (!shape.empty()) return NDArray('c', shape, type);
  NDArray scalar(type);
  scalar.nullify();
  return scalar;
}

NDArray copyOf(const NDArray& array) {
  return array.isEmpty() ? emptyArray(shapeOf(array), array.dataType()) : array.dup('c');
}

NDArray converted(const NDArray& array, DataType type) {
  if (array.isEmpty() && !array.isS()) return emptyArray(shapeOf(array), type);
  if (array.isS() || array.lengthOf() != 1 || array.rankOf() == 0) return array.cast(type);
  NDArray result = emptyArray(shapeOf(array), type);
  result.assign(array);
  return result;
}

namespace {

/// Arrays of texts have no views: a copy of the texts at these positions of a dense array.
NDArray textsAt(const NDArray& array, const std::vector<LongType>& shape, const std::vector<LongType>& strides,
                LongType offset) {
  std::vector<std::string> texts;
  std::vector<LongType> position(shape.size(), 0);
  for (;;) {
    LongType place = offset;
    for (size_t d = 0; d < shape.size(); d++) place += position[d] * strides[d];
    texts.push_back(array.e<std::string>(place));
    size_t d = shape.size();
    while (d > 0 && ++position[d - 1] == shape[d - 1]) position[--d] = 0;
    if (d == 0) break;
  }
  return shape.empty() ? NDArray(texts[0], array.dataType()) : NDArray(shape, texts, array.dataType());
}

/// @throws std::logic_error when elements would lie outside of the buffer
void requireInside(const LongType* info, LongType begin, const sd::DataBuffer& buffer) {
  LongType first = begin, last = begin, span;
  bool fits = true;
  for (int d = 0; d < shape::rank(info); d++) {
    LongType& end = shape::stride(info)[d] < 0 ? first : last;
    fits = fits && !__builtin_mul_overflow(shape::shapeOf(info)[d] - 1, shape::stride(info)[d], &span) &&
           !__builtin_add_overflow(end, span, &end);
  }
  const auto size = sd::DataTypeUtils::sizeOf(sd::ArrayOptions::dataType(info));
  if (!fits || first < 0 || last >= static_cast<LongType>(buffer.getLenInBytes() / size))
    throw std::logic_error("a view has elements outside of its array");
}

}  // namespace

NDArray strided(const NDArray& array, const std::vector<LongType>& shape, const std::vector<LongType>& strides,
                LongType offset) {
  if (shape.size() > SD_MAX_RANK) throw nb::value_error("arrays have at most 32 dimensions");
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return emptyArray(shape, array.dataType());
  if (array.isS()) return textsAt(array, shape, strides, offset);
  return stridedAs(array, array.dataType(), shape, strides, array.bufferOffset() + offset);
}

NDArray knownView(const NDArray& array, const Layout& layout) {
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, array.dataType(), 'c', layout.rank, layout.shape);
  std::copy_n(layout.strides, layout.rank, shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  return array.viewOf(info, layout.offset);
}

NDArray stridedAs(const NDArray& array, DataType type, const std::vector<LongType>& shape,
                  const std::vector<LongType>& strides, LongType begin) {
  const auto rank = static_cast<int>(shape.size());
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, type, 'c', rank, shape.data());
  std::copy_n(strides.data(), rank, shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  if (type == array.dataType()) {
    requireInside(info, begin, *array.getDataBuffer());
    return array.viewOf(info, begin - array.bufferOffset());
  }
  return NDArray(array.getDataBuffer(), sd::ShapeDescriptor(info), sd::LaunchContext::defaultContext(), begin);
}

NDArray reshaped(const NDArray& array, std::vector<LongType> shape) {
  const std::vector<LongType> old = shapeOf(array);
  LongType known = 1, unknown = -1;
  for (size_t i = 0; i < shape.size(); i++) {
    if (shape[i] == -1 && unknown < 0)
      unknown = static_cast<LongType>(i);
    else if (shape[i] < 0 || __builtin_mul_overflow(known, shape[i], &known))
      throw nb::value_error(("[reshape] size " + std::to_string(shape[i]) + " in the shape").c_str());
  }
  const LongType size = sizeOf(array);
  if (unknown >= 0) {
    if (known == 0 || size % known != 0)
      throw nb::value_error(("[reshape] " + std::to_string(size) + " elements do not divide into parts of " +
                             std::to_string(known)).c_str());
    shape[static_cast<size_t>(unknown)] = size / known;
    known *= size / known;
  }
  if (known != size)
    throw nb::value_error(("[reshape] " + std::to_string(size) + " elements do not fit into a shape of " +
                           std::to_string(known)).c_str());
  if (size == 0) return emptyArray(shape, array.dataType());
  // A view keeps the distances if every group of dimensions that is joined or divided is dense in itself.
  std::vector<LongType> strides(shape.size(), 1);
  size_t i = 0, j = 0;
  bool isView = true;
  while (isView && (i < old.size() || j < shape.size())) {
    LongType a = 1, b = 1;
    const size_t firstOld = i, firstNew = j;
    do {
      if (a <= b && i < old.size())
        a *= old[i++];
      else if (j < shape.size())
        b *= shape[j++];
      else if (i < old.size())
        a *= old[i++];
    } while (a != b);
    LongType inner = 0, expected = 0;
    bool first = true;
    for (size_t k = i; k-- > firstOld;) {
      if (old[k] == 1) continue;
      const LongType stride = array.stridesOf()[k];
      if (first)
        inner = stride;
      else if (stride != expected)
        isView = false;
      expected = stride * old[k];
      first = false;
    }
    if (first) inner = 1;
    for (size_t k = j; k-- > firstNew;) {
      strides[k] = inner;
      inner *= shape[k];
    }
    if (i >= old.size() && j >= shape.size()) break;
  }
  if (isView) return strided(array, shape, strides, 0);
  return reshaped(copyOf(array), shape);
}

void defineArrays(nb::module_& module) {
  std::vector<PyType_Slot> slots = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                                    {Py_tp_getset, attributes},
                                    {Py_tp_methods, methods},
                                    {Py_tp_doc, const_cast<char*>("An array. ndforge.array() makes one.")}};
  for (const auto& more : {operatorSlots(), protocolSlots(), bufferSlots()}) slots.insert(slots.end(), more.begin(), more.end());
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"ndforge.NDArray", sizeof(ArrayObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots.data()};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  arrayType = reinterpret_cast<PyTypeObject*>(type);
  module.attr("NDArray") = nb::borrow(type);
  // Whether both are arrays of the same type, one of those whose bits are set. Other objects: false.
  module.def("_are_of", [](nb::handle a, nb::handle b, uint64_t types) {
    const NDArray *x = arrayIn(a.ptr()), *y = arrayIn(b.ptr());
    return x != nullptr && y != nullptr && x->dataType() == y->dataType() &&
           x->dataType() < 64 && (types >> x->dataType() & 1) != 0;
  });
}

}  // namespace ndforge
