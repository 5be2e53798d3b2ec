// C functions of custom operations: calls by hash, contexts, shapes of outputs, lists.
#include <graph/Context.h>
#include <helpers/shape.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/DeclarableOp.h>

#include <memory>
#include <string>

#include "call/argument_values.h"
#include "cnpy/Printable.h"
#include "legacy/Guard.h"
#include "legacy/LendingContext.h"
#include "legacy/Operands.h"
#include "legacy/Wrapped.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/OpJson.h"
#include "ops/declarable/OpOutputs.h"

using namespace sd::legacy;
using sd::LongType;
using sd::Pointer;
using sd::Status;
using sd::graph::Context;
using sd::ops::DeclarableOp;
using sd::ops::OpRegistrator;

namespace {

DeclarableOp* operation(const char* function, LongType hash) noexcept {
  return guarded(function, [&] {
    DeclarableOp* op = OpRegistrator::getInstance().getOperation(hash);
    if (op == nullptr) sd::fail("argument 'hash': there is no operation with hash {}", hash);
    return op;
  });
}

/// Stores an error for every status that is not a result.
Status checked(const char* function, const DeclarableOp& op, Status status) {
  if (status == Status::OK || status == Status::EQ_TRUE || status == Status::EQ_FALSE || status == Status::MAYBE)
    return status;
  storeError(function, op.failureMessage(status).c_str());
  return status;
}

std::vector<sd::DataType> types(int* numbers, int count) {
  checkedList("dArgs", numbers, count);
  std::vector<sd::DataType> result;
  for (int i = 0; i < count; i++) {
    if (numbers[i] < 0 || numbers[i] > sd::AUTO)
      sd::fail("argument 'dArgs': {} at [{}] is not an element type", numbers[i], i);
    result.push_back(static_cast<sd::DataType>(numbers[i]));
  }
  return result;
}

void setInputs(Context& context, Pointer* buffers, Pointer* shapes, int count) {
  checkedList("inputBuffers", buffers, count);
  checkedList("inputShapes", shapes, count);
  for (int i = 0; i < count; i++) context.setInputArray(i, buffers[i], shapes[i], nullptr, nullptr);
}

/// Requires that the array described by a shapeInfo lies inside its buffer.
void requireFits(const char* function, OpaqueDataBuffer* buffer, const void* shapeInfo) {
  if (buffer != nullptr && shapeInfo != nullptr)
    input({function, OpGroup::TransformAny, -1}, "buffer", buffer, static_cast<const LongType*>(shapeInfo));
}

const LongType* inputShape(Pointer* shapes, int index, const char* function) {
  const auto* info = static_cast<const LongType*>(shapes[index]);
  if (info == nullptr) sd::fail("argument 'inputShapes': the shape at [{}] is null", index);
  shape::validate(info, function);
  return info;
}

/// Sets an input whose shape is known, but not its values.
void setInputShape(Context& context, int index, const LongType* info) {
  context.setInputArray(index, new sd::NDArray(sd::NDArray::shapeOnly(info)), true);
}

[[noreturn]] void failWithoutValues(DeclarableOp& op, Context& context, const sd::array_without_memory& error) {
  const auto& inputs = context.fastpath_in();
  for (size_t i = 0; i < inputs.size(); i++)
    if (inputs[i]->dataBuffer().get() == error.buffer())
      sd::fail("[{}] the output's shape depends on the values of input {}{}, which only has a shape here",
               *op.getOpName(), i, sd::ops::quotedInputName(op, static_cast<int>(i)));
  throw error;
}

/// Returns nullptr when the inputs have wrong types.
OpaqueShapeList* shapesOf(const char* function, DeclarableOp& op, Context& context) {
  if (op.validateDataTypes(context) != Status::OK) {
    checked(function, op, Status::VALIDATION);
    return nullptr;
  }
  sd::ShapeList inputs;
  for (const sd::NDArray* array : context.fastpath_in()) inputs.push_back(array->shapeInfo());
  try {
    return sd::ops::requireShapes(*op.getOpName(), op.calculateOutputShape(&inputs, context)).release();
  } catch (const sd::array_without_memory& error) {
    failWithoutValues(op, context, error);
  } catch (...) {
    sd::ops::rethrowNamed(*op.getOpName(), context);
  }
}

}  // namespace

