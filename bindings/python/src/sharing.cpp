// Memory shared with other libraries: Python's buffers, DLPack, NumPy's array interface.
#include <array/DLPack.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include "core.h"
#include "elements.h"

namespace ndforge {

namespace {

struct TypeRow {
  DataType type;
  const char* format;  // of struct and memoryview
  const char* numpy;   // of the array interface
};

constexpr TypeRow TYPES[] = {{sd::BOOL, "?", "|b1"},    {sd::INT8, "b", "|i1"},   {sd::INT16, "h", "<i2"},
                             {sd::INT32, "i", "<i4"},   {sd::INT64, "q", "<i8"},  {sd::UINT8, "B", "|u1"},
                             {sd::UINT16, "H", "<u2"},  {sd::UINT32, "I", "<u4"}, {sd::UINT64, "Q", "<u8"},
                             {sd::HALF, "e", "<f2"},    {sd::FLOAT32, "f", "<f4"}, {sd::DOUBLE, "d", "<f8"},
                             {sd::COMPLEX64, "Zf", "<c8"}, {sd::COMPLEX128, "Zd", "<c16"}};

const TypeRow* rowOf(DataType type) {
  const auto* found = std::find_if(std::begin(TYPES), std::end(TYPES), [type](const TypeRow& row) { return row.type == type; });
  return found == std::end(TYPES) ? nullptr : found;
}

/// The type of a buffer's elements; nullopt when arrays have none like it.
std::optional<DataType> typeOf(const Py_buffer& view) {
  std::string_view format = view.format == nullptr ? "B" : view.format;
  if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<' || format[0] == '|'))
    format.remove_prefix(1);
  if (format == "l") return sizeof(long) == 8 ? sd::INT64 : sd::INT32;
  if (format == "L") return sizeof(long) == 8 ? sd::UINT64 : sd::UINT32;
  for (const TypeRow& row : TYPES)
    if (format == row.format) return row.type;
  return std::nullopt;
}

/// Memory that a Python object owns: a buffer, or that of an object that is kept. It is given back when it goes.
struct Lent {
  DLManagedTensor managed;
  Py_buffer view;
  PyObject* owner;  // of memory that is no buffer
  int64_t shape[SD_MAX_RANK], strides[SD_MAX_RANK];

  Lent() {
    view.obj = nullptr;
    owner = nullptr;
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    if ((view.obj == nullptr && owner == nullptr) || Py_IsInitialized() == 0) return;
    const PyGILState_STATE state = PyGILState_Ensure();
    if (view.obj != nullptr) PyBuffer_Release(&view);
    Py_XDECREF(owner);
    PyGILState_Release(state);
  }

