// Sharing arrays with other libraries in both directions; arrays in files.
#include <array/DLPack.h>
#include <array/NDArrayFile.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::layoutsOf;

namespace {

// A tensor of six floats that another library owns.
struct Foreign {
  float values[6] = {1, 2, 3, 4, 5, 6};
  int64_t shape[2] = {2, 3}, strides[2] = {3, 1};
  int deleted = 0;
  DLManagedTensor managed{};

  Foreign() {
    managed.dl_tensor = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor* self) { static_cast<Foreign*>(self->manager_ctx)->deleted++; };
  }
};

}  // namespace

TEST(DLPackTests, ExportedArraysShareTheirBuffer) {
  for (auto& x : layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32)) {
    DLManagedTensor* managed = toDLPack(x);
    const DLTensor& tensor = managed->dl_tensor;
    EXPECT_EQ(tensor.ndim, 2);
    EXPECT_EQ(tensor.device.device_type, kDLCPU);
    EXPECT_EQ(tensor.dtype.code, kDLFloat);
    EXPECT_EQ(tensor.dtype.bits, 32);
    EXPECT_EQ(tensor.dtype.lanes, 1);
    EXPECT_EQ(tensor.byte_offset, 0u);
    auto* data = static_cast<float*>(tensor.data);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++) EXPECT_EQ(data[i * tensor.strides[0] + j * tensor.strides[1]], 3 * i + j + 1);
    data[tensor.strides[0]] = 40;
    EXPECT_EQ(x.e<float>(1, 0), 40);
    x = NDArray('c', {1}, INT8);  // the tensor outlives the array
    EXPECT_EQ(data[tensor.strides[1]], 2);
    managed->deleter(managed);
  }
}

TEST(DLPackTests, EveryTypeGoesThereAndBack) {
  for (DataType type :
       {BOOL, HALF, BFLOAT16, FLOAT32, DOUBLE, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64})
    for (auto& x : layoutsOf({2, 2}, {1, 0, 1, 1}, type)) {
      const NDArray back = fromDLPack(toDLPack(x));
      EXPECT_EQ(back.dataType(), type);
      EXPECT_EQ(back.buffer(), x.buffer());
      EXPECT_TRUE(back.equalsTo(x));
    }
  const NDArray scalar = fromDLPack(toDLPack(NDArray('c', {}, {7}, INT32)));
  expectArray(scalar, {}, {7});
  EXPECT_TRUE(fromDLPack(toDLPack(NDArray('c', {2, 0}, INT32))).isSameShape({2, 0}));
}

TEST(DLPackTests, ImportedTensorsAreGivenBackOnceWithTheLastArray) {
  Foreign foreign;
  {
    NDArray x = fromDLPack(&foreign.managed);
    expectArray(x, {2, 3}, {1, 2, 3, 4, 5, 6});
    const NDArray row = x({1, 2, 0, 0});
    x = NDArray('c', {1}, INT8);
    expectArray(row, {3}, {4, 5, 6});
    EXPECT_EQ(foreign.deleted, 0);
  }
  EXPECT_EQ(foreign.deleted, 1);
}

TEST(DLPackTests, StridesOfEverySign) {
  struct {
    int64_t strides[2];
    int first;
    std::vector<double> expected;
  } const rows[] = {{{3, 1}, 0, {1, 2, 3, 4, 5, 6}},  {{-3, 1}, 3, {4, 5, 6, 1, 2, 3}},
                    {{3, -1}, 2, {3, 2, 1, 6, 5, 4}}, {{-3, -1}, 5, {6, 5, 4, 3, 2, 1}},
                    {{1, 2}, 0, {1, 3, 5, 2, 4, 6}},  {{0, 1}, 1, {2, 3, 4, 2, 3, 4}}};
  for (const auto& row : rows) {
    Foreign foreign;
    std::copy_n(row.strides, 2, foreign.strides);
    foreign.managed.dl_tensor.byte_offset = sizeof(float) * row.first;
    const NDArray x = fromDLPack(&foreign.managed);
    expectArray(x, {2, 3}, row.expected);
    expectArray(x * 2.f, {2, 3}, [&] {
      std::vector<double> doubled;
      for (double v : row.expected) doubled.push_back(2 * v);
      return doubled;
    }());
    double sum = 0;
    for (double v : row.expected) sum += v;
    EXPECT_EQ(x.sumNumber().e<double>(0), sum);
    expectArray(x.dup('f'), {2, 3}, row.expected);
  }
  Foreign compact;
  compact.managed.dl_tensor.strides = nullptr;
  expectArray(fromDLPack(&compact.managed), {2, 3}, {1, 2, 3, 4, 5, 6});
}

