// The C functions that move, convert, index and inspect data.
#include <types/float16.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "NativeOpsSupport.h"

using native::expectError;
using native::Tensor;
using sd::LongType;
using sd::Pointer;

namespace {

class NativeOpsMovingTests : public native::NativeTest {};

struct Parts {
  Parts(const Tensor& x, std::vector<int> axes)
      : pack(tadOnlyShapeInfo(x.info, axes.data(), static_cast<int>(axes.size()))) {}
  ~Parts() { deleteTadPack(pack); }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;
  const LongType* info() const { return getPrimaryShapeInfo(pack); }
  const LongType* offsets() const { return getPrimaryOffsets(pack); }
  OpaqueTadPack* pack;
};

std::vector<int> count(int n) {
  std::vector<int> values(static_cast<size_t>(n));
  for (int i = 0; i < n; i++) values[static_cast<size_t>(i)] = i;
  return values;
}

}  // namespace

TEST_F(NativeOpsMovingTests, ShuffleSwapsInSequence) {
  for (char order : {'c', 'f'}) {
    const Tensor x(sd::INT32, {3, 2}, count(6), order), y(sd::INT32, {3, 2}, count(6), order);
    const Parts rows(x, {1});
    Pointer data[] = {x.memory(), y.memory()}, infos[] = {x.info, y.info};
    Pointer tads[] = {const_cast<LongType*>(rows.info()), const_cast<LongType*>(rows.info())};
    Pointer offsets[] = {const_cast<LongType*>(rows.offsets()), const_cast<LongType*>(rows.offsets())};
    int map[] = {1, 2, -1};  // rows 0 and 1, then 1 and 2
    shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 2, map, tads, offsets);
    EXPECT_EQ(x.values<int>(), (std::vector<int>{2, 3, 4, 5, 0, 1}));
    EXPECT_EQ(y.values<int>(), x.values<int>());
  }
  const Tensor vector(sd::HALF, {3}, std::vector<float16>{float16(1.f), float16(2.f), float16(3.f)});
  Pointer data[] = {vector.memory()}, infos[] = {vector.info};
  int map[] = {2, -1, -1};
  shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, map, nullptr, nullptr);
  EXPECT_EQ(static_cast<float>(vector.at<float16>(0)), 3.f);
  EXPECT_EQ(static_cast<float>(vector.at<float16>(2)), 1.f);
}

TEST_F(NativeOpsMovingTests, ShuffleRefusesBadMapsAndOffsets) {
  const Tensor x(sd::INT32, {3, 2}, count(6));
  const Parts rows(x, {1});
  Pointer data[] = {x.memory()}, infos[] = {x.info}, tads[] = {const_cast<LongType*>(rows.info())};
  LongType far[] = {0, 2, 5};
  Pointer offsets[] = {const_cast<LongType*>(rows.offsets())}, farOffsets[] = {far};
  int outside[] = {1, 3, -1}, fine[] = {1, -1, -1};
  shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, outside, tads, offsets);
  expectError("index 3");
  shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, fine, tads, farOffsets);
  expectError("does not fit into the array");
  shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, nullptr, tads, offsets);
  expectError("map");
  shuffle(nullptr, data, infos, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, fine, nullptr, offsets);
  expectError("tadShapeInfo");
  EXPECT_EQ(x.values<int>(), count(6));
}

TEST_F(NativeOpsMovingTests, TearCopiesEachSubArray) {
  const Tensor x(sd::INT32, {2, 3}, count(6), 'f');
  const Parts columns(x, {0});
  const Tensor a(sd::INT32, {2}), b(sd::INT32, {2}), c(sd::INT32, {2});
  Pointer targets[] = {a.memory(), b.memory(), c.memory()};
  tear(nullptr, x.data, x.info, nullptr, targets, a.info, columns.info(), columns.offsets());
  EXPECT_EQ(a.values<int>(), (std::vector<int>{0, 3}));
  EXPECT_EQ(c.values<int>(), (std::vector<int>{2, 5}));

  const Tensor longer(sd::INT32, {3}), floats(sd::FLOAT32, {2});
  tear(nullptr, x.data, x.info, nullptr, targets, longer.info, columns.info(), columns.offsets());
  expectError("3 elements");
  tear(nullptr, x.data, x.info, nullptr, targets, floats.info, columns.info(), columns.offsets());
  expectError("types");
  Pointer withNull[] = {a.memory(), nullptr, c.memory()};
  tear(nullptr, x.data, x.info, nullptr, withNull, a.info, columns.info(), columns.offsets());
  expectError("target 1");
}

