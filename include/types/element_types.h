// The table of element types. Whatever depends on the set of types is made from it: the C++ type, size, kind and name of
// a DataType, the type lists, dispatch from a DataType to a C++ type, the columns of the kernel tables, the compilation
// units (cmake/ElementTypes.cmake reads the rows).
#ifndef NDFORGE_TYPES_ELEMENT_TYPES_H
#define NDFORGE_TYPES_ELEMENT_TYPES_H

#include <array/DataType.h>
#include <system/common.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <complex>

// ROW(DataType, NumPy's name, C++ type, name in kernels, C++ type in kernels, C++ type of arithmetic, kind, macro)
//
// The types in which kernels compute come first: their arithmetic is done in the type itself. The elements of the others
// are converted. The macro is defined when a build includes the type (SD_DATATYPES).
// clang-format off
#define SD_ELEMENT_TYPES(ROW)                                                                     \
  ROW(FLOAT32, float32, float, F32, float, float, Real, HAS_FLOAT32)                              \
  ROW(DOUBLE, float64, double, F64, double, double, Real, HAS_DOUBLE)                             \
  ROW(INT8, int8, int8_t, I8, int8_t, int8_t, SignedInteger, HAS_INT8)                            \
  ROW(INT16, int16, int16_t, I16, int16_t, int16_t, SignedInteger, HAS_INT16)                     \
  ROW(INT32, int32, int, I32, int32_t, int32_t, SignedInteger, HAS_INT32)                         \
  ROW(INT64, int64, sd::LongType, I64, sd::LongType, sd::LongType, SignedInteger, HAS_LONG)       \
  ROW(UINT8, uint8, uint8_t, U8, uint8_t, uint8_t, UnsignedInteger, HAS_UINT8)                    \
  ROW(UINT16, uint16, uint16_t, U16, uint16_t, uint16_t, UnsignedInteger, HAS_UINT16)             \
  ROW(UINT32, uint32, uint32_t, U32, uint32_t, uint32_t, UnsignedInteger, HAS_UINT32)             \
  ROW(UINT64, uint64, uint64_t, U64, uint64_t, uint64_t, UnsignedInteger, HAS_UNSIGNEDLONG)       \
  ROW(BOOL, bool, bool, BOOLEAN, BoolByte, int8_t, Boolean, HAS_BOOL)                             \
  ROW(HALF, float16, float16, F16, HalfBits, float, Real, HAS_FLOAT16)                            \
  ROW(BFLOAT16, bfloat16, bfloat16, BF16, BFloatBits, float, Real, HAS_BFLOAT16)

// COMPLEX_ROW(DataType, name, C++ type, DataType of a part, macro): pairs of real numbers, for the operations that say
// so. Kernels handle their parts.
#define SD_COMPLEX_TYPES(COMPLEX_ROW)                                                             \
  COMPLEX_ROW(COMPLEX64, complex64, std::complex<float>, FLOAT32, HAS_FLOAT32)                    \
  COMPLEX_ROW(COMPLEX128, complex128, std::complex<double>, DOUBLE, HAS_DOUBLE)

// TEXT_ROW(DataType, name, C++ type, macro): strings, which kernels do not handle.
#define SD_TEXT_TYPES(TEXT_ROW)                                                                   \
  TEXT_ROW(UTF8, utf8, std::string, HAS_UTF8)                                                     \
  TEXT_ROW(UTF16, utf16, std::u16string, HAS_UTF16)                                               \
  TEXT_ROW(UTF32, utf32, std::u32string, HAS_UTF32)
// clang-format on

#endif
