// Explicit instantiation over type lists (BUILD_…_TEMPLATE) and choosing an instantiation at run time (…_SELECTOR).
//
// NAME is the text before the template arguments, SIGNATURE the text after them:
//   BUILD_SINGLE_TEMPLATE(template void fill_, (void* z, sd::LongType n), SD_COMMON_TYPES);
//   BUILD_SINGLE_SELECTOR(dtype, fill_, (z, n), SD_COMMON_TYPES);
// A selector is a switch statement. A type that is not in the list throws std::runtime_error; the message begins with
// "bad data type" and names the function and the type.
#ifndef NDFORGE_SYSTEM_TYPE_BOILERPLATE_H
#define NDFORGE_SYSTEM_TYPE_BOILERPLATE_H

#include <system/broadcast_tuples.h>
#include <system/common.h>
#include <system/preprocessor.h>
#include <types/types.h>

namespace sd {

/// Throws std::runtime_error: `function` has no instantiation for `dataType`.
[[noreturn]] SD_LIB_EXPORT void throwBadDataType(const char* function, int dataType);

}  // namespace sd

// One list.
#define BUILD_SINGLE_TEMPLATE(NAME, SIGNATURE, ...) SD_PP_FOR_A(SD_TEMPLATE_1, (NAME, SIGNATURE), __VA_ARGS__)
#define SD_TEMPLATE_1(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_1_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_1_I(NAME, SIGNATURE, ENUM, TYPE) NAME<TYPE> SIGNATURE;

#define BUILD_SINGLE_TEMPLATE_TWICE(NAME, SIGNATURE, ...) SD_PP_FOR_A(SD_TEMPLATE_11, (NAME, SIGNATURE), __VA_ARGS__)
#define SD_TEMPLATE_11(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_11_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_11_I(NAME, SIGNATURE, ENUM, TYPE) NAME<TYPE, TYPE> SIGNATURE;

/// The type is placed between NAME and SIGNATURE without brackets.
#define BUILD_SINGLE_UNCHAINED_TEMPLATE(NAME, SIGNATURE, ...) \
  SD_PP_FOR_A(SD_TEMPLATE_PLAIN, (NAME, SIGNATURE), __VA_ARGS__)
#define SD_TEMPLATE_PLAIN(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_PLAIN_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_PLAIN_I(NAME, SIGNATURE, ENUM, TYPE) NAME TYPE SIGNATURE;

// Products of two and three lists.
#define BUILD_DOUBLE_TEMPLATE(NAME, SIGNATURE, TYPES_A, TYPES_B) \
  SD_PP_FOR_A(SD_TEMPLATE_2_A, (NAME, SIGNATURE, (TYPES_B)), TYPES_A)
#define SD_TEMPLATE_2_A(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_2_A_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_2_A_I(NAME, SIGNATURE, TYPES_B, ENUM_A, A) \
  SD_PP_LOOP_B(SD_PP_FOR_B, (SD_TEMPLATE_2_B, (NAME, SIGNATURE, A), UNPAREN TYPES_B))
#define SD_TEMPLATE_2_B(DATA, ENTRY) SD_PP_CALL_B(SD_TEMPLATE_2_B_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_2_B_I(NAME, SIGNATURE, A, ENUM_B, B) NAME<A, B> SIGNATURE;

#define BUILD_TRIPLE_TEMPLATE(NAME, SIGNATURE, TYPES_X, TYPES_Y, TYPES_Z) \
  SD_PP_FOR_A(SD_TEMPLATE_3_A, (NAME, SIGNATURE, (TYPES_Y), (TYPES_Z)), TYPES_X)
#define SD_TEMPLATE_3_A(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_3_A_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_3_A_I(NAME, SIGNATURE, TYPES_Y, TYPES_Z, ENUM_X, X) \
  SD_PP_LOOP_B(SD_PP_FOR_B, (SD_TEMPLATE_3_B, (NAME, SIGNATURE, TYPES_Z, X), UNPAREN TYPES_Y))
#define SD_TEMPLATE_3_B(DATA, ENTRY) SD_PP_CALL_B(SD_TEMPLATE_3_B_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_3_B_I(NAME, SIGNATURE, TYPES_Z, X, ENUM_Y, Y) \
  SD_PP_LOOP_C(SD_PP_FOR_C, (SD_TEMPLATE_3_C, (NAME, SIGNATURE, X, Y), UNPAREN TYPES_Z))
