// Values for the placeholders of a stored graph.
#ifndef NDFORGE_GRAPH_INFERENCEREQUEST_H
#define NDFORGE_GRAPH_INFERENCEREQUEST_H

#include <graph/ExecutorConfiguration.h>
#include <graph/Variable.h>
#include <graph/generated/forward.h>
#include <system/common.h>

#if !defined(SD_BUILDING_LIBRARY) && __has_include(<flatbuffers/flatbuffers.h>)
#include <graph/generated/request_generated.h>
#endif

#include <memory>
#include <string>
#include <vector>

namespace sd::graph {

/// Owns neither arrays nor variables nor the configuration: they must live until the request is written.
class SD_LIB_EXPORT InferenceRequest {
 public:
  InferenceRequest(LongType graphId, ExecutorConfiguration* configuration = nullptr);
  InferenceRequest(const InferenceRequest&) = delete;
  InferenceRequest& operator=(const InferenceRequest&) = delete;
  ~InferenceRequest();

  /// The array for the variable with this number and index, or with this name. @throws std::runtime_error for nullptr
  void appendVariable(int id, NDArray* array);
  void appendVariable(int id, int index, NDArray* array);
  void appendVariable(const std::string& name, NDArray* array);
  void appendVariable(const std::string& name, int id, int index, NDArray* array);
  void appendVariable(Variable* variable);

  flatbuffers::Offset<FlatInferenceRequest> asFlatInferenceRequest(flatbuffers::FlatBufferBuilder& builder) const;

 private:
  LongType _id;
  ExecutorConfiguration* _configuration;
  std::vector<Variable*> _variables;
  std::vector<std::unique_ptr<Variable>> _own;  // those made for arrays
};

}  // namespace sd::graph

#endif
