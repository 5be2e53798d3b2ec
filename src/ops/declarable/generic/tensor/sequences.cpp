// Equally spaced numbers.
// operations: lin_space range
#include <execution/Parallel.h>
#include <ops/declarable/headers/tensor.h>
#include <system/Environment.h>

#include <cmath>
#include <limits>

#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

/// z[i] = start + i * step, in double.
void fillLinear(NDArray& z, double start, double step) {
  if (z.isEmpty()) return;
  DenseOut target(z, DOUBLE);
  auto* out = target.as<double>();
  execution::parallelFor(z.lengthOf(), execution::threadsFor(static_cast<double>(z.lengthOf())),
                         [&](LongType first, LongType last) {
                           for (LongType i = first; i < last; i++) out[i] = start + static_cast<double>(i) * step;
                         });
  target.commit();
}

}  // namespace

CUSTOM_OP_IMPL(lin_space, 0, 1, false, 0, 0) {
  const auto& a = arguments<LinSpace>(block);
  const double step = a.num > 1 ? (a.stop - a.start) / static_cast<double>(a.num - 1) : 0;
  NDArray& z = *OUTPUT_VARIABLE(0);
  fillLinear(z, a.start, step);
  if (a.num > 1) z.p(a.num - 1, a.stop);
  return Status::OK;
}
INFERRED_SHAPES(lin_space)
DECLARE_SCHEMA(lin_space) {
  schema.summary("Evenly spaced numbers between two limits.")
      .formula("z[i] = start + i * (stop - start) / (num - 1), computed in double");
  schema.input("start", "one element, the first number; either all three inputs are given or none")
      .types({ALL_FLOATS, ALL_INTS});
  schema.input("stop", "one element, the last number").types({ALL_FLOATS, ALL_INTS});
  schema.input("num", "one integer, how many numbers").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.argument(&LinSpace::start, "start", "first number").atFloat(0).orInput(0).require();
  schema.argument(&LinSpace::stop, "stop", "last number, which belongs to the result").atFloat(1).orInput(1).require();
  schema.argument(&LinSpace::num, "num", "how many numbers").atInteger(0).orInput(2).atLeast(0).require();
  schema.argument(&LinSpace::dtype, "dtype", "the type of the result; read when start is no input").atType(0);
  schema.output("z", "[num], the type of the input start, or dtype");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer([](Inference& in) {
    const auto& a = in.arguments<LinSpace>();
    const DataType type = in.has(0) ? in.input(0).type() : a.dtype;
    in.output(type, {in.knows(&LinSpace::num) ? a.num : PartialShape::UNKNOWN});
  });
  schema.elementwise("random.Linspace");
  schema.notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"start": 0.0, "stop": 1.0, "num": 5})");
  schema.elsewhere({.numpy = "numpy.linspace", .torch = "torch.linspace", .tensorflow = "tf.linspace"});
  schema.words("linspace, evenly spaced, interval").see("range");
}

