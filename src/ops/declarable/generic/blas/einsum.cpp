// Sums of products of tensors by Einstein's notation, and their gradients.
// operations: einsum einsum_bp
// calls: Add Dot Multiply Sum
#include <array/TypePromotion.h>
#include <ops/declarable/headers/einsum.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array/ComplexParts.h"
#include "array/NDArrayCommon.h"
#include "ops/declarable/generic/blas/Contraction.h"
#include "ops/declarable/helpers/einsum_equation.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

using helpers::Equation;
using helpers::Labels;

constexpr const char* EQUATION_TEXT = "a scalar: the labels of each operand, as in ij,jk->ik";

/// A call whose shapes are known.
struct LabelledCall {
  std::vector<Labels> operands;
  Labels output;
  LabelSizes sizes;

  LabelledCall(const Equation& equation, const std::vector<PartialShape>& shapes)
      : operands(equation.labelsOf(shapes)),
        output(equation.outputOf(operands)),
        sizes(equation.sizesOf(operands, shapes)) {}

  PartialShape result(DataType type) const {
    PartialShape z(type, {});
    for (const helpers::Label label : output) z.append(sizes.at(label));
    return z;
  }
  static const LabelledCall& current(graph::Context& block, int operandCount);
};

/// What inference keeps: most calls have the equation and the sizes of the last one in their context.
class LastCall {
 public:
  bool isOf(const std::string& text, const std::vector<PartialShape>& shapes) const {
    return _call && _text == text &&
           std::equal(shapes.begin(), shapes.end(), _sizes.begin(), _sizes.end(),
                      [](const PartialShape& shape, const std::vector<LongType>& sizes) {
                        return std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end());
                      });
  }
  void set(std::string text, const std::vector<PartialShape>& shapes, LabelledCall call) {
    _call.reset();
    _text = std::move(text);
    _sizes.clear();
    for (const PartialShape& shape : shapes) _sizes.push_back(shape.sizes());
    _call = std::move(call);
  }
  const LabelledCall& call() const { return *_call; }

 private:
  std::string _text;
  std::vector<std::vector<LongType>> _sizes;
  std::optional<LabelledCall> _call;
};

std::string equationOf(const NDArray& text) {
  if (text.lengthOf() != 1) reject("input 0 'equation': one string is needed (shape {})", ops::text(text));
  return text.e<std::string>(0);
}

const LabelledCall& LabelledCall::current(graph::Context& block, int operandCount) {
  const auto& last = kept<LastCall>(block, [&] {
    std::vector<PartialShape> shapes;
    for (int i = 1; i <= operandCount; i++) shapes.push_back(PartialShape::of(block.array(i)->shapeInfo()));
    std::string text = equationOf(*block.array(0));
    LabelledCall call(Equation(text), shapes);
    LastCall result;
    result.set(std::move(text), shapes, std::move(call));
    return result;
  });
  return last.call();
}

/// The type in which the operands meet.
DataType commonType(Inference& in, int operandCount) {
  DataType type = in.input(1).type();
  for (int i = 2; i <= operandCount; i++) {
    const DataType other = in.input(i).type();
    type = type == INHERIT || other == INHERIT ? INHERIT : promotedType(type, other);
  }
  return type;
}

/// The shape of the product of inputs 1..operandCount.
PartialShape productShape(Inference& in, int operandCount) {
  const DataType type = commonType(in, operandCount);
  const NDArray* const text = in.values(0);
  if (text == nullptr) return PartialShape(type);
  std::string equationText = equationOf(*text);
  std::vector<PartialShape> shapes;
  bool isKnown = true;
  for (int i = 1; i <= operandCount; i++) {
    shapes.push_back(in.input(i));
    isKnown = isKnown && shapes.back().hasRank();
  }
  if (!in.isPartial())
    if (const LastCall& last = in.keptPlace<LastCall>(); last.isOf(equationText, shapes))
      return last.call().result(type);
  const Equation equation(equationText);
  equation.requireOperands(shapes.size());
  if (!isKnown)
    return equation.outputRank() < 0 ? PartialShape(type) : PartialShape::ofRank(type, equation.outputRank());
  LabelledCall call(equation, shapes);
  if (call.output.size() > SD_MAX_RANK)
    reject("the result would have {} dimensions, {} are possible", call.output.size(), SD_MAX_RANK);
  const PartialShape z = call.result(type);
  if (!in.isPartial()) in.keptPlace<LastCall>().set(std::move(equationText), shapes, std::move(call));
  return z;
}

