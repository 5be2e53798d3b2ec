// Results do not depend on the number of threads, and large sums are accurate.
#include <gtest/gtest.h>
#include <loops/Executor.h>
#include <system/Environment.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "NumberedHarness.h"
#include "ThreadCount.h"
#include "random"

using namespace sd;
using namespace sd::numbered;

namespace {

constexpr LongType MILLION = 1000000;
const Dims MATRIX{800, 1250};

TestArray randomArray(DataType type, const Dims& dims, Layout layout, unsigned seed) {
  TestArray x(type, dims, layout);
  std::mt19937 random(seed);
  for (LongType i = 0; i < x.length(); ++i)
    writeNumber(type, static_cast<double>(random() >> 8) / 4194304.0 - 1.0, x.element(i));
  return x;
}

/// The bytes that a run writes to z, with 1, 2 and 7 threads.
template <typename Run>
void expectSameBits(const std::string& what, DataType zType, const Dims& zDims, Run&& run) {
  std::vector<uint8_t> first;
  for (int threads : {1, 2, 7}) {
    const ThreadCount scope(threads);
    TestArray z(zType, zDims, Layout::C);
    ASSERT_NO_THROW(run(z.out())) << what;
    if (threads == 1)
      first = z.bytes();
    else
      EXPECT_TRUE(first == z.bytes()) << what << ": " << threads << " threads give other bits than one";
  }
}

int number(OpGroup group, const char* name) {
  const loops::NumberedOp* op = loops::findOp(group, name);
  return op ? op->number : -1;
}

TEST(NumberedThreads, reductionsHaveTheSameBits) {
  const struct {
    OpGroup group;
    const char* name;
    DataType x, z;
  } rows[] = {{OpGroup::ReduceSame, "Sum", FLOAT32, FLOAT32},   {OpGroup::ReduceSame, "Sum", HALF, HALF},
              {OpGroup::ReduceSame, "Sum", DOUBLE, DOUBLE},     {OpGroup::ReduceSame, "Prod", FLOAT32, FLOAT32},
              {OpGroup::ReduceSame, "Max", FLOAT32, FLOAT32},   {OpGroup::ReduceSame, "ASum", BFLOAT16, BFLOAT16},
              {OpGroup::ReduceFloat, "Mean", FLOAT32, FLOAT32}, {OpGroup::ReduceFloat, "Norm2", DOUBLE, DOUBLE},
              {OpGroup::ReduceFloat, "Mean", FLOAT32, DOUBLE}};
  for (const auto& row : rows) {
    if (!isBuilt(row.x) || !isBuilt(row.z) || number(row.group, row.name) < 0) continue;
    for (Layout layout : {Layout::C, Layout::F, Layout::Padded}) {
      const TestArray x = randomArray(row.x, MATRIX, layout, 1);
      const struct {
        loops::Axes axes;
        Dims z;
      } forms[] = {{{}, {}}, {{0}, {1250}}, {{1}, {800}}};
      for (const auto& form : forms) {
        const std::string what =
            std::string(row.name) + " " + facts(row.x).name + " " + nameOf(layout) + ", result " + textOf(form.z);
        expectSameBits(what, row.z, form.z, [&](loops::Out z) {
          loops::reduce(row.group, number(row.group, row.name), x.in(), z, nullptr, form.axes);
        });
      }
    }
  }
}

TEST(NumberedThreads, otherReductionsHaveTheSameBits) {
  const TestArray x = randomArray(FLOAT32, MATRIX, Layout::C, 2), y = randomArray(FLOAT32, MATRIX, Layout::F, 3);
  const struct {
    loops::Axes axes;
    Dims z;
  } forms[] = {{{}, {}}, {{0}, {1250}}, {{1}, {800}}};
  for (const auto& form : forms) {
    const std::string where = ", result " + textOf(form.z);
    for (int op : {0, 2, 3, 6})
      expectSameBits("reduce3 " + std::to_string(op) + where, FLOAT32, form.z,
                     [&](loops::Out z) { loops::reduce3(op, x.in(), y.in(), z, nullptr, 0, form.axes); });
    expectSameBits("variance" + where, FLOAT32, form.z,
                   [&](loops::Out z) { loops::summaryStats(0, x.in(), z, true, form.axes); });
    expectSameBits("argmax" + where, INT64, form.z,
                   [&](loops::Out z) { loops::indexReduce(0, x.in(), z, nullptr, form.axes); });
  }
}

TEST(NumberedThreads, elementWiseOperationsHaveTheSameBits) {
  const TestArray x = randomArray(FLOAT32, {MILLION}, Layout::C, 4),
                  y = randomArray(FLOAT32, {MILLION}, Layout::EverySecond, 5);
  for (const char* name : {"Exp", "Tanh", "Sin", "Log", "Erf", "GELU"})
    expectSameBits(name, FLOAT32, {MILLION}, [&](loops::Out z) {
      loops::transform(OpGroup::TransformStrict, number(OpGroup::TransformStrict, name), x.in(), z);
    });
  for (const char* name : {"Add", "Divide", "Pow", "Atan2"})
    expectSameBits(name, FLOAT32, {MILLION}, [&](loops::Out z) {
      loops::pairwise(OpGroup::Pairwise, number(OpGroup::Pairwise, name), x.in(), y.in(), z);
    });
  const TestArray matrix = randomArray(FLOAT32, MATRIX, Layout::C, 6),
                  column = randomArray(FLOAT32, {800, 1}, Layout::C, 7);
  expectSameBits("broadcast", FLOAT32, MATRIX,
                 [&](loops::Out z) { loops::trueBroadcast(OpGroup::Broadcast, 0, matrix.in(), column.in(), z); });
  expectSameBits("cast to half", HALF, {MILLION},
                 [&](loops::Out z) { loops::transform(OpGroup::TransformAny, 0, x.in(), z); });
}

/// The process's start settings limit the number of threads, so these tests run again in a process that may use seven.
TEST(NumberedThreads, sevenThreadsAreReallyTried) {
  Environment& environment = Environment::getInstance();
  if (environment.maxThreads() >= 7) {
    const ThreadCount scope(7);
    EXPECT_EQ(environment.maxMasterThreads(), 7);
    return;
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command =
      "SD_MAX_THREADS=7 '" + self + "' --gtest_brief=1 --gtest_color=no '--gtest_filter=NumberedThreads.*'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
}

TEST(NumberedSums, tenMillionFloatsWithinOneMillionth) {
  constexpr LongType N = 10000000;
  const struct {
    const char* what;
    float (*value)(LongType, std::mt19937&);
  } rows[] = {{"0.1", [](LongType, std::mt19937&) { return 0.1f; }},
              {"uniform", [](LongType, std::mt19937& r) { return static_cast<float>(r() >> 8) / 16777216.0f; }},
              {"growing", [](LongType i, std::mt19937&) { return static_cast<float>(i); }},
              {"one large, many small", [](LongType i, std::mt19937&) { return i == 0 ? 1e8f : 1.0f; }}};
  for (const auto& row : rows) {
    std::mt19937 random(8);
    std::vector<float> x(N);
    long double exact = 0;
    for (LongType i = 0; i < N; ++i) exact += x[static_cast<size_t>(i)] = row.value(i, random);
    const std::vector<LongType> info = shapeInfoOf(FLOAT32, {N}, {1}, 'c'), scalar = shapeInfoOf(FLOAT32, {}, {}, 'c');
    float sum = 0, mean = 0;
    loops::reduce(OpGroup::ReduceSame, 0, {x.data(), info.data()}, {&sum, scalar.data()}, nullptr, {});
    loops::reduce(OpGroup::ReduceFloat, 0, {x.data(), info.data()}, {&mean, scalar.data()}, nullptr, {});
    EXPECT_LE(std::fabs(sum - exact), 1e-6L * exact) << row.what;
    EXPECT_LE(std::fabs(mean - exact / N), 1e-6L * exact / N) << row.what;
  }
}

}  // namespace
