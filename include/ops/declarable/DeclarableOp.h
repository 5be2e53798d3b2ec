// The base class of operations.
#ifndef NDFORGE_OPS_DECLARABLE_DECLARABLEOP_H
#define NDFORGE_OPS_DECLARABLE_DECLARABLEOP_H

#include <array/NDArray.h>
#include <array/ResultSet.h>
#include <array/ShapeList.h>
#include <graph/Context.h>
#include <helpers/OpArgsHolder.h>
#include <helpers/ShapeUtils.h>
#include <helpers/helper_hash.h>
#include <ops/declarable/EmptyHandling.h>
#include <ops/declarable/Inference.h>
#include <ops/declarable/OpDescriptor.h>
#include <ops/declarable/OpRegistrator.h>
#include <ops/declarable/RunningOp.h>
#include <ops/declarable/Schema.h>
#include <system/op_body.h>
#include <system/op_boilerplate.h>
#include <system/op_declaration.h>

#include <atomic>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <string>
#include <typeinfo>
#include <vector>

// Programs that include an operation's header use Context, Variable and other names without a namespace.
namespace sd::graph {}
using namespace sd::graph;

namespace sd::ops {

/// The operations that libnd4j does not have. Their classes are apart from those of programs that define operations
/// such as `sort` or `rms_norm` in sd::ops themselves.
namespace additional {}
#if defined(SD_BUILDING_LIBRARY)
using namespace additional;
#endif

/// An operation: descriptor, shape function and body. A call
///  1. checks that there are inputs, that none of them is null, that there are enough arguments and that the types
///     are allowed; else the status is VALIDATION, nothing was computed, and lastValidationMessage() gives the reason;
///  2. calls the shape function, makes missing outputs and checks given ones; throws std::runtime_error for other
///     dimensions and for outputs that cannot be written;
///  3. runs a platform helper if one accepts the call, else the body.
/// Exceptions from the body and the shape function reach the caller, with "[name]" in front of the message. An output
/// that shares memory with an input is computed in separate memory and copied, unless the operation may work in place
/// and both are the same view. Calls are thread-safe.
class SD_LIB_EXPORT DeclarableOp {
 protected:
  // The virtual functions, in the order of libnd4j: ND4J's JNI library calls them.
  virtual void registerTypes();
  virtual Status validateAndExecute(graph::Context& block) = 0;
  virtual samediff::EmptyHandling emptyHandling() { return samediff::EMPTY_SKIP; }

 public:
  virtual ~DeclarableOp();
  /// One of the checks that operations may use, see below.
  virtual Status validateDataTypes(graph::Context& block);
  /// The shapes of the outputs for inputs of these shapes; the caller deletes the list.
  virtual ShapeList* calculateOutputShape(ShapeList* inputShapes, graph::Context& block) = 0;
  /// A call with outputs of the caller.
  virtual Status execute(graph::Context* block);

