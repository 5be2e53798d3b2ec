// Choices between two arrays by a condition, and the coordinates where it is true: select, Where, where_np.
// operations: select Where where_np
// calls: CountNonZero
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/helpers/choices.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "types/StoredBool.h"

namespace sd::ops {
namespace {

/// Whether x and y are given besides the condition. `inputs` is the number of inputs, null ones included.
bool hasChoices(bool x, bool y, size_t inputs) {
  if (x != y || inputs > 3) reject("a condition, or a condition, x and y are needed, but {} inputs are given", inputs);
  return x;
}

bool hasChoices(const graph::Context& block) {
  const auto given = [&](int i) { return block.width() > static_cast<size_t>(i) && block.optionalArray(i) != nullptr; };
  return hasChoices(given(1), given(2), block.width());
}

bool hasChoices(const Inference& in) { return hasChoices(in.has(1), in.has(2), static_cast<size_t>(in.inputs())); }

PartialShape places(LongType count, int rank) {
  return count == 0 ? PartialShape::empty(INT64) : PartialShape(INT64, {count, rank});
}

/// Checks the shapes of a choice, as helpers::checkChoice does.
void checkChoice(Inference& in, bool sameShape) {
  const PartialShape condition = in.input(0), x = in.input(1), y = in.input(2);
  if (sameShape) requireSameShape(y, 2, "y", x, 1, "x");
  const LongType length = condition.length();
  if (length == 1 || length == PartialShape::UNKNOWN || compatible(condition, x) || !x.hasRank()) return;
  if (x.rank() == 0 || (x[0] != PartialShape::UNKNOWN && length != x[0]))
    reject("input 0 'condition': shape {} is neither x's shape {}, nor one element, nor one element for each slice",
           condition.text(), x.text());
}

void inferSelected(Inference& in) {
  checkChoice(in, true);
  in.output(in.input(1));
}

void inferWhere(Inference& in) {
  in.input(0);
  if (hasChoices(in)) return inferSelected(in);
  const NDArray* values = in.values(0);
  if (values != nullptr) return in.output(places(helpers::countTrue(*values), values->rankOf()));
  in.output(PartialShape(INT64));  // an empty array of rank 0 when nothing is true
}

void inferWhereNp(Inference& in) {
  const PartialShape condition = in.input(0);
  if (hasChoices(in)) {
    const bool masks = in.block() != nullptr ? compatible(condition, in.input(1))
                                             : !condition.hasKnownSizes() || compatible(condition, in.input(1));
    if (!masks) checkChoice(in, true);
    return in.output(in.input(1));
  }
  const NDArray* values = in.values(0);
  if (values == nullptr) {
    return;  // one empty array when nothing is true
  }
  const LongType count = helpers::countTrue(*values);
  if (count == 0) return in.output(PartialShape::empty(INT64));
  for (int d = 0; d < std::max(1, condition.rank()); d++) in.output(INT64, {count});
}

/// z = condition ? x : y: the gradient goes the same ways.
void choiceRule(Gradient& g) {
  if (!g.input(1)) return;  // the results are coordinates
  const std::string& name = g.op().getOpDescriptor()->name();
  g.set(1, g.call(name, {g.input(0), g.of(), g.zerosLike(g.of())}));
  Symbol byY = g.call(name, {g.input(0), g.zerosLike(g.of()), g.of()});
  const PartialShape y = g.shape(g.input(2));
  // y may be of another type than x and z. The gradient of real numbers that became complex ones is its real part.
  if (DataTypeUtils::isR(y.type()) && DataTypeUtils::isC(g.shape(byY).type())) byY = g.call("real", {byY});
  const bool isKnown = DataTypeUtils::isR(y.type()) || DataTypeUtils::isC(y.type());
  g.set(2, isKnown ? g.cast(byY, y.type()) : byY);
}

void assignmentRule(Gradient& g) {
  if (g.input(1)) moves(g, {1, 2});
}

}  // namespace

CUSTOM_OP_IMPL(select, 3, 1, false, 0, 0) {
  helpers::choose(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(select)

DECLARE_SCHEMA(select) {
  schema.summary("Selects elements or slices from two arrays by a condition.").formula("z = condition ? x : y");
  schema.input("condition", "one element, the shape of x, or one element for each x[i]").types({BOOL});
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.input("y", "the shape of x; converted to its type")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS})
      .moved();
  schema.output("z", "x's shape and type");
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer(inferSelected);
  schema.example(R"({"condition": [true, false, true], "x": [1.0, 2.0, 3.0], "y": [10.0, 20.0, 30.0]})");
  schema.elsewhere({.numpy = "numpy.where", .torch = "torch.where", .tensorflow = "tf.where", .onnx = "Where"});
  schema.words("choose, ternary, mask").see("Where where_np");
  schema.gradient(choiceRule);
}

CUSTOM_OP_IMPL(Where, 1, 1, false, 0, 0) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (hasChoices(block)) {
    helpers::choose(condition, *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z);
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  DenseOut places(z, INT64);
  std::vector<LongType*> columns;
  for (int d = 0; d < condition.rankOf(); d++) columns.push_back(places.as<LongType>() + d);
  helpers::truePlaces(condition, columns, condition.rankOf());
  places.commit();
  return Status::OK;
}

INFERRED_SHAPES(Where)

DECLARE_SCHEMA(Where) {
  schema.summary("The coordinates of the elements that are not 0, or a choice between two arrays.")
      .formula(
          "one input: the rows [i, j, ..] with condition[i, j, ..] != 0, in c order; three: z = condition ? x : y");
  schema.input("condition", "any shape; with x and y as in select")
      .types({ALL_FLOATS, ALL_INTS, BOOL})
      .shapesNeedValues();
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).optional().moved();
  schema.input("y", "the shape of x; converted to its type")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS})
      .optional()
      .moved();
  schema.output("z",
                "[number of true elements, rank of condition], INT64; an empty array of rank 0 when there is none; "
                "with x and y the shape and type of x");
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer(inferWhere);
  schema.example(R"({"condition": [[true, false], [false, true]]})");
  schema.elsewhere({.numpy = "numpy.argwhere", .torch = "torch.nonzero", .tensorflow = "tf.where", .onnx = "NonZero"});
  schema.words("nonzero, coordinates, mask").see("where_np select");
  schema.gradient(choiceRule);
}

