#include "loops/ComplexOps.h"

#include <array/DataTypeUtils.h>
#include <array/ElementRows.h>
#include <exceptions/datatype_exception.h>
#include <execution/Parallel.h>
#include <helpers/shape.h>
#include <system/op_enums.h>

#include <algorithm>
#include <complex>
#include <optional>
#include <utility>

#include "loops/Alignment.h"
#include "loops/ComplexFunctions.h"
#include "loops/ComplexParts.h"
#include "loops/ComplexTransforms.h"
#include "loops/OpInfo.h"
#include "loops/Operand.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

enum class Does { Nothing, Add, Subtract, Multiply, Divide, Power, Reversed, Copy, Equal, NotEqual, Sum };

/// What an operation does with complex numbers; Nothing: it does not exist for them.
struct Row {
  std::string_view name;
  Does does;
  Does reversed = Does::Nothing;  ///< what it does with x and y exchanged
};

constexpr Row BINARY[] = {{"Add", Does::Add},
                          {"Subtract", Does::Subtract},
                          {"Multiply", Does::Multiply},
                          {"Divide", Does::Divide},
                          {"Pow", Does::Power},
                          {"ReverseSubtract", Does::Reversed, Does::Subtract},
                          {"ReverseDivide", Does::Reversed, Does::Divide},
                          {"ReversePow", Does::Reversed, Does::Power},
                          {"CopyPws", Does::Reversed, Does::Copy},
                          {"EqualTo", Does::Equal},
                          {"NotEqualTo", Does::NotEqual}};
constexpr Row REDUCTIONS[] = {{"Sum", Does::Sum}, {"Mean", Does::Sum}};

template <size_t N>
Row rowOf(const Row (&rows)[N], std::string_view name) {
  const auto found = std::find_if(rows, rows + N, [&](const Row& row) { return row.name == name; });
  return found == rows + N ? Row{name, Does::Nothing} : *found;
}

Row rowOf(OpGroup group, std::string_view name) {
  switch (group) {
    case OpGroup::Pairwise:
    case OpGroup::Scalar:
    case OpGroup::Broadcast:
    case OpGroup::PairwiseBool:
    case OpGroup::ScalarBool:
    case OpGroup::BroadcastBool:
      return rowOf(BINARY, name);
    case OpGroup::ReduceSame:
    case OpGroup::ReduceFloat:
      return rowOf(REDUCTIONS, name);
    default:
      return {name, Does::Nothing};
  }
}

Row required(OpGroup group, const OpInfo& op, DataType type) {
  const Row row = rowOf(group, op.name);
  if (row.does == Does::Nothing)
    fail<datatype_exception>("[{}] argument 'x': bad data type {}", op.name, typeText(type));
  return row;
}

/// The operands of a call: the parts of their elements have been checked.
struct Operands {
  In x, y;
  Out z;
  LongType xInfo[SD_MAX_SHAPEINFOLENGTH], yInfo[SD_MAX_SHAPEINFOLENGTH];  ///< broadcast to z
};

/// The shapeInfo of x with the dimensions of z.
void broadcastInfo(const OpInfo& op, const char* argument, const LongType* x, const LongType* z, LongType* result) {
  const LongType rank = z[0], missing = rank - x[0];
  std::copy_n(z, 2 * rank + 4, result);
  bool fits = missing >= 0;
  for (LongType d = 0; fits && d < rank; d++) {
    const LongType k = d - missing;
    const LongType size = k < 0 ? 1 : x[1 + k];
    fits = size == z[1 + d] || size == 1;
    result[1 + rank + d] = size == 1 ? 0 : x[1 + x[0] + k];
  }
  if (!fits)
    fail("[{}] argument '{}': shape {} does not match shape {} of z", op.name, argument, shapeText(x), shapeText(z));
}

