// .npy files: NumPy's files can be read, written files equal NumPy's, and damaged files are errors.
// tests_cpu/data/npy/make.py made the files.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include <cnpy/cnpy.h>

#include "NpyTestTools.h"
#include "cnpy/Npy.h"
#include "cnpy/NpyHeader.h"

namespace {

using namespace sd;
using namespace test;

/// The values of make.py, in the order of the file.
template <typename T>
std::vector<char> expected(bool fortran) {
  constexpr bool FLOAT = std::is_floating_point_v<T>;
  using Limits = std::numeric_limits<T>;
  const std::vector<T> c =
      FLOAT ? std::vector<T>{-Limits::infinity(), T(-1.5), T(-0.), T(0.25), T(65504. * FLOAT), Limits::infinity()}
            : std::vector<T>{Limits::min(), Limits::max(), 0, 1, 2, 100};
  return bytesOf(fortran ? std::vector<T>{c[0], c[3], c[1], c[4], c[2], c[5]} : c);
}

std::vector<char> expectedHalf(bool fortran) {
  return fortran ? bytesOf<uint16_t>({0xfc00, 0x3400, 0xbe00, 0x7bff, 0x8000, 0x7c00})
                 : bytesOf<uint16_t>({0xfc00, 0xbe00, 0x8000, 0x3400, 0x7bff, 0x7c00});
}

std::vector<char> expectedBool(bool fortran) {
  return fortran ? std::vector<char>{1, 1, 0, 0, 1, 0} : std::vector<char>{1, 0, 1, 1, 0, 0};
}

struct TypeCase {
  const char* name;
  DataType dtype;
  std::vector<char> (*values)(bool fortran);
};

const TypeCase TYPES[] = {
    {"b1", DataType::BOOL, expectedBool},         {"i1", DataType::INT8, expected<int8_t>},
    {"u1", DataType::UINT8, expected<uint8_t>},   {"i2", DataType::INT16, expected<int16_t>},
    {"i4", DataType::INT32, expected<int32_t>},   {"i8", DataType::INT64, expected<int64_t>},
    {"u2", DataType::UINT16, expected<uint16_t>}, {"u4", DataType::UINT32, expected<uint32_t>},
    {"u8", DataType::UINT64, expected<uint64_t>}, {"f2", DataType::HALF, expectedHalf},
    {"f4", DataType::FLOAT32, expected<float>},   {"f8", DataType::DOUBLE, expected<double>},
};

TEST(Npy, ReadsEveryTypeOrderAndByteOrder) {
  for (const TypeCase& type : TYPES)
    for (const std::string layout : {"c", "f", "big"}) {
      const fs::path file = NPY_DATA / (layout + "_" + type.name + ".npy");
      if (layout != "c" && npy::itemSizeOf(type.dtype) == 1) continue;
      SCOPED_TRACE(file);
      const npy::Array array = npy::load(file.string());
      EXPECT_EQ(array.dtype, type.dtype);
      EXPECT_EQ(array.order, layout == "f" ? 'f' : 'c');
      EXPECT_EQ(array.dims, (std::vector<LongType>{2, 3}));
      EXPECT_EQ(array.bytes, type.values(layout == "f"));
    }
}

TEST(Npy, WritesTheBytesThatNumPyWrites) {
  TemporaryFile out(".npy");
  for (const TypeCase& type : TYPES)
    for (const char order : {'c', 'f'}) {
      const fs::path file = NPY_DATA / (std::string(1, order) + "_" + type.name + ".npy");
      if (!fs::exists(file)) continue;
      SCOPED_TRACE(file);
      npy::save(out.path, type.dtype, order, {2, 3}, type.values(order == 'f').data());
      EXPECT_EQ(contentOf(out.path), contentOf(file));
    }
}

TEST(Npy, ReadsShapesAndVersions) {
  const struct {
    const char* file;
    std::vector<LongType> dims;
    size_t bytes;
  } cases[] = {{"scalar.npy", {}, 4},        {"empty1.npy", {0}, 0},       {"empty3.npy", {2, 0, 3}, 0},
               {"version2.npy", {2, 3}, 24}, {"version3.npy", {2, 3}, 24}, {"bfloat16.npy", {3}, 6}};
  for (const auto& [file, dims, bytes] : cases) {
    SCOPED_TRACE(file);
    const npy::Array array = npy::load((NPY_DATA / file).string());
    EXPECT_EQ(array.dims, dims);
    EXPECT_EQ(array.bytes.size(), bytes);
    if (bytes == 24) {
      EXPECT_EQ(array.bytes, expected<int32_t>(false));
    }
  }
  EXPECT_EQ(npy::load((NPY_DATA / "scalar.npy").string()).bytes, bytesOf<int32_t>({7}));
  const npy::Array halves = npy::load((NPY_DATA / "bfloat16.npy").string());
  EXPECT_EQ(halves.dtype, DataType::BFLOAT16);
  EXPECT_EQ(halves.bytes, bytesOf<uint16_t>({0x3F80, 0xBFC0, 0x7F80}));
}

TEST(Npy, WritesShapes) {
  TemporaryFile out(".npy");
  const float values[] = {1, 2, 3, 4, 5, 6};
  const struct {
    char order;
    std::vector<LongType> dims;
    const char* text;
  } cases[] = {
      {'c', {}, "'fortran_order': False, 'shape': (), }"},
      {'c', {3}, "'fortran_order': False, 'shape': (3,), }"},
      {'c', {1, 2, 3}, "'fortran_order': False, 'shape': (1, 2, 3), }"},
      {'f', {2, 3}, "'fortran_order': True, 'shape': (2, 3), }"},
      {'f', {6}, "'fortran_order': False, 'shape': (6,), }"},  // contiguous in both orders: 'c', as in NumPy
      {'f', {1, 6, 1}, "'fortran_order': False, 'shape': (1, 6, 1), }"},
      {'f', {2, 0}, "'fortran_order': False, 'shape': (2, 0), }"},
  };
  for (const auto& [order, dims, text] : cases) {
    SCOPED_TRACE(text);
    npy::save(out.path, DataType::FLOAT32, order, dims, values);
    const std::string content = contentOf(out.path);
    EXPECT_NE(content.find(std::string("{'descr': '<f4', ") + text), std::string::npos) << content;
    const size_t header = 10 + static_cast<unsigned char>(content[8]) + 256 * static_cast<unsigned char>(content[9]);
    EXPECT_EQ(header % 64, 0u);
    EXPECT_EQ(content[header - 1], '\n');
    EXPECT_EQ(npy::load(out.path).dims, dims);
  }
  const uint16_t halves[] = {0x3F80};
  npy::save(out.path, DataType::BFLOAT16, 'c', {1}, halves);
  EXPECT_NE(contentOf(out.path).find("'<V2'"), std::string::npos);
  EXPECT_EQ(npy::load(out.path).dtype, DataType::BFLOAT16);
}

/// A version 1 file with any header text.
std::string fileOf(std::string_view dict, size_t dataBytes = 0) {
  std::string file("\x93NUMPY\x01\x00", 8);
  file += char(dict.size() & 255);
  file += char(dict.size() >> 8);
  return file + std::string(dict) + std::string(dataBytes, '\1');
}

TEST(Npy, AcceptsWhatNumPyAccepts) {
  TemporaryFile in(".npy");
  const std::string_view dicts[] = {
      "{'shape': (2, 3), 'descr': '<i4', 'fortran_order': False}",    // any order of keys, no trailing comma
      "{\"descr\":\"<i4\",\"fortran_order\":False,\"shape\":(2,3)}",  // other quotes, no spaces
      " { 'descr' : '=i4' , 'fortran_order' : False , 'shape' : (2L , 3L,) , } \n\n",  // Python 2, native byte order
      "{'descr': '|i4', 'fortran_order': False, 'shape': (2, 3), }\n",
      "{'descr': 'i4', 'fortran_order': False, 'shape': (2, 3), }\n",
  };
  for (const std::string_view dict : dicts) {
    SCOPED_TRACE(dict);
    write(in.path, fileOf(dict, 24));
    const npy::Array array = npy::load(in.path);
    EXPECT_EQ(array.dtype, DataType::INT32);
    EXPECT_EQ(array.dims, (std::vector<LongType>{2, 3}));
  }
  write(in.path, fileOf("{'descr': '<i4', 'fortran_order': False, 'shape': (2,), }", 100));  // extra bytes at the end
  EXPECT_EQ(npy::load(in.path).bytes.size(), 8u);
  write(in.path, fileOf("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }") + "\x02\xff");
  EXPECT_EQ(npy::load(in.path).bytes, (std::vector<char>{1, 1}));  // a bool becomes 0 or 1, whatever the file contains
}

std::string errorOf(const std::string& file) {
  try {
    npy::load(file);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Npy, DamagedFilesAreErrorsThatSayWhatIsWrong) {
  TemporaryFile in(".npy");
  const struct {
    std::string content;
    const char* message;
  } cases[] = {
      {"", "not a .npy file"},
      {"\x93NUMP", "not a .npy file"},
      {"PK\3\4 something else", "not a .npy file"},
      {"\x93NUMPY\x01", "truncated in the header, after 7 bytes"},
      {std::string("\x93NUMPY\x04\x00\x76\x00", 10), "format version 4 is not supported"},
      {std::string("\x93NUMPY\x02\x00\x76\x00", 10), "truncated in the header, after 10 bytes"},
      {std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), "the header claims 4294967295 characters"},
      {std::string("\x93NUMPY\x01\x00\xff\xff{", 11), "truncated in the header, after 11 of 65545 bytes"},
      {fileOf(""), "'{' is missing"},
      {fileOf("[1, 2]"), "'{' is missing"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), "), "is missing at character"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x"), "text after the closing"},
      {fileOf("{'descr': '<f4', 'fortran_order': False}"), "the key 'shape' is missing"},
      {fileOf("{'descr': '<f4', 'shape': ()}"), "the key 'fortran_order' is missing"},
      {fileOf("{'fortran_order': False, 'shape': ()}"), "the key 'descr' is missing"},
      {fileOf("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}"), "'descr' appears twice"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}"), "'x' is not allowed"},
      {fileOf("{'descr': '<f4', 'fortran_order': 0, 'shape': ()}"), "neither True nor False"},
      {fileOf("{'descr': <f4, 'fortran_order': False, 'shape': ()}"), "a string is missing at character"},
      {fileOf("{'descr': '<f4, 'fortran_order'"), "element type '<f4, '"},
      {fileOf("{'descr': '<f4"), "a string is not closed"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}", 8), "a number, not a tuple"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': 2}", 8), "'(' is missing"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "negative: -1"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (a,)}"), "not an integer"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"), "does not fit 64 bits"},
      {fileOf("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 4)}"), "overflows"},
      {fileOf("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4611686018427387904, 4)}"), "overflows"},
      {fileOf("{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,)}"), "needs 8000000000000 bytes"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", 7), "needs 8 bytes, but there are 7"},
      {fileOf("{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::string(66, '1') + ",)}"), "64 bits"},
      {fileOf("{'descr': '<f3', 'fortran_order': False, 'shape': ()}"), "element type '<f3'"},
      {fileOf("{'descr': '<i', 'fortran_order': False, 'shape': ()}"), "element type '<i'"},
      {fileOf("{'descr': '', 'fortran_order': False, 'shape': ()}"), "element type ''"},
      {fileOf("{'descr': '<V3', 'fortran_order': False, 'shape': ()}"), "records or raw bytes"},
      {fileOf("{'descr': '<f4\x1b[31m', 'fortran_order': False, 'shape': ()}"), "'<f4?[31m'"},
  };
  for (const auto& [content, message] : cases) {
    write(in.path, content);
    const std::string error = errorOf(in.path);
    EXPECT_NE(error.find(message), std::string::npos) << error << "\n  expected: " << message;
    EXPECT_NE(error.find(in.path), std::string::npos) << error;
  }
  std::string many = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
  for (int i = 0; i < 33; ++i) many += "1, ";
  write(in.path, fileOf(many + ")}", 4));
  EXPECT_NE(errorOf(in.path).find("more than 32 dimensions"), std::string::npos);
}

