#include "GraphAttacks.h"

#include <array/NDArray.h>
#include <graph/Graph.h>
#include <graph/GraphDrawing.h>
#include <graph/Session.h>
#include <gtest/gtest.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "GraphSamples.h"
#include "graph/Interpreter.h"

using namespace sd;
using namespace sd::graph;

namespace nd_test {
namespace {

/// What an execution throws.
void expectNamed(const std::exception& error) {
  EXPECT_NE(std::string(error.what()).find(MUTANT), std::string::npos) << error.what();
}

template <typename T>
const T& oneOf(Random& random, const std::vector<T>& values) {
  return values[below(random, values.size())];
}

int64_t hostile(Random& random) {
  static const std::vector<int64_t> values = {0,
                                              1,
                                              2,
                                              3,
                                              5,
                                              10,
                                              11,
                                              20,
                                              -1,
                                              -2,
                                              -3,
                                              -9,
                                              31,
                                              32,
                                              33,
                                              64,
                                              127,
                                              -128,
                                              255,
                                              1000,
                                              65536,
                                              1 << 20,
                                              1 << 30,
                                              (1 << 30) + 1,
                                              INT32_MAX,
                                              INT32_MIN,
                                              INT32_MIN + 1,
                                              int64_t{1} << 31,
                                              int64_t{1} << 32,
                                              int64_t{1} << 40,
                                              int64_t{1} << 61,
                                              int64_t{1} << 62,
                                              INT64_MAX,
                                              INT64_MAX - 1,
                                              INT64_MIN,
                                              INT64_MIN + 1};
  return oneOf(random, values);
}

int hostileInt(Random& random) { return static_cast<int>(hostile(random)); }

double hostileNumber(Random& random) {
  static const std::vector<double> values = {0,
                                             -0.,
                                             1,
                                             -1,
                                             0.5,
                                             2,
                                             3,
                                             100,
                                             1e9,
                                             -1e9,
                                             1e19,
                                             1e300,
                                             -1e300,
                                             5e-324,
                                             std::numeric_limits<double>::infinity(),
                                             -std::numeric_limits<double>::infinity(),
                                             std::nan("")};
  return oneOf(random, values);
}

std::string hostileText(Random& random) {
  static const std::vector<std::string> texts = {"",
                                                 "x",
                                                 "start",
                                                 "row",
                                                 "1",
                                                 "-1",
                                                 "1:1",
                                                 "{}",
                                                 "%s%n",
                                                 "\xFF\xFE",
                                                 "\n\t\x1b[31m",
                                                 std::string("a\0b", 3),
                                                 "add",
                                                 "scalar.Add",
                                                 "ndforge:inplace"};
  return oneOf(random, texts);
}

/// Changes, adds or removes a value.
template <typename T, typename F>
void changeList(std::vector<T>& values, Random& random, F&& value) {
  switch (below(random, 6)) {
    case 0:
      if (!values.empty()) values.erase(values.begin() + static_cast<long>(below(random, values.size())));
      return;
    case 1:
      values.push_back(value());
      return;
    case 2:
      values.insert(values.begin(), value());
      return;
    case 3:
      if (below(random, 4) == 0) values.assign(below(random, 2) == 0 ? 40 : 3000, value());
      return;
    default:
      if (!values.empty())
        values[below(random, values.size())] = value();
      else
        values.push_back(value());
  }
}

template <typename T, typename F>
void change(Some<T>& values, Random& random, F&& value) {
  if (values && below(random, 10) == 0) {
    values.reset();
    return;
  }
  if (!values) values.emplace();
  changeList(*values, random, value);
}

void change(Text& text, Random& random) {
  if (below(random, 6) == 0)
    text.reset();
  else
    text = below(random, 20) == 0 ? std::string(70000, 'n') : hostileText(random);
}

void change(Texts& texts, Random& random) {
  change(texts, random, [&] { return hostileText(random); });
}

int anyType(Random& random) { return static_cast<int>(below(random, 5) == 0 ? random() % 256 - 128 : random() % 20); }

void change(ArrayTable& array, Random& random) {
  if (!array.shape) array.shape = std::vector<int64_t>{1, 2, 1, 8192, 1, 'c'};
  if (!array.bytes) array.bytes.emplace(16);
  auto& shape = *array.shape;
  auto& bytes = *array.bytes;
  switch (below(random, 9)) {
    case 0:
    case 1:
      if (!shape.empty()) shape[below(random, shape.size())] = hostile(random);
      return;
    case 2:
      return changeList(shape, random, [&] { return hostile(random); });
    case 3:
      bytes.resize(below(random, 2 * bytes.size() + 9));
      return;
    case 4:
      array.dtype = anyType(random);
      // With the flags of the new type the array may be valid.
      if (shape.size() >= 4 && ArrayOptions::isStorable(static_cast<DataType>(array.dtype)))
        shape[shape.size() - 3] = ArrayOptions::flagsOfDataType(static_cast<DataType>(array.dtype));
      return;
    case 5:
      array.order = hostileInt(random);
      return;
    case 6: {  // texts, of which some offsets are wrong
      const size_t count = below(random, 4);
      static const std::vector<int> types = {UTF8, UTF16, UTF32};
      array.dtype = oneOf(random, types);
      shape = {1,  static_cast<int64_t>(count), 1, ArrayOptions::flagsOfDataType(static_cast<DataType>(array.dtype)), 1,
               'c'};
      std::vector<int64_t> offsets;
      for (size_t i = 0; i <= count; i++) offsets.push_back(static_cast<int64_t>(4 * i));
      if (below(random, 2) == 0) offsets[below(random, offsets.size())] = hostile(random);
      bytes.assign(8 * offsets.size() + 4 * count, static_cast<int8_t>(random()));
      for (size_t i = 0; i < 8 * offsets.size(); i++) bytes[i] = static_cast<int8_t>(offsets[i / 8] >> (8 * (i % 8)));
      return;
    }
    case 7:  // other elements
      for (int8_t& byte : bytes) byte = static_cast<int8_t>(random());
      return;
    default: {  // another rank, with as many elements
      const auto count = static_cast<int64_t>(bytes.size() / 4);
      static const int64_t FLOAT_FLAG = ArrayOptions::flagsOfDataType(FLOAT32);
      array.dtype = FLOAT32;
      if (below(random, 2) == 0)
        shape = {3, 1, count, 1, count, 1, 1, FLOAT_FLAG, 1, 'c'};
      else
        shape = {0, FLOAT_FLAG, 1, 'c'};
    }
  }
}

void change(std::optional<ArrayTable>& array, Random& random) {
  if (array && below(random, 8) == 0)
    array.reset();
  else if (!array)
    change(array.emplace(), random);
  else
    change(*array, random);
}

class Mutation {
 public:
  Mutation(GraphTables& tables, Random& random) : _tables(tables), _random(random) {}