/// Calls z = f(x, y) for each element. `cost`: of one, in nanoseconds.
template <typename Z, typename T, typename F>
void compute(const Operands& o, F&& f, double cost = 2) {
  using C = std::complex<T>;
  const detail::ElementRows<3> rows({o.z.info, o.xInfo, o.yInfo});
  const auto *x = static_cast<const C*>(o.x.data), *y = static_cast<const C*>(o.y.data);
  auto* z = static_cast<Z*>(o.z.data);
  const int threads = execution::threadsFor(cost * static_cast<double>(rows.length()));
  execution::parallelFor(rows.length(), threads, [&](LongType start, LongType stop) {
    rows.run(start, stop, [&](const auto& row) {
      const LongType zStep = row.steps[0], xStep = row.steps[1], yStep = row.steps[2];
      const C *from = x + row.offsets[1], *other = y + row.offsets[2];
      Z* to = z + row.offsets[0];
      if (zStep == 1 && xStep == 1 && yStep == 1) {
        for (LongType i = 0; i < row.length; i++) to[i] = f(from[i], other[i]);
      } else {
        for (LongType i = 0; i < row.length; i++) to[i * zStep] = f(from[i * xStep], other[i * yStep]);
      }
    });
  });
}

template <typename T>
void computeAs(Does does, const Operands& o) {
  using C = std::complex<T>;
  switch (does) {
    case Does::Multiply:
      return compute<C, T>(o, [](C a, C b) { return product(a, b); });
    case Does::Divide:
      return compute<C, T>(o, [](C a, C b) { return quotient(a, b); });
    case Does::Power: {
      using D = std::complex<double>;
      return compute<C, T>(
          o, [](C a, C b) { return static_cast<C>(power(D(a), D(b))); }, 100);
    }
    case Does::Equal:
      return compute<bool, T>(o, [](C a, C b) { return a == b; });
    default:
      return compute<bool, T>(o, [](C a, C b) { return a != b; });
  }
}

/// Whether y has one element, 2.
bool isTwo(const Operand& parts) {
  if (parts.length != 2) return false;
  const bool isDouble = parts.type == DOUBLE;
  const auto* wide = reinterpret_cast<const double*>(parts.data);
  const auto* narrow = reinterpret_cast<const float*>(parts.data);
  return isDouble ? wide[0] == 2 && wide[1] == 0 : narrow[0] == 2 && narrow[1] == 0;
}

/// Validates shapes and memory by means of the parts, whose type kernels know.
Operand partsOperand(std::string_view op, const char* argument, const void* data, const PartsInfo& parts) {
  return operand(op, argument, data, parts.slots);
}

}  // namespace

bool acceptsComplex(OpGroup group, int number) {
  const std::string_view name = opInfo(group, number).name;
  if (traitsOf(group).family == OpFamily::Transform) return isComplexTransform(name);
  return rowOf(group, name).does != Does::Nothing;
}

DataType complexResult(OpGroup group, int number, DataType x) {
  if (traitsOf(group).family == OpFamily::Transform) return complexTransformResult(opInfo(group, number).name, x);
  return resultType(group, x, x);
}

void complexBinary(OpGroup group, int number, In x, In y, Out z) {
  const OpInfo& op = opInfo(group, number);
  const DataType type = typeOf(op.name, "x", x.info), yType = typeOf(op.name, "y", y.info),
                 zType = typeOf(op.name, "z", z.info);
  Row row = required(group, op, type);
  if (row.does == Does::Reversed) {
    row.does = row.reversed;
    std::swap(x, y);
  }
  const bool truth = row.does == Does::Equal || row.does == Does::NotEqual;
  if (!DataTypeUtils::isC(type) || yType != type || zType != (truth ? BOOL : type))
    fail<datatype_exception>("[{}] types {} of x, {} of y and {} of z do not go together", op.name, typeText(type),
                             typeText(yType), typeText(zType));
  const PartsInfo xParts = bothParts(op.name, x.info), yParts = bothParts(op.name, y.info);
  const Operand xs = partsOperand(op.name, "x", x.data, xParts), ys = partsOperand(op.name, "y", y.data, yParts);
  const PartsInfo zParts = truth ? PartsInfo{} : bothParts(op.name, z.info);
  const Operand zs = truth ? operand(op.name, "z", z.data, z.info) : partsOperand(op.name, "z", z.data, zParts);
  if (zs.empty()) return;
  if (xs.empty() || ys.empty())
    fail("[{}] argument 'z': shape {} has elements, but an operand of shape {} has none", op.name, shapeText(z.info),
         shapeText(xs.empty() ? x.info : y.info));
  if (row.does == Does::Copy) return assign(x, z);
  // The sum of complex numbers is that of their parts.
  if (row.does == Does::Add || row.does == Does::Subtract)
    return trueBroadcast(OpGroup::Pairwise, row.does == Does::Add ? pairwise::Add : pairwise::Subtract,
                         {x.data, xParts.slots}, {y.data, yParts.slots}, {z.data, zParts.slots});
  std::optional<OperandCopy> xCopy, yCopy;
  if (overlapsPartly(zs, xs)) x = xCopy.emplace(x).in();
  if (overlapsPartly(zs, ys)) y = yCopy.emplace(y).in();
  Operands o{x, y, z, {}, {}};
  broadcastInfo(op, "x", x.info, z.info, o.xInfo);
  broadcastInfo(op, "y", y.info, z.info, o.yInfo);
  requireDistinctElements(op.name, zs);
  // Squares are frequent, and fast as products.
  if (row.does == Does::Power && isTwo(ys)) return complexBinary(OpGroup::Pairwise, pairwise::Multiply, x, x, z);
  if (type == COMPLEX64)
    computeAs<float>(row.does, o);
  else
    computeAs<double>(row.does, o);
}

