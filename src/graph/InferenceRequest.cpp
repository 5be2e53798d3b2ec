#include <graph/InferenceRequest.h>
#include <graph/generated/request_generated.h>

#include "system/Error.h"

namespace sd::graph {

InferenceRequest::InferenceRequest(LongType graphId, ExecutorConfiguration* configuration)
    : _id(graphId), _configuration(configuration) {}

InferenceRequest::~InferenceRequest() = default;

void InferenceRequest::appendVariable(int id, NDArray* array) { appendVariable(id, 0, array); }

void InferenceRequest::appendVariable(int id, int index, NDArray* array) {
  appendVariable(std::string(), id, index, array);
}

void InferenceRequest::appendVariable(const std::string& name, NDArray* array) { appendVariable(name, 0, 0, array); }

void InferenceRequest::appendVariable(const std::string& name, int id, int index, NDArray* array) {
  if (array == nullptr) fail("[InferenceRequest] the array of variable ({}, {}) '{}' is null", id, index, name);
  auto variable = std::make_unique<Variable>(array, name.c_str(), id, index);
  variable->markRemovable(false);
  variable->markReadOnly(true);
  _own.push_back(std::move(variable));
  _variables.push_back(_own.back().get());
}

void InferenceRequest::appendVariable(Variable* variable) {
  if (variable == nullptr) fail("[InferenceRequest] a variable is null");
  _variables.push_back(variable);
}

flatbuffers::Offset<FlatInferenceRequest> InferenceRequest::asFlatInferenceRequest(
    flatbuffers::FlatBufferBuilder& builder) const {
  std::vector<flatbuffers::Offset<FlatVariable>> written;
  for (const Variable* variable : _variables) written.push_back(variable->asFlatVariable(builder));
  const auto variables = builder.CreateVector(written);
  flatbuffers::Offset<FlatConfiguration> configuration;
  if (_configuration != nullptr) configuration = _configuration->asFlatConfiguration(builder);
  return CreateFlatInferenceRequest(builder, _id, variables, configuration);
}

}  // namespace sd::graph
