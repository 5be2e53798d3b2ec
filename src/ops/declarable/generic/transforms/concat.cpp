// Joins arrays along a dimension; the gradient splits the joined array.
// operations: concat concat_bp
// aliases: ParallelConcat concat_v2 concatv2
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

struct Joined {
  int axis;
  PartialShape shape;
};

/// A scalar counts as a vector.
PartialShape atLeastVector(const PartialShape& x) {
  if (x.rank() != 0) return x;
  return PartialShape(x.type(), {x.isEmptyScalar() ? 0 : 1});
}

/// The shape of `count` inputs joined; `shape(i)` is that of input i, and its rank is known.
template <typename Shapes>
Joined joined(LongType asked, int count, Shapes&& shape) {
  // Empty scalars are ignored; the first other input determines the shape.
  int first = 0;
  while (first < count - 1 && shape(first).isEmptyScalar()) first++;
  const PartialShape of0 = shape(0), leading = shape(first);
  Joined result{0, atLeastVector(leading).withType(of0.type()).withOrder(of0.rank() == 0 ? 'c' : of0.order())};
  const int rank = result.shape.rank();
  const int axis = result.axis = checkedAxis(asked, rank);
  LongType total = result.shape[axis];
  int typed = -1;
  DataType type = INHERIT;
  for (int i = 0; i < count; i++) {
    const PartialShape x = shape(i);
    if (!x.isEmpty() && x.hasType()) {
      if (typed < 0) {
        typed = i;
        type = x.type();
      }
      if (x.type() != type)
        reject("input {}: its type is {}, but input {} has type {}", i, DataTypeUtils::describe(x.type()), typed,
               DataTypeUtils::describe(type));
    }
    if (i == first || x.isEmptyScalar()) continue;
    const PartialShape sizes = atLeastVector(x);
    bool fits = sizes.rank() == rank;
    for (int d = 0; fits && d < rank; d++) {
      fits = d == axis || sizes[d] == result.shape[d] || sizes[d] == UNKNOWN || result.shape[d] == UNKNOWN;
      if (d != axis && result.shape[d] == UNKNOWN) result.shape.set(d, sizes[d]);
    }
    if (!fits)
      reject("input {}: its shape {} and the shape of input {}, {}, differ in a dimension other than {}", i, x.text(),
             first, leading.text(), axis);
    if (total == UNKNOWN || sizes[axis] == UNKNOWN)
      total = UNKNOWN;
    else if (__builtin_add_overflow(total, sizes[axis], &total))
      reject("the inputs have too many elements");
  }
  result.shape.set(axis, total);
  return result;
}

LongType axisOf(const Concat& a) {
  if (!a.axis) fail<std::out_of_range>("[{}] argument 'axis' is missing", RunningOp::name());
  return *a.axis;
}

void requireArrays(int count) {
  if (count < 1) reject("there is no array to join");
}

/// How many inputs are joined, when `others` inputs and perhaps the axis follow them.
int arraysOf(graph::Context& block, int others) {
  const int count = static_cast<int>(block.width()) - others - (arguments<Concat>(block).axisIsInput ? 1 : 0);
  requireArrays(count);
  return count;
}

const Joined& current(graph::Context& block, int count) {
  return kept<Joined>(block, [&] {
    const auto& a = arguments<Concat>(block);
    const int last = static_cast<int>(block.width()) - 1;
    const LongType axis = a.axisIsInput ? scalarInteger(*block.array(last), last, "axis") : axisOf(a);
    return joined(axis, count, [&](int i) { return PartialShape::of(block.array(i)->shapeInfo()); });
  });
}

/// The joined shape of an inference, where `others` inputs follow the arrays; no value: nothing is known.
std::optional<Joined> inferJoined(Inference& in, int others) {
  const auto& a = in.arguments<Concat>();
  const int last = in.inputs() - 1, count = in.inputs() - others - (a.axisIsInput ? 1 : 0);
  requireArrays(count);
  const NDArray* given = a.axisIsInput ? in.values(last) : nullptr;
  if (a.axisIsInput) requireScalar(in.input(last), last, "axis");
  for (int i = 0; i < count; i++)
    if (!in.input(i).hasRank()) return std::nullopt;
  if (a.axisIsInput && given == nullptr) return std::nullopt;
  Joined result =
      joined(given != nullptr ? integerOf(*given, last, "axis") : axisOf(a), count, [&](int i) { return in.input(i); });
  in.keep(result);
  return result;
}

