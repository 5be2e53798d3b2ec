// What a rejected or failed call of an operation reports and does: one message with the operation's name, no printed
// output, unchanged inputs and outputs.
#include <array/NDArrayFactory.h>
#include <array/NDArrayList.h>
#include <exceptions/allocation_exception.h>
#include <gtest/gtest.h>
#include <helpers/ShapeBuilders.h>
#include <legacy/NativeOps.h>
#include <ops/declarable/CustomOperations.h>

#include <new>
#include <set>

#include "NDArrayHelpers.h"

namespace sd::ops {

// Throws the exception that its integer argument selects.
DECLARE_CUSTOM_OP(test_throws, 1, 1, false, 0, 1)
CUSTOM_OP_IMPL(test_throws, 1, 1, false, 0, 1) {
  switch (INT_ARG(0)) {
    case 0:
      throw 7;
    case 1:
      throw std::bad_alloc();
    case 2:
      throw std::length_error("cannot create std::vector larger than max_size()");
    case 3:
      throw std::invalid_argument("[elsewhere] a bad argument");
    case 4:
      throw std::runtime_error("no brackets");
    default:
      throw std::out_of_range("[test_throws] named already");
  }
}
DECLARE_SHAPE_FN(test_throws) { return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(3, FLOAT32)); }
DECLARE_TYPES(test_throws) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY); }

// Two outputs with the shape of the input: its values, and twice its values.
DECLARE_CUSTOM_OP(test_twice, 1, 2, false, 0, 0)
CUSTOM_OP_IMPL(test_twice, 1, 2, false, 0, 0) {
  OUTPUT_VARIABLE(0)->assign(*INPUT_VARIABLE(0));
  OUTPUT_VARIABLE(1)->assign(*INPUT_VARIABLE(0) * 2);
  return Status::OK;
}
DECLARE_SHAPE_FN(test_twice) { return SHAPELIST(inputShape->at(0), inputShape->at(0)); }
DECLARE_TYPES(test_twice) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY); }

// Three strings.
DECLARE_CUSTOM_OP(test_strings, 1, 1, false, 0, 0)
CUSTOM_OP_IMPL(test_strings, 1, 1, false, 0, 0) {
  *OUTPUT_VARIABLE(0) = NDArrayFactory::string({3}, std::vector<std::string>{"one", "", "thirty-three"});
  return Status::OK;
}
DECLARE_SHAPE_FN(test_strings) { return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(3, UTF8)); }
DECLARE_TYPES(test_strings) { getOpDescriptor()->setAllowedInputTypes(ANY)->setAllowedOutputTypes(ANY); }

}  // namespace sd::ops

using namespace sd;
using graph::Context;
using nd_test::messageOf;

namespace {

NDArray numbers(const std::vector<LongType>& dims, DataType type = FLOAT32) {
  NDArray x = NDArrayFactory::create('c', dims, type);
  x.linspace(1);
  return x;
}

/// The message of the C interface after `call`.
template <typename F>
std::string storedBy(F&& call) {
  lastErrorMessage();  // this resets the code
  call();
  if (lastErrorCode() == 0) return "no error";
  return lastErrorMessage();
}

}  // namespace

TEST(CallFailures, WhatBodiesThrowNamesTheOperation) {
  NDArray x = numbers({2, 3}), z = numbers({3});
  ops::test_throws op;
  const auto call = [&](LongType which) { return [&, which] { op.execute({&x}, {&z}, {}, {which}); }; };
  EXPECT_EQ(messageOf<std::runtime_error>(call(0)), "[test_throws] threw an object that is not a std::exception");
  const std::string memory =
      "[test_throws] there is not enough memory to work on 9 elements (inputs: FLOAT32 [2, 3]; outputs: FLOAT32 [3])";
  EXPECT_EQ(messageOf<allocation_exception>(call(1)), memory);
  EXPECT_EQ(messageOf<allocation_exception>(call(2)), memory);
  EXPECT_EQ(messageOf<std::invalid_argument>(call(3)), "[test_throws] elsewhere: a bad argument");
  EXPECT_EQ(messageOf<std::runtime_error>(call(4)), "[test_throws] no brackets");
  EXPECT_EQ(messageOf<std::out_of_range>(call(5)), "[test_throws] named already");
}

