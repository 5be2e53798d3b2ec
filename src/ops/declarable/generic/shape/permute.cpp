// Dimensions in another order: z[i_p0, i_p1, …] = x[i_0, i_1, …].
#include <ops/declarable/headers/shape.h>

#include <algorithm>
#include <numeric>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

#if NOT_EXCLUDED(OP_permute) || NOT_EXCLUDED(OP_transpose)

namespace sd::ops {
namespace {

/// Dimension k of the result is dimension p[k] of x.
std::vector<int> permutation(graph::Context& block, const LongType* x) {
  const int rank = shape::rank(x);
  const auto given = integers64(block, 1);
  std::vector<int> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  if (given.empty()) {
    std::reverse(order.begin(), order.end());
    return order;
  }
  if (shape::length(x) == 1 && static_cast<int>(given.size()) != rank) return order;
  if (static_cast<int>(given.size()) != rank)
    reject("argument 'permutation': {} dimensions for rank {} (shape {})", given.size(), rank, text(x));
  std::vector<bool> seen(order.size());
  for (size_t k = 0; k < order.size(); k++) {
    order[k] = checkedAxis(given[k], rank, "permutation");
    if (seen[static_cast<size_t>(order[k])])
      reject("argument 'permutation': dimension {} is named twice ({})", given[k], text(given));
    seen[static_cast<size_t>(order[k])] = true;
  }
  return order;
}

ShapeList* permutedShape(graph::Context& block, const LongType* x) {
  if (shape::rank(x) == 0) return shapes(like(x));
  Dims sizes;
  for (const int d : permutation(block, x)) sizes.push_back(shape::sizeAt(x, d));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}

Status permuteInto(graph::Context& block, NDArray& z) {
  NDArray& x = *block.array(0);
  const NDArray view = x.permute(permutation(block, x.shapeInfo()));
  if (&x == &z)
    z = view.dup(x.ordering());
  else if (x.buffer() == z.buffer())
    copy(view.dup(x.ordering()), z);
  else
    Region(view).copyTo(Region(z));
  return Status::OK;
}

void describe(OpDescriptor* descriptor) {
  descriptor->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS})
      ->setSameMode(true)
      ->document(
          {.summary = "Puts the dimensions in another order.",
           .formula = "z.shape[k] = x.shape[p[k]]",
           .inputs = "x: any shape\npermutation?: a permutation of 0..rank-1, integers; goes before the arguments",
           .outputs = "z: the permuted shape, x's type and order",
           .integers = "permutation?: the same; without it the dimensions are reversed"});
}

}  // namespace

CUSTOM_OP_IMPL(permute, 1, 1, true, 0, -2) { return permuteInto(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(permute) { return permutedShape(block, inputShape->at(0)); }
DECLARE_TYPES(permute) { describe(getOpDescriptor()); }

CUSTOM_OP_IMPL(transpose, 1, 1, false, 0, 0) { return permuteInto(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(transpose) { return permutedShape(block, inputShape->at(0)); }
DECLARE_TYPES(transpose) { describe(getOpDescriptor()); }

}  // namespace sd::ops

#endif
