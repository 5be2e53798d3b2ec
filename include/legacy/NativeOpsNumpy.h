// The NumPy functions of the C interface. C++ only; legacy/NativeOps.h includes this header.
//
// Except for the first three, they have internal linkage: each includer has its own thin copies, which call the
// library. A failure gives nullptr or 0 and sets lastErrorCode() and lastErrorMessage(); getNpyArrayFromMap and
// getNpyArrayNameFromMap throw std::runtime_error for an index that does not exist.
#ifndef NDFORGE_LEGACY_NATIVEOPSNUMPY_H
#define NDFORGE_LEGACY_NATIVEOPSNUMPY_H

#include <cnpy/cnpy.h>
#include <system/common.h>

#include <string>

extern "C" {

/// The sd::DataType of a .npy header in memory; 0 and an error for types that arrays cannot hold.
SD_LIB_EXPORT int dataTypeFromNpyHeader(void* header);

/// The shapeInfo of a .npy file in memory, interned: never freed. nullptr and an error for a bad header.
SD_LIB_EXPORT sd::Pointer shapeBufferForNumpy(sd::Pointer npyArray);
}

namespace shape {

/// A shapeInfo of FLOAT32 for the shape of a .npy file, made with new[]: the caller frees it with delete[]. nullptr and
/// an error for a bad rank or shape.
SD_LIB_EXPORT sd::LongType* shapeBufferOfNpy(int rank, unsigned int* shape, bool fortranOrder);

}  // namespace shape

namespace sd::detail::npy {

SD_LIB_EXPORT Pointer dataPoint(Pointer file);
SD_LIB_EXPORT Pointer dataPointOfStruct(Pointer array);
SD_LIB_EXPORT LongType* copyOfShapeInfo(Pointer file);
SD_LIB_EXPORT int elementSize(Pointer file);
SD_LIB_EXPORT Pointer fromFile(const std::string& path);
SD_LIB_EXPORT void release(Pointer file);
/// `kind` is NumPy's character for the type; 0 means that of the shapeInfo's type.
SD_LIB_EXPORT Pointer headerOf(Pointer shapeInfo, LongType wordSize, LongType* headerSize, char kind);
SD_LIB_EXPORT Pointer fileOf(Pointer data, Pointer shapeInfo, LongType wordSize);
SD_LIB_EXPORT Pointer structOf(Pointer file);
SD_LIB_EXPORT void deleteStruct(void* array);
SD_LIB_EXPORT void* mapOf(const std::string& path);
SD_LIB_EXPORT void deleteMap(void* map);
SD_LIB_EXPORT int mapSize(void* map);
SD_LIB_EXPORT void* arrayAt(void* map, int index);
SD_LIB_EXPORT const char* nameAt(void* map, int index, char* buffer);
SD_LIB_EXPORT void* arrayData(void* array);
SD_LIB_EXPORT int arrayRank(void* array);
SD_LIB_EXPORT LongType* arrayShape(void* array);
SD_LIB_EXPORT char arrayOrder(void* array);
SD_LIB_EXPORT int arrayElementSize(void* array);

}  // namespace sd::detail::npy

/// The first byte of the data of a .npy file in memory.
static inline sd::Pointer dataPointForNumpy(sd::Pointer npyArray) { return sd::detail::npy::dataPoint(npyArray); }
static inline sd::Pointer dataPointForNumpyHeader(sd::Pointer npyArray) { return sd::detail::npy::dataPoint(npyArray); }

/// The data of a struct made by loadNpyFromHeader or getNpyArrayFromMap.
static inline sd::Pointer dataPointForNumpyStruct(sd::Pointer npyArrayStruct) {
  return sd::detail::npy::dataPointOfStruct(npyArrayStruct);
}

/// The shapeInfo of a .npy file in memory as a new array, which the caller frees with deleteLongArray.
static inline sd::Pointer shapeBufferForNumpyHeader(sd::Pointer npyArray) {
  return sd::detail::npy::copyOfShapeInfo(npyArray);
}

