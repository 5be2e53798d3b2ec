#include "loops/ElementLoop.h"

#include <execution/Parallel.h>

#include "loops/Kernels.h"

#if defined(__linux__)
#include <unistd.h>
#endif

#include <algorithm>
#include <cstring>

namespace sd::loops {

namespace {

/// Functions up to this cost leave memory as the limit.
constexpr int CHEAP = 4;
constexpr int TRANSPOSING_COST = 3;
constexpr LongType LINE = 64;  ///< bytes of a cache line

}  // namespace

/// Larger outputs are written with non-temporal stores: ordinary stores would evict the inputs and read the output's
/// cache lines for nothing. The system may report the caches of a whole machine although this process has a share of
/// them only, hence the upper bound.
LongType streamingThreshold() {
  static const LongType bytes = [] {
    LongType cache = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE)
    cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    return std::clamp<LongType>(cache / 2, 8 << 20, 16 << 20);
  }();
  return bytes;
}

/// `in` holds the inputs by operand, from 1 on.
void ElementLoop::compute(const void* const* in, void* z, LongType n, const Constants& constants) const {
  if (fused != nullptr)
    fused(in + 1, z, n, params);
  else if (_inputs == 1)
    unary.run(in[1], z, n, params);
  else if (constants[1] != nullptr)
    binary.xConstant(in[1], in[2], z, n, params);
  else if (constants[2] != nullptr)
    binary.yConstant(in[1], in[2], z, n, params);
  else
    binary.both(in[1], in[2], z, n, params);
}

/// The number of elements in the first tile; after it the output is aligned to cache lines.
LongType ElementLoop::streamHead(const char* z, LongType tile) const {
  const auto over = static_cast<LongType>(reinterpret_cast<uintptr_t>(z) % LINE);
  return tile - over / _streamOf[0].size;
}

/// A run tile by tile: inputs are converted where needed, results are converted or written past the caches.
SD_INLINE void ElementLoop::processTiles(char* const* data, const LongType* strides, LongType n,
                                         Constants& constants) const {
  TileOf<TILE> tiles[MAX_OPERANDS];
  if (fused != nullptr) {
    for (int k = 1; k <= _inputs; k++) {
      if (strides[k] != 0) continue;
      _streamOf[k].convert(data[k], 0, tiles[k].bytes, 1, std::min(n, TILE));
      constants[k] = tiles[k].bytes;
    }
  }
  const Stream& out = _streamOf[0];
  const bool inMemory = out.isRun(strides[0]);
  LongType tile = TILE;
  if (_streams) {
    tile = STREAM_TILE;
    for (int k = 1; k <= _inputs; k++)
      if (strides[k] != 0 && strides[k] != 1) tile = STRIDED_STREAM_BYTES / out.size;
  }
  LongType length = _streams ? streamHead(data[0], tile) : tile;
  for (LongType i = 0; i < n; i += length, length = tile) {
    length = std::min(length, n - i);
    const void* in[MAX_OPERANDS];
    for (int k = 1; k <= _inputs; k++) {
      const Stream& s = _streamOf[k];
      in[k] = constants[k] != nullptr ? constants[k]
                                      : s.load(data[k] + i * strides[k] * s.size, strides[k], tiles[k].bytes, length);
    }
    char* const z = data[0] + i * strides[0] * out.size;
    if (inMemory && !_streams) {
      compute(in, z, length, constants);
      continue;
    }
    compute(in, tiles[0].bytes, length, constants);
    if (inMemory) {
      simd::kernels().streamCopy(tiles[0].bytes, z, length * out.size);
    } else if (_streams) {
      TileOf<STREAM_TILE> converted;
      out.convert(tiles[0].bytes, 1, converted.bytes, 1, length);
      simd::kernels().streamCopy(converted.bytes, z, length * out.size);
    } else {
      out.convert(tiles[0].bytes, 1, z, strides[0], length);
    }
  }
}

/// The kernel for runs of 16-bit floats, or nullptr.
simd::BinaryLoop ElementLoop::halvesKernel() const {
  if (_inputs != 2 || binary.both == nullptr) return nullptr;
  const Storage storage = _streamOf[0].storage;
  for (int k = 0; k <= 2; k++)
    if (_streamOf[k].storage != storage || plan.inner().stride[k] != 1) return nullptr;
  return halvesLoop(binary, storage);
}

