// What a call of a function does: arguments and inputs from Python values, the operation, its results.
#include <array/TypePromotion.h>
#include <graph/Context.h>
#include <nd/call.h>

#include <algorithm>
#include <unordered_map>

#include "elements.h"
#include "functions.h"
#include "ops/declarable/ReusedContext.h"

namespace ndforge {

using sd::ops::ArgumentKind;
using sd::ops::ArgumentRow;
using sd::ops::MemberAccess;

namespace {

[[noreturn]] void typeError(const Function& function, const std::string& text) {
  throw nb::type_error(("[" + function.name() + "] " + text).c_str());
}

/// A struct of arguments with its default values.
class Arguments {
 public:
  explicit Arguments(const sd::ops::ArgumentStruct* type) : _type(type) {
    if (type != nullptr) _data = _block.prepare(*type);
  }
  void* data() { return _data; }
  const sd::ops::ArgumentStruct* type() const { return _type; }

 private:
  const sd::ops::ArgumentStruct* _type;
  sd::ops::ArgumentBlock _block;
  void* _data = nullptr;
};

std::string describe(const ArgumentRow& row) {
  static constexpr const char* KINDS[] = {"an integer", "a number", "True or False", "an element type", "a choice"};
  const int count = row.access().count;
  const std::string one = KINDS[static_cast<int>(row.kind())];
  if (count == 1) return one;
  return (count < 0 ? "a sequence" : "a sequence of " + std::to_string(count)) + ", each " + one;
}

LongType choiceOf(const Function& function, const ArgumentRow& row, nb::handle value) {
  const MemberAccess& access = row.access();
  if (nb::isinstance<nb::str>(value)) {
    const std::string name = textOf(value);
    for (int i = 0; i < access.choiceCount; i++)
      if (name == access.choices[i].name && row.accepts(i)) return i;
  }
  std::string names;
  for (int i = 0; i < access.choiceCount; i++)
    if (row.accepts(i)) names += (names.empty() ? "'" : ", '") + std::string(access.choices[i].name) + "'";
  throw nb::value_error(
      ("[" + function.name() + "] argument '" + row.name() + "': " + shown(value) + " is none of " + names).c_str());
}

/// @throws nb::value_error for an integer that the member cannot have
void requireInRange(const Function& function, const ArgumentRow& row, LongType integer) {
  const MemberAccess& access = row.access();
  if (access.element == MemberAccess::Element::Int && (integer < access.least || integer > access.most))
    throw nb::value_error(("[" + function.name() + "] argument '" + row.name() + "': " + std::to_string(integer) +
                           " is outside " + std::to_string(access.least) + ".." + std::to_string(access.most))
                              .c_str());
}

/// Sets an argument to the value that it usually has: one Python integer, bool or float. false: the value is another
/// one.
bool setPlainArgument(const Function& function, const ArgumentRow& row, void* arguments, PyObject* value) {
  const MemberAccess& access = row.access();
  if (access.count > 1) return false;
  if (row.kind() == ArgumentKind::Integer && PyLong_CheckExact(value) != 0) {
    const LongType integer = integerOf(value, row.name());
    requireInRange(function, row, integer);
    access.setIntegers(row.memberOf(arguments), &integer, 1);
    return true;
  }
  if (row.kind() == ArgumentKind::Flag && PyBool_Check(value) != 0) {
    const LongType flag = value == Py_True ? 1 : 0;
    access.setIntegers(row.memberOf(arguments), &flag, 1);
    return true;
  }
  if (row.kind() == ArgumentKind::Number && PyFloat_CheckExact(value) != 0) {
    const double number = PyFloat_AsDouble(value);
    access.setNumbers(row.memberOf(arguments), &number, 1);
    return true;
  }
  return false;
}

/// Sets the member of a row. None leaves the default.
void setArgument(const Function& function, const ArgumentRow& row, void* arguments, nb::handle value) {
  if (value.is_none() || setPlainArgument(function, row, arguments, value.ptr())) return;
  const MemberAccess& access = row.access();
  const auto wrong = [&]() {
    typeError(function, std::string("argument '") + row.name() + "' is " + describe(row) + ", not " + shown(value));
  };
  std::vector<nb::object> values;
  PyObject* object = value.ptr();
  const bool isList = PyUnicode_Check(object) == 0 && PySequence_Check(object) != 0 &&
                      (arrayIn(object) == nullptr || !shapeOf(*arrayIn(object)).empty());
  if (isList && (access.count != 1 || row.kind() == ArgumentKind::Integer)) {
    for (nb::handle item : value) values.push_back(nb::borrow(item));
  } else {
    // One number stands for a list of one, or for all of an array of fixed length: kernel=3.
    values.assign(access.count > 1 ? static_cast<size_t>(access.count) : 1, nb::borrow(value));
  }
  if (access.count >= 0 && values.size() != static_cast<size_t>(access.count)) wrong();
  std::vector<LongType> integers;
  std::vector<double> numbers;
  bool allIntegers = true;
  for (const nb::object& item : values) {
    PyObject* one = item.ptr();
    switch (row.kind()) {
      case ArgumentKind::Type:
        integers.push_back(static_cast<LongType>(dataTypeOf(item)));
        break;
      case ArgumentKind::Choice:
        integers.push_back(choiceOf(function, row, item));
        break;
      case ArgumentKind::Flag: {
        const int flag = PyBool_Check(one) != 0 || PyLong_Check(one) != 0 ||
                                 (nb::hasattr(item, "__bool__") && PyUnicode_Check(one) == 0)
                             ? PyObject_IsTrue(one)
                             : -2;
        if (flag == -1) throw nb::python_error();
        if (flag == -2) wrong();
        integers.push_back(flag);
        break;
      }
      case ArgumentKind::Integer:
        if (PyIndex_Check(one) == 0) wrong();
        integers.push_back(integerOf(one, row.name()));
        break;
      case ArgumentKind::Number:
        if (PyIndex_Check(one) != 0) {
          integers.push_back(integerOf(one, row.name()));
          numbers.push_back(static_cast<double>(integers.back()));
        } else {
          allIntegers = false;
          const double number = PyUnicode_Check(one) != 0 ? -1 : PyFloat_AsDouble(one);
          if (PyUnicode_Check(one) != 0 || (number == -1 && PyErr_Occurred() != nullptr)) {
            PyErr_Clear();
            wrong();
          }
          numbers.push_back(number);
        }
        break;
    }
  }
  if (row.kind() == ArgumentKind::Integer)
    for (const LongType integer : integers) requireInRange(function, row, integer);
  void* member = row.memberOf(arguments);
  if (row.kind() == ArgumentKind::Number && (!access.takesIntegers() || !allIntegers))
    access.setNumbers(member, numbers.data(), numbers.size());
  else
    access.setIntegers(member, integers.data(), integers.size());
}

/// The inputs of one call, in their order: arrays, symbols, numbers. Arrays alone go straight to the list of the call;
/// the first other value makes it a list of values, which are placed when all of them are known.
class Inputs {
 public:
  Inputs(const Function& function, std::vector<NDArray*>& arrays) : _function(function), _arrays(arrays) {}

