// One node of a graph: an operation, where its inputs come from, and its arguments.
#ifndef NDFORGE_GRAPH_NODE_H
#define NDFORGE_GRAPH_NODE_H

#include <graph/Context.h>
#include <graph/ContextPrototype.h>
#include <graph/Variable.h>
#include <graph/generated/node_generated.h>
#include <graph/generated/utils_generated.h>
#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpDescriptor.h>
#include <system/op_enums.h>

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

class Graph;

/// Inputs are (number, index) pairs: a number below 0 is a variable, another one is a node, of which the index selects
/// an output. A number alone means index 0. The list of outputs names the nodes that read this one; a negative number
/// in it is a variable to which output 0 is copied. Nodes of which nobody is named there, or only node 0, are results.
///
/// A node is of one of these kinds:
///  - a numbered operation, by OpType and number: OpType_TRANSFORM_SAME, transform::Abs;
///  - a custom operation (OpType_CUSTOM), which is not owned, since the registry or the caller has it;
///  - control of the graph (OpType_LOGIC with the numbers of sd::logic);
///  - another graph (OpType_GRAPH, setGraph).
/// Several threads must not use one node at once when one of them changes it.
class SD_LIB_EXPORT Node {
 public:
  /// A numbered operation, a logic node or a graph. `dimensions` are the axes; `scalar` is the second operand of scalar
  /// operations that have one input; tArgs are extra parameters. @throws std::runtime_error for OpType_CUSTOM
  explicit Node(OpType opType = OpType_TRANSFORM_SAME, int opNum = 0, int id = 0, std::initializer_list<int> input = {},
                std::initializer_list<int> output = {}, std::initializer_list<int> dimensions = {}, float scalar = 0.f,
                std::initializer_list<double> tArgs = {}, std::initializer_list<int> iArgs = {});
  /// @throws std::invalid_argument when the operation is null
  explicit Node(ops::DeclarableOp* customOp, int id = 0, std::initializer_list<int> input = {},
                std::initializer_list<int> output = {}, std::initializer_list<int> dimensions = {}, float scalar = 0.f,
                std::initializer_list<double> tArgs = {}, std::initializer_list<int> iArgs = {});
  /// A node of a file. @throws std::runtime_error for an unknown operation and for fields that contradict each other
  explicit Node(const FlatNode* node);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// A copy that the caller deletes; an embedded graph is cloned too.
  Node* clone() const;
  template <typename N>
  Node* asT() const {
    return clone();
  }
  /// Whether numbers, operations and inputs are equal.
  bool equals(const Node* other) const;

  int id() const { return _id; }
  void setId(int id);
  std::string* getName() { return &_name; }
  const std::string* getName() const { return &_name; }
  std::string* name() { return &_name; }
  void setName(const std::string& name) { _name = name; }
  void setName(const std::string* name) { _name = name == nullptr ? std::string() : *name; }
  /// For messages: "node 3 'logits' (matmul)".
  std::string describe() const;
  /// "matmul", "While", "graph"
  std::string operationName() const;

  // ---- what it computes

  OpType opType() const { return _opType; }
  void setOpType(OpType type);
  /// The number of a numbered operation or logic node, the hash of a custom one.
  LongType opNum() const { return _opNum; }
  OpClass getOpClass() const { return _opClass; }
  bool hasCustomOp() const { return _op != nullptr; }
  /// The operation object, also of numbered operations; nullptr for logic nodes, graphs and unknown numbers.
  ops::DeclarableOp* getCustomOp() const { return _op; }
  /// The operation is not owned.
  void setCustomOp(ops::DeclarableOp* op = nullptr) { _op = op; }
  bool isLogic() const { return _opType == OpType_LOGIC; }
  bool isLogic(LongType number) const { return isLogic() && _opNum == number; }
  /// Whether only one of its outputs is active in an execution.
  bool isDivergencePoint() const;
  bool hasGraphEmbedded() const { return _graph != nullptr; }
  Graph* getGraph() const { return _graph; }
  /// Takes ownership; the former graph is deleted.
  /// The graph must live as long as the node.
  void setGraph(Graph* graph = nullptr);
  void setGraph(std::unique_ptr<Graph> graph);

  // ---- arguments

