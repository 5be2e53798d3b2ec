// The C interface: buffers, shapes, numbered and custom operations, random numbers, environment. It includes
// legacy/NativeOpsGraph.h, which has the functions of stored graphs. What existing programs do not know is in headers of
// its own: legacy/NativeOpsBindings.h for bindings of other languages, legacy/NativeOpsModels.h for graphs that are made
// and trained.
//
// Compiles as C11 and as C++17. In C the types are spelled sd_LongType, sd_Pointer, sd_DataType and the objects are
// incomplete structs; in C++ they are the classes of the library. Functions that take std::string exist in C++ only.
//
// Errors. No exception and no signal leaves a function. A call that fails writes nothing to its outputs, returns 0 or
// NULL, and stores code 1 and a message for the calling thread: lastErrorCode(), lastErrorMessage(). A call that
// succeeds does not change the stored code.
//
// Common arguments. `extraPointers`: ignored, may be NULL. An operand consists of a buffer, its shapeInfo (required;
// read during the call) and a device shapeInfo (ignored). The shapeInfo gives the element type. The address of an
// operand is that of its element with all coordinates 0. `extraParams` points to the parameters of the operation in the
// element type that its group reads; it may be NULL when there are none. `dimension` operands hold INT32 or INT64 axes;
// negative axes count from the end; no axes means all of them.
#ifndef NDFORGE_LEGACY_NATIVEOPS_H
#define NDFORGE_LEGACY_NATIVEOPS_H

#ifdef __cplusplus

#include <array/ConstantDataBuffer.h>
#include <array/ConstantDescriptor.h>
#include <array/ConstantShapeBuffer.h>
#include <array/DataType.h>
#include <array/InteropDataBuffer.h>
#include <array/ShapeList.h>
#include <array/TadPack.h>
#include <execution/LaunchContext.h>
#include <helpers/RandomGenerator.h>
#include <system/common.h>

#include <string>

namespace sd::graph {
class Context;
class ResultWrapper;
class Variable;
class VariablesSet;
}  // namespace sd::graph

typedef sd::InteropDataBuffer OpaqueDataBuffer;
typedef sd::TadPack OpaqueTadPack;
typedef sd::ConstantShapeBuffer OpaqueConstantShapeBuffer;
typedef sd::ConstantDataBuffer OpaqueConstantDataBuffer;
typedef sd::graph::RandomGenerator OpaqueRandomGenerator;
typedef sd::LaunchContext OpaqueLaunchContext;
typedef sd::graph::Context OpaqueContext;
typedef sd::ShapeList OpaqueShapeList;
typedef sd::graph::Variable OpaqueVariable;
typedef sd::graph::VariablesSet OpaqueVariablesSet;
typedef sd::graph::ResultWrapper OpaqueResultWrapper;

#else

#include <stdbool.h>

typedef long long sd_LongType;
typedef void* sd_Pointer;
typedef int sd_DataType;
typedef int sd_Status;
typedef struct sd_ConstantDescriptor sd_ConstantDescriptor;
typedef struct OpaqueDataBuffer OpaqueDataBuffer;
typedef struct OpaqueTadPack OpaqueTadPack;
typedef struct OpaqueConstantShapeBuffer OpaqueConstantShapeBuffer;
typedef struct OpaqueConstantDataBuffer OpaqueConstantDataBuffer;
typedef struct OpaqueRandomGenerator OpaqueRandomGenerator;
typedef struct OpaqueLaunchContext OpaqueLaunchContext;
typedef struct OpaqueContext OpaqueContext;
typedef struct OpaqueShapeList OpaqueShapeList;
typedef struct OpaqueVariable OpaqueVariable;
typedef struct OpaqueVariablesSet OpaqueVariablesSet;
typedef struct OpaqueResultWrapper OpaqueResultWrapper;

/* Element types. */
enum {
  sd_BOOL = 1,
  sd_HALF = 3,
  sd_FLOAT32 = 5,
  sd_DOUBLE = 6,
  sd_INT8 = 7,
  sd_INT16 = 8,
  sd_INT32 = 9,
  sd_INT64 = 10,
  sd_UINT8 = 11,
  sd_UINT16 = 12,
  sd_UINT32 = 13,
  sd_UINT64 = 14,
  sd_BFLOAT16 = 17,
  sd_COMPLEX64 = 18,
  sd_COMPLEX128 = 19,
  sd_UTF8 = 50,
  sd_UTF16 = 51,
  sd_UTF32 = 52
};

/* Statuses that calls of custom operations return; operations may return other values. */
enum { sd_OK = 0, sd_BAD_INPUT = 1, sd_VALIDATION = 20, sd_BAD_ARGUMENTS = 34, sd_KERNEL_FAILURE = 50 };

#endif

#include <legacy/begin_c.h>

