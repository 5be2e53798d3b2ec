// Arguments that have a default need not be given, and the defaults are values that could be given.
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <set>
#include <string>

#include "ops/declarable/Example.h"

using namespace sd;
using ops::ArgumentRow;

namespace {

/// What a call says that fails; nothing when it works.
std::string failureOf(ops::DeclarableOp& op, const ops::Example& example) {
  graph::Context block(1);
  example.fill(block);
  if (op.getOpDescriptor()->isRandom()) block.setRng(graph::RandomGenerator(1, 2));
  try {
    return op.execute(&block) == Status::OK ? "" : ops::DeclarableOp::lastValidationMessage();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

/// Each is called with its example, in which one argument is left out.
TEST(ArgumentDefaults, areEnough) {
  // These have no value at first, since an input or other arguments may give it.
  const std::set<std::string> others = {"choose value",   "clipbyvalue min", "clipbyvalue max", "concat axis",
                                        "concat_bp axis", "eye rows",        "fill value",      "fill_as value",
                                        "gather indices", "range limit"};
  std::set<std::string> met;
  int calls = 0;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const ops::Schema& schema = op->schema();
    const std::string_view kind = op->getOpDescriptor()->kind();
    if (schema.example()[0] == '\0' || kind == "boolean" || kind == "list" || kind == "logic") continue;
    const size_t count = ops::readExample(schema).arguments.size();
    for (size_t i = 0; i < count; i++) {
      ops::Example example = ops::readExample(schema);
      const std::string name = example.arguments[i].first;
      if (schema.argument(name)->required()) continue;
      example.arguments.erase(example.arguments.begin() + static_cast<std::ptrdiff_t>(i));
      // The example may not fit the default: other shapes, for instance.
      const std::string failure = failureOf(*op, example);
      const bool isDemanded = failure.find(" missing") != std::string::npos ||
                              failure.find(" needed, 0 given") != std::string::npos ||
                              failure.find("no axes are given") != std::string::npos;
      const std::string argument = op->getOpDescriptor()->name() + " " + name;
      if (isDemanded && others.count(argument) != 0)
        met.insert(argument);
      else
        EXPECT_FALSE(isDemanded) << argument << ": " << failure;
      calls++;
    }
  }
  EXPECT_GT(calls, 180);
  EXPECT_EQ(met, others);
}

TEST(ArgumentDefaults, areInTheirRanges) {
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) {
    const ops::Schema& schema = op->schema();
    if (schema.structure() == nullptr) continue;
    ops::ArgumentBlock block;
    const void* defaults = block.prepare(*schema.structure());
    for (const ArgumentRow& row : schema.arguments()) {
      if (row.required() || !row.hasRange()) continue;
      const ops::MemberAccess& access = row.access();
      const void* member = row.memberOf(defaults);
      for (size_t i = 0; i < access.size(member); i++) {
        const double value = access.number(member, i);
        EXPECT_TRUE(value >= row.least() && value <= row.most())
            << op->getOpDescriptor()->name() << ", " << row.name() << ": " << value;
      }
    }
  }
}
