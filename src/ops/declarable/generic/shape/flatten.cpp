// All elements of several arrays in one vector.
// operations: flatten
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <numeric>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {

namespace {

void inferFlat(Inference& in) {
  const DataType type = in.input(0).type();
  LongType length = 0;
  for (int i = 0; i < in.inputs(); i++) {
    const PartialShape x = in.input(i);
    if (x.hasType() && type != INHERIT && x.type() != type)
      reject("input {}: its type is {}, but input 0 has type {}", i, DataTypeUtils::describe(x.type()),
             DataTypeUtils::describe(type));
    const LongType added = x.length();
    if (added == PartialShape::UNKNOWN || length == PartialShape::UNKNOWN)
      length = PartialShape::UNKNOWN;
    else if (__builtin_add_overflow(length, added, &length))
      reject("the inputs have too many elements");
  }
  in.output(type, {length});
}

}  // namespace

CUSTOM_OP_IMPL(flatten, -1, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const bool fortran = arguments<Flatten>(block).order == MemoryOrder::Fortran;
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
INFERRED_SHAPES(flatten)
DECLARE_SCHEMA(flatten) {
  schema.summary("The elements of all inputs, one input after the other, in one vector.");
  schema.input("x", "any shapes, one type").any().types({ALL_FLOATS, ALL_INTS, BOOL});
  schema.argument(&Flatten::order, "order", "the order in which the elements of each input are read")
      .atInteger(0)
      .otherwise(MemoryOrder::Fortran);
  schema.output("z", "[number of all elements], the type of the inputs");
  schema.sameTypes().infer(inferFlat);
  schema.example(R"({"x": [[[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]], "order": "c"})");
  schema.elsewhere({.numpy = "numpy.ravel", .torch = "torch.flatten"});
  schema.words("ravel, vector, concatenate").see("flatten_2d reshape concat");
  schema.gradient([](Gradient& g) {
    // In fortran order the elements are those of the transposed arrays.
    const bool fortran = g.arguments<Flatten>().order == MemoryOrder::Fortran;
    std::vector<Symbol> arrays, vectors;
    for (int i = 0; i < g.inputs(); i++) {
      arrays.push_back(fortran ? g.permute(g.input(i), {}) : g.input(i));
      vectors.push_back(g.flat(arrays.back()));
    }
    vectors.push_back(g.of());
    const auto parts = g.callAll("concat_bp", vectors, Concat{0});
    for (size_t i = 0; i < arrays.size(); i++) {
      const Symbol shaped = g.reshapeLike(parts[i], arrays[i]);
      g.set(static_cast<int>(i), fortran ? g.permute(shaped, {}) : shaped);
    }
  });
}

}  // namespace sd::ops
