// The ways to call an operation: each of them fills a context.
#include <ops/declarable/DeclarableOp.h>

#include <type_traits>

#include "ops/declarable/Failures.h"
#include "ops/declarable/OpOutputs.h"
#include "ops/declarable/ReusedContext.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

using Arrays = std::vector<NDArray*>;

void setArguments(graph::Context& block, const std::vector<double>& tArgs, const std::vector<LongType>& iArgs,
                  const std::vector<bool>& bArgs, const std::vector<DataType>& dArgs) {
  block.setTArguments(tArgs);
  block.setIArguments(iArgs);
  block.setBArguments(bArgs);
  block.setDArguments(dArgs);
}

/// A list of arguments of one kind.
template <typename T>
void setArguments(graph::Context& block, std::initializer_list<T> args) {
  for (const T& value : args) {
    if constexpr (std::is_same_v<T, bool>)
      block.appendB(value);
    else if constexpr (std::is_same_v<T, DataType>)
      block.appendD(value);
    else if constexpr (std::is_floating_point_v<T>)
      block.appendT(value);
    else
      block.appendI(static_cast<LongType>(value));
  }
}

void setInputs(graph::Context& block, const Arrays& inputs) { block.fastpath_in() = inputs; }

/// Null inputs are skipped, and the inputs after them move up.
void setGivenInputs(graph::Context& block, const Arrays& inputs) {
  auto& given = block.fastpath_in();
  given.reserve(inputs.size());
  for (NDArray* input : inputs)
    if (input != nullptr) given.push_back(input);
}

bool hasPushedOutputs(graph::Context& block, size_t results) {
  for (int k = 0; k <= static_cast<int>(results); k++)
    if (block.pushedOutput(k) != nullptr) return true;
  return false;
}

/// Results that the operation has put into variables stand in place of the others, or after them. Results outlive the
/// scope of a workspace.
[[gnu::noinline]] void replaceResults(graph::Context& block, ResultSet& results) {
  std::vector<std::unique_ptr<NDArray>> made(results.begin(), results.end());
  results.setNonRemovable();
  results = ResultSet();
  for (int k = 0; k < static_cast<int>(made.size()) || block.pushedOutput(k) != nullptr; k++) {
    if (k == static_cast<int>(made.size())) made.emplace_back();
    auto& array = made[static_cast<size_t>(k)];
    if (block.pushedOutput(k) != nullptr) array = block.takePushedOutput(k);
    if (array->isAttached()) array.reset(array->detach());
  }
  for (auto& array : made) results.pushOwned(std::move(array));
}

}  // namespace

Status DeclarableOp::execute(const Arrays& inputs, const Arrays& outputs) {
  return execute(inputs, outputs, std::vector<double>(), std::vector<LongType>());
}

Status DeclarableOp::execute(const Arrays& inputs, const Arrays& outputs, const std::vector<double>& tArgs,
                             const std::vector<LongType>& iArgs, const std::vector<bool>& bArgs,
                             const std::vector<DataType>& dArgs, bool isInplace) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setInputs(block, inputs);
  block.fastpath_out() = outputs;
  block.markInplace(isInplace);
  block.setTakesPushedOutputs(isInplace);
  setArguments(block, tArgs, iArgs, bArgs, dArgs);
  return execute(&block);
}

template <typename T>
Status DeclarableOp::execute(const Arrays& inputs, const Arrays& outputs, std::initializer_list<T> args) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setInputs(block, inputs);
  block.fastpath_out() = outputs;
  setArguments(block, args);
  return execute(&block);
}

Status DeclarableOp::execute(graph::RandomGenerator& rng, const Arrays& inputs, const Arrays& outputs,
                             const std::vector<double>& tArgs, const std::vector<LongType>& iArgs,
                             const std::vector<bool>& bArgs, const std::vector<DataType>& dArgs, bool isInplace,
                             DataType type) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setGivenInputs(block, inputs);
  block.fastpath_out() = outputs;
  block.markInplace(isInplace);
  block.setTakesPushedOutputs(isInplace);
  block.setRng(rng);
  block.setDataType(0, type);
  setArguments(block, tArgs, iArgs, bArgs, dArgs);
  return execute(&block);
}

