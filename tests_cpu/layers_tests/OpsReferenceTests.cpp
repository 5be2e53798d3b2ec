// Every custom operation of libnd4j exists, with the same names, kind and counts.
// data/reference_operations.csv: name, macro, inputs, outputs, in place, floating and integer arguments, aliases,
// family.
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "TestData.h"

namespace sd {
namespace {

struct Entry {
  std::string name, macro, counts;
  std::set<std::string> aliases;
};

std::vector<Entry> reference() {
  std::ifstream file(test::dataFolder() / "reference_operations.csv");
  std::vector<Entry> entries;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::stringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
    Entry entry{cells.at(0), cells.at(1), {}, {}};
    for (size_t k = 2; k < 7; k++) entry.counts += cells.at(k) + " ";
    std::stringstream aliases(cells.at(7));
    for (std::string alias; aliases >> alias;) entry.aliases.insert(alias);
    entries.push_back(entry);
  }
  return entries;
}

std::string macroOf(ops::DeclarableOp* op) {
  if (dynamic_cast<ops::BroadcastableBoolOp*>(op) != nullptr) return "DECLARE_BROADCASTABLE_BOOL_OP";
  if (dynamic_cast<ops::BroadcastableOp*>(op) != nullptr) return "DECLARE_BROADCASTABLE_OP";
  if (dynamic_cast<ops::DeclarableReductionOp*>(op) != nullptr) return "DECLARE_REDUCTION_OP";
  if (dynamic_cast<ops::DeclarableListOp*>(op) != nullptr) return "DECLARE_LIST_OP";
  if (dynamic_cast<ops::BooleanOp*>(op) != nullptr) return "DECLARE_BOOLEAN_OP";
  if (dynamic_cast<ops::LogicOp*>(op) != nullptr) return "DECLARE_LOGIC_OP";
  if (dynamic_cast<ops::DeclarableCustomOp*>(op) != nullptr) return "DECLARE_CUSTOM_OP";
  if (op->getOpDescriptor()->isDivergent()) return "DECLARE_DIVERGENT_OP";
  return "DECLARE_OP";  // also DECLARE_CONFIGURABLE_OP, which makes the same kind of class
}

/// Intended differences: "operation alias", and the reason.
const std::map<std::string, const char*> ALIASES_ELSEWHERE = {
    {"eq_scalar equals", "the broadcast comparison has this name"},
    {"gt_scalar Greater", "an alias of the broadcast comparison"},
    {"gt_scalar greater", "the broadcast comparison has this name"},
    {"lt_scalar Less", "an alias of the broadcast comparison"},
    {"lt_scalar less", "the broadcast comparison has this name"},
};

TEST(OpsReference, KindsCountsAndAliases) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  const std::vector<Entry> entries = reference();
  ASSERT_EQ(entries.size(), 525u);
  auto& registry = ops::OpRegistrator::getInstance();
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.name);
    ops::DeclarableOp* op = registry.find(entry.name.c_str());
    if (op == nullptr) {
      ADD_FAILURE() << "is missing";
      continue;
    }
    const ops::OpDescriptor& descriptor = *op->getOpDescriptor();
    EXPECT_EQ(descriptor.name(), entry.name);
    EXPECT_EQ(macroOf(op), entry.macro == "DECLARE_CONFIGURABLE_OP" ? "DECLARE_OP" : entry.macro);
    for (const std::string& alias : entry.aliases) {
      ops::DeclarableOp* named = registry.find(alias.c_str());
      const bool isHere = ALIASES_ELSEWHERE.count(entry.name + " " + alias) == 0;
      EXPECT_NE(named, nullptr) << "alias " << alias;
      EXPECT_EQ(named == op, isHere) << "alias " << alias;
    }
    std::ostringstream counts;
    const bool isList = entry.macro == "DECLARE_LIST_OP";
    counts << descriptor.getNumberOfInputs() << ' ' << descriptor.getNumberOfOutputs() << ' '
           << (isList                       ? ""
               : descriptor.allowsInplace() ? "true"
                                            : "false")
           << ' ' << descriptor.getNumberOfTArgs() << ' ' << descriptor.getNumberOfIArgs() << ' ';
    if (entry.macro == "DECLARE_LOGIC_OP") continue;  // these have no counts
    EXPECT_EQ(counts.str(), entry.counts);
  }
}

}  // namespace
}  // namespace sd
