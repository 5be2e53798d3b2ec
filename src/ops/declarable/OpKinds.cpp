// The kinds of operations besides DeclarableOp: reductions, broadcasts, boolean, list and logic operations.
#include <helpers/ShapeUtils.h>
#include <helpers/shape.h>
#include <ops/declarable/BooleanOp.h>
#include <ops/declarable/BroadcastableBoolOp.h>
#include <ops/declarable/BroadcastableOp.h>
#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/DeclarableListOp.h>
#include <ops/declarable/DeclarableReductionOp.h>
#include <ops/declarable/LogicOp.h>
#include <system/Environment.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "ops/declarable/CallScope.h"
#include "ops/declarable/Common.h"
#include "ops/declarable/Failures.h"
#include "ops/declarable/OpOutputs.h"
#include "shape/broadcasting.h"
#include "system/Error.h"

namespace sd::ops {

DeclarableCustomOp::DeclarableCustomOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs,
                                       int iArgs)
    : DeclarableOp(numInputs, numOutputs, name, allowsInplace, tArgs, iArgs) {}

// ---- reductions

DeclarableReductionOp::DeclarableReductionOp(int numInputs, int numOutputs, const char* name, bool allowsInplace,
                                             int tArgs, int iArgs)
    : DeclarableOp(numInputs, numOutputs, name, allowsInplace, tArgs, iArgs) {
  getOpDescriptor()->setKind("reduction");
}

std::vector<int> DeclarableReductionOp::dimensions(graph::Context& block) {
  if (const NDArray* axes = block.optionalArray(1)) return intsOf(*axes, 1);
  return block.numI() > 0 ? *block.getIArguments() : *block.getAxis();
}

ShapeList* DeclarableReductionOp::calculateOutputShape(ShapeList* inputShapes, graph::Context& block) {
  if (schema().inference() != nullptr) return inferredShapes(inputShapes, block);
  const LongType* x = inputShapes->at(0);
  std::vector<int> dims = dimensions(block);
  const bool all = dims.empty() || std::find(dims.begin(), dims.end(), SD_MAX_DIMENSION) != dims.end();
  const DataType type = block.hasDataType() ? block.dataType() : ArrayOptions::dataType(x);
  if (all) return new ShapeList(ConstantShapeHelper::getInstance().scalarShapeInfo(type));
  return new ShapeList(ShapeUtils::evalReduceShapeInfo('c', dims, x, type, false, false));
}

// ---- broadcasts

BroadcastableOp::BroadcastableOp(const char* name, int tArgs, int iArgs)
    : DeclarableOp(2, 1, name, true, tArgs, iArgs) {
  getOpDescriptor()->setKind("broadcastable");
}

const LongType* BroadcastableOp::broadcastShape(const LongType* x, const LongType* y, DataType type) {
  auto& shapes = ConstantShapeHelper::getInstance();
  if ((shape::isEmpty(x) && shape::rank(x) == 0) || (shape::isEmpty(y) && shape::rank(y) == 0))
    return shapes.emptyShapeInfo(type);
  // A single element with rank up to 2 takes the shape of the other operand, whatever it is.
  const bool oneX = shape::isScalar(x) != 0, oneY = shape::isScalar(y) != 0;
  if (oneX && oneY) return shapes.createShapeInfo(type, shape::rank(x) >= shape::rank(y) ? x : y);
  if (oneY || shape::shapeEquals(x, y)) return shapes.createShapeInfo(type, x);
  if (oneX) return shapes.createShapeInfo(type, y);
  LongType dims[SD_MAX_RANK];
  if (!broadcasting::commonShape(broadcasting::sizesOf(x), broadcasting::sizesOf(y), dims)) {
    const std::string* op = RunningOp::current();
    invalidArgument("[{}] shapes {} and {} do not broadcast", op == nullptr ? "broadcast" : *op,
                    ShapeUtils::shapeAsString(x), ShapeUtils::shapeAsString(y));
  }
  const int rank = std::max(shape::rank(x), shape::rank(y));
  const char order = shape::order(shape::rank(x) >= shape::rank(y) ? x : y);
  return shapes.createShapeInfo(type, order, rank, dims);
}

