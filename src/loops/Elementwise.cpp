// The element-wise groups: transforms, pairwise, scalar and broadcast operations.
#include <array/ArrayOptions.h>
#include <exceptions/datatype_exception.h>
#include <loops/Executor.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "loops/Alignment.h"
#include "loops/ComplexOps.h"
#include "loops/ElementKernels.h"
#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "loops/OpInfo.h"
#include "loops/Params.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

template <typename T>
bool hasZero(const T* x, LongType stride, LongType n) {
  bool found = false;
  for (LongType i = 0; i < n; i++) found |= x[i * stride] == 0;
  return found;
}

void requireTypes(const OpInfo& op, const BinaryGroup& group, const Operand& x, const char* yName, const Operand& y,
                  const Operand& z) {
  if (group.integersOnly && !isIntegral(x.type))
    fail<datatype_exception>("[{}] argument 'x': type {} where an integer type is needed", op.name, typeText(x.type));
  requireType(op.name, yName, y, x.type);
  requireType(op.name, "z", z, group.result == ResultTypes::Truth ? BOOL : x.type);
}

/// As operand(). Operands often share one shapeInfo, which is read once then.
Operand operandLike(const Operand& x, std::string_view op, const char* argument, const void* data,
                    const LongType* info) {
  if (info != x.info || data == nullptr) return operand(op, argument, data, info);
  Operand result = x;
  result.data = static_cast<char*>(const_cast<void*>(data));
  return result;
}

const simd::BinaryKernel& kernelOf(const OpInfo& op, const BinaryGroup& group, Storage compute) {
  const auto& kernel = group.kernels[op.number][compute];
  if (kernel.both == nullptr) fail("[{}] this build has no kernel for the type of x", op.name);
  return kernel;
}

/// Contiguous operands of the kernel's own type up to this length need no plan, and neither do the rows of matrices.
constexpr LongType SMALL = 4096, LONG_ROW = 16;

[[noreturn]] void failShape(const OpInfo& op, const Operand& z, const Operand& x) {
  fail("[{}] argument 'z': shape {} where the shape of x, {}, is needed", op.name, shapeText(z), shapeText(x));
}

/// @throws std::runtime_error when z has elements although the operand x has none
void requireNothing(const OpInfo& op, const Operand& z, const Operand& x) {
  if (!z.empty())
    fail("[{}] argument 'z': shape {} has elements, but an operand of shape {} has none", op.name, shapeText(z),
         shapeText(x));
}

/// Checks types and divisors of a binary operation, but not shapes. Operands that z overlaps other than element for
/// element are copied.
struct Binary {
  const OpInfo& op;
  BinaryGroup group;
  const char* yName;
  Operand x, y, z;
  std::optional<OperandCopy> xCopy, yCopy;

  Binary(OpGroup g, int number, In xIn, In yIn, Out zOut, const char* yArgument)
      : op(opInfo(g, number)),
        group(binaryGroup(g)),
        yName(yArgument),
        x(operand(op.name, "x", xIn.data, xIn.info)),
        y(operandLike(x, op.name, yName, yIn.data, yIn.info)),
        z(operandLike(x, op.name, "z", zOut.data, zOut.info)) {
    requireTypes(op, group, x, yName, y, z);
    if (overlapsPartly(z, x)) x = xCopy.emplace(xIn).operand(op.name, "x");
    if (overlapsPartly(z, y)) y = yCopy.emplace(yIn).operand(op.name, yName);
  }

  /// Whether there are no elements to compute. @throws std::runtime_error when z has elements and an operand has none
  bool nothing() const {
    if (!x.empty() && !y.empty()) {
      if (z.empty()) failShape(op, z, x);
      return false;
    }
    requireNothing(op, z, x.empty() ? x : y);
    return true;
  }

  /// Whether zeros must be looked for. Floating types divide by them; x and y have one type.
  bool refusesZeros() const { return op.divisor != simdOps::Divisor::None && !isFloating(x.type); }

