// The notation is described in docs/schemas.md. MathML Core has no lines that break, so that a formula becomes several
// short <math> elements with text between them.
#include "cli/docs/Formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/docs/FormulaMarkup.h"
#include "cli/docs/FormulaTokens.h"
#include "cli/docs/Html.h"

namespace sd::cli::docs {
namespace {

using Kind = TokenKind;

struct BigSign {
  std::string_view name, sign;
};
constexpr BigSign BIG_SIGNS[] = {{"sum", "∑"}, {"product", "∏"}};

constexpr std::string_view FUNCTIONS[] = {"argmax", "argmin", "cos", "det",  "diag", "exp", "ln",
                                          "log",    "max",    "min", "sign", "sin",  "tan", "tanh"};
static_assert(std::is_sorted(std::begin(FUNCTIONS), std::end(FUNCTIONS)));

// Words after which a case's condition stands.
constexpr std::string_view CONDITIONS[] = {"at", "for", "if", "when", "where", "with"};
// Words that end the sentence before them, so that a fraction after them is a whole one.
constexpr std::string_view JOINTS[] = {"and",         "by",   "density", "each", "else",   "for",  "if",    "is",  "or",
                                       "probability", "than", "then",    "to",   "unless", "when", "where", "with"};

template <typename Words>
bool isAmong(const Words& words, std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

const std::string BEGIN = "<math displaystyle=\"true\">", END = "</math>";
constexpr char BREAK = '\x01';        // a line may break here
constexpr size_t LONG = 56;           // characters of text whose maths may break
constexpr int DEEPEST = 50;           // brackets and signs around a name
constexpr size_t LONGEST_BOUND = 16;  // characters of words below a sum

/// A part of a formula. `bare` is the content of what is no more than a pair of parentheses.
struct Maths {
  std::string ml;
  std::string bare;
  bool isSum = false;  ///< a sum without parentheses around it

  const std::string& withoutParentheses() const { return bare.empty() ? ml : bare; }
};

class Typesetter {
 public:
  explicit Typesetter(std::string_view text) : _text(text), _tokens(formulaTokens(text)), _end(_tokens.size() - 1) {}

  std::string html() {
    std::string lines;
    while (_at < _end) {
      const size_t end = findSeparator(_at, _end, ";.");
      lines += "<span class=\"line\">" + line(end) + "</span>";
      if (_at < _end) ++_at;
    }
    return lines;
  }

 private:
  std::string_view _text;
  std::vector<Token> _tokens;
  size_t _at = 0, _end;
  int _bars = 0;     // open sides of absolute values
  int _indices = 0;  // brackets around
  int _depth = 0;
  bool _breaks = false;

  // ---- tokens

  const Token& token(size_t ahead = 0) const { return _at + ahead < _end ? _tokens[_at + ahead] : _tokens.back(); }
  bool at(Kind kind) const { return token().kind == kind; }
  bool isAt(std::string_view text, size_t ahead = 0) const { return _at + ahead < _end && token(ahead).text == text; }
  Token take() {
    if (_at >= _end) throw NotNotation();
    return _tokens[_at++];
  }
  void expect(std::string_view text) {
    if (!isAt(text)) throw NotNotation();
    ++_at;
  }

  /// The token after the brackets that open at `at`.
  size_t behindBrackets(size_t at, size_t end) const {
    int depth = 0;
    for (; at < end; ++at) {
      depth += _tokens[at].kind == Kind::Open ? 1 : _tokens[at].kind == Kind::Close ? -1 : 0;
      if (depth == 0) return at + 1;
    }
    throw NotNotation();
  }

  /// The first token from `at` on, outside of brackets, for which `wanted` is true.
  template <typename Wanted>
  size_t find(size_t at, size_t end, const Wanted& wanted) const {
    while (at < end && !wanted(_tokens[at])) at = _tokens[at].kind == Kind::Open ? behindBrackets(at, end) : at + 1;
    return std::min(at, end);
  }
  size_t findWord(size_t at, size_t end, std::string_view word) const {
    return find(at, end, [&](const Token& token) { return token.is(word); });
  }

  /// The first of the separators in `which`, outside of brackets and of choices, and not between "over" and "of".
  size_t findSeparator(size_t at, size_t end, std::string_view which) const {
    int choices = 0;
    while (at < end) {
      const Token& token = _tokens[at];
      if (token.kind == Kind::Condition) ++choices;
      if (token.kind == Kind::Separator && which.find(token.text) != std::string_view::npos) {
        if (token.text != ":" || choices == 0) return at;
        --choices;
      }
      if (token.is("over") && at > 0 && _tokens[at - 1].kind == Kind::Name)
        if (const size_t of = findWord(at, end, "of"); of < findStop(at, end)) at = of;
      at = token.kind == Kind::Open ? behindBrackets(at, end) : at + 1;
    }
    return end;
  }
  /// The end of a sentence or a closing bracket.
  size_t findStop(size_t at, size_t end) const {
    return find(at, end, [](const Token& token) {
      return token.is(";") || token.is(".") || token.is("=") || token.kind == Kind::Close;
    });
  }

  // ---- sentences

  std::string line(size_t end) {
    std::string html;
    while (_at < end) {
      size_t stop = findSeparator(_at, end, ",:");
      // ", else" belongs to the case before it, as does ", ties included, else".
      for (size_t next = stop; next < end && _tokens[next].is(",");) {
        const size_t after = findSeparator(next + 1, end, ",:");
        if (_tokens[next + 1].is("else"))
          stop = after;
        else if (after + 1 < end && _tokens[after + 1].is("else") && hasCondition(_at, stop))
          stop = next = after;
        else
          break;
        if (next < stop) break;
      }
      html += item(stop);
      if (_at < end) html += fmt::format("{} ", take().text);
    }
    return html;
  }

  bool hasCondition(size_t at, size_t end) const {
    return find(at, end, [](const Token& token) { return isAmong(CONDITIONS, token.text); }) < end;
  }

  std::string item(size_t end) {
    const size_t first = _at;
    if (hasCases(end)) return BEGIN + within(end, [&] { return part(); }) + END;
    const std::string_view source(_tokens[first].text.data(),
                                  size_t(_tokens[end - 1].text.data() - _tokens[first].text.data()));
    _breaks = source.size() > LONG;
    std::string html = within(end, [&] {
      return sentence([](const std::string& words) { return escape(words); },
                      [](const std::string& maths) {
                        std::string pieces;
                        for (const char c : maths) pieces += c == BREAK ? END + "<wbr/>" + BEGIN : std::string(1, c);
                        return BEGIN + pieces + END;
                      });
    });
    _breaks = false;
    return html;
  }

  /// What `make` gives for the tokens before `end`. @throws NotNotation when it leaves some
  template <typename Make>
  std::string within(size_t end, const Make& make) {
    const size_t outer = std::exchange(_end, end);
    std::string made = make();
    if (_at != end) throw NotNotation();
    _end = outer;
    return made;
  }

  /// Words and maths in turn.
  template <typename Words, typename MathsHtml>
  std::string sentence(const Words& showWords, const MathsHtml& showMaths) {
    std::string html;
    std::string_view last;
    while (_at < _end) {
      const bool spaced = token().spaced && !html.empty();
      if (at(Kind::Word)) {
        std::string words(spaced ? " " : "");
        words += last = take().text;
        while (at(Kind::Word)) words += fmt::format(" {}", last = take().text);
        if (_at < _end && token().spaced) words += " ";
        html += showWords(words);
      } else {
        const bool afterWords = !last.empty() && !isAmong(JOINTS, last);
        html += showMaths(relations(afterWords));
        if (_at < _end && token().spaced && !at(Kind::Word)) html += showWords(" ");
        last = {};
      }
    }
    return html;
  }

  // ---- cases

  bool hasCases(size_t end) const {
    const size_t question = find(_at, end, [](const Token& token) { return token.kind == Kind::Condition; });
    const size_t otherwise = findElse(_at, end);
    return question < end || (otherwise < end && hasCondition(_at, otherwise));
  }
  size_t findElse(size_t at, size_t end) const {
    for (size_t found = findWord(at, end, "else"); found < end; found = findWord(found + 1, end, "else"))
      if (found > 0 && _tokens[found - 1].is(",")) return found;
    return end;
  }

  std::string words(const std::string& text) { return "<mtext>" + escape(text) + "</mtext>"; }

  /// Everything up to _end, inside one <math>.
  std::string part() {
    if (hasCases(_end)) return cases();
    std::string ml;
    while (_at < _end) {
      ml += sentence([this](const std::string& text) { return words(nonBreaking(text)); },
                     [](const std::string& maths) { return grouped(maths); });
    }
    return grouped(ml);
  }

  /// Spaces at the ends of <mtext> would be dropped.
  static std::string nonBreaking(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == ' ' ? std::string("\u00a0") : std::string(1, c);
    return result;
  }

  static std::string row(const std::string& value, const std::string& condition) {
    return "<mtr><mtd>" + value + "</mtd><mtd>" + condition + "</mtd></mtr>";
  }

  std::string cases() {
    const size_t outer = _end;
    const auto isAssignment = [](const Token& token) { return token.is("="); };
    const auto isQuestion = [](const Token& token) { return token.kind == Kind::Condition; };
    const auto isCondition = [](const Token& token) { return isAmong(CONDITIONS, token.text); };
    const size_t question = find(_at, _end, isQuestion);
    const size_t test = question < _end ? question : find(_at, _end, isCondition);
    std::string left;
    // In z = x == y ? a : b the first sign is the assignment; in x = 0 ? a : b there is no name to assign to.
    if (const size_t assignment = find(_at, test, isAssignment); assignment < test) {
      left = within(assignment, [&] { return part(); }) + operatorSign("=");
      ++_at;
    }
    std::string rows;
    if (question < outer) {
      size_t end = question;
      while (end < outer) {
        const std::string condition = within(end, [&] { return part(); });
        ++_at;
        const size_t colon = findSeparator(_at, outer, ":");
        if (colon >= outer) throw NotNotation();
        rows += row(within(colon, [&] { return part(); }), words("if\u00a0") + condition);
        ++_at;
        end = find(_at, outer, isQuestion);
      }
      rows += row(within(outer, [&] { return part(); }), words("otherwise"));
    } else {
      const std::string value = within(test, [&] { return part(); });
      const size_t otherwise = findElse(_at, outer);
      // A comma inside the condition is text.
      std::string condition;
      while (_at < otherwise - 1) {
        const size_t stop = findSeparator(_at, otherwise - 1, ",:");
        condition += within(stop, [&] { return part(); });
        if (_at < otherwise - 1) condition += words(std::string(take().text) + "\u00a0");
      }
      rows = row(value, condition);
      _at = otherwise + 1;
      // "a = b when c, else d = e" says two things.
      if (find(_at, outer, isAssignment) < outer) throw NotNotation();
      rows += row(within(outer, [&] { return part(); }), words("otherwise"));
    }
    return grouped(left +
                   "<mo form=\"prefix\" stretchy=\"true\" symmetric=\"false\">{</mo><mtable displaystyle=\"true\" "
                   "class=\"cases\">" +
                   rows + "</mtable>");
  }

  // ---- expressions

  /// `afterWords`: a sentence goes on here, so that it is open what a fraction would take.
  std::string relations(bool afterWords) {
    std::string ml = at(Kind::Relation) ? "" : sums(afterWords);
    while (at(Kind::Relation) || at(Kind::Bits)) {
      if (_breaks) ml += BREAK;
      ml += operatorSign(take().shown);
      if (at(Kind::Word)) return ml;
      ml += sums(false);
    }
    return ml;
  }

  std::string sums(bool afterWords) {
    std::string ml;
    if (at(Kind::Sum)) ml += fmt::format("<mo form=\"prefix\">{}</mo>", take().shown);
    ml += product(afterWords).ml;
    while (at(Kind::Sum)) {
      if (_breaks) ml += BREAK;
      ml += operatorSign(take().shown);
      if (at(Kind::Word)) return ml;
      ml += product(false).ml;
    }
    return ml;
  }

  bool beginsOperand() const {
    const Token& here = token();
    switch (here.kind) {
      case Kind::Name:
      case Kind::Number:
      case Kind::Open:
      case Kind::Ellipsis:
        return true;
      case Kind::Bar:
        return _bars == 0 || (here.spaced && !token(1).spaced);
      default:
        return false;
    }
  }

  Maths product(bool afterWords) {
    Maths left = signedFactor();
    bool isFunction = isAmong(FUNCTIONS, _tokens[_at - 1].text);
    while (true) {
      if (at(Kind::Product) && isAt("/")) {
        if (afterWords) throw NotNotation();
        ++_at;
        const Maths right = signedFactor();
        if (_indices > 0)
          left = {left.ml + "<mo form=\"infix\" lspace=\"0.1em\" rspace=\"0.1em\">/</mo>" + right.ml, {}};
        else
          left = {"<mfrac>" + grouped(left.withoutParentheses()) + grouped(right.withoutParentheses()) + "</mfrac>",
                  {}};
      } else if (at(Kind::Product)) {
        left = {left.ml + operatorSign(take().shown), {}};
        if (at(Kind::Word)) return left;
        left.ml += signedFactor().ml;
      } else if ((isAt("mod") || isAt("div")) && _at + 1 < _end) {
        left = {left.ml + fmt::format("<mo form=\"infix\" lspace=\"0.3em\" rspace=\"0.3em\">{}</mo>", take().text), {}};
        left.ml += signedFactor().ml;
      } else if (beginsOperand()) {
        const bool apart = token().spaced || !(at(Kind::Ellipsis) || _tokens[_at - 1].kind == Kind::Ellipsis);
        if (apart) left.ml += (isFunction ? "<mo>\u2061</mo>" : "<mo>\u2062</mo>") + std::string(THIN_SPACE);
        left.bare.clear();
        const Maths next = factor();
        left.ml += next.ml;
      } else {
        return left;
      }
      isFunction = isAmong(FUNCTIONS, _tokens[_at - 1].text);
    }
  }

  Maths signedFactor() {
    // Brackets, signs and bars all pass here: texts that nest deeper are no formulas.
    if (++_depth > DEEPEST) throw NotNotation();
    const Maths made = signedOrPlain();
    --_depth;
    return made;
  }

  Maths signedOrPlain() {
    if (at(Kind::Sum) || at(Kind::Prefix)) {
      const std::string sign(take().shown);
      return {fmt::format("<mo form=\"prefix\">{}</mo>", sign) + signedFactor().ml, {}};
    }
    return factor();
  }

  /// A name, a number or brackets with what follows closely: indices, operands, powers.
  Maths factor() {
    const bool named = at(Kind::Name);
    const bool keeps = isAt("psi");  // the power of psi^(n)(x) is an order
    Maths base = primary();
    while (_at < _end) {
      if (at(Kind::Open) && !token().spaced && (isAt("[") || named)) {
        base = {base.ml + (isAt("[") ? "" : "<mo>\u2061</mo>") + brackets().ml, {}};
      } else if (at(Kind::Postfix) && !token().spaced) {
        base = {base.ml + "<mo form=\"postfix\">!</mo>", {}};
        ++_at;
      } else if (at(Kind::Power)) {
        ++_at;
        if (base.isSum) base = {fenced("(", base.ml, ")"), {}};
        base = {"<msup>" + grouped(base.ml) + exponent(keeps) + "</msup>", {}};
      } else {
        break;
      }
    }
    return base;
  }

  std::string exponent(bool keepsParentheses) {
    std::string sign;
    if (isAt("-")) sign = fmt::format("<mo form=\"prefix\">{}</mo>", take().shown);
    const bool named = at(Kind::Name);
    ++_indices;  // no fractions
    const Maths power = primary();
    std::string ml = keepsParentheses ? power.ml : power.withoutParentheses();
    if (!keepsParentheses && named && isAt("[") && !token().spaced) ml += brackets().ml;
    --_indices;
    return grouped(sign + ml);
  }

  Maths primary() {
    switch (token().kind) {
      case Kind::Number:
        return {numberMarkup(take().text), {}};
      case Kind::Ellipsis:
        return {fmt::format("<mo lspace=\"0\" rspace=\"0\">{}</mo>", take().shown), {}};
      case Kind::Open:
        return brackets();
      case Kind::Bar:
        return absolute();
      case Kind::Name:
        return name();
      default:
        throw NotNotation();
    }
  }

  Maths brackets() {
    const Token open = take();
    const std::string_view close = open.is("(") ? ")" : "]";
    const size_t end = behindBrackets(_at - 1, _end) - 1;
    if (!_tokens[end].is(close)) throw NotNotation();
    _indices += open.is("[") ? 1 : 0;
    const int bars = std::exchange(_bars, 0);
    const bool breaks = std::exchange(_breaks, false);
    std::string content;
    while (_at < end) {
      const size_t stop = findSeparator(_at, end, ",;:");
      content += within(stop, [&] { return part(); });
      if (_at < end) {
        const std::string_view space = token(1).spaced ? "0.3em" : "0";
        content += fmt::format("<mo form=\"infix\" lspace=\"0\" rspace=\"{}\">{}</mo>", space, take().text);
      }
    }
    ++_at;
    _indices -= open.is("[") ? 1 : 0;
    _bars = bars;
    _breaks = breaks;
    return {fenced(open.text, content, close), open.is("(") ? content : ""};
  }

  Maths absolute() {
    ++_at;
    ++_bars;
    const bool breaks = std::exchange(_breaks, false);
    const std::string content = relations(false);
    expect("|");
    --_bars;
    _breaks = breaks;
    return {fenced("|", content, "|"), {}};
  }

  // ---- names

  Maths name() {
    const Token here = take();
    const bool called = isAt("(") && !token().spaced;
    if (here.is("sqrt") && called) return {"<msqrt>" + brackets().bare + "</msqrt>", {}};
    if (here.is("floor") && called) return {fenced("⌊", brackets().bare, "⌋"), {}};
    if (here.is("ceil") && called) return {fenced("⌈", brackets().bare, "⌉"), {}};
    for (const BigSign& big : BIG_SIGNS)
      if (here.is(big.name) || (here.text.starts_with(big.name) && here.text[big.name.size()] == '_'))
        if (std::optional<Maths> sum = bigSign(here.text.substr(big.name.size()), big.sign)) return *sum;
    if ((here.is("max") || here.is("min")) && isAt("over")) return *bigSign("", fmt::format("{}", here.text));
    if (here.is("integral") && isAt("from")) return integral();
    return {nameMarkup(here.text, subscriptOf(here.text)), {}};
  }

  /// sum of E over B, sum over B of E, sum_i E, sum_(i >= 0) E, sum(E), sum E. Nothing when the word is a quantity.
  std::optional<Maths> bigSign(std::string_view subscript, std::string_view sign) {
    std::string bound;
    const bool called = isAt("(") && !token().spaced;
    if (subscript.size() > 1) {
      bound = nameMarkup(subscript.substr(1));
    } else if (subscript == "_") {
      if (!called) throw NotNotation();
      bound = brackets().bare;
    } else if (isAt("over")) {
      ++_at;
      bound = boundTo(findWord(_at, _end, "of"));
      expect("of");
      return Maths{bigMarkup(sign, bound) + product(false).ml, {}};
    } else if (isAt("of")) {
      ++_at;
      const size_t over = findOver();
      if (over < _end) {
        const std::string body = within(over, [&] { return product(false).ml; });
        ++_at;
        return Maths{bigMarkup(sign, boundTo(endOfBound())) + body, {}};
      }
      return Maths{bigMarkup(sign, "") + summand(), {}};
    } else if (called) {
      // The parentheses stay where a sign or a neighbour would be read differently without them.
      const size_t close = behindBrackets(_at, _end) - 1;
      const bool isProduct = find(_at + 1, close, [](const Token& token) { return token.kind == Kind::Sum; }) == close;
      const Maths content = brackets();
      return Maths{bigMarkup(sign, "") + (isProduct && !beginsOperand() ? content.bare : content.ml), {}, true};
    } else if (!beginsOperand()) {
      return std::nullopt;
    }
    return Maths{bigMarkup(sign, bound) + summand(), {}};
  }

  /// "over" with a bound that fits below the sign, when the operands of the sum end there; _end otherwise.
  size_t findOver() {
    const size_t stop = std::min(findSeparator(_at, _end, ",;:."), findStop(_at, _end));
    const size_t over = findWord(_at, stop, "over");
    const size_t other =
        find(_at, over, [](const Token& token) { return token.kind == Kind::Word || token.is("sum"); });
    if (over >= stop || other < over) return _end;
    size_t length = 0;
    bool hasWords = false;
    const size_t at = std::exchange(_at, over + 1);
    const size_t end = endOfBound();
    _at = at;
    for (size_t i = over + 1; i < end; ++i) {
      hasWords = hasWords || (_tokens[i].kind == Kind::Word && !_tokens[i].is("and"));
      length += _tokens[i].text.size() + 1;
    }
    const bool goesOn = end < _end && isAmong(CONDITIONS, _tokens[end].text);
    return goesOn || end == over + 1 || (hasWords && length > LONGEST_BOUND) ? _end : over;
  }
  size_t endOfBound() const {
    return std::min(findSeparator(_at, _end, ",;:."), find(_at, _end, [](const Token& token) {
                      return token.kind == Kind::Close || isAmong(CONDITIONS, token.text);
                    }));
  }

  /// The operands of a sign: a product that ends before a division.
  std::string summand() {
    Maths all = signedFactor();
    while (true) {
      if (isAt("*"))
        all.ml += operatorSign(take().shown);
      else if (beginsOperand())
        all.ml += "<mo>\u2062</mo>" + std::string(THIN_SPACE);
      else
        return all.ml;
      all.ml += signedFactor().ml;
    }
  }

  std::string boundTo(size_t end) {
    if (end >= _tokens.size()) throw NotNotation();
    std::string content;
    const bool breaks = std::exchange(_breaks, false);
    ++_indices;  // no fractions
    while (_at < end) {
      const size_t stop = findSeparator(_at, end, ",");
      content += within(stop, [&] { return part(); });
      if (_at < end) content += fmt::format("<mo form=\"infix\">{}</mo>", take().text);
    }
    --_indices;
    _breaks = breaks;
    return content;
  }

  Maths integral() {
    expect("from");
    const std::string lower = boundTo(findWord(_at, _end, "to"));
    expect("to");
    const std::string upper = boundTo(findWord(_at, _end, "of"));
    expect("of");
    return {"<msubsup><mo largeop=\"true\" form=\"prefix\">∫</mo>" + grouped(lower) + grouped(upper) + "</msubsup>" +
                std::string(THIN_SPACE) + summand(),
            {}};
  }

  /// The brackets after a name that ends with '_': h_(t-1).
  std::string subscriptOf(std::string_view name) {
    if (!name.ends_with('_')) return "";
    if (!isAt("(") || token().spaced) throw NotNotation();
    return brackets().bare;
  }
};

/// Empty when the formula is not in the notation.
std::string typeset(std::string_view formula) {
  try {
    return Typesetter(formula).html();
  } catch (const NotNotation&) {
    return "";
  }
}

}  // namespace

bool isTypeset(std::string_view formula) { return !typeset(formula).empty(); }

std::string formulaHtml(std::string_view formula) {
  const std::string html = typeset(formula);
  if (html.empty()) return escape(formula);
  // The text of the terminal, for programs that read the page.
  return "<span class=\"maths\">" + html + "</span><span class=\"source\" hidden=\"hidden\">" + escape(formula) +
         "</span>";
}

}  // namespace sd::cli::docs
