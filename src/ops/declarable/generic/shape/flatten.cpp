// All elements of several arrays in one vector.
// operations: flatten
#include <ops/declarable/headers/shape.h>

#include <numeric>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {

CUSTOM_OP_IMPL(flatten, -1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const bool fortran = block.intArgument64(0) != 'c';
  LongType start = 0;
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
    const NDArray& x = *INPUT_VARIABLE(i);
    if (x.isEmpty()) continue;
    Region part(z);
    part.take(0, start, x.lengthOf());
    start += x.lengthOf();
    Region source(x);
    if (fortran) {
      std::vector<int> reversed(static_cast<size_t>(x.rankOf()));
      std::iota(reversed.rbegin(), reversed.rend(), 0);
      source.permute(reversed);
    }
    source.copyTo(part);
  }
  return Status::OK;
}
DECLARE_SHAPE_FN(flatten) {
  const DataType type = ArrayOptions::dataType(inputShape->at(0));
  LongType length = 0;
  for (int i = 0; i < inputShape->size(); i++) {
    const LongType* x = inputShape->at(i);
    if (ArrayOptions::dataType(x) != type)
      reject("input {}: its type is {}, but input 0 has type {}", i, DataTypeUtils::describe(ArrayOptions::dataType(x)),
             DataTypeUtils::describe(type));
    if (!shape::isEmpty(x) && __builtin_add_overflow(length, shape::length(x), &length))
      reject("the inputs have too many elements");
  }
  return shapes(vectorOf(type, length));
}
DECLARE_TYPES(flatten) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setSameMode(true)
      ->document({.summary = "The elements of all inputs, one input after the other, in one vector.",
                  .inputs = "x0, x1, …: any shapes, one type",
                  .outputs = "z: [number of all elements], the inputs' type",
                  .integers = "order: 99: the elements of each input in c order; anything else: in Fortran order"});
}

}  // namespace sd::ops