  void add(nb::handle value, const Parameter& parameter) {
    PyObject* object = value.ptr();
    if (!parameter.any) {
      NDArray* array = _areArrays ? arrayIn(object) : nullptr;
      if (array != nullptr)
        _arrays.push_back(array);
      else
        addOne(value, parameter);
      return;
    }
    if (arrayIn(object) != nullptr || symbolIn(object) != nullptr || PySequence_Check(object) == 0)
      typeError(_function, "'" + parameter.name + "' is a list of arrays, not " + typeName(value));
    for (nb::handle item : value) addOne(item, parameter);
  }
  void leaveOut() {
    if (_areArrays)
      _arrays.push_back(nullptr);
    else
      _values.emplace_back();
  }

  nb::handle graph() const { return _graph; }
  std::vector<sd::nd::Operand> operands() {
    spread();
    std::vector<sd::nd::Operand> operands;
    for (One& one : _values) {
      if (one.symbol != nullptr)
        operands.emplace_back(*one.symbol);
      else if (one.value && one.value->isNumber())
        operands.emplace_back(one.value->real());
      else if (one.value)
        operands.emplace_back(one.value->array());
      else
        operands.emplace_back();
    }
    return operands;
  }
  /// Fills the list of the call. Numbers get the type of the first array. Operands of element-wise operations meet in a
  /// common type.
  void place() {
    const bool differ = _areArrays && _function.meets() && _arrays.size() == 2 && _arrays[0] != nullptr &&
                        _arrays[1] != nullptr && _arrays[0]->dataType() != _arrays[1]->dataType();
    if (differ) spread();
    if (!_areArrays) placeValues();
    while (!_arrays.empty() && _arrays.back() == nullptr) _arrays.pop_back();
  }

