// Variable spaces and proxies: names, ownership, replacing, clones, counts.
#include <graph/VariableProxy.h>
#include <graph/VariableSpace.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"

using namespace sd;
using namespace sd::graph;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

using Variables = std::vector<Variable*>;

NDArray* filled(double value, LongType length = 2) {
  auto array = new NDArray('c', {length}, FLOAT32);
  array->assign(value);
  return array;
}

double valueOf(const Variable* variable) { return variable->getNDArray()->e<double>(0); }

Variable* placeholder(const char* name) {
  auto variable = new Variable(true);
  const std::string text(name);
  variable->setName(&text);
  return variable;
}

}  // namespace

TEST(VariableSpaceTests, AnEmptyOne) {
  VariableSpace space;
  std::string name("alpha"), unnamed;
  EXPECT_FALSE(space.hasVariable(1) || space.hasVariable(-1) || space.hasVariable(1, 0) || space.hasVariable(&name));
  EXPECT_FALSE(space.hasVariable(&unnamed) || space.hasVariable(nullptr));
  EXPECT_EQ(0, space.totalEntries() + space.externalEntries() + space.internalEntries());
  EXPECT_EQ(0, space.totalMemory());
  EXPECT_TRUE(space.getVariables().empty() && space.handles()->empty());
  EXPECT_EQ(LaunchContext::defaultContext(), space.launchContext());
  EXPECT_NE(nullptr, space.getStash());
  EXPECT_EQ(nullptr, space.workspace());
  EXPECT_EQ(nullptr, space.flowPath());
}

TEST(VariableSpaceTests, UnknownVariablesAreErrors) {
  VariableSpace space;
  std::pair<int, int> pair(3, 1);
  std::string name("alpha");
  EXPECT_EQ("[VariableSpace::getVariable] there is no variable 3",
            messageOf<std::out_of_range>([&] { space.getVariable(3); }));
  EXPECT_EQ("[VariableSpace::getVariable] there is no variable (3, 1)",
            messageOf<std::runtime_error>([&] { space.getVariable(pair); }));
  EXPECT_THROW(space.getVariable(3, 1), std::runtime_error);
  EXPECT_THROW(space.getVariable(-3, 1), std::out_of_range);
  EXPECT_EQ("[VariableSpace::getVariable] there is no variable 'alpha'",
            messageOf<std::out_of_range>([&] { space.getVariable(&name); }));
  EXPECT_THROW(space.getVariable(nullptr), std::out_of_range);
}

TEST(VariableSpaceTests, NumbersIndicesAndNames) {
  VariableSpace space;
  auto first = new Variable(filled(1), "alpha"), second = new Variable(filled(2), "beta");
  std::pair<int, int> pair(5, 2);
  space.putVariable(-1, first);
  space.putVariable(pair, second);
  Variable* third = space.putVariable(5, 0, filled(3));
  std::string alpha("alpha"), beta("beta");

  EXPECT_EQ(first, space.getVariable(-1));
  EXPECT_EQ(first, space.getVariable(-1, 4)) << "the index does not matter";
  EXPECT_EQ(first, space.getVariable(&alpha));
  EXPECT_EQ(-1, first->id());
  EXPECT_EQ(second, space.getVariable(pair));
  EXPECT_EQ(second, space.getVariable(5, 2));
  EXPECT_EQ(second, space.getVariable(&beta));
  EXPECT_EQ(5, second->id());
  EXPECT_EQ(2, second->index());
  EXPECT_EQ(third, space.getVariable(5)) << "a number alone means index 0";
  EXPECT_FALSE(space.hasVariable(5, 1));
  EXPECT_EQ((Variables{first, second, third}), space.getVariables());
  EXPECT_EQ((Variables{first, second, third}), *space.handles());
}

