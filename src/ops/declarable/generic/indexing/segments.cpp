// Reductions of rows with the same id. Either the ids are sorted, or they are in any order and the number of segments
// is given.
// operations: segment_sum segment_sum_bp unsorted_segment_sum unsorted_segment_sum_bp segment_mean segment_mean_bp
// operations: unsorted_segment_mean unsorted_segment_mean_bp segment_prod segment_prod_bp unsorted_segment_prod
// operations: unsorted_segment_prod_bp segment_max segment_max_bp unsorted_segment_max unsorted_segment_max_bp
// operations: segment_min segment_min_bp unsorted_segment_min unsorted_segment_min_bp unsorted_segment_sqrt_n
// operations: unsorted_segment_sqrt_n_bp
// calls: Add CountZero
#include <ops/declarable/headers/indexing.h>

#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/segments.h"

namespace sd::ops {
namespace {

using helpers::NoRows;
using helpers::Segments;

// ---- ids

void checkLength(const NDArray& x, const NDArray& ids) {
  const LongType rows = x.rankOf() == 0 ? x.lengthOf() : x.sizeAt(0);
  if (ids.lengthOf() != rows)
    reject("input 1 'ids': {} ids are given for {} rows (shapes {} and {})", ids.lengthOf(), rows, text(ids), text(x));
}

/// Checks sorted ids and sets `segments` to the number of segments.
Dense sortedIds(const NDArray& x, const NDArray& ids, LongType& segments) {
  if (x.rankOf() == 0) reject("input 0 'x': a scalar has no rows");
  if (ids.rankOf() == 0) reject("input 1 'ids': a vector is needed, its shape is {}", text(ids));
  requireList(ids, 1, "ids");
  checkLength(x, ids);
  Dense dense = integerElements(ids, 1, "ids");
  const auto* values = dense.as<LongType>();
  const LongType n = ids.lengthOf();
  for (LongType i = 0; i < n; i++) {
    if (values[i] < 0) reject("input 1 'ids': {} at [{}] is negative", values[i], i);
    if (i > 0 && values[i] < values[i - 1])
      reject("input 1 'ids': {} at [{}] follows {}; ids must not decrease", values[i], i, values[i - 1]);
  }
  if (n > 0 && values[n - 1] == INT64_MAX)
    reject("input 1 'ids': {} at [{}] makes too many segments", values[n - 1], n - 1);
  segments = n == 0 ? 0 : values[n - 1] + 1;
  return dense;
}

/// Checks ids in any order. Negative ids are allowed and will be skipped.
Dense unsortedIds(const NDArray& x, const NDArray& ids, LongType segments) {
  checkLength(x, ids);
  Dense dense = integerElements(ids, 1, "ids");
  const auto* values = dense.as<LongType>();
  const LongType n = ids.lengthOf();
  bool outside = false;
  for (LongType i = 0; i < n; i++) outside |= values[i] >= segments;
  if (!outside) return dense;
  LongType i = 0;
  while (values[i] < segments) i++;
  reject("input 1 'ids': value {} at [{}] is outside 0..{} (shape {})", values[i], i, segments - 1, text(ids));
}

/// The shape of x with `segments` rows.
PartialShape withRows(const PartialShape& x, LongType segments) {
  if (!x.hasRank()) return x;
  PartialShape z = x.rank() == 0 ? PartialShape(x.type(), {segments}, x.order()) : x;
  return z.set(0, segments);
}

/// The checked ids of sorted segments.
struct Sorted {
  std::shared_ptr<Dense> rows;
  LongType segments;

