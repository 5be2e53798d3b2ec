// What the body of an operation finds in its context when the call brought arrays and no variable space.
#include <array/NDArrayList.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <atomic>
#include <functional>
#include <thread>

#include "Messages.h"

namespace {

using Body = std::function<sd::Status(sd::graph::Context&)>;
thread_local Body body;
thread_local Body shapeBody;

}  // namespace

namespace sd::ops {

// Runs `body`, which tests that call all operations do not set; one result like input 0, none without inputs.
DECLARE_CUSTOM_OP(t_body, -2, -1, false, 0, -2)
CUSTOM_OP_IMPL(t_body, -2, -1, false, 0, -2) { return body ? body(block) : Status::BAD_INPUT; }
DECLARE_SHAPE_FN(t_body) {
  if (shapeBody) shapeBody(block);
  auto shapes = SHAPELIST();
  if (inputShape->size() > 0)
    shapes->push_back(ConstantShapeHelper::getInstance().createShapeInfo(ArrayOptions::dataType(inputShape->at(0)),
                                                                         inputShape->at(0)));
  return shapes;
}
DECLARE_TYPES(t_body) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY); }

DECLARE_OP(t_body_in_place, 1, 1, true)
OP_IMPL(t_body_in_place, 1, 1, true) { return body ? body(block) : Status::BAD_INPUT; }
DECLARE_TYPES(t_body_in_place) { getOpDescriptor()->setAllowedInputTypes(ANY)->setSameMode(true); }

}  // namespace sd::ops

namespace sd {
namespace {

using graph::Context;
using graph::Variable;
using graph::VariableSpace;
using nd_test::errorOf;

NDArray vector(const std::vector<double>& values) {
  return NDArray('c', {static_cast<LongType>(values.size())}, values, FLOAT32);
}

void expectValues(const NDArray* z, const std::vector<double>& expected, const std::string& what) {
  ASSERT_NE(z, nullptr) << what;
  ASSERT_EQ(z->lengthOf(), static_cast<LongType>(expected.size())) << what;
  for (size_t i = 0; i < expected.size(); i++) EXPECT_EQ(z->e<double>(static_cast<LongType>(i)), expected[i]) << what;
}

Status store(NDArray& z, const NDArray& x, const NDArray& y) {
  z.assign(x + y);
  return Status::OK;
}

/// x + y, to output 0.
Status write(Context& block, const NDArray& x, const NDArray& y) { return store(*block.fastpath_out()[0], x, y); }

struct Sum {
  const char* name;
  Body body;
};

const NDArray& arrayOf(const Variable* variable) { return *const_cast<Variable*>(variable)->getNDArray(); }

/// Bodies that compute x + y.
const Sum SUMS[] = {
    {"arrays", [](Context& b) { return write(b, *b.array(0), *b.array(1)); }},
    {"getVariable", [](Context& b) { return write(b, arrayOf(b.getVariable(0)), arrayOf(b.getVariable(1))); }},
    {"variable", [](Context& b) { return write(b, arrayOf(b.variable(0)), arrayOf(b.variable(1))); }},
    {"variable of a name",
     [](Context& b) {
       return write(b, arrayOf(b.variable(-1, 0)), arrayOf(b.variable({-2, 0})));
     }},
    {"the space",
     [](Context& b) {
       const VariableSpace& space = *b.getVariableSpace();
       return write(b, arrayOf(space.getVariable(-1)), arrayOf(space.getVariable(-2)));
     }},
    {"inputs",
     [](Context& b) {
       if (b.inputs()->size() != 2) return Status::BAD_INPUT;
       return write(b, arrayOf(b.variable(b.inputs()->at(0))), arrayOf(b.variable(*b.input(1))));
     }},
    {"the stash",
     [](Context& b) {
       b.getStash()->storeArray(b.nodeId(), "kept", new NDArray(*b.array(0)));
       if (!b.getStash()->checkStash(b.nodeId(), "kept")) return Status::BAD_INPUT;
       return write(b, *b.getStash()->extractArray(b.nodeId(), "kept"), *b.array(1));
     }},
    {"ensureVariable", [](Context& b) { return store(*b.ensureVariable(0)->getNDArray(), *b.array(0), *b.array(1)); }},
    {"the output's variable",
     [](Context& b) { return store(*b.variable(b.nodeId(), 0)->getNDArray(), *b.array(0), *b.array(1)); }},
    {"an array of the space",
     [](Context& b) {
       b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(*b.array(0) + *b.array(1)));
       return Status::OK;
     }},
    {"two arrays, one after the other",
     [](Context& b) {
       b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(*b.array(0)));
       std::pair<int, int> place(b.nodeId(), 0);
       b.pushNDArrayToVariableSpace(place, new NDArray(*b.array(0) + *b.array(1)));
       return Status::OK;
     }},
    {"an array of somebody else",
     [](Context& b) {
       static thread_local NDArray sum;
       sum = *b.array(0) + *b.array(1);
       b.pushNDArrayToVariableSpace(b.nodeId(), 0, &sum, false);
       return Status::OK;
     }},
    {"another array of the variable",
     [](Context& b) {
       Variable* z = b.ensureVariable(0);
       z->setNDArray(new NDArray(*b.array(0) + *b.array(1)));
       z->markRemovable(true);
       return Status::OK;
     }},
    {"an input that was replaced",
     [](Context& b) {
       b.pushNDArrayToVariableSpace(-2, 0, new NDArray(*b.array(1) * 1));
       return write(b, *b.array(0), *b.array(1));
     }},
    {"an input as it is, added later",
     [](Context& b) {
       NDArray* y = b.array(1);
       b.pushNDArrayToVariableSpace(b.nodeId(), 0, b.array(0));
       b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(*b.array(0) + *y));
       return Status::OK;
     }},
    {"a context within",
     [](Context& b) {
       Context inner(&b, b.getVariableSpace());
       return write(b, arrayOf(inner.getVariable(0)), *inner.array(1));
     }},
    {"a variable of its own",
     [](Context& b) {
       b.pushNDArrayToVariableSpace(77, 3, new NDArray(*b.array(0) + *b.array(1)));
       return store(*b.fastpath_out()[0], arrayOf(b.variable(77, 3)), *b.array(1) * 0);
     }},
};

