// The part of the C interface that makes, saves, runs and trains graphs: <graph/Graph.h>, <graph/Session.h> and
// <training/Trainer.h> for C. The rules of legacy/NativeOps.h about errors and arguments hold here too.
//
// Several threads may use one model at once. Values are called by their names or keys: "w", "logits", "7:1". A session
// or a trainer keeps what it needs of its model, which may be freed before it.
#ifndef NDFORGE_LEGACY_NATIVEOPSMODELS_H
#define NDFORGE_LEGACY_NATIVEOPSMODELS_H

#include <legacy/NativeOps.h>

#include <legacy/begin_c.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct OpaqueModel OpaqueModel;
typedef struct OpaqueSession OpaqueSession;
typedef struct OpaqueTrainer OpaqueTrainer;

/* ---- models ------------------------------------------------------------------------------------------------------ */

/// An empty graph. To be freed with deleteModel.
SD_C_API OpaqueModel* createModel(SD_C_NONE);
/// The graph of a .fb file, or of `size` bytes in its format, which need not be valid.
SD_C_API OpaqueModel* loadModel(const char* path);
SD_C_API OpaqueModel* loadModelFromBytes(const void* bytes, SD_C_LONG size);
/// Writes a .fb file, completely or not at all. BAD_INPUT (1) and an error when that is not possible.
SD_C_API SD_C_STATUS saveModel(OpaqueModel* model, const char* path);
SD_C_API void deleteModel(OpaqueModel* model);
/// One line for each layer, node and variable. To be freed with deleteCharArray.
SD_C_API char* modelText(OpaqueModel* model);

/// These functions add values to a graph and return their keys, such as "-1" or "7:0", or "7:0 7:1" for the outputs of
/// a call; the text is valid until this thread calls one of them again. NULL and an error, and the graph is as before,
/// when types or shapes do not fit, as far as they are known.

/// An array that each run is given. -1: any size. A negative rank: any shape; `dataType` -1: any type.
SD_C_API const char* addModelPlaceholder(OpaqueModel* model, const char* name, int dataType, int rank,
                                         SD_C_LONG const* shape);
/// A copy of an array: a variable, which training changes, or a constant, whose name may be empty.
SD_C_API const char* addModelArray(OpaqueModel* model, const char* name, OpaqueDataBuffer* buffer,
                                   SD_C_LONG const* shapeInfo, bool constant);
/// A call of an operation. Inputs are names or keys; NULL leaves one out. The context has the arguments, it may be
/// NULL. The name, by which results can be asked for, may be NULL.
SD_C_API const char* addModelCall(OpaqueModel* model, const char* operation, const char* name,
                                  const char* const* inputs, int numInputs, OpaqueContext* arguments);
/// The gradients of the sum of a value with respect to parameters, in their order.
SD_C_API const char* addModelGradients(OpaqueModel* model, const char* value, const char* const* parameters,
                                       int numParameters);
/// A copy of the array of a variable or constant. To be freed with deleteVariablesSet.
SD_C_API OpaqueVariablesSet* getModelArray(OpaqueModel* model, const char* name);

/* ---- sessions ---------------------------------------------------------------------------------------------------- */

/// Runs a graph many times. Without results, those of the graph. To be freed with deleteSession. A graph that gets
/// nodes later needs a new session.
SD_C_API OpaqueSession* createSession(OpaqueModel* model, const char* const* results, int numResults);
SD_C_API void deleteSession(OpaqueSession* session);
SD_C_API int getSessionInputCount(OpaqueSession* session);
/// Names, which live as long as the session.
SD_C_API const char* getSessionInput(OpaqueSession* session, int index);
SD_C_API int getSessionResultCount(OpaqueSession* session);
SD_C_API const char* getSessionResult(OpaqueSession* session, int index);
/// One run: arrays by the names of inputs. A seed other than 0 determines all random numbers. The results in their
/// order, named after them; to be freed with deleteVariablesSet.
SD_C_API OpaqueVariablesSet* runSession(OpaqueSession* session, const char* const* names, OpaqueDataBuffer** inputs,
                                        SD_C_LONG const* const* inputShapes, int numInputs, SD_C_LONG seed);

/* ---- training ---------------------------------------------------------------------------------------------------- */

/// Trains parameters of a graph so that a value, the loss, becomes small. `updater`: sgd, nesterovs, adam, adamax,
/// nadam, amsgrad, adabelief, adagrad, rmsprop, adadelta. Options by name; those of the updater: learning_rate,
/// momentum, beta1, beta2, epsilon, decay; of the training: l1, l2, weight_decay, clip_value, clip_norm,
/// clip_global_norm, accumulate, seed. To be freed with deleteTrainer.
SD_C_API OpaqueTrainer* createTrainer(OpaqueModel* model, const char* loss, const char* const* parameters,
                                      int numParameters, const char* updater, const char* const* optionNames,
                                      const double* optionValues, int numOptions);
SD_C_API void deleteTrainer(OpaqueTrainer* trainer);
/// One step. Returns the loss before it; NaN and an error when it fails, and nothing has changed then.
SD_C_API double trainerStep(OpaqueTrainer* trainer, const char* const* names, OpaqueDataBuffer** inputs,
                            SD_C_LONG const* const* inputShapes, int numInputs);
/// How many steps there were; -1 and an error for NULL.
SD_C_API SD_C_LONG getTrainerSteps(OpaqueTrainer* trainer);
/// Write and read a checkpoint (.npz) of parameters and states. BAD_INPUT (1) and an error when that is not possible.
SD_C_API SD_C_STATUS saveTrainer(OpaqueTrainer* trainer, const char* path);
SD_C_API SD_C_STATUS loadTrainer(OpaqueTrainer* trainer, const char* path);
/// Writes the graph as it was before the trainer was made, with the parameters as they are now.
SD_C_API SD_C_STATUS saveTrainedModel(OpaqueTrainer* trainer, const char* path);

#ifdef __cplusplus
}  // extern "C"
#endif

#include <legacy/end_c.h>

#endif