  void run() {
    switch (below(_random, 12)) {
      case 0:
        return changeGraph();
      case 1:
      case 2:
      case 3:
        return changeVariable();
      case 4:
        return addScopes();
      default:
        return changeNode();
    }
  }

 private:
  GraphTables& _tables;
  Random& _random;

  size_t pick(size_t n) { return below(_random, n); }
  bool oneIn(size_t n) { return pick(n) == 0; }
  NodeTable& anyNode() { return _tables.nodes[pick(_tables.nodes.size())]; }

  /// Mostly a number that something has.
  int anyNumber() {
    if (oneIn(6)) return hostileInt(_random);
    const size_t k = pick(_tables.nodes.size() + _tables.variables.size());
    if (k < _tables.nodes.size()) return _tables.nodes[k].id;
    const auto& id = _tables.variables[k - _tables.nodes.size()].id;
    return id ? id->first : 0;
  }
  std::pair<int, int> anyPlace() { return {anyNumber(), oneIn(3) ? hostileInt(_random) : static_cast<int>(pick(2))}; }
  std::string anyName() {
    if (oneIn(3)) return hostileText(_random);
    if (!_tables.nodes.empty() && oneIn(2)) return anyNode().name.value_or("");
    return _tables.variables.empty() ? "" : _tables.variables[pick(_tables.variables.size())].name.value_or("");
  }
  static ops::DeclarableOp& anyOperation(Random& random) {
    static const std::vector<ops::DeclarableOp*> operations = ops::OpRegistrator::getInstance().operations();
    return *oneOf(random, operations);
  }

