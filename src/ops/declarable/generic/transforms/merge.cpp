// Element-wise merging of arrays of the same shape, and the gradients.
// operations: mergeadd mergeavg mergemax mergemaxindex mergeadd_bp mergeavg_bp mergemax_bp
// aliases: mergesum add_n addn accumulaten accumulate_n MergeMax MergeMaxIndex
// calls: Add Divide MaxPairwise
#include <execution/Parallel.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"
#include "types/TypeDispatch.h"

namespace sd::ops {
namespace {

/// z = f(… f(f(x0, x1), x2) …), computed in float for 16-bit types; divided by the number of arrays if `average`.
void fold(graph::Context& block, int number, bool average, NDArray& z) {
  if (z.isEmpty()) return;
  const bool half = DataTypeUtils::isHalf(z.dataType());
  const int n = static_cast<int>(block.width());
  DenseOut target(z, half ? FLOAT32 : z.dataType());
  copy(*block.array(0), *target);
  for (int i = 1; i < n; i++) {
    const Dense x(*block.array(i), target->dataType());
    loops::pairwise(loops::OpGroup::Pairwise, number, in(*x), in(*target), out(*target));
  }
  if (average) target->applyScalar(scalar::Divide, n, *target);
  target.commit();
}

constexpr LongType TILE = 512;

/// The type in which mergemax compares `count` arrays: that of the first one, or float if types are mixed with a 16-bit
/// type.
DataType comparedType(graph::Context& block, int count) {
  const DataType type = block.array(0)->dataType();
  if (!DataTypeUtils::isHalf(type)) return type;
  for (int i = 1; i < count; i++)
    if (block.array(i)->dataType() != type) return FLOAT32;
  return type;
}

/// index[k] = the number of the first array that holds the largest element at k.
void largest(graph::Context& block, int count, NDArray& index) {
  const DataType type = comparedType(block, count);
  std::vector<Dense> arrays;
  for (int i = 0; i < count; i++) arrays.emplace_back(*block.array(i), type);
  auto* out = index.bufferAsT<int>();
  const LongType length = index.lengthOf(), tiles = (length + TILE - 1) / TILE;
  loops::withNumericType("mergemaxindex", type, [&]<typename T>() {
    std::vector<const T*> x;
    for (const Dense& array : arrays) x.push_back(array.as<T>());
    const double cost = static_cast<double>(length) * count;
    execution::parallelFor(tiles, execution::threadsFor(cost), [&](LongType first, LongType last) {
      T best[TILE];
      for (LongType begin = first * TILE; begin < std::min(last * TILE, length); begin += TILE) {
        const LongType width = std::min(TILE, length - begin);
        std::copy_n(x[0] + begin, width, best);
        std::fill_n(out + begin, width, 0);
        for (int i = 1; i < count; i++)
          for (LongType k = 0; k < width; k++)
            if (const T value = x[static_cast<size_t>(i)][begin + k]; value > best[k]) {
              best[k] = value;
              out[begin + k] = i;
            }
      }
    });
  });
}

/// Number of merged arrays of a gradient operation. Its last input is the gradient; all shapes must be equal.
int mergedOf(graph::Context& block) { return static_cast<int>(block.width()) - 1; }

void inferGradients(Inference& in) {
  if (in.inputs() < 2) reject("input 1 'gradZ' is missing: {} given", in.inputs());
  for (int i = 0; i < in.inputs() - 1; i++) in.output(in.input(i));
}

struct Member {
  const char *summary, *formula, *gradient, *gradientSummary, *gradientFormula, *example, *words, *see;
  NamesElsewhere elsewhere;
};

const Member SUM = {"Adds arrays.",
                    "z = x0 + x1 + …",
                    "mergeadd_bp",
                    "The gradients of mergeadd.",
                    "gradX_k = gradZ",
                    R"({"x": [[1.0, 2.0], [3.0, 4.0]]})",
                    "sum of arrays, add_n",
                    "mergeavg add",
                    {.tensorflow = "tf.math.add_n", .onnx = "Sum"}};
const Member MEAN = {"The mean of arrays.",
                     "z = (x0 + x1 + …) / n",
                     "mergeavg_bp",
                     "The gradients of mergeavg.",
                     "gradX_k = gradZ / n",
                     R"({"x": [[1.0, 2.0], [3.0, 4.0]]})",
                     "average of arrays, mean",
                     "mergeadd",
                     {.onnx = "Mean"}};
const Member MAXIMUM = {"The largest elements of arrays.",
                        "z = max(x0, x1, …)",
                        "mergemax_bp",
                        "The gradients of mergemax.",
                        "gradX_k = gradZ where x_k is the first to hold the largest element, else 0",
                        R"({"x": [[1.0, 4.0], [3.0, 2.0]]})",
                        "maximum of arrays",
                        "mergemaxindex maximum",
                        {.onnx = "Max"}};

void describe(Schema& schema, const Member& member) {
  schema.summary(member.summary).formula(member.formula);
  schema.input("x", "one shape and type").any();
  schema.output("z", "the shape and type of the inputs");
  schema.sameTypes().infer(inferLikeFirst).gradient(member.gradient);
  schema.example(member.example).elsewhere(member.elsewhere).words(member.words).see(member.see);
}

void chosenRule(Gradient& g) { g.set(g.inputs() - 1, chosenElements(g, g.inputs() - 1)); }

void describeGradient(Schema& schema, const Member& member, const char* forward, GradientFunction rule) {
  schema.summary(member.gradientSummary).formula(member.gradientFormula);
  schema.input("x", "one shape").any();
  schema.input("gradZ", "the gradient of z, the last input");
  schema.output("gradX", "the shapes and types of the x").any();
  schema.inputTypes({ALL_FLOATS}).sameTypes().infer(inferGradients).gradient(rule);
  schema.example(R"({"x": [[1.0, 4.0], [3.0, 2.0]], "gradZ": [10.0, 20.0]})").see(forward);
}

}  // namespace

#define SD_MERGE(NAME, NUMBER, AVERAGE)                          \
  OP_IMPL(NAME, -1, 1, false) {                                  \
    REQUIRE_OK(validateInputDimensionsMatch(block));             \
    fold(block, pairwise::NUMBER, AVERAGE, *OUTPUT_VARIABLE(0)); \
    return Status::OK;                                           \
  }

SD_MERGE(mergeadd, Add, false)
DECLARE_SCHEMA(mergeadd) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  describe(schema, SUM);
}
DECLARE_SYN(mergesum, mergeadd);
DECLARE_SYN(add_n, mergeadd);
DECLARE_SYN(addn, mergeadd);
DECLARE_SYN(accumulaten, mergeadd);
DECLARE_SYN(accumulate_n, mergeadd);

