// An array from the coordinates and values of some of its elements.
// operations: compat_sparse_to_dense
// calls: Add
#include <ops/declarable/headers/compat.h>

#include <string>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

Dims denseShape(const NDArray& shape) {
  requireList(shape, 1, "shape");
  const Dims dims = integersOf(shape, 1, "shape");
  requireSizes(dims, "shape");
  return dims;
}

void inferDense(Inference& in) {
  const PartialShape shape = in.input(1);
  const DataType type = in.input(2).type();
  if (const NDArray* list = in.values(1)) return in.output(PartialShape(type, denseShape(*list)));
  const LongType rank = shape.length();
  const bool known = rank != PartialShape::UNKNOWN && rank <= SD_MAX_RANK;
  in.output(known ? PartialShape::ofRank(type, static_cast<int>(rank)) : PartialShape(type));
}

/// The offset, in c order, of each given element.
std::vector<LongType> offsetsOf(const NDArray& indices, const Dims& dims, LongType count) {
  const auto rank = static_cast<LongType>(dims.size());
  if (indices.lengthOf() != count * rank)
    reject("input 0 'indices': its shape is {}, but {} values for shape {} need [{}, {}]", text(indices), count,
           text(dims), count, rank);
  const Dense dense = integerElements(indices, 0, "indices");
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
  const Dims dims = denseShape(*INPUT_VARIABLE(1));
  const std::vector<LongType> offsets = offsetsOf(*INPUT_VARIABLE(0), dims, values.lengthOf());
  if (filler != nullptr) {
    requireScalar(*filler, 3, "default_value");
    if (filler->dataType() != values.dataType())
      reject("input 3 'default_value': its type is {}, but the values have type {}",
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

INFERRED_SHAPES(compat_sparse_to_dense)
DECLARE_SCHEMA(compat_sparse_to_dense) {
  schema.summary("An array from the coordinates and values of some of its elements.")
      .formula("z = default_value, then z[indices[e, 0], indices[e, 1], ...] = values[e]")
      .note("Of several values for one position, the last is used.");
  schema.input("indices", "[n, r], coordinates").types({ALL_INTS, ALL_FLOATS});
  schema.input("shape", "[r], the shape of z").types({ALL_INTS, ALL_FLOATS}).shapesNeedValues();
  schema.input("values", "n elements of any type, strings too").types({ANY});
  schema
      .input("default_value",
             "one element of the type of values, for all other positions; 0 or the empty string when it is not given")
      .types({ANY})
      .optional();
  schema.output("z", "the given shape, the type of values");
  schema.outputTypes({ANY}).infer(inferDense);
  schema.example(R"({"indices": [[0, 1], [1, 0]], "shape": [2, 2], "values": [5.0, 6.0], "default_value": 1.0})")
      .elsewhere({.tensorflow = "tf.sparse.to_dense"})
      .words("sparse, coordinates")
      .see("scatter_nd");
  schema.gradient(movingRule<2, 3>);
}

}  // namespace sd::ops
