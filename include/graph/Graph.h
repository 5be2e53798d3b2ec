// A graph: nodes, the variables between them, and which of them are results.
#ifndef NDFORGE_GRAPH_GRAPH_H
#define NDFORGE_GRAPH_GRAPH_H

#include <graph/ExecutorConfiguration.h>
#include <graph/FlowPath.h>
#include <graph/Node.h>
#include <graph/Scope.h>
#include <graph/Stash.h>
#include <graph/VariableSpace.h>
#include <graph/generated/config_generated.h>
#include <graph/generated/graph_generated.h>
#include <ops/declarable/OpDescriptor.h>
#include <symbol/Symbol.h>

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sd::graph {

class GraphInterpreter;

/// A graph owns its nodes, and its variables unless forgetVariableSpace() was called. Nodes are put into layers: a node
/// that reads variables alone is in layer 0, another one in the layer after the last of the nodes that it reads. Layers
/// run in order, and the nodes of one layer in the order in which they were added.
///
/// Several threads must not use one graph at once when one of them changes or executes it. For executions side by side,
/// use a Session, or cloneWithProxy().
class SD_LIB_EXPORT Graph {
 public:
  /// The graph of a file, or an empty one. Takes ownership of the variables, which are filled from the file.
  /// @throws sd::unresolved_input_exception, sd::graph_exception and std::runtime_error for files that contradict
  /// themselves
  explicit Graph(const FlatGraph* flatGraph = nullptr, VariableSpace* variableSpace = nullptr);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // ---- nodes

  /// Takes ownership. A node whose inputs are there is put into its layer at once, others wait for buildGraph(). From
  /// then on there is a variable with the node's number and name, which has no array until the node runs. A logic Scope
  /// node opens a scope with its number; a node in a scope is added to that scope alone, and has a variable when it
  /// runs.
  /// @throws std::invalid_argument, and the node is not taken, for nullptr, for a number that another node has, and for
  /// an unknown scope
  void addNode(Node* node);
  /// Puts all nodes into layers. @throws sd::unresolved_input_exception for inputs that are neither nodes nor
  /// variables, sd::graph_exception for cycles; the messages name the nodes
  Status buildGraph();
  /// Whether every node is in a layer.
  bool built() const { return _waiting.empty(); }
  void toposortNodes() { buildGraph(); }
  /// OK when the graph can be built and every node has an operation.
  Status validate();

  /// The number of nodes in layers; nodes in scopes are not counted. Puts nodes into layers as far as it is possible.
  int totalNodes();
  /// The number of nodes in layer 0. Puts nodes into layers as far as it is possible.
  int rootNodes();
  bool hasNode(int id) const { return find(id) != nullptr; }
  /// @throws std::out_of_range when there is no such node
  Node* nodeById(int id) const;
  /// By number: nodes in layers.
  std::unordered_map<int, Node*>* getMapped() { return &_mapped; }
  /// By layer.
  std::unordered_map<int, std::vector<Node*>*>* getOnion() { return &_onion; }
  /// The layers, from the first to the last.
  const std::deque<std::vector<Node*>>& layers() const { return _layers; }
  /// In the order of addition, with those in scopes.
  std::vector<Node*>* getAllNodes() { return &_all; }
  const std::vector<Node*>& allNodes() const { return _all; }
  /// The numbers of the nodes in layers, in the order of addition.
  std::vector<int>* nodes() { return &_ids; }

  std::vector<Scope*>* scopes() { return &_scopes; }
  bool hasScope(int id) const { return _mappedScopes.count(id) != 0; }
  /// @throws std::runtime_error when there is no such scope
  Scope* scopeById(int id) const;

  // ---- variables

  VariableSpace* getVariableSpace() const { return _variables; }
  /// The variables belong to the caller from then on.
  void forgetVariableSpace() { _ownsVariables = false; }
  int numberOfPlaceholders() const { return _variables->numberOfPlaceholders(); }
  std::vector<Variable*>& getPlaceholders() const { return _variables->getPlaceholders(); }
  /// Takes ownership of both and deletes the former ones; nullptr leaves what there is.
  void replaceState(VariableSpace* variables, ExecutorConfiguration* configuration);
  /// Adds copies of the nodes, scopes and named results of `other`. @throws std::invalid_argument, and nothing is
  /// added, for numbers that are taken here
  void pullState(Graph* other);

  // ---- symbols: symbol/Symbol.h

  /// An array that each run is given. -1 stands for sizes that may differ; sessions refuse arrays of other types and
  /// shapes. @throws std::invalid_argument when the name is taken
  nd::Symbol placeholder(const nd::Label& name, DataType type, const std::vector<LongType>& shape);
  /// The number of dimensions is not known; INHERIT stands for any type.
  nd::Symbol placeholder(const nd::Label& name, DataType type = INHERIT);
  /// An array that the graph holds and that may change between runs, such as weights.
  nd::Symbol variable(const nd::Label& name, const NDArray& initial);
  nd::Symbol variable(const nd::Label& name, NDArray&& initial);
  /// An array that never changes.
  nd::Symbol constant(const NDArray& value, const nd::Label& name = "");
  /// A variable, or a node in no scope, by its name or number: "w", "logits", "7:1".
  /// @throws std::invalid_argument when there is none
  nd::Symbol symbol(const std::string& name);
  /// The array of a variable or constant, to read and to change.
  NDArray& array(const nd::Symbol& variable) const;
  /// For calls by the names of operations: graph.symbols().callAll("range", {}, ops::NumberRange{…}).
  nd::SymbolScope& symbols();

  // ---- results

  /// Output mode and other settings.
  ExecutorConfiguration* getExecutorConfiguration() const { return _configuration.get(); }
  /// Numbers of the results that were named; output modes with "explicit" in their names return them.
  std::vector<int>* output() {
    _outputIsGiven = true;
    return &_output;
  }
  const std::vector<int>& outputs() const { return _output; }
  void addOutput(int id);
  /// Numbers of the nodes that nobody reads, in the order of addition.
  std::vector<int>* autos();
  /// The numbers whose values the output mode returns.
  std::vector<int> resultIds() const;
  /// The variables (id, 0), (id, 1), … of the results, without arrays when they were not computed. The caller deletes
  /// the vector alone. @throws std::runtime_error when a result has no variable
  std::vector<Variable*>* fetchOutputs() const;

  // ---- files: docs/graph_files.md

  /// Writes nodes, scopes, variables, results and settings. Values that nodes computed are not written, their names
  /// are. @throws std::runtime_error for embedded graphs, for external variables that hold lists, and for more than
  /// 2 GiB
  flatbuffers::Offset<FlatGraph> asFlatGraph(flatbuffers::FlatBufferBuilder& builder) const;
  /// Writes a .fb file, completely or not at all. @throws std::runtime_error as asFlatGraph(), and when the file cannot
  /// be written
  void save(const std::string& file) const;
  /// The graph of a .fb file, which is checked before it is read: no file makes this crash, hang, or take memory that
  /// is out of proportion to its size. @throws std::runtime_error, sd::graph_exception and
  /// sd::unresolved_input_exception, which name the file
  static std::unique_ptr<Graph> load(const std::string& file);
  /// As above, from memory, which is not needed afterwards. `origin` is what messages call it.
  static std::unique_ptr<Graph> load(const void* bytes, size_t size, const std::string& origin = "");
  /// Replaces the arrays of variables by those of a .npz file, which are named after the variables or have their
  /// numbers as names. Variables that the file does not name stay. Sessions that have already compiled constants keep
  /// the former ones. @throws std::runtime_error, and nothing is replaced, for names that no variable has, and when a
  /// type or shape is not that of the variable
  void loadWeights(const std::string& file);
  /// Writes the arrays of all variables from outside the graph but placeholders into a .npz file.
  void saveWeights(const std::string& file) const;

  // ---- the whole

  /// A deep copy, variables included, which the caller deletes.
  Graph* clone() const;
  /// A copy of the nodes whose variables are on top of this graph's (VariableProxy): executing it changes nothing here.
  /// This graph must outlive the copy.
  Graph* cloneWithProxy() const;
  std::vector<ops::OpDescriptor> getOperations() const;
  /// Lets operations that may work in place do so where the input has no other reader.
  void tagInplaceNodes();
  /// Bytes of the results of all nodes that do not work in place, as far as they can be inferred.
  LongType estimateRequiredMemory();
  /// Equal for graphs with equal nodes and arguments.
  LongType hashCode() const;
  void printOut() const;
  /// One line for each layer, node and variable.
  std::string text() const;

  /// The number of the graph in a file or a holder; -1 for others.
  LongType id() const { return _id; }
  void setId(LongType id) { _id = id; }
  /// Where the graph comes from, for messages: a file name, or empty.
  const std::string& origin() const { return _origin; }
  void setOrigin(const std::string& origin) { _origin = origin; }
  /// Changes whenever a node is added.
  size_t version() const { return _version; }

 private:
  friend class GraphExecutioner;
  friend class GraphState;

  LongType _id = -1;
  std::string _origin;
  VariableSpace* _variables;
  bool _ownsVariables = true;
  std::unique_ptr<ExecutorConfiguration> _configuration;
  std::vector<std::unique_ptr<Node>> _owned;
  std::vector<Node*> _all, _waiting;
  std::vector<int> _ids, _output, _autos;
  std::unordered_set<int> _outputSet;  // what addOutput() has added
  bool _outputIsGiven = false;         // others may have changed _output
  /// The NextIteration nodes of a frame: how many have no layer yet, and the last layer of the others.
  struct LoopEnds {
    size_t missing = 0;
    int layer = -1;
  };
  std::unordered_map<LongType, LoopEnds> _loopEnds;  // by frame
  std::unordered_map<int, Node*> _mapped, _known;    // in layers; all but those in scopes
  std::unordered_map<int, std::vector<Node*>*> _onion;
  std::deque<std::vector<Node*>> _layers;  // whose addresses _onion has
  std::vector<Scope*> _scopes;
  std::unordered_map<int, std::unique_ptr<Scope>> _mappedScopes;
  std::unique_ptr<GraphInterpreter> _interpreter;
  std::unique_ptr<nd::SymbolScope> _symbols;
  size_t _version = 0;

  Node* find(int id) const;
  bool tryLayer(Node& node);
  /// Returns the NextIteration nodes with which loops start again.
  std::unordered_set<const Node*> findFrames();
  void place(Node& node, int layer);
  void placeWaiting();
  [[noreturn]] void reportUnplaced();
  void copyNodes(const Graph& other);
  void addCopies(const Graph& other);
  /// Removes all nodes and scopes.
  void clearNodes();
};

}  // namespace sd::graph

#endif