TEST(Npy, TypesThatArraysCannotHoldAreErrors) {
  for (const auto& [file, message] :
       {std::pair("long_complex.npy", "'<c32' cannot be held by an NDArray (complex numbers of this size)"),
        {"text.npy", "'<U1' cannot be held by an NDArray (text)"},
        {"records.npy", "the elements are records"},
        {"objects.npy", "'|O' cannot be held by an NDArray (Python objects)"}}) {
    const std::string error = errorOf((NPY_DATA / file).string());
    EXPECT_NE(error.find(message), std::string::npos) << error;
  }
  TemporaryFile out(".npy");
  for (const DataType dtype : {DataType::UTF8, DataType::INHERIT, DataType(77)})
    EXPECT_THROW(npy::save(out.path, dtype, 'c', {1}, "text"), std::runtime_error) << dtype;
  EXPECT_FALSE(fs::exists(out.path));
}

TEST(Npy, EveryTruncationIsAnError) {
  TemporaryFile in(".npy");
  const std::string whole = contentOf(NPY_DATA / "c_f8.npy");
  write(in.path, whole);
  for (size_t size = whole.size(); size-- > 0;) {
    fs::resize_file(in.path, size);
    EXPECT_THROW(npy::load(in.path), std::runtime_error) << size;
  }
}

