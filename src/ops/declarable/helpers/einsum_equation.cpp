#include "ops/declarable/helpers/einsum_equation.h"

#include <algorithm>
#include <cctype>

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {
namespace {

constexpr char ELLIPSIS = '.';

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool has(const std::string& term, char label) { return term.find(label) != std::string::npos; }

/// The number of dimensions with a letter.
int lettersOf(const std::string& term) { return static_cast<int>(term.size()) - (has(term, ELLIPSIS) ? 1 : 0); }

}  // namespace

std::string describe(Label label) {
  if (label < ELLIPSIS_LABELS) return std::string("label '") + static_cast<char>(label) + "'";
  return "dimension " + std::to_string(ELLIPSIS_LABELS - 1 - label) + " of '...'";
}

Equation::Equation(std::string text) : _text(std::move(text)), _terms(1) {
  std::string* term = &_terms.back();
  for (size_t at = 0; at < _text.size(); at++) {
    const char c = _text[at];
    if (c == ' ') continue;
    if (c == ',') {
      if (_isExplicit) reject("the equation '{}': ',' at position {} is behind '->'", _text, at);
      _terms.emplace_back();
      term = &_terms.back();
    } else if (_text.compare(at, 2, "->") == 0) {
      if (_isExplicit) reject("the equation '{}': '->' at position {} is the second one", _text, at);
      _isExplicit = true;
      term = &_output;
      at++;
    } else if (_text.compare(at, 3, "...") == 0) {
      if (has(*term, ELLIPSIS))
        reject("the equation '{}': '...' at position {} is the second one of its term", _text, at);
      *term += ELLIPSIS;
      at += 2;
    } else if (isLetter(c)) {
      if (_isExplicit && has(_output, c)) reject("the equation '{}': output label '{}' is repeated", _text, c);
      *term += c;
    } else {
      reject("the equation '{}': '{}' at position {} is neither a letter nor ',', '->' or '...'", _text, c, at);
    }
  }
  if (!_isExplicit) _output = implicitOutput();
  for (const char c : _output)
    if (c != ELLIPSIS && std::none_of(_terms.begin(), _terms.end(), [c](const auto& t) { return has(t, c); }))
      reject("the equation '{}': output label '{}' is in no operand", _text, c);
}

/// The dimensions of "...", then the letters that occur once, in alphabetical order.
std::string Equation::implicitOutput() const {
  std::string all, output;
  for (const std::string& term : _terms) all += term;
  if (has(all, ELLIPSIS)) output += ELLIPSIS;
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i < all.size(); i++)
    if (all[i] != ELLIPSIS && std::count(all.begin(), all.end(), all[i]) == 1) output += all[i];
  return output;
}

int Equation::outputRank() const { return has(_output, ELLIPSIS) ? -1 : static_cast<int>(_output.size()); }

void Equation::requireOperands(size_t count) const {
  if (count != _terms.size())
    reject("the equation '{}' has {} operand{}, but {} {} given", _text, _terms.size(), _terms.size() == 1 ? "" : "s",
           count, count == 1 ? "is" : "are");
}

std::vector<Labels> Equation::labelsOf(const std::vector<PartialShape>& operands) const {
  requireOperands(operands.size());
  std::vector<Labels> result(_terms.size());
  for (size_t k = 0; k < _terms.size(); k++) {
    const std::string& term = _terms[k];
    const int rank = operands[k].rank(), rest = rank - lettersOf(term);
    if (rest < 0 || (rest > 0 && !has(term, ELLIPSIS)))
      reject("the equation '{}': operand {} has {} label{}, but shape {}", _text, k, lettersOf(term),
             lettersOf(term) == 1 ? "" : "s", operands[k].text());
    for (const char c : term) {
      if (c != ELLIPSIS) result[k].push_back(c);
      for (int d = rest; c == ELLIPSIS && d-- > 0;) result[k].push_back(ELLIPSIS_LABELS + d);
    }
    if (rest > 0 && !has(_output, ELLIPSIS))
      reject("the equation '{}': the result lacks '...', which has {} dimensions of operand {} (shape {})", _text, rest,
             k, operands[k].text());
  }
  return result;
}

Labels Equation::outputOf(const std::vector<Labels>& operands) const {
  Label last = ELLIPSIS_LABELS - 1;
  for (const Labels& labels : operands)
    for (const Label label : labels) last = std::max(last, label);
  Labels output;
  for (const char c : _output) {
    if (c != ELLIPSIS) output.push_back(c);
    for (Label label = last; c == ELLIPSIS && label >= ELLIPSIS_LABELS; label--) output.push_back(label);
  }
  return output;
}

std::map<Label, LongType> Equation::sizesOf(const std::vector<Labels>& labels,
                                            const std::vector<PartialShape>& operands) const {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  std::map<Label, LongType> sizes;
  std::map<Label, size_t> origins;
  for (size_t k = 0; k < labels.size(); k++) {
    std::map<Label, LongType> own;
    for (size_t d = 0; d < labels[k].size(); d++) {
      const Label label = labels[k][d];
      const LongType size = operands[k][static_cast<int>(d)];
      const auto [entry, isNew] = own.emplace(label, size);
      if (isNew || size == UNKNOWN || size == entry->second) continue;
      if (entry->second != UNKNOWN)
        reject("the equation '{}': {} has sizes {} and {} in operand {} (shape {})", _text, describe(label),
               entry->second, size, k, operands[k].text());
      entry->second = size;
    }
    for (const auto& [label, size] : own) {
      LongType& common = sizes.emplace(label, 1).first->second;
      if (size == 1 || size == common) continue;
      if (size == UNKNOWN) {
        if (common == 1) common = UNKNOWN;
        continue;
      }
      if (common != 1 && common != UNKNOWN)
        reject("the equation '{}': {} has size {} in operand {} (shape {}), but {} in operand {} (shape {})", _text,
               describe(label), size, k, operands[k].text(), common, origins[label], operands[origins[label]].text());
      common = size;
      origins[label] = k;
    }
  }
  return sizes;
}

}  // namespace sd::ops::helpers
