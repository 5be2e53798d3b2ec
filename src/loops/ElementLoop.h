// Runs an element-wise kernel over strided operands. Types and strides that the kernel does not support are converted
// in contiguous tiles that fit the L1 cache.
#ifndef NDFORGE_SRC_LOOPS_ELEMENTLOOP_H
#define NDFORGE_SRC_LOOPS_ELEMENTLOOP_H

#include "loops/Operand.h"
#include "loops/Plan.h"
#include "loops/kernels/KernelTable.h"

namespace sd::loops {

class ElementLoop {
 public:
  /// z = conversion of x.
  explicit ElementLoop(int inputs) : plan(inputs + 1), _inputs(inputs) {}

  Plan plan;  ///< operand 0 is z, 1 is x, 2 is y

  void setOutput(const Operand& z, Storage kernelType);
  void setInput(int index, const Operand& x, Storage kernelType);

  simd::UnaryLoop unary = nullptr;  ///< nullptr with one input: conversion only
  simd::BinaryKernel binary{};
  const void* params = nullptr;
  int cost = 1;
  bool inPlace = false;  ///< the output is also an input

  void run();

 private:
  static constexpr LongType TILE = 512;
  /// Shorter tiles for non-temporal stores, so that reading and writing overlap (measured: 49 GB/s with 256 elements,
  /// 30 with 1024).
  static constexpr LongType STREAM_TILE = 256;
  /// Tile size in bytes for copies of strided elements, which read at least twice as many bytes as they write (10
  /// million floats, every second one: 2.8 ms with 256, 3.5 with 512, 4.6 with 1024).
  static constexpr LongType STRIDED_STREAM_BYTES = 256;
  static constexpr LongType BLOCK_ROWS = 16, BLOCK_COLUMNS = 128;

  struct Stream {
    char* data;
    simd::ConvertLoop convert;
    int size;        ///< of an element in memory, in bytes
    int kernelSize;  ///< of an element in the kernel, in bytes
    bool direct;     ///< the kernel takes the elements as they are stored
  };

  void processRun(char* const* data, const LongType* strides, LongType n) const;
  void processTile(char* const* data, const LongType* strides, LongType n, const void* const* constants) const;
  void compute(const void* x, const void* y, void* z, LongType n, const void* const* constants) const;
  int transposedDimension() const;
  void runTransposed(int dimension, int threads);
  LongType streamHead(const char* z, LongType tile) const;
  bool copies() const { return _inputs == 1 && unary == nullptr; }

  int _inputs;
  bool _streams = false;
  Stream _streamOf[MAX_OPERANDS];
};

}  // namespace sd::loops

#endif
