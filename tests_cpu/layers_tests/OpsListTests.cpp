// Operations on lists of arrays, and calls that they must reject.
#include <array/NDArrayFactory.h>
#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;
using nd_test::messageOf;

namespace {

using Shape = std::vector<LongType>;

/// start, start + 1, ...
NDArray counted(const Shape& shape, double start, DataType type = FLOAT32, char order = 'c') {
  NDArray array(order, shape, type);
  for (LongType i = 0; i < array.lengthOf(); i++) array.p<double>(i, start + static_cast<double>(i));
  return array;
}

NDArray ints(const std::vector<double>& values, DataType type = INT32) {
  return NDArray('c', {static_cast<LongType>(values.size())}, values, type);
}

/// Entries 0, 1, ... of shape [3]; entry i starts with 10 i.
void fill(NDArrayList& list, int entries, DataType type = FLOAT32) {
  for (int i = 0; i < entries; i++) ASSERT_EQ(Status::OK, list.write(i, new NDArray(counted({3}, 10 * i, type))));
}

/// Runs an operation in a variable space, as a graph does: node 1; the list and the inputs are -1, -2, ...
class Node {
 public:
  Node(NDArrayList* list, std::vector<NDArray*> inputs, std::vector<int> integers = {}) : _block(1, &_space, false) {
    std::vector<int> ids;
    const auto put = [&](graph::Variable* variable) {
      variable->markRemovable(false);
      ids.push_back(-1 - static_cast<int>(ids.size()));
      _space.putVariable(ids.back(), variable);
    };
    if (list != nullptr) {
      auto* variable = new graph::Variable(nullptr, nullptr, -1, 0);
      variable->setNDArrayList(list);
      put(variable);
    }
    for (NDArray* input : inputs) put(new graph::Variable(input, nullptr, -1 - static_cast<int>(ids.size()), 0));
    _block.fillInputs(ids);
    *_block.getIArguments() = integers;
  }

  Status run(ops::DeclarableOp&& op) { return op.execute(&_block); }
  graph::Variable* output(int index) { return _space.getVariable(1, index); }
  NDArrayList& list() { return *output(0)->getNDArrayList(); }

 private:
  graph::VariableSpace _space;
  graph::Context _block;
};

}  // namespace

TEST(OpsListTests, CreateCountsWrites) {
  NDArray height = NDArrayFactory::create<int>(4), other = NDArrayFactory::create<int>(1);
  struct Call {
    std::vector<NDArray*> inputs;
    std::vector<int> integers;
  };
  for (const Call& call :
       {Call{{&height}, {}}, Call{{&height}, {2}}, Call{{&height}, {2, 1}}, Call{{&height, &other}, {}}}) {
    Node node(nullptr, call.inputs, call.integers);
    ASSERT_EQ(Status::OK, node.run(ops::create_list()));
    EXPECT_EQ(0, node.list().elements());
    expectArray(*node.output(1)->getNDArray(), {}, {0});
    EXPECT_EQ(INT32, node.output(1)->getNDArray()->dataType());

    NDArray row = counted({3}, 5), at = NDArrayFactory::create<int>(7);
    const ResultSet written = ops::write_list().execute(&node.list(), {&row, &at}, {}, {});
    ASSERT_EQ(1, written.size());
    expectArray(*written.at(0), {}, {1});
    EXPECT_EQ(INT32, written.at(0)->dataType());
    EXPECT_TRUE(node.list().isWritten(7));
  }
}

TEST(OpsListTests, WriteCopiesInBothForms) {
  for (DataType type : {FLOAT32, DOUBLE, HALF, INT64, BOOL}) {
    NDArrayList list(0, true);
    NDArray rows = counted({3, 2}, 0, type == BOOL ? INT32 : type).cast(type);
    NDArray column = rows.transpose()({1, 2, 0, 0}, false);  // strided
    NDArray at('c', {1}, {3}, INT64);
    EXPECT_EQ(Status::OK, ops::write_list().execute(&list, {&column, &at}, {}, {}).status());
    const ResultSet second = ops::write_list().execute(&list, {&column}, {}, {0});
    ASSERT_EQ(1, second.size());
    expectArray(*second.at(0), {}, {1});
    EXPECT_EQ(type, list.dataType());
    EXPECT_EQ(2, list.elements());
    rows.assign(0);
    EXPECT_EQ(1, list.readRaw(3)->e<double>(0)) << DataTypeUtils::asString(type);
    EXPECT_EQ(type == BOOL ? 1 : 5, list.readRaw(0)->e<double>(2));
  }
}