/// Bytes per element of a .npy file in memory.
static inline int elementSizeForNpyArray(sd::Pointer npyArray) { return sd::detail::npy::elementSize(npyArray); }
static inline int elementSizeForNpyArrayHeader(sd::Pointer npyArray) { return sd::detail::npy::elementSize(npyArray); }

/// A .npy file in memory, followed by a zero byte; freed with releaseNumpy. The file has been checked: its header is
/// well formed and all of its data are there. The header is rewritten (version 1, this machine's byte order).
static inline sd::Pointer numpyFromFile(std::string path) { return sd::detail::npy::fromFile(path); }
static inline void releaseNumpy(sd::Pointer npyArray) { sd::detail::npy::release(npyArray); }

/// The .npy header for an array, with a trailing zero byte that headerSize counts; freed with deleteCharArray. The type
/// is written with `wordSize` as its size; fortran_order is True for arrays that are contiguous in 'f' order. Other
/// layouts are an error. BFLOAT16 is written as '?'.
static inline sd::Pointer numpyHeaderForNd4j(sd::Pointer, sd::Pointer shapeBuffer, sd::LongType wordSize,
                                             sd::LongType* headerSize) {
  return sd::detail::npy::headerOf(shapeBuffer, wordSize, headerSize, 0);
}
template <typename T>
static sd::Pointer _numpyHeaderForNd4j(sd::Pointer, const sd::Pointer shapeBuffer, sd::LongType wordSize,
                                       sd::LongType* headerSize) {
  return sd::detail::npy::headerOf(shapeBuffer, wordSize, headerSize, cnpy::mapType<T>());
}

/// A whole .npy file for an array, as numpy.save writes it; freed with deleteCharArray.
static inline sd::Pointer numpyFromNd4j(sd::Pointer data, sd::Pointer shapeBuffer, sd::LongType wordSize) {
  return sd::detail::npy::fileOf(data, shapeBuffer, wordSize);
}
template <typename T>
static sd::Pointer _numpyFromNd4j(sd::Pointer data, sd::Pointer shapeBuffer, sd::LongType wordSize) {
  return sd::detail::npy::fileOf(data, shapeBuffer, wordSize);
}

/// A new struct over a .npy file in memory, whose data it borrows; freed with deleteNPArrayStruct.
static inline sd::Pointer loadNpyFromHeader(sd::Pointer data) { return sd::detail::npy::structOf(data); }
static inline void deleteNPArrayStruct(void* npArray) { sd::detail::npy::deleteStruct(npArray); }

/// The arrays of a .npz file, sorted by name; freed with deleteNPArrayMap. Names are at most 255 bytes long.
static inline void* mapFromNpzFile(std::string path) { return sd::detail::npy::mapOf(path); }
static inline void deleteNPArrayMap(void* map) { sd::detail::npy::deleteMap(map); }
static inline int getNumNpyArraysInMap(void* map) { return sd::detail::npy::mapSize(map); }

/// A new struct that shares the data of an array of the map and keeps them alive; freed with deleteNPArrayStruct.
static inline void* getNpyArrayFromMap(void* map, int index) { return sd::detail::npy::arrayAt(map, index); }

/// Copies a name and its terminating zero byte into a buffer of at least 256 bytes, and returns the buffer.
static inline const char* getNpyArrayNameFromMap(void* map, int index, char* nameBuffer) {
  return sd::detail::npy::nameAt(map, index, nameBuffer);
}

static inline void* getNpyArrayData(void* npArray) { return sd::detail::npy::arrayData(npArray); }
static inline int getNpyArrayRank(void* npArray) { return sd::detail::npy::arrayRank(npArray); }
/// The dimensions as a new array, freed with deleteLongArray.
static inline sd::LongType* getNpyArrayShape(void* npArray) { return sd::detail::npy::arrayShape(npArray); }
/// 'c' or 'f'.
static inline char getNpyArrayOrder(void* npArray) { return sd::detail::npy::arrayOrder(npArray); }
static inline int getNpyArrayElemSize(void* npArray) { return sd::detail::npy::arrayElementSize(npArray); }

#endif
