// Operations on strings: encodings, strings that are not valid, texts that no table of numbers can give, refused calls.
#include <array/NDArrayFactory.h>
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#ifdef SD_ALL_OPS
#include <nd/nd.h>

#include "NDArrayHelpers.h"
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

using refusal::Argument;
using refusal::Validation;

template <typename F>
std::string messageOf(F&& call) {
  return nd_test::messageOf<std::invalid_argument>(call);
}

NDArray words(const std::vector<std::string>& texts, DataType type = UTF8) {
  return NDArray({static_cast<LongType>(texts.size())}, texts, type);
}
NDArray word(const std::string& text, DataType type = UTF8) { return NDArray(text, type); }

std::vector<std::string> textsOf(const NDArray& x) { return x.asVectorT<std::string>(); }

using Texts = std::vector<std::string>;

TEST(OpsStrings, AllEncodings) {
  for (const DataType type : {UTF8, UTF16, UTF32}) {
    const NDArray x = words({" Straße", "日本 🚀 ", ""}, type);
    const NDArray upper = nd::string_upper(x);
    EXPECT_EQ(upper.dataType(), type);
    EXPECT_EQ(textsOf(upper), (Texts{" STRASSE", "日本 🚀 ", ""}));
    EXPECT_EQ(textsOf(nd::string_strip(x)), (Texts{"Straße", "日本 🚀", ""}));
    EXPECT_EQ(textsOf(nd::string_concat(std::vector<NDArray>{x, word("!")})), (Texts{" Straße!", "日本 🚀 !", "!"}));
    EXPECT_EQ(textsOf(nd::string_replace(x, word("本", UTF16), word("🚀", UTF32))), (Texts{" Straße", "日🚀 🚀 ", ""}));
    EXPECT_EQ(nd::string_find(x, word("🚀", UTF16)).asVectorT<LongType>(), (std::vector<LongType>{-1, 3, -1}));
    EXPECT_EQ(textsOf(nd::sort(x)), (Texts{"", " Straße", "日本 🚀 "}));
    EXPECT_EQ(nd::string_compare(x, words({" Straße", "日本", ""})).asVectorT<bool>(),
              (std::vector<bool>{true, false, true}));
    // Short strings of several inputs.
    const std::vector<NDArray> parts{words({"a"}, type), words({"b", ""}, type), words({"c"}, type)};
    EXPECT_EQ(textsOf(nd::concat(parts, {.axis = 0})), (Texts{"a", "b", "", "c"}));
    EXPECT_EQ(nd::concat(parts, {.axis = 0}).dataType(), type);
    // The encoding of the first is that of the result.
    const NDArray both = nd::select(NDArrayFactory::create(false), words({"a"}, type), words({"日"}, UTF16));
    EXPECT_EQ(both.dataType(), type);
    EXPECT_EQ(textsOf(both), (Texts{"日"}));
    EXPECT_EQ(textsOf(nd::regex_replace(x, word("\\s", type), word("_", type))), (Texts{"_Straße", "日本_🚀_", ""}));
  }
}

// An operation leaves alone what is given beyond its outputs.
TEST(OpsStrings, FurtherOutputs) {
  const struct {
    const char* operation;
    LongType argument;
    int outputs;
  } rows[] = {{"reverse", 0, 1}, {"split", 2, 2}};
  for (const auto& [operation, argument, outputs] : rows) {
    NDArray x = words({"a", "b"}), further = words({"as it was"});
    std::vector<NDArray> made(static_cast<size_t>(outputs), outputs == 1 ? words({"", ""}) : words({""}));
    graph::Context block(1);
    block.setInputArray(0, &x);
    block.setIArguments({argument});
    for (int k = 0; k < outputs; k++) block.setOutputArray(k, &made[static_cast<size_t>(k)]);
    block.setOutputArray(outputs, &further);
    ASSERT_EQ(ops::OpRegistrator::getInstance().getOperation(operation)->execute(&block), Status::OK) << operation;
    EXPECT_EQ(textsOf(made[0]), outputs == 1 ? (Texts{"b", "a"}) : (Texts{"a"}));
    EXPECT_EQ(textsOf(further), (Texts{"as it was"})) << operation;
  }
}

