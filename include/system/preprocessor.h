// Counting and repeating in the preprocessor, for the type lists and the lists of numbered operations.
//
// A list is a comma-separated sequence of parenthesised entries; it may be empty. Nothing here needs __VA_OPT__, and
// every call of a variadic macro passes at least one argument for its dots, so that C++17 compilers give no warning
// with -pedantic.
#ifndef NDFORGE_SYSTEM_PREPROCESSOR_H
#define NDFORGE_SYSTEM_PREPROCESSOR_H

// Passes its arguments on: protects the commas of an argument.
#define PARAMS(...) __VA_ARGS__
#define INPUT(...) __VA_ARGS__
#define OPS_A(...) __VA_ARGS__
#define OPS_B(...) __VA_ARGS__
#define LIST(...) __VA_ARGS__

#define EVAL(...) __VA_ARGS__
#define EXPAND(...) __VA_ARGS__
/// `UNPAREN (a, b)` is `a, b`.
#define UNPAREN(...) __VA_ARGS__

#define M_CONCAT_I(A, B) A##B
#define M_CONCAT(A, B) M_CONCAT_I(A, B)
#define EVALUATING_PASTE(A, B) M_CONCAT(A, B)

#define STRINGIZE_I(...) #__VA_ARGS__
/// The expanded argument as text.
#define STRINGIZE(...) STRINGIZE_I(__VA_ARGS__)

// Calls MACRO with an argument list that is complete only after expansion. The called macro must not use the same …CALL
// again; therefore the loops A, B and C below and their bodies each have their own.
#define SD_PP_CALL(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_CALL_A(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_CALL_B(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_CALL_C(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_LOOP_B(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_LOOP_C(MACRO, ARGUMENTS) MACRO ARGUMENTS
#define SD_PP_NOTHING(...)

#define SD_PP_AFTER_100(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20,     \
                        a21, a22, a23, a24, a25, a26, a27, a28, a29, a30, a31, a32, a33, a34, a35, a36, a37, a38, a39, \
                        a40, a41, a42, a43, a44, a45, a46, a47, a48, a49, a50, a51, a52, a53, a54, a55, a56, a57, a58, \
                        a59, a60, a61, a62, a63, a64, a65, a66, a67, a68, a69, a70, a71, a72, a73, a74, a75, a76, a77, \
                        a78, a79, a80, a81, a82, a83, a84, a85, a86, a87, a88, a89, a90, a91, a92, a93, a94, a95, a96, \
                        a97, a98, a99, a100, N, ...)                                                                   \
  N
/// Number of arguments, 1 to 100. An empty argument counts.
#define COUNT_NARG(...)                                                                                               \
  SD_PP_CALL(SD_PP_AFTER_100,                                                                                         \
             (__VA_ARGS__, 100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 84, 83, 82, 81, 80, 79,   \
              78, 77, 76, 75, 74, 73, 72, 71, 70, 69, 68, 67, 66, 65, 64, 63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, \
              52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28, 27, \
              26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0))

// ONE for a single argument, else MORE.
#define SD_PP_ONE_OR_MORE(...)                                                                                       \
  SD_PP_CALL(SD_PP_AFTER_100,                                                                                        \
             (__VA_ARGS__, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, \
              MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,  \
              MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,  \
              MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,  \
              MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE,  \
              MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, MORE, ONE, 0))

#define SD_PP_HEAD_I(HEAD, ...) HEAD
/// The first argument.
#define SD_PP_HEAD(...) SD_PP_HEAD_I(__VA_ARGS__, )

#define SD_PP_TAIL_ONE(HEAD)
#define SD_PP_TAIL_MORE(HEAD, ...) __VA_ARGS__
/// The arguments after the first; expands to nothing when there is only one.
#define SD_PP_TAIL(...) SD_PP_CALL(M_CONCAT(SD_PP_TAIL_, SD_PP_ONE_OR_MORE(__VA_ARGS__)), (__VA_ARGS__))
/// Turns entries that are each preceded by a comma into a list.
#define SKIP_FIRST_COMMA(...) SD_PP_TAIL(__VA_ARGS__)

// 1 when the argument begins with a parenthesis, else 0.
#define SD_PP_SECOND(A, B, ...) B
#define SD_PP_PROBE(...) ~, 1
#define SD_PP_BEGINS_PAREN(ARGUMENT) SD_PP_CALL(SD_PP_SECOND, (SD_PP_PROBE ARGUMENT, 0, 0))
/// 1 when the list has an entry, else 0.
#define SD_PP_HAS_ENTRY(...) SD_PP_BEGINS_PAREN(SD_PP_HEAD(__VA_ARGS__))