#ifdef __cplusplus
extern "C" {
#endif

// The first two arguments of a numbered operation; an operand as a buffer with its shapeInfo; one as a pointer.
#define SD_C_OP SD_C_POINTER *extraPointers, int opNum
#define SD_C_BUFFER(X) OpaqueDataBuffer *db##X, SD_C_LONG const *h##X##ShapeInfo, SD_C_LONG const *d##X##ShapeInfo
#define SD_C_BUFFER_OF(X, HOST, DEVICE) OpaqueDataBuffer *db##X, SD_C_LONG const *HOST, SD_C_LONG const *DEVICE
#define SD_C_AXES SD_C_BUFFER_OF(Dimension, hDimensionShape, dDimensionShape)
#define SD_C_ARRAY(x) void *x, SD_C_LONG const *x##ShapeInfo, void *d##x, SD_C_LONG const *d##x##ShapeInfo
#define SD_C_ARRAYS(x) \
  SD_C_POINTER *x, SD_C_LONG const *x##ShapeInfo, SD_C_POINTER *d##x, SD_C_LONG const *d##x##ShapeInfo

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/// The code that the last failed call stored for this thread; 0 when there is none.
SD_C_API int lastErrorCode(SD_C_NONE);
/// The stored message, valid until the next error in this thread. Resets the code to 0.
SD_C_API const char* lastErrorMessage(SD_C_NONE);

/* ---- environment ------------------------------------------------------------------------------------------------- */

/// Does nothing: the library is ready when it is loaded.
SD_C_API void initializeDevicesAndFunctions(SD_C_NONE);
/// Sets ten BLAS and LAPACK functions of the caller (cblas and LAPACKE signatures; entries may be NULL): sgemv, dgemv,
/// sgemm, dgemm, sgemm_batch, dgemm_batch, sgesvd, dgesvd, sgesdd, dgesdd.
SD_C_API void initializeFunctions(SD_C_POINTER* functions);
/// Minimum number of elements at which threads are used; num <= 0 is ignored.
SD_C_API void setElementThreshold(int num);
/// Minimum number of sub-arrays at which threads are used; num <= 0 is ignored.
SD_C_API void setTADThreshold(int num);
SD_C_API void enableDebugMode(bool reallyEnable);
SD_C_API void enableVerboseMode(bool reallyEnable);
SD_C_API int ompGetMaxThreads(SD_C_NONE);
SD_C_API int ompGetNumThreads(SD_C_NONE);
/// Sets the number of OpenMP's threads, and that of one call of the library, which is limited to the library's threads.
SD_C_API void setOmpNumThreads(int threads);
/// Does nothing.
SD_C_API void setOmpMinThreads(int threads);
/// Whether operations on two arrays give their common type, not the type of the first: normally false.
SD_C_API bool isExperimentalEnabled(SD_C_NONE);
/// Always true.
SD_C_API bool isBlasVersionMatches(int major, int minor, int build);
/// The instruction set in use: 0 generic, 1 x86-64, 2 with AVX2, 3 with AVX-512.
SD_C_API int binaryLevel(SD_C_NONE);
/// The best instruction set of this CPU, numbered as in binaryLevel.
SD_C_API int optimalLevel(SD_C_NONE);
/// Whether this CPU has the instructions that the library needs.
SD_C_API bool isMinimalRequirementsMet(SD_C_NONE);
/// Whether the library uses the best instruction set of this CPU.
SD_C_API bool isOptimalRequirementsMet(SD_C_NONE);

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/// A zero-filled buffer of `elements` elements of the type with the number `dataType`; NULL for unknown types, negative
/// sizes, or when memory runs out. To be freed with deleteDataBuffer.
SD_C_API OpaqueDataBuffer* allocateDataBuffer(SD_C_LONG elements, int dataType, bool allocateBoth);
/// The same as allocateDataBuffer.
SD_C_API OpaqueDataBuffer* dbAllocateDataBuffer(SD_C_LONG elements, int dataType, bool allocateBoth);
/// A buffer around memory of the caller, which must outlive it.
SD_C_API OpaqueDataBuffer* dbCreateExternalDataBuffer(SD_C_LONG elements, int dataType, SD_C_POINTER primary,
                                                      SD_C_POINTER special);
/// A view that shares the memory: `length` bytes from byte `offset` of the root buffer; the range must not leave it.
SD_C_API OpaqueDataBuffer* dbCreateView(OpaqueDataBuffer* dataBuffer, SD_C_LONG length, SD_C_LONG offset);
/// The address of the first byte of the buffer or view.
SD_C_API SD_C_POINTER dbPrimaryBuffer(OpaqueDataBuffer* dataBuffer);
/// NULL: there is no device memory.
SD_C_API SD_C_POINTER dbSpecialBuffer(OpaqueDataBuffer* dataBuffer);
/// Allocates zero-filled memory when the buffer has a length but no memory.
SD_C_API void dbAllocatePrimaryBuffer(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbAllocateSpecialBuffer(OpaqueDataBuffer* dataBuffer);
/// From this call on, uses memory of the caller. `numBytes` counts elements of the buffer's type.
SD_C_API void dbSetPrimaryBuffer(OpaqueDataBuffer* dataBuffer, SD_C_POINTER primaryBuffer, SD_C_LONG numBytes);
SD_C_API void dbSetSpecialBuffer(OpaqueDataBuffer* dataBuffer, SD_C_POINTER specialBuffer, SD_C_LONG numBytes);
/// Grows the root buffer to `elements` elements, keeping its content; addresses taken before are invalid.
SD_C_API void dbExpandBuffer(OpaqueDataBuffer* dataBuffer, SD_C_LONG elements);
/// The same as dbExpandBuffer.
SD_C_API void dbExpand(OpaqueDataBuffer* dataBuffer, SD_C_LONG elements);
SD_C_API void dbSyncToSpecial(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbSyncToPrimary(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbTickHostRead(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbTickHostWrite(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbTickDeviceRead(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbTickDeviceWrite(OpaqueDataBuffer* dataBuffer);
SD_C_API int dbLocality(OpaqueDataBuffer* dataBuffer);
SD_C_API int dbDeviceId(OpaqueDataBuffer* dataBuffer);
SD_C_API void dbSetDeviceId(OpaqueDataBuffer* dataBuffer, int deviceId);
/// Number of owners of the memory; 0 for NULL.
SD_C_API int dbUseCount(OpaqueDataBuffer* dataBuffer);
/// Frees the memory, or leaves that to the views, arrays and calls that still use it. The handle has no memory then.
SD_C_API void dbClose(OpaqueDataBuffer* dataBuffer);
SD_C_API void deleteDataBuffer(OpaqueDataBuffer* dataBuffer);
/// Allocates memory that is not zeroed and is 64-byte aligned, to be freed with freeHost; NULL on failure.
SD_C_API SD_C_POINTER mallocHost(SD_C_LONG memorySize, int flags);
/// Frees memory from mallocHost. Returns 1.
SD_C_API int freeHost(SD_C_POINTER pointer);
/// NULL: there is no device memory.
SD_C_API SD_C_POINTER mallocDevice(SD_C_LONG memorySize, int deviceId, int flags);
SD_C_API int freeDevice(SD_C_POINTER pointer, int deviceId);
/// Copies `size` bytes; the ranges may overlap. Returns 1, or 0 and an error.
SD_C_API int memcpySync(SD_C_POINTER dst, SD_C_POINTER src, SD_C_LONG size, int flags, SD_C_POINTER reserved);
/// The same as memcpySync.
SD_C_API int memcpyAsync(SD_C_POINTER dst, SD_C_POINTER src, SD_C_LONG size, int flags, SD_C_POINTER reserved);
/// Sets `size` bytes to the low byte of `value`. Returns 1, or 0 and an error.
SD_C_API int memsetSync(SD_C_POINTER dst, int value, SD_C_LONG size, int flags, SD_C_POINTER reserved);
/// The same as memsetSync.
SD_C_API int memsetAsync(SD_C_POINTER dst, int value, SD_C_LONG size, int flags, SD_C_POINTER reserved);
/// Returns 0: there is no constant memory.
SD_C_API int memcpyConstantAsync(SD_C_LONG dst, SD_C_POINTER src, SD_C_LONG size, int flags, SD_C_POINTER reserved);
SD_C_API SD_C_POINTER getConstantSpace(SD_C_NONE);
SD_C_API SD_C_POINTER pointerForAddress(SD_C_LONG address);
/// Maps `length` bytes of an existing file, shared, for reading and writing. Returns {address, file descriptor}.
SD_C_API SD_C_LONG* mmapFile(SD_C_POINTER* extraPointers, const char* fileName, SD_C_LONG length);
/// Ends a mapping made by mmapFile and frees `ptrMap`.
SD_C_API void munmapFile(SD_C_POINTER* extraPointers, SD_C_LONG* ptrMap, SD_C_LONG length);
/// Reads the bytes p[0] to p[len - 1].
SD_C_API void tryPointer(SD_C_POINTER extra, SD_C_POINTER p, int len);
/// These functions free arrays that functions of the library return.
SD_C_API void deleteCharArray(SD_C_POINTER pointer);
SD_C_API void deleteIntArray(SD_C_POINTER pointer);
SD_C_API void deleteLongArray(SD_C_POINTER pointer);
SD_C_API void deletePointerArray(SD_C_POINTER pointer);

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/// The interned shapeInfo of a shape: equal requests give the same address, valid until the process ends. NULL and an
/// error for a rank outside 0..32, an order other than 'c' and 'f', negative sizes, unknown types.
SD_C_API OpaqueConstantShapeBuffer* shapeBuffer(int rank, SD_C_LONG* shape, SD_C_LONG* strides, SD_C_DATATYPE dtype,
                                                char order, SD_C_LONG ews, bool empty);
/// As shapeBuffer, with flag bits; bits of the element type are ignored.
SD_C_API OpaqueConstantShapeBuffer* shapeBufferEx(int rank, SD_C_LONG* shape, SD_C_LONG* strides, SD_C_DATATYPE dtype,
                                                  char order, SD_C_LONG ews, SD_C_LONG extras);
/// The address of the shapeInfo.
SD_C_API SD_C_POINTER getConstantShapeBufferPrimary(OpaqueConstantShapeBuffer* dbf);
SD_C_API SD_C_POINTER getConstantShapeBufferSpecial(OpaqueConstantShapeBuffer* dbf);
/// Frees the handle; the shapeInfo stays.
SD_C_API void deleteConstantShapeBuffer(OpaqueConstantShapeBuffer* ptr);
/// The sub-arrays of x that span the given axes: their common shapeInfo and the offset of each. NULL on failure.
SD_C_API OpaqueTadPack* tadOnlyShapeInfo(SD_C_LONG const* xShapeInfo, int* dimension, int dimensionLength);
SD_C_API SD_C_LONG const* getPrimaryShapeInfo(OpaqueTadPack* pack);
SD_C_API SD_C_LONG const* getPrimaryOffsets(OpaqueTadPack* pack);
SD_C_API SD_C_LONG const* getSpecialShapeInfo(OpaqueTadPack* pack);
SD_C_API SD_C_LONG const* getSpecialOffsets(OpaqueTadPack* pack);
SD_C_API SD_C_LONG getNumberOfTads(OpaqueTadPack* pack);
/// Slots of the sub-arrays' shapeInfo: 2 rank + 4.
SD_C_API int getShapeInfoLength(OpaqueTadPack* pack);
SD_C_API void deleteTadPack(OpaqueTadPack* ptr);
/// Slots of a shapeInfo: 2 rank + 4.
SD_C_API int lengthForShapeBufferPointer(SD_C_POINTER buffer);
/// Constants that the library keeps, converted to `dtype`. To be freed with deleteConstantDataBuffer.
SD_C_API OpaqueConstantDataBuffer* constantBufferLong(SD_C_DATATYPE dtype, SD_C_LONG const* data, int length);
SD_C_API OpaqueConstantDataBuffer* constantBufferDouble(SD_C_DATATYPE dtype, double* data, int length);
SD_C_API OpaqueConstantDataBuffer* constantBuffer(SD_C_DATATYPE dtype, SD_C_DESCRIPTOR* descriptor);
SD_C_API SD_C_POINTER getConstantDataBufferPrimary(OpaqueConstantDataBuffer* dbf);
SD_C_API SD_C_POINTER getConstantDataBufferSpecial(OpaqueConstantDataBuffer* dbf);
/// Number of elements.
SD_C_API SD_C_LONG getConstantDataBufferLength(OpaqueConstantDataBuffer* dbf);
SD_C_API void deleteConstantDataBuffer(OpaqueConstantDataBuffer* ptr);

/* ---- numbered operations: element by element --------------------------------------------------------------------- */

/// Lists all numbered operations: for each group "<type> ", then "-1:<number>:<name><<" for each operation, then ">>".
SD_C_API const char* getAllOperations(SD_C_NONE);
/// z = op(x); z has a float type.
SD_C_API void execTransformFloat(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x); z has x's type.
SD_C_API void execTransformSame(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x); x and z have the same float type.
SD_C_API void execTransformStrict(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x); z is BOOL.
SD_C_API void execTransformBool(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x); any types.
SD_C_API void execTransformAny(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x, y); equal shapes, or y has one element; equal types.
SD_C_API void execPairwiseTransform(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Y), SD_C_BUFFER(Z), void* extraParams);
/// As execPairwiseTransform, with z BOOL.
SD_C_API void execPairwiseTransformBool(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Y), SD_C_BUFFER(Z), void* extraParams);
/// z = op(x, scalar); equal types.
SD_C_API void execScalar(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z),
                         SD_C_BUFFER_OF(Scalar, hSscalarShapeInfo, dSscalarShapeInfo), void* extraParams);
/// As execScalar, with z BOOL.
SD_C_API void execScalarBool(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z),
                             SD_C_BUFFER_OF(Scalar, hSscalarShapeInfo, dSscalarShapeInfo), void* extraParams);
/// z[k] = op(x[k], scalars[k]) for the sub-arrays k of x along the axes. The last four arguments are ignored.
SD_C_API void execScalarTad(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z),
                            SD_C_BUFFER_OF(Scalars, hScalarShapeInfo, dScalarShapeInfo), void* extraParams, SD_C_AXES,
                            SD_C_LONG const* tadShapeInfo, SD_C_LONG const* tadOffsets, SD_C_LONG const* tadShapeInfoZ,
                            SD_C_LONG const* tadOffsetsZ);
/// As execScalarTad, with z BOOL.
SD_C_API void execScalarBoolTad(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Z),
                                SD_C_BUFFER_OF(Scalars, hScalarShapeInfo, dScalarShapeInfo), void* extraParams,
                                SD_C_AXES, SD_C_LONG const* tadShapeInfo, SD_C_LONG const* tadOffsets,
                                SD_C_LONG const* tadShapeInfoZ, SD_C_LONG const* tadOffsetsZ);
/// z[k] = op(x[k], y) for the sub-arrays k of x along the axes; y is as long as one sub-array; equal types.
SD_C_API void execBroadcast(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Y), SD_C_BUFFER(Z), SD_C_AXES);
/// As execBroadcast, with z BOOL.
SD_C_API void execBroadcastBool(SD_C_OP, SD_C_BUFFER(X), SD_C_BUFFER(Y), SD_C_BUFFER(Z), void* extraParams, SD_C_AXES);

