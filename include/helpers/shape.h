// Reads and builds shapeInfo buffers.
//
// A shapeInfo buffer of rank r has 2r + 4 slots: rank, r dimensions, r strides (in elements), flags
// (array/ArrayOptions.h), the element-wise stride ("ews"), the order ('c' or 'f'). ews is positive when a constant step
// visits all elements in `order`, otherwise 0. Scalars and empty arrays have ews 1. A dimension of 0 makes an array
// empty; its strides are all 0. Element i of an array is counted in c order over the dimensions, whatever the order and
// the strides are.
//
// Functions that take `info` expect a buffer of this layout and do not check it; shape::validate() does.
#ifndef NDFORGE_HELPERS_SHAPE_H
#define NDFORGE_HELPERS_SHAPE_H

#include <array/ArrayOptions.h>
#include <array/DataType.h>
#include <system/common.h>

#include <initializer_list>

namespace shape {

// ---- slots
// -----------------------------------------------------------------------------------------------------------

inline constexpr int shapeInfoLength(int rank) { return 2 * rank + 4; }
inline int shapeInfoLength(const sd::LongType* info) { return shapeInfoLength(static_cast<int>(info[0])); }
inline constexpr size_t shapeInfoByteLength(int rank) { return sizeof(sd::LongType) * (2 * rank + 4); }
inline size_t shapeInfoByteLength(const sd::LongType* info) { return shapeInfoByteLength(static_cast<int>(info[0])); }

inline int rank(const sd::LongType* info) { return static_cast<int>(info[0]); }
inline int rank(const int* info) { return info[0]; }
inline int rank(const unsigned int* info) { return static_cast<int>(info[0]); }

/// The dimensions. The pointer is not const even for a const buffer, because programs rely on that.
inline sd::LongType* shapeOf(sd::LongType* info) { return info + 1; }
inline sd::LongType* shapeOf(const sd::LongType* info) { return const_cast<sd::LongType*>(info) + 1; }
/// The strides, in elements.
inline sd::LongType* stride(sd::LongType* info) { return info + 1 + info[0]; }
inline sd::LongType* stride(const sd::LongType* info) { return const_cast<sd::LongType*>(info) + 1 + info[0]; }

inline sd::LongType& extra(sd::LongType* info) { return info[2 * info[0] + 1]; }
inline sd::LongType extra(const sd::LongType* info) { return info[2 * info[0] + 1]; }
inline sd::LongType elementWiseStride(const sd::LongType* info) { return info[2 * info[0] + 2]; }
inline void setEws(sd::LongType* info, sd::LongType ews) { info[2 * info[0] + 2] = ews; }
inline char order(const sd::LongType* info) { return static_cast<char>(info[2 * info[0] + 3]); }
inline char setOrder(sd::LongType* info, char value) {
  info[2 * info[0] + 3] = value;
  return value;
}

// ---- questions
// -------------------------------------------------------------------------------------------------------

inline bool isEmpty(const sd::LongType* info) { return (extra(info) & ARRAY_EMPTY) != 0; }

/// Product of n numbers modulo 2^64, 1 for n = 0. lengthChecked throws when the product does not fit.
template <typename T>
inline sd::LongType prodLong(const T* values, int n) {
  sd::UnsignedLong product = 1;
  for (int i = 0; i < n; i++) product *= static_cast<sd::UnsignedLong>(values[i]);
  return static_cast<sd::LongType>(product);
}

/// Number of elements: the product of the dimensions; rank 0: 1, or 0 when empty.
inline sd::LongType length(const sd::LongType* info) {
  if (info[0] == 0) return isEmpty(info) ? 0 : 1;
  return prodLong(info + 1, rank(info));
}
inline sd::LongType length(std::initializer_list<int>& dims) {
  return prodLong(dims.begin(), static_cast<int>(dims.size()));
}
inline sd::LongType length(std::initializer_list<sd::LongType>& dims) {
  return prodLong(dims.begin(), static_cast<int>(dims.size()));
}

/// Product of the dimensions (1 for rank 0). @throws std::runtime_error when a dimension is negative, the rank is
/// above SD_MAX_RANK or the product does not fit
SD_LIB_EXPORT sd::LongType lengthChecked(int rank, const sd::LongType* dims);

/// Dimension `dim`; negative ones count from the end; 1 for rank 0. @throws std::runtime_error when out of range
SD_LIB_EXPORT int sizeAt(const sd::LongType* info, int dim);
/// Stride of dimension `dim`, counted as in sizeAt; 0 for rank 0. @throws std::runtime_error when out of range
SD_LIB_EXPORT sd::LongType strideAt(const sd::LongType* info, int dim);

/// True when ranks and dimensions are equal.
inline bool shapeEquals(int rank1, const sd::LongType* dims1, int rank2, const sd::LongType* dims2) {
  if (rank1 != rank2) return false;
  for (int i = 0; i < rank1; i++)
    if (dims1[i] != dims2[i]) return false;
  return true;
}
inline bool shapeEquals(const sd::LongType* a, const sd::LongType* b) {
  return shapeEquals(rank(a), a + 1, rank(b), b + 1);
}
inline bool shapeEquals(const sd::LongType* a, const sd::LongType* b, const sd::LongType* c) {
  return shapeEquals(a, b) && shapeEquals(a, c);
}
/// True when ranks and strides are equal.
inline bool strideEquals(const sd::LongType* a, const sd::LongType* b) {
  return shapeEquals(rank(a), stride(a), rank(b), stride(b));
}
/// True when ranks and dimensions are equal; for two empty shapes equal ranks are enough.
inline bool equalsSoft(const sd::LongType* a, const sd::LongType* b) {
  return a == b || shapeEquals(a, b) || (isEmpty(a) && isEmpty(b) && rank(a) == rank(b));
}
/// True when all slots are equal. Two buffers of rank 0 are always equal.
inline bool equalsStrict(const sd::LongType* a, const sd::LongType* b) {
  if (a == b) return true;
  if (a[0] != b[0]) return false;
  if (a[0] == 0) return true;
  for (int i = 1, n = shapeInfoLength(a); i < n; i++)
    if (a[i] != b[i]) return false;
  return true;
}
/// True when ranks, dimensions and strides are equal; strides of unit dimensions are ignored.
inline bool haveSameShapeAndStrides(const sd::LongType* a, const sd::LongType* b) {
  if (a == b) return true;
  if (!shapeEquals(a, b)) return false;
  const sd::LongType *strideA = stride(a), *strideB = stride(b);
  for (int i = 0, n = rank(a); i < n; i++)
    if (a[1 + i] != 1 && strideA[i] != strideB[i]) return false;
  return true;
}
inline bool haveSameShapeAndStrides(const sd::LongType* a, const sd::LongType* b, const sd::LongType* c) {
  return haveSameShapeAndStrides(a, b) && haveSameShapeAndStrides(a, c);
}

/// 1 for rank 0, {1} and {1, 1}.
inline int isScalar(const sd::LongType* info) {
  return info[0] == 0 || (info[0] == 1 && info[1] == 1) || (info[0] == 2 && info[1] == 1 && info[2] == 1);
}
/// 1 for rank 1, and for rank 2 with a unit dimension.
inline int isVector(const sd::LongType* dims, int rank) {
  return rank == 1 || (rank == 2 && (dims[0] == 1 || dims[1] == 1));
}
inline int isVector(const sd::LongType* info) { return isVector(info + 1, rank(info)); }
/// 1 for rank 2 without a unit dimension.
inline int isMatrix(const sd::LongType* dims, int rank) { return rank == 2 && dims[0] != 1 && dims[1] != 1; }
inline int isMatrix(const sd::LongType* info) { return isMatrix(info + 1, rank(info)); }
/// A vector whose first dimension is 1 (so a rank-1 array with more than one element is a "column").
inline bool isRowVector(const sd::LongType* info) { return isVector(info) && info[1] == 1; }
inline bool isColumnVector(const sd::LongType* info) { return isVector(info) && info[1] != 1; }
/// Number of dimensions other than 1.
inline int numOfNonUnitDims(int rank, const sd::LongType* dims) {
  int count = 0;
  for (int i = 0; i < rank; i++) count += dims[i] != 1;
  return count;
}
/// True when at most one dimension is not 1; `position` is that dimension (0 when all are 1). Rank 0: false.
inline bool isCommonVector(const sd::LongType* info, int& position) {
  position = 0;
  if (info[0] == 0 || numOfNonUnitDims(rank(info), info + 1) > 1) return false;
  for (int i = 0; i < rank(info); i++)
    if (info[1 + i] != 1) position = i;
  return true;
}
/// True when exactly one dimension is not 1; `position` is that dimension.
inline bool isLikeVector(const sd::LongType* info, int& position) {
  return numOfNonUnitDims(rank(info), info + 1) == 1 && isCommonVector(info, position);
}
/// Whether the elements are contiguous in the array's order.
inline bool isContiguous(const sd::LongType* info) { return elementWiseStride(info) == 1; }

/// 'a' when the strides are contiguous in both orders, 'f' when only in Fortran order, else 'c'. Unit dimensions are
/// ignored; the innermost stride must be `ews`, or may be anything when `ews` is below 1.
SD_LIB_EXPORT char getOrder(int n, sd::LongType* dims, sd::LongType* strides, int ews);

// ---- coordinates and offsets
// -----------------------------------------------------------------------------------------

/// Coordinates of element `index` in c order. For empty arrays the call is safe, but the coordinates are undefined.
template <typename C>
SD_INLINE void index2coords(sd::LongType index, int rank, const sd::LongType* dims, C* coords) {
  for (int i = rank - 1; i > 0; i--) {
    const sd::LongType dim = dims[i] > 0 ? dims[i] : 1;
    coords[i] = static_cast<C>(index % dim);
    index /= dim;
  }
  if (rank > 0) coords[0] = static_cast<C>(index);
}
template <typename C>
SD_INLINE void index2coords(sd::LongType index, const sd::LongType* info, C* coords) {
  index2coords(index, rank(info), info + 1, coords);
}
/// As above over the listed dimensions only; writes coords[dims[k]] and leaves the others unchanged.
SD_INLINE void index2coords(sd::LongType index, const sd::LongType* info, const int* dims, int dimsLength,
                            int* coords) {
  for (int k = dimsLength - 1; k > 0; k--) {
    const sd::LongType dim = info[1 + dims[k]] > 0 ? info[1 + dims[k]] : 1;
    coords[dims[k]] = static_cast<int>(index % dim);
    index /= dim;
  }
  if (dimsLength > 0) coords[dims[0]] = static_cast<int>(index);
}

/// The c-order index of the element with these coordinates.
template <typename C>
SD_INLINE sd::LongType coords2index(int rank, const sd::LongType* dims, const C* coords) {
  sd::LongType index = 0;
  for (int i = 0; i < rank; i++) index = index * dims[i] + static_cast<sd::LongType>(coords[i]);
  return index;
}
template <typename C>
SD_INLINE sd::LongType coords2index(const sd::LongType* info, const C* coords) {
  return coords2index(rank(info), info + 1, coords);
}

/// base + sum of coordinate * stride over the dimensions other than 1.
template <typename C>
SD_INLINE sd::LongType getOffset(const sd::LongType* info, const C* coords, sd::LongType base = 0) {
  const int r = rank(info);
  for (int i = 1; i <= r; i++)
    if (info[i] != 1) base += static_cast<sd::LongType>(coords[i - 1]) * info[r + i];
  return base;
}

/// Offset of element `index`, which is counted in c order.
SD_INLINE sd::LongType getIndexOffset(sd::LongType index, const sd::LongType* info) {
  const int r = rank(info);
  if (order(info) == 'c' && elementWiseStride(info) > 0) return index * elementWiseStride(info);
  sd::LongType offset = 0;
  for (int i = r; i > 1; i--) {
    const sd::LongType dim = info[i] > 0 ? info[i] : 1;
    offset += index % dim * info[r + i];
    index /= dim;
  }
  return r > 0 ? offset + index * info[r + 1] : offset;
}

/// Offsets of all elements, visited in `order`. `offsets` must have room for the array's length.
SD_LIB_EXPORT void calcOffsets(const sd::LongType* info, sd::LongType* offsets, char order = 'c');
SD_LIB_EXPORT void calcOffsets(int rank, const sd::LongType* dims, const sd::LongType* strides, sd::LongType* offsets,
                               char order = 'c');

/// The c-order indices of the elements of maxInfo that correspond to element minIdx of minInfo, written to maxIdxs,
/// which must have room for length(max) / length(min); returns their number. `dimsToExclude` lists the dimensions of
/// max that min does not have (nullptr: the leading ones). A dimension of 1 in min covers the whole dimension of max.
SD_LIB_EXPORT int outerArrayIndexes(int* maxIdxs, sd::LongType minIdx, const sd::LongType* maxInfo,
                                    const sd::LongType* minInfo, const int* dimsToExclude = nullptr);

// ---- strides
// ---------------------------------------------------------------------------------------------------------

/// Strides of a contiguous array in c order.
inline void calcStrides(const sd::LongType* dims, int rank, sd::LongType* strides) {
  sd::LongType step = 1;
  for (int i = rank - 1; i >= 0; i--) {
    strides[i] = step;
    step *= dims[i];
  }
}
/// Strides of a contiguous array in Fortran order.
inline void calcStridesFortran(const sd::LongType* dims, int rank, sd::LongType* strides) {
  sd::LongType step = 1;
  for (int i = 0; i < rank; i++) {
    strides[i] = step;
    step *= dims[i];
  }
}

/// Makes the strides contiguous in `order` and sets ews to 1 and the order. Empty arrays get strides of 0.
SD_LIB_EXPORT void updateStrides(sd::LongType* info, char order);
SD_LIB_EXPORT void updateStrides(int rank, const sd::LongType* dims, sd::LongType* strides, char order);

/// Sets ews and order from dimensions and strides, ignoring unit dimensions:
/// - length 1 or empty: ews 1, order unchanged;
/// - one dimension: ews = its stride, order unchanged;
/// - contiguous in c order (up to a common step): ews = last stride, 'c';
/// - contiguous in Fortran order: ews = first stride, 'f';
/// - else ews 0, order unchanged.
/// A stride of 0 or less gives ews 0.
SD_LIB_EXPORT void checkStridesEwsAndOrder(sd::LongType* info);

/// @throws std::runtime_error when the buffer is not a valid shapeInfo: rank above SD_MAX_RANK, negative dimension,
/// length or span that overflows, order other than 'c' and 'f', no element type. `op` names the caller in the message.
SD_LIB_EXPORT void validate(const sd::LongType* info, const char* op = "shape");

/// `axis` as a non-negative number. @throws std::runtime_error when it is not in -rank..rank-1
SD_LIB_EXPORT int normaliseAxis(int axis, int rank, const char* op = "shape");
/// Normalises n axes and sorts them into `sorted` (room for n). @throws std::runtime_error when one is out of range
/// or repeated. Returns n.
SD_LIB_EXPORT int normaliseAxes(const int* axes, int n, int rank, int* sorted, const char* op = "shape");

// ---- changing shapes
// -------------------------------------------------------------------------------------------------

/// Permutes dimensions and strides in place and sets ews and order. The identity permutation changes nothing.
/// @throws std::runtime_error when `rearrange` is not a permutation of 0..rank-1
SD_LIB_EXPORT void doPermuteShapeInfo(sd::LongType* info, const int* rearrange, sd::LongType length = -1);
SD_LIB_EXPORT void doPermuteShapeInfo(sd::LongType* info, const sd::LongType* rearrange);
/// out = info with its dimensions rearranged. `out` may be `info`.
SD_LIB_EXPORT void permuteShapeBufferInPlace(sd::LongType* info, int* rearrange, sd::LongType* out);
/// A permuted copy, which the caller frees with delete[].
SD_LIB_EXPORT sd::LongType* permuteShapeBuffer(const sd::LongType* info, int* rearrange);
/// Reverses dimensions and strides and flips the order.
SD_LIB_EXPORT void transposeInplace(sd::LongType* info);

/// Writes the shapeInfo of a view of `info` with the new dimensions in `newOrder`, if the strides allow it. The c-order
/// sequence of the elements is preserved. Returns false when a copy would be needed; `newInfo` (2 * newRank + 4 slots)
/// is then undefined. @throws std::runtime_error when the lengths differ
SD_LIB_EXPORT bool reshapeC(const sd::LongType* info, char newOrder, int newRank, const sd::LongType* newDims,
                            sd::LongType* newInfo);

/// shapeInfo of slice `sliceIdx` along dimension 0, with a rank of at least 2: a row of a matrix is {1, d1} with
/// strides {1, s1}. The offset of the slice is stored in slot 2r + 1. The caller frees the result with delete[].
/// @throws std::runtime_error when the slice does not exist or `info` has rank 0
SD_LIB_EXPORT sd::LongType* sliceOfShapeBuffer(sd::LongType sliceIdx, sd::LongType* info);

/// Copies the dimensions and strides of all dimensions other than 1; returns their number. Outputs must have room for
/// the rank.
SD_LIB_EXPORT int excludeUnitiesFromShapeInfo(const sd::LongType* info, sd::LongType* dims, sd::LongType* strides);

/// shapeInfo and element offsets of all sub-arrays that remain when `dimsToExclude` (sorted, not negative) are fixed,
/// in c order over the excluded dimensions. `subInfo` must have room for the full rank, `offsets` for `subArrays`
/// numbers. When keepUnities, excluded dimensions stay as 1.
SD_LIB_EXPORT void calcSubArrsShapeInfoAndOffsets(const sd::LongType* wholeInfo, sd::LongType subArrays, int excluded,
                                                  const int* dimsToExclude, sd::LongType* subInfo,
                                                  sd::LongType* offsets, bool keepUnities = false);

/// shapeInfo and offset of the sub-array idx = (from, to) for each dimension, or (from, to, step) when isStrided; `to`
/// is exclusive, from == to selects the whole dimension, a negative n means n + size + 1. Dimensions of length 1 are
/// dropped unless keepUnities is set or the whole dimension was selected.
/// @throws std::runtime_error when a range is outside its dimension
SD_LIB_EXPORT void calcSubArrShapeInfoAndOffset(const sd::LongType* idx, const sd::LongType* maxInfo,
                                                sd::LongType* minInfo, sd::LongType& minOffset,
                                                bool keepUnities = false, bool isStrided = false);

// ---- sub-arrays
// ------------------------------------------------------------------------------------------------------

/// Product of the listed dimensions.
inline sd::LongType tadLength(const sd::LongType* info, const int* dims, int n) {
  sd::LongType product = 1;
  for (int i = 0; i < n; i++) product *= info[1 + (dims[i] < 0 ? dims[i] + info[0] : dims[i])];
  return product;
}
/// Product of the dimensions that are not listed.
SD_LIB_EXPORT sd::LongType lengthPerSlice(int rank, const sd::LongType* dims, const int* dimension, int n);
/// Number of sub-arrays along the listed dimensions.
SD_LIB_EXPORT sd::LongType tensorsAlongDimension(sd::LongType* info, int* dims, int n);
SD_LIB_EXPORT sd::LongType tensorsAlongDimension(int rank, int length, volatile sd::LongType* dims, int* dimension,
                                                 int n);

// ---- building
// --------------------------------------------------------------------------------------------------------

/// A shapeInfo of rank 1 for one element, without an element type. The caller frees it with delete[].
SD_LIB_EXPORT sd::LongType* createScalarShapeInfo();
/// Old-style scalar: dimensions {1, 1}, strides {1, 1}, ews 1, 'c'; 8 slots. Returns `out`.
SD_LIB_EXPORT sd::LongType* createScalarShapeInfo(sd::LongType* out);

/// A contiguous shapeInfo, made with new[] (freed by the caller with delete[]) or in `out` of 2 * rank + 4 slots.
/// @throws std::runtime_error for bad ranks, dimensions and types
SD_LIB_EXPORT sd::LongType* shapeBuffer(int rank, sd::DataType dtype, const sd::LongType* dims);
SD_LIB_EXPORT sd::LongType* shapeBuffer(int rank, sd::DataType dtype, const sd::LongType* dims, sd::LongType* out);
SD_LIB_EXPORT sd::LongType* shapeBufferFortran(int rank, sd::DataType dtype, const sd::LongType* dims);
SD_LIB_EXPORT sd::LongType* shapeBufferFortran(int rank, sd::DataType dtype, const sd::LongType* dims,
                                               sd::LongType* out);
/// Writes a contiguous shapeInfo in the given order to `out`.
SD_LIB_EXPORT void fillContiguous(sd::LongType* out, sd::DataType dtype, char order, int rank,
                                  const sd::LongType* dims);

// ---- small arrays
// ----------------------------------------------------------------------------------------------------

/// out = data without the elements at the listed positions.
template <typename T1, typename T2>
void removeIndex(const T1* data, const T2* indexes, sd::LongType dataLength, sd::LongType indexesLength, T1* out) {
  for (sd::LongType i = 0; i < dataLength; i++) {
    bool listed = false;
    for (sd::LongType k = 0; k < indexesLength && !listed; k++) listed = static_cast<sd::LongType>(indexes[k]) == i;
    if (!listed) *out++ = data[i];
  }
}
/// As above; the caller frees the result with delete[].
template <typename T1, typename T2>
T1* removeIndex(const T1* data, const T2* indexes, sd::LongType dataLength, sd::LongType indexesLength) {
  T1* out = new T1[dataLength > 0 ? dataLength : 1]();
  removeIndex(data, indexes, dataLength, indexesLength, out);
  return out;
}

/// The n values in reverse order. The caller frees the result with delete[].
template <typename T>
T* reverseCopy(const T* data, sd::LongType n) {
  T* out = new T[n > 0 ? n : 1];
  for (sd::LongType i = 0; i < n; i++) out[i] = data[n - 1 - i];
  return out;
}

/// a followed by b. The caller frees the result with delete[].
template <typename T>
T* concat(const T* a, sd::LongType lengthA, const T* b, sd::LongType lengthB) {
  T* out = new T[lengthA + lengthB > 0 ? lengthA + lengthB : 1];
  for (sd::LongType i = 0; i < lengthA; i++) out[i] = a[i];
  for (sd::LongType i = 0; i < lengthB; i++) out[lengthA + i] = b[i];
  return out;
}

}  // namespace shape

#endif
