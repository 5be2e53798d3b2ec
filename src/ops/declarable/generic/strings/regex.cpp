// Regular expressions: regex_match, regex_replace.
// operations: regex_match regex_replace
#include <ops/declarable/headers/strings.h>
#include <re2/re2.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/texts.h"

namespace sd::ops {
namespace {

using helpers::Texts;
using helpers::TextWriter;

constexpr const char* PATTERN_TEXT = "a scalar, the regular expression in RE2's syntax";
constexpr const char* SYNTAX_NOTE =
    "The time is proportional to the length of a string. RE2 has neither references to groups nor assertions about "
    "what "
    "follows.";

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

/// The text of input `index`, a scalar.
std::string onlyText(const NDArray& array, int index, const char* name) {
  requireScalar(array, index, name);
  return std::string(Texts(array, index, name)[0]);
}

/// The expression of input 1.
class Pattern {
 public:
  explicit Pattern(const NDArray& array) : _text(onlyText(array, 1, "pattern")), _regex(_text, quiet()) {
    if (!_regex.ok()) reject("input 1 'pattern': '{}' is not a regular expression: {}", _text, _regex.error());
  }
  const RE2& operator*() const { return _regex; }

 private:
  std::string _text;
  RE2 _regex;

  static RE2::Options quiet() {
    RE2::Options options;
    options.set_log_errors(false);
    return options;
  }
};

double costOf(const Texts& texts) {
  return 100. * static_cast<double>(texts.size()) + 5 * static_cast<double>(texts.bytes());
}

}  // namespace

CUSTOM_OP_IMPL(regex_match, 2, 1, false, 0, 0) {
  const Texts texts(*INPUT_VARIABLE(0), 0, "x");
  const Pattern pattern(*INPUT_VARIABLE(1));
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const RegexPart part = arguments<RegexMatch>(block).part;
  const auto anchor = part == RegexPart::Whole   ? RE2::ANCHOR_BOTH
                      : part == RegexPart::Start ? RE2::ANCHOR_START
                                                 : RE2::UNANCHORED;
  DenseOut results(z, BOOL);
  bool* to = results.as<bool>();
  execution::parallelFor(texts.size(), execution::threadsFor(costOf(texts)), [&](LongType first, LongType last) {
    for (LongType i = first; i < last; i++)
      to[i] = (*pattern).Match(piece(texts[i]), 0, texts[i].size(), anchor, nullptr, 0);
  });
  results.commit();
  return Status::OK;
}
INFERRED_SHAPES(regex_match)
DECLARE_SCHEMA(regex_match) {
  schema.summary("Whether strings match a regular expression.").note(SYNTAX_NOTE).source("RE2");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("pattern", PATTERN_TEXT).types({ALL_STRINGS});
  schema.argument(&RegexMatch::part, "part", "what must match").atInteger(0);
  schema.output("z", "the shape of x, BOOL");
  schema.outputTypes({BOOL}).infer([](Inference& in) {
    requireScalar(in.input(1), 1, "pattern");
    in.output(in.input(0).withType(BOOL).withOrder('c'));
  });
  schema.notDifferentiable(LOGICAL_RESULT);
  schema.example(R"({"x": ["cat", "car", "dog"], "pattern": "ca."})")
      .elsewhere({.tensorflow = "tf.strings.regex_full_match", .onnx = "RegexFullMatch"})
      .words("regular expression, regexp, search, fullmatch")
      .see("regex_replace string_find");
}

CUSTOM_OP_IMPL(regex_replace, 3, 1, true, 0, 0) {
  const Texts texts(*INPUT_VARIABLE(0), 0, "x");
  const Pattern pattern(*INPUT_VARIABLE(1));
  const std::string replacement = onlyText(*INPUT_VARIABLE(2), 2, "replacement");
  std::string error;
  if (!(*pattern).CheckRewriteString(replacement, &error))
    reject("input 2 'replacement': '{}': {}", replacement, error);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const bool all = arguments<RegexReplace>(block).all;
  helpers::writeTexts(z, 2 * costOf(texts), [&](LongType first, LongType last, TextWriter& to) {
    std::string text;
    for (LongType i = first; i < last; i++) {
      text = texts[i];
      if (all)
        RE2::GlobalReplace(&text, *pattern, replacement);
      else
        RE2::Replace(&text, *pattern, replacement);
      to.add(text);
      to.end();
    }
  });
  return Status::OK;
}
INFERRED_SHAPES(regex_replace)
DECLARE_SCHEMA(regex_replace) {
  schema.summary("Strings with another text in place of the matches of a regular expression.")
      .note(SYNTAX_NOTE)
      .source("RE2");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("pattern", PATTERN_TEXT).types({ALL_STRINGS});
  schema.input("replacement", R"(a scalar, the new text; \0 stands for the match, \1 to \9 for its groups)")
      .types({ALL_STRINGS});
  schema.argument(&RegexReplace::all, "all", "all matches; otherwise the first one of each string").atFlag(0);
  schema.output("z", "the shape and type of x");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) {
    requireScalar(in.input(1), 1, "pattern");
    requireScalar(in.input(2), 2, "replacement");
    in.output(in.input(0).withOrder('c'));
  });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"json({"x": ["2024-05-01"], "pattern": "(\\d+)-(\\d+)-(\\d+)", "replacement": "\\3.\\2.\\1"})json")
      .elsewhere({.tensorflow = "tf.strings.regex_replace"})
      .words("regular expression, regexp, substitute, sub")
      .see("regex_match string_replace");
}

}  // namespace sd::ops