TEST(VariableSpaceTests, EveryWayToPut) {
  VariableSpace space;
  NDArray onStack('c', {1}, {7}, FLOAT32);
  std::pair<int, int> pair(4, 1);
  space.putVariable(1, filled(1));
  space.putVariable(2, 3, new Variable(filled(2)));
  const Variable* third = space.putVariable(pair, filled(3));
  EXPECT_EQ(third, space.getVariable(4, 1));
  space.putVariable(5, 0, onStack);
  EXPECT_EQ(1, valueOf(space.getVariable(1, 0)));
  EXPECT_EQ(2, valueOf(space.getVariable(2, 3)));
  EXPECT_EQ(3, valueOf(space.getVariable(pair)));
  EXPECT_EQ(&onStack, space.getVariable(5)->getNDArray());
  EXPECT_FALSE(space.getVariable(5)->isRemovable());
  EXPECT_EQ("[VariableSpace::putVariable] the variable is null",
            messageOf<std::runtime_error>([&] { space.putVariable(6, static_cast<Variable*>(nullptr)); }));
  EXPECT_FALSE(space.hasVariable(6));
}

TEST(VariableSpaceTests, APutToATakenNumberFillsInWhatIsMissing) {
  VariableSpace space;
  NDArray onStack('c', {1}, {7}, FLOAT32);
  auto empty = new Variable(nullptr, "alpha", 1), later = new Variable(filled(5));
  space.putVariable(1, empty);
  space.putVariable(1, later);
  EXPECT_EQ(empty, space.getVariable(1));
  EXPECT_EQ(5, valueOf(empty));
  EXPECT_EQ(5, valueOf(later)) << "it lives as long as the space";
  EXPECT_EQ(empty, space.putVariable(1, 0, filled(6)));
  EXPECT_EQ(5, valueOf(empty)) << "there was an array";
  EXPECT_EQ(1, space.totalEntries());
  space.putVariable(1, empty);
  EXPECT_EQ(1, space.totalEntries()) << "the same variable again";

  space.putVariable(2, new Variable());
  space.putVariable(2, 0, onStack);
  EXPECT_EQ(&onStack, space.getVariable(2)->getNDArray());
  EXPECT_FALSE(space.getVariable(2)->isRemovable()) << "the array is still not the space's";

  auto list = new NDArrayList(0, true);
  space.trackList(list);
  space.trackList(list);
  auto withList = new Variable();
  withList->setNDArrayList(list);
  space.putVariable(3, 1, new Variable());
  space.putVariable(3, 1, withList);
  EXPECT_EQ(list, space.getVariable(3, 1)->getNDArrayList());
}

TEST(VariableSpaceTests, OneVariableUnderTwoNumbers) {
  VariableSpace space;
  auto variable = new Variable(filled(1), "alpha");
  std::string name("alpha");
  space.putVariable(1, variable);
  space.putVariable(2, variable);
  EXPECT_EQ(space.getVariable(1), space.getVariable(2));
  space.dropVariable(1, 0);
  EXPECT_FALSE(space.hasVariable(1));
  EXPECT_EQ(1, valueOf(space.getVariable(2)));
  EXPECT_EQ(variable, space.getVariable(&name));
  space.dropVariable(2, 0);
  EXPECT_FALSE(space.hasVariable(&name));
}

TEST(VariableSpaceTests, External) {
  VariableSpace space;
  auto flagged = new Variable(filled(2), "flagged");
  flagged->markExternal(true);
  space.putVariable(-2, new Variable(filled(1), "negative"));
  space.putVariable(1, flagged);
  space.putVariable(2, 1, new Variable(filled(3), "inner"));
  std::pair<int, int> inner(2, 1), outer(1, 0);
  std::string negative("negative"), flag("flagged"), plain("inner"), none("none");
  EXPECT_TRUE(space.hasExternalVariable(-2) && space.hasExternalVariable(1) && space.hasExternalVariable(outer));
  EXPECT_TRUE(space.hasExternalVariable(&negative) && space.hasExternalVariable(&flag));
  EXPECT_FALSE(space.hasExternalVariable(-1) || space.hasExternalVariable(2) || space.hasExternalVariable(inner));
  EXPECT_FALSE(space.hasExternalVariable(&plain) || space.hasExternalVariable(&none));
  EXPECT_EQ((Variables{space.getVariable(-2)}), *space.getExternalVariables());
}

