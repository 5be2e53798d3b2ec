// Reductions to sums, extremes, norms, counts and booleans, and index reductions.
#include <exceptions/datatype_exception.h>
#include <helpers/shape.h>
#include <loops/Executor.h>
#include <loops/Fused.h>

#include <limits>

#include "loops/ComplexOps.h"
#include "loops/FusedParams.h"
#include "loops/Kernels.h"
#include "loops/OpInfo.h"
#include "loops/Params.h"
#include "loops/ReduceCommon.h"
#include "loops/ReduceLoop.h"
#include "loops/Reducer.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

/// Dense arrays, and matrices with contiguous rows, up to this length need no plan.
constexpr LongType SMALL = 4096;

struct PositionKernel {
  const simd::IndexKernel* kernel;
  const void* params;
  int typeSize;
  simd::ConvertLoop storeResult;
  int zSize;

  using Acc = simd::IndexAccumulator;
  int accumulatorSize() const { return sizeof(Acc); }
  int elementSize() const { return typeSize; }
  void start(void* acc, LongType count) const { kernel->start(static_cast<Acc*>(acc), count); }
  void run(const void* x, LongType n, LongType base, void* acc) const {
    kernel->run(x, n, base, static_cast<Acc*>(acc), params);
  }
  void rows(const void* x, LongType count, LongType rowStride, LongType columns, LongType base, void* acc) const {
    kernel->rows(x, count, rowStride, columns, base, static_cast<Acc*>(acc), params);
  }
  void merge(void* acc, const void* other, LongType count) const {
    kernel->merge(static_cast<Acc*>(acc), static_cast<const Acc*>(other), count);
  }
  void store(void* acc, LongType count, LongType, void* z, LongType zStride) const {
    constexpr LongType BLOCK = 64;
    LongType positions[BLOCK];
    const auto accs = static_cast<const Acc*>(acc);
    const LongType zBytes = zStride * zSize;
    for (LongType i = 0; i < count; i += BLOCK) {
      const LongType length = std::min(BLOCK, count - i);
      for (LongType k = 0; k < length; k++) positions[k] = accs[i + k].index < 0 ? kernel->none : accs[i + k].index;
      storeResult(positions, 1, static_cast<char*>(z) + i * zBytes, zStride, length);
    }
  }
};

template <typename Kernel>
void runReduction(const Kernel& kernel, const Operand& x, Storage type, const Operand& z, const ReducedShape& shape,
                  int cost, bool inOrder) {
  ReduceLoop<Kernel> loop(kernel, MemorySource(Stream::input(x, type)), z);
  for (int i = 0; i < shape.kept; i++) {
    const LongType strides[] = {shape.keptStrides[i], shape.zStrides[i]};
    loop.kept.add(shape.keptSizes[i], strides);
  }
  for (int i = 0; i < shape.reduced; i++) loop.reduced.add(shape.reducedSizes[i], &shape.reducedStrides[i]);
  loop.kept.finish();
  if (inOrder)
    loop.reduced.merge();
  else
    loop.reduced.finish();
  // Kernels of dense arrays keep several vectors of partial results: an element takes a quarter of the time.
  const bool isWhole = shape.kept == 0 && x.storage == type && (isDense(x, 'c') || isDense(x, 'f'));
  loop.run(reduceThreads(isWhole ? x.length / 4 : x.length, cost));
}

/// Reduces a small matrix without a plan, its rows or its columns. Returns false when x is not one.
template <typename Kernel>
bool reducedMatrix(const Kernel& kernel, const Operand& x, Storage type, const Operand& z, const ReducedShape& shape) {
  if (x.length > SMALL || shape.kept != 1 || shape.reduced != 1 || x.storage != type) return false;
  constexpr LongType BLOCK = 64;
  alignas(64) unsigned char acc[BLOCK * 2 * sizeof(double)];
  if (shape.keptStrides[0] == 1 && shape.keptLength <= BLOCK && shape.reducedStrides[0] > 1) {
    kernel.start(acc, shape.keptLength);
    kernel.rows(x.data, shape.reducedLength, shape.reducedStrides[0], shape.keptLength, 0, acc);
    kernel.store(acc, shape.keptLength, shape.reducedLength, z.data, shape.zStrides[0]);
    return true;
  }
  if (shape.reducedStrides[0] != 1) return false;
  const LongType n = shape.reducedLength, rows = shape.keptLength;
  const LongType xBytes = shape.keptStrides[0] * x.elementSize, zBytes = shape.zStrides[0] * z.elementSize;
  const int size = kernel.accumulatorSize();
  for (LongType first = 0; first < rows; first += BLOCK) {
    const LongType count = std::min(BLOCK, rows - first);
    kernel.start(acc, count);
    for (LongType i = 0; i < count; i++) kernel.run(x.data + (first + i) * xBytes, n, 0, acc + i * size);
    kernel.store(acc, count, n, z.data + first * zBytes, shape.zStrides[0]);
  }
  return true;
}

/// The reduced dimensions in a list that ends with PERMUTED.
Axes reducedPart(const Axes& axes, const LongType* zInfo) {
  const int rank = static_cast<int>(axes.size()) - 1, kept = zInfo == nullptr ? 0 : shape::rank(zInfo);
  const bool isPart = kept > 0 && kept < rank && shape::length(zInfo) != 1;
  return Axes(axes.begin() + (isPart ? kept : 0), axes.end() - 1);
}

}  // namespace