/// Products of half types are summed in float.
DataType computedAs(DataType type) { return DataTypeUtils::isHalf(type) ? FLOAT32 : type; }

bool areEmpty(const graph::Context& block, int operandCount) {
  for (int i = 1; i <= operandCount; i++)
    if (block.array(i)->isEmpty()) return true;
  return false;
}

/// Of operand `index`, by the product of the gradient of the result and the other operands.
void gradientOf(graph::Context& block, const LabelledCall& call, size_t index, const NDArray& gradZ, DataType type,
                NDArray& gradX) {
  const LabelSizes& sizes = call.sizes;
  std::vector<Labelled> factors;
  factors.push_back(labelled(gradZ, call.output, sizes));
  for (size_t k = 0; k < call.operands.size(); k++) {
    if (k == index) continue;
    const NDArray& x = *block.array(static_cast<int>(k) + 1);
    if (x.isC()) {
      NDArray conjugated = x.dup('c');
      arrays::conjugate(conjugated);
      factors.push_back(labelled(conjugated, call.operands[k], sizes));
    } else {
      factors.push_back(labelled(x, call.operands[k], sizes));
    }
  }
  gradX.nullify();
  Labelled target = labelled(gradX, call.operands[index], sizes);
  // What depends on no factor is the same along that dimension.
  Labels varying;
  Dims dims, stretched;
  for (const helpers::Label label : target.labels) {
    const bool varies = std::any_of(factors.begin(), factors.end(), [label](const Labelled& factor) {
      return std::find(factor.labels.begin(), factor.labels.end(), label) != factor.labels.end();
    });
    if (varies) {
      varying.push_back(label);
      dims.push_back(sizes.at(label));
    }
    stretched.push_back(varies ? sizes.at(label) : 1);
  }
  NDArray gradient = arrays::zeros(type, dims);
  contract(std::move(factors), varying, sizes, type, gradient);
  if (varying.size() == target.labels.size()) return target.array.assign(gradient);
  broadcastTo(loops::OpGroup::Pairwise, pairwise::Add, arrays::zeros(type, target.array.getShapeAsVector()),
              gradient.reshape('c', stretched), target.array);
}

/// The gradient is linear in that of the result and in each operand. What multiplies the gradient of operand i, v_i,
/// takes its place.
void backwardRule(Gradient& g) {
  const int count = g.inputs() - 2;
  std::vector<Symbol> given;
  for (int i = 0; i < g.inputs(); i++) given.push_back(g.input(i));
  std::vector<Symbol> sums(given.size());
  const auto add = [&](int index, Symbol value) {
    Symbol& sum = sums[static_cast<size_t>(index)];
    sum = sum ? sum + value : value;
  };
  for (int i = 0; i < count; i++) {
    if (!g.of(i)) continue;
    std::vector<Symbol> replaced = given;
    replaced[static_cast<size_t>(i) + 1] = g.of(i);
    const auto gradients = g.callAll("einsum_bp", replaced, {});
    for (int j = 0; j < count; j++)
      if (j != i) add(j + 1, gradients[static_cast<size_t>(j)]);
    replaced.pop_back();
    add(count + 1, g.call("einsum", replaced));
  }
  for (int i = 1; i <= count + 1; i++)
    if (sums[static_cast<size_t>(i)]) g.set(i, sums[static_cast<size_t>(i)]);
}

}  // namespace