TEST(Npy, EveryDamagedByteIsAnErrorOrAnArray) {
  TemporaryFile in(".npy");
  const std::string whole = contentOf(NPY_DATA / "c_f8.npy");
  write(in.path, whole);
  int errors = 0;
  for (size_t at = 0; at < 128; ++at) {
    for (const char c : {'\0', '\xff', '9', '(', '\''}) {
      overwrite(in.path, at, c);
      try {
        const npy::Array array = npy::load(in.path);
        size_t bytes = npy::itemSizeOf(array.dtype);
        for (const LongType dim : array.dims) bytes *= size_t(dim);
        EXPECT_EQ(array.bytes.size(), bytes) << at;
      } catch (const std::runtime_error&) {
        ++errors;
      }
    }
    overwrite(in.path, at, whole[at]);
  }
  EXPECT_GT(errors, 400);
}

TEST(Npy, FilesThatAreNotThereOrCannotBeWritten) {
  EXPECT_NE(errorOf("no/such/file.npy").find("'no/such/file.npy': there is no such file"), std::string::npos);
  EXPECT_NE(errorOf(NPY_DATA.string()).find("not a regular file"), std::string::npos);
  const float value = 1;
  EXPECT_THROW(npy::save("no/such/folder/x.npy", DataType::FLOAT32, 'c', {1}, &value), std::runtime_error);
  TemporaryFile out(".npy");
  EXPECT_THROW(npy::save(out.path, DataType::FLOAT32, 'x', {1}, &value), std::runtime_error);
  EXPECT_THROW(npy::save(out.path, DataType::FLOAT32, 'c', {-1}, &value), std::runtime_error);
  EXPECT_THROW(npy::save(out.path, DataType::FLOAT32, 'c', {1}, nullptr), std::runtime_error);
  EXPECT_THROW(npy::save(out.path, DataType::FLOAT32, 'c', std::vector<LongType>(33, 1), &value), std::runtime_error);
  EXPECT_FALSE(fs::exists(out.path));
  if (fs::exists("/dev/full")) {
    EXPECT_THROW(npy::save("/dev/full", DataType::FLOAT32, 'c', {1}, &value), std::runtime_error);
  }
}

