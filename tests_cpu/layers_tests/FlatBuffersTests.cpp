// Arrays in FlatBuffers: what is written comes back, in every type and layout, and damaged tables are refused.
#include <graph/FlatUtils.h>
#include <graph/generated/graph_generated.h>
#include <graph/generated/uigraphevents_generated.h>
#include <graph/generated/uigraphstatic_generated.h>
#include <gtest/gtest.h>
#include <helpers/BitwiseUtils.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"

using namespace sd;
using namespace sd::graph;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

using Bytes = std::vector<int8_t>;
using Slots = std::vector<int64_t>;

constexpr int64_t FLOAT_FLAG = 8192;

std::vector<DataType> storableTypes() {
  std::vector<DataType> types;
  for (int type = 0; type < 128; type++)
    if (ArrayOptions::isStorable(static_cast<DataType>(type))) types.push_back(static_cast<DataType>(type));
  return types;
}

graph::ByteOrder hostOrder() { return BitwiseUtils::isBE() ? graph::ByteOrder_BE : graph::ByteOrder_LE; }
graph::ByteOrder otherOrder() { return BitwiseUtils::isBE() ? graph::ByteOrder_LE : graph::ByteOrder_BE; }

// A table with these contents, in a buffer of its own.
struct Table {
  Table(const Slots& shape, const Bytes& bytes, int dtype, int order) {
    const auto slots = builder.CreateVector(shape);
    const auto buffer = builder.CreateVector(bytes);
    builder.Finish(
        CreateFlatArray(builder, slots, buffer, static_cast<DType>(dtype), static_cast<graph::ByteOrder>(order)));
  }
  explicit Table(const NDArray& array) { builder.Finish(FlatUtils::toFlatArray(builder, array)); }

  const FlatArray* flat() const { return GetFlatArray(builder.GetBufferPointer()); }
  std::unique_ptr<NDArray> read() const { return std::unique_ptr<NDArray>(FlatUtils::fromFlatArray(flat())); }

  flatbuffers::FlatBufferBuilder builder;
};

template <typename T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Bytes reversed(Bytes bytes, size_t unit) {
  for (size_t i = 0; i < bytes.size(); i += unit)
    std::reverse(bytes.begin() + static_cast<long>(i), bytes.begin() + static_cast<long>(i + unit));
  return bytes;
}

// Other bits in every byte, valid ones for BOOL.
void fillBytes(NDArray& array) {
  auto* bytes = array.bufferAsT<unsigned char>();
  const size_t size = static_cast<size_t>(array.lengthOf()) * array.sizeOfT();
  for (size_t i = 0; i < size; i++) bytes[i] = static_cast<unsigned char>(array.isB() ? i % 3 == 0 : i * 37 + 11);
}

}  // namespace

// ---- the format

TEST(FlatBuffersTests, FieldsHaveTheNumbersOfTheFormat) {
  const struct {
    int vtableOffset, number;
  } cases[] = {{FlatArray::VT_SHAPE, 0},
               {FlatArray::VT_BYTEORDER, 3},
               {LongTriple::VT_THIRD, 2},
               {IntPair::VT_SECOND, 1},
               {IntTriple::VT_THIRD, 2},
               {LongPair::VT_SECOND, 1},
               {FlatVariable::VT_NDARRAY, 4},
               {FlatVariable::VT_VARIABLETYPE, 6},
               {FlatVariable::VT_CONTROLDEPSFORVAR, 9},
               {FlatProperties::VT_A, 4},
               {FlatProperties::VT_SHAPE, 7},
               {FlatNode::VT_OPNUM, 3},
               {FlatNode::VT_INPUTPAIRED, 6},
               {FlatNode::VT_EXTRAPARAMS, 8},
               {FlatNode::VT_DIMENSIONS, 11},
               {FlatNode::VT_SCOPE_ID, 13},
               {FlatNode::VT_SCALAR, 18},
               {FlatNode::VT_EXTRASTRINGS, 23},
               {FlatConfiguration::VT_ID, 0},
               {FlatConfiguration::VT_DIRECTION, 7},
               {FlatInferenceRequest::VT_CONFIGURATION, 2},
               {FlatTiming::VT_TIMING, 2},
               {FlatResult::VT_TIMING, 2},
               {FlatResult::VT_FOOTPRINTBACKWARD, 4},
               {UpdaterState::VT_PARAMNAME, 0},
               {FlatGraph::VT_OUTPUTS, 3},
               {FlatGraph::VT_UPDATERSTATE, 8},
               {FlatDropRequest::VT_ID, 0},
               {FlatResponse::VT_STATUS, 0},
               {UIVariable::VT_CONSTANTVALUE, 12},
               {UIOp::VT_UILABELEXTRA, 5},
               {UIEvent::VT_PLUGIN, 8},
               {UISummaryStatistics::VT_COUNTINF, 9},
               {UIHistogram::VT_BINLABELS, 4},
               {UIHardwareState::VT_HOSTMEMORY, 1},
               {UIGraphStructure::VT_OPS, 4},
               {UISystemInfo::VT_PHYSICALCORES, 0},
               {FlatArrayList::VT_LIST, 0},
               {UIAddName::VT_NAME, 1},
               {FrameIteration::VT_ITERATION, 1},
               {UIStaticInfoRecord::VT_INFOTYPE, 0}};
  for (const auto& c : cases) EXPECT_EQ(4 + 2 * c.number, c.vtableOffset) << &c - cases;
}

