// The part of the C interface that stores and executes graphs. legacy/NativeOps.h includes this header where its macros
// are defined; its rules about errors and arguments hold here too.
//
// A graph is the bytes of a FlatGraph: FlatBuffers' format, as files hold it. The functions that get an address and a
// size, or a file, check everything before they use it. Those that get an address alone (registerGraph,
// executeFlatGraph) cannot know where the bytes end: the caller guarantees that a whole FlatGraph lies there, and the
// library checks what it says. Bytes are read during the call and not kept.
//
// Stored graphs may be registered, executed and unregistered by several threads at once.
#if !defined(NDFORGE_LEGACY_NATIVEOPS_H) && !defined(NDFORGE_DOCUMENTATION)
#include <legacy/NativeOps.h>
#elif !defined(NDFORGE_LEGACY_NATIVEOPSGRAPH_H)
#define NDFORGE_LEGACY_NATIVEOPSGRAPH_H

/* ---- graphs ------------------------------------------------------------------------------------------------------ */

/// Stores the graph at this address under a number. BAD_INPUT (1) and an error for a number that is in use, and for a
/// graph that cannot be built.
SD_C_API SD_C_STATUS registerGraph(SD_C_POINTER* extraPointers, SD_C_LONG graphId, SD_C_POINTER flatBufferPointer);
/// As registerGraph, for `size` bytes that need not be valid.
SD_C_API SD_C_STATUS registerGraphFromBytes(SD_C_POINTER* extraPointers, SD_C_LONG graphId, SD_C_POINTER bytes,
                                            SD_C_LONG size);
/// As registerGraphFromBytes, for a file.
SD_C_API SD_C_STATUS registerGraphFromFile(SD_C_POINTER* extraPointers, SD_C_LONG graphId, const char* path);
/// Forgets a stored graph; executions that run finish. OK when there is none.
SD_C_API SD_C_STATUS unregisterGraph(SD_C_POINTER* extraPointers, SD_C_LONG graphId);
/// Executes a stored graph, whose variables with the numbers inputIndices[i] get the given arrays for this call; the
/// arrays are not changed. Returns copies of the results, to be freed with deleteVariablesSet. When the execution ends
/// with a status other than OK, the set has this status and no variables, and an error is stored. NULL and an error for
/// wrong arguments, and when an operation throws.
SD_C_API OpaqueVariablesSet* executeStoredGraph(SD_C_POINTER* extraPointers, SD_C_LONG graphId,
                                                SD_C_POINTER* inputBuffers, SD_C_POINTER* inputShapes,
                                                int* inputIndices, int numInputs);
/// As executeStoredGraph, with buffers and by name. A result is named by a node, whose first output it is, or by a
/// variable; without names all results of the graph are returned.
SD_C_API OpaqueVariablesSet* executeStoredGraphByNames(SD_C_POINTER* extraPointers, SD_C_LONG graphId,
                                                       const char* const* inputNames, OpaqueDataBuffer** inputs,
                                                       SD_C_LONG const* const* inputShapes, int numInputs,
                                                       const char* const* outputNames, int numOutputs);
/// Executes the graph at this address. The result is a FlatResult, to be freed with deleteResultWrapper; NULL and an
/// error when anything fails.
SD_C_API OpaqueResultWrapper* executeFlatGraph(SD_C_POINTER* extraPointers, SD_C_POINTER flatBufferPointer);
/// As executeFlatGraph, for `size` bytes that need not be valid.
SD_C_API OpaqueResultWrapper* executeFlatGraphBytes(SD_C_POINTER* extraPointers, SD_C_POINTER bytes, SD_C_LONG size);
/// Number of bytes.
SD_C_API SD_C_LONG getResultWrapperSize(OpaqueResultWrapper* ptr);
SD_C_API SD_C_POINTER getResultWrapperPointer(OpaqueResultWrapper* ptr);
SD_C_API void deleteResultWrapper(SD_C_POINTER ptr);

SD_C_API SD_C_LONG getVariablesSetSize(OpaqueVariablesSet* set);
/// BAD_INPUT (1) for NULL.
SD_C_API SD_C_STATUS getVariablesSetStatus(OpaqueVariablesSet* set);
/// Variable i, which the set owns.
SD_C_API OpaqueVariable* getVariable(OpaqueVariablesSet* set, SD_C_LONG i);
/// The number of the node, or a number below 0; 0 and an error for NULL.
SD_C_API int getVariableId(OpaqueVariable* variable);
/// Which output of the node it is.
SD_C_API int getVariableIndex(OpaqueVariable* variable);
/// Empty when it has no name.
SD_C_API const char* getVariableName(OpaqueVariable* variable);
/// The shapeInfo of its array; NULL and an error when it has none.
SD_C_API SD_C_LONG const* getVariableShape(OpaqueVariable* variable);
/// The address of the first element; NULL for an empty array.
SD_C_API void* getVariableBuffer(OpaqueVariable* variable);
SD_C_API void deleteVariablesSet(OpaqueVariablesSet* pointer);

/// A graph without nodes, to which scopes are added. To be freed with deleteGraphState.
SD_C_API SD_C_POINTER getGraphState(SD_C_LONG id);
SD_C_API void deleteGraphState(SD_C_POINTER state);
/// Adds an empty scope. KERNEL_FAILURE (50) and an error for a number that is in use, and for 0.
SD_C_API SD_C_STATUS registerScopeOfGraphState(SD_C_POINTER state, int scopeId);
/// Adds a call of the operation with this hash to a scope. Input i is output inputIndices[i] of node inputIds[i]; the
/// inputs of execCustomOpWithScope are (0, 0), (0, 1), … A context gives the arguments; it may be NULL.
SD_C_API SD_C_STATUS attachOpToScopeOfGraphState(SD_C_POINTER state, int scopeId, int nodeId, SD_C_LONG opHash,
                                                 OpaqueContext* arguments, const int* inputIds, const int* inputIndices,
                                                 int numInputs);
/// Ends a scope: its inputs become the values (0, 0), (0, 1), …
SD_C_API SD_C_STATUS defineReturnOfGraphState(SD_C_POINTER state, int scopeId, int nodeId, const int* inputIds,
                                              const int* inputIndices, int numInputs);
/// Runs a logic operation on scopes of the state; `opHash` is its number: 0 While (scopes: condition, body), 20
/// Conditional (condition, false, true), 30 Switch (condition, or none and the condition as second input). The inputs
/// are copied to the values (0, 0), (0, 1), …, and these are copied to the outputs, which have their shapes and types.
/// Returns KERNEL_FAILURE (50) for unknown scopes, BAD_INPUT (1) for an unknown number, for outputs that do not fit and
/// when an operation throws, or the status of the operation that failed; all of these set an error.
SD_C_API SD_C_STATUS execCustomOpWithScope(SD_C_POINTER* extraPointers, SD_C_POINTER state, SD_C_LONG opHash,
                                           SD_C_LONG* scopes, int numScopes, SD_C_POINTER* inputBuffers,
                                           SD_C_POINTER* inputShapes, int numInputs, SD_C_POINTER* outputBuffers,
                                           SD_C_POINTER* outputShapes, int numOutputs);

#endif