TEST(VariableSpaceTests, EntriesAndBytes) {
  VariableSpace space;
  space.putVariable(-1, filled(0, 10));
  space.putVariable(-2, new Variable());
  space.putVariable(1, filled(0, 3));
  space.putVariable(1, 1, filled(0, 4));
  const auto bytes = [&](int id, int idx) {
    return static_cast<LongType>(space.getVariable(id, idx)->getNDArray()->memoryFootprint());
  };
  EXPECT_GE(bytes(-1, 0), 40);
  EXPECT_EQ(2, space.externalEntries());
  EXPECT_EQ(2, space.internalEntries());
  EXPECT_EQ(4, space.totalEntries());
  EXPECT_EQ(bytes(-1, 0), space.externalMemory());
  EXPECT_EQ(bytes(1, 0) + bytes(1, 1), space.internalMemory());
  EXPECT_EQ(space.externalMemory() + space.internalMemory(), space.totalMemory());
}

TEST(VariableSpaceTests, Placeholders) {
  VariableSpace space;
  auto x = placeholder("x"), y = placeholder("y");
  space.putVariable(-1, x);
  space.putVariable(-2, new Variable(filled(1)));
  space.putVariable(-3, y);
  EXPECT_EQ(2, space.numberOfPlaceholders());
  EXPECT_EQ((Variables{x, y}), space.getPlaceholders());
  space.putVariable(-1, filled(5));
  EXPECT_EQ(5, valueOf(x));
  EXPECT_EQ(2, space.numberOfPlaceholders()) << "filled, and still one";
  space.dropVariable(-3, 0);
  EXPECT_EQ((Variables{x}), space.getPlaceholders());
}

TEST(VariableSpaceTests, PutOutputVariableTakesTheNextNumberBelow0) {
  VariableSpace space;
  auto first = new Variable(filled(1)), second = new Variable(filled(2));
  space.putOutputVariable(first);
  EXPECT_EQ(-1, first->id());
  space.putVariable(-7, filled(3));
  space.putOutputVariable(second);
  EXPECT_EQ(-8, second->id());
  EXPECT_EQ(second, space.getVariable(-8));
  EXPECT_THROW(space.putOutputVariable(nullptr), std::runtime_error);
}

TEST(VariableSpaceTests, PutOutputVariableKeepsTheNumberThatAVariableHas) {
  VariableSpace space;
  auto negative = new Variable(filled(1), "a", -4), output = new Variable(filled(2), "b", 3, 1);
  space.putOutputVariable(negative);
  space.putOutputVariable(output);
  EXPECT_EQ(negative, space.getVariable(-4));
  EXPECT_EQ(output, space.getVariable(3, 1));
}

TEST(VariableSpaceTests, PutNamesAVariableThatHasNone) {
  VariableSpace space;
  space.putVariable(1, new Variable());
  Variable* present = space.getVariable(1);
  space.putVariable(1, new Variable(filled(1), "first", 1));
  space.putVariable(1, new Variable(filled(2), "second", 1));
  std::string first("first"), second("second");
  EXPECT_EQ(present, space.getVariable(&first));
  EXPECT_FALSE(space.hasVariable(&second));
}

TEST(VariableSpaceTests, DropDeletes) {
  VariableSpace space;
  std::string name("alpha");
  std::pair<int, int> pair(2, 1);
  space.putVariable(1, new Variable(filled(1), "alpha"));
  space.putVariable(pair, filled(2));
  space.dropVariable(1, 0);
  space.dropVariable(pair);
  space.dropVariable(8, 3);
  EXPECT_FALSE(space.hasVariable(1) || space.hasVariable(pair) || space.hasVariable(&name));
  EXPECT_EQ(0, space.totalEntries());
  space.putVariable(1, filled(3));
  EXPECT_EQ(3, valueOf(space.getVariable(1)));
}

