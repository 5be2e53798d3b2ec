// C functions that sort, move, convert and inspect data.
#include <array/ArrayOptions.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <loops/Indices.h>
#include <loops/Sorting.h>

#include <cstring>
#include <string_view>

#include "legacy/Guard.h"
#include "legacy/Operands.h"
#include "loops/Conversion.h"
#include "loops/Inspection.h"
#include "loops/Moving.h"

using namespace sd::legacy;
using sd::LongType;
using sd::Pointer;
using sd::loops::Parts;

namespace {

/// The `caller.op` of functions that move data: no numbered operation belongs to them.
Caller mover(const char* function) { return {function, OpGroup::TransformSame, -1}; }

Axes axesOf(const int* dimension, int dimensionLength) {
  if (dimensionLength < 0 || dimensionLength > SD_MAX_RANK)
    sd::fail("argument 'dimensionLength' is {}: it must be in 0..{}", dimensionLength, SD_MAX_RANK);
  if (dimensionLength == 0) return {};
  return Axes(&required("dimension", dimension), dimension + dimensionLength);
}

/// The element type of a shapeInfo that comes without a checked buffer.
sd::DataType typeOf(const LongType* info, const char* function) {
  shape::validate(info, function);
  return sd::ArrayOptions::dataType(info);
}

const LongType* shapeInfoAt(Pointer* infos, int i) { return static_cast<const LongType*>(infos[i]); }

}  // namespace

void sort(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, bool descending) {
  guarded(__func__, [&] { sd::loops::sort(Out{x, xShapeInfo}, descending); });
}

void sortTad(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, int* dimension, int dimensionLength,
             LongType const*, LongType const*, bool descending) {
  guarded(__func__, [&] { sd::loops::sortAlong(Out{x, xShapeInfo}, axesOf(dimension, dimensionLength), descending); });
}

void sortByKey(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, void* y,
               LongType const* yShapeInfo, void*, LongType const*, bool descending) {
  guarded(__func__, [&] { sd::loops::sortByKey(Out{x, xShapeInfo}, Out{y, yShapeInfo}, descending); });
}

void sortByValue(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, void* y,
                 LongType const* yShapeInfo, void*, LongType const*, bool descending) {
  guarded(__func__, [&] { sd::loops::sortByKey(Out{y, yShapeInfo}, Out{x, xShapeInfo}, descending); });
}

void sortTadByKey(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, void* y,
                  LongType const* yShapeInfo, void*, LongType const*, int* dimension, int dimensionLength,
                  bool descending) {
  guarded(__func__, [&] {
    sd::loops::sortByKeyAlong(Out{x, xShapeInfo}, Out{y, yShapeInfo}, axesOf(dimension, dimensionLength), descending);
  });
}

void sortTadByValue(Pointer*, void* x, LongType const* xShapeInfo, void*, LongType const*, void* y,
                    LongType const* yShapeInfo, void*, LongType const*, int* dimension, int dimensionLength,
                    bool descending) {
  guarded(__func__, [&] {
    sd::loops::sortByKeyAlong(Out{y, yShapeInfo}, Out{x, xShapeInfo}, axesOf(dimension, dimensionLength), descending);
  });
}

void sortCooIndices(Pointer*, LongType* indices, void* x, LongType length, const LongType* xShapeInfo) {
  guarded("sortCooIndices", [&] {
    const sd::DataType type = typeOf(xShapeInfo, "sortCooIndices");
    sd::loops::sortCooIndices(indices, shape::rank(xShapeInfo), length, x, type);
  });
}

void ravelMultiIndex(Pointer*, LongType* indices, LongType* flatIndices, LongType length, LongType* shapeInfo,
                     int mode) {
  guarded(__func__, [&] {
    sd::loops::ravelMultiIndex(indices, flatIndices, length, shapeInfo, static_cast<sd::loops::IndexMode>(mode));
  });
}

void unravelIndex(Pointer*, LongType* indices, LongType* flatIndices, LongType length, LongType* shapeInfo) {
  guarded(__func__, [&] { sd::loops::unravelIndex(indices, flatIndices, length, shapeInfo); });
}

void shuffle(Pointer*, Pointer* x, Pointer* xShapeInfo, Pointer*, Pointer*, Pointer*, Pointer*, Pointer*, Pointer*,
             int N, int* shuffleMap, Pointer* tadShapeInfo, Pointer* tadOffsets) {
  guarded(__func__, [&] {
    if (N < 0) sd::fail("argument 'N' is {}: it must not be negative", N);
    if (N == 0) return;
    required("x", x);
    required("xShapeInfo", xShapeInfo);
    std::vector<sd::loops::PartedArray> arrays;
    for (int i = 0; i < N; i++) {
      const LongType* info = &required("xShapeInfo", shapeInfoAt(xShapeInfo, i));
      Parts parts{nullptr, nullptr};  // for a vector: its elements
      if (shape::rank(info) > 1) {
        required("tadShapeInfo", tadShapeInfo);
        required("tadOffsets", tadOffsets);
        parts = {&required("tadShapeInfo", shapeInfoAt(tadShapeInfo, i)),
                 &required("tadOffsets", shapeInfoAt(tadOffsets, i))};
      }
      arrays.push_back({Out{x[i], info}, parts});
    }
    sd::loops::shuffle(arrays, shuffleMap);
  });
}

void tear(Pointer*, OpaqueDataBuffer* dbX, LongType const* xShapeInfo, LongType const*, Pointer* targets,
          LongType const* zShapeInfo, LongType const* tadShapeInfo, LongType const* tadOffsets) {
  const Caller caller = mover(__func__);
  guarded(__func__, [&] {
    sd::loops::tear(input(caller, "x", dbX, xShapeInfo), Parts{&required("tadShapeInfo", tadShapeInfo), tadOffsets},
                    targets, zShapeInfo);
  });
}

