// The kernels of one instruction set: plain function pointers, chosen once when the library is loaded.
// A kernel runs over one contiguous run of ONE compute type. `convert` brings other types and strides into that form in
// tiles, so kernels never multiply over combinations of types.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_KERNELTABLE_H
#define NDFORGE_SRC_LOOPS_KERNELS_KERNELTABLE_H

#include <system/common.h>
#include <types/element_types.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace sd::simd {

/// Types of elements in memory. Kernels compute in the first COMPUTE_TYPES of them; the others are converted.
enum StorageType : int {
#define SD_STORAGE(TYPE, NAME, CXX, STORAGE, ...) STORAGE,
  SD_ELEMENT_TYPES(SD_STORAGE)
#undef SD_STORAGE
      STORAGE_TYPES
};

inline constexpr int COMPUTE_TYPES = BOOLEAN;

inline constexpr int MAX_OPS = 64;

using UnaryLoop = void (*)(const void* x, void* z, LongType n, const void* params);
using BinaryLoop = void (*)(const void* x, const void* y, void* z, LongType n, const void* params);

/// A step of a chain of operations whose values stay in registers (loops/kernels/ChainSteps.h). The parameters of the
/// function depend on instruction set and type: steps call one another.
using ChainStep = void (*)();

struct ChainLink {
  ChainStep step;
  const void* operand = nullptr;  ///< what the step reads besides the values in registers
  const void* params = nullptr;
  void* target = nullptr;  ///< where it stores values
};

/// Chains of one type. All pointers are nullptr when a type has none.
struct ChainKernel {
  LongType elements;  ///< are in registers at once
  ChainStep load;     ///< the first step of a chain: reads `operand`
  ChainStep store;    ///< writes to `target`
  ChainStep stream;   ///< the same, past the caches; `target` is aligned to 64 bytes
  ChainStep end;      ///< the last step
  /// Computes n elements, a multiple of `elements`, from the one at `first`.
  void (*run)(const ChainLink* links, LongType first, LongType n);
};

struct UnaryKernel {
  UnaryLoop run;
  ChainStep chain;      ///< nullptr: it cannot be in a chain
  UnaryLoop streaming;  ///< as `run`, with non-temporal stores, for whole cache lines of z. nullptr: not worthwhile
};

/// The steps of chains for an operation on the value in registers, v, and another operand.
enum ChainForm : int { V_RUN, V_ONE, RUN_V, ONE_V, CHAIN_FORMS };

struct BinaryKernel {
  BinaryLoop both;         ///< x and y are contiguous runs
  BinaryLoop xConstant;    ///< x is one element
  BinaryLoop yConstant;    ///< y is one element
  BinaryLoop streaming;    ///< as `both`, with non-temporal stores, for whole cache lines of z. nullptr: not worthwhile
  const ChainStep* chain;  ///< by ChainForm; nullptr: it cannot be in a chain
  /// As `both`, for runs of HALF and of BFLOAT16, which are computed as floats in registers. nullptr: they are
  /// converted before and after. Only for operations on floats.
  BinaryLoop halves[2];
};

/// Converts n elements of x into z; strides are in elements. Conversion rules: loops/kernels/ConvertLoops.h.
using ConvertLoop = void (*)(const void* x, LongType xStride, void* z, LongType zStride, LongType n);

/// Accumulators are double for floating-point x and x's type for integers. The groups of booleans and counts use uint8
/// and int64.
struct ReduceKernel {
  void (*start)(void* acc, LongType count);
  /// acc = update(acc, op(x[0])), …
  void (*run)(const void* x, LongType n, void* acc, const void* params);
  /// acc[c] = update(acc[c], op(x[r * rowStride + c])) for every row r and column c
  void (*rows)(const void* x, LongType rows, LongType rowStride, LongType columns, void* acc, const void* params);
  void (*merge)(void* acc, const void* other, LongType count);
  /// acc[i] = postProcess(acc[i], n)
  void (*finish)(void* acc, LongType count, LongType n, const void* params);

  // `run` with the same bits when its elements come in tiles: `begin`, `part` for each tile, `end`. All tiles but the
  // last have a multiple of REDUCE_PART elements; the last has REDUCE_LAST or more unless it is the only one, since the
  // last elements of a run are added together with those before them. `state` has REDUCE_STATE bytes, aligned to 64.
  // nullptr: a `run` for each tile gives the same bits.
  void (*begin)(void* state) = nullptr;
  void (*part)(const void* x, LongType n, void* state, const void* params) = nullptr;
  void (*end)(const void* state, void* acc) = nullptr;
  /// As `part`, of n elements from the one at `first` that a chain computes; n is a multiple of REDUCE_PART. Its last
  /// link is set here. nullptr: chains cannot end in this reduction.
  void (*chain)(ChainLink* links, ChainLink* last, LongType first, LongType n, void* state,
                const void* params) = nullptr;
};

