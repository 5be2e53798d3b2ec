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

/// A tensor on memory that a Python object owns.
struct Lent {
  DLManagedTensor managed{};
  Py_buffer view{};
  std::vector<int64_t> shape, strides;

  static void giveBack(DLManagedTensor* managed) {
    auto* lent = static_cast<Lent*>(managed->manager_ctx);
    if (Py_IsInitialized() != 0) {
      const PyGILState_STATE state = PyGILState_Ensure();
      PyBuffer_Release(&lent->view);
      PyGILState_Release(state);
    }
    delete lent;
  }
};

std::optional<NDArray> fromBuffer(nb::handle object, bool writable, std::optional<DataType> as = std::nullopt) {
  auto lent = std::make_unique<Lent>();
  int flags = PyBUF_STRIDES | PyBUF_FORMAT;
  if (writable) flags |= PyBUF_WRITABLE;
  if (PyObject_GetBuffer(object.ptr(), &lent->view, flags) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  const Py_buffer& view = lent->view;
  const auto type = as ? as : typeOf(view);
  const auto size = type ? static_cast<Py_ssize_t>(sd::DataTypeUtils::sizeOf(*type)) : 0;
  bool fits = type && size == view.itemsize && view.ndim <= SD_MAX_RANK &&
              reinterpret_cast<uintptr_t>(view.buf) % sd::DataTypeUtils::sizeOf(sd::DataTypeUtils::partType(*type)) == 0;
  for (int d = 0; fits && d < view.ndim; d++) {
    fits = view.strides[d] % size == 0;
    lent->shape.push_back(view.shape[d]);
    lent->strides.push_back(view.strides[d] / size);
  }
  if (!fits) {
    PyBuffer_Release(&lent->view);
    return std::nullopt;
  }
  DLTensor& tensor = lent->managed.dl_tensor;
  tensor.data = view.buf;
  tensor.device = {kDLCPU, 0};
  tensor.ndim = view.ndim;
  tensor.shape = lent->shape.data();
  tensor.strides = lent->strides.data();
  const auto code = sd::DataTypeUtils::isU(*type)   ? kDLUInt
                    : *type == sd::BOOL             ? kDLBool
                    : *type == sd::BFLOAT16         ? kDLBfloat
                    : sd::DataTypeUtils::isC(*type) ? kDLComplex
                    : sd::DataTypeUtils::isR(*type) ? kDLFloat
                                                    : kDLInt;
  tensor.dtype = {static_cast<uint8_t>(code), static_cast<uint8_t>(size * 8), 1};
  lent->managed.manager_ctx = lent.get();
  lent->managed.deleter = Lent::giveBack;
  try {
    NDArray array = sd::fromDLPack(&lent->managed);
    lent.release();  // the array gives it back
    return array;
  } catch (...) {
    PyBuffer_Release(&lent->view);
    throw;
  }
}

/// NumPy has no bfloat16 of its own; that of the package ml_dtypes is shared as 16-bit integers.
std::optional<NDArray> fromBfloat16(nb::handle object, bool writable) {
  const nb::object type = nb::getattr(object, "dtype", nb::none());
  const nb::object name = nb::getattr(type, "name", nb::none());
  if (!nb::isinstance<nb::str>(name) || std::string_view(nb::cast<nb::str>(name).c_str()) != "bfloat16" ||
      !nb::hasattr(object, "view"))
    return std::nullopt;
  return fromBuffer(object.attr("view")("uint16"), writable, sd::BFLOAT16);
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

std::optional<NDArray> fromDlpackObject(nb::handle object, bool writable) {
  nb::object capsule;
  try {
    capsule = object.attr("__dlpack__")(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& error) {
    if (!error.matches(PyExc_TypeError)) throw;
    capsule = object.attr("__dlpack__")();  // a producer before DLPack 1.0
  }
  if (auto* versioned = tensorIn<VersionedTensor>(capsule)) {
    if (versioned->major > 1) throw nb::buffer_error("[DLPack] the tensor has a later version than 1");
    if (writable && (versioned->flags & READ_ONLY) != 0) return std::nullopt;
    return taken(capsule, versioned, versioned->tensor);
  }
  if (auto* managed = tensorIn<DLManagedTensor>(capsule)) return taken(capsule, managed, managed->dl_tensor);
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

/// The value of a keyword; null when there is none, or it is None.
PyObject* givenValue(PyObject* keywords, PyObject* name) {
  PyObject* value = PyDict_GetItemWithError(keywords, name);
  if (value == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  return value == Py_None ? nullptr : value;
}

/// The first integer of a pair.
LongType firstOf(PyObject* pair) {
  const nb::object first = nb::steal(PySequence_GetItem(pair, 0));
  if (!first.is_valid()) throw nb::python_error();
  return integerOf(first.ptr(), "DLPack");
}

/// What a view of the buffer protocol points to.
struct Exported {
  std::vector<Py_ssize_t> shape, strides;
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
    auto exported = std::make_unique<Exported>();
    const auto size = static_cast<Py_ssize_t>(sd::DataTypeUtils::sizeOf(array.dataType()));
    Py_ssize_t bytes = size, dense = size;
    const std::vector<LongType> shape = shapeOf(array);
    for (size_t d = 0; d < shape.size(); d++) {
      exported->shape.push_back(shape[d]);
      exported->strides.push_back(array.isEmpty() ? size : array.stridesOf()[d] * size);
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
    view->shape = (flags & PyBUF_ND) != 0 ? exported->shape.data() : nullptr;
    view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? exported->strides.data() : nullptr;
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

std::optional<NDArray> sharedArray(nb::handle object, bool writable) {
  if (PyObject_CheckBuffer(object.ptr()) != 0) {
    if (auto array = fromBuffer(object, writable)) return array;
    if (auto array = fromBfloat16(object, writable)) return array;
  }
  if (!nb::hasattr(object, "__dlpack__")) return std::nullopt;
  try {
    return fromDlpackObject(object, writable);
  } catch (nb::python_error& error) {
    // Objects say in many ways that they cannot be shared.
    if (!error.matches(PyExc_Exception)) throw;
    return std::nullopt;
  }
}

PyObject* toDlpack(PyObject* self, PyObject*, PyObject* keywords) noexcept {
  return guardedObject([&] {
    const NDArray* array = arrayIn(self);
    NDArray copy;
    bool isVersioned = false;
    uint64_t flags = 0;
    if (keywords != nullptr) {
      static PyObject* const COPY = PyUnicode_InternFromString("copy");
      static PyObject* const DEVICE = PyUnicode_InternFromString("dl_device");
      static PyObject* const VERSION = PyUnicode_InternFromString("max_version");
      if (givenValue(keywords, COPY) == Py_True) {
        copy = copyOf(*array);
        array = &copy;
        flags = IS_COPIED;
      }
      PyObject* const deviceGiven = givenValue(keywords, DEVICE);
      if (deviceGiven != nullptr && firstOf(deviceGiven) != 1)
        throw nb::buffer_error("[DLPack] arrays are in the memory of the CPU");
      PyObject* const version = givenValue(keywords, VERSION);
      isVersioned = version != nullptr && firstOf(version) >= 1;
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