/* ---- numbered operations: reductions ----------------------------------------------------------------------------- */

/// Reductions of the whole array to a z of one element: float types, x's type, BOOL, INT64 or UINT64.
SD_C_API void execReduceFloat(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z));
SD_C_API void execReduceSame(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z));
SD_C_API void execReduceBool(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z));
SD_C_API void execReduceLong(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z));
/// Reductions over axes; z is without the axes, or has 1 in their place. A z of one element gets the reduction of the
/// whole array, whatever the axes are. With no axes and a longer z, op is applied to each element on its own.
SD_C_API void execReduceFloat2(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES);
SD_C_API void execReduceSame2(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES);
SD_C_API void execReduceBool2(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES);
SD_C_API void execReduceLong2(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES);
/// The position of an element of the whole array, counted in c order. z is INT64 or INT32.
SD_C_API void execIndexReduceScalar(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z));
/// As execIndexReduceScalar, for each sub-array along the axes.
SD_C_API void execIndexReduce(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES);
/// Variance or standard deviation of the whole array. z has a float type and one element.
SD_C_API void execSummaryStatsScalar(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), bool biasCorrected);
SD_C_API void execSummaryStats(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), bool biasCorrected);
/// As execSummaryStats, for each sub-array along the axes. The last two arguments are ignored.
SD_C_API void execSummaryStatsTad(SD_C_OP, SD_C_BUFFER(X), void* extraParams, SD_C_BUFFER(Z), SD_C_AXES,
                                  bool biasCorrected, SD_C_LONG const* tadShapeInfo, SD_C_LONG const* tadOffsets);
