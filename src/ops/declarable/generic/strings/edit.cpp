// Strings made of several inputs, and positions in strings: string_concat, string_substr, string_replace, string_find.
// operations: string_concat string_substr string_replace string_find
#include <ops/declarable/headers/strings.h>

#include <algorithm>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/texts.h"
#include "types/Unicode.h"

namespace sd::ops {
namespace {

using helpers::BroadcastWalk;
using helpers::Texts;
using helpers::TextWriter;

/// The shape that all inputs from `first` on broadcast to; the type of input 0.
PartialShape commonShape(Inference& in, int count) {
  PartialShape z = in.input(0).withOrder('c');
  for (int i = 1; i < count; i++) z = broadcast(z, in.input(i)).withType(z.type());
  return z;
}

/// The byte at which character `position` begins; the end for positions behind the last one.
size_t byteOf(std::string_view text, LongType position) {
  size_t at = 0;
  while (at < text.size() && position > 0) {
    at++;
    while (at < text.size() && !unicode::beginsCharacter(text[at])) at++;
    position--;
  }
  return at;
}

/// `length` characters from position `start` on.
std::string_view part(std::string_view text, LongType start, LongType length, bool isAscii) {
  const auto bytes = static_cast<LongType>(text.size());
  if (start < 0) start = std::max<LongType>(0, start + (isAscii ? bytes : unicode::charactersOf(text)));
  if (isAscii)
    return start >= bytes ? std::string_view() : text.substr(static_cast<size_t>(start), static_cast<size_t>(length));
  text.remove_prefix(byteOf(text, start));
  return text.substr(0, byteOf(text, length));
}

void replaceIn(std::string_view text, std::string_view before, std::string_view after, LongType count, TextWriter& to) {
  if (before.empty()) {
    // Python's rule: in front of each character and at the end.
    while (count != 0) {
      to.add(after);
      count--;
      if (text.empty()) break;
      const size_t next = byteOf(text, 1);
      to.add(text.substr(0, next));
      text.remove_prefix(next);
    }
  } else {
    for (size_t at; count != 0 && (at = text.find(before)) != std::string_view::npos; count--) {
      to.add(text.substr(0, at));
      to.add(after);
      text.remove_prefix(at + before.size());
    }
  }
  to.add(text);
}

double costOf(LongType length, LongType bytes) {
  return 50. * static_cast<double>(length) + static_cast<double>(bytes);
}

}  // namespace

CUSTOM_OP_IMPL(string_concat, 1, 1, false, 0, 0) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  std::vector<Texts> texts;
  std::vector<const NDArray*> arrays;
  LongType bytes = 0;
  const auto count = static_cast<int>(block.width());
  for (int i = 0; i < count; i++) {
    arrays.push_back(INPUT_VARIABLE(i));
    texts.emplace_back(*arrays.back(), i, "x");
    bytes += texts.back().bytes();
  }
  if (z.isEmpty()) return Status::OK;
  const BroadcastWalk walk(z, arrays);
  helpers::writeTexts(z, costOf(z.lengthOf(), bytes), [&](LongType first, LongType last, TextWriter& to) {
    walk.run(first, last, [&](LongType, const LongType* places) {
      for (size_t k = 0; k < texts.size(); k++) to.add(texts[k][places[k]]);
      to.end();
    });
  });
  return Status::OK;
}
INFERRED_SHAPES(string_concat)
DECLARE_SCHEMA(string_concat) {
  schema.summary("Strings one behind the other, element by element.").formula("z = x0 + x1 + ...");
  schema.input("x", "strings whose shapes broadcast").types({ALL_STRINGS}).any();
  schema.inputTypes({ALL_STRINGS});
  schema.output("z", "the broadcast shape, the type of the first input");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) { in.output(commonShape(in, in.inputs())); });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": [["one", "two"], [" apple", " pears"]]})")
      .elsewhere({.numpy = "numpy.strings.add", .tensorflow = "tf.strings.join", .onnx = "StringConcat"})
      .words("join, append, add")
      .see("split_string string_substr");
}

