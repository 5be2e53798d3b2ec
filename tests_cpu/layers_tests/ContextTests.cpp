// Contexts: what they hold for a call, apart from running it.
#include <array/NDArrayList.h>
#include <graph/Context.h>
#include <graph/FlowPath.h>
#include <graph/Stash.h>
#include <graph/Variable.h>
#include <graph/VariableSpace.h>
#include <gtest/gtest.h>
#include <helpers/OpArgsHolder.h>
#include <memory/Workspace.h>
#include <ops/declarable/OpDescriptor.h>

#include <memory>

#include "NDArrayHelpers.h"

using namespace sd;
using namespace sd::graph;
using nd_test::expectArray;

TEST(ContextTests, PrototypesHoldArgumentsAndInputs) {
  ops::OpDescriptor descriptor(1, 1, "some_op", false);
  ContextPrototype prototype(&descriptor, 7, true);
  EXPECT_EQ(prototype.nodeId(), 7);
  EXPECT_EQ(prototype.getNodeId(), 7);
  EXPECT_TRUE(prototype.isInplace());
  EXPECT_EQ(prototype.opDescriptor(), &descriptor);
  EXPECT_EQ(prototype.opNum(), -1);
  EXPECT_FALSE(prototype.hasVariablesFilled());
  EXPECT_EQ(ContextPrototype().nodeId(), 1);
  prototype.setNodeId(8);
  prototype.markInplace(false);
  prototype.setOpNum(3);
  prototype.setOpDescriptor(nullptr);
  prototype.pickInput(1);
  prototype.pickInput(2, 3);
  std::pair<int, int> pair(-4, 5);
  prototype.pickInput(pair);
  prototype.fillInputs({6, 7});
  std::vector<int> more = {8};
  prototype.fillInputs(more);
  using Pairs = std::vector<std::pair<int, int>>;
  EXPECT_EQ(*prototype.inputs(), (Pairs{{1, 0}, {2, 3}, {-4, 5}, {6, 0}, {7, 0}, {8, 0}}));
  EXPECT_EQ(*prototype.input(2), pair);
  EXPECT_THROW(prototype.input(6), std::out_of_range);
  EXPECT_TRUE(prototype.hasVariablesFilled());

  prototype.appendI(5);
  prototype.appendI({6, 1LL << 40});
  prototype.appendT(1.5);
  prototype.appendB(true);
  prototype.appendD(INT8);
  prototype.getAxis()->push_back(-1);
  prototype.setDataType(1, DOUBLE);
  const std::unique_ptr<ContextPrototype> copy(prototype.clone()), other(prototype.asT<float>());
  for (ContextPrototype* context : {&prototype, copy.get(), other.get()}) {
    EXPECT_EQ(context->nodeId(), 8);
    EXPECT_FALSE(context->isInplace());
    EXPECT_EQ(context->opNum(), 3);
    EXPECT_EQ(context->numI(), 3u);
    EXPECT_EQ((*context->getIArguments())[1], 6);
    EXPECT_EQ(context->intArgument64(2), 1LL << 40);
    EXPECT_EQ(*context->getTArguments(), std::vector<double>{1.5});
    EXPECT_EQ(*context->getBArguments(), std::vector<bool>{true});
    EXPECT_EQ(*context->getDArguments(), std::vector<DataType>{INT8});
    EXPECT_EQ(*context->getAxis(), std::vector<int>{-1});
    EXPECT_EQ(context->inputs()->size(), 6u);
    EXPECT_FALSE(context->hasDataType());
    EXPECT_TRUE(context->hasDataType(1));
    EXPECT_EQ(context->dataType(1), DOUBLE);
    EXPECT_EQ(context->dataType(), FLOAT32);
  }
  copy->appendI(1);
  copy->appendI(-(1LL << 40));
  EXPECT_EQ(prototype.numI(), 3u);
  EXPECT_EQ(copy->longArguments(), (std::vector<LongType>{5, 6, 1LL << 40, 1, -(1LL << 40)}));
  other->getIArguments()->pop_back();
  other->appendI(1LL << 41);
  EXPECT_EQ(other->longArguments(), (std::vector<LongType>{5, 6, 1LL << 41}));
}

TEST(ContextTests, GeneratorsAndEngines) {
  Context context(1);
  EXPECT_NE(context.getRng().rootState(), 0);  // from the clock
  context.setRandomGenerator(RandomGenerator(3, 4));
  EXPECT_EQ(context.randomGenerator().rootState(), 3);
  EXPECT_EQ(context.getRng().nodeState(), 4);
  context.randomGenerator().rewindH(5);
  RandomGenerator expected(3, 4);
  expected.rewindH(5);
  EXPECT_EQ(context.getRng().nodeState(), expected.nodeState());
  context.setRng(RandomGenerator(5, 6));
  EXPECT_EQ(context.getRng().rootState(), 5);
  context.setRandomSeed(11);
  EXPECT_EQ(context.randomSeed(), 11u);
  EXPECT_EQ(context.engine(), samediff::ENGINE_CPU);
  context.setTargetEngine(samediff::ENGINE_CUDA);
  EXPECT_EQ(context.engine(), samediff::ENGINE_CUDA);
}