  Sorted(const NDArray& x, const NDArray& ids) : rows(std::make_shared<Dense>(sortedIds(x, ids, segments))) {}
};

// ---- forward

Status applySorted(graph::Context& block, Segments kind, NDArray& z) {
  const NDArray &x = *block.array(0), &ids = *block.array(1);
  const auto& sorted = kept<Sorted>(block, [&] { return Sorted(x, ids); });
  helpers::reduceSegments(kind, NoRows::Zero, x, sorted.rows->as<LongType>(), ids.lengthOf(), z);
  return Status::OK;
}

void inferSorted(Inference& in) {
  const PartialShape x = in.input(0), ids = in.input(1);
  if (x.rank() == 0) reject("input 0 'x': a scalar has no rows");
  if (ids.rank() == 0) reject("input 1 'ids': a vector is needed, its shape is {}", ids.text());
  requireList(ids, 1, "ids");
  const LongType rowsOfX = x.hasRank() ? x[0] : PartialShape::UNKNOWN, count = ids.length();
  if (rowsOfX != count && rowsOfX != PartialShape::UNKNOWN && count != PartialShape::UNKNOWN)
    reject("input 1 'ids': {} ids are given for {} rows (shapes {} and {})", count, rowsOfX, ids.text(), x.text());
  const NDArray *rows = in.values(0), *given = in.values(1);
  if (given == nullptr || !x.hasRank()) return in.output(withRows(x, PartialShape::UNKNOWN));
  if (rows == nullptr || !x.hasKnownSizes()) {
    // The ids alone give the number of segments.
    LongType segments;
    const NDArray alike('c', {given->lengthOf()}, BOOL);
    sortedIds(alike, *given, segments);
    return in.output(withRows(x, segments));
  }
  Sorted sorted(*rows, *given);
  in.output(withRows(x, sorted.segments));
  in.keep(std::move(sorted));
}

Status applyUnsorted(graph::Context& block, Segments kind, NDArray& z) {
  const NDArray &x = *block.array(0), &ids = *block.array(1);
  const Dense rows = unsortedIds(x, ids, z.sizeAt(0));
  helpers::reduceSegments(kind, NoRows::Limit, x, rows.as<LongType>(), ids.lengthOf(), z);
  return Status::OK;
}

void inferUnsorted(Inference& in) {
  in.input(1);
  const bool known = in.knows(&NumSegments::numSegments);
  in.output(withRows(in.input(0), known ? in.arguments<NumSegments>().numSegments : PartialShape::UNKNOWN));
}

// ---- gradients

Status applyGradient(graph::Context& block, Segments kind, bool sorted, NDArray& gradX, NDArray& idsOut) {
  const NDArray &x = *block.array(0), &ids = *block.array(1), &gradZ = *block.array(2);
  // Programs for ND4J may give another number of segments than the gradient has.
  const bool counted = !sorted && kind != Segments::Prod;
  if (counted && gradZ.rankOf() == 0) reject("input 2 'gradZ': a scalar has no segments");
  LongType segments = sorted ? 0 : counted ? gradZ.sizeAt(0) : arguments<NumSegments>(block).numSegments;
  const Dense rows = sorted ? sortedIds(x, ids, segments) : unsortedIds(x, ids, segments);
  const PartialShape expected = withRows(PartialShape::of(x.shapeInfo()), segments);
  if (dimsOf(gradZ.shapeInfo()) != expected.sizes())
    reject("input 2 'gradZ': its shape is {}, but the result has shape {}", text(gradZ), expected.text());
  helpers::segmentGradient(kind, x, rows.as<LongType>(), ids.lengthOf(), gradZ, gradX);
  if (!ids.isEmpty()) idsOut.assign(ids);
  return Status::OK;
}

void inferGradients(Inference& in) {
  in.input(2);
  in.output(in.input(0));
  in.output(in.input(1));
}

// ---- schemas

void segmentsArgument(Schema& schema, int input) {
  schema.input("num_segments", "one integer").types({ALL_INTS, ALL_FLOATS}).optional();
  schema.argument(&NumSegments::numSegments, "num_segments", "the number of segments")
      .atInteger(0)
      .orInput(input)
      .atLeast(0)
      .require();
}

struct Member {
  const char *summary, *formula, *gradient, *sortedNote, *unsortedNote;
};

void describe(Schema& schema, bool sorted, const char* name, const Member& member, const NamesElsewhere& elsewhere) {
  schema.summary(member.summary).formula(member.formula).note(sorted ? member.sortedNote : member.unsortedNote);
  schema.input("x", "[n, ...]").types({ALL_INTS, ALL_FLOATS});
  InputRow& ids = schema.input("ids", sorted ? "[n], integers from 0 that do not decrease"
                                             : "n integers below num_segments; rows with a negative id are ignored");
  ids.types({ALL_INTS, ALL_FLOATS});
  if (sorted) ids.shapesNeedValues();
  if (!sorted) segmentsArgument(schema, 2);
  schema.output("z", sorted ? "[last id + 1, ...], the type of x" : "[num_segments, ...], the type of x");
  if (sorted) schema.descriptor().setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS});
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(sorted ? inferSorted : inferUnsorted).gradient(name);
  schema.example(sorted ? R"({"x": [1.0, 2.0, 3.0, 4.0], "ids": [0, 0, 1, 1]})"
                        : R"({"x": [1.0, 2.0, 3.0, 4.0], "ids": [1, 0, 1, 0], "num_segments": 2})");
  schema.elsewhere(elsewhere).words("group by, reduce groups");
}

