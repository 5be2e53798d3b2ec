// Gradient rules of operations, and their evaluation on arrays.
#ifndef NDFORGE_OPS_DECLARABLE_GRADIENT_H
#define NDFORGE_OPS_DECLARABLE_GRADIENT_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/Schema.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

class DeclarableOp;
class Gradient;

/// A value in a gradient rule: an array when the rule is evaluated, a node when it extends a graph.
class SD_LIB_EXPORT Symbol {
 public:
  /// No value.
  Symbol() = default;
  Symbol(Gradient* gradient, int id) : _gradient(gradient), _id(id) {}
  explicit operator bool() const { return _gradient != nullptr; }
  int id() const { return _id; }
  Gradient& gradient() const { return *_gradient; }

 private:
  Gradient* _gradient = nullptr;
  int _id = -1;
};

// The operations add, subtract, multiply, divide and neg; operands broadcast.
SD_LIB_EXPORT Symbol operator+(Symbol a, Symbol b);
SD_LIB_EXPORT Symbol operator-(Symbol a, Symbol b);
SD_LIB_EXPORT Symbol operator*(Symbol a, Symbol b);
SD_LIB_EXPORT Symbol operator/(Symbol a, Symbol b);
SD_LIB_EXPORT Symbol operator-(Symbol a);
SD_LIB_EXPORT Symbol operator+(Symbol a, double b);
SD_LIB_EXPORT Symbol operator-(Symbol a, double b);
SD_LIB_EXPORT Symbol operator*(Symbol a, double b);
SD_LIB_EXPORT Symbol operator/(Symbol a, double b);
inline Symbol operator+(double a, Symbol b) { return b + a; }
inline Symbol operator-(double a, Symbol b) { return -b + a; }
inline Symbol operator*(double a, Symbol b) { return b * a; }

/// The arguments of a call within a rule: a struct, or values by name.
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

/// One application of the gradient rule of an operation. A rule reads inputs, outputs and the gradients of outputs,
/// calls operations, and sets the gradients of inputs:
///   [](Gradient& g) { g.set(0, g.of(0) * g.output(0)); }    // of exp
/// What it reads has to be kept until then: see needs().
class SD_LIB_EXPORT Gradient {
 public:
  explicit Gradient(DeclarableOp& op) : _op(op) {}
  virtual ~Gradient() = default;
  Gradient(const Gradient&) = delete;
  Gradient& operator=(const Gradient&) = delete;

  DeclarableOp& op() const { return _op; }
  /// Input `index`; nothing when it is not given.
  virtual Symbol input(int index) = 0;
  virtual Symbol output(int index = 0) = 0;
  /// The gradient of output `index`; nothing when nobody has set it.
  virtual Symbol of(int index = 0) = 0;
  virtual int inputs() const = 0;
  virtual int outputs() const = 0;
  template <typename S>
  const S& arguments() const {
    return *static_cast<const S*>(argumentData(argumentStruct<S>));
  }
  virtual const void* argumentData(const ArgumentStruct& type) const = 0;

  /// Calls an operation, a custom or a numbered one ("transform.Cos"). Its outputs.
  virtual std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                                      const CallArguments& arguments) = 0;
  /// The first output.
  Symbol call(const std::string& operation, const std::vector<Symbol>& inputs, const CallArguments& arguments = {}) {
    return callAll(operation, inputs, arguments).at(0);
  }
  /// `value` summed along the axes along which `like` was broadcast to it.
  Symbol sumTo(Symbol value, Symbol like);
  /// A number as a scalar of the type of `like`.
  virtual Symbol constant(double value, Symbol like) = 0;

  /// The gradient of input `index`; ignored for inputs that are not of a real type. Inputs without one do not influence
  /// the outputs differentiably.
  virtual void set(int index, Symbol value) = 0;

  /// Applies the rule of the operation. @throws std::invalid_argument when it has none
  void apply();

 private:
  DeclarableOp& _op;

  void applyOperation(const char* name);
};

/// The gradients of the inputs of a call, in their order; null where there is none. `call` holds inputs, arguments and
/// outputs of a call that has ended; `gradients` are those of its outputs, null for outputs that do not matter.
/// @throws std::invalid_argument for operations without a rule
SD_LIB_EXPORT std::vector<std::unique_ptr<NDArray>> gradientsOf(DeclarableOp& op, graph::Context& call,
                                                                const std::vector<NDArray*>& gradients);

}  // namespace sd::ops

#endif
