// Shape arithmetic: for reductions, broadcasts, permutations, matrix products.
#ifndef NDFORGE_HELPERS_SHAPEUTILS_H
#define NDFORGE_HELPERS_SHAPEUTILS_H

#include <array/DataType.h>
#include <array/Dimensions.h>
#include <system/common.h>

#include <string>
#include <vector>

namespace sd {

class NDArray;
namespace memory {
class Workspace;
}

/// Shapes returned as `const LongType*` are interned (ConstantShapeHelper). Workspace parameters exist for programs
/// that pass one; no memory is taken from them.
class SD_LIB_EXPORT ShapeUtils {
 public:
  // ---- reductions

  /// The shape after reducing over `dims`, which are normalised in place (made non-negative and sorted). No dims or the
  /// single value SD_MAX_DIMENSION mean all of them. Reducing over all dimensions gives a scalar, or dimensions of 1
  /// with keepDims and a rank above 1. An empty array without dims keeps its shape. supportOldShapes: results of rank 0
  /// and 1 get rank 2. The result has the array's type unless `dataType` is given.
  /// @throws std::runtime_error when a dimension is out of range or repeated
  static const LongType* evalReduceShapeInfo(char order, std::vector<int>& dims, const LongType* info,
                                             DataType dataType, bool keepDims = false, bool supportOldShapes = false,
                                             memory::Workspace* workspace = nullptr);
  static const LongType* evalReduceShapeInfo(char order, std::vector<int>& dims, const LongType* info,
                                             bool keepDims = false, bool supportOldShapes = false,
                                             memory::Workspace* workspace = nullptr);
  static const LongType* evalReduceShapeInfo(char order, std::vector<int>& dims, const NDArray& array,
                                             DataType dataType, bool keepDims = false, bool supportOldShapes = false,
                                             memory::Workspace* workspace = nullptr);
  static const LongType* evalReduceShapeInfo(char order, std::vector<int>& dims, const NDArray& array,
                                             bool keepDims = false, bool supportOldShapes = false,
                                             memory::Workspace* workspace = nullptr);

  /// The dimensions that are not listed, ascending; all of them when dims is empty. @throws std::runtime_error when a
  /// dimension is out of range or repeated
  static std::vector<int> evalDimsToExclude(int rank, const indexing::Dimensions& dims);
  static std::vector<int> evalDimsToExclude(int rank, int n, const int* dims);
  /// Product of the listed dimensions; 1 when none or all are listed. @throws std::runtime_error as above
  static LongType getNumOfSubArrs(const LongType* info, const indexing::Dimensions& dimsToExclude);

  // ---- broadcasts

  /// NumPy's rule: shapes are aligned at the last dimension, and sizes must be equal or 1.
  static bool areShapesBroadcastable(const std::vector<LongType>& a, const std::vector<LongType>& b);
  static bool areShapesBroadcastable(const LongType* a, const LongType* b);
  static bool areShapesBroadcastable(const NDArray& a, const NDArray& b);
  static bool areShapesBroadcastable(int rankA, const LongType* a, int rankB, const LongType* b);

  /// The common shape of both; returns false when there is none. Type: pickPairwiseResultType, with the operand of
  /// larger rank first when evalMinMax. Order: that of the first operand. @throws std::runtime_error unless `result` is
  /// nullptr on entry
  static bool evalBroadcastShapeInfo(const LongType* a, const LongType* b, bool evalMinMax, const LongType*& result,
                                     memory::Workspace* workspace = nullptr);
  static bool evalBroadcastShapeInfo(const NDArray& a, const NDArray& b, bool evalMinMax, const LongType*& result,
                                     memory::Workspace* workspace = nullptr);
  /// The dimensions of `result` along which `operand` was repeated: the gradient must be summed over them.
  static std::vector<int> evalBroadcastBackwardAxis(const LongType* operand, const LongType* result);

  // ---- permutations

