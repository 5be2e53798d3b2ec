// Lists of operations for reduced builds.
#include <graph/GraphUtils.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

using namespace sd;
using graph::GraphUtils;
using ops::OpDescriptor;

TEST(GraphUtilsTests, FilterOperations) {
  std::vector<OpDescriptor> list = {OpDescriptor(1, "conv2d", false), OpDescriptor(2, 1, "add", true),
                                    OpDescriptor(1, "conv2d", false), OpDescriptor(2, 1, "add", false)};
  EXPECT_TRUE(GraphUtils::filterOperations(list));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(*list[0].getOpName(), "conv2d");
  EXPECT_EQ(*list[1].getOpName(), "add");
  EXPECT_TRUE(list[1].allowsInplace());  // the first of the two is kept
  EXPECT_FALSE(GraphUtils::filterOperations(list));
  EXPECT_EQ(list.size(), 2u);
  std::vector<OpDescriptor> none;
  EXPECT_FALSE(GraphUtils::filterOperations(none));
}

TEST(GraphUtilsTests, MakeCommandLine) {
  std::vector<OpDescriptor> list = {OpDescriptor(1, "conv2d", false), OpDescriptor(2, 1, "add", true)}, none;
  EXPECT_EQ(GraphUtils::makeCommandLine(list), " -g \"-DSD_OPS_LIST='-DOP_conv2d=true -DOP_add=true '\"");
  EXPECT_EQ(GraphUtils::makeCommandLine(none), "");
}

TEST(GraphUtilsTests, RunPreprocessor) {
  const std::string folder = testing::TempDir(), input = folder + "graph utils.in", output = folder + "graph utils.h";
  std::ofstream(input) << "#define DOUBLE(x) x + x\n// a comment\nDOUBLE(a);\n#if 0\nb;\n#endif\n";
  EXPECT_EQ(GraphUtils::runPreprocessor(input.c_str(), output.c_str()), 0);
  std::ifstream stream(output);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "a + a;\n");
  EXPECT_NE(GraphUtils::runPreprocessor((input + ".missing").c_str(), output.c_str()), 0);
  EXPECT_EQ(GraphUtils::runPreprocessor(nullptr, output.c_str()), -1);
  EXPECT_EQ(GraphUtils::runPreprocessor(input.c_str(), nullptr), -1);
  std::remove(input.c_str());
  std::remove(output.c_str());
}
