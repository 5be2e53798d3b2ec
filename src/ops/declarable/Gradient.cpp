#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/NumberedArguments.h>
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/datatypes.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/tensor.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>

#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

const std::string& nameOf(const DeclarableOp& op) { return op.getOpDescriptor()->name(); }

/// "gradRecurrentWeights" for "recurrent_weights".
std::string gradientName(std::string_view name) {
  std::string result = "grad";
  bool begins = true;
  for (const char c : name) {
    if (c != '_') result += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '_';
  }
  return result;
}

template <typename Rows, typename Name>
int indexOf(const Rows& rows, Name&& matches) {
  const auto found = std::find_if(rows.begin(), rows.end(), matches);
  return found == rows.end() ? -1 : static_cast<int>(found - rows.begin());
}

/// Evaluates a rule on the arrays of a call.
class Evaluation final : public Gradient {
 public:
  Evaluation(DeclarableOp& op, graph::Context& call, const std::vector<NDArray*>& gradients)
      : Gradient(op), _call(call), _gradients(gradients), _results(call.width()) {
    op.readArguments(call);
  }

  Symbol input(int index) override { return borrowed(_call.optionalArray(index)); }
  Symbol output(int index) override { return borrowed(_call.optionalOutput(index)); }
  Symbol of(int index) override {
    return static_cast<size_t>(index) < _gradients.size() ? borrowed(_gradients[static_cast<size_t>(index)]) : Symbol();
  }
  int inputs() const override { return static_cast<int>(_call.width()); }
  int outputs() const override { return _call.numberOfOutputs(); }

  const void* argumentData(const ArgumentStruct& type) const override {
    const ArgumentBlock& held = _call.argumentBlock();
    if (!held.holds(type)) detail::otherArguments(*type.type);
    return held.data();
  }

  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override {
    DeclarableOp* called = OpRegistrator::getInstance().find(operation);
    if (called == nullptr)
      fail<std::logic_error>("[{}] its gradient calls '{}', which does not exist", name(), operation);
    graph::Context block(1);
    for (size_t i = 0; i < inputs.size(); i++)
      block.setInputArray(static_cast<int>(i), inputs[i] ? &array(inputs[i]) : nullptr);
    ArgumentBlock defaults;
    if (arguments.data() != nullptr)
      block.setArguments(*arguments.type(), arguments.data());
    else if (const ArgumentStruct* structure = called->schema().structure())
      block.setArguments(*structure, defaults.prepare(*structure));
    const Status status = called->execute(&block);
    if (status != Status::OK) invalidArgument("[{}] its gradient: {}", name(), called->failureMessage(status));
    std::vector<Symbol> outputs;
    for (int i = 0; i < block.numberOfOutputs(); i++)
      outputs.push_back(owned(std::make_unique<NDArray>(*block.optionalOutput(i))));
    return outputs;
  }

  PartialShape shape(Symbol value) const override { return PartialShape::of(array(value).shapeInfo()); }

  Symbol constant(double value, Symbol like) override {
    auto scalar = std::make_unique<NDArray>(array(like).dataType());
    scalar->p<double>(0, value);
    return owned(std::move(scalar));
  }

  Symbol constant(const NDArray& array) override { return owned(std::make_unique<NDArray>(array)); }

  void set(int index, Symbol value) override {
    if (index < 0 || static_cast<size_t>(index) >= _results.size() || !value) return;
    const NDArray* input = _call.optionalArray(index);
    // Gradient operations also make an output for indices.
    if (input == nullptr || !(input->isR() || input->isC())) return;
    const NDArray &gradient = array(value), &x = *input;
    if (!gradient.isSameShape(x))
      fail<std::logic_error>("[{}] the gradient of input {} has shape {}, not {}", name(), index,
                             ShapeUtils::shapeAsString(&gradient), ShapeUtils::shapeAsString(&x));
    auto& result = _results[static_cast<size_t>(index)];
    result = std::make_unique<NDArray>(gradient.dataType() == x.dataType() ? NDArray(gradient)
                                                                           : gradient.cast(x.dataType()));
  }

  void none(int, const char*) override {}