TEST(Cnpy, SavesAppendsAndLoads) {
  TemporaryFile file(".npy");
  const float values[] = {1.5f, -2.f, 3.25f, 4.f, 5.f, -6.75f};
  const unsigned int shape[] = {2, 3}, one[] = {1, 3}, other[] = {1, 2};
  cnpy::npy_save<float>(file.path, values, shape, 2);
  cnpy::NpyArray array = cnpy::npyLoad(file.path);
  EXPECT_EQ(array.shape, (std::vector<unsigned int>{2, 3}));
  EXPECT_EQ(array.wordSize, 4u);
  EXPECT_FALSE(array.fortranOrder);
  EXPECT_EQ(0, std::memcmp(array.data, values, sizeof(values)));
  array.destruct();
  EXPECT_EQ(array.data, nullptr);

  cnpy::npy_save<float>(file.path, values + 3, one, 2, "a");
  const npy::Array grown = npy::load(file.path);
  EXPECT_EQ(grown.dims, (std::vector<LongType>{3, 3}));
  EXPECT_EQ(grown.bytes, bytesOf<float>({1.5f, -2.f, 3.25f, 4.f, 5.f, -6.75f, 4.f, 5.f, -6.75f}));
  const double wrong[] = {1, 2, 3};
  EXPECT_THROW(cnpy::npy_save<double>(file.path, wrong, one, 2, "a"), std::runtime_error);
  EXPECT_THROW(cnpy::npy_save<float>(file.path, values, other, 2, "a"), std::runtime_error);
  EXPECT_THROW(cnpy::npy_save<float>(file.path, values, shape, 2, "x"), std::runtime_error);
  EXPECT_EQ(npy::load(file.path).dims, grown.dims);
}

