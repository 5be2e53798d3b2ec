// The same elements, in c order, in another shape.
// operations: reshape reshapeas expand_dims squeeze set_shape flatten_2d order
// aliases: reshape_as
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/ShortList.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

char letterOf(MemoryOrder order) { return order == MemoryOrder::C ? 'c' : 'f'; }

/// The first integer of reshape is the order if an input gives the sizes, or if it is below -1.
bool beginsWithOrder(const graph::Context& block) {
  return block.numI() > 0 && (block.optionalArray(1) != nullptr || block.intArgument64(0) < -1);
}

bool readOrder(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (!beginsWithOrder(block)) return false;
  const LongType code = block.intArgument64(0), letter = code < 0 && code > -128 ? -code : code;
  if (letter != 'c' && letter != 'f')
    rejectAtRuntime("argument 'order': {} is neither 99 ('c') nor 102 ('f'), with or without a minus", code);
  const auto order = static_cast<LongType>(letter == 'c' ? MemoryOrder::C : MemoryOrder::Fortran);
  row.access().setIntegers(row.memberOf(arguments), &order, 1);
  return true;
}

bool readSizes(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  ShortList<LongType> sizes;
  for (size_t i = beginsWithOrder(block) ? 1 : 0; i < block.numI(); i++) sizes.push_back(block.intArgument64(i));
  row.access().setIntegers(row.memberOf(arguments), sizes.data(), sizes.size());
  return !sizes.empty();
}

/// The only integer of `order`: 1 means Fortran order, everything else c order.
bool readOrderOfCopy(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.numI() == 0) return false;
  const auto order = static_cast<LongType>(block.intArgument64(0) == 1 ? MemoryOrder::Fortran : MemoryOrder::C);
  row.access().setIntegers(row.memberOf(arguments), &order, 1);
  return true;
}

/// The product of the sizes other than 0 and -1.
LongType productOf(const Dims& sizes) {
  LongType product = 1;
  for (const LongType size : sizes)
    if (size > 0 && __builtin_mul_overflow(product, size, &product)) reject("shape {} is too large", text(sizes));
  return product;
}

/// `sizes` with a size of -1 replaced, so that the length is that of x; it stays when the length is unknown.
Dims completed(Dims sizes, const PartialShape& x) {
  const auto unknown = std::find(sizes.begin(), sizes.end(), -1);
  if (unknown != sizes.end() && std::find(unknown + 1, sizes.end(), -1) != sizes.end())
    reject("argument 'shape': {} has more than one -1", text(sizes));
  const Dims asked = sizes;
  const LongType known = productOf(sizes);
  const bool hasZero = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (!x.isEmpty() && !x.hasKnownSizes()) {
    if (unknown != sizes.end()) *unknown = 1;
    requireSizes(sizes, "shape");
    return asked;
  }
  const LongType length = x.isEmpty() ? (hasZero ? productOf(x.sizes()) : 0) : x.length();
  if (unknown != sizes.end()) {
    if (length % known != 0) reject("shape {} cannot become {}", x.text(), text(asked));
    *unknown = length / known;
  }
  requireSizes(sizes, "shape");
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  if (empty != x.isEmpty() || (!empty && productOf(sizes) != x.length()))
    reject("shape {} with {} elements cannot become {}", x.text(), x.length(), text(asked));
  return sizes;
}

PartialShape reshaped(const PartialShape& x, char order, const Dims& sizes) {
  return PartialShape(x.type(), completed(sizes, x), order);
}

/// A shape whose sizes are in an input of unknown values.
PartialShape sizesUnknown(DataType type, const PartialShape& list) {
  const LongType count = list.length();
  if (count == UNKNOWN || count > SD_MAX_RANK) return PartialShape(type);
  return PartialShape::ofRank(type, static_cast<int>(count));
}

Status copyElements(graph::Context& block, NDArray& z) {
  copy(*block.array(0), z);
  return Status::OK;
}

}  // namespace

