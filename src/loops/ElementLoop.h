// Runs an element-wise kernel over strided operands. Types and strides that the kernel does not support are converted
// in contiguous tiles that fit the L1 cache.
#ifndef NDFORGE_SRC_LOOPS_ELEMENTLOOP_H
#define NDFORGE_SRC_LOOPS_ELEMENTLOOP_H

#include <loops/Fused.h>

#include "loops/Chunks.h"
#include "loops/Operand.h"
#include "loops/Plan.h"
#include "loops/Stream.h"

namespace sd::loops {

/// Half the L3 cache. Smaller outputs are never written with non-temporal stores.
LongType streamingThreshold();

/// Whether so little of the `touched` bytes of a call is still in the caches at its end that an output of `written`
/// bytes is better written past them. Half more than the L3 cache: of less, much is still there.
inline bool leavesCaches(LongType touched, LongType written) {
  return written >= streamingThreshold() && touched >= 3 * streamingThreshold();
}

/// The kernel for runs of 16-bit floats that are stored so; nullptr: there is none, or others are stored.
inline simd::BinaryLoop halvesLoop(const simd::BinaryKernel& kernel, Storage storage) {
  return storage == simd::F16 ? kernel.halves[0] : storage == simd::BF16 ? kernel.halves[1] : nullptr;
}

class ElementLoop {
 public:
  explicit ElementLoop(int inputs) : plan(inputs + 1), _inputs(inputs) {}

  Plan plan;  ///< operand 0 is z, 1 is x, 2 is y, 3 is w

  void setOutput(const Operand& z, Storage kernelType) { _streamOf[0] = Stream::output(z, kernelType); }
  void setInput(int index, const Operand& x, Storage kernelType) {
    _streamOf[1 + index] = Stream::input(x, kernelType);
  }

  // The kernel: one of these. Without a kernel, one input is converted.
  simd::UnaryKernel unary{};
  simd::BinaryKernel binary{};
  FusedLoop fused = nullptr;
  const void* params = nullptr;
  int cost = 1;
  bool inPlace = false;  ///< the output is also an input

  void run();

 private:
  /// The bytes that the call reads or writes of an operand, and of all.
  LongType bytesOf(int operand) const;
  LongType touchedBytes() const;

  /// Shorter tiles for non-temporal stores, so that reading and writing overlap (measured: 49 GB/s with 256 elements,
  /// 30 with 1024).
  static constexpr LongType STREAM_TILE = 256;
  /// Tile size in bytes for strided inputs, of which at least twice as many bytes are read as written (copy of every
  /// second of 10 million floats: 2.8 ms with 256, 3.5 with 512, 4.6 with 1024).
  static constexpr LongType STRIDED_STREAM_BYTES = 256;
  static constexpr LongType REVERSED_STREAM_BYTES = 1024;  ///< as many bytes are read as written
  static constexpr LongType BLOCK_ROWS = 16, BLOCK_COLUMNS = 128;

  /// What stands for an input whose elements are repeated over a whole run: one element for a binary kernel, a tile of
  /// equal ones for a fused one, nullptr for other inputs. By operand.
  using Constants = const void* [MAX_OPERANDS];

  void processRun(char* const* data, const LongType* strides, LongType n) const;
  void processTiles(char* const* data, const LongType* strides, LongType n, Constants& constants) const;
  void fusedRun(char* const* data, const LongType* strides, LongType n) const;
  void streamCopy(char* const* data, const LongType* strides, LongType n) const;
  int chainedOperand(const LongType* strides, const Constants& constants) const;
  void streamChain(int operand, char* const* data, LongType n, const Constants& constants) const;
  bool hasStreamingKernel(const LongType* strides) const;
  void streamRun(char* const* data, LongType n) const;
  void computePart(char* const* data, const Constants& constants, LongType first, LongType length) const;
  void compute(const void* const* in, void* z, LongType n, const Constants& constants) const;
  int transposedDimension() const;
  void runTransposed(int dimension, int threads);
  LongType streamHead(const char* z, LongType tile) const;
  simd::BinaryLoop rowsKernel(const Chunks& chunks) const;
  void processRows(simd::BinaryLoop kernel, LongType first, LongType last) const;
  simd::BinaryLoop halvesKernel() const;
  void processHalves(char* const* data, LongType n) const;

  int _inputs;
  bool _copies = false;   ///< there is no kernel
  bool _streams = false;  ///< the output is written past the caches
  simd::BinaryLoop _halves = nullptr;
  Stream _streamOf[MAX_OPERANDS];
};

}  // namespace sd::loops

#endif
