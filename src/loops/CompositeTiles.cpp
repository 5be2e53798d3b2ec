#include "loops/CompositeTiles.h"

#include <algorithm>

namespace sd::loops {

namespace {
constexpr LongType LINE = 64;
/// Inputs of this size together are fetched before they are needed: kernels alone would read memory or compute, in
/// turn.
constexpr LongType PREFETCHED_BYTES = 1 << 20;
constexpr int SHARES = 256;
/// Shares of a tile that are fetched at once: the processor takes about two dozen cache lines before it waits.
constexpr int BURST = 28;
/// How many tiles before they are needed.
constexpr LongType AHEAD = 2;
}  // namespace

void TilePlan::finish(LongType innerRun) {
  const LongType bytes = std::max(1, program->places) * program->elementSize;
  constexpr LongType BUDGET = MEMORY * 3 / 4;
  tile = LONGEST;
  while (tile * bytes > BUDGET) tile /= 2;
  row = innerRun < total && innerRun >= LONG_ROW ? innerRun : 0;
  LongType used = tile * bytes;
  const auto& list = program->instructions;
  LongType bytesRead = 0;
  for (size_t i = 0; i < inputs.size(); i++) {
    const TileOperand& x = inputs[i];
    if (!program->reads[i] || !x.layout.isRun() || x.layout.innerStride() != 1) continue;
    prefetched.push_back(static_cast<int>(i));
    bytesRead += total * x.size;
  }
  if (bytesRead < PREFETCHED_BYTES) prefetched.clear();
  int cost = 0, sum = 0;
  for (const auto& in : list) sum += in.kind != CompositeInstruction::Load ? in.cost : 0;
  for (const auto& in : list) {
    ahead.push_back(cost * SHARES / std::max(1, sum));
    cost += in.kind != CompositeInstruction::Load ? in.cost : 0;
  }
  ahead.push_back(SHARES);
  periodBytes.assign(list.size(), -1);
  for (size_t i = 0; i < list.size(); i++) {
    if (list[i].kind != CompositeInstruction::Load) continue;
    const LongType period = inputs[static_cast<size_t>(list[i].x)].layout.period();
    if (period == 0 || (row != 0 && period >= row)) continue;
    const LongType size = (tile + period) * program->elementSize;
    used = (used + LINE - 1) / LINE * LINE;
    if (used + size > MEMORY) continue;
    periodBytes[i] = static_cast<int>(used);
    used += size;
  }
}

/// The length of the tile that begins at `first`, of at most n elements.
LongType TileReader::lengthAt(LongType first, LongType n) const {
  LongType length = _plan.tile;
  if (_buffers.streams) {
    // the next tile begins at a cache line of the first output that is streamed
    length = std::min(length, TilePlan::STREAMED);
    for (size_t i = 0; i < _plan.outputs.size(); i++) {
      const TileOperand& z = _plan.outputs[i];
      LongType offset, stride;
      if (!z.isStreamed || !z.layout.piece(first, 1, &offset, &stride)) continue;
      const auto address = reinterpret_cast<uintptr_t>(_buffers.outputs[i]) + static_cast<uintptr_t>(offset * z.size);
      length -= static_cast<LongType>(address % LINE) / z.size;
      break;
    }
  }
  if (_plan.row != 0) length = std::min(length, _plan.row - first % _plan.row);
  return std::min(length, n);
}

/// Makes a slot refer to elements of an input: in place, or in a tile when they need conversion.
void TileReader::load(const CompositeInstruction& in, int index, LongType first, LongType n) {
  const TileOperand& x = _plan.inputs[static_cast<size_t>(in.x)];
  const auto data = static_cast<const char*>(_buffers.inputs[in.x]);
  Slot& slot = _slots[in.z];
  const bool direct = in.convert == x.copy;
  LongType offset, stride;
  const bool isPiece = x.layout.piece(first, n, &offset, &stride);
  if (isPiece && (direct || stride == 0) && (stride == 0 || stride == 1)) {
    slot.one = stride == 0;
    slot.data = data + offset * x.size;
    if (direct) return;
    in.convert(slot.data, 1, place(in), 1, 1);
    slot.data = place(in);
    return;
  }
  slot.one = false;
  const int size = in.size;
  const int periodAt = _plan.periodBytes[static_cast<size_t>(index)];
  if (periodAt >= 0) {
    char* const tile = _memory + periodAt;
    const LongType period = x.layout.period();
    if ((_filled[in.z / 64] >> (in.z % 64) & 1u) == 0) {
      _filled[in.z / 64] |= uint64_t(1) << (in.z % 64);
      const LongType count = std::min(_plan.total, _plan.tile + period);
      char* to = tile;
      x.layout.pieces(0, count, [&](LongType at, LongType step, LongType length) {
        in.convert(data + at * x.size, step, to, 1, length);
        to += length * size;
      });
    }
    slot.data = tile + first % period * size;
    return;
  }
  slot.data = place(in);
  if (isPiece) return in.convert(data + offset * x.size, stride, place(in), 1, n);
  char* to = place(in);
  x.layout.pieces(first, n, [&](LongType at, LongType step, LongType length) {
    in.convert(data + at * x.size, step, to, 1, length);
    to += length * size;
  });
}

/// Fetches shares [from, to) of elements [first, first + n).
SD_INLINE void TileReader::prefetch(LongType first, LongType n, int from, int to) const {
  if (first + n > _plan.total) return;
  for (const int i : _plan.prefetched) {
    const int size = _plan.inputs[static_cast<size_t>(i)].size;
    const char* const begin = static_cast<const char*>(_buffers.inputs[i]) + first * size;
    const LongType bytes = n * size;
    for (LongType at = bytes * from / SHARES / LINE * LINE; at < bytes * to / SHARES / LINE * LINE; at += LINE)
      __builtin_prefetch(begin + at);
  }
}

namespace {

SD_INLINE void execute(const CompositeInstruction& in, const void* x, bool xOne, const void* y, bool yOne, void* z,
                       LongType n) {
  switch (in.kind) {
    case CompositeInstruction::Unary:
      in.unary(x, z, n, in.params);
      break;
    case CompositeInstruction::Binary:
      (xOne == yOne ? in.binary->both : xOne ? in.binary->xConstant : in.binary->yConstant)(x, y, z, n, in.params);
      break;
    default:
      in.convert(x, 1, z, 1, n);
      break;
  }
}

}  // namespace

/// Executes an instruction in pieces, and fetches its share of a later tile between them.
void TileReader::executeAhead(const CompositeInstruction& in, int index, Slot x, Slot y, char* z, LongType first,
                              LongType n) const {
  const int from = _plan.ahead[static_cast<size_t>(index)], to = _plan.ahead[static_cast<size_t>(index) + 1];
  const int pieces = (to - from + BURST - 1) / BURST;
  const LongType piece = pieces > 1 ? (n / pieces + LINE) / LINE * LINE : n;
  int share = from;
  for (LongType i = 0; i < n; i += piece) {
    const int next = i + piece >= n ? to : std::min(share + BURST, to);
    prefetch(first + AHEAD * n, n, share, next);
    share = next;
    const auto at = [&](const Slot& s) { return static_cast<const char*>(s.data) + (s.one ? 0 : i * in.operandSize); };
    execute(in, at(x), x.one, at(y), y.one, z + i * in.size, std::min(piece, n - i));
  }
}

/// Where an instruction may write its output in memory; nullptr when it has to go through a tile.
char* TileReader::directOutput(const CompositeInstruction& in, LongType first, LongType n) {
  const TileOperand& z = _plan.outputs[static_cast<size_t>(in.output)];
  LongType offset, stride;
  if ((z.isStreamed && _buffers.streams) || !z.layout.piece(first, n, &offset, &stride) || stride != 1) return nullptr;
  return static_cast<char*>(_buffers.outputs[in.output]) + offset * z.size;
}

/// Writes an output that is in a tile.
void TileReader::storeOutput(int output, LongType first, LongType n) {
  const TileOperand& z = _plan.outputs[static_cast<size_t>(output)];
  const Slot slot = _slots[_plan.program->outputSlots[static_cast<size_t>(output)]];
  const auto memory = static_cast<char*>(_buffers.outputs[output]);
  LongType offset, stride;
  if (z.isStreamed && _buffers.streams && !slot.one && z.layout.piece(first, n, &offset, &stride) && stride == 1)
    return simd::kernels().streamCopy(slot.data, memory + offset * z.size, n * z.size);
  auto from = static_cast<const char*>(slot.data);
  z.layout.pieces(first, n, [&](LongType at, LongType step, LongType length) {
    z.copy(from, slot.one ? 0 : 1, memory + at * z.size, step, length);
    if (!slot.one) from += length * z.size;
  });
}

void TileReader::computeTile(LongType first, LongType n, void* target) {
  const auto& list = _plan.program->instructions;
  const int count = static_cast<int>(list.size());
  uint32_t stored = 0;  // outputs that were written directly
  for (int i = 0; i < count; i++) {
    const CompositeInstruction& in = list[static_cast<size_t>(i)];
    if (in.kind == CompositeInstruction::Load) {
      load(in, i, first, n);
      continue;
    }
    const Slot x = _slots[in.x];
    const Slot y = in.kind == CompositeInstruction::Binary ? _slots[in.y] : x;
    const bool one = x.one && y.one;
    char* z = place(in);
    if (in.isTarget && !one) {
      z = static_cast<char*>(target);
    } else if (in.output >= 0 && !one && i >= _plan.program->lastRead) {
      if (char* const memory = directOutput(in, first, n); memory != nullptr) {
        z = memory;
        stored |= 1u << in.output;
      }
    }
    if (one || _plan.prefetched.empty())
      execute(in, x.data, x.one, y.data, y.one, z, one ? 1 : n);
    else
      executeAhead(in, i, x, y, z, first, n);
    if (in.isTarget && one) in.fill(z, 0, target, 1, n);
    _slots[in.z] = {z, one};
  }
  for (int k = 0; k < static_cast<int>(_plan.program->outputSlots.size()); k++)
    if ((stored >> k & 1u) == 0) storeOutput(k, first, n);
}

void TileReader::compute(LongType first, LongType n, void* target, int targetSize) {
  while (n > 0) {
    const LongType length = lengthAt(first, n);
    computeTile(first, length, target);
    first += length;
    n -= length;
    if (target != nullptr) target = static_cast<char*>(target) + length * targetSize;
  }
}

}  // namespace sd::loops