CUSTOM_OP_IMPL(reshape, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(reshape)
DECLARE_SCHEMA(reshape) {
  schema.summary("The same elements, in c order, in another shape.")
      .note("One size may be -1: it is computed from the number of elements. A size of 0 means 0.");
  schema.input("x", "any shape");
  schema.input("shape", "[rank], the sizes").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&Reshape::shape, "shape", "the sizes; one may be -1 and is computed from the number of elements")
      .atInteger(1)
      .readBy(readSizes)
      .orInput(1);
  schema
      .argument(&Reshape::order, "order",
                "the memory order of z; the elements keep their c order; by position -99 or -102 before the sizes")
      .atInteger(0)
      .readBy(readOrder);
  schema.output("z", "the requested sizes, the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto& a = in.arguments<Reshape>();
    const bool known = in.knows(&Reshape::shape);
    in.output(known ? reshaped(x, letterOf(a.order), a.shape) : sizesUnknown(x.type(), in.input(1)));
  });
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "shape": [2, -1]})");
  schema.elsewhere({.numpy = "numpy.reshape", .torch = "torch.reshape", .tensorflow = "tf.reshape", .onnx = "Reshape"});
  schema.words("view, change shape").see("reshapeas flatten squeeze");
  schema.gradient(reshapeRule);
}

CUSTOM_OP_IMPL(reshapeas, 2, 1, false, 0, 0) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(reshapeas)
DECLARE_SCHEMA(reshapeas) {
  schema.summary("The elements of one array, in c order, in the shape of another.");
  schema.input("x", "any shape");
  schema.input("y", "as many elements, any type");
  schema.output("z", "the shape and order of y, the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0), y = in.input(1);
    if (y.isEmptyScalar() && x.isEmpty()) return in.output(y.withType(x.type()));
    in.output(y.hasKnownSizes() ? asRuntimeError([&] { return reshaped(x, y.order(), y.sizes()); })
                                : y.withType(x.type()));
  });
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "y": [[0.0, 0.0], [0.0, 0.0]]})");
  schema.elsewhere({.torch = "torch.Tensor.view_as"});
  schema.words("view as").see("reshape");
  schema.gradient(reshapeRule);
}
DECLARE_SYN(reshape_as, reshapeas);

CUSTOM_OP_IMPL(expand_dims, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(expand_dims)
DECLARE_SCHEMA(expand_dims) {
  schema.summary("Adds a dimension of size 1.");
  schema.input("x", "any shape");
  schema.input("axis", "one integer; used when there is no argument").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&ExpandDims::axis, "axis", "position of the new dimension, -(rank + 1)..rank")
      .atInteger(0)
      .elseInput(1)
      .require();
  schema.output("z", "the shape of x with a size of 1 inserted before position axis, the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (!x.hasRank()) return in.output(PartialShape(x.type()));
    if (!in.knows(&ExpandDims::axis)) return in.output(PartialShape::ofRank(x.type(), x.rank() + 1));
    const int place = checkedAxis(in.arguments<ExpandDims>().axis, x.rank() + 1);
    PartialShape z(x.type(), {}, x.order());
    for (int d = 0; d < x.rank(); d++) {
      if (d == place) z.append(1);
      z.append(x[d]);
    }
    if (place == x.rank()) z.append(x.isEmptyScalar() ? 0 : 1);
    in.output(z);
  });
  schema.example(R"({"x": [1.0, 2.0], "axis": 0})");
  schema.elsewhere(
      {.numpy = "numpy.expand_dims", .torch = "torch.unsqueeze", .tensorflow = "tf.expand_dims", .onnx = "Unsqueeze"});
  schema.words("unsqueeze, new axis").see("squeeze reshape");
  schema.gradient(reshapeRule);
}

namespace {

void inferSqueezed(Inference& in) {
  const PartialShape x = in.input(0);
  if (x.rank() == 0) return in.output(x);
  if (x.rank() == 1 && x[0] == 1) return in.output(PartialShape::scalar(x.type()));
  if (!x.hasRank() || (x.rank() == 1 && x[0] == UNKNOWN) || !in.knows(&Squeeze::axis))
    return in.output(PartialShape(x.type()));
  const auto& axes = in.arguments<Squeeze>().axis;
  std::vector<bool> listed(static_cast<size_t>(x.rank()), axes.empty());
  for (const int axis : axes) listed[static_cast<size_t>(checkedAxis(axis, x.rank()))] = true;
  PartialShape z(x.type(), {}, x.order());
  for (int d = 0; d < x.rank(); d++) {
    if (x[d] == UNKNOWN && listed[static_cast<size_t>(d)]) return in.output(PartialShape(x.type()));
    if (x[d] != 1 || !listed[static_cast<size_t>(d)]) z.append(x[d]);
  }
  in.output(z);
}

}  // namespace

