// The loops of all reductions: they turn plans of kept and reduced dimensions into kernel calls.
//
// There are two forms, chosen by stride. Inner: many elements are reduced into one accumulator. Rows: whole rows are
// reduced into a row of accumulators, when the kept dimension is the contiguous one. The reduced elements are cut into
// chunks whose bounds depend on shapes alone. Each chunk starts with new accumulators and chunks are merged in order,
// so results have the same bits for any number of threads.
#ifndef NDFORGE_SRC_LOOPS_REDUCELOOP_H
#define NDFORGE_SRC_LOOPS_REDUCELOOP_H

#include <execution/Parallel.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "loops/Operand.h"
#include "loops/Plan.h"
#include "loops/Stream.h"

namespace sd::loops {

/// An aligned block of accumulators.
using AccumulatorBlock = std::unique_ptr<double[]>;

/// `Kernel` supplies: accumulatorSize(); start(acc, count); run(x, n, base, acc); rows(x, rows, rowStride, columns,
/// base, acc); merge(acc, other, count); store(acc, count, n, z, zStride) which finishes accumulators and writes
/// results. `base` is the position of the first element (row) in the reduced part, in c order.
template <typename Kernel>
class ReduceLoop {
 public:
  ReduceLoop(const Kernel& kernel, const Stream& x, const Operand& z)
      : kept(2), reduced(1), _kernel(kernel), _x(x), _z(z) {}

  Plan kept;     ///< operand 0 is x, 1 is z
  Plan reduced;  ///< operand 0 is x

  /// Both plans must be finished (ordered and merged). `threads` is the greatest worthwhile number.
  void run(int threads) {
    const Dimension k = kept.inner(), r = reduced.inner();
    _length = reduced.outerCount() * r.size;
    const bool rows = k.size > 1 && std::llabs(k.stride[0]) < std::llabs(r.stride[0]);
    if (rows)
      runRows(threads);
    else
      runInner(threads);
  }

 private:
  static constexpr LongType CHUNK = 65536;      ///< reduced elements per chunk
  static constexpr LongType OUTPUT_BLOCK = 64;  ///< results that are stored together
  static constexpr LongType COLUMNS = 512;      ///< columns per unit of work in the rows form
  /// Columns per unit when there are many rows: memory is read fastest sequentially.
  static constexpr LongType WIDE_COLUMNS = 4096;
  static constexpr LongType MANY_ROWS = 2048;
  static constexpr LongType TILE_ROWS = 4;

  template <typename F>
  static void forRange(LongType count, int threads, F&& f) {
    if (threads <= 1)
      f(LongType(0), count);
    else
      execution::parallelFor(count, threads, f);
  }

  char* at(LongType offset) const { return _x.data + offset * _x.size; }

  AccumulatorBlock accumulators(LongType count) const {
    return AccumulatorBlock(new double[static_cast<std::size_t>((count * _kernel.accumulatorSize() + 7) / 8)]);
  }

  // ---- inner form

  void addRun(const char* x, LongType stride, LongType n, LongType base, void* acc) const {
    if (_x.isRun(stride)) {
      _kernel.run(x, n, base, acc);
      return;
    }
    TileOf<REDUCTION_TILE> tile;
    for (LongType i = 0; i < n; i += REDUCTION_TILE) {
      const LongType length = std::min(REDUCTION_TILE, n - i);
      _x.convert(x + i * stride * _x.size, stride, tile.bytes, 1, length);
      _kernel.run(tile.bytes, length, base + i, acc);
    }
  }

  struct Chunks {
    LongType runLength;  ///< elements per piece of a run
    LongType piecesPerRun;
    LongType pieces;  ///< in the whole reduction
    LongType perChunk;
    LongType count;
  };

  /// Pieces of inner runs (or of rows), grouped so that a chunk has about `size` elements.
  Chunks chunksOf(LongType size) const {
    const LongType run = reduced.inner().size;
    if (reduced.rank == 1 && run <= size) return {run, 1, 1, 1, 1};  // the common short case, without a division
    Chunks c;
    c.runLength = std::min(run, size);
    c.piecesPerRun = (run + c.runLength - 1) / c.runLength;
    c.pieces = reduced.outerCount() * c.piecesPerRun;
    c.perChunk = std::max<LongType>(1, size / c.runLength);
    c.count = (c.pieces + c.perChunk - 1) / c.perChunk;
    return c;
  }

