// Shape queries, which do not read the elements of their inputs.
// operations: rank size size_at shape_of shapes_of
// aliases: shape shape_n
#include <ops/declarable/headers/shape.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/runtime_errors.h"

namespace sd::ops {
namespace {

void writeShape(const NDArray& x, NDArray& z) {
  for (int d = 0; d < x.rankOf(); d++) z.p(d, x.sizeAt(d));
}

/// The dimension that size_at asks for.
int dimensionOf(const SizeAt& a, int rank) {
  return a.axis < 0 ? asRuntimeError([&] { return checkedAxis(a.axis, rank); }) : checkedAxis(a.axis, rank);
}

}  // namespace

CUSTOM_OP_IMPL(rank, 1, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->p(0, INPUT_VARIABLE(0)->rankOf());
  return Status::OK;
}
INFERRED_SHAPES(rank)
DECLARE_SCHEMA(rank) {
  schema.summary("The number of dimensions.");
  schema.input("x", "any shape and type");
  schema.output("z", "scalar, INT32; 0 for a scalar");
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ALL_INTS, ALL_FLOATS}).infer([](Inference& in) {
    in.output(PartialShape::scalar(INT32));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 2.0]]})");
  schema.elsewhere({.numpy = "numpy.ndim", .torch = "torch.Tensor.dim", .tensorflow = "tf.rank"});
  schema.words("number of dimensions, ndim").see("shape_of size");
}

CUSTOM_OP_IMPL(size, 1, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->p(0, INPUT_VARIABLE(0)->lengthOf());
  return Status::OK;
}
INFERRED_SHAPES(size)
DECLARE_SCHEMA(size) {
  schema.summary("The number of elements.").formula("z = product of x.shape");
  schema.input("x", "any shape and type");
  schema.output("z", "scalar, INT64; 0 for an empty array, 1 for a scalar");
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ALL_INTS, ALL_FLOATS}).infer([](Inference& in) {
    in.output(PartialShape::scalar(INT64));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 2.0]]})");
  schema.elsewhere({.numpy = "numpy.size", .torch = "torch.numel", .tensorflow = "tf.size", .onnx = "Size"});
  schema.words("length, number of elements, numel").see("size_at shape_of");
}

CUSTOM_OP_IMPL(size_at, 1, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  OUTPUT_VARIABLE(0)->p(0, x.sizeAt(dimensionOf(arguments<SizeAt>(block), x.rankOf())));
  return Status::OK;
}
INFERRED_SHAPES(size_at)
DECLARE_SCHEMA(size_at) {
  schema.summary("The size of one dimension.").formula("z = x.shape[axis]");
  schema.input("x", "any shape and type");
  schema.argument(&SizeAt::axis, "axis", "the dimension; negative ones count from the end").atInteger(0).require();
  schema.output("z", "scalar, INT64");
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ALL_INTS, ALL_FLOATS}).infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (x.hasRank()) dimensionOf(in.arguments<SizeAt>(), x.rank());
    in.output(PartialShape::scalar(INT64));
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 2.0]], "axis": 1})");
  schema.elsewhere({.torch = "torch.Tensor.size"});
  schema.words("dimension, length of axis").see("shape_of");
}

CUSTOM_OP_IMPL(shape_of, 1, 1, false, 0, 0) {
  writeShape(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(shape_of)
DECLARE_SCHEMA(shape_of) {
  schema.summary("The sizes of the dimensions.").formula("z[i] = x.shape[i]");
  schema.input("x", "any shape and type");
  schema.argument(&ShapeOf::dtype, "dtype", "the type of the result, an integer type").atInteger(0);
  schema.output("z", "[rank of x], dtype; empty for a scalar");
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ALL_INTS}).infer([](Inference& in) {
    const DataType type = in.arguments<ShapeOf>().dtype;
    if (!DataTypeUtils::isZ(type)) reject("argument 'dtype': {} is not an integer type", DataTypeUtils::describe(type));
    in.output(type, {in.input(0).rank()});
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]})");
  schema.elsewhere({.numpy = "numpy.shape", .torch = "torch.Tensor.shape", .tensorflow = "tf.shape", .onnx = "Shape"});
  schema.words("shape, dimensions").see("shapes_of rank size");
}
DECLARE_SYN(shape, shape_of);

CUSTOM_OP_IMPL(shapes_of, -1, -1, false, 0, 0) {
  for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) writeShape(*INPUT_VARIABLE(i), *OUTPUT_VARIABLE(i));
  return Status::OK;
}
INFERRED_SHAPES(shapes_of)
DECLARE_SCHEMA(shapes_of) {
  schema.summary("The sizes of the dimensions of each input.").formula("z_k[i] = x_k.shape[i]");
  schema.input("x", "any shapes and types").any();
  schema.output("z", "[rank of the input], INT64").any();
  schema.inputTypes({ANY, ALL_COMPLEX}).outputTypes({ALL_INTS}).infer([](Inference& in) {
    for (int i = 0; i < in.inputs(); i++) in.output(INT64, {in.input(i).rank()});
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [[1.0, 2.0], [[3.0, 4.0]]]})");
  schema.elsewhere({.tensorflow = "tf.shape_n"});
  schema.words("shapes").see("shape_of");
}
DECLARE_SYN(shape_n, shapes_of);

}  // namespace sd::ops
