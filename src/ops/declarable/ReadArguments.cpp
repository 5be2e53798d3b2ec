#include "ops/declarable/ReadArguments.h"

#include <algorithm>
#include <cmath>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/ShortList.h"
#include "system/suggestions.h"

namespace sd::ops {
namespace {

using Integers = ShortList<LongType, 16>;
using Numbers = ShortList<double, 16>;

size_t lengthOf(const graph::Context& block, ArgumentList list) {
  switch (list) {
    case ArgumentList::Integers:
      return block.numI();
    case ArgumentList::Floats:
      return block.numT();
    case ArgumentList::Flags:
      return block.numB();
    case ArgumentList::Types:
      return block.numD();
    default:
      return 0;
  }
}

LongType integerAt(const graph::Context& block, ArgumentList list, size_t index) {
  switch (list) {
    case ArgumentList::Integers:
      return block.intArgument64(index);
    case ArgumentList::Floats:
      // Only flags are read as integers from this list.
      return block.floatArgument(index) != 0 ? 1 : 0;
    case ArgumentList::Flags:
      return block.boolArgument(index) ? 1 : 0;
    default:
      return static_cast<LongType>(block.typeArgument(index));
  }
}

double numberAt(const graph::Context& block, ArgumentList list, size_t index) {
  return list == ArgumentList::Floats ? block.floatArgument(index) : static_cast<double>(integerAt(block, list, index));
}

// ---- errors

/// Where the values of an argument come from.
enum class Origin { Lists, Input };

template <typename T>
[[noreturn]] [[gnu::cold]] void outsideRange(const ArgumentRow& row, T value, size_t at, size_t count, Origin origin) {
  double least = row.least(), most = row.most();
  const MemberAccess& access = row.access();
  if (row.kind() == ArgumentKind::Integer) {
    least = std::max(least, static_cast<double>(access.least));
    most = std::min(most, static_cast<double>(access.most));
  }
  const auto bound = [](double limit) { return fmt::format("{:.17g}", limit); };
  const std::string range = least > -9e18 && most < 9e18 ? fmt::format("{}..{}", bound(least), bound(most))
                            : least > -9e18              ? fmt::format("{}…", bound(least))
                                                         : fmt::format("…{}", bound(most));
  if (origin == Origin::Input)
    reject("input {} '{}': value {} at [{}] is outside {}", row.input(), row.name(), value, at, range);
  if (count == 1) reject("argument '{}': {} is outside {}", row.name(), value, range);
  reject("argument '{}': value {} at [{}] is outside {}", row.name(), value, at, range);
}

[[noreturn]] [[gnu::cold]] void wrongChoice(const ArgumentRow& row, LongType value) {
  reject("argument '{}': {} is none of {}", row.name(), value, choicesText(row));
}

[[noreturn]] [[gnu::cold]] void incomplete(const ArgumentRow& row, size_t given) {
  reject("argument '{}': {} values are needed, {} given", row.name(), row.access().count, given);
}

[[noreturn]] [[gnu::cold]] void missing(const ArgumentRow& row) { reject("argument '{}' is missing", row.name()); }

// ---- writing members

/// The enumerator for a number of the interface.
LongType enumeratorOf(const ArgumentRow& row, LongType number) {
  const MemberAccess& access = row.access();
  for (int i = 0; i < access.choiceCount; i++)
    if (access.choices[i].number == number && row.accepts(i)) return i;
  if (row.otherwise() < 0) wrongChoice(row, number);
  return row.otherwise();
}

void check(const ArgumentRow& row, const LongType* values, size_t count, Origin origin) {
  for (size_t i = 0; i < count; i++)
    if (values[i] < row.leastInteger() || values[i] > row.mostInteger()) outsideRange(row, values[i], i, count, origin);
}

void check(const ArgumentRow& row, const double* values, size_t count, Origin origin) {
  if (!row.hasRange()) return;
  for (size_t i = 0; i < count; i++)
    if (!(values[i] >= row.least() && values[i] <= row.most())) outsideRange(row, values[i], i, count, origin);
}

/// Integers of the interface: numbers of choices, codes of types.
void store(const ArgumentRow& row, void* arguments, LongType* values, size_t count, Origin origin = Origin::Lists) {
  if (row.kind() == ArgumentKind::Integer || row.kind() == ArgumentKind::Flag || row.kind() == ArgumentKind::Number) {
    check(row, values, count, origin);
  } else if (row.kind() == ArgumentKind::Choice) {
    for (size_t i = 0; i < count; i++) values[i] = enumeratorOf(row, values[i]);
  } else if (row.kind() == ArgumentKind::Type) {
    for (size_t i = 0; i < count; i++) checkedType(values[i], row.name());
  }
  row.access().setIntegers(row.memberOf(arguments), values, count);
}

void store(const ArgumentRow& row, void* arguments, const double* values, size_t count, Origin origin = Origin::Lists) {
  check(row, values, count, origin);
  row.access().setNumbers(row.memberOf(arguments), values, count);
}

// ---- reading

void readArray(const ArgumentRow& row, void* arguments, const NDArray& array) {
  const auto wanted = static_cast<size_t>(row.access().count == -1 ? array.lengthOf() : row.access().count);
  if (static_cast<LongType>(wanted) != array.lengthOf())
    reject("input {} '{}': it has {} elements, not {} (shape {})", row.input(), row.name(), array.lengthOf(), wanted,
           text(array));
  if (row.kind() == ArgumentKind::Number && (array.isR() || !row.access().takesIntegers())) {
    Numbers values;
    for (size_t i = 0; i < wanted; i++) values.push_back(array.e<double>(static_cast<LongType>(i)));
    return store(row, arguments, values.data(), wanted, Origin::Input);
  }
  Integers values;
  const DataType type = array.dataType();
  if (row.access().most == std::numeric_limits<int>::max() && (array.isR() || type != INT32)) {
    for (const int value : intsOf(array, row.input(), row.name())) values.push_back(value);
  } else if (array.isR() || type == UINT64) {
    for (const LongType value : integersOf(array, row.input(), row.name())) values.push_back(value);
  } else {
    for (size_t i = 0; i < wanted; i++) values.push_back(array.e<LongType>(static_cast<LongType>(i)));
  }
  store(row, arguments, values.data(), wanted, Origin::Input);
}

/// Checks values that a reader or the caller has set.
void checkGiven(const ArgumentRow& row, const void* arguments) {
  const MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  const size_t count = access.size(member);
  if (row.kind() == ArgumentKind::Number) {
    for (size_t i = 0; i < count; i++) {
      const double value = access.number(member, i);
      if (row.hasRange() && !(value >= row.least() && value <= row.most()))
        outsideRange(row, value, i, count, Origin::Lists);
    }
    return;
  }
  for (size_t i = 0; i < count; i++) {
    const LongType value = access.integer(member, i);
    if (row.kind() == ArgumentKind::Integer)
      check(row, &value, 1, Origin::Lists);
    else if (row.kind() == ArgumentKind::Choice &&
             (value < 0 || value >= access.choiceCount || !row.accepts(static_cast<int>(value))))
      wrongChoice(row, value);
    else if (row.kind() == ArgumentKind::Type)
      checkedType(value, row.name());
  }
}

/// The positional lists of a call.
struct Lists {
  const graph::Context& block;
  const int* integers;
  const double* floats;
  size_t numI, numT;

