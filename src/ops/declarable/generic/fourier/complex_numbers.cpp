// Complex numbers and their parts.
// operations: complex real imag conj complex_abs angle
// calls: Abs Atan2
#include <array/TypePromotion.h>
#include <ops/declarable/headers/complex_numbers.h>

#include "array/ComplexParts.h"
#include "array/NDArrayCommon.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

DataType partOf(const PartialShape& x) { return x.hasType() ? DataTypeUtils::partType(x.type()) : INHERIT; }

void inferPart(Inference& in) { in.output(in.input(0).withType(partOf(in.input(0)))); }

/// Two real arrays as one that is complex.
Symbol joined(Gradient& g, Symbol real, Symbol imaginary) { return g.call("complex", {real, imaginary}); }

}  // namespace

CUSTOM_OP_IMPL(complex, 1, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const NDArray* imaginary = block.optionalArray(1);
  NDArray re = arrays::realPart(z), im = arrays::imaginaryPart(z);
  re.assign(*INPUT_VARIABLE(0));
  if (imaginary != nullptr)
    im.assign(*imaginary);
  else
    im.assign(0);
  return Status::OK;
}
INFERRED_SHAPES(complex)
DECLARE_SCHEMA(complex) {
  schema.summary("Complex numbers of real and imaginary parts.").formula("z = real + i imag");
  schema.input("real", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.input("imag", "a shape that broadcasts with real; 0 when it is not given")
      .types({ALL_FLOATS, ALL_INTS})
      .optional();
  schema.output("z", "the broadcast shape; COMPLEX128 when an input is DOUBLE, else COMPLEX64");
  schema.outputTypes({ALL_COMPLEX}).infer([](Inference& in) {
    PartialShape z = in.input(0);
    DataType type = z.type();
    if (in.has(1)) {
      type = z.hasType() && in.input(1).hasType() ? promotedType(type, in.input(1).type()) : INHERIT;
      z = broadcast(z, in.input(1));
    }
    // Integers are no reason for 128 bits.
    const bool wide = in.input(0).type() == DOUBLE || (in.has(1) && in.input(1).type() == DOUBLE);
    in.output(z.withType(type == INHERIT ? INHERIT : wide ? COMPLEX128 : COMPLEX64));
  });
  schema.gradient([](Gradient& g) {
    g.set(0, g.sumTo(g.call("real", {g.of()}), g.input(0)));
    if (g.inputs() > 1 && g.input(1)) g.set(1, g.sumTo(g.call("imag", {g.of()}), g.input(1)));
  });
  schema.example(R"({"real": [1.0, 2.0], "imag": [0.5, -1.0]})")
      .elsewhere({.torch = "torch.complex", .tensorflow = "tf.complex"})
      .words("complex numbers, real and imaginary parts")
      .see("real imag");
}

CUSTOM_OP_IMPL(real, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  copy(x.isC() ? arrays::realPart(x) : x, *OUTPUT_VARIABLE(0));
  return Status::OK;
}
INFERRED_SHAPES(real)
DECLARE_SCHEMA(real) {
  schema.summary("The real parts of complex numbers.").formula("z = x.real");
  schema.input("x", "any shape").types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape of x; FLOAT32 for COMPLEX64, DOUBLE for COMPLEX128, the type of x otherwise");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferPart);
  schema.gradient([](Gradient& g) { g.set(0, g.cast(g.of(), g.input(0))); });
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.real", .torch = "torch.real", .tensorflow = "tf.math.real"})
      .words("real part")
      .see("imag complex");
}

CUSTOM_OP_IMPL(imag, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (x.isC())
    copy(arrays::imaginaryPart(x), z);
  else
    z.nullify();
  return Status::OK;
}
INFERRED_SHAPES(imag)
DECLARE_SCHEMA(imag) {
  schema.summary("The imaginary parts of complex numbers.").formula("z = x.imag; 0 for real numbers");
  schema.input("x", "any shape").types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape of x; FLOAT32 for COMPLEX64, DOUBLE for COMPLEX128, the type of x otherwise");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferPart);
  schema.gradient([](Gradient& g) {
    if (DataTypeUtils::isC(g.shape(g.input(0)).type())) g.set(0, joined(g, g.zerosLike(g.of()), g.of()));
  });
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.imag", .torch = "torch.imag", .tensorflow = "tf.math.imag"})
      .words("imaginary part")
      .see("real complex");
}

CUSTOM_OP_IMPL(conj, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  copy(x, z);
  if (z.isC()) arrays::conjugate(z);
  return Status::OK;
}
INFERRED_SHAPES(conj)
DECLARE_SCHEMA(conj) {
  schema.summary("The conjugates of complex numbers.").formula("z = x.real - i x.imag; real numbers stay as they are");
  schema.input("x", "any shape").types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape and type of x");
  schema.sameTypes().infer(inferLikeFirst);
  schema.gradient([](Gradient& g) { g.set(0, conjugate(g, g.of())); });
  schema.example(R"({"x": [1.0, 2.0]})")
      .elsewhere({.numpy = "numpy.conj", .torch = "torch.conj", .tensorflow = "tf.math.conj"})
      .words("complex conjugate")
      .see("complex imag");
}

CUSTOM_OP_IMPL(complex_abs, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  x.applyTransform(transform::Abs, z);
  return Status::OK;
}
INFERRED_SHAPES(complex_abs)
DECLARE_SCHEMA(complex_abs) {
  schema.summary("The magnitudes of complex numbers.")
      .formula("z = sqrt(x.real^2 + x.imag^2), without overflow between");
  schema.input("x", "any shape").types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape of x; FLOAT32 for COMPLEX64, DOUBLE for COMPLEX128, the type of x otherwise");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferPart);
  schema.gradient([](Gradient& g) {
    const Symbol factor = g.call("divide_no_nan", {g.of(), g.output()});
    g.set(0, g.input(0) * g.cast(factor, g.input(0)));
  });
  schema.example(R"({"x": [3.0, -4.0]})")
      .elsewhere({.tensorflow = "tf.raw_ops.ComplexAbs"})
      .words("absolute value, magnitude, modulus")
      .see("angle real imag");
}

CUSTOM_OP_IMPL(angle, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  if (x.isC()) {
    broadcastTo(loops::OpGroup::Pairwise, pairwise::Atan2, arrays::realPart(x), arrays::imaginaryPart(x), z);
  } else {
    const NDArray values = arrays::converted(x, z.dataType());
    broadcastTo(loops::OpGroup::Pairwise, pairwise::Atan2, values, NDArray(z.dataType()), z);
  }
  return Status::OK;
}
INFERRED_SHAPES(angle)
DECLARE_SCHEMA(angle) {
  schema.summary("The angles of complex numbers to the positive real axis.")
      .formula("z = atan2(x.imag, x.real), in -pi..pi; for real numbers 0, or pi where they are negative");
  schema.input("x", "any shape").types({ALL_COMPLEX, ALL_FLOATS, ALL_INTS});
  schema.output("z", "the shape of x; its float type, FLOAT32 for COMPLEX64, DOUBLE for COMPLEX128");
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const DataType type = partOf(in.input(0));
    in.output(in.input(0).withType(type == INHERIT ? type : DataTypeUtils::pickFloatingType(type)));
  });
  schema.gradient([](Gradient& g) {
    const Symbol x = g.input(0);
    if (!DataTypeUtils::isC(g.shape(x).type())) return g.set(0, g.zerosLike(x));
    const Symbol re = g.call("real", {x}), im = g.call("imag", {x});
    const Symbol factor = g.call("divide_no_nan", {g.of(), re * re + im * im});
    g.set(0, joined(g, -(factor * im), factor * re));
  });
  schema.example(R"({"x": [1.0, -2.0]})")
      .elsewhere({.numpy = "numpy.angle", .torch = "torch.angle", .tensorflow = "tf.math.angle"})
      .words("argument, phase, polar angle")
      .see("complex_abs tf_atan2");
}

}  // namespace sd::ops