TEST(ContextTests, Modes) {
  Context context(1);
  EXPECT_FALSE(context.isTraining() || context.isInference());
  context.setExecutionMode(samediff::MODE_TRAINING);
  EXPECT_TRUE(context.isTraining() && !context.isInference());
  context.setExecutionMode(samediff::MODE_INFERENCE);
  EXPECT_TRUE(context.isInference() && !context.isTraining());
  EXPECT_EQ(context.executionMode(), samediff::MODE_INFERENCE);
  EXPECT_TRUE(context.helpersAllowed());
  context.allowHelpers(false);
  EXPECT_FALSE(context.helpersAllowed());
  EXPECT_FALSE(context.shapeFunctionOverride());
  context.setShapeFunctionOverride(true);
  EXPECT_TRUE(context.shapeFunctionOverride());
  context.setOuterTime(12);
  context.setInnerTime(5);
  EXPECT_EQ(context.getOuterTime(), 12);
  EXPECT_EQ(context.getInnerTime(), 5);
  context.setCudaContext(nullptr, nullptr, nullptr);
  memory::Workspace workspace(100);
  EXPECT_FALSE(context.hasWorkspaceProvided());
  context.attachWorkspace(&workspace);
  EXPECT_TRUE(context.hasWorkspaceProvided());
  EXPECT_EQ(context.workspace(), &workspace);
  EXPECT_EQ(context.getWorkspace(), &workspace);
  context.forgetWorkspace();
  EXPECT_FALSE(context.hasWorkspaceProvided());
}

TEST(ContextTests, ArraysGivenDirectly) {
  NDArray x('c', {2}, {1, 2}, FLOAT32), z('c', {2}, FLOAT32);
  Context context(1);
  EXPECT_FALSE(context.isFastPath());
  context.setInputArray(1, &x);
  EXPECT_EQ(context.width(), 2u);
  EXPECT_EQ(context.fastpath_in().size(), 2u);
  EXPECT_EQ(context.array(0), nullptr);  // given as null
  EXPECT_EQ(context.array(1), &x);
  EXPECT_EQ(context.getNDArray(1), &x);
  EXPECT_EQ(context.optionalArray(2), nullptr);
  EXPECT_THROW(context.array(2), std::runtime_error);
  EXPECT_THROW(context.setInputArray(-1, &x), std::runtime_error);
  context.setOutputArray(0, &z);
  EXPECT_EQ(context.fastpath_out().at(0), &z);
  EXPECT_TRUE(context.isFastPath());
  context.forbidFastPath(true);
  EXPECT_TRUE(context.isFastPath());  // both are present: the fast path is allowed
  context.setInputArray(0, new NDArray(x), true);
  EXPECT_NE(context.array(0), nullptr);
  context.setIArguments({1, 2});
  context.clearArrays();
  EXPECT_EQ(context.width(), 0u);
  EXPECT_EQ(context.numI(), 2u);
  context.setInputArray(0, &x);
  context.clearFastPath();
  EXPECT_EQ(context.width(), 0u);
  EXPECT_EQ(context.numI(), 0u);

  // arrays on the caller's memory
  context.setInputArray(0, x.buffer(), x.shapeInfo(), nullptr, nullptr);
  ASSERT_NE(context.array(0), nullptr);
  EXPECT_EQ(context.array(0)->buffer(), x.buffer());
  expectArray(*context.array(0), {2}, {1, 2});
  EXPECT_THROW(context.setInputArray(0, x.buffer(), nullptr, nullptr, nullptr), std::runtime_error);
  EXPECT_THROW(context.setOutputArray(0, nullptr, x.shapeInfo(), nullptr, nullptr), std::runtime_error);
  InteropDataBuffer buffer(x.dataBuffer());
  context.setOutputArray(0, &buffer, x.shapeInfo(), nullptr);
  context.fastpath_out()[0]->assign(4.f);
  expectArray(x, {2}, {4, 4});
}

