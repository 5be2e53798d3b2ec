// Operations that are classes: SD_REGISTER_OPERATION makes one an entry of the registry.
#ifndef NDFORGE_GRAPH_CONTRACTOPERATION_H
#define NDFORGE_GRAPH_CONTRACTOPERATION_H

#include <graph/Operation.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/Registration.h>
#include <ops/declarable/Schema.h>

#include <memory>
#include <type_traits>

namespace sd::graph {

/// The entry of the registry for a class of operations: calls by name, from C, of files and of graphs arrive here, with
/// the arguments read. Without a graph, outputs are copies where viewMap() names inputs, inputs keep their values where
/// destroyMap() names them, and hidden outputs last for one call.
class SD_LIB_EXPORT OperationEntry : public ops::DeclarableOp {
 public:
  using DescribeFunction = void (*)(ops::Schema& schema);

  /// The operation with these arguments, or with the default ones.
  virtual std::unique_ptr<Operation> contract(const ops::CallArguments& arguments) const = 0;
  /// The operation with the arguments of `block`, a context of a call with so many inputs. nullptr when an argument
  /// depends on an input that is not known.
  std::unique_ptr<Operation> contractOf(Context& block, int inputs);

  ShapeList* calculateOutputShape(ShapeList* inputShapes, Context& block) override;
  Status execute(Context* block) override;
  using DeclarableOp::execute;

  /// From now on, hidden outputs stay in this context, and outputs may be views.
  static void keepState(Context& block);

 protected:
  OperationEntry(const char* name, DescribeFunction describe, ops::GradientFunction gradient);
  void registerTypes() override;
  Status validateAndExecute(Context& block) override;

 private:
  DescribeFunction _describe;
  ops::GradientFunction _gradient;

  struct Counts {
    int inputs, outputs, floats, integers;
  };
  static Counts countsOf(const char* name, DescribeFunction describe);
  OperationEntry(const char* name, DescribeFunction describe, ops::GradientFunction gradient, Counts counts);
  void run(Context& block, bool givesViews);
};

/// Sets the gradients that grad() returns. @throws std::invalid_argument when it returns none
SD_LIB_EXPORT void applyGradient(const Operation& operation, ops::Gradient& gradient);

/// The base of a class of operations: `Self` derives from it, and has
///   static constexpr const char* NAME = "typed_add";
///   static void describe(ops::Schema& schema);    // rows of inputs, outputs and parameters, and the inference
/// and perform(). `Parameters_` is a struct as of all operations; one without members stands for no parameters.
template <typename Self, typename Parameters_>
class ContractOperation : public Operation {
 public:
  using Parameters = Parameters_;

  explicit ContractOperation(const Parameters& parameters_ = Parameters())
      : Operation(Self::NAME), parameters(parameters_) {}

  Parameters parameters;

  void perform(const NodeDescription& node, const std::vector<NDArray*>& inputs, Storage& outputs) const override = 0;

 protected:
  ops::CallArguments callArguments() const override {
    if constexpr (std::is_empty_v<Parameters>)
      return {};
    else
      return parameters;
  }
};

namespace detail {

template <typename Op>
class EntryOf final : public OperationEntry {
 public:
  EntryOf() : OperationEntry(Op::NAME, Op::describe, differentiates() ? differentiate : nullptr) {}

  std::unique_ptr<Operation> contract(const ops::CallArguments& arguments) const override {
    return std::make_unique<Op>(make(arguments.data()));
  }

 private:
  using Parameters = typename Op::Parameters;

  static Op make(const void* parameters) {
    if constexpr (std::is_empty_v<Parameters>)
      return Op();
    else
      return parameters == nullptr ? Op() : Op(*static_cast<const Parameters*>(parameters));
  }
  static constexpr bool differentiates() { return !std::is_same_v<decltype(&Op::grad), decltype(&Operation::grad)>; }
  static void differentiate(ops::Gradient& gradient) {
    if constexpr (std::is_empty_v<Parameters>)
      applyGradient(Op(), gradient);
    else
      applyGradient(Op(gradient.template arguments<Parameters>()), gradient);
  }
};

}  // namespace detail

}  // namespace sd::graph

/// Registers a class of operations under its NAME. Use it at namespace scope, in a library or in a program. The
/// operation can then be called by name and hash, from C, by the command (`ndforge --load`), in graphs and from files.
#define SD_REGISTER_OPERATION(CLASS)                                                                        \
  namespace {                                                                                               \
  const ::sd::ops::detail::Registration<::sd::graph::detail::EntryOf<CLASS>> CLASS##_operationRegistration; \
  }

#endif
