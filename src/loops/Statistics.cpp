// Statistics of sub-arrays: variance and standard deviation.
//
// There are two forms, as for other reductions. Sub-arrays whose elements are neighbours are read one after another.
// When neighbours belong to different sub-arrays, whole rows are read, and each column has moments of its own.
#include <loops/Executor.h>
#include <loops/OpList.h>
#include <ops/functors/reduce3.h>

#include <array>
#include <cstdlib>

#include "loops/Kernels.h"
#include "loops/OpInfo.h"
#include "loops/ReduceCommon.h"
#include "loops/SubArrays.h"

namespace sd::loops {

namespace {

using simdOps::Moments;

using Statistic = double (*)(const Moments&, bool);

/// The functors of the statistics by number.
constexpr auto STATISTICS = [] {
  std::array<Statistic, simd::MAX_OPS> table{};
#define SD_STATISTIC(NUMBER, FUNCTOR) table[NUMBER] = FUNCTOR<double>::value;
  SD_FOR_EACH_OP(SD_STATISTIC, SUMMARY_STATS_OPS)
#undef SD_STATISTIC
  return table;
}();

/// One call: operands, the kernel's type, the statistic.
struct Call {
  const Operand &x, &z;
  Storage type;
  Statistic statistic;
  bool biasCorrected;
  int threads;
};

void byElements(const Call& call, const ReducedShape& shape, const Plan& reduced) {
  const Operand &x = call.x, &z = call.z;
  const auto moments = simd::kernels().moments[call.type];
  const auto store = Stream::output(z, simd::F64).convert;
  const Offsets xAt{shape.kept, shape.keptSizes, shape.keptStrides}, zAt{shape.kept, shape.keptSizes, shape.zStrides};
  const LongType length = x.empty() ? 0 : shape.reducedLength;
  const LongType chunks = std::max<LongType>(1, (length + SUB_ARRAY_CHUNK - 1) / SUB_ARRAY_CHUNK);
  const Stream source = Stream::input(x, call.type);
  forChunks<Moments>(
      shape.keptLength, chunks, call.threads,
      [&](LongType output, LongType chunk, Moments& part) {
        TileOf<REDUCTION_TILE> tile;
        const char* data = x.data + (x.empty() ? 0 : xAt(output)) * source.size;
        double m[3] = {};
        forTiles(reduced, chunk * SUB_ARRAY_CHUNK, std::min(length, (chunk + 1) * SUB_ARRAY_CHUNK),
                 [&](LongType offset, LongType, LongType n) {
                   moments(source.load(data + offset * source.size, reduced.inner().stride[0], tile.bytes, n), n, m);
                 });
        part = {m[0], m[1], m[2]};
      },
      [&](LongType output, Moments* parts) {
        for (LongType c = 1; c < chunks; c++) parts[0].join(parts[c]);
        const double result = call.statistic(parts[0], call.biasCorrected);
        store(&result, 1, z.data + zAt(output) * z.elementSize, 1, 1);
      });
}

/// Columns of a unit of work, and the least for which whole rows are worth it.
constexpr LongType COLUMNS = 256, FEWEST_COLUMNS = 8;

/// The moments of columns, which all have the same number of rows.
struct ColumnMoments {
  LongType rows;
  double mean[COLUMNS], m2[COLUMNS];