void ElementLoop::processHalves(char* const* data, LongType n) const {
  if (!_streams) return _halves(data[1], data[2], data[0], n, params);
  TileOf<STREAM_TILE> tile;
  const int size = _streamOf[0].size;
  LongType length = streamHead(data[0], STREAM_TILE);
  for (LongType i = 0; i < n; i += length, length = STREAM_TILE) {
    length = std::min(length, n - i);
    _halves(data[1] + i * size, data[2] + i * size, tile.bytes, length, params);
    simd::kernels().streamCopy(tile.bytes, data[0] + i * size, length * size);
  }
}

/// A run of a copy, written past the caches.
void ElementLoop::streamCopy(char* const* data, const LongType* strides, LongType n) const {
  const Stream& in = _streamOf[1];
  const int size = _streamOf[0].size;
  if (in.isRun(strides[1])) {
    simd::kernels().streamCopy(data[1], data[0], n * size);
  } else {
    TileOf<TILE> tile;
    const LongType step = strides[1] == 1    ? STREAM_TILE
                          : strides[1] == -1 ? REVERSED_STREAM_BYTES / size
                                             : STRIDED_STREAM_BYTES / size;
    LongType length = streamHead(data[0], step);
    for (LongType i = 0; i < n; i += length, length = step) {
      length = std::min(length, n - i);
      in.convert(data[1] + i * strides[1] * in.size, strides[1], tile.bytes, 1, length);
      simd::kernels().streamCopy(tile.bytes, data[0] + i * size, length * size);
    }
  }
}

/// The operand of a cheap function whose contiguous run a chain can take: the only one, or the one beside a constant.
/// 0: there is none.
int ElementLoop::chainedOperand(const LongType* strides, const Constants& constants) const {
  if (cost > CHEAP || !_streamOf[0].direct) return 0;
  if (_inputs == 1) return unary.chain != nullptr && _streamOf[1].isRun(strides[1]) ? 1 : 0;
  if (binary.chain == nullptr || (constants[1] == nullptr) == (constants[2] == nullptr)) return 0;
  const int operand = constants[1] == nullptr ? 1 : 2;
  return _streamOf[operand].isRun(strides[operand]) ? operand : 0;
}

/// A contiguous run of a cheap function. Results go from registers past the caches: by way of a tile, memory would rest
/// while tiles are computed. Functions with many registers of their own go line by line, or in tiles.
void ElementLoop::streamChain(int operand, char* const* data, LongType n, const Constants& constants) const {
  const int size = _streamOf[0].size;
  const simd::ChainKernel& chain = simd::kernels().chains[_streamOf[0].storage];
  char* const z = data[0];
  const LongType head = std::min(n, streamHead(z, LINE / size)), whole = (n - head) / chain.elements * chain.elements;
  computePart(data, constants, 0, head);
  if (whole > 0) {
    const simd::ChainLink step = _inputs == 1 ? simd::ChainLink{unary.chain, nullptr, params}
                                              : simd::ChainLink{binary.chain[operand == 1 ? simd::V_ONE : simd::ONE_V],
                                                                constants[3 - operand], params};
    const simd::ChainLink links[] = {{chain.load, data[operand] + head * size},
                                     step,
                                     {chain.stream, nullptr, nullptr, z + head * size},
                                     {chain.end}};
    chain.run(links, 0, whole);
  }
  computePart(data, constants, head + whole, n - head - whole);
}

/// Elements `first` to first + length - 1 of a run whose operands are stored as the kernel computes them.
void ElementLoop::computePart(char* const* data, const Constants& constants, LongType first, LongType length) const {
  if (length == 0) return;
  const LongType bytes = first * _streamOf[0].size;
  const void* in[MAX_OPERANDS];
  for (int k = 1; k <= _inputs; k++) in[k] = constants[k] != nullptr ? constants[k] : data[k] + bytes;
  compute(in, data[0] + bytes, length, constants);
}

bool ElementLoop::hasStreamingKernel(const LongType* strides) const {
  if (_inputs == 1 ? unary.streaming == nullptr : binary.streaming == nullptr) return false;
  for (int k = 1; k <= _inputs; k++)
    if (!_streamOf[k].isRun(strides[k])) return false;
  return _streamOf[0].direct;
}

/// A contiguous run of all operands, written past the caches.
void ElementLoop::streamRun(char* const* data, LongType n) const {
  const int size = _streamOf[0].size;
  const LongType perLine = LINE / size;
  const LongType head = std::min(n, streamHead(data[0], perLine)), whole = (n - head) / perLine * perLine;
  const auto at = [&](int k) { return data[k] + head * size; };
  const Constants none = {};
  computePart(data, none, 0, head);
  if (_inputs == 1)
    unary.streaming(at(1), at(0), whole, params);
  else
    binary.streaming(at(1), at(2), at(0), whole, params);
  computePart(data, none, head + whole, n - head - whole);
}