TEST(OpsStrings, LengthsInBytesAreThoseOfTheEncoding) {
  const std::vector<std::pair<DataType, std::vector<LongType>>> rows = {
      {UTF8, {7, 4}}, {UTF16, {12, 4}}, {UTF32, {24, 4}}};
  for (const auto& [type, bytes] : rows) {
    const NDArray x = words({"Straße", "🚀"}, type);
    EXPECT_EQ(nd::string_length(x).asVectorT<LongType>(), (std::vector<LongType>{6, 1}));
    EXPECT_EQ(nd::string_length(x, {ops::args::StringUnit::Byte}).asVectorT<LongType>(), bytes);
  }
}

TEST(OpsStrings, InputsStayAsTheyAre) {
  const NDArray x = words({"b", "a"});
  nd::sort(x);
  nd::string_upper(x);
  nd::string_replace(x, word("a"), word("long text"));
  EXPECT_EQ(textsOf(x), (Texts{"b", "a"}));
}

TEST(OpsStrings, ManyStringsInSeveralThreads) {
  Texts texts, upper;
  for (int i = 0; i < 20000; i++) {
    texts.push_back("text " + std::to_string(i));
    upper.push_back("TEXT " + std::to_string(i));
  }
  EXPECT_EQ(textsOf(nd::string_upper(words(texts))), upper);
  const NDArray numbers = nd::string_to_number(
      nd::string_substr(words(texts), NDArrayFactory::create(5), NDArrayFactory::create(9)), {INT32});
  for (int i = 0; i < 20000; i++) ASSERT_EQ(numbers.e<int>(i), i);
  EXPECT_EQ(textsOf(nd::string_concat(std::vector<NDArray>{word("text "), nd::number_to_string(numbers)})), texts);
}

TEST(OpsStrings, NumbersOfComplexType) {
  const NDArray x = NDArrayFactory::create<std::complex<double>>('c', {3}, {{1, 2}, {0, -1}, {0.5, 1e20}});
  EXPECT_EQ(nd::number_to_string(x, {ops::args::StringEncoding::Utf32}).dataType(), UTF32);
  EXPECT_EQ(textsOf(nd::number_to_string(x)), (Texts{"(1+2j)", "-1j", "(0.5+1e+20j)"}));
}

// In UTF-8: a byte that begins no character, a cut character, a surrogate, a character that is too long.
TEST(OpsStrings, RefusesWhatIsNotValid) {
  for (const char* bytes : {"a\xff", "\xe6\x97", "\xed\xa0\x80", "\xc0\x80"}) {
    const NDArray x({2}, Texts{"good", bytes}, UTF8);
    const std::string message = "input 0 'x': the string at [1] is not valid UTF-8";
    for (const std::string& error : {messageOf([&] { nd::string_upper(x); }), messageOf([&] { nd::string_length(x); }),
                                     messageOf([&] { nd::sort(x); }), messageOf([&] { nd::unique(x); }),
                                     messageOf([&] { nd::regex_match(x, word("a")); })})
      EXPECT_NE(error.find(message), std::string::npos) << error;
  }
  const NDArray half({1}, std::vector<std::u16string>{u"\xd800"}, UTF16);
  EXPECT_NE(messageOf([&] { nd::string_lower(half); }).find("the string at [0] is not valid UTF-16"),
            std::string::npos);
  const NDArray beyond({1}, std::vector<std::u32string>{std::u32string(1, char32_t{0x110000})}, UTF32);
  EXPECT_NE(messageOf([&] { nd::string_lower(beyond); }).find("the string at [0] is not valid UTF-32"),
            std::string::npos);
}

TEST(OpsStrings, RefusesTextsThatAreNoNumbers) {
  const std::vector<std::tuple<const char*, DataType>> rows = {
      {"", INT32},    {"1.5", INT32},    {"1e3", INT64},  {"128", INT8},
      {"-1", UINT8},  {"0x10", INT32},   {"one", DOUBLE}, {"1.2.3", FLOAT32},
      {"+-1", INT32}, {"1_000", DOUBLE}, {"1 2", DOUBLE}, {"99999999999999999999", INT64}};
  for (const auto& [text, type] : rows) {
    const NDArray x = words({"1", text});
    const std::string error = messageOf([&, kind = type] { nd::string_to_number(x, {kind}); });
    EXPECT_NE(error.find("[string_to_number] input 0 'x': '" + std::string(text) + "' at [1] is not a number of type"),
              std::string::npos)
        << error;
  }
}

