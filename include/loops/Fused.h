// Runs operators that are compiled outside the library on arrays of any strides and types. The caller passes loops over
// contiguous runs of one type; the library plans, converts and splits the work over threads.
#ifndef NDFORGE_LOOPS_FUSED_H
#define NDFORGE_LOOPS_FUSED_H

#include <loops/CommonType.h>
#include <loops/Executor.h>

namespace sd::loops {

/// The number of types in which operators compute, in the order of ComputeTypes.
inline constexpr int FUSED_TYPES = ComputeTypes::size;
inline constexpr int FUSED_OPERANDS = 3;

/// z[i] = op(in[0][i], in[1][i], …) for n elements. z is an operand or shares no memory with any operand.
using FusedLoop = void (*)(const void* const* in, void* z, LongType n, const void* params);

/// `divisor` is the operand that must not contain 0 if it is an integer: 0 is x, 1 is y, -1 none.
struct FusedOp {
  const char* name;      ///< for messages
  int operands;          ///< 1..3
  bool truth;            ///< z holds truth values, one byte each
  bool computesInFloat;  ///< integers are converted to float or double
  int divisor;
  int cost;                      ///< time per element, relative to an addition
  FusedLoop loops[FUSED_TYPES];  ///< nullptr for types that the operator does not support
};

/// z = op(inputs). The inputs broadcast to z's shape by NumPy's rules. Computed in the common type of the inputs and,
/// unless it holds truth values, of z (loops/CommonType.h). `params`: four numbers, or nullptr.
/// @throws as described in loops/Executor.h; then nothing was written
SD_LIB_EXPORT void fused(const FusedOp& op, const In* inputs, Out z, const double* params = nullptr);

/// The loops of a reduction for one type. Accumulators are double for floating-point elements, the element type for
/// integers, and bytes for truth values.
struct FusedReduceLoops {
  void (*start)(void* acc, LongType count);
  /// acc = update(acc, op(x[0])), …
  void (*run)(const void* x, LongType n, void* acc, const void* params);
  /// acc[c] = update(acc[c], op(x[r * rowStride + c])) for every row r and column c
  void (*rows)(const void* x, LongType rows, LongType rowStride, LongType columns, void* acc, const void* params);
  void (*merge)(void* acc, const void* other, LongType count);
  /// acc[i] = postProcess(acc[i], n)
  void (*finish)(void* acc, LongType count, LongType n, const void* params);
};

struct FusedReduction {
  const char* name;
  bool truth;  ///< the results are truth values
  bool computesInFloat;
  int cost;
  FusedReduceLoops loops[FUSED_TYPES];
};

/// Reduces x over `axes` (empty: all). z has the reduced shape, with or without the unit dimensions, and any numeric
/// type. BOOL is computed in int64.
SD_LIB_EXPORT void fusedReduce(const FusedReduction& op, In x, Out z, const Axes& axes, const double* params = nullptr);

}  // namespace sd::loops

#endif
