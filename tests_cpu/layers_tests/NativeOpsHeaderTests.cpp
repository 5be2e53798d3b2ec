// The header of the C interface defines no macros and is compatible with the names of the library.
#include <legacy/NativeOps.h>
// The header occurs in two files of one program: here and in the other tests.
#include <legacy/NativeOps.h>

#if defined(SD_C_API) || defined(SD_C_LONG) || defined(SD_C_POINTER) || defined(SD_C_DATATYPE) ||   \
    defined(SD_C_DESCRIPTOR) || defined(SD_C_NONE) || defined(SD_C_DEFAULT) || defined(SD_C_OP) ||  \
    defined(SD_C_BUFFER) || defined(SD_C_BUFFER_OF) || defined(SD_C_AXES) || defined(SD_C_ARRAY) || \
    defined(SD_C_ARRAYS)
#error "legacy/NativeOps.h leaves macros behind"
#endif

#include <gtest/gtest.h>

#include <type_traits>

using namespace sd;
using namespace sd::graph;

TEST(NativeOpsHeaderTests, OpaqueTypesAreTheClassesOfTheLibrary) {
  static_assert(std::is_same_v<OpaqueDataBuffer, InteropDataBuffer>);
  static_assert(std::is_same_v<OpaqueRandomGenerator, RandomGenerator>);
  static_assert(std::is_same_v<OpaqueTadPack, TadPack>);
  static_assert(std::is_same_v<decltype(&lastErrorCode), int (*)()>);
  static_assert(
      std::is_same_v<decltype(&shapeBufferEx),
                     OpaqueConstantShapeBuffer* (*)(int, LongType*, LongType*, DataType, char, LongType, LongType)>);
  OpaqueDataBuffer* buffer = allocateDataBuffer(2, FLOAT32, false);
  OpaqueRandomGenerator* generator = createRandomGenerator();  // default arguments
  EXPECT_NE(buffer, nullptr);
  EXPECT_NE(generator, nullptr);
  deleteRandomGenerator(generator);
  deleteDataBuffer(buffer);
}
