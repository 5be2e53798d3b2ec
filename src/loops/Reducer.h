// How the reductions to values (sums, extremes, norms, counts, booleans) compute for given types.
#ifndef NDFORGE_SRC_LOOPS_REDUCER_H
#define NDFORGE_SRC_LOOPS_REDUCER_H

#include "loops/OpInfo.h"
#include "loops/Operand.h"

namespace sd::loops {

/// The kernel of a reduction. `kernel->run` is nullptr when the build has none for the type of x.
struct Reducer {
  const simd::ReduceKernel* kernel;
  Storage type;         ///< that the kernel reads
  Storage accumulator;  ///< of the results before they are stored
};

/// The type in which elements of type x are reduced to results of type z.
Storage reductionType(const OpInfo& op, Storage x, Storage z);

/// For ReduceFloat, ReduceSame, ReduceBool and ReduceLong. Does not check z's type.
/// @throws std::runtime_error for other groups
Reducer reducerOf(const OpInfo& op, Storage x, Storage z);

/// Stores the result of a reduction of no elements in every element of z.
void storeEmptyReduction(const OpInfo& op, const Reducer& reducer, const Operand& z);

/// Sets every element of z to `value`.
void fillOutput(const Operand& z, Storage type, const void* value);

/// A ReduceKernel with its parameters and the conversion that stores its results, as ReduceLoop needs it.
struct ValueKernel {
  const simd::ReduceKernel* kernel;
  const void* params;
  int accSize, typeSize;
  simd::ConvertLoop storeResult;

  int accumulatorSize() const { return accSize; }
  int elementSize() const { return typeSize; }
  void start(void* acc, LongType count) const { kernel->start(acc, count); }
  void run(const void* x, LongType n, LongType, void* acc) const { kernel->run(x, n, acc, params); }
  void rows(const void* x, LongType count, LongType rowStride, LongType columns, LongType, void* acc) const {
    kernel->rows(x, count, rowStride, columns, acc, params);
  }
  void merge(void* acc, const void* other, LongType count) const { kernel->merge(acc, other, count); }
  void store(void* acc, LongType count, LongType n, void* z, LongType zStride) const {
    kernel->finish(acc, count, n, params);
    storeResult(acc, 1, z, zStride, count);
  }
};

ValueKernel valueKernel(const Reducer& reducer, const void* params, Storage z);

}  // namespace sd::loops

#endif