TEST(ContextTests, Variables) {
  VariableSpace space;
  FlowPath flow;
  space.setFlowPath(&flow);
  Context context(3, &space);
  EXPECT_EQ(context.getVariableSpace(), &space);
  EXPECT_EQ(context.getStash(), space.getStash());
  space.putVariable(-1, new NDArray('c', {2}, {1, 2}, FLOAT32));
  context.pickInput(-1);
  context.pickInput(9);
  EXPECT_EQ(context.width(), 2u);
  EXPECT_EQ(context.variable(0)->getNDArray(), context.array(0));
  EXPECT_EQ(context.getVariable(0), context.variable({-1, 0}));
  EXPECT_THROW(context.variable(1), std::runtime_error);
  EXPECT_THROW(context.variable(9, 0), std::runtime_error);

  EXPECT_FALSE(context.isValueAvailable());
  Variable* output = context.ensureVariable(1);
  EXPECT_EQ(output->id(), 3);
  EXPECT_EQ(output->index(), 1);
  EXPECT_EQ(context.ensureVariable(1), output);
  context.pushNDArrayToVariableSpace(3, 0, new NDArray('c', {1}, {5}, FLOAT32));
  EXPECT_TRUE(context.isValueAvailable());
  EXPECT_EQ(space.getVariable(3, 0)->getNDArray()->e<float>(0), 5);
  NDArray mine('c', {1}, {6}, FLOAT32);
  std::pair<int, int> place(3, 2);
  context.pushNDArrayToVariableSpace(place, &mine, false);
  EXPECT_EQ(context.variable(place)->getNDArray(), &mine);
  EXPECT_FALSE(space.getVariable(3, 2)->isRemovable());
  auto* list = new NDArrayList(1);
  context.pushNDArrayListToVariableSpace(4, 0, list);
  EXPECT_EQ(space.getVariable(4, 0)->getNDArrayList(), list);
  auto* tracked = new NDArrayList(1);
  context.trackList(tracked);  // the space deletes both lists

  context.setBranch(1);
  EXPECT_EQ(context.getBranch(), 1);
  EXPECT_EQ(flow.branch(3), 1);
  context.setVariableSpace(nullptr);
  EXPECT_EQ(context.getVariableSpace(), nullptr);
}

TEST(ContextTests, OpArgsHolders) {
  NDArray x('c', {2}, {1, 2}, FLOAT32), y('c', {2}, {3, 4}, FLOAT32), gradient('c', {2}, {5, 6}, FLOAT32);
  const OpArgsHolder holder({&x, &y}, {1.5}, {2, 3}, {true});
  const auto same = [](const OpArgsHolder& a, const OpArgsHolder& b) {
    return a.getInArrs() == b.getInArrs() && a.getTArgs() == b.getTArgs() && a.getIArgs() == b.getIArgs() &&
           a.getBArgs() == b.getBArgs() && a.getAllocInfo() == b.getAllocInfo();
  };
  EXPECT_EQ(holder.getNumInArrs(), 2);
  EXPECT_EQ(holder.getNumTArgs(), 1);
  EXPECT_EQ(holder.getNumIArgs(), 2);
  EXPECT_EQ(holder.getNumBArgs(), 1);
  EXPECT_EQ(holder.getAllocInfo(), std::vector<bool>());
  OpArgsHolder copy(holder), assigned;
  EXPECT_EQ(assigned.getNumInArrs(), 0);
  assigned = holder;
  EXPECT_TRUE(same(copy, holder));
  EXPECT_TRUE(same(assigned, holder));
  const OpArgsHolder moved(std::move(copy));
  EXPECT_TRUE(same(moved, holder));

  const OpArgsHolder backward = holder.createArgsHolderForBP({&gradient});
  EXPECT_EQ(backward.getInArrs(), (std::vector<NDArray*>{&x, &y, &gradient}));
  EXPECT_EQ(backward.getTArgs(), holder.getTArgs());
  EXPECT_EQ(backward.getIArgs(), holder.getIArgs());
  EXPECT_EQ(backward.getBArgs(), holder.getBArgs());
  EXPECT_EQ(backward.getAllocInfo(), std::vector<bool>());
  const OpArgsHolder copies = holder.createArgsHolderForBP({&gradient}, true);
  ASSERT_EQ(copies.getNumInArrs(), 3);
  EXPECT_EQ(copies.getAllocInfo(), (std::vector<bool>{true, true, false}));
  EXPECT_NE(copies.getInArrs()[0], &x);
  EXPECT_EQ(copies.getInArrs()[2], &gradient);
  const OpArgsHolder copyOfCopies(copies);
  EXPECT_EQ(copyOfCopies.getAllocInfo(), copies.getAllocInfo());
  EXPECT_NE(copyOfCopies.getInArrs()[1], copies.getInArrs()[1]);
  EXPECT_EQ(copyOfCopies.getInArrs()[2], &gradient);
  copies.getInArrs()[0]->assign(0.f);
  expectArray(x, {2}, {1, 2});
}
