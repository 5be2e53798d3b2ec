// What the functions of namespace sd::nd share. The headers beside this one in a build or an installation are made from
// the schemas of the operations: nd/FAMILY.h has one function for each operation of a family, nd/nd.h includes them
// all. The functions compute when they are given arrays, and add nodes to a graph when an operand is a symbol; numbers
// stand for scalars.
#ifndef NDFORGE_ND_CALL_H
#define NDFORGE_ND_CALL_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <helpers/RandomGenerator.h>
#include <ops/declarable/DeclarableOp.h>
#include <symbol/Symbol.h>

#include <deque>
#include <functional>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd::nd {

/// Any number of inputs, as in nd::concat({x, y}).
class Arrays {
 public:
  Arrays(std::initializer_list<std::reference_wrapper<const NDArray>> arrays) {
    for (const NDArray& array : arrays) _list.push_back(const_cast<NDArray*>(&array));
  }
  Arrays(const std::vector<NDArray>& arrays) {
    for (const NDArray& array : arrays) _list.push_back(const_cast<NDArray*>(&array));
  }
  Arrays(const std::vector<NDArray*>& arrays) : _list(arrays) {}
  const std::vector<NDArray*>& list() const { return _list; }

 private:
  std::vector<NDArray*> _list;
};

/// An input that may be left out: {} or an array.
class Optional {
 public:
  Optional() = default;
  Optional(const NDArray& array) : _array(const_cast<NDArray*>(&array)) {}
  NDArray* array() const { return _array; }

 private:
  NDArray* _array = nullptr;
};

/// Any number of inputs, at least one of which is a symbol: nd::concat({x, y}), nd::concat({x, array, 1.5}).
class Symbols {
 public:
  template <typename... T, typename = std::enable_if_t<(std::is_same_v<T, Symbol> || ...) &&
                                                       (std::is_constructible_v<Operand, const T&> && ...)>>
  Symbols(const T&... operands) : _list{Operand(operands)...} {}
  Symbols(const std::vector<Symbol>& symbols) : _list(symbols.begin(), symbols.end()) {}
  const std::vector<Operand>& list() const { return _list; }

 private:
  std::vector<Operand> _list;
};

/// The generator of this thread, from which random functions draw. Seeded by the clock; nd::generator().setStates(7)
/// makes results repeatable.
SD_LIB_EXPORT graph::RandomGenerator& generator();

namespace detail {

/// The operation of this name. @throws std::invalid_argument when there is none, as in a build without it
SD_LIB_EXPORT ops::DeclarableOp& operation(const char* name);

// ---- what functions take: arrays, symbols, numbers beside them, and what converts to arrays, such as texts

template <typename T>
inline constexpr bool isSymbol = std::is_same_v<std::decay_t<T>, Symbol> || std::is_same_v<std::decay_t<T>, Operand>;
template <typename T>
inline constexpr bool isNumber = std::is_arithmetic_v<std::decay_t<T>>;
template <typename T>
inline constexpr bool isArray = !isSymbol<T> && !isNumber<T> && std::is_convertible_v<const T&, NDArray>;
template <typename T>
inline constexpr bool isOptional = std::is_same_v<std::decay_t<T>, Optional>;

/// Symbol if one of the operands is a symbol, otherwise NDArray; no type unless there is an array or a symbol.
template <typename... T>
using Result = std::enable_if_t<((isSymbol<T> || isNumber<T> || isArray<T> || isOptional<T>)&&...) &&
                                    ((isSymbol<T> || isArray<T>) || ...),
                                std::conditional_t<(isSymbol<T> || ...), Symbol, NDArray>>;

/// One call on arrays: inputs are added in their order.
class SD_LIB_EXPORT ArrayCall {
 public:
  explicit ArrayCall(ops::DeclarableOp& op, Place = {}) : _op(op), _block(1) {}

  template <typename X>
  ArrayCall& operator<<(const X& input) {
    if constexpr (std::is_base_of_v<NDArray, X>)
      add(const_cast<X*>(&input));
    else if constexpr (isNumber<X>)
      addNumber(static_cast<double>(input));
    else
      addConverted(input);
    return *this;
  }
  ArrayCall& operator<<(const Optional& input) {
    add(input.array());
    return *this;
  }
  ArrayCall& operator<<(const Arrays& inputs) {
    auto& all = _block.fastpath_in();
    all.insert(all.end(), inputs.list().begin(), inputs.list().end());
    return *this;
  }
  template <typename S>
  ArrayCall& with(const S& arguments) {
    _block.setArguments(arguments);
    return *this;
  }

  /// Runs the operation; its outputs. Outputs that it did not make have no shape.
  /// @throws std::invalid_argument or std::runtime_error, whose message names the operation and what is wrong
  std::vector<NDArray> all(size_t least = 0);
  NDArray one();

 private:
  ops::DeclarableOp& _op;
  graph::Context _block;
  std::vector<std::pair<size_t, double>> _numbers;  // which inputs are numbers
  std::deque<NDArray> _own;

  void add(NDArray* input) { _block.fastpath_in().push_back(input); }
  void addConverted(NDArray input);
  void addNumber(double number);
  void run();
};

/// One call on symbols, which adds a node.
class SD_LIB_EXPORT SymbolCall {
 public:
  SymbolCall(ops::DeclarableOp& op, Place place) : _op(op), _place(place) {}

  template <typename X>
  SymbolCall& operator<<(const X& input) {
    if constexpr (isSymbol<X> || isNumber<X> || std::is_base_of_v<NDArray, X>)
      _inputs.emplace_back(input);
    else
      addConverted(input);
    return *this;
  }
  SymbolCall& operator<<(const Optional& input) {
    _inputs.push_back(input.array() == nullptr ? Operand() : Operand(*input.array()));
    return *this;
  }
  SymbolCall& operator<<(const Symbols& inputs) {
    _inputs.insert(_inputs.end(), inputs.list().begin(), inputs.list().end());
    return *this;
  }
  template <typename S>
  SymbolCall& with(const S& arguments) {
    _arguments = ops::CallArguments(arguments);
    return *this;
  }

  std::vector<Symbol> all(size_t least = 0);
  Symbol one() { return all(1)[0]; }

 private:
  ops::DeclarableOp& _op;
  Place _place;
  std::vector<Operand> _inputs;
  std::deque<NDArray> _own;
  ops::CallArguments _arguments;

  void addConverted(NDArray input);
};

template <typename R>
using Call = std::conditional_t<std::is_same_v<R, Symbol>, SymbolCall, ArrayCall>;

}  // namespace detail
}  // namespace sd::nd

#endif