inline constexpr LongType REDUCE_PART = 512, REDUCE_LAST = 64, REDUCE_STATE = 256;

/// A candidate for the position of an element. Index -1 means that there is none yet.
struct IndexAccumulator {
  alignas(8) unsigned char value[8];
  LongType index;
};

struct IndexKernel {
  void (*start)(IndexAccumulator* acc, LongType count);
  /// `base` is the position of x[0]
  void (*run)(const void* x, LongType n, LongType base, IndexAccumulator* acc, const void* params);
  /// column c of row r has position base + r in its own reduction
  void (*rows)(const void* x, LongType rows, LongType rowStride, LongType columns, LongType base, IndexAccumulator* acc,
               const void* params);
  /// the elements of `other` follow those of `acc`
  void (*merge)(IndexAccumulator* acc, const IndexAccumulator* other, LongType count);
  LongType none;  ///< the result when no element was found: 0 or -1
};

inline constexpr int MAX_DISTANCE_SUMS = 3;

struct DistanceKernel {
  void (*run)(const void* x, const void* y, LongType n, double* sums, const void* params);
  double (*finish)(const double* sums, LongType n);
  double emptyValue;
};

/// Merges the count, mean and sum of squared deviations of x into `moments` (three doubles).
using MomentsLoop = void (*)(const void* x, LongType n, double* moments);
/// The same for each column of a matrix. Means and sums of squared deviations are in `mean` and `m2`, and count for
/// `before` rows.
using MomentsOfRows = void (*)(const void* x, LongType rows, LongType rowStride, LongType columns, LongType before,
                               double* mean, double* m2);

/// z[c * zStride + r] = x[r * xStride + c]: transposes a matrix. Strides are in elements, which have 1, 2, 4 or 8
/// bytes.
using TransposeLoop = void (*)(const void* x, LongType xStride, void* z, LongType zStride, LongType rows,
                               LongType columns);

/// A pass of a discrete Fourier transform: transforms of `radix` numbers. The transform of what follows has `rest`.
struct FourierPass {
  int radix;
  LongType rest;
  const void* twiddles;  ///< [2, radix - 1, rest]: exp(-2 pi i j p / (radix rest)) for j = 1, 2, …, re and im
  const void* roots;     ///< [2, radix]: cos and sin of 2 pi k / radix
};
/// Complex numbers re, im, re, im, …: that with number i of lane l is at i * step + l * lane. Either the numbers of a
/// lane are side by side, and the step is 2, or those of all lanes, and `lane` is 2.
struct FourierEnds {
  const void* from = nullptr;  ///< where numbers are read, if not in arrays of parts
  LongType fromStep = 2, fromLane = 2;
  void* to = nullptr;  ///< where results are written, times `scale`
  LongType toStep = 2, toLane = 2;
  double scale = 1;
  bool inverse = false;  ///< exchanges re and im at both
};

/// Transforms of n numbers, `lanes` of them side by side. Arrays of parts are [n, lanes].
struct FourierRun {
  const FourierPass* passes;
  int count;
  LongType n, lanes;
  void *re, *im, *workRe, *workIm;
  FourierEnds ends;
};

/// The kernels of discrete Fourier transforms of floats or of doubles.
struct FourierKernel {
  /// Returns whether the result is in workRe and workIm instead of re and im. Without passes, numbers are moved.
  bool (*run)(const FourierRun& run);
  /// z = x w (c + i s)
  void (*rotate)(const void* re, const void* im, const void* wRe, const void* wIm, double c, double s, void* zRe,
                 void* zIm, LongType n);
  /// The conversion between the transform of 2 h real numbers and that of h complex ones, of which the even numbers are
  /// the real parts and the odd ones the imaginary parts. Number k of lane l is at k * lanes + l, for 0 <= k <= h.
  /// `roots` are exp(-pi i k / h). Going back, it is the conversion times 2.
  void (*separate)(void* re, void* im, LongType h, LongType lanes, const void* rootsRe, const void* rootsIm, bool back);
};

