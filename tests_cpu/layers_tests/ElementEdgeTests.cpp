// Element-wise loops at the edges: lengths that leave elements over, every alignment, outputs that are inputs, rows of
// broadcasts, runs of 16-bit floats, transposed and reversed copies. Nothing beside the output is written.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <loops/Executor.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

using namespace sd;

namespace {

constexpr LongType GUARD = 24;  // elements before and behind, which must stay what they are

template <typename T>
std::vector<T> someNumbers(LongType n, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> values(0.25f, 4.f);
  std::vector<T> x(static_cast<size_t>(n));
  for (T& value : x) value = static_cast<T>(values(random));
  return x;
}

template <typename T>
void expectEqualBits(T got, T expected, const char* what, LongType at) {
  if (std::isnan(static_cast<float>(expected)))
    ASSERT_TRUE(std::isnan(static_cast<float>(got))) << what << " at " << at;
  else
    ASSERT_EQ(std::memcmp(&got, &expected, sizeof(T)), 0)
        << what << " at " << at << ": " << static_cast<float>(got) << " instead of " << static_cast<float>(expected);
}

/// z = x + y at every alignment, z beside them, as x and as y.
template <typename T>
void expectSums(LongType n, LongType offset) {
  const NDArray like('c', {n}, DataTypeUtils::fromT<T>());
  const std::vector<T> x = someNumbers<T>(n + 2 * GUARD, 1), y = someNumbers<T>(n + 2 * GUARD, 2);
  enum { Beside, OnX, OnY };
  for (const int where : {Beside, OnX, OnY}) {
    std::vector<T> a = x, b = y, c(a.size(), T(-1));
    const LongType start = GUARD / 2 + offset;
    std::vector<T>& z = where == OnX ? a : where == OnY ? b : c;
    const std::vector<T> before = z;
    loops::pairwise(loops::OpGroup::Pairwise, pairwise::Add, {a.data() + start, like.shapeInfo()},
                    {b.data() + start, like.shapeInfo()}, {z.data() + start, like.shapeInfo()}, nullptr);
    for (LongType i = 0; i < static_cast<LongType>(z.size()); i++) {
      const auto at = static_cast<size_t>(i);
      const T expected = i < start || i >= start + n ? before[at] : static_cast<T>(x[at] + y[at]);
      expectEqualBits(z[at], expected, where == Beside ? "z" : where == OnX ? "z on x" : "z on y", i - start);
    }
  }
}

template <typename H>
void expectHalfSums() {
  const H special[] = {H(0.f),
                       H(-0.f),
                       H(1.f),
                       H(std::numeric_limits<float>::infinity()),
                       H(-std::numeric_limits<float>::infinity()),
                       H(std::numeric_limits<float>::quiet_NaN()),
                       std::numeric_limits<H>::max(),
                       std::numeric_limits<H>::lowest(),
                       std::numeric_limits<H>::min(),
                       std::numeric_limits<H>::denorm_min(),
                       H(3.f),
                       H(0.33325f)};
  const auto count = static_cast<LongType>(std::size(special));
  struct Row {
    int op;
    float (*expected)(float, float);
  };
  const Row rows[] = {{pairwise::Add, [](float a, float b) { return a + b; }},
                      {pairwise::Multiply, [](float a, float b) { return a * b; }},
                      {pairwise::Divide, [](float a, float b) { return a / b; }}};
  for (const Row& row : rows)
    for (LongType n = 1; n < 70; n++)
      for (LongType shift = 0; shift < count; shift++) {
        std::vector<H> x(static_cast<size_t>(n)), y(x), z(static_cast<size_t>(n) + 1, H(7.f));
        for (LongType i = 0; i < n; i++) {
          x[static_cast<size_t>(i)] = special[i % count];
          y[static_cast<size_t>(i)] = special[(i + shift) % count];
        }
        const NDArray like('c', {n}, DataTypeUtils::fromT<H>());
        loops::pairwise(loops::OpGroup::Pairwise, row.op, {x.data(), like.shapeInfo()}, {y.data(), like.shapeInfo()},
                        {z.data(), like.shapeInfo()}, nullptr);
        for (LongType i = 0; i < n; i++) {
          const auto at = static_cast<size_t>(i);
          expectEqualBits(z[at], H(row.expected(static_cast<float>(x[at]), static_cast<float>(y[at]))), "z", i);
        }
        expectEqualBits(z.back(), H(7.f), "behind z", n);
      }
}

template <typename T>
void expectTransposed(LongType rows, LongType columns) {
  NDArray x('c', {rows, columns}, DataTypeUtils::fromT<T>()), z('c', {columns, rows}, DataTypeUtils::fromT<T>());
  T* const in = x.bufferAsT<T>();
  for (LongType i = 0; i < rows * columns; i++) in[i] = static_cast<T>(i % 251);
  z.assign(x.permute({1, 0}));
  const T* const out = z.bufferAsT<T>();
  for (LongType r = 0; r < rows; r++)
    for (LongType c = 0; c < columns; c++)
      ASSERT_EQ(out[c * rows + r], in[r * columns + c]) << rows << " x " << columns << " at " << r << ", " << c;
}

template <typename T>
void expectReversed(LongType n) {
  const DataType type = DataTypeUtils::fromT<T>();
  NDArray x('c', {n}, type), whole('c', {n + 2}, type);
  T* const in = x.bufferAsT<T>();
  for (LongType i = 0; i < n; i++) in[i] = static_cast<T>(i % 127);
  whole.assign(99);
  NDArray z = whole({1, n + 1});
  ASSERT_EQ(ops::OpRegistrator::getInstance().getOperation("reverse")->execute({&x}, {&z}, {}, {0}, {}), Status::OK);
  const T* const out = whole.bufferAsT<T>();
  for (LongType i = 0; i < n; i++) ASSERT_EQ(out[i + 1], in[n - 1 - i]) << n << " at " << i;
  ASSERT_EQ(out[0], T(99));
  ASSERT_EQ(out[n + 1], T(99));
}

NDArray numbers(double start, const std::vector<LongType>& dims) {
  NDArray x('c', dims, FLOAT32);
  x.linspace(start, 0.125);
  return x;
}

}  // namespace