  /// An array on the memory. Strides count bytes; null: the elements lie one behind the other. nullopt if no array can have
  /// such elements.
  static std::optional<NDArray> array(std::unique_ptr<Lent> lent, DataType type, void* data, int rank,
                                      const Py_ssize_t* shape, const Py_ssize_t* strides) {
    const auto size = static_cast<Py_ssize_t>(sd::DataTypeUtils::sizeOf(type));
    const auto alignment = sd::DataTypeUtils::sizeOf(sd::DataTypeUtils::partType(type));
    if (rank > SD_MAX_RANK || reinterpret_cast<uintptr_t>(data) % alignment != 0) return std::nullopt;
    for (int d = 0; d < rank; d++) {
      if (strides != nullptr && strides[d] % size != 0) return std::nullopt;
      lent->shape[d] = shape[d];
      if (strides != nullptr) lent->strides[d] = strides[d] / size;
    }
    const auto code = sd::DataTypeUtils::isU(type)   ? kDLUInt
                      : type == sd::BOOL             ? kDLBool
                      : type == sd::BFLOAT16         ? kDLBfloat
                      : sd::DataTypeUtils::isC(type) ? kDLComplex
                      : sd::DataTypeUtils::isR(type) ? kDLFloat
                                                     : kDLInt;
    lent->managed.dl_tensor = {data, {kDLCPU, 0}, rank, {static_cast<uint8_t>(code), static_cast<uint8_t>(size * 8), 1},
                               lent->shape, strides == nullptr ? nullptr : lent->strides, 0};
    lent->managed.manager_ctx = lent.get();
    lent->managed.deleter = [](DLManagedTensor* self) { delete static_cast<Lent*>(self->manager_ctx); };
    NDArray result = sd::fromDLPack(&lent->managed);
    lent.release();  // belongs to the array
    return result;
  }
};

std::optional<SharedArray> fromBuffer(nb::handle object, std::optional<DataType> as = std::nullopt) {
  auto lent = std::make_unique<Lent>();
  if (PyObject_GetBuffer(object.ptr(), &lent->view, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    lent->view.obj = nullptr;
    return std::nullopt;
  }
  const Py_buffer& view = lent->view;
  const auto type = as ? as : typeOf(view);
  const bool isReadOnly = view.readonly != 0;
  if (!type || static_cast<Py_ssize_t>(sd::DataTypeUtils::sizeOf(*type)) != view.itemsize) return std::nullopt;
  if (view.ndim > 0 && view.shape == nullptr) return std::nullopt;
  auto array = Lent::array(std::move(lent), *type, view.buf, view.ndim, view.shape, view.strides);
  if (!array) return std::nullopt;
  return SharedArray{std::move(*array), isReadOnly};
}

/// What NumPy's attribute __array_struct__ points to.
struct ArrayStruct {
  int two, rank;
  char kind;
  int size, flags;
  Py_ssize_t *shape, *strides;
  void* data;
};

/// The type of NumPy's arrays, if NumPy has been imported.
PyObject* numpyArrays() {
  static PyObject* type = nullptr;
  if (type != nullptr) return type;
  PyObject* numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy");
  if (numpy == nullptr) return nullptr;
  type = PyObject_GetAttrString(numpy, "ndarray");  // kept for ever
  if (type == nullptr) PyErr_Clear();
  return type;
}

bool isNumpy(nb::handle object) { return reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())) == numpyArrays(); }

/// NumPy describes an array in a struct faster than in a buffer, for which it makes texts. nullopt for other objects and
/// other elements.
std::optional<SharedArray> fromNumpy(nb::handle object) {
  constexpr int NATIVE = 0x200, WRITEABLE = 0x400;
  static PyObject* const ATTRIBUTE = PyUnicode_InternFromString("__array_struct__");
  if (!isNumpy(object)) return std::nullopt;
  const nb::object capsule = nb::steal(PyObject_GetAttr(object.ptr(), ATTRIBUTE));
  void* pointer = capsule.is_valid() ? PyCapsule_GetPointer(capsule.ptr(), nullptr) : nullptr;
  const auto* given = static_cast<const ArrayStruct*>(pointer);
  if (given == nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  if (given->two != 2 || (given->flags & NATIVE) == 0) return std::nullopt;
  const auto* row = std::find_if(std::begin(TYPES), std::end(TYPES), [given](const TypeRow& one) {
    return one.numpy[1] == given->kind && static_cast<int>(sd::DataTypeUtils::sizeOf(one.type)) == given->size;
  });
  if (row == std::end(TYPES)) return std::nullopt;
  auto lent = std::make_unique<Lent>();
  lent->owner = Py_NewRef(object.ptr());
  auto array = Lent::array(std::move(lent), row->type, given->data, given->rank, given->shape, given->strides);
  if (!array) return std::nullopt;
  return SharedArray{std::move(*array), (given->flags & WRITEABLE) == 0};
}

/// NumPy has no bfloat16 of its own; that of the package ml_dtypes is shared as 16-bit integers.
std::optional<SharedArray> fromBfloat16(nb::handle object) {
  const nb::object type = nb::getattr(object, "dtype", nb::none());
  const nb::object name = nb::getattr(type, "name", nb::none());
  if (!nb::isinstance<nb::str>(name) || textOf(name) != "bfloat16" || !nb::hasattr(object, "view")) return std::nullopt;
  return fromBuffer(object.attr("view")("uint16"), sd::BFLOAT16);
}

/// DLPack 1.0: the form of a tensor that says its version, and whether it may be written or was copied.
struct VersionedTensor {
  uint32_t major, minor;
  void* context;
  void (*deleter)(VersionedTensor* self);
  uint64_t flags;
  DLTensor tensor;
};
constexpr uint64_t READ_ONLY = 1, IS_COPIED = 2;

/// The name of a capsule that nobody has taken yet, and of one that somebody has.
template <typename Tensor>
constexpr const char* NAMES[] = {"dltensor", "used_dltensor"};
template <>
constexpr const char* NAMES<VersionedTensor>[] = {"dltensor_versioned", "used_dltensor_versioned"};

template <typename Tensor>
Tensor* tensorIn(nb::handle capsule) {
  return PyCapsule_IsValid(capsule.ptr(), NAMES<Tensor>[0]) == 0
             ? nullptr
             : static_cast<Tensor*>(PyCapsule_GetPointer(capsule.ptr(), NAMES<Tensor>[0]));
}

/// Takes the tensor out of a capsule. The producer may be a Python object, whose deleter needs the interpreter's lock.
template <typename Tensor>
NDArray taken(nb::handle capsule, Tensor* original, const DLTensor& tensor) {
  struct Guest {
    DLManagedTensor managed;
    Tensor* original;
  };
  auto guest = std::make_unique<Guest>(Guest{{tensor, nullptr, nullptr}, original});
  guest->managed.manager_ctx = guest.get();
  guest->managed.deleter = [](DLManagedTensor* self) {
    auto* guest_ = static_cast<Guest*>(self->manager_ctx);
    if (Py_IsInitialized() != 0 && guest_->original->deleter != nullptr) {
      const PyGILState_STATE state = PyGILState_Ensure();
      guest_->original->deleter(guest_->original);
      PyGILState_Release(state);
    }
    delete guest_;
  };
  NDArray array = sd::fromDLPack(&guest->managed);
  guest.release();
  PyCapsule_SetName(capsule.ptr(), NAMES<Tensor>[1]);
  return array;
}

std::optional<SharedArray> fromDlpackObject(nb::handle object) {
  nb::object capsule;
  try {
    capsule = object.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = object.attr("__dlpack__")();  // a producer before DLPack 1.0
  }
  if (auto* versioned = tensorIn<VersionedTensor>(capsule)) {
    if (versioned->major > 1) throw nb::buffer_error("[DLPack] the tensor has a later version than 1");
    const bool isReadOnly = (versioned->flags & READ_ONLY) != 0;
    return SharedArray{taken(capsule, versioned, versioned->tensor), isReadOnly};
  }
  if (auto* managed = tensorIn<DLManagedTensor>(capsule))
    return SharedArray{taken(capsule, managed, managed->dl_tensor), false};
  return std::nullopt;
}

/// A capsule that owns the tensor until somebody takes it. If there is no memory for it, the tensor is deleted.
template <typename Tensor>
PyObject* capsuleOf(Tensor* tensor) {
  PyObject* capsule = PyCapsule_New(tensor, NAMES<Tensor>[0], [](PyObject* object) {
    if (Tensor* unused = tensorIn<Tensor>(object)) unused->deleter(unused);
  });
  if (capsule == nullptr) tensor->deleter(tensor);
  return capsule;
}

/// The first integer of a pair.
LongType firstOf(PyObject* pair) {
  if (PyTuple_Check(pair) != 0 && PyTuple_Size(pair) > 0) return integerOf(PyTuple_GetItem(pair, 0), "DLPack");
  const nb::object first = nb::steal(PySequence_GetItem(pair, 0));
  if (!first.is_valid()) throw nb::python_error();
  return integerOf(first.ptr(), "DLPack");
}

/// What a view of the buffer protocol points to.
struct Exported {
  std::shared_ptr<sd::DataBuffer> memory;
  Py_ssize_t shape[SD_MAX_RANK], strides[SD_MAX_RANK];
};

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  view->obj = nullptr;
  const NDArray& array = *arrayIn(self);
  const TypeRow* row = rowOf(array.dataType());
  if (row == nullptr) {
    PyErr_Format(PyExc_BufferError, "elements of type %s cannot be shared in a buffer", nameOf(array.dataType()));
    return -1;
  }
  return guarded<int>(-1, [&] {
    std::unique_ptr<Exported> exported(new Exported);  // make_unique would clear the lists
    exported->memory = array.getDataBuffer();
    const auto size = static_cast<Py_ssize_t>(sd::DataTypeUtils::sizeOf(array.dataType()));
    Py_ssize_t bytes = size, dense = size;
    const std::vector<LongType> shape = shapeOf(array);
    for (size_t d = 0; d < shape.size(); d++) {
      exported->shape[d] = shape[d];
      exported->strides[d] = array.isEmpty() ? size : array.stridesOf()[d] * size;
      bytes *= shape[d];
    }
    bool isDense = true, isFortran = true;
    for (size_t d = shape.size(); d-- > 0;) {
      if (shape[d] != 1 && exported->strides[d] != dense) isDense = false;
      dense *= shape[d];
    }
    dense = size;
    for (size_t d = 0; d < shape.size(); d++) {
      if (shape[d] != 1 && exported->strides[d] != dense) isFortran = false;
      dense *= shape[d];
    }
    const bool wantsC = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS || (flags & PyBUF_STRIDES) != PyBUF_STRIDES;
    const bool wantsF = (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS;
    const bool wantsAny = (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS;
    if (bytes > 0 && ((wantsAny && !isDense && !isFortran) || (wantsF && !wantsAny && !isFortran) ||
                      (wantsC && !wantsAny && !isDense)))
      throw nb::buffer_error("the elements do not lie one behind the other; copy() the array first");
    static char nothing = 0;
    view->buf = array.isEmpty() ? &nothing : const_cast<void*>(array.buffer());
    view->len = bytes;
    view->itemsize = size;
    view->readonly = 0;
    view->format = (flags & PyBUF_FORMAT) != 0 ? const_cast<char*>(row->format) : nullptr;
    view->ndim = static_cast<int>(shape.size());
    view->shape = (flags & PyBUF_ND) != 0 ? exported->shape : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides : nullptr;
    view->suboffsets = nullptr;
    view->internal = exported.release();
    view->obj = Py_NewRef(self);
    return 0;
  });
}

void releaseBuffer(PyObject*, Py_buffer* view) { delete static_cast<Exported*>(view->internal); }

}  // namespace

std::vector<PyType_Slot> bufferSlots() {
  return {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)},
          {Py_bf_releasebuffer, reinterpret_cast<void*>(releaseBuffer)}};
}

