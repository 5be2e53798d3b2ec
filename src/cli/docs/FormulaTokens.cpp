#include "cli/docs/FormulaTokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sd::cli::docs {
namespace {

struct Symbol {
  std::string_view text;
  TokenKind kind;
  std::string_view shown;
};

// Symbols that begin with others come first.
constexpr Symbol SYMBOLS[] = {
    {">>>", TokenKind::Bits, "&gt;&gt;&gt;"},
    {"...", TokenKind::Ellipsis, "…"},
    {"..", TokenKind::Ellipsis, "…"},
    {"…", TokenKind::Ellipsis, "…"},
    {"+=", TokenKind::Relation, "+="},
    {"-=", TokenKind::Relation, "−="},
    {"*=", TokenKind::Relation, "×="},
    {"/=", TokenKind::Relation, "/="},
    {"==", TokenKind::Relation, "=="},
    {"!=", TokenKind::Relation, "≠"},
    {"<=", TokenKind::Relation, "≤"},
    {">=", TokenKind::Relation, "≥"},
    {"<<", TokenKind::Bits, "&lt;&lt;"},
    {">>", TokenKind::Bits, "&gt;&gt;"},
    {"=", TokenKind::Relation, "="},
    {"<", TokenKind::Relation, "&lt;"},
    {">", TokenKind::Relation, "&gt;"},
    {"&", TokenKind::Bits, "&amp;"},
    {"|", TokenKind::Bar, "|"},
    {"+", TokenKind::Sum, "+"},
    {"-", TokenKind::Sum, "−"},
    {"*", TokenKind::Product, "⋅"},
    {"×", TokenKind::Product, "×"},
    {"/", TokenKind::Product, "/"},
    {"^", TokenKind::Power, "^"},
    {"~", TokenKind::Prefix, "~"},
    {"!", TokenKind::Postfix, "!"},
    {"?", TokenKind::Condition, "?"},
    {",", TokenKind::Separator, ","},
    {";", TokenKind::Separator, ";"},
    {":", TokenKind::Separator, ":"},
    {".", TokenKind::Separator, "."},
    {"(", TokenKind::Open, "("},
    {"[", TokenKind::Open, "["},
    {")", TokenKind::Close, ")"},
    {"]", TokenKind::Close, "]"},
};

// Names are quantities, unless they are among these words. A word that is missing is set as a name, in upright letters.
constexpr std::string_view WORDS[] = {
    "added",     "again",      "all",         "alone",       "along",       "already",      "among",       "an",
    "and",       "another",    "any",         "are",         "arrays",      "as",           "at",          "away",
    "axes",      "axis",       "be",          "become",      "becomes",     "between",      "bitwise",     "both",
    "bounds",    "box",        "but",         "by",          "cells",       "chosen",       "chunks",      "computed",
    "constant",  "contracted", "converted",   "convolution", "coordinate",  "correction",   "counted",     "density",
    "deviation", "deviations", "differ",      "divided",     "double",      "dropped",      "each",        "element",
    "elements",  "else",       "elsewhere",   "ends",        "entries",     "entry",        "equal",       "equally",
    "even",      "every",      "exact",       "exponents",   "extra",       "fewer",        "first",       "for",
    "from",      "full",       "give",        "given",       "gives",       "halves",       "has",         "hashed",
    "have",      "head",       "heads",       "hold",        "holds",       "if",           "in",          "included",
    "inputs",    "inside",     "instead",     "integer",     "integers",    "interpolated", "is",          "it",
    "its",       "itself",     "keep",        "kept",        "larger",      "largest",      "last",        "least",
    "left",      "likely",     "magnitudes",  "masked",      "matrices",    "minus",        "modulo",      "more",
    "most",      "moved",      "moves",       "narrower",    "natural",     "nearest",      "negative",    "neither",
    "never",     "no",         "none",        "nor",         "normal",      "not",          "numbers",     "of",
    "on",        "once",       "one",         "only",        "operand",     "operands",     "or",          "other",
    "others",    "outside",    "over",        "part",        "parts",       "per",          "places",      "population",
    "position",  "positions",  "probability", "projected",   "projections", "random",       "regularised", "rest",
    "result",    "results",    "right",       "root",        "rotated",     "rounded",      "row",         "rows",
    "same",      "several",    "shifted",     "singular",    "skipped",     "smaller",      "smallest",    "so",
    "standard",  "starting",   "stays",       "successes",   "takes",       "than",         "that",        "the",
    "their",     "then",       "there",       "those",       "three",       "through",      "ties",        "to",
    "toward",    "towards",    "transposed",  "trials",      "triangular",  "true",         "truncate",    "truncated",
    "two",       "types",      "uniform",     "unless",      "unsigned",    "unused",       "was",         "went",
    "when",      "where",      "which",       "whose",       "with",        "within",       "without",     "word",
    "wraps",     "xor",        "zero",
};
static_assert(std::is_sorted(std::begin(WORDS), std::end(WORDS)));

bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isListedWord(std::string_view text) {
  std::string lower(text);
  lower[0] = char(std::tolower(static_cast<unsigned char>(lower[0])));
  return std::binary_search(std::begin(WORDS), std::end(WORDS), std::string_view(lower));
}

/// Whether a word may be meant: two or more letters and nothing else.
bool isPlain(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

bool begins(std::string_view text, size_t at, std::string_view what) { return text.substr(at, what.size()) == what; }

size_t endOfNumber(std::string_view text, size_t at) {
  const auto digits = [&] {
    while (at < text.size() && isDigit(text[at])) ++at;
  };
  digits();
  if (at + 1 < text.size() && text[at] == '.' && isDigit(text[at + 1])) {
    ++at;
    digits();
  }
  if (at + 1 < text.size() && text[at] == 'e') {
    const size_t sign = text[at + 1] == '-' || text[at + 1] == '+' ? 1 : 0;
    if (at + 1 + sign < text.size() && isDigit(text[at + 1 + sign])) {
      at += 1 + sign;
      digits();
    }
  }
  return at;
}

/// A name with the dots inside it (x.shape) and the primes after it. Words may have hyphens: sub-array, k-th.
size_t endOfName(std::string_view text, size_t at) {
  const size_t begin = at;
  for (; at < text.size(); ++at) {
    const bool next = at + 1 < text.size() && isLetter(text[at + 1]);
    if (isLetter(text[at]) || isDigit(text[at]) || text[at] == '_') continue;
    if (text[at] == '.' && next) continue;
    const bool two = at + 2 < text.size() && isLetter(text[at + 2]);
    if (text[at] == '-' && next && two && isLetter(text[at - 1])) continue;
    break;
  }
  while (at < text.size() && text[at] == '\'' && at > begin) ++at;
  return at;
}

Token symbolAt(std::string_view text, size_t at) {
  for (const Symbol& symbol : SYMBOLS)
    if (begins(text, at, symbol.text)) return {symbol.kind, text.substr(at, symbol.text.size()), symbol.shown};
  throw NotNotation();
}

/// "x ^ y" between spaces is an exclusive or, "x | y" an or of bits.
void readSpaces(std::vector<Token>& tokens) {
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    Token& token = tokens[i];
    const bool between = token.spaced && tokens[i + 1].spaced;
    if (token.kind == TokenKind::Power && between) token = {TokenKind::Bits, token.text, "⊕", true};
    if (token.kind == TokenKind::Bar && between) token.kind = TokenKind::Bits;
  }
}

/// Names that their neighbours show to be words: "the index", "number of", "a box". In a sum, "from" is a name.
void readWords(std::vector<Token>& tokens) {
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    Token& token = tokens[i];
    const Token& next = tokens[i + 1];
    const bool called = (next.is("(") || next.is("[")) && !next.spaced;
    const bool afterThe = i > 0 && (tokens[i - 1].is("the") || tokens[i - 1].is("an") || tokens[i - 1].is("each"));
    const bool word = isPlain(token.text) && !called;
    const bool inSum = (next.kind == TokenKind::Sum && next.spaced) || (i > 0 && tokens[i - 1].kind == TokenKind::Sum);
    if ((token.is("from") || token.is("to")) && inSum) token.kind = TokenKind::Name;
    if (token.kind != TokenKind::Name) continue;
    const bool afterWord = i > 0 && tokens[i - 1].kind == TokenKind::Word;
    if (token.is("a") && next.spaced &&
        (next.kind == TokenKind::Word || next.is("NaN") || (afterWord && isPlain(next.text))))
      token.kind = TokenKind::Word;
    if (word && afterThe) token.kind = TokenKind::Word;
    // A sum over words is a sentence, not a sign.
    const bool isSum = token.is("sum") || token.is("product") || token.is("integral");
    if (word && next.is("of") && (!isSum || tokens[i + 2].kind == TokenKind::Word)) token.kind = TokenKind::Word;
    if (token.text.find('-') != std::string_view::npos) token.kind = TokenKind::Word;
  }
}

}  // namespace

std::vector<Token> formulaTokens(std::string_view text) {
  std::vector<Token> tokens;
  bool spaced = false;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      spaced = true;
      ++at;
      continue;
    }
    Token token;
    if (isDigit(text[at])) {
      token = {TokenKind::Number, text.substr(at, endOfNumber(text, at) - at), {}};
    } else if (isLetter(text[at])) {
      token = {TokenKind::Name, text.substr(at, endOfName(text, at) - at), {}};
      if (token.text.size() > 1 && isListedWord(token.text)) token.kind = TokenKind::Word;
    } else {
      token = symbolAt(text, at);
    }
    // A point is the end of a sentence.
    const size_t end = at + token.text.size();
    if (token.is(".") && end < text.size() && text[end] != ' ') throw NotNotation();
    token.spaced = spaced;
    tokens.push_back(token);
    spaced = false;
    at = end;
  }
  tokens.push_back({TokenKind::End, {}, {}, spaced});
  readSpaces(tokens);
  readWords(tokens);
  return tokens;
}

}  // namespace sd::cli::docs
