// Arrays, their buffers, lists and indices.
#include <array/DataBuffer.h>
#include <array/DataTypeUtils.h>
#include <array/NDArray.h>
#include <array/NDArrayList.h>
#include <array/ResultSet.h>
#include <array/ShapeList.h>
#include <helpers/shape.h>
#include <indexing/IndicesList.h>
#include <indexing/NDIndex.h>
#include <types/utf8string.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <vector>

#include "export.h"

namespace sd::compat {

namespace {

/// Access to what NDArray keeps for itself.
struct OpenArray : NDArray {
  static void setAttached(NDArray* array, bool attached) { array->*& OpenArray::_isAttached = attached; }
};

void updateStrides(NDArray* array, char order) {
  std::vector<LongType> info(array->shapeInfo(), array->shapeInfo() + shape::shapeInfoLength(array->shapeInfo()));
  shape::updateStrides(info.data(), order);
  array->setShapeInfo(info.data());
}

/// New arrays, which the caller frees with delete[]: the shapeInfo of the sub-arrays that remain when `dimensions` are
/// fixed, and the offset of each.
void subArrays(const NDArray* array, const std::vector<int>& dimensions, LongType*& info, LongType*& offsets,
               bool keepUnities) {
  const int rank = array->rankOf();
  std::vector<int> sorted(dimensions.size() + 1);
  const int n = shape::normaliseAxes(dimensions.data(), static_cast<int>(dimensions.size()), rank, sorted.data());
  LongType count = 1;
  for (int i = 0; i < n; i++) count *= array->sizeAt(sorted[i]);
  info = new LongType[shape::shapeInfoLength(rank)];
  offsets = new LongType[std::max<LongType>(count, 1)];
  shape::calcSubArrsShapeInfoAndOffsets(array->shapeInfo(), count, n, sorted.data(), info, offsets, keepUnities);
}

void print(const DataBuffer* buffer) {
  std::printf("%zu bytes of %s at %p\n", buffer->getLenInBytes(),
              DataTypeUtils::asString(buffer->getDataType()).c_str(), const_cast<DataBuffer*>(buffer)->primary());
}

}  // namespace

SD_MEMBER(NDArray, _ZN2sd7NDArray10setContextEPNS_13LaunchContextE, self->setContext(a), LaunchContext* a)
SD_MEMBER(NDArray, _ZN2sd7NDArray11tileToShapeEPKx, self->tileToShape(a), const LongType* a)
SD_MEMBER(NDArray, _ZN2sd7NDArray11tileToShapeERKSt6vectorIxSaIxEERS0_, self->tileToShape(a, b),
          const std::vector<LongType>& a, NDArray& b)
SD_MEMBER(NDArray, _ZN2sd7NDArray12asByteVectorEv, self->asByteVector())
SD_MEMBER(NDArray, _ZN2sd7NDArray12setShapeInfoERKNS_19ConstantShapeBufferE, self->setShapeInfo(a),
          const ConstantShapeBuffer& a)
SD_MEMBER(NDArray, _ZN2sd7NDArray13addiRowVectorERKS0_, self->addiRowVector(a), const NDArray& a)
SD_MEMBER(NDArray, _ZN2sd7NDArray13specialBufferEv, self->specialBuffer())
SD_MEMBER(NDArray, _ZN2sd7NDArray14platformBufferEv, self->platformBuffer())
SD_MEMBER(NDArray, _ZN2sd7NDArray15asIndexedStringB5cxx11Ex, self->asIndexedString(a), LongType a)
SD_MEMBER(NDArray, _ZN2sd7NDArray16addiColumnVectorERKS0_, self->addiColumnVector(a), const NDArray& a)
SD_MEMBER(NDArray, _ZN2sd7NDArray16bufferWithOffsetEx, self->bufferWithOffset(a), LongType a)
SD_MEMBER(NDArray, _ZN2sd7NDArray16isIdentityMatrixEv, self->isIdentityMatrix())
SD_EXPORT(_ZN2sd7NDArray17preparePrimaryUseERKSt6vectorIPKS0_SaIS3_EES7_b,
          (const std::vector<NDArray const*>& a, const std::vector<NDArray const*>& b, bool c),
          NDArray::preparePrimaryUse(a, b, c))
SD_EXPORT(_ZN2sd7NDArray17prepareSpecialUseERKSt6vectorIPKS0_SaIS3_EES7_b,
          (const std::vector<NDArray const*>& a, const std::vector<NDArray const*>& b, bool c),
          NDArray::prepareSpecialUse(a, b, c))
SD_EXPORT(_ZN2sd7NDArray18registerPrimaryUseERKSt6vectorIPKS0_SaIS3_EES7_,
          (const std::vector<NDArray const*>& a, const std::vector<NDArray const*>& b),
          NDArray::registerPrimaryUse(a, b))
SD_EXPORT(_ZN2sd7NDArray18registerSpecialUseERKSt6vectorIPKS0_SaIS3_EES7_,
          (const std::vector<NDArray const*>& a, const std::vector<NDArray const*>& b),
          NDArray::registerSpecialUse(a, b))
SD_MEMBER(NDArray, _ZN2sd7NDArray1pExRKS0_, self->p(a, b), LongType a, const NDArray& b)
SD_MEMBER(NDArray, _ZN2sd7NDArray1pExxxxRKS0_, self->p(a, b, c, d, e), LongType a, LongType b, LongType c, LongType d,
          const NDArray& e)
SD_MEMBER(NDArray, _ZN2sd7NDArray23specialBufferWithOffsetEx, self->specialBufferWithOffset(a), LongType a)
SD_MEMBER(NDArray, _ZN2sd7NDArray4castERS0_NS_8DataTypeE, self->cast(a, b), NDArray& a, DataType b)
SD_MEMBER(NDArray, _ZN2sd7NDArray4likeEv, self->like())
SD_MEMBER(NDArray, _ZN2sd7NDArray7hasInfsEv, self->hasInfs())
SD_MEMBER(NDArray, _ZN2sd7NDArray7hasNaNsEv, self->hasNaNs())
SD_MEMBER(NDArray, _ZN2sd7NDArray8asStringB5cxx11Ex, self->asString(a), LongType a)
SD_MEMBER(NDArray, _ZN2sd7NDArray8isFiniteEv, self->isFinite())
SD_MEMBER(NDArray, _ZN2sd7NDArray8linspaceEd, self->linspace(a), double a)
SD_MEMBER(NDArray, _ZN2sd7NDArray8permuteiEPKii, self->permutei(a, b), const int* a, int b)
SD_MEMBER(NDArray, _ZN2sd7NDArray8permuteiEPKxi, self->permutei(a, b), const LongType* a, int b)
SD_MEMBER(NDArray, _ZN2sd7NDArray8permuteiERKSt6vectorIiSaIiEE, self->permutei(a), const std::vector<int>& a)
SD_MEMBER(NDArray, _ZN2sd7NDArray8permuteiERKSt6vectorIxSaIxEE, self->permutei(a), const std::vector<LongType>& a)
SD_MEMBER(NDArray, _ZN2sd7NDArray9isUnitaryEv, self->isUnitary())
SD_MEMBER(NDArray, _ZN2sd7NDArraydVERKS0_, self->operator/=(a), const NDArray& a)
SD_MEMBER(NDArray, _ZN2sd7NDArraymIERKS0_, self->operator-=(a), const NDArray& a)
SD_MEMBER(NDArray, _ZN2sd7NDArraymLERKS0_, self->operator*=(a), const NDArray& a)
SD_MEMBER(NDArray, _ZN2sd7NDArraypLERKS0_, self->operator+=(a), const NDArray& a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray10syncToHostEv, self->syncToHost())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray11synchronizeEPKc, self->synchronize(a), const char* a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray12syncToDeviceEv, self->syncToDevice())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray12tickReadHostEv, self->tickReadHost())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray13tickWriteHostEv, self->tickWriteHost())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray14tickBothActualEv, self->tickBothActual())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray14tickReadDeviceEv, self->tickReadDevice())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray15tickWriteDeviceEv, self->tickWriteDevice())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray16getShapeAsVectorEv, self->getShapeAsVector())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray17platformShapeInfoEv, self->platformShapeInfo())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray18isActualOnHostSideEv, self->isActualOnHostSide())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray19getShapeAsVectorIntEv, self->getShapeAsVectorInt())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray1eEx, self->e(a), LongType a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray20getShapeInfoAsVectorEv, self->getShapeInfoAsVector())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray20isActualOnDeviceSideEv, self->isActualOnDeviceSide())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray21makeBothBuffersActualEv, self->makeBothBuffersActual())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray21tensorsAlongDimensionERKSt6vectorIiSaIiEE, self->tensorsAlongDimension(a),
          const std::vector<int>& a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray24allTensorsAlongDimensionERKSt6vectorIiSaIiEE,
          self->allTensorsAlongDimension(a), const std::vector<int>& a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray24getShapeInfoAsFlatVectorEv, self->getShapeInfoAsFlatVector())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray29multipleTensorsAlongDimensionERKSt6vectorIiSaIiEES5_,
          self->multipleTensorsAlongDimension(a, b), const std::vector<int>& a, const std::vector<int>& b)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray3isBEv, self->isB())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray3isCEv, self->isC())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray3isREv, self->isR())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray3isSEv, self->isS())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray3isZEv, self->isZ())