  Moments operator[](LongType column) const { return {static_cast<double>(rows), mean[column], m2[column]}; }
  void join(const ColumnMoments& other, LongType columns) {
    for (LongType k = 0; k < columns; k++) {
      Moments sum = (*this)[k];
      sum.join(other[k]);
      mean[k] = sum.mean;
      m2[k] = sum.m2;
    }
    rows += other.rows;
  }
};

/// `kept` has the sub-arrays (operand 0 is x, 1 is z), its innermost dimension the columns.
void byRows(const Call& call, const Plan& kept, const Plan& reduced) {
  const Operand &x = call.x, &z = call.z;
  const auto momentsOfRows = simd::kernels().momentsOfRows[call.type];
  const Stream source = Stream::input(x, call.type);
  const auto store = Stream::output(z, simd::F64).convert;
  const Dimension columns = kept.inner();
  const LongType rowStride = reduced.inner().stride[0], rows = reduced.outerCount() * reduced.inner().size;
  const bool isRun = source.isRun(columns.stride[0]);
  // Rows that are converted must fit a tile together.
  constexpr LongType CONVERTED_COLUMNS = 64, CONVERTED_ROWS = REDUCTION_TILE / CONVERTED_COLUMNS;
  const LongType width = std::min(isRun ? COLUMNS : CONVERTED_COLUMNS, columns.size);
  const LongType blocks = (columns.size + width - 1) / width;
  const LongType chunkRows =
      std::max<LongType>(REDUCTION_TILE, SUB_ARRAY_CHUNK / width / REDUCTION_TILE * REDUCTION_TILE);
  const LongType chunks = (rows + chunkRows - 1) / chunkRows;
  const auto at = [&](LongType unit, LongType* xOffset, LongType* zOffset) {
    const Odometer outer(kept, kept.rank - 1, unit / blocks);
    const LongType first = unit % blocks * width;
    *xOffset = outer.offset[0] + first * columns.stride[0];
    *zOffset = outer.offset[1] + first * columns.stride[1];
    return std::min(width, columns.size - first);
  };
  forChunks<ColumnMoments>(
      kept.outerCount() * blocks, chunks, call.threads,
      [&](LongType unit, LongType chunk, ColumnMoments& part) {
        LongType xOffset, zOffset;
        const LongType count = at(unit, &xOffset, &zOffset);
        const char* data = x.data + xOffset * source.size;
        part.rows = 0;
        const auto add = [&](const void* from, LongType n, LongType stride) {
          momentsOfRows(from, n, stride, count, part.rows, part.mean, part.m2);
          part.rows += n;
        };
        forTiles(reduced, chunk * chunkRows, std::min(rows, (chunk + 1) * chunkRows),
                 [&](LongType offset, LongType, LongType n) {
                   const char* const tileRows = data + offset * source.size;
                   if (isRun) return add(tileRows, n, rowStride);
                   TileOf<REDUCTION_TILE> tile;
                   const int size = sizeOf(call.type);
                   for (LongType r = 0; r < n; r += CONVERTED_ROWS) {
                     const LongType height = std::min(CONVERTED_ROWS, n - r);
                     for (LongType i = 0; i < height; i++)
                       source.convert(tileRows + (r + i) * rowStride * source.size, columns.stride[0],
                                      tile.bytes + i * count * size, 1, count);
                     add(tile.bytes, height, count);
                   }
                 });
      },
      [&](LongType unit, ColumnMoments* parts) {
        LongType xOffset, zOffset;
        const LongType count = at(unit, &xOffset, &zOffset);
        for (LongType c = 1; c < chunks; c++) parts[0].join(parts[c], count);
        double results[COLUMNS];
        for (LongType k = 0; k < count; k++) results[k] = call.statistic(parts[0][k], call.biasCorrected);
        store(results, 1, z.data + zOffset * z.elementSize, columns.stride[1], count);
      });
}

}  // namespace

void summaryStats(int number, In xIn, Out zOut, bool biasCorrected, const Axes& axes) {
  const OpInfo& op = opInfo(OpGroup::SummaryStats, number);
  const Operand x = operand(op.name, "x", xIn.data, xIn.info), z = operand(op.name, "z", zOut.data, zOut.info);
  requireFloating(op.name, "z", z);
  const ReducedShape shape(op.name, x, z, axes);
  if (z.empty()) return;
  requireDistinctElements(op.name, z);
  requireDisjoint(op.name, z, "x", x);
  const Storage type = arithmeticType(x.storage) == simd::F32 ? simd::F32 : simd::F64;
  const Statistic statistic = STATISTICS[number];
  // Short contiguous arrays need no plan.
  if (shape.kept == 0 && x.storage == type && !x.empty() && x.length <= REDUCTION_TILE &&
      (isDense(x, 'c') || isDense(x, 'f'))) {
    double m[3] = {};
    simd::kernels().moments[type](x.data, x.length, m);
    const double result = statistic({m[0], m[1], m[2]}, biasCorrected);
    Stream::output(z, simd::F64).convert(&result, 1, z.data, 1, 1);
    return;
  }
  const Call call{x, z, type, statistic, biasCorrected, reduceThreads(x.length, 6)};
  Plan kept(2), reduced(2);
  for (int i = 0; i < shape.reduced; i++) {
    const LongType strides[] = {shape.reducedStrides[i], 0};
    reduced.add(shape.reducedSizes[i], strides);
  }
  reduced.finish();
  if (!x.empty() && shape.kept > 0) {
    for (int i = 0; i < shape.kept; i++) {
      const LongType strides[] = {shape.keptStrides[i], shape.zStrides[i]};
      kept.add(shape.keptSizes[i], strides);
    }
    kept.finish();
    if (kept.inner().size >= FEWEST_COLUMNS &&
        std::llabs(kept.inner().stride[0]) < std::llabs(reduced.inner().stride[0]))
      return byRows(call, kept, reduced);
  }
  byElements(call, shape, reduced);
}

}  // namespace sd::loops