TEST(FlatBuffersTests, EnumeratorsHaveTheNumbersOfTheFormat) {
  EXPECT_EQ(3, OpType_TRANSFORM_STRICT);
  EXPECT_EQ(10, OpType_SCALAR);
  EXPECT_EQ(14, OpType_PAIRWISE);
  EXPECT_EQ(21, OpType_CUSTOM);
  EXPECT_EQ(40, OpType_VARIABLE);
  EXPECT_EQ(119, OpType_LOGIC);
  EXPECT_EQ(4, graph::OutputMode_OPTIMIZED);
  EXPECT_EQ(3, VarType_PLACEHOLDER);
  EXPECT_EQ(3, LossReduce_MEAN_BY_NONZERO_WEIGHT_COUNT);
  EXPECT_EQ(8, UIEventType_HARDWARE_STATE);
  EXPECT_EQ(1, UIInfoType_SYTEM_INFO);
  EXPECT_STREQ("TRANSFORM_SAME", EnumNamesOpType()[OpType_TRANSFORM_SAME]);
  for (DataType type : storableTypes())
    EXPECT_STRNE("", EnumNameDType(static_cast<DType>(type))) << "a type of arrays has no number in files: " << type;
}

// ---- what is written comes back

TEST(FlatBuffersTests, EveryTypeOrderAndRankComesBack) {
  std::vector<std::vector<LongType>> shapes{
      {1}, {5}, {2, 3}, {3, 1, 2}, {1, 1}, {2, 3, 2, 2}, std::vector<LongType>(32, 1)};
  shapes.back()[7] = shapes.back()[30] = 3;
  int read = 0;
  for (DataType type : storableTypes()) {
    if (DataTypeUtils::isS(type)) continue;
    std::vector<NDArray> arrays{NDArray(type)};
    for (const auto& shape : shapes)
      for (char order : {'c', 'f'}) arrays.emplace_back(order, shape, type);
    for (NDArray& array : arrays) {
      fillBytes(array);
      const Table table(array);
      EXPECT_EQ(array.asByteVector(), Bytes(table.flat()->buffer()->begin(), table.flat()->buffer()->end()));
      EXPECT_EQ(hostOrder(), table.flat()->byteOrder());
      const auto back = table.read();
      ASSERT_TRUE(shape::equalsStrict(array.shapeInfo(), back->shapeInfo())) << array.getShapeAsVector().size();
      ASSERT_EQ(type, back->dataType());
      ASSERT_EQ(array.ordering(), back->ordering());
      ASSERT_EQ(0, std::memcmp(array.buffer(), back->buffer(), static_cast<size_t>(array.lengthOf()) * array.sizeOfT()))
          << type;
      read++;
    }
  }
  EXPECT_GE(read, 13 * 15);
}