SD_MEMBER(const NDArray, _ZNK2sd7NDArray6sizeAtEi, self->sizeAt(a), int a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray7permuteEPKiiRS0_, self->permute(a, b, c), const int* a, int b, NDArray& c)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray7permuteEPKxiRS0_, self->permute(a, b, c), const LongType* a, int b, NDArray& c)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray7permuteERKSt6vectorIiSaIiEERS0_, self->permute(a, b),
          const std::vector<int>& a, NDArray& b)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray7permuteERKSt6vectorIxSaIxEERS0_, self->permute(a, b),
          const std::vector<LongType>& a, NDArray& b)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray8equalsToEPKS0_d, self->equalsTo(a, b), const NDArray* a, double b)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray8strideAtEi, self->strideAt(a), int a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray9getOffsetEx, self->getOffset(a), LongType a)
SD_MEMBER(const NDArray, _ZNK2sd7NDArray9syncShapeEv, self->syncShape())
SD_MEMBER(const NDArray, _ZNK2sd7NDArrayclExRKSt6vectorIiSaIiEEb, self->operator()(a, b, c), LongType a,
          const std::vector<int>& b, bool c)
SD_MEMBER(const NDArray, _ZNKR2sd7NDArray7permuteEPKii, self->permute(a, b), const int* a, int b)
SD_MEMBER(const NDArray, _ZNKR2sd7NDArray7permuteEPKxi, self->permute(a, b), const LongType* a, int b)
SD_MEMBER(const NDArray, _ZNKR2sd7NDArray7permuteERKSt6vectorIiSaIiEE, self->permute(a), const std::vector<int>& a)
SD_MEMBER(const NDArray, _ZNKR2sd7NDArray7permuteERKSt6vectorIxSaIxEE, self->permute(a), const std::vector<LongType>& a)
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer11getDataTypeEv, self->getDataType())
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer11setDataTypeENS_8DataTypeE, self->setDataType(a), DataType a)
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer11setDeviceIdEi, self->setDeviceId(a), int a)
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer13syncToPrimaryEPKNS_13LaunchContextEb, self->syncToPrimary(a, b),
          const LaunchContext* a, bool b)
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer13syncToSpecialEb, self->syncToSpecial(a), bool a)
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer15allocateSpecialEv, self->allocateSpecial())
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer7primaryEv, self->primary())
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer7specialEv, self->special())
SD_MEMBER(DataBuffer, _ZN2sd10DataBufferC1Ev, (void)new (self) DataBuffer())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer11readPrimaryEv, self->readPrimary())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer11readSpecialEv, self->readSpecial())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer12writePrimaryEv, self->writePrimary())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer12writeSpecialEv, self->writeSpecial())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer13getLenInBytesEv, self->getLenInBytes())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer15isPrimaryActualEv, self->isPrimaryActual())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer15isSpecialActualEv, self->isSpecialActual())
SD_MEMBER(const DataBuffer, _ZNK2sd10DataBuffer8deviceIdEv, self->deviceId())
SD_MEMBER(ResultSet, _ZN2sd9ResultSet15setNonRemovableEv, self->setNonRemovable())
SD_MEMBER(ResultSet, _ZN2sd9ResultSet4sizeEv, self->size())
SD_MEMBER(ResultSet, _ZN2sd9ResultSet6statusEv, self->status())
SD_MEMBER(ResultSet, _ZN2sd9ResultSet9setStatusENS_6StatusE, self->setStatus(a), Status a)
SD_MEMBER(const ResultSet, _ZNK2sd9ResultSet2atEm, self->at(a), size_t a)
SD_MEMBER(const ResultSet, _ZNK2sd9ResultSetixEm, self->operator[](a), size_t a)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList2idEv, self->id())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList4nameB5cxx11Ev, self->name())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList4pickERSt6vectorIiSaIiEE, self->pick(a), std::vector<int>& a)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList4readEi, self->read(a), int a)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList5cloneEv, self->clone())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList5shapeEv, self->shape())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList5stackEv, self->stack())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList6equalsERS0_, self->equals(a), NDArrayList& a)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList6heightEv, self->height())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList7contextEv, self->context())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList7counterEv, self->counter())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList7readRawEi, self->readRaw(a), int a)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList7unstackEPNS_7NDArrayEi, self->unstack(a, b), NDArray* a, int b)
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList8dataTypeEv, self->dataType())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList8elementsEv, self->elements())
SD_MEMBER(NDArrayList, _ZN2sd11NDArrayList9isWrittenEi, self->isWritten(a), int a)
SD_MEMBER(utf8string, _ZN2sd10utf8stringC1Ev, (void)new (self) utf8string())
SD_MEMBER(NDIndex, _ZN2sd7NDIndex10getIndicesEv, self->getIndices())
SD_MEMBER(NDIndex, _ZN2sd7NDIndex5isAllEv, self->isAll())
SD_MEMBER(NDIndex, _ZN2sd7NDIndex6strideEv, self->stride())
SD_MEMBER(NDIndex, _ZN2sd7NDIndex7isPointEv, self->isPoint())
SD_MEMBER(NDIndexAll, _ZN2sd10NDIndexAllC1Ev, (void)new (self) NDIndexAll())
SD_MEMBER(IndicesList, _ZN2sd11IndicesList2atEi, self->at(a), int a)
SD_MEMBER(IndicesList, _ZN2sd11IndicesList4sizeEv, self->size())
SD_MEMBER(IndicesList, _ZN2sd11IndicesList8isScalarEv, self->isScalar())
SD_MEMBER(Intervals, _ZN2sd9IntervalsC1ERKSt6vectorIS1_IxSaIxEESaIS3_EE, (void)new (self) Intervals(a),
          std::vector<std::vector<LongType>> const& a)
