// The arguments of a call of an operation, without its arrays.
#ifndef NDFORGE_GRAPH_CONTEXTPROTOTYPE_H
#define NDFORGE_GRAPH_CONTEXTPROTOTYPE_H

#include <array/DataType.h>
#include <execution/Engine.h>
#include <execution/ExecutionMode.h>
#include <graph/RandomGenerator.h>
#include <ops/declarable/OpDescriptor.h>
#include <system/common.h>
#include <types/boxed.h>

#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace sd {
class LaunchContext;
class NDArray;
}  // namespace sd

namespace sd::graph {

/// Not thread-safe: a single thread must prepare and make a call.
class SD_LIB_EXPORT ContextPrototype {
 public:
  explicit ContextPrototype(ops::OpDescriptor* opDescriptor = nullptr, int nodeId = 1, bool inPlace = false);

  // The order of the virtual functions and of the members is that of libnd4j: ND4J's JNI library calls the former, and
  // destroys the latter, itself.

  /// The type requested for output `index`; FLOAT32 when none was requested.
  virtual DataType dataType() const { return dataType(0); }
  virtual DataType dataType(int index) const;
  virtual void setDataType(int index, DataType type);
  /// Number of inputs.
  virtual unsigned long width() const { return _inputs.size(); }
  virtual ~ContextPrototype() = default;

  int getNodeId() const { return _nodeId; }
  int nodeId() const { return _nodeId; }
  void setNodeId(int id) { _nodeId = id; }
  int opNum() const { return _opNum; }
  /// The number of a numbered operation; -1: the number of the operation object.
  void setOpNum(int opNum) { _opNum = opNum; }
  bool isInplace() const { return _inplace; }
  void markInplace(bool inPlace) { _inplace = inPlace; }
  void setOpDescriptor(ops::OpDescriptor* descriptor) { _opDescriptor = descriptor; }
  ops::OpDescriptor* opDescriptor() const { return _opDescriptor; }

  // ---- inputs in a variable space, as (node or variable, output) pairs

  std::vector<std::pair<int, int>>* inputs() { return &_inputs; }
  std::pair<int, int>* input(int index) { return &_inputs.at(static_cast<size_t>(index)); }
  void pickInput(int node) { _inputs.emplace_back(node, 0); }
  void pickInput(int node, int output) { _inputs.emplace_back(node, output); }
  void pickInput(std::pair<int, int>& input) { _inputs.push_back(input); }
  void fillInputs(std::initializer_list<int> ids);
  void fillInputs(std::vector<int>& ids);
  bool hasVariablesFilled() const { return !_inputs.empty(); }

  // ---- arguments

  std::vector<double>* getTArguments() { return &_tArgs; }
  /// Values that do not fit into 32 bits are clipped here; intArgument64 returns them unclipped.
  std::vector<int>* getIArguments() { return &_iArgs; }
  std::vector<bool>* getBArguments() { return &_bArgs; }
  std::vector<DataType>* getDArguments() { return &_dArgs; }
  std::vector<int>* getAxis() { return &_axis; }
  const std::vector<int>& axes() const { return _axis; }
  const std::vector<double>& floatArguments() const { return _tArgs; }
  /// The integers before they were clipped to 32 bits; empty when there was no need.
  const std::vector<LongType>& longArguments() const { return _longArgs.get(); }
  size_t numT() const { return _tArgs.size(); }
  size_t numI() const { return _iArgs.size(); }
  size_t numB() const { return _bArgs.size(); }
  size_t numD() const { return _dArgs.size(); }

  /// @throws std::out_of_range, with a message that names the operation and the number of its arguments
  int intArgument(size_t index) const;
  LongType intArgument64(size_t index) const;
  double floatArgument(size_t index) const;
  bool boolArgument(size_t index) const;
  DataType typeArgument(size_t index) const;

  void appendI(const std::vector<LongType>& values) { appendInts(values.data(), values.size()); }
  void appendI(LongType value) { appendInts(&value, 1); }
  void appendT(double value) { _tArgs.push_back(value); }
  void appendB(bool value) { _bArgs.push_back(value); }
  void appendD(DataType value) { _dArgs.push_back(value); }

  /// Whether the arguments of every kind are equal; contexts with equal arguments have equal hashes.
  bool sameArguments(const ContextPrototype& other) const;
  size_t argumentsHash() const;

  // ---- how to run

  bool hasDataType(int index = 0) const {
    return index >= 0 && static_cast<size_t>(index) < _dataTypes.size() &&
           _dataTypes[static_cast<size_t>(index)] != INHERIT;
  }
  samediff::Engine engine() const { return _engine; }
  void setTargetEngine(samediff::Engine engine) { _engine = engine; }
  bool isUseONEDNN() const { return _useOneDnn; }
  void setUseONEDNN(bool use) { _useOneDnn = use; }
  /// Seeded from the clock if it is used before a seed was set.
  RandomGenerator& randomGenerator() {
    seedOnce();
    return _randomGenerator;
  }
  const RandomGenerator& getRng() const {
    seedOnce();
    return _randomGenerator;
  }
  void setRng(const RandomGenerator& generator) { _randomGenerator = generator; }
  void setRandomGenerator(const RandomGenerator& generator) { setRng(generator); }
  uint64_t randomSeed() const { return _randomSeed; }
  void setRandomSeed(uint64_t seed) { _randomSeed = seed; }

  ContextPrototype* clone() const { return new ContextPrototype(*this); }
  template <typename N>
  ContextPrototype* asT() const {
    return clone();
  }

 protected:
  ContextPrototype(const ContextPrototype&) = default;
  ContextPrototype& operator=(const ContextPrototype&) = default;

  void appendInts(const LongType* values, size_t count);
  /// Makes everything as new; lists keep their memory.
  void clearPrototype();

  std::vector<std::pair<int, int>> _inputs;
  int _nodeId = 1;
  std::vector<double> _tArgs;
  std::vector<int> _iArgs;
  std::vector<bool> _bArgs;
  std::vector<int> _axis;
  std::vector<DataType> _dArgs;
  int _opNum = -1;
  bool _inplace = false;
  ops::OpDescriptor* _opDescriptor = nullptr;
  uint64_t _randomSeed = 119;
  // Seeded only on demand: few operations need the generator, and reading the clock takes as long as a small call.
  mutable RandomGenerator _randomGenerator{RandomGenerator::UNSEEDED};
  std::vector<DataType> _dataTypes;
  samediff::Engine _engine = samediff::ENGINE_CPU;
  alignas(8) bool _useOneDnn = true;
  detail::Boxed<std::vector<LongType>> _longArgs;  // the values of _iArgs before clipping

  void seedOnce() const {
    if (!_randomGenerator.isSeeded()) _randomGenerator.setStates(0);
  }
  [[noreturn]] void missingArgument(const char* kind, size_t index, size_t given) const;
};

}  // namespace sd::graph

#endif