  DeclarableOp();
  DeclarableOp(const char* name, int numInputs, bool scalar);
  DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace);
  DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, bool divergent);
  DeclarableOp(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs);
  DeclarableOp(const char* name, bool isLogical);
  DeclarableOp(const DeclarableOp&) = delete;
  DeclarableOp& operator=(const DeclarableOp&) = delete;

  OpDescriptor* getOpDescriptor() const { return _descriptor.get(); }
  /// The descriptor with its types and schema filled in.
  OpDescriptor* describedDescriptor();
  const Schema& schema() { return describedDescriptor()->schema(); }
  /// Reads the arguments of `block` into its argument struct, as the first step of a call does.
  void readArguments(graph::Context& block);
  std::string* getOpName() const { return _descriptor->getOpName(); }
  LongType getOpHash() const { return _descriptor->getHash(); }

  /// Types and shapes of the outputs, as far as they follow from what is known of the inputs, from the arguments in
  /// `block`, and from those inputs in `block` that are constant (null where they are not). The result is empty when
  /// the operation states no inference. @throws std::invalid_argument when inputs or arguments do not fit
  std::vector<PartialShape> infer(const std::vector<PartialShape>& inputs, graph::Context& block);
  /// Does once what all calls of `block` with inputs of these shapes share: arguments are read, shapes inferred. The
  /// context holds those inputs whose values shapes and arguments may depend on, and null for the others.
  /// @throws std::invalid_argument when inputs or arguments do not fit @returns the shapes of the outputs
  ShapeList prepare(graph::Context& block, const ShapeList& inputs);
  /// A call with a context that was prepared, and that holds inputs of these shapes and outputs that share no memory
  /// with them, unless the operation may work in place. Nothing is checked or allocated here.
  Status runPrepared(graph::Context& block) {
    const RunningOp running(_descriptor->name());
    block.keepInferred();
    return runBody(block);
  }

  // ---- calls with outputs of the caller. inputs may contain nullptr where the operation takes optional arrays.

  Status execute(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& outputs);
  Status execute(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& outputs,
                 const std::vector<double>& tArgs, const std::vector<LongType>& iArgs,
                 const std::vector<bool>& bArgs = {}, const std::vector<DataType>& dArgs = {}, bool isInplace = false);
  /// Calls with one kind of argument: double or float, int or LongType, bool, DataType.
  template <typename T>
  Status execute(const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& outputs,
                 std::initializer_list<T> args);
  Status execute(graph::RandomGenerator& rng, const std::vector<NDArray*>& inputs, const std::vector<NDArray*>& outputs,
                 const std::vector<double>& tArgs, const std::vector<LongType>& iArgs,
                 const std::vector<bool>& bArgs = {}, const std::vector<DataType>& dArgs = {}, bool isInplace = false,
                 DataType type = FLOAT32);

  // ---- calls that make the outputs, which belong to the result. If the status is not OK, the result is empty,
  // message() gives the reason, and at() throws that message. In place the results are the inputs. Null inputs are left
  // out, and later inputs move up.

  ResultSet evaluate(const std::vector<NDArray*>& inputs);
  ResultSet evaluate(const std::vector<NDArray*>& inputs, const std::vector<double>& tArgs,
                     const std::vector<LongType>& iArgs, const std::vector<bool>& bArgs = {},
                     const std::vector<DataType>& dArgs = {}, bool isInplace = false);
  template <typename T>
  ResultSet evaluate(const std::vector<NDArray*>& inputs, std::initializer_list<T> args);
  ResultSet execute(const OpArgsHolder& holder, bool isInplace = false);

  // ---- checks that operations may use; the status names the check that failed

  Status validateNonEmptyInput(graph::Context& block);
  Status validateArguments(graph::Context& block);
  Status validateInputLengthMatch(graph::Context& block);
  Status validateInputDimensionsMatch(graph::Context& block);
  Status validateOrdersMatch(graph::Context& block);
  Status validateInputDimensions(graph::Context& block, int rank);
  Status validateInput2D(graph::Context& block) { return validateInputDimensions(block, 2); }
  Status validateInput3D(graph::Context& block) { return validateInputDimensions(block, 3); }
  Status validateInput4D(graph::Context& block) { return validateInputDimensions(block, 4); }

  /// Why this thread's last call returned VALIDATION.
  static const std::string& lastValidationMessage();
  /// Why this thread's last call, which returned this status, failed.
  std::string failureMessage(Status status) const;

 protected:
  /// Output `index`. @throws std::invalid_argument when there is none
  NDArray* getZ(graph::Context& block, int index = 0);
  /// Output `index`, set to zeros unless the call is in place.
  NDArray* getNullifiedZ(graph::Context& block, int index = 0);
  /// Copies the values to output `index`. @throws std::invalid_argument when there is none
  void storeResult(graph::Context& block, int index, NDArray& array);
  void storeResult(graph::Context& block, int index, NDArray* array);
  void overwriteResult(graph::Context& block, int index, NDArray* array, bool remove = true);
  void overwriteResult(graph::Context& block, int index, NDArrayList* list);
  bool allocateResult(graph::Context& block, const LongType* shapeInfo);
  bool allocateResult(graph::Context& block, std::initializer_list<LongType>& shape, char order = 'c');

  // Shape functions: each output has the shape of the input with the same index; or of the first input.
  ShapeList* shapesOfInputs(ShapeList* inputShapes, graph::Context& block);
  ShapeList* shapesOfFirstInput(ShapeList* inputShapes, graph::Context& block);
  // The shapes that the schema's inference gives.
  ShapeList* inferredShapes(ShapeList* inputShapes, graph::Context& block);

  /// Runs the body (or a platform helper) on prepared outputs.
  Status runBody(graph::Context& block);
  /// As evaluate() with a list, for a context that has inputs and arguments.
  ResultSet evaluate(graph::Context& block);
  /// Step 1 of a call.
  Status validate(graph::Context& block);
  /// Stores why a call is rejected, and prints it in verbose mode. @returns `code`
  Status invalid(Status code, const std::string& why);

 private:
  std::unique_ptr<OpDescriptor> _descriptor;
  std::once_flag _typesRegistered;
  std::atomic<bool> _hasTypes{false};
  std::atomic<platforms::PlatformHelper*> _helper{nullptr};
  std::atomic<unsigned> _helperGeneration{0};

  graph::OperationKey key() const { return {&typeid(*this), getOpHash()}; }
  void ensureTypes();
  Status validateOutputTypes(graph::Context& block);
  /// The result of the shape function for this call.
  std::unique_ptr<ShapeList> outputShapes(graph::Context& block);
  platforms::PlatformHelper* helperFor(graph::Context& block);
  /// Steps 2 and 3 of a call.
  Status executeValid(graph::Context& block);
};