TEST(VariableSpaceTests, ReplaceByNameElseByNumberElseAdd) {
  VariableSpace space;
  std::string alpha("alpha");
  space.putVariable(1, new Variable(filled(1), "alpha"));
  space.putVariable(2, 1, new Variable(filled(2)));

  auto sameName = new Variable(filled(10), "alpha", 77, 5);
  space.replaceVariable(sameName);
  EXPECT_EQ(sameName, space.getVariable(1));
  EXPECT_EQ(sameName, space.getVariable(&alpha));
  EXPECT_EQ(1, sameName->id());
  EXPECT_EQ(0, sameName->index());
  EXPECT_FALSE(space.hasVariable(77, 5));

  auto sameNumber = new Variable(filled(20), "beta", 2, 1);
  space.replaceVariable(sameNumber);
  EXPECT_EQ(sameNumber, space.getVariable(2, 1));

  auto other = new Variable(filled(30), nullptr, -4, 0);
  space.replaceVariable(other);
  EXPECT_EQ(other, space.getVariable(-4));
  EXPECT_EQ(3, space.totalEntries());

  space.replaceVariable(other);
  EXPECT_EQ(30, valueOf(space.getVariable(-4))) << "by itself";
  EXPECT_EQ(3, space.totalEntries());
  EXPECT_THROW(space.replaceVariable(nullptr), std::runtime_error);
}

TEST(VariableSpaceTests, InjectPutsAVariableAsItIs) {
  VariableSpace space;
  std::pair<int, int> pair(3, 1);
  auto variable = new Variable(filled(1), "alpha", 8, 9), next = new Variable(filled(2), "beta", 8, 9);
  std::string alpha("alpha"), beta("beta");
  space.injectVariable(pair, variable);
  EXPECT_EQ(variable, space.getVariable(3, 1));
  EXPECT_EQ(8, variable->id());
  EXPECT_FALSE(space.hasVariable(8, 9));
  space.injectVariable(pair, next);
  EXPECT_EQ(next, space.getVariable(pair));
  EXPECT_EQ(next, space.getVariable(&beta));
  EXPECT_FALSE(space.hasVariable(&alpha));
  EXPECT_EQ(1, valueOf(variable)) << "it lives as long as the space";
  EXPECT_EQ(1, space.totalEntries());
  EXPECT_THROW(space.injectVariable(pair, nullptr), std::runtime_error);
}

TEST(VariableSpaceTests, CloneAndAssignmentAreDeep) {
  VariableSpace space, target;
  std::string name("alpha");
  space.putVariable(-1, new Variable(filled(1), "alpha"));
  space.putVariable(1, filled(2));
  space.putVariable(1, 1, filled(3));
  space.putVariable(-2, placeholder("x"));
  target.putVariable(9, new Variable(filled(9), "alpha"));

  std::unique_ptr<VariableSpace> twin(space.clone());
  target = space;
  VariableSpace copy(space);
  for (VariableSpace* other : {twin.get(), &target, &copy}) {
    EXPECT_EQ(4, other->totalEntries());
    EXPECT_EQ(1, other->numberOfPlaceholders());
    EXPECT_EQ(1, valueOf(other->getVariable(&name)));
    EXPECT_EQ(3, valueOf(other->getVariable(1, 1)));
    EXPECT_NE(space.getVariable(-1), other->getVariable(-1));
    EXPECT_FALSE(other->hasVariable(9));
    other->getVariable(-1)->getNDArray()->assign(0.f);
    EXPECT_EQ(1, valueOf(space.getVariable(-1)));
    EXPECT_EQ(-3, other->nextExternalId());
  }
  target = *&target;
  EXPECT_EQ(4, target.totalEntries());
}

