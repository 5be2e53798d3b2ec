// Exchanges arrays with other libraries in the same process without copying: the structures of DLPack 0.8, and
// conversions from and to them.
#ifndef NDFORGE_ARRAY_DLPACK_H
#define NDFORGE_ARRAY_DLPACK_H

#include <array/NDArray.h>

#include <cstdint>

// The DLPack specification fixes the layout. DLPack's own header declares the same, and takes precedence if it was
// included before.
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

/// The array as a DLPack tensor that shares its buffer. The receiver calls the tensor's deleter once; until then the
/// buffer lives, even if the array is destroyed. @throws std::runtime_error for strings and arrays without a shape, and
/// for buffers in a workspace, which do not outlive its cycle
SD_LIB_EXPORT DLManagedTensor* toDLPack(const NDArray& array);

/// An array over the memory of a tensor, whose deleter is called when the last array that shares the memory is
/// destroyed. @throws std::runtime_error for null pointers, devices other than the CPU, element types and ranks that
/// arrays cannot have, and negative sizes; the tensor then still belongs to the caller
SD_LIB_EXPORT NDArray fromDLPack(DLManagedTensor* tensor);

}  // namespace sd

#endif