namespace {

/// The numbers of `range`: integers are exact, other types are computed in double.
struct Numbers {
  DataType type;
  bool whole;
  LongType first, delta;
  double start, step;
  LongType count;
};

Numbers wholeNumbers(DataType type, LongType start, LongType limit, LongType delta) {
  Numbers result{type, true, start, delta, 0, 1, 0};
  if (limit == start) return result;
  const auto distance = static_cast<__int128>(limit) - start;
  if (delta != 0) {
    const __int128 steps = distance / delta + (distance % delta != 0 ? 1 : 0);
    const bool ahead = (distance > 0) == (delta > 0);
    if (steps > std::numeric_limits<LongType>::max()) reject("the range has too many numbers");
    result.count = ahead ? static_cast<LongType>(steps) : 0;
  }
  if (delta == 0 || result.count <= 0)
    reject("starting at {}, limit {} is not reached in steps of {}", start, limit, delta);
  return result;
}

Numbers realNumbers(DataType type, double start, double limit, double delta) {
  Numbers result{type, false, 0, 1, start, delta, 0};
  if (limit == start) return result;
  const double steps = std::ceil((limit - start) / delta);
  if (!(steps > 0) || !std::isfinite(start) || !std::isfinite(delta) || delta == 0)
    reject("starting at {}, limit {} is not reached in steps of {}", start, limit, delta);
  if (steps > 9e18) reject("the range has too many numbers");
  result.count = static_cast<LongType>(steps);
  return result;
}

/// The numbers that inputs give; `values(i)` is input i of `given`.
template <typename Values>
Numbers fromInputs(int given, Values&& values) {
  bool whole = true;
  for (int i = 0; i < given; i++) {
    requireScalar(*values(i), i, "numbers");
    whole = whole && !values(i)->isR();
  }
  const DataType type = values(0)->dataType();
  const int limitAt = given > 1 ? 1 : 0;
  const auto integer = [&](int i) { return integerOf(*values(i), i, "numbers"); };
  const auto real = [&](int i) { return values(i)->template e<double>(0); };
  if (whole) return wholeNumbers(type, given > 1 ? integer(0) : 0, integer(limitAt), given > 2 ? integer(2) : 1);
  return realNumbers(type, given > 1 ? real(0) : 0, real(limitAt), given > 2 ? real(2) : 1);
}

Numbers fromArguments(const NumberRange& a) {
  if (!a.limit) reject("argument 'limit' is missing: 1 to 3 numbers are needed, start, limit and delta");
  const Scalar& limit = *a.limit;
  if (a.start.isInteger() && limit.isInteger() && a.delta.isInteger()) {
    const LongType end = limit.integer();
    const bool large = end > std::numeric_limits<int>::max() || end < std::numeric_limits<int>::min();
    return wholeNumbers(large ? INT64 : INT32, a.start.integer(), end, a.delta.integer());
  }
  const auto& environment = Environment::getInstance();
  const DataType type = environment.precisionBoostAllowed() ? DOUBLE : environment.defaultFloatDataType();
  return realNumbers(type, a.start.number(), limit.number(), a.delta.number());
}

/// The type argument counts unless limit = start.
Numbers withType(Numbers numbers, const NumberRange& a) {
  if (a.dtype && numbers.count > 0) numbers.type = *a.dtype;
  return numbers;
}

void requireFew(size_t given) {
  if (given > 3) reject("1 to 3 numbers are needed: start, limit and delta, but {} are given", given);
}

const Numbers& currentNumbers(graph::Context& block) {
  return kept<Numbers>(block, [&] {
    const auto& a = arguments<NumberRange>(block);
    const int given = static_cast<int>(block.width());
    requireFew(block.width());
    return withType(given > 0 ? fromInputs(given, [&](int i) { return block.array(i); }) : fromArguments(a), a);
  });
}

/// Integers count before floats. One number is the limit, two are start and limit, a third one is the step.
template <int WHICH>
bool readNumber(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (block.width() > 0) return false;
  const bool whole = block.numI() > 0;
  const size_t given = whole ? block.numI() : block.numT();
  requireFew(given);
  const size_t place = WHICH == 1 && given == 1 ? 0 : WHICH;
  if (place >= given || (WHICH == 0 && given == 1)) return false;
  if (whole) {
    const LongType value = block.intArgument64(place);
    row.access().setIntegers(row.memberOf(arguments), &value, 1);
  } else {
    const double value = block.floatArgument(place);
    row.access().setNumbers(row.memberOf(arguments), &value, 1);
  }
  return true;
}

void inferRange(Inference& in) {
  const auto& a = in.arguments<NumberRange>();
  const int given = in.inputs();
  requireFew(static_cast<size_t>(given));
  bool known = true;
  for (int i = 0; i < given; i++) {
    requireScalar(in.input(i), i, "numbers");
    known = known && in.values(i) != nullptr;
  }
  if (!known) return in.output(a.dtype ? INHERIT : in.input(0).type(), {PartialShape::UNKNOWN});
  const Numbers numbers =
      withType(given > 0 ? fromInputs(given, [&](int i) { return in.values(i); }) : fromArguments(a), a);
  in.keep(numbers);
  in.output(numbers.type, {numbers.count});
}

}  // namespace

CUSTOM_OP_IMPL(range, -2, 1, false, -2, -2) {
  const Numbers& numbers = currentNumbers(block);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  if (!numbers.whole) {
    fillLinear(z, numbers.start, numbers.step);
    return Status::OK;
  }
  DenseOut target(z, INT64);
  auto* out = target.as<LongType>();
  for (LongType i = 0; i < numbers.count; i++) out[i] = numbers.first + i * numbers.delta;
  target.commit();
  return Status::OK;
}
INFERRED_SHAPES(range)
DECLARE_SCHEMA(range) {
  schema.inputTypes({ALL_FLOATS, ALL_INTS});
  schema.summary("Numbers from a start to a limit, which is excluded.")
      .formula("z[i] = start + i * delta, i < (limit - start) / delta")
      .note("A limit that delta does not reach is an error; a limit equal to the start gives an empty array.");
  schema.input("numbers", "one element each: the limit; start and limit; or start, limit and delta")
      .types({ALL_FLOATS, ALL_INTS})
      .any()
      .shapesNeedValues();
  using A = NumberRange;
  schema.argument(&A::start, "start", "the first number; used, as limit and delta, when there are no inputs")
      .atInteger(0)
      .orFloat(0)
      .readBy(readNumber<0>);
  schema.argument(&A::limit, "limit", "the end of the range, excluded; a single positional number is the limit")
      .atInteger(1)
      .orFloat(1)
      .readBy(readNumber<1>);
  schema.argument(&A::delta, "delta", "the distance of neighbours, which may be negative")
      .atInteger(2)
      .orFloat(2)
      .readBy(readNumber<2>);
  schema.argument(&A::dtype, "dtype", "the type of the result, unless limit = start").atType(0);
  schema.output("z",
                "[number of steps], the type of the first input; INT32, or INT64 if the limit needs it, from integers; "
                "the default float type from numbers (DOUBLE when precision boost is allowed); or dtype");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer(inferRange);
  schema.notDifferentiable(CONSTANT_RESULT);
  schema.example(R"({"start": 1, "limit": 10, "delta": 3})");
  schema.elsewhere({.numpy = "numpy.arange", .torch = "torch.arange", .tensorflow = "tf.range", .onnx = "Range"});
  schema.words("arange, sequence, iota").see("lin_space");
}

}  // namespace sd::ops