/// A distance or similarity of x and y, which have equal lengths. extraParamsVals: NULL or three values.
SD_C_API void execReduce3(SD_C_OP, SD_C_BUFFER(X), void* extraParamsVals, SD_C_BUFFER(Y), SD_C_BUFFER(Z));
SD_C_API void execReduce3Scalar(SD_C_OP, SD_C_BUFFER(X), void* extraParamsVals, SD_C_BUFFER(Y), SD_C_BUFFER(Z));
/// As execReduce3, for sub-array k of x and sub-array k of y; the shorter operand may be a single sub-array.
/// extraParamsVals: NULL or one value. The last four arguments are ignored.
SD_C_API void execReduce3Tad(SD_C_OP, SD_C_BUFFER(X), void* extraParamsVals, SD_C_BUFFER(Y), SD_C_BUFFER(Z), SD_C_AXES,
                             SD_C_LONG const* tadOnlyShapeInfo, SD_C_LONG const* tadOffsets,
                             SD_C_LONG const* yTadOnlyShapeInfo, SD_C_LONG const* yTadOffsets);
/// As execReduce3, for each sub-array i of x and each sub-array j of y: z[i, j]. extraParamsVals: NULL or one value.
/// The last four arguments are ignored.
SD_C_API void execReduce3All(SD_C_OP, SD_C_BUFFER(X), void* extraParamsVals, SD_C_BUFFER(Y), SD_C_BUFFER(Z), SD_C_AXES,
                             SD_C_LONG const* xTadShapeInfo, SD_C_LONG const* xOffsets, SD_C_LONG const* yTadShapeInfo,
                             SD_C_LONG const* yOffsets);

