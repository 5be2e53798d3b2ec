// Graphs, symbols and sessions.
#include <graph/Gradients.h>
#include <nanobind/stl/optional.h>
#include <nd/call.h>

#include <unordered_set>

#include "functions.h"
#include "runs.h"

// Friends of Symbol, which are found for operands only when they are declared.
namespace sd::nd {
Symbol operator+(const Operand& a, const Operand& b);
Symbol operator-(const Operand& a, const Operand& b);
Symbol operator*(const Operand& a, const Operand& b);
Symbol operator/(const Operand& a, const Operand& b);
Symbol operator-(const Operand& a);
}  // namespace sd::nd

namespace ndforge {

namespace {

using sd::graph::Graph;
using sd::nd::Operand;

PyTypeObject* symbolType = nullptr;

/// The line of the Python program that is running. The names of files live as long as the process.
sd::nd::Place place() {
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) return {nullptr, 0};
  static std::unordered_set<std::string> files;  // protected by the interpreter's lock
  const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  const nb::object file = code.attr("co_filename");
  return {files.insert(textOf(file)).first->c_str(), PyFrame_GetLineNumber(frame)};
}

nb::object symbolObject(const Symbol& symbol, nb::handle graph) {
  return nb::cast(SymbolValue{symbol, nb::borrow(graph)});
}

SymbolValue& valueOf(nb::handle object) { return nb::cast<SymbolValue&>(object); }

/// An operand of an operator: a symbol, an array, or a number.
class SymbolOperand {
 public:
  explicit SymbolOperand(nb::handle object) {
    if (const Symbol* symbol = symbolIn(object.ptr())) {
      _operand = Operand(*symbol, place());
      return;
    }
    _value.emplace(object.ptr());
    if (_value->isNumber())
      _operand = Operand(_value->real(), place());
    else if (_value->kind() == Value::Kind::Array)
      _operand = Operand(_value->array(), place());
    else
      _isKnown = false;
  }
  bool isKnown() const { return _isKnown; }
  const Operand& get() const { return _operand; }

 private:
  std::optional<Value> _value;
  Operand _operand;
  bool _isKnown = true;
};

Symbol symbolOf(nb::handle object) {
  const Symbol* symbol = symbolIn(object.ptr());
  if (symbol == nullptr) throw nb::type_error((std::string("a symbol is needed, not ") + shown(object)).c_str());
  return *symbol;
}

template <typename F>
PyObject* binary(PyObject* left, PyObject* right, F&& function) {
  return guardedObject([&]() -> PyObject* {
    const SymbolOperand a(left), b(right);
    if (!a.isKnown() || !b.isKnown()) Py_RETURN_NOTIMPLEMENTED;
    const Symbol result = function(a.get(), b.get());
    return symbolLike(result, symbolIn(left) != nullptr ? left : right).release().ptr();
  });
}

PyObject* add(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return x + y; });
}
PyObject* subtract(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return x - y; });
}
PyObject* multiply(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return x * y; });
}
PyObject* divide(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return x / y; });
}

Symbol callOf(const char* operation, std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands)
    if (operand.symbol()) return operand.symbol().scope().callAll(operation, operands, {}, place()).at(0);
  throw nb::type_error("none of the operands is a symbol");
}

