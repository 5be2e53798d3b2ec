#include "cli/docs/FormulaMarkup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "cli/docs/FormulaTokens.h"

namespace sd::cli::docs {
namespace {

const std::map<std::string_view, std::string_view> GREEK{
    {"alpha", "α"}, {"beta", "β"}, {"gamma", "γ"}, {"delta", "δ"}, {"epsilon", "ε"}, {"theta", "θ"}, {"lambda", "λ"},
    {"mu", "μ"},    {"pi", "π"},   {"rho", "ρ"},   {"sigma", "σ"}, {"psi", "ψ"},     {"Gamma", "Γ"}, {"inf", "∞"}};

/// Browsers replace single letters by the italic ones of Unicode's mathematical alphabets, which many machines have
/// no font for. "normal" prevents that; the style sheet makes the letters italic.
std::string letters(std::string_view text) {
  const auto greek = GREEK.find(text);
  const bool isSign = text == "inf" || text == "Gamma";
  const bool isLetter = text.size() == 1 || (greek != GREEK.end() && !isSign);
  return fmt::format("<mi mathvariant=\"normal\"{}>{}</mi>", isLetter ? " class=\"letter\"" : "",
                     greek != GREEK.end() ? greek->second : text);
}

}  // namespace

std::string operatorSign(std::string_view shown) { return fmt::format("<mo form=\"infix\">{}</mo>", shown); }

std::string grouped(const std::string& content) { return "<mrow>" + content + "</mrow>"; }

std::string fenced(std::string_view open, const std::string& content, std::string_view close) {
  constexpr std::string_view TALL[] = {"<mfrac", "<munder", "<mtable", "<msqrt"};
  const bool isTall = std::any_of(std::begin(TALL), std::end(TALL),
                                  [&](std::string_view tag) { return content.find(tag) != std::string::npos; });
  return grouped(
      fmt::format("<mo form=\"prefix\" fence=\"true\" stretchy=\"{0}\">{1}</mo>{2}"
                  "<mo form=\"postfix\" fence=\"true\" stretchy=\"{0}\">{3}</mo>",
                  isTall, open, content, close));
}

std::string numberMarkup(std::string_view text) {
  const size_t e = text.find('e');
  if (e == std::string_view::npos) return fmt::format("<mn>{}</mn>", text);
  std::string_view mantissa = text.substr(0, e), power = text.substr(e + 1);
  const bool negative = power.starts_with('-');
  if (negative || power.starts_with('+')) power.remove_prefix(1);
  while (power.size() > 1 && power[0] == '0') power.remove_prefix(1);
  const std::string ten = fmt::format("<msup><mn>10</mn><mrow>{}<mn>{}</mn></mrow></msup>",
                                      negative ? "<mo form=\"prefix\">−</mo>" : "", power);
  return mantissa == "1" ? ten : fmt::format("<mn>{}</mn>{}{}", mantissa, operatorSign("×"), ten);
}

std::string nameMarkup(std::string_view text, const std::string& bracketed) {
  size_t primes = 0;
  while (text.ends_with('\'')) {
    text.remove_suffix(1);
    ++primes;
  }
  std::string_view rest;
  if (const size_t dot = text.find('.'); dot != std::string_view::npos) {
    rest = text.substr(dot);
    text = text.substr(0, dot);
  }
  std::string subscript;
  const size_t under = text.rfind('_');
  if (under != std::string_view::npos && under > 0) {
    const std::string_view tail = text.substr(under + 1);
    const bool isIndex = tail.size() == 1 || (tail.size() == 2 && under == 1);
    if (tail.empty()) {
      subscript = bracketed;
    } else if (isIndex) {
      for (const char& letter : tail) subscript += letters({&letter, 1});
    }
    if (!subscript.empty()) text = text.substr(0, under);
  }
  if (subscript.empty()) {
    size_t base = text.size();
    while (base > 0 && std::isdigit(static_cast<unsigned char>(text[base - 1])) != 0) --base;
    const bool isShort = base == 1 || GREEK.count(text.substr(0, base)) != 0 || text.substr(0, base) == "log";
    if (base < text.size() && isShort) {
      subscript = fmt::format("<mn>{}</mn>", text.substr(base));
      text = text.substr(0, base);
    }
  }
  std::string ml = letters(text);
  const std::string prime(primes > 0 ? fmt::format("<mo form=\"postfix\">{}</mo>", primes == 1 ? "′" : "″") : "");
  if (primes > 2) throw NotNotation();
  if (!subscript.empty() && primes > 0)
    ml = "<msubsup>" + ml + grouped(subscript) + prime + "</msubsup>";
  else if (!subscript.empty())
    ml = "<msub>" + ml + grouped(subscript) + "</msub>";
  else if (primes > 0)
    ml = "<msup>" + ml + prime + "</msup>";
  return rest.empty() ? ml : ml + fmt::format("<mi>{}</mi>", rest);
}

std::string bigMarkup(std::string_view sign, const std::string& bound) {
  const bool letters = sign == "max" || sign == "min";
  const std::string mark =
      letters ? fmt::format("<mo movablelimits=\"false\" form=\"prefix\" lspace=\"0\" rspace=\"0\">{}</mo>", sign)
              : fmt::format("<mo largeop=\"true\" movablelimits=\"true\" form=\"prefix\">{}</mo>", sign);
  return (bound.empty() ? mark : "<munder>" + mark + grouped(bound) + "</munder>") + std::string(THIN_SPACE);
}

}  // namespace sd::cli::docs