/* ---- custom operations ------------------------------------------------------------------------------------------- */

/// Lists every name of every custom operation: "name:hash:inputs:outputs:inplace:tArgs:iArgs:;". The hash is that of
/// the main name. Counts: -1 one or more, -2 any. The text is valid until the process ends; libraries loaded later
/// produce a new text.
SD_C_API const char* getAllCustomOps(SD_C_NONE);
/// Describes as JSON what an operation computes, takes and returns. `name`: a custom operation, one of its aliases, or
/// a numbered operation ("pairwise.Add"). Valid until this thread calls the function again. NULL and an error for
/// unknown names.
SD_C_API const char* describeOperation(const char* name);
/// The hash by which execCustomOp2 and calculateOutputShapes find an operation. 0 and an error for unknown names.
SD_C_API SD_C_LONG opHash(const char* name);
/// The number of the element type in a shapeInfo. -1 and an error for a null or broken one.
SD_C_API int shapeInfoDataType(const SD_C_LONG* shapeInfo);
/// Loads a shared library of operations, which can then be called by name and hash. Returns 0; or 1 and an error when
/// the library cannot be loaded or defines a name that exists. After an error nothing has changed.
SD_C_API int loadOpLibrary(const char* path);

/// A call of an operation: arrays, arguments and a random generator. To be freed with deleteGraphContext.
SD_C_API OpaqueContext* createGraphContext(int nodeId);
SD_C_API void deleteGraphContext(OpaqueContext* ptr);
/// The generator inside the context; it must not be deleted. It is seeded from the clock until its states are set.
SD_C_API OpaqueRandomGenerator* getGraphContextRandomGenerator(OpaqueContext* ptr);
/// In place: output i is input i, and the caller gives no outputs.
SD_C_API void markGraphContextInplace(OpaqueContext* ptr, bool reallyInplace);
/// Does nothing.
SD_C_API void setGraphContextCudaContext(OpaqueContext* ptr, void* stream, void* reductionPointer,
                                         void* allocationPointer);
/// Array `index` on the caller's memory, which must outlive the call. The buffer may be NULL when the shape is empty.
SD_C_API void setGraphContextInputArray(OpaqueContext* ptr, int index, void* buffer, void* shapeInfo,
                                        void* specialBuffer, void* specialShapeInfo);
SD_C_API void setGraphContextOutputArray(OpaqueContext* ptr, int index, void* buffer, void* shapeInfo,
                                         void* specialBuffer, void* specialShapeInfo);
/// Array `index` in a buffer, which the context shares until it is purged or deleted. The buffer must be large enough
/// for the shape.
SD_C_API void setGraphContextInputBuffer(OpaqueContext* ptr, int index, OpaqueDataBuffer* buffer, void* shapeInfo,
                                         void* specialShapeInfo);
SD_C_API void setGraphContextOutputBuffer(OpaqueContext* ptr, int index, OpaqueDataBuffer* buffer, void* shapeInfo,
                                          void* specialShapeInfo);
/// Copies the floating, integer, boolean and type arguments; they replace earlier ones.
SD_C_API void setGraphContextTArguments(OpaqueContext* ptr, double* arguments, int numberOfArguments);
SD_C_API void setGraphContextIArguments(OpaqueContext* ptr, SD_C_LONG* arguments, int numberOfArguments);
SD_C_API void setGraphContextBArguments(OpaqueContext* ptr, bool* arguments, int numberOfArguments);
SD_C_API void setGraphContextDArguments(OpaqueContext* ptr, int* arguments, int numberOfArguments);
/// Sets an argument by the name that describeOperation() gives it. Named arguments take precedence over positional ones
/// and stay set for further calls. The call itself reports unknown names, other kinds and other numbers of values.
/// `values`: `count` integers.
SD_C_API void setGraphContextArgumentIntegers(OpaqueContext* ptr, const char* name, const SD_C_LONG* values, int count);
SD_C_API void setGraphContextArgumentNumbers(OpaqueContext* ptr, const char* name, const double* values, int count);
SD_C_API void setGraphContextArgumentFlags(OpaqueContext* ptr, const char* name, const bool* values, int count);
/// `values`: numbers of element types.
SD_C_API void setGraphContextArgumentTypes(OpaqueContext* ptr, const char* name, const int* values, int count);
/// One of the names that the argument offers, such as "same" for padding_mode.
SD_C_API void setGraphContextArgumentChoice(OpaqueContext* ptr, const char* name, const char* choice);
/// Removes all named arguments. What the next call is not given has its default, however many positional arguments the
/// operation demands.
SD_C_API void clearGraphContextArguments(OpaqueContext* ptr);
SD_C_API void ctxAllowHelpers(OpaqueContext* ptr, bool reallyAllow);
/// 0 undefined, 1 training, 2 inference; other values mean 0.
SD_C_API void ctxSetExecutionMode(OpaqueContext* ptr, int execMode);
/// The caller guarantees the shapes of the outputs: the shape function is not called.
SD_C_API void ctxShapeFunctionOverride(OpaqueContext* ptr, bool reallyOverride);
/// Drops inputs and outputs; arguments, flags and the generator stay.
SD_C_API void ctxPurge(OpaqueContext* ptr);

