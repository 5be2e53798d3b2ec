// Calls of custom operations from C++.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/ArgumentText.h"
#include "cli/Text.h"
#include "cli/docs/Calls.h"
#include "cli/docs/MethodCalls.h"
#include "generate/cpp_names.h"

namespace sd::cli::docs {
namespace {

using ops::ArgumentKind;
using ops::ArgumentList;
using ops::ArgumentRow;
using ops::ArgumentValue;

struct Enumerator {
  std::string_view type, name;
};

constexpr Enumerator ENUMERATORS[] = {
#include "ops/Enumerators.inc"
};

/// "sd::ops::args::PaddingMode::Same" for the choice "same".
std::string enumeratorOf(const ArgumentRow& row, const std::string& choice) {
  const ops::MemberAccess& access = row.access();
  int index = 0;
  for (const auto& [type, name] : ENUMERATORS) {
    if (type != access.type) continue;
    if (index < access.choiceCount && choice == access.choices[index].name)
      return fmt::format("sd::ops::args::{}::{}", type, name);
    ++index;
  }
  return choice;
}

std::string memberValue(const ArgumentRow& row, const ArgumentValue& value) {
  if (row.kind() == ArgumentKind::Choice) return enumeratorOf(row, value.name);
  std::vector<std::string> values;
  for (const double number : value.numbers) values.push_back(realText(number));
  for (const LongType integer : value.integers) {
    if (row.kind() == ArgumentKind::Type)
      values.push_back(typeNameInCpp(static_cast<DataType>(integer)));
    else if (row.kind() == ArgumentKind::Flag)
      values.emplace_back(integer != 0 ? "true" : "false");
    else
      values.push_back(fmt::format("{}", integer));
  }
  const ops::MemberAccess& access = row.access();
  if (access.count == 1) return values.empty() ? "{}" : values[0];
  const std::string list = fmt::format("{{{}}}", fmt::join(values, ", "));
  return access.optional && access.count < 0 ? fmt::format("std::vector<{}>{}", access.type, list) : list;
}

std::string structText(const WorkedExample& example) {
  std::vector<WorkedExample::Argument> arguments = example.arguments();
  // Designated initialisers come in the order of the members.
  std::stable_sort(arguments.begin(), arguments.end(),
                   [](const auto& a, const auto& b) { return a.row->offset() < b.row->offset(); });
  std::vector<std::string> members;
  for (const auto& [row, value] : arguments)
    members.push_back(fmt::format(".{} = {}", generate::memberName(row->name()), memberValue(*row, value)));
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

/// The declarations of the inputs, and an empty line before them.
std::string declarations(const WorkedExample& example) {
  std::string text = "\n";
  for (const auto& input : example.inputs())
    if (input.array != nullptr) text += declarationOf(input) + "\n";
  const bool special = text.find("NAN") != std::string::npos || text.find("INFINITY") != std::string::npos;
  return (special ? "#include <cmath>\n" : "") + text;
}

/// The inputs of a function of namespace nd.
std::vector<std::string> operands(const WorkedExample& example) {
  const ops::Schema& schema = example.schema();
  const auto& inputs = example.inputs();
  const auto isOptional = [&](const ops::InputRow& row) {
    return row.isOptional() || schema.argument(row.name()) != nullptr;
  };
  // One overload has the required inputs only, the other one all of them.
  bool all = false;
  for (const auto& input : inputs) all = all || (input.array != nullptr && isOptional(*input.row));
  std::vector<std::string> texts;
  for (const ops::InputRow& row : schema.inputs()) {
    std::vector<std::string> names;
    for (const auto& input : inputs)
      if (input.row == &row && input.array != nullptr) names.push_back(input.name);
    if (row.isAny() && (all || !isOptional(row)))
      texts.push_back(fmt::format("{{{}}}", fmt::join(names, ", ")));
    else if (!names.empty())
      texts.push_back(names[0]);
    else if (all)
      texts.emplace_back("{}");
  }
  return texts;
}

// ---- positional lists

struct Lists {
  std::vector<double> floats;
  std::vector<LongType> integers;
  std::vector<bool> flags;
  std::vector<DataType> types;
};

/// The place of the value that the positional lists have for the row, when one index says it.
bool isPlain(const ArgumentRow& row) { return row.reader() == nullptr && row.shares() == 1 && row.first() >= 0; }

void place(const ArgumentRow& row, const void* arguments, Lists& lists) {
  const ops::MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  const auto first = static_cast<size_t>(row.first());
  for (size_t i = 0, n = access.size(member); i < n; ++i) {
    double value =
        row.kind() == ArgumentKind::Number ? access.number(member, i) : static_cast<double>(access.integer(member, i));
    if (row.kind() == ArgumentKind::Choice)
      value = static_cast<double>(access.choices[access.integer(member, i)].number);
    const auto set = [&](auto& list, auto element) {
      if (list.size() <= first + i) list.resize(first + i + 1);
      list[first + i] = element;
    };
    switch (row.list()) {
      case ArgumentList::Floats:
        set(lists.floats, value);
        break;
      case ArgumentList::Flags:
        set(lists.flags, value != 0);
        break;
      case ArgumentList::Types:
        set(lists.types, static_cast<DataType>(value));
        break;
      default:
        set(lists.integers, static_cast<LongType>(value));
    }
  }
}

/// The lists of the example: as long as its arguments need, with defaults in between.
std::optional<Lists> listsOf(const WorkedExample& example) {
  const ops::Schema& schema = example.schema();
  Lists lists;
  const auto isGiven = [&](const ArgumentRow& row) { return example.argument(row.name()) != nullptr; };
  for (const ArgumentRow& row : schema.arguments()) {
    if (!isGiven(row)) continue;
    if (!isPlain(row)) return std::nullopt;
    // Everything before it in its list.
    for (const ArgumentRow& other : schema.arguments())
      if (isPlain(other) && other.list() == row.list() && other.first() < row.first() && !isGiven(other))
        place(other, example.structure(), lists);
  }
  for (const ArgumentRow& row : schema.arguments())
    if (isGiven(row)) place(row, example.structure(), lists);
  // Some lists need a number of values.
  const auto fill = [&](auto& list, ArgumentList kind, int declared) {
    for (const ArgumentRow& row : schema.arguments())
      if (isPlain(row) && row.list() == kind && row.first() < declared && !isGiven(row))
        place(row, example.structure(), lists);
    if (static_cast<int>(list.size()) < declared) list.resize(static_cast<size_t>(declared));
  };
  fill(lists.floats, ArgumentList::Floats, schema.descriptor().getNumberOfTArgs());
  fill(lists.integers, ArgumentList::Integers, schema.descriptor().getNumberOfIArgs());
  return lists;
}

std::string listTexts(const Lists& lists) {
  std::vector<std::string> floats, integers, flags, types;
  for (const double value : lists.floats) floats.push_back(realText(value));
  for (const LongType value : lists.integers) integers.push_back(fmt::format("{}", value));
  for (const bool value : lists.flags) flags.emplace_back(value ? "true" : "false");
  for (const DataType type : lists.types) types.push_back(typeNameInCpp(type));
  std::vector<std::string> all;
  for (const auto* list : {&floats, &integers, &flags, &types})
    all.push_back(fmt::format("{{{}}}", fmt::join(*list, ", ")));
  while (!all.empty() && all.back() == "{}") all.pop_back();
  if (all.size() == 1) all.emplace_back("{}");  // one list alone may hold values of any kind
  return all.empty() ? "" : fmt::format(", {}", fmt::join(all, ", "));
}

}  // namespace

std::string typeNameInCpp(DataType type) {
  return "sd::" + (type == HALF ? std::string("HALF") : DataTypeUtils::describe(type));
}

std::string literalOf(const NDArray& array, LongType index) {
  if (array.isS()) return cli::quoted(array.e<std::string>(index));
  if (!array.isR()) return fmt::format("{}", array.e<LongType>(index));
  const double value = array.e<double>(index);
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  return array.dataType() == DOUBLE ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

std::string declarationOf(const WorkedExample::Operand& operand) {
  const NDArray& array = *operand.array;
  std::vector<std::string> values;
  for (LongType i = 0; !array.isEmpty() && i < array.lengthOf(); ++i) values.push_back(literalOf(array, i));
  const std::string shape = fmt::format("{{{}}}", fmt::join(array.getShapeAsVector(), ", "));
  if (array.isS())
    return fmt::format("sd::NDArray {} = sd::NDArrayFactory::string({}, std::vector<std::string>{{{}}});", operand.name,
                       shape, fmt::join(values, ", "));
  if (array.isEmpty())
    return fmt::format("sd::NDArray {}('c', {}, {});", operand.name, shape, typeNameInCpp(array.dataType()));
  return fmt::format("sd::NDArray {}('c', {}, {{{}}}, {});", operand.name, shape, fmt::join(values, ", "),
                     typeNameInCpp(array.dataType()));
}

std::string cppCall(const WorkedExample& example) {
  const Item& item = example.item();
  const ops::Schema& schema = example.schema();
  std::string function, header = item.family;
  if (item.numbered != nullptr) {
    function = generate::identifier(generate::numberedFunction(*item.numbered));
    header = "numbered";
  } else if (item.library.empty() && generate::hasFunction(schema)) {
    function = generate::identifier(item.name);
  }
  if (function.empty()) return "";
  std::vector<std::string> inputs = operands(example);
  const bool needed = std::any_of(schema.arguments().begin(), schema.arguments().end(),
                                  [](const ArgumentRow& row) { return row.required(); });
  if (!example.arguments().empty() || needed) inputs.push_back(structText(example));
  std::string result = "sd::NDArray " + (example.outputs().empty() ? "z" : example.outputs()[0].name);
  if (schema.outputs()[0].isAny) {
    result = "std::vector<sd::NDArray> results";
  } else if (schema.outputs().size() > 1) {
    std::vector<std::string> names;
    for (size_t i = 0; i < schema.outputs().size(); ++i)
      names.push_back(i < example.outputs().size() ? example.outputs()[i].name : fmt::format("absent{}", i));
    result = fmt::format("auto [{}]", fmt::join(names, ", "));
  }
  const std::string seed = example.isRandom() ? fmt::format("sd::nd::generator().setStates({});\n", SEED) : "";
  return fmt::format("#include <nd/{}.h>\n{}{}{} = sd::nd::{}({});", header, declarations(example), seed, result,
                     function, fmt::join(inputs, ", "));
}

std::string positionalCall(const WorkedExample& example) {
  const Item& item = example.item();
  if (item.numbered != nullptr) return methodCall(example);
  if (example.isRandom() || example.hasGap()) return "";
  const std::optional<Lists> lists = listsOf(example);
  if (!lists || !example.agreesWith(lists->floats, lists->integers, lists->flags, lists->types)) return "";
  std::vector<std::string> names;
  for (const auto& input : example.inputs()) names.push_back("&" + input.name);
  const ops::DeclarableOp& op = *item.op;
  const std::string object =
      item.library.empty()
          ? fmt::format("sd::ops::{} op;", generate::nameInOps(typeid(op)))
          : fmt::format("auto& op = *sd::ops::OpRegistrator::getInstance().getOperation(\"{}\");", item.name);
  return fmt::format("#include <ops/declarable/CustomOperations.h>\n{}{}\nauto results = op.evaluate({{{}}}{});",
                     declarations(example), object, fmt::join(names, ", "), listTexts(*lists));
}

}  // namespace sd::cli::docs