TEST(DLPackTests, WhatArraysCannotBeIsRefused) {
  struct {
    const char* what;
    void (*change)(DLTensor&);
  } const rows[] = {{"device", [](DLTensor& t) { t.device.device_type = kDLCUDA; }},
                    {"complex",
                     [](DLTensor& t) {
                       t.dtype = {kDLComplex, 32, 1};
                     }},
                    {"bits", [](DLTensor& t) { t.dtype.bits = 4; }},
                    {"lanes", [](DLTensor& t) { t.dtype.lanes = 2; }},
                    {"rank", [](DLTensor& t) { t.ndim = 33; }},
                    {"negative rank", [](DLTensor& t) { t.ndim = -1; }},
                    {"no shape", [](DLTensor& t) { t.shape = nullptr; }},
                    {"no data", [](DLTensor& t) { t.data = nullptr; }},
                    {"negative size", [](DLTensor& t) { t.shape[0] = -2; }},
                    {"too large", [](DLTensor& t) { t.shape[0] = t.shape[1] = INT64_MAX / 2; }},
                    {"stride", [](DLTensor& t) { t.strides[1] = INT64_MAX / 2 + 1; }},
                    {"stride", [](DLTensor& t) { t.strides[1] = INT64_MAX / 4; }},  // as many bytes do not fit
                    {"alignment", [](DLTensor& t) { t.byte_offset = 1; }}};
  for (const auto& row : rows) {
    Foreign foreign;
    row.change(foreign.managed.dl_tensor);
    EXPECT_THROW(fromDLPack(&foreign.managed), std::runtime_error) << row.what;
    EXPECT_EQ(foreign.deleted, 0) << row.what;
  }
  EXPECT_THROW(fromDLPack(nullptr), std::runtime_error);
  EXPECT_THROW(toDLPack(NDArray("text")), std::runtime_error);
  EXPECT_THROW(toDLPack(NDArray()), std::runtime_error);
  memory::Workspace workspace(1 << 12);
  LaunchContext context;
  context.setWorkspace(&workspace);
  EXPECT_THROW(toDLPack(NDArray('c', {2}, FLOAT32, &context)), std::runtime_error);
}

TEST(NDArrayFileTests, ArraysComeBackFromFiles) {
  const std::string npy = ::testing::TempDir() + "ndarray_file.npy", npz = ::testing::TempDir() + "ndarray_file.npz";
  std::map<std::string, NDArray> all;
  int number = 0;
  for (DataType type : {BOOL, HALF, FLOAT32, DOUBLE, INT8, INT64, UINT16})
    for (auto& x : layoutsOf({2, 3}, {1, 0, 1, 1, 0, 0}, type)) {
      saveNpy(x, npy);
      const NDArray back = loadNpy(npy);
      EXPECT_EQ(back.dataType(), type);
      EXPECT_TRUE(back.equalsTo(x));
      all.emplace("array" + std::to_string(number++), x);
    }
  all.emplace("scalar", NDArray('c', {}, {2.5}, DOUBLE));
  all.emplace("empty", NDArray('c', {0, 2}, FLOAT32));
  saveNpz(all, npz);
  const auto loaded = loadNpz(npz);
  ASSERT_EQ(loaded.size(), all.size());
  for (const auto& [name, x] : all) EXPECT_TRUE(loaded.at(name).equalsTo(x) && loaded.at(name).isSameShape(x)) << name;
  expectArray(loadNpz(npz, "scalar"), {}, {2.5});
  EXPECT_THROW(loadNpz(npz, "missing"), std::runtime_error);
  EXPECT_THROW(loadNpy(npz + ".missing"), std::runtime_error);
  EXPECT_THROW(saveNpy(NDArray("text"), npy), std::runtime_error);
  EXPECT_THROW(saveNpy(NDArray('c', {2}, FLOAT32), "/nonexistent/folder/x.npy"), std::runtime_error);
  std::remove(npy.c_str());
  std::remove(npz.c_str());
}
