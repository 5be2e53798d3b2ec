// Graph files that are damaged or hostile: they are refused with an error, or they load and run.
#include <graph/GraphExecutioner.h>
#include <graph/Session.h>
#include <graph/generated/graph_generated.h>
#include <gtest/gtest.h>

#include <ctime>
#include <cstring>
#include <functional>

#include "GraphAttacks.h"
#include "GraphSamples.h"
#include "NpyTestTools.h"
#include "TestDataPath.h"

using namespace sd;
using namespace sd::graph;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using namespace nd_test;

namespace {

/// The error with which the bytes are refused; empty when they are not.
std::string refusal(const std::string& bytes) {
  try {
    loaded(bytes, MUTANT);
  } catch (const std::exception& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(MUTANT), std::string::npos) << message;
    return message;
  }
  return "";
}

// ---- mutations

template <typename T>
T at(const std::string& bytes, size_t place) {
  T value;
  std::memcpy(&value, bytes.data() + place, sizeof(T));
  return value;
}

template <typename T>
void put(std::string& bytes, size_t place, T value) {
  if (place + sizeof(T) <= bytes.size()) std::memcpy(bytes.data() + place, &value, sizeof(T));
}

/// Places that look like tables: they lead to a plausible list of their fields.
std::vector<size_t> tablesOf(const std::string& bytes) {
  std::vector<size_t> tables;
  for (size_t place = 0; place + 4 <= bytes.size(); place += 4) {
    const int64_t layout = static_cast<int64_t>(place) - at<int32_t>(bytes, place);
    if (layout < 0 || layout + 4 > static_cast<int64_t>(bytes.size()) || layout % 2 != 0) continue;
    const auto length = at<uint16_t>(bytes, static_cast<size_t>(layout));
    const auto size = at<uint16_t>(bytes, static_cast<size_t>(layout) + 2);
    if (length >= 4 && length <= 60 && length % 2 == 0 && size >= 4 && size <= 200) tables.push_back(place);
  }
  return tables;
}

/// Numbers and kinds of nodes, variables and so on; offsets to other parts too.
void changeValue(std::string& bytes, Random& random, int64_t value) {
  const std::vector<size_t> tables = tablesOf(bytes);
  if (tables.empty()) return;
  const size_t table = tables[below(random, tables.size())];
  const auto layout = static_cast<size_t>(static_cast<int64_t>(table) - at<int32_t>(bytes, table));
  const size_t fields = (at<uint16_t>(bytes, layout) - 4u) / 2;
  if (fields == 0) return;
  const size_t field = layout + 4 + 2 * below(random, fields);
  const size_t place = table + (field + 2 <= bytes.size() ? at<uint16_t>(bytes, field) : 0);
  if (place == table) return;
  if (below(random, 2) == 0)
    put<int8_t>(bytes, place, static_cast<int8_t>(value));
  else
    put<int32_t>(bytes, place, static_cast<int32_t>(value));
}

void changeFields(std::string& bytes, Random& random) {
  const std::vector<size_t> tables = tablesOf(bytes);
  if (tables.empty()) return;
  const size_t table = tables[below(random, tables.size())];
  const auto layout = static_cast<size_t>(static_cast<int64_t>(table) - at<int32_t>(bytes, table));
  const size_t fields = (at<uint16_t>(bytes, layout) - 4u) / 2;
  if (fields == 0) return;
  const size_t one = layout + 4 + 2 * below(random, fields), other = layout + 4 + 2 * below(random, fields);
  if (std::max(one, other) + 2 > bytes.size()) return;
  const auto first = at<uint16_t>(bytes, one), second = at<uint16_t>(bytes, other);
  switch (below(random, 5)) {
    case 0:  // the field is not there
      return put<uint16_t>(bytes, one, 0);
    case 1:
      return put<uint16_t>(bytes, one, static_cast<uint16_t>(random()));
    case 2:
      return put<uint16_t>(bytes, one, static_cast<uint16_t>(first + 4));
    case 3:
      put<uint16_t>(bytes, one, second);
      return put<uint16_t>(bytes, other, first);
    default: {  // the fields of another table
      const size_t donor = tables[below(random, tables.size())];
      const auto its = static_cast<int64_t>(donor) - at<int32_t>(bytes, donor);
      put<int32_t>(bytes, table, static_cast<int32_t>(static_cast<int64_t>(table) - its));
    }
  }
}