ResultSet DeclarableOp::evaluate(graph::Context& block) {
  ResultSet results;
  RunningOp running(_descriptor->name());
  if (validate(block) != Status::OK) {
    results.setFailure(Status::VALIDATION, lastValidationMessage());
    return results;
  }
  auto& outputs = block.fastpath_out();
  if (block.isInplace()) {
    outputs = block.fastpath_in();
    results.setNonRemovable();
  } else {
    try {
      const auto make = [&](const ShapeList& shapes) {
        for (int i = 0; i < shapes.size(); i++) {
          results.pushOwned(newOutput(*_descriptor, static_cast<size_t>(i), shapes.at(i)));
          outputs.push_back(results[static_cast<size_t>(i)]);
        }
      };
      if (const ShapeList* shapes = block.repeatedShapes())
        make(*shapes);
      else
        make(*Shapes(outputShapes(block).release()).operator->());
    } catch (...) {
      rethrowNamed(_descriptor->name(), block);
    }
  }
  block.setShapeFunctionOverride(true);
  block.setTakesPushedOutputs(true);
  const Status status = execute(&block);
  if (status != Status::OK) {
    results.purge();
    results.setFailure(status, failureMessage(status));
    return results;
  }
  if (block.isInplace()) {
    // The inputs of the caller, whatever the operation has put into their variables.
    for (size_t k = 0; k < block.fastpath_in().size(); k++) results.push_back(outputs[k]);
    return results;
  }
  if (hasPushedOutputs(block, static_cast<size_t>(results.size())) ||
      std::any_of(results.begin(), results.end(), [](const NDArray* array) { return array->isAttached(); }))
    replaceResults(block, results);
  return results;
}

ResultSet DeclarableOp::evaluate(const Arrays& inputs) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setGivenInputs(block, inputs);
  return evaluate(block);
}

ResultSet DeclarableOp::evaluate(const Arrays& inputs, const std::vector<double>& tArgs,
                                 const std::vector<LongType>& iArgs, const std::vector<bool>& bArgs,
                                 const std::vector<DataType>& dArgs, bool isInplace) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setGivenInputs(block, inputs);
  block.markInplace(isInplace);
  setArguments(block, tArgs, iArgs, bArgs, dArgs);
  return evaluate(block);
}

template <typename T>
ResultSet DeclarableOp::evaluate(const Arrays& inputs, std::initializer_list<T> args) {
  const ReusedContext reused(key());
  graph::Context& block = *reused;
  setGivenInputs(block, inputs);
  setArguments(block, args);
  return evaluate(block);
}

ResultSet DeclarableOp::execute(const OpArgsHolder& holder, bool isInplace) {
  return evaluate(holder.getInArrs(), holder.getTArgs(), holder.getIArgs(), holder.getBArgs(), {}, isInplace);
}

#define SD_DEFINE_ARGUMENT_LIST(T)                                                                                \
  template SD_LIB_EXPORT Status DeclarableOp::execute<T>(const Arrays&, const Arrays&, std::initializer_list<T>); \
  template SD_LIB_EXPORT ResultSet DeclarableOp::evaluate<T>(const Arrays&, std::initializer_list<T>);
SD_DEFINE_ARGUMENT_LIST(double)
SD_DEFINE_ARGUMENT_LIST(float)
SD_DEFINE_ARGUMENT_LIST(int)
SD_DEFINE_ARGUMENT_LIST(LongType)
SD_DEFINE_ARGUMENT_LIST(bool)
SD_DEFINE_ARGUMENT_LIST(DataType)
#undef SD_DEFINE_ARGUMENT_LIST

}  // namespace sd::ops
