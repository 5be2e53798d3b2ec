// Macros for operations and for programs that work on arrays: dispatch by operation number, lambdas, memory, logging.
#ifndef NDFORGE_SYSTEM_OP_BOILERPLATE_H
#define NDFORGE_SYSTEM_OP_BOILERPLATE_H

#include <helpers/logger.h>
#include <system/Environment.h>
#include <system/common.h>
#include <system/op_body.h>
#include <system/op_declaration.h>
#include <system/op_enums.h>
#include <system/op_type.h>
#include <system/openmp_pragmas.h>
#include <system/type_boilerplate.h>

#include <cstdio>
#include <type_traits>

namespace sd {

namespace memory {

class Workspace;

/// `count` elements of `size` bytes, zero-filled and aligned, from the workspace, or from the heap when the workspace
/// is null. Throws sd::allocation_exception when count is negative, the size overflows or memory runs out.
[[nodiscard]] SD_LIB_EXPORT void* allocateZeroed(Workspace* workspace, LongType count, size_t size, size_t alignment);

/// Frees heap memory from allocateZeroed, or from new[] of a trivial type; does nothing when there is a workspace.
SD_LIB_EXPORT void releaseZeroed(const void* block, Workspace* workspace);

template <typename T>
[[nodiscard]] T* allocateArray(Workspace* workspace, LongType count) {
  static_assert(std::is_trivially_destructible_v<T>, "released without calling destructors");
  return static_cast<T*>(allocateZeroed(workspace, count, sizeof(T), alignof(T)));
}

}  // namespace memory

/// Throws std::runtime_error: `function` has no operation with that number.
[[noreturn]] SD_LIB_EXPORT void throwBadOpNumber(const char* function, int opNumber);

}  // namespace sd

// --- memory ---
#define ALLOCATE(VAR, WORKSPACE, LENGTH, TYPE) \
  VAR = sd::memory::allocateArray<TYPE>(WORKSPACE, static_cast<sd::LongType>(LENGTH));
#define RELEASE(VAR, WORKSPACE) sd::memory::releaseZeroed(VAR, WORKSPACE);
#define ALLOCATE_SPECIAL(VAR, WORKSPACE, LENGTH, TYPE) VAR = nullptr;
#define RELEASE_SPECIAL(VAR, WORKSPACE)
#define ELEMENT_THRESHOLD sd::Environment::getInstance().elementwiseThreshold()
#define TAD_THRESHOLD sd::Environment::getInstance().tadThreshold()
#define PRINT_FIRST(...) \
  do {                   \
    printf(__VA_ARGS__); \
    fflush(stdout);      \
  } while (false)

// --- dispatch by number ---
// A switch over the variable opNum. OPS is a list of (number, class template); X, Y and Z are the types of those names
// in the scope where the macro is used. SIGNATURE is the argument list, as PARAMS(a, b) or (a, b). An unknown number
// throws std::runtime_error.
#define DISPATCH_BY_OPNUM_T(NAME, SIGNATURE, ...) SD_DISPATCH(, NAME, (SD_ARGUMENTS(SIGNATURE)), (X), __VA_ARGS__)
#define DISPATCH_BY_OPNUM_TT(NAME, SIGNATURE, ...) SD_DISPATCH(, NAME, (SD_ARGUMENTS(SIGNATURE)), (X, Y), __VA_ARGS__)
#define DISPATCH_BY_OPNUM_TTT(NAME, SIGNATURE, ...) \
  SD_DISPATCH(, NAME, (SD_ARGUMENTS(SIGNATURE)), (X, Y, Z), __VA_ARGS__)
#define RETURNING_DISPATCH_BY_OPNUM_T(NAME, SIGNATURE, ...) \
  SD_DISPATCH(return, NAME, (SD_ARGUMENTS(SIGNATURE)), (X), __VA_ARGS__)
#define RETURNING_DISPATCH_BY_OPNUM_TT(NAME, SIGNATURE, ...) \
  SD_DISPATCH(return, NAME, (SD_ARGUMENTS(SIGNATURE)), (X, Y), __VA_ARGS__)
#define RETURNING_DISPATCH_BY_OPNUM_TTT(NAME, SIGNATURE, ...) \
  SD_DISPATCH(return, NAME, (SD_ARGUMENTS(SIGNATURE)), (X, Y, Z), __VA_ARGS__)
