#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>

namespace sd::ops {
namespace {

using loops::NumberedOp;

constexpr std::string_view DERIVATIVE = "Derivative";
constexpr std::string_view GRADIENT_ENDINGS[] = {"_bp", "_grad", "Bp"};

// ---- entries of documented lists

bool isName(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool removeEnding(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// Calls f with each part between separators.
template <typename F>
void forEachPart(std::string_view text, char separator, F f) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    f(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// In "0 NCHW (default), 1 NHWC", the first word of the clause that contains position `mark`.
std::string_view markedDefault(std::string_view text, size_t mark) {
  const size_t before = text.substr(0, mark).find_last_of(",;");
  const std::string_view clause = trimmed(text.substr(before == std::string_view::npos ? 0 : before + 1));
  return clause.substr(0, clause.find(' '));
}

std::string_view defaultOf(std::string_view text) {
  constexpr std::string_view WORD = "default", MARK = "(default)";
  if (const size_t mark = text.find(MARK); mark != std::string_view::npos) return markedDefault(text, mark);
  for (size_t at = text.find(WORD); at != std::string_view::npos; at = text.find(WORD, at + 1)) {
    const size_t behind = at + WORD.size();
    const bool opens = at == 0 || text[at - 1] == '(' || text.substr(0, at).ends_with(", ");
    if (!opens || behind >= text.size() || (text[behind] != ' ' && text[behind] != ':')) continue;
    const std::string_view value = text.substr(behind + 1);
    return trimmed(value.substr(0, value.find_first_of(at > 0 && text[at - 1] == '(' ? ")" : ");")));
  }
  return {};
}

DocumentedEntry entryOf(std::string_view line) {
  DocumentedEntry entry;
  const size_t colon = line.find(": ");
  // A line without a colon is either a name or a sentence.
  bool named = colon != std::string_view::npos;
  forEachPart(line.substr(0, colon), ',', [&](std::string_view name) {
    name = trimmed(name);
    // The endings come in either order: "axes…?" and "axes?…".
    for (int i = 0; i < 2; i++) {
      if (removeEnding(name, "…") || removeEnding(name, "...")) entry.any = true;
      if (removeEnding(name, "?")) entry.optional = true;
    }
    if (isName(name))
      entry.names.emplace_back(name);
    else if (!name.empty() || !entry.any)
      named = false;
  });
  named = named && !entry.names.empty();
  if (colon == std::string_view::npos) named = entry.names.size() == 1 && line.find(' ') == std::string_view::npos;
  if (!named) entry = DocumentedEntry();
  entry.text = !named ? line : colon == std::string_view::npos ? std::string_view() : line.substr(colon + 2);
  if (named) entry.defaultValue = defaultOf(entry.text);
  return entry;
}

// ---- relations

bool isCustom(const DeclarableOp* op) {
  return op != nullptr && std::string_view(op->getOpDescriptor()->kind()) != "numbered";
}

std::vector<std::string> namesOf(const DeclarableOp& op) {
  std::vector<std::string> names = OpRegistrator::getInstance().aliasesOf(&op);
  names.insert(names.begin(), op.getOpDescriptor()->name());
  return names;
}

/// Whether two names differ in case and underscores only.
bool sameLetters(std::string_view a, std::string_view b) {
  for (size_t i = 0, k = 0;; ++i, ++k) {
    while (i < a.size() && a[i] == '_') ++i;
    while (k < b.size() && b[k] == '_') ++k;
    if (i == a.size() || k == b.size()) return i == a.size() && k == b.size();
    if (std::tolower(static_cast<unsigned char>(a[i])) != std::tolower(static_cast<unsigned char>(b[k]))) return false;
  }
}

struct Twin {
  std::string_view custom, numbered;
};

// Pairs whose names differ. An entry without a numbered name means that the numbered operation with a similar name
// computes something else.
constexpr Twin TWINS[] = {
    {"assign", "CopyPws"},
    {"argamax", "IndexAbsoluteMax"},
    {"argamin", "IndexAbsoluteMin"},
    {"argmax", "IndexMax"},
    {"argmin", "IndexMin"},
    {"bitwise_and", "IntAnd"},
    {"bitwise_or", "IntOr"},
    {"bitwise_xor", "IntXor"},
    {"boolean_and", "LogicalAnd"},
    {"boolean_or", "LogicalOr"},
    {"boolean_xor", "LogicalXor"},
    {"cyclic_rshift_bits", "CyclicShiftRight"},
    {"cyclic_shift_bits", "CyclicShiftLeft"},
    {"dropout", "DropOutInverted"},
    {"equals", "EqualTo"},
    {"greater", "GreaterThan"},
    {"greater_equal", "GreaterThanOrEqual"},
    {"less", "LessThan"},
    {"less_equal", "LessThanOrEqual"},
    {"log_poisson_loss", ""},
    {"lrelu", "LeakyRELU"},
    {"maximum", "MaxPairwise"},
    {"minimum", "MinPairwise"},
    {"not_equals", "NotEqualTo"},
    {"random_bernoulli", "BernoulliDistribution"},
    {"random_exponential", "ExponentialDistribution"},
    {"random_normal", "GaussianDistribution"},
    {"randomuniform", "UniformDistribution"},
    {"realdiv", "Divide"},
    {"reduce_sqnorm", "SquaredNorm"},
    {"reduce_stdev", "SummaryStatsStandardDeviation"},
    {"reduce_variance", "SummaryStatsVariance"},
    {"rshift_bits", "ShiftRight"},
    {"shift_bits", "ShiftLeft"},
};

bool isReduction(const NumberedOp& op) {
  const loops::OpFamily family = loops::traitsOf(op.group).family;
  return family == loops::OpFamily::Reduce || family == loops::OpFamily::Variance;
}

bool areTwins(std::string_view custom, const NumberedOp& numbered) {
  constexpr std::string_view REDUCE = "reduce_";
  const auto listed =
      std::find_if(std::begin(TWINS), std::end(TWINS), [&](const Twin& twin) { return twin.custom == custom; });
  const bool reduces = custom.starts_with(REDUCE);
  if (reduces != isReduction(numbered)) return false;
  if (listed != std::end(TWINS)) return listed->numbered == numbered.name;
  if (reduces) custom.remove_prefix(REDUCE.size());
  return sameLetters(custom, numbered.name);
}

const NumberedOp* inFamilyOf(const NumberedOp& op, std::string_view name) {
  for (const NumberedOp& other : loops::numberedOps())
    if (other.name == name && loops::traitsOf(other.group).family == loops::traitsOf(op.group).family) return &other;
  return nullptr;
}

}  // namespace

std::vector<DocumentedEntry> documentedEntries(std::string_view lines) {
  std::vector<DocumentedEntry> entries;
  forEachPart(lines, '\n', [&](std::string_view line) { entries.push_back(entryOf(line)); });
  return entries;
}

DeclarableOp* gradientOf(const DeclarableOp& op) {
  if (!isCustom(&op)) return nullptr;
  for (const std::string& name : namesOf(op))
    for (const std::string_view ending : GRADIENT_ENDINGS) {
      DeclarableOp* found = OpRegistrator::getInstance().find(name + std::string(ending));
      if (isCustom(found) && found != &op) return found;
    }
  return nullptr;
}

DeclarableOp* differentiatedBy(const DeclarableOp& op) {
  if (!isCustom(&op)) return nullptr;
  for (const std::string& name : namesOf(op))
    for (const std::string_view ending : GRADIENT_ENDINGS) {
      std::string_view stem = name;
      if (!removeEnding(stem, ending)) continue;
      DeclarableOp* found = OpRegistrator::getInstance().find(stem);
      if (isCustom(found) && gradientOf(*found) == &op) return found;
    }
  return nullptr;
}

std::vector<const NumberedOp*> numberedTwins(const DeclarableOp& op) {
  std::vector<const NumberedOp*> twins;
  if (!isCustom(&op)) return twins;
  for (const NumberedOp& numbered : loops::numberedOps())
    if (areTwins(op.getOpDescriptor()->name(), numbered)) twins.push_back(&numbered);
  return twins;
}

std::vector<DeclarableOp*> customTwins(const NumberedOp& op) {
  std::vector<DeclarableOp*> twins;
  for (DeclarableOp* custom : OpRegistrator::getInstance().operations())
    if (areTwins(custom->getOpDescriptor()->name(), op)) twins.push_back(custom);
  return twins;
}

const NumberedOp* derivativeOf(const NumberedOp& op) {
  return inFamilyOf(op, std::string(op.name) + std::string(DERIVATIVE));
}

const NumberedOp* derivedFrom(const NumberedOp& op) {
  std::string_view name = op.name;
  return removeEnding(name, DERIVATIVE) ? inFamilyOf(op, name) : nullptr;
}

}  // namespace sd::ops
