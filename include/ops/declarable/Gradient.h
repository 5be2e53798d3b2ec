// Gradient rules of operations, and their evaluation on arrays.
#ifndef NDFORGE_OPS_DECLARABLE_GRADIENT_H
#define NDFORGE_OPS_DECLARABLE_GRADIENT_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>
#include <ops/declarable/Schema.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
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
/// What it reads has to be kept until then: see gradientNeeds().
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

  /// The gradient of output `index`, zeros when nobody has set it.
  Symbol ofOrZero(int index = 0);
  /// What is known of the type and the shape of a value. In graphs that may be nothing, so most rules leave shapes to
  /// the operations that they call.
  virtual PartialShape shape(Symbol value) const = 0;
  /// The number of dimensions. @throws std::invalid_argument when it is not known
  int rank(Symbol value) const;
  /// The size of one dimension, which may count from the end. @throws std::invalid_argument when it is not known
  LongType size(Symbol value, int axis) const;

  // ---- calls of operations

  /// Calls an operation, a custom or a numbered one ("transform.Cosine"). Its outputs.
  virtual std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                                      const CallArguments& arguments) = 0;
  /// The first output.
  Symbol call(std::string_view operation, std::initializer_list<Symbol> inputs, const CallArguments& arguments = {});
  Symbol call(std::string_view operation, const std::vector<Symbol>& inputs, const CallArguments& arguments = {});
  /// The arguments of the differentiated call.
  CallArguments ownArguments() const;

  /// A number as a scalar of the type of `like`.
  virtual Symbol constant(double value, Symbol like) = 0;
  /// A list of integers, [values.size()] of INT64.
  virtual Symbol integers(const std::vector<LongType>& values) = 0;
  Symbol zerosLike(Symbol x);
  Symbol onesLike(Symbol x);
  /// `x` in the type of `like`.
  Symbol cast(Symbol x, Symbol like);
  Symbol cast(Symbol x, DataType type);

  /// The elements of `value` in the shape of `like`.
  Symbol reshapeLike(Symbol value, Symbol like);
  /// The elements as a vector.
  Symbol flat(Symbol x);
  Symbol expandDims(Symbol x, int axis);
  Symbol permute(Symbol x, const std::vector<int>& permutation);
  /// The last two dimensions exchanged.
  Symbol matrixTranspose(Symbol x);

  Symbol matmul(Symbol a, Symbol b, bool transposeA = false, bool transposeB = false);
  /// The sum along axes; along all for no axes.
  Symbol sum(Symbol x, const std::vector<int>& axes = {}, bool keepDims = false);
  /// `value` summed along the axes along which `like` was broadcast to it.
  Symbol sumTo(Symbol value, Symbol like);
  /// `value` where `condition` holds, which has its shape, otherwise 0.
  Symbol keepWhere(Symbol condition, Symbol value);
  /// The integers 1, 2, … in the shape of `x`, in c order.
  Symbol positions(Symbol x, DataType type = INT64);
  /// An array like `like`, whose element number p, counted from 1, is the sum of `values` at positions p. Position 0
  /// stands for no element.
  Symbol collect(Symbol like, Symbol positions, Symbol values);

  // ---- the result

  /// The gradient of input `index`, in its shape; it is converted to its type. Ignored for inputs that are not of a
  /// real type.
  virtual void set(int index, Symbol value) = 0;
  /// States why a real input, which influences the outputs, has no gradient.
  virtual void none(int index, const char* reason) = 0;

  /// Applies the rule of the operation. @throws std::invalid_argument when it has none
  void apply();

 private:
  DeclarableOp& _op;

  void applyOperation(const char* name);
};

/// What a gradient rule reads of an array of the call: the executor of a graph frees what nobody needs.
enum class Need { Nothing, Shape, Values };

struct GradientNeeds {
  std::vector<Need> inputs, outputs;
  std::vector<bool> set;             ///< whether the rule sets the gradient of the input
  std::vector<const char*> reasons;  ///< why a real input has no gradient, where the rule says so; else null
};

/// What the rule of an operation reads when all outputs have gradients. The rule is run on shapes alone, which may be
/// partly unknown; `arguments` has the arguments of the call and the inputs that are constants. Number and shapes of
/// the outputs are inferred unless they are given.
/// @throws std::invalid_argument for operations without a rule, and for rules that need sizes that are not known
SD_LIB_EXPORT GradientNeeds gradientNeeds(DeclarableOp& op, const std::vector<PartialShape>& inputs,
                                          graph::Context& arguments, std::vector<PartialShape> outputs = {});

/// The gradients of the inputs of a call, in their order; null where there is none. `call` holds inputs, arguments and
/// outputs of a call that has ended; `gradients` are those of its outputs, null for outputs that do not matter.
/// @throws std::invalid_argument for operations without a rule
SD_LIB_EXPORT std::vector<std::unique_ptr<NDArray>> gradientsOf(DeclarableOp& op, graph::Context& call,
                                                                const std::vector<NDArray*>& gradients);

}  // namespace sd::ops

#endif
