// GradCheck distinguishes right gradients from wrong ones.
#include <array/NDArray.h>
#include <gtest/gtest.h>
#include <helpers/GradCheck.h>
#include <ops/declarable/CustomOperations.h>

#include <limits>

using namespace sd;

namespace {

struct GradCheckTest : ::testing::Test {
  NDArray x = NDArray('c', {2, 3}, {1, -2, 3, -4, 5, -6}, DOUBLE);
  NDArray y = NDArray('c', {3}, {2, 3, 4}, DOUBLE);
  NDArray eps = NDArray('c', {2, 3}, DOUBLE);
  OpArgsHolder forward{{&x, &y}};
  OpArgsHolder backward{{&x, &y, &eps}};
  ops::multiply multiply;
  ops::multiply_bp multiplyBp;
  ops::add_bp addBp;
};

TEST_F(GradCheckTest, RightGradients) {
  EXPECT_TRUE(GradCheck::checkGrad(multiply, multiplyBp, forward, backward));
  EXPECT_EQ(eps.e<double>(4), 1);
  EXPECT_TRUE(GradCheck::checkGrad(multiply, multiplyBp, forward, backward, {true, true}, {0, 1}, GradCheck::MEAN));
  EXPECT_DOUBLE_EQ(eps.e<double>(4), 1. / 6);
  EXPECT_EQ(x.e<double>(5), -6) << "the inputs are as before";
  EXPECT_EQ(y.e<double>(0), 2);
}

TEST_F(GradCheckTest, WrongGradients) {
  EXPECT_FALSE(GradCheck::checkGrad(multiply, addBp, forward, backward));
  EXPECT_EQ(x.e<double>(0), 1) << "the inputs are as before";
}

TEST_F(GradCheckTest, LeavesInputsAndElementsOut) {
  // The gradient of x + y with respect to x is right where y is 1.
  NDArray one('c', {3}, {2, 3, 1}, DOUBLE);
  OpArgsHolder call({&x, &one}), gradient({&x, &one, &eps});
  EXPECT_FALSE(GradCheck::checkGrad(multiply, addBp, call, gradient, {true, false}));
  EXPECT_TRUE(GradCheck::checkGrad(multiply, addBp, call, gradient, {false, false}));
  EXPECT_TRUE(GradCheck::checkGrad(multiply, addBp, call, gradient, {true, false}, {5. / 6, 1}));
  EXPECT_FALSE(GradCheck::checkGrad(multiply, addBp, call, gradient, {true, false}, {0, 0.5}));
}

TEST_F(GradCheckTest, BadCalls) {
  EXPECT_THROW(GradCheck::checkGrad(multiply, multiplyBp, backward, forward), std::runtime_error);
  EXPECT_THROW(GradCheck::checkGrad(multiply, multiplyBp, forward, backward, {}, {0.5, 2}), std::runtime_error);
  y.p(0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(GradCheck::checkGrad(multiply, multiplyBp, forward, backward), std::runtime_error);
}

}  // namespace