TEST(VariableSpaceTests, CloneKeepsInjectedNamesAndOwnsItsLists) {
  VariableSpace space;
  std::pair<int, int> pair(3, 1);
  space.injectVariable(pair, new Variable(filled(1), "alpha", 8, 9));
  auto list = new NDArrayList(0, true);
  ASSERT_EQ(Status::OK, list->write(0, filled(4)));
  space.trackList(list);
  auto variable = new Variable();
  variable->setNDArrayList(list);
  space.putVariable(4, variable);
  std::unique_ptr<VariableSpace> twin(space.clone());
  EXPECT_EQ(1, valueOf(twin->getVariable(3, 1)));
  EXPECT_EQ(8, twin->getVariable(3, 1)->id());
  EXPECT_TRUE(twin->getVariable(4)->getNDArrayList()->equals(*list));
  EXPECT_THROW(space.asT<double>(), std::runtime_error);
}

TEST(VariableSpaceTests, AsTConverts) {
  VariableSpace space;
  space.putVariable(-1, filled(1.5));
  space.putVariable(2, 1, new Variable());
  std::unique_ptr<VariableSpace> integers(space.asT<int>());
  EXPECT_EQ(INT32, integers->getVariable(-1)->getNDArray()->dataType());
  EXPECT_EQ(1, valueOf(integers->getVariable(-1)));
  EXPECT_FALSE(integers->getVariable(2, 1)->hasNDArray());
}

TEST(VariableSpaceTests, WhatOperationsRunWith) {
  VariableSpace space;
  memory::Workspace workspace;
  FlowPath path;
  space.setWorkspace(&workspace);
  space.setFlowPath(&path);
  EXPECT_EQ(&workspace, space.workspace());
  EXPECT_EQ(&path, space.flowPath());
}

TEST(VariableProxyTests, NeedsAReference) { EXPECT_THROW(VariableProxy(nullptr), std::runtime_error); }

TEST(VariableProxyTests, LooksInItsOwnSpaceFirst) {
  VariableSpace reference;
  reference.putVariable(-1, new Variable(filled(1), "alpha"));
  reference.putVariable(2, 1, new Variable(filled(2), "beta"));
  VariableProxy proxy(&reference);
  std::string alpha("alpha"), beta("beta"), none("none");
  std::pair<int, int> pair(2, 1), unknown(2, 2);

  EXPECT_TRUE(proxy.hasVariable(-1) && proxy.hasVariable(2, 1) && proxy.hasVariable(pair) && proxy.hasVariable(&beta));
  EXPECT_FALSE(proxy.hasVariable(2) || proxy.hasVariable(unknown) || proxy.hasVariable(&none));
  EXPECT_EQ(reference.getVariable(-1), proxy.getVariable(-1));
  EXPECT_EQ(reference.getVariable(pair), proxy.getVariable(pair));

  proxy.putVariable(-1, new Variable(filled(10), "alpha"));
  EXPECT_EQ(10, valueOf(proxy.getVariable(-1)));
  EXPECT_EQ(10, valueOf(proxy.getVariable(-1, 3)));
  EXPECT_EQ(10, valueOf(proxy.getVariable(&alpha)));
  EXPECT_EQ(1, valueOf(reference.getVariable(-1)));
  EXPECT_EQ(1, valueOf(reference.getVariable(&alpha)));
  EXPECT_TRUE(proxy.hasExternalVariable(-1) && proxy.hasExternalVariable(&alpha));
  EXPECT_FALSE(proxy.hasExternalVariable(pair) || proxy.hasExternalVariable(2));

  EXPECT_THROW(proxy.getVariable(5), std::out_of_range);
  EXPECT_THROW(proxy.getVariable(5, 1), std::runtime_error);
  EXPECT_THROW(proxy.getVariable(&none), std::out_of_range);
}