CUSTOM_OP_IMPL(squeeze, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(squeeze)
DECLARE_SCHEMA(squeeze) {
  schema.summary("Removes dimensions of size 1.")
      .note("A scalar or a vector of one element becomes a scalar for any axes.");
  schema.input("x", "any shape");
  schema.input("axis", "the dimensions; used when there are no arguments").types({ALL_FLOATS, ALL_INTS}).optional();
  schema
      .argument(
          &Squeeze::axis, "axis",
          "dimensions to remove if their size is 1; all of size 1 if there are none; negative ones count from the end")
      .atInteger(0)
      .elseInput(1);
  schema.output("z", "the shape of x without them, the type of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferSqueezed);
  schema.example(R"({"x": [[1.0, 2.0]], "axis": [0]})");
  schema.elsewhere({.numpy = "numpy.squeeze", .torch = "torch.squeeze", .tensorflow = "tf.squeeze", .onnx = "Squeeze"});
  schema.words("remove dimensions").see("expand_dims reshape");
  schema.gradient(reshapeRule);
}

CUSTOM_OP_IMPL(set_shape, 2, 1, true, 0, 0) {
  NDArray &x = *INPUT_VARIABLE(0), &z = *OUTPUT_VARIABLE(0);
  if (&x == &z)
    x.reshapei(x.ordering(), completed(integersOf(*INPUT_VARIABLE(1), 1, "shape"), PartialShape::of(x.shapeInfo())));
  else
    copy(x, z);
  return Status::OK;
}
INFERRED_SHAPES(set_shape)
DECLARE_SCHEMA(set_shape) {
  schema.summary("Reshapes an array; in place, it reshapes the input itself.");
  schema.input("x", "any shape");
  schema.input("shape", "[rank], the sizes").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.output("z", "the requested sizes, the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    const auto sizes = listedIn(in, 1, "shape");
    in.output(sizes ? reshaped(x, x.order(), *sizes) : sizesUnknown(x.type(), in.input(1)));
  });
  schema.example(R"({"x": [1.0, 2.0, 3.0, 4.0], "shape": [2, 2]})");
  schema.words("reshape in place").see("reshape");
  schema.gradient(reshapeRule);
}

namespace {

void inferFlat2d(Inference& in) {
  const PartialShape x = in.input(0);
  if (!x.hasRank()) return in.output(PartialShape::ofRank(x.type(), 2));
  const int rank = x.rank();
  const LongType asked = in.arguments<Flatten2d>().axis, axis = asked < 0 ? asked + rank : asked;
  if (axis < 0 || axis > rank) reject("argument 'axis': {} is outside {}..{} (shape {})", asked, -rank, rank, x.text());
  PartialShape z(x.type(), {1, 1}, x.order());
  for (int d = 0; d < rank; d++) {
    const int side = d < axis ? 0 : 1;
    LongType size = z[side];
    if (size == UNKNOWN || x[d] == UNKNOWN)
      size = UNKNOWN;
    else if (__builtin_mul_overflow(size, x[d], &size))
      reject("shape {} is too large", x.text());
    z.set(side, size);
  }
  if (x.isEmptyScalar()) z.set(1, 0);
  in.output(z);
}

}  // namespace

CUSTOM_OP_IMPL(flatten_2d, 1, 1, false, 0, -2) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(flatten_2d)
DECLARE_SCHEMA(flatten_2d) {
  schema.summary(
      "Flattens an array to a matrix: the dimensions before an axis become its rows, the others its columns.");
  schema.input("x", "any shape");
  schema.argument(&Flatten2d::axis, "axis", "the first dimension that becomes part of the columns, -rank..rank")
      .atInteger(0)
      .require();
  schema.output("z", "[product of the sizes before axis, product of the others], the type and order of x");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferFlat2d);
  schema.example(R"({"x": [[[1.0, 2.0], [3.0, 4.0]]], "axis": 1})");
  schema.elsewhere({.onnx = "Flatten"});
  schema.words("matrix").see("flatten reshape");
  schema.gradient(reshapeRule);
}

CUSTOM_OP_IMPL(order, 1, 1, false, 0, 1) { return copyElements(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(order)
DECLARE_SCHEMA(order) {
  schema.summary("A copy in a given memory order.");
  schema.input("x", "any shape");
  schema
      .argument(&OrderedCopy::order, "order",
                "the memory order of the copy; by position 1 means fortran, everything else c")
      .atInteger(0)
      .readBy(readOrderOfCopy);
  schema.output("z", "x's shape and type, in that order");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    in.output(x.isEmpty() ? x : x.withOrder(letterOf(in.arguments<OrderedCopy>().order)));
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "order": "fortran"})");
  schema.words("layout, contiguous").see("reshape");
  schema.gradient(reshapeRule);
}

}  // namespace sd::ops
