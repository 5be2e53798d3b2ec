// Operations and platform helpers that a program defines beside those of the library that it uses.
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>

#include <string>

using namespace sd;

namespace sd::ops {

// The body decides that the second of two declared inputs is optional.
DECLARE_CUSTOM_OP(second_is_optional, 2, 1, false, 0, 0)
CUSTOM_OP_IMPL(second_is_optional, 2, 1, false, 0, 0) {
  OUTPUT_VARIABLE(0)->p(0, block.optionalArray(1) == nullptr ? 1.0 : 2.0);
  return Status::OK;
}
DECLARE_SHAPE_FN(second_is_optional) {
  return SHAPELIST(ConstantShapeHelper::getInstance().vectorShapeInfo(1, DOUBLE));
}
DECLARE_TYPES(second_is_optional) { getOpDescriptor()->setAllowedInputTypes(sd::DataType::ANY); }

// The library has an operation of this name with a helper, which libnd4j does not have.
DECLARE_OP(addmm, 1, 1, true)
OP_IMPL(addmm, 1, 1, true) {
  OUTPUT_VARIABLE(0)->assign(5.0);
  return Status::OK;
}
DECLARE_TYPES(addmm) { getOpDescriptor()->setAllowedInputTypes(sd::DataType::ANY)->setSameMode(true); }

namespace platforms {

DECLARE_PLATFORM(conv2d, ENGINE_CPU);
PLATFORM_IMPL(conv2d, ENGINE_CPU) {
  getZ(block)->assign(-1.0);
  return Status::OK;
}
PLATFORM_CHECK(conv2d, ENGINE_CPU) { return block.width() == 2 && INPUT_VARIABLE(0)->dataType() == FLOAT32; }

/// As a program that registers it while it runs.
class HelperOfMatmul final : public PlatformHelper {
 public:
  HelperOfMatmul() : PlatformHelper("matmul", samediff::ENGINE_CPU) {}
  bool isUsable(graph::Context&) override { return true; }
  Status invokeHelper(graph::Context& block) override {
    getZ(block)->assign(-2.0);
    return Status::OK;
  }
};

}  // namespace platforms
}  // namespace sd::ops

TEST(ProgramOperations, BodiesSeeNullInputs) {
  NDArray x('c', {3}, DOUBLE), z('c', {1}, DOUBLE);
  ops::second_is_optional op;
  ASSERT_EQ(Status::OK, op.execute({&x, nullptr}, {&z}));
  EXPECT_EQ(1, z.e<double>(0));
  ASSERT_EQ(Status::OK, op.execute({&x, &x}, {&z}));
  EXPECT_EQ(2, z.e<double>(0));
  EXPECT_EQ(Status::VALIDATION, op.execute({nullptr, &x}, {&z}));
  ops::add add;
  EXPECT_EQ(Status::VALIDATION, add.execute({&x, nullptr}, {&x}));
}

TEST(ProgramOperations, HelpersOfTheLibraryDoNotRunForAClassOfTheSameName) {
  NDArray x('c', {2}, {1, 2}, FLOAT32);
  ops::addmm op;
  ResultSet z = op.evaluate({&x});
  ASSERT_EQ(Status::OK, z.status());
  EXPECT_EQ(5.f, z.at(0)->e<float>(1));
}

TEST(ProgramOperations, AHelperReplacesTheLibrarys) {
  NDArray x('c', {1, 1, 2, 2}, {1, 2, 3, 4}, FLOAT32), w('c', {1, 1, 1, 1}, {2}, FLOAT32);
  ops::conv2d conv2d;
  EXPECT_EQ(-1.f, conv2d.evaluate({&x, &w}, {1, 1, 1, 1, 0, 0, 1, 1, 0}).at(0)->e<float>(3));
  NDArray doubles = x.cast(DOUBLE), weights = w.cast(DOUBLE);
  EXPECT_EQ(8.0, conv2d.evaluate({&doubles, &weights}, {1, 1, 1, 1, 0, 0, 1, 1, 0}).at(0)->e<double>(3));

  NDArray a('c', {1, 1}, {2}, FLOAT32);
  ops::matmul matmul;
  EXPECT_EQ(4.f, matmul.evaluate({&a, &a}).at(0)->e<float>(0));
  auto& registry = ops::OpRegistrator::getInstance();
  EXPECT_TRUE(registry.registerHelper(new ops::platforms::HelperOfMatmul));
  EXPECT_EQ(-2.f, matmul.evaluate({&a, &a}).at(0)->e<float>(0));
  try {
    registry.registerHelper(new ops::platforms::HelperOfMatmul);
    ADD_FAILURE() << "the program registered its helper twice";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string("[registerHelper] operation 'matmul' already has a helper for engine 0"), error.what());
  }
}