TEST(OpsOwnSpace, BodiesOfEveryKind) {
  const std::vector<double> a{1, 2, 3}, b{10, 20, 30}, sum{11, 22, 33};
  for (const auto& [name, computes] : SUMS) {
    body = computes;
    NDArray x = vector(a), y = vector(b), z = vector({0, 0, 0});
    ops::t_body op;
    // The contexts of calls are used again.
    for (int run = 0; run < 3; run++) {
      const auto results = op.evaluate({&x, &y});
      ASSERT_EQ(results.status(), Status::OK) << name;
      ASSERT_EQ(results.size(), 1) << name;
      expectValues(results.at(0), sum, std::string(name) + ", evaluate");
      z.assign(0);
      ASSERT_EQ(op.execute({&x, &y}, {&z}), Status::OK) << name;
      expectValues(&z, sum, std::string(name) + ", execute");
      NDArray other = vector({5, 5, 5});
      expectValues(op.evaluate({&x, &other}).at(0), {6, 7, 8}, std::string(name) + ", other arrays");
    }
    Context context(4);
    context.setInputArray(0, &x);
    context.setInputArray(1, &y);
    z.assign(0);
    context.setOutputArray(0, &z);
    for (int run = 0; run < 2; run++) {
      ASSERT_EQ(op.execute(&context), Status::OK) << name;
      expectValues(&z, sum, std::string(name) + ", a context");
      z.assign(0);
    }
    Context bare(4);
    bare.setInputArray(0, new NDArray(x), true);
    bare.setInputArray(1, new NDArray(y), true);
    ASSERT_EQ(op.execute(&bare), Status::OK) << name;
    expectValues(bare.optionalOutput(0), sum, std::string(name) + ", an output that is made");
    expectValues(&x, a, std::string(name) + ", x");
    expectValues(&y, b, std::string(name) + ", y");
  }
}

