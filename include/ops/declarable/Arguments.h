// The arguments of an operation: a struct with default values, and rows that name its members.
#ifndef NDFORGE_OPS_DECLARABLE_ARGUMENTS_H
#define NDFORGE_OPS_DECLARABLE_ARGUMENTS_H

#include <array/DataType.h>
#include <system/common.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace sd::graph {
class Context;
}

namespace sd::ops {

/// The argument structs of the library's operations. They have a namespace of their own because their names are plain
/// ones (Split, Gather, Slice), and existing programs have `using namespace sd::ops` beside types of their own.
namespace args {}
#if defined(SD_BUILDING_LIBRARY)
using namespace args;
#endif

/// What the values of an argument are. Choice: one of several names.
enum class ArgumentKind { Integer, Number, Flag, Type, Choice };

/// The positional lists of a call.
enum class ArgumentList { None, Integers, Floats, Flags, Types };

/// A value of an enum: its name in calls, and its number in the list of integers.
struct Choice {
  const char* name;
  LongType number;
  const char* text;
};

/// The names of an enum. Specialised beside each enum that is a member of an argument struct, with
///   static constexpr const char* name;      of the enum
///   static constexpr Choice values[];       one for each enumerator, in their order, which begins with 0
template <typename E>
struct ChoicesOf;

/// A number that is an integer or a real number, as the caller gave it.
class Scalar {
 public:
  constexpr Scalar() = default;
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  constexpr Scalar(T value)
      : _isInteger(std::is_integral_v<T>),
        _integer(static_cast<LongType>(value)),
        _number(static_cast<double>(value)) {}

  constexpr bool isInteger() const { return _isInteger; }
  /// The value if it is an integer.
  constexpr LongType integer() const { return _integer; }
  constexpr double number() const { return _number; }
  constexpr bool operator==(const Scalar& other) const {
    return _isInteger == other._isInteger && (_isInteger ? _integer == other._integer : _number == other._number);
  }

 private:
  bool _isInteger = true;
  LongType _integer = 0;
  double _number = 0;
};

/// How the values of a member of some C++ type are read and written. Types, flags and choices are integers here; the
/// integer of a choice is that of its enumerator.
struct SD_LIB_EXPORT MemberAccess {
  enum class Element : unsigned char { Int, Long, Double, Bool, Enum, Scalar };

  ArgumentKind kind;
  Element element;
  int count;      ///< the number of values; -1: any number
  bool optional;  ///< the member may have no value
  LongType least, most;
  const char* type;  ///< "int", "LongType", "double", "Scalar", "bool", "DataType" or the name of the enum
  const Choice* choices;
  int choiceCount;
  // Null for members that hold their values themselves, and always `count` of them.
  size_t (*sizeOf)(const void* member);
  const void* (*valuesOf)(const void* member);
  void* (*resize)(void* member, size_t count);  ///< the place of `count` values

  /// Whether integers are stored as such; numbers store them as real numbers.
  bool takesIntegers() const { return element != Element::Double; }
  size_t size(const void* member) const { return sizeOf == nullptr ? static_cast<size_t>(count) : sizeOf(member); }
  LongType integer(const void* member, size_t index) const;
  double number(const void* member, size_t index) const;
  void setIntegers(void* member, const LongType* values, size_t count) const;
  void setNumbers(void* member, const double* values, size_t count) const;
  /// Bit by bit: 0 and -0 differ, and NaN is equal to itself.
  bool areEqual(const void* member, const void* other) const;
};

/// The values of an argument, apart from any struct.
struct ArgumentValue {
  enum class Form { Integers, Numbers, Flags, Types, Name };
  Form form = Form::Integers;
  std::vector<LongType> integers;  ///< Integers, Flags and Types
  std::vector<double> numbers;
  std::string name;  ///< of a choice or of an element type

