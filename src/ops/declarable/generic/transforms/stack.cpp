// Stacks arrays of the same shape along a new dimension, and back.
// operations: stack parallel_stack unstack
// aliases: pack Pack unpack
#include <ops/declarable/headers/transforms.h>
#include <system/openmp_pragmas.h>

#include <array>

#include "array/NDArrayCommon.h"
#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"

namespace sd::ops {
namespace {

void inferStacked(Inference& in, int axis) {
  PartialShape first = in.input(0);
  for (int i = 1; i < in.inputs(); i++) {
    const PartialShape x = in.input(i);
    if (!compatible(x, first) || (x.rank() == 0 && first.rank() == 0 && x.isEmptyScalar() != first.isEmptyScalar()))
      reject("input {}: its shape is {}, but input 0 has shape {}", i, x.text(), first.text());
    if (x.hasType() && first.hasType() && x.type() != first.type())
      reject("input {}: its type is {}, but input 0 has type {}", i, DataTypeUtils::describe(x.type()),
             DataTypeUtils::describe(first.type()));
    first = merged(first, x);
  }
  if (!first.hasRank()) return in.output(PartialShape(first.type()));
  const int place = checkedAxis(axis, first.rank() + 1);
  const LongType count = in.inputs();
  PartialShape z(first.type(), {}, first.order());
  if (first.isEmptyScalar()) {
    if (count > 1) z.append(count);
    return in.output(z.append(0));
  }
  for (int d = 0; d <= first.rank(); d++) {
    if (d == place) z.append(count);
    if (d < first.rank()) z.append(first[d]);
  }
  in.output(z);
}

/// z[i, k] = inputs[k][i] for a few contiguous arrays, written as whole vectors of z.
template <typename T, int COUNT>
void interleave(graph::Context& block, NDArray& z) {
  const LongType length = z.lengthOf() / COUNT;
  std::array<const T*, COUNT> from;
  for (int k = 0; k < COUNT; k++) from[static_cast<size_t>(k)] = static_cast<const T*>(block.array(k)->buffer());
  T* const to = static_cast<T*>(z.buffer());
  const double cost = 0.1 * static_cast<double>(z.lengthOf()) * sizeof(T);
  execution::parallelFor(length, execution::threadsFor(cost), [=](LongType start, LongType stop) {
    PRAGMA_OMP_SIMD
    for (LongType i = start; i < stop; i++)
      for (size_t k = 0; k < COUNT; k++) to[i * COUNT + static_cast<LongType>(k)] = from[k][i];
  });
}

/// Returns whether it could interleave the inputs.
bool interleaved(graph::Context& block, int place, NDArray& z) {
  const auto count = block.width();
  if (place != z.rankOf() - 1 || (count != 2 && count != 4) || !arrays::isLinear(z)) return false;
  for (size_t k = 0; k < count; k++)
    if (!arrays::isLinear(*block.array(static_cast<int>(k)))) return false;
  const auto run = [&]<typename T>() { count == 2 ? interleave<T, 2>(block, z) : interleave<T, 4>(block, z); };
  switch (z.sizeOfT()) {
    case 1:
      run.template operator()<uint8_t>();
      return true;
    case 2:
      run.template operator()<uint16_t>();
      return true;
    case 4:
      run.template operator()<uint32_t>();
      return true;
    case 8:
      run.template operator()<uint64_t>();
      return true;
    default:
      return false;
  }
}

Status stackInto(graph::Context& block, LongType axis, NDArray& z) {
  if (z.isEmpty()) return Status::OK;
  const int place = checkedAxis(axis, z.rankOf());
  if (interleaved(block, place, z)) return Status::OK;
  const auto inputs = arraysAt(static_cast<int>(block.width()), [&](int i) { return block.array(i); });
  if (copyPieces(z, place, inputs, false)) return Status::OK;
  forEachPartOf(z, place, z.sizeAt(place), [&](LongType begin, LongType rows) {
    for (int i = 0, n = static_cast<int>(block.width()); i < n; i++) {
      Region from(*block.array(i)), to(z);
      to.at(place, i);
      if (place > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    }
  });
  return Status::OK;
}

void stackRule(Gradient& g, int axis) {
  g.size(g.of(), axis);  // without it the number of parts is not known
  const auto parts = g.callAll("unstack", {g.of()}, Stack{axis});
  for (int i = 0; i < g.inputs(); i++) g.set(i, parts[static_cast<size_t>(i)]);
}

}  // namespace

CUSTOM_OP_IMPL(stack, -1, 1, false, 0, 0) {
  return stackInto(block, arguments<Stack>(block).axis, *OUTPUT_VARIABLE(0));
}
INFERRED_SHAPES(stack)
DECLARE_SCHEMA(stack) {
  schema.summary("Joins arrays of one shape along a new dimension.")
      .formula("z[.., k, ..] = x_k[..], k at position axis");
  schema.input("x", "equal shapes and types").any().moved();
  schema.argument(&Stack::axis, "axis", "position of the new dimension, -(rank + 1)..rank").atInteger(0);
  schema.output("z", "the shape of the first x with the number of inputs inserted at axis; its type and order");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) {
    inferStacked(in, in.arguments<Stack>().axis);
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": 1})");
  schema.elsewhere(
      {.numpy = "numpy.stack", .torch = "torch.stack", .tensorflow = "tf.stack", .onnx = "ConcatFromSequence"});
  schema.words("pack, join, new dimension").see("unstack concat");
  schema.gradient([](Gradient& g) { stackRule(g, g.arguments<Stack>().axis); });
}
DECLARE_SYN(pack, stack);
DECLARE_SYN(Pack, stack);

CUSTOM_OP_IMPL(parallel_stack, -1, 1, false, 0, 0) { return stackInto(block, 0, *OUTPUT_VARIABLE(0)); }
INFERRED_SHAPES(parallel_stack)
DECLARE_SCHEMA(parallel_stack) {
  schema.summary("Joins arrays of one shape along a new first dimension.").formula("z[k, ..] = x_k[..]");
  schema.input("x", "equal shapes and types").any().moved();
  schema.output("z", "[number of inputs] + shape of x; the type and order of the first");
  schema.inputTypes({ANY, ALL_COMPLEX}).sameTypes().infer([](Inference& in) { inferStacked(in, 0); });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]]})");
  schema.elsewhere({.tensorflow = "tf.parallel_stack"});
  schema.words("stack").see("stack");
  schema.gradient([](Gradient& g) { stackRule(g, 0); });
}

