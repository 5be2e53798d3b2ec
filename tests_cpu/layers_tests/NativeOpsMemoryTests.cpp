// The C functions for buffers, raw memory and mapped files.
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>

#include "NativeOpsSupport.h"

using native::expectError;
using sd::LongType;

namespace {

class NativeOpsMemoryTests : public native::NativeTest {};

}  // namespace

TEST_F(NativeOpsMemoryTests, BuffersAreZeroFilled) {
  struct Row {
    sd::DataType type;
    size_t size;
  };
  for (const Row& row :
       {Row{sd::BOOL, 1}, Row{sd::HALF, 2}, Row{sd::FLOAT32, 4}, Row{sd::INT64, 8}, Row{sd::UTF8, 4}}) {
    OpaqueDataBuffer* buffer = allocateDataBuffer(100, row.type, true);
    ASSERT_NE(buffer, nullptr);
    EXPECT_EQ(buffer->dataBuffer()->getLenInBytes(), 100 * row.size);
    const char* bytes = static_cast<const char*>(dbPrimaryBuffer(buffer));
    for (size_t i = 0; i < 100 * row.size; i++) ASSERT_EQ(bytes[i], 0);
    EXPECT_EQ(dbSpecialBuffer(buffer), nullptr);
    EXPECT_EQ(dbUseCount(buffer), 1);
    EXPECT_EQ(dbLocality(buffer), 0);
    deleteDataBuffer(buffer);
  }
  OpaqueDataBuffer* empty = dbAllocateDataBuffer(0, sd::DOUBLE, false);
  EXPECT_EQ(dbPrimaryBuffer(empty), nullptr);
  EXPECT_EQ(empty->dataBuffer()->getDataType(), sd::DOUBLE);
  deleteDataBuffer(empty);
}

TEST_F(NativeOpsMemoryTests, BadSizesAndTypes) {
  EXPECT_EQ(allocateDataBuffer(-1, sd::FLOAT32, false), nullptr);
  expectError("'elements' is -1");
  EXPECT_EQ(allocateDataBuffer(std::numeric_limits<LongType>::max(), sd::DOUBLE, false), nullptr);
  EXPECT_NE(native::takeError(), "");
  EXPECT_EQ(allocateDataBuffer(LongType{1} << 60, sd::INT8, false), nullptr);
  EXPECT_NE(native::takeError(), "");
  for (int type : {-1, 0, 20, 100, 4711}) {
    EXPECT_EQ(allocateDataBuffer(1, type, false), nullptr) << type;
    EXPECT_NE(native::takeError(), "");
    EXPECT_EQ(dbCreateExternalDataBuffer(1, type, nullptr, nullptr), nullptr) << type;
    EXPECT_NE(native::takeError(), "");
  }
}

TEST_F(NativeOpsMemoryTests, ExternalMemoryStaysTheCallers) {
  float mine[4] = {1, 2, 3, 4}, other[2] = {5, 6};
  OpaqueDataBuffer* buffer = dbCreateExternalDataBuffer(4, sd::FLOAT32, mine, nullptr);
  EXPECT_EQ(dbPrimaryBuffer(buffer), mine);
  dbSetPrimaryBuffer(buffer, other, 2);  // the size is a number of elements
  EXPECT_EQ(dbPrimaryBuffer(buffer), other);
  EXPECT_EQ(buffer->dataBuffer()->getLenInBytes(), 8u);
  dbSetSpecialBuffer(buffer, mine, 4);
  EXPECT_EQ(buffer->dataBuffer()->getLenInBytes(), 8u);
  deleteDataBuffer(buffer);
  EXPECT_EQ(mine[0], 1);

  OpaqueDataBuffer* later = dbCreateExternalDataBuffer(3, sd::INT32, nullptr, nullptr);
  EXPECT_EQ(dbPrimaryBuffer(later), nullptr);
  dbAllocatePrimaryBuffer(later);
  ASSERT_NE(dbPrimaryBuffer(later), nullptr);
  EXPECT_EQ(static_cast<int*>(dbPrimaryBuffer(later))[2], 0);
  deleteDataBuffer(later);
}

