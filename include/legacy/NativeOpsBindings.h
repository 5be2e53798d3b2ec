// The part of the C interface that bindings of other languages need: results that a call made, memory, text, and files
// of arrays. The rules of legacy/NativeOps.h about errors and arguments hold here too.
#ifndef NDFORGE_LEGACY_NATIVEOPSBINDINGS_H
#define NDFORGE_LEGACY_NATIVEOPSBINDINGS_H

#include <legacy/NativeOps.h>

#include <legacy/begin_c.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- results of calls -------------------------------------------------------------------------------------------- */

/// Number of outputs of a context: those that were set, and those that its last call made because none were set.
SD_C_API int getGraphContextOutputCount(OpaqueContext* ptr);
/// Output `index` as a buffer that shares its memory and outlives the context, to be freed with deleteDataBuffer.
/// *shapeInfo becomes its shapeInfo, which is interned: it is never freed. NULL and an error when there is no such
/// output.
SD_C_API OpaqueDataBuffer* getGraphContextOutput(OpaqueContext* ptr, int index, SD_C_LONG const** shapeInfo);

/// Bytes from the start of the buffer's memory to the first byte of this handle: views count from there.
SD_C_API SD_C_LONG dbOffset(OpaqueDataBuffer* dataBuffer);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/// Bytes that the buffers of the library take, those of temporary arrays included.
SD_C_API SD_C_LONG allocatedMemory(SD_C_NONE);
/// The limit of these bytes; 0 when there is none.
SD_C_API SD_C_LONG memoryLimit(SD_C_NONE);
/// Sets the limit; 0 takes it away. Allocations beyond it are errors.
SD_C_API void setMemoryLimit(SD_C_LONG bytes);
/// Whether this thread's last error was a lack of memory, or the limit.
SD_C_API bool lastErrorIsMemory(SD_C_NONE);

/* ---- text and files ---------------------------------------------------------------------------------------------- */

/// The elements of an array as text, in nested brackets; at most `limit` elements, all for -1. To be freed with
/// deleteCharArray.
SD_C_API char* arrayText(OpaqueDataBuffer* buffer, SD_C_LONG const* shapeInfo, SD_C_LONG limit);
/// The strings of an array, its elements in c order: the bytes of all of them in UTF-8, one after another. *lengths
/// becomes an array of their lengths in bytes. To be freed with deleteCharArray and deleteLongArray.
SD_C_API char* arrayStrings(OpaqueDataBuffer* buffer, SD_C_LONG const* shapeInfo, SD_C_LONG** lengths);
/// A vector of `count` strings in UTF-8 of these lengths. *shapeInfo becomes its shapeInfo, which is interned.
SD_C_API OpaqueDataBuffer* stringArray(const char* const* strings, SD_C_LONG const* lengths, int count,
                                       SD_C_LONG const** shapeInfo);
/// The arrays of a .npz file by name, or that of a .npy file, whose name is empty. To be freed with
/// deleteVariablesSet.
SD_C_API OpaqueVariablesSet* loadArrays(const char* path);
/// Writes a .npz file, or with one array of an empty name a .npy file; completely or not at all. BAD_INPUT (1) and an
/// error when that is not possible.
SD_C_API SD_C_STATUS saveArrays(const char* path, const char* const* names, OpaqueDataBuffer** arrays,
                                SD_C_LONG const* const* shapes, int count);
/// The array of a variable as a buffer that shares its memory and outlives the set, to be freed with deleteDataBuffer.
SD_C_API OpaqueDataBuffer* getVariableDataBuffer(OpaqueVariable* variable);

#ifdef __cplusplus
}  // extern "C"
#endif

#include <legacy/end_c.h>

#endif