TEST(FlatBuffersTests, ViewsAreWrittenWithoutGaps) {
  for (DataType type : {DOUBLE, FLOAT32, HALF, INT16, UINT8})
    for (const NDArray& array : nd_test::layoutsOf({2, 3}, {1, 2, 3, 4, 5, 6}, type)) {
      const Table table(array);
      EXPECT_EQ(6 * array.sizeOfT(), table.flat()->buffer()->size());
      const auto back = table.read();
      expectArray(*back, {2, 3}, {1, 2, 3, 4, 5, 6});
      EXPECT_EQ(array.ordering(), back->ordering());
      EXPECT_EQ(array.asByteVector(), back->asByteVector());
      EXPECT_FALSE(back->isView());
    }
}

TEST(FlatBuffersTests, EmptyArraysComeBack) {
  std::vector<NDArray> arrays{NDArray(FLOAT32, LaunchContext::defaultContext(), false)};
  for (const auto& shape : std::vector<std::vector<LongType>>{{0}, {2, 0, 3}, {0, 0}})
    for (char order : {'c', 'f'})
      for (DataType type : {INT64, BOOL, UTF8}) arrays.emplace_back(order, shape, type);
  for (const NDArray& array : arrays) {
    const Table table(array);
    const auto back = table.read();
    EXPECT_TRUE(back->isEmpty());
    EXPECT_EQ(array.getShapeAsVector(), back->getShapeAsVector());
    EXPECT_EQ(array.dataType(), back->dataType());
    EXPECT_EQ(array.ordering(), back->ordering());
  }
  // A 0 after dimensions whose product is too large.
  const int64_t large = int64_t(1) << 40;
  const auto zero = Table({3, large, large, 0, 0, 0, 0, FLOAT_FLAG | 8, 1, 'c'}, {}, DType_FLOAT, hostOrder()).read();
  EXPECT_EQ((std::vector<LongType>{large, large, 0}), zero->getShapeAsVector());
  EXPECT_TRUE(zero->isEmpty());
  // Marked as empty, although no dimension is 0; and without a buffer.
  flatbuffers::FlatBufferBuilder builder;
  const auto shape = builder.CreateVector(Slots{2, 2, 3, 3, 1, FLOAT_FLAG | 8, 1, 'c'});
  builder.Finish(CreateFlatArray(builder, shape, 0, DType_FLOAT));
  const std::unique_ptr<NDArray> marked(FlatUtils::fromFlatArray(GetFlatArray(builder.GetBufferPointer())));
  EXPECT_TRUE(marked->isEmpty());
  EXPECT_EQ(0, marked->rankOf());
  EXPECT_EQ(FLOAT32, marked->dataType());
}

TEST(FlatBuffersTests, StringsComeBack) {
  const std::vector<std::string> texts{"alpha", "", "\xD0\xB6\xE2\x82\xAC", "\xF0\x9F\x98\x80", "e", "f"};
  for (DataType type : {UTF8, UTF16, UTF32}) {
    std::vector<NDArray> arrays{NDArray(texts[2], type), NDArray("", type)};
    for (const auto& shape : std::vector<std::vector<LongType>>{{6}, {2, 3}, {3, 1, 2}})
      arrays.emplace_back(shape, texts, type);
    for (const NDArray& array : arrays) {
      const auto back = Table(array).read();
      EXPECT_EQ(type, back->dataType());
      EXPECT_EQ(array.getShapeAsVector(), back->getShapeAsVector());
      EXPECT_EQ(array.asByteVector(), back->asByteVector());
      for (LongType i = 0; i < array.lengthOf(); i++) EXPECT_EQ(array.e<std::string>(i), back->e<std::string>(i));
    }
  }
}