CUSTOM_OP_IMPL(einsum, 2, 1, false, 0, 0) {
  const int count = static_cast<int>(block.width()) - 1;
  const LabelledCall& call = LabelledCall::current(block, count);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  if (areEmpty(block, count)) {
    z.nullify();
    return Status::OK;
  }
  std::vector<Labelled> operands;
  for (int i = 0; i < count; i++)
    operands.push_back(labelled(*INPUT_VARIABLE(i + 1), call.operands[static_cast<size_t>(i)], call.sizes));
  contract(std::move(operands), call.output, call.sizes, computedAs(z.dataType()), z);
  return Status::OK;
}
INFERRED_SHAPES(einsum)
DECLARE_SCHEMA(einsum) {
  schema.summary("Sums of products of tensors, by Einstein's notation.")
      .formula("z = sum(x0 x1)")
      .note(
          "For ij,jk->ik, z[i, k] is the sum over j of x0[i, j] x1[j, k]. Each letter labels a dimension; labels that "
          "are not in the result are summed over. Without -> the result "
          "has the labels that occur once, in alphabetical order. ... stands for the other dimensions, which broadcast "
          "and come first. A label that an operand has twice takes its diagonal. Sizes of 1 are repeated. Several "
          "operands "
          "are multiplied in pairs; the next one is that whose product is smallest.");
  schema.input("equation", EQUATION_TEXT).types({ALL_STRINGS}).shapesNeedValues();
  schema.input("x", "the operands: a dimension for each label").any();
  schema.inputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX});
  schema.output("z", "a dimension for each label of the result; the type in which the operands meet");
  schema.outputTypes({ALL_FLOATS, ALL_INTS, ALL_COMPLEX}).gradient("einsum_bp").infer([](Inference& in) {
    in.output(productShape(in, in.inputs() - 1));
  });
  schema.example(R"({"equation": "ij,jk->ik", "x": [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [1.0, 1.0]]]})");
  schema.elsewhere({"numpy.einsum", "torch.einsum", "tf.einsum", "Einsum"});
  schema.words("Einstein summation, tensor contraction, index notation").see("tensormmul matmul reduce_sum permute");
}

CUSTOM_OP_IMPL(einsum_bp, 3, -1, false, 0, 0) {
  const int count = static_cast<int>(block.width()) - 2;
  const LabelledCall& call = LabelledCall::current(block, count);
  const NDArray& gradZ = *INPUT_VARIABLE(count + 1);
  const bool empty = areEmpty(block, count);
  DataType type = gradZ.dataType();
  for (int i = 1; i <= count; i++) type = promotedType(type, block.array(i)->dataType());
  for (int i = 0; i < count; i++) {
    NDArray& gradX = *OUTPUT_VARIABLE(i);
    if (gradX.isEmpty()) continue;
    if (empty)
      gradX.nullify();
    else
      gradientOf(block, call, static_cast<size_t>(i), gradZ, computedAs(type), gradX);
  }
  return Status::OK;
}
INFERRED_SHAPES(einsum_bp)
DECLARE_SCHEMA(einsum_bp) {
  schema.summary("The gradients of einsum: products of the gradient of the result and the other operands.")
      .formula("gradX0 = sum(gradZ x1)");
  schema.input("equation", EQUATION_TEXT).types({ALL_STRINGS});
  schema.input("x", "the operands").any();
  schema.inputTypes({ALL_FLOATS, ALL_COMPLEX});
  schema.input("gradZ", "the shape of z").types({ALL_FLOATS, ALL_COMPLEX});
  schema.output("gradX", "the shapes and types of the x").any();
  schema.outputTypes({ALL_FLOATS, ALL_COMPLEX}).gradient(backwardRule).infer([](Inference& in) {
    const int count = in.inputs() - 2;
    const PartialShape z = productShape(in, count), given = in.input(count + 1);
    if (!compatible(z, given))
      reject("input {} 'gradZ': its shape is {}, but the result has shape {}", count + 1, given.text(), z.text());
    for (int i = 1; i <= count; i++) in.output(in.input(i));
  });
  schema.example(
      R"({"equation": "ij,jk->ik", "x": [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 0.0], [1.0, 1.0]]], "gradZ": [[1.0, 0.0], [0.0, 1.0]]})");
  schema.words("tensor contraction").see("einsum");
}

}  // namespace sd::ops