TEST(OpsListTests, ReadKeepsAndDeleteTakes) {
  NDArrayList list(0, true);
  fill(list, 4);
  NDArray one = NDArrayFactory::create<int>(1), fromEnd = NDArrayFactory::create<LongType>(-2);
  expectArray(*ops::read_list().execute(&list, {&one}, {}, {}).at(0), {3}, {10, 11, 12});
  expectArray(*ops::read_list().execute(&list, {&one}, {}, {3}).at(0), {3}, {30, 31, 32});
  EXPECT_EQ(4, list.elements());
  expectArray(*ops::delete_list().execute(&list, {}, {}, {}).at(0), {3}, {30, 31, 32});
  expectArray(*ops::delete_list().execute(&list, {&fromEnd}, {}, {}).at(0), {3}, {10, 11, 12});
  EXPECT_FALSE(list.isWritten(1));
  expectArray(*ops::size_list().execute(&list, {}, {}, {}).at(0), {}, {2});
}

TEST(OpsListTests, UnstackAlongEachAxis) {
  NDArray array = counted({2, 3}, 0, DOUBLE, 'f');  // 'f' order; p() counts in c order nevertheless
  NDArrayList rows(0, true), columns(0, true);
  EXPECT_EQ(0, ops::unstack_list().execute(&rows, {&array}, {}, {0}).size());
  EXPECT_EQ(0, ops::unstack_list().execute(&columns, {&array}, {}, {-1}).size());
  EXPECT_EQ(2, rows.elements());
  EXPECT_EQ(3, columns.elements());
  expectArray(*rows.readRaw(1), {3}, {3, 4, 5});
  expectArray(*columns.readRaw(2), {2}, {2, 5});
  EXPECT_EQ(1, columns.axis());

  Node node(nullptr, {&array}, {1});
  ASSERT_EQ(Status::OK, node.run(ops::unstack_list()));
  EXPECT_TRUE(node.list().equals(columns));
}

TEST(OpsListTests, SplitLeavesRowsOver) {
  NDArray array = counted({7, 2}, 0), sizes = ints({2, 1, 3}, INT64);
  NDArrayList list(0, true);
  ASSERT_EQ(Status::OK, ops::split_list().execute(&list, {&array, &sizes}, {}, {}).status());
  EXPECT_EQ(3, list.elements());
  EXPECT_EQ((Shape{7, 2}), list.shape());
  expectArray(*list.readRaw(0), {2, 2}, {0, 1, 2, 3});
  expectArray(*list.readRaw(1), {2}, {4, 5});
  expectArray(*list.readRaw(2), {3, 2}, {6, 7, 8, 9, 10, 11});

  Node node(nullptr, {&array, &sizes});
  ASSERT_EQ(Status::OK, node.run(ops::split_list()));
  EXPECT_TRUE(node.list().equals(list));
}

TEST(OpsListTests, ScatterAndGatherAreInverse) {
  NDArray array = counted({3, 2}, 0, INT16), places = ints({2, 0, 1});
  NDArrayList list(0, true);
  ASSERT_EQ(Status::OK, ops::scatter_list().execute(&list, {&places, &array}, {}, {}).status());
  expectArray(*list.readRaw(2), {2}, {0, 1});
  expectArray(*list.readRaw(0), {2}, {2, 3});
  const ResultSet gathered = ops::gather_list().execute(&list, {&places}, {}, {});
  EXPECT_EQ(INT16, gathered.at(0)->dataType());
  expectArray(*gathered.at(0), {3, 2}, {0, 1, 2, 3, 4, 5});
  NDArray twice = ints({1, 1, 0});
  expectArray(*ops::gather_list().execute(&list, {&twice}, {}, {}).at(0), {3, 2}, {4, 5, 4, 5, 2, 3});

  Node node(nullptr, {&array, &places});
  ASSERT_EQ(Status::OK, node.run(ops::scatter_list()));
  EXPECT_TRUE(node.list().equals(list));
}

