// Functions of namespace shape that only ND4J's JNI library asks for. Arrays that they return are new: the caller frees
// them with delete[].
#include <helpers/shape.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "export.h"

namespace sd::compat {

/// What shape::ShapeInformation is in memory for ND4J's JNI library.
struct ShapeInformation {
  LongType* shape;
  LongType* stride;
  char order;
  int rank;
  int offset;
  int elementWiseStride;
};
static_assert(sizeof(ShapeInformation) == 32);

namespace {

LongType* copyOf(const LongType* values, int n) {
  auto copy = new LongType[std::max(n, 1)];
  std::copy_n(values, n, copy);
  return copy;
}

/// Strides of a contiguous array whose innermost stride is `first`.
LongType* contiguousStrides(const LongType* dims, int rank, int first, char order, LongType* strides) {
  if (order == 'f')
    shape::calcStridesFortran(dims, rank, strides);
  else
    shape::calcStrides(dims, rank, strides);
  for (int i = 0; i < rank; i++) strides[i] *= first;
  return strides;
}

/// values[i] becomes the former values[order[i]].
template <typename T>
void rearrange(T* values, const int* order, int n) {
  const std::vector<T> before(values, values + n);
  for (int i = 0; i < n; i++) values[i] = before[shape::normaliseAxis(order[i], n)];
}

/// shapeInfo with these dimensions and strides, and without an element type.
LongType* shapeInfoOf(const LongType* dims, const LongType* strides, int rank, LongType* info) {
  info[0] = rank;
  std::copy_n(dims, rank, info + 1);
  std::copy_n(strides, rank, info + 1 + rank);
  shape::extra(info) = 0;
  shape::setEws(info, 1);
  shape::setOrder(info, 'c');
  shape::checkStridesEwsAndOrder(info);
  return info;
}
LongType* shapeInfoOf(const LongType* dims, const LongType* strides, int rank) {
  return shapeInfoOf(dims, strides, rank, new LongType[shape::shapeInfoLength(rank)]);
}

LongType* shapeInfoOf(const ShapeInformation* from, LongType* info) {
  info[0] = from->rank;
  std::copy_n(from->shape, from->rank, info + 1);
  std::copy_n(from->stride, from->rank, info + 1 + from->rank);
  shape::extra(info) = from->offset;
  shape::setEws(info, from->elementWiseStride);
  shape::setOrder(info, from->order);
  return info;
}

/// The element-wise stride of the sub-arrays along these dimensions; 0 when they have none.
LongType elementWiseStrideAlong(const LongType* info, const int* dimensions, int n) {
  std::vector<int> sorted(std::max(n, 1));
  shape::normaliseAxes(dimensions, n, shape::rank(info), sorted.data());
  std::vector<LongType> dims, strides, sub(shape::shapeInfoLength(n));
  for (int i = 0; i < n; i++) {
    dims.push_back(info[1 + sorted[i]]);
    strides.push_back(shape::stride(info)[sorted[i]]);
  }
  return shape::elementWiseStride(shapeInfoOf(dims.data(), strides.data(), n, sub.data()));
}

/// Whether the array can be seen with other dimensions without moving its elements.
bool canReshape(const LongType* info, int rank, const LongType* dims, bool fortran) {
  if (shape::prodLong(dims, rank) != shape::length(info)) return false;
  std::vector<LongType> unused(shape::shapeInfoLength(rank));
  return shape::reshapeC(info, fortran ? 'f' : 'c', rank, dims, unused.data());
}

/// As shape::reshapeC; rank, dimensions and order of the result are read from newInfo.
bool reshapeInto(const LongType* info, LongType* newInfo) {
  const int rank = shape::rank(newInfo);
  const std::vector<LongType> dims(newInfo + 1, newInfo + 1 + rank);
  return shape::reshapeC(info, shape::order(newInfo), rank, dims.data(), newInfo);
}

/// The numbers from begin to end - 1 that are not among `indexes`.
LongType* everyIndexBut(const LongType* indexes, int n, int begin, int end) {
  auto others = new LongType[std::max(end - begin, 1)];
  int count = 0;
  for (int i = begin; i < end; i++)
    if (std::find(indexes, indexes + n, i) == indexes + n) others[count++] = i;
  return others;
}

/// The coordinates in the smaller array of an element of the larger one: `excluded` lists the dimensions that only the
/// larger one has (nullptr: the leading ones). A dimension of 1 in the smaller array covers all of the larger one's.
void smallerCoordinates(const int* larger, int* smaller, const LongType* maxInfo, const LongType* minInfo,
                        const int* excluded, int n) {
  const int maxRank = shape::rank(maxInfo), minRank = shape::rank(minInfo);
  const auto isExcluded = [&](int d) {
    if (excluded == nullptr || maxRank == minRank) return d < maxRank - minRank;
    return std::find(excluded, excluded + std::max(n, maxRank - minRank), d) !=
           excluded + std::max(n, maxRank - minRank);
  };
  for (int d = 0, to = 0; d < maxRank && to < minRank; d++) {
    if (isExcluded(d)) continue;
    smaller[to] = minInfo[1 + to] == 1 ? 0 : static_cast<int>(larger[d] % std::max<LongType>(minInfo[1 + to], 1));
    to++;
  }
}

struct Coordinates {
  int values[SD_MAX_RANK] = {};
};

Coordinates smallerCoordinates(LongType index, const LongType* maxInfo, const LongType* minInfo, const int* excluded,
                               int n) {
  Coordinates larger, smaller;
  shape::index2coords(index, maxInfo, larger.values);
  smallerCoordinates(larger.values, smaller.values, maxInfo, minInfo, excluded, n);
  return smaller;
}

LongType subArrayIndex(LongType index, const LongType* maxInfo, const LongType* minInfo, const int* excluded, int n) {
  return shape::coords2index(minInfo, smallerCoordinates(index, maxInfo, minInfo, excluded, n).values);
}

LongType subArrayOffset(LongType index, const LongType* maxInfo, const LongType* minInfo, const int* excluded, int n) {
  return shape::getOffset(minInfo, smallerCoordinates(index, maxInfo, minInfo, excluded, n).values);
}

/// As shape::outerArrayIndexes, but offsets.
int outerArrayOffsets(LongType* offsets, LongType minIndex, const LongType* maxInfo, const LongType* minInfo,
                      const int* excluded) {
  const LongType room = shape::length(minInfo) == 0 ? 0 : shape::length(maxInfo) / shape::length(minInfo);
  std::vector<int> indexes(static_cast<size_t>(std::max<LongType>(room, 1)));
  const int count = shape::outerArrayIndexes(indexes.data(), minIndex, maxInfo, minInfo, excluded);
  for (int i = 0; i < count; i++) offsets[i] = shape::getIndexOffset(indexes[i], maxInfo);
  return count;
}

/// shapeInfo of what a reduction along these dimensions leaves, in c order; all of them leave a scalar.
LongType* computeResultShape(const LongType* info, const int* dimensions, int n) {
  const int rank = shape::rank(info);
  std::vector<LongType> kept;
  const bool all = n == 1 && dimensions[0] == std::numeric_limits<int>::max();
  for (int d = 0; d < rank && !all; d++) {
    const bool reduced =
        std::any_of(dimensions, dimensions + n, [&](int axis) { return axis == d || axis + rank == d; });
    if (!reduced) kept.push_back(info[1 + d]);
  }
  std::vector<LongType> strides(kept.size());
  const int left = static_cast<int>(kept.size());
  shape::calcStrides(kept.data(), left, strides.data());
  return shapeInfoOf(kept.data(), strides.data(), left);
}

/// Offsets of element `index` in three arrays of equal shape.
void broadcastOffsets(LongType index, const LongType* info1, const LongType* info2, const LongType* info3, bool same12,
                      bool same13, LongType& offset1, LongType& offset2, LongType& offset3) {
  offset1 = shape::getIndexOffset(index, info1);
  offset2 = same12 ? offset1 : shape::getIndexOffset(index, info2);
  offset3 = same13 ? offset1 : shape::getIndexOffset(index, info3);
}

/// The permutation that moves the last n dimensions to the front.
int* createPermuteIndexes(int rank, int n) {
  auto order = new int[std::max(rank, 1)];
  for (int i = 0; i < rank; i++) order[i] = i < rank - n ? i + n : i - (rank - n);
  return order;
}

LongType sliceOffsetForTensor(int rank, int index, const LongType* dims, const LongType* tensorDims, int tensorRank,
                              const int* dimensions, int n) {
  const LongType slice = shape::lengthPerSlice(rank, dims, dimensions, n);
  return slice <= 0 ? 0 : index * shape::prodLong(tensorDims, tensorRank) / slice;
}

LongType computeElementWiseStride(int rank, const LongType* dims, const LongType* strides) {
  std::vector<LongType> info(shape::shapeInfoLength(rank));
  return shape::elementWiseStride(shapeInfoOf(dims, strides, rank, info.data()));
}

/// Sets the element-wise stride and the order from the dimensions other than 1.
void setEwsAndOrder(LongType* info, char order, int n, const LongType* dims, const LongType* strides) {
  std::vector<LongType> squeezed(shape::shapeInfoLength(n));
  shapeInfoOf(dims, strides, n, squeezed.data());
  const LongType ews = shape::elementWiseStride(squeezed.data());
  shape::setEws(info, ews);
  shape::setOrder(info, n > 1 && ews > 0 ? shape::order(squeezed.data()) : order);
}

/// shapeInfo without the listed dimensions, which have length 1.
void excludeDimensions(const LongType* info, const int* excluded, int n, LongType* out) {
  std::vector<LongType> dims, strides;
  for (int d = 0; d < shape::rank(info); d++) {
    if (std::find(excluded, excluded + n, d) != excluded + n) continue;
    dims.push_back(info[1 + d]);
    strides.push_back(shape::stride(info)[d]);
  }
  const LongType extra = shape::extra(info), ews = shape::elementWiseStride(info);
  const char order = shape::order(info);
  shapeInfoOf(dims.data(), strides.data(), static_cast<int>(dims.size()), out);
  shape::extra(out) = extra;
  shape::setEws(out, ews);
  shape::setOrder(out, order);
}

/// shapeInfo of the listed dimensions.
LongType* listedDimensions(const LongType* info, const LongType* dimensions, int n, bool reverseStrides,
                           LongType* out) {
  const int rank = shape::rank(info);
  std::vector<LongType> dims(n), strides(n);
  for (int i = 0; i < n; i++) {
    const int d = shape::normaliseAxis(static_cast<int>(dimensions[i]), rank);
    dims[i] = info[1 + d];
    strides[reverseStrides ? n - 1 - i : i] = shape::stride(info)[d];
  }
  return shapeInfoOf(dims.data(), strides.data(), n, out);
}

/// Whether the strides never grow in c order, or never shrink in Fortran order.
bool stridesFollowOrder(const LongType* info) {
  const LongType* strides = shape::stride(info);
  for (int i = 1; i < shape::rank(info); i++)
    if (shape::order(info) == 'f' ? strides[i - 1] > strides[i] : strides[i - 1] < strides[i]) return false;
  return true;
}

bool areStridesDefault(const LongType* info) {
  const int rank = shape::rank(info);
  std::vector<LongType> expected(std::max(rank, 1));
  contiguousStrides(info + 1, rank, 1, shape::order(info), expected.data());
  return std::equal(expected.begin(), expected.begin() + rank, shape::stride(info));
}

/// The values at the given positions.
LongType* keep(const volatile LongType* values, const int* positions, int n, int length) {
  auto kept = new LongType[std::max(n, 1)];
  int count = 0;
  for (int i = 0; i < length; i++)
    if (std::find(positions, positions + n, i) != positions + n) kept[count++] = values[i];
  return kept;
}

void permuteInformation(ShapeInformation* info, const int* order, int rank) {
  rearrange(info->shape, order, rank);
  rearrange(info->stride, order, rank);
  info->order = shape::getOrder(rank, info->shape, info->stride, info->elementWiseStride);
}

ShapeInformation* copyOf(const ShapeInformation* from) {
  auto copy = new ShapeInformation(*from);
  copy->shape = copyOf(from->shape, from->rank);
  copy->stride = copyOf(from->stride, from->rank);
  return copy;
}

template <typename T>
void printValues(const T* values, int n) {
  std::printf("[");
  for (int i = 0; i < n; i++) std::printf(i == 0 ? "%g" : ", %g", static_cast<double>(values[i]));
  std::printf("]\n");
}

void printInfo(const LongType* info) {
  std::printf("Rank %i:\n", shape::rank(info));
  printValues(info + 1, shape::rank(info));
  printValues(shape::stride(info), shape::rank(info));
  std::printf("Order: %c\n", shape::order(info));
}

void printLinear(const char* text, const LongType* info) {
  std::printf("%s", text);
  printValues(info, shape::shapeInfoLength(info));
}

void printLinear(const char* text, int rank, const LongType* dims, const LongType* strides) {
  std::printf("%s: ", text);
  printValues(dims, rank);
  printValues(strides, rank);
}

}  // namespace

SD_EXPORT(_ZN5shape10canReshapeEiPxiS0_b, (int, const LongType* info, int rank, const LongType* dims, bool fortran),
          canReshape(info, rank, dims, fortran))
SD_EXPORT(_ZN5shape10printArrayEPfi, (const float* values, int n), printValues(values, n))
SD_EXPORT(_ZN5shape11calcStridesEPKxii, (const LongType* dims, int rank, int first),
          contiguousStrides(dims, rank, first, 'c', new LongType[std::max(rank, 1)]))
SD_EXPORT(_ZN5shape11calcStridesEPKxiiPx, (const LongType* dims, int rank, int first, LongType* strides),
          contiguousStrides(dims, rank, first, 'c', strides))
SD_EXPORT(_ZN5shape18calcStridesFortranEPKxii, (const LongType* dims, int rank, int first),
          contiguousStrides(dims, rank, first, 'f', new LongType[std::max(rank, 1)]))
SD_EXPORT(_ZN5shape18calcStridesFortranEPKxiiPx, (const LongType* dims, int rank, int first, LongType* strides),
          contiguousStrides(dims, rank, first, 'f', strides))
SD_EXPORT(_ZN5shape13doPermuteSwapEiPPxPi, (int n, LongType** values, const int* order), rearrange(*values, order, n))
SD_EXPORT(_ZN5shape13doPermuteSwapEiPxPi, (int n, LongType* values, const int* order), rearrange(values, order, n))
SD_EXPORT(_ZN5shape13everyIndexButEPKxiii, (const LongType* indexes, int n, int begin, int end),
          everyIndexBut(indexes, n, begin, end))
SD_EXPORT(_ZN5shape13printIntArrayEPKii, (const int* values, int n), printValues(values, n))
SD_EXPORT(_ZN5shape13printIntArrayEPKxi, (const LongType* values, int n), printValues(values, n))
SD_EXPORT(_ZN5shape13subArrayIndexExPKxS1_PKii,
          (LongType index, const LongType* maxInfo, const LongType* minInfo, const int* excluded, int n),
          subArrayIndex(index, maxInfo, minInfo, excluded, n))
SD_EXPORT(_ZN5shape14subArrayOffsetExPKxS1_PKii,
          (LongType index, const LongType* maxInfo, const LongType* minInfo, const int* excluded, int n),
          subArrayOffset(index, maxInfo, minInfo, excluded, n))
SD_EXPORT(_ZN5shape14maxIndToMinIndEPiS0_PKxS2_PKii,
          (const int* larger, int* smaller, const LongType* maxInfo, const LongType* minInfo, const int* excluded,
           int n),
          smallerCoordinates(larger, smaller, maxInfo, minInfo, excluded, n))
SD_EXPORT(_ZN5shape17outerArrayOffsetsEPxxPKxS2_PiPKi,
          (LongType * offsets, LongType minIndex, const LongType* maxInfo, const LongType* minInfo, int*,
           const int* excluded),
          outerArrayOffsets(offsets, minIndex, maxInfo, minInfo, excluded))
SD_EXPORT(_ZN5shape13toShapeBufferEPNS_16ShapeInformationE, (const ShapeInformation* from),
          shapeInfoOf(from, new LongType[shape::shapeInfoLength(from->rank)]))
SD_EXPORT(_ZN5shape13toShapeBufferEPNS_16ShapeInformationEPx, (const ShapeInformation* from, LongType* info),
          shapeInfoOf(from, info))
SD_EXPORT(_ZN5shape7permuteEPPNS_16ShapeInformationEPii, (ShapeInformation * *info, const int* order, int rank),
          permuteInformation(*info, order, rank))
SD_EXPORT(_ZN5shape9shapeCopyEPNS_16ShapeInformationE, (const ShapeInformation* from), copyOf(from))
SD_EXPORT(_ZN5shape14printShapeInfoEPKx, (const LongType* info), printInfo(info))
SD_EXPORT(_ZN5shape20printShapeInfoLinearEPKx, (const LongType* info), printLinear("ShapeInfo: ", info))
SD_EXPORT(_ZN5shape20printShapeInfoLinearEPKcPKx, (const char* text, const LongType* info), printLinear(text, info))
SD_EXPORT(_ZN5shape20printShapeInfoLinearEPKciPKxS3_,
          (const char* text, int rank, const LongType* dims, const LongType* strides),
          printLinear(text, rank, dims, strides))
SD_EXPORT(_ZN5shape15createShapeInfoEPxS0_i, (const LongType* dims, const LongType* strides, int rank),
          shapeInfoOf(dims, strides, rank))
SD_EXPORT(_ZN5shape15createShapeInfoEPxS0_iS0_,
          (const LongType* dims, const LongType* strides, int rank, LongType* info),
          shapeInfoOf(dims, strides, rank, info))
SD_EXPORT(_ZN5shape17areStridesDefaultEPKx, (const LongType* info), areStridesDefault(info))
SD_EXPORT(_ZN5shape18computeResultShapeEPKxPii, (const LongType* info, const int* dimensions, int n),
          computeResultShape(info, dimensions, n))
SD_EXPORT(_ZN5shape18getOffsetBroadcastERKxxPS0_S2_S2_bbPiRxS4_S4_,
          (const LongType&, LongType index, const LongType* info1, const LongType* info2, const LongType* info3,
           bool same12, bool same13, int*, LongType& offset1, LongType& offset2, LongType& offset3),
          broadcastOffsets(index, info1, info2, info3, same12, same13, offset1, offset2, offset3))
SD_EXPORT(_ZN5shape20createPermuteIndexesEiPii, (int rank, const int*, int n), createPermuteIndexes(rank, n))
SD_EXPORT(_ZN5shape20sliceOffsetForTensorEiiPKxS1_iPKii,
          (int rank, int index, const LongType* dims, const LongType* tensorDims, int tensorRank, const int* dimensions,
           int n),
          sliceOffsetForTensor(rank, index, dims, tensorDims, tensorRank, dimensions, n))
SD_EXPORT(_ZN5shape20tadElementWiseStrideEPxPii, (const LongType* info, const int* dimensions, int n),
          elementWiseStrideAlong(info, dimensions, n))
SD_EXPORT(_ZN5shape31reductionIndexElementWiseStrideEPxPii, (const LongType* info, const int* dimensions, int n),
          elementWiseStrideAlong(info, dimensions, n))
SD_EXPORT(_ZN5shape23checkStridesEwsAndOrderEPxciPKxS2_,
          (LongType * info, char order, int n, const LongType* dims, const LongType* strides),
          setEwsAndOrder(info, order, n, dims, strides))
SD_EXPORT(_ZN5shape24computeElementWiseStrideEiPKxS1_i, (int rank, const LongType* dims, const LongType* strides, int),
          computeElementWiseStride(rank, dims, strides))
SD_EXPORT(_ZN5shape27excludeUnitiesFromShapeInfoEPKxPKiiPx,
          (const LongType* info, const int* excluded, int n, LongType* out), excludeDimensions(info, excluded, n, out))
SD_EXPORT(_ZN5shape27excludeUnitiesFromShapeInfoEPKxRPxS3_, (const LongType* info, LongType*& dims, LongType*& strides),
          shape::excludeUnitiesFromShapeInfo(info, dims, strides))
SD_EXPORT(_ZN5shape27shapeInfoOnlyShapeAndStrideEPKxPxib,
          (const LongType* info, const LongType* dimensions, int n, bool reverseStrides),
          listedDimensions(info, dimensions, n, reverseStrides, new LongType[shape::shapeInfoLength(n)]))
SD_EXPORT(_ZN5shape27shapeInfoOnlyShapeAndStrideEPKxPxibS2_,
          (const LongType* info, const LongType* dimensions, int n, bool reverseStrides, LongType* out),
          listedDimensions(info, dimensions, n, reverseStrides, out))
SD_EXPORT(_ZN5shape27strideDescendingCAscendingFEPKx, (const LongType* info), stridesFollowOrder(info))
SD_EXPORT(_ZN5shape28calcSubArrShapeInfoAndOffsetEPKxS1_PxRxbbi,
          (const LongType* idx, const LongType* maxInfo, LongType* minInfo, LongType& minOffset, bool keepUnities,
           bool isStrided, int),
          shape::calcSubArrShapeInfoAndOffset(idx, maxInfo, minInfo, minOffset, keepUnities, isStrided))
SD_EXPORT(_ZN5shape4keepEPVxPKiii, (const volatile LongType* values, const int* positions, int n, int length),
          keep(values, positions, n, length))
SD_EXPORT(_ZN5shape6copyToEiPKxPxS2_, (int n, const LongType* from, LongType* to, const LongType* indexes),
          (void)std::transform(indexes, indexes + n, to, [&](LongType i) { return from[i]; }))
SD_EXPORT(_ZN5shape7isEmptyEPKx, (const LongType* info), shape::isEmpty(info))
SD_EXPORT(_ZN5shape8reshapeCEPKxPx, (const LongType* info, LongType* newInfo), reshapeInto(info, newInfo))
SD_EXPORT(_ZN5shape9tadLengthEPKxPii, (const LongType* info, const int* dimensions, int n),
          shape::tadLength(info, dimensions, n))

}  // namespace sd::compat