void ElementLoop::fusedRun(char* const* data, const LongType* strides, LongType n) const {
  bool direct = _streamOf[0].isRun(strides[0]) && !_streams;
  const void* in[MAX_OPERANDS];
  for (int k = 1; k <= _inputs; k++) {
    in[k] = data[k];
    direct = direct && _streamOf[k].isRun(strides[k]);
  }
  if (direct) {
    fused(in + 1, data[0], n, params);
    return;
  }
  Constants constants = {};
  processTiles(data, strides, n, constants);
}

void ElementLoop::processRun(char* const* data, const LongType* strides, LongType n) const {
  if (_copies) {
    if (_streams) return streamCopy(data, strides, n);
    return _streamOf[1].convert(data[1], strides[1], data[0], strides[0], n);
  }
  if (fused != nullptr) return fusedRun(data, strides, n);
  if (_halves != nullptr) return processHalves(data, n);
  // a repeated element is converted once; a binary kernel takes at most one
  alignas(16) unsigned char values[MAX_OPERANDS][sizeof(double)];
  Constants constants = {};
  const void* in[MAX_OPERANDS];
  bool direct = _streamOf[0].isRun(strides[0]) && !_streams;
  for (int k = 1; k <= _inputs; k++) {
    if (strides[k] == 0 && _inputs == 2 && constants[1] == nullptr) {
      _streamOf[k].convert(data[k], 0, values[k], 1, 1);
      in[k] = constants[k] = values[k];
    } else {
      in[k] = data[k];
      direct = direct && _streamOf[k].isRun(strides[k]);
    }
  }
  if (direct) {
    compute(in, data[0], n, constants);
    return;
  }
  if (_streams)
    if (const int operand = chainedOperand(strides, constants)) return streamChain(operand, data, n, constants);
  if (_streams && hasStreamingKernel(strides)) return streamRun(data, n);
  processTiles(data, strides, n, constants);
}

/// A dimension along which an input is contiguous although the inner dimension is strided; -1 when there is none.
int ElementLoop::transposedDimension() const {
  constexpr LongType WORTH = 8;
  const Dimension& inner = plan.inner();
  if (plan.rank < 2 || inner.stride[0] != 1 || inner.size < WORTH) return -1;
  for (int k = 1; k <= _inputs; k++) {
    const bool powerOfTwo = _streamOf[k].size <= 8;
    if (!powerOfTwo || inner.stride[k] == 0 || inner.stride[k] == 1) continue;
    for (int i = 0; i < plan.rank - 1; i++)
      if (plan.dims[i].stride[k] == 1 && plan.dims[i].size >= WORTH) return i;
  }
  return -1;
}