  std::vector<std::unique_ptr<NDArray>> takeResults() { return std::move(_results); }

 private:
  graph::Context& _call;
  const std::vector<NDArray*>& _gradients;
  std::vector<std::unique_ptr<NDArray>> _results, _owned;
  std::vector<NDArray*> _values;

  const std::string& name() const { return op().getOpDescriptor()->name(); }
  NDArray& array(Symbol symbol) const { return *_values[static_cast<size_t>(symbol.id())]; }

  Symbol borrowed(NDArray* value) {
    if (value == nullptr) return {};
    _values.push_back(value);
    return {this, static_cast<int>(_values.size()) - 1};
  }
  Symbol owned(std::unique_ptr<NDArray> value) {
    _owned.push_back(std::move(value));
    return borrowed(_owned.back().get());
  }
};

}  // namespace

Symbol Gradient::callWithNumber(const char* numbered, Symbol x, double number) {
  // In a graph, the type of x may not be known, so that there is no constant of that type.
  return prefersRules() ? call(std::string("scalar.") + numbered, {x}, NumberedScalar{number}) : Symbol();
}

int Gradient::rank(Symbol value) const {
  const PartialShape known = shape(value);
  if (!known.hasRank()) invalidArgument("[{}] its gradient needs a rank that is not known", nameOf(_op));
  return known.rank();
}

LongType Gradient::size(Symbol value, int axis) const {
  const int rank = this->rank(value);
  const LongType size = axis >= -rank && axis < rank ? shape(value)[axis] : PartialShape::UNKNOWN;
  if (size == PartialShape::UNKNOWN)
    invalidArgument("[{}] its gradient needs the size of axis {}, which is not known", nameOf(_op), axis);
  return size;
}

CallArguments Gradient::ownArguments() const {
  const ArgumentStruct* structure = _op.schema().structure();
  return structure == nullptr ? CallArguments() : CallArguments(structure, argumentData(*structure));
}

Symbol Gradient::cast(Symbol x, DataType type) {
  if (type == INHERIT) invalidArgument("[{}] its gradient needs a type that is not known", nameOf(_op));
  return shape(x).type() == type ? x : call("cast", {x}, CastTo{type});
}

Symbol Gradient::ofOrZero(int index) { return of(index) ? of(index) : zerosLike(output(index)); }

Symbol Gradient::integers(const std::vector<LongType>& values) {
  NDArray list('c', {static_cast<LongType>(values.size())}, INT64);
  for (size_t i = 0; i < values.size(); i++) list.p<LongType>(static_cast<LongType>(i), values[i]);
  return constant(list);
}

Symbol Gradient::zerosLike(Symbol x) { return call("zeros_as", {x}); }

Symbol Gradient::onesLike(Symbol x) { return call("ones_as", {x}); }

Symbol Gradient::cast(Symbol x, Symbol like) { return cast(x, shape(like).type()); }

Symbol Gradient::reshapeLike(Symbol value, Symbol like) { return call("reshapeas", {value, like}); }

Symbol Gradient::keepWhere(Symbol condition, Symbol value) {
  return call("select", {condition, value, zerosLike(value)});
}

Symbol Gradient::flat(Symbol x) { return call("reshape", {x}, Reshape{{-1}}); }

Symbol Gradient::expandDims(Symbol x, int axis) { return call("expand_dims", {x}, ExpandDims{axis}); }

Symbol Gradient::permute(Symbol x, const std::vector<int>& permutation) {
  return call("permute", {x}, Permute{permutation});
}

Symbol Gradient::matrixTranspose(Symbol x) {
  std::vector<int> order(static_cast<size_t>(rank(x)));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order.at(order.size() - 1), order.at(order.size() - 2));
  return permute(x, order);
}

Symbol Gradient::matmul(Symbol a, Symbol b, bool transposeA, bool transposeB) {
  return call("matmul", {a, b}, Matmul{transposeA, transposeB});
}

Symbol Gradient::sum(Symbol x, const std::vector<int>& axes, bool keepDims) {
  return call("reduce_sum", {x}, Reduction{axes, keepDims});
}