  /// Runs with the strides of z, x and y over `space`.
  void run(Space space, const LongType* zStrides, const LongType* xStrides, const LongType* yStrides,
           const void* params) const {
    const Storage compute = computeType(op, x.storage);
    const auto& kernel = kernelOf(op, group, compute);
    const Storage stored = x.storage;
    const Params converted(op, params, stored, compute);
    if (op.divisor == simdOps::Divisor::Y) requireNonZero(op.name, yName, y);
    if (op.divisor == simdOps::Divisor::X) requireNonZero(op.name, "x", x);
    requireDistinctElements(op.name, z);
    if (z.length <= SMALL && space.rank == 2 && space.sizes[1] >= LONG_ROW && x.storage == compute &&
        zStrides[1] == 1 && xStrides[1] == 1 && (yStrides[1] == 1 || yStrides[1] == 0)) {
      const auto row = yStrides[1] == 1 ? kernel.both : kernel.yConstant;
      for (LongType i = 0; i < space.sizes[0]; i++)
        row(x.data + i * xStrides[0] * x.elementSize, y.data + i * yStrides[0] * y.elementSize,
            z.data + i * zStrides[0] * z.elementSize, space.sizes[1], converted.data());
      return;
    }
    ElementLoop loop(2);
    for (int i = 0; i < space.rank; i++) {
      const LongType strides[] = {zStrides[i], xStrides[i], yStrides[i]};
      loop.plan.add(space.sizes[i], strides);
    }
    loop.setOutput(z, group.result == ResultTypes::Truth ? simd::BOOLEAN : compute);
    loop.setInput(0, x, compute);
    loop.setInput(1, y, compute);
    loop.binary = kernel;
    loop.params = converted.data();
    loop.cost = op.cost;
    loop.inPlace = z.data == x.data || z.data == y.data;
    loop.run();
  }
};

/// The iteration space is that of x when z is one strided run in c order and x is not; otherwise that of z.
Space commonSpace(const Operand& z, const Operand& x) {
  if (linearStride(z) == 0 || linearStride(x) != 0) return {z.rank, z.sizes};
  return {x.rank, x.sizes};
}

bool isSmallRun(const Operand& z, const Operand& x) {
  if (z.info == x.info) return z.length <= SMALL && (isDense(z, 'c') || isDense(z, 'f'));
  return z.length <= SMALL && z.length == x.length &&
         ((isDense(z, 'c') && isDense(x, 'c')) || (sameSizes(z, x) && isDense(z, 'f') && isDense(x, 'f')));
}

constexpr LongType FEW_ROWS = 8;

/// Whether the elements are one strided run in c order or a few of them.
bool hasFewRuns(const Operand& x) { return linearStride(x) != 0 || (x.rank == 2 && x.sizes[0] <= FEW_ROWS); }

/// Reads an operand that hasFewRuns() in c order.
void readRuns(const Operand& x, Storage as, void* to) {
  const auto convert = simd::kernels().convert[x.storage][as];
  if (const LongType stride = linearStride(x); stride != 0) return convert(x.data, stride, to, 1, x.length);
  const LongType rowBytes = x.sizes[1] * sizeOf(as);
  for (LongType i = 0; i < x.sizes[0]; i++)
    convert(x.data + i * x.strides[0] * x.elementSize, x.strides[1], static_cast<char*>(to) + i * rowBytes, 1,
            x.sizes[1]);
}

