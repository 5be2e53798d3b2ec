// Exchange of arrays with other libraries in the same process, without copies: the structures of DLPack 0.8, and
// conversion from and to them.
#ifndef NDFORGE_ARRAY_DLPACK_H
#define NDFORGE_ARRAY_DLPACK_H

#include <array/NDArray.h>

#include <cstdint>

// The layout is fixed by the DLPack specification; its own header, when it is there already, declares the same.
#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

extern "C" {

typedef enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLOpenCL = 4, kDLVulkan = 7, kDLMetal = 8 } DLDeviceType;

typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

typedef enum {
  kDLInt = 0U,
  kDLUInt = 1U,
  kDLFloat = 2U,
  kDLOpaqueHandle = 3U,
  kDLBfloat = 4U,
  kDLComplex = 5U,
  kDLBool = 6U
} DLDataTypeCode;

typedef struct {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} DLDataType;

typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; NULL: contiguous in c order
  uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);
} DLManagedTensor;
}

#endif

namespace sd {

/// The array as a DLPack tensor that shares its buffer. Whoever takes it calls its deleter once; the buffer lives until
/// then, whatever becomes of the array. @throws std::runtime_error for strings and arrays without a shape, and for
/// buffers of a workspace, which do not outlive its cycle
SD_LIB_EXPORT DLManagedTensor* toDLPack(const NDArray& array);

/// An array over the memory of a tensor, whose deleter is called when the last array that shares it is gone.
/// @throws std::runtime_error, and leaves the tensor to the caller, for null pointers, devices other than the CPU,
/// element types and ranks that arrays do not have, negative sizes
SD_LIB_EXPORT NDArray fromDLPack(DLManagedTensor* tensor);

}  // namespace sd

#endif
