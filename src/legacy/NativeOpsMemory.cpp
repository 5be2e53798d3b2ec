// C functions for buffers and raw memory.
#include <array/DataTypeUtils.h>
#include <legacy/NativeOps.h>
#include <memory/Allocation.h>

#include <cstring>
#include <memory>

#include "legacy/Guard.h"

using namespace sd::legacy;
using sd::LongType;
using sd::Pointer;

namespace {

size_t notNegative(const char* argument, LongType value) {
  if (value < 0) sd::fail("argument '{}' is {}: it must not be negative", argument, value);
  return static_cast<size_t>(value);
}

/// A number beyond the largest enumerator must not be converted to an enum.
sd::DataType typeOfNumber(int dataType) {
  if (dataType < 0 || dataType > sd::AUTO) sd::fail("argument 'dataType': {} is not an element type", dataType);
  return static_cast<sd::DataType>(dataType);
}

OpaqueDataBuffer* allocateBuffer(const char* function, LongType elements, int dataType) {
  return guarded(function, [&] {
    const size_t count = notNegative("elements", elements);
    return new OpaqueDataBuffer(count, typeOfNumber(dataType), false);
  });
}

void expand(const char* function, OpaqueDataBuffer* dataBuffer, LongType elements) {
  guarded(function, [&] { required("dataBuffer", dataBuffer).expand(notNegative("elements", elements)); });
}

int copyMemory(const char* function, Pointer dst, Pointer src, LongType size) {
  return guarded(function, [&] {
    const size_t bytes = notNegative("size", size);
    if (bytes > 0)
      std::memmove(&required("dst", static_cast<char*>(dst)), &required("src", static_cast<char*>(src)), bytes);
    return 1;
  });
}

int fillMemory(const char* function, Pointer dst, int value, LongType size) {
  return guarded(function, [&] {
    const size_t bytes = notNegative("size", size);
    if (bytes > 0) std::memset(&required("dst", static_cast<char*>(dst)), value, bytes);
    return 1;
  });
}

}  // namespace

OpaqueDataBuffer* allocateDataBuffer(LongType elements, int dataType, bool) {
  return allocateBuffer(__func__, elements, dataType);
}

OpaqueDataBuffer* dbAllocateDataBuffer(LongType elements, int dataType, bool) {
  return allocateBuffer(__func__, elements, dataType);
}

OpaqueDataBuffer* dbCreateExternalDataBuffer(LongType elements, int dataType, Pointer primary, Pointer) {
  return guarded(__func__, [&] {
    const sd::DataType type = typeOfNumber(dataType);
    const size_t bytes = sd::memory::checkedBytes(notNegative("elements", elements), sd::DataTypeUtils::sizeOf(type));
    return new OpaqueDataBuffer(std::make_shared<sd::DataBuffer>(primary, bytes, type));
  });
}

OpaqueDataBuffer* dbCreateView(OpaqueDataBuffer* dataBuffer, LongType length, LongType offset) {
  return guarded(__func__, [&] {
    OpaqueDataBuffer& source = required("dataBuffer", dataBuffer);
    return new OpaqueDataBuffer(source, notNegative("length", length), notNegative("offset", offset));
  });
}

Pointer dbPrimaryBuffer(OpaqueDataBuffer* dataBuffer) {
  return guarded(__func__, [&] { return required("dataBuffer", dataBuffer).primary(); });
}

Pointer dbSpecialBuffer(OpaqueDataBuffer*) { return nullptr; }

void dbAllocatePrimaryBuffer(OpaqueDataBuffer* dataBuffer) {
  guarded(__func__, [&] { required("dataBuffer", required("dataBuffer", dataBuffer).buffer()).allocatePrimary(); });
}

void dbAllocateSpecialBuffer(OpaqueDataBuffer*) {}

void dbSetPrimaryBuffer(OpaqueDataBuffer* dataBuffer, Pointer primaryBuffer, LongType numBytes) {
  guarded(__func__,
          [&] { required("dataBuffer", dataBuffer).setPrimary(primaryBuffer, notNegative("numBytes", numBytes)); });
}

void dbSetSpecialBuffer(OpaqueDataBuffer*, Pointer, LongType) {}

void dbExpandBuffer(OpaqueDataBuffer* dataBuffer, LongType elements) { expand(__func__, dataBuffer, elements); }

void dbExpand(OpaqueDataBuffer* dataBuffer, LongType elements) { expand(__func__, dataBuffer, elements); }

void dbSyncToSpecial(OpaqueDataBuffer*) {}
void dbSyncToPrimary(OpaqueDataBuffer*) {}
void dbTickHostRead(OpaqueDataBuffer*) {}
void dbTickHostWrite(OpaqueDataBuffer*) {}
void dbTickDeviceRead(OpaqueDataBuffer*) {}
void dbTickDeviceWrite(OpaqueDataBuffer*) {}
int dbLocality(OpaqueDataBuffer*) { return 0; }

int dbDeviceId(OpaqueDataBuffer* dataBuffer) {
  return guarded(__func__, [&] { return required("dataBuffer", dataBuffer).deviceId(); });
}

void dbSetDeviceId(OpaqueDataBuffer* dataBuffer, int deviceId) {
  guarded(__func__, [&] { required("dataBuffer", dataBuffer).setDeviceId(deviceId); });
}

int dbUseCount(OpaqueDataBuffer* dataBuffer) { return dataBuffer == nullptr ? 0 : dataBuffer->useCount(); }

void dbClose(OpaqueDataBuffer* dataBuffer) {
  guarded(__func__, [&] { required("dataBuffer", dataBuffer).close(); });
}

void deleteDataBuffer(OpaqueDataBuffer* dataBuffer) { delete dataBuffer; }

Pointer mallocHost(LongType memorySize, int) {
  return guarded(__func__, [&] { return sd::memory::allocate(notNegative("memorySize", memorySize)); });
}

int freeHost(Pointer pointer) {
  sd::memory::release(pointer);
  return 1;
}

Pointer mallocDevice(LongType, int, int) { return nullptr; }
int freeDevice(Pointer, int) { return 0; }

int memcpySync(Pointer dst, Pointer src, LongType size, int, Pointer) { return copyMemory(__func__, dst, src, size); }
int memcpyAsync(Pointer dst, Pointer src, LongType size, int, Pointer) { return copyMemory(__func__, dst, src, size); }
int memsetSync(Pointer dst, int value, LongType size, int, Pointer) { return fillMemory(__func__, dst, value, size); }
int memsetAsync(Pointer dst, int value, LongType size, int, Pointer) { return fillMemory(__func__, dst, value, size); }
int memcpyConstantAsync(LongType, Pointer, LongType, int, Pointer) { return 0; }
Pointer getConstantSpace() { return nullptr; }

Pointer pointerForAddress(LongType address) { return reinterpret_cast<Pointer>(address); }

void tryPointer(Pointer, Pointer p, int len) {
  guarded(__func__, [&] {
    const size_t count = notNegative("len", len);
    if (count == 0) return;
    const volatile char* bytes = &required("p", static_cast<char*>(p));
    for (size_t i = 0; i < count; i++) static_cast<void>(bytes[i]);
  });
}

void deleteCharArray(Pointer pointer) { delete[] static_cast<char*>(pointer); }
void deleteIntArray(Pointer pointer) { delete[] static_cast<int*>(pointer); }
void deleteLongArray(Pointer pointer) { delete[] static_cast<LongType*>(pointer); }
void deletePointerArray(Pointer pointer) { delete[] static_cast<Pointer*>(pointer); }