  bool operator==(const ArgumentValue& other) const {
    return form == other.form && integers == other.integers && numbers == other.numbers && name == other.name;
  }
};

class ArgumentRow;

/// Sets the member of a row from the positional lists of a call, where the lists are read in an unusual way. It may
/// look at the values of inputs other than the first. Returns whether the argument is given.
using PositionalReader = bool (*)(const ArgumentRow& row, const graph::Context& block, void* arguments);

/// One argument: its name, the member that holds it, its place in the positional lists, and its range.
class SD_LIB_EXPORT ArgumentRow {
 public:
  ArgumentRow(const char* name, const char* text, const MemberAccess& access, size_t offset);

  const char* name() const { return _name; }
  const char* text() const { return _text; }
  ArgumentKind kind() const { return _access->kind; }
  const MemberAccess& access() const { return *_access; }
  struct Place {
    ArgumentList list = ArgumentList::None;
    int first = -1;
  };
  ArgumentList list() const { return _places[0].list; }
  int first() const { return _places[0].first; }
  /// The place and, when its list is empty, the others.
  const std::array<Place, 3>& places() const { return _places; }
  PositionalReader reader() const { return _reader; }
  bool required() const { return _required; }
  bool hasRange() const { return _hasRange; }
  /// The range of integers, with the limits of the member's type.
  LongType leastInteger() const { return _leastInteger; }
  LongType mostInteger() const { return _mostInteger; }
  /// Called when the row is complete.
  void finish();
  double least() const { return _least; }
  double most() const { return _most; }
  /// The input that may give the values instead; -1: none.
  int input() const { return _input; }
  /// Whether the positional lists count before that input.
  bool inputComesLast() const { return _inputComesLast; }
  const void* memberOf(const void* arguments) const { return static_cast<const char*>(arguments) + _offset; }
  /// How many arguments share the rest of the positional list in equal parts, and which part this one has.
  int shares() const { return _shares; }
  int share() const { return _share; }
  /// The enumerator that other numbers mean; -1: they are errors.
  int otherwise() const { return _otherwise; }
  bool accepts(int enumerator) const { return (_excluded >> enumerator & 1) == 0; }
  void* memberOf(void* arguments) const { return static_cast<char*>(arguments) + _offset; }
  size_t offset() const { return _offset; }

  // ---- the place in the positional lists: the index of the first value

  ArgumentRow& atInteger(int first) { return at(ArgumentList::Integers, first); }
  ArgumentRow& atFloat(int first) { return at(ArgumentList::Floats, first); }
  ArgumentRow& atFlag(int first) { return at(ArgumentList::Flags, first); }
  ArgumentRow& atType(int first) { return at(ArgumentList::Types, first); }
  /// Another place, which counts when the lists of those before it are empty. At most two.
  ArgumentRow& orInteger(int first) { return orAt(ArgumentList::Integers, first); }
  ArgumentRow& orFloat(int first) { return orAt(ArgumentList::Floats, first); }
  ArgumentRow& orFlag(int first) { return orAt(ArgumentList::Flags, first); }
  ArgumentRow& orType(int first) { return orAt(ArgumentList::Types, first); }
  /// A function that reads the lists, where a place does not say it.
  ArgumentRow& readBy(PositionalReader function) {
    _reader = function;
    return *this;
  }
  /// Input `index`, if it is given, takes precedence over the positional lists.
  ArgumentRow& orInput(int index);
  /// Input `index` counts when the positional lists do not give the argument.
  ArgumentRow& elseInput(int index);

  /// The list, from its first value on, is divided into `shares` parts of equal length; this argument is part `share`.
  ArgumentRow& part(int share, int shares);

  // ---- what values are allowed. Bounds are inclusive.

  /// The argument has no default.
  ArgumentRow& require();
  ArgumentRow& atLeast(double least);
  ArgumentRow& atMost(double most);
  /// The operation does not take this choice.
  template <typename E>
  ArgumentRow& without(E choice) {
    _excluded |= 1u << static_cast<int>(choice);
    return *this;
  }
  /// In the list of integers, every number without a choice means this one.
  template <typename E>
  ArgumentRow& otherwise(E choice) {
    _otherwise = static_cast<int>(choice);
    return *this;
  }
  ArgumentRow& between(double least, double most) { return atLeast(least).atMost(most); }