/// Where an element is 0 there is no second derivative.
void productRule(Gradient& g) {
  const bool sorted = g.op().getOpDescriptor()->name().starts_with("segment");
  const Symbol x = g.input(0), ids = g.input(1), gradient = g.of() * g.output();
  const Symbol rows = sorted ? g.call("segment_sum_bp", {x, ids, gradient})
                             : g.call("unsorted_segment_sum_bp", {x, ids, gradient}, g.ownArguments());
  g.set(0, rows / x);
}

/// Of the largest and the smallest elements.
void extremeRule(Gradient& g) {
  const bool sorted = g.op().getOpDescriptor()->name().starts_with("segment");
  const Symbol chosen = chosenElements(g, 2);
  g.set(2, sorted ? g.call("segment_sum", {chosen, g.input(1)})
                  : g.call("unsorted_segment_sum", {chosen, g.input(1)}, g.ownArguments()));
}

void describeGradient(Schema& schema, bool sorted, const char* forward, const Member& member) {
  const std::string_view kind = std::string_view(forward).substr(std::string_view(forward).find("segment_") + 8);
  const GradientFunction rule = kind == "prod"                   ? backwardOf<productRule>
                                : kind == "max" || kind == "min" ? extremeRule
                                                                 : linearBackwardRule;
  schema.summary("The gradient of the operation of the same name.")
      .formula(member.gradient)
      .note("Rows with a negative id have the gradient 0.");
  schema.input("x", "[n, ...]").types({ALL_INTS, ALL_FLOATS});
  schema.input("ids", "as in the operation itself").types({ALL_INTS, ALL_FLOATS});
  schema.input("gradZ", "the gradient of z, the shape of z").types({ALL_INTS, ALL_FLOATS});
  if (!sorted) segmentsArgument(schema, 3);
  const bool counted = !sorted && kind != "prod";
  if (counted) schema.note("The gradient gives the number of segments; num_segments is not used.");
  schema.output("gradX", "the shape and type of x");
  schema.output("gradIds", "a copy of ids");
  if (sorted) schema.descriptor().setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS});
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferGradients).gradient(rule);
  schema.example(sorted ? R"({"x": [1.0, 2.0, 3.0, 4.0], "ids": [0, 0, 1, 1], "gradZ": [10.0, 20.0]})"
                        : R"({"x": [1.0, 2.0, 3.0, 4.0], "ids": [1, 0, 1, 0], "gradZ": [10.0, 20.0],
                              "num_segments": 2})");
  schema.see(forward);
}

}  // namespace

