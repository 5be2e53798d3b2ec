// The functions that stand for operations.
#ifndef NDFORGE_PYTHON_FUNCTIONS_H
#define NDFORGE_PYTHON_FUNCTIONS_H

#include <graph/Context.h>
#include <ops/declarable/DeclarableOp.h>

#include <string>
#include <typeinfo>
#include <vector>

#include "core.h"

namespace ndforge {

/// A parameter of a function: an input, an argument, or an input that may give an argument.
struct Parameter {
  enum class Role { Operand, Out, List };

  std::string name;
  PyObject* key = nullptr;  ///< the name, interned
  Role role = Role::Operand;
  bool input = false, any = false, optional = false;
  const sd::ops::ArgumentRow* row = nullptr;

  bool required() const { return !optional && !any; }
};

/// A function of the module: what its calls need to know of the operation.
class Function {
 public:
  Function(sd::ops::DeclarableOp& op, std::string name);

  sd::ops::DeclarableOp& operation() const { return _op; }
  const std::string& name() const { return _name; }
  const std::vector<Parameter>& parameters() const { return _parameters; }
  /// How many of the parameters may be given by position: the inputs.
  size_t positional() const { return _positional; }
  const sd::ops::ArgumentStruct* structure() const { return _op.schema().structure(); }
  size_t outputs() const { return _outputs; }
  bool returnsList() const { return _returnsList; }
  /// Whether arrays of different types meet in their common type, as with operators.
  bool meets() const { return _meets; }
  /// The named tuple of several results.
  nb::handle resultType() const;

 private:
  sd::ops::DeclarableOp& _op;
  std::string _name;
  std::vector<Parameter> _parameters;
  size_t _positional = 0, _outputs = 0;
  bool _returnsList = false, _meets = false;
  mutable nb::object _resultType;
};

/// The positional lists of an operation without a schema.
class Positional {
 public:
  void set(const std::string& list, nb::handle values);
  void pass(sd::graph::Context& block) const;

 private:
  std::vector<LongType> _integers;
  std::vector<double> _floats;
  std::vector<bool> _flags;
  std::vector<DataType> _types;
};

/// A call with these values: `positional` ones, then those of the keywords `names`, a tuple or null.
/// @throws nb::type_error, std::invalid_argument
nb::object call(const Function& function, PyObject* const* values, size_t positional, PyObject* names);

/// A call with symbols among its inputs, which adds a node to their graph. graphs.cpp
nb::object callSymbols(const Function& function, nb::handle symbol, const std::vector<sd::nd::Operand>& operands,
                       const sd::ops::CallArguments& arguments);

}  // namespace ndforge

#endif
