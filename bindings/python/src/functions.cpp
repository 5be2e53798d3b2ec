// One Python function for each operation of the registry, with keyword arguments from its schema.
#include "functions.h"

#include <nd/call.h>
#include <ops/declarable/OpRegistrator.h>
#include <structmember.h>

#include <algorithm>
#include <map>
#include <memory>

#include "generate/cpp_names.h"

namespace ndforge {

using sd::ops::ArgumentRow;

namespace {

PyTypeObject* functionType = nullptr;

struct FunctionObject {
  PyObject_HEAD
  vectorcallfunc call;
  const Function* function;
};

PyObject* vectorcall(PyObject* self, PyObject* const* values, size_t flags, PyObject* names) {
  return guardedObject([&] {
    const Function& function = *reinterpret_cast<FunctionObject*>(self)->function;
    return call(function, values, PyVectorcall_NARGS(flags), names).release().ptr();
  });
}

// ---- what Python's tools ask functions for

const Function& functionIn(PyObject* self) { return *reinterpret_cast<FunctionObject*>(self)->function; }

PyObject* getName(PyObject* self, void*) { return PyUnicode_FromString(functionIn(self).name().c_str()); }
PyObject* getModule(PyObject*, void*) { return PyUnicode_FromString("ndforge"); }
PyObject* getOperation(PyObject* self, void*) {
  return PyUnicode_FromString(functionIn(self).operation().getOpDescriptor()->name().c_str());
}
/// Python code makes the texts, when they are asked for.
PyObject* fromHelpers(PyObject* self, const char* what) {
  return guardedObject([&] {
    return nb::object(nb::module_::import_("ndforge._help").attr(what)(nb::handle(self))).release().ptr();
  });
}
PyObject* getDoc(PyObject* self, void*) { return fromHelpers(self, "docstring"); }
PyObject* getSignature(PyObject* self, void*) { return fromHelpers(self, "signature"); }
PyObject* getParameters(PyObject* self, void*) {
  return guardedObject([&] {
    nb::list list;
    for (const Parameter& parameter : functionIn(self).parameters()) {
      nb::dict fields;
      fields["name"] = parameter.name.c_str();
      fields["input"] = parameter.input;
      fields["any"] = parameter.any;
      fields["required"] = parameter.required();
      fields["argument"] = parameter.row == nullptr ? nb::none() : nb::object(nb::str(parameter.row->name()));
      list.append(fields);
    }
    return nb::make_tuple(list, functionIn(self).positional()).release().ptr();
  });
}
PyObject* getPickle(PyObject* self, PyObject*) { return getName(self, nullptr); }
PyObject* represent(PyObject* self) {
  return PyUnicode_FromFormat("<function ndforge.%s>", functionIn(self).name().c_str());
}
PyObject* bind(PyObject* self, PyObject*, PyObject*) { return Py_NewRef(self); }

PyGetSetDef attributes[] = {{"__name__", getName, nullptr, nullptr, nullptr},
                            {"__qualname__", getName, nullptr, nullptr, nullptr},
                            {"__module__", getModule, nullptr, nullptr, nullptr},
                            {"__doc__", getDoc, nullptr, nullptr, nullptr},
                            {"__signature__", getSignature, nullptr, nullptr, nullptr},
                            {"operation", getOperation, nullptr, "The name in the registry.", nullptr},
                            {"_parameters", getParameters, nullptr, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef methods[] = {{"__reduce__", getPickle, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

/// All functions by their names; those of plugins are added when they are asked for.
std::map<std::string, std::unique_ptr<Function>, std::less<>>& functions() {
  static auto* all = new std::map<std::string, std::unique_ptr<Function>, std::less<>>();
  return *all;
}

/// The name of the Python function for an operation; empty when there is none.
std::string functionName(sd::ops::DeclarableOp& op) {
  const std::string name = op.getOpDescriptor()->name();
  const std::string_view kind = op.getOpDescriptor()->kind();
  if (kind == "list" || kind == "logic" || kind == "numbered") return {};
  if (op.schema().isStated() && !sd::generate::hasFunction(op.schema())) return {};
  return sd::generate::identifier(name);
}

std::map<std::string, sd::ops::DeclarableOp*, std::less<>> names() {
  std::map<std::string, sd::ops::DeclarableOp*, std::less<>> all;
  auto& registry = sd::ops::OpRegistrator::getInstance();
  for (sd::ops::DeclarableOp* op : registry.operations()) {
    const std::string name = functionName(*op);
    if (!name.empty()) all.emplace(name, op);
  }
  for (const sd::loops::NumberedOp& numbered : sd::loops::numberedOps()) {
    const std::string name = sd::generate::numberedFunction(numbered);
    sd::ops::DeclarableOp* op = name.empty() ? nullptr : registry.find(sd::loops::qualifiedName(numbered));
    if (op != nullptr) all.emplace(sd::generate::identifier(name), op);
  }
  return all;
}

nb::object functionObject(const Function& function) {
  auto* object = PyObject_New(FunctionObject, functionType);
  if (object == nullptr) throw nb::python_error();
  object->call = vectorcall;
  object->function = &function;
  return nb::steal(reinterpret_cast<PyObject*>(object));
}

nb::object functionOf(const std::string& name) {
  auto& all = functions();
  auto found = all.find(name);
  if (found == all.end()) {
    const auto known = names();
    const auto op = known.find(name);
    if (op == known.end()) return nb::none();
    found = all.emplace(name, std::make_unique<Function>(*op->second, name)).first;
  }
  return functionObject(*found->second);
}

}  // namespace

Function::Function(sd::ops::DeclarableOp& op, std::string name) : _op(op), _name(std::move(name)) {
  const sd::ops::Schema& schema = op.schema();
  const auto add = [this](Parameter parameter) {
    static constexpr const char* KEYWORDS[] = {"lambda", "from", "in", "is", "not", "and", "or", "if", "else", "global"};
    for (const char* keyword : KEYWORDS)
      if (parameter.name == keyword) parameter.name += '_';
    parameter.key = PyUnicode_InternFromString(parameter.name.c_str());
    _parameters.push_back(std::move(parameter));
  };
  if (!schema.isStated()) {
    Parameter inputs;
    inputs.name = "inputs";
    inputs.input = inputs.any = inputs.optional = true;
    add(inputs);
    _positional = 1;
    for (const char* list : {"integers", "floats", "flags", "types"}) {
      Parameter parameter;
      parameter.name = list;
      parameter.role = Parameter::Role::List;
      parameter.optional = true;
      add(parameter);
    }
    _returnsList = op.getOpDescriptor()->getNumberOfOutputs() != 1;
    _outputs = 1;
  } else {
    for (const sd::ops::InputRow& row : schema.inputs()) {
      Parameter parameter;
      parameter.name = row.name();
      parameter.input = true;
      parameter.any = row.isAny();
      parameter.row = schema.argument(row.name());
      parameter.optional = parameter.row != nullptr ? !parameter.row->required() : row.isOptional();
      add(parameter);
    }
    _positional = _parameters.size();
    for (const ArgumentRow& row : schema.arguments()) {
      const bool isInput = std::any_of(_parameters.begin(), _parameters.end(),
                                       [&row](const Parameter& parameter) { return parameter.row == &row; });
      if (isInput) continue;
      Parameter parameter;
      parameter.name = row.name();
      parameter.row = &row;
      parameter.optional = !row.required();
      add(parameter);
    }
    _outputs = schema.outputs().size();
    _returnsList = _outputs > 0 && schema.outputs()[0].isAny;
    const std::string_view elementwise = schema.elementwise();
    _meets = elementwise.rfind("pairwise", 0) == 0;
  }
  Parameter out;
  out.name = "out";
  out.role = Parameter::Role::Out;
  out.optional = true;
  add(out);
}

nb::handle Function::resultType() const {
  if (!_resultType.is_valid()) {
    nb::list fields;
    for (const sd::ops::OutputRow& row : _op.schema().outputs()) fields.append(nb::str(row.name));
    nb::object make = nb::module_::import_("collections").attr("namedtuple");
    _resultType = make(_name + "_result", fields, nb::arg("rename") = true, nb::arg("module") = "ndforge");
  }
  return _resultType;
}

void defineFunctions(nb::module_& module) {
  PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                         {Py_tp_getset, attributes},
                         {Py_tp_methods, methods},
                         {Py_tp_members, members},
                         {Py_tp_repr, reinterpret_cast<void*>(represent)},
                         {Py_tp_descr_get, reinterpret_cast<void*>(bind)},
                         {0, nullptr}};
  PyType_Spec spec = {"ndforge.Function", sizeof(FunctionObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject* type = PyType_FromSpec(&spec);
  if (type == nullptr) throw nb::python_error();
  functionType = reinterpret_cast<PyTypeObject*>(type);
  module.attr("Function") = nb::borrow(type);
  module.def("function", &functionOf, "The function for an operation; None when there is none.");
  module.def("function_names", [] {
    nb::list list;
    for (const auto& [name, op] : names()) list.append(nb::make_tuple(name, op->getOpDescriptor()->name()));
    return list;
  });
  module.def("_numpy_names", [] {
    nb::dict map;
    for (const auto& [name, op] : names()) {
      const std::string other = op->schema().elsewhere().numpy;
      if (other.rfind("numpy.", 0) != 0 || other.find_first_of(", (") != std::string::npos) continue;
      const std::string last = other.substr(other.rfind('.') + 1);
      if (!map.contains(last.c_str())) map[last.c_str()] = nb::str(name.c_str());
    }
    return map;
  });
  module.def("seed", [](uint64_t seed) { sd::nd::generator().setStates(static_cast<LongType>(seed)); }, nb::arg("seed"),
             "Makes the random numbers that this thread draws repeatable.");
}

}  // namespace ndforge