TEST(FlatBuffersTests, EveryTypeOfTheFormatIsReadOrRefusedByName) {
  int read = 0, refused = 0;
  for (const DType type : EnumValuesDType()) {
    const auto arrayType = static_cast<DataType>(type);
    if (ArrayOptions::isStorable(arrayType)) {
      const NDArray array =
          DataTypeUtils::isS(arrayType) ? NDArray("text", arrayType) : NDArray('c', {2, 2}, arrayType);
      EXPECT_EQ(Table(array).read()->dataType(), arrayType);
      read++;
      continue;
    }
    const Table table(Slots{1, 2, 1, 0, 1, 'c'}, Bytes(64), type, hostOrder());
    const std::string expected = std::string("type ") + std::to_string(type) + " (" + EnumNameDType(type) + ")";
    EXPECT_NE(messageOf<std::runtime_error>([&] { table.read(); }).find(expected), std::string::npos) << expected;
    refused++;
  }
  EXPECT_EQ(read, 18);
  EXPECT_EQ(refused, 5);  // INHERIT, FLOAT8, HALF2, QINT8, QINT16
}

TEST(FlatBuffersTests, BytesOfQuantizedArraysAreThoseOfTheirElements) {
  // The buffer says that it is smaller than the elements are.
  for (const DataType type : {HALF, FLOAT32, DOUBLE})
    for (const LongType length : {1, 7, 1000}) {
      NDArray array('c', {length}, type);
      array.linspace(1);
      const NDArray quantized = NDArray::quantize(array);
      EXPECT_EQ(quantized.asByteVector().size(), static_cast<size_t>(length) * array.sizeOfT());
      const NDArray copy(quantized), other = quantized.dup('f');
      EXPECT_EQ(copy.asByteVector().size(), static_cast<size_t>(length) * array.sizeOfT());
      EXPECT_EQ(other.asByteVector().size(), static_cast<size_t>(length) * array.sizeOfT());
    }
}

// ---- what other writers write

TEST(FlatBuffersTests, TheOtherByteOrderIsSwapped) {
  for (DataType type : storableTypes()) {
    if (DataTypeUtils::isS(type)) continue;
    NDArray array('c', {2, 3}, type);
    fillBytes(array);
    const Bytes swapped = reversed(array.asByteVector(), array.sizeOfT());
    const Slots slots = array.getShapeInfoAsFlatVector();
    const auto back = Table(slots, swapped, type, otherOrder()).read();
    EXPECT_EQ(array.asByteVector(), back->asByteVector()) << type;
  }
}

TEST(FlatBuffersTests, StringsInTheOtherByteOrderAreSwapped) {
  const std::vector<std::string> texts{"alpha", "", "\xD0\xB6"};
  for (DataType type : {UTF8, UTF16, UTF32}) {
    const NDArray array({3}, texts, type);
    const Bytes bytes = array.asByteVector();
    const size_t unit = type == UTF8 ? 1 : type == UTF16 ? 2 : 4;
    Bytes swapped = reversed(Bytes(bytes.begin(), bytes.begin() + 32), 8);
    const Bytes text = reversed(Bytes(bytes.begin() + 32, bytes.end()), unit);
    swapped.insert(swapped.end(), text.begin(), text.end());
    const Slots slots = array.getShapeInfoAsFlatVector();
    EXPECT_EQ(bytes, Table(slots, swapped, type, otherOrder()).read()->asByteVector()) << type;
    // The offsets in this machine's order, although the table names the other one.
    EXPECT_EQ(bytes, Table(slots, bytes, type, otherOrder()).read()->asByteVector()) << type;
  }
}

