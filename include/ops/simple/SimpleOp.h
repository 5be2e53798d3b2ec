// SD_REGISTER_SIMPLE_OP: an operation of one or two inputs and one result, with its gradient, from plain functions.
#ifndef NDFORGE_OPS_SIMPLE_SIMPLEOP_H
#define NDFORGE_OPS_SIMPLE_SIMPLEOP_H

#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Registration.h>
#include <ops/declarable/Schema.h>
#include <ops/simple/EnvArguments.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

/// Which operand a function may overwrite with its result. It is a permission: the result lies over the operand only
/// where nobody needs the operand afterwards.
enum SimpleOpInplaceOption {
  kNoInplace,
  kInplaceInOut,   ///< of a unary function: the input with the result
  kInplaceOutIn,   ///< of a unary gradient: the gradient of the result with that of the input
  kInplaceLhsOut,  ///< of a binary function: the left input with the result
  kInplaceOutLhs   ///< of a binary gradient: the gradient of the result with that of the left input
};

/// The argument of operations with set_enable_scalar().
struct SimpleScalar {
  double scalar = 0;
};

/// What a simple operation is made of.
struct SimpleOpDefinition {
  std::string name, backwardName;
  const char* text = "";
  std::vector<DataType> types;
  UnaryShapeFunction unaryShape = nullptr;
  BinaryShapeFunction binaryShape = nullptr;
  UnaryFunction unary = nullptr;
  BinaryFunction binary = nullptr;
  UnaryGradient0 unary0 = nullptr;
  UnaryGradient1 unary1 = nullptr;
  UnaryGradient2 unary2 = nullptr;
  BinaryGradient0 binary0 = nullptr;
  BinaryGradient1 binary1 = nullptr;
  BinaryGradient2 binary2 = nullptr;
  SimpleOpInplaceOption inplace = kNoInplace, gradientInplace = kNoInplace;
  bool enablesScalar = false, enablesKwargs = false;
  const ArgumentStruct* parameters = nullptr;
  void (*declareParameters)(Schema& schema) = nullptr;
  const void* (*inferredArguments)(const Inference& in) = nullptr;
  std::vector<ResourceRequest> resources;
  GradientFunction secondGradient = nullptr;

  int inputs() const { return binary != nullptr ? 2 : 1; }
  bool hasGradient() const { return unary0 || unary1 || unary2 || binary0 || binary1 || binary2; }
  bool needsValue() const { return unary1 || binary1; }
  bool needsInputs() const { return unary2 || binary2; }
  /// Whether the result has the shape of the inputs.
  bool keepsShape() const { return unaryShape == nullptr && binaryShape == nullptr; }
};

/// A definition that is being written; SD_REGISTER_SIMPLE_OP(name) gives one. Functions may be set once.
/// @throws std::invalid_argument, which names the operation, for statements that contradict each other
class SD_LIB_EXPORT SimpleOpEntry {
 public:
  /// `name` is a literal, as all texts here.
  explicit SimpleOpEntry(const char* name);

  // Names as in the operators of the public interface, which this macro belongs to.