  ContextPrototype* getContextPrototype() const { return _prototype.get(); }
  /// The node owns the prototype.
  void setContextPrototype(ContextPrototype* prototype);
  bool hasBlockAttached() const { return _prototype != nullptr; }
  std::vector<int>* getDimensions() { return &_dimensions; }
  const std::vector<int>& dimensions() const { return _dimensions; }
  double* extraParams() { return _extraParams.data(); }
  double scalar() const { return _scalar.value_or(0.); }
  /// Nothing when there is no such operand.
  const std::optional<double>& scalarOperand() const { return _scalar; }
  void setScalar(double scalar);
  /// Arguments by name, which take precedence over the positional ones.
  const std::vector<std::pair<std::string, ops::ArgumentValue>>& namedArguments() const { return _named; }
  void setArgument(const std::string& name, ops::ArgumentValue value);
  /// Whether the results may be written over the first input.
  bool isInplace() const { return _inPlace; }
  void markInplace(bool inPlace);
  /// FLOAT32 unless another type was requested for the result.
  DataType dataType() const { return _prototype == nullptr ? FLOAT32 : _prototype->dataType(); }
  bool isDeductable() const { return _deductable; }
  void setDeductable(bool deductable) { _deductable = deductable; }

  // ---- connections

  std::vector<std::pair<int, int>>* input() { return &_input; }
  const std::vector<std::pair<int, int>>& inputs() const { return _input; }
  std::vector<std::pair<int, int>>* output() { return &_output; }
  const std::vector<std::pair<int, int>>& outputs() const { return _output; }
  void pickInput(int id) { pickInput(id, 0); }
  void pickInput(int id, int index);
  void pickInput(std::pair<int, int>& input) { pickInput(input.first, input.second); }
  /// Replaces the inputs.
  void setInputs(std::vector<std::pair<int, int>> inputs);
  void pickOutput(int id) { pickOutput(id, 0); }
  void pickOutput(int id, int index);
  void pickOutputOnce(int id);
  void pickExternalOutput(int id) { pickOutput(id, 0); }
  bool hasExternalInputs() const;
  bool hasExternalOutputs() const;
  bool hasInternalInputs() const;
  bool hasInternalOutputs() const;
  bool isMultiInput() const { return _input.size() > 1; }
  bool isMultiOutput() const { return _output.size() > 1; }
  void addReference() { _references++; }
  int totalReferences() const { return _references; }

  // ---- the place in the graph

  /// The number of nodes before it on the longest path.
  int getLayer() const { return _layer; }
  void setLayer(int layer) { _layer = layer; }
  void setScopeInfo(int id, const char* name = nullptr);
  void leaveScope() { _scoped = false; }
  bool isScoped() const { return _scoped; }
  int scopeId() const { return _scopeId; }
  std::string* scopeName() { return &_scopeName; }
  const std::string& scopeName() const { return _scopeName; }
  LongType getFrameId() const { return _frameId; }
  void setFrameId(LongType frame) { _frameId = frame; }
  /// Where a NextIteration sends the execution back to: layer and step, -1 before it is known.
  std::pair<int, int>& getRewindLayer() { return _rewindLayer; }
  const std::pair<int, int>& getRewindLayer() const { return _rewindLayer; }
  void setRewindLayer(int layer, int step = 0) { _rewindLayer = {layer, step}; }
  int getRewindNode() const { return _rewindNode; }
  void setRewindNode(int node) { _rewindNode = node; }
  bool isActive() const { return _active; }
  void setActive(bool active) { _active = active; }
  /// Nanoseconds of the last execution: in all, and inside the operation.
  void setOuterTime(LongType time) { _outerTime = time; }
  void setInnerTime(LongType time) { _innerTime = time; }
  LongType outerTime() const { return _outerTime; }
  LongType innerTime() const { return _innerTime; }

 private:
  OpType _opType;
  OpClass _opClass = OpClass_TRANSFORM;
  LongType _opNum;
  int _id;
  ops::DeclarableOp* _op = nullptr;
  Graph* _graph = nullptr;
  std::unique_ptr<Graph> _ownGraph;
  std::unique_ptr<ContextPrototype> _prototype;
  std::string _name, _scopeName;
  std::vector<std::pair<int, int>> _input, _output;
  std::vector<int> _dimensions;
  std::vector<double> _extraParams;
  std::vector<std::pair<std::string, ops::ArgumentValue>> _named;
  std::optional<double> _scalar;
  int _layer = -1, _scopeId = 0, _references = 0, _rewindNode = -1;
  std::pair<int, int> _rewindLayer{-1, -1};
  LongType _frameId = -1, _outerTime = 0, _innerTime = 0;
  bool _inPlace = false, _scoped = false, _active = true, _deductable = false;

  /// Everything that follows from type, number and operation.
  void setUp();
  void fill(std::initializer_list<int> input, std::initializer_list<int> output, std::initializer_list<int> dimensions,
            std::initializer_list<double> tArgs, std::initializer_list<int> iArgs);
};

/// The group of a numbered operation; nothing for other kinds of nodes.
SD_LIB_EXPORT std::optional<loops::OpGroup> groupOf(OpType type);
SD_LIB_EXPORT OpType opTypeOf(loops::OpGroup group);

}  // namespace sd::graph

#endif