TEST(FlatBuffersTests, GapsAndTheOldFormatAreRead) {
  std::vector<float> values(12);
  for (size_t i = 0; i < 12; i++) values[i] = static_cast<float>(i);
  const Bytes bytes = bytesOf(values);
  const struct {
    Slots shape;
    std::vector<LongType> dims;
    std::vector<double> expected;
    char order;
  } cases[] = {
      {{2, 2, 3, 6, 2, FLOAT_FLAG, 0, 'c'}, {2, 3}, {0, 2, 4, 6, 8, 10}, 'c'},
      {{2, 2, 3, 1, 2, FLOAT_FLAG, 0, 'c'}, {2, 3}, {0, 2, 4, 1, 3, 5}, 'c'},
      {{2, 3, 2, 2, 6, FLOAT_FLAG, 0, 'f'}, {3, 2}, {0, 6, 2, 8, 4, 10}, 'f'},
      {{2, 2, 3, 0, 1, FLOAT_FLAG, 0, 'c'}, {2, 3}, {0, 1, 2, 0, 1, 2}, 'c'},
      {{1, 3, 5, FLOAT_FLAG, 5, 'c'}, {3}, {0, 5, 10}, 'c'},
      // Strides of dimensions of 1 do not matter, nor does the element-wise stride.
      {{2, 1, 3, -77, 1, FLOAT_FLAG, 99, 'c'}, {1, 3}, {0, 1, 2}, 'c'},
      {{2, 1, 3, -77, 2, FLOAT_FLAG, 0, 'c'}, {1, 3}, {0, 2, 4}, 'c'},
      // No flags: the type alone.
      {{1, 2, 1, 0, 1, 'c'}, {2}, {0, 1}, 'c'},
      {{0, FLOAT_FLAG, 1, 'c'}, {}, {0}, 'c'},
  };
  for (const auto& c : cases) {
    const auto back = Table(c.shape, bytes, DType_FLOAT, hostOrder()).read();
    expectArray(*back, c.dims, c.expected);
    EXPECT_EQ(c.order, back->ordering());
    EXPECT_EQ(1, back->ews());
  }
  // Bytes that are neither 0 nor 1.
  const auto truths = Table({1, 3, 1, 524288, 1, 'c'}, {0, -3, 2}, DType_BOOL, hostOrder()).read();
  EXPECT_EQ((Bytes{0, 1, 1}), truths->asByteVector());
}

// ---- damaged tables

TEST(FlatBuffersTests, DamagedTablesAreRefused) {
  const int64_t large = int64_t(1) << 40, all = std::numeric_limits<int64_t>::max();
  const struct {
    Slots shape;
    size_t bytes;
    int dtype, order;
    const char* message;
  } cases[] = {
      {{}, 24, 5, 0, "the array has no shape"},
      {{-1, 8192, 1, 99}, 24, 5, 0, "rank -1 is outside 0..32"},
      {{33, 8192, 1, 99}, 24, 5, 0, "rank 33 is outside 0..32"},
      {{all, 8192, 1, 99}, 24, 5, 0, "rank 9223372036854775807 is outside 0..32"},
      {{0}, 24, 5, 0, "the shape has 1 values; rank 0 needs 4"},
      {{2, 2, 3, 3, 1, 8192, 1}, 24, 5, 0, "the shape has 7 values; rank 2 needs 8"},
      {{2, 2, 3, 3, 1, 8192, 1, 99, 0}, 24, 5, 0, "the shape has 9 values; rank 2 needs 8"},
      {{2, 2, 3, 3, 1, 8192, 1, 'a'}, 24, 5, 0, "order 97 is neither 'c' (99) nor 'f' (102)"},
      {{2, 2, 3, 3, 1, 8192, 1, 99 + 256}, 24, 5, 0, "order 355 is neither"},
      {{2, 2, -3, 3, 1, 8192, 1, 99}, 24, 5, 0, "dimension 1 of shape [2, -3] is negative"},
      {{2, large, large, large, 1, 8192, 1, 99}, 24, 5, 0, "shape [1099511627776, 1099511627776] is too large"},
      {{1, all / 2, 1, 8192, 1, 99}, 24, 5, 0, "is too large"},
      {{1, all / 8, 1, 1048576, 1, 99}, 24, 50, 0, "is too large"},
      {{2, 2, 3, 3, 1, 8192, 1, 99}, 23, 5, 0, "shape [2, 3] of type FLOAT32 needs 24 bytes; the buffer has 23"},
      {{2, 2, 3, 3, 1, 8192, 1, 99}, 0, 5, 0, "needs 24 bytes; the buffer has 0"},
      // A single element that fills a large array.
      {{1, large, 0, 8192, 0, 99}, 24, 5, 0, "shape [1099511627776] of type FLOAT32 needs 4398046511104 bytes"},
      {{2, 2, 3, 4, 1, 8192, 1, 99}, 24, 5, 0, "strides [4, 1] of shape [2, 3] leave the buffer of 6 elements"},
      {{2, 2, 3, -3, 1, 8192, 1, 99}, 24, 5, 0, "strides [-3, 1] of shape [2, 3] leave the buffer"},
      {{2, 2, 3, all, all, 8192, 1, 99}, 24, 5, 0, "of shape [2, 3] leave the buffer of 6 elements"},
      {{1, 6, 1, 8192, 1, 99}, 24, 0, 0, "type 0 (INHERIT) is not an element type"},
      {{1, 6, 1, 8192, 1, 99}, 24, 127, 0, "type 127 is not an element type"},
      {{1, 6, 1, 8192, 1, 99}, 24, -1, 0, "type -1 is not an element type"},
      {{1, 3, 1, 8192, 1, 99}, 24, 6, 0, "the type is DOUBLE, but the shape has the flags 8192"},
      {{1, 3, 1, 8192 + 16384, 1, 99}, 24, 5, 0, "but the shape has the flags 24576"},
      {{1, 3, 1, 8192 + 2, 1, 99}, 24, 5, 0, "only dense arrays can be read; the shape has the flags 8194"},
      {{1, 3, 1, 8192 + 1024, 1, 99}, 24, 5, 0, "only dense arrays can be read"},
      {{1, 6, 1, 8192, 1, 99}, 24, 5, 2, "byte order 2 is neither LE (0) nor BE (1)"},
  };
  for (const auto& c : cases) {
    const Table table(c.shape, Bytes(c.bytes), c.dtype, c.order);
    const std::string message = messageOf<std::runtime_error>([&] { table.read(); });
    EXPECT_NE(std::string::npos, message.find(c.message)) << c.message << "\n" << message;
    EXPECT_EQ(0u, message.find("[FlatUtils::fromFlatArray] ")) << message;
  }
  EXPECT_THROW(FlatUtils::fromFlatArray(nullptr), std::runtime_error);
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(CreateFlatArray(builder));
  EXPECT_THROW(FlatUtils::fromFlatArray(GetFlatArray(builder.GetBufferPointer())), std::runtime_error);
  // A shape without a buffer.
  flatbuffers::FlatBufferBuilder shapeOnly;
  const auto shape = shapeOnly.CreateVector(Slots{0, FLOAT_FLAG, 1, 'c'});
  shapeOnly.Finish(CreateFlatArray(shapeOnly, shape, 0, DType_FLOAT));
  EXPECT_NE(std::string::npos, messageOf<std::runtime_error>([&] {
                                 FlatUtils::fromFlatArray(GetFlatArray(shapeOnly.GetBufferPointer()));
                               }).find("needs 4 bytes; the buffer has 0"));
}

