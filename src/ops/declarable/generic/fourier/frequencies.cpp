// The frequencies of transforms and their order.
// operations: fftshift ifftshift fftfreq rfftfreq
#include <ops/declarable/headers/fourier.h>

#include <algorithm>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

std::vector<bool> shifted(const FourierShift& a, int rank) {
  std::vector<bool> axes(static_cast<size_t>(rank), a.axes.empty());
  for (const int axis : a.axes) axes[static_cast<size_t>(checkedAxis(axis, rank, "axes"))] = true;
  return axes;
}

/// Moves the first half of each dimension behind the second, or back.
void shift(Region from, Region to, const std::vector<bool>& axes, int axis, bool back) {
  while (axis < to.rank() && !axes[static_cast<size_t>(axis)]) axis++;
  if (axis == to.rank()) return from.copyTo(to);
  const LongType size = to.size(axis), first = back ? size / 2 : size - size / 2, rest = size - first;
  if (rest > 0) shift(Region(from).take(axis, first, rest), Region(to).take(axis, 0, rest), axes, axis + 1, back);
  if (first > 0) shift(Region(from).take(axis, 0, first), Region(to).take(axis, rest, first), axes, axis + 1, back);
}

Status shiftBy(graph::Context& block, NDArray& z, bool back) {
  const NDArray& x = *block.array(0);
  const std::vector<bool> axes = shifted(arguments<FourierShift>(block), x.rankOf());
  if (!z.isEmpty()) shift(Region(x), Region(z), axes, 0, back);
  return Status::OK;
}

void describeShift(Schema& schema, const char* summary, const char* formula, const char* inverse, const char* see,
                   const NamesElsewhere& elsewhere) {
  schema.summary(summary).formula(formula);
  schema.input("x", "any shape");
  schema.argument(&FourierShift::axes, "axes", "the dimensions, all when they are not given").atInteger(0);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (x.hasRank()) shifted(in.arguments<FourierShift>(), x.rank());
    in.output(x);
  });
  schema.example(R"({"x": [0.0, 1.0, 2.0, -2.0, -1.0]})").elsewhere(elsewhere).words("Fourier, center, spectrum");
  schema.see(see);
  schema.gradient(inverse == std::string_view("fftshift")
                      ? [](Gradient& g) { g.set(0, g.call("fftshift", {g.of()}, g.arguments<FourierShift>())); }
                      : [](Gradient& g) { g.set(0, g.call("ifftshift", {g.of()}, g.arguments<FourierShift>())); });
}

/// k / (n d) for k = 0, 1, …, where numbers from `half` on stand for negative k.
template <bool REAL>
Status frequencies(graph::Context& block, NDArray& z) {
  const auto& a = arguments<Frequencies>(block);
  if (a.d == 0) reject("argument 'd': it is 0");
  const LongType count = REAL ? a.n / 2 + 1 : a.n, half = REAL ? count : (a.n + 1) / 2;
  const double unit = static_cast<double>(a.n) * a.d;
  for (LongType k = 0; k < count; k++) z.p<double>(k, static_cast<double>(k < half ? k : k - a.n) / unit);
  return Status::OK;
}

template <bool REAL>
void describeFrequencies(Schema& schema, const char* summary, const char* formula, const char* z, const char* see,
                         const NamesElsewhere& elsewhere) {
  schema.summary(summary).formula(formula);
  schema.argument(&Frequencies::n, "n", "the length of the transform").atInteger(0).atLeast(1).require();
  schema.argument(&Frequencies::d, "d", "the distance of samples").atFloat(0);
  schema.argument(&Frequencies::dtype, "dtype", "the type of the result").atType(0);
  schema.output("z", z);
  schema.outputTypes({ALL_FLOATS}).infer([](Inference& in) {
    const auto& a = in.arguments<Frequencies>();
    if (!DataTypeUtils::isR(a.dtype))
      reject("argument 'dtype': {} is not a float type", DataTypeUtils::describe(a.dtype));
    in.output(a.dtype, {REAL ? a.n / 2 + 1 : a.n});
  });
  schema.notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"n": 5, "d": 0.1})").elsewhere(elsewhere).words("Fourier, sample frequencies").see(see);
}

}  // namespace

CUSTOM_OP_IMPL(fftshift, 1, 1, false, 0, 0) { return shiftBy(block, *OUTPUT_VARIABLE(0), false); }
INFERRED_SHAPES(fftshift)
DECLARE_SCHEMA(fftshift) {
  describeShift(schema, "Moves the frequency 0 of a transform from the beginning to the middle.",
                "z[(i + n / 2) mod n] = x[i]", "ifftshift", "ifftshift fftfreq",
                {.numpy = "numpy.fft.fftshift", .torch = "torch.fft.fftshift", .tensorflow = "tf.signal.fftshift"});
}

CUSTOM_OP_IMPL(ifftshift, 1, 1, false, 0, 0) { return shiftBy(block, *OUTPUT_VARIABLE(0), true); }
INFERRED_SHAPES(ifftshift)
DECLARE_SCHEMA(ifftshift) {
  describeShift(schema, "The inverse of fftshift.", "z[i] = x[(i + n / 2) mod n]", "fftshift", "fftshift",
                {.numpy = "numpy.fft.ifftshift", .torch = "torch.fft.ifftshift", .tensorflow = "tf.signal.ifftshift"});
}

CUSTOM_OP_IMPL(fftfreq, -2, 1, false, 0, 0) { return frequencies<false>(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(fftfreq)
DECLARE_SCHEMA(fftfreq) {
  describeFrequencies<false>(schema, "The frequencies of the numbers of fft.",
                             "z = [0, 1, …, (n - 1) / 2, -(n / 2), …, -1] / (n d)", "[n], dtype", "rfftfreq fft",
                             {.numpy = "numpy.fft.fftfreq", .torch = "torch.fft.fftfreq"});
}

CUSTOM_OP_IMPL(rfftfreq, -2, 1, false, 0, 0) { return frequencies<true>(block, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(rfftfreq)
DECLARE_SCHEMA(rfftfreq) {
  describeFrequencies<true>(schema, "The frequencies of the numbers of rfft.", "z = [0, 1, …, n / 2] / (n d)",
                            "[n / 2 + 1], dtype", "fftfreq rfft",
                            {.numpy = "numpy.fft.rfftfreq", .torch = "torch.fft.rfftfreq"});
}

}  // namespace sd::ops