// The library instantiates the call for six types of a single argument list.
#define SD_DECLARE_ARGUMENT_LIST(T)                                                                           \
  extern template Status DeclarableOp::execute<T>(const std::vector<NDArray*>&, const std::vector<NDArray*>&, \
                                                  std::initializer_list<T>);                                  \
  extern template ResultSet DeclarableOp::evaluate<T>(const std::vector<NDArray*>&, std::initializer_list<T>);
SD_DECLARE_ARGUMENT_LIST(double)
SD_DECLARE_ARGUMENT_LIST(float)
SD_DECLARE_ARGUMENT_LIST(int)
SD_DECLARE_ARGUMENT_LIST(LongType)
SD_DECLARE_ARGUMENT_LIST(bool)
SD_DECLARE_ARGUMENT_LIST(DataType)
#undef SD_DECLARE_ARGUMENT_LIST

/// The arguments of the running call. S is the struct that the operation's schema names.
template <typename S>
const S& arguments(graph::Context& block) {
  const ArgumentBlock& held = block.argumentBlock();
  if (!held.holds(argumentStruct<S>)) detail::otherArguments(typeid(S));
  return *static_cast<const S*>(held.data());
}

/// What inference kept for the body, or make(): the shape function does not run in every call.
template <typename T, typename Make>
const T& kept(graph::Context& block, Make&& make) {
  T* value = block.kept<T>();
  if (value == nullptr) {
    block.keep<T>(make());
    value = block.kept<T>();
  }
  return *value;
}

/// OK if the condition is not 0; else prints the message with the place, and gives BAD_PARAMS.
SD_LIB_EXPORT Status conditionHelper(const char* file, int line, int condition, int argNumber, const char* format, ...);

/// OK if the status of a call is 0; else prints the call with its place, and gives BAD_INPUT.
template <typename T>
Status resultHelper(T status, const char* function, const char* file, int line) {
  const int code = static_cast<int>(status);
  if (code == 0) return Status::OK;
  conditionHelper(file, line, 0, 0, "%s gave the status %i", function, code);
  return Status::BAD_INPUT;
}

}  // namespace sd::ops

#include <ops/declarable/Registration.h>

#endif