 private:
  struct One {
    nb::object owner;  // of the array, which a list that makes its items may not keep
    std::optional<Value> value;
    const Symbol* symbol = nullptr;
  };
  const Function& _function;
  std::vector<NDArray*>& _arrays;
  bool _areArrays = true;
  std::vector<One> _values;
  nb::object _graph;

  static std::string typeName(nb::handle value) { return textOf(nb::str(nb::getattr(value.type(), "__name__"))); }

  void spread() {
    if (!_areArrays) return;
    _areArrays = false;
    _values.reserve(_arrays.size() + 4);
    for (NDArray* array : _arrays) {
      _values.emplace_back();
      if (array != nullptr) _values.back().value.emplace(*array);
    }
    _arrays.clear();
  }

  void addOne(nb::handle value, const Parameter& parameter) {
    spread();
    One one;
    one.owner = nb::borrow(value);
    if (value.is_none()) {
      if (!parameter.optional) typeError(_function, "input '" + parameter.name + "' is None");
    } else if (const Symbol* symbol = symbolIn(value.ptr())) {
      one.symbol = symbol;
      if (!_graph.is_valid()) _graph = one.owner;
    } else {
      one.value.emplace(value.ptr());
      if (one.value->kind() == Value::Kind::Unknown)
        typeError(_function, "input '" + parameter.name + "' is no array but of type " + typeName(value));
    }
    _values.push_back(std::move(one));
  }

  void placeValues() {
    if (_function.meets() && _values.size() == 2 && _values[0].value && _values[1].value) {
      Value &a = *_values[0].value, &b = *_values[1].value;
      if (a.isNumber() || b.isNumber() || a.array().dataType() != b.array().dataType()) meet(a, b);
    }
    DataType like = sd::INHERIT;
    for (const One& one : _values)
      if (like == sd::INHERIT && one.value && !one.value->isNumber()) like = one.value->array().dataType();
    for (One& one : _values) {
      if (one.value && one.value->isNumber())
        one.value->become(like == sd::INHERIT || sd::DataTypeUtils::isS(like) ? one.value->ownType()
                                                                              : one.value->typeBeside(like));
      _arrays.push_back(one.value ? &one.value->array() : nullptr);
    }
  }
};

/// The outputs that the caller gave, as Python objects: none for None.
std::vector<nb::object> givenOutputs(const Function& function, nb::handle out) {
  std::vector<nb::object> outputs;
  if (out.is_none()) return outputs;
  const auto add = [&](nb::handle item) {
    if (arrayIn(item.ptr()) == nullptr) typeError(function, "'out' is an array, or a tuple of them");
    outputs.push_back(nb::borrow(item));
  };
  if (arrayIn(out.ptr()) != nullptr)
    add(out);
  else
    for (nb::handle item : out) add(item);
  return outputs;
}

void run(sd::ops::DeclarableOp& op, sd::graph::Context& block) {
  LongType elements = 0;
  for (const NDArray* input : block.fastpath_in())
    if (input != nullptr) elements += input->lengthOf();
  const bool random = op.getOpDescriptor()->isRandom();
  if (random) block.setRng(sd::nd::generator());
  sd::Status status;
  {
    const Unlocked unlocked(elements > LOCKED_ELEMENTS || elements == 0);
    status = op.execute(&block);
  }
  if (status != sd::Status::OK) throw std::invalid_argument(op.failureMessage(status));
  if (!random) return;
  uint64_t drawn = 0;
  for (int i = 0; i < block.numberOfOutputs(); i++) drawn += static_cast<uint64_t>(block.optionalOutput(i)->lengthOf());
  sd::nd::generator().rewindH(drawn);
}

nb::object resultsOf(const Function& function, std::vector<nb::object> results) {
  if (function.returnsList()) {
    nb::list list;
    for (nb::object& result : results) list.append(std::move(result));
    return list;
  }
  if (function.outputs() <= 1) return results.empty() ? nb::none() : std::move(results[0]);
  while (results.size() < function.outputs()) results.push_back(nb::none());
  nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (size_t i = 0; i < results.size(); i++)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), results[i].release().ptr());
  return function.resultType().is_none() ? tuple : nb::object(function.resultType().attr("_make")(tuple));
}