TEST(OpsOwnSpace, NamesOfInputsAndOutputs) {
  NDArray x = vector({1}), y = vector({2}), z = vector({0}), w = vector({0});
  body = [&](Context& b) {
    const VariableSpace& space = *b.getVariableSpace();
    EXPECT_EQ(b.givenVariableSpace(), nullptr);
    EXPECT_EQ(b.getVariableSpace(), &space);
    EXPECT_EQ(b.width(), 2u);
    EXPECT_EQ(*b.inputs(), (std::vector<std::pair<int, int>>{{-1, 0}, {-2, 0}}));
    EXPECT_EQ(&arrayOf(b.getVariable(0)), &x);
    EXPECT_EQ(&arrayOf(b.getVariable(1)), &y);
    EXPECT_FALSE(b.getVariable(0)->isRemovable());
    EXPECT_EQ(b.getVariable(1)->id(), -2);
    EXPECT_TRUE(b.isValueAvailable(0));
    EXPECT_FALSE(b.isValueAvailable(7));
    EXPECT_FALSE(space.getVariable(b.nodeId(), 0)->isRemovable());
    EXPECT_EQ(space.getVariable(b.nodeId(), 0)->getNDArray(), b.fastpath_out()[0]);
    EXPECT_NE(space.flowPath(), nullptr);
    EXPECT_EQ("[t_body] input 2 is missing: 2 given", errorOf([&] { b.getVariable(2); }));
    EXPECT_THROW(b.variable(-3, 0), std::runtime_error);
    return Status::OK;
  };
  ops::t_body op;
  EXPECT_EQ(op.evaluate({&x, &y}).status(), Status::OK);
  EXPECT_EQ(op.execute({&x, &y}, {&z}), Status::OK);
  EXPECT_EQ(op.execute({&x, &y}, {&z, &w}), Status::OK);
  // A null input has a variable without an array.
  body = [&](Context& b) {
    EXPECT_EQ(b.inputs()->size(), 3u);
    EXPECT_FALSE(b.getVariable(1)->hasNDArray());
    EXPECT_EQ(&arrayOf(b.getVariable(2)), &y);
    return Status::OK;
  };
  Context context(1);
  context.fastpath_in() = {&x, nullptr, &y};
  EXPECT_EQ(body(context), Status::OK);
  // In shape functions there are no outputs yet.
  shapeBody = [&](Context& b) {
    EXPECT_EQ(&arrayOf(b.getVariable(0)), &x);
    EXPECT_FALSE(b.isValueAvailable());
    return Status::OK;
  };
  body = [&](Context& b) {
    EXPECT_TRUE(b.isValueAvailable());
    return Status::OK;
  };
  EXPECT_EQ(op.evaluate({&x, &y}).status(), Status::OK);
  shapeBody = nullptr;
}

TEST(OpsOwnSpace, ResultsOfEvaluate) {
  NDArray x = vector({1, 2, 3});
  const auto run = [&](const Body& each) {
    body = each;
    return ops::t_body().evaluate({&x});
  };
  // another shape and type than the shape function said
  const auto other = run([](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray('c', {2, 2}, {1, 2, 3, 4}, INT32));
    return Status::OK;
  });
  ASSERT_EQ(other.size(), 1);
  EXPECT_EQ(other.at(0)->dataType(), INT32);
  EXPECT_EQ(other.at(0)->rankOf(), 2);
  // more results than it said
  const auto more = run([](Context& b) {
    b.fastpath_out()[0]->assign(7);
    b.pushNDArrayToVariableSpace(b.nodeId(), 1, new NDArray(vector({8})));
    b.pushNDArrayToVariableSpace(b.nodeId(), 2, new NDArray(vector({9, 9})));
    b.pushNDArrayToVariableSpace(b.nodeId(), 4, new NDArray(vector({10})));
    b.ensureVariable(3);
    return Status::OK;
  });
  ASSERT_EQ(more.size(), 3);
  expectValues(more.at(0), {7, 7, 7}, "made");
  expectValues(more.at(1), {8}, "pushed");
  expectValues(more.at(2), {9, 9}, "pushed too");
  // an input
  const auto input = run([](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, b.array(0));
    return Status::OK;
  });
  EXPECT_NE(input.at(0), &x);
  expectValues(input.at(0), {1, 2, 3}, "a copy of the input");
  // OUTPUT_VARIABLE is what was pushed
  const auto read = run([](Context& b) {
    auto* z = new NDArray(vector({4, 5}));
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, z);
    EXPECT_EQ(b.variable(b.nodeId(), 0)->getNDArray(), z);
    z->assign(6);
    return Status::OK;
  });
  expectValues(read.at(0), {6, 6}, "changed later");
  // without inputs
  body = [](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(vector({3})));
    return Status::OK;
  };
  const auto alone = ops::t_body().evaluate(std::vector<NDArray*>{});
  ASSERT_EQ(alone.size(), 1);
  expectValues(alone.at(0), {3}, "no inputs");
}

