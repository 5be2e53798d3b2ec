// Variables and the classes that hold a few of them: ownership, marks, clones.
#include <array/NDArrayFactory.h>
#include <graph/ArgumentsList.h>
#include <graph/Variable.h>
#include <graph/VariablesSet.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <unordered_set>

#include "NDArrayHelpers.h"

using namespace sd;
using namespace sd::graph;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

NDArray* numbers(DataType type = FLOAT32, char order = 'c') { return new NDArray(order, {2, 2}, {1, 2, 3, 4}, type); }

}  // namespace

TEST(VariableTests, ANewOne) {
  Variable variable;
  EXPECT_FALSE(variable.hasNDArray() || variable.hasNDArrayList() || variable.isPlaceholder());
  EXPECT_FALSE(variable.isExternal() || variable.isReadOnly());
  EXPECT_TRUE(variable.isRemovable());
  EXPECT_TRUE(variable.isEmpty());
  EXPECT_EQ(VariableType::NDARRAY, variable.variableType());
  EXPECT_EQ(0, variable.id());
  EXPECT_EQ(0, variable.index());
  ASSERT_NE(nullptr, variable.getName());
  EXPECT_EQ("", *variable.getName());
  EXPECT_EQ(nullptr, variable.getNDArrayList());
}

TEST(VariableTests, ANumberedOne) {
  Variable variable(numbers(), "alpha", -3, 2);
  EXPECT_EQ(-3, variable.id());
  EXPECT_EQ(2, variable.index());
  EXPECT_EQ("alpha", *variable.getName());
  EXPECT_FALSE(variable.isEmpty());
  expectArray(*variable.getNDArray(), {2, 2}, {1, 2, 3, 4});
  variable.setId(7);
  EXPECT_EQ(2, variable.index());
  variable.setId(8, 1);
  variable.setIndex(5);
  EXPECT_EQ(8, variable.id());
  EXPECT_EQ(5, variable.index());
  const std::string name("beta");
  variable.setName(&name);
  EXPECT_EQ("beta", *variable.getName());
  EXPECT_NE(&name, variable.getName());
  variable.setName(nullptr);
  EXPECT_EQ("", *variable.getName());
}

TEST(VariableTests, WithoutAnArray) {
  Variable variable(nullptr, "beta", 4, 1), placeholder(true);
  EXPECT_EQ("[Variable::getNDArray] variable (4, 1) 'beta' has no array",
            messageOf<std::runtime_error>([&] { variable.getNDArray(); }));
  EXPECT_TRUE(placeholder.isPlaceholder());
  EXPECT_TRUE(placeholder.isEmpty());
  EXPECT_EQ(VariableType::PLACEHOLDER, placeholder.variableType());
  placeholder.shape() = {2, 2};
  placeholder.setNDArray(numbers());
  EXPECT_TRUE(placeholder.isPlaceholder()) << "a filled one still is";
  EXPECT_EQ(VariableType::NDARRAY, placeholder.variableType());
  EXPECT_FALSE(Variable(false).isPlaceholder());
}

// Sanitizers detect a double or a missing deletion.
TEST(VariableTests, DeletesItsArrayWhenItMay) {
  NDArray onStack('c', {2}, FLOAT32);
  {
    Variable removed(numbers()), kept(&onStack), readOnly(&onStack);
    kept.markRemovable(false);
    readOnly.markReadOnly(true);
    EXPECT_TRUE(readOnly.isRemovable());
  }
  expectArray(onStack, {2}, {0, 0});
}

TEST(VariableTests, AReplacedArrayIsTheCallers) {
  std::unique_ptr<NDArray> first(numbers());
  Variable variable(first.get());
  variable.setNDArray(numbers(DOUBLE));
  EXPECT_EQ(DOUBLE, variable.getNDArray()->dataType());
  expectArray(*first, {2, 2}, {1, 2, 3, 4});
}

TEST(VariableTests, AListMakesItAList) {
  NDArrayList list(0, true);
  ASSERT_EQ(Status::OK, list.write(0, numbers()));
  Variable variable(nullptr, "list", 1);
  variable.setNDArrayList(&list);
  EXPECT_EQ(VariableType::ARRAY_LIST, variable.variableType());
  EXPECT_EQ(&list, variable.getNDArrayList());
  EXPECT_FALSE(variable.isEmpty());
  EXPECT_THROW(variable.getNDArray(), std::runtime_error);

  std::unique_ptr<Variable> twin(variable.clone());
  EXPECT_NE(&list, twin->getNDArrayList());
  EXPECT_TRUE(twin->getNDArrayList()->equals(list));
  EXPECT_EQ(VariableType::ARRAY_LIST, twin->variableType());
  twin->setNDArrayList(&list);
  EXPECT_EQ(&list, twin->getNDArrayList());
  EXPECT_THROW(variable.asT<float>(), std::runtime_error);
}