CUSTOM_OP_IMPL(unstack, 1, -1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const int axis = checkedAxis(arguments<Stack>(block).axis, x.rankOf());
  if (x.isEmpty()) return Status::OK;
  const auto outputs = arraysAt(static_cast<int>(x.sizeAt(axis)), [&](int i) { return OUTPUT_VARIABLE(i); });
  if (copyPieces(x, axis, outputs, true)) return Status::OK;
  forEachPartOf(x, axis, x.sizeAt(axis), [&](LongType begin, LongType rows) {
    for (int i = 0; i < x.sizeAt(axis); i++) {
      Region from(x), to(*OUTPUT_VARIABLE(i));
      from.at(axis, i);
      if (axis > 0) {
        from.take(0, begin, rows);
        to.take(0, begin, rows);
      }
      from.copyTo(to);
    }
  });
  return Status::OK;
}
INFERRED_SHAPES(unstack)
DECLARE_SCHEMA(unstack) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS, BOOL, ALL_COMPLEX, ALL_STRINGS});
  schema.summary("Cuts an array into its slices along a dimension.")
      .formula("z_k[..] = x[.., k, ..], k at position axis");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).moved();
  schema.argument(&Stack::axis, "axis", "dimension that is taken apart; negative ones count from the end").atInteger(0);
  schema.output("z", "one for each position, the shape of x without axis, its type and order").any();
  schema.infer([](Inference& in) {
    const PartialShape x = in.input(0);
    if (!x.hasRank()) return;  // the number of outputs is not known
    const int axis = checkedAxis(in.arguments<Stack>().axis, x.rank());
    if (x[axis] == PartialShape::UNKNOWN) return;
    requireOutputs(x[axis]);
    PartialShape part(x.type(), {}, x.order());
    for (int d = 0; d < x.rank(); d++)
      if (d != axis) part.append(x[d]);
    for (LongType i = 0; i < x[axis]; i++) in.output(part);
  });
  schema.example(R"({"x": [[1.0, 2.0], [3.0, 4.0]], "axis": 0})");
  schema.elsewhere({.torch = "torch.unbind", .tensorflow = "tf.unstack", .onnx = "SplitToSequence"});
  schema.words("unpack, unbind, slices").see("stack split");
  schema.gradient([](Gradient& g) {
    std::vector<Symbol> parts;
    for (int i = 0; i < g.outputs(); i++) parts.push_back(g.ofOrZero(i));
    g.set(0, g.call("stack", parts, g.ownArguments()));
  });
}
DECLARE_SYN(unpack, unstack);

}  // namespace sd::ops
