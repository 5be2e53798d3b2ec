// What gradient rules read: a rule runs on shapes, and every array of the call that it hands to an operation is noted.
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

/// Inputs of which an operation reads the shape alone: bit k stands for input k, the highest bit for all inputs but the
/// last.
struct ShapeOnly {
  std::string_view operation;
  unsigned inputs;
};

constexpr unsigned ALL_BUT_LAST = 1u << 31;

constexpr ShapeOnly SHAPES[] = {{"zeros_as", 1},
                                {"ones_as", 1},
                                {"fill_as", 1},
                                {"shape_of", 1},
                                {"size_at", 1},
                                {"size", 1},
                                {"rank", 1},
                                {"reshapeas", 2},
                                {"add_bp", 3},
                                {"subtract_bp", 3},
                                {"reversesubtract_bp", 3},
                                {"assign_bp", 3},
                                {"identity_bp", 1},
                                {"reduce_sum_bp", 1},
                                {"reduce_mean_bp", 1},
                                {"biasadd_bp", 3},
                                {"tile_bp", 1},
                                {"tile_to_shape_bp", 1},
                                {"slice_bp", 1},
                                {"strided_slice_bp", 1},
                                {"reverse_bp", 1},
                                {"cumsum_bp", 1},
                                {"triu_bp", 1},
                                {"avgpool2d_bp", 1},
                                {"avgpool3dnew_bp", 1},
                                {"upsampling2d_bp", 1},
                                {"upsampling3d_bp", 1},
                                {"im2col_bp", 1},
                                {"segment_sum_bp", 1},
                                {"unsorted_segment_sum_bp", 1},
                                {"concat_bp", ALL_BUT_LAST},
                                {"mergeadd_bp", ALL_BUT_LAST},
                                {"mergeavg_bp", ALL_BUT_LAST}};

bool readsOnlyShape(std::string_view operation, size_t input, size_t inputs) {
  const auto* found = std::find_if(std::begin(SHAPES), std::end(SHAPES),
                                   [operation](const ShapeOnly& row) { return row.operation == operation; });
  if (found == std::end(SHAPES)) return false;
  if (found->inputs == ALL_BUT_LAST) return input + 1 < inputs;
  return input < 31 && (found->inputs >> input & 1) != 0;
}

template <typename T>
bool isIn(const std::vector<T>& list, int index) {
  return index >= 0 && static_cast<size_t>(index) < list.size();
}

template <typename List>
decltype(auto) at(List& list, int index) {
  return list[static_cast<size_t>(index)];
}

class Recorder final : public Gradient {
 public:
  Recorder(DeclarableOp& op, const std::vector<PartialShape>& inputs, graph::Context& call,
           std::vector<PartialShape> outputs)
      : Gradient(op), _call(call), _inputs(inputs), _outputs(std::move(outputs)) {
    if (_outputs.empty())
      _outputs = op.infer(inputs, call);
    else
      readArguments(op.schema(), call, static_cast<int>(inputs.size()));
    needs.inputs.assign(_inputs.size(), Need::Nothing);
    needs.outputs.assign(_outputs.size(), Need::Nothing);
    needs.set.assign(_inputs.size(), false);
    needs.reasons.assign(_inputs.size(), nullptr);
  }

  GradientNeeds needs;

  Symbol input(int index) override {
    if (!isIn(_inputs, index) || at(_inputs, index).isAbsent()) return {};
    return add({at(_inputs, index), &at(needs.inputs, index), nullptr});
  }
  Symbol output(int index) override {
    if (!isIn(_outputs, index)) return {};
    return add({at(_outputs, index), &at(needs.outputs, index), nullptr});
  }
  Symbol of(int index) override {
    if (!isIn(_outputs, index) || !mayBeReal(at(_outputs, index))) return {};
    return add({at(_outputs, index), nullptr, nullptr});
  }
  int inputs() const override { return static_cast<int>(_inputs.size()); }
  int outputs() const override { return static_cast<int>(_outputs.size()); }
  PartialShape shape(Symbol value) const override { return node(value).shape; }

