#include "ops/declarable/helpers/Region.h"

#include <helpers/shape.h>
#include <loops/Executor.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>

#include "array/NDArrayCommon.h"
#include "loops/ElementLoop.h"
#include "loops/Kernels.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/BlockCopy.h"
#include "system/Error.h"

namespace sd::ops {

void requireMovable(const NDArray& array) {
  if (array.isS()) reject("strings cannot be moved (shape {})", text(array));
}

Region::Region(const NDArray& array)
    : _data(static_cast<char*>(const_cast<void*>(array.buffer()))),
      _type(array.dataType()),
      _elementSize(static_cast<LongType>(array.sizeOfT())),
      _rank(array.rankOf()),
      _empty(array.isEmpty()) {
  requireMovable(array);
  std::copy_n(array.shapeOf(), _rank, _sizes);
  std::copy_n(array.stridesOf(), _rank, _strides);
}

LongType Region::length() const {
  LongType length = _empty ? 0 : 1;
  for (int d = 0; d < _rank; d++) length *= _sizes[d];
  return length;
}

Region& Region::take(int axis, LongType start, LongType count, LongType step) {
  if (count > 0) _data += start * _strides[axis] * _elementSize;
  _sizes[axis] = count;
  _strides[axis] *= step;
  return *this;
}

Region& Region::at(int axis, LongType position) {
  _data += position * _strides[axis] * _elementSize;
  std::copy(_sizes + axis + 1, _sizes + _rank, _sizes + axis);
  std::copy(_strides + axis + 1, _strides + _rank, _strides + axis);
  _rank--;
  return *this;
}

Region& Region::insert(int axis, LongType size) {
  std::copy_backward(_sizes + axis, _sizes + _rank, _sizes + _rank + 1);
  std::copy_backward(_strides + axis, _strides + _rank, _strides + _rank + 1);
  _sizes[axis] = size;
  _strides[axis] = 0;
  _rank++;
  return *this;
}

Region& Region::split(int axis, LongType inner) {
  const LongType outer = inner == 0 ? 0 : _sizes[axis] / inner, step = _strides[axis];
  insert(axis, outer);
  _strides[axis] = step * inner;
  _sizes[axis + 1] = inner;
  return *this;
}

Region& Region::permute(std::span<const int> order) {
  LongType sizes[2 * SD_MAX_RANK], strides[2 * SD_MAX_RANK];
  std::copy_n(_sizes, _rank, sizes);
  std::copy_n(_strides, _rank, strides);
  for (int d = 0; d < _rank; d++) {
    _sizes[d] = sizes[order[static_cast<size_t>(d)]];
    _strides[d] = strides[order[static_cast<size_t>(d)]];
  }
  return *this;
}

Region& Region::diagonal(int first, int second) {
  const LongType step = _strides[second], size = _sizes[second];
  at(second, 0);
  if (second < first) first--;
  _sizes[first] = std::min(_sizes[first], size);
  _strides[first] += step;
  return *this;
}

// Leaves out unit dimensions. Then a split array has few enough dimensions, unless it has too many elements.
void Region::describe(Info& info) const {
  int rank = 0;
  for (int d = 0; d < _rank; d++) rank += _sizes[d] != 1;
  info[0] = rank;
  for (int d = 0, k = 0; d < _rank; d++) {
    if (_sizes[d] == 1) continue;
    info[1 + k] = _sizes[d];
    info[1 + rank + k++] = _strides[d];
  }
  info[2 * rank + 1] = ArrayOptions::flagsOfDataType(_type);
  info[2 * rank + 2] = 0;
  info[2 * rank + 3] = 'c';
}

namespace {

template <typename T>
void copyRows(const char* from, char* to, const LongType* sizes, const LongType* fromStrides,
              const LongType* toStrides) {
  const auto* source = reinterpret_cast<const T*>(from);
  auto* target = reinterpret_cast<T*>(to);
  for (LongType i = 0; i < sizes[0]; i++)
    for (LongType k = 0; k < sizes[1]; k++)
      target[i * toStrides[0] + k * toStrides[1]] = source[i * fromStrides[0] + k * fromStrides[1]];
}

}  // namespace

// For a few elements, finding the best order of the dimensions takes longer than copying in any order.
bool Region::copyFew(const Region& target) const {
  constexpr LongType FEW = 64;
  if (_type != target._type || DataTypeUtils::isS(_type) || length() > FEW) return false;
  LongType sizes[2] = {1, 1}, from[2] = {0, 0}, to[2] = {0, 0};
  for (int d = _rank - 1, k = 1; d >= 0; d--) {
    if (_sizes[d] == 1) continue;
    if (k < 0) return false;
    sizes[k] = _sizes[d];
    from[k] = _strides[d];
    to[k--] = target._strides[d];
  }
  const auto copy = _elementSize == 1   ? copyRows<uint8_t>
                    : _elementSize == 2 ? copyRows<uint16_t>
                    : _elementSize == 4 ? copyRows<uint32_t>
                    : _elementSize == 8 ? copyRows<uint64_t>
                                        : copyRows<std::complex<double>>;
  copy(_data, target._data, sizes, from, to);
  return true;
}

bool Region::copyShortRuns(const Region& target) const {
  if (_type != target._type || _rank > SD_MAX_RANK) return false;
  loops::Plan plan(2);
  for (int d = 0; d < _rank; d++) {
    const LongType strides[] = {target._strides[d], _strides[d]};
    plan.add(_sizes[d], strides);
  }
  plan.finish();
  if (!hasShortRuns(plan, _elementSize)) return false;
  copyBlocks(plan, static_cast<int>(_elementSize), _data, target._data);
  return true;
}

void Region::copyTo(const Region& target) const {
  if (length() == 0) return;
  if (_rank == target._rank && std::equal(_sizes, _sizes + _rank, target._sizes) &&
      (copyFew(target) || copyShortRuns(target)))
    return;
  Info from, to;
  describe(from);
  target.describe(to);
  loops::assign({_data, from}, {target._data, to});
}

void Region::fill(const NDArray& scalar) const {
  if (length() == 0) return;
  Info to;
  describe(to);
  loops::assign({scalar.buffer(), scalar.shapeInfo()}, {_data, to});
}

void Region::fillZeros() const {
  constexpr std::complex<double> ZERO = 0;
  const LongType from[] = {0, ArrayOptions::flagsOfDataType(_type), 1, 'c'};
  if (length() == 0) return;
  Info to;
  describe(to);
  loops::assign({&ZERO, from}, {_data, to});
}

// The whole is walked in the order of memory, so that it is divided evenly among threads, whatever its rows are.
bool copyPieces(const NDArray& whole, int axis, std::span<const NDArray* const> pieces, bool cut) {
  constexpr LongType SHORTEST = 64, LONG = 1 << 12, CHUNK = 1 << 14;  // in bytes
  if (whole.isEmpty() || whole.isS() || !arrays::isLinear(whole)) return false;
  const auto size = static_cast<LongType>(whole.sizeOfT()), total = whole.lengthOf() * size;
  LongType rows = 1;
  for (int d = 0; d < axis; d++) rows *= whole.sizeAt(d);
  if (total < SHORTEST * rows) return false;

  /// What a piece contributes to a row.
  struct Run {
    char* data;
    LongType bytes;
  };
  ShortList<Run> runs;
  LongType shortest = total;
  for (const NDArray* piece : pieces) {
    if (piece->isEmpty()) continue;
    if (piece->dataType() != whole.dataType() || !arrays::isLinear(*piece)) return false;
    const LongType bytes = piece->lengthOf() * size / rows;
    runs.push_back({static_cast<char*>(const_cast<void*>(piece->buffer())), bytes});
    shortest = std::min(shortest, bytes);
  }
  const bool streams = total >= loops::streamingThreshold() && shortest >= LONG;
  // Long rows past the caches are written faster one piece after another, each of which is read as a whole.
  if (rows > 1 && (shortest < SHORTEST || streams)) return false;

  char* const data = static_cast<char*>(const_cast<void*>(whole.buffer()));
  const auto copyBytes = [&](LongType start, LongType stop) {
    const LongType rowBytes = total / rows;
    LongType row = start / rowBytes, at = start % rowBytes;
    size_t p = 0;
    for (; at >= runs[p].bytes; p++) at -= runs[p].bytes;
    for (LongType n; start < stop; start += n, at = 0) {
      n = std::min(stop - start, runs[p].bytes - at);
      char *from = data + start, *to = runs[p].data + row * runs[p].bytes + at;
      if (!cut) std::swap(from, to);
      if (streams)
        simd::kernels().streamCopy(from, to, n);
      else
        std::memcpy(to, from, static_cast<size_t>(n));
      if (++p == runs.size()) p = 0, row++;
    }
    if (streams) simd::kernels().streamFence();
  };
  const int threads = execution::threadsFor(0.03 * static_cast<double>(total));
  execution::parallelFor((total + CHUNK - 1) / CHUNK, threads, [&](LongType first, LongType last) {
    copyBytes(first * CHUNK, std::min(last * CHUNK, total));
  });
  return true;
}

void copy(const NDArray& x, NDArray& target) {
  if (target.isEmpty() || x.isEmpty()) return;
  if (x.buffer() == target.buffer() && shape::haveSameShapeAndStrides(x.shapeInfo(), target.shapeInfo())) return;
  if (x.isS()) {  // the strings and the shape of the target
    if (x.lengthOf() != target.lengthOf()) invalidArgument("strings cannot be repeated");
    return target.assign(x.isSameShape(target) ? x : x.reshape('c', target.getShapeAsVector()));
  }
  loops::assign({x.buffer(), x.shapeInfo()}, {target.buffer(), target.shapeInfo()});
}

}  // namespace sd::ops