TEST(OpsOwnSpace, ResultsOfExecute) {
  NDArray x = vector({1, 2, 3}), z = vector({0, 0, 0}), wide('c', {3}, {0, 0, 0}, DOUBLE);
  ops::t_body op;
  body = [](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray('c', {3}, {4, 5, 6}, INT32));
    return Status::OK;
  };
  ASSERT_EQ(op.execute({&x}, {&z}), Status::OK);
  expectValues(&z, {4, 5, 6}, "converted");
  ASSERT_EQ(op.execute({&x}, {&wide}), Status::OK);
  expectValues(&wide, {4, 5, 6}, "converted");
  EXPECT_EQ(wide.dataType(), DOUBLE);
  body = [](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(vector({4, 5})));
    return Status::OK;
  };
  EXPECT_EQ("[t_body] output 0: its shape is [3], but the operation returns shape [2]",
            errorOf([&] { op.execute({&x}, {&z}); }));
  // A call that fails leaves nothing for the next.
  Context context(1);
  context.setInputArray(0, &x);
  context.setOutputArray(0, &z);
  body = [](Context& b) {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, new NDArray(vector({7, 7, 7})));
    return Status::KERNEL_FAILURE;
  };
  EXPECT_EQ(op.execute(&context), Status::KERNEL_FAILURE);
  z.assign(1);
  body = [](Context&) { return Status::OK; };
  EXPECT_EQ(op.execute(&context), Status::OK);
  expectValues(&z, {1, 1, 1}, "not written");
}

TEST(OpsOwnSpace, ListsNeedASpaceThatIsGiven) {
  NDArray x = vector({1});
  body = [](Context& b) {
    auto* list = new NDArrayList(1);
    b.trackList(list);
    b.pushNDArrayListToVariableSpace(50, 0, list, false);
    EXPECT_EQ(b.variable(50, 0)->getNDArrayList(), list);
    b.pushNDArrayListToVariableSpace(b.nodeId(), 0, list, false);
    return Status::OK;
  };
  EXPECT_EQ("[t_body] context: output 0 is a list, but node 1 has no variable space to return it in",
            errorOf([&] { ops::t_body().evaluate({&x}); }));
}

TEST(OpsOwnSpace, CallsInPlace) {
  NDArray x = vector({1, 2});
  body = [&](Context& b) {
    EXPECT_EQ(&arrayOf(b.getVariable(0)), &x);
    b.getVariable(0)->getNDArray()->assign(5);
    b.pushNDArrayToVariableSpace(b.nodeId(), 3, new NDArray(vector({9})));
    b.pushNDArrayToVariableSpace(-1, 0, new NDArray(vector({9})));
    return Status::OK;
  };
  const auto results = ops::t_body_in_place().evaluate({&x}, {}, {}, {}, {}, true);
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results.at(0), &x);
  expectValues(&x, {5, 5}, "in place");
}

// ---- contexts

