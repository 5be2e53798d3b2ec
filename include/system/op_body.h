// Macros for the bodies of operations and shape functions. They need `this`, an operation, and `block`, its Context.
#ifndef NDFORGE_SYSTEM_OP_BODY_H
#define NDFORGE_SYSTEM_OP_BODY_H

#include <system/broadcast_tuples.h>
#include <system/common.h>

namespace sd::ops {

/// Throws std::invalid_argument. The message is the name, in brackets, of the operation that the calling thread runs,
/// followed by the text formatted with its printf arguments.
[[noreturn]] SD_LIB_EXPORT void requirementFailed(int argNumber, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

}  // namespace sd::ops

// Throws std::invalid_argument with a printf-style message unless COND holds.
#define REQUIRE_TRUE(COND, argNumber, ...)                             \
  {                                                                    \
    if (!(COND)) sd::ops::requirementFailed((argNumber), __VA_ARGS__); \
  }
#define REQUIRE_OK(EXPR)                                         \
  {                                                              \
    if ((EXPR) != sd::Status::OK) return sd::Status::VALIDATION; \
  }

// --- inputs, outputs, arguments ---
#define INPUT_VARIABLE(i) block.array(i)
#define INPUT_LIST(i) block.getVariable(i)->getNDArrayList()
#define OUTPUT_VARIABLE(i) this->getZ(block, i)
#define OUTPUT_NULLIFIED(i) this->getNullifiedZ(block, i)
#define INT_ARG(i) block.intArgument(i)
#define I_ARG(i) block.intArgument(i)
#define T_ARG(i) block.floatArgument(i)
#define B_ARG(i) block.boolArgument(i)
#define D_ARG(i) block.typeArgument(i)

// --- results ---
#define STORE_RESULT(A) this->storeResult(block, 0, A)
#define STORE_2_RESULTS(A, B)     \
  this->storeResult(block, 0, A); \
  this->storeResult(block, 1, B)
#define STORE_3_RESULTS(A, B, C) \
  STORE_2_RESULTS(A, B);         \
  this->storeResult(block, 2, C)
#define STORE_4_RESULTS(A, B, C, D) \
  STORE_3_RESULTS(A, B, C);         \
  this->storeResult(block, 3, D)
#define STORE_5_RESULTS(A, B, C, D, E) \
  STORE_4_RESULTS(A, B, C, D);         \
  this->storeResult(block, 4, E)
#define OVERWRITE_RESULT(A) this->overwriteResult(block, 0, A)
#define OVERWRITE_RESULT_NO_DELETE(A) this->overwriteResult(block, 0, A, false)
#define OVERWRITE_2_RESULTS(A, B)     \
  this->overwriteResult(block, 0, A); \
  this->overwriteResult(block, 1, B)

// --- shapes ---
#define SHAPELIST(...) new sd::ShapeList(std::vector<const sd::LongType*>{__VA_ARGS__}, block.workspace() != nullptr)
#define CONSTANT(SHAPE) sd::ConstantShapeHelper::getInstance().createFromExisting(SHAPE, block.workspace())
#define COPY_SHAPE(SRC, TGT) TGT = sd::ShapeBuilders::copyShapeInfo(SRC, true, block.getWorkspace())
#define COPY_SHAPE_EX(SRC, TGT, WORKSPACE) TGT = sd::ShapeBuilders::copyShapeInfo(SRC, true, WORKSPACE)

// --- broadcasting ---
// When an operand is empty, the result must be empty too and the operation is done.
#define BROADCAST_CHECK_EMPTY(X, Y, Z)                                                            \
  {                                                                                               \
    if ((X)->isEmpty() || (Y)->isEmpty()) {                                                       \
      REQUIRE_TRUE((Z)->isEmpty(), 0, "an input is empty, so that the output must be empty too"); \
      return sd::Status::OK;                                                                      \
    }                                                                                             \
  }

// --- memory, stash ---
#define CHECK_ALLOC(PTR, MSG, BYTES)                                         \
  {                                                                          \
    if ((PTR) == nullptr) throw sd::allocation_exception::build(MSG, BYTES); \
  }
#define STASH(NAME, ARRAY) block.getStash()->storeArray(block.getNodeId(), NAME, ARRAY)
#define CHECK_STASH(NAME) block.getStash()->checkStash(block.getNodeId(), NAME)
#define UNSTASH(NAME) block.getStash()->extractArray(block.getNodeId(), NAME)

#endif
