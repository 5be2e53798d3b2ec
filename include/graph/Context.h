// One call of an operation: its arrays and arguments.
#ifndef NDFORGE_GRAPH_CONTEXT_H
#define NDFORGE_GRAPH_CONTEXT_H

#include <array/NDArray.h>
#include <graph/ContextPrototype.h>
#include <graph/RepeatedCall.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <memory/Workspace.h>
#include <ops/declarable/Arguments.h>

#include <any>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

/// Arrays are set directly ("fast path": setInputArray, setOutputArray) or are in a variable space, where input k is
/// the variable that inputs() names and output k is the variable (nodeId, k). A context can be used for many calls; it
/// neither copies nor owns arrays unless told to. A call with arrays that were set directly gets a variable space of
/// its own when one is asked for: input k is the variable -(k + 1) there, and output k the variable (nodeId, k).
/// Outputs that a call had to make stay in fastpath_out() and belong to the context. The next call writes to them
/// again, or replaces them if its results have another shape or type.
class SD_LIB_EXPORT Context : public ContextPrototype {
 public:
  explicit Context(int nodeId, VariableSpace* variableSpace = nullptr);
  Context(int nodeId, VariableSpace* variableSpace, bool isInplace);
  Context(ContextPrototype* prototype, VariableSpace* variableSpace);
  ~Context() override;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  // ---- arrays set directly

  /// Negative indices throw std::runtime_error. removable: the context deletes the array.
  void setInputArray(int index, NDArray* array, bool removable = false);
  void setOutputArray(int index, NDArray* array, bool removable = false);
  /// Arrays on the caller's memory, which must outlive the calls. @throws std::runtime_error for a null or broken
  /// shapeInfo, and a null buffer of an array that is not empty
  void setInputArray(int index, void* buffer, const void* shapeInfo, void* specialBuffer, const void* specialShapeInfo);
  void setOutputArray(int index, void* buffer, const void* shapeInfo, void* specialBuffer,
                      const void* specialShapeInfo);
  /// Arrays on a shared buffer: `dataBuffer` is an InteropDataBuffer*.
  void setInputArray(int index, void* dataBuffer, const void* shapeInfo, const void* specialShapeInfo);
  void setOutputArray(int index, void* dataBuffer, const void* shapeInfo, const void* specialShapeInfo);

  std::vector<NDArray*>& fastpath_in() { return _inputArrays; }
  std::vector<NDArray*>& fastpath_out() { return _outputArrays; }
  /// True when inputs and outputs were set (or inputs, if the call is in place), or when some of them were set and the
  /// fast path is not forbidden.
  bool isFastPath() const;
  void forbidFastPath(bool forbid) { _forbidFastPath = forbid; }
  /// Removes arrays and arguments.
  void clearFastPath();
  /// Removes the arrays.
  void clearArrays();
  /// Makes the context as new, except that it keeps memory, and what it remembers of the last call.
  void reset();

  // The pointer overloads replace the arguments, the vector overloads append to them.
  void setTArguments(const double* values, int count);
  void setIArguments(const LongType* values, int count);
  void setBArguments(const bool* values, int count);
  void setDArguments(const DataType* values, int count);
  void setTArguments(const std::vector<double>& values) { _tArgs.insert(_tArgs.end(), values.begin(), values.end()); }
  void setIArguments(const std::vector<LongType>& values) { appendInts(values.data(), values.size()); }
  void setBArguments(const std::vector<bool>& values) { _bArgs.insert(_bArgs.end(), values.begin(), values.end()); }
  void setDArguments(const std::vector<DataType>& values) { _dArgs.insert(_dArgs.end(), values.begin(), values.end()); }

  // ---- arguments by name. They take precedence over the positional ones.

  /// Replaces the argument's value if it has one.
  void setArgument(const std::string& name, ops::ArgumentValue value);
  /// Sets all arguments that have names: the struct of the operation that will be called.
  template <typename S>
  void setArguments(const S& arguments) {
    setArguments(ops::argumentStruct<S>, &arguments);
  }
  void setArguments(const ops::ArgumentStruct& type, const void* arguments) {
    type.copy(_givenArguments.prepare(type), arguments);
  }
  const std::vector<std::pair<std::string, ops::ArgumentValue>>& namedArguments() const { return _namedArguments; }
  const ops::ArgumentBlock& givenArguments() const { return _givenArguments; }
  void clearNamedArguments() {
    if (!_namedArguments.empty()) {
      _namedArguments.clear();
      _namedVersion++;
    }
    _givenArguments.clear();
    _byName = false;
  }
  /// Makes the call one by name: what is not set has its default, however many positional arguments the operation
  /// demands.
  void callByName() {
    clearNamedArguments();
    _byName = true;
  }
  bool hasNamedArguments() const { return _byName || !_namedArguments.empty() || _givenArguments.data() != nullptr; }
  bool isCalledByName() const { return _byName; }
  /// Changes whenever an argument is set by its name, or such arguments are removed.
  size_t namedVersion() const { return _namedVersion; }
  /// The struct that the running operation reads: ops::arguments<S>(block).
  ops::ArgumentBlock& argumentBlock() { return _arguments; }