  explicit Lists(graph::Context& context)
      : block(context),
        integers(context.getIArguments()->data()),
        floats(context.getTArguments()->data()),
        numI(context.numI()),
        numT(context.numT()) {}

  LongType integer(size_t index) const {
    const int value = integers[index];
    // Values at the limits of 32 bits may be clipped.
    const bool clipped = value == std::numeric_limits<int>::max() || value == std::numeric_limits<int>::min();
    return clipped ? block.intArgument64(index) : value;
  }
};

/// Narrows the rest of a list to the part that the argument has.
void takePart(const ArgumentRow& row, size_t& first, size_t& count) {
  const auto shares = static_cast<size_t>(row.shares());
  if (count % shares != 0)
    reject("argument '{}': the {} values from [{}] on are not {} lists of equal length", row.name(), count, first,
           shares);
  count /= shares;
  first += count * static_cast<size_t>(row.share());
}

/// As readLists(), for a row that isPlain().
bool readPlain(const ArgumentRow& row, const Lists& lists, void* arguments) {
  using Element = MemberAccess::Element;
  const MemberAccess& access = row.access();
  const bool whole = row.list() == ArgumentList::Integers;
  auto first = static_cast<size_t>(row.first());
  const size_t given = whole ? lists.numI : lists.numT;
  if (given <= first) return false;
  size_t count = access.count == -1 ? given - first : static_cast<size_t>(access.count);
  if (given - first < count) incomplete(row, given - first);
  if (row.shares() > 1) takePart(row, first, count);
  void* member = row.memberOf(arguments);
  if (access.resize != nullptr) member = access.resize(member, count);
  for (size_t i = 0; i < count; i++) {
    if (!whole || access.element == Element::Double) {
      const double value = whole ? static_cast<double>(lists.integer(first + i)) : lists.floats[first + i];
      if (row.kind() == ArgumentKind::Flag) {
        static_cast<bool*>(member)[i] = value != 0;
        continue;
      }
      if (row.hasRange() && !(value >= row.least() && value <= row.most()))
        outsideRange(row, value, i, count, Origin::Lists);
      static_cast<double*>(member)[i] = value;
      continue;
    }
    LongType value = lists.integer(first + i);
    if (row.kind() == ArgumentKind::Choice) {
      value = enumeratorOf(row, value);
    } else if (row.kind() == ArgumentKind::Type) {
      checkedType(value, row.name());
    } else if (value < row.leastInteger() || value > row.mostInteger()) {
      outsideRange(row, value, i, count, Origin::Lists);
    }
    switch (access.element) {
      case Element::Long:
        static_cast<LongType*>(member)[i] = value;
        break;
      case Element::Bool:
        static_cast<bool*>(member)[i] = value != 0;
        break;
      default:
        static_cast<int*>(member)[i] = static_cast<int>(value);
    }
  }
  return true;
}

/// Whether readPlain() serves the row.
bool isPlain(const ArgumentRow& row) {
  using Element = MemberAccess::Element;
  if (!row.isPlain() || row.access().element == Element::Scalar) return false;
  if (row.list() == ArgumentList::Integers) return true;
  return row.list() == ArgumentList::Floats &&
         (row.access().element == Element::Double || row.access().element == Element::Bool);
}

/// Returns whether the positional lists give the argument.
bool readLists(const ArgumentRow& row, const graph::Context& block, void* arguments) {
  if (row.reader() != nullptr) {
    if (!row.reader()(row, block, arguments)) return false;
    checkGiven(row, arguments);
    return true;
  }
  size_t given = 0;
  ArgumentRow::Place place;
  for (const ArgumentRow::Place& candidate : row.places()) {
    given = lengthOf(block, candidate.list);
    place = candidate;
    if (given > 0) break;
  }
  const ArgumentList list = place.list;
  if (place.first < 0 || given <= static_cast<size_t>(place.first)) return false;
  auto first = static_cast<size_t>(place.first);
  const MemberAccess& access = row.access();
  size_t count = access.count == -1 ? given - first : static_cast<size_t>(access.count);
  if (given - first < count) incomplete(row, given - first);
  if (row.shares() > 1) takePart(row, first, count);
  if (row.kind() == ArgumentKind::Number && (list != ArgumentList::Integers || !access.takesIntegers())) {
    Numbers values;
    for (size_t i = 0; i < count; i++) values.push_back(numberAt(block, list, first + i));
    store(row, arguments, values.data(), count);
  } else {
    Integers values;
    for (size_t i = 0; i < count; i++) values.push_back(integerAt(block, list, first + i));
    store(row, arguments, values.data(), count);
  }
  return true;
}

/// Returns whether the argument is given.
bool readRow(const ArgumentRow& row, const graph::Context& block, const Lists& lists, void* arguments) {
  const NDArray* array = row.input() < 0 ? nullptr : block.optionalArray(row.input());
  if (array == nullptr) return isPlain(row) ? readPlain(row, lists, arguments) : readLists(row, block, arguments);
  if (row.inputComesLast() && readLists(row, block, arguments)) return true;
  if (!array->hasValues()) return true;  // inference asks whether the argument is known
  readArray(row, arguments, *array);
  return true;
}

bool isNamed(const graph::Context& block, const ArgumentRow& row) {
  const auto& named = block.namedArguments();
  return std::any_of(named.begin(), named.end(), [&](const auto& argument) { return argument.first == row.name(); });
}

void checkRanks(const Schema& schema, graph::Context& block) {
  const auto width = static_cast<size_t>(block.width());
  for (size_t i = 0; i < width; i++) {
    const InputRow* row = schema.inputRow(static_cast<int>(i));
    if (row == nullptr) return;
    if (!row->limitsRank()) continue;
    const NDArray* array = block.optionalArray(static_cast<int>(i));
    if (array != nullptr && !row->acceptsRank(array->rankOf())) row->rejectRank(PartialShape::of(array->shapeInfo()));
  }
}

const char* formName(ArgumentValue::Form form) {
  constexpr const char* NAMES[] = {"integers", "numbers", "flags", "types", "a name"};
  return NAMES[static_cast<int>(form)];
}

const char* kindName(ArgumentKind kind) {
  constexpr const char* NAMES[] = {"integers", "numbers", "flags", "a type", "a name"};
  return NAMES[static_cast<int>(kind)];
}

[[noreturn]] void unknownArgument(const Schema& schema, std::string_view name) {
  std::vector<std::string_view> names;
  for (const ArgumentRow& row : schema.arguments()) names.emplace_back(row.name());
  if (names.empty()) reject("there is no argument '{}': the operation has none", name);
  const std::string near = suggestions(name, names);
  if (near.empty()) reject("there is no argument '{}'; its arguments are {}", name, fmt::join(names, ", "));
  reject("there is no argument '{}'; did you mean {}?", name, near);
}

}  // namespace

DataType typeNamed(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  for (int code = 0; code <= UTF32; code++) {
    const auto type = static_cast<DataType>(code);
    if (DataTypeUtils::isElementType(type) && DataTypeUtils::describe(type) == upper) return type;
  }
  reject("there is no element type '{}'", name);
}

std::string choicesText(const ArgumentRow& row) {
  std::string text;
  for (int i = 0; i < row.access().choiceCount; i++)
    if (const Choice& choice = row.access().choices[i]; row.accepts(i))
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", choice.name, choice.number);
  return text;
}

void readArguments(const Schema& schema, graph::Context& block, int inputs) {
  if (schema.limitsRanks()) checkRanks(schema, block);
  if (schema.structure() == nullptr) {
    block.argumentBlock().clear();
    if (!block.hasNamedArguments()) return;
    if (!schema.isStated()) reject("the arguments have no names: the operation is declared without a schema");
    if (!block.namedArguments().empty()) unknownArgument(schema, block.namedArguments()[0].first);
    reject("the arguments of the call are those of another operation");
  }
  void* arguments = block.argumentBlock().prepare(*schema.structure());
  const ArgumentBlock& given = block.givenArguments();
  if (given.data() != nullptr) {
    if (!given.holds(*schema.structure())) reject("the arguments of the call are those of another operation");
    schema.structure()->copy(arguments, given.data());
  }
  const Lists lists(block);
  for (const ArgumentRow& row : schema.arguments()) {
    if (given.data() != nullptr) {
      checkGiven(row, arguments);
      const NDArray* array = row.input() < 0 ? nullptr : block.optionalArray(row.input());
      if (array != nullptr && array->hasValues()) readArray(row, arguments, *array);
      continue;
    }
    const bool atInput = row.input() >= 0 && row.input() < inputs;
    if (!readRow(row, block, lists, arguments) && row.required() && !atInput && !isNamed(block, row)) missing(row);
  }
  for (const auto& [name, value] : block.namedArguments()) assignArgument(schema, arguments, name, value);
}

void assignArgument(const Schema& schema, void* arguments, std::string_view name, const ArgumentValue& value) {
  using Form = ArgumentValue::Form;
  const ArgumentRow* row = schema.argument(name);
  if (row == nullptr) unknownArgument(schema, name);
  const MemberAccess& access = row->access();
  const auto wrongKind = [&] {
    reject("argument '{}' takes {}, but {} are given", name, kindName(row->kind()), formName(value.form));
  };
  const auto checkCount = [&](size_t count) {
    if (access.count != -1 && count != static_cast<size_t>(access.count))
      reject("argument '{}': {} value{} needed, {} given", name, access.count, access.count == 1 ? " is" : "s are",
             count);
  };
  switch (row->kind()) {
    case ArgumentKind::Number: {
      if (value.form != Form::Numbers && value.form != Form::Integers) wrongKind();
      if (value.form == Form::Integers && access.takesIntegers()) {
        checkCount(value.integers.size());
        std::vector<LongType> integers = value.integers;
        return store(*row, arguments, integers.data(), integers.size());
      }
      std::vector<double> numbers = value.numbers;
      if (value.form == Form::Integers) numbers.assign(value.integers.begin(), value.integers.end());
      checkCount(numbers.size());
      return store(*row, arguments, numbers.data(), numbers.size());
    }
    case ArgumentKind::Choice: {
      if (value.form != Form::Name) wrongKind();
      std::vector<std::string_view> names;
      for (int i = 0; i < access.choiceCount; i++) {
        if (!row->accepts(i)) continue;
        if (value.name == access.choices[i].name) {
          const LongType enumerator = i;
          return access.setIntegers(row->memberOf(arguments), &enumerator, 1);
        }
        names.emplace_back(access.choices[i].name);
      }
      reject("argument '{}': '{}' is none of {}", name, value.name, fmt::join(names, ", "));
    }
    default: {
      const Form wanted = row->kind() == ArgumentKind::Flag   ? Form::Flags
                          : row->kind() == ArgumentKind::Type ? Form::Types
                                                              : Form::Integers;
      if (value.form != wanted) wrongKind();
      checkCount(value.integers.size());
      std::vector<LongType> integers = value.integers;
      return store(*row, arguments, integers.data(), integers.size());
    }
  }
}

ArgumentValue argumentValue(const ArgumentRow& row, const void* arguments) {
  const MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  ArgumentValue value;
  const size_t count = access.size(member);
  for (size_t i = 0; i < count; i++) {
    if (row.kind() == ArgumentKind::Number)
      value.numbers.push_back(access.number(member, i));
    else
      value.integers.push_back(access.integer(member, i));
  }
  switch (row.kind()) {
    case ArgumentKind::Integer:
      value.form = ArgumentValue::Form::Integers;
      break;
    case ArgumentKind::Number:
      value.form = ArgumentValue::Form::Numbers;
      break;
    case ArgumentKind::Flag:
      value.form = ArgumentValue::Form::Flags;
      break;
    case ArgumentKind::Type:
      value.form = ArgumentValue::Form::Types;
      break;
    case ArgumentKind::Choice:
      value.form = ArgumentValue::Form::Name;
      if (count > 0) value.name = access.choices[value.integers[0]].name;
      value.integers.clear();
      break;
  }
  return value;
}

}  // namespace sd::ops
