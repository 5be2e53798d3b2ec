// OpTuple and OpTracker.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/OpTracker.h>
#include <ops/declarable/OpTuple.h>
#include <ops/declarable/headers/broadcastable.h>

using namespace sd;

TEST(OpTuple, HoldsACall) {
  NDArray z('c', {2}, FLOAT32);
  ops::OpTuple tuple("add", {new NDArray('c', {2}, {1, 2}, FLOAT32)}, {1.5}, {3, 4});
  EXPECT_EQ(tuple.addInput(new NDArray('c', {2}, {3, 4}, FLOAT32))->addOutput(&z), &tuple);
  EXPECT_STREQ(tuple._opName, "add");
  EXPECT_EQ(tuple._tArgs, std::vector<double>{1.5});
  EXPECT_EQ(tuple._iArgs, (std::vector<LongType>{3, 4}));
  ops::add add;
  EXPECT_EQ(add.execute(tuple._inputs, tuple._outputs), Status::OK);
  EXPECT_EQ(z.e<float>(1), 6.f);
  EXPECT_EQ(tuple.setTArgs({})->setIArgs({7}), &tuple);
  EXPECT_TRUE(tuple._tArgs.empty());
  EXPECT_EQ(tuple._iArgs, std::vector<LongType>{7});
}

TEST(OpTracker, KnowsTheNumberedOperations) {
  auto& tracker = OpTracker::getInstance();
  EXPECT_GE(tracker.totalGroups(), 22);
  EXPECT_GE(tracker.totalOperations(), 300);
  std::string name = "Abs";
  const std::string entry = std::to_string(ops::HashHelper::getInstance().getLongHash(name)) + ":" +
                            std::to_string(static_cast<int>(transform::SameOps::Abs)) + ":Abs<<";
  const std::string text = tracker.exportOperations();
  const size_t same = text.find("1 ");  // the number of the group of these transforms
  EXPECT_LT(text.find(entry, same), text.find(">>", same)) << text;
}

TEST(OpTracker, ExportsGroups) {
  auto& tracker = OpTracker::getInstance();
  const int groups = tracker.totalGroups(), operations = tracker.totalOperations();
  constexpr int GROUP = 7777;
  tracker.storeOperation(GROUP, "tracked", 12);
  tracker.storeOperation(GROUP, "tracked", 12);
  ops::add add;
  tracker.storeOperation(GROUP, *add.getOpDescriptor());
  EXPECT_EQ(tracker.totalGroups(), groups + 1);
  EXPECT_EQ(tracker.totalOperations(), operations + 2);
  std::string name = "tracked";
  const std::string text = tracker.exportOperations();
  const std::string expected = "7777 " + std::to_string(ops::HashHelper::getInstance().getLongHash(name)) +
                               ":12:tracked<<" + std::to_string(add.getOpHash()) + ":0:add<<>>";
  EXPECT_NE(text.find(expected), std::string::npos) << text;
}
