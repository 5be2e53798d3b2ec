// Operators of arrays: arithmetic, comparisons, bits.
#include <array/TypePromotion.h>

#include <utility>

#include "core.h"
#include "strings.h"

namespace ndforge {

void meet(Value& a, Value& b) {
  DataType type;
  if (a.isNumber() && b.isNumber())
    type = sd::promotedType(a.ownType(), b.ownType());
  else if (a.isNumber())
    type = a.typeBeside(b.array().dataType());
  else if (b.isNumber())
    type = b.typeBeside(a.array().dataType());
  else
    type = sd::promotedType(a.array().dataType(), b.array().dataType());
  if (type == sd::INHERIT || (sd::DataTypeUtils::isS(type) && (a.isNumber() || b.isNumber())))
    throw nb::type_error("texts and numbers do not go together");
  for (Value* value : {&a, &b}) {
    if (value->isNumber())
      value->become(type);
    else
      value->convert(type);
  }
}

namespace {

LongType elementsOf(const Value& value) { return value.kind() == Value::Kind::Array ? value.array().lengthOf() : 1; }

/// Runs the function. Where it refuses a type of elements, the library's error is Python's TypeError.
template <typename F>
NDArray orTypeError(bool isRefused, F&& function) {
  if (!isRefused) return function();
  try {
    return function();
  } catch (const std::runtime_error& error) {
    throw nb::type_error(error.what());
  } catch (const std::logic_error& error) {
    throw nb::type_error(error.what());
  }
}

/// Makes both operands arrays of their common type and calls the function. NotImplemented for other objects.
template <typename F>
PyObject* binary(PyObject* left, PyObject* right, F&& function) {
  return guardedObject([&]() -> PyObject* {
    Value a(left), b(right);
    if (a.kind() == Value::Kind::Unknown || b.kind() == Value::Kind::Unknown) Py_RETURN_NOTIMPLEMENTED;
    const bool areTexts = !a.isNumber() && !b.isNumber() && a.array().isS() && b.array().isS();
    if (!areTexts) meet(a, b);
    std::optional<NDArray> result;
    {
      const Unlocked unlocked(std::max(elementsOf(a), elementsOf(b)) > LOCKED_ELEMENTS);
      result.emplace(orTypeError(areTexts, [&] { return function(a.array(), b.array()); }));
    }
    // Beside one element, operations give the shape of the other operand, even if that has fewer dimensions.
    std::vector<LongType> shape = shapeOf(*result);
    const size_t rank = std::max(shapeOf(a.array()).size(), shapeOf(b.array()).size());
    if (shape.size() >= rank) return newArray(std::move(*result));
    shape.insert(shape.begin(), rank - shape.size(), 1);
    return newArray(reshaped(*result, shape));
  });
}

struct Add {
  static constexpr const char* NAME = "add";
  template <typename A, typename B>
  static NDArray of(const A& a, const B& b) {
    return a + b;
  }
};
struct Subtract {
  static constexpr const char* NAME = "subtract";
  template <typename A, typename B>
  static NDArray of(const A& a, const B& b) {
    return a - b;
  }
};
struct Multiply {
  static constexpr const char* NAME = "multiply";
  template <typename A, typename B>
  static NDArray of(const A& a, const B& b) {
    return a * b;
  }
};
struct Divide {
  static constexpr const char* NAME = "divide";
  template <typename A, typename B>
  static NDArray of(const A& a, const B& b) {
    return a / b;
  }
};

/// NDArray's operators go element by element where lengths and ranks are equal; Python's broadcast.
template <typename Operation>
NDArray combined(NDArray& a, NDArray& b) {
  if (a.shapeInfo() == b.shapeInfo() || a.lengthOf() != b.lengthOf() || a.rankOf() != b.rankOf() || a.isSameShape(b))
    return Operation::of(a, b);
  const DataType type = sd::promotedType(a.dataType(), b.dataType());
  NDArray x = converted(a, type), y = converted(b, type);
  return callOne(Operation::NAME, {&x, &y});
}

/// Numbers beside arrays of real numbers need no array of their own.
template <typename Operation>
PyObject* arithmetic(PyObject* left, PyObject* right) {
  NDArray *x = arrayIn(left), *y = arrayIn(right);
  PyObject* number = x != nullptr ? right : left;
  NDArray* array = x != nullptr ? x : y;
  if ((x == nullptr || y == nullptr) && array != nullptr && sd::DataTypeUtils::isR(array->dataType()) &&
      (PyFloat_CheckExact(number) != 0 || PyLong_CheckExact(number) != 0))
    return guardedObject([&] {
      const double value = PyFloat_AsDouble(number);
      if (value == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      std::optional<NDArray> result;
      {
        const Unlocked unlocked(array->lengthOf() > LOCKED_ELEMENTS);
        result.emplace(x != nullptr ? Operation::of(*array, value) : Operation::of(value, *array));
      }
      return newArray(std::move(*result));
    });
  if (x != nullptr && y != nullptr && !x->isS() && !y->isS())
    return guardedObject([&] {
      if (std::max(x->lengthOf(), y->lengthOf()) <= LOCKED_ELEMENTS)
        return newArrayOf([&] { return combined<Operation>(*x, *y); });
      std::optional<NDArray> result;
      {
        const Unlocked unlocked(true);
        result.emplace(combined<Operation>(*x, *y));
      }
      return newArray(std::move(*result));
    });
  return binary(left, right, [](NDArray& a, NDArray& b) { return combined<Operation>(a, b); });
}

/// Integers become float64 first.
PyObject* divide(PyObject* left, PyObject* right) {
  const NDArray *x = arrayIn(left), *y = arrayIn(right);
  const auto isReal = [](const NDArray* array) { return array != nullptr && sd::DataTypeUtils::isR(array->dataType()); };
  const auto isBool = [](const NDArray* array) { return array != nullptr && array->dataType() == sd::BOOL; };
  if ((isReal(x) || isReal(y)) && !isBool(x) && !isBool(y)) return arithmetic<Divide>(left, right);
  return binary(left, right, [](NDArray& a, NDArray& b) {
    if (a.isR() || a.isC()) return combined<Divide>(a, b);
    NDArray x = converted(a, sd::DOUBLE), y = converted(b, sd::DOUBLE);
    return combined<Divide>(x, y);
  });
}

template <const char* const& Name>
PyObject* operation(PyObject* left, PyObject* right) {
  return binary(left, right, [](NDArray& a, NDArray& b) {
    return orTypeError(a.isC(), [&] { return callOne(Name, {&a, &b}); });
  });
}

constexpr const char *FLOORDIV = "floordiv", *MODULO = "floormod";

PyObject* floorDivide(PyObject* left, PyObject* right) { return operation<FLOORDIV>(left, right); }
PyObject* modulo(PyObject* left, PyObject* right) { return operation<MODULO>(left, right); }

PyObject* add(PyObject* left, PyObject* right) {
  return holdsTexts(left) || holdsTexts(right) ? joinTexts(left, right) : arithmetic<Add>(left, right);
}

PyObject* divmod(PyObject* left, PyObject* right) {
  nb::object quotient = nb::steal(floorDivide(left, right));
  if (!quotient.is_valid() || quotient.is(Py_NotImplemented)) return quotient.release().ptr();
  nb::object rest = nb::steal(modulo(left, right));
  if (!rest.is_valid() || rest.is(Py_NotImplemented)) return rest.release().ptr();
  return PyTuple_Pack(2, quotient.ptr(), rest.ptr());
}

PyObject* power(PyObject* left, PyObject* right, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  const bool isInteger = PyLong_CheckExact(right) != 0;
  int overflow = 0;
  const bool isTwo = isInteger ? PyLong_AsLongAndOverflow(right, &overflow) == 2
                               : PyFloat_CheckExact(right) && PyFloat_AsDouble(right) == 2;
  return binary(left, right, [isInteger, isTwo](NDArray& a, NDArray& b) {
    if (isTwo && a.dataType() == b.dataType() && (a.isR() || a.isZ())) return callOne("multiply", {&a, &a});
    if (isInteger && sd::DataTypeUtils::isZ(b.dataType()) && b.e<LongType>(0) < 0)
      throw nb::value_error("integers have no negative integer powers; make them float first");
    return callOne("Pow", {&a, &b});
  });
}

PyObject* matrixProduct(PyObject* left, PyObject* right) {
  return guardedObject([&]() -> PyObject* {
    Value a(left), b(right);
    if (a.kind() == Value::Kind::Unknown || b.kind() == Value::Kind::Unknown) Py_RETURN_NOTIMPLEMENTED;
    if (a.isNumber() || b.isNumber() || shapeOf(a.array()).empty() || shapeOf(b.array()).empty())
      throw nb::value_error("[matmul] operands have at least one dimension; * multiplies with a number");
    meet(a, b);
    return newArray(orTypeError(a.array().isS(), [&] { return matrixProductOf(a.array(), b.array()); }));
  });
}

/// An operation for numbers and one for BOOL.
template <typename F>
PyObject* bits(PyObject* left, PyObject* right, F&& names) {
  return binary(left, right, [&](NDArray& a, NDArray& b) {
    const char* name = names(a.dataType() == sd::BOOL);
    if (name == nullptr || a.isR() || a.isC() || a.isS())
      throw nb::type_error((std::string("bits of elements of type ") + nameOf(a.dataType()) +
                            " cannot be combined").c_str());
    return callOne(name, {&a, &b});
  });
}

PyObject* bitAnd(PyObject* left, PyObject* right) {
  return bits(left, right, [](bool isBool) { return isBool ? "boolean_and" : "bitwise_and"; });
}
PyObject* bitOr(PyObject* left, PyObject* right) {
  return bits(left, right, [](bool isBool) { return isBool ? "boolean_or" : "bitwise_or"; });
}
PyObject* bitXor(PyObject* left, PyObject* right) {
  return bits(left, right, [](bool isBool) { return isBool ? "boolean_xor" : "bitwise_xor"; });
}
PyObject* shiftLeft(PyObject* left, PyObject* right) {
  return bits(left, right, [](bool isBool) { return isBool ? nullptr : "shift_bits"; });
}
PyObject* shiftRight(PyObject* left, PyObject* right) {
  return bits(left, right, [](bool isBool) { return isBool ? nullptr : "rshift_bits"; });
}

NDArray& own(PyObject* object) { return reinterpret_cast<ArrayObject*>(object)->array; }

template <typename F>
PyObject* unary(PyObject* object, F&& function) {
  return guardedObject([&] {
    NDArray& array = own(object);
    std::optional<NDArray> result;
    {
      const Unlocked unlocked(array.lengthOf() > LOCKED_ELEMENTS);
      result.emplace(orTypeError(array.isS(), [&] { return function(array); }));
    }
    return newArray(std::move(*result));
  });
}

PyObject* negative(PyObject* object) {
  return unary(object, [](NDArray& array) { return -array; });
}
PyObject* positive(PyObject* object) {
  return unary(object, [](NDArray& array) {
    if (array.isS()) throw nb::type_error("texts have no sign");
    return copyOf(array);
  });
}
PyObject* absolute(PyObject* object) {
  return unary(object, [](NDArray& array) { return callOne("transform.Abs", {&array}); });
}
PyObject* invert(PyObject* object) {
  return unary(object, [](NDArray& array) {
    if (array.isR() || array.isC() || array.isS())
      throw nb::type_error("the bits of texts and real numbers cannot be inverted");
    if (array.dataType() != sd::BOOL) return callOne("toggle_bits", {&array});
    NDArray no(sd::BOOL);
    no.p<int>(0, 0);
    return callOne("equals", {&array, &no});
  });
}

/// Comparisons of arrays of one type and shape, and of an array and a number that its type has. nullopt: others, which the
/// operations compare.
std::optional<NDArray> quickComparison(const NDArray& x, PyObject* right, int operation) {
  static constexpr sd::pairwise::BoolOps PAIRS[] = {sd::pairwise::LessThan,   sd::pairwise::LessThanOrEqual,
                                                    sd::pairwise::EqualTo,    sd::pairwise::NotEqualTo,
                                                    sd::pairwise::GreaterThan, sd::pairwise::GreaterThanOrEqual};
  static constexpr sd::scalar::BoolOps NUMBERS[] = {sd::scalar::LessThan,   sd::scalar::LessThanOrEqual,
                                                    sd::scalar::EqualTo,    sd::scalar::NotEqualTo,
                                                    sd::scalar::GreaterThan, sd::scalar::GreaterThanOrEqual};
  const DataType type = x.dataType();
  if (!x.hasElements() || x.isS() || x.isC()) return std::nullopt;
  const auto result = [&x] {
    return NDArray::uninitialized(sd::BOOL, x.ordering(), x.rankOf(), x.shapeOf(), x.getContext());
  };
  if (const NDArray* y = arrayIn(right)) {
    if (y->dataType() != type || (x.shapeInfo() != y->shapeInfo() && !x.isSameShape(*y))) return std::nullopt;
    NDArray z = result();
    const Unlocked unlocked(x.lengthOf() > LOCKED_ELEMENTS);
    x.applyPairwiseTransform(PAIRS[operation], *y, z);
    return z;
  }
  const bool isInteger = PyLong_CheckExact(right) != 0;
  if (!(isInteger ? x.isR() || type == sd::INT64 : PyFloat_CheckExact(right) != 0 && x.isR())) return std::nullopt;
  int overflow = 0;
  const LongType integer = isInteger ? PyLong_AsLongLongAndOverflow(right, &overflow) : 0;
  if (overflow != 0) return std::nullopt;
  const double real = isInteger ? 0 : PyFloat_AsDouble(right);
  NDArray z = result();
  const Unlocked unlocked(x.lengthOf() > LOCKED_ELEMENTS);
  if (isInteger)
    x.applyScalar(NUMBERS[operation], integer, z);
  else
    x.applyScalar(NUMBERS[operation], real, z);
  return z;
}

PyObject* compare(PyObject* left, PyObject* right, int operation) {
  static constexpr const char* NAMES[] = {"less", "less_equal", "equals", "not_equals", "greater", "greater_equal"};
  static_assert(Py_LT == 0 && Py_LE == 1 && Py_EQ == 2 && Py_NE == 3 && Py_GT == 4 && Py_GE == 5);
  PyObject* quick = guardedObject([&]() -> PyObject* {
    const NDArray* array = arrayIn(left);
    auto result = array == nullptr ? std::nullopt : quickComparison(*array, right, operation);
    return result ? newArray(std::move(*result)) : nullptr;
  });
  if (quick != nullptr || PyErr_Occurred() != nullptr) return quick;
  if (PyList_Check(right) != 0 || PyTuple_Check(right) != 0)  // of texts or numbers
    return guardedObject([&] {
      const nb::object array = arrayObject(toArray(right, std::nullopt, Sharing::IfPossible));
      return compare(left, array.ptr(), operation);
    });
  if (holdsTexts(left) || holdsTexts(right) || PyUnicode_Check(right) != 0) return compareTexts(left, right, operation);
  const bool isOrder = operation != Py_EQ && operation != Py_NE;
  return binary(left, right, [operation, isOrder](NDArray& a, NDArray& b) {
    return orTypeError(isOrder && a.isC(), [&] { return callOne(NAMES[operation], {&a, &b}); });
  });
}

// ---- in place

template <typename F>
PyObject* inPlace(PyObject* left, PyObject* right, F&& function) {
  return guardedObject([&]() -> PyObject* {
    NDArray& array = own(left);
    if (array.isS()) Py_RETURN_NOTIMPLEMENTED;  // strings are not replaced; Python makes a new array
    Value b(right);
    if (b.kind() == Value::Kind::Unknown) Py_RETURN_NOTIMPLEMENTED;
    if (!b.isNumber() && b.array().isS()) throw nb::type_error("texts and numbers do not go together");
    if (b.isNumber()) {
      if (b.kind() == Value::Kind::Real && !sd::DataTypeUtils::isR(array.dataType()) && !array.isC())
        throw nb::type_error((std::string("an array of type ") + nameOf(array.dataType()) +
                              " does not take fractions in place").c_str());
      b.become(array.dataType());
    }
    broadcast(b.array(), shapeOf(array));  // the array keeps its shape
    {
      const Unlocked unlocked(array.lengthOf() > LOCKED_ELEMENTS);
      function(array, b.array());
    }
    return Py_NewRef(left);
  });
}

PyObject* addInPlace(PyObject* left, PyObject* right) {
  return inPlace(left, right, [](NDArray& a, NDArray& b) { a += b; });
}
PyObject* subtractInPlace(PyObject* left, PyObject* right) {
  return inPlace(left, right, [](NDArray& a, NDArray& b) { a -= b; });
}
PyObject* multiplyInPlace(PyObject* left, PyObject* right) {
  return inPlace(left, right, [](NDArray& a, NDArray& b) { a *= b; });
}
PyObject* divideInPlace(PyObject* left, PyObject* right) {
  return inPlace(left, right, [](NDArray& a, NDArray& b) {
    if (!a.isR() && !a.isC())
      throw nb::type_error("integers do not take quotients in place; use //= or make them float first");
    a /= b;
  });
}

}  // namespace

NDArray matrixProductOf(NDArray& a, NDArray& b) {
  const Unlocked unlocked(a.lengthOf() + b.lengthOf() > LOCKED_ELEMENTS);
  return callOne("matmul", {&a, &b});
}

std::vector<PyType_Slot> operatorSlots() {
  const auto slot = [](int number, auto* function) { return PyType_Slot{number, reinterpret_cast<void*>(function)}; };
  return {slot(Py_nb_add, add),
          slot(Py_nb_subtract, arithmetic<Subtract>),
          slot(Py_nb_multiply, arithmetic<Multiply>),
          slot(Py_nb_true_divide, divide),
          slot(Py_nb_floor_divide, floorDivide),
          slot(Py_nb_remainder, modulo),
          slot(Py_nb_divmod, divmod),
          slot(Py_nb_power, power),
          slot(Py_nb_matrix_multiply, matrixProduct),
          slot(Py_nb_and, bitAnd),
          slot(Py_nb_or, bitOr),
          slot(Py_nb_xor, bitXor),
          slot(Py_nb_lshift, shiftLeft),
          slot(Py_nb_rshift, shiftRight),
          slot(Py_nb_negative, negative),
          slot(Py_nb_positive, positive),
          slot(Py_nb_absolute, absolute),
          slot(Py_nb_invert, invert),
          slot(Py_nb_inplace_add, addInPlace),
          slot(Py_nb_inplace_subtract, subtractInPlace),
          slot(Py_nb_inplace_multiply, multiplyInPlace),
          slot(Py_nb_inplace_true_divide, divideInPlace),
          slot(Py_tp_richcompare, compare),
          slot(Py_tp_hash, PyObject_HashNotImplemented)};
}

}  // namespace ndforge