TEST(FlatBuffersTests, DamagedStringsAreRefused) {
  const struct {
    std::vector<int64_t> offsets;
    size_t text;
    DataType type;
    const char* message;
  } cases[] = {
      {{0, 2}, 4, UTF8, "needs 24 bytes; the buffer has 20"},
      {{1, 2, 4}, 4, UTF8, "offset 0 of strings of shape [2] is 1; there are 4 bytes of text"},
      {{0, 3, 2}, 4, UTF8, "offset 2 of strings of shape [2] is 2"},
      {{0, 2, 5}, 4, UTF8, "offset 2 of strings of shape [2] is 5; there are 4 bytes"},
      {{0, -2, 4}, 4, UTF8, "offset 1 of strings of shape [2] is -2"},
      {{0, 5, 4}, 4, UTF8, "offset 1 of strings of shape [2] is 5"},
      {{0, std::numeric_limits<int64_t>::min(), 4}, 4, UTF8, "offset 1"},
      {{0, 1, 4}, 4, UTF16, "offset 1 of strings of shape [2] is 1"},
      {{0, 2, 4}, 4, UTF32, "offset 1 of strings of shape [2] is 2"},
  };
  for (const auto& c : cases) {
    Bytes bytes = bytesOf(c.offsets);
    bytes.insert(bytes.end(), c.text, 0);
    for (auto order : {hostOrder(), otherOrder()}) {
      const int64_t flags = ArrayOptions::flagsOfDataType(c.type);
      const Table table({1, 2, 1, flags, 1, 'c'}, bytes, c.type, order);
      const std::string message = messageOf<std::runtime_error>([&] { table.read(); });
      if (order == hostOrder()) {
        EXPECT_NE(std::string::npos, message.find(c.message)) << c.message << "\n" << message;
      }
    }
  }
}