CUSTOM_OP_IMPL(where_np, -1, 1, false, 0, 0) {
  const NDArray& condition = *INPUT_VARIABLE(0);
  if (!hasChoices(block)) {
    if (OUTPUT_VARIABLE(0)->isEmpty()) return Status::OK;
    std::vector<std::unique_ptr<DenseOut>> places;
    std::vector<LongType*> columns;
    // A scalar is treated as a vector.
    const NDArray flat =
        condition.rankOf() > 0 ? condition.viewOf(condition.shapeInfo(), 0) : condition.reshape('c', {1});
    for (int d = 0; d < flat.rankOf(); d++) {
      places.push_back(std::make_unique<DenseOut>(*OUTPUT_VARIABLE(d), INT64));
      columns.push_back(places.back()->as<LongType>());
    }
    helpers::truePlaces(flat, columns, 1);
    for (auto& column : places) column->commit();
    return Status::OK;
  }
  const NDArray &x = *INPUT_VARIABLE(1), &y = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (!condition.isSameShape(x)) {
    helpers::choose(condition, x, y, z);
    return Status::OK;
  }
  if (z.isEmpty()) return Status::OK;
  if (y.lengthOf() != 1 && y.lengthOf() < helpers::countTrue(condition))
    reject("input 2 'y': {} elements are given for {} places where the condition is true", y.lengthOf(),
           helpers::countTrue(condition));
  // Starts from x; where the condition is true, the elements of y are stored one after the other.
  NDArray values = zeros(x.dataType(), dimsOf(x.shapeInfo()));
  const Dense mask(condition, BOOL), given(y, x.dataType());
  const auto* holds = mask.as<StoredBool>();
  const size_t size = x.sizeOfT();
  const size_t step = y.lengthOf() == 1 ? 0 : size;
  const char* next = given.as<char>();
  for (LongType i = 0; i < x.lengthOf(); i++) {
    if (!holds[i]) continue;
    std::memcpy(values.bufferAsT<char>() + static_cast<size_t>(i) * size, next, size);
    next += step;
  }
  helpers::choose(condition, values, x, z);
  return Status::OK;
}

INFERRED_SHAPES(where_np)

DECLARE_SCHEMA(where_np) {
  schema
      .summary("The coordinates of the true elements, one vector for each dimension; or an assignment through a mask.")
      .formula(
          "one input: z_d[k] = coordinate d of the k-th true element, in c order; three: z = x, and the k-th true "
          "element takes y[k]")
      .note("A condition for slices x[i] works the other way round: true selects the slice of x.");
  schema.input("condition", "any shape; with x and y the shape of x, or one element for each x[i]")
      .types({BOOL})
      .shapesNeedValues();
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).optional().moved();
  schema.input("y", "converted to the type of x; one element, or at least as many as condition has true ones")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS})
      .optional()
      .moved();
  schema
      .output("z",
              "one INT64 vector for each dimension of condition; a single empty array of rank 0 when no element is "
              "true; with x and y one array, the shape and type of x")
      .any();
  schema.outputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer(inferWhereNp);
  schema.example(R"({"condition": [[true, false], [false, true]]})");
  schema.elsewhere({.numpy = "numpy.where", .torch = "torch.where"});
  schema.words("nonzero, mask, assign through mask").see("Where select");
  schema.gradient(assignmentRule);
}

}  // namespace sd::ops
