#include "ops/declarable/helpers/convolution.h"

#include <execution/Parallel.h>

#include <cstring>
#include <limits>
#include <memory>
#include <numeric>

#include "linalg/Blas.h"

namespace sd::ops::helpers {
namespace {

// Elements per block of columns: the block stays in the L2 cache while the product reads it.
constexpr LongType BLOCK_ELEMENTS = 1 << 17;
constexpr LongType LEAST_BLOCK_COLUMNS = 64;
constexpr double NANOSECONDS_FOR_A_PRODUCT = 0.05;

/// Converts a size to int, which BLAS uses.
int count(LongType n) {
  if (n > std::numeric_limits<int>::max()) reject("a matrix of {} rows or columns is too large for BLAS", n);
  return static_cast<int>(n);
}

/// A block of windows of an image: `rows` rows from `row` on, `columns` columns from `column` on.
struct Block {
  LongType row, rows, column, columns;
  LongType size() const { return rows * columns; }
};

/// How the windows of one image are divided: into whole rows, or into pieces of one row when rows are long.
class Blocks {
 public:
  Blocks(const Windows& windows, LongType elementsPerWindow) : _rows(windows.outRows()), _columns(windows.width().out) {
    const LongType most = std::max(LEAST_BLOCK_COLUMNS, BLOCK_ELEMENTS / std::max<LongType>(1, elementsPerWindow));
    _blockColumns = std::min(_columns, most);
    _blockRows = _blockColumns < _columns ? 1 : std::clamp<LongType>(most / std::max<LongType>(1, _columns), 1, _rows);
    _across = (_columns + _blockColumns - 1) / _blockColumns;
    _down = (_rows + _blockRows - 1) / _blockRows;
  }

  LongType number() const { return _across * _down; }
  LongType largest() const { return _blockRows * _blockColumns; }
  Block at(LongType index) const {
    const LongType row = index / _across * _blockRows, column = index % _across * _blockColumns;
    return {row, std::min(_blockRows, _rows - row), column, std::min(_blockColumns, _columns - column)};
  }

