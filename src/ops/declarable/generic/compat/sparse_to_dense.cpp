// An array from the coordinates and values of some of its elements.
// operations: compat_sparse_to_dense
#include <ops/declarable/headers/compat.h>

#include <string>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/rows.h"

namespace sd::ops {
namespace {

Dims denseShape(graph::Context& block) {
  const NDArray& shape = *block.array(1);
  requireList(shape, 1, "shape");
  const Dims dims = integersOf(shape, 1);
  requireSizes(dims, "shape");
  return dims;
}

/// The offset, in c order, of each given element.
std::vector<LongType> offsetsOf(const NDArray& indices, const Dims& dims, LongType count) {
  const auto rank = static_cast<LongType>(dims.size());
  if (indices.lengthOf() != count * rank)
    reject("input 0 'indices': its shape is {}, but {} values for shape {} need [{}, {}]", text(indices), count,
           text(dims), count, rank);
  const Dense dense = integerElements(indices, 0);
  const auto* at = dense.as<LongType>();
  std::vector<LongType> offsets(static_cast<size_t>(count));
  for (LongType e = 0; e < count; e++, at += rank) {
    LongType offset = 0;
    for (LongType d = 0; d < rank; d++) {
      const LongType size = dims[static_cast<size_t>(d)];
      if (at[d] < 0 || at[d] >= size)
        reject("input 0 'indices': value {} at [{}, {}] is outside 0..{} (shape {})", at[d], e, d, size - 1,
               text(dims));
      offset = offset * size + at[d];
    }
    offsets[static_cast<size_t>(e)] = offset;
  }
  return offsets;
}

void placeStrings(const NDArray& values, const NDArray* filler, const std::vector<LongType>& offsets, const Dims& dims,
                  NDArray& z) {
  std::vector<std::string> all(static_cast<size_t>(z.lengthOf()), filler ? filler->e<std::string>(0) : std::string());
  for (size_t e = 0; e < offsets.size(); e++)
    all[static_cast<size_t>(offsets[e])] = values.e<std::string>(static_cast<LongType>(e));
  z = dims.empty() ? NDArray(all[0], z.dataType()) : NDArray(dims, all, z.dataType());
}

}  // namespace

CUSTOM_OP_IMPL(compat_sparse_to_dense, 4, 1, false, 0, 0) {
  const NDArray& values = *INPUT_VARIABLE(2);
  const NDArray* filler = block.optionalArray(3);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const Dims dims = denseShape(block);
  const std::vector<LongType> offsets = offsetsOf(*INPUT_VARIABLE(0), dims, values.lengthOf());
  if (filler != nullptr) {
    requireScalar(*filler, 3, "default");
    if (filler->dataType() != values.dataType())
      reject("input 3 'default': its type is {}, but the values have type {}",
             DataTypeUtils::describe(filler->dataType()), DataTypeUtils::describe(values.dataType()));
  }
  if (z.isEmpty()) return Status::OK;
  if (values.isS()) {
    placeStrings(values, filler, offsets, dims, z);
    return Status::OK;
  }
  DenseOut target(z);
  if (filler != nullptr)
    target->assign(*filler);
  else
    target->nullify();
  const Dense given(values);
  helpers::scatterRows(helpers::Combine::Assign, z.dataType(), target->buffer(), z.lengthOf(), 1, offsets.data(),
                       values.lengthOf(), given->buffer());
  target.commit();
  return Status::OK;
}

DECLARE_SHAPE_FN(compat_sparse_to_dense) {
  return shapes(shapeOf(ArrayOptions::dataType(inputShape->at(2)), 'c', denseShape(block)));
}

DECLARE_TYPES(compat_sparse_to_dense) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, ANY)
      ->setAllowedInputTypes(3, ANY)
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "An array from the coordinates and values of some of its elements.",
                  .formula = "z[indices[e, 0], indices[e, 1], …] = values[e]",
                  .inputs =
                      "indices: [n, r], integers: coordinates\n"
                      "shape: [r], integers: the shape of z\n"
                      "values: n elements, any type, strings too\n"
                      "default?: one element of that type, for all other positions (default 0, or the empty string)",
                  .outputs = "z: the shape given, c order, the type of values",
                  .notes = "Of several values for one position, the last is used."});
}

}  // namespace sd::ops
