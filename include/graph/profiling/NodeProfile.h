// Times and memory of one node of a graph.
#ifndef NDFORGE_GRAPH_PROFILING_NODEPROFILE_H
#define NDFORGE_GRAPH_PROFILING_NODEPROFILE_H

#include <array/DataType.h>
#include <system/common.h>
#include <types/boxed.h>

#include <string>
#include <vector>

namespace sd::graph {

/// Times are in nanoseconds and are sums over all calls of the node in an execution; sizes are in bytes and are those
/// of the last call. Merging adds those of another execution. Not thread-safe.
class SD_LIB_EXPORT NodeProfile {
 public:
  NodeProfile() = default;
  explicit NodeProfile(int id, const char* name = nullptr) : _id(id), _name(name == nullptr ? "" : name) {}

  int id() const { return _id; }
  std::string& name() { return _name; }
  const std::string& name() const { return _name; }
  /// The name of the operation; empty when unknown.
  const std::string& operation() const { return _details.get().operation; }
  void setOperation(const std::string& operation) { _details.edit().operation = operation; }
  /// How often the node ran; 0 when only the setters were used.
  LongType calls() const { return _calls; }
  /// How many profiles of executions are in this one.
  LongType merges() const { return _merges; }

  // ---- times

  void setBuildTime(LongType time) { _buildTime = time; }
  /// Inputs, arguments and given outputs are collected.
  void setPreparationTime(LongType time) { _preparationTime = time; }
  /// The operation runs; its shape function included.
  void setExecutionTime(LongType time) { _executionTime = time; }
  void setTotalTime(LongType time) { _totalTime = time; }
  void setShapeFunctionTime(LongType time) { _shapeTime = time; }
  void setArrayTime(LongType time) { _arrayTime = time; }
  void setInputTime(LongType time) { _inputTime = time; }
  LongType getBuildTime() const { return _buildTime; }
  LongType getPreparationTime() const { return _preparationTime; }
  LongType getExecutionTime() const { return _executionTime; }
  LongType getTotalTime() const { return _totalTime; }
  LongType getShapeFunctionTime() const { return _shapeTime; }
  LongType getArrayTime() const { return _arrayTime; }
  LongType getInputTime() const { return _inputTime; }
  /// One more call, whose times are added.
  void addCall(LongType preparation, LongType execution, LongType total);

  // ---- memory

  /// The results.
  void setActivationsSize(LongType bytes) { _activations = bytes; }
  void setTemporarySize(LongType bytes) { _temporary = bytes; }
  void setObjectsSize(LongType bytes) { _objects = bytes; }
  void setTotalSize(LongType bytes) { _total = bytes; }
  LongType getActivationsSize() const { return _activations; }
  LongType getTemporarySize() const { return _temporary; }
  LongType getObjectsSize() const { return _objects; }
  LongType getTotalSize() const { return _total; }

  // ---- shapes

  /// @throws std::runtime_error for a null or broken shapeInfo
  void addInputShape(LongType const* shapeInfo);
  void addOutputShape(LongType const* shapeInfo);
  void clearShapes();
  /// "FLOAT32 [2, 3]"
  std::vector<std::string> inputShapes() const;
  std::vector<std::string> outputShapes() const;

  // ---- the whole

  /// Adds calls, times and sizes; takes the shapes of `other` if it has any. nullptr adds nothing.
  void merge(const NodeProfile* other);
  /// Becomes a copy of `other`. nullptr changes nothing.
  void assign(const NodeProfile* other);
  void printOut() const;
  /// Several lines; averages when profiles were merged.
  std::string text() const;

 private:
  struct Shape {
    DataType type;
    std::vector<LongType> dimensions;
  };

  struct Details {
    std::string operation;
    std::vector<Shape> inputs, outputs;
  };

  static Shape shapeOf(LongType const* shapeInfo);
  static std::vector<std::string> textsOf(const std::vector<Shape>& shapes);

  int _id = 0;
  std::string _name;
  LongType _calls = 0, _merges = 1;
  LongType _buildTime = 0, _preparationTime = 0, _executionTime = 0, _totalTime = 0, _shapeTime = 0, _arrayTime = 0,
           _inputTime = 0;
  LongType _activations = 0, _temporary = 0, _objects = 0, _total = 0;
  detail::Boxed<Details> _details;
};

}  // namespace sd::graph

#endif
