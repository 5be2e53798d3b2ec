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
#include <utility>

#include "loops/Operand.h"
#include "loops/Plan.h"
#include "loops/Stream.h"

namespace sd::loops {

/// An aligned block of accumulators.
using AccumulatorBlock = std::unique_ptr<double[]>;

/// Columns per unit of work in the rows form, and rows that are converted together.
inline constexpr LongType ROW_COLUMNS = 512, CONVERTED_ROWS = 4;

/// Elements that are in memory.
class MemorySource {
 public:
  explicit MemorySource(const Stream& x) : _x(x) {}

  /// Whether the kernel gets elements with this stride as they are, not in tiles.
  bool isRun(LongType stride) const { return _x.isRun(stride); }
  /// The most columns of a unit of work in the rows form.
  LongType widest() const { return 4096; }
  MemorySource reader() const { return *this; }
  /// The next runs have n elements, and follow one another up to `last`.
  void expect(LongType, LongType) const {}
  double* shared(LongType count, AccumulatorBlock& block) const {
    block.reset(new double[static_cast<std::size_t>(count)]);
    return block.get();
  }

  /// Adds n elements from `offset` on to one accumulator.
  template <typename Kernel>
  void addRun(const Kernel& kernel, LongType offset, LongType stride, LongType n, LongType base, void* acc) const {
    const char* const x = at(offset);
    if (_x.isRun(stride)) {
      kernel.run(x, n, base, acc);
      return;
    }
    TileOf<REDUCTION_TILE> tile;
    for (LongType i = 0; i < n; i += REDUCTION_TILE) {
      const LongType length = std::min(REDUCTION_TILE, n - i);
      _x.convert(x + i * stride * _x.size, stride, tile.bytes, 1, length);
      kernel.run(tile.bytes, length, base + i, acc);
    }
  }

  /// Adds rows to a row of accumulators.
  template <typename Kernel>
  void addRows(const Kernel& kernel, LongType offset, LongType rows, LongType rowStride, LongType columns,
               LongType columnStride, LongType base, void* acc) const {
    const char* const x = at(offset);
    if (_x.isRun(columnStride)) {
      kernel.rows(x, rows, rowStride, columns, base, acc);
      return;
    }
    TileOf<CONVERTED_ROWS * ROW_COLUMNS> tile;
    for (LongType r = 0; r < rows; r += CONVERTED_ROWS) {
      const LongType height = std::min(CONVERTED_ROWS, rows - r);
      for (LongType i = 0; i < height; i++)
        _x.convert(x + (r + i) * rowStride * _x.size, columnStride, tile.bytes + i * columns * kernel.elementSize(), 1,
                   columns);
      kernel.rows(tile.bytes, height, columns, columns, base + r, acc);
    }
  }

 private:
  char* at(LongType offset) const { return _x.data + offset * _x.size; }

  Stream _x;
};

/// `Kernel` supplies: accumulatorSize(); start(acc, count); run(x, n, base, acc); rows(x, rows, rowStride, columns,
/// base, acc); merge(acc, other, count); store(acc, count, n, z, zStride) which finishes accumulators and writes
/// results. `base` is the position of the first element (row) in the reduced part, in c order.
///
/// `Source` has the elements: MemorySource, or one that computes them when they are needed. Each thread reads through
/// its own reader(), and each element once. shared(count, block) is memory for `count` doubles, which may be in
/// `block`.
template <typename Kernel, typename Source = MemorySource>
class ReduceLoop {
 public:
  ReduceLoop(const Kernel& kernel, Source x, const Operand& z)
      : kept(2), reduced(1), _kernel(kernel), _x(std::move(x)), _z(z) {}

  Plan kept;     ///< operand 0 is x, 1 is z
  Plan reduced;  ///< operand 0 is x

  Source& source() { return _x; }

  /// Both plans must be finished (ordered and merged). `threads` is the greatest worthwhile number.
  void run(int threads) {
    _length = reduced.outerCount() * reduced.inner().size;
    if (hasRowsForm())
      runRows(threads);
    else
      runInner(threads);
  }

