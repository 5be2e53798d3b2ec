// Operators of arrays of strings: comparisons and +.
#include "strings.h"

#include <ops/declarable/headers/strings.h>

namespace ndforge {

namespace {

bool isText(const Value& value) { return value.kind() == Value::Kind::Array && value.array().isS(); }

/// As many falsehoods as the operand has elements.
NDArray falsehoods(const Value& value) {
  return emptyArray(value.isNumber() ? std::vector<LongType>{} : shapeOf(value.array()), sd::BOOL);
}

sd::ops::args::StringRelation relationOf(int operation) {
  using Relation = sd::ops::args::StringRelation;
  static constexpr Relation RELATIONS[] = {Relation::Less,     Relation::LessEqual, Relation::Equal,
                                           Relation::NotEqual, Relation::Greater,   Relation::GreaterEqual};
  static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
  return RELATIONS[operation];
}

}  // namespace

bool holdsTexts(PyObject* object) noexcept {
  const NDArray* array = arrayIn(object);
  return array != nullptr && array->isS();
}

PyObject* compareTexts(PyObject* left, PyObject* right, int operation) {
  return guardedObject([&]() -> PyObject* {
    Value a(left), b(right);
    if (a.kind() == Value::Kind::Unknown || b.kind() == Value::Kind::Unknown) Py_RETURN_NOTIMPLEMENTED;
    if (!isText(a) || !isText(b)) {
      if (operation != Py_EQ && operation != Py_NE) throw nb::type_error("texts and numbers have no order");
      // No text is equal to a number, as in Python.
      NDArray x = falsehoods(a), y = falsehoods(b);
      return newArray(callOne(operation == Py_EQ ? "not_equals" : "equals", {&x, &y}));
    }
    const sd::ops::args::StringCompare arguments{relationOf(operation)};
    return newArray(callOne("string_compare", {&a.array(), &b.array()},
                            &sd::ops::argumentStruct<sd::ops::args::StringCompare>, &arguments));
  });
}

PyObject* joinTexts(PyObject* left, PyObject* right) {
  return guardedObject([&]() -> PyObject* {
    Value a(left), b(right);
    if (a.kind() == Value::Kind::Unknown || b.kind() == Value::Kind::Unknown) Py_RETURN_NOTIMPLEMENTED;
    if (!isText(a) || !isText(b)) throw nb::type_error("texts and numbers do not go together");
    // The result has the encoding of the first operand; a Python text takes that of the array beside it.
    if (!holdsTexts(left) && a.array().dataType() != b.array().dataType()) {
      NDArray first = a.array().cast(b.array().dataType());
      return newArray(callOne("string_concat", {&first, &b.array()}));
    }
    return newArray(callOne("string_concat", {&a.array(), &b.array()}));
  });
}

}  // namespace ndforge