Symbol Gradient::positions(Symbol x, DataType type) {
  const Symbol ones = call("ones_as", {flat(x)}, ConstantLike{type});
  return reshapeLike(call("cumsum", {ones}, Cumulative{{0}}), x);
}

Symbol Gradient::collect(Symbol like, Symbol positions, Symbol values) {
  // Element 0 of the sums takes the values that belong to no element.
  const Symbol empty = call("pad", {flat(zerosLike(like)), call("expand_dims", {integers({1, 0})}, ExpandDims{0})});
  const Symbol sums = call("scatter_add", {cast(empty, values), cast(flat(positions), INT64), flat(values)});
  return reshapeLike(call("slice", {sums}, Slice{{1}, {-1}}), like);
}

Symbol Gradient::keepAbove(Symbol x, double limit, Symbol value) {
  if (!prefersRules()) return keepWhere(call("greater", {x, constant(limit, x)}), value);
  // A product with 0 would keep NaN; this quotient is 0 where the divisor is, and `value` where the divisor is 1.
  return call("divide_no_nan", {value, call("scalar.RELUDerivative", {x}, NumberedScalar{limit})});
}

namespace {

/// Whether all sizes are known and equal.
bool haveSameSizes(const PartialShape& a, const PartialShape& b) {
  return a.hasKnownSizes() && b.hasKnownSizes() && std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// The axes along which `like` was broadcast; nothing when some sizes that matter are not known.
std::optional<std::vector<int>> broadcastAxes(const PartialShape& value, const PartialShape& like) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  if (!value.hasRank() || !like.hasRank() || like.rank() > value.rank()) return std::nullopt;
  std::vector<int> axes;
  const int added = value.rank() - like.rank();
  for (int d = 0; d < value.rank(); d++) {
    const LongType from = value[d], to = d < added ? 1 : like[d - added];
    if (to == UNKNOWN || (to == 1 && from == UNKNOWN && d >= added)) return std::nullopt;
    if (d < added || (to == 1 && from != 1)) axes.push_back(d);
  }
  return axes;
}

/// Whether input 0 is complex and the operation that computes gradients takes no complex numbers.
bool refusesComplex(const char* operation, Gradient& g) {
  if (g.inputs() == 0 || !g.input(0)) return false;
  const DataType type = g.shape(g.input(0)).type();
  DeclarableOp* twin = DataTypeUtils::isC(type) ? OpRegistrator::getInstance().find(operation) : nullptr;
  return twin != nullptr && !twin->describedDescriptor()->checkInputMatch(0, type);
}

}  // namespace

Symbol Gradient::sumTo(Symbol value, Symbol like) {
  const PartialShape from = shape(value), to = shape(like);
  if (haveSameSizes(from, to)) return value;
  // The gradient of like + value with respect to like.
  if (!prefersRules() && !DataTypeUtils::isC(from.type())) return call("add_bp", {like, value, value});
  const auto axes = broadcastAxes(from, to);
  // One node that a session removes when the shapes turn out to be equal. It does not read its argument.
  if (!axes) return call("tile_to_shape_bp", {like, value}, TileToShape{{1}});
  if (axes->empty()) return value;
  const auto removed = static_cast<int>(axes->size());
  const bool keepsRank = from.rank() == to.rank() && removed < from.rank();
  const Symbol result = sum(value, *axes, keepsRank);
  return keepsRank || from.rank() - removed == to.rank() ? result : reshapeLike(result, like);
}

Symbol Gradient::fitted(Symbol value, Symbol like) {
  const PartialShape from = shape(value), to = shape(like);
  if (haveSameSizes(from, to)) return value;
  if (to.length() == 1 && from.length() != 1) return reshapeLike(sum(value), like);
  return reshapeLike(value, like);
}

