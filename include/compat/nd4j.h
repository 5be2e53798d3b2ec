// For programs written for versions of libnd4j with the older names (Nd4jLong instead of sd::LongType): defines the
// older names as macros and aliases. docs/older_programs.md describes the other changes that such a program needs.
//
// Only those programs include it, in place of <op_boilerplate.h>, <pointercast.h>, <dll.h> and <NDArray.h>.
#ifndef NDFORGE_COMPAT_ND4J_H
#define NDFORGE_COMPAT_ND4J_H

#include <array/NDArray.h>
#include <array/NDArrayFactory.h>
#include <array/NDArrayList.h>
#include <helpers/ConstantTadHelper.h>
#include <helpers/ShapeBuilders.h>
#include <loops/type_conversions.h>
#include <math/templatemath.h>
#include <ops/declarable/CustomOperations.h>
#include <system/op_boilerplate.h>

// ---- the namespace
// A macro, because programs also reopen the namespace, namespace nd4j { namespace ops { … } }: no alias allows that.
#define nd4j sd

// ---- types
using Nd4jLong = sd::LongType;
using Nd4jULong = sd::UnsignedLong;
using Nd4jIndex = sd::LongType;
using Nd4jPointer = sd::Pointer;
/// An int in those versions, an enumeration here: compare it with the constants below, not with 0.
using Nd4jStatus = sd::Status;

// ---- statuses
inline constexpr Nd4jStatus ND4J_STATUS_OK = sd::Status::OK;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_INPUT = sd::Status::BAD_INPUT;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_SHAPE = sd::Status::BAD_SHAPE;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_RANK = sd::Status::BAD_RANK;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_PARAMS = sd::Status::BAD_PARAMS;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_OUTPUT = sd::Status::BAD_OUTPUT;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_RNG = sd::Status::BAD_RNG;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_EPSILON = sd::Status::BAD_EPSILON;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_GRADIENTS = sd::Status::BAD_GRADIENTS;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_BIAS = sd::Status::BAD_BIAS;
inline constexpr Nd4jStatus ND4J_STATUS_VALIDATION = sd::Status::VALIDATION;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_GRAPH = sd::Status::BAD_GRAPH;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_LENGTH = sd::Status::BAD_LENGTH;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_DIMENSIONS = sd::Status::BAD_DIMENSIONS;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_ORDER = sd::Status::BAD_ORDER;
inline constexpr Nd4jStatus ND4J_STATUS_BAD_ARGUMENTS = sd::Status::BAD_ARGUMENTS;
inline constexpr Nd4jStatus ND4J_STATUS_DOUBLE_WRITE = sd::Status::DOUBLE_WRITE;
inline constexpr Nd4jStatus ND4J_STATUS_DOUBLE_READ = sd::Status::DOUBLE_READ;
inline constexpr Nd4jStatus ND4J_STATUS_KERNEL_FAILURE = sd::Status::KERNEL_FAILURE;
inline constexpr Nd4jStatus ND4J_STATUS_TRUE = sd::Status::EQ_TRUE;
inline constexpr Nd4jStatus ND4J_STATUS_FALSE = sd::Status::EQ_FALSE;
inline constexpr Nd4jStatus ND4J_STATUS_MAYBE = sd::Status::MAYBE;
// In those versions Status::OK() is a function.
#define OK() OK

// ---- specifiers of functions and classes
#define ND4J_EXPORT SD_LIB_EXPORT
#define FORCEINLINE SD_INLINE
#define op_def SD_OP_DEF
#define meta_def SD_META_DEF
#define op_def_special SD_OP_DEF
#define _CUDA_H SD_HOST
#define _CUDA_D SD_DEVICE
#define _CUDA_G SD_KERNEL
#define _CUDA_HD SD_HOST_DEVICE

// ---- limits
#define MAX_RANK SD_MAX_RANK
#define MAX_SHAPEINFOLENGTH SD_MAX_SHAPEINFOLENGTH
#define MAX_DIMENSION SD_MAX_DIMENSION
#define MAX_NUM_THREADS SD_MAX_NUM_THREADS
#define MAP_IMPL SD_MAP_IMPL

// ---- lists of types
#define LIBND4J_TYPES SD_COMMON_TYPES
#define LIBND4J_TYPES_EXTENDED SD_COMMON_TYPES_EXTENDED
#define NUMERIC_TYPES SD_NUMERIC_TYPES
#define FLOAT_TYPES SD_FLOAT_TYPES
#define FLOAT_NATIVE SD_FLOAT_NATIVE
#define INTEGER_TYPES SD_INTEGER_TYPES
#define INDEXING_TYPES SD_INDEXING_TYPES
#define LONG_TYPES SD_LONG_TYPES
#define GENERIC_NUMERIC_TYPES SD_GENERIC_NUMERIC_TYPES
#define BOOL_TYPES SD_BOOL_TYPES
#define STRING_TYPES SD_STRING_TYPES

// ---- messages
#define nd4j_printf(...) sd_printf(__VA_ARGS__)
#define nd4j_debug(...) sd_debug(__VA_ARGS__)
#define nd4j_logger(...) sd_logger(__VA_ARGS__)
#define nd4j_verbose(...) sd_verbose(__VA_ARGS__)
#define nd4j_printv(TITLE, VALUES) sd_printv(TITLE, VALUES)

// ---- functions of nd4j::math
#define nd4j_abs sd_abs
#define nd4j_acos sd_acos
#define nd4j_asin sd_asin
#define nd4j_atan sd_atan
#define nd4j_ceil sd_ceil
#define nd4j_cos sd_cos
#define nd4j_cosh sd_cosh
#define nd4j_eq sd_eq
#define nd4j_erf sd_erf
#define nd4j_erfc sd_erfc
#define nd4j_exp sd_exp
#define nd4j_floor sd_floor
#define nd4j_fmod sd_fmod
#define nd4j_isfin sd_isfin
#define nd4j_isinf sd_isinf
#define nd4j_isnan sd_isnan
#define nd4j_log sd_log
#define nd4j_max sd_max
#define nd4j_min sd_min
#define nd4j_pow sd_pow
#define nd4j_re sd_re
#define nd4j_rint sd_rint
#define nd4j_rotl sd_rotl
#define nd4j_round sd_round
#define nd4j_sgn sd_sgn
#define nd4j_sigmoid sd_sigmoid
#define nd4j_sign sd_sign
#define nd4j_sin sd_sin
#define nd4j_sinh sd_sinh
#define nd4j_sqrt sd_sqrt
#define nd4j_tan sd_tan
#define nd4j_tanh sd_tanh

// ---- markers in functors: they selected a loop in those versions; here there is a single loop
#define no_op_exec_special
#define no_op_exec_special_same
#define no_op_exec_special_bool
#define no_op_exec_special_any
#define no_op_exec_special_long
#define no_op_exec_special_float
#define no_op_exec_special_accumulation
#define no_op_exec_special_accumulation_same
#define no_op_exec_special_accumulation_long
#define no_op_exec_special_cuda
#define no_op_exec_special_same_cuda
#define no_op_exec_special_bool_cuda
#define no_op_exec_special_any_cuda
#define no_op_exec_special_long_cuda
#define no_op_exec_special_float_cuda
#define no_op_exec_special_accumulation_cuda
#define no_op_exec_special_accumulation_same_cuda
#define no_op_exec_special_accumulation_long_cuda

#endif