 private:
  LongType _rows, _columns;
  LongType _blockRows, _blockColumns, _across, _down;
};

/// Visits the columns of a block: visit(row of the column matrix, its first element, cells, step, number, zeros before,
/// zeros after) for each row of windows. `cells` is an offset in a channel, or -1 when all cells are in the padding.
template <typename Visit>
void forColumns(const Windows& windows, LongType channels, const Block& block, Visit&& visit) {
  const auto& [depth, height, width] = windows.axes;
  const LongType kernel = windows.kernelSize(), cells = windows.inSize(), size = block.size();
  for (LongType c = 0; c < channels; c++) {
    LongType k = 0;
    for (LongType kd = 0; kd < depth.kernel; kd++)
      for (LongType kh = 0; kh < height.kernel; kh++)
        for (LongType kw = 0; kw < width.kernel; kw++, k++) {
          auto [first, last] = width.inside(kw);
          first = std::clamp(first, block.column, block.column + block.columns);
          last = std::clamp(last, first, block.column + block.columns);
          LongType column = (c * kernel + k) * size, od = block.row / height.out, oh = block.row % height.out;
          for (LongType r = 0; r < block.rows; r++, column += block.columns) {
            const LongType id = depth.cell(od, kd), ih = height.cell(oh, kh);
            if (++oh == height.out) oh = 0, od++;
            const bool inside = id >= 0 && id < depth.in && ih >= 0 && ih < height.in && first < last;
            if (inside)
              visit(column, c * cells + (id * height.in + ih) * width.in + width.cell(first, kw), first - block.column,
                    last - first, block.column + block.columns - last);
            else
              visit(column, LongType(0), block.columns, LongType(0), LongType(0));
          }
        }
  }
}

/// copy_n for runs that are mostly short: rows of small images.
template <typename T>
void copyRun(const T* from, LongType number, T* to) {
  constexpr LongType PIECE = 16 / sizeof(T), LONG = 64;
  if (number >= LONG) {
    std::copy_n(from, number, to);
  } else if (number >= PIECE) {
    // The last piece overlaps the one before.
    for (LongType i = 0; i < number - PIECE; i += PIECE) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + number - PIECE, from + number - PIECE, 16);
  } else {
    for (LongType i = 0; i < number; i++) to[i] = from[i];
  }
}

template <typename T>
void toColumns(const Convolution& c, LongType channels, const T* x, const Block& block, T* columns, T padding = T(0)) {
  const LongType step = c.windows.width().stride;
  forColumns(c.windows, channels, block,
             [=](LongType column, LongType cell, LongType before, LongType number, LongType after) {
               T* to = columns + column;
               const T* from = x + cell;
               if (before > 0) std::fill_n(to, before, padding);
               to += before;
               if (step == 1)
                 copyRun(from, number, to);
               else
                 for (LongType i = 0; i < number; i++) to[i] = from[i * step];
               if (after > 0) std::fill_n(to + number, after, padding);
             });
}

template <typename T>
void addColumns(const Convolution& c, LongType channels, const T* columns, const Block& block, T* x) {
  const LongType step = c.windows.width().stride;
  forColumns(c.windows, channels, block,
             [=](LongType column, LongType cell, LongType before, LongType number, LongType) {
               const T* from = columns + column + before;
               T* to = x + cell;
               if (step == 1)
                 for (LongType i = 0; i < number; i++) to[i] += from[i];
               else
                 for (LongType i = 0; i < number; i++) to[i * step] += from[i];
             });
}

/// The columns of `block`: in `buffer`, or in the image itself when each window is a single cell.
template <typename T>
const T* columnsOf(const Convolution& c, const T* x, const Block& block, T* buffer, int& stride) {
  if (c.windows.isPointwise()) {
    stride = count(c.windows.outSize());
    return x + block.row * c.windows.width().out + block.column;
  }
  toColumns(c, c.inChannels, x, block, buffer);
  stride = count(block.size());
  return buffer;
}

template <typename T>
std::unique_ptr<T[]> buffer(LongType elements) {
  return std::make_unique_for_overwrite<T[]>(static_cast<size_t>(elements));
}

struct Sizes {
  explicit Sizes(const Convolution& c)
      : patch(c.inChannels * c.windows.kernelSize()),
        in(c.inChannels * c.windows.inSize()),
        out(c.outChannels * c.windows.outSize()),
        image(count(c.windows.outSize())),
        columns(c.windows.isPointwise() ? 0 : patch) {
    count(patch);
    count(c.outChannels);
  }
  double cost(const Convolution& c) const {
    return NANOSECONDS_FOR_A_PRODUCT * static_cast<double>(c.batch) * static_cast<double>(out) *
           static_cast<double>(patch);
  }

  LongType patch;    // elements per window, over all channels
  LongType in, out;  // elements per image
  int image;         // windows per image
  LongType columns;  // buffer elements per window
};

}  // namespace

template <typename T>
void convolve(const Convolution& c, const T* x, const T* weights, const T* bias, T* y) {
  const Sizes s(c);
  const Blocks blocks(c.windows, s.patch);
  const LongType width = c.windows.width().out;
  execution::parallelFor(
      c.batch * blocks.number(), execution::threadsFor(s.cost(c)), [&](LongType start, LongType stop) {
        const auto columns = buffer<T>(s.columns * blocks.largest());
        for (LongType task = start; task < stop; task++) {
          const LongType n = task / blocks.number();
          const Block block = blocks.at(task % blocks.number());
          int stride;
          const T* patches = columnsOf(c, x + n * s.in, block, columns.get(), stride);
          T* to = y + n * s.out + block.row * width + block.column;
          if (bias != nullptr)
            for (LongType o = 0; o < c.outChannels; o++) std::fill_n(to + o * s.image, block.size(), bias[o]);
          blas::gemm(false, false, count(c.outChannels), count(block.size()), count(s.patch), T(1), weights,
                     count(s.patch), patches, stride, bias != nullptr ? T(1) : T(0), to, s.image);
        }
      });
}

