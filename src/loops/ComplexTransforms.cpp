#include "loops/ComplexTransforms.h"

#include <array/DataTypeUtils.h>
#include <array/ElementRows.h>
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>
#include <system/op_enums.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>

#include "loops/ComplexFunctions.h"
#include "loops/ComplexOps.h"
#include "loops/ComplexParts.h"
#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

enum class Does { Nothing, Function, Parts, Copy, Square, Invert, Magnitude, IsNan, IsInf, IsFinite, IsInfOrNan };

struct Row {
  std::string_view name;
  Does does;
};

constexpr Row ROWS[] = {
    {"Identity", Does::Copy},        {"Copy", Does::Copy},   {"Assign", Does::Copy},   {"Neg", Does::Parts},
    {"Round", Does::Parts},          {"Rint", Does::Parts},  {"Square", Does::Square}, {"Reciprocal", Does::Invert},
    {"Abs", Does::Magnitude},        {"IsNan", Does::IsNan}, {"IsInf", Does::IsInf},   {"IsFinite", Does::IsFinite},
    {"IsInfOrNan", Does::IsInfOrNan}};

Does doesOf(std::string_view name) {
  const auto found = std::find_if(std::begin(ROWS), std::end(ROWS), [&](const Row& row) { return row.name == name; });
  if (found != std::end(ROWS)) return found->does;
  return complexFunction(name) == nullptr ? Does::Nothing : Does::Function;
}

bool isPredicate(Does does) { return does >= Does::IsNan; }

/// Calls z = f(x) for each element. `cost`: of one, in nanoseconds.
template <typename Z, typename T, typename F>
void compute(In x, Out z, double cost, F&& f) {
  const detail::ElementRows<2> rows({z.info, x.info}, true);
  const auto* from = static_cast<const std::complex<T>*>(x.data);
  auto* to = static_cast<Z*>(z.data);
  const int threads = execution::threadsFor(cost * static_cast<double>(rows.length()));
  execution::parallelFor(rows.length(), threads, [&](LongType start, LongType stop) {
    rows.run(start, stop, [&](const auto& row) {
      for (LongType i = 0; i < row.length; i++)
        to[row.offsets[0] + i * row.steps[0]] = f(from[row.offsets[1] + i * row.steps[1]]);
    });
  });
}

template <typename T>
void computeAs(Does does, ComplexFunction function, In x, Out z) {
  using C = std::complex<T>;
  const auto test = [&](auto&& holds) { compute<bool, T>(x, z, 1, holds); };
  switch (does) {
    case Does::Magnitude:
      return compute<T, T>(x, z, 3, [](C a) { return magnitude(a); });
    case Does::IsNan:
      return test([](C a) { return std::isnan(a.real()) || std::isnan(a.imag()); });
    case Does::IsInf:
      return test([](C a) { return std::isinf(a.real()) || std::isinf(a.imag()); });
    case Does::IsFinite:
      return test([](C a) { return std::isfinite(a.real()) && std::isfinite(a.imag()); });
    case Does::IsInfOrNan:
      return test([](C a) { return !std::isfinite(a.real()) || !std::isfinite(a.imag()); });
    default:
      return compute<C, T>(x, z, 50, [function](C a) { return static_cast<C>(function(std::complex<double>(a))); });
  }
}

}  // namespace

bool isComplexTransform(std::string_view name) { return doesOf(name) != Does::Nothing; }

DataType complexTransformResult(std::string_view name, DataType x) {
  const Does does = doesOf(name);
  return isPredicate(does) ? BOOL : does == Does::Magnitude ? DataTypeUtils::partType(x) : x;
}

void complexTransform(OpGroup group, int number, In x, Out z) {
  const OpInfo& op = opInfo(group, number);
  const DataType type = typeOf(op.name, "x", x.info), zType = typeOf(op.name, "z", z.info);
  const Does does = doesOf(op.name);
  if (does == Does::Nothing)
    fail<datatype_exception>("[{}] argument 'x': bad data type {}", op.name,
                             typeText(DataTypeUtils::isC(type) ? type : zType));
  const DataType result = complexTransformResult(op.name, type);
  if (does != Does::Copy && (!DataTypeUtils::isC(type) || zType != result))
    fail<datatype_exception>("[{}] argument 'z': type {} where {} is needed", op.name, typeText(zType),
                             typeText(result));
  if (does == Does::Parts)
    return transform(group, number, {x.data, bothParts(op.name, x.info).slots},
                     {z.data, bothParts(op.name, z.info).slots});
  if (x.info[0] != z.info[0] || !std::equal(x.info + 1, x.info + 1 + x.info[0], z.info + 1))
    fail("[{}] argument 'z': shape {} where the shape of x, {}, is needed", op.name, shapeText(z.info),
         shapeText(x.info));
  if (does == Does::Copy) return assign(x, z);
  if (does == Does::Square) return complexBinary(OpGroup::Pairwise, pairwise::Multiply, x, x, z);
  if (does == Does::Invert) {
    const std::complex<float> one(1);
    const std::complex<double> wideOne(1);
    const LongType info[] = {0, ArrayOptions::flagsOfDataType(type), 1, 'c'};
    return complexBinary(OpGroup::Pairwise, pairwise::Divide,
                         {type == COMPLEX64 ? static_cast<const void*>(&one) : &wideOne, info}, x, z);
  }
  // The type of the parts is one that operands may have.
  const bool sameType = result == type;
  const PartsInfo xParts = bothParts(op.name, x.info), zParts = sameType ? bothParts(op.name, z.info) : PartsInfo{};
  const Operand xs = operand(op.name, "x", x.data, xParts.slots),
                zs = operand(op.name, "z", z.data, sameType ? zParts.slots : z.info);
  if (zs.empty()) return;
  requireDistinctElements(op.name, zs);
  if (overlapsPartly(zs, xs)) return complexTransform(group, number, OperandCopy(x).in(), z);
  if (type == COMPLEX64)
    computeAs<float>(does, complexFunction(op.name), x, z);
  else
    computeAs<double>(does, complexFunction(op.name), x, z);
}

}  // namespace sd::loops
