// Builds a random graph node by node; every node is computed at once, so that its value and its range are known.
#ifndef NDFORGE_TESTS_GRAPHGENERATORBUILDER_H
#define NDFORGE_TESTS_GRAPHGENERATORBUILDER_H

#include <set>
#include <string_view>

#include "GraphGeneratorCalls.h"

namespace sd::graphtest {

class GraphBuilder {
 public:
  struct Value {
    Place place;
    ArrayPtr array;
  };
  using Values = std::vector<Value>;
  using Arguments = std::vector<std::pair<std::string, ops::ArgumentValue>>;

  explicit GraphBuilder(uint64_t seed) : _seed(seed), _state(seed * 2 + 1) {}

  // ---- random choices

  uint64_t next();
  int below(int count) { return static_cast<int>(next() % static_cast<uint64_t>(count)); }
  bool chance(int percent) { return below(100) < percent; }
  double uniform(double least, double most);
  template <typename T>
  const T& oneOf(const std::vector<T>& values) {
    return values[static_cast<size_t>(below(static_cast<int>(values.size())))];
  }

  ArrayPtr randomArray(DataType type, const std::vector<LongType>& shape, double least = -1, double most = 1);
  std::vector<LongType> randomShape(int mostRank = 4);
  DataType randomFloatType();

  // ---- variables and nodes

  /// A plain variable, a constant or a placeholder.
  Value variable(ArrayPtr array);
  Value variable(DataType type, const std::vector<LongType>& shape, double least = -1, double most = 1) {
    return variable(randomArray(type, shape, least, most));
  }
  Value plainVariable(ArrayPtr array);
  /// A node; no values when the call does not fit the inputs or its values are out of range.
  Values add(const GeneratedCall& call, const Values& inputs);
  /// The same with an operation of the registry.
  Values add(const char* op, const Values& inputs, const Arguments& arguments = {});
  /// A value for the next node: often the last one. `isReal`: of a floating type.
  Value anyValue(bool isReal = true);
  const Values& values() const { return _values; }
  int size() const { return static_cast<int>(_nodes.size()); }
  /// A number for a node or a scope.
  int newId() { return _nextId += chance(10) ? 3 : 1; }

  // ---- for graphs with control flow

  /// A node that the caller made, with its values.
  void addMade(graph::Node* node) { _made.emplace_back(node); }
  void addValue(const Value& value);
  void expect(const Place& place, ArrayPtr array) { _expected[place] = std::move(array); }
  std::unique_ptr<graph::Node> makeNode(const GeneratedCall& call, int id, const std::vector<Place>& inputs) const;

  /// Allows values that are NaN or infinite.
  void allowSpecialValues() { _special = true; }
  bool areSpecialValuesAllowed() const { return _special; }
  /// The finished graph. The builder is empty then.
  GeneratedGraph finish(std::string_view kind);

 private:
  struct Record {
    GeneratedNode node;
    std::vector<ArrayPtr> outputs;
    int target = 0;           // a variable that is written
    bool keepsInput = false;  // not in place
  };
  enum class Kind { Plain, Constant, Placeholder };
  struct External {
    int id;
    Kind kind;
    ArrayPtr array;
  };

  uint64_t _seed, _state;
  bool _special = false;
  int _nextId = 0;
  Values _values;
  std::vector<Record> _nodes;
  std::vector<External> _variables;
  std::vector<std::unique_ptr<graph::Node>> _made;
  std::map<Place, ArrayPtr> _expected;

  bool isInRange(const NDArray& array) const;
  Value external(ArrayPtr array, Kind kind);
  std::vector<int> chooseResults(graph::Graph& graph);
  void addNodes(GeneratedGraph& generated);
};

}  // namespace sd::graphtest

#endif
