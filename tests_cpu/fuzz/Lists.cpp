// Calls of list operations in a variable space, as a graph makes them.
#include <array/NDArrayList.h>
#include <graph/Context.h>
#include <graph/VariableSpace.h>
#include <ops/declarable/DeclarableOp.h>

#include <memory>

#include "Run.h"

namespace fuzz {

Result runList(const Call& call, Memory& memory) {
  memory.reset();
  Result result;
  std::vector<Placed> inputs(call.inputs.size());
  for (size_t k = 0; k < inputs.size(); k++) {
    const LongType length = call.inputs[k].length();
    if (length < 0 || length > LongType{1} << 20 || !inputs[k].place(memory, call.inputs[k], 0xA5, call.atEnd))
      return result;
  }
  sd::NDArrayList list(0, call.flag);
  sd::graph::VariableSpace space;
  std::vector<std::unique_ptr<sd::NDArray>> arrays;
  std::vector<int> ids;
  sd::graph::Context block(1, &space, false);
  const auto put = [&](sd::graph::Variable* variable) {
    variable->markRemovable(false);
    ids.push_back(-1 - static_cast<int>(ids.size()));
    space.putVariable(ids.back(), variable);
  };
  const bool withList = call.mode != 1;
  try {
    // Entries of equal shape; some may be missing.
    if (!inputs.empty() && call.inputs[0].given)
      for (int k = 0; k < call.mode + 2; k++) {
        auto entry = std::make_unique<sd::NDArray>(inputs[0].data(), static_cast<const LongType*>(inputs[0].info()));
        list.write(call.helpers ? k : 2 * k, new sd::NDArray(entry->dup()));
      }
    if (withList) {
      auto* variable = new sd::graph::Variable(nullptr, nullptr, -1, 0);
      variable->setNDArrayList(&list);
      put(variable);
    }
    for (const Placed& input : inputs) {
      if (!input.array().given) continue;
      arrays.push_back(std::make_unique<sd::NDArray>(input.data(), static_cast<const LongType*>(input.info())));
      put(new sd::graph::Variable(arrays.back().get(), nullptr, -1 - static_cast<int>(ids.size()), 0));
    }
    block.fillInputs(ids);
    block.setIArguments(call.i);
    block.setTArguments(call.t);
  } catch (const std::exception&) {
    return result;  // it is not possible to create such arrays
  }
  try {
    sd::ops::DeclarableOp& op = *sd::ops::OpRegistrator::getInstance().find(call.op);
    const sd::Status status = op.execute(&block);
    result.outcome = status == sd::Status::OK ? Outcome::Ok : Outcome::Refused;
    if (status == sd::Status::VALIDATION) checkMessage(result, call.op, sd::ops::DeclarableOp::lastValidationMessage());
  } catch (const std::exception& error) {
    result.outcome = Outcome::Refused;
    checkMessage(result, call.op, error.what());
  }
  checkInputs(result, inputs);
  return result;
}

}  // namespace fuzz