void reduce(OpGroup group, int number, In xIn, Out zOut, const void* params, const Axes& axes) {
  if (!axes.empty() && axes.back() == PERMUTED) [[unlikely]]
    return reduce(group, number, xIn, zOut, params, reducedPart(axes, zOut.info));
  if (isComplex(xIn.info) || isComplex(zOut.info)) return complexReduce(group, number, xIn, zOut, axes);
  const OpInfo& op = opInfo(group, number);
  const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operand(op.name, "z", zOut.data, zOut.info);
  switch (group) {
    case OpGroup::ReduceSame:
      requireType(op.name, "z", z, x.type);
      break;
    case OpGroup::ReduceFloat:
      requireFloating(op.name, "z", z);
      break;
    case OpGroup::ReduceBool:
      requireType(op.name, "z", z, BOOL);
      break;
    case OpGroup::ReduceLong:
      if (z.type != INT64 && z.type != UINT64)
        fail<datatype_exception>("[{}] argument 'z': type {} where INT64 is needed", op.name, typeText(z.type));
      break;
    default:
      break;
  }
  const Reducer reducer = reducerOf(op, x.storage, z.storage);
  const Storage type = reducer.type;
  if (reducer.kernel->run == nullptr) fail("[{}] this build has no kernel for the type of x", op.name);
  const ReducedShape shape(op.name, x, z, axes);
  const Params converted(op, params, group == OpGroup::ReduceFloat ? z.storage : x.storage, type);
  if (z.empty()) return;
  requireDistinctElements(op.name, z);
  requireDisjoint(op.name, z, "x", x);
  const ValueKernel kernel = valueKernel(reducer, converted.data(), z.storage);
  if (x.empty()) return storeEmptyReduction(op, reducer, z);
  if (shape.kept == 0 && x.storage == type && x.length <= SMALL && (isDense(x, 'c') || isDense(x, 'f'))) {
    double acc[1];
    reducer.kernel->start(acc, 1);
    reducer.kernel->run(x.data, x.length, acc, converted.data());
    kernel.store(acc, 1, x.length, z.data, 1);
    return;
  }
  if (reducedMatrix(kernel, x, type, z, shape)) return;
  runReduction(kernel, x, type, z, shape, op.cost, false);
}

void fusedReduce(const FusedReduction& op, In xIn, Out zOut, const Axes& axes, const double* params) {
  const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operand(op.name, "z", zOut.data, zOut.info);
  Storage type = x.storage == simd::BOOLEAN ? simd::I64 : arithmeticType(x.storage);
  if (op.computesInFloat) type = floatFor(type);
  const FusedReduceLoops& given = op.loops[type];
  if (given.run == nullptr) fail<datatype_exception>("[{}] the operation does not support the type of x", op.name);
  const simd::ReduceKernel reducer{given.start, given.run, given.rows, given.merge, given.finish};
  const ReducedShape shape(op.name, x, z, axes);
  if (z.empty()) return;
  requireDistinctElements(op.name, z);
  requireDisjoint(op.name, z, "x", x);
  const Storage accType = op.truth ? simd::BOOLEAN : type == simd::F32 ? simd::F64 : type;
  const auto& convert = simd::kernels().convert;
  const FusedParams converted(params, type);
  const ValueKernel kernel{&reducer, converted.data(), sizeOf(accType), sizeOf(type), convert[accType][z.storage]};
  if (x.empty()) {
    double start[1];
    reducer.start(start, 1);
    reducer.finish(start, 1, 0, converted.data());
    fillOutput(z, accType, start);
    return;
  }
  runReduction(kernel, x, type, z, shape, op.cost, false);
}

void indexReduce(int number, In xIn, Out zOut, const void* params, const Axes& axes) {
  const OpInfo& op = opInfo(OpGroup::IndexReduce, number);
  const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operand(op.name, "z", zOut.data, zOut.info);
  if (z.type != INT64 && z.type != INT32)
    fail<datatype_exception>("[{}] argument 'z': type {} where INT64 or INT32 is needed", op.name, typeText(z.type));
  const Storage type = reductionType(op, x.storage, z.storage);
  const auto& table = simd::kernels();
  const simd::IndexKernel& indexer = table.indexReduce[number][type];
  if (indexer.run == nullptr) fail("[{}] this build has no kernel for the type of x", op.name);
  const ReducedShape shape(op.name, x, z, axes);
  const Params converted(op, params, x.storage, type);
  if (z.empty()) return;
  if (z.type == INT32 && shape.reducedLength > std::numeric_limits<int32_t>::max())
    fail("[{}] argument 'z': positions up to {} do not fit INT32", op.name, shape.reducedLength - 1);
  requireDistinctElements(op.name, z);
  requireDisjoint(op.name, z, "x", x);
  if (x.empty()) {
    fillOutput(z, simd::I64, &indexer.none);
    return;
  }
  if (shape.kept == 0 && x.storage == type && x.length <= SMALL && isDense(x, 'c')) {
    simd::IndexAccumulator acc;
    indexer.start(&acc, 1);
    indexer.run(x.data, x.length, 0, &acc, converted.data());
    const LongType position = acc.index < 0 ? indexer.none : acc.index;
    table.convert[simd::I64][z.storage](&position, 1, z.data, 1, 1);
    return;
  }
  PositionKernel kernel{&indexer, converted.data(), sizeOf(type), table.convert[simd::I64][z.storage], z.elementSize};
  if (reducedMatrix(kernel, x, type, z, shape)) return;
  runReduction(kernel, x, type, z, shape, 2 * op.cost, true);
}

}  // namespace sd::loops
