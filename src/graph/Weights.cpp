// The arrays of variables in .npz files.
#include <array/NDArrayFile.h>
#include <graph/Graph.h>
#include <helpers/ShapeUtils.h>

#include <charconv>
#include <map>

#include "system/Error.h"

namespace sd::graph {
namespace {

/// The variable of this name or number; nullptr when there is none.
Variable* variableNamed(VariableSpace& space, const std::string& name) {
  if (space.hasVariable(&name)) return space.getVariable(&name);
  int id = 0;
  const char* end = name.data() + name.size();
  const auto [at, error] = std::from_chars(name.data(), end, id);
  if (error != std::errc() || at != end || !space.hasVariable(id)) return nullptr;
  return space.getVariable(id);
}

std::string describe(const Variable& variable) {
  return fmt::format("variable {}{}", variable.id(),
                     variable.getName()->empty() ? "" : " '" + *variable.getName() + "'");
}

/// Why the variable cannot have this array; empty when it can.
std::string misfit(const Variable& variable, const NDArray& array) {
  if (variable.hasNDArrayList()) return "it holds a list of arrays";
  if (variable.dataType() != INHERIT && variable.dataType() != array.dataType())
    return fmt::format("its type is {}, that of the array is {}", DataTypeUtils::asString(variable.dataType()),
                       DataTypeUtils::asString(array.dataType()));
  const std::vector<LongType> given = array.getShapeAsVector();
  // A placeholder without dimensions may be one of which no shape is known.
  const bool known = variable.hasNDArray() || !variable.shape().empty();
  const std::vector<LongType> wanted =
      variable.hasNDArray() ? variable.getNDArray()->getShapeAsVector() : variable.shape();
  bool same = !known || wanted.size() == given.size();
  for (size_t d = 0; same && known && d < wanted.size(); d++) same = wanted[d] == given[d] || wanted[d] == -1;
  if (!same) return fmt::format("its shape is {}, that of the array is {}", wanted, given);
  return "";
}

void replaceArray(Variable& variable, std::unique_ptr<NDArray> array) {
  const VariableType type = variable.variableType();
  if (variable.hasNDArray() && variable.isRemovable() && !variable.isReadOnly()) delete variable.getNDArray();
  variable.setNDArray(array.release());
  if (type == CONSTANT) variable.setVariableType(type);
  variable.markRemovable(true);
  variable.markReadOnly(false);
}

}  // namespace

void Graph::loadWeights(const std::string& file) {
  std::map<std::string, NDArray> arrays = loadNpz(file);
  std::map<Variable*, std::unique_ptr<NDArray>> found;
  for (auto& [name, array] : arrays) {
    Variable* variable = variableNamed(*_variables, name);
    const bool computed = variable != nullptr && variable->id() >= 0 && hasNode(variable->id());
    if (variable == nullptr || computed) fail("[Graph::loadWeights] {}: there is no variable '{}'", file, name);
    const std::string why = misfit(*variable, array);
    if (!why.empty()) fail("[Graph::loadWeights] {}: array '{}' for {}: {}", file, name, describe(*variable), why);
    if (!found.emplace(variable, std::make_unique<NDArray>(std::move(array))).second)
      fail("[Graph::loadWeights] {}: {} has two arrays, by its name and by its number", file, describe(*variable));
  }
  for (auto& [variable, array] : found) replaceArray(*variable, std::move(array));
}

void Graph::saveWeights(const std::string& file) const {
  std::map<std::string, NDArray> arrays;
  for (const Variable* variable : _variables->getVariables()) {
    const bool computed = variable->id() >= 0 && hasNode(variable->id());
    if (computed || variable->isPlaceholder() || !variable->hasNDArray()) continue;
    const std::string name = variable->getName()->empty() ? std::to_string(variable->id()) : *variable->getName();
    if (variableNamed(*_variables, name) != variable) {
      if (_variables->getVariable(variable->id(), variable->index()) != variable) continue;  // hidden in a proxy
      fail("[Graph::saveWeights] {}: {}: another variable has the name '{}'", file, describe(*variable), name);
    }
    arrays.emplace(name, *variable->getNDArray());
  }
  saveNpz(arrays, file);
}

}  // namespace sd::graph