#define SD_PP_IF_0(THEN, ELSE) ELSE
#define SD_PP_IF_1(THEN, ELSE) THEN
#define SD_PP_IF(CONDITION, THEN, ELSE) M_CONCAT(SD_PP_IF_, CONDITION)(THEN, ELSE)

#define SD_PP_GET_0(a0, ...) a0
#define SD_PP_GET_1(a0, a1, ...) a1
#define SD_PP_GET_2(a0, a1, a2, ...) a2
#define SD_PP_GET_3(a0, a1, a2, a3, ...) a3
#define SD_PP_GET_4(a0, a1, a2, a3, a4, ...) a4
#define SD_PP_GET_5(a0, a1, a2, a3, a4, a5, ...) a5
#define SD_PP_GET_6(a0, a1, a2, a3, a4, a5, a6, ...) a6
#define SD_PP_GET_7(a0, a1, a2, a3, a4, a5, a6, a7, ...) a7
#define SD_PP_GET_8(a0, a1, a2, a3, a4, a5, a6, a7, a8, ...) a8
#define SD_PP_GET_9(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, ...) a9
#define SD_PP_GET_10(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, ...) a10
#define SD_PP_GET_11(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, ...) a11
#define SD_PP_GET_12(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, ...) a12
#define SD_PP_GET_13(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, ...) a13
#define SD_PP_GET_14(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, ...) a14
#define SD_PP_GET_15(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, ...) a15

/// Entry N (0 to 15) of the list; expands to nothing when the list is shorter.
#define GET_ELEMENT(N, ...) SD_PP_CALL(M_CONCAT(SD_PP_GET_, N), (__VA_ARGS__, , , , , , , , , , , , , , , , ))

