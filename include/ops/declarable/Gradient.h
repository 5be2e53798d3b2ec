// Gradient rules of operations, and their evaluation on arrays.
#ifndef NDFORGE_OPS_DECLARABLE_GRADIENT_H
#define NDFORGE_OPS_DECLARABLE_GRADIENT_H

#include <array/NDArray.h>
#include <graph/Context.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>
#include <ops/declarable/Schema.h>
#include <symbol/Symbol.h>

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
using nd::Symbol;

/// One application of the gradient rule of an operation. A rule reads inputs, outputs and the gradients of outputs,
/// calls operations, and sets the gradients of inputs:
///   [](Gradient& g) { g.set(0, g.of(0) * g.output(0)); }    // of exp
/// What it reads has to be kept until then: see gradientNeeds().
class SD_LIB_EXPORT Gradient : public nd::SymbolScope {
 public:
  explicit Gradient(DeclarableOp& op) : _op(op) {}

  DeclarableOp& op() const { return _op; }
  /// Whether operations that state both an operation and a rule are differentiated by the rule. Graphs do so: what
  /// rules call joins with other nodes, can be left out in parts, and has gradients itself. On arrays the operation is
  /// faster.
  virtual bool prefersRules() const { return false; }
  /// Whether somebody wants the gradient of input `index`; rules need not ask.
  virtual bool wants(int) const { return true; }
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
  // shape(value) may know nothing in graphs, so most rules leave shapes to the operations that they call.

  /// The number of dimensions. @throws std::invalid_argument when it is not known
  int rank(Symbol value) const;
  /// The size of one dimension, which may count from the end. @throws std::invalid_argument when it is not known
  LongType size(Symbol value, int axis) const;

  // ---- calls of operations

  /// The arguments of the differentiated call.
  CallArguments ownArguments() const;

  /// A list of integers, [values.size()] of INT64.
  Symbol integers(const std::vector<LongType>& values);
  Symbol zerosLike(Symbol x);
  Symbol onesLike(Symbol x);
  /// `x` in the type of `like`.
  Symbol cast(Symbol x, Symbol like);
  Symbol cast(Symbol x, DataType type) override;
  Symbol callWithNumber(const char* numbered, Symbol x, double number) override;

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
  /// `value` where x > limit, which has its shape, otherwise 0, even for a NaN or infinite `value`. In graphs two steps
  /// that join with their neighbours.
  Symbol keepAbove(Symbol x, double limit, Symbol value);
  /// The elements of `value` in the shape of `like`; their sum where `like` has one element.
  Symbol fitted(Symbol value, Symbol like);
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

/// The rule to which a value belongs.
inline Gradient& ruleOf(const Symbol& value) { return static_cast<Gradient&>(value.scope()); }

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
