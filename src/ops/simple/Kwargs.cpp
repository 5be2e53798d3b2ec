#include <ops/declarable/DeclarableOp.h>
#include <ops/simple/Kwargs.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

#include "ops/declarable/ReadArguments.h"
#include "system/Error.h"

namespace sd::ops {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> result;
  for (size_t start = 0; !text.empty() && start <= text.size();) {
    const size_t comma = std::min(text.find(',', start), text.size());
    size_t first = start, last = comma;
    while (first < last && text[first] == ' ') first++;
    while (first < last && text[last - 1] == ' ') last--;
    result.push_back(text.substr(first, last - first));
    start = comma + 1;
  }
  return result;
}

bool isInteger(const std::string& text, LongType& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

double numberOf(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) invalidArgument("'{}' is not a number", text);
  return value;
}

ArgumentValue numbersOf(const ArgumentRow& row, const std::string& text) {
  ArgumentValue value;
  const std::vector<std::string> all = parts(text);
  if (row.access().takesIntegers()) {
    value.integers.resize(all.size());
    bool whole = true;
    for (size_t i = 0; i < all.size(); i++) whole = whole && isInteger(all[i], value.integers[i]);
    if (whole) return value;
    value.integers.clear();
  }
  value.form = ArgumentValue::Form::Numbers;
  for (const std::string& part : all) value.numbers.push_back(numberOf(part));
  return value;
}

ArgumentValue valueOf(const ArgumentRow& row, const std::string& text) {
  ArgumentValue value;
  switch (row.kind()) {
    case ArgumentKind::Number:
      return numbersOf(row, text);
    case ArgumentKind::Integer:
      for (const std::string& part : parts(text))
        if (!isInteger(part, value.integers.emplace_back())) invalidArgument("'{}' is not an integer", part);
      break;
    case ArgumentKind::Flag:
      value.form = ArgumentValue::Form::Flags;
      for (const std::string& part : parts(lower(text))) {
        if (part != "true" && part != "false" && part != "1" && part != "0")
          invalidArgument("'{}' is neither true nor false", part);
        value.integers.push_back(part == "true" || part == "1" ? 1 : 0);
      }
      break;
    case ArgumentKind::Type:
      value.form = ArgumentValue::Form::Types;
      for (const std::string& part : parts(text)) value.integers.push_back(typeNamed(part));
      break;
    case ArgumentKind::Choice:
      value.form = ArgumentValue::Form::Name;
      value.name = lower(text);
      break;
  }
  return value;
}

std::string textOf(const ArgumentRow& row, const ArgumentValue& value) {
  if (row.kind() == ArgumentKind::Choice) return value.name;
  std::vector<std::string> all;
  for (const double number : value.numbers) all.push_back(fmt::format("{}", number));
  for (const LongType integer : value.integers) {
    if (row.kind() == ArgumentKind::Flag)
      all.emplace_back(integer != 0 ? "true" : "false");
    else if (row.kind() == ArgumentKind::Type)
      all.push_back(lower(DataTypeUtils::asString(static_cast<DataType>(integer))));
    else
      all.push_back(fmt::format("{}", integer));
  }
  return fmt::format("{}", fmt::join(all, ","));
}

const char* kindText(ArgumentKind kind) {
  constexpr const char* NAMES[] = {"integer", "number", "flag", "type", "one of "};
  return NAMES[static_cast<int>(kind)];
}

/// "slope: number 0..1, default 0.25"
std::string rowText(const ArgumentRow& row, const void* defaults) {
  std::string text = fmt::format("{}: {}", row.name(), kindText(row.kind()));
  if (row.kind() == ArgumentKind::Choice) text += choicesText(row);
  if (row.hasRange()) text += " " + rangeText(row);
  if (row.required()) return text + ", required";
  const std::string value = textOf(row, argumentValue(row, defaults));
  return value.empty() ? text : text + ", default " + value;
}

std::string validKeys(const Schema& schema) {
  if (schema.arguments().empty()) return "it has no arguments";
  ArgumentBlock defaults;
  const void* data = defaults.prepare(*schema.structure());
  std::vector<std::string> rows;
  for (const ArgumentRow& row : schema.arguments()) rows.push_back(rowText(row, data));
  return fmt::format("its arguments are {}", fmt::join(rows, "; "));
}

}  // namespace

std::vector<std::pair<std::string, ArgumentValue>> parseKwargs(DeclarableOp& op, const Kwargs& pairs) {
  const Schema& schema = op.schema();
  const std::string& name = op.getOpDescriptor()->name();
  const RunningOp running(name);
  std::vector<std::pair<std::string, ArgumentValue>> values;
  ArgumentBlock tried;
  for (const auto& [key, text] : pairs) {
    const ArgumentRow* row = schema.argument(key);
    if (row == nullptr) invalidArgument("[{}] there is no argument '{}': {}", name, key, validKeys(schema));
    if (std::any_of(values.begin(), values.end(), [&key = key](const auto& value) { return value.first == key; }))
      invalidArgument("[{}] argument '{}' is given twice", name, key);
    try {
      values.emplace_back(key, valueOf(*row, text));
      assignArgument(schema, tried.prepare(*schema.structure()), key, values.back().second);
    } catch (const std::invalid_argument& error) {
      const std::string why = error.what();
      if (why.rfind("[" + name + "] ", 0) == 0) invalidArgument("{}; {}", why, validKeys(schema));
      invalidArgument("[{}] argument '{}': {}; {}", name, key, why, validKeys(schema));
    }
  }
  return values;
}

Kwargs kwargsOf(const Schema& schema, const void* arguments) {
  Kwargs pairs;
  for (const ArgumentRow& row : schema.arguments())
    pairs.emplace_back(row.name(), textOf(row, argumentValue(row, arguments)));
  return pairs;
}

}  // namespace sd::ops