/// Runs the operation on the arrays of a context. The caller must give every output that it wants, in the shape that
/// the operation produces. Any status sets an error, except OK and the results of boolean operations: VALIDATION (20)
/// when the call does not fit the operation, BAD_ARGUMENTS (34) for an unknown hash.
SD_C_API SD_C_STATUS execCustomOp2(SD_C_POINTER* extraPointers, SD_C_LONG hash, SD_C_POINTER opContext);
/// As execCustomOp2, with arrays of data pointers and of shapeInfos; returns BAD_INPUT (1) when the call does not fit
/// the operation. In place, the outputs are ignored.
SD_C_API SD_C_STATUS execCustomOp(SD_C_POINTER* extraPointers, SD_C_LONG hash, SD_C_POINTER* inputBuffers,
                                  SD_C_POINTER* inputShapes, int numInputs, SD_C_POINTER* outputBuffers,
                                  SD_C_POINTER* outputShapes, int numOutputs, double* tArgs, int numTArgs,
                                  SD_C_LONG* iArgs, int numIArgs, bool* bArgs, int numBArgs, bool isInplace);

/// The shapes of the outputs, to be freed with deleteShapeList; NULL and an error when the call does not fit the
/// operation. The buffer of an input may be NULL; if the shapes depend on its values, the error names the input.
SD_C_API OpaqueShapeList* calculateOutputShapes2(SD_C_POINTER* extraPointers, SD_C_LONG hash,
                                                 SD_C_POINTER* inputBuffers, SD_C_POINTER* inputShapes,
                                                 int numInputShapes, double* tArgs, int numTArgs, SD_C_LONG* iArgs,
                                                 int numIArgs, bool* bArgs, int numBArgs, int* dArgs, int numDArgs);
/// Needs shapes only and takes no boolean and type arguments: as above with NULL for every buffer.
SD_C_API OpaqueShapeList* calculateOutputShapes(SD_C_POINTER* extraPointers, SD_C_LONG hash, SD_C_POINTER* inputShapes,
                                                int numInputShapes, double* tArgs, int numTArgs, SD_C_LONG* iArgs,
                                                int numIArgs);
SD_C_API SD_C_LONG getShapeListSize(OpaqueShapeList* list);
/// The shapeInfo of output i; the list owns it.
SD_C_API SD_C_LONG const* getShape(OpaqueShapeList* list, SD_C_LONG i);
SD_C_API void deleteShapeList(SD_C_POINTER shapeList);

/* ---- sorting ----------------------------------------------------------------------------------------------------- */

/// Sorts the whole array in place, in c order. NaN comes last.
SD_C_API void sort(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), bool descending);
/// Sorts each sub-array along the axes. tadShapeInfo and tadOffsets are ignored.
SD_C_API void sortTad(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), int* dimension, int dimensionLength,
                      SD_C_LONG const* tadShapeInfo, SD_C_LONG const* tadOffsets, bool descending);
/// Sorts the keys x and permutes the values y accordingly.
SD_C_API void sortByKey(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), SD_C_ARRAY(y), bool descending);
/// Sorts the values y and permutes the keys x accordingly.
SD_C_API void sortByValue(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), SD_C_ARRAY(y), bool descending);
SD_C_API void sortTadByKey(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), SD_C_ARRAY(y), int* dimension,
                           int dimensionLength, bool descending);
SD_C_API void sortTadByValue(SD_C_POINTER* extraPointers, SD_C_ARRAY(x), SD_C_ARRAY(y), int* dimension,
                             int dimensionLength, bool descending);
/// Sorts `length` rows of rank(xShapeInfo) indices in ascending order and permutes the values x accordingly.
SD_C_API void sortCooIndices(SD_C_POINTER* extraPointers, SD_C_LONG* indices, void* x, SD_C_LONG length,
                             const SD_C_LONG* xShapeInfo);

/* ---- indices ----------------------------------------------------------------------------------------------------- */

/// flatIndices[i] = sum over j of indices[i, j] * stride j. `mode` is for an index outside its dimension: 0 error, 1
/// wrap around, 2 clip.
SD_C_API void ravelMultiIndex(SD_C_POINTER* extraPointers, SD_C_LONG* indices, SD_C_LONG* flatIndices, SD_C_LONG length,
                              SD_C_LONG* shapeInfo, int mode);
/// The inverse of ravelMultiIndex; writes `indices`.
SD_C_API void unravelIndex(SD_C_POINTER* extraPointers, SD_C_LONG* indices, SD_C_LONG* flatIndices, SD_C_LONG length,
                           SD_C_LONG* shapeInfo);

/* ---- moving data ------------------------------------------------------------------------------------------------- */

/// In each of N arrays: for r = 0, 1, ... swaps sub-arrays r and shuffleMap[r], unless that is negative. Works in place
/// on x; z is ignored.
SD_C_API void shuffle(SD_C_POINTER* extras, SD_C_POINTER* x, SD_C_POINTER* xShapeInfo, SD_C_POINTER* dx,
                      SD_C_POINTER* dxShapeInfo, SD_C_POINTER* z, SD_C_POINTER* zShapeInfo, SD_C_POINTER* dz,
                      SD_C_POINTER* dzShapeInfo, int N, int* shuffleMap, SD_C_POINTER* tadShapeInfo,
                      SD_C_POINTER* tadOffsets);
/// Copies sub-array i of x to targets[i].
SD_C_API void tear(SD_C_POINTER* extraPointers, OpaqueDataBuffer* dbX, SD_C_LONG const* xShapeInfo,
                   SD_C_LONG const* dxShapeInfo, SD_C_POINTER* targets, SD_C_LONG const* zShapeInfo,
                   SD_C_LONG const* tadShapeInfo, SD_C_LONG const* tadOffsets);
/// Copies sub-array indexes[i] of x to sub-array i of z.
SD_C_API void pullRows(SD_C_POINTER* extraPointers, OpaqueDataBuffer* dbX, SD_C_LONG const* xShapeInfo,
                       SD_C_LONG const* dxShapeInfo, OpaqueDataBuffer* dbZ, SD_C_LONG const* zShapeInfo,
                       SD_C_LONG const* dzShapeInfo, SD_C_LONG n, SD_C_LONG* indexes, SD_C_LONG const* tadShapeInfo,
                       SD_C_LONG const* tadOffsets, SD_C_LONG const* zTadShapeInfo, SD_C_LONG const* zTadOffsets);