 private:
  const char *_name, *_text;
  const MemberAccess* _access;
  size_t _offset;
  std::array<Place, 3> _places;
  PositionalReader _reader = nullptr;
  int _input = -1;
  bool _inputComesLast = false;
  int _share = 0, _shares = 1, _otherwise = -1;
  unsigned _excluded = 0;  // bit k: enumerator k
  bool _required = false, _hasRange = false;
  LongType _leastInteger = 0, _mostInteger = 0;
  double _least = -std::numeric_limits<double>::infinity(), _most = std::numeric_limits<double>::infinity();

  ArgumentRow& at(ArgumentList list, int first);
  ArgumentRow& orAt(ArgumentList list, int first);
};

/// A struct of arguments without its type.
struct ArgumentStruct {
  size_t size, alignment;
  const std::type_info* type;
  void (*construct)(void* place);
  void (*destroy)(void* arguments);
  void (*reset)(void* arguments);  ///< gives every member its default
  void (*copy)(void* to, const void* from);

  bool operator==(const ArgumentStruct& other) const { return type == other.type || *type == *other.type; }
};

template <typename S>
inline constexpr ArgumentStruct argumentStruct{
    sizeof(S),
    alignof(S),
    &typeid(S),
    [](void* place) { new (place) S(); },
    [](void* arguments) { static_cast<S*>(arguments)->~S(); },
    [](void* arguments) {
      static const S defaults{};
      *static_cast<S*>(arguments) = defaults;
    },
    [](void* to, const void* from) { *static_cast<S*>(to) = *static_cast<const S*>(from); }};

/// The argument struct of a call. Its memory is used again by the next call.
class SD_LIB_EXPORT ArgumentBlock {
 public:
  ArgumentBlock() = default;
  ~ArgumentBlock() { clear(); }
  ArgumentBlock(const ArgumentBlock&) = delete;
  ArgumentBlock& operator=(const ArgumentBlock&) = delete;

  /// The struct with its default values.
  void* prepare(const ArgumentStruct& type);
  void clear();
  /// nullptr when there are no arguments.
  const void* data() const { return _data; }
  void* data() { return _data; }
  bool holds(const ArgumentStruct& type) const { return _data != nullptr && *_type == type; }
  /// nullptr when there are no arguments.
  const ArgumentStruct* type() const { return _data == nullptr ? nullptr : _type; }

  /// Bit k: argument k is given by an input whose values are not known.
  std::uint64_t unread() const { return _unread; }
  void setUnread(std::uint64_t arguments) { _unread = arguments; }
  /// Whether an input gave an argument.
  bool readsInputs() const { return _readsInputs; }
  void setReadsInputs(bool reads) { _readsInputs = reads; }