void complexAlong(OpGroup group, int number, In x, In y, Out z, const Axes& axesIn) {
  const OpInfo& op = opInfo(group, number);
  for (const auto& [argument, info] : {std::pair{"x", x.info}, {"y", y.info}, {"z", z.info}})
    typeOf(op.name, argument, info);
  if (x.info[0] != z.info[0] || !std::equal(x.info + 1, x.info + 1 + x.info[0], z.info + 1))
    fail("[{}] argument 'z': shape {} where the shape of x, {}, is needed", op.name, shapeText(z.info),
         shapeText(x.info));
  // Where elements lie does not depend on their type; FLOAT32 is one that operands may have.
  const PartsInfo xShape = retyped(x.info, FLOAT32), yShape = retyped(y.info, FLOAT32);
  const Operand xs = operand(op.name, "x", x.data, xShape.slots), ys = operand(op.name, "y", y.data, yShape.slots);
  Axes axes = normalizedAxes(op.name, axesIn, xs);
  if (axes.empty())
    for (int d = 0; d < xs.rank; d++) axes.push_back(d);
  PartsInfo along = retyped(x.info, ArrayOptions::dataType(y.info));
  if (!matchAlong(ys, {xs.rank, xs.sizes}, axes, along.slots + 1 + xs.rank))
    fail("[{}] argument 'y': shape {} does not match dimensions [{}] of shape {}", op.name, shapeText(y.info),
         fmt::join(axes, ", "), shapeText(x.info));
  for (int d = 0; d < xs.rank; d++)
    if (!std::binary_search(axes.begin(), axes.end(), d)) along.slots[1 + d] = 1;
  complexBinary(group, number, x, {y.data, along.slots}, z);
}

void complexReduce(OpGroup group, int number, In x, Out z, const Axes& axes) {
  const OpInfo& op = opInfo(group, number);
  const DataType type = typeOf(op.name, "x", x.info), zType = typeOf(op.name, "z", z.info);
  required(group, op, DataTypeUtils::isC(type) ? type : zType);
  if (zType != type)
    fail<datatype_exception>("[{}] argument 'z': type {} where {} is needed", op.name, typeText(zType), typeText(type));
  const int rank = static_cast<int>(x.info[0]);
  // The last dimension, that of the parts, stays; negative axes count without it.
  Axes all;
  for (const int axis : axes) all.push_back(axis < 0 ? axis + rank : axis);
  const bool whole = axes.empty() || shape::length(z.info) == 1;
  if (whole) {
    all.clear();
    for (int d = 0; d < rank; d++) all.push_back(d);
  }
  if (rank == 0) return assign(x, z);
  reduce(group, number, {x.data, bothParts(op.name, x.info).slots}, {z.data, bothParts(op.name, z.info).slots}, nullptr,
         all);
}

}  // namespace sd::loops
