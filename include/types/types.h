// The lists of element types. An entry is a pair (sd::DataType::FLOAT32, float); entries are separated by commas.
//
// A build can be restricted to some types (SD_DATATYPES at configure time). Then SD_SELECTIVE_TYPES and one HAS_… for
// each remaining type are defined, and every list but SD_COMMON_TYPES_ALL is shorter, possibly empty. Otherwise all
// HAS_… are defined here.
#ifndef NDFORGE_TYPES_TYPES_H
#define NDFORGE_TYPES_TYPES_H

#include <array/DataType.h>
#include <system/common.h>
#include <system/preprocessor.h>
#include <types/bfloat16.h>
#include <types/float16.h>

#include <string>

#if defined(__has_include)
#if __has_include(<system/config.h>)
#include <system/config.h>
#endif
#endif

#ifndef SD_SELECTIVE_TYPES
#define HAS_BOOL
#define HAS_BFLOAT16
#define HAS_FLOAT32
#define HAS_DOUBLE
#define HAS_FLOAT16
#define HAS_INT32
#define HAS_LONG
#define HAS_INT8
#define HAS_INT16
#define HAS_UINT8
#define HAS_UINT16
#define HAS_UINT32
#define HAS_UNSIGNEDLONG
#define HAS_UTF8
#define HAS_UTF16
#define HAS_UTF32
#endif

// Each type preceded by a comma; empty when the build does not include the type.
#ifdef HAS_BOOL
#define SD_TYPE_BOOL , (sd::DataType::BOOL, bool)
#else
#define SD_TYPE_BOOL
#endif
#ifdef HAS_BFLOAT16
#define SD_TYPE_BFLOAT16 , (sd::DataType::BFLOAT16, bfloat16)
#else
#define SD_TYPE_BFLOAT16
#endif
#ifdef HAS_FLOAT32
#define SD_TYPE_FLOAT32 , (sd::DataType::FLOAT32, float)
#else
#define SD_TYPE_FLOAT32
#endif
#ifdef HAS_DOUBLE
#define SD_TYPE_DOUBLE , (sd::DataType::DOUBLE, double)
#else
#define SD_TYPE_DOUBLE
#endif
#ifdef HAS_FLOAT16
#define SD_TYPE_HALF , (sd::DataType::HALF, float16)
#else
#define SD_TYPE_HALF
#endif
#ifdef HAS_INT32
#define SD_TYPE_INT32 , (sd::DataType::INT32, int)
#else
#define SD_TYPE_INT32
#endif
#ifdef HAS_LONG
#define SD_TYPE_INT64 , (sd::DataType::INT64, sd::LongType)
#else
#define SD_TYPE_INT64
#endif
#ifdef HAS_INT8
#define SD_TYPE_INT8 , (sd::DataType::INT8, int8_t)
#else
#define SD_TYPE_INT8
#endif
#ifdef HAS_INT16
#define SD_TYPE_INT16 , (sd::DataType::INT16, int16_t)
#else
#define SD_TYPE_INT16
#endif
#ifdef HAS_UINT8
#define SD_TYPE_UINT8 , (sd::DataType::UINT8, uint8_t)
#else
#define SD_TYPE_UINT8
#endif
#ifdef HAS_UINT16
#define SD_TYPE_UINT16 , (sd::DataType::UINT16, uint16_t)
#else
#define SD_TYPE_UINT16
#endif
#ifdef HAS_UINT32
#define SD_TYPE_UINT32 , (sd::DataType::UINT32, uint32_t)
#else
#define SD_TYPE_UINT32
#endif
#ifdef HAS_UNSIGNEDLONG
#define SD_TYPE_UINT64 , (sd::DataType::UINT64, uint64_t)
#else
#define SD_TYPE_UINT64
#endif
#ifdef HAS_UTF8
#define SD_TYPE_UTF8 , (sd::DataType::UTF8, std::string)
#else
#define SD_TYPE_UTF8
#endif
#ifdef HAS_UTF16
#define SD_TYPE_UTF16 , (sd::DataType::UTF16, std::u16string)
#else
#define SD_TYPE_UTF16
#endif
#ifdef HAS_UTF32
#define SD_TYPE_UTF32 , (sd::DataType::UTF32, std::u32string)
#else
#define SD_TYPE_UTF32
#endif

