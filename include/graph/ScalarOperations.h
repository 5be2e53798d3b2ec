// Contracts made of operations on single numbers: on every element, along axes, and several in one pass over memory.
#ifndef NDFORGE_GRAPH_SCALAROPERATIONS_H
#define NDFORGE_GRAPH_SCALAROPERATIONS_H

#include <graph/Operation.h>

#include <optional>
#include <string>
#include <vector>

namespace sd::graph {

/// An operation on every element: "tanh", "multiply", or a numbered one, "transform.Tanh".
class SD_LIB_EXPORT Elemwise final : public Operation {
 public:
  /// `inPlace`: the result may lie in the memory of the first input. Nodes are marked so for GraphExecutioner; the
  /// plans of sessions decide themselves.
  /// @throws std::invalid_argument for operations that are not element-wise
  explicit Elemwise(const std::string& operation, bool inPlace = false, const ops::CallArguments& arguments = {});

  bool equals(const Operation& other) const override;
  size_t hash() const override;
  NodeDescription makeNode(const Operands& inputs) const override;
  InputsOfOutputs destroyMap() const override;

 private:
  bool _inPlace;
};

/// A reduction along axes, all when there are none: "reduce_sum", or a numbered one, "reduce.Sum".
class SD_LIB_EXPORT Reduce final : public Operation {
 public:
  /// @throws std::invalid_argument for operations that do not reduce along axes
  explicit Reduce(const std::string& operation, const std::vector<int>& axes = {}, bool keepDims = false);

 private:
  struct Call;
  explicit Reduce(const Call& call);
};

/// A step of a Composite: a numbered operation, "pairwise.Multiply" or "transform.Tanh", and the values that it reads.
struct ScalarStep {
  std::string operation;
  std::vector<int> operands;
  std::vector<double> parameters{};
};

/// The reduction of the last step of a Composite, "reduce.Sum".
struct ScalarReduction {
  std::string operation;
  std::vector<int> axes{};
  bool keepDims = false;
};

/// Steps in one pass over memory, by the operation `composite`. Values are numbered: first the inputs, then the steps.
/// The result is that of the last step, or its reduction. Inputs broadcast.
class SD_LIB_EXPORT Composite final : public Operation {
 public:
  /// @throws std::invalid_argument for unknown operations, and for steps that read what is not there
  Composite(int inputs, const std::vector<ScalarStep>& steps,
            const std::optional<ScalarReduction>& reduction = std::nullopt);
};

}  // namespace sd::graph

#endif
