// The NumPy functions of the C interface: ownership, header fields, stored errors.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <memory>

#include <array/ArrayOptions.h>
#include <execution/LaunchContext.h>
#include <helpers/ConstantShapeHelper.h>
#include <helpers/shape.h>
#include <legacy/NativeOpsNumpy.h>

#include "NpyTestTools.h"
#include "cnpy/Npy.h"

namespace {

using namespace sd;
using namespace test;

std::string file(const char* name) { return (NPY_DATA / name).string(); }

/// The message of the last call if it failed, else "".
std::string storedError() {
  ErrorReference* error = LaunchContext::defaultContext()->errorReference();
  if (error->errorCode() == 0) return "";
  return error->errorMessage();  // this resets the code
}

const LongType* shapeInfo(DataType dtype, char order, const std::vector<LongType>& dims) {
  return ConstantShapeHelper::getInstance().createShapeInfo(dtype, order, dims);
}

Pointer opaque(const LongType* info) { return const_cast<LongType*>(info); }

TEST(NumpyAbi, ReadsAFileIntoMemory) {
  storedError();
  for (const char* name : {"c_f4.npy", "f_f4.npy", "big_f4.npy"}) {
    SCOPED_TRACE(name);
    const npy::Array expected = npy::load(file(name));
    Pointer bytes = numpyFromFile(file(name));
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(dataTypeFromNpyHeader(bytes), DataType::FLOAT32);
    EXPECT_EQ(elementSizeForNpyArray(bytes), 4);
    EXPECT_EQ(elementSizeForNpyArrayHeader(bytes), 4);
    EXPECT_EQ(0, std::memcmp(dataPointForNumpy(bytes), expected.bytes.data(), expected.bytes.size()));
    EXPECT_EQ(dataPointForNumpyHeader(bytes), dataPointForNumpy(bytes));
    // Interned, like the shape of any other array.
    EXPECT_EQ(shapeBufferForNumpy(bytes), opaque(shapeInfo(DataType::FLOAT32, expected.order, {2, 3})));
    auto copy = static_cast<LongType*>(shapeBufferForNumpyHeader(bytes));
    EXPECT_NE(copy, shapeBufferForNumpy(bytes));
    EXPECT_EQ(0, std::memcmp(copy, shapeBufferForNumpy(bytes), 8 * sizeof(LongType)));
    delete[] copy;

    Pointer made = loadNpyFromHeader(bytes);
    EXPECT_EQ(dataPointForNumpyStruct(made), dataPointForNumpy(bytes));
    EXPECT_EQ(getNpyArrayData(made), dataPointForNumpy(bytes));
    EXPECT_EQ(getNpyArrayRank(made), 2);
    EXPECT_EQ(getNpyArrayOrder(made), expected.order);
    EXPECT_EQ(getNpyArrayElemSize(made), 4);
    LongType* shape = getNpyArrayShape(made);
    EXPECT_EQ(shape[0], 2);
    EXPECT_EQ(shape[1], 3);
    delete[] shape;
    deleteNPArrayStruct(made);
    releaseNumpy(bytes);
    EXPECT_EQ(storedError(), "");
  }
}

TEST(NumpyAbi, TellsScalarsFromEmptyArrays) {
  const struct {
    const char* name;
    DataType dtype;
    std::vector<LongType> dims;
  } cases[] = {{"scalar.npy", DataType::INT32, {}},
               {"empty1.npy", DataType::FLOAT32, {0}},
               {"empty3.npy", DataType::FLOAT32, {2, 0, 3}}};
  for (const auto& [name, dtype, dims] : cases) {
    Pointer bytes = numpyFromFile(file(name));
    EXPECT_EQ(shapeBufferForNumpy(bytes), opaque(shapeInfo(dtype, 'c', dims))) << name;
    releaseNumpy(bytes);
  }
}

TEST(NumpyAbi, MakesShapeInfosOfShapes) {
  unsigned int dims[] = {2, 3, 4};
  const std::vector<LongType> inC = {3, 2, 3, 4, 12, 4, 1}, inFortran = {3, 2, 3, 4, 1, 2, 6};
  for (const bool fortran : {false, true}) {
    const std::unique_ptr<LongType[]> info(shape::shapeBufferOfNpy(3, dims, fortran));
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(std::vector<LongType>(info.get(), info.get() + 7), fortran ? inFortran : inC);
    EXPECT_EQ(ArrayOptions::dataType(info.get()), FLOAT32);
    EXPECT_EQ(shape::order(info.get()), fortran ? 'f' : 'c');
    EXPECT_EQ(shape::elementWiseStride(info.get()), 1);
  }
  const std::unique_ptr<LongType[]> scalar(shape::shapeBufferOfNpy(0, nullptr, false));
  EXPECT_EQ(shape::rank(scalar.get()), 0);
  for (const int rank : {-1, SD_MAX_RANK + 1}) {
    EXPECT_EQ(shape::shapeBufferOfNpy(rank, dims, false), nullptr);
    EXPECT_NE(storedError().find("[shapeBufferOfNpy] argument 'rank'"), std::string::npos);
  }
  EXPECT_EQ(shape::shapeBufferOfNpy(2, nullptr, true), nullptr);
  EXPECT_NE(storedError().find("'shape' is null"), std::string::npos);
}

TEST(NumpyAbi, MakesHeaders) {
  float values[6] = {1, 2, 3, 4, 5, 6};
  const struct {
    DataType dtype;
    char order;
    std::vector<LongType> dims;
    LongType wordSize;
    const char* text;
  } cases[] = {
      {DataType::FLOAT32, 'c', {2, 3}, 4, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"},
      {DataType::FLOAT32, 'f', {2, 3}, 4, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"},
      {DataType::FLOAT32, 'f', {3}, 4, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"},
      {DataType::DOUBLE, 'c', {}, 8, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }"},
      {DataType::BOOL, 'c', {1, 1}, 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (1, 1), }"},
      {DataType::UINT16, 'c', {5000000000}, 2, "{'descr': '<u2', 'fortran_order': False, 'shape': (5000000000,), }"},
      {DataType::BFLOAT16, 'c', {4}, 2, "{'descr': '<?2', 'fortran_order': False, 'shape': (4,), }"},
      {DataType::HALF, 'c', {2, 0}, 2, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 0), }"},
  };
  for (const auto& [dtype, order, dims, wordSize, text] : cases) {
    SCOPED_TRACE(text);
    LongType size = 0;
    const std::unique_ptr<char[]> header(
        static_cast<char*>(numpyHeaderForNd4j(values, opaque(shapeInfo(dtype, order, dims)), wordSize, &size)));
    ASSERT_NE(header, nullptr) << storedError();
    EXPECT_EQ(std::string(header.get() + 10).substr(0, std::strlen(text)), text);
    EXPECT_EQ((size - 1) % 64, 0);  // the trailing zero byte is counted
    EXPECT_EQ(header[size - 1], '\0');
    EXPECT_EQ(header[size - 2], '\n');
    EXPECT_EQ(dataTypeFromNpyHeader(header.get()), dtype);
  }
}

TEST(NumpyAbi, MakesWholeFiles) {
  float values[6] = {1, 2, 3, 4, 5, 6};
  for (const char order : {'c', 'f'}) {
    const std::unique_ptr<char[]> made(
        static_cast<char*>(numpyFromNd4j(values, opaque(shapeInfo(DataType::FLOAT32, order, {2, 3})), 4)));
    ASSERT_NE(made, nullptr);
    TemporaryFile saved(".npy");
    npy::save(saved.path, DataType::FLOAT32, order, {2, 3}, values);
    const std::string content = contentOf(saved.path);
    EXPECT_EQ(content, std::string_view(made.get(), content.size()));
  }
}

TEST(NumpyAbi, GoesThroughAnArchive) {
  void* map = mapFromNpzFile(file("stored.npz"));
  ASSERT_NE(map, nullptr);
  ASSERT_EQ(getNumNpyArraysInMap(map), 3);
  char name[256];
  std::memset(name, 'x', sizeof(name));
  const char* names[] = {"empty", "first", "second"};  // sorted
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(getNpyArrayNameFromMap(map, i, name), name);
    EXPECT_STREQ(name, names[i]);
  }
  void* second = getNpyArrayFromMap(map, 2);
  EXPECT_THROW(getNpyArrayFromMap(map, 3), std::runtime_error);
  EXPECT_THROW(getNpyArrayFromMap(map, -1), std::runtime_error);
  EXPECT_THROW(getNpyArrayNameFromMap(map, 3, name), std::runtime_error);
  EXPECT_THROW(getNpyArrayNameFromMap(map, 0, nullptr), std::runtime_error);
  deleteNPArrayMap(map);
  // The data lives as long as one of the structs does.
  EXPECT_EQ(getNpyArrayOrder(second), 'f');
  EXPECT_EQ(getNpyArrayElemSize(second), 8);
  EXPECT_EQ(static_cast<int64_t*>(getNpyArrayData(second))[5], 100);
  deleteNPArrayStruct(second);
}

TEST(NumpyAbi, FailuresAreStoredAndNothingIsReturned) {
  storedError();
  LongType view[] = {2, 2, 3, 6, 2, 8192, 0, 99};  // every second column of another array
  LongType size = 77;
  char nothing[] = "nothing";
  std::string swapped = contentOf(file("big_i4.npy")), complex = contentOf(file("long_complex.npy"));
  const Pointer matrix = opaque(shapeInfo(DataType::FLOAT32, 'c', {2, 3}));
  const struct {
    std::function<bool()> isEmpty;
    const char* message;
  } cases[] = {
      {[&] { return numpyFromFile("no/such.npy") == nullptr; }, "[numpyFromFile] [npy] 'no/such.npy'"},
      {[&] { return numpyFromFile(file("text.npy")) == nullptr; }, "'<U1'"},
      {[&] { return mapFromNpzFile("no/such.npz") == nullptr; }, "[mapFromNpzFile] [npz] 'no/such.npz'"},
      {[&] { return mapFromNpzFile(file("bzip2.npz")) == nullptr; }, "method 12"},
      {[&] { return dataTypeFromNpyHeader(nullptr) == 0; }, "[dataTypeFromNpyHeader]"},
      {[&] { return dataTypeFromNpyHeader(nothing) == 0; }, "not a .npy file"},
      {[&] { return dataTypeFromNpyHeader(complex.data()) == 0; }, "'<c32'"},
      {[&] { return dataTypeFromNpyHeader(swapped.data()) == 0; }, "other byte order"},
      {[&] { return shapeBufferForNumpy(nothing) == nullptr; }, "[shapeBufferForNumpy]"},
      {[&] { return shapeBufferForNumpyHeader(nothing) == nullptr; }, "[shapeBufferForNumpyHeader]"},
      {[&] { return dataPointForNumpy(nullptr) == nullptr; }, "[dataPointForNumpy]"},
      {[&] { return elementSizeForNpyArray(nullptr) == 0; }, "[elementSizeForNpyArray]"},
      {[&] { return loadNpyFromHeader(nothing) == nullptr; }, "[loadNpyFromHeader]"},
      {[&] { return dataPointForNumpyStruct(nullptr) == nullptr; }, "[dataPointForNumpyStruct]"},
      {[&] { return getNumNpyArraysInMap(nullptr) == 0; }, "[getNumNpyArraysInMap] argument 'map' is null"},
      {[&] { return getNpyArrayData(nullptr) == nullptr; }, "[getNpyArrayData] argument 'npArray' is null"},
      {[&] { return getNpyArrayRank(nullptr) == 0; }, "[getNpyArrayRank]"},
      {[&] { return getNpyArrayShape(nullptr) == nullptr; }, "[getNpyArrayShape]"},
      {[&] { return getNpyArrayOrder(nullptr) == 0; }, "[getNpyArrayOrder]"},
      {[&] { return getNpyArrayElemSize(nullptr) == 0; }, "[getNpyArrayElemSize]"},
      {[&] { return numpyHeaderForNd4j(nullptr, nullptr, 4, &size) == nullptr; }, "'shapeBuffer' is null"},
      {[&] { return numpyHeaderForNd4j(nullptr, view, 4, &size) == nullptr; }, "is not contiguous"},
      {[&] { return numpyHeaderForNd4j(nullptr, matrix, 0, &size) == nullptr; }, "argument 'wordSize'"},
      {[&] { return numpyFromNd4j(nullptr, matrix, 4) == nullptr; }, "argument 'data' is null"},
      {[&] { return numpyFromNd4j(nothing, matrix, 8) == nullptr; }, "is 8, but elements of this type have 4 bytes"},
      {[&] { return numpyFromNd4j(nothing, view, 4) == nullptr; }, "is not contiguous"},
  };
  for (const auto& [isEmpty, message] : cases) {
    EXPECT_TRUE(isEmpty()) << message;
    const std::string error = storedError();
    EXPECT_NE(error.find(message), std::string::npos) << error << "\n  expected: " << message;
  }
  EXPECT_EQ(size, 77);
  deleteNPArrayMap(nullptr);
  deleteNPArrayStruct(nullptr);
  releaseNumpy(nullptr);
}

}  // namespace