TEST(OpsOwnSpace, ContextsOfCallers) {
  NDArray x = vector({1}), y = vector({2}), w = vector({3}), z = vector({0});
  Context context(7);
  EXPECT_EQ(context.getVariableSpace(), nullptr);
  EXPECT_EQ("[context] node 7 has no variable space", errorOf([&] { context.getStash(); }));
  EXPECT_TRUE(context.inputs()->empty());
  context.setInputArray(0, &x);
  VariableSpace* space = context.getVariableSpace();
  ASSERT_NE(space, nullptr);
  Variable* first = context.getVariable(0);
  EXPECT_EQ(first->getNDArray(), &x);
  // Arrays that are set later are seen through the same space and variables.
  context.setInputArray(0, &y);
  EXPECT_EQ(first->getNDArray(), &y);
  context.setInputArray(1, &w);
  EXPECT_EQ(space->getVariable(-2)->getNDArray(), &w);
  EXPECT_EQ(context.inputs()->size(), 2u);
  context.setOutputArray(0, &z);
  EXPECT_EQ(space->getVariable(7, 0)->getNDArray(), &z);
  context.fastpath_in()[0] = &x;
  EXPECT_EQ(context.getVariable(0)->getNDArray(), &x);
  EXPECT_EQ(context.getVariableSpace(), space);
  context.setNodeId(8);
  EXPECT_EQ(context.variable(8, 0)->getNDArray(), &z);
  EXPECT_THROW(context.variable(7, 0), std::runtime_error);
  context.fastpath_in().resize(1);
  EXPECT_EQ(context.inputs()->size(), 1u);
  EXPECT_THROW(context.variable(-2, 0), std::runtime_error);
  // A space that is given is the one that is used.
  VariableSpace given;
  context.setVariableSpace(&given);
  EXPECT_EQ(context.getVariableSpace(), &given);
  EXPECT_EQ(context.givenVariableSpace(), &given);
  EXPECT_THROW(context.variable(-1, 0), std::runtime_error);
  context.setVariableSpace(nullptr);
  EXPECT_EQ(context.getVariableSpace(), space);
  context.clearArrays();
  EXPECT_EQ(context.getVariableSpace(), nullptr);
  EXPECT_TRUE(context.inputs()->empty());
  // Names of inputs that somebody listed stay.
  context.pickInput(4, 2);
  context.setInputArray(0, &x);
  EXPECT_EQ(*context.inputs(), (std::vector<std::pair<int, int>>{{4, 2}}));
}

TEST(OpsOwnSpace, OwnersOfArrays) {
  const auto buffer = std::make_shared<DataBuffer>(static_cast<size_t>(16), FLOAT32);
  const auto sharing = [&] { return new NDArray(buffer, 'c', {4}); };
  NDArray x = vector({1, 2, 3, 4}), y = vector({5, 6, 7, 8});
  const long alone = buffer.use_count();
  {
    Context context(1);
    context.setInputArray(0, &x);
    context.pushNDArrayToVariableSpace(60, 0, sharing());
    context.pushNDArrayToVariableSpace(-1, 0, sharing());
    EXPECT_EQ(buffer.use_count(), alone + 2);
    EXPECT_EQ(context.array(0), context.getVariable(0)->getNDArray());
    context.pushNDArrayToVariableSpace(-1, 0, context.array(0));
    context.setInputArray(0, &y);  // what was pushed in its place goes
    EXPECT_EQ(buffer.use_count(), alone + 1);
    EXPECT_EQ(context.getVariable(0)->getNDArray(), &y);
  }
  EXPECT_EQ(buffer.use_count(), alone);
  {
    NDArray* mine = sharing();
    Context context(1);
    context.setInputArray(0, &x);
    context.pushNDArrayToVariableSpace(61, 0, mine, false);
    context.pushNDArrayToVariableSpace(62, 0, &x);  // an input belongs to the caller
    context.clearArrays();
    EXPECT_EQ(buffer.use_count(), alone + 1);
    delete mine;
  }
  expectValues(&x, {1, 2, 3, 4}, "x");
  // Results belong to the set, whatever else is in the space.
  {
    body = [&](Context& b) {
      b.pushNDArrayToVariableSpace(b.nodeId(), 0, sharing());
      b.pushNDArrayToVariableSpace(b.nodeId(), 5, sharing());
      b.getStash()->storeArray(1, "kept", sharing());
      return Status::OK;
    };
    const auto results = ops::t_body().evaluate({&x});
    EXPECT_EQ(buffer.use_count(), alone + 1);
  }
  EXPECT_EQ(buffer.use_count(), alone);
  body = [&](Context& b) -> Status {
    b.pushNDArrayToVariableSpace(b.nodeId(), 0, sharing());
    throw std::runtime_error("stop");
  };
  EXPECT_THROW(ops::t_body().evaluate({&x}), std::runtime_error);
  EXPECT_EQ(buffer.use_count(), alone);
}

TEST(OpsOwnSpace, ThreadsHaveTheirOwn) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&wrong, t] {
      NDArray x = vector({1.0 * t, 2}), y = vector({3, 4.0 * t});
      for (int run = 0; run < 50; run++) {
        body = SUMS[static_cast<size_t>(run) % std::size(SUMS)].body;
        const auto results = ops::t_body().evaluate({&x, &y});
        if (results.at(0)->e<double>(0) != t + 3 || results.at(0)->e<double>(1) != 2 + 4 * t) wrong++;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace sd