TEST(FlatBuffersTests, ArraysThatCannotBeWrittenAreRefused) {
  flatbuffers::FlatBufferBuilder builder;
  EXPECT_EQ("[FlatUtils::toFlatArray] the array has no shape",
            messageOf<std::runtime_error>([&] { FlatUtils::toFlatArray(builder, NDArray()); }));
  const NDArray quantised = NDArray::quantize(NDArray('c', {2}, FLOAT32));
  EXPECT_NE(std::string::npos, messageOf<std::runtime_error>([&] {
                                 FlatUtils::toFlatArray(builder, quantised);
                               }).find("only dense arrays can be written"));
  // Wrapped memory that is never read.
  float one = 1;
  const LongType length = LongType(1) << 29;
  NDArray large(&one, ConstantShapeHelper::getInstance().createShapeInfo(FLOAT32, 'c', 1, &length));
  EXPECT_NE(std::string::npos, messageOf<std::runtime_error>([&] {
                                 FlatUtils::toFlatArray(builder, large);
                               }).find("an array of 2147483648 bytes does not fit"));
}

TEST(FlatBuffersTests, RandomTablesAreReadOrRefused) {
  std::mt19937_64 random(20260723);
  const auto upTo = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n + 1)); };
  const std::vector<DataType> types = storableTypes();
  int read = 0, refused = 0;
  for (int i = 0; i < 20000; i++) {
    const DataType type = types[static_cast<size_t>(upTo(static_cast<int64_t>(types.size()) - 1))];
    const int64_t rank = upTo(3);
    Slots slots{rank};
    for (int64_t d = 0; d < rank; d++) slots.push_back(upTo(4));
    for (int64_t d = 0; d < rank; d++) slots.push_back(upTo(8));
    slots.insert(slots.end(), {ArrayOptions::flagsOfDataType(type), 1, upTo(1) ? 'c' : 'f'});
    if (upTo(3) == 0)
      slots[static_cast<size_t>(upTo(static_cast<int64_t>(slots.size()) - 1))] = static_cast<int64_t>(random());
    Bytes bytes(static_cast<size_t>(upTo(160)));
    // Small offsets, so that many strings are valid.
    for (size_t k = 0; k < bytes.size(); k++)
      bytes[k] = static_cast<int8_t>(DataTypeUtils::isS(type) && k % 8 != 0 ? 0 : k / 8 + static_cast<size_t>(upTo(1)));
    const Table table(slots, bytes, upTo(20) == 0 ? static_cast<int>(upTo(127)) : type, static_cast<int>(upTo(1)));
    try {
      const auto array = table.read();
      read++;
      // Every element can be reached.
      const Bytes all = array->asByteVector();
      EXPECT_LE(all.size(), bytes.size());
      for (LongType k = 0; array->isS() && k < array->lengthOf(); k++)
        EXPECT_LE(array->e<std::u32string>(k).size(), bytes.size());
    } catch (const std::runtime_error&) {
      refused++;
    } catch (const std::invalid_argument&) {
      refused++;  // text that is not valid in its encoding
    }
  }
  EXPECT_GT(read, 4000);
  EXPECT_GT(refused, 4000);
}

TEST(FlatBuffersTests, Pairs) {
  flatbuffers::FlatBufferBuilder ints, longs;
  ints.Finish(CreateIntPair(ints, -3, 7));
  longs.Finish(CreateLongPair(longs, int64_t(1) << 40, -1));
  const auto* intPair = flatbuffers::GetRoot<IntPair>(ints.GetBufferPointer());
  const auto* longPair = flatbuffers::GetRoot<LongPair>(longs.GetBufferPointer());
  EXPECT_EQ((std::pair<int, int>(-3, 7)), FlatUtils::fromIntPair(intPair));
  EXPECT_EQ((std::pair<LongType, LongType>(LongType(1) << 40, -1)), FlatUtils::fromLongPair(longPair));
  EXPECT_THROW(FlatUtils::fromIntPair(nullptr), std::runtime_error);
  EXPECT_THROW(FlatUtils::fromLongPair(nullptr), std::runtime_error);
}
