// Symbols: values of a graph, or of a gradient rule, with which programs compute as with arrays.
//
//   graph::Graph g;
//   auto x = g.placeholder("x", FLOAT32, {-1, 64});
//   auto w = g.variable("w", weights), b = g.variable("b", bias);
//   auto y = nd::relu(nd::matmul(x, w) + b);    // nodes; nothing is computed yet
//
// All functions of namespace nd take symbols in place of arrays, and arrays and numbers beside symbols.
#ifndef NDFORGE_SYMBOL_SYMBOL_H
#define NDFORGE_SYMBOL_SYMBOL_H

#include <array/NDArray.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd::ops {

/// The arguments of a call: a struct, or none.
class CallArguments {
 public:
  CallArguments() = default;
  template <typename S>
  CallArguments(const S& arguments) : _type(&argumentStruct<S>), _data(&arguments) {}
  CallArguments(const ArgumentStruct* type, const void* data) : _type(type), _data(data) {}
  const ArgumentStruct* type() const { return _type; }
  const void* data() const { return _data; }

 private:
  const ArgumentStruct* _type = nullptr;
  const void* _data = nullptr;
};

}  // namespace sd::ops

namespace sd::nd {

class Operand;
class SymbolScope;

/// A line of a program.
struct Place {
  const char* file;
  int line;

  /// Without arguments: the line of the caller, also as the default of a parameter.
  constexpr Place(const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE()) : file(file_), line(line_) {}
};

/// A name, and the line that gives it.
struct Label {
  std::string name;
  Place place;

  Label(const char* name_, Place place_ = Place()) : name(name_), place(place_) {}
  Label(const std::string& name_, Place place_ = Place()) : name(name_), place(place_) {}
};

/// A value of a graph: output `output` of node `id`, or variable `id`, which is below 0. In gradient rules it is an
/// array when the rule is evaluated on arrays. Valid as long as its graph or rule.
class SD_LIB_EXPORT Symbol {
 public:
  /// No value, such as an optional input that is left out.
  Symbol() = default;
  Symbol(SymbolScope* scope, int id, int output = 0) : _scope(scope), _id(id), _output(output) {}
  explicit operator bool() const { return _scope != nullptr; }

  SymbolScope& scope() const { return *_scope; }
  int id() const { return _id; }
  int output() const { return _output; }

  /// What is known of type and shape. INHERIT is the unknown type, -1 the unknown size.
  ops::PartialShape shape() const;
  DataType dataType() const { return shape().type(); }
  /// The name of the variable or the node, "top:1" for output 1 of node "top"; without a name, the numbers.
  std::string name() const;
  /// The numbers, as results, parameters and inputs of graphs are called: "7:0", "7:1", "-3".
  std::string key() const;
  /// The key: symbols stand where graphs take names, as in SessionOptions::results and Feed.
  operator std::string() const { return key(); }
  /// Gives the node this name, by which results can be asked for. @throws std::invalid_argument for names that are
  /// taken, and for variables
  Symbol named(const std::string& name) const;
  /// The expression: "relu(matmul(x, w) + b)". What occurs in it more than once has a line of its own before it. Values
  /// with names are not taken apart.
  std::string text() const;

  // The operations add, subtract, multiply, divide and neg; operands broadcast. Types are promoted as with
  // arrays, as far as they are known (docs/semantics.md). A number takes the type of the other operand; next to
  // integers, a number with a fraction is DOUBLE.
  friend SD_LIB_EXPORT Symbol operator+(const Operand& a, const Operand& b);
  friend SD_LIB_EXPORT Symbol operator-(const Operand& a, const Operand& b);
  friend SD_LIB_EXPORT Symbol operator*(const Operand& a, const Operand& b);
  friend SD_LIB_EXPORT Symbol operator/(const Operand& a, const Operand& b);
  friend SD_LIB_EXPORT Symbol operator-(const Operand& a);
  Symbol& operator+=(const Operand& b);
  Symbol& operator-=(const Operand& b);
  Symbol& operator*=(const Operand& b);
  Symbol& operator/=(const Operand& b);

  friend SD_LIB_EXPORT std::ostream& operator<<(std::ostream& stream, const Symbol& symbol);

 private:
  SymbolScope* _scope = nullptr;
  int _id = -1;
  int _output = 0;
};

/// A symbol, an array or a number where a symbol is expected; it remembers the line that wrote it. Arrays become
/// constants, which are copies.
class SD_LIB_EXPORT Operand {
 public:
  /// An input that is left out.
  Operand() : _place(nullptr, 0) {}
  Operand(const Symbol& symbol, Place place = Place()) : _symbol(symbol), _place(place) {}
  Operand(const NDArray& array, Place place = Place()) : _array(&array), _place(place) {}
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  Operand(T number, Place place = Place()) : _isNumber(true), _number(static_cast<double>(number)), _place(place) {}

  const Symbol& symbol() const { return _symbol; }
  const NDArray* array() const { return _array; }
  bool isNumber() const { return _isNumber; }
  double number() const { return _number; }
  Place place() const { return _place; }

 private:
  Symbol _symbol;
  const NDArray* _array = nullptr;
  bool _isNumber = false;
  double _number = 0;
  Place _place;
};

/// Where symbols belong to: a graph, or one application of a gradient rule.
class SD_LIB_EXPORT SymbolScope {
 public:
  SymbolScope() = default;
  virtual ~SymbolScope() = default;
  SymbolScope(const SymbolScope&) = delete;
  SymbolScope& operator=(const SymbolScope&) = delete;

  /// Calls an operation, a custom or a numbered one ("transform.Cosine"). Its outputs.
  /// @throws std::invalid_argument for unknown operations, and when types or shapes do not fit, as far as they are
  /// known
  virtual std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                                      const ops::CallArguments& arguments) = 0;
  /// The same with arrays and numbers among the inputs, at least one of which may have to be a symbol or an array to
  /// give the numbers a type.
  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Operand>& inputs,
                              const ops::CallArguments& arguments, Place place);
  /// The first output.
  Symbol call(std::string_view operation, std::initializer_list<Symbol> inputs,
              const ops::CallArguments& arguments = {});
  Symbol call(std::string_view operation, const std::vector<Symbol>& inputs, const ops::CallArguments& arguments = {});

  /// What is known of the type and the shape of a value.
  virtual ops::PartialShape shape(Symbol value) const = 0;
  /// A number as a scalar of the type of `like`.
  virtual Symbol constant(double value, Symbol like) = 0;
  /// A copy of the array.
  virtual Symbol constant(const NDArray& array) = 0;

  virtual Symbol cast(Symbol x, DataType type) = 0;

  /// A numbered operation of an operand and a number, "Add", if the scope has the number as an argument; otherwise
  /// nothing, and the number becomes a constant.
  virtual Symbol callWithNumber(const char* numbered, Symbol x, double number);

  virtual std::string name(Symbol value) const;
  virtual void setName(Symbol value, const std::string& name);
  virtual std::string text(Symbol value) const { return name(value); }

  /// The line of the program that makes the next call.
  virtual void comeFrom(Place) {}
};

}  // namespace sd::nd

#endif
