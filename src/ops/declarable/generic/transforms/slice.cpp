// A contiguous range of each dimension of an array; the gradient is surrounded by zeros.
// operations: slice slice_bp
#include <ops/declarable/headers/transforms.h>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/backward_rules.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

struct Box {
  Dims begin, size;

  Region of(const NDArray& array) const {
    Region region(array);
    for (int d = 0; d < region.rank(); d++) region.take(d, begin[static_cast<size_t>(d)], size[static_cast<size_t>(d)]);
    return region;
  }
};

/// The box in an array of this shape, whose rank is known; sizes may be unknown.
Box box(const Slice& a, const PartialShape& x) {
  const auto rank = static_cast<size_t>(x.rank());
  Box result{a.begin, a.size};
  if (result.begin.size() != rank || result.size.size() != rank)
    reject("arguments 'begin' and 'size': {} and {} values are given for shape {}", result.begin.size(),
           result.size.size(), x.text());
  for (size_t d = 0; d < rank; d++) {
    const LongType whole = x[static_cast<int>(d)], begin = result.begin[d];
    LongType& size = result.size[d];
    const bool known = whole != PartialShape::UNKNOWN;
    if (begin < 0 || (known && begin > whole))
      reject("argument 'begin': {} in dimension {} is outside 0..{} (shape {})", begin, d, whole, x.text());
    if (size == -1 && known) size = whole - begin;
    if (size < (known ? 0 : -1) || (known && size > whole - begin))
      reject("argument 'size': {} positions from {} in dimension {} do not fit shape {}", size, begin, d, x.text());
  }
  return result;
}

const Box& current(graph::Context& block) {
  return kept<Box>(block, [&] { return box(arguments<Slice>(block), PartialShape::of(block.array(0)->shapeInfo())); });
}

/// Whether inputs give begin and size: of the gradient, they stand between x and gradZ and may be left out.
bool hasInputs(const graph::Context& block, bool isGradient) {
  const bool given = block.width() > (isGradient ? 3 : 2);
  return given && block.optionalArray(1) != nullptr && block.optionalArray(2) != nullptr;
}

/// By position one value of begin for each dimension, then as many of size. `WHICH` is 0 for begin.
template <int WHICH, bool GRADIENT>
bool readBox(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  Dims values;
  const bool fromInputs = hasInputs(block, GRADIENT);
  if (fromInputs) {
    const NDArray& given = *block.array(WHICH + 1);
    if (!given.hasValues()) return true;
    values = integersOf(given, WHICH + 1, row.name());
  } else {
    const NDArray* x = block.width() > 0 ? block.optionalArray(0) : nullptr;
    const size_t rank = x != nullptr ? static_cast<size_t>(x->rankOf()) : block.numI() / 2;
    if (block.numI() == 0) return false;
    if (block.numI() < 2 * rank) reject("{} integer arguments are needed for shape {}", 2 * rank, text(*x));
    for (size_t d = 0; d < rank; d++) values.push_back(block.intArgument64(WHICH * rank + d));
  }
  row.access().setIntegers(row.memberOf(arguments), values.data(), values.size());
  return true;
}

void inferBox(Inference& in) {
  const PartialShape x = in.input(0);
  if (x.rank() == 0) return in.output(x);
  const bool known = in.knows(&Slice::begin) && in.knows(&Slice::size);
  if (!x.hasRank()) return in.output(PartialShape(x.type()));
  if (!known) return in.output(PartialShape::ofRank(x.type(), x.rank()));
  Box result = box(in.arguments<Slice>(), x);
  in.output(PartialShape(x.type(), result.size));
  in.keep(std::move(result));
}

constexpr const char *BEGIN_TEXT = "the first position in each dimension",
                     *SIZE_TEXT = "the number of positions in each dimension; -1: up to the end";

}  // namespace

CUSTOM_OP_IMPL(slice, 1, 1, false, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  current(block).of(x).copyTo(Region(*OUTPUT_VARIABLE(0)));
  return Status::OK;
}
INFERRED_SHAPES(slice)
DECLARE_SCHEMA(slice) {
  schema.summary("A rectangular part (box) of an array.").formula("z[i, j, ..] = x[begin0 + i, begin1 + j, ..]");
  schema.input("x", "any shape").moved();
  schema.input("begin", "[rank of x], the first positions").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.input("size", "[rank of x], the numbers of positions, -1: up to the end")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.argument(&Slice::begin, "begin", BEGIN_TEXT).atInteger(0).readBy(readBox<0, false>).orInput(1);
  schema.argument(&Slice::size, "size", SIZE_TEXT).atInteger(0).readBy(readBox<1, false>).orInput(2);
  schema.output("z", "the requested sizes, x's type");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer(inferBox);
  schema.gradient("slice_bp");
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "begin": [0, 1], "size": [2, 2]})");
  schema.elsewhere({.torch = "torch.narrow", .tensorflow = "tf.slice", .onnx = "Slice"});
  schema.words("crop, subarray, box").see("strided_slice gather pad");
}

CUSTOM_OP_IMPL(slice_bp, 2, 1, false, 0, -2) {
  const int last = block.width() > 3 ? 3 : 1;
  if (block.optionalArray(last) == nullptr) reject("input {} 'gradZ' is missing", last);
  const NDArray& gradZ = *block.array(last);
  NDArray& gradient = *OUTPUT_VARIABLE(0);
  const Box& part = current(block);
  for (const LongType size : part.size)
    if (size < 1) reject("argument 'size': {} is below 1 ({})", size, text(part.size));
  if (!gradZ.isSameShape(part.size) && !(gradZ.lengthOf() == 1 && part.size.empty()))
    reject("input {} 'gradZ': its shape is {}, but the box has shape {}", last, text(gradZ), text(part.size));
  Region(gradient).fillZeros();
  Region(gradZ).copyTo(part.of(gradient));
  return Status::OK;
}
INFERRED_SHAPES(slice_bp)
DECLARE_SCHEMA(slice_bp) {
  schema.summary("The gradient of slice: the gradient of the box, zeros around it.")
      .formula("gradX[begin0 + i, ..] = gradZ[i, ..], 0 elsewhere");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX});
  schema.input("begin", "as in slice; when begin and size are left out, gradZ moves up")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX})
      .optional();
  schema.input("size", "as in slice").types({ALL_FLOATS, ALL_INTS, BOOL}).optional();
  schema.input("gradZ", "the gradient of the box; the last input").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX});
  schema.argument(&Slice::begin, "begin", BEGIN_TEXT).atInteger(0).readBy(readBox<0, true>);
  schema.argument(&Slice::size, "size", SIZE_TEXT).atInteger(0).readBy(readBox<1, true>);
  schema.output("gradX", "x's shape and type");
  schema.outputTypes({ALL_FLOATS, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    in.input(in.inputs() > 3 ? 3 : 1);
    in.output(in.input(0));
  });
  schema.gradient(linearBackwardRule);
  schema.example(R"({"x": [1.0, 2.0, 3.0], "gradZ": [10.0, 20.0], "begin": [1], "size": [2]})");
  schema.see("slice");
}

}  // namespace sd::ops