TEST_F(NativeOpsMovingTests, PullRowsGathers) {
  const Tensor x(sd::DOUBLE, {3, 2}, std::vector<double>{0, 1, 2, 3, 4, 5}), z(sd::DOUBLE, {4, 2}, 'f');
  const Parts from(x, {1}), to(z, {1});
  LongType indexes[] = {2, 0, 2, 1};
  pullRows(nullptr, x.data, x.info, nullptr, z.data, z.info, nullptr, 4, indexes, from.info(), from.offsets(),
           to.info(), to.offsets());
  EXPECT_EQ(z.values<double>(), (std::vector<double>{4, 5, 0, 1, 4, 5, 2, 3}));

  for (LongType bad : {LongType{3}, LongType{-1}, std::numeric_limits<LongType>::max()}) {
    indexes[3] = bad;
    pullRows(nullptr, x.data, x.info, nullptr, z.data, z.info, nullptr, 4, indexes, from.info(), from.offsets(),
             to.info(), to.offsets());
    expectError("index " + std::to_string(bad));
  }
  indexes[3] = 1;
  pullRows(nullptr, x.data, x.info, nullptr, z.data, z.info, nullptr, 5, indexes, from.info(), from.offsets(),
           to.info(), to.offsets());
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(z.at<double>(0), 4);
}

TEST_F(NativeOpsMovingTests, AveragesAndSumsFollowTheMemoryOfArraysInFOrder) {
  using Floats = std::vector<float>;
  const Tensor a(sd::FLOAT32, {2, 3}, Floats{1, 2, 3, 4, 5, 6}, 'f'),
      b(sd::FLOAT32, {2, 3}, Floats{3, 4, 5, 6, 7, 8}, 'f');
  const Tensor z(sd::FLOAT32, {2, 3}, 'f');
  Pointer x[] = {a.memory(), b.memory()};
  accumulate(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 6);
  EXPECT_EQ(z.values<float>(), (Floats{4, 6, 8, 10, 12, 14}));
  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 6, true);
  EXPECT_EQ(z.values<float>(), (Floats{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(b.values<float>(), z.values<float>());
}

TEST_F(NativeOpsMovingTests, AverageOfArrays) {
  const Tensor a(sd::FLOAT32, {3}, std::vector<float>{1, 2, 3}), b(sd::FLOAT32, {3}, std::vector<float>{3, 4, 8});
  const Tensor z(sd::FLOAT32, {3});
  Pointer x[] = {a.memory(), b.memory()};
  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 3, false);
  EXPECT_EQ(z.values<float>(), (std::vector<float>{2, 3, 5.5f}));
  EXPECT_EQ(a.values<float>(), (std::vector<float>{1, 2, 3}));
  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 3, true);
  EXPECT_EQ(b.values<float>(), z.values<float>());
  a.at<float>(0) = 10;
  average(nullptr, x, a.info, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 2, 3, false);
  EXPECT_EQ(a.values<float>(), (std::vector<float>{6, 3, 5.5f}));
  EXPECT_EQ(b.values<float>(), a.values<float>());

  const Tensor i(sd::INT16, {1}, std::vector<int16_t>{-3}), j(sd::INT16, {1}, std::vector<int16_t>{5});
  Pointer integers[] = {i.memory(), j.memory()};
  average(nullptr, integers, i.info, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 2, 1, false);
  EXPECT_EQ(i.at<int16_t>(0), 1);  // -3 / 2 + 5 / 2, each truncated

  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 0, 3, false);
  expectError("number of arrays");
  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 4, false);
  expectError("3 elements");
  average(nullptr, x, a.info, nullptr, nullptr, z.memory(), i.info, nullptr, nullptr, 2, 3, false);
  expectError("types");
}