DataType BroadcastableOp::resultType(const LongType* x, const LongType* y, graph::Context& block) {
  const TypeSet& outputs = describedDescriptor()->outputTypes(0);
  const bool onlyBool = outputs.contains(BOOL) && !outputs.any() && outputs.types().size() == 1;
  if (onlyBool || (block.hasDataType() && block.dataType() == BOOL)) return BOOL;
  const DataType typeX = ArrayOptions::dataType(x), typeY = ArrayOptions::dataType(y);
  if (!Environment::operationsPromoteTypes()) return typeX;
  return shape::length(x) >= shape::length(y) ? DataTypeUtils::pickPairwiseResultType(typeX, typeY)
                                              : DataTypeUtils::pickPairwiseResultType(typeY, typeX);
}

ShapeList* BroadcastableOp::calculateOutputShape(ShapeList* inputShapes, graph::Context& block) {
  const LongType *x = inputShapes->at(0), *y = inputShapes->at(1);
  const bool askedType = block.hasDataType() || Environment::operationsPromoteTypes();
  // Operands of different types are refused by the body, with an exception of another class.
  if (!askedType && ArrayOptions::dataType(x) == ArrayOptions::dataType(y) && schema().inference() != nullptr)
    return inferredShapes(inputShapes, block);
  return new ShapeList(broadcastShape(x, y, resultType(x, y, block)));
}

BroadcastableBoolOp::BroadcastableBoolOp(const char* name, int tArgs, int iArgs)
    : BroadcastableOp(name, tArgs, iArgs) {}

DataType BroadcastableBoolOp::resultType(const LongType*, const LongType*, graph::Context&) { return BOOL; }

// ---- yes or no

BooleanOp::BooleanOp(const char* name, int numInputs, bool scalar) : DeclarableOp(name, numInputs, scalar) {
  getOpDescriptor()->setKind("boolean");
  getOpDescriptor()->allowInplace(true);
}

ShapeList* BooleanOp::calculateOutputShape(ShapeList*, graph::Context&) {
  return new ShapeList(ConstantShapeHelper::getInstance().scalarShapeInfo(BOOL));
}

bool BooleanOp::verify(const std::vector<NDArray*>& args) {
  graph::Context block(1);
  block.fastpath_in() = args;
  return verify(block);
}

bool BooleanOp::verify(graph::Context& block) {
  RunningOp running(getOpDescriptor()->name());
  const CallScope scope(block, this);
  if (validate(block) != Status::OK) throw std::runtime_error(lastValidationMessage());
  const Status status = runBody(block);
  if (status != Status::EQ_TRUE && status != Status::EQ_FALSE)
    fail<std::runtime_error>("[{}] the operation returned status {}, which is neither true nor false",
                             getOpDescriptor()->name(), static_cast<int>(status));
  return status == Status::EQ_TRUE;
}

Status BooleanOp::execute(graph::Context* block) {
  if (block == nullptr) invalidArgument("[{}] the context is null", getOpDescriptor()->name());
  RunningOp running(getOpDescriptor()->name());
  const CallScope scope(*block, this);
  if (validate(*block) != Status::OK) return Status::VALIDATION;
  Status status;
  try {
    status = runBody(*block);
  } catch (...) {
    rethrowNamed(getOpDescriptor()->name(), *block);
  }
  if (status != Status::EQ_TRUE && status != Status::EQ_FALSE) return Status::KERNEL_FAILURE;
  const bool answer = status == Status::EQ_TRUE;
  const bool direct = block->isFastPath() || block->givenVariableSpace() == nullptr;
  if (!direct && !block->isValueAvailable())
    block->pushNDArrayToVariableSpace(block->nodeId(), 0, new NDArray(BOOL), true);
  if (direct && block->optionalOutput(0) == nullptr) block->keepMadeOutput(0, std::make_unique<NDArray>(BOOL));
  NDArray* z = getZ(*block);
  if (z->lengthOf() != 1)
    fail<std::runtime_error>("[{}] output 0: its shape is {}, but the result is a scalar", getOpDescriptor()->name(),
                             ShapeUtils::shapeAsString(z));
  z->p(0, answer);
  return Status::OK;
}

// ---- graph control