/// All types that numbered operations accept.
#define SD_COMMON_TYPES                                                                                     \
  SKIP_FIRST_COMMA(                                                                                         \
      SD_TYPE_BOOL SD_TYPE_BFLOAT16 SD_TYPE_FLOAT32 SD_TYPE_DOUBLE SD_TYPE_HALF SD_TYPE_INT32 SD_TYPE_INT64 \
          SD_TYPE_INT8 SD_TYPE_INT16 SD_TYPE_UINT8 SD_TYPE_UINT16 SD_TYPE_UINT32 SD_TYPE_UINT64)
#define SD_COMMON_TYPES_EXTENDED SD_COMMON_TYPES
#define SD_NUMERIC_TYPES                                                                                    \
  SKIP_FIRST_COMMA(SD_TYPE_BFLOAT16 SD_TYPE_FLOAT32 SD_TYPE_DOUBLE SD_TYPE_HALF SD_TYPE_INT32 SD_TYPE_INT64 \
                       SD_TYPE_INT8 SD_TYPE_INT16 SD_TYPE_UINT8 SD_TYPE_UINT16 SD_TYPE_UINT32 SD_TYPE_UINT64)
#define SD_FLOAT_TYPES SKIP_FIRST_COMMA(SD_TYPE_BFLOAT16 SD_TYPE_FLOAT32 SD_TYPE_DOUBLE SD_TYPE_HALF)
#define SD_FLOAT_NATIVE SKIP_FIRST_COMMA(SD_TYPE_FLOAT32 SD_TYPE_DOUBLE SD_TYPE_HALF)
#define SD_INTEGER_TYPES                                                                                              \
  SKIP_FIRST_COMMA(SD_TYPE_INT32 SD_TYPE_INT64 SD_TYPE_INT8 SD_TYPE_INT16 SD_TYPE_UINT8 SD_TYPE_UINT16 SD_TYPE_UINT32 \
                       SD_TYPE_UINT64)
/// The types of positions and axes.
#define SD_INDEXING_TYPES SKIP_FIRST_COMMA(SD_TYPE_INT32 SD_TYPE_INT64)
#define SD_LONG_TYPES SKIP_FIRST_COMMA(SD_TYPE_INT64 SD_TYPE_UINT64)
#define SD_GENERIC_NUMERIC_TYPES \
  SKIP_FIRST_COMMA(SD_TYPE_BFLOAT16 SD_TYPE_FLOAT32 SD_TYPE_DOUBLE SD_TYPE_HALF SD_TYPE_INT32 SD_TYPE_INT64)
#define SD_STRING_TYPES SKIP_FIRST_COMMA(SD_TYPE_UTF8 SD_TYPE_UTF16 SD_TYPE_UTF32)
#define SD_BOOL_TYPES SKIP_FIRST_COMMA(SD_TYPE_BOOL)
/// All types, including those that the build does not include.
#define SD_COMMON_TYPES_ALL                                                                               \
  (sd::DataType::HALF, float16), (sd::DataType::BOOL, bool), (sd::DataType::BFLOAT16, bfloat16),          \
      (sd::DataType::FLOAT32, float), (sd::DataType::DOUBLE, double), (sd::DataType::INT32, int),         \
      (sd::DataType::INT64, sd::LongType), (sd::DataType::INT8, int8_t), (sd::DataType::INT16, int16_t),  \
      (sd::DataType::UINT8, uint8_t), (sd::DataType::UINT16, uint16_t), (sd::DataType::UINT32, uint32_t), \
      (sd::DataType::UINT64, uint64_t)