#define SD_DISPATCH(RETURN, NAME, ARGUMENTS, TYPES, ...)                         \
  switch (opNum) {                                                               \
    SD_PP_FOR_A(SD_DISPATCH_CASE, (RETURN, NAME, ARGUMENTS, TYPES), __VA_ARGS__) \
    default:                                                                     \
      ::sd::throwBadOpNumber(#NAME, static_cast<int>(opNum));                    \
  }
#define SD_DISPATCH_CASE(DATA, ENTRY) SD_PP_CALL_A(SD_DISPATCH_CASE_I, (UNPAREN DATA, UNPAREN ENTRY))
#define SD_DISPATCH_CASE_I(RETURN, NAME, ARGUMENTS, TYPES, NUMBER, CLASS) \
  case NUMBER: {                                                          \
    RETURN NAME<CLASS<UNPAREN TYPES>> ARGUMENTS;                          \
    break;                                                                \
  }
// The arguments, without the parentheses that may enclose them.
#define SD_ARGUMENTS(...) M_CONCAT(SD_ARGUMENTS_, SD_PP_ONE_OR_MORE(__VA_ARGS__))(__VA_ARGS__)
#define SD_ARGUMENTS_MORE(...) __VA_ARGS__
#define SD_ARGUMENTS_ONE(ARGUMENT) M_CONCAT(SD_ARGUMENTS_ONE_, SD_PP_BEGINS_PAREN(ARGUMENT))(ARGUMENT)
#define SD_ARGUMENTS_ONE_0(ARGUMENT) ARGUMENT
#define SD_ARGUMENTS_ONE_1(ARGUMENT) UNPAREN ARGUMENT

// --- lambdas ---
// LAMBDA_TT(x, y, a, b) { return a * x + b * y; } captures a and b. T stands for a type T in scope, D for double, H for
// float16 and F for float. The ILAMBDA_… lambdas also get the linear index, _idx.
#define SD_TAIL_2(...) SD_PP_TAIL(SD_PP_TAIL(__VA_ARGS__))
#define SD_TAIL_3(...) SD_PP_TAIL(SD_TAIL_2(__VA_ARGS__))
#define SD_ARG_1(...) SD_PP_HEAD(__VA_ARGS__)
#define SD_ARG_2(...) SD_PP_HEAD(SD_PP_TAIL(__VA_ARGS__))
#define SD_ARG_3(...) SD_PP_HEAD(SD_TAIL_2(__VA_ARGS__))
#define SD_INDEX [[maybe_unused]] sd::LongType _idx

#define SD_LAMBDA_1(TYPE, ...) [SD_PP_TAIL(__VA_ARGS__)](TYPE SD_ARG_1(__VA_ARGS__)) -> TYPE
#define SD_LAMBDA_2(TYPE, ...) [SD_TAIL_2(__VA_ARGS__)](TYPE SD_ARG_1(__VA_ARGS__), TYPE SD_ARG_2(__VA_ARGS__)) -> TYPE
#define SD_LAMBDA_3(TYPE, ...) \
  [SD_TAIL_3(__VA_ARGS__)](TYPE SD_ARG_1(__VA_ARGS__), TYPE SD_ARG_2(__VA_ARGS__), TYPE SD_ARG_3(__VA_ARGS__)) -> TYPE
#define SD_ILAMBDA_1(TYPE, ...) [SD_PP_TAIL(__VA_ARGS__)](SD_INDEX, TYPE SD_ARG_1(__VA_ARGS__)) -> TYPE
#define SD_ILAMBDA_2(TYPE, ...) \
  [SD_TAIL_2(__VA_ARGS__)](SD_INDEX, TYPE SD_ARG_1(__VA_ARGS__), TYPE SD_ARG_2(__VA_ARGS__)) -> TYPE

#define LAMBDA_T(...) SD_LAMBDA_1(T, __VA_ARGS__)
#define LAMBDA_TT(...) SD_LAMBDA_2(T, __VA_ARGS__)
#define LAMBDA_TTT(...) SD_LAMBDA_3(T, __VA_ARGS__)
#define LAMBDA_D(...) SD_LAMBDA_1(double, __VA_ARGS__)
#define LAMBDA_DD(...) SD_LAMBDA_2(double, __VA_ARGS__)
#define LAMBDA_DDD(...) SD_LAMBDA_3(double, __VA_ARGS__)
#define LAMBDA_F(...) SD_LAMBDA_1(float, __VA_ARGS__)
#define LAMBDA_FF(...) SD_LAMBDA_2(float, __VA_ARGS__)
#define LAMBDA_FFF(...) SD_LAMBDA_3(float, __VA_ARGS__)
#define LAMBDA_H(...) SD_LAMBDA_1(float16, __VA_ARGS__)
#define LAMBDA_HH(...) SD_LAMBDA_2(float16, __VA_ARGS__)
#define ILAMBDA_T(...) SD_ILAMBDA_1(T, __VA_ARGS__)
#define ILAMBDA_TT(...) SD_ILAMBDA_2(T, __VA_ARGS__)
#define ILAMBDA_D(...) SD_ILAMBDA_1(double, __VA_ARGS__)
#define ILAMBDA_DD(...) SD_ILAMBDA_2(double, __VA_ARGS__)
#define ILAMBDA_F(...) SD_ILAMBDA_1(float, __VA_ARGS__)
#define ILAMBDA_FF(...) SD_ILAMBDA_2(float, __VA_ARGS__)

// Heads of the lambdas that benchmarks take; the body follows in braces.
#define GENERATE_XYZ() [&](sd::ResultSet & x, sd::ResultSet & y, sd::ResultSet & z) -> void
#define GENERATE_XZ() [&](sd::ResultSet & x, sd::ResultSet & z) -> void
#define PARAMETRIC_XYZ() [&](Parameters & p, sd::ResultSet & x, sd::ResultSet & y, sd::ResultSet & z) -> void
#define PARAMETRIC_XZ() [&](Parameters & p, sd::ResultSet & x, sd::ResultSet & z) -> void
#define PARAMETRIC_D() [&](Parameters & p) -> sd::graph::Context*

#endif