TEST_F(NativeOpsMemoryTests, ViewsShareAndStayInside) {
  OpaqueDataBuffer* root = allocateDataBuffer(10, sd::FLOAT32, false);
  OpaqueDataBuffer* view = dbCreateView(root, 16, 8);
  ASSERT_NE(view, nullptr);
  EXPECT_EQ(dbPrimaryBuffer(view), static_cast<char*>(dbPrimaryBuffer(root)) + 8);
  EXPECT_EQ(dbSpecialBuffer(view), nullptr);
  EXPECT_EQ(dbUseCount(root), 2);
  OpaqueDataBuffer* nested = dbCreateView(view, 8, 4);  // counted from the root
  EXPECT_EQ(dbPrimaryBuffer(nested), static_cast<char*>(dbPrimaryBuffer(root)) + 4);
  EXPECT_EQ(dbUseCount(view), 3);

  struct Row {
    LongType length, offset;
  };
  constexpr LongType most = std::numeric_limits<LongType>::max();
  for (const Row& row : {Row{33, 8}, Row{1, 40}, Row{-1, 0}, Row{0, -1}, Row{most, 8}, Row{8, most}, Row{most, most}}) {
    EXPECT_EQ(dbCreateView(root, row.length, row.offset), nullptr) << row.length << " " << row.offset;
    EXPECT_NE(native::takeError(), "");
  }
  static_cast<float*>(dbPrimaryBuffer(root))[2] = 5;
  for (int i = 0; i < 2; i++) {
    dbClose(root);
    EXPECT_EQ(native::takeError(), "");
    EXPECT_EQ(dbPrimaryBuffer(root), nullptr);
  }
  EXPECT_EQ(dbUseCount(view), 2);  // the views still share the memory
  deleteDataBuffer(nested);
  EXPECT_EQ(*static_cast<float*>(dbPrimaryBuffer(view)), 5);
  deleteDataBuffer(view);
  deleteDataBuffer(root);
}

TEST_F(NativeOpsMemoryTests, ExpandKeepsTheContent) {
  OpaqueDataBuffer* buffer = allocateDataBuffer(2, sd::INT32, false);
  static_cast<int*>(dbPrimaryBuffer(buffer))[1] = 7;
  dbExpandBuffer(buffer, 1000);
  const int* values = static_cast<const int*>(dbPrimaryBuffer(buffer));
  EXPECT_EQ(values[1], 7);
  for (int i = 2; i < 1000; i++) ASSERT_EQ(values[i], 0);
  dbExpand(buffer, 3);  // smaller: no effect
  EXPECT_EQ(dbPrimaryBuffer(buffer), values);
  dbExpand(buffer, -3);
  expectError("-3");
  deleteDataBuffer(buffer);
}

TEST_F(NativeOpsMemoryTests, NullHandles) {
  EXPECT_EQ(dbPrimaryBuffer(nullptr), nullptr);
  expectError("[dbPrimaryBuffer] argument 'dataBuffer' is null");
  EXPECT_EQ(dbCreateView(nullptr, 1, 0), nullptr);
  expectError("null");
  dbExpand(nullptr, 1);
  expectError("null");
  dbSetPrimaryBuffer(nullptr, nullptr, 1);
  expectError("null");
  dbAllocatePrimaryBuffer(nullptr);
  expectError("null");
  dbClose(nullptr);
  expectError("null");
  EXPECT_EQ(dbDeviceId(nullptr), 0);
  expectError("null");
  EXPECT_EQ(dbUseCount(nullptr), 0);
  deleteDataBuffer(nullptr);
  for (auto function : {dbSyncToSpecial, dbSyncToPrimary, dbTickHostRead, dbTickHostWrite, dbTickDeviceRead,
                        dbTickDeviceWrite, dbAllocateSpecialBuffer})
    function(nullptr);
}

TEST_F(NativeOpsMemoryTests, DeviceIdIsKept) {
  OpaqueDataBuffer* buffer = allocateDataBuffer(2, sd::INT32, false);
  EXPECT_EQ(dbDeviceId(buffer), 0);
  dbSetDeviceId(buffer, 3);
  EXPECT_EQ(dbDeviceId(buffer), 3);
  deleteDataBuffer(buffer);
}

