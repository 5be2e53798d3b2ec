// SD_REGISTER_OPERATOR: makes an operator an entry of the registry.
#ifndef NDFORGE_OPS_DECLARABLE_REGISTEROPERATOR_H
#define NDFORGE_OPS_DECLARABLE_REGISTEROPERATOR_H

#include <ops/declarable/CommonInference.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Schema.h>
#include <tensor/Tensor.h>

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

inline constexpr const char* OPERAND_DOCUMENTATION[] = {"x: any shape",
                                                        "x: any shape\ny: a shape that broadcasts with x",
                                                        ("x: any shape\ny: a shape that broadcasts with x\n"
                                                         "w: a shape that broadcasts with both")};

}  // namespace detail

/// A registered operation that runs an operator. Element-wise operators take one to three inputs, which broadcast.
/// Aggregations take one input, dimensions as integer arguments (none: all) and one boolean argument that says whether
/// these are kept. Parameters of the operator are floating arguments.
template <template <typename...> class Op>
class RegisteredOperator : public ops::DeclarableOp {
 public:
  explicit RegisteredOperator(const char* name)
      : DeclarableOp(INPUTS, 1, name, !AGGREGATES, detail::parametersOf<Op>(), AGGREGATES ? -2 : 0) {}

  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override {
    const LongType* x = inputShapes->at(0);
    const DataType own = ArrayOptions::dataType(x);
    auto& shapes = ConstantShapeHelper::getInstance();
    if constexpr (AGGREGATES) {
      DataType type = own == BOOL ? INT64 : own;
      if (detail::isTruthReduction<Op>()) type = BOOL;
      if (detail::floatsOnly<Op>()) type = DataTypeUtils::pickFloatingType(own);
      std::vector<int> dims = dimensions(block);
      return SHAPELIST(ShapeUtils::evalReduceShapeInfo('c', dims, x, type, keepsDimensions(block)));
    } else {
      DataType type = own;
      const LongType* shape = x;
      for (int i = 1; i < INPUTS; i++) {
        type = DataTypeUtils::pickPairwiseResultType(type, ArrayOptions::dataType(inputShapes->at(i)));
        const LongType* joined = nullptr;
        REQUIRE_TRUE(ShapeUtils::evalBroadcastShapeInfo(shape, inputShapes->at(i), true, joined), 0,
                     "shapes %s and %s do not broadcast", ShapeUtils::shapeAsString(shape).c_str(),
                     ShapeUtils::shapeAsString(inputShapes->at(i)).c_str());
        shape = joined;
      }
      if (TRUTH) type = BOOL;
      if (detail::floatsOnly<Op>() && !TRUTH) type = DataTypeUtils::pickFloatingType(type);
      return SHAPELIST(shapes.createShapeInfo(type, 'c', static_cast<int>(shape[0]), shape + 1));
    }
  }

 protected:
  void registerTypes() override {
    ops::OpDescriptor* descriptor = getOpDescriptor();
    if (detail::integersOnly<Op>())
      descriptor->setAllowedInputTypes({ALL_INTS});
    else
      descriptor->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL});
    descriptor->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL});
    ops::OpDocumentation text;
    text.summary = AGGREGATES ? "An operator that aggregates." : "An operator on every element.";
    text.formula = detail::formulaOf<Op>();
    text.inputs = detail::OPERAND_DOCUMENTATION[INPUTS - 1];
    text.outputs = AGGREGATES ? "z: the remaining dimensions"
                   : TRUTH    ? "z: the common shape, BOOL"
                              : "z: the common shape and type";
    if (AGGREGATES) {
      text.integers = "dimensions?: the dimensions to aggregate, all when none is given";
      text.booleans = "keep?: the aggregated dimensions are kept with size 1";
    }
    if (detail::takesParameters<detail::AnyType<Op>>()) text.floats = "parameters: the parameters of the operator";
    descriptor->document(text);
    if constexpr (!AGGREGATES) descriptor->schema().infer(inferElements);
  }

  Status validateAndExecute(graph::Context& block) override {
    const NDArray& x = *INPUT_VARIABLE(0);
    NDArray& z = *OUTPUT_VARIABLE(0);
    Parameters parameters;
    for (double value : *block.getTArguments())
      if (parameters.count < 4) parameters.values[parameters.count++] = value;
    if constexpr (AGGREGATES) {
      const auto result = aggregate<Op>(x, Dimensions(dimensions(block)), keepsDimensions(block), parameters);
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

  /// The shape and type of an element-wise operator, as calculateOutputShape() gives them.
  static void inferElements(ops::Inference& in) {
    ops::PartialShape shape = in.input(0);
    DataType type = shape.type();
    for (int i = 1; i < INPUTS; i++) {
      const ops::PartialShape next = in.input(i);
      shape = ops::broadcast(shape, next);
      const bool known = type != INHERIT && next.hasType();
      type = known ? DataTypeUtils::pickPairwiseResultType(type, next.type()) : INHERIT;
    }
    if (TRUTH)
      type = BOOL;
    else if (detail::floatsOnly<Op>() && type != INHERIT)
      type = DataTypeUtils::pickFloatingType(type);
    in.output(shape.withType(type).withOrder('c'));
  }

  static std::vector<int> dimensions(graph::Context& block) {
    const auto& given = *block.getIArguments();
    return std::vector<int>(given.begin(), given.end());
  }
  static bool keepsDimensions(graph::Context& block) {
    const auto* given = block.getBArguments();
    return !given->empty() && given->front();
  }
};

SD_TENSOR_END

/// Registers operator OP (a class template) under NAME. Use it at namespace scope, in a library or in a program. The
/// operation can then be called by name and hash, from C, and by the command (`ndforge --load`).
#define SD_REGISTER_OPERATOR(NAME, ...)                                          \
  namespace {                                                                    \
  struct NAME##_operator final : ::sd::tensor::RegisteredOperator<__VA_ARGS__> { \
    NAME##_operator() : RegisteredOperator(#NAME) {}                             \
  };                                                                             \
  const ::sd::ops::Registration<NAME##_operator> NAME##_registration;            \
  }

#endif
