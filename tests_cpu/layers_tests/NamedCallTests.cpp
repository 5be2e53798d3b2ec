// Calls with arguments by name: the functions of sd::nd, the contexts of the C interface, Context::setArgument.
#include <gtest/gtest.h>
#include <legacy/NativeOps.h>
#include <nd/nd.h>
#include <ops/declarable/CustomOperations.h>

#include <string>
#include <vector>

#include "NDArrayHelpers.h"

using namespace sd;
using nd_test::expectArray;

namespace {

/// 1, 2, … in this shape.
NDArray counted(const std::vector<LongType>& shape, DataType type = FLOAT32) {
  NDArray array('c', shape, type);
  for (LongType i = 0; i < array.lengthOf(); i++) array.p<LongType>(i, i + 1);
  return array;
}

template <typename F>
std::string refusal(F&& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST(NamedCalls, functions) {
  const NDArray image = counted({1, 1, 4, 4});
  expectArray(nd::maxpool2d(image, {.kernel = {2, 2}, .stride = {2, 2}}), {1, 1, 2, 2}, {6, 8, 14, 16});
  expectArray(nd::avgpool2d(image, {.kernel = {2, 2}, .stride = {2, 2}, .paddingMode = ops::args::PaddingMode::Same}),
              {1, 1, 2, 2}, {3.5, 5.5, 11.5, 13.5});
  const NDArray x = counted({2, 3});
  expectArray(nd::reduce_sum(x), {}, {21});
  expectArray(nd::reduce_sum(x, {.axis = {1}, .keepDims = true}), {2, 1}, {6, 15});
  const auto moments = nd::moments(x, {.axis = {-1}});
  expectArray(moments.mean, {2}, {2, 5});
  EXPECT_EQ(moments.variance.rankOf(), 1);
  expectArray(nd::strided_slice(x, {.begin = {0, 0}, .end = {2, 3}, .stride = {1, 2}}), {2, 2}, {1, 3, 4, 6});
}

TEST(NamedCalls, inputsThatGiveArguments) {
  const NDArray x = counted({2, 3});
  const NDArray axis('c', {1}, std::vector<double>{0}, INT32);
  expectArray(nd::reduce_sum(x, axis, {.keepDims = true}), {1, 3}, {5, 7, 9});
  // An input takes precedence over the member.
  expectArray(nd::reduce_sum(x, axis, {.axis = {1}}), {3}, {5, 7, 9});
}

TEST(NamedCalls, refusals) {
  const NDArray image = counted({1, 1, 4, 4});
  EXPECT_EQ(refusal([&] {
              nd::maxpool2d(image, {.kernel = {2, 2}, .stride = {0, 1}});
            }),
            "[maxpool2d] argument 'stride': 0 is outside 1..2147483647");
  EXPECT_EQ(refusal([&] {
              nd::maxpool2d(counted({4, 4}), {.kernel = {2, 2}});
            }),
            "[maxpool2d] input 0 'x': its rank is 2, not 4 (shape [4, 4])");
  EXPECT_EQ(refusal([&] {
              nd::maxpool2d(image, {.kernel = {2, 2}, .paddingMode = ops::args::PaddingMode::Causal});
            }),
            "[maxpool2d] argument 'padding_mode': 2 is none of given (0), same (1), same_lower (3)");
}

TEST(NamedCalls, contexts) {
  NDArray image = counted({1, 4, 4, 1});
  graph::Context block(1);
  block.setInputArray(0, &image);
  block.setArgument("kernel", {ops::ArgumentValue::Form::Integers, {2, 2}, {}, {}});
  block.setArgument("layout", {ops::ArgumentValue::Form::Name, {}, {}, "nhwc"});
  ops::maxpool2d op;
  ASSERT_EQ(Status::OK, op.execute(&block));
  expectArray(*block.optionalOutput(0), {1, 3, 3, 1}, {6, 7, 8, 10, 11, 12, 14, 15, 16});
  // The next call sees the change.
  block.clearNamedArguments();
  block.setArguments(ops::args::Pooling2d{.kernel = {4, 4}, .layout = ops::args::ImageLayout::NHWC});
  ASSERT_EQ(Status::OK, op.execute(&block));
  expectArray(*block.optionalOutput(0), {1, 1, 1, 1}, {16});
  // Positional arguments count again, and there are too few.
  block.clearNamedArguments();
  EXPECT_EQ(Status::VALIDATION, op.execute(&block));
  block.setArguments(ops::args::Reduction{});
  EXPECT_EQ(refusal([&] { op.execute(&block); }),
            "[maxpool2d] the arguments of the call are those of another operation");
}

TEST(NamedCalls, cInterface) {
  NDArray x = counted({2, 3}), z('c', {2, 1}, FLOAT32);
  const LongType hash = opHash("reduce_sum");
  EXPECT_EQ(hash, ops::reduce_sum().getOpHash());
  OpaqueContext* context = createGraphContext(1);
  setGraphContextInputArray(context, 0, x.buffer(), const_cast<LongType*>(x.shapeInfo()), nullptr, nullptr);
  setGraphContextOutputArray(context, 0, z.buffer(), const_cast<LongType*>(z.shapeInfo()), nullptr, nullptr);
  const LongType axis[] = {1};
  const bool keep[] = {true};
  setGraphContextArgumentIntegers(context, "axis", axis, 1);
  setGraphContextArgumentFlags(context, "keep_dims", keep, 1);
  EXPECT_EQ(Status::OK, execCustomOp2(nullptr, hash, context)) << lastErrorMessage();
  expectArray(z, {2, 1}, {6, 15});

  setGraphContextArgumentIntegers(context, "axes", axis, 1);
  EXPECT_NE(Status::OK, execCustomOp2(nullptr, hash, context));
  EXPECT_STREQ("[reduce_sum] there is no argument 'axes'; did you mean 'axis'?", lastErrorMessage());
  clearGraphContextArguments(context);
  setGraphContextArgumentNumbers(context, "axis", std::vector<double>{1}.data(), 1);
  EXPECT_NE(Status::OK, execCustomOp2(nullptr, hash, context));
  EXPECT_STREQ("[reduce_sum] argument 'axis' takes integers, not numbers", lastErrorMessage());
  deleteGraphContext(context);

  EXPECT_EQ(0, opHash("no_such_operation"));
  EXPECT_NE(0, lastErrorCode());
  EXPECT_EQ(static_cast<int>(FLOAT32), shapeInfoDataType(x.shapeInfo()));
  EXPECT_EQ(-1, shapeInfoDataType(nullptr));
  EXPECT_NE(0, lastErrorCode());
}
