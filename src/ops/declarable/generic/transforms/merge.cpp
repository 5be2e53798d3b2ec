// Element-wise merging of arrays of the same shape, and the gradients.
// operations: mergeadd mergeavg mergemax mergemaxindex mergeadd_bp mergeavg_bp mergemax_bp
// aliases: mergesum add_n addn accumulaten accumulate_n MergeMax MergeMaxIndex
// calls: Add Divide MaxPairwise
#include <execution/Parallel.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>

#include "types/TypeDispatch.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

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

ShapeList* gradientShapes(const ShapeList& inputs) {
  if (inputs.size() < 2) reject("the gradient is missing");
  auto list = std::make_unique<ShapeList>();
  for (int i = 0; i < inputs.size() - 1; i++) list->push_back(like(inputs.at(i)));
  return list.release();
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setSameMode(true)->document({.summary = summary,
                                           .formula = formula,
                                           .inputs = "x0, x1, …: one shape and type",
                                           .outputs = "z: the inputs' shape and type"});
}

void describeGradient(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x0, x1, …: one shape\neps: the gradient of z",
                  .outputs = "grad0, grad1, …: the shapes and types of x0, x1, …"});
}

}  // namespace

#define SD_MERGE(NAME, NUMBER, AVERAGE)                          \
  OP_IMPL(NAME, -1, 1, false) {                                  \
    REQUIRE_OK(validateInputDimensionsMatch(block));             \
    fold(block, pairwise::NUMBER, AVERAGE, *OUTPUT_VARIABLE(0)); \
    return Status::OK;                                           \
  }

SD_MERGE(mergeadd, Add, false)
DECLARE_TYPES(mergeadd) {
  describe(getOpDescriptor()->setAllowedInputTypes({ALL_INTS, ALL_FLOATS}), "Adds arrays.", "z = x0 + x1 + …");
}
DECLARE_SYN(mergesum, mergeadd);
DECLARE_SYN(add_n, mergeadd);
DECLARE_SYN(addn, mergeadd);
DECLARE_SYN(accumulaten, mergeadd);
DECLARE_SYN(accumulate_n, mergeadd);

SD_MERGE(mergeavg, Add, true)
DECLARE_TYPES(mergeavg) {
  describe(getOpDescriptor()->setAllowedInputTypes({ALL_FLOATS}), "The mean of arrays.", "z = (x0 + x1 + …) / n");
}

// NaN never replaces the current maximum.
SD_MERGE(mergemax, MaxPairwise, false)
DECLARE_TYPES(mergemax) {
  describe(getOpDescriptor()->setAllowedInputTypes({ALL_INTS, ALL_FLOATS}), "The largest elements of arrays.",
           "z = max(x0, x1, …)");
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
DECLARE_SHAPE_FN(mergemaxindex) {
  const DataType type = block.numI() > 0 ? checkedType(block.intArgument64(0), "type") : INT32;
  if (type != INT32 && type != INT64)
    reject("argument 'type': {} is neither INT32 nor INT64", DataTypeUtils::describe(type));
  return shapes(like(inputShape->at(0), type));
}
DECLARE_TYPES(mergemaxindex) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INDICES})
      ->document({.summary = "Which array holds the largest element.",
                  .formula = "z = the first i with x_i = max(x0, x1, …)",
                  .inputs = "x0, x1, …: one shape and type",
                  .outputs = "z: the inputs' shape, INT32 or the requested type",
                  .integers = "type?: code of INT32 or INT64 (default INT32)"});
}
DECLARE_SYN(MergeMaxIndex, mergemaxindex);

CUSTOM_OP_IMPL(mergeadd_bp, 2, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  const int n = mergedOf(block);
  for (int i = 0; i < n; i++) copy(*INPUT_VARIABLE(n), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
DECLARE_SHAPE_FN(mergeadd_bp) { return gradientShapes(*inputShape); }
DECLARE_TYPES(mergeadd_bp) { describeGradient(getOpDescriptor(), "The gradients of mergeadd.", "grad_i = eps"); }

CUSTOM_OP_IMPL(mergeavg_bp, 2, 1, false, 0, 0) {
  REQUIRE_OK(validateInputDimensionsMatch(block));
  const int n = mergedOf(block);
  if (!INPUT_VARIABLE(n)->isEmpty())
    for (int i = 0; i < n; i++) INPUT_VARIABLE(n)->applyScalar(scalar::Divide, n, *OUTPUT_VARIABLE(i));
  return Status::OK;
}
DECLARE_SHAPE_FN(mergeavg_bp) { return gradientShapes(*inputShape); }
DECLARE_TYPES(mergeavg_bp) { describeGradient(getOpDescriptor(), "The gradients of mergeavg.", "grad_i = eps / n"); }

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
DECLARE_SHAPE_FN(mergemax_bp) { return gradientShapes(*inputShape); }
DECLARE_TYPES(mergemax_bp) {
  describeGradient(getOpDescriptor(), "The gradients of mergemax.",
                   "grad_i = eps where x_i is the first to hold the largest element, else 0");
}

}  // namespace sd::ops
