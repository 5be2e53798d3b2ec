#include "ops/declarable/ReadArguments.h"

#include <algorithm>
#include <cmath>

#include "ops/declarable/Common.h"
#include "system/suggestions.h"

namespace sd::ops {
namespace {

// ---- errors

/// Where the values of an argument come from.
enum class Origin { Lists, Input };

template <typename T>
[[noreturn]] [[gnu::cold]] void outsideRange(const ArgumentRow& row, T value, size_t at, size_t count, Origin origin) {
  const std::string range = rangeText(row);
  if (origin == Origin::Input)
    reject("input {} '{}': value {} at [{}] is outside {}", row.input(), row.name(), value, at, range);
  if (count == 1) reject("argument '{}': {} is outside {}", row.name(), value, range);
  reject("argument '{}': value {} at [{}] is outside {}", row.name(), value, at, range);
}

[[noreturn]] [[gnu::cold]] void wrongChoice(const ArgumentRow& row, LongType value) {
  reject("argument '{}': {} is none of {}", row.name(), value, choicesText(row));
}

/// The list is too short for an argument. One that an input may give instead is refused as a wrong call.
template <typename... Args>
[[noreturn]] [[gnu::cold]] void tooShort(const ArgumentRow& row, fmt::format_string<Args...> text, Args&&... args) {
  const std::string what = formatted(text, fmt::make_format_args(args...));
  if (row.input() >= 0) rejectWith(what);
  fail<std::out_of_range>("[{}] {}", RunningOp::name(), what);
}

[[noreturn]] [[gnu::cold]] void incomplete(const ArgumentRow& row, size_t given) {
  tooShort(row, "argument '{}': {} values are needed, {} given", row.name(), row.access().count, given);
}

[[noreturn]] [[gnu::cold]] void missing(const ArgumentRow& row) {
  tooShort(row, "argument '{}' is missing", row.name());
}

// ---- writing members

/// The enumerator for a number of the interface.
LongType enumeratorOf(const ArgumentRow& row, LongType number) {
  const MemberAccess& access = row.access();
  for (int i = 0; i < access.choiceCount; i++)
    if (access.choices[i].number == number && row.accepts(i)) return i;
  if (row.otherwise() < 0) wrongChoice(row, number);
  return row.otherwise();
}

/// Stores value `at` of `count`. Integers are those of the interface: numbers of choices, codes of types.
void storeInteger(const ArgumentRow& row, void* member, size_t at, size_t count, LongType value, Origin origin) {
  using Element = MemberAccess::Element;
  const MemberAccess& access = row.access();
  switch (row.kind()) {
    case ArgumentKind::Choice:
      value = enumeratorOf(row, value);
      break;
    case ArgumentKind::Type:
      checkedType(value, row.name());
      break;
    default:
      if (value < row.leastInteger() || value > row.mostInteger()) outsideRange(row, value, at, count, origin);
  }
  switch (access.element) {
    case Element::Long:
      static_cast<LongType*>(member)[at] = value;
      break;
    case Element::Double:
      static_cast<double*>(member)[at] = static_cast<double>(value);
      break;
    case Element::Scalar:
      static_cast<Scalar*>(member)[at] = value;
      break;
    case Element::Bool:
      static_cast<bool*>(member)[at] = value != 0;
      break;
    default:
      static_cast<int*>(member)[at] = static_cast<int>(value);
  }
}

void storeNumber(const ArgumentRow& row, void* member, size_t at, size_t count, double value, Origin origin) {
  if (row.kind() == ArgumentKind::Flag) {
    static_cast<bool*>(member)[at] = value != 0;
    return;
  }
  if (row.kind() != ArgumentKind::Number) {
    if (!(value == std::trunc(value) && value >= -0x1p63 && value < 0x1p63))
      reject("argument '{}': {} is not an integer", row.name(), value);
    return storeInteger(row, member, at, count, static_cast<LongType>(value), origin);
  }
  if (row.hasRange() && !(value >= row.least() && value <= row.most())) outsideRange(row, value, at, count, origin);
  if (row.access().element == MemberAccess::Element::Scalar)
    static_cast<Scalar*>(member)[at] = value;
  else
    static_cast<double*>(member)[at] = value;
}

/// The place of `count` values.
void* placeOf(const ArgumentRow& row, void* arguments, size_t count) {
  void* member = row.memberOf(arguments);
  return row.access().resize == nullptr ? member : row.access().resize(member, count);
}

// ---- reading

void readArray(const ArgumentRow& row, void* arguments, const NDArray& array) {
  const auto wanted = static_cast<size_t>(row.access().count == -1 ? array.lengthOf() : row.access().count);
  if (static_cast<LongType>(wanted) != array.lengthOf())
    reject("input {} '{}': it has {} elements, not {} (shape {})", row.input(), row.name(), array.lengthOf(), wanted,
           text(array));
  if (array.isS() || array.isC())
    reject("input {} '{}': numbers are needed, its type is {}", row.input(), row.name(),
           DataTypeUtils::describe(array.dataType()));
  void* member = placeOf(row, arguments, wanted);
  const auto each = [&](auto&& valueAt) {
    for (size_t i = 0; i < wanted; i++) storeInteger(row, member, i, wanted, valueAt(i), Origin::Input);
  };
  if (row.kind() == ArgumentKind::Number && (array.isR() || !row.access().takesIntegers())) {
    for (size_t i = 0; i < wanted; i++)
      storeNumber(row, member, i, wanted, array.e<double>(static_cast<LongType>(i)), Origin::Input);
  } else if (row.access().most == std::numeric_limits<int>::max() && (array.isR() || array.dataType() != INT32)) {
    const auto values = intsOf(array, row.input(), row.name());
    each([&](size_t i) { return values[i]; });
  } else if (array.isR() || array.dataType() == UINT64) {
    const auto values = integersOf(array, row.input(), row.name());
    each([&](size_t i) { return values[i]; });
  } else {
    each([&](size_t i) { return array.e<LongType>(static_cast<LongType>(i)); });
  }
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
    if (row.kind() == ArgumentKind::Integer && (value < row.leastInteger() || value > row.mostInteger()))
      outsideRange(row, value, i, 1, Origin::Lists);
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
  size_t lengths[5];  // by ArgumentList

  explicit Lists(graph::Context& context)
      : block(context),
        integers(context.getIArguments()->data()),
        floats(context.getTArguments()->data()),
        lengths{0, context.numI(), context.numT(), context.numB(), context.numD()} {}

  size_t length(ArgumentList list) const { return lengths[static_cast<size_t>(list)]; }
  /// Of a list that has no real numbers.
  LongType integer(ArgumentList list, size_t index) const {
    if (list == ArgumentList::Flags) return block.boolArgument(index) ? 1 : 0;
    if (list == ArgumentList::Types) return static_cast<LongType>(block.typeArgument(index));
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

/// Returns whether the positional lists give the argument.
bool readLists(const ArgumentRow& row, const Lists& lists, void* arguments) {
  if (row.reader() != nullptr) {
    if (!row.reader()(row, lists.block, arguments)) return false;
    checkGiven(row, arguments);
    return true;
  }
  const ArgumentRow::Place* place = row.places().data();
  size_t given = lists.length(place->list);
  for (size_t k = 1; given == 0 && k < row.places().size() && row.places()[k].first >= 0; k++)
    given = lists.length((++place)->list);
  if (place->first < 0 || given <= static_cast<size_t>(place->first)) return false;
  auto first = static_cast<size_t>(place->first);
  const int wanted = row.access().count;
  size_t count = wanted == -1 ? given - first : static_cast<size_t>(wanted);
  if (given - first < count) incomplete(row, given - first);
  if (row.shares() > 1) takePart(row, first, count);
  void* member = placeOf(row, arguments, count);
  if (place->list == ArgumentList::Floats)
    for (size_t i = 0; i < count; i++) storeNumber(row, member, i, count, lists.floats[first + i], Origin::Lists);
  else
    for (size_t i = 0; i < count; i++)
      storeInteger(row, member, i, count, lists.integer(place->list, first + i), Origin::Lists);
  return true;
}

/// What readRow() found.
enum class Source { None, Call, UnreadInput };

/// `isShape`: the input that may give the argument is there, but only its shape is known.
Source readRow(const ArgumentRow& row, const Lists& lists, void* arguments, bool isShape) {
  const NDArray* array = row.input() < 0 ? nullptr : lists.block.optionalArray(row.input());
  if (array == nullptr && !isShape) return readLists(row, lists, arguments) ? Source::Call : Source::None;
  if (row.inputComesLast() && readLists(row, lists, arguments)) return Source::Call;
  if (array == nullptr || !array->hasValues()) return Source::UnreadInput;
  readArray(row, arguments, *array);
  return Source::Call;
}

/// The same for an argument that `arguments` holds already.
Source readGiven(const ArgumentRow& row, const graph::Context& block, void* arguments, bool isShape) {
  checkGiven(row, arguments);
  const NDArray* array = row.input() < 0 ? nullptr : block.optionalArray(row.input());
  if (array == nullptr ? isShape : !array->hasValues()) return Source::UnreadInput;
  if (array != nullptr) readArray(row, arguments, *array);
  return Source::Call;
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

std::string rangeText(const ArgumentRow& row) {
  const bool isInteger = row.kind() == ArgumentKind::Integer;
  const auto text = [&](bool limited, double bound, LongType integer) {
    return !limited ? std::string() : isInteger ? fmt::format("{}", integer) : fmt::format("{}", bound);
  };
  const bool isInt = row.access().element == MemberAccess::Element::Int;
  const std::string least = text(row.least() > -INFINITY || isInt, row.least(), row.leastInteger());
  const std::string most = text(row.most() < INFINITY || isInt, row.most(), row.mostInteger());
  return least.empty() || most.empty() ? least + "…" + most : least + ".." + most;
}

std::string choicesText(const ArgumentRow& row) {
  std::string text;
  for (int i = 0; i < row.access().choiceCount; i++)
    if (const Choice& choice = row.access().choices[i]; row.accepts(i))
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", choice.name, choice.number);
  return text;
}

void readArguments(const Schema& schema, graph::Context& block, int inputs) {
  block.forgetCall();
  if (schema.limitsRanks()) checkRanks(schema, block);
  if (schema.structure() == nullptr) {
    block.argumentBlock().clear();
    block.argumentBlock().setReadsInputs(false);
    if (block.namedArguments().empty() && block.givenArguments().data() == nullptr) return;
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
  std::uint64_t unread = 0, bit = 1;
  bool readsInputs = false;
  for (const ArgumentRow& row : schema.arguments()) {
    const bool isShape = row.input() >= 0 && row.input() < inputs;
    readsInputs |= row.input() >= 0 && block.optionalArray(row.input()) != nullptr;
    const Source source =
        given.data() != nullptr ? readGiven(row, block, arguments, isShape) : readRow(row, lists, arguments, isShape);
    if (source != Source::Call && block.hasNamedArguments() && isNamed(block, row)) {
      // Its value is stored below.
    } else if (source == Source::UnreadInput) {
      unread |= bit;
    } else if (source == Source::None && row.required()) {
      missing(row);
    }
    bit <<= 1;
  }
  block.argumentBlock().setUnread(unread);
  block.argumentBlock().setReadsInputs(readsInputs);
  for (const auto& [name, value] : block.namedArguments()) assignArgument(schema, arguments, name, value);
}

void assignArgument(const Schema& schema, void* arguments, std::string_view name, const ArgumentValue& value) {
  using Form = ArgumentValue::Form;
  const ArgumentRow* row = schema.argument(name);
  if (row == nullptr) unknownArgument(schema, name);
  const MemberAccess& access = row->access();
  const auto wrongKind = [&] {
    reject("argument '{}' takes {}, not {}", name, kindName(row->kind()), formName(value.form));
  };
  const auto checkCount = [&](size_t count) {
    if (access.count != -1 && count != static_cast<size_t>(access.count))
      reject("argument '{}': {} value{} needed, {} given", name, access.count, access.count == 1 ? " is" : "s are",
             count);
  };
  const auto storeIntegers = [&] {
    const size_t count = value.integers.size();
    checkCount(count);
    void* member = placeOf(*row, arguments, count);
    for (size_t i = 0; i < count; i++) storeInteger(*row, member, i, count, value.integers[i], Origin::Lists);
  };
  switch (row->kind()) {
    case ArgumentKind::Number: {
      if (value.form != Form::Numbers && value.form != Form::Integers) wrongKind();
      if (value.form == Form::Integers) return storeIntegers();
      const size_t count = value.numbers.size();
      checkCount(count);
      void* member = placeOf(*row, arguments, count);
      for (size_t i = 0; i < count; i++) storeNumber(*row, member, i, count, value.numbers[i], Origin::Lists);
      return;
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
      return storeIntegers();
    }
  }
}

ArgumentValue argumentValue(const ArgumentRow& row, const void* arguments) {
  const MemberAccess& access = row.access();
  const void* member = row.memberOf(arguments);
  ArgumentValue value;
  const size_t count = access.size(member);
  // Scalars are integers or real numbers, which decides about the types of results.
  const auto* scalars = access.element != MemberAccess::Element::Scalar
                            ? nullptr
                            : static_cast<const Scalar*>(access.valuesOf == nullptr ? member : access.valuesOf(member));
  const bool isReal =
      scalars == nullptr || std::any_of(scalars, scalars + count, [](const Scalar& s) { return !s.isInteger(); });
  for (size_t i = 0; i < count; i++) {
    if (row.kind() == ArgumentKind::Number && isReal)
      value.numbers.push_back(access.number(member, i));
    else
      value.integers.push_back(access.integer(member, i));
  }
  switch (row.kind()) {
    case ArgumentKind::Integer:
      value.form = ArgumentValue::Form::Integers;
      break;
    case ArgumentKind::Number:
      value.form = isReal ? ArgumentValue::Form::Numbers : ArgumentValue::Form::Integers;
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