  /// Whether rows are reduced into rows of accumulators.
  bool hasRowsForm() const {
    const Dimension &k = kept.inner(), &r = reduced.inner();
    // Reductions of one element each, whatever its stride, are a row.
    const bool isOneRow = r.size == 1 && reduced.outerCount() == 1;
    return k.size > 1 && (isOneRow || std::llabs(k.stride[0]) < std::llabs(r.stride[0]));
  }

  /// How many doubles a run with so many threads asks of shared(); 0 when the threads share no accumulators.
  LongType sharedCount(int threads) const {
    if (hasRowsForm()) {
      const Rows rows = rowsForm();
      return rows.isShared(threads) ? doubles(rows.units * rows.chunks.count * rows.width) : 0;
    }
    const Chunks c = chunksOf(CHUNK);
    const LongType outputs = kept.outerCount() * kept.inner().size;
    return isShared(c, outputs, threads) ? doubles(outputs * c.count) : 0;
  }

 private:
  static constexpr LongType CHUNK = 65536;      ///< reduced elements per chunk
  static constexpr LongType OUTPUT_BLOCK = 64;  ///< results that are stored together
  static constexpr LongType COLUMNS = ROW_COLUMNS;
  /// Columns per unit when there are many rows: memory is read fastest sequentially.
  static constexpr LongType WIDE_COLUMNS = 4096;
  static constexpr LongType MANY_ROWS = 2048;

  template <typename F>
  static void forRange(LongType count, int threads, F&& f) {
    if (threads <= 1)
      f(LongType(0), count);
    else
      execution::parallelFor(count, threads, f);
  }

  LongType doubles(LongType accumulators) const { return (accumulators * _kernel.accumulatorSize() + 7) / 8; }

  // ---- inner form

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

  template <typename Reader>
  void addChunk(Reader& x, const Chunks& c, LongType xOffset, LongType chunk, void* acc) const {
    _kernel.start(acc, 1);
    const LongType stride = reduced.inner().stride[0];
    if (c.pieces == 1) {
      x.addRun(_kernel, xOffset, stride, c.runLength, 0, acc);
      return;
    }
    forPieces(c, chunk, [&](LongType offset, LongType length, LongType base) {
      x.addRun(_kernel, xOffset + offset, stride, length, base, acc);
    });
  }

  /// Whether several threads work on one result.
  static bool isShared(const Chunks& c, LongType units, int threads) {
    return threads > 1 && c.count > 1 && units < 4 * threads;
  }

