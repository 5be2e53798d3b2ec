// Runs a numbered operation on buffers described by shapeInfo.
//
// Every function validates its arguments and throws before anything is written: std::runtime_error for numbers, shapes,
// axes, null buffers, missing parameters and overlapping outputs, sd::datatype_exception for types, with the operation
// in brackets. Element i of an operand is counted in c order, whatever its strides and order. Element-wise groups copy
// inputs that the output overlaps otherwise than element for element.
//
// `params` points to the operation's extra parameters, in the element type that the group reads: the type of z for
// Pairwise, Scalar, TransformFloat, ReduceFloat, Reduce3 and Random, the type of x for the others. It may be nullptr
// when the operation has none.
#ifndef NDFORGE_LOOPS_EXECUTOR_H
#define NDFORGE_LOOPS_EXECUTOR_H

#include <loops/OpGroup.h>

#include <vector>

namespace sd::graph {
class RandomGenerator;
}

namespace sd::loops {

/// A buffer to read and its shapeInfo. `data` is the address of the element with all coordinates 0.
struct In {
  const void* data;
  const LongType* info;
};

/// A buffer to write and its shapeInfo.
struct Out {
  void* data;
  const LongType* info;
};

using Axes = std::vector<int>;

/// Whether a shapeInfo, which need not be valid, is that of an array without elements. The C functions and the methods
/// of arrays then leave the output of an element-wise operation as it is; the functions below refuse an output with
/// elements.
SD_LIB_EXPORT bool lacksElements(const LongType* info);

/// z = op(x) for the five transform groups. z has x's shape.
SD_LIB_EXPORT void transform(OpGroup group, int op, In x, Out z, const void* params = nullptr);

/// z = op(x, y) for Pairwise, PairwiseBool, PairwiseInt. The shapes must be equal, or y has one element; other shapes
/// of equal length are allowed only when all operands are contiguous.
SD_LIB_EXPORT void pairwise(OpGroup group, int op, In x, In y, Out z, const void* params = nullptr);

/// z = op(x, scalar) for Scalar, ScalarBool, ScalarInt. `scalar` has one element.
SD_LIB_EXPORT void scalar(OpGroup group, int op, In x, In scalar, Out z, const void* params = nullptr);

/// z[k] = op(x[k], scalars[k]), where k counts the sub-arrays of x along `axes`; one scalar for each sub-array.
SD_LIB_EXPORT void scalarAlong(OpGroup group, int op, In x, In scalars, Out z, const void* params, const Axes& axes);

/// z[k] = op(x[k], y), where k counts the sub-arrays of x along `axes`; y has the shape of one sub-array (or its
/// length, when contiguous). For Broadcast, BroadcastBool, BroadcastInt.
SD_LIB_EXPORT void broadcast(OpGroup group, int op, In x, In y, Out z, const void* params, const Axes& axes);

/// As `broadcast`, but y is the large operand: z[k] = op(x, y[k]).
SD_LIB_EXPORT void inverseBroadcast(OpGroup group, int op, In x, In y, Out z, const void* params, const Axes& axes);

/// z = op(x, y) with NumPy's broadcasting of x and y to z's shape. For the pairwise and the broadcast groups.
SD_LIB_EXPORT void trueBroadcast(OpGroup group, int op, In x, In y, Out z, const void* params = nullptr);

/// Reduces x over `axes` (empty: all) for ReduceFloat, ReduceSame, ReduceBool, ReduceLong. z has the reduced shape,
/// with or without the unit dimensions. If z has one element, it always gets the reduction of the whole of x.
SD_LIB_EXPORT void reduce(OpGroup group, int op, In x, Out z, const void* params, const Axes& axes);

/// The position of an element (c order inside the reduced part) over `axes` (empty: all). z is INT64 or INT32.
SD_LIB_EXPORT void indexReduce(int op, In x, Out z, const void* params, const Axes& axes);

/// Variance or standard deviation over `axes` (empty: all), computed in double. z has a float type.
SD_LIB_EXPORT void summaryStats(int op, In x, Out z, bool biasCorrected, const Axes& axes);

/// A distance or similarity of x and y over `axes`, or of the whole arrays when `axes` is empty. If the lengths differ,
/// the shorter operand is a single sub-array and is used with each sub-array of the other one.
SD_LIB_EXPORT void reduce3(int op, In x, In y, Out z, const void* params, int paramCount, const Axes& axes);

/// All pairs: z[i, j] = op(sub-array i of x, sub-array j of y).
SD_LIB_EXPORT void reduce3All(int op, In x, In y, Out z, const void* params, int paramCount, const Axes& axes);

/// z = random numbers. x and y without data are absent. Advances the generator by the length of z.
SD_LIB_EXPORT void random(int op, graph::RandomGenerator& generator, In x, In y, Out z, const void* params);

/// z = x with conversion of types and any strides. The shapes must be equal, or the lengths (elements then go in c
/// order), or x broadcasts to z.
SD_LIB_EXPORT void assign(In x, Out z);

/// The name of the instruction set that the kernels use ("x86-64-v4", "x86-64-v3", "x86-64-v2", "neon", "generic").
SD_LIB_EXPORT std::string_view instructionSet();

}  // namespace sd::loops

#endif