/// Computes short contiguous runs without a plan; y has one element if `oneY`, else as many as x. Elements that are not
/// of the kernel's type, and short views, are converted as a whole. Returns false for other operands.
bool computedSmall(const Binary& b, bool oneY, const void* params) {
  constexpr LongType CONVERTED = 256;
  if (b.z.length > SMALL || b.z.length != b.x.length || !(oneY || b.y.length == b.x.length) || b.refusesZeros())
    return false;
  const Storage compute = computeType(b.op, b.x.storage);
  const auto& kernel = kernelOf(b.op, b.group, compute);
  const bool isTruth = b.group.result == ResultTypes::Truth;
  const bool areRuns = isSmallRun(b.z, b.x) && (oneY || isSmallRun(b.x, b.y));
  const simd::BinaryLoop halves = !areRuns || oneY || isTruth ? nullptr : halvesLoop(kernel, b.x.storage);
  const simd::BinaryLoop loop = halves != nullptr ? halves : oneY ? kernel.yConstant : kernel.both;
  if (areRuns && (b.x.storage == compute || halves != nullptr)) {
    const Params used(b.op, params, b.x.storage, compute);
    loop(b.x.data, b.y.data, b.z.data, b.z.length, used.data());
    return true;
  }
  if (b.z.length > CONVERTED) return false;
  alignas(64) unsigned char x[CONVERTED * sizeof(double)], y[sizeof(x)], z[sizeof(x)];
  const auto& convert = simd::kernels().convert;
  if (areRuns) {
    convert[b.x.storage][compute](b.x.data, 1, x, 1, b.x.length);
    convert[b.y.storage][compute](b.y.data, 1, y, 1, b.y.length);
  } else {
    if (!isDense(b.z, 'c') || !hasFewRuns(b.x) || !hasFewRuns(b.y) ||
        !(sameSizes(b.x, b.y) || linearStride(b.x) != 0 || linearStride(b.y) != 0))
      return false;
    readRuns(b.x, compute, x);
    readRuns(b.y, compute, y);
  }
  const Params used(b.op, params, b.x.storage, compute);
  const bool isDirect = isTruth || b.z.storage == compute;
  loop(x, y, isDirect ? static_cast<void*>(b.z.data) : z, b.z.length, used.data());
  if (!isDirect) convert[compute][b.z.storage](z, 1, b.z.data, 1, b.z.length);
  return true;
}

/// Copies small arrays whose rows a plan would not merge: one strided run, a few rows, or rows that are long enough and
/// not transposed. Returns false when the arrays are not of this form.
bool assignSmall(const Operand& x, const Operand& z) {
  if (z.length != x.length || z.length > SMALL) return false;
  const auto convert = simd::kernels().convert[x.storage][z.storage];
  const LongType zStride = linearStride(z), xStride = linearStride(x);
  if (zStride != 0 && xStride != 0) {
    convert(x.data, xStride, z.data, zStride, z.length);
    return true;
  }
  if (z.rank == 2 && zStride != 0 && sameSizes(z, x) &&
      (z.sizes[0] <= FEW_ROWS || (z.sizes[1] >= LONG_ROW && x.strides[0] != 1))) {
    for (LongType i = 0; i < z.sizes[0]; i++)
      convert(x.data + i * x.strides[0] * x.elementSize, x.strides[1], z.data + i * z.strides[0] * z.elementSize,
              z.strides[1], z.sizes[1]);
    return true;
  }
  return false;
}

/// z = x, converted.
void assignOperands(std::string_view op, const Operand& x, const Operand& z) {
  if (x.empty() || z.empty()) {
    if (x.empty() != z.empty()) fail("[{}] shape {} cannot be assigned to shape {}", op, shapeText(x), shapeText(z));
    return;
  }
  if (overlapsPartly(z, x)) {
    const OperandCopy copy({x.data, x.info});
    return assignOperands(op, copy.operand(op, "x"), z);
  }
  if (x.length == z.length && isSmallRun(z, x)) {
    simd::kernels().convert[x.storage][z.storage](x.data, 1, z.data, 1, z.length);
    return;
  }
  if (assignSmall(x, z)) return;
  LongType zStrides[SD_MAX_RANK], xStrides[SD_MAX_RANK];
  Space space{z.rank, z.sizes};
  bool fits;
  if (x.length == z.length) {
    space = commonSpace(z, x);
    fits = matchElements(z, space, zStrides) && matchElements(x, space, xStrides);
  } else {
    fits = matchElements(z, space, zStrides) && matchBroadcast(x, space, xStrides);
  }
  if (!fits && x.length != z.length)
    fail("[{}] shape {} cannot be assigned to shape {}", op, shapeText(x), shapeText(z));
  requireDistinctElements(op, z);
  if (!fits) {
    // neither side is a single run: the elements are paired in c order through a contiguous copy
    const LongType info[] = {1, x.length, 1, ArrayOptions::extra(x.info), 1, 'c'};
    const std::unique_ptr<double[]> dense(new double[static_cast<std::size_t>(x.length * x.elementSize + 7) / 8]);
    const Operand run = operand(op, "x", dense.get(), info);
    assignOperands(op, x, run);
    assignOperands(op, run, z);
    return;
  }
  ElementLoop loop(1);
  for (int i = 0; i < space.rank; i++) {
    const LongType strides[] = {zStrides[i], xStrides[i]};
    loop.plan.add(space.sizes[i], strides);
  }
  loop.setOutput(z, z.storage);
  loop.setInput(0, x, z.storage);
  loop.inPlace = z.data == x.data;
  loop.run();
}

}  // namespace

