#include "GraphTables.h"

using namespace sd::graph;
using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;

namespace nd_test {
namespace {

// ---- reading

template <typename T>
Some<T> someOf(const flatbuffers::Vector<T>* values) {
  if (values == nullptr) return std::nullopt;
  return std::vector<T>(values->begin(), values->end());
}

template <typename T, typename E>
Some<T> enumsOf(const flatbuffers::Vector<E>* values) {
  if (values == nullptr) return std::nullopt;
  std::vector<T> codes;
  for (const auto value : *values) codes.push_back(static_cast<T>(value));
  return codes;
}

Text textOf(const flatbuffers::String* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string>(text->str());
}

Texts textsOf(const flatbuffers::Vector<Offset<flatbuffers::String>>* values) {
  if (values == nullptr) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto* value : *values) texts.push_back(value->str());
  return texts;
}

std::pair<int, int> pairOf(const IntPair& pair) { return {pair.first(), pair.second()}; }

ArrayTable tableOf(const FlatArray& flat) {
  return {someOf(flat.shape()), someOf(flat.buffer()), flat.dtype(), static_cast<int>(flat.byteOrder())};
}

std::optional<ArrayTable> arrayOf(const FlatArray* flat) {
  return flat == nullptr ? std::nullopt : std::optional(tableOf(*flat));
}

PropertyTable tableOf(const FlatProperties& flat) {
  PropertyTable table{textOf(flat.name()), someOf(flat.i()),  someOf(flat.l()),    someOf(flat.d()), {},
                      someOf(flat.b()),    textsOf(flat.s()), someOf(flat.shape())};
  if (flat.a() != nullptr) {
    table.a.emplace();
    for (const auto* array : *flat.a()) table.a->push_back(tableOf(*array));
  }
  return table;
}

VariableTable tableOf(const FlatVariable& flat) {
  VariableTable table;
  if (flat.id() != nullptr) table.id = pairOf(*flat.id());
  table.name = textOf(flat.name());
  table.dtype = flat.dtype();
  table.type = flat.variabletype();
  table.shape = someOf(flat.shape());
  table.array = arrayOf(flat.ndarray());
  table.dependencies = textsOf(flat.controlDeps());
  return table;
}

NodeTable tableOf(const FlatNode& flat) {
  NodeTable table;
  table.id = flat.id();
  table.kind = flat.opType();
  table.scope = flat.scope_id();
  table.device = flat.device();
  table.number = flat.opNum();
  table.name = textOf(flat.name());
  table.scopeName = textOf(flat.scope_name());
  table.operation = textOf(flat.opName());
  if (flat.properties() != nullptr)
    for (const auto* property : *flat.properties()) table.properties.push_back(tableOf(*property));
  table.input = someOf(flat.input());
  table.output = someOf(flat.output());
  table.dimensions = someOf(flat.dimensions());
  if (flat.inputPaired() != nullptr) {
    table.pairs.emplace();
    for (const auto* pair : *flat.inputPaired()) table.pairs->push_back(pairOf(*pair));
  }
  table.numbers = someOf(flat.extraParams());
  table.integers = someOf(flat.extraInteger());
  table.flags = someOf(flat.extraBools());
  table.types = enumsOf<int8_t>(flat.extraTypes());
  table.outputTypes = enumsOf<int8_t>(flat.outputTypes());
  table.outputNames = textsOf(flat.outputNames());
  table.dependencies = textsOf(flat.controlDeps());
  table.texts = textsOf(flat.extraStrings());
  table.scalar = arrayOf(flat.scalar());
  return table;
}

// ---- writing

template <typename T>
Offset<flatbuffers::Vector<T>> write(FlatBufferBuilder& builder, const Some<T>& values) {
  if (!values) return 0;
  return builder.CreateVector(*values);
}

Offset<flatbuffers::String> write(FlatBufferBuilder& builder, const Text& text) {
  if (!text) return 0;
  return builder.CreateString(*text);
}

Offset<flatbuffers::Vector<Offset<flatbuffers::String>>> write(FlatBufferBuilder& builder, const Texts& texts) {
  if (!texts) return 0;
  return builder.CreateVectorOfStrings(*texts);
}

Offset<FlatArray> write(FlatBufferBuilder& builder, const ArrayTable& table) {
  const auto shape = write(builder, table.shape);
  const auto bytes = write(builder, table.bytes);
  return CreateFlatArray(builder, shape, bytes, static_cast<DType>(table.dtype),
                         static_cast<sd::graph::ByteOrder>(table.order));
}

Offset<FlatArray> write(FlatBufferBuilder& builder, const std::optional<ArrayTable>& table) {
  if (!table) return 0;
  return write(builder, *table);
}

Offset<FlatProperties> write(FlatBufferBuilder& builder, const PropertyTable& table) {
  const auto name = write(builder, table.name);
  const auto i = write(builder, table.i);
  const auto l = write(builder, table.l);
  const auto d = write(builder, table.d);
  Offset<flatbuffers::Vector<Offset<FlatArray>>> a;
  if (table.a) {
    std::vector<Offset<FlatArray>> arrays;
    for (const ArrayTable& array : *table.a) arrays.push_back(write(builder, array));
    a = builder.CreateVector(arrays);
  }
  const auto b = write(builder, table.b);
  const auto s = write(builder, table.s);
  const auto shape = write(builder, table.shape);
  return CreateFlatProperties(builder, name, i, l, d, a, b, s, shape);
}

Offset<FlatVariable> write(FlatBufferBuilder& builder, const VariableTable& table) {
  Offset<IntPair> id;
  if (table.id) id = CreateIntPair(builder, table.id->first, table.id->second);
  const auto name = write(builder, table.name);
  const auto shape = write(builder, table.shape);
  const auto array = write(builder, table.array);
  const auto dependencies = write(builder, table.dependencies);
  return CreateFlatVariable(builder, id, name, static_cast<DType>(table.dtype), shape, array, 0,
                            static_cast<VarType>(table.type), dependencies, dependencies);
}

Offset<FlatNode> write(FlatBufferBuilder& builder, const NodeTable& table) {
  const auto name = write(builder, table.name);
  std::vector<Offset<FlatProperties>> properties;
  for (const PropertyTable& property : table.properties) properties.push_back(write(builder, property));
  const auto propertyVector = builder.CreateVector(properties);
  const auto input = write(builder, table.input);
  Offset<flatbuffers::Vector<Offset<IntPair>>> pairs;
  if (table.pairs) {
    std::vector<Offset<IntPair>> written;
    for (const auto& [id, index] : *table.pairs) written.push_back(CreateIntPair(builder, id, index));
    pairs = builder.CreateVector(written);
  }
  const auto output = write(builder, table.output);
  const auto numbers = write(builder, table.numbers);
  const auto integers = write(builder, table.integers);
  const auto flags = write(builder, table.flags);
  const auto dimensions = write(builder, table.dimensions);
  const auto scopeName = write(builder, table.scopeName);
  const auto outputNames = write(builder, table.outputNames);
  const auto operation = write(builder, table.operation);
  const auto outputTypes = write(builder, table.outputTypes);
  const auto scalar = write(builder, table.scalar);
  const auto dependencies = write(builder, table.dependencies);
  const auto types = write(builder, table.types);
  const auto texts = write(builder, table.texts);
  return CreateFlatNode(builder, table.id, name, static_cast<OpType>(table.kind), table.number, propertyVector, input,
                        pairs, output, numbers, integers, flags, dimensions, table.device, table.scope, scopeName,
                        outputNames, operation, outputTypes, scalar, dependencies, dependencies, dependencies, types,
                        texts);
}

Offset<FlatConfiguration> write(FlatBufferBuilder& builder, const std::optional<ConfigurationTable>& table) {
  if (!table) return 0;
  return CreateFlatConfiguration(builder, 0, static_cast<ExecutionMode>(table->execution),
                                 static_cast<ProfilingMode>(table->profiling), static_cast<OutputMode>(table->output),
                                 table->timed, 0, 0, static_cast<Direction>(table->direction));
}

Offset<flatbuffers::Vector<Offset<FlatVariable>>> write(FlatBufferBuilder& builder,
                                                        const std::vector<VariableTable>& tables) {
  std::vector<Offset<FlatVariable>> written;
  for (const VariableTable& table : tables) written.push_back(write(builder, table));
  return builder.CreateVector(written);
}

std::string bytesOf(const FlatBufferBuilder& builder) {
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

}  // namespace

GraphTables GraphTables::of(const std::string& bytes) {
  const FlatGraph& flat = *GetFlatGraph(bytes.data());
  GraphTables tables;
  tables.id = flat.id();
  if (flat.variables() != nullptr)
    for (const auto* variable : *flat.variables()) tables.variables.push_back(tableOf(*variable));
  if (flat.nodes() != nullptr)
    for (const auto* node : *flat.nodes()) tables.nodes.push_back(tableOf(*node));
  if (flat.outputs() != nullptr)
    for (const auto* output : *flat.outputs()) tables.outputs.push_back(pairOf(*output));
  if (const auto* settings = flat.configuration())
    tables.configuration = {settings->executionMode(), settings->profilingMode(), settings->outputMode(),
                            settings->direction(), settings->timestats()};
  if (const auto names = textsOf(flat.placeholders())) tables.placeholders = *names;
  return tables;
}

std::string GraphTables::bytes() const {
  FlatBufferBuilder builder;
  const auto variableVector = write(builder, variables);
  std::vector<Offset<FlatNode>> nodeTables;
  for (const NodeTable& node : nodes) nodeTables.push_back(write(builder, node));
  const auto nodeVector = builder.CreateVector(nodeTables);
  std::vector<Offset<IntPair>> pairs;
  for (const auto& [number, index] : outputs) pairs.push_back(CreateIntPair(builder, number, index));
  const auto outputVector = builder.CreateVector(pairs);
  const auto settings = write(builder, configuration);
  const auto names = builder.CreateVectorOfStrings(placeholders);
  builder.Finish(CreateFlatGraph(builder, id, variableVector, nodeVector, outputVector, settings, names));
  return bytesOf(builder);
}

std::string GraphTables::requestBytes() const {
  FlatBufferBuilder builder;
  const auto variableVector = write(builder, variables);
  const auto settings = write(builder, configuration);
  builder.Finish(CreateFlatInferenceRequest(builder, id, variableVector, settings));
  return bytesOf(builder);
}

std::string GraphTables::resultBytes() const {
  FlatBufferBuilder builder;
  const auto variableVector = write(builder, variables);
  builder.Finish(CreateFlatResult(builder, id, variableVector));
  return bytesOf(builder);
}

}  // namespace nd_test
