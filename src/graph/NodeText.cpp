#include "graph/NodeText.h"

#include <array/DataTypeUtils.h>
#include <ops/declarable/OpDescriptor.h>
#include <types/element_types.h>

#include <algorithm>
#include <cctype>

#include "graph/NodeCall.h"
#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"
#include "types/Unicode.h"

namespace sd::graph {
namespace {

constexpr size_t MOST_VALUES = 6;

std::string typeText(DataType type) {
  switch (type) {
#define SD_NAME(TYPE, NAME, ...) \
  case TYPE:                     \
    return #NAME;
    SD_ELEMENT_TYPES(SD_NAME)
    SD_TEXT_TYPES(SD_NAME)
#undef SD_NAME
    default:
      return type == INHERIT ? "inherit" : DataTypeUtils::describe(type);
  }
}

/// "2", or "[2, 2]" when there may be several.
std::string listText(std::vector<std::string> values, bool single) {
  if (single && values.size() == 1) return values[0];
  const size_t count = values.size();
  if (count > MOST_VALUES) {
    values.resize(MOST_VALUES);
    values.push_back(fmt::format("… {} in all", count));
  }
  return fmt::format("[{}]", fmt::join(values, ", "));
}

template <typename Values, typename F>
std::string listOf(const Values& values, F&& text, bool single = false) {
  std::vector<std::string> texts;
  for (const auto value : values) texts.push_back(text(value));
  return listText(std::move(texts), single);
}

std::string numberText(double value) { return fmt::format("{}", value); }
std::string integerText(LongType value) { return fmt::format("{}", value); }
std::string flagText(LongType value) { return value != 0 ? "true" : "false"; }
std::string typeCodeText(LongType value) { return typeText(static_cast<DataType>(value)); }

std::string argumentText(const ops::ArgumentValue& value, bool single) {
  using Form = ops::ArgumentValue::Form;
  switch (value.form) {
    case Form::Numbers:
      return listOf(value.numbers, numberText, single);
    case Form::Flags:
      return listOf(value.integers, flagText, single);
    case Form::Types:
      return listOf(value.integers, typeCodeText, single);
    case Form::Name:
      return value.name;
    default:
      return listOf(value.integers, integerText, single);
  }
}

/// By the rows of the schema. @throws std::exception when the node's arguments do not fit the schema
std::vector<std::string> statedArguments(const Node& node, const ops::Schema& schema) {
  const auto block = contextOf(node);
  block->fastpath_in().assign(node.inputs().size(), nullptr);
  ops::readArguments(schema, *block, static_cast<int>(node.inputs().size()));
  ops::ArgumentBlock defaults;
  defaults.prepare(*schema.structure());
  const ops::ArgumentBlock& given = block->argumentBlock();
  std::vector<std::string> texts;
  for (size_t i = 0; i < schema.arguments().size(); i++) {
    const ops::ArgumentRow& row = schema.arguments()[i];
    if (i < 64 && (given.unread() >> i & 1) != 0) continue;  // an input gives it
    const ops::MemberAccess& access = row.access();
    if (access.optional && access.size(row.memberOf(given.data())) == 0) continue;
    const ops::ArgumentValue value = ops::argumentValue(row, given.data());
    if (!row.required() && value == ops::argumentValue(row, static_cast<const void*>(defaults.data()))) continue;
    texts.push_back(fmt::format("{} = {}", row.name(), argumentText(value, access.count == 1)));
  }
  return texts;
}

std::vector<std::string> listedArguments(const Node& node) {
  std::vector<std::string> texts;
  const auto add = [&texts](const char* name, const auto& values, auto&& text) {
    if (!values.empty()) texts.push_back(fmt::format("{} = {}", name, listOf(values, text)));
  };
  if (node.hasBlockAttached()) {
    ContextPrototype& block = *node.getContextPrototype();
    if (block.longArguments().empty())
      add("integers", *block.getIArguments(), integerText);
    else
      add("integers", block.longArguments(), integerText);
    add("floats", block.floatArguments(), numberText);
    add("flags", *block.getBArguments(), flagText);
    add("types", *block.getDArguments(), typeText);
    add("axes", block.axes(), integerText);
  }
  const bool takesScalar = node.opType() == OpType_SCALAR || node.opType() == OpType_SCALAR_BOOL;
  if (takesScalar && node.scalarOperand().has_value() && node.inputs().size() < 2)
    texts.push_back("scalar = " + numberText(node.scalar()));
  for (const auto& [name, value] : node.namedArguments())
    texts.push_back(fmt::format("{} = {}", name, argumentText(value, true)));
  return texts;
}

}  // namespace

std::vector<std::string> argumentTexts(const Node& node) {
  if (node.hasCustomOp()) {
    const ops::Schema& schema = node.getCustomOp()->schema();
    try {
      if (schema.structure() != nullptr) return statedArguments(node, schema);
    } catch (const std::exception&) {
      // Arguments that the operation refuses are shown as they are.
    }
  }
  return listedArguments(node);
}

std::string valueText(const Graph& graph, const std::pair<int, int>& value) {
  std::string name;
  const VariableSpace& space = *graph.getVariableSpace();
  const int index = std::max(0, value.second);
  if (value.first >= 0 && graph.hasNode(value.first))
    name = *graph.nodeById(value.first)->getName();
  else if (space.hasVariable(value.first, index))
    name = *space.getVariable(value.first, index)->getName();
  if (name.empty()) name = std::to_string(value.first);
  return value.first >= 0 && index > 0 ? fmt::format("{}:{}", name, index) : name;
}

std::string shapeText(const ops::PartialShape& shape) {
  if (!shape.hasRank()) return shape.hasType() ? typeText(shape.type()) : "";
  return (shape.hasType() ? typeText(shape.type()) : "?") + " " + (shape.isEmptyScalar() ? "empty" : shape.text());
}

std::string legible(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const unicode::Character character = unicode::characterAt(text);
    const unsigned code = character.code;
    const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    if (!character.isValid || code == 0xfffe || code == 0xffff)
      result += "\ufffd";
    else
      result += isControl ? " " : text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string counted(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

size_t columnsOf(const std::string& text) {
  size_t columns = 0;
  for (size_t i = 0; i < text.size(); i++) {
    if (!unicode::beginsCharacter(text[i])) continue;
    // From U+1100 on, characters may be as wide as two.
    columns += static_cast<unsigned char>(text[i]) >= 0xe1 && !(text.compare(i, 3, "…") == 0) ? 2 : 1;
  }
  return columns;
}

std::string abridged(const std::string& text, size_t most) {
  std::vector<size_t> begins;
  for (size_t i = 0; i < text.size(); i++)
    if (unicode::beginsCharacter(text[i])) begins.push_back(i);
  if (begins.size() <= most || most < 3) return text;
  const size_t tail = (most - 1) / 2, head = most - 1 - tail;
  return text.substr(0, begins[head]) + "…" + text.substr(begins[begins.size() - tail]);
}

}  // namespace sd::graph