namespace {

/// A view with these strides over its own memory, of which only the elements have other values than 77.
template <typename T>
struct View {
  std::vector<LongType> dims, info;
  std::vector<T> memory;

  View(const std::vector<LongType>& sizes, const std::vector<LongType>& strides, unsigned seed,
       DataType type = DataTypeUtils::fromT<T>())
      : dims(sizes) {
    const int rank = static_cast<int>(dims.size());
    info.resize(static_cast<size_t>(shape::shapeInfoLength(rank)));
    shape::fillContiguous(info.data(), type, 'c', rank, dims.data());
    LongType last = 0;
    for (size_t d = 0; d < dims.size(); d++) {
      info[1 + dims.size() + d] = strides[d];
      last += (dims[d] - 1) * strides[d];
    }
    shape::checkStridesEwsAndOrder(info.data());
    memory.assign(static_cast<size_t>(last + 1), static_cast<T>(77.f));
    const std::vector<T> numbers = someNumbers<T>(length(), seed);
    for (LongType i = 0; i < length(); i++) at(i) = numbers[static_cast<size_t>(i)];
  }
  LongType length() const { return shape::length(info.data()); }
  T& at(LongType i) {
    LongType coords[SD_MAX_RANK];
    shape::index2coords(i, info.data(), coords);
    return memory[static_cast<size_t>(shape::getOffset(info.data(), coords))];
  }
};

template <typename T>
void expectOfViews(View<T> x, View<T> y, const std::vector<LongType>& zDims, const std::vector<LongType>& zStrides) {
  SCOPED_TRACE(testing::Message() << x.length() << " elements of " << sizeof(T) << " bytes");
  View<T> z(zDims, zStrides, 3);
  const std::vector<T> before = z.memory;
  loops::pairwise(loops::OpGroup::Pairwise, pairwise::Subtract, {x.memory.data(), x.info.data()},
                  {y.memory.data(), y.info.data()}, {z.memory.data(), z.info.data()}, nullptr);
  for (LongType i = 0; i < z.length(); i++) expectEqualBits(z.at(i), static_cast<T>(x.at(i) - y.at(i)), "z", i);
  for (LongType i = 0; i < z.length(); i++) z.at(i) = static_cast<T>(0.f);
  for (size_t i = 0; i < before.size(); i++)
    ASSERT_TRUE(z.memory[i] == before[i] || z.memory[i] == static_cast<T>(0.f)) << "beside the elements, " << i;

  View<uint8_t> truth(zDims, zStrides, 3, BOOL);
  loops::pairwise(loops::OpGroup::PairwiseBool, pairwise::BoolOps::GreaterThan, {x.memory.data(), x.info.data()},
                  {y.memory.data(), y.info.data()}, {truth.memory.data(), truth.info.data()}, nullptr);
  for (LongType i = 0; i < z.length(); i++) ASSERT_EQ(truth.at(i), x.at(i) > y.at(i) ? 1 : 0) << i;
}

template <typename T>
void expectSmallViews() {
  using Sizes = std::vector<LongType>;
  const auto view = [](const Sizes& dims, const Sizes& strides, unsigned seed) { return View<T>(dims, strides, seed); };
  for (const LongType rows : {1, 2, 3, 8, 9, 16})
    for (const LongType columns : {1, 2, 5, 15, 16, 17, 33}) {
      const Sizes dims{rows, columns}, dense{columns, 1}, turned{1, rows}, spread{2 * columns + 1, 2};
      const Sizes apart{columns + 3, 1}, repeated{0, 1}, one{0, 0};
      for (const Sizes& x : {dense, turned, spread, apart, repeated, one})
        for (const Sizes& y : {dense, turned, apart})
          for (const Sizes& z : {dense, turned, apart}) expectOfViews<T>(view(dims, x, 1), view(dims, y, 2), dims, z);
    }
  // Other shapes of as many elements, in c order.
  for (const LongType n : {6, 24, 300}) {
    expectOfViews<T>(view({n}, {2}, 1), view({n / 3, 3}, {3, 1}, 2), {n}, {1});
    expectOfViews<T>(view({2, n / 2}, {1, 2}, 1), view({n}, {3}, 2), {2, n / 2}, {n / 2, 1});
    expectOfViews<T>(view({2, n / 6, 3}, {3, 6, 1}, 1), view({2, n / 6, 3}, {n / 2, 3, 1}, 2), {2, n / 6, 3},
                     {n / 2, 3, 1});
  }
}

}  // namespace

