// What the files of the extension share: the type of arrays, conversions, and errors.
#ifndef NDFORGE_PYTHON_CORE_H
#define NDFORGE_PYTHON_CORE_H

#include <array/NDArray.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <ops/declarable/Arguments.h>
#include <symbol/Symbol.h>

#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nb = nanobind;

namespace ndforge {

using sd::DataType;
using sd::LongType;
using sd::NDArray;
using sd::nd::Symbol;

// ---- errors.cpp

/// A Python text as UTF-8. @throws nb::python_error for halves of surrogate pairs
std::string textOf(nb::handle text);
/// How a Python object is shown in messages.
std::string shown(nb::handle object);

/// Sets the Python error for the exception that is being handled.
void setError() noexcept;
void registerErrors();
/// Runs the function of a type slot. Exceptions become Python errors, for which the result is `failed`.
template <typename R, typename F>
R guarded(R failed, F&& function) noexcept {
  try {
    return function();
  } catch (...) {
    setError();
    return failed;
  }
}
template <typename F>
PyObject* guardedObject(F&& function) noexcept {
  return guarded<PyObject*>(nullptr, std::forward<F>(function));
}

// ---- arrays.cpp

/// An array as a Python object.
struct ArrayObject {
  PyObject_HEAD
  NDArray array;
};
/// The Python type NDArray.
extern PyTypeObject* arrayType;
/// The array in a Python object; nullptr when it is something else.
inline NDArray* arrayIn(PyObject* object) noexcept {
  return Py_TYPE(object) == arrayType ? &reinterpret_cast<ArrayObject*>(object)->array : nullptr;
}
/// The same, where a function takes nothing else. @throws nb::type_error
NDArray& arrayOnly(nb::handle object);
/// Memory for the Python object of an array, and what happens to it when there is no array. @throws std::bad_alloc
ArrayObject* newMemory();
void dropMemory(ArrayObject* object) noexcept;
/// A new reference to a Python object that holds the array that the function makes.
template <typename F>
PyObject* newArrayOf(F&& make) {
  ArrayObject* object = newMemory();
  try {
    new (&object->array) NDArray(make());
  } catch (...) {
    dropMemory(object);
    throw;
  }
  return PyObject_Init(reinterpret_cast<PyObject*>(object), arrayType);
}
inline PyObject* newArray(NDArray&& array) {
  return newArrayOf([&]() -> NDArray&& { return std::move(array); });
}
inline nb::object arrayObject(NDArray&& array) { return nb::steal(newArray(std::move(array))); }
/// The shape as Python shows it: an empty array without dimensions is one of 0 elements.
std::vector<LongType> shapeOf(const NDArray& array);
/// A view with these dimensions and strides (in elements), `offset` elements behind the array's first one.
NDArray strided(const NDArray& array, const std::vector<LongType>& shape, const std::vector<LongType>& strides,
                LongType offset);
/// Dimensions and strides of a view.
struct Layout {
  int rank = 0;
  LongType shape[SD_MAX_RANK], strides[SD_MAX_RANK], offset = 0;

  void add(LongType size, LongType stride) {
    shape[rank] = size;
    strides[rank++] = stride;
  }
};
/// The view of an array with elements that are no strings; all elements of the view are known to be its own.
NDArray knownView(const NDArray& array, const Layout& layout);
/// A view of the memory as elements of another size; strides and `begin`, where it starts in the buffer, count these.
NDArray stridedAs(const NDArray& array, DataType type, const std::vector<LongType>& shape,
                  const std::vector<LongType>& strides, LongType begin);
/// A dense copy. NDArray::dup() forgets the sizes of empty arrays.
NDArray copyOf(const NDArray& array);
/// The elements as those of another type. NDArray::cast() makes an array of one element one without dimensions.
NDArray converted(const NDArray& array, DataType type);
/// The elements in another shape, one of whose sizes may be -1: a view if the memory allows it, else a copy.
/// @throws nb::value_error
NDArray reshaped(const NDArray& array, std::vector<LongType> shape);
/// An array of zeros. @throws std::runtime_error when sizes overflow
NDArray emptyArray(const std::vector<LongType>& shape, DataType type);
void defineArrays(nb::module_& module);

// ---- dtypes.cpp

struct DType {
  DataType type;
};
/// The element type that a Python object names: an NDForge, NumPy or PyTorch type, bool, int, float, or text.
/// @throws nb::type_error
DataType dataTypeOf(nb::handle object);
/// As dataTypeOf(); nothing for None.
std::optional<DataType> optionalType(nb::handle object);
const char* nameOf(DataType type);
nb::object typeObject(DataType type);
void defineTypes(nb::module_& module);

// ---- conversion.cpp

/// How values come into arrays. Memory that may not be written is shared only for reading.
enum class Sharing { Always, IfPossible, ForReading, Never };
/// An array from any Python value: arrays of this and of other libraries, buffers, numbers, texts, and nested sequences.
/// @throws nb::python_error, nb::type_error, std::invalid_argument
NDArray toArray(nb::handle value, std::optional<DataType> type, Sharing sharing);
/// Whether the value comes with an element type of its own: an array of any library.
bool isArrayLike(nb::handle value);
void defineConversions(nb::module_& module);

/// An operand: an array, which may be converted from something else, such as a text, or a Python number, which has no
/// type of its own. The Python object must outlive it.
class Value {
 public:
  enum class Kind { Array, Boolean, Integer, Real, Complex, Unknown };

