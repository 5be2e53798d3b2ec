// Arrays as text: as NumPy prints them, on streams, and options that are refused.
// Before NDArrayText.h, which then formats arrays for it.
#include <fmt/format.h>

#include <array/NDArrayFactory.h>
#include <array/NDArrayFile.h>
#include <array/NDArrayText.h>
#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>

#include "TestData.h"

using namespace sd;

namespace {

std::string textOf(const NDArray& characters) {
  std::string text;
  for (LongType i = 0; i < characters.lengthOf(); i++) text += static_cast<char>(characters.e<int>(i));
  return text;
}

}  // namespace

TEST(Print, AsNumPy) {
  const auto arrays = loadNpz((test::dataFolder() / "array" / "printing.npz").string());
  size_t count = 0;
  for (const auto& [name, x] : arrays) {
    if (name.substr(4) != "x") continue;
    SCOPED_TRACE(name);
    count++;
    EXPECT_EQ(nd::text(x), textOf(arrays.at(name.substr(0, 4) + "text")));
    nd::PrintOptions options;
    options.separator = ", ";
    options.precision = 4;
    // NumPy applies the precision to single numbers only here.
    if (x.rankOf() > 0) {
      EXPECT_EQ(nd::text(x, options), textOf(arrays.at(name.substr(0, 4) + "commas")));
    }
  }
  EXPECT_EQ(count * 3, arrays.size());
}

TEST(Print, Views) {
  NDArray x = NDArrayFactory::create<float>('c', {2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(nd::text(x.transpose()), "[[1. 4.]\n [2. 5.]\n [3. 6.]]");
  EXPECT_EQ(nd::text(x.dup('f')), nd::text(x));
  EXPECT_EQ(nd::text(x({0, 0, 1, 2})), "[2. 5.]");
}

TEST(Print, OtherTypes) {
  NDArray thirds('c', {3}, std::vector<double>{0.1, 1.0 / 3, 1}, BFLOAT16);
  EXPECT_EQ(nd::text(thirds), "[0.1   0.334 1.   ]");
  NDArray words = NDArrayFactory::string(std::vector<LongType>{2}, std::vector<std::string>{"a", "bcd"});
  EXPECT_EQ(nd::text(words), "[\"a\"   \"bcd\"]");
  EXPECT_EQ(nd::text(NDArray("one")), "\"one\"");
  EXPECT_EQ(nd::text(NDArray()), "[]");
}

TEST(Print, StreamsAndFormats) {
  const NDArray x = NDArrayFactory::create<int>('c', {2, 2}, {1, 2, 3, 10});
  std::ostringstream stream;
  stream << "x = " << x << ';';
  EXPECT_EQ(stream.str(), "x = [[ 1  2]\n [ 3 10]];");
  EXPECT_EQ(fmt::format("{}", x), "[[ 1  2]\n [ 3 10]]");
}

TEST(Print, Options) {
  const NDArray x = NDArrayFactory::create<double>('c', {2, 2}, {1, 2, 3, 4});
  nd::PrintOptions options;
  options.indent = 6;
  EXPECT_EQ(nd::text(x, options), "[[1. 2.]\n       [3. 4.]]");
  options = {};
  options.threshold = 3;
  options.edge = 1;
  NDArray line('c', {5}, INT32);
  EXPECT_EQ(nd::text(line, options), "[0 ... 0]");
  options.edge = std::numeric_limits<LongType>::max();
  EXPECT_EQ(nd::text(line, options), "[0 0 0 0 0]");
  options.edge = 1;
  options.width = 1;
  EXPECT_EQ(nd::text(line, options), "[0\n ...\n 0]");
  for (int wrong = 0; wrong < 5; wrong++) {
    nd::PrintOptions bad;
    if (wrong == 0) bad.precision = -1;
    if (wrong == 1) bad.threshold = -1;
    if (wrong == 2) bad.edge = 0;
    if (wrong == 3) bad.width = 0;
    if (wrong == 4) bad.indent = -1;
    EXPECT_THROW(nd::text(x, bad), std::invalid_argument) << wrong;
  }
}
