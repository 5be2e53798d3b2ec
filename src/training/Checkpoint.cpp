// Checkpoints of trainers: .npz files, and graphs.
#include <array/NDArrayFile.h>
#include <helpers/ShapeUtils.h>

#include <cstring>
#include <filesystem>

#include "system/Error.h"
#include "training/TrainerParts.h"

namespace sd::training {
namespace {

constexpr LongType VERSION = 1;

NDArray integers(const std::vector<LongType>& values) {
  NDArray array('c', {static_cast<LongType>(values.size())}, INT64);
  for (size_t k = 0; k < values.size(); k++) array.p<LongType>(static_cast<LongType>(k), values[k]);
  return array;
}

NDArray characters(const std::string& text) {
  NDArray array('c', {static_cast<LongType>(text.size())}, UINT8);
  std::memcpy(array.buffer(), text.data(), text.size());
  return array;
}

// The arrays of a checkpoint that are no variables.
constexpr const char *FORMAT = "training/format", *UPDATER = "training/updater", *PROGRESS = "training/progress";

std::string describe(const NDArray& array) {
  return fmt::format("shape {} of {}", ShapeUtils::shapeAsString(&array), DataTypeUtils::describe(array.dataType()));
}

}  // namespace

std::map<std::string, NDArray*> Trainer::Impl::arrays() const {
  std::map<std::string, NDArray*> all;
  for (const Parameter& parameter : parameters) {
    all.emplace("parameters/" + parameter.name, array(parameter.variable));
    for (const auto& [state, variable] : parameter.states)
      all.emplace("states/" + state + "/" + parameter.name, array(variable));
    if (parameter.accumulated) all.emplace("accumulated/" + parameter.name, array(parameter.accumulated));
  }
  return all;
}

void Trainer::save(const std::string& file) const {
  std::map<std::string, NDArray> arrays;
  for (const auto& [name, array] : _impl->arrays()) arrays.emplace(name, *array);
  arrays.emplace(FORMAT, integers({VERSION}));
  arrays.emplace(UPDATER, characters(_impl->updater.operation()));
  arrays.emplace(PROGRESS, integers({_impl->steps, _impl->updated, _impl->waiting, _impl->options.accumulate,
                                     static_cast<LongType>(_impl->seed)}));
  saveNpz(arrays, file);
}

void Trainer::saveGraph(const std::string& file) const {
  auto variables = std::make_unique<graph::VariableSpace>();
  for (const graph::Variable* variable : _impl->graph.getVariableSpace()->getVariables()) {
    const std::pair<int, int> name(variable->id(), variable->index());
    // Results of nodes are not part of a graph.
    if (_impl->given.count(name) == 0 || (name.first >= 0 && _impl->graph.hasNode(name.first))) continue;
    std::unique_ptr<graph::Variable> copy(const_cast<graph::Variable*>(variable)->clone());
    variables->putVariable(name, copy.get());
    copy.release();
  }
  graph::Graph copy(nullptr, variables.get());
  variables.release();
  copy.pullState(_impl->original.get());
  copy.setId(_impl->graph.id());
  *copy.getExecutorConfiguration() = *_impl->graph.getExecutorConfiguration();
  copy.save(file);
}

void Trainer::load(const std::string& file) {
  std::map<std::string, NDArray> given = loadNpz(file);
  const auto reject = [&file](const std::string& why) { fail("[Trainer::load] {}: {}", file, why); };
  const auto take = [&](const char* name, DataType type, LongType length) {
    const auto found = given.find(name);
    if (found == given.end()) reject(fmt::format("it is no checkpoint: array '{}' is missing", name));
    NDArray array = std::move(found->second);
    given.erase(found);
    if (array.dataType() != type || array.rankOf() != 1 || (length >= 0 && array.lengthOf() != length))
      reject(fmt::format("array '{}' has {}", name, describe(array)));
    return array;
  };
  const NDArray format = take(FORMAT, INT64, 1), updater = take(UPDATER, UINT8, -1),
                progress = take(PROGRESS, INT64, 5);
  if (format.e<LongType>(0) != VERSION)
    reject(fmt::format("its format is {}, this version reads {}", format.e<LongType>(0), VERSION));
  const std::string rule(static_cast<const char*>(updater.buffer()), static_cast<size_t>(updater.lengthOf()));
  if (rule != _impl->updater.operation())
    reject(fmt::format("it is of '{}', but the trainer uses '{}'", rule, _impl->updater.operation()));
  const LongType steps = progress.e<LongType>(0), updated = progress.e<LongType>(1), waiting = progress.e<LongType>(2),
                 accumulate = progress.e<LongType>(3);
  if (steps < 0 || updated < 0 || updated > steps || waiting < 0 || waiting >= accumulate)
    reject("its numbers of steps contradict each other");
  if (accumulate != _impl->options.accumulate && waiting != 0)
    reject(fmt::format("it was saved {} steps after an update of {}, but the trainer makes one in {} steps", waiting,
                       accumulate, _impl->options.accumulate));
  const std::map<std::string, NDArray*> wanted = _impl->arrays();
  for (const auto& [name, array] : wanted) {
    const auto found = given.find(name);
    if (found == given.end()) {
      // Sums of gradients begin anew.
      if (name.rfind("accumulated/", 0) == 0 && waiting == 0) continue;
      reject(fmt::format("array '{}' is missing", name));
    }
    if (!found->second.isSameShape(*array) || found->second.dataType() != array->dataType())
      reject(
          fmt::format("array '{}' has {}, but the trainer's has {}", name, describe(found->second), describe(*array)));
  }
  for (const auto& [name, array] : given)
    if (wanted.count(name) == 0 && !(name.rfind("accumulated/", 0) == 0 && waiting == 0))
      reject(fmt::format("array '{}' belongs to nothing in the trainer", name));
  // Nothing can fail from here on.
  for (const auto& [name, array] : wanted) {
    const auto found = given.find(name);
    if (found != given.end() && !array->isEmpty()) array->assign(found->second);
  }
  _impl->steps = steps;
  _impl->updated = updated;
  _impl->waiting = static_cast<int>(waiting);
  _impl->seed = static_cast<uint64_t>(progress.e<LongType>(4));
}

bool Trainer::resume(const std::string& file) {
  if (!std::filesystem::exists(file)) return false;
  load(file);
  return true;
}

}  // namespace sd::training