/// Writes the mean of n arrays of `length` elements to z, unless z is NULL. The mean is also copied into every x when z
/// is NULL or `propagate` is set.
SD_C_API void average(SD_C_POINTER* extras, SD_C_ARRAYS(x), SD_C_ARRAY(z), int n, SD_C_LONG length, bool propagate);
/// z += the sum of n arrays of `length` elements.
SD_C_API void accumulate(SD_C_POINTER* extras, SD_C_ARRAYS(x), SD_C_ARRAY(z), int n, SD_C_LONG length);
/// Concatenates arrays along a dimension. The last two arguments are ignored.
SD_C_API void specialConcat(SD_C_POINTER* extraPointers, int dimension, int numArrays, SD_C_POINTER* data,
                            SD_C_POINTER* inputShapeInfo, void* result, SD_C_LONG const* resultShapeInfo,
                            SD_C_POINTER* tadPointers, SD_C_POINTER* offsetPointers);
/// For i in order: sub-array indexes[i] of x op= sub-array i of y. opCode: 0 x + y, 1 x - y, 2 x * y, 3 x / y, 4 y - x,
/// 5 y / x, 6 y. The indices are INT32 or INT64.
SD_C_API void scatterUpdate(SD_C_POINTER* extraPointers, int opCode, int numOfSubArrs, void* hX,
                            SD_C_LONG const* hXShapeInfo, SD_C_LONG const* hXOffsets, void* dX,
                            SD_C_LONG const* dXShapeInfo, SD_C_LONG const* dXOffsets, void* hY,
                            SD_C_LONG const* hYShapeInfo, SD_C_LONG const* hYOffsets, void* dY,
                            SD_C_LONG const* dYShapeInfo, SD_C_LONG const* dYOffsets, void* hIindexes,
                            SD_C_LONG const* hIndicesShapeInfo, void* dIindexes, SD_C_LONG const* dIndicesShapeInfo);
/// Writes four doubles (minimum, maximum, mean, standard deviation) and five 64-bit counts (zero, positive, negative,
/// infinite, NaN) to debugInfo.
SD_C_API void inspectArray(SD_C_POINTER* extraPointers, SD_C_POINTER buffer, SD_C_LONG* shapeInfo,
                           SD_C_POINTER specialBuffer, SD_C_LONG* specialShapeInfo, SD_C_POINTER debugInfo);
/// Converts N elements. Type codes: 1 int8, 2 uint8, 3 float16, 4 int16, 5 uint16, 6 float, 7 double, 8 threshold code.
SD_C_API void convertTypes(SD_C_POINTER* extras, int srcType, SD_C_POINTER x, SD_C_LONG N, int dstType, SD_C_POINTER z);
/// The number of elements of x whose magnitude is at least `threshold`.
SD_C_API int estimateThreshold(SD_C_POINTER* extraPointers, SD_C_POINTER x, SD_C_LONG const* xShapeInfo, int N,
                               float threshold);
/// These three set an error: aggregates are not supported.
SD_C_API void execAggregate(SD_C_POINTER* extraPointers, int opNum, void** arguments, int numArguments,
                            SD_C_LONG** shapeArguments, int numShapeArguments, int* indexArguments,
                            int numIndexArguments, int** intArrays, int numIntArrays, void* realArguments,
                            int numRealArguments, SD_C_DATATYPE dtype);
SD_C_API void execAggregateBatch(SD_C_POINTER* extraPointers, int numAggregates, int opNum, int maxArgs, int maxShapes,
                                 int maxIntArrays, int maxIntArraySize, int maxIdx, int maxReals, void* ptrToArguments,
                                 SD_C_DATATYPE dtype);
SD_C_API void batchExecutor(SD_C_POINTER* extraPointers, int numAggregates, int opNum, int maxArgs, int maxShapes,
                            int maxIntArrays, int maxIntArraySize, int maxIdx, int maxReals, void* ptrToArguments,
                            SD_C_DATATYPE dtype);

/* ---- random numbers ---------------------------------------------------------------------------------------------- */

/// A generator. rootSeed 0: the time in milliseconds; nodeSeed 0: 1298567341. To be freed with deleteRandomGenerator.
SD_C_API OpaqueRandomGenerator* createRandomGenerator(SD_C_LONG rootSeed SD_C_DEFAULT(0),
                                                      SD_C_LONG nodeSeed SD_C_DEFAULT(0));
/// Sets the states, with the same meaning of 0.
SD_C_API void setRandomGeneratorStates(OpaqueRandomGenerator* ptr, SD_C_LONG rootSeed SD_C_DEFAULT(0),
                                       SD_C_LONG nodeSeed SD_C_DEFAULT(0));