TEST_F(NativeOpsMovingTests, AccumulateAddsToWhatIsThere) {
  const Tensor a(sd::INT8, {2, 2}, std::vector<int8_t>{1, 2, 3, 100}),
      b(sd::INT8, {2, 2}, std::vector<int8_t>{10, 20, 30, 100});
  const Tensor z(sd::INT8, {2, 2}, std::vector<int8_t>{1, 1, 1, 1}, 'f');
  Pointer x[] = {a.memory(), b.memory()};
  accumulate(nullptr, x, a.info, nullptr, nullptr, z.memory(), z.info, nullptr, nullptr, 2, 4);
  EXPECT_EQ(z.values<int8_t>(), (std::vector<int8_t>{12, 23, 34, static_cast<int8_t>(201 - 256)}));
  accumulate(nullptr, x, a.info, nullptr, nullptr, nullptr, z.info, nullptr, nullptr, 2, 4);
  expectError("the buffer of z is null");
}

TEST_F(NativeOpsMovingTests, ConcatJoinsAlongADimension) {
  const Tensor a(sd::INT32, {2, 1}, std::vector<int>{1, 2}), b(sd::INT32, {2, 2}, std::vector<int>{3, 4, 5, 6}, 'f');
  const Tensor z(sd::INT32, {2, 3}), tall(sd::INT32, {3, 2});
  Pointer data[] = {a.memory(), b.memory()}, infos[] = {a.info, b.info};
  specialConcat(nullptr, 1, 2, data, infos, z.memory(), z.info, nullptr, nullptr);
  EXPECT_EQ(z.values<int>(), (std::vector<int>{1, 3, 4, 2, 5, 6}));
  specialConcat(nullptr, 0, 2, data, infos, tall.memory(), tall.info, nullptr, nullptr);
  expectError("size 1 in dimension 1");
  specialConcat(nullptr, 2, 2, data, infos, z.memory(), z.info, nullptr, nullptr);
  expectError("2");
  specialConcat(nullptr, 1, 1, data, infos, z.memory(), z.info, nullptr, nullptr);
  expectError("size 1 in dimension 1, but z has size 3");
  Pointer self[] = {z.memory()}, selfInfo[] = {z.info};
  specialConcat(nullptr, 1, 1, self, selfInfo, z.memory(), z.info, nullptr, nullptr);
  EXPECT_NE(native::takeError(), "");
}

TEST_F(NativeOpsMovingTests, ScatterUpdateWorksThroughRepeatedIndices) {
  struct Row {
    int opCode;
    std::vector<float> expected;
  };
  // x rows {1, 2}, {3, 4}, {5, 6}; y rows {10, 20}, {2, 4}; both go to row 1
  const std::vector<Row> table = {{0, {15, 28}},  {1, {-9, -20}},    {2, {60, 320}}, {3, {0.15f, 0.05f}},
                                  {4, {-5, -12}}, {5, {0.6f, 0.8f}}, {6, {2, 4}}};
  for (const Row& row : table) {
    for (bool wide : {false, true}) {
      const Tensor x(sd::FLOAT32, {3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6});
      const Tensor y(sd::FLOAT32, {2, 2}, std::vector<float>{10, 20, 2, 4});
      const Parts to(x, {1}), from(y, {1});
      const Tensor narrowIndex(sd::INT32, {2}, std::vector<int>{1, 1});
      const Tensor wideIndex(sd::INT64, {2}, std::vector<LongType>{1, 1});
      const Tensor& index = wide ? wideIndex : narrowIndex;
      scatterUpdate(nullptr, row.opCode, 2, x.memory(), to.info(), to.offsets(), nullptr, nullptr, nullptr, y.memory(),
                    from.info(), from.offsets(), nullptr, nullptr, nullptr, index.memory(), index.info, nullptr,
                    nullptr);
      EXPECT_NEAR(x.at<float>(2), row.expected[0], 1e-6) << row.opCode;
      EXPECT_NEAR(x.at<float>(3), row.expected[1], 1e-6) << row.opCode;
      EXPECT_EQ(x.at<float>(1), 2);
      EXPECT_EQ(x.at<float>(4), 5);
    }
  }
  const Tensor x(sd::FLOAT32, {3, 2}), y(sd::FLOAT32, {2, 2});
  const Parts to(x, {1}), from(y, {1});
  const Tensor negative(sd::INT32, {2}, std::vector<int>{1, -1}), one(sd::INT32, {1}), floats(sd::FLOAT32, {2});
  struct Bad {
    int opCode;
    const Tensor& index;
    const char* text;
  };
  for (const Bad& bad :
       {Bad{7, negative, "number 7"}, Bad{0, negative, "-1"}, Bad{0, one, "1 indices"}, Bad{0, floats, "INT32"}}) {
    scatterUpdate(nullptr, bad.opCode, 2, x.memory(), to.info(), to.offsets(), nullptr, nullptr, nullptr, y.memory(),
                  from.info(), from.offsets(), nullptr, nullptr, nullptr, bad.index.memory(), bad.index.info, nullptr,
                  nullptr);
    expectError(bad.text);
  }
}