  /// What inference computed for the body, of one type in each call.
  template <typename T>
  void keep(T value, bool byInference = false) {
    if (T* place = std::any_cast<T>(&_kept))
      *place = std::move(value);
    else
      _kept = std::move(value);
    _hasKept = true;
    _keptByInference = byInference;
  }
  /// As keep(): a T to be filled, which holds what the last call of its kind left there.
  template <typename T>
  T& keptPlace(bool byInference = false) {
    if (std::any_cast<T>(&_kept) == nullptr) _kept.emplace<T>();
    _hasKept = true;
    _keptByInference = byInference;
    return *std::any_cast<T>(&_kept);
  }
  /// nullptr when nothing of this type was kept in this call.
  template <typename T>
  T* kept() {
    return _hasKept ? std::any_cast<T>(&_kept) : nullptr;
  }
  void forgetKept() { _hasKept = false; }
  /// Before a prepared call runs again: what inference kept is still right, what the body kept is not.
  void keepInferred() { _hasKept = _keptByInference; }

  // ---- repeated calls

  /// Called after the shapes of a call were inferred from nothing but arguments and shapes: from the second call in a
  /// row on, they are remembered.
  void rememberCall(const OperationKey& op, const ops::OpDescriptor& descriptor, const ShapeList& inputs,
                    const ShapeList& outputs);
  void forgetCall() {
    _isRepetition = false;
    if (_lastCall != nullptr) _lastCall->forget();
  }
  /// Whether this call of `op` repeats the last one. The arguments are read then, and inference need not run.
  bool beginRepetition(const OperationKey& op) {
    _isRepetition = _lastCall != nullptr && _lastCall->matches(*this, op);
    if (_isRepetition) _hasKept = _keptByInference;
    return _isRepetition;
  }
  void endRepetition() { _isRepetition = false; }
  /// The operation whose call is remembered, or will be if it is repeated.
  const OperationKey& lastOperation() const { return _lastOperation; }
  /// The shapes of the outputs; nullptr when the call is no repetition.
  const ShapeList* repeatedShapes() const { return _isRepetition ? &_lastCall->outputs() : nullptr; }

  /// The operation whose arguments were read in this call; nullptr outside of calls.
  const void* preparedFor() const { return _preparedFor; }
  void setPreparedFor(const void* op) { _preparedFor = op; }

  // ---- reading

  /// Input `index`; nullptr when nullptr was set. @throws std::runtime_error when there is no such input,
  /// std::runtime_error for a variable without an array
  NDArray* array(int index) const {
    return static_cast<size_t>(index) < _inputArrays.size() ? _inputArrays[static_cast<size_t>(index)]
                                                            : variableArray(index);
  }
  NDArray* getNDArray(int index) const { return array(index); }
  /// Input `index`, or nullptr when it was not set.
  NDArray* optionalArray(int index) const {
    return static_cast<size_t>(index) < _inputArrays.size() ? _inputArrays[static_cast<size_t>(index)]
                                                            : optionalVariableArray(index);
  }
  /// Number of outputs that were set directly or made by a call.
  int numberOfOutputs() const { return static_cast<int>(_outputArrays.size()); }
  /// Output `index`, or nullptr when there is none.
  NDArray* optionalOutput(int index) const {
    return static_cast<size_t>(index) < _outputArrays.size() ? _outputArrays[static_cast<size_t>(index)] : nullptr;
  }
  /// Whether output `index` was made by a call of an operation because none was set.
  bool isMadeOutput(int index) const;
  /// Makes `array` output `index`; it belongs to the context until it is replaced or the arrays are removed.
  void keepMadeOutput(int index, std::unique_ptr<NDArray> array);
  /// Number of inputs.
  unsigned long width() const override { return _inputArrays.empty() ? _inputs.size() : _inputArrays.size(); }

  /// @throws std::runtime_error when the variable does not exist
  Variable* variable(int index) const;
  Variable* getVariable(int index) const { return variable(index); }
  Variable* variable(int node, int index) const;
  Variable* variable(std::pair<int, int>& pair) const { return variable(pair.first, pair.second); }
  Variable* variable(std::initializer_list<int> pair) const;
  /// The variable of output `index`; makes it if it does not exist.
  Variable* ensureVariable(int index = 0);
  bool isValueAvailable(int index = 0) const;
  void pushNDArrayToVariableSpace(int node, int index, NDArray* array, bool removable = true);
  void pushNDArrayToVariableSpace(std::pair<int, int>& pair, NDArray* array, bool removable = true);
  void pushNDArrayListToVariableSpace(int node, int index, NDArrayList* list, bool track = true);
  void pushNDArrayListToVariableSpace(std::pair<int, int>& pair, NDArrayList* list, bool track = true);
  /// The variable space will delete the list.
  void trackList(NDArrayList* list);

