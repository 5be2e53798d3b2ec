// The registry's description of an operation.
#ifndef NDFORGE_OPS_DECLARABLE_OPDESCRIPTOR_H
#define NDFORGE_OPS_DECLARABLE_OPDESCRIPTOR_H

#include <array/DataType.h>
#include <ops/InputType.h>
#include <system/common.h>
#include <types/boxed.h>

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sd::ops {

class Schema;

/// A set of element types.
class SD_LIB_EXPORT TypeSet {
 public:
  TypeSet() = default;
  TypeSet(std::initializer_list<DataType> types);
  explicit TypeSet(const std::vector<DataType>& types);

  void add(DataType type);
  /// A set that contains ANY contains every type but COMPLEX64 and COMPLEX128, which must be named.
  bool contains(DataType type) const {
    if (static_cast<unsigned>(type) < 64 && (_bits >> static_cast<unsigned>(type) & 1) != 0) return true;
    return _any && type != COMPLEX64 && type != COMPLEX128;
  }
  bool empty() const { return !_any && _bits == 0; }
  bool any() const { return _any; }
  /// INHERIT means the type of some input.
  bool inherits() const { return (_bits & 1) != 0; }
  std::vector<DataType> types() const;

 private:
  UnsignedLong _bits = 0;
  bool _any = false;
};

/// Built once for each operation; reading it is thread-safe.
class SD_LIB_EXPORT OpDescriptor {
 public:
  OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace);
  OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace);
  OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, bool divergent);
  OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace, bool divergent);
  OpDescriptor(int numInputs, int numOutputs, const char* name, bool allowsInplace, int tArgs, int iArgs);
  OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, int tArgs, int iArgs);
  OpDescriptor(int numInputs, int numOutputs, std::string name, bool allowsInplace, bool divergent, int tArgs,
               int iArgs);
  /// A boolean operation.
  OpDescriptor(int numInputs, std::string name, bool isScalar);
  /// A logic operation.
  OpDescriptor(const char* name, bool isLogic);

  /// Equal names, arities and argument counts.
  bool operator==(const OpDescriptor& other) const;

  std::string* getOpName() { return &_name; }
  const std::string& name() const { return _name; }
  /// HashHelper's hash of the name, unless another one is set.
  LongType getHash() { return _hash; }
  void setHash(LongType hash) { _hash = hash; }
  int getNumberOfInputs() const { return _numInputs; }
  int getNumberOfOutputs() const { return _numOutputs; }
  int getNumberOfTArgs() const { return _tArgs; }
  int getNumberOfIArgs() const { return _iArgs; }
  int getOpNum() const { return _opNum; }
  void setOpNum(int opNum) { _opNum = opNum; }
  bool isDivergent() const { return _divergent; }
  bool isScalar() const { return _scalar; }
  bool isLogic() const { return _logic; }
  bool allowsInplace() const { return _allowsInplace; }
  void allowInplace(bool allow) { _allowsInplace = allow; }

  // ---- types. An empty set allows everything, for inputs but complex numbers; a set for one index takes precedence
  // over the general one.

  OpDescriptor* setAllowedInputTypes(std::initializer_list<DataType> types);
  OpDescriptor* setAllowedInputTypes(DataType type);
  OpDescriptor* setAllowedInputTypes(int index, const std::vector<DataType>& types);
  OpDescriptor* setAllowedInputTypes(int index, DataType type);
  OpDescriptor* setAllowedOutputTypes(std::initializer_list<DataType> types);
  OpDescriptor* setAllowedOutputTypes(DataType type);
  OpDescriptor* setAllowedOutputTypes(int index, const std::vector<DataType>& types);
  OpDescriptor* setAllowedOutputTypes(int index, DataType type);
  OpDescriptor* setInputType(int index, DataType type) { return setAllowedInputTypes(index, type); }
  OpDescriptor* setOutputType(int index, DataType type) { return setAllowedOutputTypes(index, type); }
  /// Output i has the type of input i (of input 0 when there is no input i).
  OpDescriptor* setSameMode(bool same);
  OpDescriptor* allowOverride(bool allow);
  OpDescriptor* setInputType(InputType type);

  bool checkInputMatch(int index, DataType type) const {
    const TypeSet& allowed = inputTypes(index);
    return allowed.contains(type) || (allowed.empty() && type != COMPLEX64 && type != COMPLEX128);
  }
  bool checkOutputMatch(int index, DataType type) const {
    const TypeSet& allowed = outputTypes(index);
    return allowed.contains(type) || allowed.empty();
  }
  bool isSameMode() const { return _sameMode; }
  bool isInherit(int index) const { return outputTypes(index).inherits(); }
  bool isOverrideAllowed() const { return _overrideAllowed; }
  std::vector<DataType> getOutputTypesForOutput(int index) const { return outputTypes(index).types(); }
  InputType inputType() const { return _inputType; }
  const TypeSet& inputTypes(int index) const { return typesAt(_places.get().inputTypes, index, _inputTypes); }
  const TypeSet& outputTypes(int index) const { return typesAt(_places.get().outputTypes, index, _outputTypes); }

  // ---- further properties

  /// The operation itself writes outputs of any type that outputTypes() allow. Otherwise, if a given output has another
  /// type than the shape function says, the result is converted.
  OpDescriptor* setConvertsOutputs(bool converts = true);
  bool convertsOutputs() const { return _convertsOutputs; }

  /// The operation reads its outputs (beta * z): outputs that the caller does not give are zero-filled.
  OpDescriptor* setReadsOutputs(bool reads = true);
  bool readsOutputs() const { return _readsOutputs; }

  /// All inputs but the first may be null, for optional inputs in the middle of the list.
  OpDescriptor* setAllowsNullInputs(bool allows = true);
  /// Exactly these inputs may be null. @throws std::invalid_argument for indices outside 0..31
  OpDescriptor* setNullableInputs(std::initializer_list<int> indices);
  /// Input `index` may be null, besides those that may already be.
  OpDescriptor* addNullableInput(int index);
  bool allowsNullInputs() const { return _nullableInputs != 0; }
  /// Whether input `index` may be null. Operations defined by programs also accept nulls after their declared inputs.
  bool passesNullInput(int index) const {
    return (_nullableInputs >> (index < 31 ? index : 31) & 1) != 0 ||
           (!_builtIn && _numInputs > 0 && index >= _numInputs);
  }
  /// The operation belongs to this library.
  void markBuiltIn() { _builtIn = true; }
  bool isBuiltIn() const { return _builtIn; }

  /// The results depend on the context's random generator.
  OpDescriptor* setRandom(bool random = true);
  bool isRandom() const { return _random; }

  /// Output `output` shares the memory of input `input`.
  OpDescriptor* setView(int output, int input);
  const std::map<int, int>& viewMap() const { return _places.get().views; }

  /// The definition. Operations of the older macros may state a part of it, such as
  /// getOpDescriptor()->schema().summary("What it computes."); without rows their arguments have no names.
  Schema& schema();
  /// nullptr when schema() was never called.
  const Schema* statedSchema() const { return _schema.get(); }

  /// The macro family: "custom", "configurable", "reduction", "boolean", "broadcastable", "list", "logic", "numbered".
  const char* kind() const { return _kind; }
  void setKind(const char* kind) { _kind = kind; }

 private:
  struct Places {
    // By index; indices without a set of their own hold none.
    std::vector<std::optional<TypeSet>> inputTypes, outputTypes;
    std::map<int, int> views;
  };

  std::string _name;
  LongType _hash = 0;
  int _numInputs, _numOutputs;
  int _tArgs = 0, _iArgs = 0;
  int _opNum = 0;
  bool _allowsInplace = false, _divergent = false, _scalar = false, _logic = false;
  bool _sameMode = false, _overrideAllowed = false;
  bool _convertsOutputs = false, _readsOutputs = false, _random = false, _builtIn = false;
  unsigned _nullableInputs = 0;  // bit k: input k; the last bit: all inputs from there on
  InputType _inputType = InputType_NUMERIC;
  TypeSet _inputTypes, _outputTypes;
  sd::detail::Boxed<Places> _places;
  const char* _kind = "custom";
  std::shared_ptr<Schema> _schema;

  static const TypeSet& typesAt(const std::vector<std::optional<TypeSet>>& at, int index, const TypeSet& others) {
    const auto place = static_cast<size_t>(index);
    return place < at.size() && at[place] ? *at[place] : others;
  }
  void setTypesAt(std::vector<std::optional<TypeSet>>& at, int index, TypeSet types) const;
};

}  // namespace sd::ops

#endif
