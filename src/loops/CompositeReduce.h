// Reduces what a composite computes, with the loop of the separate reductions: the same chunks, merged in the same
// order.
#ifndef NDFORGE_SRC_LOOPS_COMPOSITEREDUCE_H
#define NDFORGE_SRC_LOOPS_COMPOSITEREDUCE_H

#include <memory>

#include "loops/CompositeTiles.h"
#include "loops/ReduceLoop.h"

namespace sd::loops {

/// The elements of a composite as a reduction reads them: those of an array in c order, computed when they are read.
class CompositeSource {
 public:
  CompositeSource(const TilePlan& plan, bool direct, int elementSize)
      : _plan(&plan), _direct(direct), _size(elementSize) {}

  class Reader;

  LongType widest() const;
  bool isRun(LongType stride) const { return _direct && stride == 1; }
  Reader reader() const;
  double* shared(LongType count, AccumulatorBlock& block) const;

  void bind(const TileBuffers& buffers) { _buffers = buffers; }
  /// Memory for the accumulators that threads share.
  void reserve(LongType count) {
    _memory.reset(new double[static_cast<size_t>(count)]);
    _reserved = count;
  }

 private:
  const TilePlan* _plan;
  bool _direct;  ///< the kernel reads the type of the elements; else an array would be converted in short tiles
  int _size;
  TileBuffers _buffers{};
  AccumulatorBlock _memory;
  LongType _reserved = 0;
};

class CompositeSource::Reader {
 public:
  /// ROWS: kernels add this many rows in the element type before they add the sums to accumulators.
  static constexpr LongType BYTES = 65536, ROWS = 32;

  Reader(const TilePlan& plan, const TileBuffers& buffers, bool direct, int size)
      : _tiles(plan, buffers), _direct(direct), _size(size) {}

  /// Runs of n elements will be read one after the other up to `last`.
  void expect(LongType n, LongType last) {
    _windowRuns = n <= WINDOW / 2 ? WINDOW / n * n : 0;
    _last = last;
  }

  void addRun(const ValueKernel& kernel, LongType offset, LongType stride, LongType n, LongType base, void* acc);
  void addRows(const ValueKernel& kernel, LongType offset, LongType rows, LongType rowStride, LongType columns,
               LongType columnStride, LongType base, void* acc);

 private:
  static constexpr LongType WINDOW = REDUCTION_TILE;

  TileReader _tiles;
  bool _direct;
  int _size;
  LongType _windowRuns = 0, _last = 0;  ///< elements that are computed together when runs are short
  LongType _from = 0, _to = 0;          ///< elements that are in `_staged`
  alignas(64) char _staged[BYTES];
};

class CompositeReduce {
 public:
  /// Keeps a reference to z.
  CompositeReduce(const TilePlan& tiles, const std::vector<LongType>& space, const Axes& axes, const Operand& z);

  void run(const TileBuffers& buffers, int threads) {
    _loop.source().bind(buffers);
    _loop.run(threads);
  }

 private:
  ReduceLoop<ValueKernel, CompositeSource> _loop;
};

}  // namespace sd::loops

#endif