void requireNonZero(std::string_view op, const char* argument, const Operand& x) {
  if (isFloating(x.type)) return;
  Plan plan(1);
  for (int i = 0; i < x.rank; i++) plan.add(x.sizes[i], &x.strides[i]);
  plan.finish();
  const Dimension inner = plan.inner();
  Odometer at(plan, plan.rank - 1, 0);
  for (LongType run = plan.outerCount(); run > 0; run--, at.next()) {
    const char* data = x.data + at.offset[0] * x.elementSize;
    bool found;
    switch (x.elementSize) {
      case 1:
        found = hasZero(reinterpret_cast<const int8_t*>(data), inner.stride[0], inner.size);
        break;
      case 2:
        found = hasZero(reinterpret_cast<const int16_t*>(data), inner.stride[0], inner.size);
        break;
      case 4:
        found = hasZero(reinterpret_cast<const int32_t*>(data), inner.stride[0], inner.size);
        break;
      default:
        found = hasZero(reinterpret_cast<const LongType*>(data), inner.stride[0], inner.size);
        break;
    }
    if (found) fail("[{}] argument '{}': division of {} by 0 (shape {})", op, argument, typeText(x.type), shapeText(x));
  }
}

void transform(OpGroup group, int number, In xIn, Out zOut, const void* params) {
  if (isComplex(xIn.info) || isComplex(zOut.info)) return complexTransform(group, number, xIn, zOut);
  if (group == OpGroup::TransformAny) {
    const OpInfo& op = opInfo(group, number);
    const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operandLike(x, op.name, "z", zOut.data, zOut.info);
    if (x.empty()) return requireNothing(op, z, x);
    if (z.empty()) failShape(op, z, x);
    LongType strides[SD_MAX_RANK];
    if (!matchSizes(z, {x.rank, x.sizes}, strides)) failShape(op, z, x);
    assignOperands(op.name, x, z);
    return;
  }
  const OpInfo& op = opInfo(group, number);
  const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operandLike(x, op.name, "z", zOut.data, zOut.info);
  const auto& table = simd::kernels();
  const simd::UnaryKernel(*kernels)[simd::COMPUTE_TYPES];
  Storage compute = computeType(op, x.storage), result;
  switch (group) {
    case OpGroup::TransformSame:
      requireType(op.name, "z", z, x.type);
      kernels = table.transformSame;
      result = compute;
      break;
    case OpGroup::TransformStrict:
      if (!isFloating(x.type))
        fail<datatype_exception>("[{}] argument 'x': type {} where a floating-point type is needed", op.name,
                                 typeText(x.type));
      requireType(op.name, "z", z, x.type);
      kernels = table.transformStrict;
      result = compute;
      break;
    case OpGroup::TransformFloat:
      if (!isFloating(z.type))
        fail<datatype_exception>("[{}] argument 'z': type {} where a floating-point type is needed", op.name,
                                 typeText(z.type));
      kernels = table.transformFloat;
      // x is first converted to the type of z
      compute = z.type == DOUBLE ? simd::F64 : simd::F32;
      result = compute;
      break;
    case OpGroup::TransformBool:
      requireType(op.name, "z", z, BOOL);
      kernels = table.transformBool;
      result = simd::BOOLEAN;
      break;
    default:
      fail("[{}] this group has no operations of one operand", groupName(group));
  }
  if (x.empty()) return requireNothing(op, z, x);
  if (z.empty()) failShape(op, z, x);
  const simd::UnaryLoop kernel = kernels[number][compute].run;
  if (kernel == nullptr) fail("[{}] this build has no kernel for the type of x", op.name);
  const Params converted(op, params, group == OpGroup::TransformFloat ? z.storage : x.storage, compute);
  if (x.length != z.length) failShape(op, z, x);
  const Space space{x.rank, x.sizes};
  LongType zStrides[SD_MAX_RANK];
  if (!matchSizes(z, space, zStrides)) failShape(op, z, x);
  if (op.divisor == simdOps::Divisor::X) requireNonZero(op.name, "x", x);
  if (overlapsPartly(z, x)) return transform(group, number, OperandCopy(xIn).in(), zOut, params);
  const bool direct = x.storage == compute && z.storage == result;
  if (direct && isSmallRun(z, x)) {
    kernel(x.data, z.data, z.length, converted.data());
    return;
  }
  requireDistinctElements(op.name, z);
  ElementLoop loop(1);
  for (int i = 0; i < space.rank; i++) {
    const LongType strides[] = {zStrides[i], x.strides[i]};
    loop.plan.add(space.sizes[i], strides);
  }
  loop.setOutput(z, result);
  loop.setInput(0, x, compute);
  loop.unary = kernels[number][compute];
  loop.params = converted.data();
  loop.cost = op.cost;
  loop.inPlace = z.data == x.data;
  loop.run();
}

