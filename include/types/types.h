// The lists of element types. An entry is a pair (sd::DataType::FLOAT32, float); entries are separated by commas.
//
// A build can be restricted to some types (SD_DATATYPES at configure time). Then SD_SELECTIVE_TYPES is defined, and
// every list but SD_COMMON_TYPES_ALL is shorter, possibly empty. HAS_… is defined for each type of the build. The lists
// are written by cmake/ElementTypes.cmake from the table of types/element_types.h:
//
//   SD_COMMON_TYPES              all types that numbered operations accept; also named SD_COMMON_TYPES_EXTENDED
//   SD_NUMERIC_TYPES             without BOOL
//   SD_FLOAT_TYPES               the types of real numbers; SD_FLOAT_NATIVE is without BFLOAT16
//   SD_INTEGER_TYPES             all integers
//   SD_INDEXING_TYPES            the types of positions and axes: INT32, INT64
//   SD_LONG_TYPES                INT64, UINT64
//   SD_GENERIC_NUMERIC_TYPES     SD_FLOAT_TYPES and SD_INDEXING_TYPES
//   SD_STRING_TYPES              UTF8, UTF16, UTF32
//   SD_BOOL_TYPES                BOOL
//   SD_COMMON_TYPES_ALL          as SD_COMMON_TYPES, including types that the build leaves out
//   SD_COMMON_TYPES_0, _1, …     single entries of each list but the last, for compilation units that instantiate one
//                                type each; empty when the list is shorter
//   SD_PAIRWISE_TYPES_0, _1, …   triples (X, Y, Z) of C++ types: X is that entry of SD_COMMON_TYPES, Y any of them, Z
//   one
//                                of both
#ifndef NDFORGE_TYPES_TYPES_H
#define NDFORGE_TYPES_TYPES_H

#include <array/DataType.h>
#include <system/common.h>
#include <system/config.h>
#include <system/preprocessor.h>
#include <system/type_lists.h>
#include <types/element_types.h>

#include <string>

// Lists of enum values, as in setAllowedInputTypes({ALL_FLOATS}).
#define ALL_FLOATS sd::DataType::HALF, sd::DataType::FLOAT32, sd::DataType::DOUBLE, sd::DataType::BFLOAT16
#define ALL_INTS                                                                                           \
  sd::DataType::INT8, sd::DataType::UINT8, sd::DataType::INT16, sd::DataType::UINT16, sd::DataType::INT32, \
      sd::DataType::UINT32, sd::DataType::INT64, sd::DataType::UINT64
#define ALL_COMPLEX sd::DataType::COMPLEX64, sd::DataType::COMPLEX128
#define ALL_INDICES sd::DataType::INT32, sd::DataType::INT64
#define ALL_STRINGS sd::DataType::UTF8, sd::DataType::UTF16, sd::DataType::UTF32

#endif