/// Which parameter a keyword names. @throws nb::type_error for unknown names
size_t parameterOf(const Function& function, nb::handle keyword) {
  const auto& parameters = function.parameters();
  for (size_t i = 0; i < parameters.size(); i++)
    if (parameters[i].key == keyword.ptr()) return i;
  const std::string name = textOf(keyword);
  for (size_t i = 0; i < parameters.size(); i++)
    if (parameters[i].name == name) return i;
  std::string names;
  for (const Parameter& parameter : parameters) names += (names.empty() ? "" : ", ") + parameter.name;
  typeError(function, "there is no argument '" + name + "'; there are " + names);
}

}  // namespace

void Positional::set(const std::string& list, nb::handle values) {
  for (nb::handle value : values) {
    if (list == "integers")
      _integers.push_back(integerOf(value.ptr(), "integers"));
    else if (list == "floats")
      _floats.push_back(nb::cast<double>(value));
    else if (list == "flags")
      _flags.push_back(nb::cast<bool>(value));
    else
      _types.push_back(dataTypeOf(value));
  }
}

void Positional::pass(sd::graph::Context& block) const {
  if (!_integers.empty()) block.setIArguments(_integers);
  if (!_floats.empty()) block.setTArguments(_floats);
  if (!_flags.empty()) block.setBArguments(_flags);
  if (!_types.empty()) block.setDArguments(_types);
}

namespace {

/// The arrays of a list that is the last input and is given as several arguments: einsum('ij,jk->ik', x, y). None for a
/// call that gives a list. A single array is one only after other inputs: the list of concat is easily forgotten.
/// Numbers are none: they are arguments that need their names, as in concat([x, y], 1).
nb::object listed(const Function& function, PyObject* const* values, size_t positional) {
  const size_t most = function.positional();
  if (most == 0 || positional < most || !function.parameters()[most - 1].any) return {};
  const bool single = most > 1 && (arrayIn(values[most - 1]) != nullptr || symbolIn(values[most - 1]) != nullptr);
  if (positional == most && !single) return {};
  for (size_t i = most; i < positional; i++)
    if (PyNumber_Check(values[i]) != 0 && arrayIn(values[i]) == nullptr && symbolIn(values[i]) == nullptr &&
        PySequence_Check(values[i]) == 0)
      return {};
  nb::object list = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(positional - most + 1)));
  for (size_t i = most - 1; i < positional; i++)
    PyTuple_SetItem(list.ptr(), static_cast<Py_ssize_t>(i - most + 1), Py_NewRef(values[i]));
  return list;
}

}  // namespace