 private:
  static constexpr size_t FEW = 192;
  const ArgumentStruct* _type = nullptr;
  void* _data = nullptr;
  std::uint64_t _unread = 0;
  bool _readsInputs = false;
  std::unique_ptr<std::byte[]> _apart;  // of structs that are larger than _own
  alignas(std::max_align_t) std::byte _own[FEW];
};

namespace detail {

/// Thrown by arguments<S>() when the call has arguments of another type.
[[noreturn]] SD_LIB_EXPORT void otherArguments(const std::type_info& wanted);

template <typename T>
constexpr ArgumentKind kindOf() {
  if constexpr (std::is_same_v<T, Scalar>)
    return ArgumentKind::Number;
  else if constexpr (std::is_same_v<T, bool>)
    return ArgumentKind::Flag;
  else if constexpr (std::is_same_v<T, DataType>)
    return ArgumentKind::Type;
  else if constexpr (std::is_enum_v<T>)
    return ArgumentKind::Choice;
  else if constexpr (std::is_floating_point_v<T>)
    return ArgumentKind::Number;
  else
    return ArgumentKind::Integer;
}

template <typename T>
constexpr const char* typeNameOf() {
  if constexpr (std::is_same_v<T, Scalar>)
    return "Scalar";
  else if constexpr (std::is_same_v<T, bool>)
    return "bool";
  else if constexpr (std::is_same_v<T, DataType>)
    return "DataType";
  else if constexpr (std::is_enum_v<T>)
    return ChoicesOf<T>::name;
  else if constexpr (std::is_floating_point_v<T>)
    return "double";
  else if constexpr (std::is_same_v<T, int>)
    return "int";
  else
    return "LongType";
}

template <typename T>
constexpr MemberAccess::Element elementOf() {
  using Element = MemberAccess::Element;
  if constexpr (std::is_same_v<T, bool>)
    return Element::Bool;
  else if constexpr (std::is_same_v<T, Scalar>)
    return Element::Scalar;
  else if constexpr (std::is_same_v<T, int>)
    return Element::Int;
  else if constexpr (std::is_same_v<T, double>)
    return Element::Double;
  else if constexpr (std::is_enum_v<T>) {
    static_assert(sizeof(T) == sizeof(int), "an enum of arguments has the size of int");
    return Element::Enum;
  } else {
    static_assert(
        std::is_same_v<T, LongType>,
        "arguments are int, LongType, double, Scalar, bool, DataType, enums, and arrays, vectors and optional "
        "values of these");
    return Element::Long;
  }
}

/// A member that holds one value.
template <typename T>
struct Values {
  using Element = T;
  static constexpr int count = 1;
  static constexpr bool inPlace = true, optional = false;
  static size_t size(const T&) { return 1; }
  static const Element* values(const T& member) { return &member; }
  static Element* resize(T& member, size_t) { return &member; }
};

template <typename T, size_t N>
struct Values<std::array<T, N>> {
  using Element = T;
  static constexpr int count = static_cast<int>(N);
  static constexpr bool inPlace = true, optional = false;
  static size_t size(const std::array<T, N>&) { return N; }
  static const Element* values(const std::array<T, N>& member) { return member.data(); }
  static Element* resize(std::array<T, N>& member, size_t) { return member.data(); }
};

template <typename T>
struct Values<std::vector<T>> {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no addresses");
  using Element = T;
  static constexpr int count = -1;
  static constexpr bool inPlace = false, optional = false;
  static size_t size(const std::vector<T>& member) { return member.size(); }
  static const Element* values(const std::vector<T>& member) { return member.data(); }
  static Element* resize(std::vector<T>& member, size_t size) {
    member.resize(size);
    return member.data();
  }
};

template <typename M>
struct Values<std::optional<M>> {
  using Inner = Values<M>;
  using Element = typename Inner::Element;
  static constexpr int count = Inner::count;
  static constexpr bool inPlace = false, optional = true;
  static size_t size(const std::optional<M>& member) { return member ? Inner::size(*member) : 0; }
  static const Element* values(const std::optional<M>& member) { return Inner::values(*member); }
  static Element* resize(std::optional<M>& member, size_t size) {
    member.emplace();
    return Inner::resize(*member, size);
  }
};

template <typename M>
struct Access {
  using V = Values<M>;
  using E = typename V::Element;

  static size_t size(const void* member) { return V::size(*static_cast<const M*>(member)); }
  static const void* values(const void* member) { return V::values(*static_cast<const M*>(member)); }
  static void* resize(void* member, size_t count) { return V::resize(*static_cast<M*>(member), count); }

  static constexpr MemberAccess make() {
    MemberAccess access{kindOf<E>(),
                        elementOf<E>(),
                        V::count,
                        V::optional,
                        std::numeric_limits<LongType>::min(),
                        std::numeric_limits<LongType>::max(),
                        typeNameOf<E>(),
                        nullptr,
                        0,
                        nullptr,
                        nullptr,
                        nullptr};
    if constexpr (!V::inPlace) {
      access.sizeOf = size;
      access.valuesOf = values;
      access.resize = resize;
    }
    if constexpr (kindOf<E>() == ArgumentKind::Integer) {
      access.least = std::numeric_limits<E>::min();
      access.most = std::numeric_limits<E>::max();
    }
    if constexpr (kindOf<E>() == ArgumentKind::Choice) {
      access.choices = ChoicesOf<E>::values;
      access.choiceCount = static_cast<int>(std::size(ChoicesOf<E>::values));
    }
    return access;
  }
};

}  // namespace detail

template <typename M>
inline constexpr MemberAccess memberAccess = detail::Access<M>::make();

}  // namespace sd::ops

#endif
