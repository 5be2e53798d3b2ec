// Arrays as one number, and as a sequence: bool(x), int(x), len(x), y in x, x[…], x[…] = y.
#include "core.h"
#include "elements.h"

namespace ndforge {

namespace {

NDArray& own(PyObject* object) { return reinterpret_cast<ArrayObject*>(object)->array; }

PyObject* onlyElement(PyObject* object, const char* what) {
  const NDArray& array = own(object);
  if (array.isEmpty() || array.lengthOf() != 1)
    throw nb::type_error((std::string("an array of ") + std::to_string(array.isEmpty() ? 0 : array.lengthOf()) +
                          " elements is no " + what)
                             .c_str());
  return element(array);
}

int isTrue(PyObject* object) {
  return guarded<int>(-1, [&] {
    const NDArray& array = own(object);
    if (array.isEmpty() || array.lengthOf() != 1)
      throw nb::value_error("whether an array of several elements is true is ambiguous; use all() or any()");
    return PyObject_IsTrue(nb::steal(element(array)).ptr());
  });
}
PyObject* asInteger(PyObject* object) {
  return guardedObject([&] {
    const nb::object value = nb::steal(onlyElement(object, "integer"));
    return PyNumber_Long(value.ptr());
  });
}
PyObject* asReal(PyObject* object) {
  return guardedObject([&] {
    const nb::object value = nb::steal(onlyElement(object, "number"));
    return PyNumber_Float(value.ptr());
  });
}
PyObject* asIndex(PyObject* object) {
  return guardedObject([&] {
    if (!sd::DataTypeUtils::isZ(own(object).dataType()) || !shapeOf(own(object)).empty())
      throw nb::type_error("only an integer array without dimensions is an index");
    return onlyElement(object, "integer");
  });
}

Py_ssize_t length(PyObject* object) {
  return guarded<Py_ssize_t>(-1, [&]() -> Py_ssize_t {
    const std::vector<LongType> shape = shapeOf(own(object));
    if (shape.empty()) throw nb::type_error("an array without dimensions has no length");
    return shape[0];
  });
}

PyObject* item(PyObject* object, Py_ssize_t index) {
  return guardedObject([&] {
    const nb::object number = nb::steal(PyLong_FromSsize_t(index));
    return newArray(getItem(own(object), number));
  });
}

int contains(PyObject* object, PyObject* value) {
  const nb::object equal = nb::steal(PyObject_RichCompare(object, value, Py_EQ));
  if (!equal.is_valid()) return -1;
  NDArray* equals = arrayIn(equal.ptr());
  if (equals == nullptr) return 0;  // nothing that is compared with elements
  return guarded<int>(-1, [&] { return callOne("reduce.Any", {equals}).e<bool>(0) ? 1 : 0; });
}

PyObject* subscript(PyObject* object, PyObject* index) {
  return guardedObject([&] {
    Layout layout;
    if (quickLayout(own(object), index, layout)) return newArrayOf([&] { return knownView(own(object), layout); });
    return newArray(getItem(own(object), index));
  });
}

int assignSubscript(PyObject* object, PyObject* index, PyObject* value) {
  return guarded<int>(-1, [&] {
    if (value == nullptr) throw nb::type_error("elements of an array cannot be deleted");
    setItem(own(object), index, value);
    return 0;
  });
}

}  // namespace

std::vector<PyType_Slot> protocolSlots() {
  const auto slot = [](int number, auto* function) { return PyType_Slot{number, reinterpret_cast<void*>(function)}; };
  return {slot(Py_nb_bool, isTrue),   slot(Py_nb_int, asInteger),       slot(Py_nb_float, asReal),
          slot(Py_nb_index, asIndex), slot(Py_sq_contains, contains),   slot(Py_sq_item, item),
          slot(Py_mp_length, length), slot(Py_mp_subscript, subscript), slot(Py_mp_ass_subscript, assignSubscript)};
}

}  // namespace ndforge
