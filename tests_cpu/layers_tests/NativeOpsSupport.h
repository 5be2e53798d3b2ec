// Helpers for tests of the C interface: a buffer with its shapeInfo, and the state of the last error.
#ifndef NDFORGE_TESTS_NATIVEOPSSUPPORT_H
#define NDFORGE_TESTS_NATIVEOPSSUPPORT_H

#include <gtest/gtest.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>

#include <string>
#include <vector>

namespace native {

/// Returns the message of the last error and clears it; "" when there is none.
inline std::string takeError() { return lastErrorCode() == 0 ? std::string() : std::string(lastErrorMessage()); }

/// A c-order array in the form that C callers use: DataBuffer handle and interned shapeInfo.
class Tensor {
 public:
  Tensor(sd::DataType type, std::vector<sd::LongType> dims, char order = 'c') {
    const int rank = static_cast<int>(dims.size());
    std::vector<sd::LongType> strides(dims.size() + 1);
    sd::LongType length = 1;
    for (sd::LongType dim : dims) length *= dim;
    if (order == 'c') {
      shape::calcStrides(dims.data(), rank, strides.data());
    } else {
      shape::calcStridesFortran(dims.data(), rank, strides.data());
    }
    _shape = shapeBuffer(rank, dims.data(), strides.data(), type, order, 1, length == 0);
    data = allocateDataBuffer(length, type, false);
    info = static_cast<sd::LongType*>(getConstantShapeBufferPrimary(_shape));
  }
  template <typename T>
  Tensor(sd::DataType type, std::vector<sd::LongType> dims, const std::vector<T>& values, char order = 'c')
      : Tensor(type, dims, order) {
    for (size_t i = 0; i < values.size(); i++) at<T>(static_cast<sd::LongType>(i)) = values[i];
  }
  ~Tensor() {
    deleteDataBuffer(data);
    deleteConstantShapeBuffer(_shape);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  void* memory() const { return dbPrimaryBuffer(data); }

  /// Element i, counted in c order.
  template <typename T>
  T& at(sd::LongType i) const {
    sd::LongType coords[SD_MAX_RANK];
    shape::index2coords(i, info, coords);
    return static_cast<T*>(memory())[shape::getOffset(info, coords)];
  }
  template <typename T>
  std::vector<T> values() const {
    std::vector<T> result;
    for (sd::LongType i = 0; i < shape::length(info); i++) result.push_back(at<T>(i));
    return result;
  }

  OpaqueDataBuffer* data;
  sd::LongType* info;

 private:
  OpaqueConstantShapeBuffer* _shape;
};

/// Each test begins and ends without a stored error.
class NativeTest : public testing::Test {
 protected:
  void SetUp() override { takeError(); }
  void TearDown() override { EXPECT_EQ(takeError(), ""); }
};

/// Expects that the last call has failed with a message that contains `text`.
inline void expectError(const std::string& text) {
  EXPECT_EQ(lastErrorCode(), 1);
  const std::string message = takeError();
  EXPECT_NE(message.find(text), std::string::npos) << "the message is: " << message;
  EXPECT_EQ(lastErrorCode(), 0);
}

}  // namespace native

#endif
