// Permuted dimensions: z[i_p0, i_p1, …] = x[i_0, i_1, …].
// operations: permute transpose
#include <ops/declarable/headers/shape.h>

#include <numeric>
#include <span>
#include <utility>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/listed.h"

namespace sd::ops {
namespace {

/// Dimension k of the result is dimension order[k] of x.
struct Permutation {
  int rank;
  int order[SD_MAX_RANK];

  std::span<const int> all() const { return {order, static_cast<size_t>(rank)}; }
};

Permutation permutation(graph::Context& block, const LongType* x) {
  Permutation p{shape::rank(x), {}};
  const ShortList<LongType> given = listed(block, 1);
  const int count = static_cast<int>(given.size());
  if (count == 0)
    for (int k = 0; k < p.rank; k++) p.order[k] = p.rank - 1 - k;
  else
    std::iota(p.order, p.order + p.rank, 0);
  if (count == 0 || (count != p.rank && shape::length(x) == 1)) return p;
  if (count != p.rank)
    reject("argument 'permutation': {} dimensions are given for rank {} (shape {})", count, p.rank, text(x));
  UnsignedLong seen = 0;
  for (int k = 0; k < p.rank; k++) {
    const LongType asked = given[static_cast<size_t>(k)];
    p.order[k] = checkedAxis(asked, p.rank, "permutation");
    if ((seen >> p.order[k] & 1) != 0)
      reject("argument 'permutation': dimension {} is repeated ({})", asked, text(Dims(given.begin(), given.end())));
    seen |= UnsignedLong{1} << p.order[k];
  }
  return p;
}

ShapeList* permutedShape(graph::Context& block, const LongType* x) {
  if (shape::rank(x) == 0) return shapes(like(x));
  const Permutation p = permutation(block, x);
  LongType sizes[SD_MAX_RANK];
  for (int k = 0; k < p.rank; k++) sizes[k] = shape::shapeOf(x)[p.order[k]];
  return shapes(
      ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(x), shape::order(x), p.rank, sizes));
}

Status permuteInto(graph::Context& block, NDArray& z) {
  NDArray& x = *block.array(0);
  const Permutation p = permutation(block, x.shapeInfo());
  if (x.buffer() != z.buffer() && !x.isS()) {
    Region(x).permute(p.all()).copyTo(Region(z));
    return Status::OK;
  }
  NDArray permuted = x.permute(p.order, p.rank);
  if (!x.isEmpty()) permuted = permuted.dup(x.ordering());  // dup does not keep the shape of an empty array
  if (&x == &z)
    z = std::move(permuted);
  else
    copy(permuted, z);
  return Status::OK;
}

void describe(OpDescriptor* descriptor) {
  descriptor->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document(
          {.summary = "Reorders the dimensions.",
           .formula = "z.shape[k] = x.shape[p[k]]",
           .inputs =
               "x: any shape\npermutation?: a permutation of 0..rank-1, integers; overrides the integer arguments",
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