// Single entries of a list, for compilation units that each instantiate one type. Empty when the list is shorter.
#define SD_COMMON_TYPES_0 GET_ELEMENT(0, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_1 GET_ELEMENT(1, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_2 GET_ELEMENT(2, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_3 GET_ELEMENT(3, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_4 GET_ELEMENT(4, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_5 GET_ELEMENT(5, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_6 GET_ELEMENT(6, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_7 GET_ELEMENT(7, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_8 GET_ELEMENT(8, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_9 GET_ELEMENT(9, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_10 GET_ELEMENT(10, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_11 GET_ELEMENT(11, SD_COMMON_TYPES)
#define SD_COMMON_TYPES_12 GET_ELEMENT(12, SD_COMMON_TYPES)
#define SD_NUMERIC_TYPES_0 GET_ELEMENT(0, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_1 GET_ELEMENT(1, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_2 GET_ELEMENT(2, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_3 GET_ELEMENT(3, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_4 GET_ELEMENT(4, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_5 GET_ELEMENT(5, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_6 GET_ELEMENT(6, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_7 GET_ELEMENT(7, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_8 GET_ELEMENT(8, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_9 GET_ELEMENT(9, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_10 GET_ELEMENT(10, SD_NUMERIC_TYPES)
#define SD_NUMERIC_TYPES_11 GET_ELEMENT(11, SD_NUMERIC_TYPES)
#define SD_FLOAT_TYPES_0 GET_ELEMENT(0, SD_FLOAT_TYPES)
#define SD_FLOAT_TYPES_1 GET_ELEMENT(1, SD_FLOAT_TYPES)
#define SD_FLOAT_TYPES_2 GET_ELEMENT(2, SD_FLOAT_TYPES)
#define SD_FLOAT_TYPES_3 GET_ELEMENT(3, SD_FLOAT_TYPES)
#define SD_FLOAT_NATIVE_0 GET_ELEMENT(0, SD_FLOAT_NATIVE)
#define SD_FLOAT_NATIVE_1 GET_ELEMENT(1, SD_FLOAT_NATIVE)
#define SD_FLOAT_NATIVE_2 GET_ELEMENT(2, SD_FLOAT_NATIVE)
#define SD_INTEGER_TYPES_0 GET_ELEMENT(0, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_1 GET_ELEMENT(1, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_2 GET_ELEMENT(2, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_3 GET_ELEMENT(3, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_4 GET_ELEMENT(4, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_5 GET_ELEMENT(5, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_6 GET_ELEMENT(6, SD_INTEGER_TYPES)
#define SD_INTEGER_TYPES_7 GET_ELEMENT(7, SD_INTEGER_TYPES)
#define SD_INDEXING_TYPES_0 GET_ELEMENT(0, SD_INDEXING_TYPES)
#define SD_INDEXING_TYPES_1 GET_ELEMENT(1, SD_INDEXING_TYPES)
#define SD_LONG_TYPES_0 GET_ELEMENT(0, SD_LONG_TYPES)
#define SD_LONG_TYPES_1 GET_ELEMENT(1, SD_LONG_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_0 GET_ELEMENT(0, SD_GENERIC_NUMERIC_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_1 GET_ELEMENT(1, SD_GENERIC_NUMERIC_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_2 GET_ELEMENT(2, SD_GENERIC_NUMERIC_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_3 GET_ELEMENT(3, SD_GENERIC_NUMERIC_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_4 GET_ELEMENT(4, SD_GENERIC_NUMERIC_TYPES)
#define SD_GENERIC_NUMERIC_TYPES_5 GET_ELEMENT(5, SD_GENERIC_NUMERIC_TYPES)
#define SD_STRING_TYPES_0 GET_ELEMENT(0, SD_STRING_TYPES)
#define SD_STRING_TYPES_1 GET_ELEMENT(1, SD_STRING_TYPES)
#define SD_STRING_TYPES_2 GET_ELEMENT(2, SD_STRING_TYPES)
#define SD_BOOL_TYPES_0 GET_ELEMENT(0, SD_BOOL_TYPES)
#define SD_COMMON_TYPES_EXTENDED_0 SD_COMMON_TYPES_0
#define SD_COMMON_TYPES_EXTENDED_1 SD_COMMON_TYPES_1
#define SD_COMMON_TYPES_EXTENDED_2 SD_COMMON_TYPES_2
#define SD_COMMON_TYPES_EXTENDED_3 SD_COMMON_TYPES_3
#define SD_COMMON_TYPES_EXTENDED_4 SD_COMMON_TYPES_4
#define SD_COMMON_TYPES_EXTENDED_5 SD_COMMON_TYPES_5
#define SD_COMMON_TYPES_EXTENDED_6 SD_COMMON_TYPES_6
#define SD_COMMON_TYPES_EXTENDED_7 SD_COMMON_TYPES_7
#define SD_COMMON_TYPES_EXTENDED_8 SD_COMMON_TYPES_8
#define SD_COMMON_TYPES_EXTENDED_9 SD_COMMON_TYPES_9
#define SD_COMMON_TYPES_EXTENDED_10 SD_COMMON_TYPES_10
#define SD_COMMON_TYPES_EXTENDED_11 SD_COMMON_TYPES_11
#define SD_COMMON_TYPES_EXTENDED_12 SD_COMMON_TYPES_12

