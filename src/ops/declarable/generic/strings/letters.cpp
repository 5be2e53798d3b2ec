// Strings as other strings of the same shape, from one input: string_upper, string_lower, string_strip; string_length.
// operations: string_upper string_lower string_strip string_length
#include <ops/declarable/headers/strings.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/texts.h"
#include "types/Letters.h"
#include "types/Unicode.h"

namespace sd::ops {
namespace {

using helpers::Texts;
using helpers::TextWriter;

using AppendCase = void (*)(std::string_view text, std::string& to);

Status changeCase(const NDArray& x, NDArray& z, AppendCase append) {
  const Texts texts(x, 0, "x");
  if (z.isEmpty()) return Status::OK;
  const double cost = 20. * static_cast<double>(texts.size()) + (texts.isAscii() ? 0.5 : 5) * texts.bytes();
  helpers::writeTexts(z, cost, [&](LongType first, LongType last, TextWriter& to) {
    for (LongType i = first; i < last; i++) {
      append(texts[i], to.bytes());
      to.end();
    }
  });
  return Status::OK;
}

void describeCase(Schema& schema) {
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.output("z", "the shape and type of x");
  schema.outputTypes({ALL_STRINGS}).infer(inferLikeFirst).notDifferentiable(WORKS_ON_TEXTS);
}

/// The characters that string_strip removes.
class Removed {
 public:
  Removed() : _isSpace(true) {}
  explicit Removed(std::string_view characters) : _isSpace(false) {
    while (!characters.empty()) {
      const auto next = unicode::characterAt(characters);
      _codes.push_back(next.code);
      characters.remove_prefix(next.bytes);
    }
  }
  bool contains(unsigned code) const {
    return _isSpace ? unicode::isSpace(code) : std::find(_codes.begin(), _codes.end(), code) != _codes.end();
  }

 private:
  bool _isSpace;
  std::vector<unsigned> _codes;
};

std::string_view stripped(std::string_view text, const Removed& removed, StringEnds ends) {
  while (ends != StringEnds::Right && !text.empty()) {
    const auto next = unicode::characterAt(text);
    if (!removed.contains(next.code)) break;
    text.remove_prefix(next.bytes);
  }
  while (ends != StringEnds::Left && !text.empty()) {
    const auto last = unicode::lastCharacter(text);
    if (!removed.contains(last.code)) break;
    text.remove_suffix(last.bytes);
  }
  return text;
}

}  // namespace

CUSTOM_OP_IMPL(string_upper, 1, 1, true, 0, 0) {
  return changeCase(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), unicode::appendUpper);
}
INFERRED_SHAPES(string_upper)
DECLARE_SCHEMA(string_upper) {
  schema.summary("Strings in upper case.")
      .note("A letter may become several: the upper case of 'ß' is 'SS'. Depends on no locale.")
      .source("Unicode's UnicodeData.txt and SpecialCasing.txt");
  describeCase(schema);
  schema.example(R"({"x": ["one", "Two"]})")
      .elsewhere({.numpy = "numpy.strings.upper", .tensorflow = "tf.strings.upper", .onnx = "StringNormalizer"})
      .words("uppercase, capitals, case")
      .see("string_lower");
}

CUSTOM_OP_IMPL(string_lower, 1, 1, true, 0, 0) {
  return changeCase(*INPUT_VARIABLE(0), *OUTPUT_VARIABLE(0), unicode::appendLower);
}
INFERRED_SHAPES(string_lower)
DECLARE_SCHEMA(string_lower) {
  schema.summary("Strings in lower case.")
      .note("A capital sigma at the end of a word becomes 'ς'. Depends on no locale.")
      .source("Unicode's UnicodeData.txt and SpecialCasing.txt");
  describeCase(schema);
  schema.example(R"({"x": ["ONE", "Two"]})")
      .elsewhere({.numpy = "numpy.strings.lower", .tensorflow = "tf.strings.lower", .onnx = "StringNormalizer"})
      .words("lowercase, small letters, case")
      .see("string_upper");
}

CUSTOM_OP_IMPL(string_strip, 1, 1, true, 0, 0) {
  const Texts texts(*INPUT_VARIABLE(0), 0, "x");
  NDArray& z = *OUTPUT_VARIABLE(0);
  const StringEnds ends = arguments<StringStrip>(block).ends;
  Removed removed;
  if (const NDArray* characters = block.optionalArray(1)) {
    requireScalar(*characters, 1, "characters");
    removed = Removed(Texts(*characters, 1, "characters")[0]);
  }
  if (z.isEmpty()) return Status::OK;
  const double cost = 30. * static_cast<double>(texts.size()) + 0.1 * static_cast<double>(texts.bytes());
  helpers::writeTexts(z, cost, [&](LongType first, LongType last, TextWriter& to) {
    for (LongType i = first; i < last; i++) {
      to.add(stripped(texts[i], removed, ends));
      to.end();
    }
  });
  return Status::OK;
}
INFERRED_SHAPES(string_strip)
DECLARE_SCHEMA(string_strip) {
  schema.summary("Strings without white space, or other characters, at their ends.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("characters", "a scalar, the characters to remove; white space (as Unicode has it) when not given")
      .types({ALL_STRINGS})
      .optional();
  schema.argument(&StringStrip::ends, "ends", "where characters are removed").atInteger(0);
  schema.output("z", "the shape and type of x");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) {
    if (in.has(1)) requireScalar(in.input(1), 1, "characters");
    in.output(in.input(0).withOrder('c'));
  });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": ["  one ", "two\n"]})")
      .elsewhere({.numpy = "numpy.strings.strip", .tensorflow = "tf.strings.strip"})
      .words("trim, white space, lstrip, rstrip")
      .see("string_replace");
}

CUSTOM_OP_IMPL(string_length, 1, 1, false, 0, 0) {
  const NDArray& x = *INPUT_VARIABLE(0);
  const Texts texts(x, 0, "x");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const bool inBytes = arguments<StringLength>(block).unit == StringUnit::Byte;
  DenseOut lengths(z, INT64);
  auto* to = lengths.as<LongType>();
  const auto* offsets = x.bufferAsT<LongType>();
  for (LongType i = 0; i < texts.size(); i++)
    to[i] = inBytes ? offsets[i + 1] - offsets[i] : unicode::charactersOf(texts[i]);
  lengths.commit();
  return Status::OK;
}
INFERRED_SHAPES(string_length)
DECLARE_SCHEMA(string_length) {
  schema.summary("The lengths of strings.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.argument(&StringLength::unit, "unit", "what is counted").atInteger(0);
  schema.output("z", "the shape of x, INT64");
  schema.outputTypes({ALL_INTS}).infer([](Inference& in) { in.output(in.input(0).withType(INT64)); });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": ["one", "three"]})")
      .elsewhere({.numpy = "numpy.strings.str_len", .tensorflow = "tf.strings.length"})
      .words("size, number of characters")
      .see("string_substr");
}

}  // namespace sd::ops