  /// The space that was given, or else the call's own, which exists as long as the arrays that were set. nullptr for a
  /// context without a space and without arrays, outside of calls.
  VariableSpace* getVariableSpace() const;
  /// The space that was given, or nullptr.
  VariableSpace* givenVariableSpace() const { return _variableSpace; }
  void setVariableSpace(VariableSpace* space) { _variableSpace = space; }
  Stash* getStash() const;
  /// The inputs in the variable space, own or given.
  std::vector<std::pair<int, int>>* inputs();
  std::pair<int, int>* input(int index) { return &inputs()->at(static_cast<size_t>(index)); }

  /// The array that an operation has put into the call's own space in place of output `index`, or nullptr.
  NDArray* pushedOutput(int index) const { return _ownSpace == nullptr ? nullptr : findPushedOutput(index); }
  /// As pushedOutput(), for the caller to keep: a copy if it does not belong to the space.
  std::unique_ptr<NDArray> takePushedOutput(int index);
  /// Gives the call's own space, if there is one, the arrays that the call has now.
  void updateOwnSpace() {
    if (_ownSpace != nullptr) fillOwnSpace();
  }
  /// Whether the caller of the operation will take what it has pushed in place of outputs.
  bool takesPushedOutputs() const { return _takesPushedOutputs; }
  void setTakesPushedOutputs(bool takes) { _takesPushedOutputs = takes; }

  // ---- how to run

  memory::Workspace* workspace() const { return _workspace; }
  memory::Workspace* getWorkspace() const { return _workspace; }
  void attachWorkspace(memory::Workspace* workspace) { _workspace = workspace; }
  void forgetWorkspace() { _workspace = nullptr; }
  bool hasWorkspaceProvided() const { return _workspace != nullptr; }
  LaunchContext* launchContext() const { return LaunchContext::defaultContext(); }
  void setCudaContext(Pointer, Pointer, Pointer) {}

  bool helpersAllowed() const { return _helpersAllowed; }
  void allowHelpers(bool allow) { _helpersAllowed = allow; }
  /// If true, the caller guarantees the shapes of the outputs: the shape function is not called.
  bool shapeFunctionOverride() const { return _shapeFunctionOverride; }
  void setShapeFunctionOverride(bool override_) { _shapeFunctionOverride = override_; }
  samediff::ExecutionMode executionMode() const { return _executionMode; }
  void setExecutionMode(samediff::ExecutionMode mode) { _executionMode = mode; }
  bool isTraining() const { return _executionMode == samediff::MODE_TRAINING; }
  bool isInference() const { return _executionMode == samediff::MODE_INFERENCE; }
  int getBranch() const;
  void setBranch(int branch);
  LongType getOuterTime() const { return _outerTime; }
  LongType getInnerTime() const { return _innerTime; }
  void setOuterTime(LongType nanoseconds) { _outerTime = nanoseconds; }
  void setInnerTime(LongType nanoseconds) { _innerTime = nanoseconds; }

 private:
  struct OwnSpace;

  VariableSpace* _variableSpace = nullptr;
  memory::Workspace* _workspace = nullptr;
  std::vector<NDArray*> _inputArrays, _outputArrays;
  std::vector<std::unique_ptr<NDArray>> _ownedInputs, _ownedOutputs;  // by index; null where the caller owns the array
  std::vector<const NDArray*> _madeOutputs;                           // by index; null where the caller set an array
  samediff::ExecutionMode _executionMode = samediff::MODE_UNDEFINED;
  bool _helpersAllowed = true;
  bool _shapeFunctionOverride = false;
  bool _forbidFastPath = false;
  bool _hasKept = false, _keptByInference = false, _isRepetition = false, _byName = false;
  bool _takesPushedOutputs = false;
  const void* _preparedFor = nullptr;
  ops::ArgumentBlock _arguments, _givenArguments;
  std::vector<std::pair<std::string, ops::ArgumentValue>> _namedArguments;
  size_t _namedVersion = 0;
  std::any _kept;
  OperationKey _lastOperation;
  std::unique_ptr<RepeatedCall> _lastCall;
  int _branch = 0;
  LongType _outerTime = 0, _innerTime = 0;
  mutable std::unique_ptr<OwnSpace> _ownSpace;

  void fillOwnSpace() const;
  NDArray* findPushedOutput(int index) const;
  NDArray* variableArray(int index) const;
  NDArray* optionalVariableArray(int index) const;
  [[noreturn]] void missingInput(int index) const;
};

}  // namespace sd::graph

#endif
