#include <array/TypePromotion.h>
#include <symbol/Symbol.h>

#include <ostream>

#include "system/Error.h"

namespace sd::nd {
namespace {

SymbolScope& scopeOf(const char* operation, const std::vector<Operand>& operands) {
  for (const Operand& operand : operands)
    if (operand.symbol()) return operand.symbol().scope();
  invalidArgument("[{}] none of the operands is a symbol of a graph", operation);
}

/// Of symbols and arrays; numbers adapt.
DataType typeOf(const Operand& operand) {
  if (operand.array() != nullptr) return operand.array()->dataType();
  return operand.isNumber() ? INHERIT : operand.symbol().dataType();
}

Symbol symbolOf(SymbolScope& scope, const Operand& operand) {
  return operand.array() != nullptr ? scope.constant(*operand.array()) : operand.symbol();
}

/// `numbered`: the operations of a symbol and a number, and of a number and a symbol.
Symbol calculate(const char* operation, const char* const (&numbered)[2], const Operand& a, const Operand& b) {
  std::vector<Operand> operands{a, b};
  SymbolScope& scope = scopeOf(operation, operands);
  const Operand& number = a.isNumber() ? a : b;
  if (number.isNumber()) {
    scope.comeFrom(a.place());
    const Symbol& other = a.isNumber() ? b.symbol() : a.symbol();
    if (const Symbol result = scope.callWithNumber(numbered[a.isNumber() ? 1 : 0], other, number.number()); result)
      return result;
  }
  const DataType x = typeOf(a), y = typeOf(b);
  if (x != y && x != INHERIT && y != INHERIT) {
    const DataType type = promotedType(x, y);
    for (Operand& operand : operands)
      if (!operand.isNumber() && typeOf(operand) != type)
        operand = Operand(scope.cast(symbolOf(scope, operand), type), operand.place());
  }
  return scope.callAll(operation, operands, {}, a.place())[0];
}

}  // namespace

ops::PartialShape Symbol::shape() const { return _scope == nullptr ? ops::PartialShape() : _scope->shape(*this); }

std::string Symbol::name() const { return _scope == nullptr ? std::string() : _scope->name(*this); }

std::string Symbol::key() const { return _id < 0 ? std::to_string(_id) : fmt::format("{}:{}", _id, _output); }

Symbol Symbol::named(const std::string& name) const {
  if (_scope == nullptr) invalidArgument("[Symbol::named] the symbol has no value");
  _scope->setName(*this, name);
  return *this;
}

std::string Symbol::text() const { return _scope == nullptr ? "none" : _scope->text(*this); }

Symbol operator+(const Operand& a, const Operand& b) { return calculate("add", {"Add", "Add"}, a, b); }
Symbol operator-(const Operand& a, const Operand& b) {
  return calculate("subtract", {"Subtract", "ReverseSubtract"}, a, b);
}
Symbol operator*(const Operand& a, const Operand& b) { return calculate("multiply", {"Multiply", "Multiply"}, a, b); }
Symbol operator/(const Operand& a, const Operand& b) { return calculate("divide", {"Divide", "ReverseDivide"}, a, b); }
Symbol operator-(const Operand& a) {
  return scopeOf("transform.Neg", {a}).callAll("transform.Neg", std::vector<Operand>{a}, {}, a.place())[0];
}

Symbol& Symbol::operator+=(const Operand& b) { return *this = Operand(*this, b.place()) + b; }
Symbol& Symbol::operator-=(const Operand& b) { return *this = Operand(*this, b.place()) - b; }
Symbol& Symbol::operator*=(const Operand& b) { return *this = Operand(*this, b.place()) * b; }
Symbol& Symbol::operator/=(const Operand& b) { return *this = Operand(*this, b.place()) / b; }

std::ostream& operator<<(std::ostream& stream, const Symbol& symbol) { return stream << symbol.text(); }

std::vector<Symbol> SymbolScope::callAll(const std::string& operation, const std::vector<Operand>& inputs,
                                         const ops::CallArguments& arguments, Place place) {
  std::vector<Symbol> symbols(inputs.size());
  Symbol typed;  // gives numbers their type
  for (size_t i = 0; i < inputs.size(); i++) {
    const Operand& input = inputs[i];
    if (input.symbol() && &input.symbol().scope() != this)
      invalidArgument("[{}] input {} '{}' belongs to another graph", operation, i, input.symbol().name());
    symbols[i] = input.array() != nullptr ? constant(*input.array()) : input.symbol();
    if (symbols[i] && !typed) typed = symbols[i];
  }
  for (size_t i = 0; i < inputs.size(); i++) {
    if (!inputs[i].isNumber()) continue;
    if (!typed) invalidArgument("[{}] input {}: a number needs an array or a symbol beside it", operation, i);
    symbols[i] = constant(inputs[i].number(), typed);
  }
  comeFrom(place);
  return callAll(operation, symbols, arguments);
}

Symbol SymbolScope::call(std::string_view operation, std::initializer_list<Symbol> inputs,
                         const ops::CallArguments& arguments) {
  return call(operation, std::vector<Symbol>(inputs), arguments);
}

Symbol SymbolScope::call(std::string_view operation, const std::vector<Symbol>& inputs,
                         const ops::CallArguments& arguments) {
  return callAll(std::string(operation), inputs, arguments).at(0);
}

Symbol SymbolScope::callWithNumber(const char*, Symbol, double) { return {}; }

std::string SymbolScope::name(Symbol value) const { return "value " + std::to_string(value.id()); }

void SymbolScope::setName(Symbol value, const std::string&) {
  invalidArgument("[Symbol::named] {} cannot have a name", name(value));
}

}  // namespace sd::nd