TEST(OpsListTests, StackPickClone) {
  NDArrayList list(0, true);
  fill(list, 3, DOUBLE);
  const ResultSet stacked = ops::stack_list().execute(&list, {}, {}, {});
  EXPECT_EQ(DOUBLE, stacked.at(0)->dataType());
  expectArray(*stacked.at(0), {3, 3}, {0, 1, 2, 10, 11, 12, 20, 21, 22});
  NDArray order = ints({2, 2, 0});
  expectArray(*ops::pick_list().execute(&list, {&order}, {}, {}).at(0), {3, 3}, {20, 21, 22, 20, 21, 22, 0, 1, 2});
  expectArray(*ops::pick_list().execute(&list, {&order}, {}, {1}).at(0), {3, 3}, {20, 21, 22, 20, 21, 22, 0, 1, 2});
  expectArray(*ops::pick_list().execute(&list, {}, {}, {1}).at(0), {1, 3}, {10, 11, 12});

  Node node(&list, {});
  ASSERT_EQ(Status::OK, node.run(ops::clone_list()));
  EXPECT_TRUE(node.list().equals(list));
  EXPECT_NE(list.readRaw(0)->buffer(), node.list().readRaw(0)->buffer());
}

TEST(OpsListTests, EmptyEntries) {
  NDArrayList list(0, true);
  NDArray array('c', {2, 0}, FLOAT32), order = ints({1, 0});
  ASSERT_EQ(Status::OK, ops::unstack_list().execute(&list, {&array}, {}, {0}).status());
  EXPECT_EQ(2, list.elements());
  const ResultSet gathered = ops::gather_list().execute(&list, {&order}, {}, {});
  EXPECT_TRUE(gathered.at(0)->isEmpty());
  EXPECT_EQ((Shape{2, 0}), gathered.at(0)->getShapeAsVector());
}

TEST(OpsListTests, NamesOfOtherFrameworks) {
  const char* names[][2] = {{"TensorArrayV3", "create_list"},       {"tensorarraycreatev3", "create_list"},
                            {"TensorArrayWriteV3", "write_list"},   {"TensorArrayReadV3", "read_list"},
                            {"TensorArraySizeV3", "size_list"},     {"TensorArrayConcatV3", "stack_list"},
                            {"TensorArraySplitV3", "split_list"},   {"TensorArrayScatterV3", "scatter_list"},
                            {"tensorarraygatherv3", "gather_list"}, {"TensorArrayIdentityV3", "clone_list"}};
  for (const auto& [alias, name] : names) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(alias);
    ASSERT_NE(nullptr, op) << alias;
    EXPECT_EQ(name, op->getOpDescriptor()->name());
    EXPECT_STRNE("", op->schema().summary()) << name;
  }
}

namespace {

struct Refused {
  const char* what;
  const char* op;
  bool empty;  // whether the list is empty; otherwise it has the entries 0..2 of shape [3]
  std::vector<NDArray> inputs;
  std::vector<int> integers;
  const char* message;
  Status status = Status::OK;  // what the call returns; if OK, it throws
};

}  // namespace