  void changeGraph() {
    switch (pick(8)) {
      case 0:
        return changeList(_tables.outputs, _random, [&] { return anyPlace(); });
      case 1:
        if (!_tables.configuration) _tables.configuration.emplace();
        (oneIn(2) ? _tables.configuration->output : _tables.configuration->profiling) = static_cast<int>(pick(6)) - 1;
        return;
      case 2:
        _tables.configuration.reset();
        return;
      case 3:
        return changeList(_tables.placeholders, _random, [&] { return anyName(); });
      case 4:
        std::shuffle(_tables.nodes.begin(), _tables.nodes.end(), _random);
        return;
      case 5:
        std::shuffle(_tables.variables.begin(), _tables.variables.end(), _random);
        return;
      case 6:
        _tables.id = hostile(_random);
        return;
      default:
        if (!_tables.nodes.empty() && oneIn(2)) {
          _tables.nodes.push_back(anyNode());
          if (oneIn(2)) _tables.nodes.back().id = 500 + static_cast<int>(pick(100));
        } else if (_tables.nodes.size() > 1) {
          _tables.nodes.erase(_tables.nodes.begin() + static_cast<long>(pick(_tables.nodes.size())));
        }
    }
  }

  void changeVariable() {
    if (_tables.variables.empty() || oneIn(12)) _tables.variables.emplace_back();
    VariableTable& variable = _tables.variables[pick(_tables.variables.size())];
    switch (pick(9)) {
      case 0:
        variable.id = anyPlace();
        return;
      case 1:
        variable.id.reset();
        return;
      case 2:
        variable.name = anyName();
        return;
      case 3:
        variable.dtype = anyType(_random);
        return;
      case 4:
        variable.type = static_cast<int>(pick(6)) - 1;
        return;
      case 5:
        return nd_test::change(variable.shape, _random, [&] { return hostile(_random); });
      case 6:
        return nd_test::change(variable.dependencies, _random);
      default:
        return nd_test::change(variable.array, _random);
    }
  }

  /// A chain of scopes of which each runs the next one.
  void addScopes() {
    const int depth = 1 + static_cast<int>(pick(oneIn(4) ? 200 : 6));
    const int first = 2000 + static_cast<int>(pick(3)) * 10;
    const int end = oneIn(3) ? first : anyNumber();
    for (int k = 0; k <= depth; k++) {
      NodeTable scope;
      scope.id = first + k;
      scope.kind = OpType_LOGIC;
      scope.number = logic::Scope;
      NodeTable runner;
      runner.id = 4000 + first + k;
      runner.kind = OpType_LOGIC;
      runner.number = oneIn(2) ? logic::While : logic::Conditional;
      runner.scope = k == 0 ? 0 : first + k - 1;
      const int inner = k < depth ? first + k : end;
      runner.pairs = {anyPlace(), {inner, 0}, {inner, 0}};
      if (runner.number == logic::Conditional) runner.pairs->emplace_back(inner, 0);
      _tables.nodes.push_back(scope);
      _tables.nodes.push_back(runner);
    }
  }

  void changeNode() {
    if (_tables.nodes.empty()) _tables.nodes.emplace_back();
    NodeTable& node = anyNode();
    switch (pick(22)) {
      case 0:
        node.id = anyNumber();
        return;
      case 1:
        node.kind = static_cast<int>(oneIn(4) ? anyType(_random) : pick(23));
        node.number = static_cast<int64_t>(pick(60));
        return;
      case 2:
        node.number = oneIn(3) ? hostile(_random) : static_cast<int64_t>(pick(120));
        return;
      case 3:
      case 4:
        node.kind = OpType_CUSTOM;
        node.number = anyOperation(_random).getOpHash();
        return;
      case 5:
        node.kind = OpType_LOGIC;
        node.number = oneOf(_random, std::vector<int64_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 119});
        return;
      case 6:
      case 7:
      case 8:
        if (!node.pairs && node.input) {
          node.pairs.emplace();
          for (const int id : *node.input) node.pairs->emplace_back(id, 0);
        }
        return nd_test::change(node.pairs, _random, [&] { return anyPlace(); });
      case 9:
        return nd_test::change(node.output, _random, [&] { return anyNumber(); });
      case 10:
        return nd_test::change(node.integers, _random, [&] { return hostile(_random); });
      case 11:
        return nd_test::change(node.numbers, _random, [&] { return hostileNumber(_random); });
      case 12:
        return nd_test::change(node.dimensions, _random, [&] { return hostileInt(_random); });
      case 13:
        if (oneIn(2)) return nd_test::change(node.flags, _random, [&] { return static_cast<uint8_t>(_random()); });
        return nd_test::change(node.types, _random, [&] { return static_cast<int8_t>(anyType(_random)); });
      case 14:
        node.scope = anyNumber();
        return;
      case 15:
        return nd_test::change(oneIn(2) ? node.scopeName : node.operation, _random);
      case 16:
        node.name = anyName();
        return;
      case 17:
        return nd_test::change(node.scalar, _random);
      case 18:
        return nd_test::change(node.outputNames, _random, [&] { return anyName(); });
      case 19:
        if (oneIn(2)) return nd_test::change(node.dependencies, _random, [&] { return anyName(); });
        return nd_test::change(node.texts, _random);
      case 20:
        return nd_test::change(node.input, _random, [&] { return anyNumber(); });
      default:
        return changeProperties(node);
    }
  }