SD_MERGE(mergeavg, Add, true)
DECLARE_SCHEMA(mergeavg) {
  schema.inputTypes({ALL_FLOATS});
  describe(schema, MEAN);
}

// NaN never replaces the current maximum.
SD_MERGE(mergemax, MaxPairwise, false)
DECLARE_SCHEMA(mergemax) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  describe(schema, MAXIMUM);
}
DECLARE_SYN(MergeMax, mergemax);

CUSTOM_OP_IMPL(mergemaxindex, -1, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  for (int i = 1, n = static_cast<int>(block.width()); i < n; i++)
    if (INPUT_VARIABLE(i)->dataType() != INPUT_VARIABLE(0)->dataType())
      reject("input {}: its type is {}, but input 0 has type {}", i,
             DataTypeUtils::describe(INPUT_VARIABLE(i)->dataType()),
             DataTypeUtils::describe(INPUT_VARIABLE(0)->dataType()));
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  DenseOut target(z, INT32);
  largest(block, static_cast<int>(block.width()), *target);
  target.commit();
  return Status::OK;
}
INFERRED_SHAPES(mergemaxindex)
DECLARE_SCHEMA(mergemaxindex) {
  schema.summary("Which array holds the largest element.").formula("z = the first i with x_i = max(x0, x1, …)");
  schema.input("x", "one shape and type").any().types({ALL_FLOATS, ALL_INTS});
  schema.argument(&MergedIndex::dtype, "dtype", "the type of the result, INT32 or INT64").atInteger(0);
  schema.output("z", "the shape of the inputs, dtype");
  schema.outputTypes({ALL_INDICES}).infer([](Inference& in) {
    const DataType type = in.arguments<MergedIndex>().dtype;
    if (type != INT32 && type != INT64)
      reject("argument 'dtype': {} is neither INT32 nor INT64", DataTypeUtils::describe(type));
    in.output(in.input(0).withType(type));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 4.0], [3.0, 2.0]]})");
  schema.words("argmax of arrays").see("mergemax argmax");
}
DECLARE_SYN(MergeMaxIndex, mergemaxindex);

CUSTOM_OP_IMPL(mergeadd_bp, 2, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  const int n = mergedOf(block);
  for (int i = 0; i < n; i++) copy(*INPUT_VARIABLE(n), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
INFERRED_SHAPES(mergeadd_bp)
DECLARE_SCHEMA(mergeadd_bp) { describeGradient(schema, SUM, "mergeadd", linearBackwardRule); }

CUSTOM_OP_IMPL(mergeavg_bp, 2, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  const int n = mergedOf(block);
  if (!INPUT_VARIABLE(n)->isEmpty())
    for (int i = 0; i < n; i++) INPUT_VARIABLE(n)->applyScalar(scalar::Divide, n, *OUTPUT_VARIABLE(i));
  return Status::OK;
}
INFERRED_SHAPES(mergeavg_bp)
DECLARE_SCHEMA(mergeavg_bp) { describeGradient(schema, MEAN, "mergeavg", linearBackwardRule); }

CUSTOM_OP_IMPL(mergemax_bp, 2, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  const int n = mergedOf(block);
  const NDArray& eps = *INPUT_VARIABLE(n);
  if (eps.isEmpty()) return Status::OK;
  NDArray index = zeros(INT32, eps.getShapeAsVector());
  largest(block, n, index);
  const int* from = index.bufferAsT<int>();
  const Dense above(eps);
  for (int i = 0; i < n; i++) {
    DenseOut target(*OUTPUT_VARIABLE(i), eps.dataType());
    loops::withElementBits("mergemax_bp", eps.dataType(), [&]<typename T>() {
      const T* in = above.as<T>();
      T* out = target.as<T>();
      const double cost = static_cast<double>(eps.lengthOf());
      execution::parallelFor(eps.lengthOf(), execution::threadsFor(cost), [&](LongType start, LongType stop) {
        for (LongType k = start; k < stop; k++) out[k] = from[k] == i ? in[k] : T{0};
      });
    });
    target.commit();
  }
  return Status::OK;
}
INFERRED_SHAPES(mergemax_bp)
DECLARE_SCHEMA(mergemax_bp) { describeGradient(schema, MAXIMUM, "mergemax", chosenRule); }

}  // namespace sd::ops
