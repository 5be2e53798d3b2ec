// What plans ask the contracts of classes of operations: which inputs outputs overwrite and show, and what stays.
#include <graph/ContractOperation.h>

#include <algorithm>

#include "graph/PlanCompiler.h"
#include "graph/StepGraph.h"
#include "graph/ValueViews.h"

namespace sd::graph {

/// nullptr for other operations, and while arguments are not known.
std::unique_ptr<Operation> Plan::Compiler::contractOf(const Step& step) const {
  auto* entry = dynamic_cast<OperationEntry*>(step.op);
  return entry == nullptr ? nullptr
                          : entry->contractOf(*step.block, static_cast<int>(_graph.node(step.node).inputs.size()));
}

bool Plan::Compiler::givesViews(const Step& step) const {
  const auto contract = contractOf(step);
  return contract != nullptr && !contract->viewMap().empty();
}

/// The inputs in whose memory results of calls may lie stay to the end, since what reads the results runs later.
void Plan::Compiler::keepViewed(std::vector<char>& needed) const {
  for (const Step& step : _segment.steps) {
    if (step.kind != Step::Kind::Call || dynamic_cast<const OperationEntry*>(step.op) == nullptr) continue;
    const auto& inputs = _graph.node(step.node).inputs;
    const auto keep = [&](size_t input) {
      if (input < inputs.size() && inputs[input] >= 0) needed[static_cast<size_t>(inputs[input])] = 1;
    };
    if (const auto contract = contractOf(step)) {
      for (const auto& [output, viewed] : contract->viewMap())
        for (const int input : viewed) keep(static_cast<size_t>(input));
    } else {
      for (size_t i = 0; i < inputs.size(); i++) keep(i);
    }
  }
}

/// Lets outputs lie over the inputs that they destroy. Such a step comes after everything else that reads the memory.
/// Where that cannot be, because a reader waits for the step or destroys the same memory, it works on a copy.
void Plan::Compiler::orderDestroyers(Steps& steps) const {
  if (!_plan._settings.inPlace) return;
  std::vector<Steps::InPlace> destroyers;
  for (size_t s = 0; s < _segment.steps.size(); s++) {
    const Step& step = _segment.steps[s];
    if (step.kind != Step::Kind::Prepared) continue;
    const auto contract = contractOf(step);
    if (contract == nullptr) continue;
    const OpenNode& node = _graph.node(step.node);
    for (const auto& [output, inputs] : contract->destroyMap()) {
      if (inputs.empty()) continue;
      const auto k = static_cast<size_t>(output), i = static_cast<size_t>(inputs.front());
      if (k >= node.outputs.size() || i >= node.inputs.size() || node.inputs[i] < 0) continue;
      const LongType* info = shapeOf(node.inputs[i]);
      if (info == shapeOf(node.outputs[k]) && isDense(info))
        destroyers.push_back({static_cast<int>(s), output, inputs.front()});
    }
  }
  if (destroyers.empty()) return;

  const StepGraph graph(steps);
  std::vector<std::vector<int>> later(static_cast<size_t>(graph.steps()));  // by the controls that are added here
  const auto findAfter = [&](int first) {
    std::vector<char> isAfter(static_cast<size_t>(graph.steps()), 0);
    std::vector<int> waiting{first};
    const auto reach = [&](int step) {
      if (isAfter[static_cast<size_t>(step)] != 0) return;
      isAfter[static_cast<size_t>(step)] = 1;
      waiting.push_back(step);
    };
    while (!waiting.empty()) {
      const int step = waiting.back();
      waiting.pop_back();
      for (const int next : graph.successors(step)) reach(next);
      for (const int next : later[static_cast<size_t>(step)]) reach(next);
    }
    return isAfter;
  };
  for (const Steps::InPlace& each : destroyers) {
    const int output = steps.writes(each.step)[static_cast<size_t>(each.output)];
    const int storage = steps.buffer(steps.reads(each.step)[static_cast<size_t>(each.input)]).storage;
    if (steps.buffer(output).flags != 0u || !graph.inArena(storage) || graph.isKept(storage)) continue;
    const std::vector<char> isAfter = findAfter(each.step);
    const auto readers = graph.readers(storage);
    if (std::any_of(readers.begin(), readers.end(),
                    [&isAfter](int reader) { return isAfter[static_cast<size_t>(reader)] != 0; }))
      continue;
    for (const int reader : readers) {
      if (reader == each.step) continue;
      steps.addControl(reader, each.step);
      later[static_cast<size_t>(reader)].push_back(each.step);
    }
    steps.allowInPlace(each.step, each.output, each.input);
  }
}

}  // namespace sd::graph