// SD_PP_FOR_A(MACRO, DATA, list) expands to MACRO(DATA, entry) for each entry. A macro cannot expand inside itself, so
// there are three of them for nested loops: A around B around C.
#define SD_PP_FOR_A(MACRO, DATA, ...) \
  SD_PP_IF(SD_PP_HAS_ENTRY(__VA_ARGS__), SD_PP_FOR_A_SOME, SD_PP_NOTHING)(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_A_SOME(MACRO, DATA, ...) M_CONCAT(SD_PP_FOR_A_, COUNT_NARG(__VA_ARGS__))(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_A_1(M, D, E) M(D, E)
#define SD_PP_FOR_A_2(M, D, E, ...) M(D, E) SD_PP_FOR_A_1(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_3(M, D, E, ...) M(D, E) SD_PP_FOR_A_2(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_4(M, D, E, ...) M(D, E) SD_PP_FOR_A_3(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_5(M, D, E, ...) M(D, E) SD_PP_FOR_A_4(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_6(M, D, E, ...) M(D, E) SD_PP_FOR_A_5(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_7(M, D, E, ...) M(D, E) SD_PP_FOR_A_6(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_8(M, D, E, ...) M(D, E) SD_PP_FOR_A_7(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_9(M, D, E, ...) M(D, E) SD_PP_FOR_A_8(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_10(M, D, E, ...) M(D, E) SD_PP_FOR_A_9(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_11(M, D, E, ...) M(D, E) SD_PP_FOR_A_10(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_12(M, D, E, ...) M(D, E) SD_PP_FOR_A_11(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_13(M, D, E, ...) M(D, E) SD_PP_FOR_A_12(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_14(M, D, E, ...) M(D, E) SD_PP_FOR_A_13(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_15(M, D, E, ...) M(D, E) SD_PP_FOR_A_14(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_16(M, D, E, ...) M(D, E) SD_PP_FOR_A_15(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_17(M, D, E, ...) M(D, E) SD_PP_FOR_A_16(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_18(M, D, E, ...) M(D, E) SD_PP_FOR_A_17(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_19(M, D, E, ...) M(D, E) SD_PP_FOR_A_18(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_20(M, D, E, ...) M(D, E) SD_PP_FOR_A_19(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_21(M, D, E, ...) M(D, E) SD_PP_FOR_A_20(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_22(M, D, E, ...) M(D, E) SD_PP_FOR_A_21(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_23(M, D, E, ...) M(D, E) SD_PP_FOR_A_22(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_24(M, D, E, ...) M(D, E) SD_PP_FOR_A_23(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_25(M, D, E, ...) M(D, E) SD_PP_FOR_A_24(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_26(M, D, E, ...) M(D, E) SD_PP_FOR_A_25(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_27(M, D, E, ...) M(D, E) SD_PP_FOR_A_26(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_28(M, D, E, ...) M(D, E) SD_PP_FOR_A_27(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_29(M, D, E, ...) M(D, E) SD_PP_FOR_A_28(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_30(M, D, E, ...) M(D, E) SD_PP_FOR_A_29(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_31(M, D, E, ...) M(D, E) SD_PP_FOR_A_30(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_32(M, D, E, ...) M(D, E) SD_PP_FOR_A_31(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_33(M, D, E, ...) M(D, E) SD_PP_FOR_A_32(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_34(M, D, E, ...) M(D, E) SD_PP_FOR_A_33(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_35(M, D, E, ...) M(D, E) SD_PP_FOR_A_34(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_36(M, D, E, ...) M(D, E) SD_PP_FOR_A_35(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_37(M, D, E, ...) M(D, E) SD_PP_FOR_A_36(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_38(M, D, E, ...) M(D, E) SD_PP_FOR_A_37(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_39(M, D, E, ...) M(D, E) SD_PP_FOR_A_38(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_40(M, D, E, ...) M(D, E) SD_PP_FOR_A_39(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_41(M, D, E, ...) M(D, E) SD_PP_FOR_A_40(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_42(M, D, E, ...) M(D, E) SD_PP_FOR_A_41(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_43(M, D, E, ...) M(D, E) SD_PP_FOR_A_42(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_44(M, D, E, ...) M(D, E) SD_PP_FOR_A_43(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_45(M, D, E, ...) M(D, E) SD_PP_FOR_A_44(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_46(M, D, E, ...) M(D, E) SD_PP_FOR_A_45(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_47(M, D, E, ...) M(D, E) SD_PP_FOR_A_46(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_48(M, D, E, ...) M(D, E) SD_PP_FOR_A_47(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_49(M, D, E, ...) M(D, E) SD_PP_FOR_A_48(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_50(M, D, E, ...) M(D, E) SD_PP_FOR_A_49(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_51(M, D, E, ...) M(D, E) SD_PP_FOR_A_50(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_52(M, D, E, ...) M(D, E) SD_PP_FOR_A_51(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_53(M, D, E, ...) M(D, E) SD_PP_FOR_A_52(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_54(M, D, E, ...) M(D, E) SD_PP_FOR_A_53(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_55(M, D, E, ...) M(D, E) SD_PP_FOR_A_54(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_56(M, D, E, ...) M(D, E) SD_PP_FOR_A_55(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_57(M, D, E, ...) M(D, E) SD_PP_FOR_A_56(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_58(M, D, E, ...) M(D, E) SD_PP_FOR_A_57(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_59(M, D, E, ...) M(D, E) SD_PP_FOR_A_58(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_60(M, D, E, ...) M(D, E) SD_PP_FOR_A_59(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_61(M, D, E, ...) M(D, E) SD_PP_FOR_A_60(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_62(M, D, E, ...) M(D, E) SD_PP_FOR_A_61(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_63(M, D, E, ...) M(D, E) SD_PP_FOR_A_62(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_64(M, D, E, ...) M(D, E) SD_PP_FOR_A_63(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_65(M, D, E, ...) M(D, E) SD_PP_FOR_A_64(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_66(M, D, E, ...) M(D, E) SD_PP_FOR_A_65(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_67(M, D, E, ...) M(D, E) SD_PP_FOR_A_66(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_68(M, D, E, ...) M(D, E) SD_PP_FOR_A_67(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_69(M, D, E, ...) M(D, E) SD_PP_FOR_A_68(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_70(M, D, E, ...) M(D, E) SD_PP_FOR_A_69(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_71(M, D, E, ...) M(D, E) SD_PP_FOR_A_70(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_72(M, D, E, ...) M(D, E) SD_PP_FOR_A_71(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_73(M, D, E, ...) M(D, E) SD_PP_FOR_A_72(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_74(M, D, E, ...) M(D, E) SD_PP_FOR_A_73(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_75(M, D, E, ...) M(D, E) SD_PP_FOR_A_74(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_76(M, D, E, ...) M(D, E) SD_PP_FOR_A_75(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_77(M, D, E, ...) M(D, E) SD_PP_FOR_A_76(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_78(M, D, E, ...) M(D, E) SD_PP_FOR_A_77(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_79(M, D, E, ...) M(D, E) SD_PP_FOR_A_78(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_80(M, D, E, ...) M(D, E) SD_PP_FOR_A_79(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_81(M, D, E, ...) M(D, E) SD_PP_FOR_A_80(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_82(M, D, E, ...) M(D, E) SD_PP_FOR_A_81(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_83(M, D, E, ...) M(D, E) SD_PP_FOR_A_82(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_84(M, D, E, ...) M(D, E) SD_PP_FOR_A_83(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_85(M, D, E, ...) M(D, E) SD_PP_FOR_A_84(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_86(M, D, E, ...) M(D, E) SD_PP_FOR_A_85(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_87(M, D, E, ...) M(D, E) SD_PP_FOR_A_86(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_88(M, D, E, ...) M(D, E) SD_PP_FOR_A_87(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_89(M, D, E, ...) M(D, E) SD_PP_FOR_A_88(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_90(M, D, E, ...) M(D, E) SD_PP_FOR_A_89(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_91(M, D, E, ...) M(D, E) SD_PP_FOR_A_90(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_92(M, D, E, ...) M(D, E) SD_PP_FOR_A_91(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_93(M, D, E, ...) M(D, E) SD_PP_FOR_A_92(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_94(M, D, E, ...) M(D, E) SD_PP_FOR_A_93(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_95(M, D, E, ...) M(D, E) SD_PP_FOR_A_94(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_96(M, D, E, ...) M(D, E) SD_PP_FOR_A_95(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_97(M, D, E, ...) M(D, E) SD_PP_FOR_A_96(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_98(M, D, E, ...) M(D, E) SD_PP_FOR_A_97(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_99(M, D, E, ...) M(D, E) SD_PP_FOR_A_98(M, D, __VA_ARGS__)
#define SD_PP_FOR_A_100(M, D, E, ...) M(D, E) SD_PP_FOR_A_99(M, D, __VA_ARGS__)

#define SD_PP_FOR_B(MACRO, DATA, ...) \
  SD_PP_IF(SD_PP_HAS_ENTRY(__VA_ARGS__), SD_PP_FOR_B_SOME, SD_PP_NOTHING)(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_B_SOME(MACRO, DATA, ...) M_CONCAT(SD_PP_FOR_B_, COUNT_NARG(__VA_ARGS__))(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_B_1(M, D, E) M(D, E)
#define SD_PP_FOR_B_2(M, D, E, ...) M(D, E) SD_PP_FOR_B_1(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_3(M, D, E, ...) M(D, E) SD_PP_FOR_B_2(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_4(M, D, E, ...) M(D, E) SD_PP_FOR_B_3(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_5(M, D, E, ...) M(D, E) SD_PP_FOR_B_4(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_6(M, D, E, ...) M(D, E) SD_PP_FOR_B_5(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_7(M, D, E, ...) M(D, E) SD_PP_FOR_B_6(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_8(M, D, E, ...) M(D, E) SD_PP_FOR_B_7(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_9(M, D, E, ...) M(D, E) SD_PP_FOR_B_8(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_10(M, D, E, ...) M(D, E) SD_PP_FOR_B_9(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_11(M, D, E, ...) M(D, E) SD_PP_FOR_B_10(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_12(M, D, E, ...) M(D, E) SD_PP_FOR_B_11(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_13(M, D, E, ...) M(D, E) SD_PP_FOR_B_12(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_14(M, D, E, ...) M(D, E) SD_PP_FOR_B_13(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_15(M, D, E, ...) M(D, E) SD_PP_FOR_B_14(M, D, __VA_ARGS__)
#define SD_PP_FOR_B_16(M, D, E, ...) M(D, E) SD_PP_FOR_B_15(M, D, __VA_ARGS__)

#define SD_PP_FOR_C(MACRO, DATA, ...) \
  SD_PP_IF(SD_PP_HAS_ENTRY(__VA_ARGS__), SD_PP_FOR_C_SOME, SD_PP_NOTHING)(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_C_SOME(MACRO, DATA, ...) M_CONCAT(SD_PP_FOR_C_, COUNT_NARG(__VA_ARGS__))(MACRO, DATA, __VA_ARGS__)
#define SD_PP_FOR_C_1(M, D, E) M(D, E)
#define SD_PP_FOR_C_2(M, D, E, ...) M(D, E) SD_PP_FOR_C_1(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_3(M, D, E, ...) M(D, E) SD_PP_FOR_C_2(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_4(M, D, E, ...) M(D, E) SD_PP_FOR_C_3(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_5(M, D, E, ...) M(D, E) SD_PP_FOR_C_4(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_6(M, D, E, ...) M(D, E) SD_PP_FOR_C_5(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_7(M, D, E, ...) M(D, E) SD_PP_FOR_C_6(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_8(M, D, E, ...) M(D, E) SD_PP_FOR_C_7(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_9(M, D, E, ...) M(D, E) SD_PP_FOR_C_8(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_10(M, D, E, ...) M(D, E) SD_PP_FOR_C_9(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_11(M, D, E, ...) M(D, E) SD_PP_FOR_C_10(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_12(M, D, E, ...) M(D, E) SD_PP_FOR_C_11(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_13(M, D, E, ...) M(D, E) SD_PP_FOR_C_12(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_14(M, D, E, ...) M(D, E) SD_PP_FOR_C_13(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_15(M, D, E, ...) M(D, E) SD_PP_FOR_C_14(M, D, __VA_ARGS__)
#define SD_PP_FOR_C_16(M, D, E, ...) M(D, E) SD_PP_FOR_C_15(M, D, __VA_ARGS__)

#endif