void pullRows(Pointer*, OpaqueDataBuffer* dbX, LongType const* xShapeInfo, LongType const*, OpaqueDataBuffer* dbZ,
              LongType const* zShapeInfo, LongType const*, LongType n, LongType* indexes, LongType const* tadShapeInfo,
              LongType const* tadOffsets, LongType const* zTadShapeInfo, LongType const* zTadOffsets) {
  const Caller caller = mover(__func__);
  guarded(__func__, [&] {
    sd::loops::pullRows(input(caller, "x", dbX, xShapeInfo), Parts{&required("tadShapeInfo", tadShapeInfo), tadOffsets},
                        output(caller, "z", dbZ, zShapeInfo),
                        Parts{&required("zTadShapeInfo", zTadShapeInfo), zTadOffsets}, indexes, n);
  });
}

namespace {

/// The shape by which a sum or an average is written. The sums follow the memory of the arrays, which is in the order
/// of their shape: an array in the same order is filled in the order of its memory.
LongType const* orderOfSum(LongType const* xShapeInfo, LongType const* zShapeInfo) {
  const bool same = xShapeInfo != nullptr && zShapeInfo != nullptr && shape::isContiguous(xShapeInfo) &&
                    shape::order(xShapeInfo) == shape::order(zShapeInfo);
  return same ? sd::legacy::memoryOrder(zShapeInfo) : zShapeInfo;
}

}  // namespace

void average(Pointer*, Pointer* x, LongType const* xShapeInfo, Pointer*, LongType const*, void* z,
             LongType const* zShapeInfo, void*, LongType const*, int n, LongType length, bool propagate) {
  guarded("average", [&] {
    sd::loops::average(x, typeOf(xShapeInfo, "average"), n, length, Out{z, orderOfSum(xShapeInfo, zShapeInfo)},
                       propagate);
  });
}

void accumulate(Pointer*, Pointer* x, LongType const* xShapeInfo, Pointer*, LongType const*, void* z,
                LongType const* zShapeInfo, void*, LongType const*, int n, LongType length) {
  guarded("accumulate", [&] {
    sd::loops::accumulate(x, typeOf(xShapeInfo, "accumulate"), n, length, Out{z, orderOfSum(xShapeInfo, zShapeInfo)});
  });
}

void specialConcat(Pointer*, int dimension, int numArrays, Pointer* data, Pointer* inputShapeInfo, void* result,
                   LongType const* resultShapeInfo, Pointer*, Pointer*) {
  guarded(__func__, [&] {
    if (numArrays < 1) sd::fail("argument 'numArrays' is {}: it must be positive", numArrays);
    if (dimension < 0) sd::fail("argument 'dimension' is {}: it must not be negative", dimension);
    required("data", data);
    required("inputShapeInfo", inputShapeInfo);
    std::vector<In> inputs;
    inputs.reserve(static_cast<size_t>(numArrays));
    for (int i = 0; i < numArrays; i++) inputs.push_back({data[i], shapeInfoAt(inputShapeInfo, i)});
    sd::loops::concat(dimension, inputs, Out{result, resultShapeInfo});
  });
}

void scatterUpdate(Pointer*, int opCode, int numOfSubArrs, void* hX, LongType const* hXShapeInfo,
                   LongType const* hXOffsets, void*, LongType const*, LongType const*, void* hY,
                   LongType const* hYShapeInfo, LongType const* hYOffsets, void*, LongType const*, LongType const*,
                   void* hIindexes, LongType const* hIndicesShapeInfo, void*, LongType const*) {
  guarded(__func__, [&] {
    sd::loops::scatterUpdate(static_cast<sd::loops::Update>(opCode), numOfSubArrs, hX, Parts{hXShapeInfo, hXOffsets},
                             hY, Parts{hYShapeInfo, hYOffsets}, In{hIindexes, hIndicesShapeInfo});
  });
}

void inspectArray(Pointer*, Pointer buffer, LongType* shapeInfo, Pointer, LongType*, Pointer debugInfo) {
  guarded(__func__, [&] {
    auto& target = required("debugInfo", static_cast<sd::loops::Statistics*>(debugInfo));
    const sd::loops::Statistics statistics = sd::loops::inspect(In{buffer, shapeInfo});
    std::memcpy(&target, &statistics, sizeof(statistics));
  });
}

void convertTypes(Pointer*, int srcType, Pointer x, LongType N, int dstType, Pointer z) {
  guarded(__func__, [&] {
    sd::loops::convertTypes(static_cast<sd::loops::TypeCode>(srcType), x, N, static_cast<sd::loops::TypeCode>(dstType),
                            z);
  });
}

int estimateThreshold(Pointer*, Pointer x, LongType const* xShapeInfo, int N, float threshold) {
  return guarded("estimateThreshold", [&] {
    const sd::DataType type = typeOf(xShapeInfo, "estimateThreshold");
    return static_cast<int>(sd::loops::estimateThreshold(x, type, N, threshold));
  });
}

void execAggregate(Pointer*, int, void**, int, LongType**, int, int*, int, int**, int, void*, int, sd::DataType) {
  guarded(__func__, [] { sd::fail<std::runtime_error>("aggregates are not supported"); });
}

void execAggregateBatch(Pointer*, int, int, int, int, int, int, int, int, void*, sd::DataType) {
  guarded(__func__, [] { sd::fail<std::runtime_error>("aggregates are not supported"); });
}

void batchExecutor(Pointer*, int, int, int, int, int, int, int, int, void*, sd::DataType) {
  guarded(__func__, [] { sd::fail<std::runtime_error>("aggregates are not supported"); });
}