  const void* argumentData(const ArgumentStruct& type) const override {
    const ArgumentBlock& held = _call.argumentBlock();
    if (!held.holds(type)) detail::otherArguments(*type.type);
    return held.data();
  }

  std::vector<Symbol> callAll(const std::string& operation, const std::vector<Symbol>& inputs,
                              const CallArguments& arguments) override {
    DeclarableOp* called = OpRegistrator::getInstance().find(operation);
    if (called == nullptr) fail<std::logic_error>("the gradient calls '{}', which does not exist", operation);
    graph::Context block(1);
    std::vector<PartialShape> shapes;
    for (size_t i = 0; i < inputs.size(); i++) {
      shapes.push_back(inputs[i] ? node(inputs[i]).shape : PartialShape::absent());
      if (!inputs[i]) continue;
      note(inputs[i], readsOnlyShape(operation, i, inputs.size()) ? Need::Shape : Need::Values);
      if (node(inputs[i]).constant != nullptr) block.setInputArray(static_cast<int>(i), node(inputs[i]).constant.get());
    }
    if (arguments.data() != nullptr) block.setArguments(*arguments.type(), arguments.data());
    std::vector<Symbol> results;
    for (const PartialShape& shape : called->infer(shapes, block)) results.push_back(add({shape, nullptr, nullptr}));
    if (!results.empty()) return results;
    const auto& rows = called->schema().outputs();
    if (!rows.empty() && rows.back().isAny)
      invalidArgument("[{}] its gradient needs the number of outputs of '{}', which is not known",
                      op().getOpDescriptor()->name(), operation);
    for (size_t i = 0; i < std::max<size_t>(1, rows.size()); i++)
      results.push_back(add({PartialShape(), nullptr, nullptr}));
    return results;
  }

  Symbol constant(double value, Symbol like) override {
    auto scalar = std::make_shared<NDArray>(shape(like).hasType() ? shape(like).type() : FLOAT32);
    scalar->p<double>(0, value);
    return add({PartialShape::scalar(shape(like).type()), nullptr, scalar});
  }

  Symbol constant(const NDArray& array) override {
    return add({PartialShape::of(array.shapeInfo()), nullptr, std::make_shared<NDArray>(array)});
  }

  void set(int index, Symbol value) override {
    if (!value || !isIn(_inputs, index) || !mayBeReal(at(_inputs, index))) return;
    note(value, Need::Values);
    at(needs.set, index) = true;
  }
  void none(int index, const char* reason) override {
    if (isIn(_inputs, index) && mayBeReal(at(_inputs, index))) at(needs.reasons, index) = reason;
  }

 private:
  struct Node {
    PartialShape shape;
    Need* need;  // of an array of the call
    std::shared_ptr<NDArray> constant;
  };

  graph::Context& _call;
  const std::vector<PartialShape>& _inputs;
  std::vector<PartialShape> _outputs;
  std::vector<Node> _nodes;

  static bool mayBeReal(const PartialShape& shape) {
    return !shape.isAbsent() &&
           (!shape.hasType() || DataTypeUtils::isR(shape.type()) || DataTypeUtils::isC(shape.type()));
  }

  const Node& node(Symbol symbol) const { return _nodes[static_cast<size_t>(symbol.id())]; }
  Symbol add(Node node) {
    _nodes.push_back(std::move(node));
    return {this, static_cast<int>(_nodes.size()) - 1};
  }
  void note(Symbol symbol, Need need) {
    if (Need* known = node(symbol).need; known != nullptr) *known = std::max(*known, need);
  }
};

}  // namespace

GradientNeeds gradientNeeds(DeclarableOp& op, const std::vector<PartialShape>& inputs, graph::Context& arguments,
                            std::vector<PartialShape> outputs) {
  Recorder recorder(op, inputs, arguments, std::move(outputs));
  recorder.apply();
  return std::move(recorder.needs);
}

}  // namespace sd::ops