  /// A permutation p with to[j] = from[p[j]]; empty when both are equal. @throws std::runtime_error when none exists
  static std::vector<int> evalPermutFromTo(const std::vector<LongType>& from, const std::vector<LongType>& to);
  /// False for the identity.
  static bool isPermutNecessary(const std::vector<int>& permutation);
  /// The permuted shape, with contiguous strides of its order when setContigStrides.
  /// @throws std::runtime_error when `dims` is not a permutation
  static const LongType* evalPermShapeInfo(const int* dims, int rank, const LongType* info, bool setContigStrides);
  static const LongType* evalPermShapeInfo(const int* dims, int rank, const NDArray& array,
                                           memory::Workspace* workspace = nullptr, bool setContigStrides = false);
  static const LongType* evalPermShapeInfo(const LongType* dims, int rank, const NDArray& array,
                                           memory::Workspace* workspace = nullptr, bool setContigStrides = false);
  static const LongType* evalTranspShapeInfo(const LongType* info, bool setContigStrides);
  static const LongType* evalTranspShapeInfo(const NDArray& array, memory::Workspace* workspace = nullptr,
                                             bool setContigStrides = false);

  // ---- repetition

  /// The shape after tiling `reps` times; the shorter list is extended with leading ones.
  /// @throws std::runtime_error when a repetition is below 1
  static const LongType* evalTileShapeInfo(const LongType* info, const std::vector<LongType>& reps);
  static const LongType* evalTileShapeInfo(const NDArray& array, const std::vector<LongType>& reps,
                                           memory::Workspace* workspace = nullptr);
  /// Dimension `axis` becomes the sum of `repeats` (a single value applies to every slice).
  /// @throws std::runtime_error when `repeats` has neither one value nor one for each slice, or a value is negative
  static std::vector<LongType> evalRepeatShape(int axis, const std::vector<int>& repeats, const LongType* info);
  static std::vector<LongType> evalRepeatShape(int axis, const std::vector<int>& repeats, const NDArray& array);

  // ---- products

  /// Dimensions of the product x * y for [.., M, K] and [.., K, N] of equal rank, [M, K] and [K], [K] and [K, N], or
  /// [K] and [K] (empty: a scalar). @throws std::runtime_error when the shapes do not fit
  static std::vector<LongType> evalShapeForMatmul(const LongType* x, const LongType* y, bool transX, bool transY);
  /// As above as an interned shape in c order.
  static const LongType* matrixProductShape(const LongType* x, const LongType* y, bool transX, bool transY,
                                            DataType dataType, memory::Workspace* workspace = nullptr);

  /// Dimensions of the product of a and b summed over axesA and axesB. permutA and permutB move the summed axes to the
  /// end of a and to the front of b (empty when they are already there). matrixA = {rest, K} and matrixB = {K, rest}
  /// are the dimensions of the matrices to multiply. @throws std::runtime_error when the shapes do not fit
  static std::vector<LongType> evalShapeForTensorDot(const LongType* a, const LongType* b, std::vector<int> axesA,
                                                     std::vector<int> axesB, std::vector<int>& permutA,
                                                     std::vector<int>& permutB, std::vector<LongType>& matrixA,
                                                     std::vector<LongType>& matrixB);
  static std::vector<LongType> evalShapeForTensorDot(const NDArray* a, const NDArray* b, const std::vector<int>& axesA,
                                                     const std::vector<int>& axesB, std::vector<int>& permutA,
                                                     std::vector<int>& permutB, std::vector<LongType>& matrixA,
                                                     std::vector<LongType>& matrixB);

  // ---- text and conversion

  /// "[2, 3]"
  static std::string shapeAsString(const NDArray* array);
  static std::string shapeAsString(const std::vector<LongType>& dims);
  static std::string shapeAsString(const LongType* info);
  static std::string shapeAsString(int rank, const LongType* dims);
  static std::string strideAsString(const NDArray* array);
  static std::string strideAsString(const LongType* info);
  /// All slots, for example "[2, 2, 3, 3, 1, 8192, 1, 99]".
  static std::string shapeInfoAsString(const LongType* info);
  static std::vector<LongType> pullShapeFromShapeInfo(const LongType* info);
  static std::vector<LongType> shapeAsVector(const LongType* info);

  /// Sets contiguous strides, ews, the order and the element type (that of `typeFrom`).
  static void updateStridesAndType(LongType* info, DataType dataType, char order);
  static void updateStridesAndType(LongType* info, const LongType* typeFrom, char order);

  /// Bytes of the offsets that precede the characters of n strings.
  static LongType stringBufferHeaderRequirements(LongType numStrings);
};

}  // namespace sd

#endif
