// The states of nodes and frames during an execution.
#include <graph/FlowPath.h>
#include <gtest/gtest.h>

using namespace sd;
using namespace sd::graph;

TEST(FlowPathTests, NodesBeginActiveOnBranch0) {
  const FlowPath path;
  EXPECT_TRUE(path.isNodeActive(3));
  EXPECT_FALSE(path.wasExecuted(3));
  EXPECT_EQ(0, path.branch(3));
  EXPECT_EQ(0, path.innerTime(3) + path.outerTime(3));
}

TEST(FlowPathTests, NodesKeepWhatIsMarked) {
  FlowPath path;
  path.markNodeActive(3, false);
  path.markBranch(4, 1);
  path.markExecuted(5, true);
  path.setInnerTime(5, 100);
  path.setOuterTime(5, 120);
  EXPECT_FALSE(path.isNodeActive(3));
  EXPECT_TRUE(path.isNodeActive(4));
  EXPECT_EQ(1, path.branch(4));
  EXPECT_EQ(0, path.branch(3));
  EXPECT_TRUE(path.wasExecuted(5));
  EXPECT_FALSE(path.wasExecuted(4));
  EXPECT_EQ(100, path.innerTime(5));
  EXPECT_EQ(120, path.outerTime(5));
  path.markNodeActive(3, true);
  path.markExecuted(5, false);
  EXPECT_TRUE(path.isNodeActive(3));
  EXPECT_FALSE(path.wasExecuted(5));
}

TEST(FlowPathTests, FramesCountAndRewind) {
  FlowPath path;
  const LongType frame = 1LL << 40;
  EXPECT_FALSE(path.isFrameActive(frame) || path.isRewindPlanned(frame));
  EXPECT_EQ(-1, path.getRewindPosition(frame));
  EXPECT_EQ(0, path.getNumberOfCycles(frame));
  path.markFrameActive(frame, true);
  path.planRewind(frame, true);
  path.setRewindPositionOnce(frame, 4);
  path.setRewindPositionOnce(frame, 5);
  path.incrementNumberOfCycles(frame);
  path.incrementNumberOfCycles(frame);
  path.registerFrame(frame);
  EXPECT_TRUE(path.isFrameActive(frame) && path.isRewindPlanned(frame));
  EXPECT_EQ(4, path.getRewindPosition(frame)) << "only the first is taken";
  EXPECT_EQ(2, path.getNumberOfCycles(frame));
  EXPECT_FALSE(path.isFrameActive(1));
  path.setRewindPosition(frame, 9);
  EXPECT_EQ(9, path.getRewindPosition(frame));
  path.planRewind(frame, false);
  EXPECT_FALSE(path.isRewindPlanned(frame));
  path.forgetFrame(frame);
  EXPECT_FALSE(path.isFrameActive(frame));
  EXPECT_EQ(-1, path.getRewindPosition(frame));
  EXPECT_EQ(0, path.getNumberOfCycles(frame));
}

TEST(FlowPathTests, StatesKnowTheirNumber) {
  EXPECT_EQ(7, NodeState(7).id());
  EXPECT_EQ(1LL << 40, FrameState(1LL << 40).id());
}
