#include "loops/ElementLoop.h"

#include <execution/Parallel.h>

#include "loops/Chunks.h"
#include "loops/Kernels.h"

#if defined(__linux__)
#include <unistd.h>
#endif

#include <algorithm>
#include <cstring>

namespace sd::loops {

namespace {

constexpr int TRANSPOSING_COST = 3;

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

}  // namespace

void ElementLoop::setOutput(const Operand& z, Storage kernelType) {
  _streamOf[0] = {z.data, simd::kernels().convert[kernelType][z.storage], z.elementSize, sizeOf(kernelType),
                  kernelType == z.storage};
}

void ElementLoop::setInput(int index, const Operand& x, Storage kernelType) {
  _streamOf[1 + index] = {x.data, simd::kernels().convert[x.storage][kernelType], x.elementSize, sizeOf(kernelType),
                          kernelType == x.storage};
}

void ElementLoop::compute(const void* x, const void* y, void* z, LongType n, const void* const* constants) const {
  if (_inputs == 1)
    unary(x, z, n, params);
  else if (constants[1] != nullptr)
    binary.xConstant(x, y, z, n, params);
  else if (constants[2] != nullptr)
    binary.yConstant(x, y, z, n, params);
  else
    binary.both(x, y, z, n, params);
}

void ElementLoop::processTile(char* const* data, const LongType* strides, LongType n,
                              const void* const* constants) const {
  alignas(64) unsigned char tiles[MAX_OPERANDS][TILE * sizeof(double)];
  const void* in[2] = {nullptr, nullptr};
  for (int k = 1; k <= _inputs; k++) {
    const Stream& s = _streamOf[k];
    if (constants[k] != nullptr) {
      in[k - 1] = constants[k];
    } else if (s.direct && strides[k] == 1) {
      in[k - 1] = data[k];
    } else {
      s.convert(data[k], strides[k], tiles[k], 1, n);
      in[k - 1] = tiles[k];
    }
  }
  const Stream& out = _streamOf[0];
  const bool inMemory = out.direct && strides[0] == 1;
  if (inMemory && !_streams) {
    compute(in[0], in[1], data[0], n, constants);
    return;
  }
  compute(in[0], in[1], tiles[0], n, constants);
  if (inMemory)
    simd::kernels().streamCopy(tiles[0], data[0], n * out.size);
  else
    out.convert(tiles[0], 1, data[0], strides[0], n);
}

/// The number of elements in the first tile; after it the output is aligned to cache lines.
LongType ElementLoop::streamHead(const char* z, LongType tile) const {
  constexpr uintptr_t LINE = 64;
  const auto over = static_cast<LongType>(reinterpret_cast<uintptr_t>(z) % LINE);
  return tile - over / _streamOf[0].size;
}

void ElementLoop::processRun(char* const* data, const LongType* strides, LongType n) const {
  if (copies()) {
    const Stream& in = _streamOf[1];
    const int size = _streamOf[0].size;
    if (!_streams || strides[0] != 1) {
      in.convert(data[1], strides[1], data[0], strides[0], n);
    } else if (in.direct && strides[1] == 1) {
      simd::kernels().streamCopy(data[1], data[0], n * size);
    } else {
      alignas(64) unsigned char tile[TILE * sizeof(double)];
      const LongType step = strides[1] == 1 ? STREAM_TILE : STRIDED_STREAM_BYTES / size;
      LongType length = streamHead(data[0], step);
      for (LongType i = 0; i < n; i += length, length = step) {
        length = std::min(length, n - i);
        in.convert(data[1] + i * strides[1] * in.size, strides[1], tile, 1, length);
        simd::kernels().streamCopy(tile, data[0] + i * size, length * size);
      }
    }
    return;
  }
  // an element that is repeated over the whole run is converted once; a kernel takes at most one such operand
  alignas(16) unsigned char values[MAX_OPERANDS][sizeof(double)];
  const void* constants[MAX_OPERANDS] = {nullptr, nullptr, nullptr};
  bool direct = _streamOf[0].direct && strides[0] == 1 && !_streams;
  for (int k = 1; k <= _inputs; k++) {
    if (strides[k] == 0 && _inputs == 2 && constants[1] == nullptr) {
      _streamOf[k].convert(data[k], 0, values[k], 1, 1);
      constants[k] = values[k];
    } else {
      direct = direct && _streamOf[k].direct && strides[k] == 1;
    }
  }
  if (_streams && binary.streaming != nullptr && strides[1] == 1 && strides[2] == 1 && _streamOf[0].direct &&
      _streamOf[1].direct && _streamOf[2].direct) {
    const int size = _streamOf[0].size;
    const LongType head = std::min(n, streamHead(data[0], STREAM_TILE));
    binary.both(data[1], data[2], data[0], head, params);
    if (head < n)
      binary.streaming(data[1] + head * size, data[2] + head * size, data[0] + head * size, n - head, params);
    return;
  }
  if (direct) {
    const void* x = constants[1] != nullptr ? constants[1] : data[1];
    const void* y = constants[2] != nullptr ? constants[2] : _inputs == 2 ? data[2] : nullptr;
    compute(x, y, data[0], n, constants);
    return;
  }
  char* at[MAX_OPERANDS];
  const LongType tile = _streams ? STREAM_TILE : TILE;
  LongType length = _streams ? streamHead(data[0], tile) : tile;
  for (LongType i = 0; i < n; i += length, length = tile) {
    length = std::min(length, n - i);
    for (int k = 0; k <= _inputs; k++) at[k] = data[k] + i * strides[k] * _streamOf[k].size;
    processTile(at, strides, length, constants);
  }
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
  const LongType blocks = (rows.size + BLOCK_ROWS - 1) / BLOCK_ROWS;
  LongType outer = 1;
  for (int i = 0; i < plan.rank - 2; i++) outer *= plan.dims[i].size;
  const auto& transpose = simd::kernels().transpose;
  execution::parallelFor(outer * blocks, threads, [&](LongType start, LongType stop) {
    alignas(64) unsigned char tiles[MAX_OPERANDS][BLOCK_ROWS * BLOCK_COLUMNS * sizeof(double)];
    Odometer at(plan, plan.rank - 2, start / blocks);
    LongType block = start % blocks;
    for (LongType unit = start; unit < stop; unit++) {
      const LongType row = block * BLOCK_ROWS, height = std::min(BLOCK_ROWS, rows.size - row);
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
          if (copies() && _streamOf[k].direct) {
            exchange(data[k], inner.stride[k], data[0], rows.stride[0], width, height);
            data[k] = nullptr;
            continue;
          }
          exchange(data[k], inner.stride[k], tiles[k], BLOCK_COLUMNS, width, height);
          data[k] = reinterpret_cast<char*>(tiles[k]);
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
  });
}

void ElementLoop::run() {
  plan.finish();
  const int transposed = transposedDimension();
  const int threads = threadsForPlan(plan, transposed < 0 ? cost : cost + TRANSPOSING_COST);
  if (transposed >= 0) {
    runTransposed(transposed, threads);
    return;
  }
  const Dimension inner = plan.inner();
  const LongType outer = plan.outerCount();
  _streams = !inPlace && inner.stride[0] == 1 && inner.size >= TILE &&
             outer * inner.size * _streamOf[0].size >= streamingThreshold();
  const Chunks chunks(plan, threads);
  const auto part = [&](LongType start, LongType stop) {
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
