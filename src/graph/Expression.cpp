// Values of graphs as expressions.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "graph/GraphSymbols.h"
#include "graph/NodeCall.h"
#include "graph/NodeText.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

using Name = std::pair<int, int>;

/// How tightly an operation binds its operands; calls and names bind most.
enum Precedence { SUM = 1, PRODUCT, SIGN, CALL };

struct Infix {
  const char* operation;
  const char* sign;
  Precedence precedence;
  bool isAssociative;
};
constexpr Infix INFIX[] = {
    {"add", " + ", SUM, true},
    {"subtract", " - ", SUM, false},
    {"multiply", " * ", PRODUCT, true},
    {"divide", " / ", PRODUCT, false},
};

class Expression {
 public:
  explicit Expression(const Graph& graph) : _graph(graph) {}

  std::string text(const Name& value) {
    collect(value.first);
    std::string lines;
    for (const int id : _order) {
      Term term = makeTerm(*_graph.nodeById(id));
      if (id == value.first)
        return lines + (value.second > 0 ? fmt::format("{}:{}", bracketed(term, CALL), value.second) : term.text);
      if (_uses[id] > 1 || _depth[id] >= DEEPEST) {
        lines += fmt::format("{} = {}\n", label(id), term.text);
        term = {label(id), CALL};
      }
      _terms.emplace(id, std::move(term));
    }
    return lines + valueText(_graph, value);
  }

 private:
  /// Deeper expressions are taken apart into lines.
  static constexpr int DEEPEST = 12;

  struct Term {
    std::string text;
    Precedence precedence = CALL;
  };

  const Graph& _graph;
  std::vector<int> _order;
  std::unordered_map<int, int> _uses, _depth;
  std::unordered_map<int, Term> _terms;

  bool isLeaf(int id) const { return id < 0 || !_graph.hasNode(id); }
  bool isNamed(int id) const { return !_graph.nodeById(id)->getName()->empty(); }
  static std::string label(int id) { return fmt::format("v{}", id); }

  /// The nodes of the expression, each after those that it reads.
  void collect(int root) {
    std::vector<int> waiting{root};
    std::unordered_set<int> begun, done;
    while (!waiting.empty()) {
      const int id = waiting.back();
      if (isLeaf(id) || done.count(id) != 0 || (id != root && isNamed(id))) {
        waiting.pop_back();
        continue;
      }
      const auto& inputs = _graph.nodeById(id)->inputs();
      if (begun.insert(id).second) {
        for (auto input = inputs.rbegin(); input != inputs.rend(); ++input)
          if (begun.count(input->first) == 0) waiting.push_back(input->first);
        continue;
      }
      waiting.pop_back();
      if (!done.insert(id).second) continue;
      int depth = 0;
      for (const Name& input : inputs) {
        _uses[input.first]++;
        const auto known = _depth.find(input.first);
        if (known != _depth.end()) depth = std::max(depth, known->second >= DEEPEST ? 1 : known->second + 1);
      }
      _depth[id] = depth;
      _order.push_back(id);
    }
  }

  std::string variableText(const Name& name) const {
    const VariableSpace& space = *_graph.getVariableSpace();
    const Variable* given = space.hasVariable(name) ? space.getVariable(name) : nullptr;
    const bool isNumber = given != nullptr && given->variableType() == CONSTANT && given->getName()->empty() &&
                          given->hasNDArray() && given->getNDArray()->isScalar() && !given->getNDArray()->isS();
    if (isNumber)
      return given->getNDArray()->isB() ? (given->getNDArray()->e<bool>(0) ? "true" : "false")
                                        : fmt::format("{}", given->getNDArray()->e<double>(0));
    return valueText(_graph, name);
  }

  Term term(const Name& name) const {
    if (name == ABSENT_INPUT) return {"none", CALL};
    if (isLeaf(name.first)) return {variableText(name), CALL};
    const auto known = _terms.find(name.first);
    // Only loops lead to nodes that have no term yet.
    const Term whole = known != _terms.end() ? known->second
                       : isNamed(name.first) ? Term{*_graph.nodeById(name.first)->getName(), CALL}
                                             : Term{label(name.first), CALL};
    return name.second == 0 ? whole : Term{fmt::format("{}:{}", bracketed(whole, CALL), name.second), CALL};
  }

  static std::string bracketed(const Term& term, int least) {
    return term.precedence < least ? "(" + term.text + ")" : term.text;
  }

  Term makeTerm(const Node& node) const;
  std::optional<Term> numberTerm(const Node& node, const std::string& operation) const;
};

Expression::Term Expression::makeTerm(const Node& node) const {
  const auto& inputs = node.inputs();
  const std::string operation = node.operationName();
  const std::vector<std::string> arguments = argumentTexts(node);
  if (arguments.empty() && inputs.size() == 2)
    for (const Infix& infix : INFIX)
      if (operation == infix.operation)
        return {bracketed(term(inputs[0]), infix.precedence) + infix.sign +
                    bracketed(term(inputs[1]), infix.precedence + (infix.isAssociative ? 0 : 1)),
                infix.precedence};
  if (operation.rfind("scalar.", 0) == 0 && inputs.size() == 1)
    if (const std::optional<Term> term = numberTerm(node, operation.substr(7)); term.has_value()) return *term;
  if (operation == "transform.Neg" && inputs.size() == 1) return {"-" + bracketed(term(inputs[0]), SIGN), SIGN};
  std::vector<std::string> operands;
  for (const Name& input : inputs) operands.push_back(term(input).text);
  operands.insert(operands.end(), arguments.begin(), arguments.end());
  return {fmt::format("{}({})", operation.substr(operation.find('.') + 1), fmt::join(operands, ", ")), CALL};
}

/// Of operations between a value and a number that is an argument.
std::optional<Expression::Term> Expression::numberTerm(const Node& node, const std::string& operation) const {
  struct Row {
    const char *operation, *sign;
    Precedence precedence;
    bool isReverse;
  };
  static constexpr Row ROWS[] = {
      {"Add", " + ", SUM, false},        {"Subtract", " - ", SUM, false},       {"Multiply", " * ", PRODUCT, false},
      {"Divide", " / ", PRODUCT, false}, {"ReverseSubtract", " - ", SUM, true}, {"ReverseDivide", " / ", PRODUCT, true},
  };
  const auto& named = node.namedArguments();
  if (named.size() != 1 || named[0].second.numbers.size() != 1) return std::nullopt;
  const std::string number = fmt::format("{}", named[0].second.numbers[0]);
  for (const Row& row : ROWS) {
    if (operation != row.operation) continue;
    const std::string other = bracketed(term(node.inputs()[0]), row.precedence + (row.isReverse ? 1 : 0));
    return Term{row.isReverse ? number + row.sign + other : other + row.sign + number, row.precedence};
  }
  return std::nullopt;
}

}  // namespace

std::string expressionText(const Graph& graph, const std::pair<int, int>& value) {
  return Expression(graph).text(value);
}

}  // namespace sd::graph
