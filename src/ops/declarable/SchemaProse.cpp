#include "ops/declarable/SchemaProse.h"

#include <array/DataTypeUtils.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>

#include "ops/declarable/ReadArguments.h"

namespace sd::ops {
namespace {

/// Keeps a string for ever.
const char* kept(std::string text) {
  static std::deque<std::string> all;
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  return all.emplace_back(std::move(text)).c_str();
}

std::string valueText(const ArgumentRow& row, const ArgumentValue& value) {
  switch (row.kind()) {
    case ArgumentKind::Number: {
      if (value.numbers.empty()) return fmt::format("{}", fmt::join(value.integers, ", "));
      return fmt::format("{}", fmt::join(value.numbers, ", "));
    }
    case ArgumentKind::Flag:
      return value.integers.empty() ? "" : value.integers[0] != 0 ? "true" : "false";
    case ArgumentKind::Type:
      return value.integers.empty() ? "" : DataTypeUtils::describe(static_cast<DataType>(value.integers[0]));
    case ArgumentKind::Choice:
      return value.name;
    default:
      return value.integers.empty() ? "" : fmt::format("{}", value.integers[0]);
  }
}

const char* argumentLines(const Schema& schema, ArgumentList list, int declared) {
  std::vector<const ArgumentRow*> rows;
  for (const ArgumentRow& row : schema.arguments())
    if (row.list() == list) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->first() < b->first(); });
  std::string lines;
  std::vector<std::byte> place(schema.structure() == nullptr ? 0 : schema.structure()->size + 16);
  void* defaults = nullptr;
  if (schema.structure() != nullptr) {
    size_t space = place.size();
    void* start = place.data();
    defaults = std::align(schema.structure()->alignment, schema.structure()->size, start, space);
    schema.structure()->construct(defaults);
  }
  int next = 0;
  for (const ArgumentRow* row : rows) {
    if (row->first() > next) lines += fmt::format("{}unused?: not read", lines.empty() ? "" : "\n");
    std::vector<std::string> names;
    const int count = row->access().count;
    const char* optional = row->first() >= std::max(0, declared) && !row->required() ? "?" : "";
    if (count <= 1)
      names.push_back(row->name() + std::string(count == -1 ? "…" : "") + optional);
    else
      for (int i = 0; i < count; i++) names.push_back(fmt::format("{}{}{}", row->name(), i, optional));
    next = count == -1 ? 1 << 20 : row->first() + count;
    std::string text = row->text();
    if (row->kind() == ArgumentKind::Choice) text += ": " + choicesText(*row);
    const std::string value = valueText(*row, argumentValue(*row, defaults));
    if (!row->required() && count == 1 && !value.empty()) text += fmt::format(" (default {})", value);
    if (row->input() >= 0) text += fmt::format("; only without the input {}", row->input());
    lines += fmt::format("{}{}: {}", lines.empty() ? "" : "\n", fmt::join(names, ", "), text);
  }
  if (defaults != nullptr) schema.structure()->destroy(defaults);
  return kept(std::move(lines));
}

}  // namespace

void documentFromSchema(OpDescriptor& descriptor) {
  const Schema& schema = descriptor.schema();
  if (!schema.isStated()) return;
  std::string inputs, outputs, types;
  for (const InputRow& row : schema.inputs())
    inputs += fmt::format("{}{}{}{}: {}", inputs.empty() ? "" : "\n", row.name(), row.isAny() ? "…" : "",
                          row.isOptional() ? "?" : "", row.text());
  for (const OutputRow& row : schema.outputs())
    outputs += fmt::format("{}{}{}{}: {}", outputs.empty() ? "" : "\n", row.name, row.isAny ? "…" : "",
                           row.condition[0] != '\0' ? "?" : "", row.text);
  for (const ArgumentRow& row : schema.arguments())
    if (row.list() == ArgumentList::Types) types += fmt::format("{}?: {}", row.name(), row.text());
  descriptor.document({.summary = schema.summary(),
                       .formula = schema.formula(),
                       .inputs = kept(std::move(inputs)),
                       .outputs = kept(std::move(outputs)),
                       .floats = argumentLines(schema, ArgumentList::Floats, descriptor.getNumberOfTArgs()),
                       .integers = argumentLines(schema, ArgumentList::Integers, descriptor.getNumberOfIArgs()),
                       .booleans = argumentLines(schema, ArgumentList::Flags, 0),
                       .types = kept(std::move(types)),
                       .notes = schema.note()});
}

}  // namespace sd::ops
