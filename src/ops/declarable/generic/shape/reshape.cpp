// The same elements, in c order, in another shape.
// operations: reshape reshapeas expand_dims squeeze set_shape flatten_2d order
// aliases: reshape_as
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"

namespace sd::ops {
namespace {

char orderOf(LongType code) {
  if (code == 'c' || code == -'c') return 'c';
  if (code == 'f' || code == -'f') return 'f';
  reject("argument 'order': {} is neither 99 ('c') nor 102 ('f'), with or without a minus", code);
}

/// The product of the sizes other than 0 and -1.
LongType productOf(const Dims& sizes) {
  LongType product = 1;
  for (const LongType size : sizes)
    if (size > 0 && __builtin_mul_overflow(product, size, &product)) reject("shape {} is too large", text(sizes));
  return product;
}

/// `sizes` with a size of -1 replaced, so that the length is that of `info`.
Dims completed(Dims sizes, const LongType* info) {
  const auto unknown = std::find(sizes.begin(), sizes.end(), -1);
  if (unknown != sizes.end() && std::find(unknown + 1, sizes.end(), -1) != sizes.end())
    reject("argument 'shape': {} has more than one -1", text(sizes));
  const Dims asked = sizes;
  const LongType known = productOf(sizes);
  const bool hasZero = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  const LongType length = shape::isEmpty(info) ? (hasZero ? productOf(dimsOf(info)) : 0) : shape::length(info);
  if (unknown != sizes.end()) {
    if (length % known != 0) reject("shape {} cannot become {}", text(info), text(asked));
    *unknown = length / known;
  }
  requireSizes(sizes, "shape");
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (empty != static_cast<bool>(shape::isEmpty(info)) || (!empty && productOf(sizes) != shape::length(info)))
    reject("shape {} with {} elements cannot become {}", text(info), shape::isEmpty(info) ? 0 : shape::length(info),
           text(asked));
  return sizes;
}

const LongType* reshaped(const LongType* info, char order, const Dims& sizes) {
  return shapeOf(ArrayOptions::dataType(info), order, completed(sizes, info));
}

Status copyElements(graph::Context& block, NDArray& z) {
  copy(*block.array(0), z);
  return Status::OK;
}

}  // namespace

CUSTOM_OP_IMPL(reshape, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(reshape) {
  const bool fromInput = block.width() > 1;
  const bool hasOrder = block.numI() > 0 && (fromInput || block.intArgument64(0) < -1);
  const char order = hasOrder ? orderOf(block.intArgument64(0)) : 'c';
  return shapes(reshaped(inputShape->at(0), order, integers64(block, 1, hasOrder ? 1 : 0)));
}
DECLARE_TYPES(reshape) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "The same elements, in c order, in another shape.",
                  .inputs = "x: any shape\nshape?: the sizes, integer vector; overrides the arguments",
                  .outputs = "z: the requested sizes, x's type",
                  .integers = "order?: -99 'c' (default), -102 'f': the memory order of z\n"
                              "sizes?: the sizes, when there is no input 'shape'",
                  .notes = "One size may be -1: it is computed from the number of elements. A size of 0 means 0."});
}

CUSTOM_OP_IMPL(reshapeas, 2, 1, false, 0, 0) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(reshapeas) {
  const LongType *x = inputShape->at(0), *y = INPUT_VARIABLE(1)->shapeInfo();
  const bool emptyScalar = shape::rank(y) == 0 && shape::isEmpty(y);
  if (emptyScalar && shape::isEmpty(x)) return shapes(like(y, ArrayOptions::dataType(x)));
  return shapes(reshaped(x, shape::order(y), dimsOf(y)));
}
DECLARE_TYPES(reshapeas) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "The elements of one array, in c order, in the shape of another.",
       .inputs = "x: any shape\ny: a shape with as many elements, any type",
       .outputs = "z: y's shape and order, x's type"});
}
DECLARE_SYN(reshape_as, reshapeas);

CUSTOM_OP_IMPL(expand_dims, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(expand_dims) {
  const LongType* x = inputShape->at(0);
  if (block.numI() == 0 && block.width() < 2) reject("the axis is missing");
  if (block.numI() == 0) requireScalar(*INPUT_VARIABLE(1), 1, "axis");
  const LongType axis = block.numI() > 0 ? block.intArgument64(0) : integerOf(*INPUT_VARIABLE(1), 1);
  const int place = checkedAxis(axis, shape::rank(x) + 1);
  Dims sizes = dimsOf(x);
  const bool emptyScalar = sizes.empty() && shape::isEmpty(x);
  sizes.insert(sizes.begin() + place, emptyScalar ? 0 : 1);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(expand_dims) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Adds a dimension of size 1.",
                  .inputs = "x: any shape\naxis?: one integer; used when there is no argument",
                  .outputs = "z: x's shape with a size of 1 inserted before position `axis`, x's type",
                  .integers = "axis?: -(rank + 1)..rank; negative ones count from the end"});
}