void mutate(std::string& bytes, Random& random) {
  if (bytes.size() < 8) return;
  static const int64_t VALUES[] = {
      0,  1,   2,     3,       4,         7,         10,       20,        30,        60,  -1,   -2,
      -3, 255, 65535, 1 << 20, INT32_MAX, INT32_MIN, 1L << 40, INT64_MAX, INT64_MIN, 100, 1000, 0x7ff8000000000000};
  const size_t word = 4 * below(random, bytes.size() / 4), other = 4 * below(random, bytes.size() / 4);
  const int64_t value = VALUES[below(random, std::size(VALUES))];
  switch (below(random, 13)) {
    case 0:
      bytes[below(random, bytes.size())] ^= static_cast<char>(1 << below(random, 8));
      return;
    case 1:
      bytes[below(random, bytes.size())] = static_cast<char>(random());
      return;
    case 2:
      return put<int32_t>(bytes, word, static_cast<int32_t>(value));
    case 3:
    case 10:
      return changeValue(bytes, random, value);
    case 4:
      return put<int64_t>(bytes, word, value);
    case 5:
      bytes[below(random, bytes.size())] = static_cast<char>(value);
      return;
    case 6: {
      const auto first = at<uint32_t>(bytes, word);
      put<uint32_t>(bytes, word, at<uint32_t>(bytes, other));
      return put<uint32_t>(bytes, other, first);
    }
    case 7:  // as an offset: to where another one leads
      return put<uint32_t>(bytes, word, static_cast<uint32_t>(other + at<uint32_t>(bytes, other) - word));
    case 8:
      return put<int32_t>(bytes, word, at<int32_t>(bytes, word) + static_cast<int32_t>(below(random, 9)) - 4);
    case 9:
      if (below(random, 4) == 0) bytes.resize(below(random, bytes.size()));
      return;
    default:
      return changeFields(bytes, random);
  }
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> bytes = [] {
    std::vector<std::string> all;
    for (const auto& sample : graphSamples()) all.push_back(bytesOf(*sample.make()));
    for (const char* name : {"small.fb", "control.fb"})
      all.push_back(test::contentOf(std::string(NDFORGE_TEST_DATA) + "/graphs/" + name));
    return all;
  }();
  return bytes;
}

std::string mutant(uint64_t seed) {
  Random random(seed);
  std::string bytes = seeds()[below(random, seeds().size())];
  for (size_t k = 1 + below(random, 2); k > 0; k--) mutate(bytes, random);
  return bytes;
}

// ---- graphs made by hand

struct Parts {
  FlatBufferBuilder builder;
  std::vector<Offset<FlatVariable>> variables;
  std::vector<Offset<FlatNode>> nodes;
  std::vector<Offset<IntPair>> outputs;
  std::vector<Offset<flatbuffers::String>> placeholders;
  Offset<FlatConfiguration> configuration;

  void variable(int id, const char* name, VarType type = VarType_PLACEHOLDER, std::vector<int64_t> shape = {2},
                int index = 0) {
    const auto number = CreateIntPair(builder, id, index);
    const auto text = builder.CreateString(name);
    const auto dims = builder.CreateVector(shape);
    variables.push_back(CreateFlatVariable(builder, number, text, DType_FLOAT, dims, 0, 0, type));
  }
  void node(int id, sd::graph::OpType type, int64_t number, const std::vector<std::pair<int, int>>& inputs,
            int scope = 0, const std::vector<int64_t>& integers = {}) {
    std::vector<Offset<IntPair>> pairs;
    for (const auto& [first, second] : inputs) pairs.push_back(CreateIntPair(builder, first, second));
    const auto pairVector = builder.CreateVector(pairs);
    const auto integerVector = builder.CreateVector(integers);
    nodes.push_back(
        CreateFlatNode(builder, id, 0, type, number, 0, 0, pairVector, 0, 0, integerVector, 0, 0, 0, scope));
  }
  std::string bytes() {
    const auto variableVector = builder.CreateVector(variables);
    const auto nodeVector = builder.CreateVector(nodes);
    const auto outputVector = builder.CreateVector(outputs);
    const auto placeholderVector = builder.CreateVector(placeholders);
    builder.Finish(
        CreateFlatGraph(builder, 3, variableVector, nodeVector, outputVector, configuration, placeholderVector));
    return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
  }
};

constexpr auto ABS = OpType_TRANSFORM_SAME;

}  // namespace

TEST(GraphFileAttacksTests, DamagedFilesAreRefusedOrRun) {
  const MemoryLimit limit(uint64_t{1} << 30);
  AttackOutcomes outcomes;
  for (uint64_t seed = 0; seed < 5000; seed++) {
    SCOPED_TRACE(seed);
    attack(mutant(seed), outcomes);
    if (HasFatalFailure()) return;
  }
  // Enough of them get so far that the checks behind FlatBuffers' verifier, and executions, are tried.
  EXPECT_GT(outcomes.loads, 1000) << outcomes.runs;
  EXPECT_GT(outcomes.runs, 500);
  EXPECT_LT(outcomes.loads, 4500);
}

