// The contract of an operation: what it promises to graphs and to their compiler. docs/contract.md explains it.
#ifndef NDFORGE_GRAPH_OPERATION_H
#define NDFORGE_GRAPH_OPERATION_H

#include <array/NDArray.h>
#include <ops/declarable/Arguments.h>
#include <ops/declarable/PartialShape.h>
#include <symbol/Symbol.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sd::ops {
class ArgumentBlock;
class DeclarableOp;
}  // namespace sd::ops

namespace sd::graph {

class Graph;

/// Arguments by name.
using NamedArguments = std::vector<std::pair<std::string, ops::ArgumentValue>>;

/// What an input of a node is: a symbol, a constant, a number that takes the type of a symbol, or nothing.
struct SD_LIB_EXPORT NodeInput {
  nd::Symbol symbol;
  std::shared_ptr<const NDArray> constant;
  std::optional<double> number;
  ops::PartialShape shape;

  /// The same symbol, or constants with the same type, shape and bits.
  bool operator==(const NodeInput& other) const;
};

/// A node that no graph has yet.
struct SD_LIB_EXPORT NodeDescription {
  std::string operation;
  NamedArguments arguments;  ///< all of them, with defaults
  std::vector<NodeInput> inputs;
  std::vector<ops::PartialShape> outputs;  ///< types and shapes as far as known; without hidden outputs
  bool inPlace = false;                    ///< marked to be written over its first input

  bool operator==(const NodeDescription& other) const;
};

/// Where perform() puts one output. It may hold an array already: the result of an earlier run, or memory that a plan
/// has set aside. Its elements have no meaning, and it need not be there in the next run, unless it is a hidden output.
class SD_LIB_EXPORT OutputStorage {
 public:
  OutputStorage() = default;
  explicit OutputStorage(NDArray& array) : _array(&array, [](NDArray*) {}) {}
  explicit OutputStorage(std::shared_ptr<NDArray> array) : _array(std::move(array)) {}

  /// nullptr when there is none.
  NDArray* array() const { return _array.get(); }
  const std::shared_ptr<NDArray>& shared() const { return _array; }
  /// The array that is there, if it has this type and this shape in c order, else a new one, with undefined elements.
  NDArray& require(DataType type, const std::vector<LongType>& shape);
  NDArray& requireLike(const NDArray& other);
  void set(NDArray&& array) { _array = std::make_shared<NDArray>(std::move(array)); }
  /// The output is the memory of this array; viewMap() says so.
  void setView(NDArray& array);

 private:
  std::shared_ptr<NDArray> _array;
};

/// An operation together with its parameters. A class may override each part; those of Operation do what the schema of
/// the registered operation says.
class SD_LIB_EXPORT Operation {
 public:
  using Operands = std::vector<nd::Operand>;
  using Symbols = std::vector<nd::Symbol>;
  using Storage = std::vector<OutputStorage>;
  /// The inputs that belong to an output.
  using InputsOfOutputs = std::map<int, std::vector<int>>;

  /// The contract of a registered operation with these arguments, or with its defaults: Operation::of("matmul",
  /// ops::Matmul{}). @throws std::invalid_argument for unknown operations and for arguments of another one
  static std::unique_ptr<Operation> of(const std::string& name, const ops::CallArguments& arguments = {});
  virtual ~Operation();
  Operation(const Operation&) = default;
  Operation& operator=(const Operation&) = delete;

  const std::string& name() const { return _name; }
  /// All parameters, with defaults.
  NamedArguments arguments() const;
  /// Whether both do the same with the same parameters. Equal operations have equal hashes.
  virtual bool equals(const Operation& other) const;
  virtual size_t hash() const;

  // ---- in graphs

  /// The node of a call: checks types, makes constants of arrays and numbers, infers the outputs as far as the inputs
  /// are known. It looks at types and shapes of the inputs and not at their owners; equal calls give equal nodes. A
  /// number has the type of the first input with a type, or DOUBLE when there is none.
  /// @throws std::invalid_argument when inputs do not fit
  virtual NodeDescription makeNode(const Operands& inputs) const;
  /// Makes the node and adds it to the graph of the symbols. All outputs but the hidden ones.
  /// @throws std::invalid_argument when none of the inputs is a symbol
  Symbols operator()(const Operands& inputs, nd::Place place = nd::Place()) const;
  /// The same in this graph, also without symbols.
  Symbols in(Graph& graph, const Operands& inputs, nd::Place place = nd::Place()) const;
  /// The default output of a call.
  nd::Symbol call(const Operands& inputs, nd::Place place = nd::Place()) const;
  /// The output that call() returns.
  virtual int defaultOutput() const { return 0; }

  /// Symbols of the gradients of the inputs, in their order, no symbol where there is none; empty when the operation is
  /// not differentiable. No symbol stands for the gradient of an output that nobody reads.
  virtual Symbols grad(const Symbols& inputs, const Symbols& outputs, const Symbols& outputGradients) const;

  // ---- on arrays

  /// Computes the outputs, hidden ones last. Absent inputs are null. Nothing is written to inputs but to those that
  /// destroyMap() names, whose memory the storage of the output has then.
  virtual void perform(const NodeDescription& node, const std::vector<NDArray*>& inputs, Storage& outputs) const;
  /// Makes the node for these arrays and performs it in new storage. Inputs keep their values: what is destroyed is a
  /// copy.
  std::vector<NDArray> evaluate(const std::vector<const NDArray*>& inputs) const;

  // ---- memory

  /// The inputs that an output overwrites: its result lies in their memory.
  virtual InputsOfOutputs destroyMap() const { return {}; }
  /// The inputs in whose memory an output may lie. Which one, perform() decides.
  virtual InputsOfOutputs viewMap() const { return {}; }
  /// How many outputs follow the visible ones in the storage of perform(). A plan keeps them from one run to the next
  /// and shares them with nobody.
  virtual int hiddenOutputs() const { return 0; }

 protected:
  /// With a copy of the arguments; the default ones when there are none.
  Operation(std::string name, const ops::CallArguments& arguments);
  /// Of a class that has its parameters itself, and overrides callArguments(). Nothing is looked up yet.
  explicit Operation(std::string name) : _name(std::move(name)) {}

  /// The struct of parameters.
  virtual ops::CallArguments callArguments() const;
  /// The registered operation. @throws std::invalid_argument when there is none
  ops::DeclarableOp& registered() const;

 private:
  std::string _name;
  std::shared_ptr<const ops::ArgumentBlock> _block;

  Symbols add(nd::SymbolScope& scope, const NodeDescription& node, nd::Place place) const;
};

inline bool operator==(const Operation& a, const Operation& b) { return a.equals(b); }
inline bool operator!=(const Operation& a, const Operation& b) { return !a.equals(b); }

}  // namespace sd::graph

#endif