TEST_F(NativeOpsMemoryTests, HostMemoryIsAlignedAndCopied) {
  char* a = static_cast<char*>(mallocHost(100, 0));
  char* b = static_cast<char*>(mallocHost(100, 1));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
  EXPECT_EQ(memsetSync(a, 0x141, 100, 0, nullptr), 1);
  EXPECT_EQ(a[99], 0x41);
  EXPECT_EQ(memsetAsync(b, 7, 100, 0, nullptr), 1);
  EXPECT_EQ(memcpySync(b, a, 10, 0, nullptr), 1);
  EXPECT_EQ(b[9], 0x41);
  EXPECT_EQ(b[10], 7);
  EXPECT_EQ(memcpyAsync(b + 1, b, 12, 0, nullptr), 1);  // overlapping
  EXPECT_EQ(b[12], 7);
  EXPECT_EQ(b[10], 0x41);
  EXPECT_EQ(memcpySync(nullptr, a, 1, 0, nullptr), 0);
  expectError("'dst' is null");
  EXPECT_EQ(memcpySync(b, nullptr, 1, 0, nullptr), 0);
  expectError("'src' is null");
  EXPECT_EQ(memcpySync(b, a, -1, 0, nullptr), 0);
  expectError("-1");
  EXPECT_EQ(memsetSync(nullptr, 0, 1, 0, nullptr), 0);
  expectError("'dst' is null");
  EXPECT_EQ(memcpySync(nullptr, nullptr, 0, 0, nullptr), 1);
  EXPECT_EQ(freeHost(a), 1);
  EXPECT_EQ(freeHost(b), 1);
  EXPECT_EQ(freeHost(nullptr), 1);
  EXPECT_EQ(mallocHost(-1, 0), nullptr);
  expectError("-1");
  EXPECT_EQ(mallocHost(std::numeric_limits<LongType>::max(), 0), nullptr);
  EXPECT_NE(native::takeError(), "");
}

TEST_F(NativeOpsMemoryTests, NoDeviceMemory) {
  EXPECT_EQ(mallocDevice(10, 0, 0), nullptr);
  EXPECT_EQ(freeDevice(nullptr, 0), 0);
  EXPECT_EQ(getConstantSpace(), nullptr);
  EXPECT_EQ(memcpyConstantAsync(0, nullptr, 10, 0, nullptr), 0);
}

TEST_F(NativeOpsMemoryTests, PointersAndArrays) {
  int value = 5;
  EXPECT_EQ(pointerForAddress(reinterpret_cast<LongType>(&value)), &value);
  tryPointer(nullptr, &value, sizeof(value));
  tryPointer(nullptr, nullptr, 0);
  tryPointer(nullptr, nullptr, 1);
  expectError("'p' is null");
  deleteCharArray(new char[3]);
  deleteIntArray(new int[3]);
  deleteLongArray(new LongType[3]);
  deletePointerArray(new sd::Pointer[3]);
}

TEST_F(NativeOpsMemoryTests, MappedFiles) {
  const std::string name = testing::TempDir() + "ndforge_mapped_" + std::to_string(getpid());
  std::ofstream(name) << "0123456789";
  LongType* map = mmapFile(nullptr, name.c_str(), 10);
  ASSERT_NE(map, nullptr);
  reinterpret_cast<char*>(map[0])[3] = 'x';
  munmapFile(nullptr, map, 10);
  std::string content;
  std::ifstream(name) >> content;
  EXPECT_EQ(content, "012x456789");

  EXPECT_EQ(mmapFile(nullptr, name.c_str(), 11), nullptr);
  expectError("has 10 bytes");
  EXPECT_EQ(mmapFile(nullptr, name.c_str(), 0), nullptr);
  expectError("'length' is 0");
  EXPECT_EQ(mmapFile(nullptr, nullptr, 10), nullptr);
  expectError("'fileName' is null");
  std::remove(name.c_str());
  EXPECT_EQ(mmapFile(nullptr, name.c_str(), 10), nullptr);
  expectError("cannot open");
  munmapFile(nullptr, nullptr, 10);
  expectError("'ptrMap' is null");
}
