// Runs the instructions of a composite on tiles: ranges of elements in the order of its iteration space.
#ifndef NDFORGE_SRC_LOOPS_COMPOSITETILES_H
#define NDFORGE_SRC_LOOPS_COMPOSITETILES_H

#include <vector>

#include "loops/CompositeProgram.h"
#include "loops/Kernels.h"
#include "loops/Plan.h"

namespace sd::loops {

/// Where the elements of an operand lie, counted in the order of the iteration space.
class TileLayout {
 public:
  /// Shorter runs of elements that repeat over the whole space are kept in a tile of their own.
  static constexpr LongType LONGEST_PERIOD = 512;

  /// The strides of one operand of a plan, whose order is that of the space.
  template <typename P>
  TileLayout(const P& plan, int operand) {
    for (int i = 0; i < plan.rank; i++) append(plan.dims[i].size, plan.dims[i].stride[operand]);
    if (_rank == 0) append(1, 1);
    if (_rank > 1 && _strides[0] == 0) {
      LongType period = 1;
      for (int i = 1; i < _rank && period <= LONGEST_PERIOD; i++) period *= _sizes[i];
      if (period <= LONGEST_PERIOD) _period = period;
    }
  }

  bool isRun() const { return _rank == 1; }
  /// The number of elements after which the operand repeats itself, if it is small; 0 for other operands.
  LongType period() const { return _period; }
  LongType innerSize() const { return _sizes[_rank - 1]; }
  LongType innerStride() const { return _strides[_rank - 1]; }

  /// Whether elements [first, first + n) have a constant stride. Gives the offset of the first one.
  bool piece(LongType first, LongType n, LongType* offset, LongType* stride) const {
    const int inner = _rank - 1;
    *stride = _strides[inner];
    if (inner == 0) {
      *offset = first * *stride;
      return true;
    }
    const LongType at = first % _sizes[inner];
    if (at + n > _sizes[inner]) return false;
    *offset = at * *stride + outerOffset(first / _sizes[inner]);
    return true;
  }

  /// Calls f(offset, stride, count) for the pieces of [first, first + n) with a constant stride.
  template <typename F>
  void pieces(LongType first, LongType n, F&& f) const {
    const int inner = _rank - 1;
    const LongType size = _sizes[inner], stride = _strides[inner];
    LongType row = first / size, at = first % size;
    LongType coords[SD_MAX_RANK], offset = 0;
    for (int d = inner - 1; d >= 0; d--) {
      coords[d] = d == 0 ? row : row % _sizes[d];
      row = d == 0 ? row : row / _sizes[d];
      offset += coords[d] * _strides[d];
    }
    while (n > 0) {
      const LongType count = n < size - at ? n : size - at;
      f(offset + at * stride, stride, count);
      n -= count;
      at = 0;
      for (int d = inner - 1; d >= 0; d--) {
        offset += _strides[d];
        if (d == 0 || ++coords[d] < _sizes[d]) break;
        offset -= _sizes[d] * _strides[d];
        coords[d] = 0;
      }
    }
  }

 private:
  void append(LongType size, LongType stride) {
    if (size == 1 && _rank > 0) return;
    if (_rank > 0 && _strides[_rank - 1] == size * stride) {
      _sizes[_rank - 1] *= size;
      _strides[_rank - 1] = stride;
      return;
    }
    if (_rank == 1 && _sizes[0] == 1) _rank = 0;
    _sizes[_rank] = size;
    _strides[_rank++] = stride;
  }

  LongType outerOffset(LongType row) const {
    LongType offset = 0;
    for (int d = _rank - 2; d > 0; d--) {
      offset += row % _sizes[d] * _strides[d];
      row /= _sizes[d];
    }
    return offset + row * _strides[0];
  }