#define SD_TEMPLATE_3_C(DATA, ENTRY) SD_PP_CALL_C(SD_TEMPLATE_3_C_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_3_C_I(NAME, SIGNATURE, X, Y, ENUM_Z, Z) NAME<X, Y, Z> SIGNATURE;

/// A list of triples of types, such as SD_PAIRWISE_TYPES_0.
#define BUILD_PAIRWISE_TEMPLATE(NAME, SIGNATURE, ...) SD_PP_FOR_A(SD_TEMPLATE_TRIPLE, (NAME, SIGNATURE), __VA_ARGS__)
#define SD_TEMPLATE_TRIPLE(DATA, ENTRY) SD_PP_CALL_A(SD_TEMPLATE_TRIPLE_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_TEMPLATE_TRIPLE_I(NAME, SIGNATURE, X, Y, Z) NAME<X, Y, Z> SIGNATURE;

// Selectors. TEXT is the name in the error message, SELECTED the variable of the switch.
#define SD_SELECT(SELECTED, XTYPE, TEXT, CASES)                 \
  switch (const auto SELECTED = (XTYPE); SELECTED) {            \
    CASES                                                       \
    default:                                                    \
      ::sd::throwBadDataType(TEXT, static_cast<int>(SELECTED)); \
  }
#define SD_CASE(ENUM, ...) \
  case ENUM: {             \
    __VA_ARGS__;           \
    break;                 \
  }