TEST(VariableProxyTests, WritesStayInTheProxy) {
  VariableSpace reference;
  reference.putVariable(-4, new Variable(filled(1), "alpha"));
  reference.putVariable(1, new Variable());
  VariableProxy proxy(&reference);
  FlowPath path;
  NDArray onStack('c', {1}, {5}, FLOAT32);
  auto output = new Variable(filled(2));
  proxy.putOutputVariable(output);
  EXPECT_EQ(-5, output->id());
  proxy.putVariable(1, 0, filled(3));
  proxy.putVariable(2, 0, onStack);
  proxy.replaceVariable(new Variable(filled(4), "alpha", -4));
  proxy.dropVariable(-4, 0);
  proxy.dropVariable(-4, 0);
  proxy.trackList(new NDArrayList(0));
  proxy.setFlowPath(&path);
  proxy.getStash()->storeArray(1, "state", filled(1));
  EXPECT_EQ(2, reference.totalEntries());
  EXPECT_EQ(1, valueOf(reference.getVariable(-4)));
  EXPECT_FALSE(reference.getVariable(1)->hasNDArray());
  EXPECT_EQ(nullptr, reference.flowPath());
  EXPECT_FALSE(reference.getStash()->checkStash(1, "state"));
  EXPECT_EQ(1, valueOf(proxy.getVariable(-4))) << "that of the reference is seen again";
}

TEST(VariableProxyTests, CountsAreSums) {
  VariableSpace reference;
  reference.putVariable(-1, filled(1, 10));
  reference.putVariable(-2, placeholder("x"));
  reference.putVariable(1, filled(2, 3));
  VariableProxy proxy(&reference);
  proxy.putVariable(-1, placeholder("y"));
  proxy.putVariable(1, 1, filled(4, 4));
  proxy.putVariable(1, 2, filled(4, 4));
  EXPECT_EQ(3, proxy.externalEntries());
  EXPECT_EQ(3, proxy.internalEntries());
  EXPECT_EQ(6, proxy.totalEntries());
  EXPECT_EQ(2, proxy.numberOfPlaceholders());
  EXPECT_EQ(reference.externalMemory(), proxy.externalMemory());
  const auto own = static_cast<LongType>(2 * proxy.getVariable(1, 2)->getNDArray()->memoryFootprint());
  EXPECT_EQ(reference.internalMemory() + own, proxy.internalMemory());
  EXPECT_EQ(proxy.externalMemory() + proxy.internalMemory(), proxy.totalMemory());
  Variables all = *proxy.handles();
  const Variables others = reference.getVariables();
  all.insert(all.end(), others.begin(), others.end());
  EXPECT_EQ(all, proxy.getVariables());
  EXPECT_EQ((Variables{proxy.getVariable(-1), reference.getVariable(-2)}), proxy.getPlaceholders());
  EXPECT_EQ((Variables{proxy.getVariable(-1), reference.getVariable(-1), reference.getVariable(-2)}),
            *proxy.getExternalVariables());
}

TEST(VariableProxyTests, CloneSharesTheReference) {
  VariableSpace reference;
  reference.putVariable(-1, filled(1));
  VariableProxy proxy(&reference);
  proxy.putVariable(3, filled(3));
  std::unique_ptr<VariableSpace> twin(proxy.clone());
  twin->getVariable(3)->getNDArray()->assign(30.f);
  EXPECT_EQ(3, valueOf(proxy.getVariable(3)));
  EXPECT_EQ(reference.getVariable(-1), twin->getVariable(-1));
  VariableProxy onTop(twin.get());
  EXPECT_EQ(30, valueOf(onTop.getVariable(3))) << "a proxy of a proxy";
  EXPECT_EQ(1, valueOf(onTop.getVariable(-1)));
  VariableSpace other;
  VariableProxy assigned(&other);
  assigned.putVariable(7, filled(7));
  assigned = proxy;
  EXPECT_EQ(3, valueOf(assigned.getVariable(3)));
  EXPECT_FALSE(assigned.hasVariable(7) || assigned.hasVariable(-1));
}