TEST(ElementEdges, smallViews) {
  expectSmallViews<float>();
  expectSmallViews<double>();
  expectSmallViews<bfloat16>();
  expectSmallViews<int32_t>();
}

// z is the memory of x, which is read in another order.
TEST(ElementEdges, smallViewsOfTheOutput) {
  std::vector<float> memory(6), y(6, 10.f);
  for (size_t i = 0; i < 6; i++) memory[i] = static_cast<float>(i);
  const NDArray dense('c', {2, 3}, FLOAT32), turned('f', {2, 3}, FLOAT32);
  loops::pairwise(loops::OpGroup::Pairwise, pairwise::Add, {memory.data(), turned.shapeInfo()},
                  {y.data(), dense.shapeInfo()}, {memory.data(), dense.shapeInfo()}, nullptr);
  EXPECT_EQ(memory, (std::vector<float>{10, 12, 14, 11, 13, 15}));
}

TEST(ElementEdges, differentShapesOfSmallViewsAreRefused) {
  View<float> x({2, 6}, {1, 2}, 1), y({3, 4}, {1, 3}, 2), z({12}, {1}, 3);
  EXPECT_ANY_THROW(loops::pairwise(loops::OpGroup::Pairwise, pairwise::Add, {x.memory.data(), x.info.data()},
                                   {y.memory.data(), y.info.data()}, {z.memory.data(), z.info.data()}, nullptr));
}

