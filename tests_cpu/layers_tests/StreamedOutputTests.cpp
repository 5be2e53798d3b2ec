// Outputs larger than the caches, which are written with non-temporal stores: for every position in a cache line and
// for all strides and types of the inputs.
#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <functional>

using namespace sd;

namespace {

constexpr LongType BYTES = 49 << 20;  // at most 48 MB that a call touches stay in the caches

/// z[k] = f(k), exactly. All memory before and after z is unchanged.
template <typename T>
void expectBetweenGuards(const NDArray& memory, LongType start, LongType n, const std::function<T(LongType)>& f) {
  const T* values = memory.bufferAsT<T>();
  for (LongType k = 0; k < start; k++) ASSERT_EQ(values[k], T(7)) << "before the output, " << k;
  for (LongType k = 0; k < n; k++) ASSERT_EQ(values[start + k], f(k)) << k << ", output begins at " << start;
  for (LongType k = start + n; k < memory.lengthOf(); k++) ASSERT_EQ(values[k], T(7)) << "after the output, " << k;
}

/// The values 0..99 repeated.
NDArray digits(LongType n, DataType type) {
  NDArray x('c', {n}, INT32);
  auto values = x.bufferAsT<int32_t>();
  for (LongType k = 0; k < n; k++) values[k] = static_cast<int32_t>(k % 100);
  return type == INT32 ? x : x.cast(type);
}

template <typename T>
void copyEvery(LongType stride) {
  constexpr LongType n = BYTES / sizeof(T);
  const DataType type = DataTypeUtils::fromT<T>();
  NDArray x = digits(n * stride, type);
  NDArray source = x({0, n * stride, stride}, true, true);
  NDArray memory('c', {n + 80}, type);
  for (const LongType start : {0, 5, 63}) {
    memory.assign(7);
    NDArray z = memory({start, start + n, 1}, true, true);
    z.assign(source);
    expectBetweenGuards<T>(memory, start, n, [&](LongType k) { return static_cast<T>(k * stride % 100); });
  }
}

}  // namespace

TEST(StreamedOutput, CopiesOfStridedElements) {
  copyEvery<float>(2);
  copyEvery<float>(3);
  copyEvery<double>(2);
  copyEvery<int16_t>(4);
  copyEvery<int8_t>(2);
}

TEST(StreamedOutput, Conversions) {
  constexpr LongType n = BYTES / sizeof(float);
  for (const DataType from : {INT32, INT8, HALF, DOUBLE}) {
    NDArray x = digits(n, from);
    NDArray memory('c', {n + 80}, FLOAT32);
    memory.assign(7);
    NDArray z = memory({3, 3 + n, 1}, true, true);
    z.assign(x);
    expectBetweenGuards<float>(memory, 3, n, [](LongType k) { return static_cast<float>(k % 100); });
  }
}

TEST(StreamedOutput, Kernels) {
  constexpr LongType n = BYTES / sizeof(float);
  NDArray x = digits(2 * n, FLOAT32), dense = digits(n, FLOAT32);
  NDArray everySecond = x({0, 2 * n, 2}, true, true), fours('c', {n}, FLOAT32);
  fours.assign(4);
  NDArray four = NDArrayFactory::create<float>(4);
  // costly functions, beside what the calls for a few elements return
  const NDArray hundred = digits(100, FLOAT32);
  NDArray tangents('c', {100}, FLOAT32), powers('c', {100}, FLOAT32), few = fours({0, 100});
  hundred.applyTransform(transform::Tanh, tangents);
  hundred.applyPairwiseTransform(pairwise::Pow, few, powers);
  for (const LongType start : {0, 1, 15}) {
    NDArray memory('c', {n + 80}, FLOAT32);
    const auto expect = [&](const char* what, const std::function<void(NDArray&)>& run,
                            const std::function<float(LongType)>& f) {
      SCOPED_TRACE(what);
      memory.assign(7);
      NDArray z = memory({start, start + n, 1}, true, true);
      run(z);
      expectBetweenGuards<float>(memory, start, n, f);
    };
    expect(
        "two inputs", [&](NDArray& z) { dense.applyPairwiseTransform(pairwise::Add, dense, z); },
        [](LongType k) { return static_cast<float>(k % 100 * 2); });
    expect(
        "divided", [&](NDArray& z) { dense.applyPairwiseTransform(pairwise::Divide, fours, z); },
        [](LongType k) { return static_cast<float>(k % 100) / 4; });
    expect(
        "strided input", [&](NDArray& z) { everySecond.applyTransform(transform::Square, z); },
        [](LongType k) { return static_cast<float>((2 * k % 100) * (2 * k % 100)); });
    expect(
        "scalar", [&](NDArray& z) { dense.applyScalar(scalar::Subtract, 50, z); },
        [](LongType k) { return static_cast<float>(k % 100 - 50); });
    expect(
        "first operand repeated",
        [&](NDArray& z) {
          EXPECT_EQ(ops::subtract().execute({&four, &dense}, {&z}), Status::OK);
        },
        [](LongType k) { return static_cast<float>(4 - k % 100); });
    expect(
        "costly function of one operand", [&](NDArray& z) { dense.applyTransform(transform::Tanh, z); },
        [&](LongType k) { return tangents.bufferAsT<float>()[k % 100]; });
    expect(
        "costly function of two operands", [&](NDArray& z) { dense.applyPairwiseTransform(pairwise::Pow, fours, z); },
        [&](LongType k) { return powers.bufferAsT<float>()[k % 100]; });
    expect(
        "function of one operand", [&](NDArray& z) { dense.applyTransform(transform::Neg, z); },
        [](LongType k) { return static_cast<float>(-(k % 100)); });
  }
}

