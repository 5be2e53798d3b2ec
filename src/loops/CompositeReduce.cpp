#include "loops/CompositeReduce.h"

#include <system/Environment.h>

#include "loops/ReduceCommon.h"

namespace sd::loops {

LongType CompositeSource::widest() const { return Reader::BYTES / Reader::ROWS / _size; }

CompositeSource::Reader CompositeSource::reader() const { return Reader(*_plan, _buffers, _direct, _size); }

double* CompositeSource::shared(LongType count, AccumulatorBlock& block) const {
  if (count <= _reserved) return _memory.get();
  block.reset(new double[static_cast<size_t>(count)]);
  return block.get();
}

void CompositeSource::Reader::addRun(const ValueKernel& kernel, LongType offset, LongType, LongType n, LongType base,
                                     void* acc) {
  if (_windowRuns != 0) {
    if (offset < _from || offset + n > _to) {
      _from = offset;
      _to = std::min(offset + _windowRuns, _last);
      _tiles.compute(_from, _to - _from, _staged, _size);
    }
    kernel.run(_staged + (offset - _from) * _size, n, base, acc);
    return;
  }
  const simd::ReduceKernel& reducer = *kernel.kernel;
  const bool inParts = _direct && reducer.begin != nullptr;
  alignas(64) unsigned char state[simd::REDUCE_STATE];
  if (inParts) reducer.begin(state);
  for (LongType i = 0, length; i < n; i += length) {
    // a part of the run may be a little longer, so that the last one is not too short
    const LongType window = inParts ? std::max(WINDOW, _tiles.longest()) : WINDOW;
    length = inParts && n - i < window + simd::REDUCE_LAST ? n - i : std::min(window, n - i);
    if (inParts) {
      _tiles.reduce(reducer, kernel.params, offset + i, length, state, _staged, _size);
      continue;
    }
    _tiles.compute(offset + i, length, _staged, _size);
    kernel.run(_staged, length, base + i, acc);
  }
  if (inParts) reducer.end(state, acc);
}

void CompositeSource::Reader::addRows(const ValueKernel& kernel, LongType offset, LongType rows, LongType rowStride,
                                      LongType columns, LongType, LongType base, void* acc) {
  constexpr LongType ELEMENTS = 2048;  // of short rows, computed together
  const LongType step = _direct ? ROWS : CONVERTED_ROWS;
  const bool isDense = rowStride == columns;
  const LongType height = _direct && isDense ? std::max<LongType>(1, ELEMENTS / columns / step) * step : step;
  for (LongType r = 0; r < rows; r += height) {
    const LongType count = std::min(height, rows - r), first = offset + r * rowStride;
    if (isDense) {
      _tiles.compute(first, count * columns, _staged, _size);
    } else {
      for (LongType i = 0; i < count; i++)
        _tiles.compute(first + i * rowStride, columns, _staged + i * columns * _size, _size);
    }
    kernel.rows(_staged, count, columns, columns, base + r, acc);
  }
}

namespace {

ReduceLoop<ValueKernel, CompositeSource> loopOf(const TilePlan& tiles, const Operand& z) {
  const CompositeProgram& program = *tiles.program;
  const ValueKernel kernel = valueKernel(program.reducer, program.reductionParams->data(), z.storage);
  const bool direct = program.reducedStorage == program.reducer.type;
  return {kernel, CompositeSource(tiles, direct, kernel.elementSize()), z};
}

}  // namespace

CompositeReduce::CompositeReduce(const TilePlan& tiles, const std::vector<LongType>& space, const Axes& axes,
                                 const Operand& z)
    : _loop(loopOf(tiles, z)) {
  // the array in c order that a separate call would read
  std::vector<LongType> strides(space.size());
  LongType length = 1;
  for (size_t i = space.size(); i-- > 0;) {
    strides[i] = length;
    length *= space[i];
  }
  Operand x = z;
  x.rank = static_cast<int>(space.size());
  x.sizes = space.data();
  x.strides = strides.data();
  x.length = length;
  const ReducedShape shape(tiles.program->reduction->name, x, z, axes);
  for (int i = 0; i < shape.kept; i++) {
    const LongType both[] = {shape.keptStrides[i], shape.zStrides[i]};
    _loop.kept.add(shape.keptSizes[i], both);
  }
  for (int i = 0; i < shape.reduced; i++) _loop.reduced.add(shape.reducedSizes[i], &shape.reducedStrides[i]);
  _loop.kept.finish();
  _loop.reduced.finish();
  const LongType shared = _loop.sharedCount(Environment::getInstance().maxThreads());
  if (shared > 0) _loop.source().reserve(shared);
}

}  // namespace sd::loops