void pairwise(OpGroup group, int number, In xIn, In yIn, Out zOut, const void* params) {
  if (isComplex(xIn.info) || isComplex(yIn.info)) return complexBinary(group, number, xIn, yIn, zOut);
  const Binary b(group, number, xIn, yIn, zOut, "y");
  if (b.nothing()) return;
  if (b.z.length != b.x.length) failShape(b.op, b.z, b.x);
  const bool scalarLike = b.y.length == 1 && b.y.rank <= 2;
  if (computedSmall(b, scalarLike, params)) return;
  const Space space = commonSpace(b.z, linearStride(b.x) == 0 || scalarLike ? b.x : b.y);
  LongType strides[3][SD_MAX_RANK];
  if (!matchElements(b.z, space, strides[0]) || !matchElements(b.x, space, strides[1])) failShape(b.op, b.z, b.x);
  if (scalarLike)
    std::fill_n(strides[2], space.rank, LongType(0));
  else if (!matchElements(b.y, space, strides[2]))
    fail("[{}] argument 'y': shape {} does not match shape {} of x", b.op.name, shapeText(b.y), shapeText(b.x));
  b.run(space, strides[0], strides[1], strides[2], params);
}

void scalar(OpGroup group, int number, In xIn, In scalarIn, Out zOut, const void* params) {
  if (isComplex(xIn.info) || isComplex(scalarIn.info)) return complexBinary(group, number, xIn, scalarIn, zOut);
  const Binary b(group, number, xIn, scalarIn, zOut, "scalar");
  if (b.x.empty()) return requireNothing(b.op, b.z, b.x);
  if (b.z.empty()) failShape(b.op, b.z, b.x);
  if (b.y.length != 1) fail("[{}] argument 'scalar': shape {} where one element is needed", b.op.name, shapeText(b.y));
  const Space space{b.x.rank, b.x.sizes};
  LongType zStrides[SD_MAX_RANK];
  if (!matchSizes(b.z, space, zStrides)) failShape(b.op, b.z, b.x);
  if (computedSmall(b, true, params)) return;
  const LongType repeated[SD_MAX_RANK] = {};
  b.run(space, zStrides, b.x.strides, repeated, params);
}

void scalarAlong(OpGroup group, int number, In xIn, In scalarsIn, Out zOut, const void* params, const Axes& axesIn) {
  const Binary b(group, number, xIn, scalarsIn, zOut, "scalars");
  if (b.x.empty()) return requireNothing(b.op, b.z, b.x);
  if (b.z.empty()) failShape(b.op, b.z, b.x);
  const Axes axes = normalizedAxes(b.op.name, axesIn, b.x);
  Axes others;
  for (int i = 0; i < b.x.rank; i++)
    if (!axes.empty() && !std::binary_search(axes.begin(), axes.end(), i)) others.push_back(i);
  const Space space{b.x.rank, b.x.sizes};
  LongType strides[2][SD_MAX_RANK];
  if (!matchSizes(b.z, space, strides[0])) failShape(b.op, b.z, b.x);
  if (!matchAlong(b.y, space, others, strides[1]))
    fail("[{}] argument 'scalars': shape {} does not hold one value for each sub-array of shape {} along [{}]",
         b.op.name, shapeText(b.y), shapeText(b.x), fmt::join(axes, ", "));
  b.run(space, strides[0], b.x.strides, strides[1], params);
}