std::optional<SharedArray> sharedArray(nb::handle object) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    if (auto shared = fromNumpy(object)) return shared;
    if (auto shared = fromBuffer(object)) return shared;
    if (auto shared = fromBfloat16(object)) return shared;
    if (isNumpy(object)) return std::nullopt;  // DLPack has no more of it
  }
  if (!nb::hasattr(object, "__dlpack__")) return std::nullopt;
  try {
    return fromDlpackObject(object);
  } catch (nb::python_error& error) {
    // Objects say in many ways that they cannot be shared.
    if (!error.matches(PyExc_Exception)) throw;
    return std::nullopt;
  }
}

PyObject* toDlpack(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) noexcept {
  return guardedObject([&] {
    const NDArray* array = arrayIn(self);
    NDArray copy;
    bool isVersioned = false;
    uint64_t flags = 0;
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_Size(names);
    for (Py_ssize_t i = 0; i < named; i++) {
      PyObject *name = PyTuple_GetItem(names, i), *value = values[count + i];
      if (value == Py_None) continue;
      if (PyUnicode_CompareWithASCIIString(name, "max_version") == 0) {
        isVersioned = firstOf(value) >= 1;
      } else if (PyUnicode_CompareWithASCIIString(name, "dl_device") == 0) {
        if (firstOf(value) != 1) throw nb::buffer_error("[DLPack] arrays are in the memory of the CPU");
      } else if (PyUnicode_CompareWithASCIIString(name, "copy") == 0 && value == Py_True) {
        copy = copyOf(*array);
        array = &copy;
        flags = IS_COPIED;
      }
    }
    DLManagedTensor* managed = sd::toDLPack(*array);
    if (!isVersioned) return capsuleOf(managed);
    return capsuleOf(new VersionedTensor{1, 0, managed,
                                         [](VersionedTensor* tensor) {
                                           auto* inner = static_cast<DLManagedTensor*>(tensor->context);
                                           inner->deleter(inner);
                                           delete tensor;
                                         },
                                         flags, managed->dl_tensor});
  });
}

PyObject* arrayInterface(PyObject* self, void*) noexcept {
  return guardedObject([&]() -> PyObject* {
    const NDArray& array = *arrayIn(self);
    const TypeRow* row = rowOf(array.dataType());
    if (row == nullptr) {
      PyErr_Format(PyExc_AttributeError, "NumPy has no elements of type %s", nameOf(array.dataType()));
      return nullptr;
    }
    nb::dict fields;
    const nb::handle object = self;
    fields["shape"] = object.attr("shape");
    fields["strides"] = object.attr("strides");
    fields["typestr"] = row->numpy;
    fields["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(array.buffer()), false);
    fields["version"] = 3;
    return fields.release().ptr();
  });
}

}  // namespace ndforge