TEST(OpsListTests, Rejections) {
  const NDArray row = counted({3}, 0), number = NDArrayFactory::create<int>(7);
  const NDArray matrix = counted({4, 3}, 0);
  const std::vector<Refused> table = {
      {"another type", "write_list", false, {ints({1, 2, 3})}, {5}, "[write_list]", Status::BAD_INPUT},
      {"another shape", "write_list", false, {counted({4}, 0), number}, {}, "[write_list]", Status::BAD_INPUT},
      {"no index", "write_list", false, {row}, {}, "[write_list]", Status::BAD_INPUT},
      {"an index that is no scalar", "write_list", false, {row, ints({1, 2})}, {}, "[write_list] input 2 'index'"},
      {"an index that is no number",
       "write_list",
       false,
       {row, NDArrayFactory::create<float>(NAN)},
       {},
       "value nan at [] is not an integer"},
      {"an index too large",
       "write_list",
       false,
       {row, NDArrayFactory::create<LongType>(1LL << 40)},
       {},
       "1099511627776"},
      {"nothing to read", "read_list", true, {}, {0}, "[read_list] input 0 'list': it is empty"},
      {"an entry that is missing", "read_list", false, {number}, {}, "[read_list] entry 7 was not written"},
      {"no index", "read_list", false, {}, {}, "input 1 'index': it is missing"},
      {"an index that is no scalar", "read_list", false, {ints({0, 1})}, {}, "it has 2 elements, not 1"},
      {"an entry that is missing", "delete_list", false, {number}, {}, "[delete_list] entry 7 was not written"},
      {"nothing to delete", "delete_list", true, {}, {}, "[delete_list] entry -1 was not written"},
      {"nothing to stack", "stack_list", true, {}, {}, "[stack_list] input 0 'list': it is empty"},
      {"an axis outside", "unstack_list", false, {matrix}, {2}, "[unstack_list] argument 'axis': 2 is outside -2..1"},
      {"a scalar", "unstack_list", true, {number}, {0}, "[unstack_list] argument 'axis'"},
      {"a size of 0", "split_list", true, {matrix, ints({2, 0})}, {}, "[split_list] input 2 'sizes': value 0 at [1]"},
      {"too many rows", "split_list", true, {matrix, ints({2, 3})}, {}, "value 3 at [1] exceeds the 2 rows"},
      {"sizes of floats", "split_list", true, {matrix, row}, {}, "a vector of integers is needed"},
      {"sizes as a matrix", "split_list", true, {matrix, matrix.cast(INT32)}, {}, "a vector of integers is needed"},
      {"another type",
       "split_list",
       false,
       {matrix.cast(DOUBLE), ints({4})},
       {},
       "its type is DOUBLE, but the list has type"},
      {"a scalar", "split_list", true, {number, ints({1})}, {}, "a scalar cannot be split"},
      {"too few indices",
       "scatter_list",
       true,
       {ints({0, 1}), matrix},
       {},
       "[scatter_list] input 1 'indices': 2 are given"},
      {"an index outside",
       "scatter_list",
       true,
       {ints({0, 1, 2, 4}), matrix},
       {},
       "[scatter_list] input 1 'indices': value 4 at [3] is outside 0..3 (shape [4])",
       Status::BAD_ARGUMENTS},
      {"a negative index",
       "scatter_list",
       true,
       {ints({0, -1, 2, 3}), matrix},
       {},
       "value -1 at [1] is outside 0..3",
       Status::BAD_ARGUMENTS},
      {"indices as a matrix", "scatter_list", true, {counted({2, 2}, 0, INT32), matrix}, {}, "a vector is needed"},
      {"slices that do not fit",
       "scatter_list",
       false,
       {ints({0, 1, 2}), counted({3, 4}, 0)},
       {},
       "[scatter_list]",
       Status::BAD_INPUT},
      {"nothing to gather", "gather_list", true, {ints({0})}, {}, "[gather_list] input 0 'list': it is empty"},
      {"too few indices", "gather_list", false, {ints({0, 1})}, {}, "2 are given, but the list has 3 entries"},
      {"an entry that is missing", "gather_list", false, {ints({0, 1, 3})}, {}, "entry 3 was not written"},
      {"indices as a matrix", "gather_list", false, {counted({2, 2}, 0, INT32)}, {}, "a vector is needed"},
      {"an index outside",
       "pick_list",
       false,
       {ints({0, 3})},
       {},
       "[pick_list] argument 'indices': 3 is outside 0..2",
       Status::BAD_ARGUMENTS},
      {"no index", "pick_list", false, {}, {}, "'indices' is missing", Status::BAD_ARGUMENTS},
      {"strings for indices",
       "pick_list",
       false,
       {NDArray(std::string("1"))},
       {},
       "[pick_list] input 1 'indices': numbers are needed, its type is UTF8"},
      {"nothing to pick from", "pick_list", true, {}, {0}, "[pick_list] input 0 'list': it is empty"},
  };
  for (const Refused& refused : table) {
    SCOPED_TRACE(std::string(refused.op) + ": " + refused.what);
    NDArrayList list(0, true);
    if (!refused.empty) fill(list, 3);
    const std::unique_ptr<NDArrayList> before(list.clone());
    auto* op = dynamic_cast<ops::DeclarableListOp*>(ops::OpRegistrator::getInstance().find(refused.op));
    ASSERT_NE(nullptr, op);
    std::vector<NDArray> inputs(refused.inputs);
    std::vector<NDArray*> pointers;
    for (NDArray& input : inputs) pointers.push_back(&input);
    std::vector<double> floats;
    std::vector<int> integers(refused.integers);
    std::string message;
    try {
      const ResultSet results = op->execute(&list, pointers, floats, integers);
      EXPECT_EQ(refused.status, results.status());
      EXPECT_NE(Status::OK, results.status());
      message = results.message();
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(refused.status, Status::OK);
      message = error.what();
    }
    EXPECT_NE(std::string::npos, message.find(refused.message)) << message;
    EXPECT_TRUE(list.equals(*before)) << "the list was changed";
    EXPECT_EQ(before->shape(), list.shape());
  }
}