void Gradient::apply() {
  const Schema& schema = _op.schema();
  if (schema.gradientRule() == nullptr && schema.gradientOperation() == nullptr) {
    const char* reason = schema.notDifferentiable();
    invalidArgument("[{}] there is no gradient{}{}", nameOf(_op), reason == nullptr ? "" : ": ",
                    reason == nullptr ? "" : reason);
  }
  // The outputs of calls on integers have no gradients.
  bool any = false;
  for (int i = 0; i < outputs(); i++) any |= static_cast<bool>(of(i));
  if (!any) return;
  const bool hasRule = schema.gradientRule() != nullptr;
  if (schema.gradientOperation() == nullptr ||
      (hasRule && (prefersRules() || refusesComplex(schema.gradientOperation(), *this))))
    schema.gradientRule()(*this);
  else
    applyOperation(schema.gradientOperation());
}

void Gradient::applyOperation(const char* name) {
  DeclarableOp* twin = OpRegistrator::getInstance().find(name);
  if (twin == nullptr)
    fail<std::logic_error>("[{}] its gradient '{}' does not exist", _op.getOpDescriptor()->name(), name);
  const Schema &forward = _op.schema(), &backward = twin->schema();
  std::vector<Symbol> given;
  bool takesGradient = false;
  std::vector<bool> taken(static_cast<size_t>(outputs()));
  for (const InputRow& row : backward.inputs()) {
    const std::string_view wanted = row.name();
    const int x = indexOf(forward.inputs(), [&](const InputRow& input) { return wanted == input.name(); });
    const int y = indexOf(forward.outputs(), [&](const OutputRow& output) { return wanted == output.name; });
    const int g =
        indexOf(forward.outputs(), [&](const OutputRow& output) { return wanted == gradientName(output.name); });
    takesGradient |= g >= 0;
    for (int i = g; i >= 0 && i < (row.isAny() ? outputs() : g + 1); i++)
      if (i < outputs()) taken[static_cast<size_t>(i)] = true;
    // Inputs that may give arguments are not passed on: the arguments have been read.
    const bool isArgument = forward.argument(wanted) != nullptr;
    if (g >= 0 && row.isAny())
      for (int i = g; i < outputs(); i++) given.push_back(ofOrZero(i));
    else if (x >= 0 && row.isAny())
      for (int i = x; i < inputs(); i++) given.push_back(input(i));
    else
      given.push_back(g >= 0 ? ofOrZero(g) : y >= 0 ? output(y) : x >= 0 && !isArgument ? input(x) : Symbol());
  }
  while (!given.empty() && !given.back()) given.pop_back();
  for (int i = 0; takesGradient && i < outputs(); i++)
    if (!taken[static_cast<size_t>(i)] && of(i))
      invalidArgument("[{}] its gradient '{}' does not take that of output {}", nameOf(_op), name, i);

  CallArguments arguments;
  ArgumentBlock block;
  if (backward.structure() != nullptr && forward.structure() != nullptr) {
    const void* data = argumentData(*forward.structure());
    if (*backward.structure() == *forward.structure()) {
      arguments = CallArguments(forward.structure(), data);
    } else {
      void* target = block.prepare(*backward.structure());
      for (const ArgumentRow& row : backward.arguments())
        if (const ArgumentRow* own = forward.argument(row.name()))
          assignArgument(backward, target, row.name(), argumentValue(*own, data));
      arguments = CallArguments(backward.structure(), target);
    }
  }
  const std::vector<Symbol> results = callAll(name, given, arguments);
  size_t next = 0;
  for (const OutputRow& row : backward.outputs()) {
    const int x =
        indexOf(forward.inputs(), [&](const InputRow& input) { return row.name == gradientName(input.name()); });
    // Optional inputs that are not given have no output.
    if (x >= 0 && row.condition[0] != '\0' && !input(x)) continue;
    if (next == results.size()) break;
    const size_t first = next++;
    if (x < 0) continue;
    // Gradient operations of losses do not take the gradient of the loss, a scalar.
    set(x, takesGradient || !of(0) ? results[first] : results[first] * of(0));
    for (; row.isAny && next < results.size(); next++) set(x + static_cast<int>(next - first), results[next]);
  }
}

std::vector<std::unique_ptr<NDArray>> gradientsOf(DeclarableOp& op, graph::Context& call,
                                                  const std::vector<NDArray*>& gradients) {
  Evaluation evaluation(op, call, gradients);
  evaluation.apply();
  return evaluation.takeResults();
}

}  // namespace sd::ops
