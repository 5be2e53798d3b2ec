#include "cli/ArgumentText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/Types.h"

namespace sd::cli {

using ops::ArgumentKind;
using ops::ArgumentList;
using ops::ArgumentRow;
using ops::ArgumentValue;

namespace {

std::string joined(const ArgumentRow& row, const std::vector<std::string>& values) {
  if (row.access().count == 1 && values.size() == 1) return values[0];
  return fmt::format("[{}]", fmt::join(values, ", "));
}

/// A bound of a range, without a point when it is whole.
std::string boundText(double bound) {
  return std::trunc(bound) == bound && std::fabs(bound) < 1e15 ? fmt::format("{}", static_cast<LongType>(bound))
                                                               : fmt::format("{}", bound);
}

}  // namespace

std::string optionOf(const ArgumentRow& row) {
  std::string name = row.name();
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

std::string realText(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

std::string argumentText(const ArgumentRow& row, const ArgumentValue& value) {
  if (row.kind() == ArgumentKind::Choice) return value.name;
  std::vector<std::string> values;
  for (const double number : value.numbers) values.push_back(realText(number));
  for (const LongType integer : value.integers) {
    if (row.kind() == ArgumentKind::Type)
      values.emplace_back(typeName(static_cast<DataType>(integer)));
    else if (row.kind() == ArgumentKind::Flag)
      values.emplace_back(integer != 0 ? "true" : "false");
    else
      values.push_back(fmt::format("{}", integer));
  }
  return joined(row, values);
}

std::string valueText(const ArgumentRow& row, const void* arguments) {
  const ops::MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  const size_t size = access.size(member);
  if (size == 0) return access.optional || access.count == 1 ? "" : "[]";
  ArgumentValue value;
  for (size_t i = 0; i < size; ++i) {
    if (row.kind() == ArgumentKind::Choice) return access.choices[access.integer(member, i)].name;
    if (row.kind() == ArgumentKind::Number)
      value.numbers.push_back(access.number(member, i));
    else
      value.integers.push_back(access.integer(member, i));
  }
  if (row.kind() == ArgumentKind::Type && value.integers[0] == INHERIT) return "";
  return argumentText(row, value);
}

std::string defaultText(const ops::Schema& schema, const ArgumentRow& row) {
  ops::ArgumentBlock defaults;
  return row.required() ? "" : valueText(row, defaults.prepare(*schema.structure()));
}

std::string kindText(const ArgumentRow& row) {
  constexpr const char* ONE[] = {"integer", "number", "flag", "type", "choice"};
  constexpr const char* SEVERAL[] = {"integers", "numbers", "flags", "types", "choices"};
  const auto kind = static_cast<size_t>(row.kind());
  const int count = row.access().count;
  if (count == 1) return ONE[kind];
  return count < 0 ? SEVERAL[kind] : fmt::format("{} {}", count, SEVERAL[kind]);
}

std::string rangeText(const ArgumentRow& row) {
  if (!row.hasRange()) return "";
  const bool least = !std::isinf(row.least()), most = !std::isinf(row.most());
  if (least && most) return fmt::format("{}..{}", boundText(row.least()), boundText(row.most()));
  if (least) return fmt::format("{} or more", boundText(row.least()));
  return most ? fmt::format("at most {}", boundText(row.most())) : "";
}

std::string placesText(const ArgumentRow& row) {
  constexpr const char* LISTS[] = {"", "integers", "floats", "booleans", "types"};
  std::string text;
  for (const ArgumentRow::Place& place : row.places()) {
    if (place.list == ArgumentList::None) continue;
    text += text.empty() ? "" : ", else ";
    text += fmt::format("{} {}", LISTS[static_cast<size_t>(place.list)], place.first);
    const int count = row.access().count;
    for (int i = 1; i < count && row.shares() == 1; ++i) text += fmt::format(", {}", place.first + i);
    if (row.shares() > 1)
      text += fmt::format("…, part {} of {}", row.share() + 1, row.shares());
    else if (count < 0)
      text += "…";
  }
  return text;
}

std::string gradientText(const ops::Schema& schema) {
  if (schema.gradientOperation() != nullptr) return schema.gradientOperation();
  if (schema.gradientRule() != nullptr) return "a rule";
  return schema.notDifferentiable() == nullptr ? "" : fmt::format("none: {}", schema.notDifferentiable());
}

}  // namespace sd::cli