TEST(CallFailures, ThroughTheCInterface) {
  NDArray x = numbers({2, 3});
  for (LongType which = 0; which <= 5; which++) {
    Context context(1);
    context.setInputArray(0, &x);
    context.setIArguments(&which, 1);
    const std::string message = storedBy([&] { execCustomOp2(nullptr, ops::test_throws().getOpHash(), &context); });
    EXPECT_EQ(message.rfind("[test_throws] ", 0), 0u) << message;
    EXPECT_EQ(message.find("std::vector"), std::string::npos) << message;
  }
}

// ---- evaluate

TEST(CallFailures, EmptyResultsSayWhy) {
  NDArray x = numbers({2, 3});
  const ResultSet results = ops::conv2d().evaluate({&x});
  EXPECT_EQ(results.status(), Status::VALIDATION);
  EXPECT_EQ(results.size(), 0);
  EXPECT_EQ(results.message(), "[conv2d] 9 integer arguments are needed, 0 given");
  EXPECT_EQ(messageOf<std::out_of_range>([&] { results.at(0); }), results.message());
  const ResultSet copy = results;
  EXPECT_EQ(copy.message(), results.message());

  const ResultSet good = ops::test_twice().evaluate({&x});
  EXPECT_EQ(good.message(), "");
  EXPECT_EQ(messageOf<std::out_of_range>([&] { good.at(2); }), "[ResultSet] result 2 does not exist: there are 2");
}

TEST(CallFailures, NothingIsPrinted) {
  NDArray x = numbers({2, 3});
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  ops::conv2d().evaluate({&x});
  EXPECT_EQ(testing::internal::GetCapturedStdout() + testing::internal::GetCapturedStderr(), "");
  Environment::getInstance().setVerbose(true);
  testing::internal::CaptureStderr();
  ops::conv2d().evaluate({&x});
  Environment::getInstance().setVerbose(false);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "[conv2d] 9 integer arguments are needed, 0 given\n");
}

// ---- inputs

TEST(CallFailures, NoOperationGetsANullInThePlaceOfAnInput) {
  NDArray x = numbers({3});
  std::set<std::string> tried;
  for (const LongType hash : ops::OpRegistrator::getInstance().getAllHashes()) {
    ops::DeclarableOp* op = ops::OpRegistrator::getInstance().getOperation(hash);
    const std::string& name = *op->getOpName();
    if (std::string(op->getOpDescriptor()->kind()) == "logic" || !tried.insert(name).second) continue;
    Context context(1);
    context.setInputArray(1, &x);
    context.setTArguments(std::vector<double>(9, 0.5));
    context.setIArguments(std::vector<LongType>(12, 1));
    EXPECT_EQ(op->execute(&context), Status::VALIDATION) << name;
    EXPECT_EQ(ops::DeclarableOp::lastValidationMessage(), "[" + name + "] input 0 is null");
  }
  EXPECT_GT(tried.size(), 500u);
}

TEST(CallFailures, OptionalInputsMayBeNullWhereTheOperationSaysSo) {
  NDArray indices('c', {2}, {0, 1}, INT32), on = NDArrayFactory::create(FLOAT32, 5.f), z('c', {2, 3}, FLOAT32);
  EXPECT_EQ(ops::onehot().execute({&indices, nullptr, &on}, {&z}, {}, {-1, 3}), Status::OK);
  EXPECT_EQ(z.e<float>(0, 0), 5);
  // A missing bias is allowed, but the gradient after it is invalid.
  NDArray x = numbers({1, 1, 3, 3}), w = numbers({2, 2, 1, 1}), gradX = x.dup(), gradW = w.dup();
  const std::vector<LongType> arguments{2, 2, 1, 1, 0, 0, 1, 1, 0, 0};
  const auto call = [&](const std::vector<NDArray*>& inputs) {
    return messageOf<std::exception>([&] {
      if (ops::conv2d_bp().execute(inputs, {&gradX, &gradW}, {}, arguments) != Status::OK)
        throw std::runtime_error(ops::DeclarableOp::lastValidationMessage());
    });
  };
  EXPECT_EQ(call({&x, nullptr, &x}), "[conv2d_bp] input 1 is null");
  EXPECT_NE(call({&x, &w, nullptr}), "nothing thrown");
  EXPECT_NE(call({&x, &w, nullptr, nullptr}), "nothing thrown");
}