/// Calls f(i, start, size) for each non-empty input, with its position along the axis.
template <typename F>
void forEachPart(graph::Context& block, int count, int axis, F&& f) {
  LongType start = 0;
  for (int i = 0; i < count; i++) {
    const NDArray& x = *block.array(i);
    if (x.isEmpty()) continue;
    const LongType size = x.rankOf() == 0 ? 1 : x.sizeAt(axis);
    f(i, start, size);
    start += size;
  }
}

void concatArguments(Schema& schema) {
  schema
      .argument(&Concat::axis, "axis", "the dimension along which arrays are joined; negative ones count from the end")
      .atInteger(0);
  schema.argument(&Concat::axisIsInput, "axis_is_input", "the last input is the axis, one integer").atFlag(0);
}

}  // namespace

CUSTOM_OP_IMPL(concat, -1, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int count = arraysOf(block, 0), axis = current(block, count).axis;
  if (z.isEmpty()) return Status::OK;
  if (copyPieces(z, axis, arraysAt(count, [&](int i) { return block.array(i); }), false)) return Status::OK;
  forEachPartOf(z, axis, count, [&](LongType begin, LongType rows) {
    forEachPart(block, count, axis, [&](int i, LongType start, LongType size) {
      Region from(*INPUT_VARIABLE(i)), to(z);
      if (from.rank() == 0) from.insert(0, 1);
      to.take(axis, start, size);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    });
  });
  return Status::OK;
}
INFERRED_SHAPES(concat)
DECLARE_SCHEMA(concat) {
  schema.summary("Joins arrays along a dimension.")
      .formula("z[.., n_k + j, ..] = x_k[.., j, ..], n_k the total size of the arrays before x_k");
  schema
      .input("x",
             "one type, equal shapes except along the axis; scalars count as vectors, empty scalars are skipped; with "
             "axis_is_input the last one is the axis")
      .any()
      .moved();
  concatArguments(schema);
  schema.output("z", "the shape of x with the sizes along the axis added up; the type and order of the first");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const auto whole = inferJoined(in, 0);
    in.output(whole ? whole->shape : PartialShape(in.input(0).type()));
  });
  schema.gradient("concat_bp");
  schema.example(R"({"x": [[[1.0, 2.0]], [[3.0, 4.0]]], "axis": 1})");
  schema.elsewhere({.numpy = "numpy.concatenate", .torch = "torch.cat", .tensorflow = "tf.concat", .onnx = "Concat"});
  schema.words("concatenate, join, append, cat").see("stack split");
}
DECLARE_SYN(ParallelConcat, concat);
DECLARE_SYN(concat_v2, concat);
DECLARE_SYN(concatv2, concat);

CUSTOM_OP_IMPL(concat_bp, -1, -1, false, 0, 0) {
  const int count = arraysOf(block, 1);
  const auto& [axis, joined] = current(block, count);
  const NDArray& gradZ = *INPUT_VARIABLE(count);
  if (!gradZ.isSameShape(joined.sizes()))
    reject("input {} 'gradZ': its shape is {}, but the joined array has shape {}", count, text(gradZ), joined.text());
  if (gradZ.isEmpty()) return Status::OK;
  if (copyPieces(gradZ, axis, arraysAt(count, [&](int i) { return OUTPUT_VARIABLE(i); }), true)) return Status::OK;
  forEachPartOf(gradZ, axis, count, [&, axis = axis](LongType begin, LongType rows) {
    forEachPart(block, count, axis, [&](int i, LongType start, LongType size) {
      Region from(gradZ), to(*OUTPUT_VARIABLE(i));
      if (to.rank() == 0) to.insert(0, 1);
      from.take(axis, start, size);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    });
  });
  return Status::OK;
}
INFERRED_SHAPES(concat_bp)
DECLARE_SCHEMA(concat_bp) {
  schema.summary("The gradients of concat: the parts of the gradient of the joined array.")
      .formula("gradX_k[.., j, ..] = gradZ[.., n_k + j, ..], n_k the total size of the arrays before x_k");
  schema.input("x", "as in concat").any();
  schema.input("gradZ", "the gradient of z; with axis_is_input the axis follows it");
  concatArguments(schema);
  schema.output("gradX", "the shapes and types of the x").any();
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    inferJoined(in, 1);
    for (int i = 0, n = in.inputs() - 1 - (in.arguments<Concat>().axisIsInput ? 1 : 0); i < n; i++)
      in.output(in.input(i));
  });
  schema.gradient(linearBackwardRule);
  schema.example(R"({"x": [[[1.0, 2.0]], [[3.0, 4.0]]], "gradZ": [[10.0, 20.0, 30.0, 40.0]], "axis": 1})");
  schema.see("concat");
}

}  // namespace sd::ops