TEST_F(NativeOpsMovingTests, RavelAndUnravel) {
  const Tensor c(sd::FLOAT32, {3, 4}), f(sd::FLOAT32, {3, 4}, 'f');
  LongType indices[] = {0, 0, 1, 2, 2, 3}, flat[3], back[6];
  ravelMultiIndex(nullptr, indices, flat, 3, c.info, 0);
  EXPECT_EQ(std::vector<LongType>(flat, flat + 3), (std::vector<LongType>{0, 6, 11}));
  unravelIndex(nullptr, back, flat, 3, c.info);
  EXPECT_EQ(std::vector<LongType>(back, back + 6), std::vector<LongType>(indices, indices + 6));
  ravelMultiIndex(nullptr, indices, flat, 3, f.info, 0);
  EXPECT_EQ(std::vector<LongType>(flat, flat + 3), (std::vector<LongType>{0, 7, 11}));
  unravelIndex(nullptr, back, flat, 3, f.info);
  EXPECT_EQ(std::vector<LongType>(back, back + 6), std::vector<LongType>(indices, indices + 6));

  LongType outside[] = {-1, 5};
  ravelMultiIndex(nullptr, outside, flat, 1, c.info, 1);
  EXPECT_EQ(flat[0], 2 * 4 + 1);
  ravelMultiIndex(nullptr, outside, flat, 1, c.info, 2);
  EXPECT_EQ(flat[0], 3);
  for (int mode : {0, 3, -1}) {
    ravelMultiIndex(nullptr, outside, flat, 1, c.info, mode);
    expectError("value -1 at [0, 0] is outside 0..2");
  }
  for (LongType bad : {LongType{12}, LongType{-1}}) {
    unravelIndex(nullptr, back, &bad, 1, c.info);
    expectError("value " + std::to_string(bad));
  }
  ravelMultiIndex(nullptr, nullptr, flat, 1, c.info, 0);
  expectError("null");
  ravelMultiIndex(nullptr, nullptr, nullptr, 0, c.info, 0);
}

TEST_F(NativeOpsMovingTests, InspectCountsAndMeasures) {
  struct Info {
    double minimum, maximum, mean, deviation;
    LongType zeros, positives, negatives, infinities, nans;
  } info;
  const Tensor x(sd::INT32, {2, 2}, std::vector<int>{-2, 0, 2, 4});
  inspectArray(nullptr, x.memory(), x.info, nullptr, nullptr, &info);
  EXPECT_EQ(info.minimum, -2);
  EXPECT_EQ(info.maximum, 4);
  EXPECT_EQ(info.mean, 1);
  EXPECT_NEAR(info.deviation, std::sqrt(5.), 1e-12);
  EXPECT_EQ(info.zeros, 1);
  EXPECT_EQ(info.positives, 2);
  EXPECT_EQ(info.negatives, 1);

  const float inf = std::numeric_limits<float>::infinity();
  const Tensor y(sd::FLOAT32, {4}, std::vector<float>{inf, -inf, std::nanf(""), 1e-6f});
  inspectArray(nullptr, y.memory(), y.info, nullptr, nullptr, &info);
  EXPECT_EQ(info.infinities, 2);
  EXPECT_EQ(info.nans, 1);
  EXPECT_EQ(info.zeros, 1);

  const Tensor one(sd::DOUBLE, {}, std::vector<double>{7});
  inspectArray(nullptr, one.memory(), one.info, nullptr, nullptr, &info);
  EXPECT_EQ(info.minimum, 7);
  EXPECT_EQ(info.maximum, 7);
  EXPECT_EQ(info.mean, 7);
  EXPECT_EQ(info.deviation, 7);
  inspectArray(nullptr, one.memory(), one.info, nullptr, nullptr, nullptr);
  expectError("debugInfo");
}

