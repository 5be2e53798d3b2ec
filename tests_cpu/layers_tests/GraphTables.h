// The tables of graph files as plain structures, which may say anything.
#ifndef NDFORGE_TESTS_GRAPHTABLES_H
#define NDFORGE_TESTS_GRAPHTABLES_H

#include <graph/generated/graph_generated.h>
#include <graph/generated/result_generated.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace nd_test {

/// A vector that is not there is written as none.
template <typename T>
using Some = std::optional<std::vector<T>>;
using Text = std::optional<std::string>;
using Texts = Some<std::string>;

struct ArrayTable {
  Some<int64_t> shape;
  Some<int8_t> bytes;
  int dtype = 0, order = 0;
};

struct PropertyTable {
  Text name;
  Some<int32_t> i;
  Some<int64_t> l;
  Some<double> d;
  Some<ArrayTable> a;
  Some<uint8_t> b;
  Texts s;
  Some<int32_t> shape;
};

struct VariableTable {
  std::optional<std::pair<int, int>> id;
  Text name;
  int dtype = 0, type = 0;
  Some<int64_t> shape;
  std::optional<ArrayTable> array;
  Texts dependencies;
};

struct NodeTable {
  int id = 0, kind = 0, scope = 0, device = 0;
  int64_t number = 0;
  Text name, scopeName, operation;
  std::vector<PropertyTable> properties;
  Some<int32_t> input, output, dimensions;
  Some<std::pair<int, int>> pairs;
  Some<double> numbers;
  Some<int64_t> integers;
  Some<uint8_t> flags;
  Some<int8_t> types, outputTypes;
  Texts outputNames, dependencies, texts;
  std::optional<ArrayTable> scalar;
};

struct ConfigurationTable {
  int execution = 0, profiling = 0, output = 0, direction = 0;
  bool timed = false;
};

struct GraphTables {
  int64_t id = 0;
  std::vector<VariableTable> variables;
  std::vector<NodeTable> nodes;
  std::vector<std::pair<int, int>> outputs;
  std::optional<ConfigurationTable> configuration;
  std::vector<std::string> placeholders;

  /// The tables in the bytes of a graph file.
  static GraphTables of(const std::string& bytes);
  std::string bytes() const;
  /// The id, the variables and the configuration.
  std::string requestBytes() const;
  /// The id and the variables.
  std::string resultBytes() const;
};

}  // namespace nd_test

#endif