SD_C_API SD_C_LONG getRandomGeneratorRootState(OpaqueRandomGenerator* ptr);
SD_C_API SD_C_LONG getRandomGeneratorNodeState(OpaqueRandomGenerator* ptr);
/// Value number `index` of the current states: floats in [0, 1), integers from 0 to max.
SD_C_API float getRandomGeneratorRelativeFloat(OpaqueRandomGenerator* ptr, SD_C_LONG index);
SD_C_API double getRandomGeneratorRelativeDouble(OpaqueRandomGenerator* ptr, SD_C_LONG index);
SD_C_API int getRandomGeneratorRelativeInt(OpaqueRandomGenerator* ptr, SD_C_LONG index);
SD_C_API SD_C_LONG getRandomGeneratorRelativeLong(OpaqueRandomGenerator* ptr, SD_C_LONG index);
/// Value number 1; advances the generator.
SD_C_API float getRandomGeneratorNextFloat(OpaqueRandomGenerator* ptr);
SD_C_API double getRandomGeneratorNextDouble(OpaqueRandomGenerator* ptr);
SD_C_API int getRandomGeneratorNextInt(OpaqueRandomGenerator* ptr);
SD_C_API SD_C_LONG getRandomGeneratorNextLong(OpaqueRandomGenerator* ptr);
SD_C_API void deleteRandomGenerator(OpaqueRandomGenerator* ptr);
/// A generator with both states `seed`; the size and the buffer are ignored.
SD_C_API SD_C_POINTER initRandom(SD_C_POINTER* extraPointers, long seed, long bufferSize, SD_C_POINTER ptrToBuffer);
/// Sets the root state; the node state becomes 1298567341.
SD_C_API void refreshBuffer(SD_C_POINTER* extraPointers, long seed, SD_C_POINTER ptrRandom);
/// The same as refreshBuffer.
SD_C_API void reSeedBuffer(SD_C_POINTER* extraPointers, long seed, SD_C_POINTER ptrRandom);
/// The same as deleteRandomGenerator.
SD_C_API void destroyRandom(SD_C_POINTER ptrRandom);
/// z = random numbers of a float type, without inputs; `state` is a generator, which advances. The parameters have z's
/// type.
SD_C_API void execRandom(SD_C_OP, SD_C_POINTER state, SD_C_BUFFER_OF(Z, hZShapeBuffer, dZShapeBuffer),
                         void* extraArguments);
/// As execRandom, with input x.
SD_C_API void execRandom2(SD_C_OP, SD_C_POINTER state, SD_C_BUFFER_OF(X, hXShapeBuffer, dXShapeBuffer),
                          SD_C_BUFFER_OF(Z, hZShapeBuffer, dZShapeBuffer), void* extraArguments);
/// As execRandom, with inputs x and y. If y and z are the same buffer, there is no y.
SD_C_API void execRandom3(SD_C_OP, SD_C_POINTER state, SD_C_BUFFER_OF(X, hXShapeBuffer, dXShapeBuffer),
                          SD_C_BUFFER_OF(Y, hYShapeBuffer, dYShapeBuffer),
                          SD_C_BUFFER_OF(Z, hZShapeBuffer, dZShapeBuffer), void* extraArguments);

/* ---- strings ----------------------------------------------------------------------------------------------------- */

/// A string object with a copy of `length` bytes and a terminating zero. To be freed with deleteUtf8String.
SD_C_API SD_C_POINTER createUtf8String(SD_C_POINTER* extraPointers, const char* string, int length);
/// Length in bytes.
SD_C_API SD_C_LONG getUtf8StringLength(SD_C_POINTER* extraPointers, SD_C_POINTER ptr);
SD_C_API char* getUtf8StringBuffer(SD_C_POINTER* extraPointers, SD_C_POINTER ptr);
SD_C_API void deleteUtf8String(SD_C_POINTER* extraPointers, SD_C_POINTER ptr);

#include <legacy/NativeOpsGraph.h>

/* ---- launch contexts and devices, as a CPU reports them ---------------------------------------------------------- */

SD_C_API OpaqueLaunchContext* defaultLaunchContext(SD_C_NONE);
SD_C_API SD_C_POINTER lcScalarPointer(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcReductionPointer(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcAllocationPointer(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcExecutionStream(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcCopyStream(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcBlasHandle(OpaqueLaunchContext* lc);
SD_C_API SD_C_POINTER lcSolverHandle(OpaqueLaunchContext* lc);
/// 0: the CPU does not count as a device.
SD_C_API int getAvailableDevices(SD_C_NONE);
SD_C_API int getDevice(SD_C_NONE);
SD_C_API int setDevice(int deviceId);
/// The model of the CPU.
SD_C_API const char* getDeviceName(int deviceId);
SD_C_API int getDeviceMajor(int deviceId);
SD_C_API int getDeviceMinor(int deviceId);
SD_C_API SD_C_LONG getDeviceTotalMemory(int deviceId);
SD_C_API SD_C_LONG getDeviceFreeMemory(int deviceId);
SD_C_API SD_C_LONG getDeviceFreeMemoryDefault(SD_C_NONE);
/// Bytes of cached constants on device 0; 0 for any other.
SD_C_API SD_C_LONG getCachedMemory(int deviceId);
SD_C_API SD_C_POINTER createContext(SD_C_NONE);
SD_C_API SD_C_POINTER createStream(SD_C_NONE);
SD_C_API SD_C_POINTER createEvent(SD_C_NONE);
SD_C_API int registerEvent(SD_C_POINTER event, SD_C_POINTER stream);
SD_C_API int destroyEvent(SD_C_POINTER event);
SD_C_API int streamSynchronize(SD_C_POINTER stream);
SD_C_API int eventSynchronize(SD_C_POINTER event);
SD_C_API bool isP2PAvailable(SD_C_NONE);
SD_C_API void enableP2P(bool enable);
SD_C_API void checkP2P(SD_C_NONE);
SD_C_API void setGridLimit(int gridSize);
#ifdef __cplusplus
/// Does nothing.
SD_C_API void setVedaDeviceLibFolder(std::string path);
#endif

#undef SD_C_OP
#undef SD_C_BUFFER
#undef SD_C_BUFFER_OF
#undef SD_C_AXES
#undef SD_C_ARRAY
#undef SD_C_ARRAYS

#include <legacy/end_c.h>

#ifdef __cplusplus
}  // extern "C"

#include <legacy/NativeOpsNumpy.h>

// Existing programs use these without including them.
#if !defined(SD_BUILDING_LIBRARY)
#include <array/NDArray.h>
#include <graph/Context.h>
#include <graph/ResultWrapper.h>
#include <graph/VariablesSet.h>
#endif
#endif

#endif