TEST(OpsListTests, AMissingArgument) {
  NDArray matrix = counted({4, 3}, 0);
  NDArrayList list(0, true);
  ops::unstack_list op;
  EXPECT_EQ(messageOf<std::out_of_range>([&] { op.execute(&list, {&matrix}, {}, {}); }),
            "[unstack_list] argument 'axis' is missing");
}

TEST(OpsListTests, ArraysAreNotLists) {
  NDArray row = counted({3}, 0);
  for (const char* name : {"clone_list", "size_list", "write_list", "read_list", "delete_list", "stack_list",
                           "gather_list", "pick_list"}) {
    auto* op = dynamic_cast<ops::DeclarableListOp*>(ops::OpRegistrator::getInstance().find(name));
    ASSERT_NE(nullptr, op) << name;
    const std::string message = messageOf<std::invalid_argument>([&] {
      op->execute(nullptr, {&row, &row, &row}, {}, {0});
    });
    EXPECT_NE(std::string::npos, message.find("input 0 'list': it is not a list")) << name << ": " << message;
    const std::string direct = messageOf<std::invalid_argument>([&] { op->evaluate({&row, &row, &row}, {}, {0}); });
    EXPECT_NE(std::string::npos, direct.find("input 0 'list': it is not a list")) << name << ": " << direct;
  }
}

// ---- control flow

TEST(OpsFlowTests, SwitchWritesOneBranch) {
  struct Case {
    NDArray condition;
    int branch;
  };
  const Case cases[] = {{NDArrayFactory::create<bool>(false), 0},
                        {NDArrayFactory::create<bool>(true), 1},
                        {NDArrayFactory::create<double>(0.5), 0},
                        {NDArrayFactory::create<float>(-1), 1},
                        {NDArray('c', {2}, {0, 1}, INT32), 0}};
  for (const Case& c : cases) {
    for (DataType type : {FLOAT32, INT64}) {
      NDArray data = counted({2, 3}, 1, type), condition(c.condition);
      NDArray left('f', {2, 3}, type), right('c', {2, 3}, type);
      left.assign(-1);
      right.assign(-1);
      graph::FlowPath flow;
      graph::VariableSpace space;
      space.setFlowPath(&flow);
      graph::Context block(5, &space);
      block.setInputArray(0, &data);
      block.setInputArray(1, &condition);
      block.setOutputArray(0, &left);
      block.setOutputArray(1, &right);
      ASSERT_EQ(Status::OK, ops::Switch().execute(&block));
      EXPECT_EQ(c.branch, flow.branch(5));
      EXPECT_EQ(c.branch, block.getBranch());
      expectArray(c.branch == 0 ? left : right, {2, 3}, {1, 2, 3, 4, 5, 6});
      expectArray(c.branch == 0 ? right : left, {2, 3}, {-1, -1, -1, -1, -1, -1});
    }
  }
}

TEST(OpsFlowTests, SwitchNeedsACondition) {
  NDArray data = counted({2}, 0), none('c', {0}, INT32), word(std::string("yes"), UTF8);
  EXPECT_THROW(ops::Switch().evaluate({&data, &none}), std::invalid_argument);
  EXPECT_THROW(ops::Switch().evaluate({&data, &word}), std::invalid_argument);
  EXPECT_TRUE(ops::Switch().getOpDescriptor()->isDivergent());
}

TEST(OpsFlowTests, NodesOfTheExecutorDoNotRunByThemselves) {
  const char* names[][2] = {{"while", "While"}, {"scope", "Scope"}, {"cond", "Conditional"}, {"return", "Return"}};
  for (const auto& [alias, name] : names) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find(alias);
    ASSERT_NE(nullptr, op) << alias;
    EXPECT_EQ(name, op->getOpDescriptor()->name());
    graph::Context block(1);
    EXPECT_EQ(Status::BAD_INPUT, op->execute(&block));
  }
  EXPECT_EQ("Switch", ops::OpRegistrator::getInstance().find("if")->getOpDescriptor()->name());
  EXPECT_EQ("Switch", ops::OpRegistrator::getInstance().find("switch")->getOpDescriptor()->name());
}
