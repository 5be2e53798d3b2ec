#include "loops/CompositeTiles.h"

#include <algorithm>
#include <cstring>

namespace sd::loops {

namespace {
constexpr LongType LINE = 64;
}  // namespace

void TilePlan::finish(LongType innerRun) {
  const LongType bytes = std::max(1, program->places) * program->elementSize;
  constexpr LongType BUDGET = MEMORY * 3 / 4;
  tile = LONGEST;
  while (tile * bytes > BUDGET) tile /= 2;
  row = innerRun < total && innerRun >= LONG_ROW ? innerRun : 0;
  LongType used = tile * bytes;
  const auto& list = program->instructions;
  inRegisters = program->reducesInChain && outputs.empty() && row == 0;
  for (size_t i = 0; i < list.size(); i++) {
    const CompositeInstruction& in = list[i];
    if (in.kind == CompositeInstruction::Load) {
      const TileOperand& x = inputs[static_cast<size_t>(in.x)];
      inRegisters &=
          in.convert == x.copy && x.layout.isRun() && (x.layout.innerStride() == 1 || x.layout.innerStride() == 0);
      continue;
    }
    inRegisters &= (in.isChained || in.isTarget) && !in.isKept;
    const bool isInChain = in.isChained || (i > 0 && list[i - 1].isChained);
    if (in.output >= 0 && outputs[static_cast<size_t>(in.output)].isStreamed && !isInChain) streamed = STREAMED;
  }
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
    length = std::min(length, _plan.streamed);
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

namespace {

SD_INLINE void execute(const CompositeInstruction& in, const void* x, bool xOne, const void* y, bool yOne, void* z,
                       LongType n) {
  switch (in.kind) {
    case CompositeInstruction::Unary:
      in.unary->run(x, z, n, in.params);
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

/// Where an instruction may write its output in memory; nullptr when it has to go through a tile.
char* TileReader::directOutput(const CompositeInstruction& in, LongType first, LongType n) {
  const TileOperand& z = _plan.outputs[static_cast<size_t>(in.output)];
  LongType offset, stride;
  if (!z.layout.piece(first, n, &offset, &stride) || stride != 1) return nullptr;
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

/// Where an instruction writes its results: a tile, or the memory that they are for. `streams`: past the caches.
char* TileReader::placeOf(const CompositeInstruction& in, int index, LongType first, LongType n, const Target& target,
                          bool streams) {
  if (in.isTarget) return static_cast<char*>(target.data);
  if (in.output >= 0 && (streams || (index >= _plan.program->lastRead && !isStreamed(in)))) {
    char* const memory = directOutput(in, first, n);
    if (memory != nullptr && (!streams || reinterpret_cast<uintptr_t>(memory) % LINE == 0)) {
      _stored |= 1u << in.output;
      return memory;
    }
  }
  return place(in);
}

/// Computes the instructions [head, end) of a chain with their values in registers. False, and nothing is done, when
/// that is not possible: its first result is one element for all, or the tile is short.
bool TileReader::computeChain(int head, int end, LongType first, LongType n, const Target& target) {
  const auto& list = _plan.program->instructions;
  const CompositeInstruction* const in = &list[static_cast<size_t>(head)];
  const simd::ChainKernel& chain = simd::kernels().chains[in->type];
  const LongType whole = n / chain.elements * chain.elements;
  const bool isBinary = in->kind == CompositeInstruction::Binary;
  const Slot x = _slots[in->x], y = isBinary ? _slots[in->y] : x;
  if (whole == 0 || (x.one && y.one)) return false;

  constexpr size_t MOST = CompositeProgram::LONGEST_CHAIN;
  simd::ChainLink links[2 * MOST + 2];
  struct {
    Slot x, y;
    char* z;
  } members[MOST];
  // results may be written over an operand that is one element
  alignas(8) char ones[2 * MOST][8];
  const auto kept = [&](Slot slot, size_t at) {
    if (slot.one) slot.data = std::memcpy(ones[at], slot.data, static_cast<size_t>(in->size));
    return slot;
  };
  size_t count = 0;
  const auto link = [&](simd::ChainStep step, const void* operand, const void* params, void* z) {
    links[count++] = {step, operand, params, z};
  };
  const bool reduces = target.kernel != nullptr && in[end - head - 1].isTarget;
  int v = x.one ? in->y : in->x;  // the slot of the value in registers
  link(chain.load, x.one ? y.data : x.data, nullptr, nullptr);
  for (int i = 0; i < end - head; i++) {
    const auto index = static_cast<size_t>(i);
    auto& member = members[index];
    member.x = kept(_slots[in[i].x], 2 * index);
    const bool streams = isStreamed(in[i]);
    member.z = placeOf(in[i], head + i, first, n, target, streams);
    if (in[i].kind == CompositeInstruction::Unary) {
      link(in[i].unary->chain, nullptr, in[i].params, nullptr);
    } else {
      member.y = kept(_slots[in[i].y], 2 * index + 1);
      const bool isX = in[i].x == v;
      const Slot other = isX ? member.y : member.x;
      link(in[i].binary->chain[(isX ? simd::V_RUN : simd::RUN_V) + (other.one ? 1 : 0)], other.data, in[i].params,
           nullptr);
    }
    v = in[i].z;
    _slots[v] = {member.z, false};
    if (in[i].isKept || (!in[i].isChained && !reduces))
      link(streams && (_stored >> in[i].output & 1u) != 0 ? chain.stream : chain.store, nullptr, nullptr, member.z);
  }
  link(chain.end, nullptr, nullptr, nullptr);
  if (reduces)
    target.kernel->chain(links, &links[count - 1], 0, whole, target.state, target.params);
  else
    chain.run(links, 0, whole);

  // the rest of the tile, one instruction after the other
  const LongType skipped = whole * in->size;
  for (int i = 0; i < end - head && whole < n; i++) {
    const auto& member = members[static_cast<size_t>(i)];
    const auto at = [&](const Slot& s) { return static_cast<const char*>(s.data) + (s.one ? 0 : skipped); };
    const bool two = in[i].kind == CompositeInstruction::Binary;
    execute(in[i], at(member.x), member.x.one, two ? at(member.y) : nullptr, two && member.y.one, member.z + skipped,
            n - whole);
  }
  return true;
}

void TileReader::computeTile(LongType first, LongType n, const Target& target) {
  const auto& list = _plan.program->instructions;
  const int count = static_cast<int>(list.size());
  _stored = 0;
  for (int i = 0; i < count; i++) {
    const CompositeInstruction& in = list[static_cast<size_t>(i)];
    if (in.kind == CompositeInstruction::Load) {
      load(in, i, first, n);
      continue;
    }
    const bool reduces = in.isTarget && target.kernel != nullptr;
    if (in.isChained || reduces) {
      int end = i + 1;
      while (list[static_cast<size_t>(end) - 1].isChained) end++;
      if (computeChain(i, end, first, n, target)) {
        i = end - 1;
        continue;
      }
    }
    const Slot x = _slots[in.x];
    const Slot y = in.kind == CompositeInstruction::Binary ? _slots[in.y] : x;
    const bool one = x.one && y.one;
    char* const z = one ? place(in) : placeOf(in, i, first, n, target, false);
    execute(in, x.data, x.one, y.data, y.one, z, one ? 1 : n);
    if (in.isTarget && one) in.fill(z, 0, target.data, 1, n);
    if (reduces) target.kernel->part(target.data, n, target.state, target.params);
    _slots[in.z] = {z, one};
  }
  for (int k = 0; k < static_cast<int>(_plan.program->outputSlots.size()); k++)
    if ((_stored >> k & 1u) == 0) storeOutput(k, first, n);
}

void TileReader::compute(LongType first, LongType n, void* target, int targetSize) {
  while (n > 0) {
    const LongType length = lengthAt(first, n);
    computeTile(first, length, {target});
    first += length;
    n -= length;
    if (target != nullptr) target = static_cast<char*>(target) + length * targetSize;
  }
}

void TileReader::reduce(const simd::ReduceKernel& kernel, const void* params, LongType first, LongType n, void* state,
                        void* staged, int size) {
  while (_plan.program->reducesInChain && n > 0) {
    const LongType length = _plan.inRegisters ? n : lengthAt(first, n);
    LongType whole = length / simd::REDUCE_PART * simd::REDUCE_PART;
    if (whole != length && length != n) break;
    if (whole != n && n - whole < simd::REDUCE_LAST) whole -= simd::REDUCE_PART;
    if (whole <= 0) break;
    computeTile(first, whole, {staged, &kernel, params, state});
    first += whole;
    n -= whole;
  }
  if (n == 0) return;
  compute(first, n, staged, size);
  kernel.part(staged, n, state, params);
}

}  // namespace sd::loops