#define BUILD_SINGLE_SELECTOR(XTYPE, NAME, SIGNATURE, ...) \
  SD_SELECT(sdTypeX, XTYPE, #NAME, SD_PP_FOR_A(SD_CASE_1, (NAME, SIGNATURE), __VA_ARGS__))
#define SD_CASE_1(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_1_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_1_I(NAME, SIGNATURE, ENUM, TYPE) SD_CASE(ENUM, NAME<TYPE> SIGNATURE)

#define BUILD_SINGLE_SELECTOR_TWICE(XTYPE, NAME, SIGNATURE, ...) \
  SD_SELECT(sdTypeX, XTYPE, #NAME, SD_PP_FOR_A(SD_CASE_11, (NAME, SIGNATURE), __VA_ARGS__))
#define SD_CASE_11(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_11_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_11_I(NAME, SIGNATURE, ENUM, TYPE) SD_CASE(ENUM, NAME<TYPE, TYPE> SIGNATURE)

#define BUILD_SINGLE_SELECTOR_THRICE(XTYPE, NAME, SIGNATURE, ...) \
  SD_SELECT(sdTypeX, XTYPE, #NAME, SD_PP_FOR_A(SD_CASE_111, (NAME, SIGNATURE), __VA_ARGS__))
#define SD_CASE_111(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_111_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_111_I(NAME, SIGNATURE, ENUM, TYPE) SD_CASE(ENUM, NAME<TYPE, TYPE, TYPE> SIGNATURE)

/// NAME ends in an open template argument list, and the type becomes its first argument:
/// `BUILD_SINGLE_PARTIAL_SELECTOR(dtype, return get<, float>(i), SD_COMMON_TYPES)` calls `get<T, float>(i)`. The comma
/// after the type may also be protected: PARAMS(, float>(i)) as SIGNATURE.
#define BUILD_SINGLE_PARTIAL_SELECTOR(XTYPE, NAME, SIGNATURE, ...) \
  SD_SELECT(sdTypeX, XTYPE, #NAME ">", SD_PP_FOR_A(SD_CASE_OPEN, (NAME, (SD_PARTIAL_REST(SIGNATURE))), __VA_ARGS__))
#define SD_PARTIAL_REST(...) M_CONCAT(SD_PARTIAL_REST_, SD_PP_ONE_OR_MORE(__VA_ARGS__))(__VA_ARGS__)
#define SD_PARTIAL_REST_ONE(SIGNATURE) , SIGNATURE
#define SD_PARTIAL_REST_MORE(...) __VA_ARGS__
#define SD_CASE_OPEN(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_OPEN_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_OPEN_I(NAME, REST, ENUM, TYPE) SD_CASE(ENUM, NAME TYPE UNPAREN REST)

#define BUILD_DOUBLE_SELECTOR(XTYPE, YTYPE, NAME, SIGNATURE, TYPES_A, TYPES_B) \
  SD_SELECT(sdTypeX, XTYPE, #NAME, SD_PP_FOR_A(SD_CASE_2_A, (YTYPE, NAME, #NAME, SIGNATURE, (TYPES_B)), TYPES_A))
#define SD_CASE_2_A(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_2_A_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_2_A_I(YTYPE, NAME, TEXT, SIGNATURE, TYPES_B, ENUM_A, A) \
  SD_CASE(ENUM_A, SD_SELECT(sdTypeY, YTYPE, TEXT,                       \
                            SD_PP_LOOP_B(SD_PP_FOR_B, (SD_CASE_2_B, (NAME, SIGNATURE, A), UNPAREN TYPES_B))))
#define SD_CASE_2_B(DATA, ENTRY) SD_PP_CALL_B(SD_CASE_2_B_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_2_B_I(NAME, SIGNATURE, A, ENUM_B, B) SD_CASE(ENUM_B, NAME<A, B> SIGNATURE)

#define BUILD_TRIPLE_SELECTOR(XTYPE, YTYPE, ZTYPE, NAME, SIGNATURE, TYPES_X, TYPES_Y, TYPES_Z) \
  SD_SELECT(sdTypeX, XTYPE, #NAME,                                                             \
            SD_PP_FOR_A(SD_CASE_3_A, (YTYPE, ZTYPE, NAME, #NAME, SIGNATURE, (TYPES_Y), (TYPES_Z)), TYPES_X))
#define SD_CASE_3_A(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_3_A_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_3_A_I(YTYPE, ZTYPE, NAME, TEXT, SIGNATURE, TYPES_Y, TYPES_Z, ENUM_X, X) \
  SD_CASE(ENUM_X, SD_SELECT(sdTypeY, YTYPE, TEXT,                                       \
                            SD_PP_LOOP_B(SD_PP_FOR_B,                                   \
                                         (SD_CASE_3_B, (ZTYPE, NAME, TEXT, SIGNATURE, TYPES_Z, X), UNPAREN TYPES_Y))))
#define SD_CASE_3_B(DATA, ENTRY) SD_PP_CALL_B(SD_CASE_3_B_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_3_B_I(ZTYPE, NAME, TEXT, SIGNATURE, TYPES_Z, X, ENUM_Y, Y) \
  SD_CASE(ENUM_Y, SD_SELECT(sdTypeZ, ZTYPE, TEXT,                          \
                            SD_PP_LOOP_C(SD_PP_FOR_C, (SD_CASE_3_C, (NAME, SIGNATURE, X, Y), UNPAREN TYPES_Z))))
#define SD_CASE_3_C(DATA, ENTRY) SD_PP_CALL_C(SD_CASE_3_C_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_3_C_I(NAME, SIGNATURE, X, Y, ENUM_Z, Z) SD_CASE(ENUM_Z, NAME<X, Y, Z> SIGNATURE)

/// The type of z must be that of y (then NAME<X, Y, Y> is called) or that of x (NAME<X, Y, X>).
#define BUILD_PAIRWISE_SELECTOR(XTYPE, YTYPE, ZTYPE, NAME, SIGNATURE, TYPES_A, TYPES_B) \
  SD_SELECT(sdTypeX, XTYPE, #NAME,                                                      \
            SD_PP_FOR_A(SD_CASE_PAIR_A, (YTYPE, ZTYPE, NAME, #NAME, SIGNATURE, (TYPES_B)), TYPES_A))
#define SD_CASE_PAIR_A(DATA, ENTRY) SD_PP_CALL_A(SD_CASE_PAIR_A_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_PAIR_A_I(YTYPE, ZTYPE, NAME, TEXT, SIGNATURE, TYPES_B, ENUM_X, X) \
  SD_CASE(ENUM_X,                                                                 \
          SD_SELECT(sdTypeY, YTYPE, TEXT,                                         \
                    SD_PP_LOOP_B(SD_PP_FOR_B, (SD_CASE_PAIR_B, (ZTYPE, NAME, TEXT, SIGNATURE, X), UNPAREN TYPES_B))))
#define SD_CASE_PAIR_B(DATA, ENTRY) SD_PP_CALL_B(SD_CASE_PAIR_B_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_CASE_PAIR_B_I(ZTYPE, NAME, TEXT, SIGNATURE, X, ENUM_Y, Y) \
  case ENUM_Y: {                                                     \
    const auto sdTypeZ = (ZTYPE);                                    \
    if (sdTypeZ == sdTypeY) {                                        \
      NAME<X, Y, Y> SIGNATURE;                                       \
    } else if (sdTypeZ == sdTypeX) {                                 \
      NAME<X, Y, X> SIGNATURE;                                       \
    } else {                                                         \
      ::sd::throwBadDataType(TEXT, static_cast<int>(sdTypeZ));       \
    }                                                                \
    break;                                                           \
  }

#endif