// SD_PAIRWISE_TYPES_k: triples (X, Y, Z) of C++ types. X is the k-th common type, Y any common type, Z one of both.
#define SD_PP_SAME(J, K) SD_PP_BEGINS_PAREN(SD_PP_SAME_##J##_##K)
#define SD_PP_SAME_0_0 ()
#define SD_PP_SAME_1_1 ()
#define SD_PP_SAME_2_2 ()
#define SD_PP_SAME_3_3 ()
#define SD_PP_SAME_4_4 ()
#define SD_PP_SAME_5_5 ()
#define SD_PP_SAME_6_6 ()
#define SD_PP_SAME_7_7 ()
#define SD_PP_SAME_8_8 ()
#define SD_PP_SAME_9_9 ()
#define SD_PP_SAME_10_10 ()
#define SD_PP_SAME_11_11 ()
#define SD_PP_SAME_12_12 ()
#define SD_SECOND_OF(FIRST, SECOND) SECOND
#define SD_TRIPLES_SAME(X, Y) , (SD_SECOND_OF X, SD_SECOND_OF X, SD_SECOND_OF X)
#define SD_TRIPLES_OTHER(X, Y) \
  , (SD_SECOND_OF X, SD_SECOND_OF Y, SD_SECOND_OF X), (SD_SECOND_OF X, SD_SECOND_OF Y, SD_SECOND_OF Y)
#define SD_TRIPLES_IF(EXISTS, SAME, X, Y) \
  SD_PP_IF(EXISTS, SD_PP_IF(SAME, SD_TRIPLES_SAME, SD_TRIPLES_OTHER), SD_PP_NOTHING)(X, Y)
#define SD_TRIPLES(K, J) \
  SD_TRIPLES_IF(SD_PP_HAS_ENTRY(SD_COMMON_TYPES_##J), SD_PP_SAME(K, J), SD_COMMON_TYPES_##K, SD_COMMON_TYPES_##J)
#define SD_TRIPLES_OF(K)                                                                                    \
  SKIP_FIRST_COMMA(SD_TRIPLES(K, 0) SD_TRIPLES(K, 1) SD_TRIPLES(K, 2) SD_TRIPLES(K, 3) SD_TRIPLES(K, 4)     \
                       SD_TRIPLES(K, 5) SD_TRIPLES(K, 6) SD_TRIPLES(K, 7) SD_TRIPLES(K, 8) SD_TRIPLES(K, 9) \
                           SD_TRIPLES(K, 10) SD_TRIPLES(K, 11) SD_TRIPLES(K, 12))
#define SD_PAIRWISE_TYPES(K) SD_PP_IF(SD_PP_HAS_ENTRY(SD_COMMON_TYPES_##K), SD_TRIPLES_OF, SD_PP_NOTHING)(K)
#define SD_PAIRWISE_TYPES_0 SD_PAIRWISE_TYPES(0)
#define SD_PAIRWISE_TYPES_1 SD_PAIRWISE_TYPES(1)
#define SD_PAIRWISE_TYPES_2 SD_PAIRWISE_TYPES(2)
#define SD_PAIRWISE_TYPES_3 SD_PAIRWISE_TYPES(3)
#define SD_PAIRWISE_TYPES_4 SD_PAIRWISE_TYPES(4)
#define SD_PAIRWISE_TYPES_5 SD_PAIRWISE_TYPES(5)
#define SD_PAIRWISE_TYPES_6 SD_PAIRWISE_TYPES(6)
#define SD_PAIRWISE_TYPES_7 SD_PAIRWISE_TYPES(7)
#define SD_PAIRWISE_TYPES_8 SD_PAIRWISE_TYPES(8)
#define SD_PAIRWISE_TYPES_9 SD_PAIRWISE_TYPES(9)
#define SD_PAIRWISE_TYPES_10 SD_PAIRWISE_TYPES(10)
#define SD_PAIRWISE_TYPES_11 SD_PAIRWISE_TYPES(11)
#define SD_PAIRWISE_TYPES_12 SD_PAIRWISE_TYPES(12)

// Lists of enum values, as in setAllowedInputTypes({ALL_FLOATS}).
#define ALL_FLOATS sd::DataType::HALF, sd::DataType::FLOAT32, sd::DataType::DOUBLE, sd::DataType::BFLOAT16
#define ALL_INTS                                                                                           \
  sd::DataType::INT8, sd::DataType::UINT8, sd::DataType::INT16, sd::DataType::UINT16, sd::DataType::INT32, \
      sd::DataType::UINT32, sd::DataType::INT64, sd::DataType::UINT64
#define ALL_INDICES sd::DataType::INT32, sd::DataType::INT64
#define ALL_STRINGS sd::DataType::UTF8, sd::DataType::UTF16, sd::DataType::UTF32

#endif