TEST(Cnpy, ReadsHeadersInMemory) {
  std::string content = contentOf(NPY_DATA / "f_i8.npy");
  unsigned int wordSize = 0, rank = 0, *shape = nullptr;
  bool fortran = false;
  cnpy::parseNpyHeaderPointer(content.data(), wordSize, shape, rank, fortran);
  EXPECT_EQ(wordSize, 8u);
  EXPECT_TRUE(fortran);
  ASSERT_EQ(rank, 2u);
  EXPECT_EQ(std::vector<unsigned int>(shape, shape + 2), (std::vector<unsigned int>{2, 3}));
  delete[] shape;
  EXPECT_EQ(cnpy::dataTypeFromHeader(content.data()), DataType::INT64);
  const cnpy::NpyArray array = cnpy::loadNpyFromPointer(content.data());
  EXPECT_EQ(array.data, content.data() + 128);
  EXPECT_TRUE(array.fortranOrder);
  std::string swapped = contentOf(NPY_DATA / "big_i4.npy");
  EXPECT_THROW(cnpy::loadNpyFromPointer(swapped.data()), std::runtime_error);
  std::string none("\x93NUMPX");
  EXPECT_THROW(cnpy::dataTypeFromHeader(none.data()), std::runtime_error);
  EXPECT_THROW(cnpy::dataTypeFromHeader(nullptr), std::runtime_error);
  const unsigned int dims[] = {2, 3};
  const auto header = cnpy::createNpyHeader<int64_t>(nullptr, dims, 2);
  EXPECT_EQ(std::string(header.begin(), header.end()), contentOf(NPY_DATA / "c_i8.npy").substr(0, 128));
  EXPECT_EQ(cnpy::mapType<float>(), 'f');
  EXPECT_EQ(cnpy::mapType<unsigned char>(), 'u');
}

}  // namespace
