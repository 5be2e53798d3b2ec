// Strings compared, and as numbers: string_compare, string_to_number, number_to_string.
// operations: string_compare string_to_number number_to_string
#include <ops/declarable/headers/strings.h>

#include <charconv>
#include <cmath>
#include <complex>
#include <limits>
#include <type_traits>

#include "array/ArrayText.h"
#include "array/ElementConvert.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/texts.h"

namespace sd::ops {
namespace {

using helpers::BroadcastWalk;
using helpers::Texts;
using helpers::TextWriter;

/// Whether a relation holds for strings whose comparison gives `order`: below 0 for x before y, 0, above 0.
bool holds(StringRelation relation, int order) {
  switch (relation) {
    case StringRelation::Equal:
      return order == 0;
    case StringRelation::NotEqual:
      return order != 0;
    case StringRelation::Less:
      return order < 0;
    case StringRelation::LessEqual:
      return order <= 0;
    case StringRelation::Greater:
      return order > 0;
    case StringRelation::GreaterEqual:
      return order >= 0;
  }
  return false;
}

std::string_view withoutSpace(std::string_view text) {
  const char* const space = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Whether the whole text spells a number of type T.
template <typename T>
bool parse(std::string_view text, T& value) {
  text = withoutSpace(text);
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return false;
  }
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ptr != end || text.empty()) return false;
  if (result.ec == std::errc()) return true;
  if constexpr (std::is_floating_point_v<T>) {
    if (result.ec != std::errc::result_out_of_range) return false;
    // The nearest value is infinite or 0; from_chars does not say which.
    long double wide = 0;
    const auto exponent = text.find_first_of("eE");
    const bool isLarge = std::from_chars(text.data(), end, wide).ec == std::errc()
                             ? std::abs(wide) > 1
                             : exponent == std::string_view::npos || text[exponent + 1] != '-';
    value = isLarge ? std::numeric_limits<T>::infinity() : T(0);
    if (text[0] == '-') value = -value;
    return true;
  }
  return false;
}

/// The type that texts are read in before they become elements of type T.
template <typename T>
using ReadAs = std::conditional_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>, T, double>;

}  // namespace