TEST(CallFailures, NumberedOperationsGetNoNulls) {
  NDArray x = numbers({2, 3}), z = numbers({2, 3});
  ops::DeclarableOp* op = ops::OpRegistrator::getInstance().find("random.ProbablisticMerge");
  if (op == nullptr) GTEST_SKIP() << "it is not in this build";
  EXPECT_EQ(op->execute({&x, nullptr}, {&z}, {0.5}, {}), Status::VALIDATION);
  EXPECT_EQ(ops::DeclarableOp::lastValidationMessage(), "[random.ProbablisticMerge] input 1 is null");
}

// The work depends on the cells inside the image, however large the window is.
TEST(CallFailures, WindowsMayBeMuchLargerThanTheImage) {
  const NDArray x('c', {1, 1, 2, 3}, {1, 5, 2, 7, 3, 4}, FLOAT32);
  const LongType wide = 2147483647;
  NDArray image = x;
  const ResultSet pooled = ops::maxpool2d().evaluate({&image}, {}, {1, wide, 1, 1, 0, 0, 1, 1, 1});
  ASSERT_EQ(pooled.status(), Status::OK) << pooled.message();
  const float rows[] = {5, 5, 5, 7, 7, 7};
  for (LongType i = 0; i < 6; i++) EXPECT_EQ(pooled.at(0)->e<float>(i), rows[i]) << i;
}

// ---- shapeInfo from callers

TEST(CallFailures, ShapesThatContradictThemselvesAreRefusedAtTheDoor) {
  struct Row {
    LongType flags, order;
    const char* message;
  };
  const Row rows[] = {
      {ARRAY_FLOAT | ARRAY_EMPTY, 'c', "the shape [4] is marked as empty, but none of its dimensions is 0"},
      {ARRAY_FLOAT | ARRAY_DOUBLE, 'c', "the flags 24576 do not name exactly one element type"},
      {ARRAY_FLOAT | ARRAY_UNSIGNED, 'c', "the flags 8396800 do not name exactly one element type"},
      {ARRAY_FLOAT, 'x', "order 'x' is neither 'c' nor 'f'"},
      {ARRAY_FLOAT, 0, "order 0 is neither 'c' (99) nor 'f' (102)"},
      {ARRAY_FLOAT, 'c' + 256, "order 355 is neither 'c' (99) nor 'f' (102)"},
  };
  float x[4] = {1, 2, 3, 4}, z[4] = {};
  OpaqueDataBuffer *dbX = dbCreateExternalDataBuffer(4, FLOAT32, x, nullptr),
                   *dbZ = dbCreateExternalDataBuffer(4, FLOAT32, z, nullptr);
  const LongType good[] = {1, 4, 1, ARRAY_FLOAT, 1, 'c'};
  for (const Row& row : rows) {
    LongType info[] = {1, 4, 1, row.flags, 1, row.order};
    const auto expect = [&](const char* function, const std::string& message) {
      EXPECT_NE(message.find(row.message), std::string::npos) << function << ": " << message;
    };
    Context context(1);
    expect("setGraphContextInputArray",
           storedBy([&] { setGraphContextInputArray(&context, 0, x, info, nullptr, nullptr); }));
    expect("setGraphContextInputBuffer",
           storedBy([&] { setGraphContextInputBuffer(&context, 0, dbX, info, nullptr); }));
    expect("execTransformStrict", storedBy([&] {
             execTransformStrict(nullptr, transform::Tanh, dbX, info, nullptr, dbZ, good, nullptr, nullptr);
           }));
    expect("execScalar (z)", storedBy([&] {
             execScalar(nullptr, scalar::Add, dbX, good, nullptr, dbZ, info, nullptr, dbX, good, nullptr, nullptr);
           }));
    Pointer shapes[] = {info};
    expect("calculateOutputShapes", storedBy([&] {
             calculateOutputShapes(nullptr, ops::tanh().getOpHash(), shapes, 1, nullptr, 0, nullptr, 0);
           }));
    int dimension = 0;
    expect("tadOnlyShapeInfo", storedBy([&] { tadOnlyShapeInfo(info, &dimension, 1); }));
    expect("NDArray", messageOf<std::exception>([&] { NDArray(x, info); }));
    expect("NDArray of a shape", messageOf<std::exception>([&] { NDArray(info, true); }));
  }
  EXPECT_EQ(z[0], 0);
  deleteDataBuffer(dbX);
  deleteDataBuffer(dbZ);
}

