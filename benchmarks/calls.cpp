// Measures the overhead of calls: numbered operations on 10 floats through the C interface, and small arrays.
#include <array/NDArray.h>
#include <benchmark/benchmark.h>
#include <legacy/NativeOps.h>

#include <cstdlib>
#include <iostream>

namespace {

using sd::LongType;
using sd::NDArray;

constexpr LongType LENGTH = 10;
enum { PAIRWISE_ADD = 0, TANH = 29, SUM = 0, SCALAR_ADD = 0 };

/// An array in the form that callers of the C interface use.
class Operand {
 public:
  explicit Operand(LongType length) {
    LongType stride = 1;
    _shape = shapeBuffer(1, &length, &stride, sd::FLOAT32, 'c', 1, false);
    buffer = allocateDataBuffer(length, sd::FLOAT32, false);
    info = static_cast<const LongType*>(getConstantShapeBufferPrimary(_shape));
    auto* values = static_cast<float*>(dbPrimaryBuffer(buffer));
    for (LongType i = 0; i < length; i++) values[i] = 0.1f * static_cast<float>(i);
  }
  ~Operand() {
    deleteDataBuffer(buffer);
    deleteConstantShapeBuffer(_shape);
  }
  Operand(const Operand&) = delete;
  Operand& operator=(const Operand&) = delete;

  OpaqueDataBuffer* buffer;
  const LongType* info;

 private:
  OpaqueConstantShapeBuffer* _shape;
};

/// Ends the program after a failed call: failed calls are fast and would falsify the measurement.
void requireNoError() {
  if (lastErrorCode() == 0) return;
  std::cerr << "calls: " << lastErrorMessage() << '\n';
  std::exit(1);
}

void pairwiseAdd(benchmark::State& state) {
  Operand x(LENGTH), y(LENGTH), z(LENGTH);
  for (auto _ : state)
    execPairwiseTransform(nullptr, PAIRWISE_ADD, x.buffer, x.info, nullptr, y.buffer, y.info, nullptr, z.buffer, z.info,
                          nullptr, nullptr);
  requireNoError();
}
BENCHMARK(pairwiseAdd)->Name("execPairwiseTransform Add");

void transformTanh(benchmark::State& state) {
  Operand x(LENGTH), z(LENGTH);
  for (auto _ : state)
    execTransformStrict(nullptr, TANH, x.buffer, x.info, nullptr, z.buffer, z.info, nullptr, nullptr);
  requireNoError();
}
BENCHMARK(transformTanh)->Name("execTransformStrict Tanh");

void reduceSum(benchmark::State& state) {
  Operand x(LENGTH), z(1);
  for (auto _ : state) execReduceSame(nullptr, SUM, x.buffer, x.info, nullptr, nullptr, z.buffer, z.info, nullptr);
  requireNoError();
}
BENCHMARK(reduceSum)->Name("execReduceSame Sum");

void scalarAdd(benchmark::State& state) {
  Operand x(LENGTH), z(LENGTH), scalar(1);
  for (auto _ : state)
    execScalar(nullptr, SCALAR_ADD, x.buffer, x.info, nullptr, z.buffer, z.info, nullptr, scalar.buffer, scalar.info,
               nullptr, nullptr);
  requireNoError();
}
BENCHMARK(scalarAdd)->Name("execScalar Add");

void createArray(benchmark::State& state) {
  const std::vector<LongType> shape = {LENGTH};
  for (auto _ : state) {
    NDArray x('c', shape, sd::FLOAT32);
    benchmark::DoNotOptimize(x.buffer());
  }
}
BENCHMARK(createArray)->Name("NDArray create and drop");

void view(benchmark::State& state) {
  const NDArray x('c', {LENGTH}, sd::FLOAT32);
  const std::vector<LongType> range = {2, 7};
  for (auto _ : state) {
    NDArray part = x(range);
    benchmark::DoNotOptimize(part.buffer());
  }
}
BENCHMARK(view)->Name("NDArray view");

void sum(benchmark::State& state) {
  NDArray x('c', {LENGTH}, sd::FLOAT32), y('c', {LENGTH}, sd::FLOAT32);
  for (auto _ : state) {
    NDArray z = x + y;
    benchmark::DoNotOptimize(z.buffer());
  }
}
BENCHMARK(sum)->Name("NDArray x + y");

}  // namespace

BENCHMARK_MAIN();