// name without prefix, what it does, formula, derivative, result of segments without rows: sorted, unsorted
#define SD_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, SORTED_EMPTY, UNSORTED_EMPTY)                     \
  SD_UNSORTED_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, SORTED_EMPTY, UNSORTED_EMPTY)                  \
  CUSTOM_OP_IMPL(segment_##NAME, 2, 1, false, 0, 0) {                                                        \
    return applySorted(block, Segments::KIND, *OUTPUT_VARIABLE(0));                                          \
  }                                                                                                          \
  INFERRED_SHAPES(segment_##NAME)                                                                            \
  DECLARE_SCHEMA(segment_##NAME) {                                                                           \
    describe(schema, true, "segment_" #NAME "_bp", MEMBER_##NAME, {.tensorflow = "tf.math.segment_" #NAME}); \
    schema.see("unsorted_segment_" #NAME);                                                                   \
  }                                                                                                          \
  CUSTOM_OP_IMPL(segment_##NAME##_bp, 3, 2, false, 0, 0) {                                                   \
    return applyGradient(block, Segments::KIND, true, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1));             \
  }                                                                                                          \
  INFERRED_SHAPES(segment_##NAME##_bp)                                                                       \
  DECLARE_SCHEMA(segment_##NAME##_bp) { describeGradient(schema, true, "segment_" #NAME, MEMBER_##NAME); }

#define SD_UNSORTED_SEGMENT(NAME, KIND, SUMMARY, FORMULA, GRADIENT, SORTED_EMPTY, UNSORTED_EMPTY) \
  static const Member MEMBER_##NAME{SUMMARY, FORMULA, GRADIENT, SORTED_EMPTY, UNSORTED_EMPTY};    \
  CUSTOM_OP_IMPL(unsorted_segment_##NAME, 2, 1, false, 0, 0) {                                    \
    return applyUnsorted(block, Segments::KIND, *OUTPUT_VARIABLE(0));                             \
  }                                                                                               \
  INFERRED_SHAPES(unsorted_segment_##NAME)                                                        \
  DECLARE_SCHEMA(unsorted_segment_##NAME) {                                                       \
    describe(schema, false, "unsorted_segment_" #NAME "_bp", MEMBER_##NAME,                       \
             {.tensorflow = "tf.math.unsorted_segment_" #NAME});                                  \
    schema.see("dynamic_partition scatter_add");                                                  \
  }                                                                                               \
  CUSTOM_OP_IMPL(unsorted_segment_##NAME##_bp, 3, 2, false, 0, 1) {                               \
    return applyGradient(block, Segments::KIND, false, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1)); \
  }                                                                                               \
  INFERRED_SHAPES(unsorted_segment_##NAME##_bp)                                                   \
  DECLARE_SCHEMA(unsorted_segment_##NAME##_bp) {                                                  \
    describeGradient(schema, false, "unsorted_segment_" #NAME, MEMBER_##NAME);                    \
  }

SD_SEGMENT(sum, Sum, "Sums of the rows of each id.", "z[s] = sum of x[i] over ids[i] = s", "gradX[i] = gradZ[ids[i]]",
           "Ids without rows give 0.", "Segments without rows give 0.")
SD_SEGMENT(mean, Mean, "Means of the rows of each id; of integers truncated.", "z[s] = mean of x[i] over ids[i] = s",
           "gradX[i] = gradZ[s] / n, where s = ids[i] has n rows", "Ids without rows give 0.",
           "Segments without rows give 0.")
SD_SEGMENT(prod, Prod, "Products of the rows of each id.", "z[s] = product of x[i] over ids[i] = s",
           "gradX[i] = gradZ[s] * product of the other rows of s = ids[i]", "Ids without rows give 1.",
           "Segments without rows give 1.")
SD_SEGMENT(max, Max, "The largest elements of the rows of each id; NaN is skipped.",
           "z[s] = max of x[i] over ids[i] = s",
           "gradX[i] = gradZ[ids[i]] where x[i] = z[ids[i]], ties included, else 0", "Ids without rows give 0.",
           "Segments without rows give the lowest value, -max of the type.")
SD_SEGMENT(min, Min, "The smallest elements of the rows of each id; NaN is skipped.",
           "z[s] = min of x[i] over ids[i] = s",
           "gradX[i] = gradZ[ids[i]] where x[i] = z[ids[i]], ties included, else 0", "Ids without rows give 0.",
           "Segments without rows give the highest value of the type.")
SD_UNSORTED_SEGMENT(sqrt_n, SqrtN, "Sums of the rows of each id, divided by the root of their number.",
                    "z[s] = sum of x[i] / sqrt(n) over the n rows with ids[i] = s",
                    "gradX[i] = gradZ[s] / sqrt(n), where s = ids[i] has n rows", "", "Segments without rows give 0.")

}  // namespace sd::ops