SD_MEMBER(Intervals, _ZN2sd9IntervalsC1Ev, (void)new (self) Intervals())
SD_MEMBER(const Intervals, _ZNK2sd9Intervals4sizeEv, self->size())
SD_MEMBER(const Intervals, _ZNK2sd9IntervalsixEx, self->operator[](a), LongType a)
SD_EXPORT(_ZN2sd13DataTypeUtils5asIntENS_8DataTypeE, (DataType a), DataTypeUtils::asInt(a))
SD_MEMBER(ShapeList, _ZN2sd9ShapeList2atEi, self->at(a), int a)
SD_MEMBER(ShapeList, _ZN2sd9ShapeList9push_backEPKx, self->push_back(a), const LongType* a)
SD_MEMBER(ShapeList, _ZN2sd9ShapeListD1Ev, self->~ShapeList())
SD_MEMBER(const ShapeList, _ZNK2sd9ShapeList4sizeEv, self->size())
SD_MEMBER(Pair, _ZN2sd4PairC1Eii, (void)new (self) Pair(a, b), int a, int b)
SD_MEMBER(const Pair, _ZNK2sd4Pair5firstEv, self->first())
SD_MEMBER(const Pair, _ZNK2sd4Pair6secondEv, self->second())

SD_MEMBER(NDArray, _ZN2sd7NDArray11setAttachedEb, OpenArray::setAttached(self, attached), bool attached)
SD_MEMBER(NDArray, _ZN2sd7NDArray13updateStridesEc, updateStrides(self, order), char order)
SD_EXPORT(_ZN2sd7NDArraydlEPv, (void* memory), ::operator delete(memory))
SD_EXPORT(_ZN2sd7NDArraynwEm, (size_t bytes), ::operator new(bytes))
SD_MEMBER(const NDArray, _ZNK2sd7NDArray20getShapeAsFlatVectorEv,
          std::vector<int64_t>(self->shapeOf(), self->shapeOf() + self->rankOf()))
SD_MEMBER(const NDArray, _ZNK2sd7NDArray24getSubArrShapeAndOffsetsERKSt6vectorIiSaIiEERPxS7_b,
          subArrays(self, dimensions, info, offsets, keepUnities), const std::vector<int>& dimensions, LongType*& info,
          LongType*& offsets, bool keepUnities)
// A CPU has one memory: nothing is counted, and nothing moves.
SD_EXPORT(_ZN2sd10DataBuffer12showCountersEPKcS2_, (DataBuffer*, const char*, const char*), void())
SD_EXPORT(_ZN2sd10DataBuffer7migrateEv, (DataBuffer*), void())
SD_MEMBER(DataBuffer, _ZN2sd10DataBuffer17showBufferLimitedEv, print(self))

}  // namespace sd::compat