TEST(ElementEdges, sumsOfEveryLengthAndAlignment) {
  for (LongType n = 1; n < 150; n++)
    for (LongType offset = 0; offset < 16; offset += n < 80 ? 1 : 5) {
      expectSums<float>(n, offset % 12);
      expectSums<double>(n, offset % 12);
      expectSums<int32_t>(n, offset % 12);
    }
  for (const LongType n : {1023, 1024, 1025, 1041, 5000})
    for (LongType offset = 0; offset < 12; offset++) expectSums<float>(n, offset);
}

TEST(ElementEdges, costlyFunctionsOfEveryLength) {
  for (LongType n = 1; n < 100; n++) {
    NDArray x('c', {n}, FLOAT32), alone('c', {1}, FLOAT32);
    for (LongType i = 0; i < n; i++) x.p(i, 0.1f * static_cast<float>(i) - 3);
    NDArray z('c', {n}, FLOAT32), one('c', {1}, FLOAT32);
    x.applyTransform(transform::Exp, z);
    NDArray onItself = x;
    onItself.applyTransform(transform::Exp, onItself);
    for (LongType i = 0; i < n; i++) {
      alone.p(0, x.e<float>(i));
      alone.applyTransform(transform::Exp, one);
      ASSERT_EQ(z.e<float>(i), one.e<float>(0)) << i << " of " << n;
      ASSERT_EQ(onItself.e<float>(i), one.e<float>(0)) << i << " of " << n;
    }
  }
}

TEST(ElementEdges, rowsAndColumnsOfMatrices) {
  for (const LongType rows : {2, 3, 17})
    for (LongType columns = 2; columns < 90; columns++) {
      if (columns == rows) continue;  // a row and a column of equal length meet element by element
      const NDArray matrix = numbers(1, {rows, columns});
      const NDArray row = numbers(3, {1, columns});
      const NDArray column = numbers(5, {rows, 1});
      const NDArray sums[] = {matrix + row, matrix + column, row + matrix, column + row, row + column};
      for (LongType r = 0; r < rows; r++)
        for (LongType c = 0; c < columns; c++) {
          const float m = matrix.e<float>(r, c), y = row.e<float>(0, c), x = column.e<float>(r, 0);
          const float expected[] = {m + y, m + x, m + y, x + y, x + y};
          for (int k = 0; k < 5; k++) ASSERT_EQ(sums[k].e<float>(r, c), expected[k]) << k << ": " << r << ", " << c;
        }
    }
}

TEST(ElementEdges, halfFloats) { expectHalfSums<float16>(); }

TEST(ElementEdges, brainFloats) { expectHalfSums<bfloat16>(); }

TEST(ElementEdges, largeArraysOfBrainFloatsAreWrittenPastTheCaches) {
  const LongType n = 20'000'003;
  NDArray x('c', {n}, BFLOAT16), z('c', {n}, BFLOAT16);
  auto* const in = x.bufferAsT<bfloat16>();
  for (LongType i = 0; i < n; i++) in[i] = bfloat16(static_cast<float>(i % 256));
  x.applyPairwiseTransform(pairwise::Add, x, z);
  const auto* const out = z.bufferAsT<bfloat16>();
  for (LongType i = 0; i < n; i++) ASSERT_EQ(static_cast<float>(out[i]), 2 * static_cast<float>(i % 256)) << i;
  x.applyTransform(transform::Neg, z);
  for (LongType i = 0; i < n; i++) ASSERT_EQ(static_cast<float>(out[i]), -static_cast<float>(i % 256)) << i;
}