  /// Calls piece(offset, length, base) for each piece of one chunk.
  template <typename F>
  void forPieces(const Chunks& c, LongType chunk, F&& piece) const {
    const LongType first = chunk * c.perChunk, last = std::min(c.pieces, first + c.perChunk);
    const Dimension run = reduced.inner();
    Odometer position(reduced, reduced.rank - 1, first / c.piecesPerRun);
    LongType part = first % c.piecesPerRun, row = first / c.piecesPerRun;
    for (LongType p = first; p < last; p++) {
      const LongType start = part * c.runLength;
      piece(position.offset[0] + start * run.stride[0], std::min(c.runLength, run.size - start),
            row * run.size + start);
      if (++part == c.piecesPerRun) {
        part = 0;
        row++;
        position.next();
      }
    }
  }

  void addChunk(const Chunks& c, LongType xOffset, LongType chunk, void* acc) const {
    _kernel.start(acc, 1);
    if (c.pieces == 1) {
      addRun(at(xOffset), reduced.inner().stride[0], c.runLength, 0, acc);
      return;
    }
    forPieces(c, chunk, [&](LongType offset, LongType length, LongType base) {
      addRun(at(xOffset + offset), reduced.inner().stride[0], length, base, acc);
    });
  }

  void runInner(int threads) {
    const Chunks c = chunksOf(CHUNK);
    const Dimension k = kept.inner();
    const LongType outputs = kept.outerCount() * k.size;
    const int size = _kernel.accumulatorSize();
    if (threads > 1 && c.count > 1 && outputs < 4 * threads) {
      const auto partial = accumulators(outputs * c.count);
      const auto data = reinterpret_cast<char*>(partial.get());
      execution::parallelFor(outputs * c.count, threads, [&](LongType start, LongType stop) {
        for (LongType unit = start; unit < stop; unit++)
          addChunk(c, Odometer(kept, kept.rank, unit / c.count).offset[0], unit % c.count, data + unit * size);
      });
      for (LongType o = 0; o < outputs; o++) {
        char* acc = data + o * c.count * size;
        for (LongType i = 1; i < c.count; i++) _kernel.merge(acc, acc + i * size, 1);
        _kernel.store(acc, 1, _length, _z.data + Odometer(kept, kept.rank, o).offset[1] * _z.elementSize, 1);
      }
      return;
    }
    const LongType blocks = (k.size + OUTPUT_BLOCK - 1) / OUTPUT_BLOCK;
    forRange(kept.outerCount() * blocks, threads, [&](LongType start, LongType stop) {
      alignas(64) unsigned char block[OUTPUT_BLOCK * 2 * sizeof(double)];
      alignas(16) unsigned char part[2 * sizeof(double)];
      Odometer outer(kept, kept.rank - 1, start / blocks);
      LongType index = start % blocks;
      for (LongType unit = start; unit < stop; unit++) {
        const LongType first = index * OUTPUT_BLOCK, count = std::min(OUTPUT_BLOCK, k.size - first);
        for (LongType o = 0; o < count; o++) {
          const LongType offset = outer.offset[0] + (first + o) * k.stride[0];
          addChunk(c, offset, 0, block + o * size);
          for (LongType chunk = 1; chunk < c.count; chunk++) {
            addChunk(c, offset, chunk, part);
            _kernel.merge(block + o * size, part, 1);
          }
        }
        _kernel.store(block, count, _length, _z.data + (outer.offset[1] + first * k.stride[1]) * _z.elementSize,
                      k.stride[1]);
        if (++index == blocks) {
          index = 0;
          outer.next();
        }
      }
    });
  }

  // ---- rows form