nb::object call(const Function& function, PyObject* const* values, size_t positional, PyObject* names) {
  const auto& parameters = function.parameters();
  PyObject* given[64];
  if (parameters.size() > std::size(given)) typeError(function, "the operation has too many arguments");
  const nb::object list = listed(function, values, positional);
  if (positional > function.positional() && !list.is_valid())
    typeError(function, std::to_string(positional) + " positional arguments, at most " +
                            std::to_string(function.positional()) + "; the others have names");
  const size_t placed = std::min(positional, function.positional());
  std::copy_n(values, placed, given);
  std::fill(given + placed, given + parameters.size(), nullptr);
  if (list.is_valid()) given[function.positional() - 1] = list.ptr();
  const Py_ssize_t count = names == nullptr ? 0 : PyTuple_Size(names);
  for (Py_ssize_t i = 0; i < count; i++) {
    const size_t k = parameterOf(function, PyTuple_GetItem(names, i));
    if (given[k] != nullptr) typeError(function, "argument '" + parameters[k].name + "' is given twice");
    given[k] = values[positional + static_cast<size_t>(i)];
  }
  sd::ops::DeclarableOp& op = function.operation();
  const sd::ops::ReusedContext reused({&typeid(op), op.getOpHash()});
  sd::graph::Context& block = *reused;
  Inputs inputs(function, block.fastpath_in());
  Arguments arguments(function.structure());
  nb::handle out = Py_None;
  std::optional<Positional> lists;
  for (size_t i = 0; i < parameters.size(); i++) {
    const Parameter& parameter = parameters[i];
    const nb::handle value = given[i];
    const bool isGiven = given[i] != nullptr && given[i] != Py_None;
    if (!isGiven && parameter.required()) typeError(function, "argument '" + parameter.name + "' is missing");
    if (parameter.role == Parameter::Role::Out) {
      if (isGiven) out = value;
      continue;
    }
    if (parameter.role == Parameter::Role::List) {
      if (!isGiven) continue;
      if (!lists) lists.emplace();
      lists->set(parameter.name, value);
      continue;
    }
    const bool asInput = parameter.input && isGiven &&
                         (parameter.row == nullptr || isArrayLike(value) || symbolIn(value.ptr()) != nullptr);
    if (asInput)
      inputs.add(value, parameter);
    else if (parameter.input && !(parameter.any && !isGiven))
      inputs.leaveOut();
    if (isGiven && !asInput && parameter.row != nullptr) setArgument(function, *parameter.row, arguments.data(), value);
  }
  if (inputs.graph().is_valid()) {
    if (!out.is_none()) typeError(function, "symbols have no 'out'");
    const auto operands = inputs.operands();
    return callSymbols(function, inputs.graph(), operands, sd::ops::CallArguments(arguments.type(), arguments.data()));
  }
  inputs.place();
  std::vector<nb::object> results = givenOutputs(function, out);
  for (const nb::object& output : results) block.fastpath_out().push_back(arrayIn(output.ptr()));
  if (arguments.type() != nullptr) block.setArguments(*arguments.type(), arguments.data());
  if (lists) lists->pass(block);
  run(op, block);
  const auto resultAt = [&](int index) {
    NDArray* result = block.optionalOutput(index);
    return result->shapeInfo() == nullptr ? nb::none() : arrayObject(std::move(*result));
  };
  if (!results.empty()) {
    if (arrayIn(out.ptr()) != nullptr) return nb::borrow(out);
  } else if (!function.returnsList() && function.outputs() <= 1 && block.numberOfOutputs() > 0) {
    return resultAt(0);
  } else {
    for (int i = 0; i < block.numberOfOutputs(); i++) results.push_back(resultAt(i));
  }
  return resultsOf(function, std::move(results));
}

NDArray callOne(const char* operation, std::initializer_list<NDArray*> inputs, const sd::ops::ArgumentStruct* type,
                const void* arguments) {
  // By the address of the name, which is a literal.
  thread_local std::unordered_map<const char*, sd::ops::DeclarableOp*> known;
  sd::ops::DeclarableOp*& op = known[operation];
  if (op == nullptr) op = &sd::nd::detail::operation(operation);
  const sd::ops::ReusedContext reused({&typeid(*op), op->getOpHash()});
  sd::graph::Context& block = *reused;
  block.fastpath_in() = inputs;
  if (type != nullptr) block.setArguments(*type, arguments);
  const sd::Status status = op->execute(&block);
  if (status != sd::Status::OK) throw std::invalid_argument(op->failureMessage(status));
  return std::move(*block.optionalOutput(0));
}

}  // namespace ndforge