// ---- lists

const char* getAllCustomOps() {
  return guarded(__func__, [] { return OpRegistrator::getInstance().getAllCustomOperations(); });
}

const char* describeOperation(const char* name) {
  return guarded(__func__, [&]() -> const char* {
    static thread_local std::string text;
    required("name", name);
    DeclarableOp* op = OpRegistrator::getInstance().getOperation(name);
    if (op == nullptr) sd::fail("argument 'name': there is no operation '{}'", sd::npy::printable(name, 60));
    text = sd::ops::describeAsJson(*op);
    return text.c_str();
  });
}

LongType opHash(const char* name) {
  return guarded(__func__, [&]() -> LongType {
    required("name", name);
    DeclarableOp* op = OpRegistrator::getInstance().getOperation(name);
    if (op == nullptr) sd::fail("argument 'name': there is no operation '{}'", sd::npy::printable(name, 60));
    return op->getOpHash();
  });
}

int shapeInfoDataType(const LongType* shapeInfo) {
  return guardedOr(-1, __func__, [&] {
    required("shapeInfo", shapeInfo);
    shape::validate(shapeInfo, "shapeInfoDataType");
    return static_cast<int>(sd::ArrayOptions::dataType(shapeInfo));
  });
}

int loadOpLibrary(const char* path) {
  return guardedOr(1, __func__, [&] {
    required("path", path);
    sd::ops::loadOpLibrary(path);
    return 0;
  });
}

// ---- contexts

OpaqueContext* createGraphContext(int nodeId) {
  return guarded(__func__, [&] { return static_cast<Context*>(new LendingContext(nodeId)); });
}

void deleteGraphContext(OpaqueContext* ptr) { delete ptr; }

OpaqueRandomGenerator* getGraphContextRandomGenerator(OpaqueContext* ptr) {
  return guarded(__func__, [&] { return &required("ptr", ptr).randomGenerator(); });
}

void markGraphContextInplace(OpaqueContext* ptr, bool reallyInplace) {
  guarded(__func__, [&] { required("ptr", ptr).markInplace(reallyInplace); });
}

void setGraphContextCudaContext(OpaqueContext*, void*, void*, void*) {}

void setGraphContextInputArray(OpaqueContext* ptr, int index, void* buffer, void* shapeInfo, void* specialBuffer,
                               void* specialShapeInfo) {
  guarded(__func__,
          [&] { required("ptr", ptr).setInputArray(index, buffer, shapeInfo, specialBuffer, specialShapeInfo); });
}

void setGraphContextOutputArray(OpaqueContext* ptr, int index, void* buffer, void* shapeInfo, void* specialBuffer,
                                void* specialShapeInfo) {
  guarded(__func__,
          [&] { required("ptr", ptr).setOutputArray(index, buffer, shapeInfo, specialBuffer, specialShapeInfo); });
}

void setGraphContextInputBuffer(OpaqueContext* ptr, int index, OpaqueDataBuffer* buffer, void* shapeInfo,
                                void* specialShapeInfo) {
  const char* function = __func__;
  guarded(function, [&] {
    Context& context = required("ptr", ptr);
    requireFits(function, buffer, shapeInfo);
    if (auto* lending = dynamic_cast<LendingContext*>(&context))
      lending->lendInput(index, buffer, shapeInfo);
    else
      context.setInputArray(index, buffer, shapeInfo, specialShapeInfo);
  });
}

void setGraphContextOutputBuffer(OpaqueContext* ptr, int index, OpaqueDataBuffer* buffer, void* shapeInfo,
                                 void* specialShapeInfo) {
  const char* function = __func__;
  guarded(function, [&] {
    Context& context = required("ptr", ptr);
    requireFits(function, buffer, shapeInfo);
    if (auto* lending = dynamic_cast<LendingContext*>(&context))
      lending->lendOutput(index, buffer, shapeInfo);
    else
      context.setOutputArray(index, buffer, shapeInfo, specialShapeInfo);
  });
}

void setGraphContextTArguments(OpaqueContext* ptr, double* arguments, int numberOfArguments) {
  guarded(__func__, [&] { required("ptr", ptr).setTArguments(arguments, numberOfArguments); });
}