LogicOp::LogicOp(const char* name) : DeclarableOp(name, true) { getOpDescriptor()->setKind("logic"); }

ShapeList* LogicOp::calculateOutputShape(ShapeList*, graph::Context&) { return new ShapeList(); }

Status LogicOp::execute(graph::Context* block) {
  if (block == nullptr) invalidArgument("[{}] the context is null", getOpDescriptor()->name());
  return validateAndExecute(*block);
}

Status LogicOp::validateAndExecute(graph::Context&) { return Status::BAD_INPUT; }

// ---- lists

DeclarableListOp::DeclarableListOp(int numInputs, int numOutputs, const char* name, int tArgs, int iArgs)
    : DeclarableOp(numInputs, numOutputs, name, false, tArgs, iArgs) {
  getOpDescriptor()->setKind("list");
}

ShapeList* DeclarableListOp::calculateOutputShape(ShapeList*, graph::Context& block) {
  return new ShapeList(ConstantShapeHelper::getInstance().createShapeInfo(block.dataType(), 'c', {1, 1}));
}

Status DeclarableListOp::execute(graph::Context* block) {
  if (block == nullptr) invalidArgument("[{}] the context is null", getOpDescriptor()->name());
  RunningOp running(getOpDescriptor()->name());
  const CallScope scope(*block, this);
  try {
    if (validate(*block) != Status::OK) return Status::VALIDATION;
    const Status status = validateAndExecute(*block);
    if (status == Status::OK && !block->takesPushedOutputs()) storePushedOutputs(*getOpDescriptor(), *block);
    return status;
  } catch (...) {
    rethrowNamed(getOpDescriptor()->name(), *block);
  }
}

ResultSet DeclarableListOp::execute(NDArrayList* list, std::initializer_list<NDArray*> inputs,
                                    std::initializer_list<double> tArgs, std::initializer_list<int> iArgs) {
  std::vector<NDArray*> arrays(inputs);
  std::vector<double> floats(tArgs);
  std::vector<int> integers(iArgs);
  return execute(list, arrays, floats, integers);
}

ResultSet DeclarableListOp::execute(NDArrayList* list, std::vector<NDArray*>& inputs, std::vector<double>& tArgs,
                                    std::vector<int>& iArgs) {
  graph::VariableSpace variables;
  std::vector<int> ids;
  const auto put = [&](graph::Variable* variable) {
    const int id = -1 - static_cast<int>(ids.size());
    variable->markRemovable(false);
    variables.putVariable(id, variable);
    ids.push_back(id);
  };
  if (list != nullptr) {
    auto* variable = new graph::Variable(nullptr, nullptr, -1, 0);
    variable->setNDArrayList(list);
    put(variable);
  }
  for (NDArray* input : inputs) put(new graph::Variable(input, nullptr, -1 - static_cast<int>(ids.size()), 0));

  graph::Context block(1, &variables, false);
  block.fillInputs(ids);
  *block.getIArguments() = iArgs;
  *block.getTArguments() = tArgs;
  ResultSet results;
  const Status status = execute(&block);
  if (status != Status::OK) {
    results.setFailure(status, failureMessage(status));
    return results;
  }
  for (int i = 0; variables.hasVariable(1, i); i++) {
    graph::Variable* variable = variables.getVariable(1, i);
    if (!variable->hasNDArray()) continue;
    NDArray* array = variable->getNDArray();
    // An array that the variable owns is handed to the caller; an array of someone else is copied.
    if (variable->isRemovable()) {
      variable->markRemovable(false);
      results.pushOwned(std::unique_ptr<NDArray>(array));
    } else {
      results.pushOwned(std::make_unique<NDArray>(*array));
    }
  }
  return results;
}

void DeclarableListOp::setupResultList(NDArrayList* list, graph::Context& block, int index) {
  std::unique_ptr<NDArrayList> own(list);
  block.trackList(list);  // fails in contexts without variables
  own.release();
  block.pushNDArrayListToVariableSpace(block.nodeId(), index, list);
}

void DeclarableListOp::setupResult(NDArray* array, graph::Context& block) {
  std::unique_ptr<NDArray> own(array);
  block.pushNDArrayToVariableSpace(block.nodeId(), 0, array);
  own.release();
}

}  // namespace sd::ops