// ---- outputs

TEST(CallFailures, OutputsAreCheckedBeforeOneIsWritten) {
  NDArray x = numbers({2, 3}), text = NDArrayFactory::string({2, 3}, std::vector<std::string>(6, "a"));
  float memory[6] = {-1, -1, -1, -1, -1, -1};
  LongType still[] = {2, 2, 3, 0, 1, ARRAY_FLOAT, 0, 'c'};
  NDArray first(memory, 'c', {2, 3}, FLOAT32), repeated(memory, still);
  NDArray other('c', {2, 3}, FLOAT32), wrong('c', {3, 2}, FLOAT32);
  ops::test_twice op;
  EXPECT_EQ(messageOf<std::runtime_error>([&] {
              op.execute({&x}, {&first, &repeated});
            }),
            "[test_twice] output 1: some of its elements share memory (shape [2, 3], strides [0, 1])");
  EXPECT_EQ(messageOf<std::runtime_error>([&] {
              op.execute({&x}, {&first, &text});
            }),
            "[test_twice] output 1: its type is UTF8, but the operation returns type FLOAT32");
  EXPECT_EQ(messageOf<std::runtime_error>([&] {
              op.execute({&x}, {&first, &wrong});
            }),
            "[test_twice] output 1: its shape is [3, 2], but the operation returns shape [2, 3]");
  const LongType crossing[] = {2, 2, 3, 1, 1, ARRAY_FLOAT, 0, 'c'};
  NDArray crossed(memory, crossing);
  EXPECT_EQ(messageOf<std::runtime_error>([&] {
              op.execute({&x}, {&other, &crossed});
            }),
            "[test_twice] output 1: some of its elements share memory (shape [2, 3], strides [1, 1])");
  EXPECT_EQ(other.e<float>(0), 0);
  for (const float value : memory) EXPECT_EQ(value, -1);
  EXPECT_EQ(messageOf<std::runtime_error>([&] { ops::tanh().execute({&repeated}, {}, {}, {}, {}, {}, true); }),
            "[tanh] output 0: some of its elements share memory (shape [2, 3], strides [0, 1])");
  EXPECT_EQ(op.execute({&x}, {&first, &other}), Status::OK);
  EXPECT_EQ(other.e<float>(1, 2), 12);
}

TEST(CallFailures, OutputsThatACallMadeStayInTheContext) {
  NDArray x = numbers({2, 3}), y = numbers({4});
  Context context(1);
  context.setInputArray(0, &x);
  ops::test_twice op;
  ASSERT_EQ(op.execute(&context), Status::OK);
  ASSERT_EQ(context.fastpath_out().size(), 2u);
  NDArray* first = context.fastpath_out()[0];
  EXPECT_EQ(context.fastpath_out()[1]->e<float>(1, 2), 12);
  // A call with equal shapes reuses the memory; others get new arrays.
  x += 1.f;
  ASSERT_EQ(op.execute(&context), Status::OK);
  EXPECT_EQ(context.fastpath_out()[0], first);
  EXPECT_EQ(first->e<float>(0), 2);
  context.setInputArray(0, &y);
  ASSERT_EQ(op.execute(&context), Status::OK);
  EXPECT_EQ(context.fastpath_out()[1]->lengthOf(), 4);
  EXPECT_EQ(context.fastpath_out()[1]->e<float>(3), 8);
  // An array that the caller gave is not replaced.
  NDArray given('c', {2, 3}, FLOAT32);
  context.setOutputArray(0, &given);
  EXPECT_EQ(messageOf<std::runtime_error>([&] { op.execute(&context); }),
            "[test_twice] output 0: its shape is [2, 3], but the operation returns shape [4]");
  // After a failure the context holds no outputs.
  Context failing(1);
  failing.setInputArray(0, &x);
  failing.setIArguments({4});
  EXPECT_THROW(ops::test_throws().execute(&failing), std::runtime_error);
  EXPECT_TRUE(failing.fastpath_out().empty());
}

