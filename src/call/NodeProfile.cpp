#include <array/ArrayOptions.h>
#include <array/DataTypeUtils.h>
#include <graph/profiling/NodeProfile.h>
#include <helpers/shape.h>

#include "system/Error.h"

namespace sd::graph {

void NodeProfile::addCall(LongType preparation, LongType execution, LongType total) {
  _calls++;
  _preparationTime += preparation;
  _executionTime += execution;
  _totalTime += total;
}

NodeProfile::Shape NodeProfile::shapeOf(LongType const* shapeInfo) {
  if (shapeInfo == nullptr) fail("[NodeProfile] argument 'shapeInfo' is null");
  shape::validate(shapeInfo, "NodeProfile");
  const LongType* dimensions = shape::shapeOf(shapeInfo);
  return {ArrayOptions::dataType(shapeInfo), {dimensions, dimensions + shape::rank(shapeInfo)}};
}

void NodeProfile::addInputShape(LongType const* shapeInfo) { _details.edit().inputs.push_back(shapeOf(shapeInfo)); }
void NodeProfile::addOutputShape(LongType const* shapeInfo) { _details.edit().outputs.push_back(shapeOf(shapeInfo)); }

void NodeProfile::clearShapes() {
  if (_details.isInitial()) return;
  _details.edit().inputs.clear();
  _details.edit().outputs.clear();
}

std::vector<std::string> NodeProfile::textsOf(const std::vector<Shape>& shapes) {
  std::vector<std::string> texts;
  for (const Shape& shape : shapes)
    texts.push_back(fmt::format("{} [{}]", DataTypeUtils::describe(shape.type), fmt::join(shape.dimensions, ", ")));
  return texts;
}

std::vector<std::string> NodeProfile::inputShapes() const { return textsOf(_details.get().inputs); }
std::vector<std::string> NodeProfile::outputShapes() const { return textsOf(_details.get().outputs); }

void NodeProfile::merge(const NodeProfile* other) {
  if (other == nullptr) return;
  _calls += other->_calls;
  _merges += other->_merges;
  _buildTime += other->_buildTime;
  _preparationTime += other->_preparationTime;
  _executionTime += other->_executionTime;
  _totalTime += other->_totalTime;
  _shapeTime += other->_shapeTime;
  _arrayTime += other->_arrayTime;
  _inputTime += other->_inputTime;
  _activations += other->_activations;
  _temporary += other->_temporary;
  _objects += other->_objects;
  _total += other->_total;
  const Details& theirs = other->_details.get();
  if (!theirs.inputs.empty()) _details.edit().inputs = theirs.inputs;
  if (!theirs.outputs.empty()) _details.edit().outputs = theirs.outputs;
}

void NodeProfile::assign(const NodeProfile* other) {
  if (other != nullptr) *this = *other;
}

std::string NodeProfile::text() const {
  std::string text = fmt::format("node {}{}{}\n", _id, _name.empty() ? "" : " '" + _name + "'",
                                 operation().empty() ? "" : " (" + operation() + ")");
  const auto add = [&](const char* what, LongType value, const char* unit) {
    if (value != 0) text += fmt::format("  {:<16}{:>14}{}\n", what, value / _merges, unit);
  };
  add("calls", _calls, "");
  add("total", _totalTime, " ns");
  add("execution", _executionTime, " ns");
  add("preparation", _preparationTime, " ns");
  add("shape function", _shapeTime, " ns");
  add("arrays", _arrayTime, " ns");
  add("inputs", _inputTime, " ns");
  add("build", _buildTime, " ns");
  add("results", _activations, " bytes");
  add("temporary", _temporary, " bytes");
  add("objects", _objects, " bytes");
  add("in all", _total, " bytes");
  if (!_details.get().inputs.empty())
    text += fmt::format("  {:<16}{}\n", "input shapes", fmt::join(inputShapes(), ", "));
  if (!_details.get().outputs.empty())
    text += fmt::format("  {:<16}{}\n", "output shapes", fmt::join(outputShapes(), ", "));
  return text;
}

void NodeProfile::printOut() const { fmt::print("{}", text()); }

}  // namespace sd::graph