  /// `lists`: sequences become arrays; otherwise they are Unknown.
  explicit Value(PyObject* object, bool lists = true);
  explicit Value(NDArray& array) : _kind(Kind::Array), _array(&array) {}
  Kind kind() const { return _kind; }
  bool isNumber() const { return _kind != Kind::Array && _kind != Kind::Unknown; }
  NDArray& array() const { return _own ? *_own : *_array; }
  LongType integer() const { return _integer; }
  double real() const { return _kind == Kind::Boolean || _kind == Kind::Integer ? static_cast<double>(_integer) : _real; }
  /// Makes a number an array without dimensions. @throws nb::python_error (OverflowError)
  void become(DataType type);
  /// The type that arrays of `other` and this number have together.
  DataType typeBeside(DataType other) const;
  /// The type that the number has alone.
  DataType ownType() const;
  /// Converts an array to the type.
  void convert(DataType type);

 private:
  Kind _kind = Kind::Unknown;
  NDArray* _array = nullptr;
  mutable std::optional<NDArray> _own;  // in place of _array
  LongType _integer = 0;
  double _real = 0, _imaginary = 0;
};

/// Gives both operands their common type. @throws nb::type_error for texts beside numbers
void meet(Value& a, Value& b);

// ---- indexing.cpp

/// The array as one of this shape, without a copy. @throws nb::value_error
NDArray broadcast(const NDArray& array, const std::vector<LongType>& shape);
NDArray getItem(const NDArray& array, nb::handle index);
/// The view that integers, slices, None and "..." select, in one pass and without a list of the parts. false: there are
/// other parts, or the result has no elements.
bool quickLayout(const NDArray& array, PyObject* index, Layout& layout);
void setItem(NDArray& array, nb::handle index, nb::handle value);

// ---- slots of the type NDArray: operators.cpp, protocols.cpp, sharing.cpp

std::vector<PyType_Slot> operatorSlots();
std::vector<PyType_Slot> protocolSlots();
/// The product of matrices, vectors and batches of matrices, which broadcast. Both have the same type.
NDArray matrixProductOf(NDArray& a, NDArray& b);
std::vector<PyType_Slot> bufferSlots();
PyObject* toDlpack(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) noexcept;
PyObject* arrayInterface(PyObject* self, void*) noexcept;
struct SharedArray {
  NDArray array;
  bool isReadOnly;  // whether its memory may not be written
};
/// An array on the memory of NumPy's array, of a buffer, or of a DLPack capsule's tensor. nullopt: the object has none of
/// them, or one that cannot be shared.
std::optional<SharedArray> sharedArray(nb::handle object);

// ---- calls.cpp, functions.cpp

/// Calls an operation of the registry on arrays, with the struct of its arguments or their defaults; its first result.
NDArray callOne(const char* operation, std::initializer_list<NDArray*> inputs,
                const sd::ops::ArgumentStruct* type = nullptr, const void* arguments = nullptr);
void defineFunctions(nb::module_& module);

// ---- reductions.cpp

void defineReductions(nb::module_& module);

// ---- graphs.cpp, training.cpp

/// A symbol as a Python object, which keeps its graph.
struct SymbolValue {
  Symbol symbol;
  nb::object graph;
};
/// The symbol in a Python object; nullptr when it is something else.
const Symbol* symbolIn(PyObject* object) noexcept;
/// The Python symbol for a value of the same graph as `like`.
nb::object symbolLike(const Symbol& symbol, nb::handle like);
void defineGraphs(nb::module_& module);
void defineTraining(nb::module_& module);

/// Releases the interpreter's lock for as long as it lives, if the work is worth it.
class Unlocked {
 public:
  explicit Unlocked(bool worthIt) : _state(worthIt ? PyEval_SaveThread() : nullptr) {}
  ~Unlocked() {
    if (_state != nullptr) PyEval_RestoreThread(_state);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* _state;
};
/// Work on fewer elements takes no longer than giving up the lock and getting it back.
constexpr LongType LOCKED_ELEMENTS = 4096;

}  // namespace ndforge

#endif