  /// The shape of the result. Without it, it is that of the input; two inputs must have equal shapes.
  SimpleOpEntry& set_shape_function(UnaryShapeFunction function);
  SimpleOpEntry& set_shape_function(BinaryShapeFunction function);
  SimpleOpEntry& set_function(UnaryFunction function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_function(BinaryFunction function, SimpleOpInplaceOption option = kNoInplace);
  /// The gradient. The first parameters say what it needs, and nothing else is kept for it.
  SimpleOpEntry& set_gradient(UnaryGradient0 function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_gradient(UnaryGradient1 function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_gradient(UnaryGradient2 function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_gradient(BinaryGradient0 function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_gradient(BinaryGradient1 function, SimpleOpInplaceOption option = kNoInplace);
  SimpleOpEntry& set_gradient(BinaryGradient2 function, SimpleOpInplaceOption option = kNoInplace);
  /// The rule of the gradient operation, _backward_NAME: second derivatives are errors without it. Its inputs are the
  /// gradient of the result, then what the gradient needs.
  SimpleOpEntry& set_second_gradient(GradientFunction rule);
  /// The operation has a number as argument `scalar`, which calls must give.
  SimpleOpEntry& set_enable_scalar(bool enable);
  /// The operation has the arguments of a struct. `declare` names them, as in schemas:
  ///   .set_parameters<Leak>([](Schema& schema) {
  ///     schema.argument(&Leak::slope, "slope", "the slope below 0").atFloat(0).between(0, 1);
  ///   })
  template <typename S>
  SimpleOpEntry& set_parameters(void (*declare)(Schema& schema)) {
    return setParameters(argumentStruct<S>, declare,
                         [](const Inference& in) -> const void* { return &in.arguments<S>(); });
  }
  /// Says that arguments may be given as pairs of strings, which set_parameters() implies: they need a struct.
  SimpleOpEntry& set_enable_kwargs(bool enable);
  /// What EnvArguments::resource has.
  SimpleOpEntry& set_resource_request(std::initializer_list<ResourceRequest> requests);
  SimpleOpEntry& set_resource_request(ResourceRequest request) { return set_resource_request({request}); }
  /// The types of the inputs; real types without it.
  SimpleOpEntry& set_types(std::initializer_list<DataType> types);
  SimpleOpEntry& describe(const char* text);

  /// Checks what can only be seen at the end.
  std::shared_ptr<const SimpleOpDefinition> finish() const;

 private:
  SimpleOpDefinition _definition;

  SimpleOpEntry& setParameters(const ArgumentStruct& type, void (*declare)(Schema& schema),
                               const void* (*inferred)(const Inference& in));
  template <typename F>
  SimpleOpEntry& setGradient(F SimpleOpDefinition::*place, F function, SimpleOpInplaceOption option);
  template <typename T>
  void setOnce(T& place, T value, const char* member);
  [[noreturn]] void refuse(const std::string& why) const;
};

/// An operation that can write its results over inputs, or add them to sums: what the planner of graphs asks.
class SD_LIB_EXPORT SimpleOperation : public DeclarableOp {
 public:
  /// Whether a result may be written over this input, when nobody else needs the input.
  virtual bool overwrites(int output, int input) const = 0;
  /// The optional input to which a result is added.
  virtual int sumInput(int output) const = 0;
  const SimpleOpDefinition& definition() const { return *_definition; }

  ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) override {
    return inferredShapes(inputShapes, block);
  }

 protected:
  SimpleOperation(std::shared_ptr<const SimpleOpDefinition> definition, const std::string& name, int inputs,
                  int outputs, bool inPlace);

  void declareArguments(Schema& schema) const;
  EnvArguments environment(graph::Context& block);

 private:
  std::shared_ptr<const SimpleOpDefinition> _definition;
};

/// The operation itself.
class SD_LIB_EXPORT SimpleForward : public SimpleOperation {
 public:
  bool overwrites(int output, int input) const override;
  int sumInput(int) const override { return definition().inputs(); }

 protected:
  SimpleForward(std::shared_ptr<const SimpleOpDefinition> definition, InferenceFunction inference);
  void registerTypes() override;
  Status validateAndExecute(graph::Context& block) override;

 private:
  InferenceFunction _inference;

  void differentiate(Gradient& g) const;
};

/// Its gradient, _backward_NAME: the gradient of the result, and what the gradient function needs, give those of the
/// inputs.
class SD_LIB_EXPORT SimpleBackward : public SimpleOperation {
 public:
  bool overwrites(int output, int input) const override;
  int sumInput(int output) const override { return neededInputs() + output; }
  /// The number of inputs without sums.
  int neededInputs() const;

 protected:
  SimpleBackward(std::shared_ptr<const SimpleOpDefinition> definition, InferenceFunction inference);
  void registerTypes() override;
  Status validateAndExecute(graph::Context& block) override;

 private:
  InferenceFunction _inference;
};

namespace detail {

SD_LIB_EXPORT void inferSimpleForward(const SimpleOpDefinition& definition, Inference& in);
SD_LIB_EXPORT void inferSimpleBackward(const SimpleOpDefinition& definition, Inference& in);
/// Enters both in the registry; `backward` may be null. @throws std::invalid_argument when a name is taken
SD_LIB_EXPORT void registerSimpleOp(std::unique_ptr<SimpleOperation> forward,
                                    std::unique_ptr<SimpleOperation> backward);

}  // namespace detail

/// Enters an operation in the registry. Tag is a type of its own.
template <typename Tag>
class SimpleOpRegistration {
 public:
  SimpleOpRegistration(const SimpleOpEntry& entry) {
    const std::shared_ptr<const SimpleOpDefinition> finished = entry.finish();
    registered = finished.get();
    auto forward = std::make_unique<Forward>(finished);
    auto backward = finished->hasGradient() ? std::make_unique<Backward>(finished) : nullptr;
#if defined(SD_BUILDING_LIBRARY)
    forward->getOpDescriptor()->markBuiltIn();
    if (backward != nullptr) backward->getOpDescriptor()->markBuiltIn();
#endif
    detail::registerSimpleOp(std::move(forward), std::move(backward));
  }

 private:
  // Inference functions are plain functions: this is where they find what they are about.
  static inline const SimpleOpDefinition* registered = nullptr;

  // The classes belong to the library that registers the operation, by which the registry knows where it is from.
  class Forward final : public SimpleForward {
   public:
    explicit Forward(std::shared_ptr<const SimpleOpDefinition> defined)
        : SimpleForward(std::move(defined), [](Inference& in) { detail::inferSimpleForward(*registered, in); }) {}
  };
  class Backward final : public SimpleBackward {
   public:
    explicit Backward(std::shared_ptr<const SimpleOpDefinition> defined)
        : SimpleBackward(std::move(defined), [](Inference& in) { detail::inferSimpleBackward(*registered, in); }) {}
  };
};

}  // namespace sd::ops

/// Registers an operation: SD_REGISTER_SIMPLE_OP(name).set_function(f).set_gradient(g).describe("What it computes.");
/// Use it at namespace scope, in a library or in a program. The operation can then be called by name and hash, from C,
/// by the command (`ndforge --load`) and in graphs.
#define SD_REGISTER_SIMPLE_OP(NAME)                                                                               \
  namespace {                                                                                                     \
  struct NAME##_simple_op;                                                                                        \
  }                                                                                                               \
  [[maybe_unused]] static const ::sd::ops::SimpleOpRegistration<NAME##_simple_op> NAME##_simple_op_registration = \
      ::sd::ops::SimpleOpEntry(#NAME)

#endif