CUSTOM_OP_IMPL(squeeze, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(squeeze) {
  const LongType* x = inputShape->at(0);
  const DataType type = ArrayOptions::dataType(x);
  const int rank = shape::rank(x);
  if (rank == 0) return shapes(like(x));
  if (rank == 1 && shape::length(x) == 1) return shapes(scalarOf(type));
  const auto axes = block.numI() > 0 ? integerArguments(block) : integers64(block, 1);
  std::vector<bool> listed(static_cast<size_t>(rank), axes.empty());
  for (const LongType axis : axes) listed[static_cast<size_t>(checkedAxis(axis, rank, "axes"))] = true;
  Dims sizes;
  for (int d = 0; d < rank; d++)
    if (sizeAt(x, d) != 1 || !listed[static_cast<size_t>(d)]) sizes.push_back(sizeAt(x, d));
  return shapes(shapeOf(type, shape::order(x), sizes));
}
DECLARE_TYPES(squeeze) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document(
          {.summary = "Removes dimensions of size 1.",
           .inputs = "x: any shape\naxes?: the dimensions, integers; used when there are no arguments",
           .outputs = "z: x's shape without them, x's type",
           .integers =
               "axes?: the dimensions; negative ones count from the end; if none is given, all of size 1. Dimensions "
               "of other sizes are kept.",
           .notes = "A scalar or a vector of one element becomes a scalar for any axes."});
}

CUSTOM_OP_IMPL(set_shape, 2, 1, true, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  if (&x == &z)
    x.reshapei(x.ordering(), completed(integers64(block, 1), x.shapeInfo()));
  else
    copy(x, z);
  return Status::OK;
}
DECLARE_SHAPE_FN(set_shape) {
  const NDArray& sizes = *INPUT_VARIABLE(1);
  requireList(sizes, 1, "shape");
  const LongType* x = inputShape->at(0);
  return shapes(reshaped(x, shape::order(x), integersOf(sizes, 1)));
}
DECLARE_TYPES(set_shape) {
  getOpDescriptor()
      ->setAllowedInputTypes(ANY)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setSameMode(true)
      ->document({.summary = "Reshapes an array; in place, it reshapes the input itself.",
                  .inputs = "x: any shape\nshape: the sizes, integer scalar or vector",
                  .outputs = "z: the requested sizes, x's type and order"});
}

CUSTOM_OP_IMPL(flatten_2d, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(flatten_2d) {
  const LongType* x = inputShape->at(0);
  const int rank = shape::rank(x);
  const LongType asked = block.intArgument64(0), axis = asked < 0 ? asked + rank : asked;
  if (axis < 0 || axis > rank) reject("argument 'axis': {} is outside {}..{} (shape {})", asked, -rank, rank, text(x));
  Dims sizes = {1, 1};
  for (int d = 0; d < rank; d++)
    if (LongType& size = sizes[d < axis ? 0 : 1]; __builtin_mul_overflow(size, sizeAt(x, d), &size))
      reject("shape {} is too large", text(x));
  if (rank == 0 && shape::isEmpty(x)) sizes = {1, 0};
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), sizes));
}
DECLARE_TYPES(flatten_2d) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "Flattens an array to a matrix: the dimensions before an axis become its rows, the others its "
                  "columns.",
       .inputs = "x: any shape",
       .outputs = "z: [product of the sizes before axis, product of the others], x's type and order",
       .integers = "axis: -rank..rank; negative ones count from the end"});
}

CUSTOM_OP_IMPL(order, 1, 1, false, 0, 1) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SHAPE_FN(order) {
  const LongType* x = inputShape->at(0);
  if (shape::isEmpty(x)) return shapes(like(x));
  return shapes(shapeOf(ArrayOptions::dataType(x), block.intArgument64(0) == 1 ? 'f' : 'c', dimsOf(x)));
}
DECLARE_TYPES(order) {
  getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true)->document(
      {.summary = "A copy in a given memory order.",
       .inputs = "x: any shape",
       .outputs = "z: x's shape and type",
       .integers = "order: 1: 'f', anything else: 'c'"});
}

}  // namespace sd::ops
