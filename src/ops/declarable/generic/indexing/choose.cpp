// choose: the elements of an array that satisfy a condition.
// operations: choose
#include <ops/declarable/headers/indexing.h>

#include <cmath>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

constexpr double EPSILON = 1e-5;

bool fulfils(Condition condition, double a, double c) {
  switch (condition) {
    case Condition::Near:
      return std::abs(a - c) <= EPSILON;
    case Condition::NotNear:
      return std::abs(a - c) > EPSILON;
    case Condition::Less:
      return a < c;
    case Condition::Greater:
      return a > c;
    case Condition::LessEqual:
      return a <= c;
    case Condition::GreaterEqual:
      return a >= c;
    case Condition::AbsLess:
      return std::abs(a) < c;
    case Condition::AbsGreater:
      return std::abs(a) > c;
    case Condition::Infinite:
      return std::isinf(a);
    case Condition::NaN:
      return std::isnan(a);
    case Condition::Equal:
      return a == c;
    case Condition::NotEqual:
      return a != c;
    case Condition::AbsGreaterEqual:
      return std::abs(a) >= c;
    case Condition::AbsLessEqual:
      return std::abs(a) <= c;
    case Condition::Finite:
      return std::isfinite(a);
    default:
      return !std::isfinite(a);
  }
}

using Chosen = std::vector<double>;

void collect(const NDArray& from, const NDArray& with, Condition condition, Chosen& chosen) {
  if (from.isEmpty()) return;
  const Dense values(from, DOUBLE), limits(with, DOUBLE);
  const LongType step = with.lengthOf() == 1 ? 0 : 1;
  for (LongType i = 0; i < from.lengthOf(); i++) {
    const double a = values.as<double>()[i];
    if (fulfils(condition, a, limits.as<double>()[i * step])) chosen.push_back(a);
  }
}

/// The elements of x, or of `other` if x has one element, that satisfy the condition.
Chosen chosenFrom(const NDArray& x, const NDArray* other, const Choose& a) {
  Chosen chosen;
  if (other == nullptr) {
    if (!a.value) reject("argument 'value' is missing");
    NDArray scalar(x.dataType());
    scalar.p(0, *a.value);
    collect(x, scalar, a.condition, chosen);
  } else if (x.lengthOf() == 1) {
    collect(other->cast(x.dataType()), x, a.condition, chosen);
  } else {
    if (other->lengthOf() != 1) requireSameShape(*other, 1, "value", x, 0, "x");
    collect(x, other->cast(x.dataType()), a.condition, chosen);
  }
  return chosen;
}

void inferChosen(Inference& in) {
  const PartialShape x = in.input(0);
  const NDArray *values = in.values(0), *other = in.has(1) ? in.values(1) : nullptr;
  if (!in.has(1) && !in.arguments<Choose>().value) reject("argument 'value' is missing");
  LongType count = PartialShape::UNKNOWN;
  if (values != nullptr && (other != nullptr || !in.has(1))) {
    Chosen chosen = chosenFrom(*values, other, in.arguments<Choose>());
    count = static_cast<LongType>(chosen.size());
    in.keep(std::move(chosen));
  }
  in.output(x.type(), {count});
  in.output(PartialShape::scalar(INT64));
}

}  // namespace

CUSTOM_OP_IMPL(choose, -1, 2, false, -2, -1) {
  const auto& chosen = kept<Chosen>(
      block, [&] { return chosenFrom(*INPUT_VARIABLE(0), block.optionalArray(1), arguments<Choose>(block)); });
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!z.isEmpty()) {
    DenseOut target(z, DOUBLE);
    std::copy(chosen.begin(), chosen.end(), target.as<double>());
    target.commit();
  }
  OUTPUT_VARIABLE(1)->assign(static_cast<LongType>(chosen.size()));
  return Status::OK;
}

INFERRED_SHAPES(choose)

DECLARE_SCHEMA(choose) {
  schema.summary("Keeps the elements that satisfy a condition.")
      .formula("z = those a of x, in c order, for which the condition on a and c holds");
  schema.input("x", "any shape; if it has one element, the elements of the input value are compared with it")
      .types({ALL_FLOATS})
      .shapesNeedValues();
  schema.input("value", "the shape of x, or one element").types({ALL_FLOATS}).optional().shapesNeedValues();
  schema.argument(&Choose::condition, "condition", "what must hold for an element a and the value c").atInteger(0);
  schema.argument(&Choose::value, "value", "the value c to compare with; used when the input is not given").atFloat(0);
  schema.output("z", "[count], the elements, the type of x");
  schema.output("count", "scalar, INT64; their number");
  schema.outputTypes(0, {ALL_FLOATS}).outputTypes(1, {ALL_INTS}).infer(inferChosen);
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema.example(R"({"x": [1.0, 5.0, 3.0], "condition": "greater", "value": 2.0})");
  schema.elsewhere(
      {.numpy = "numpy.extract", .torch = "torch.masked_select", .tensorflow = "tf.boolean_mask", .onnx = "Compress"});
  schema.words("filter, mask, select elements").see("Where select");
}

}  // namespace sd::ops