  int _rank = 0;
  LongType _period = 0;
  LongType _sizes[SD_MAX_RANK], _strides[SD_MAX_RANK];
};

/// An input or output: its layout, and what is known of its elements.
struct TileOperand {
  TileLayout layout;
  int size;                 ///< of an element in memory
  simd::ConvertLoop copy;   ///< between elements of its type
  bool isStreamed = false;  ///< an output that is written past the caches
};

/// What does not change from run to run.
struct TilePlan {
  static constexpr LongType MEMORY = 32768;  ///< bytes for tiles
  /// Elements of a tile: several of them stay in the L1 cache; fewer when they are copied past the caches, more when
  /// values stay in registers.
  static constexpr LongType LONGEST = 1024, STREAMED = 256, IN_REGISTERS = 65536;
  /// Longer rows are not split over tiles unless they are longer than a tile, so that operands that repeat along them
  /// are passed to kernels as one element.
  static constexpr LongType LONG_ROW = 512;

  const CompositeProgram* program;
  std::vector<TileOperand> inputs, outputs;
  std::vector<int> periodBytes;  ///< by instruction: where the tile of a periodic operand is, or -1
  LongType total = 0;            ///< elements
  LongType row = 0;              ///< the length of rows that tiles do not cross; 0 when they may
  LongType tile = LONGEST, streamed = LONGEST;
  bool inRegisters = false;  ///< a reduction of values that are never written

  /// Chooses the tile length and what periodic operands take of the memory.
  void finish(LongType innerRun);
};

/// The buffers of a run.
struct TileBuffers {
  const void* const* inputs;
  void* const* outputs;
  bool streams;  ///< large outputs may be written past the caches
};

/// The tiles of one thread.
class TileReader {
 public:
  TileReader(const TilePlan& plan, const TileBuffers& buffers) : _plan(plan), _buffers(buffers) {}
  ~TileReader() {
    if (_buffers.streams) simd::kernels().streamFence();
  }
  TileReader(const TileReader&) = delete;
  TileReader& operator=(const TileReader&) = delete;

  /// The most elements that are reduced at once.
  LongType longest() const { return _plan.inRegisters ? TilePlan::IN_REGISTERS : _plan.tile; }

  /// Computes elements [first, first + n): writes outputs, and to `target` what the reduction reads.
  void compute(LongType first, LongType n, void* target, int targetSize);

  /// Computes elements and adds them to a reduction, n as ReduceKernel::part wants it. `staged` has room for them.
  void reduce(const simd::ReduceKernel& kernel, const void* params, LongType first, LongType n, void* state,
              void* staged, int size);

 private:
  struct Slot {
    const void* data;
    bool one;  ///< one element stands for all
  };

  /// What becomes of the values that are reduced: they are written, or added to the state of a reduction if there is a
  /// kernel.
  struct Target {
    void* data;
    const simd::ReduceKernel* kernel = nullptr;
    const void* params = nullptr;
    void* state = nullptr;
  };

  LongType lengthAt(LongType first, LongType n) const;
  void computeTile(LongType first, LongType n, const Target& target);
  bool computeChain(int head, int end, LongType first, LongType n, const Target& target);
  char* placeOf(const CompositeInstruction& in, int index, LongType first, LongType n, const Target& target,
                bool streams);
  void load(const CompositeInstruction& in, int index, LongType first, LongType n);
  char* place(const CompositeInstruction& in) { return _memory + in.place * _plan.tile * _plan.program->elementSize; }
  char* directOutput(const CompositeInstruction& in, LongType first, LongType n);
  bool isStreamed(const CompositeInstruction& in) const {
    return in.output >= 0 && _buffers.streams && _plan.outputs[static_cast<size_t>(in.output)].isStreamed;
  }
  void storeOutput(int output, LongType first, LongType n);

  const TilePlan& _plan;
  const TileBuffers _buffers;
  uint32_t _stored = 0;                                      ///< outputs of the tile that were written directly
  uint64_t _filled[CompositeProgram::MOST_SLOTS / 64] = {};  ///< periodic operands that are in their tile
  Slot _slots[CompositeProgram::MOST_SLOTS];
  alignas(64) char _memory[TilePlan::MEMORY];
};

}  // namespace sd::loops

#endif
