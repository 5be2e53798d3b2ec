// SD_REGISTER_OPERATOR: makes an operator an entry of the registry.
#ifndef NDFORGE_OPS_DECLARABLE_REGISTEROPERATOR_H
#define NDFORGE_OPS_DECLARABLE_REGISTEROPERATOR_H

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Schema.h>
#include <tensor/Tensor.h>

#include <type_traits>
#include <vector>

namespace sd::ops {

/// The arguments of a registered operator that works on elements.
struct OperatorParameters {
  std::vector<double> parameters{};
};

/// The arguments of a registered operator that aggregates.
struct AggregationArguments {
  std::vector<int> axis{};
  bool keepDims = false;
  std::vector<double> parameters{};
};

/// The type of what an operator gives: BOOL; a float type; or that of the inputs.
enum class OperatorResult { Truth, Real, LikeInputs };

/// One output of the shape to which all inputs broadcast.
SD_LIB_EXPORT void inferElements(Inference& in, int inputs, OperatorResult result);
/// One output: input 0 without the axes.
SD_LIB_EXPORT void inferAggregation(Inference& in, const std::vector<int>& axis, bool keepDims, OperatorResult result);

}  // namespace sd::ops

SD_TENSOR_BEGIN

namespace detail {

/// The number of operands of an operator: 1, 2 or 3.
template <template <typename...> class Op>
constexpr int operandsOf() {
  using C = std::conditional_t<integersOnly<Op>(), int32_t, float>;
  static_assert(isCallableFor<Op, C, 1> || isCallableFor<Op, C, 2> || isCallableFor<Op, C, 3>,
                "sd::tensor: the operator has no static member 'op' of one to three operands");
  return isCallableFor<Op, C, 1> ? 1 : isCallableFor<Op, C, 2> ? 2 : 3;
}

template <template <typename...> class Op>
constexpr bool isAggregation() {
  return HasStartingValue<AnyType<Op>>;
}

template <template <typename...> class Op>
constexpr const char* formulaOf() {
  if constexpr (requires { AnyType<Op>::formula; })
    return AnyType<Op>::formula;
  else
    return "";
}

template <template <typename...> class Op>
constexpr int parametersOf() {
  if constexpr (!takesParameters<AnyType<Op>>())
    return 0;
  else if constexpr (AnyType<Op>::requiredParams == AnyType<Op>::maxParams)
    return AnyType<Op>::maxParams;
  else
    return -2;
}

}  // namespace detail

/// A registered operation that runs an operator. Element-wise operators take one to three inputs, which broadcast.
/// Aggregations take one input, axes as integer arguments (none: all) and one boolean argument that says whether these
/// are kept. Parameters of the operator are floating arguments. By name they are `axis`, `keep_dims` and `parameters`.
template <template <typename...> class Op>
class RegisteredOperator : public ops::DeclarableOp {
 public:
  explicit RegisteredOperator(const char* name)
      : DeclarableOp(INPUTS, 1, name, !AGGREGATES, detail::parametersOf<Op>(), AGGREGATES ? -2 : 0) {}

  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override {
    return inferredShapes(inputShapes, block);
  }

 protected:
  void registerTypes() override {
    ops::OpDescriptor* descriptor = getOpDescriptor();
    if (detail::integersOnly<Op>())
      descriptor->setAllowedInputTypes({ALL_INTS});
    else
      descriptor->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL});
    descriptor->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL});
    ops::Schema& schema = descriptor->schema();
    schema.summary(AGGREGATES ? "An operator that aggregates." : "An operator on every element.");
    schema.formula(detail::formulaOf<Op>());
    schema.input("x", "any shape");
    if constexpr (INPUTS > 1) schema.input("y", "a shape that broadcasts with x");
    if constexpr (INPUTS > 2) schema.input("w", "a shape that broadcasts with both");
    schema.output("z", AGGREGATES ? "x without the axes"
                       : TRUTH    ? "the common shape, BOOL"
                                  : "the common shape and type");
    if constexpr (AGGREGATES) {
      schema.argument(&Arguments::axis, "axis", "the axes to aggregate, all when there are none").atInteger(0);
      schema.argument(&Arguments::keepDims, "keep_dims", "whether the aggregated axes stay with size 1").atFlag(0);
    }
    if constexpr (PARAMETERS)
      schema.argument(&Arguments::parameters, "parameters", "the parameters of the operator").atFloat(0);
    if constexpr (AGGREGATES)
      schema.infer([](ops::Inference& in) {
        const auto& a = in.arguments<Arguments>();
        ops::inferAggregation(in, a.axis, a.keepDims, RESULT);
      });
    else
      schema.infer([](ops::Inference& in) { ops::inferElements(in, INPUTS, RESULT); });
    schema.notDifferentiable("operators state no gradient");
  }

  Status validateAndExecute(graph::Context& block) override {
    const NDArray& x = *INPUT_VARIABLE(0);
    NDArray& z = *OUTPUT_VARIABLE(0);
    Parameters parameters;
    if constexpr (PARAMETERS)
      for (double value : ops::arguments<Arguments>(block).parameters)
        if (parameters.count < 4) parameters.values[parameters.count++] = value;
    if constexpr (AGGREGATES) {
      const auto& a = ops::arguments<Arguments>(block);
      const auto result = aggregate<Op>(x, indexing::Dimensions(a.axis), a.keepDims, parameters);
      z.assign(result);
    } else if constexpr (INPUTS == 1) {
      apply<Op>(x, z, parameters);
    } else if constexpr (INPUTS == 2) {
      apply<Op>(x, *INPUT_VARIABLE(1), z, parameters);
    } else {
      apply<Op>(x, *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), z, parameters);
    }
    return Status::OK;
  }

 private:
  static constexpr bool AGGREGATES = detail::isAggregation<Op>();
  static constexpr int INPUTS = [] {
    if constexpr (detail::isAggregation<Op>())
      return 1;
    else
      return detail::operandsOf<Op>();
  }();
  static constexpr bool TRUTH = detail::isTruth<Op, INPUTS>();

  static constexpr bool PARAMETERS = detail::takesParameters<detail::AnyType<Op>>();
  static constexpr ops::OperatorResult RESULT = [] {
    constexpr bool REAL = detail::floatsOnly<Op>();
    if constexpr (AGGREGATES)
      return REAL                             ? ops::OperatorResult::Real
             : detail::isTruthReduction<Op>() ? ops::OperatorResult::Truth
                                              : ops::OperatorResult::LikeInputs;
    else
      return TRUTH ? ops::OperatorResult::Truth : REAL ? ops::OperatorResult::Real : ops::OperatorResult::LikeInputs;
  }();
  using Arguments = std::conditional_t<AGGREGATES, ops::AggregationArguments, ops::OperatorParameters>;
};

SD_TENSOR_END

/// Registers operator OP (a class template) under NAME. Use it at namespace scope, in a library or in a program. The
/// operation can then be called by name and hash, from C, and by the command (`ndforge --load`).
#define SD_REGISTER_OPERATOR(NAME, ...)                                          \
  namespace {                                                                    \
  struct NAME##_operator final : ::sd::tensor::RegisteredOperator<__VA_ARGS__> { \
    NAME##_operator() : RegisteredOperator(#NAME) {}                             \
  };                                                                             \
  const ::sd::ops::detail::Registration<NAME##_operator> NAME##_registration;    \
  }

#endif
