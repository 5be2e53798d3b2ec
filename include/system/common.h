// Base names that every header of the library may use: index types, visibility, limits, status codes.
#ifndef NDFORGE_SYSTEM_COMMON_H
#define NDFORGE_SYSTEM_COMMON_H

#include <cstddef>
#include <cstdint>

#if !defined(SD_BUILDING_LIBRARY)
#include <system/standard_headers.h>
#endif

#if defined(_WIN32)
#define SD_LIB_EXPORT __declspec(dllexport)
#define SD_LIB_HIDDEN
#else
#define SD_LIB_EXPORT __attribute__((visibility("default")))
#define SD_LIB_HIDDEN __attribute__((visibility("hidden")))
#endif

#if defined(__clang__)
#define SD_INLINE inline
#else
#define SD_INLINE __attribute__((always_inline)) inline
#endif

#define SD_HOST
#define SD_DEVICE
#define SD_KERNEL
#define SD_HOST_DEVICE
#define SD_OP_DEF SD_INLINE
#define SD_META_DEF SD_INLINE

#define SD_MAX_RANK 32
#define SD_MAX_SHAPEINFOLENGTH (2 * SD_MAX_RANK + 4)
#define SD_MAX_DIMENSION 0x7fffffff
#define SD_MAX_NUM_THREADS 1024
#define SD_MAX_INT 2147483647
#define SD_MAX_FLOAT 1e37
#define SD_MIN_FLOAT 1e-37
#define SD_MIN_V 1e-12
#define SD_EPSILON 1e-5
#define SD_FLOAT_MIN_NORMAL 1.17549435e-38
#define SD_MIN_CUTFOFF -3.79297773665f
#define SD_MAX_CUTFOFF 3.79297773665f
#define SD_DOUBLE_PI_T T(2.0 * 3.14159265358979323846)
#define SD_DOUBLE_PI_X X(2.0 * 3.14159265358979323846)
#define SD_CUDA_BLOCK_SIZE 256
#define SD_DESIRED_ALIGNMENT 64
#define SD_MAP_IMPL std::unordered_map

namespace sd {

/// Signed 64-bit index and size. It is `long long`, not int64_t, because overload sets and instantiations depend on it.
using LongType = long long;
using UnsignedLong = uint64_t;
using Unsigned = unsigned int;
/// Opaque pointer of the C interface.
using Pointer = void*;

/// Result of an operation. The numbers are part of the interface.
enum class Status : int {
  OK = 0,
  BAD_INPUT = 1,
  BAD_SHAPE = 2,
  BAD_RANK = 3,
  BAD_PARAMS = 4,
  BAD_OUTPUT = 5,
  BAD_RNG = 6,
  BAD_EPSILON = 7,
  BAD_GRADIENTS = 8,
  BAD_BIAS = 9,
  VALIDATION = 20,
  BAD_GRAPH = 30,
  BAD_LENGTH = 31,
  BAD_DIMENSIONS = 32,
  BAD_ORDER = 33,
  BAD_ARGUMENTS = 34,
  DOUBLE_WRITE = 40,
  DOUBLE_READ = 45,
  KERNEL_FAILURE = 50,
  EQ_TRUE = 100,
  EQ_FALSE = 101,
  MAYBE = 119,
};

}  // namespace sd

#endif
