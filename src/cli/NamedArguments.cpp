#include "cli/NamedArguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "cli/ArgumentText.h"
#include "cli/Errors.h"
#include "cli/Number.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "system/suggestions.h"

namespace sd::cli {
namespace {

using ops::ArgumentKind;
using ops::ArgumentRow;
using ops::ArgumentValue;

[[noreturn]] void malformed(const ArgumentRow& row, const std::string& text, const char* wanted) {
  throw UsageError(fmt::format("{}: '{}' is not {}", optionOf(row), shortened(text), wanted));
}

bool isInteger(const std::string& text, LongType& value) {
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  return error == std::errc() && end == last;
}

std::vector<std::string> parts(const std::string& text) {
  std::vector<std::string> result;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) result.push_back(part);
  return result;
}

[[noreturn]] void unknown(const CustomOp& op, const std::string& option) {
  std::vector<std::string> names;
  for (const ArgumentRow& row : op.op->schema().arguments()) names.push_back(optionOf(row));
  if (names.empty()) throw UsageError(fmt::format("{} has no arguments: {} is unknown", op.name(), shortened(option)));
  const std::string near = suggestions(option, {names.begin(), names.end()});
  throw UsageError(fmt::format("{} has no argument {}; {}", op.name(), shortened(option),
                               near.empty() ? fmt::format("its arguments are {}", fmt::join(names, ", "))
                                            : fmt::format("did you mean {}?", near)));
}

}  // namespace

ArgumentValue argumentFrom(const CustomOp&, const ArgumentRow& row, const std::string& text) {
  using Form = ArgumentValue::Form;
  ArgumentValue value;
  switch (row.kind()) {
    case ArgumentKind::Integer:
      for (const std::string& part : parts(text))
        if (!isInteger(part, value.integers.emplace_back())) malformed(row, part, "an integer that fits into 64 bits");
      break;
    case ArgumentKind::Number: {
      const std::vector<std::string> all = parts(text);
      std::vector<LongType> integers(all.size());
      bool whole = row.access().takesIntegers();
      for (size_t i = 0; i < all.size(); ++i) whole = whole && isInteger(all[i], integers[i]);
      if (whole) {
        value.integers = integers;
        break;
      }
      value.form = Form::Numbers;
      for (const std::string& part : all)
        Number(part, optionOf(row).c_str()).store(DOUBLE, &value.numbers.emplace_back());
      break;
    }
    case ArgumentKind::Flag:
      value.form = Form::Flags;
      for (const std::string& part : parts(text)) {
        if (part != "true" && part != "false" && part != "1" && part != "0") malformed(row, part, "true or false");
        value.integers.push_back(part == "true" || part == "1" ? 1 : 0);
      }
      break;
    case ArgumentKind::Type:
      value.form = Form::Types;
      for (const std::string& part : parts(text)) value.integers.push_back(typeOf(part));
      break;
    case ArgumentKind::Choice:
      value.form = Form::Name;
      value.name = lower(text);
      break;
  }
  return value;
}

NamedArguments namedArguments(const CustomOp& op, const std::vector<std::string>& words) {
  NamedArguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string option = words[i];
    if (!option.starts_with("--") || option.size() < 3)
      throw UsageError(fmt::format("{}: '{}' does not belong to an option", op.name(), shortened(option)));
    std::string text;
    const size_t equals = option.find('=');
    const bool joined = equals != std::string::npos;
    if (joined) {
      text = option.substr(equals + 1);
      option.resize(equals);
    }
    std::string name = option.substr(2);
    std::replace(name.begin(), name.end(), '-', '_');
    const ArgumentRow* row = op.op->schema().argument(name);
    if (row == nullptr) unknown(op, option);
    const bool hasValue = !joined && i + 1 < words.size() && !words[i + 1].starts_with("--");
    if (hasValue)
      text = words[++i];
    else if (!joined && row->kind() == ArgumentKind::Flag && row->access().count == 1)
      text = "true";
    else if (!joined)
      throw UsageError(fmt::format("{}: {} needs a value", op.name(), option));
    arguments.emplace_back(row->name(), argumentFrom(op, *row, text));
  }
  return arguments;
}

void refuseNamedArguments(const std::string& operation, const std::vector<std::string>& words) {
  if (words.empty()) return;
  throw UsageError(fmt::format("{}: '{}' is not expected; arguments by name are for custom operations", operation,
                               shortened(words[0])));
}

}  // namespace sd::cli