void setGraphContextIArguments(OpaqueContext* ptr, LongType* arguments, int numberOfArguments) {
  guarded(__func__, [&] { required("ptr", ptr).setIArguments(arguments, numberOfArguments); });
}

void setGraphContextBArguments(OpaqueContext* ptr, bool* arguments, int numberOfArguments) {
  guarded(__func__, [&] { required("ptr", ptr).setBArguments(arguments, numberOfArguments); });
}

void setGraphContextDArguments(OpaqueContext* ptr, int* arguments, int numberOfArguments) {
  guarded(__func__, [&] {
    Context& context = required("ptr", ptr);
    const std::vector<sd::DataType> values = types(arguments, numberOfArguments);
    context.setDArguments(values.data(), numberOfArguments);
  });
}

namespace {

using Form = sd::ops::ArgumentValue::Form;

template <typename T>
void setNamed(const char* function, OpaqueContext* ptr, const char* name, Form form, const T* values, int count) {
  guarded(function, [&] {
    Context& context = required("ptr", ptr);
    required("name", name);
    if (count < 0) sd::fail("argument 'count': {} is negative", count);
    if (count > 0) required("values", values);
    sd::ops::ArgumentValue value;
    value.form = form;
    if constexpr (std::is_same_v<T, double>)
      value.numbers.assign(values, values + count);
    else
      value.integers.assign(values, values + count);
    context.setArgument(name, std::move(value));
  });
}

}  // namespace

void setGraphContextArgumentIntegers(OpaqueContext* ptr, const char* name, const LongType* values, int count) {
  setNamed(__func__, ptr, name, Form::Integers, values, count);
}

void setGraphContextArgumentNumbers(OpaqueContext* ptr, const char* name, const double* values, int count) {
  setNamed(__func__, ptr, name, Form::Numbers, values, count);
}

void setGraphContextArgumentFlags(OpaqueContext* ptr, const char* name, const bool* values, int count) {
  setNamed(__func__, ptr, name, Form::Flags, values, count);
}

void setGraphContextArgumentTypes(OpaqueContext* ptr, const char* name, const int* values, int count) {
  setNamed(__func__, ptr, name, Form::Types, values, count);
}

void setGraphContextArgumentChoice(OpaqueContext* ptr, const char* name, const char* choice) {
  guarded(__func__, [&] {
    Context& context = required("ptr", ptr);
    required("name", name);
    required("choice", choice);
    context.setArgument(name, sd::ops::choiceArgument(choice));
  });
}

void clearGraphContextArguments(OpaqueContext* ptr) {
  guarded(__func__, [&] { required("ptr", ptr).callByName(); });
}

void ctxAllowHelpers(OpaqueContext* ptr, bool reallyAllow) {
  guarded(__func__, [&] { required("ptr", ptr).allowHelpers(reallyAllow); });
}

void ctxSetExecutionMode(OpaqueContext* ptr, int execMode) {
  guarded(__func__, [&] {
    const int mode = execMode == samediff::MODE_TRAINING || execMode == samediff::MODE_INFERENCE ? execMode : 0;
    required("ptr", ptr).setExecutionMode(static_cast<samediff::ExecutionMode>(mode));
  });
}

void ctxShapeFunctionOverride(OpaqueContext* ptr, bool reallyOverride) {
  guarded(__func__, [&] { required("ptr", ptr).setShapeFunctionOverride(reallyOverride); });
}

void ctxPurge(OpaqueContext* ptr) {
  guarded(__func__, [&] { required("ptr", ptr).clearArrays(); });
}

// ---- calls

Status execCustomOp2(Pointer*, LongType hash, Pointer opContext) {
  const char* function = __func__;
  DeclarableOp* op = operation(function, hash);
  if (op == nullptr) return Status::BAD_ARGUMENTS;
  const sd::ops::RunningOp running(*op->getOpName());
  return guardedOr(Status::VALIDATION, function, [&] {
    Context& context = required("opContext", static_cast<Context*>(opContext));
    const LendingContext::Use call(context, LendingContext::Use::CALL);
    return checked(function, *op, op->execute(&context));
  });
}