/// z = ((x - (about + off)) scale) factors + offsets for the elements of a row. `off` is what rounding took from
/// `about`. Without factors they are 1; without offsets they are `shift`.
struct RowAffine {
  double about = 0, off = 0, scale = 1, shift = 0;
  const void *factors = nullptr, *offsets = nullptr;
};
/// z = (g factors - mean) scale - shift - (x - (about + off)) slope
struct RowSlope {
  double about = 0, off = 0, mean = 0, scale = 1, shift = 0, slope = 0;
  const void* factors = nullptr;
};
/// z = (x - (about + off)) scale + shift, with numbers of each column.
struct ColumnAffine {
  const void *about, *off, *scale, *shift;
};
/// z = (g - mean) scale - shift - (x - (about + off)) slope
struct ColumnSlope {
  const void *about, *off, *mean, *scale, *shift, *slope;
};

/// What normalisations compute of rows of n floats or doubles. x and z may be the same row. Sums are of blocks that are
/// added in double.
struct RowKernel {
  /// sums = {sum of x - about, sum of (x - about)^2}
  void (*spread)(const void* x, LongType n, double about, double* sums);
  /// sums = {sum of g, sum of d, sum of g d}, where d = x - about
  void (*spreadOfProducts)(const void* x, const void* g, LongType n, double about, double* sums);
  /// sums = {sum of g factors, sum of g factors (x - mean)}, all in double; factors may be nullptr
  void (*products)(const void* x, const void* g, const void* factors, LongType n, double mean, double* sums);
  void (*affine)(const void* x, LongType n, const RowAffine& by, void* z);
  /// z = exp(x - most), where no x is above `most`; returns the sum. z may be x, or nullptr.
  double (*powers)(const void* x, LongType n, double most, void* z);
  void (*slope)(const void* x, const void* g, LongType n, const RowSlope& by, void* z);
  void (*affineColumns)(const void* x, LongType n, const ColumnAffine& by, void* z);
  void (*slopeColumns)(const void* x, const void* g, LongType n, const ColumnSlope& by, void* z);
  /// Adds g (x - (about + off)) scale to `products`, and g to `sums`, which may be nullptr.
  void (*accumulate)(const void* x, const void* g, LongType n, const RowAffine& by, void* products, void* sums);

  // Rows are `step` elements apart; sums are added to those of each column.
  /// of d = x - about and of d^2
  void (*spreadColumns)(const void* x, LongType rows, LongType step, LongType n, const void* about, double* sums,
                        double* squares);
  /// of g, of d and of g d
  void (*productColumns)(const void* x, const void* g, LongType rows, LongType step, LongType n, const void* about,
                         double* ofG, double* ofD, double* ofProducts);
};

/// The numbers of a generator (helpers/RandomGenerator.h) with these states, from number `first` on.
struct RandomNumbers {
  uint64_t rootState, nodeState;
  LongType first;
};

/// Windows along a row of cells: window o has the cells o * stride - pad + k * dilation, k < kernel; those that are not
/// in 0..in-1 are padding. Windows firstInside to lastInside - 1 have none.
struct RowWindows {
  LongType in, out, kernel, stride, dilation, pad, firstInside, lastInside;
};

/// Among the cells at + k * dilation of a window, k < kernel, those in 0..in-1 are between k = first and k = last - 1.
/// Of a few cells all are returned, because divisions take longer than looking at them.
inline std::pair<LongType, LongType> cellRange(LongType at, LongType kernel, LongType dilation, LongType in) {
  constexpr LongType FEW = 16;
  if (kernel <= FEW) return {0, kernel};
  const LongType first = at >= 0 ? 0 : std::min((-at - 1) / dilation + 1, kernel);
  return {first, at >= in ? first : std::max(first, std::min((in - 1 - at) / dilation + 1, kernel))};
}

/// Positions of maxima are as wide as the values, so that they share the masks of comparisons.
template <typename T>
using PoolingPosition = std::conditional_t<sizeof(T) == sizeof(int32_t), int32_t, LongType>;

/// best[o] = the largest cell of window o, in all of the rows, that is above `lowest`, else `lowest`. `positions` may
/// be nullptr: positions[o] = that of the first cell that is the largest, of the first one if none is above `lowest`,
/// -1 if there is none. Row r begins at position starts[r]. `positions` are PoolingPosition<T>.
using PoolingKernel = void (*)(const RowWindows& windows, const void* const* rows, LongType number,
                               const LongType* starts, const void* lowest, void* best, void* positions);
/// sums[o] = the sum of the cells of window o, of one row after the other.
using PoolingSums = void (*)(const RowWindows& windows, const void* const* rows, LongType number, void* sums);