void ElementLoop::runTransposed(int dimension, int threads) {
  std::rotate(plan.dims + dimension, plan.dims + dimension + 1, plan.dims + plan.rank - 1);
  const Dimension rows = plan.dims[plan.rank - 2], inner = plan.inner();
  // Copies need no tiles, so blocks of short columns may have more rows.
  const bool needsTiles = !_copies || !_streamOf[1].direct || inner.stride[1] == 0 || rows.stride[1] != 1;
  const LongType blockRows = needsTiles ? BLOCK_ROWS : BLOCK_ROWS * std::max<LongType>(1, BLOCK_COLUMNS / inner.size);
  const LongType blocks = (rows.size + blockRows - 1) / blockRows;
  // A block that is one piece of the output can be written past the caches.
  const bool streams = !needsTiles && !inPlace && inner.size <= BLOCK_COLUMNS && rows.stride[0] == inner.size &&
                       leavesCaches(touchedBytes(), bytesOf(0));
  LongType outer = 1;
  for (int i = 0; i < plan.rank - 2; i++) outer *= plan.dims[i].size;
  const auto& transpose = simd::kernels().transpose;
  execution::parallelFor(outer * blocks, threads, [&](LongType start, LongType stop) {
    TileOf<BLOCK_ROWS * BLOCK_COLUMNS> tiles[MAX_OPERANDS];
    Odometer at(plan, plan.rank - 2, start / blocks);
    LongType block = start % blocks;
    for (LongType unit = start; unit < stop; unit++) {
      const LongType row = block * blockRows, height = std::min(blockRows, rows.size - row);
      for (LongType column = 0; column < inner.size; column += BLOCK_COLUMNS) {
        const LongType width = std::min(BLOCK_COLUMNS, inner.size - column);
        char* data[MAX_OPERANDS];
        LongType strides[MAX_OPERANDS], rowStrides[MAX_OPERANDS];
        for (int k = 0; k <= _inputs; k++) {
          const int size = _streamOf[k].size;
          data[k] = _streamOf[k].data + (at.offset[k] + row * rows.stride[k] + column * inner.stride[k]) * size;
          strides[k] = inner.stride[k];
          rowStrides[k] = rows.stride[k];
          if (k == 0 || rows.stride[k] != 1 || inner.stride[k] == 0 || inner.stride[k] == 1) continue;
          const auto exchange = transpose[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
          if (_copies && _streamOf[k].direct) {
            void* const target = streams ? static_cast<void*>(tiles[0].bytes) : data[0];
            exchange(data[k], inner.stride[k], target, rows.stride[0], width, height);
            if (streams) simd::kernels().streamCopy(target, data[0], width * height * size);
            data[k] = nullptr;
            continue;
          }
          exchange(data[k], inner.stride[k], tiles[k].bytes, BLOCK_COLUMNS, width, height);
          data[k] = reinterpret_cast<char*>(tiles[k].bytes);
          strides[k] = 1;
          rowStrides[k] = BLOCK_COLUMNS;
        }
        for (LongType r = 0; r < height && data[1] != nullptr; r++) {
          char* line[MAX_OPERANDS];
          for (int k = 0; k <= _inputs; k++) line[k] = data[k] + r * rowStrides[k] * _streamOf[k].size;
          processRun(line, strides, width);
        }
      }
      if (++block == blocks) {
        block = 0;
        at.next();
      }
    }
    if (streams) simd::kernels().streamFence();
  });
}

LongType ElementLoop::bytesOf(int operand) const {
  LongType bytes = _streamOf[operand].size;
  for (int d = 0; d < plan.rank; d++)
    if (plan.dims[d].stride[operand] != 0) bytes *= plan.dims[d].size;
  return bytes;
}

LongType ElementLoop::touchedBytes() const {
  LongType bytes = 0;
  for (int k = 0; k <= _inputs; k++) bytes += bytesOf(k);
  return bytes;
}

/// The kernel for the rows of a matrix, which takes all of them as they are, or nullptr.
simd::BinaryLoop ElementLoop::rowsKernel(const Chunks& chunks) const {
  if (_inputs != 2 || binary.both == nullptr || plan.rank != 2 || chunks.count != 1 || _streams) return nullptr;
  const Dimension& inner = plan.inner();
  if (!_streamOf[0].isRun(inner.stride[0])) return nullptr;
  const LongType x = inner.stride[1], y = inner.stride[2];
  if (!_streamOf[1].direct || !_streamOf[2].direct || x < 0 || x > 1 || y < 0 || y > 1 || x + y == 0) return nullptr;
  return x == 0 ? binary.xConstant : y == 0 ? binary.yConstant : binary.both;
}

void ElementLoop::processRows(simd::BinaryLoop kernel, LongType first, LongType last) const {
  char* data[3];
  LongType step[3];
  for (int k = 0; k < 3; k++) {
    step[k] = plan.dims[0].stride[k] * _streamOf[k].size;
    data[k] = _streamOf[k].data + first * step[k];
  }
  const LongType n = plan.inner().size;
  for (LongType row = first; row < last; row++) {
    kernel(data[1], data[2], data[0], n, params);
    for (int k = 0; k < 3; k++) data[k] += step[k];
  }
}

void ElementLoop::run() {
  _copies = _inputs == 1 && unary.run == nullptr && fused == nullptr;
  plan.finish();
  const int transposed = transposedDimension();
  const int threads = threadsForPlan(plan, transposed < 0 ? cost : cost + TRANSPOSING_COST);
  if (transposed >= 0) {
    runTransposed(transposed, threads);
    return;
  }
  const Dimension inner = plan.inner();
  const LongType outer = plan.outerCount();
  _halves = halvesKernel();
  _streams = !inPlace && inner.stride[0] == 1 && inner.size >= TILE && leavesCaches(touchedBytes(), bytesOf(0));
  const Chunks chunks(plan, threads);
  const simd::BinaryLoop rows = rowsKernel(chunks);
  const auto part = [&](LongType start, LongType stop) {
    if (rows != nullptr) return processRows(rows, start, stop);
    walkChunks(plan, chunks, _streamOf, start, stop,
               [&](char* const* data, LongType n) { processRun(data, inner.stride, n); });
    if (_streams) simd::kernels().streamFence();
  };
  if (threads == 1)
    part(0, outer * chunks.count);
  else
    execution::parallelFor(outer * chunks.count, threads, part);
}

}  // namespace sd::loops