  /// Mostly arguments that the operation knows.
  std::string argumentOf(const NodeTable& node) {
    ops::DeclarableOp* op =
        node.kind == OpType_CUSTOM ? ops::OpRegistrator::getInstance().getOperation(node.number) : nullptr;
    const ops::Schema* schema = op == nullptr ? nullptr : op->describedDescriptor()->statedSchema();
    if (schema == nullptr || schema->arguments().empty() || oneIn(6)) return hostileText(_random);
    return schema->arguments()[pick(schema->arguments().size())].name();
  }

  void changeProperties(NodeTable& node) {
    if (node.properties.empty() || oneIn(2)) {
      node.properties.emplace_back().name = argumentOf(node);
      if (oneIn(8)) node.properties.resize(node.properties.size() + 500, node.properties.back());
    }
    PropertyTable& property = node.properties[pick(node.properties.size())];
    switch (pick(9)) {
      case 0:
        return nd_test::change(property.i, _random, [&] { return hostileInt(_random); });
      case 1:
        return nd_test::change(property.l, _random, [&] { return hostile(_random); });
      case 2:
        return nd_test::change(property.d, _random, [&] { return hostileNumber(_random); });
      case 3:
        return nd_test::change(property.b, _random, [&] { return static_cast<uint8_t>(_random()); });
      case 4:
        return nd_test::change(property.s, _random);
      case 5:
        return nd_test::change(property.shape, _random, [&] { return hostileInt(_random); });
      case 6: {
        ArrayTable array;
        nd_test::change(array, _random);
        return nd_test::change(property.a, _random, [&] { return array; });
      }
      case 7:
        property.name = argumentOf(node);
        return;
      default:
        return nd_test::change(property.name, _random);
    }
  }
};

}  // namespace

void attack(const std::string& bytes, AttackOutcomes& outcomes) {
  std::unique_ptr<Graph> graph;
  try {
    graph = loaded(bytes, MUTANT);
  } catch (const std::exception& error) {
    ASSERT_NE(std::string(error.what()).find(MUTANT), std::string::npos) << error.what();
    return;
  }
  outcomes.loads++;
  const std::string written = bytesOf(*graph);
  ASSERT_EQ(bytesOf(*loaded(written)), written);
  ASSERT_EQ(bytesOf(*std::unique_ptr<Graph>(graph->clone())), written);
  for (const auto& draw : {tableOf, dotOf, svgOf}) ASSERT_NE(draw(*graph, {}), "");
  try {
    EXPECT_GE(graph->estimateRequiredMemory(), 0);
  } catch (const std::exception& error) {
    expectNamed(error);
  }
  try {
    const Fed fed(*graph);
    Session session(*graph, {.mostIterations = 50});
    session.run(fed.feeds);
    outcomes.runs++;
  } catch (const std::exception& error) {
    expectNamed(error);
  }
  try {
    const Fed fed(*graph);
    const auto& placeholders = graph->getPlaceholders();
    for (size_t i = 0; i < placeholders.size(); i++)
      if (!placeholders[i]->hasNDArray()) placeholders[i]->setNDArray(new NDArray(*fed.feeds[i].array));
    RunLimits limits;
    limits.iterations = 50;
    limits.steps = 200;
    GraphInterpreter(*graph, *graph->getVariableSpace()).run(limits);
  } catch (const std::exception& error) {
    expectNamed(error);
  }
}

void mutate(GraphTables& tables, Random& random) { Mutation(tables, random).run(); }

}  // namespace nd_test
