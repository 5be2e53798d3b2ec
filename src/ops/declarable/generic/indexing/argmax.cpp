// Positions of extremes: argmax, argmin, argamax, argamin.
// operations: argmax argmin argamax argamin
// calls: IndexAbsoluteMax IndexAbsoluteMin IndexMax IndexMin
#include <ops/declarable/headers/indexing.h>

#include <algorithm>
#include <climits>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

/// Sorted axes; empty for the whole array.
std::vector<int> reducedAxes(graph::Context& block, int rank) {
  std::vector<int> axes = integers(block, 1);
  if (axes.size() == 1 && axes[0] == INT_MAX) axes.clear();
  return checkedAxes(axes, rank);
}

ShapeList* positionShapes(const ShapeList& inputs, graph::Context& block) {
  const LongType* x = inputs.at(0);
  const std::vector<int> axes = reducedAxes(block, shape::rank(x));
  const DataType type = block.numD() > 0 ? block.typeArgument(0) : INT64;
  if (type != INT32 && type != INT64)
    reject("type argument 0: positions are INT32 or INT64, not {}", DataTypeUtils::describe(type));
  if (axes.empty()) {
    if (shape::isEmpty(x)) reject("input 0 'x': an empty array has no largest or smallest element (shape {})", text(x));
    return shapes(scalarOf(type));
  }
  const bool keepDims = flag(block, 0);
  Dims dims;
  for (int d = 0; d < shape::rank(x); d++) {
    const LongType size = shape::shapeOf(x)[d];
    if (!std::binary_search(axes.begin(), axes.end(), d)) {
      dims.push_back(size);
    } else {
      if (size == 0) reject("input 0 'x': dimension {} has no elements to choose from (shape {})", d, text(x));
      if (keepDims) dims.push_back(1);
    }
  }
  return shapes(shapeOf(type, 'c', dims));
}

Status apply(graph::Context& block, int number, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  const NDArray& x = *block.array(0);
  const std::vector<int> axes = reducedAxes(block, x.rankOf());
  loops::indexReduce(number, in(x), out(z), nullptr, loops::Axes(axes.begin(), axes.end()));
  return Status::OK;
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula) {
  descriptor->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INDICES})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "x: any shape with elements\naxes?: integers; override the arguments",
                  .outputs = "z: x's shape without the axes, INT64 or the requested type; without axes a scalar",
                  .integers = "axes…?: negative ones count from the end (default: the whole array)",
                  .booleans = "keepDims?: reduced dimensions are kept with size 1 (default false)",
                  .types = "type?: INT32 or INT64 (default INT64)",
                  .notes = "Positions count in c order inside the part that is searched. Of equal elements, the first "
                           "is returned; NaN is skipped."});
}

}  // namespace

// name, number, what it does, formula
#define SD_ARG_EXTREME(NAME, NUMBER, SUMMARY, FORMULA)                                                        \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, -2) { return apply(block, indexreduce::NUMBER, *OUTPUT_VARIABLE(0)); } \
  DECLARE_SHAPE_FN(NAME) { return positionShapes(*inputShape, block); }                                       \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), SUMMARY, FORMULA); }

SD_ARG_EXTREME(argmax, IndexMax, "The position of the largest element.", "z = argmax x")
SD_ARG_EXTREME(argmin, IndexMin, "The position of the smallest element.", "z = argmin x")
SD_ARG_EXTREME(argamax, IndexAbsoluteMax, "The position of the element of largest magnitude.", "z = argmax |x|")
SD_ARG_EXTREME(argamin, IndexAbsoluteMin, "The position of the element of smallest magnitude.", "z = argmin |x|")

}  // namespace sd::ops