  void addRows(const char* x, LongType rows, LongType rowStride, LongType columns, LongType columnStride, LongType base,
               void* acc) const {
    if (_x.isRun(columnStride)) {
      _kernel.rows(x, rows, rowStride, columns, base, acc);
      return;
    }
    TileOf<TILE_ROWS * COLUMNS> tile;
    for (LongType r = 0; r < rows; r += TILE_ROWS) {
      const LongType height = std::min(TILE_ROWS, rows - r);
      for (LongType i = 0; i < height; i++)
        _x.convert(x + (r + i) * rowStride * _x.size, columnStride, tile.bytes + i * columns * _kernel.elementSize(), 1,
                   columns);
      _kernel.rows(tile.bytes, height, columns, columns, base + r, acc);
    }
  }

  void addRowChunk(const Chunks& c, LongType xOffset, LongType columns, LongType chunk, void* acc) const {
    const LongType columnStride = kept.inner().stride[0], rowStride = reduced.inner().stride[0];
    _kernel.start(acc, columns);
    forPieces(c, chunk, [&](LongType offset, LongType rows, LongType base) {
      addRows(at(xOffset + offset), rows, rowStride, columns, columnStride, base, acc);
    });
  }

  void runRows(int threads) {
    const Dimension k = kept.inner();
    const bool wide = _x.isRun(k.stride[0]) && reduced.inner().size >= MANY_ROWS;
    const LongType width = std::min(wide ? WIDE_COLUMNS : COLUMNS, k.size);
    const LongType blocks = (k.size + width - 1) / width;
    const LongType units = kept.outerCount() * blocks;
    // whole multiples of the row blocks of the kernels
    const Chunks c = chunksOf(std::max<LongType>(wide ? 128 : 256, CHUNK / width / 32 * 32));
    const int size = _kernel.accumulatorSize();
    const auto unitAt = [&](LongType unit, LongType* offsets, LongType* first) {
      const Odometer outer(kept, kept.rank - 1, unit / blocks);
      *first = unit % blocks * width;
      offsets[0] = outer.offset[0] + *first * k.stride[0];
      offsets[1] = outer.offset[1] + *first * k.stride[1];
      return std::min(width, k.size - *first);
    };
    if (threads > 1 && c.count > 1 && units < 4 * threads) {
      const auto partial = accumulators(units * c.count * width);
      const auto data = reinterpret_cast<char*>(partial.get());
      execution::parallelFor(units * c.count, threads, [&](LongType start, LongType stop) {
        for (LongType i = start; i < stop; i++) {
          LongType offsets[2], first;
          const LongType columns = unitAt(i / c.count, offsets, &first);
          addRowChunk(c, offsets[0], columns, i % c.count, data + i * width * size);
        }
      });
      for (LongType unit = 0; unit < units; unit++) {
        LongType offsets[2], first;
        const LongType columns = unitAt(unit, offsets, &first);
        char* acc = data + unit * c.count * width * size;
        for (LongType i = 1; i < c.count; i++) _kernel.merge(acc, acc + i * width * size, columns);
        _kernel.store(acc, columns, _length, _z.data + offsets[1] * _z.elementSize, k.stride[1]);
      }
      return;
    }
    forRange(units, threads, [&](LongType start, LongType stop) {
      alignas(64) unsigned char few[COLUMNS * 2 * sizeof(double)];
      const auto many = width > COLUMNS ? accumulators(width) : nullptr;
      void* const acc = many != nullptr ? static_cast<void*>(many.get()) : few;
      const auto part = c.count > 1 ? accumulators(width) : nullptr;
      for (LongType unit = start; unit < stop; unit++) {
        LongType offsets[2], first;
        const LongType columns = unitAt(unit, offsets, &first);
        addRowChunk(c, offsets[0], columns, 0, acc);
        for (LongType chunk = 1; chunk < c.count; chunk++) {
          addRowChunk(c, offsets[0], columns, chunk, part.get());
          _kernel.merge(acc, part.get(), columns);
        }
        _kernel.store(acc, columns, _length, _z.data + offsets[1] * _z.elementSize, k.stride[1]);
      }
    });
  }

  Kernel _kernel;
  Stream _x;
  const Operand& _z;
  LongType _length = 0;
};

}  // namespace sd::loops

#endif
