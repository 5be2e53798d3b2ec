#include <array/DLPack.h>

#include <memory>

#include "array/NDArrayCommon.h"

namespace sd {

namespace {

struct TypeRow {
  DataType type;
  DLDataTypeCode code;
  uint8_t bits;
};

constexpr TypeRow TYPES[] = {{BOOL, kDLBool, 8},        {INT8, kDLInt, 8},           {INT16, kDLInt, 16},
                             {INT32, kDLInt, 32},       {INT64, kDLInt, 64},         {UINT8, kDLUInt, 8},
                             {UINT16, kDLUInt, 16},     {UINT32, kDLUInt, 32},       {UINT64, kDLUInt, 64},
                             {HALF, kDLFloat, 16},      {FLOAT32, kDLFloat, 32},     {DOUBLE, kDLFloat, 64},
                             {BFLOAT16, kDLBfloat, 16}, {COMPLEX64, kDLComplex, 64}, {COMPLEX128, kDLComplex, 128}};

static_assert(std::size(TYPES) == types::NUMERIC_TYPES + 2, "each numeric type needs a row");

// A tensor together with everything that it points to.
struct Exported {
  DLManagedTensor managed{};
  std::shared_ptr<DataBuffer> buffer;
  int64_t shape[SD_MAX_RANK], strides[SD_MAX_RANK];
};

// The memory of a tensor, released with the last array that shares it.
struct Imported : DataBuffer {
  using DataBuffer::DataBuffer;
  ~Imported() {
    if (managed != nullptr && managed->deleter != nullptr) managed->deleter(managed);
  }
  DLManagedTensor* managed = nullptr;
};

DataType typeOf(const DLDataType& dtype) {
  for (const TypeRow& row : TYPES)
    if (row.code == dtype.code && row.bits == dtype.bits && dtype.lanes == 1) return row.type;
  fail("[DLPack] arrays with type code {}, {} bits and {} lanes are not supported", dtype.code, dtype.bits,
       dtype.lanes);
}

}  // namespace

DLManagedTensor* toDLPack(const NDArray& array) {
  if (array.shapeInfo() == nullptr) fail("[DLPack] the array has no shape");
  if (array.isAttached()) fail("[DLPack] the buffer belongs to a workspace: detach or copy the array first");
  std::unique_ptr<Exported> exported(new Exported);  // make_unique would clear the lists
  DLTensor& tensor = exported->managed.dl_tensor;
  for (const TypeRow& row : TYPES)
    if (row.type == array.dataType()) tensor.dtype = {static_cast<uint8_t>(row.code), row.bits, 1};
  if (tensor.dtype.lanes == 0)
    fail("[DLPack] arrays of type {} cannot be exchanged", arrays::typeText(array.dataType()));

  exported->buffer = array.getDataBuffer();
  tensor.data = const_cast<void*>(array.buffer());
  tensor.device = {kDLCPU, 0};
  tensor.ndim = array.rankOf();
  tensor.shape = exported->shape;
  tensor.strides = exported->strides;
  for (int d = 0; d < array.rankOf(); d++) {
    exported->shape[d] = array.shapeOf()[d];
    exported->strides[d] = array.stridesOf()[d];
  }
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](DLManagedTensor* self) { delete static_cast<Exported*>(self->manager_ctx); };
  return &exported.release()->managed;
}

NDArray fromDLPack(DLManagedTensor* managed) {
  if (managed == nullptr) fail("[DLPack] the tensor is null");
  const DLTensor& tensor = managed->dl_tensor;
  if (tensor.device.device_type != kDLCPU && tensor.device.device_type != kDLCUDAHost)
    fail("[DLPack] device type {} is not the CPU", static_cast<int>(tensor.device.device_type));
  const DataType type = typeOf(tensor.dtype);
  const int rank = tensor.ndim;
  if (rank < 0 || rank > SD_MAX_RANK) fail("[DLPack] rank {} is outside 0..{}", rank, SD_MAX_RANK);
  if (rank > 0 && tensor.shape == nullptr) fail("[DLPack] the shape is null");

  LongType info[SD_MAX_SHAPEINFOLENGTH], dims[SD_MAX_RANK];
  std::copy_n(tensor.shape, rank, dims);
  shape::fillContiguous(info, type, 'c', rank, dims);
  const LongType size = static_cast<LongType>(DataTypeUtils::sizeOf(type));
  LongType first = 0, last = 0, bytes = 0;  // offsets of the outermost elements, and the bytes from one to the other
  const bool empty = shape::isEmpty(info);
  if (!empty && tensor.strides != nullptr) std::copy_n(tensor.strides, rank, shape::stride(info));
  bool overflows = false;
  for (int d = 0; d < rank && !empty; d++) {
    LongType span;
    LongType* end = shape::stride(info)[d] < 0 ? &first : &last;
    overflows |=
        __builtin_mul_overflow(dims[d] - 1, shape::stride(info)[d], &span) || __builtin_add_overflow(*end, span, end);
  }
  overflows |= __builtin_sub_overflow(last, first, &bytes) || __builtin_add_overflow(bytes, empty ? 0 : 1, &bytes) ||
               __builtin_mul_overflow(bytes, size, &bytes);
  if (overflows) fail("[DLPack] shape {}: the strides overflow", arrays::shapeText(rank, dims));
  if (!empty && tensor.data == nullptr)
    fail("[DLPack] the data of shape {} is null", arrays::shapeText(rank, dims));
  shape::checkStridesEwsAndOrder(info);

  char* data = empty ? nullptr : static_cast<char*>(tensor.data) + tensor.byte_offset;
  const size_t alignment = DataTypeUtils::sizeOf(DataTypeUtils::partType(type));
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
    fail("[DLPack] the data is not aligned to {} bytes, as {} must be", alignment, arrays::typeText(type));
  auto buffer = std::make_shared<Imported>(empty ? nullptr : data + first * size, static_cast<size_t>(bytes), type);
  NDArray whole(buffer, 'c', std::vector<LongType>{bytes / size}, LaunchContext::defaultContext());
  const bool isWhole = rank == 1 && dims[0] == bytes / size && first == 0 && shape::elementWiseStride(info) == 1;
  NDArray array = isWhole ? std::move(whole) : whole.viewOf(info, -first);
  buffer->managed = managed;
  return array;
}

}  // namespace sd