TEST(OpsStrings, RefusesPatterns) {
  const NDArray x = words({"a"});
  EXPECT_NE(messageOf([&] {
              nd::regex_match(x, word("a("));
            }).find("[regex_match] input 1 'pattern': 'a(' is not a regular expression: missing )"),
            std::string::npos);
  EXPECT_NE(messageOf([&] {
              nd::regex_replace(x, word("(a)"), word("\\2"));
            }).find("[regex_replace] input 2 'replacement': '\\2': "),
            std::string::npos);
}

const In WORDS(UTF8, {2, 3}), WORD(UTF8, {}), NUMBERS(FLOAT32, {2});

std::vector<Rejection> onlyNumbers() { return {{"numbers", {NUMBERS}, {}, Validation, "input 0"}}; }

TEST(OpsStringsReject, Calls) {
  const std::vector<std::pair<const char*, std::vector<Rejection>>> tables = {
      {"string_upper", onlyNumbers()},
      {"string_lower", onlyNumbers()},
      {"string_length",
       {{"numbers", {NUMBERS}, {}, Validation, "input 0"}, {"no such unit", {WORDS}, {.i = {2}}, Argument, "'unit'"}}},
      {"string_strip",
       {{"numbers", {NUMBERS}, {}, Validation, "input 0"},
        {"several lists of characters", {WORDS, In(UTF8, {2})}, {}, Argument, "input 1 'characters': one element"},
        {"no such end", {WORDS}, {.i = {3}}, Argument, "'ends'"}}},
      {"string_concat",
       {{"shapes that do not broadcast", {WORDS, In(UTF8, {2})}, {}, Argument, "[2, 3]"},
        {"numbers", {WORDS, In(FLOAT32, {3})}, {}, Validation, "input 1"}}},
      {"string_substr",
       {{"a negative length",
         {WORDS, In(INT64, {}), In(INT64, {3}, {0, 1, -2})},
         {},
         Argument,
         "input 2 'length': value -2 at [2] is negative"},
        {"positions that do not broadcast", {WORDS, In(INT64, {2}), In(INT64, {})}, {}, Argument, "[2, 3]"},
        {"positions with a point", {WORDS, NUMBERS, In(INT64, {})}, {}, Validation, "input 1"}}},
      {"string_replace",
       {{"a number", {WORDS, WORD, NUMBERS}, {}, Validation, "input 2"},
        {"shapes that do not broadcast", {WORDS, In(UTF8, {2}), WORD}, {}, Argument, "[2, 3]"}}},
      {"string_find", {{"a number", {WORDS, NUMBERS}, {}, Validation, "input 1"}}},
      {"string_compare",
       {{"a number", {WORDS, NUMBERS}, {}, Validation, "input 1"},
        {"no such relation", {WORDS, WORD}, {.i = {6}}, Argument, "'relation'"}}},
      {"regex_match",
       {{"two patterns", {WORDS, In(UTF8, {2})}, {}, Argument, "input 1 'pattern': one element is needed"},
        {"no such part", {WORDS, WORD}, {.i = {3}}, Argument, "'part'"}}},
      {"regex_replace",
       {{"two patterns", {WORDS, In(UTF8, {2}), WORD}, {}, Argument, "input 1 'pattern': one element is needed"},
        {"two texts", {WORDS, WORD, In(UTF8, {2})}, {}, Argument, "input 2 'replacement': one element is needed"}}},
      {"string_to_number",
       {{"no number", {WORDS}, {}, Argument, "'text' at [0, 0] is not a number of type FLOAT32"},
        {"a type of strings", {WORDS}, {.d = {UTF8}}, Argument, "argument 'dtype': 50 is not"},
        {"logical values",
         {WORDS},
         {.d = {BOOL}},
         Argument,
         "argument 'dtype': BOOL is neither a real nor an integer type"},
        {"numbers", {NUMBERS}, {}, Validation, "input 0"}}},
      {"number_to_string",
       {{"strings", {WORDS}, {}, Validation, "input 0"},
        {"no such encoding", {NUMBERS}, {.i = {3}}, Argument, "'encoding'"}}},
  };
  for (const auto& [op, rows] : tables) checkRejections(op, rows);
}

}  // namespace
#endif