PyObject* power(PyObject* a, PyObject* b, PyObject*) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return callOf("Pow", {x, y}); });
}
PyObject* floorDivide(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return callOf("floordiv", {x, y}); });
}
PyObject* modulo(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return callOf("floormod", {x, y}); });
}
PyObject* matrixProduct(PyObject* a, PyObject* b) {
  return binary(a, b, [](const Operand& x, const Operand& y) { return callOf("matmul", {x, y}); });
}
PyObject* negative(PyObject* object) {
  return guardedObject([&] {
    return symbolLike(-Operand(symbolOf(object), place()), object).release().ptr();
  });
}
PyObject* absolute(PyObject* object) {
  return guardedObject([&] {
    return symbolLike(callOf("transform.Abs", {Operand(symbolOf(object), place())}), object).release().ptr();
  });
}
/// Only the comparisons that have a meaning for sorting; == and != compare the symbols themselves.
PyObject* compare(PyObject* a, PyObject* b, int operation) {
  if (operation == Py_EQ || operation == Py_NE) {
    const Symbol *x = symbolIn(a), *y = symbolIn(b);
    const bool same = x != nullptr && y != nullptr && &x->scope() == &y->scope() && x->key() == y->key();
    return PyBool_FromLong(same == (operation == Py_EQ) ? 1 : 0);
  }
  static constexpr const char* NAMES[] = {"less", "less_equal", "", "", "greater", "greater_equal"};
  return binary(a, b, [operation](const Operand& x, const Operand& y) { return callOf(NAMES[operation], {x, y}); });
}
Py_hash_t hash(PyObject* object) {
  return guarded<Py_hash_t>(-1, [&] {
    return static_cast<Py_hash_t>(std::hash<std::string>()(symbolOf(object).key())) & 0x3fffffffffffffff;
  });
}
int isTrue(PyObject*) {
  PyErr_SetString(PyExc_TypeError, "a symbol has no value before its graph runs, so it is neither true nor false");
  return -1;
}

std::vector<LongType> shapeIn(nb::handle shape) {
  std::vector<LongType> sizes;
  for (nb::handle size : shape) sizes.push_back(size.is_none() ? -1 : nb::cast<LongType>(size));
  return sizes;
}

nb::object shapeObject(const sd::ops::PartialShape& shape) {
  if (!shape.hasRank()) return nb::none();
  nb::list sizes;
  for (int d = 0; d < shape.rank(); d++) {
    if (shape[d] < 0)
      sizes.append(nb::none());
    else
      sizes.append(nb::int_(shape[d]));
  }
  return nb::tuple(sizes);
}

std::vector<Symbol> symbolsOf(nb::handle object) {
  if (symbolIn(object.ptr()) != nullptr) return {symbolOf(object)};
  std::vector<Symbol> symbols;
  for (nb::handle item : object) symbols.push_back(symbolOf(item));
  return symbols;
}

sd::nd::Label label(const std::string& name) { return {name, place()}; }

}  // namespace

const Symbol* symbolIn(PyObject* object) noexcept {
  // Symbol.__new__() makes objects that hold no symbol.
  return Py_TYPE(object) == symbolType && nb::inst_ready(object) ? &nb::inst_ptr<SymbolValue>(object)->symbol : nullptr;
}

nb::object symbolLike(const Symbol& symbol, nb::handle like) { return symbolObject(symbol, valueOf(like).graph); }

nb::object callSymbols(const Function& function, nb::handle symbol, const std::vector<Operand>& operands,
                       const sd::ops::CallArguments& arguments) {
  const std::vector<Symbol> results = symbolIn(symbol.ptr())->scope().callAll(
      function.operation().getOpDescriptor()->name(), operands, arguments, place());
  nb::list list;
  for (const Symbol& result : results) list.append(symbolLike(result, symbol));
  if (function.returnsList()) return list;
  if (function.outputs() <= 1) return results.empty() ? nb::none() : nb::object(list[0]);
  while (nb::len(list) < function.outputs()) list.append(nb::none());
  return function.resultType().attr("_make")(list);
}