Status execCustomOp(Pointer*, LongType hash, Pointer* inputBuffers, Pointer* inputShapes, int numInputs,
                    Pointer* outputBuffers, Pointer* outputShapes, int numOutputs, double* tArgs, int numTArgs,
                    LongType* iArgs, int numIArgs, bool* bArgs, int numBArgs, bool isInplace) {
  const char* function = __func__;
  DeclarableOp* op = operation(function, hash);
  if (op == nullptr) return Status::BAD_ARGUMENTS;
  const sd::ops::RunningOp running(*op->getOpName());
  return guardedOr(Status::BAD_INPUT, function, [&] {
    Context context(1);
    setInputs(context, inputBuffers, inputShapes, numInputs);
    context.markInplace(isInplace);
    if (!isInplace) {
      checkedList("outputBuffers", outputBuffers, numOutputs);
      checkedList("outputShapes", outputShapes, numOutputs);
      for (int i = 0; i < numOutputs; i++)
        context.setOutputArray(i, outputBuffers[i], outputShapes[i], nullptr, nullptr);
    }
    context.setTArguments(tArgs, numTArgs);
    context.setIArguments(iArgs, numIArgs);
    context.setBArguments(bArgs, numBArgs);
    return checked(function, *op, op->execute(&context));
  });
}

// ---- shapes

OpaqueShapeList* calculateOutputShapes2(Pointer*, LongType hash, Pointer* inputBuffers, Pointer* inputShapes,
                                        int numInputShapes, double* tArgs, int numTArgs, LongType* iArgs, int numIArgs,
                                        bool* bArgs, int numBArgs, int* dArgs, int numDArgs) {
  const char* function = __func__;
  DeclarableOp* op = operation(function, hash);
  if (op == nullptr) return nullptr;
  const sd::ops::RunningOp running(*op->getOpName());
  return guarded(function, [&]() -> OpaqueShapeList* {
    Context context(1);
    checkedList("inputBuffers", inputBuffers, numInputShapes);
    checkedList("inputShapes", inputShapes, numInputShapes);
    for (int i = 0; i < numInputShapes; i++) {
      if (inputBuffers[i] == nullptr)
        setInputShape(context, i, inputShape(inputShapes, i, function));
      else
        context.setInputArray(i, inputBuffers[i], inputShapes[i], nullptr, nullptr);
    }
    context.setTArguments(tArgs, numTArgs);
    context.setIArguments(iArgs, numIArgs);
    context.setBArguments(bArgs, numBArgs);
    context.setDArguments(types(dArgs, numDArgs));
    return shapesOf(function, *op, context);
  });
}

OpaqueShapeList* calculateOutputShapes(Pointer*, LongType hash, Pointer* inputShapes, int numInputShapes, double* tArgs,
                                       int numTArgs, LongType* iArgs, int numIArgs) {
  const char* function = __func__;
  DeclarableOp* op = operation(function, hash);
  if (op == nullptr) return nullptr;
  const sd::ops::RunningOp running(*op->getOpName());
  return guarded(function, [&] {
    Context context(1);
    checkedList("inputShapes", inputShapes, numInputShapes);
    for (int i = 0; i < numInputShapes; i++) setInputShape(context, i, inputShape(inputShapes, i, function));
    context.setTArguments(tArgs, numTArgs);
    context.setIArguments(iArgs, numIArgs);
    return shapesOf(function, *op, context);
  });
}

LongType getShapeListSize(OpaqueShapeList* list) {
  return guarded(__func__, [&]() -> LongType { return required("list", list).size(); });
}

LongType const* getShape(OpaqueShapeList* list, LongType i) {
  return guarded(__func__, [&] {
    const OpaqueShapeList& shapes = required("list", list);
    if (i < 0 || i >= shapes.size()) sd::fail("argument 'i': {} is outside 0..{}", i, shapes.size() - 1);
    return shapes.at(static_cast<int>(i));
  });
}

void deleteShapeList(Pointer shapeList) {
  if (shapeList == nullptr) return;
  auto* list = static_cast<OpaqueShapeList*>(shapeList);
  guarded(__func__, [&] { list->destroy(); });
  delete list;
}
