// Formulas on the reference pages: what the notation of docs/schemas.md becomes, and every formula of the registry.
#include <gtest/gtest.h>
#include <loops/OpGroup.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "cli/docs/Formula.h"

namespace {

using namespace sd;

/// Reads HTML of the formulas as one line: fractions as {a}/{b}, powers as {a}^{b}, subscripts as {a}_{b}, roots as
/// √{a}, cases as {value: condition; …}. It fails on elements that are not closed.
class Outline {
 public:
  explicit Outline(std::string html) : _html(std::move(html)) {
    // The copy of the text is not shown.
    if (const size_t copy = _html.find("<span class=\"source\""); copy != std::string::npos) _html.resize(copy);
  }

  std::string read() {
    std::string text;
    while (_at < _html.size()) text += node();
    return text;
  }

 private:
  std::string _html;
  size_t _at = 0;

  std::string node() {
    if (_html[_at] != '<') {
      const size_t end = std::min(_html.find('<', _at), _html.size());
      return _html.substr(std::exchange(_at, end), end - _at);
    }
    const size_t end = _html.find('>', _at);
    const std::string tag = _html.substr(_at + 1, end - _at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    _at = end + 1;
    if (tag.ends_with('/')) return "";
    std::vector<std::string> children;
    while (_at < _html.size() && _html.compare(_at, 2, "</") != 0) children.push_back(node());
    const std::string close = "</" + name + ">";
    EXPECT_EQ(_html.compare(_at, close.size(), close), 0) << _html;
    _at += close.size();
    return shown(name, tag, children);
  }

  static std::string shown(const std::string& name, const std::string& tag, const std::vector<std::string>& children) {
    const auto child = [&](size_t i) { return i < children.size() ? children[i] : std::string("missing"); };
    if (name == "mfrac") return "{" + child(0) + "}/{" + child(1) + "}";
    if (name == "msup") return child(0) + "^{" + child(1) + "}";
    if (name == "msub" || name == "munder") return child(0) + "_{" + child(1) + "}";
    if (name == "msubsup") return child(0) + "_{" + child(1) + "}^{" + child(2) + "}";
    if (name == "mtr") return child(0) + ": " + child(1) + "; ";
    std::string all;
    for (const std::string& part : children) all += part;
    if (name == "msqrt") return "√{" + all + "}";
    if (name == "mo" && tag.find("infix") != std::string::npos) return " " + all + " ";
    if (name == "span" || name == "math" || name == "mtext") return " " + all + " ";
    if (name == "mo" && (all == "\u2062" || all == "\u2061")) return all == "\u2062" ? "·" : " ";
    return all;
  }
};

std::string outline(const std::string& formula) {
  std::string text = Outline(sd::cli::docs::formulaHtml(formula)).read();
  for (const auto& [written, meant] : {std::pair("&lt;", "<"), {"&gt;", ">"}, {"&amp;", "&"}, {"\u00a0", " "}})
    text = std::regex_replace(text, std::regex(written), meant);
  return std::regex_replace(text, std::regex("; *$"), "");
}

std::string withoutSpaces(const std::string& text) { return std::regex_replace(text, std::regex(" "), ""); }

TEST(Formula, Notation) {
  const std::map<std::string, std::string> table{
      {"z = x + y", "z = x + y"},
      {"z = 1 / (1 + exp(-x))", "z = {1}/{1 + exp(−x)}"},
      {"2 x / 3", "{2·x}/{3}"},
      {"r^3/N sum(d)", "{r^{3}}/{N}·∑d"},
      {"a / b * c", "{a}/{b} ⋅ c"},
      {"x[h / 2]", "x[h/2]"},
      {"z = x^(y - 1)", "z = x^{y − 1}"},
      {"z = x ^ y", "z = x ⊕ y"},
      {"z = a^-1", "z = a^{−1}"},
      {"(sum |x|^p)^(1 / p)", "(∑|x|^{p})^{1/p}"},
      {"z = psi^(n)(x)", "z = ψ^{(n)}(x)"},
      {"z = sqrt(x + 1)", "z = √{x + 1}"},
      {"floor(x / y)", "⌊{x}/{y}⌋"},
      {"h_(t-1) + x_k + l_ii + x0 + beta1", "h_{t − 1} + x_{k} + l_{ii} + x_{0} + β_{1}"},
      {"learning_rate m'", "learning_rate·m^{′}"},
      {"z = sum over c, k of x[c] * w[k, c]", "z = ∑_{c , k}x[c ] ⋅ w[k , c ]"},
      {"z[k] = sum of x[j] over j <= k", "z[k] = ∑_{j ≤ k}x[j]"},
      {"sum of x / n", "{∑x}/{n}"},
      {"sum over (n, c) of v / n", "∑_{(n , c)}{v}/{n}"},
      {"sum(d)^2", "(∑d)^{2}"},
      {"sum = sum of x", "sum = ∑x"},
      {"the sum of x over the block", "the sum of x over the block"},
      {"integral from 0 to y of e^-t dt / Gamma(x)", "{∫_{0}^{y}e^{−t}·dt}/{Γ(x)}"},
      {"z = x for x >= 0, else alpha x", "z = {x: for x ≥ 0; α·x: otherwise"},
      {"x > 0 ? 1 : x < 0 ? -1 : 0", "{1: if x > 0; −1: if x < 0; 0: otherwise"},
      {"max(0, a != b ? x : y)", "max(0 , {x: if a ≠ b; y: otherwise; )"},
      {"|a x - b|^2 + |x|", "|a·x − b|^{2} + |x|"},
      {"(x | y) & z", "(x | y) & z"},
      {"std + 1e-12", "std + 10^{−12}"},
      {"z[i.., :] = x", "z[i… , : ] = x"},
      {"z = x, s the sign of y; NaN stays NaN", "z = x, s the sign of yNaN stays NaN"},
      {"from + (to - from) * u", "from + (to − from) ⋅ u"},
      {"the words alone", "the words alone"},
  };
  for (const auto& [formula, expected] : table) {
    EXPECT_EQ(withoutSpaces(outline(formula)), withoutSpaces(expected)) << formula;
    EXPECT_TRUE(sd::cli::docs::isTypeset(formula)) << formula;
  }
}

TEST(Formula, EverythingElseIsText) {
  // Unbalanced, cut off, foreign signs, and texts whose fractions could be read in two ways.
  for (const char* formula : {"",
                              "(x",
                              "x)",
                              "x]",
                              "[x)",
                              "|x",
                              "x +* y",
                              "x /",
                              "/ n",
                              "* x",
                              "x ^",
                              "x^",
                              "a ? b",
                              "x_",
                              "sum over",
                              "sum of",
                              "sqrt",
                              "\"x\"",
                              "x {y}",
                              "\\frac{1}{2}",
                              "x\ty",
                              "number of x / n",
                              "a = 0 when c, else b = 1",
                              "<script>",
                              "x % y",
                              "1.x",
                              "x''' y",
                              "\x01",
                              "\xff",
                              "max over i",
                              "integral from 0 to y",
                              "sum_ x"}) {
    const std::string html = sd::cli::docs::formulaHtml(formula);
    if (std::string_view(formula) == "sqrt") {
      EXPECT_TRUE(sd::cli::docs::isTypeset(formula));
      continue;
    }
    EXPECT_FALSE(sd::cli::docs::isTypeset(formula)) << formula << ": " << html;
    EXPECT_EQ(html.find("<"), std::string::npos) << html;
  }
  // Deep nesting is text as well, not the end of the program.
  EXPECT_FALSE(sd::cli::docs::isTypeset(std::string(100000, '(') + "x" + std::string(100000, ')')));
}

/// The names and numbers of a text, sorted, without the words that become signs.
std::vector<std::string> leaves(std::string text) {
  static const std::map<std::string, std::string> SIGNS{
      {"α", "alpha"},  {"β", "beta"}, {"γ", "gamma"}, {"δ", "delta"}, {"ε", "epsilon"},
      {"λ", "lambda"}, {"π", "pi"},   {"ψ", "psi"},   {"Γ", "Gamma"}, {"∞", "inf"}};
  static const std::set<std::string> KEYWORDS{"sum",  "product", "integral", "of", "over", "from",     "to",
                                              "sqrt", "floor",   "ceil",     "if", "else", "otherwise"};
  for (const auto& [sign, name] : SIGNS) text = std::regex_replace(text, std::regex(sign), name);
  std::vector<std::string> found;
  const std::regex leaf("[A-Za-z]+|[0-9]+([.][0-9]+)?");
  for (std::sregex_iterator at(text.begin(), text.end(), leaf), end; at != end; ++at)
    if (KEYWORDS.count(at->str()) == 0) found.push_back(at->str());
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Formula, OfTheRegistry) {
  std::map<std::string, std::string> formulas;
  for (const auto& op : loops::numberedOps()) formulas[std::string(op.formula)] = op.name;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations())
    if (const ops::Schema* schema = op->describedDescriptor()->statedSchema())
      formulas[schema->formula()] = *op->getOpName();
  formulas.erase("");
  ASSERT_GT(formulas.size(), 400u);
  std::vector<std::string> asText;
  for (const auto& [formula, name] : formulas) {
    if (!sd::cli::docs::isTypeset(formula)) {
      asText.push_back(name + ": " + formula);
      continue;
    }
    // Powers of ten are written in another way.
    if (std::regex_search(formula, std::regex("[0-9]e-"))) continue;
    const std::string shown = outline(formula);
    EXPECT_EQ(leaves(formula), leaves(std::regex_replace(shown, std::regex("_\\{|\\}"), " "))) << name << ": " << shown;
  }
  for (const std::string& formula : asText) std::printf("stays text: %s\n", formula.c_str());
  EXPECT_EQ(asText.size(), 0u) << "write these formulas in the notation of docs/schemas.md, or extend it";
}

}  // namespace