template <typename T>
void convolveBackwardData(const Convolution& c, const T* gradY, const T* weights, T* gradX) {
  const Sizes s(c);
  const LongType kernel = c.windows.kernelSize(), cells = c.windows.inSize(), width = c.windows.width().out;
  // The work on one image is divided by channels, because its windows overlap.
  const LongType parts = c.batch >= 4 ? 1 : std::min<LongType>(c.inChannels, 4);
  const Blocks blocks(c.windows, (c.inChannels + parts - 1) / parts * kernel);
  execution::parallelFor(c.batch * parts, execution::threadsFor(s.cost(c)), [&](LongType start, LongType stop) {
    const auto columns =
        buffer<T>(c.windows.isPointwise() ? 0 : (c.inChannels + parts - 1) / parts * kernel * blocks.largest());
    for (LongType task = start; task < stop; task++) {
      const LongType n = task / parts, part = task % parts;
      const LongType first = c.inChannels * part / parts, last = c.inChannels * (part + 1) / parts;
      const int rows = count((last - first) * kernel);
      T* x = gradX + n * s.in + first * cells;
      if (!c.windows.isPointwise()) std::fill_n(x, (last - first) * cells, T(0));
      for (LongType b = 0; b < blocks.number(); b++) {
        const Block block = blocks.at(b);
        const LongType offset = block.row * width + block.column;
        const bool direct = c.windows.isPointwise();
        blas::gemm(true, false, rows, count(block.size()), count(c.outChannels), T(1), weights + first * kernel,
                   count(s.patch), gradY + n * s.out + offset, s.image, T(0), direct ? x + offset : columns.get(),
                   direct ? s.image : count(block.size()));
        if (!direct) addColumns(c, last - first, columns.get(), block, x);
      }
    }
  });
}

template <typename T>
void convolveBackwardWeights(const Convolution& c, const T* x, const T* gradY, T* gradWeights) {
  const Sizes s(c);
  const Blocks blocks(c.windows, s.patch);
  const LongType width = c.windows.width().out, tasks = c.batch * blocks.number(), length = c.outChannels * s.patch;
  std::fill_n(gradWeights, length, T(0));
  // Each group has its own sum; the number of groups does not depend on the number of threads.
  const LongType groups = length <= (1 << 20) ? std::min<LongType>(tasks, 4) : 1;
  const auto sums = buffer<T>((groups - 1) * length);
  execution::parallelFor(groups, execution::threadsFor(s.cost(c)), [&](LongType start, LongType stop) {
    const auto columns = buffer<T>(s.columns * blocks.largest());
    for (LongType g = start; g < stop; g++) {
      T* sum = g == 0 ? gradWeights : sums.get() + (g - 1) * length;
      if (g > 0) std::fill_n(sum, length, T(0));
      for (LongType task = tasks * g / groups; task < tasks * (g + 1) / groups; task++) {
        const LongType n = task / blocks.number();
        const Block block = blocks.at(task % blocks.number());
        int stride;
        const T* patches = columnsOf(c, x + n * s.in, block, columns.get(), stride);
        blas::gemm(false, true, count(c.outChannels), count(s.patch), count(block.size()), T(1),
                   gradY + n * s.out + block.row * width + block.column, s.image, patches, stride, T(1), sum,
                   count(s.patch));
      }
    }
  });
  for (LongType g = 1; g < groups; g++)
    for (LongType i = 0; i < length; i++) gradWeights[i] += sums[static_cast<size_t>((g - 1) * length + i)];
}

template <typename T>
void imageToColumns(const Convolution& c, const T* x, T padding, T* columns) {
  const LongType cells = c.windows.inSize(), size = c.windows.kernelSize() * c.windows.outSize();
  const Block all{0, c.windows.outRows(), 0, c.windows.width().out};
  const LongType planes = c.batch * c.inChannels;
  execution::parallelFor(planes, execution::threadsFor(static_cast<double>(planes * size) * 0.3),
                         [&](LongType start, LongType stop) {
                           for (LongType plane = start; plane < stop; plane++)
                             toColumns(c, 1, x + plane * cells, all, columns + plane * size, padding);
                         });
}

template <typename T>
void columnsToImage(const Convolution& c, const T* columns, T* x) {
  const LongType cells = c.windows.inSize(), size = c.windows.kernelSize() * c.windows.outSize();
  const Block all{0, c.windows.outRows(), 0, c.windows.width().out};
  const LongType planes = c.batch * c.inChannels;
  execution::parallelFor(planes, execution::threadsFor(static_cast<double>(planes * size) * 0.3),
                         [&](LongType start, LongType stop) {
                           std::fill(x + start * cells, x + stop * cells, T(0));
                           for (LongType plane = start; plane < stop; plane++)
                             addColumns(c, 1, columns + plane * size, all, x + plane * cells);
                         });
}

SD_CONVOLUTIONS(, float)
SD_CONVOLUTIONS(, double)

}  // namespace sd::ops::helpers