// Every bit pattern in the upper half with all that decides the rounding.
namespace {

/// Functions of one operand whose results are written past the caches have the bits that they have in parts.
template <typename T>
void expectLargeAndSmallAlike(loops::OpGroup group, int op, LongType n) {
  const std::vector<T> x = someNumbers<T>(n + GUARD, 5);
  std::vector<T> z(x.size(), T(-1)), parts = z;
  const auto run = [&](std::vector<T>& to, LongType start, LongType count) {
    const NDArray like('c', {count}, DataTypeUtils::fromT<T>());
    loops::transform(group, op, {x.data() + start, like.shapeInfo()}, {to.data() + start + 1, like.shapeInfo()},
                     nullptr);
  };
  run(z, 0, n);
  for (LongType start = 0; start < n; start += 9973) run(parts, start, std::min<LongType>(9973, n - start));
  EXPECT_EQ(std::memcmp(z.data(), parts.data(), z.size() * sizeof(T)), 0) << op;
}

}  // namespace

TEST(ElementEdges, largeFunctionsOfOneOperandAreWrittenPastTheCaches) {
  for (const LongType n : {7'000'001, 7'000'063}) {
    expectLargeAndSmallAlike<float>(loops::OpGroup::TransformFloat, transform::FloatOps::Sqrt, n);
    expectLargeAndSmallAlike<float>(loops::OpGroup::TransformSame, transform::SameOps::Neg, n);
    expectLargeAndSmallAlike<float>(loops::OpGroup::TransformStrict, transform::StrictOps::Exp, n);
    expectLargeAndSmallAlike<double>(loops::OpGroup::TransformSame, transform::SameOps::Square, n / 2);
  }
}

TEST(ElementEdges, floatsBecomeBrainFloats) {
  const uint32_t lower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  std::vector<uint32_t> bits;
  for (uint32_t upper = 0; upper < 1u << 16; upper++)
    for (const uint32_t rest : lower) bits.push_back(upper << 16 | rest);
  const auto n = static_cast<LongType>(bits.size());
  NDArray x('c', {n}, FLOAT32);
  std::memcpy(x.buffer(), bits.data(), bits.size() * sizeof(uint32_t));
  const NDArray z = x.cast(BFLOAT16);
  for (LongType i = 0; i < n; i++)
    expectEqualBits(z.bufferAsT<bfloat16>()[i], bfloat16(x.bufferAsT<float>()[i]), "z", i);
}

TEST(ElementEdges, transposedMatricesOfEverySize) {
  for (LongType rows = 1; rows < 36; rows++)
    for (LongType columns = 1; columns < 36; columns++) {
      expectTransposed<uint8_t>(rows, columns);
      expectTransposed<uint16_t>(rows, columns);
      expectTransposed<float>(rows, columns);
      expectTransposed<double>(rows, columns);
    }
  expectTransposed<float>(200, 10);
  expectTransposed<float>(10, 200);
  expectTransposed<double>(130, 300);
}

TEST(ElementEdges, manyTransposedMatricesAreWrittenPastTheCaches) {
  for (const LongType columns : {64, 100}) {
    const LongType count = 20'000'100 / (10 * columns), rows = 10;
    NDArray x('c', {count, rows, columns}, FLOAT32), z('c', {count, columns, rows}, FLOAT32);
    NDArray back('c', {count, rows, columns}, FLOAT32);
    float* const in = x.bufferAsT<float>();
    for (LongType i = 0; i < x.lengthOf(); i++) in[i] = static_cast<float>(i % 1009);
    z.assign(x.permute({0, 2, 1}));
    const float* const out = z.bufferAsT<float>();
    for (LongType i = 0; i < count; i++)
      for (LongType r = 0; r < rows; r++)
        for (LongType c = 0; c < columns; c++)
          ASSERT_EQ(out[(i * columns + c) * rows + r], in[(i * rows + r) * columns + c]) << i << ", " << r << ", " << c;
    back.assign(z.permute({0, 2, 1}));
    ASSERT_EQ(std::memcmp(back.buffer(), in, static_cast<size_t>(x.lengthOf()) * sizeof(float)), 0);
  }
}

TEST(ElementEdges, reversedRunsOfEveryLength) {
  for (LongType n = 2; n < 200; n++) {
    expectReversed<int8_t>(n);
    expectReversed<int16_t>(n);
    expectReversed<float>(n);
    expectReversed<double>(n);
  }
}