void defineGraphs(nb::module_& module) {
  const auto slot = [](int number, auto* function) { return PyType_Slot{number, reinterpret_cast<void*>(function)}; };
  static PyType_Slot slots[] = {slot(Py_nb_add, add),
                                slot(Py_nb_subtract, subtract),
                                slot(Py_nb_multiply, multiply),
                                slot(Py_nb_true_divide, divide),
                                slot(Py_nb_floor_divide, floorDivide),
                                slot(Py_nb_remainder, modulo),
                                slot(Py_nb_power, power),
                                slot(Py_nb_matrix_multiply, matrixProduct),
                                slot(Py_nb_negative, negative),
                                slot(Py_nb_absolute, absolute),
                                slot(Py_nb_bool, isTrue),
                                slot(Py_tp_richcompare, compare),
                                slot(Py_tp_hash, hash),
                                {0, nullptr}};
  nb::class_<SymbolValue> symbols(module, "Symbol", nb::type_slots(slots),
                                  "A value of a graph, with which programs compute as with arrays.");
  symbolType = reinterpret_cast<PyTypeObject*>(symbols.ptr());
  symbols.def_prop_ro("name", [](const SymbolValue& self) { return self.symbol.name(); })
      .def_prop_ro("key", [](const SymbolValue& self) { return self.symbol.key(); }, "The number, which also names it.")
      .def_prop_ro("dtype",
                   [](const SymbolValue& self) {
                     const DataType type = self.symbol.dataType();
                     return type == sd::INHERIT ? nb::none() : typeObject(type);
                   })
      .def_prop_ro("shape", [](const SymbolValue& self) { return shapeObject(self.symbol.shape()); },
                   "What is known of the shape: None for an unknown size, None instead of a tuple for an unknown rank.")
      .def_prop_ro("graph", [](const SymbolValue& self) { return self.graph; })
      .def("named",
           [](nb::handle self, const std::string& name) {
             valueOf(self).symbol.named(name);
             return nb::borrow(self);
           },
           nb::arg("name"), "Gives the node this name. Returns the symbol.")
      .def("__repr__", [](const SymbolValue& self) { return "<Symbol " + self.symbol.text() + ">"; });

  nb::class_<GraphValue>(module, "Graph", "Operations on placeholders, variables and constants, which sessions run.")
      .def(nb::init<>())
      .def("placeholder",
           [](nb::handle self, const std::string& name, nb::handle dtype, nb::handle shape) {
             Graph& graph = *nb::cast<GraphValue&>(self).graph;
             const DataType type = optionalType(dtype).value_or(sd::INHERIT);
             return symbolObject(shape.is_none() ? graph.placeholder(label(name), type)
                                                 : graph.placeholder(label(name), type, shapeIn(shape)), self);
           },
           nb::arg("name"), nb::arg("dtype") = nb::none(), nb::arg("shape") = nb::none(),
           "An array that each run is given. None or -1 stands for sizes that may differ.")
      .def("variable",
           [](nb::handle self, const std::string& name, nb::handle value) {
             return symbolObject(nb::cast<GraphValue&>(self).graph->variable(
                                     label(name), toArray(value, std::nullopt, Sharing::Never)), self);
           },
           nb::arg("name"), nb::arg("value"), "An array that the graph holds and that training changes.")
      .def("constant",
           [](nb::handle self, nb::handle value, const std::string& name) {
             return symbolObject(nb::cast<GraphValue&>(self).graph->constant(
                                     toArray(value, std::nullopt, Sharing::IfPossible), label(name)), self);
           },
           nb::arg("value"), nb::arg("name") = "", "An array that never changes.")
      .def("__getitem__",
           [](nb::handle self, const std::string& name) {
             return symbolObject(nb::cast<GraphValue&>(self).graph->symbol(name), self);
           },
           nb::arg("name"), "The variable, placeholder or node of this name or number.")
      .def("array",
           [](nb::handle self, nb::handle variable) {
             Graph& graph = *nb::cast<GraphValue&>(self).graph;
             return arrayObject(copyOf(graph.array(graph.symbol(nameIn(variable)))));
           },
           nb::arg("variable"), "A copy of the array of a variable or constant.")
      .def("assign",
           [](nb::handle self, nb::handle variable, nb::handle value) {
             Graph& graph = *nb::cast<GraphValue&>(self).graph;
             NDArray& array = graph.array(graph.symbol(nameIn(variable)));
             const NDArray given = toArray(value, array.dataType(), Sharing::ForReading);
             if (shapeOf(given) != shapeOf(array)) throw nb::value_error("[assign] the variable has another shape");
             array.assign(given);
           },
           nb::arg("variable"), nb::arg("value"), "Gives a variable these elements.")
      .def("save", [](GraphValue& self, const std::string& file) { self.graph->save(file); }, nb::arg("file"),
           "Writes the graph and its variables into a file.")
      .def_static("load",
                  [](const std::string& file) {
                    GraphValue value;
                    value.graph = Graph::load(file);
                    return value;
                  },
                  nb::arg("file"), "Reads a graph from a file.")
      .def("__str__", [](const GraphValue& self) { return self.graph->text(); })
      .def("__repr__", [](const GraphValue& self) {
        return "<Graph of " + std::to_string(self.graph->totalNodes()) + " nodes>";
      });

  module.def("gradients",
             [](nb::handle value, nb::handle parameters, nb::handle head, bool allowUnused, nb::handle checkpoints) {
               sd::graph::GradientOptions options;
               if (!head.is_none()) options.headGradient = nameIn(head);
               options.allowUnused = allowUnused;
               options.checkpoints = namesIn(checkpoints);
               nb::list list;
               for (const Symbol& gradient : sd::nd::grad(symbolOf(value), symbolsOf(parameters), options))
                 list.append(symbolLike(gradient, value));
               return list;
             },
             nb::arg("value"), nb::arg("parameters"), nb::kw_only(), nb::arg("head") = nb::none(),
             nb::arg("allow_unused") = false, nb::arg("checkpoints") = nb::none(),
             "The gradients of a symbol, or of its sum if it is no scalar, with respect to others, as symbols.");
  module.def("jvp",
             [](nb::handle value, nb::handle tangents) {
               std::vector<std::pair<Symbol, Symbol>> pairs;
               for (nb::handle pair : tangents) pairs.emplace_back(symbolOf(pair[nb::int_(0)]), symbolOf(pair[nb::int_(1)]));
               return symbolLike(sd::nd::jvp(symbolOf(value), pairs), value);
             },
             nb::arg("value"), nb::arg("tangents"),
             "How a symbol changes, to the first order, when others change by their tangents: pairs of symbols.");

  using sd::graph::Session;
  nb::class_<Session>(module, "Session", "Runs a graph, compiled once for each combination of input shapes.")
      .def("__init__",
           [](Session* self, GraphValue& graph, nb::handle results, const std::vector<std::pair<std::string, std::string>>& updates,
              const std::vector<std::string>& withoutPasses) {
             sd::graph::SessionOptions options;
             options.results = namesIn(results);
             options.updates = updates;
             options.withoutPasses = withoutPasses;
             new (self) Session(*graph.graph, options);
           },
           nb::keep_alive<1, 2>(), nb::arg("graph"), nb::arg("results") = nb::none(), nb::kw_only(),
           nb::arg("updates") = std::vector<std::pair<std::string, std::string>>(),
           nb::arg("without_passes") = std::vector<std::string>(),
           "results: names or symbols, all nodes that nobody reads when there are none. updates: pairs of a variable and "
           "what is written to it at the end of each run.")
      .def_prop_ro("inputs", [](const Session& self) { return self.inputs(); }, "The names of the placeholders.")
      .def_prop_ro("results", [](const Session& self) { return self.results(); }, "The names of the results.")
      .def("run",
           [](Session& self, nb::handle feeds, uint64_t seed, const nb::kwargs& named) {
             const Feeds inputs(feeds, named);
             std::vector<NDArray> results = interruptibly([&](const std::atomic<bool>* cancelled) {
               sd::graph::RunOptions options;
               options.cancelled = cancelled;
               options.seed = seed;
               return self.run(inputs.list(), options);
             });
             nb::list list;
             for (NDArray& result : results) list.append(arrayObject(std::move(result)));
             return list;
           },
           nb::arg("feeds") = nb::none(), nb::arg("seed") = 0, nb::arg("named"),
           "The results for these inputs: a dictionary from names or symbols to arrays, or keywords.")
      .def_prop_ro("peak_bytes", &Session::peakBytes, "The memory of the values of the plan that was compiled last.")
      .def("__str__", &Session::text);
}

}  // namespace ndforge
