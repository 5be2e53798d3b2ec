// The table of numbered operations is complete, and every entry has expected values.
#include <system/config.h>

#include "NumberedHarness.h"

using namespace sd;
using namespace sd::numbered;

namespace {

TEST(NumberedOps, namesAndNumbersAreTheReference) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "this build is cut to some operations";
#endif
  std::vector<std::string> expected, got;
  for (const Operation& op : Data::operations())
    expected.push_back(op.group + " " + std::to_string(op.number) + " " + op.name);
  for (const loops::NumberedOp& op : loops::numberedOps())
    got.push_back(std::string(loops::groupName(op.group)) + " " + std::to_string(op.number) + " " +
                  std::string(op.name));
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  EXPECT_EQ(expected.size(), 319u);
  std::vector<std::string> missing, unknown;
  std::set_difference(expected.begin(), expected.end(), got.begin(), got.end(), std::back_inserter(missing));
  std::set_difference(got.begin(), got.end(), expected.begin(), expected.end(), std::back_inserter(unknown));
  EXPECT_EQ(missing, std::vector<std::string>{});
  EXPECT_EQ(unknown, std::vector<std::string>{});
}

TEST(NumberedOps, areOrderedAndFound) {
  const auto& ops = loops::numberedOps();
  for (size_t i = 0; i < ops.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(std::make_pair(ops[i - 1].group, ops[i - 1].number), std::make_pair(ops[i].group, ops[i].number))
          << ops[i].name;
    }
    const loops::NumberedOp* byNumber = loops::findOp(ops[i].group, ops[i].number);
    const loops::NumberedOp* byName = loops::findOp(ops[i].group, ops[i].name);
    ASSERT_TRUE(byNumber && byName) << ops[i].name;
    EXPECT_EQ(byNumber->name, ops[i].name);
    EXPECT_EQ(byName->number, ops[i].number);
    EXPECT_FALSE(ops[i].formula.empty()) << ops[i].name;
    EXPECT_LE(ops[i].requiredParams, ops[i].maxParams) << ops[i].name;
  }
  EXPECT_EQ(loops::findOp(OpGroup::Scalar, 9), nullptr);
  EXPECT_EQ(loops::findOp(OpGroup::Scalar, -1), nullptr);
  EXPECT_EQ(loops::findOp(OpGroup::Scalar, "Copy2"), nullptr);
}

TEST(NumberedOps, eachHasExpectedValuesForEachTypeOfItsGroup) {
  const std::set<DataType> floats{HALF, BFLOAT16, FLOAT32, DOUBLE};
  const std::set<DataType> ints{INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64};
  for (const loops::NumberedOp& op : loops::numberedOps()) {
    if (op.group == OpGroup::Random) continue;
    std::set<DataType> needed = op.group == OpGroup::TransformStrict ? floats : ints;
    if (familyOf(op.group) != "bits" && op.group != OpGroup::TransformStrict) {
      needed.insert(floats.begin(), floats.end());
      needed.insert(BOOL);
    }
    for (const Case& c : casesOf({std::string(loops::groupName(op.group)), op.number, std::string(op.name)}))
      needed.erase(c.x);
    EXPECT_TRUE(needed.empty()) << loops::groupName(op.group) << " " << op.number << " " << op.name << " lacks cases";
  }
}

TEST(NumberedOps, useAKnownInstructionSet) {
  const std::string set(loops::instructionSet());
  RecordProperty("instruction set", set);
  printf("instruction set: %s\n", set.c_str());
  const std::set<std::string> known{"x86-64-v4", "x86-64-v3", "x86-64-v2", "neon", "generic"};
  EXPECT_EQ(known.count(set), 1u) << set;
}

}  // namespace
