// Equally spaced numbers.
// operations: lin_space range
#include <execution/Parallel.h>
#include <ops/declarable/headers/tensor.h>
#include <system/Environment.h>

#include <cmath>
#include <limits>

#include "ops/declarable/Common.h"

namespace sd::ops {
namespace {

struct LinSpace {
  LongType count;
  DataType type;
};

LinSpace linSpace(graph::Context& block) {
  LinSpace result{};
  if (block.width() == 3) {
    const char* names[] = {"start", "finish", "count"};
    for (int i = 0; i < 3; i++) requireScalar(*block.array(i), i, names[i]);
    result = {integerOf(*block.array(2), 2), block.array(0)->dataType()};
  } else if (block.numT() >= 2 && block.numI() >= 1) {
    result = {block.intArgument64(0), typeArgument(block, FLOAT32)};
  } else {
    reject("3 inputs, or 2 floating and 1 integer argument, are needed: {} inputs, {} and {} arguments are given",
           block.width(), block.numT(), block.numI());
  }
  if (result.count < 0) reject("'count': {} is negative", result.count);
  return result;
}

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
  const LinSpace space = linSpace(block);
  const bool fromInputs = block.width() == 3;
  const double start = fromInputs ? block.array(0)->e<double>(0) : block.floatArgument(0);
  const double finish = fromInputs ? block.array(1)->e<double>(0) : block.floatArgument(1);
  const double step = space.count > 1 ? (finish - start) / static_cast<double>(space.count - 1) : 0;
  NDArray& z = *OUTPUT_VARIABLE(0);
  fillLinear(z, start, step);
  if (space.count > 1) z.p(space.count - 1, finish);
  return Status::OK;
}
DECLARE_SHAPE_FN(lin_space) {
  const LinSpace space = linSpace(block);
  return shapes(vectorOf(space.type, space.count));
}
DECLARE_TYPES(lin_space) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "Evenly spaced numbers between two limits.",
                  .formula = "z[i] = start + i * (finish - start) / (count - 1), computed in double",
                  .inputs =
                      "start?: one element\nfinish?: one element, the last number\ncount?: one integer; either all "
                      "three or none",
                  .outputs = "z: [count], the type of start, or the type argument (default FLOAT32)",
                  .floats = "start?: used when there are no such inputs\nfinish?: likewise",
                  .integers = "count?: used when there are no such inputs"});
}

namespace {

enum class From { Inputs, Integers, Floats };

/// The numbers of `range`: integers are exact, other types are computed in double.
struct Range {
  DataType type;
  bool whole;
  LongType first, delta;
  double start, step;
  LongType count;
};

Range numbersOf(graph::Context& block) {
  const From from = block.width() > 0 ? From::Inputs : block.numI() > 0 ? From::Integers : From::Floats;
  const size_t given = from == From::Inputs ? block.width() : from == From::Integers ? block.numI() : block.numT();
  if (given < 1 || given > 3) reject("1 to 3 numbers are needed: start, limit and delta, but {} are given", given);
  if (from == From::Inputs)
    for (int i = 0; i < static_cast<int>(given); i++) requireScalar(*block.array(i), i, "a number");
  const size_t limitAt = given > 1 ? 1 : 0;

  Range result{INT32, from != From::Floats, 0, 1, 0, 1, 0};
  if (from == From::Inputs) {
    result.type = block.array(0)->dataType();
    for (int i = 0; i < static_cast<int>(given); i++) result.whole = result.whole && !block.array(i)->isR();
  }
  if (result.whole) {
    const auto at = [&](size_t i) {
      return from == From::Inputs ? integerOf(*block.array(static_cast<int>(i)), static_cast<int>(i))
                                  : block.intArgument64(i);
    };
    if (given > 1) result.first = at(0);
    if (given > 2) result.delta = at(2);
    const LongType limit = at(limitAt);
    if (from == From::Integers)
      result.type = limit > std::numeric_limits<int>::max() || limit < std::numeric_limits<int>::min() ? INT64 : INT32;
    if (limit == result.first) return result;
    const auto distance = static_cast<__int128>(limit) - result.first;
    if (result.delta != 0) {
      const __int128 steps = distance / result.delta + (distance % result.delta != 0 ? 1 : 0);
      const bool ahead = (distance > 0) == (result.delta > 0);
      if (steps > std::numeric_limits<LongType>::max()) reject("the range has too many numbers");
      result.count = ahead ? static_cast<LongType>(steps) : 0;
    }
    if (result.delta == 0 || result.count <= 0)
      reject("starting at {}, limit {} is not reached in steps of {}", result.first, limit, result.delta);
  } else {
    const auto at = [&](size_t i) {
      return from == From::Inputs ? block.array(static_cast<int>(i))->e<double>(0) : block.floatArgument(i);
    };
    if (given > 1) result.start = at(0);
    if (given > 2) result.step = at(2);
    const double limit = at(limitAt);
    const auto& environment = Environment::getInstance();
    if (from == From::Floats)
      result.type = environment.precisionBoostAllowed() ? DOUBLE : environment.defaultFloatDataType();
    if (limit == result.start) return result;
    const double steps = std::ceil((limit - result.start) / result.step);
    if (!(steps > 0) || !std::isfinite(result.start) || !std::isfinite(result.step) || result.step == 0)
      reject("starting at {}, limit {} is not reached in steps of {}", result.start, limit, result.step);
    if (steps > 9e18) reject("the range has too many numbers");
    result.count = static_cast<LongType>(steps);
  }
  if (block.numD() > 0) result.type = block.typeArgument(0);
  return result;
}

}  // namespace

CUSTOM_OP_IMPL(range, -2, 1, false, -2, -2) {
  const auto numbers = numbersOf(block);
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
DECLARE_SHAPE_FN(range) {
  const auto numbers = numbersOf(block);
  return shapes(vectorOf(numbers.type, numbers.count));
}
DECLARE_TYPES(range) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes({ALL_FLOATS, ALL_INTS})
      ->document({.summary = "Numbers from a start to a limit, which is excluded.",
                  .formula = "z[i] = start + i * delta, i < (limit - start) / delta",
                  .inputs =
                      "start?: one element (default 0)\nlimit?: one element\ndelta?: one element (default 1); one "
                      "input is the limit, two are start and limit",
                  .outputs = "z: [number of steps]; the type of the first input; INT32 or INT64 from integers, the "
                             "default float type from floats; or the type argument",
                  .floats = "start?, limit?, delta?: used when there are no inputs and no integers",
                  .integers = "start?, limit?, delta?: used when there are no inputs",
                  .notes = "A limit that delta does not reach is an error; a limit equal to the start gives an empty "
                           "array."});
}

}  // namespace sd::ops