TEST(GraphFileAttacksTests, EveryTruncationIsRefused) {
  for (const std::string& bytes : seeds())
    for (size_t size = 0; size < bytes.size(); size += 1 + size / 200)
      ASSERT_NE(refusal(bytes.substr(0, size)), "") << size;
}

TEST(GraphFileAttacksTests, ContradictionsAreNamed) {
  const struct {
    const char* message;
    std::function<void(Parts&)> fill;
  } rows[] = {
      {"[graph] mutant.fb: [Node] node 1: there is no operation with the hash 12345",
       [](Parts& parts) {
         parts.node(1, OpType_CUSTOM, 12345, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 (TRANSFORM_SAME 999): there is no operation 999 of this kind",
       [](Parts& parts) {
         parts.node(1, ABS, 999, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 (TRANSFORM_SAME 4294967296): there is no operation 4294967296 of this kind",
       [](Parts& parts) {
         parts.node(1, ABS, int64_t{1} << 32, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 (LOGIC 5): there is no logic operation 5",
       [](Parts& parts) {
         parts.node(1, OpType_LOGIC, 5, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 (graph): an embedded graph cannot be in a file",
       [](Parts& parts) {
         parts.node(1, OpType_GRAPH, 0, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 ( 0): there is no kind of nodes 77",
       [](Parts& parts) {
         parts.node(1, static_cast<sd::graph::OpType>(77), 0, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Node] node 1 (Enter): it needs the number of its frame as an integer argument",
       [](Parts& parts) {
         parts.node(1, OpType_LOGIC, 100, {{-1, 0}});
       }},
      {"[graph] mutant.fb: node 1 (transform.Abs): the number is taken by node 1 (transform.Neg)",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Neg, {{-1, 0}});
         parts.node(1, ABS, transform::Abs, {{-1, 0}});
       }},
      {"[graph] mutant.fb: node -1 (transform.Abs): its number is outside 0..1073741824",
       [](Parts& parts) {
         parts.node(-1, ABS, transform::Abs, {{-1, 0}});
       }},
      {"[graph] mutant.fb: node 1 (transform.Abs): it reads output 2000000000 of node 2, more than a graph of 1 inputs "
       "can need",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Abs, {{2, 2000000000}});
       }},
      {"[graph] mutant.fb: node 1 (transform.Abs): it reads output -7 of node 2",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Abs, {{2, -7}});
       }},
      {"[graph] mutant.fb: node 1 (transform.Abs): input 0 is (-9, 0), which is neither a node nor a variable",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Abs, {{-9, 0}});
       }},
      {"[graph] mutant.fb: node 1 (transform.Abs): input 0 is (9, 0), which is neither a node nor a variable",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Abs, {{9, 0}});
       }},
      {"[graph] mutant.fb: there is a cycle: node 1 (transform.Abs) -> node 2 (transform.Neg) -> node 1 "
       "(transform.Abs)",
       [](Parts& parts) {
         parts.node(1, ABS, transform::Abs, {{2, 0}});
         parts.node(2, ABS, transform::Neg, {{1, 0}});
       }},
      {"[graph] mutant.fb: [Graph::addNode] node 2 (transform.Abs): there is no scope 10",
       [](Parts& parts) {
         parts.node(2, ABS, transform::Abs, {{-1, 0}}, 10);
       }},
      {"[graph] mutant.fb: node 11 (transform.Abs): input 0 is (8, 0), which is neither a node nor a variable",
       [](Parts& parts) {
         parts.node(10, OpType_LOGIC, logic::Scope, {});
         parts.node(11, ABS, transform::Abs, {{8, 0}}, 10);
       }},
      {"[graph] mutant.fb: node 11 (While): scope 10 runs itself",
       [](Parts& parts) {
         parts.node(10, OpType_LOGIC, logic::Scope, {});
         parts.node(11, OpType_LOGIC, logic::While, {{-1, 0}, {10, 0}, {10, 0}}, 10);
         parts.node(1, OpType_LOGIC, logic::While, {{-1, 0}, {10, 0}, {10, 0}});
       }},
      {"[graph] mutant.fb: variable (-1, 0) 'y': the number is taken by another variable",
       [](Parts& parts) { parts.variable(-1, "y", VarType_PLACEHOLDER, {2}, 0); }},
      {"[graph] mutant.fb: variable (-1, 4) 'y': the number is taken by another variable",
       [](Parts& parts) { parts.variable(-1, "y", VarType_PLACEHOLDER, {2}, 4); }},
      {"[graph] mutant.fb: variable (-2147483648, 0) 'y': the number is out of range",
       [](Parts& parts) { parts.variable(INT32_MIN, "y"); }},
      {"[graph] mutant.fb: variable (1, 0) 'y': the number is that of a node, but the variable is a constant or a "
       "placeholder",
       [](Parts& parts) {
         parts.variable(1, "y");
         parts.node(1, ABS, transform::Abs, {{-1, 0}});
       }},
      {"[graph] mutant.fb: [Variable] variable (-4, 0) 'c' of the file: a constant needs an array",
       [](Parts& parts) { parts.variable(-4, "c", VarType_CONSTANT); }},
      {"[graph] mutant.fb: there is no placeholder 'z'",
       [](Parts& parts) { parts.placeholders.push_back(parts.builder.CreateString("z")); }},
      {"[graph] mutant.fb: the result (6, 0) is neither a node nor a variable",
       [](Parts& parts) {
         parts.outputs.push_back(CreateIntPair(parts.builder, 6, 0));
         parts.configuration = CreateFlatConfiguration(parts.builder, 0, ExecutionMode_SEQUENTIAL, ProfilingMode_NONE,
                                                       OutputMode_EXPLICIT);
       }},
      {"[graph] mutant.fb: [ExecutorConfiguration] there is no output mode 9",
       [](Parts& parts) {
         parts.configuration = CreateFlatConfiguration(parts.builder, 0, ExecutionMode_SEQUENTIAL, ProfilingMode_NONE,
                                                       static_cast<OutputMode>(9));
       }},
  };
  for (const auto& row : rows) {
    Parts parts;
    parts.variable(-1, "x");
    row.fill(parts);
    const std::string message = refusal(parts.bytes());
    EXPECT_EQ(message.substr(0, std::strlen(row.message)), row.message);
  }
}

TEST(GraphFileAttacksTests, ScopesThatRunEachOtherTooOftenAreRefused) {
  // Each scope runs the next one `times` times.
  const auto nested = [](int scopes, int times) {
    Parts parts;
    parts.variable(-1, "x");
    int id = 1000;
    for (int scope = 1; scope <= scopes; scope++) {
      parts.node(scope, OpType_LOGIC, logic::Scope, {});
      for (int k = 0; k < times; k++) {
        const int next = scope < scopes ? scope + 1 : -1;
        parts.node(id++, OpType_LOGIC, logic::Conditional, {{-1, 0}, {next, 0}, {next, 0}, {next, 0}}, scope);
      }
    }
    parts.node(id, OpType_LOGIC, logic::Conditional, {{-1, 0}, {1, 0}, {1, 0}, {1, 0}});
    return refusal(parts.bytes());
  };
  EXPECT_EQ(nested(5, 2), "");
  EXPECT_NE(nested(30, 2).find("more than 1000000 nodes"), std::string::npos) << nested(30, 2);
  EXPECT_NE(nested(30, 1).find("more than 1000000 nodes"), std::string::npos) << nested(30, 1);
  EXPECT_NE(nested(40, 1).find("more than 32 levels deep"), std::string::npos) << nested(40, 1);
}

TEST(GraphFileAttacksTests, ShapesWithoutElementsTakeNoMemory) {
  Parts parts;
  parts.variable(-1, "x", VarType_PLACEHOLDER, {1000000000, 1000000000});
  parts.node(1, ABS, transform::Abs, {{-1, 0}});
  const auto graph = loaded(parts.bytes());
  EXPECT_EQ(graph->getPlaceholders()[0]->shape(), (std::vector<LongType>{1000000000, 1000000000}));
  EXPECT_THROW(Session(*graph).run(std::vector<Feed>{}), std::exception);
  EXPECT_THROW(GraphExecutioner::execute(graph.get()), std::exception);
}

TEST(GraphFileAttacksTests, SharedContentsAreNotReadAgainAndAgain) {
  const std::string shared = "the tables share contents so often";
  {
    // 4,000 variables with one array of 1 MB.
    Parts parts;
    const auto shape = parts.builder.CreateVector(std::vector<int64_t>{1, 1 << 18, 1, 8192, 1, 'c'});
    const auto data = parts.builder.CreateVector(std::vector<int8_t>(1 << 20));
    const auto array = CreateFlatArray(parts.builder, shape, data, DType_FLOAT);
    for (int k = 1; k <= 4000; k++) {
      const auto id = CreateIntPair(parts.builder, -k, 0);
      parts.variables.push_back(CreateFlatVariable(parts.builder, id, 0, DType_FLOAT, 0, array));
    }
    const std::string bytes = parts.bytes();
    const std::clock_t before = std::clock();
    EXPECT_NE(refusal(bytes).find(shared), std::string::npos);
    EXPECT_LT(std::clock() - before, 2 * CLOCKS_PER_SEC);
  }
  {
    // 20,000 nodes with one list of 100,000 texts: the verifier alone would look at 2 billion texts.
    Parts parts;
    const auto text = parts.builder.CreateString("a");
    const auto texts = parts.builder.CreateVector(std::vector<Offset<flatbuffers::String>>(100000, text));
    for (int k = 1; k <= 20000; k++) {
      FlatNodeBuilder node(parts.builder);
      node.add_id(k);
      node.add_opType(ABS);
      node.add_controlDeps(texts);
      parts.nodes.push_back(node.Finish());
    }
    const std::string bytes = parts.bytes();
    const std::clock_t before = std::clock();
    EXPECT_NE(refusal(bytes).find(shared), std::string::npos);
    EXPECT_LT(std::clock() - before, 2 * CLOCKS_PER_SEC);
  }
  {
    // One node a million times.
    Parts parts;
    parts.variable(-1, "x");
    parts.node(1, ABS, transform::Abs, {{-1, 0}}, 0, std::vector<int64_t>(1000));
    parts.nodes.assign(1000000, parts.nodes[0]);
    EXPECT_NE(refusal(parts.bytes()).find(shared), std::string::npos);
  }
}

TEST(GraphFileAttacksTests, ListsThatAreNotAlignedAreRead) {
  Parts parts;
  parts.variable(-1, "x");
  parts.node(1, ABS, transform::Abs, {{-1, 0}}, 0, {(int64_t{5} << 32) + 1, 7});
  std::string bytes = parts.bytes();
  // Four bytes further on there is a list of one number.
  const auto* node = reinterpret_cast<const flatbuffers::Table*>(GetFlatGraph(bytes.data())->nodes()->Get(0));
  const uint8_t* field = node->GetAddressOf(FlatNode::VT_EXTRAINTEGER);
  const auto place = static_cast<size_t>(field - reinterpret_cast<const uint8_t*>(bytes.data()));
  put<uint32_t>(bytes, place, at<uint32_t>(bytes, place) + 4);
  const auto graph = loaded(bytes);
  const ContextPrototype& arguments = *graph->nodeById(1)->getContextPrototype();
  ASSERT_EQ(arguments.numI(), 1u);
  EXPECT_EQ(arguments.intArgument64(0), (int64_t{7} << 32) + 5);
}

TEST(GraphFileAttacksTests, LargeGraphsLoadInLinearTime) {
  // A chain in the wrong order, a node that reads every node, and loops of which all ends belong to one frame.
  constexpr int NODES = 20000;
  Parts parts;
  parts.variable(-1, "x");
  std::vector<std::pair<int, int>> all;
  for (int k = 1; k <= NODES; k++) all.emplace_back(k, 0);
  parts.node(NODES + 1, ABS, transform::Abs, all);
  for (int k = NODES; k >= 1; k--) parts.node(k, ABS, transform::Abs, {{k == 1 ? -1 : k - 1, 0}});
  const int first = 2 * NODES;
  parts.node(first, OpType_LOGIC, logic::Enter, {{-1, 0}}, 0, {7});
  for (int k = 0; k < NODES; k++) {
    const int id = first + 1 + 4 * k;
    parts.node(id + 3, OpType_LOGIC, logic::Exit, {{id + 1, 0}});
    parts.node(id, OpType_LOGIC, logic::Merge, {{first, 0}, {id + 2, 0}});
    parts.node(id + 1, OpType_LOGIC, logic::Switch, {{id, 0}, {-1, 0}});
    parts.node(id + 2, OpType_LOGIC, logic::NextIteration, {{id + 1, 1}});
  }
  const std::string bytes = parts.bytes();
  const std::clock_t before = std::clock();  // of this process, whatever else runs
  const auto graph = loaded(bytes);
  EXPECT_LT(std::clock() - before, 5 * CLOCKS_PER_SEC);
  EXPECT_EQ(graph->nodeById(NODES + 1)->getLayer(), NODES);
  // Behind the ends of all loops.
  EXPECT_EQ(graph->nodeById(first + 4)->getLayer(), graph->nodeById(first + 3)->getLayer() + 1);
}