TEST(CallFailures, StringsReachTheBufferOfTheCaller) {
  NDArray x = numbers({1});
  OpaqueDataBuffer* buffer = allocateDataBuffer(3, UTF8, false);
  LongType info[] = {1, 3, 1, ARRAY_UTF8, 1, 'c'};
  Context context(1);
  context.setInputArray(0, &x);
  setGraphContextOutputBuffer(&context, 0, buffer, info, nullptr);
  EXPECT_EQ(storedBy([&] { EXPECT_EQ(execCustomOp2(nullptr, ops::test_strings().getOpHash(), &context), Status::OK); }),
            "no error");
  const auto* offsets = static_cast<const LongType*>(dbPrimaryBuffer(buffer));
  EXPECT_EQ(std::vector<LongType>(offsets, offsets + 4), (std::vector<LongType>{0, 3, 3, 15}));
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(offsets + 4), 15), "onethirty-three");
  deleteDataBuffer(buffer);
  // Plain memory cannot hold strings.
  char memory[64] = {};
  EXPECT_EQ(storedBy([&] { setGraphContextOutputArray(&context, 0, memory, info, nullptr, nullptr); }),
            "[setOutputArray] strings cannot be written to a plain address: use a data buffer");
}

// ---- scalars: arrays of rank 0 with one element

TEST(CallFailures, ScalarsAreNotEmpty) {
  const auto of = [](double value) { return NDArrayFactory::create<double>(value); };
  NDArray x = of(2), gradient = of(3), a = of(5), b = of(7), slope = of(0.25), negative = of(-2);
  const ResultSet relu6 = ops::relu6_bp().evaluate({&x, &gradient}, {0.}, {});
  EXPECT_EQ(relu6.at(0)->e<double>(0), 3);
  const ResultSet merged = ops::mergemax_bp().evaluate({&a, &b, &gradient});
  EXPECT_EQ(merged.at(0)->e<double>(0), 0);
  EXPECT_EQ(merged.at(1)->e<double>(0), 3);
  NDArray yes(BOOL);
  yes.p(0, true);
  const ResultSet chosen = ops::where_np().evaluate({&yes, &a, &b});
  EXPECT_EQ(chosen.at(0)->e<double>(0), 7) << "a mask assigns y where it holds";
  EXPECT_EQ(NDArrayFactory::create('c', {}, FLOAT32).lengthOf(), 1);
  EXPECT_TRUE(NDArray('c', {}, FLOAT32).isEmpty());
  a.tileToShape({}, a);
  EXPECT_EQ(a.e<double>(0), 5);
}

// ---- arrays that operations must handle with care

TEST(CallFailures, StringsPassThrough) {
  NDArray texts = NDArrayFactory::string({3}, std::vector<std::string>{"one", "", "thirty-three"});
  NDArray values = numbers({2});
  const ResultSet same = ops::stop_gradient().evaluate({&texts});
  const ResultSet shown = ops::expose().evaluate({&values, &texts});
  ASSERT_EQ(shown.size(), 2);
  for (const NDArray* z : {same.at(0), shown.at(1)}) {
    EXPECT_EQ(z->e<std::string>(0), "one");
    EXPECT_EQ(z->e<std::string>(2), "thirty-three");
  }
}

TEST(CallFailures, AttentionWithoutFeaturesInHalfPrecision) {
  NDArray queries('c', {1, 0, 2}, HALF), w('c', {1, 1, 0}, HALF), values = numbers({1, 1, 2}, HALF);
  NDArray wv = numbers({1, 1, 1}, HALF), wo = numbers({1, 1}, HALF);
  const ResultSet results =
      ops::multi_head_dot_product_attention().evaluate({&queries, &queries, &values, &w, &w, &wv, &wo}, {}, {0, 1});
  // The keys do not differ: z is the mean of the values 1 and 2.
  for (int t = 0; t < 2; t++) {
    EXPECT_EQ(results.at(0)->e<double>(t), 1.5);
    EXPECT_EQ(results.at(1)->e<double>(t), 0.5);
  }
}
