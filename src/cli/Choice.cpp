#include "cli/Choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "cli/Errors.h"
#include "cli/Names.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;
using loops::OpFamily;
using loops::OpGroup;

struct Fit {
  Form form;
  int preference;  ///< lower is better
};

// One input with and without --dims prefers reductions and transforms; two inputs prefer pairwise when their shapes are
// equal, broadcasts when they are not or --dims is given.
std::optional<Fit> fitOf(OpGroup group, const Operands& given) {
  const OpFamily family = loops::traitsOf(group).family;
  const bool one = given.inputs == 1 && !given.scalar, two = given.inputs == 2 && !given.scalar;
  if (family == OpFamily::Transform && one && !given.dims) return Fit{Form::Transform, 0};
  if (family == OpFamily::Pairwise && two && !given.dims)
    return given.sameShape ? Fit{Form::Pairwise, 0} : Fit{Form::TrueBroadcast, 1};
  if (family == OpFamily::Broadcast && two && given.dims) return Fit{Form::BroadcastAlong, 0};
  if (family == OpFamily::Broadcast && two) return Fit{Form::TrueBroadcast, given.sameShape ? 1 : 0};
  if (family == OpFamily::Scalar && given.inputs == 1 && given.scalar && !given.dims) return Fit{Form::Scalar, 0};
  if (family == OpFamily::Scalar && two && given.dims) return Fit{Form::ScalarAlong, 1};
  if (family == OpFamily::Scalar && two && given.oneElement) return Fit{Form::Scalar, 2};
  if (family == OpFamily::Reduce && one) return Fit{Form::Reduce, given.dims ? 0 : 1};
  if (family == OpFamily::IndexReduce && one) return Fit{Form::IndexReduce, 0};
  if (family == OpFamily::Variance && one) return Fit{Form::SummaryStats, 0};
  if (family == OpFamily::Reduce3 && two) return Fit{given.all ? Form::Reduce3All : Form::Reduce3, 0};
  if (family == OpFamily::Random && given.inputs <= 2 && !given.scalar && !given.dims) return Fit{Form::Random, 0};
  return std::nullopt;
}

std::string inWords(const Operands& given) {
  std::string text = given.inputs == 0 ? "no input" : given.inputs == 1 ? "one input" : "two inputs";
  if (given.scalar) text += " and --scalar";
  if (given.dims) text += given.scalar ? ", --dims" : " and --dims";
  return text;
}

}  // namespace

std::string needsOf(OpGroup group) {
  const OpFamily family = loops::traitsOf(group).family;
  if (family == OpFamily::Transform) return "one input";
  if (family == OpFamily::Pairwise) return "two inputs";
  if (family == OpFamily::Broadcast) return "two inputs, with or without --dims";
  if (family == OpFamily::Scalar)
    return "one input and --scalar, or a second input with one element (with --dims: one element per sub-array)";
  if (family == OpFamily::Reduce || family == OpFamily::IndexReduce || family == OpFamily::Variance)
    return "one input, with or without --dims";
  if (family == OpFamily::Reduce3)
    return "two inputs, with or without --dims (with --all: for all pairs of sub-arrays)";
  return "--shape, one input or two";
}

Choice chooseOp(const std::string& name, const Operands& operands) {
  const std::vector<const NumberedOp*> candidates = findOps(name);
  std::vector<Choice> best;
  int preference = 0;
  for (const NumberedOp* op : candidates) {
    const auto fit = fitOf(op->group, operands);
    if (!fit) continue;
    if (best.empty() || fit->preference < preference) {
      best = {{op, fit->form}};
      preference = fit->preference;
    } else if (fit->preference == preference) {
      best.push_back({op, fit->form});
    }
  }
  if (best.size() == 1) return best[0];
  std::vector<std::string> texts;
  if (best.empty()) {
    for (const NumberedOp* op : candidates) {
      const std::string text = fmt::format("{} takes {}", loops::qualifiedName(*op), needsOf(op->group));
      if (texts.empty() || texts.back() != text) texts.push_back(text);
    }
    throw UsageError(fmt::format("{} was given {}; {}", name, inWords(operands), fmt::join(texts, "; ")));
  }
  for (const Choice& choice : best)
    texts.push_back(fmt::format("{}:{}", loops::groupName(choice.op->group), choice.op->number));
  throw UsageError(fmt::format("'{}' may be {}; say which", name, fmt::join(texts, " or ")));
}

}  // namespace sd::cli
