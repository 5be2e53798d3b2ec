// typed_add: x + y of scalars of one type, which is a parameter. A class of operations that says how numbers become
// constants, and which types it takes.
#include <graph/ContractOperation.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sd;

struct TypedAddParameters {
  std::optional<DataType> type{};  // otherwise that of x
};

class TypedAdd final : public graph::ContractOperation<TypedAdd, TypedAddParameters> {
 public:
  static constexpr const char* NAME = "typed_add";
  using ContractOperation::ContractOperation;

  static void describe(ops::Schema& schema) {
    schema.summary("Adds two scalars of a type that the call names.").formula("z = x + y");
    schema.input("x", "a scalar").types({ALL_FLOATS, ALL_INTS}).rank(0);
    schema.input("y", "a scalar").types({ALL_FLOATS, ALL_INTS}).rank(0);
    schema.argument(&TypedAddParameters::type, "type", "the type of both inputs; that of x if not given").atType(0);
    schema.output("z", "a scalar of this type");
    schema.infer([](ops::Inference& in) {
      const DataType type = in.arguments<TypedAddParameters>().type.value_or(in.input(0).type());
      for (int i = 0; i < 2; i++) {
        const DataType given = in.input(i).type();
        if (given != INHERIT && type != INHERIT && given != type)
          throw std::invalid_argument("[typed_add] input " + std::to_string(i) + " has type " +
                                      DataTypeUtils::describe(given) + " instead of " + DataTypeUtils::describe(type));
      }
      in.output(ops::PartialShape::scalar(type));
    });
    schema.example(R"({"x": 1.5, "y": 2.0})");
  }

  /// Numbers have the type of the operation, whatever stands beside them.
  graph::NodeDescription makeNode(const Operands& inputs) const override {
    std::vector<NDArray> scalars;
    scalars.reserve(inputs.size());
    Operands typed;
    for (const nd::Operand& input : inputs) {
      if (!input.isNumber() || !parameters.type) {
        typed.push_back(input);
        continue;
      }
      scalars.emplace_back(*parameters.type);
      scalars.back().p<double>(0, input.number());
      typed.emplace_back(scalars.back(), input.place());
    }
    return Operation::makeNode(typed);
  }

  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    outputs[0].requireLike(*inputs[0]).assign(*inputs[0] + *inputs[1]);
  }

  Symbols grad(const Symbols&, const Symbols&, const Symbols& gradients) const override {
    return {gradients[0], gradients[0]};
  }
};

SD_REGISTER_OPERATION(TypedAdd)

}  // namespace