TEST_F(NativeOpsMovingTests, ConvertTypesIsExact) {
  const double doubles[] = {-1.5, 0.25, 16777217};
  float floats[3];
  int16_t shorts[] = {-3, 7, 32767}, copies[3];
  double back[3];
  convertTypes(nullptr, 7, const_cast<double*>(doubles), 3, 6, floats);
  EXPECT_EQ(floats[0], -1.5f);
  EXPECT_EQ(floats[2], 16777216.f);
  convertTypes(nullptr, 4, shorts, 3, 7, back);
  EXPECT_EQ(back[2], 32767);
  convertTypes(nullptr, 7, const_cast<double*>(doubles), 3, 7, back);
  EXPECT_EQ(back[2], 16777217);
  convertTypes(nullptr, 4, shorts, 3, 4, copies);
  EXPECT_EQ(copies[1], 7);
  for (auto [from, to] : {std::pair{0, 6}, {6, 119}, {1, 8}, {8, 8}, {-1, 6}}) {
    convertTypes(nullptr, from, shorts, 1, to, back);
    expectError("convertTypes");
  }
  convertTypes(nullptr, 4, shorts, -1, 7, back);
  expectError("-1");
  convertTypes(nullptr, 4, nullptr, 1, 7, back);
  expectError("x is null");
}

TEST_F(NativeOpsMovingTests, ThresholdCodeKeepsTheRest) {
  std::vector<float> x = {0.5f, 0.125f, -1, 0, -0.25f, 2}, restored(6, 0.f);
  const std::vector<float> given = x;
  const Tensor like(sd::FLOAT32, {6}), integers(sd::INT32, {6});
  EXPECT_EQ(estimateThreshold(nullptr, x.data(), like.info, 6, 0.25f), 4);
  EXPECT_EQ(estimateThreshold(nullptr, x.data(), integers.info, 6, 0.25f), 0);
  expectError("bad data type");

  std::vector<int32_t> code(4 + 5, 99);
  const float threshold = 0.25f;
  code[0] = 5;
  std::memcpy(&code[2], &threshold, sizeof(threshold));
  convertTypes(nullptr, 6, x.data(), 6, 8, code.data());
  EXPECT_EQ(code[1], 6);
  EXPECT_EQ(std::vector<int32_t>(code.begin() + 4, code.end()), (std::vector<int32_t>{1, -3, -5, 6, 0}));
  EXPECT_EQ(x, (std::vector<float>{0.25f, 0.125f, -0.75f, 0, 0, 1.75f}));
  convertTypes(nullptr, 8, code.data(), 6, 6, restored.data());
  for (size_t i = 0; i < 6; i++) EXPECT_EQ(x[i] + restored[i], given[i]) << i;

  code[0] = 1;  // encodes the first element only
  convertTypes(nullptr, 6, x.data(), 6, 8, code.data());
  EXPECT_EQ(code[4], 1);
  EXPECT_EQ(x[5], 1.75f);

  const std::vector<float> before = restored;
  for (int32_t bad : {7, -7, std::numeric_limits<int32_t>::min()}) {
    code[4] = bad;
    convertTypes(nullptr, 8, code.data(), 6, 6, restored.data());
    expectError("there are 6 elements");
  }
  code[0] = -1;
  convertTypes(nullptr, 8, code.data(), 6, 6, restored.data());
  expectError("capacity");
  EXPECT_EQ(restored, before);
}

TEST_F(NativeOpsMovingTests, AggregatesAreRefused) {
  execAggregate(nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0, nullptr, 0, sd::FLOAT32);
  expectError("[execAggregate]");
  execAggregateBatch(nullptr, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, sd::FLOAT32);
  expectError("[execAggregateBatch]");
  batchExecutor(nullptr, 0, 0, 0, 0, 0, 0, 0, 0, nullptr, sd::FLOAT32);
  expectError("[batchExecutor]");
}