void broadcast(OpGroup group, int number, In xIn, In yIn, Out zOut, const void* params, const Axes& axesIn) {
  if (isComplex(xIn.info) || isComplex(yIn.info)) return complexAlong(group, number, xIn, yIn, zOut, axesIn);
  const Binary b(group, number, xIn, yIn, zOut, "y");
  if (b.nothing()) return;
  Axes axes = normalizedAxes(b.op.name, axesIn, b.x);
  if (axes.empty())
    for (int i = 0; i < b.x.rank; i++) axes.push_back(i);
  const Space space{b.x.rank, b.x.sizes};
  LongType strides[2][SD_MAX_RANK];
  if (!sameSizes(b.z, b.x) || !matchElements(b.z, space, strides[0])) failShape(b.op, b.z, b.x);
  if (!matchAlong(b.y, space, axes, strides[1]))
    fail("[{}] argument 'y': shape {} does not match dimensions [{}] of shape {}", b.op.name, shapeText(b.y),
         fmt::join(axes, ", "), shapeText(b.x));
  b.run(space, strides[0], b.x.strides, strides[1], params);
}

void inverseBroadcast(OpGroup group, int number, In xIn, In yIn, Out zOut, const void* params, const Axes& axesIn) {
  const Binary b(group, number, xIn, yIn, zOut, "y");
  if (b.nothing()) return;
  Axes axes = normalizedAxes(b.op.name, axesIn, b.y);
  if (axes.empty())
    for (int i = 0; i < b.y.rank; i++) axes.push_back(i);
  const Space space{b.y.rank, b.y.sizes};
  LongType strides[2][SD_MAX_RANK];
  if (!sameSizes(b.z, b.y) || !matchElements(b.z, space, strides[0]))
    fail("[{}] argument 'z': shape {} where the shape of y, {}, is needed", b.op.name, shapeText(b.z), shapeText(b.y));
  if (!matchAlong(b.x, space, axes, strides[1]))
    fail("[{}] argument 'x': shape {} does not match dimensions [{}] of shape {}", b.op.name, shapeText(b.x),
         fmt::join(axes, ", "), shapeText(b.y));
  b.run(space, strides[0], strides[1], b.y.strides, params);
}

void trueBroadcast(OpGroup group, int number, In xIn, In yIn, Out zOut, const void* params) {
  if (isComplex(xIn.info) || isComplex(yIn.info)) return complexBinary(group, number, xIn, yIn, zOut);
  const Binary b(group, number, xIn, yIn, zOut, "y");
  if (b.nothing()) return;
  const Space space{b.z.rank, b.z.sizes};
  LongType strides[2][SD_MAX_RANK];
  const bool fits = matchBroadcast(b.x, space, strides[0]) && matchBroadcast(b.y, space, strides[1]);
  // z must not be larger than the broadcast shape of x and y
  bool exact = fits;
  for (int i = 0; exact && i < b.z.rank; i++) {
    const auto sizeIn = [&](const Operand& o) {
      const int k = i - (b.z.rank - o.rank);
      return k < 0 ? LongType(1) : o.sizes[k];
    };
    exact = b.z.sizes[i] == std::max(sizeIn(b.x), sizeIn(b.y));
  }
  if (!exact)
    fail("[{}] shapes {} of x and {} of y do not broadcast to shape {} of z", b.op.name, shapeText(b.x), shapeText(b.y),
         shapeText(b.z));
  b.run(space, b.z.strides, strides[0], strides[1], params);
}

void assign(In xIn, Out zOut) {
  constexpr std::string_view op = "Assign";
  if (isComplex(xIn.info) || isComplex(zOut.info)) return assignComplex(xIn, zOut);
  assignOperands(op, operand(op, "x", xIn.data, xIn.info), operand(op, "z", zOut.data, zOut.info));
}

}  // namespace sd::loops