  void runInner(int threads) {
    const Chunks c = chunksOf(CHUNK);
    const Dimension k = kept.inner();
    const LongType outputs = kept.outerCount() * k.size;
    const int size = _kernel.accumulatorSize();
    if (isShared(c, outputs, threads)) {
      AccumulatorBlock memory;
      const auto data = reinterpret_cast<char*>(_x.shared(doubles(outputs * c.count), memory));
      execution::parallelFor(outputs * c.count, threads, [&](LongType start, LongType stop) {
        auto x = _x.reader();
        for (LongType unit = start; unit < stop; unit++)
          addChunk(x, c, Odometer(kept, kept.rank, unit / c.count).offset[0], unit % c.count, data + unit * size);
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
      auto x = _x.reader();
      if (kept.rank == 1 && reduced.rank == 1 && k.stride[0] == _length)
        x.expect(_length, std::min(stop * OUTPUT_BLOCK, k.size) * _length);
      Odometer outer(kept, kept.rank - 1, start / blocks);
      LongType index = start % blocks;
      for (LongType unit = start; unit < stop; unit++) {
        const LongType first = index * OUTPUT_BLOCK, count = std::min(OUTPUT_BLOCK, k.size - first);
        for (LongType o = 0; o < count; o++) {
          const LongType offset = outer.offset[0] + (first + o) * k.stride[0];
          addChunk(x, c, offset, 0, block + o * size);
          for (LongType chunk = 1; chunk < c.count; chunk++) {
            addChunk(x, c, offset, chunk, part);
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

  /// The columns of all kept rows are cut into units of work.
  struct Rows {
    LongType width;   ///< columns of a unit
    LongType blocks;  ///< units in a row
    LongType units;
    Chunks chunks;

    bool isShared(int threads) const { return ReduceLoop::isShared(chunks, units, threads); }
  };

  Rows rowsForm() const {
    const Dimension& k = kept.inner();
    const bool wide = _x.isRun(k.stride[0]) && reduced.inner().size >= MANY_ROWS;
    const LongType width = std::min(wide ? WIDE_COLUMNS : COLUMNS, k.size);
    Rows rows;
    rows.width = std::min(width, _x.widest());
    rows.blocks = (k.size + rows.width - 1) / rows.width;
    rows.units = kept.outerCount() * rows.blocks;
    // whole multiples of the row blocks of the kernels; they do not depend on the source
    rows.chunks = chunksOf(std::max<LongType>(wide ? 128 : 256, CHUNK / width / 32 * 32));
    return rows;
  }

  template <typename Reader>
  void addRowChunk(Reader& x, const Chunks& c, LongType xOffset, LongType columns, LongType chunk, void* acc) const {
    const LongType columnStride = kept.inner().stride[0], rowStride = reduced.inner().stride[0];
    _kernel.start(acc, columns);
    forPieces(c, chunk, [&](LongType offset, LongType rows, LongType base) {
      x.addRows(_kernel, xOffset + offset, rows, rowStride, columns, columnStride, base, acc);
    });
  }

  void runRows(int threads) {
    const Dimension k = kept.inner();
    const Rows form = rowsForm();
    const LongType width = form.width, blocks = form.blocks, units = form.units;
    const Chunks& c = form.chunks;
    const int size = _kernel.accumulatorSize();
    const auto unitAt = [&](LongType unit, LongType* offsets, LongType* first) {
      const Odometer outer(kept, kept.rank - 1, unit / blocks);
      *first = unit % blocks * width;
      offsets[0] = outer.offset[0] + *first * k.stride[0];
      offsets[1] = outer.offset[1] + *first * k.stride[1];
      return std::min(width, k.size - *first);
    };
    if (form.isShared(threads)) {
      AccumulatorBlock memory;
      const auto data = reinterpret_cast<char*>(_x.shared(doubles(units * c.count * width), memory));
      execution::parallelFor(units * c.count, threads, [&](LongType start, LongType stop) {
        auto x = _x.reader();
        for (LongType i = start; i < stop; i++) {
          LongType offsets[2], first;
          const LongType columns = unitAt(i / c.count, offsets, &first);
          addRowChunk(x, c, offsets[0], columns, i % c.count, data + i * width * size);
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
      alignas(64) unsigned char few[2][COLUMNS * 2 * sizeof(double)];
      AccumulatorBlock many;
      void *acc = few[0], *part = few[1];
      if (width > COLUMNS) {
        const LongType count = doubles(width);
        many.reset(new double[static_cast<std::size_t>(2 * count)]);
        acc = many.get();
        part = many.get() + count;
      }
      auto x = _x.reader();
      for (LongType unit = start; unit < stop; unit++) {
        LongType offsets[2], first;
        const LongType columns = unitAt(unit, offsets, &first);
        addRowChunk(x, c, offsets[0], columns, 0, acc);
        for (LongType chunk = 1; chunk < c.count; chunk++) {
          addRowChunk(x, c, offsets[0], columns, chunk, part);
          _kernel.merge(acc, part, columns);
        }
        _kernel.store(acc, columns, _length, _z.data + offsets[1] * _z.elementSize, k.stride[1]);
      }
    });
  }

  Kernel _kernel;
  Source _x;
  const Operand& _z;
  LongType _length = 0;
};

}  // namespace sd::loops

#endif