/// Numbers as the integers by which they are sorted (loops/kernels/SortKeys.h), and back in place.
struct KeyKernel {
  void (*toKeys)(const void* data, void* keys, LongType n, bool descending);  ///< keys may be the same memory
  void (*fromKeys)(void* data, LongType n, bool descending);
};

/// Sorts integers, where loops/VectorSort.cpp has no faster way; else both are nullptr.
template <typename Key>
struct SortKernel {
  void (*sort)(Key* keys, LongType n);  ///< ascending
  /// Moves those of n >= 256 keys that are not above the pivot to the front, and returns how many they are.
  LongType (*partition)(Key* keys, LongType n, Key pivot);
};

/// c[m, n] = alpha a[m, k] b + beta c, where rows of c are contiguous. Steps lead from row to row, and in a from column
/// to column, in elements. c is not read when beta is 0.
struct Product {
  const void* a;
  LongType stepA, columnStepA;
  const void* b;
  LongType stepB, m, n, k;
  double alpha, beta;
  void* c;
  LongType stepC;
};

struct KernelTable {
  const char* name;

  UnaryKernel transformSame[MAX_OPS][COMPUTE_TYPES];
  UnaryKernel transformBool[MAX_OPS][COMPUTE_TYPES];
  UnaryKernel transformStrict[MAX_OPS][COMPUTE_TYPES];
  UnaryKernel transformFloat[MAX_OPS][COMPUTE_TYPES];

  BinaryKernel pairwise[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel scalar[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel broadcast[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel pairwiseBool[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel scalarBool[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel broadcastBool[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel pairwiseInt[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel scalarInt[MAX_OPS][COMPUTE_TYPES];
  BinaryKernel broadcastInt[MAX_OPS][COMPUTE_TYPES];

  ReduceKernel reduceSame[MAX_OPS][COMPUTE_TYPES];
  ReduceKernel reduceFloat[MAX_OPS][COMPUTE_TYPES];
  ReduceKernel reduceBool[MAX_OPS][COMPUTE_TYPES];
  ReduceKernel reduceLong[MAX_OPS][COMPUTE_TYPES];
  IndexKernel indexReduce[MAX_OPS][COMPUTE_TYPES];
  DistanceKernel reduce3[MAX_OPS][COMPUTE_TYPES];
  MomentsLoop moments[COMPUTE_TYPES];
  MomentsOfRows momentsOfRows[COMPUTE_TYPES];
  ChainKernel chains[COMPUTE_TYPES];

  ConvertLoop convert[STORAGE_TYPES][STORAGE_TYPES];
  TransposeLoop transpose[4];  ///< by log2 of the element size

  FourierKernel fourier[2];  ///< of floats and doubles
  RowKernel rows[2];
  /// Columns `first` to last - 1 of the products of rows of a, whose columns lie side by side, and of rows of b[n, k].
  void (*productOfRows[2])(const Product& p, LongType first, LongType last);
  /// Rows `first` to last - 1, a multiple of 4, for b[k, n] with a multiple of 64 bytes in each row. nullptr where BLAS
  /// has no slower kernels.
  void (*plainProduct[2])(const Product& p, LongType first, LongType last);
  KeyKernel keys[STORAGE_TYPES];
  SortKernel<int32_t> sortKeys32;
  SortKernel<int64_t> sortKeys64;
  /// Writes the differences of n > 0 keys from keys[0]. false when they take more than 32 bits.
  bool (*narrowKeys)(const int64_t* keys, LongType n, int32_t* narrow);
  void (*widenKeys)(const int32_t* narrow, LongType n, int64_t base, int64_t* keys);

  PoolingKernel pooling[4];    ///< float, double, LongType, UnsignedLong
  PoolingSums poolingSums[2];  ///< float, double

  /// Whether all n indices are in 0..size-1.
  bool (*areWithin)(const LongType* indices, LongType n, LongType size);

  /// z[i] = from + range u[i], where u are numbers of a random number generator in [0, 1).
  void (*uniform)(const RandomNumbers& u, float from, float range, float* z, LongType n);
  /// z[i] = u[i] <= probability ? 1 : 0
  void (*bernoulli)(const RandomNumbers& u, float probability, float* z, LongType n);

  /// Copies with non-temporal stores; z need not be aligned.
  void (*streamCopy)(const void* x, void* z, LongType bytes);
  /// Makes what streamCopy wrote visible to other threads.
  void (*streamFence)();
};

}  // namespace sd::simd

#endif