CUSTOM_OP_IMPL(string_compare, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &y = *INPUT_VARIABLE(1);
  const Texts a(x, 0, "x"), b(y, 1, "y");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const StringRelation relation = arguments<StringCompare>(block).relation;
  const BroadcastWalk walk(z, {&x, &y});
  DenseOut results(z, BOOL);
  bool* to = results.as<bool>();
  execution::parallelFor(z.lengthOf(), execution::threadsFor(20. * static_cast<double>(z.lengthOf())),
                         [&](LongType first, LongType last) {
                           walk.run(first, last, [&](LongType i, const LongType* places) {
                             to[i] = holds(relation, a[places[0]].compare(b[places[1]]));
                           });
                         });
  results.commit();
  return Status::OK;
}
INFERRED_SHAPES(string_compare)
DECLARE_SCHEMA(string_compare) {
  schema.summary("Whether strings are equal, or which comes first.")
      .note(
          "Strings are compared by the numbers of their characters, so 'Z' is before 'a'. They are not normalised: "
          "two ways to write 'é' differ. The encodings may differ.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("y", "broadcasts with x").types({ALL_STRINGS});
  schema.argument(&StringCompare::relation, "relation", "the relation of x to y").atInteger(0);
  schema.output("z", "the broadcast shape, BOOL");
  schema.outputTypes({BOOL}).infer(
      [](Inference& in) { in.output(broadcast(in.input(0), in.input(1)).withType(BOOL).withOrder('c')); });
  schema.notDifferentiable(LOGICAL_RESULT);
  schema.example(R"({"x": ["apple", "pear"], "y": "orange", "relation": "less"})")
      .elsewhere({.numpy = "numpy.strings.equal", .tensorflow = "tf.equal"})
      .words("equal, less, greater, before, after")
      .see("sort unique");
}

CUSTOM_OP_IMPL(string_to_number, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Texts texts(x, 0, "x");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const DataType type = arguments<StringToNumber>(block).dtype;
  // All strings are read before the first number is written.
  NDArray numbers = unset(type, z.getShapeAsVector());
  elements::withType("string_to_number", type, [&](auto example) {
    using T = decltype(example);
    auto* to = numbers.bufferAsT<T>();
    for (LongType i = 0; i < texts.size(); i++) {
      ReadAs<T> value{};
      if (!parse(texts[i], value)) {
        reject("input 0 'x': '{}' at {} is not a number of type {}", texts[i], text(placeOf(x, i)),
               DataTypeUtils::describe(type));
      }
      if constexpr (std::is_same_v<T, ReadAs<T>>)
        to[i] = value;
      else
        to[i] = static_cast<T>(static_cast<float>(value));
    }
  });
  z.assign(numbers);
  return Status::OK;
}
INFERRED_SHAPES(string_to_number)
DECLARE_SCHEMA(string_to_number) {
  schema.summary("The numbers that strings spell.")
      .note(
          "Decimal numbers, with an exponent for real types; 'inf', 'infinity' and 'nan' in any case; white space at "
          "the "
          "ends. Everything else is an error, also an integer that does not fit.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.argument(&StringToNumber::dtype, "dtype", "the type of the result: real or integer").atType(0).orInteger(0);
  schema.output("z", "the shape of x, the type dtype");
  schema.outputTypes({ALL_FLOATS, ALL_INTS}).infer([](Inference& in) {
    const DataType type = in.arguments<StringToNumber>().dtype;
    if (!DataTypeUtils::isR(type) && !DataTypeUtils::isZ(type))
      reject("argument 'dtype': {} is neither a real nor an integer type", DataTypeUtils::describe(type));
    in.output(in.input(0).withType(type).withOrder('c'));
  });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": ["1.5", "-2e3"]})")
      .elsewhere({.numpy = "numpy.ndarray.astype", .tensorflow = "tf.strings.to_number"})
      .words("parse, float, int, convert")
      .see("number_to_string cast");
}

CUSTOM_OP_IMPL(number_to_string, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const Dense numbers(x, x.isC()                  ? COMPLEX128
                         : x.isR()                ? DOUBLE
                         : x.dataType() == UINT64 ? UINT64
                         : x.isB()                ? BOOL
                                                  : INT64);
  const DataType type = x.dataType();
  const double cost = 150. * static_cast<double>(x.lengthOf());
  helpers::writeTexts(z, cost, [&](LongType first, LongType last, TextWriter& to) {
    for (LongType i = first; i < last; i++) {
      if (type == BOOL)
        to.add(numbers.as<bool>()[i] ? "True" : "False");
      else if (DataTypeUtils::isR(type))
        to.add(nd::scalarText(numbers.as<double>()[i], type));
      else if (DataTypeUtils::isC(type))
        to.add(nd::scalarText(numbers.as<std::complex<double>>()[i], DataTypeUtils::partType(type)));
      else if (type == UINT64)
        to.add(std::to_string(numbers.as<UnsignedLong>()[i]));
      else
        to.add(std::to_string(numbers.as<LongType>()[i]));
      to.end();
    }
  });
  return Status::OK;
}
INFERRED_SHAPES(number_to_string)
DECLARE_SCHEMA(number_to_string) {
  schema.summary("Numbers as strings.")
      .note(
          "As NumPy writes them: real numbers have the digits that give them back, '1.0', '1e-05', 'nan', 'inf'; "
          "booleans are 'True' and 'False', complex numbers '(1+2j)'.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX});
  schema.argument(&NumberToString::encoding, "encoding", "the type of the strings").atInteger(0);
  schema.output("z", "the shape of x; UTF8, UTF16 or UTF32");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) {
    constexpr DataType TYPES[] = {ALL_STRINGS};
    const auto encoding = static_cast<size_t>(in.arguments<NumberToString>().encoding);
    in.output(in.input(0).withType(TYPES[encoding]).withOrder('c'));
  });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": [1.5, -2000.0]})")
      .elsewhere({.numpy = "numpy.ndarray.astype", .tensorflow = "tf.strings.as_string"})
      .words("format, print, convert")
      .see("string_to_number cast");
}

}  // namespace sd::ops