TEST(StreamedOutput, RowsOfEveryAlignment) {
  constexpr LongType columns = 3163, rows = BYTES / sizeof(float) / columns + 1, n = rows * columns;
  NDArray x = digits(n, FLOAT32).reshape('c', {rows, columns});
  NDArray row = digits(columns, FLOAT32).reshape('c', {1, columns}),
          column = digits(rows, FLOAT32).reshape('c', {rows, 1});
  NDArray memory('c', {n + 80}, FLOAT32);
  const auto expect = [&](NDArray& y, const std::function<LongType(LongType)>& f) {
    memory.assign(7);
    NDArray z = memory({1, 1 + n, 1}, true, true).reshape('c', {rows, columns}, false);
    x.applyTrueBroadcast(BroadcastOpsTuple::Add(), y, z);
    expectBetweenGuards<float>(memory, 1, n, [&](LongType k) { return static_cast<float>(k % 100 + f(k) % 100); });
  };
  expect(row, [](LongType k) { return k % columns; });
  expect(column, [](LongType k) { return k / columns; });
}

TEST(StreamedOutput, NormalizedChannels) {
  constexpr LongType channels = 3, images = 5, inner = (BYTES / sizeof(float) / channels / images) | 1;
  constexpr LongType n = images * channels * inner;
  NDArray x = digits(n, FLOAT32).reshape('c', {images, channels, inner}), memory('c', {n + 80}, FLOAT32);
  NDArray mean = NDArrayFactory::create<float>('c', {channels}, {10, 20, 30});
  NDArray variance = NDArrayFactory::create<float>('c', {channels}, {4, 4, 4});
  memory.assign(7);
  NDArray z = memory({5, 5 + n, 1}, true, true).reshape('c', {images, channels, inner}, false);
  ASSERT_EQ(ops::batchnorm().execute({&x, &mean, &variance}, {&z}, {0.0}, {0, 0, 1}), Status::OK);
  expectBetweenGuards<float>(
      memory, 5, n, [](LongType k) { return static_cast<float>(k % 100 - 10 * (k / inner % channels + 1)) / 2; });
}

TEST(StreamedOutput, ConvertedOperands) {
  constexpr LongType n = BYTES / sizeof(float16);
  NDArray x = digits(n, HALF), memory('c', {n + 80}, HALF);
  memory.assign(7);
  NDArray z = memory({9, 9 + n, 1}, true, true);
  x.applyPairwiseTransform(pairwise::Add, x, z);
  expectBetweenGuards<float16>(memory, 9, n, [](LongType k) { return static_cast<float16>(k % 100 * 2); });
}

TEST(StreamedOutput, JoinedAndCut) {
  constexpr LongType n = BYTES / sizeof(float);
  NDArray x = digits(n, FLOAT32), sizes = NDArrayFactory::create<LongType>({n / 3 + 5, n - n / 3 - 5});
  auto parts = ops::split_v().evaluate({&x, &sizes}, {0});
  for (LongType k = 0; k < n; k += 1013) {
    const bool first = k < n / 3 + 5;
    ASSERT_EQ(parts.at(first ? 0 : 1)->e<float>(first ? k : k - n / 3 - 5), static_cast<float>(k % 100)) << k;
  }
  EXPECT_TRUE(ops::concat().evaluate({parts.at(0), parts.at(1)}, {0}).at(0)->equalsTo(x));
}