CUSTOM_OP_IMPL(string_substr, 3, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &start = *INPUT_VARIABLE(1), &length = *INPUT_VARIABLE(2);
  const Texts texts(x, 0, "x");
  const Dense starts = integerElements(start, 1, "start"), lengths = integerElements(length, 2, "length");
  const auto *from = starts.as<LongType>(), *count = lengths.as<LongType>();
  for (LongType i = 0; i < length.lengthOf(); i++)
    if (count[i] < 0) reject("input 2 'length': value {} at {} is negative", count[i], text(placeOf(length, i)));
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const BroadcastWalk walk(z, {&x, &start, &length});
  helpers::writeTexts(z, costOf(z.lengthOf(), texts.bytes()), [&](LongType first, LongType last, TextWriter& to) {
    walk.run(first, last, [&](LongType, const LongType* places) {
      to.add(part(texts[places[0]], from[places[1]], count[places[2]], texts.isAscii()));
      to.end();
    });
  });
  return Status::OK;
}
INFERRED_SHAPES(string_substr)
DECLARE_SCHEMA(string_substr) {
  schema.summary("Parts of strings.")
      .formula("z = x[start : start + length]")
      .note("Counts characters. A negative start counts from the end. What lies outside a string is left out.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("start", "positions of the first characters; broadcast with x").types({ALL_INTS});
  schema.input("length", "numbers of characters, not negative; broadcast with x").types({ALL_INTS});
  schema.output("z", "the broadcast shape, the type of x");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) { in.output(commonShape(in, 3)); });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": ["first", "second"], "start": 1, "length": 3})")
      .elsewhere({.numpy = "numpy.strings.slice", .tensorflow = "tf.strings.substr"})
      .words("substring, slice")
      .see("string_find string_length");
}

CUSTOM_OP_IMPL(string_replace, 3, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &before = *INPUT_VARIABLE(1), &after = *INPUT_VARIABLE(2);
  const Texts texts(x, 0, "x"), olds(before, 1, "old"), news(after, 2, "new");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const LongType most = arguments<StringReplace>(block).count;
  const BroadcastWalk walk(z, {&x, &before, &after});
  helpers::writeTexts(z, 2 * costOf(z.lengthOf(), texts.bytes()), [&](LongType first, LongType last, TextWriter& to) {
    walk.run(first, last, [&](LongType, const LongType* places) {
      replaceIn(texts[places[0]], olds[places[1]], news[places[2]], most, to);
      to.end();
    });
  });
  return Status::OK;
}
INFERRED_SHAPES(string_replace)
DECLARE_SCHEMA(string_replace) {
  schema.summary("Strings with another text in place of each occurrence of a given one.")
      .note("An empty old text occurs in front of each character and at the end.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("old", "the text to replace; broadcast with x").types({ALL_STRINGS});
  schema.input("new", "the text that takes its place; broadcast with x").types({ALL_STRINGS});
  schema
      .argument(&StringReplace::count, "count",
                "replacements in each string at most, from its beginning; negative: all")
      .atInteger(0);
  schema.output("z", "the broadcast shape, the type of x");
  schema.outputTypes({ALL_STRINGS}).infer([](Inference& in) { in.output(commonShape(in, 3)); });
  schema.notDifferentiable(WORKS_ON_TEXTS);
  schema.example(R"({"x": ["banana"], "old": "an", "new": "AN"})")
      .elsewhere({.numpy = "numpy.strings.replace"})
      .words("substitute")
      .see("regex_replace string_find");
}

CUSTOM_OP_IMPL(string_find, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &text = *INPUT_VARIABLE(1);
  const Texts texts(x, 0, "x"), wanted(text, 1, "text");
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const bool last = arguments<StringFind>(block).last;
  const BroadcastWalk walk(z, {&x, &text});
  DenseOut positions(z, INT64);
  auto* to = positions.as<LongType>();
  execution::parallelFor(z.lengthOf(), execution::threadsFor(costOf(z.lengthOf(), texts.bytes())),
                         [&](LongType start, LongType stop) {
                           walk.run(start, stop, [&](LongType i, const LongType* places) {
                             const std::string_view where = texts[places[0]], what = wanted[places[1]];
                             const size_t at = last ? where.rfind(what) : where.find(what);
                             to[i] = at == std::string_view::npos ? -1
                                     : texts.isAscii()            ? static_cast<LongType>(at)
                                                                  : unicode::charactersOf(where.substr(0, at));
                           });
                         });
  positions.commit();
  return Status::OK;
}
INFERRED_SHAPES(string_find)
DECLARE_SCHEMA(string_find) {
  schema.summary("The positions of a text in strings.")
      .note("Counts characters from 0; -1 where the text does not occur. An empty text occurs at both ends.");
  schema.input("x", "any shape").types({ALL_STRINGS});
  schema.input("text", "what is searched; broadcast with x").types({ALL_STRINGS});
  schema.argument(&StringFind::last, "last", "the last occurrence, not the first").atFlag(0);
  schema.output("z", "the broadcast shape, INT64");
  schema.outputTypes({ALL_INTS}).infer([](Inference& in) { in.output(commonShape(in, 2).withType(INT64)); });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": ["banana", "apple"], "text": "an"})")
      .elsewhere({.numpy = "numpy.strings.find"})
      .words("search, index, rfind, contains")
      .see("regex_match string_substr string_replace");
}

}  // namespace sd::ops