TEST(VariableTests, CloneIsDeep) {
  auto variable = std::make_unique<Variable>(numbers(FLOAT32, 'f'), "alpha", 11, 2);
  variable->markExternal(true);
  variable->markReadOnly(true);
  std::unique_ptr<NDArray> array(variable->getNDArray());
  std::unique_ptr<Variable> twin(variable->clone());
  EXPECT_NE(array.get(), twin->getNDArray());
  array->assign(0.f);
  variable.reset();
  expectArray(*twin->getNDArray(), {2, 2}, {1, 3, 2, 4});
  EXPECT_EQ('f', twin->getNDArray()->ordering());
  EXPECT_EQ(11, twin->id());
  EXPECT_EQ(2, twin->index());
  EXPECT_EQ("alpha", *twin->getName());
  EXPECT_TRUE(twin->isExternal());
  EXPECT_FALSE(twin->isReadOnly()) << "the copy owns its array";
  EXPECT_TRUE(twin->isRemovable());
}

TEST(VariableTests, CloneOfPlaceholdersAndEmptyArrays) {
  Variable placeholder(true);
  placeholder.shape() = {2, 5};
  std::unique_ptr<Variable> twin(placeholder.clone());
  EXPECT_TRUE(twin->isPlaceholder());
  EXPECT_EQ(VariableType::PLACEHOLDER, twin->variableType());
  EXPECT_EQ((std::vector<LongType>{2, 5}), twin->shape());
  EXPECT_FALSE(twin->hasNDArray());
  Variable empty(new NDArray('c', {0, 3}, INT32));
  twin.reset(empty.clone());
  expectArray(*twin->getNDArray(), {0, 3}, {});
  EXPECT_EQ(INT32, twin->getNDArray()->dataType());
}

TEST(VariableTests, AsTConverts) {
  Variable variable(new NDArray('c', {3}, {1.5, -2.5, 3}, FLOAT32), "alpha", 1, 1),
      one(new NDArray('c', {1, 1}, {2.75}));
  std::unique_ptr<Variable> integers(variable.asT<int>()), single(one.asT<float>());
  EXPECT_EQ(INT32, integers->getNDArray()->dataType());
  expectArray(*integers->getNDArray(), {3}, {1, -2, 3});
  EXPECT_EQ("alpha", *integers->getName());
  EXPECT_EQ(FLOAT32, single->getNDArray()->dataType());
  expectArray(*single->getNDArray(), {1, 1}, {2.75});
}

TEST(VariableTests, HashOfNames) {
  std::set<size_t> hashes;
  for (int id = -50; id < 50; id++)
    for (int idx = 0; idx < 20; idx++) hashes.insert(std::hash<std::pair<int, int>>()({id, idx}));
  EXPECT_EQ(2000u, hashes.size());
  std::unordered_set<std::pair<int, int>> names{{1, 0}, {-1, 0}, {1, 0}};
  EXPECT_EQ(2u, names.size());
}

TEST(VariablesSetTests, DeletesItsVariables) {
  VariablesSet set;
  EXPECT_EQ(Status::OK, set.status());
  EXPECT_EQ(0, set.size());
  set.push_back(new Variable(numbers(), "first"));
  set.push_back(new Variable(numbers(), "second"));
  EXPECT_EQ(2, set.size());
  EXPECT_EQ("second", *set.at(1)->getName());
  EXPECT_THROW(set.at(2), std::out_of_range);
  EXPECT_THROW(set.at(-1), std::out_of_range);
  EXPECT_EQ(Status::BAD_INPUT, VariablesSet(Status::BAD_INPUT).status());
}

TEST(ArgumentsListTests, NumbersArePairsWithIndex0) {
  ArgumentsList numbersOnly({1, -2, 3}), pairs({{1, 2}, {-3, 4}}), none;
  EXPECT_EQ(0, none.size());
  ASSERT_EQ(3, numbersOnly.size());
  EXPECT_EQ(-2, numbersOnly.at(1).first());
  EXPECT_EQ(0, numbersOnly.at(1).second());
  ASSERT_EQ(2, pairs.size());
  EXPECT_EQ(-3, pairs.at(1).first());
  EXPECT_EQ(4, pairs.at(1).second());
  pairs.at(0) = Pair(7, 8);
  EXPECT_EQ(8, pairs.at(0).second());
  EXPECT_THROW(pairs.at(2), std::out_of_range);
  EXPECT_THROW(pairs.at(-1), std::out_of_range);
}
