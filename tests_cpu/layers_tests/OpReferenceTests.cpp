// The contents of reference pages beyond the descriptors: documented lists, gradients, numbered twins.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <array/NDArray.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include "system/config.h"

namespace {

using namespace sd;
using ops::DeclarableOp;
using ops::OpRegistrator;

TEST(OpReference, ReadsEntries) {
  using Names = std::vector<std::string>;
  const struct {
    const char* line;
    Names names;
    bool optional, any;
    const char *text, *preset;
  } rows[] = {
      {"x: any shape", {"x"}, false, false, "any shape", ""},
      {"kH, kW: kernel sizes; <= 0: those of the weights",
       {"kH", "kW"},
       false,
       false,
       "kernel sizes; <= 0: those of the weights",
       ""},
      {"bias?: [oC]", {"bias"}, true, false, "[oC]", ""},
      {"x0, x1, …: one type", {"x0", "x1"}, false, true, "one type", ""},
      {"x_1, x_2, ...: any shapes", {"x_1", "x_2"}, false, true, "any shapes", ""},
      {"v_0, ..., v_n: values", {"v_0", "v_n"}, false, true, "values", ""},
      {"axes…?: axes", {"axes"}, true, true, "axes", ""},
      {"axes?...: axes", {"axes"}, true, true, "axes", ""},
      {"rows", {"rows"}, false, false, "", ""},
      {"count?", {"count"}, true, false, "", ""},
      {"a sentence (default 1)", {}, false, false, "a sentence (default 1)", ""},
      {"two words: text", {}, false, false, "two words: text", ""},
      {"no colon:text", {}, false, false, "no colon:text", ""},
      {"a?: negative ones count from the end (default 0)",
       {"a"},
       true,
       false,
       "negative ones count from the end (default 0)",
       "0"},
      {"a?: default 0.01", {"a"}, true, false, "default 0.01", "0.01"},
      {"a?: those of the sub-arrays, default all", {"a"}, true, false, "those of the sub-arrays, default all", "all"},
      {"a?: (default: no limit)", {"a"}, true, false, "(default: no limit)", "no limit"},
      {"a?: (default: ten, 1 for one; more)",
       {"a"},
       true,
       false,
       "(default: ten, 1 for one; more)",
       "ten, 1 for one; more"},
      {"a?: 0 NCHW (default), 1 NHWC", {"a"}, true, false, "0 NCHW (default), 1 NHWC", "0"},
      {"a?: 1 one, -99 'c' (default), -102 'f'", {"a"}, true, false, "1 one, -99 'c' (default), -102 'f'", "-99"},
      {"a: of the mask; 0 for the default one", {"a"}, false, false, "of the mask; 0 for the default one", ""},
      {"a: by default", {"a"}, false, false, "by default", ""},
      {"a: defaults", {"a"}, false, false, "defaults", ""},
      {": text", {}, false, false, ": text", ""},
      {"?: text", {}, false, false, "?: text", ""},
  };
  for (const auto& row : rows) {
    const auto entries = ops::documentedEntries(row.line);
    ASSERT_EQ(entries.size(), 1u) << row.line;
    EXPECT_EQ(entries[0].names, row.names) << row.line;
    EXPECT_EQ(entries[0].optional, row.optional) << row.line;
    EXPECT_EQ(entries[0].any, row.any) << row.line;
    EXPECT_EQ(entries[0].text, row.text) << row.line;
    EXPECT_EQ(entries[0].defaultValue, row.preset) << row.line;
  }
  EXPECT_TRUE(ops::documentedEntries("").empty());
  const auto lines = ops::documentedEntries("x: one\ny?: two");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1].names, Names{"y"});
}

DeclarableOp* op(const char* name) { return OpRegistrator::getInstance().find(name); }

std::string nameOf(const DeclarableOp* found) { return found == nullptr ? "" : found->getOpDescriptor()->name(); }

TEST(OpReference, FindsGradients) {
#ifndef SD_ALL_OPS
  GTEST_SKIP() << "operations that this test uses are not in this build";
#endif
  const struct {
    const char *name, *gradient;
  } rows[] = {
      {"add", "add_bp"},
      {"conv2d", "conv2d_bp"},
      {"hinge_loss", "hinge_loss_grad"},
      {"subtract", "subtract_bp"},
      {"lstmLayerCell", "lstmLayerCellBp"},
      {"MaxPool", "maxpool2d_bp"},
      {"argmax", ""},
      {"add_bp", ""},
      {"pairwise.Add", ""},
  };
  for (const auto& [name, gradient] : rows) {
    ASSERT_NE(op(name), nullptr) << name;
    EXPECT_EQ(nameOf(ops::gradientOf(*op(name))), gradient) << name;
    if (*gradient == '\0') continue;
    EXPECT_EQ(nameOf(ops::differentiatedBy(*op(gradient))), nameOf(op(name))) << gradient;
  }
  EXPECT_EQ(ops::differentiatedBy(*op("add")), nullptr);
  EXPECT_EQ(ops::differentiatedBy(*op("stop_gradient")), nullptr);
  // Each gradient refers to its operation and vice versa.
  int gradients = 0;
  for (const DeclarableOp* each : OpRegistrator::getInstance().operations()) {
    const DeclarableOp* gradient = ops::gradientOf(*each);
    if (gradient == nullptr) continue;
    EXPECT_EQ(ops::differentiatedBy(*gradient), each) << nameOf(each);
    gradients++;
  }
  EXPECT_GT(gradients, 100);
}

TEST(OpReference, FindsDerivatives) {
  const loops::NumberedOp* tanh = loops::findOp(loops::OpGroup::TransformStrict, "Tanh");
  const loops::NumberedOp* derivative = loops::findOp(loops::OpGroup::TransformStrict, "TanhDerivative");
  ASSERT_TRUE(tanh != nullptr && derivative != nullptr) << "this build has no Tanh or no TanhDerivative";
  EXPECT_EQ(ops::derivativeOf(*tanh), derivative);
  EXPECT_EQ(ops::derivedFrom(*derivative), tanh);
  EXPECT_EQ(ops::derivativeOf(*derivative), nullptr);
  EXPECT_EQ(ops::derivedFrom(*tanh), nullptr);
}

/// The first output of a call with these inputs; empty when the call fails.
std::vector<double> resultOf(DeclarableOp& called, const std::vector<NDArray*>& inputs) {
  // The cutoff of relu is the second operand of its twin.
  const std::vector<double> zeros(static_cast<size_t>(std::max(called.getOpDescriptor()->getNumberOfTArgs(), 0)));
  const auto results = called.evaluate(inputs, zeros, {});
  if (results.status() != Status::OK || results.size() == 0) return {};
  return results.at(0)->cast(DOUBLE).getBufferAsVector<double>();
}

// Operations that are listed as twins compute the same, for the types that both support.
TEST(OpReference, TwinsComputeTheSame) {
#if !defined(SD_ALL_OPS) || defined(SD_SELECTIVE_TYPES)
  GTEST_SKIP() << "operations or types that this test uses are not in this build";
#endif
  // These need arguments, or are random; log_poisson_loss has no twin, in spite of its name.
  const std::set<std::string> unchecked = {
      "dropout", "lin_space", "random_bernoulli", "random_normal", "random_exponential", "randomuniform", "clipbyvalue",
      "lrelu",   "elu"};
  EXPECT_TRUE(ops::numberedTwins(*op("log_poisson_loss")).empty());
  int checked = 0;
  for (DeclarableOp* custom : OpRegistrator::getInstance().operations()) {
    const std::string name = nameOf(custom);
    for (const loops::NumberedOp* twin : ops::numberedTwins(*custom)) {
      const auto back = ops::customTwins(*twin);
      EXPECT_NE(std::find(back.begin(), back.end(), custom), back.end()) << name;
      const std::string_view family = loops::familyName(twin->group);
      if (unchecked.count(name) != 0 || family == "broadcast") continue;  // broadcasts need dimensions
      const bool two =
          family == "pairwise" || (family == "scalar" && custom->getOpDescriptor()->getNumberOfInputs() == 2);
      bool ran = false;
      for (const DataType type : {DOUBLE, INT32}) {
        NDArray x('c', {2, 3}, {1, 2, 3, 4, 7, 1}, type), y('c', {2, 3}, {3, 2, 1, 2, 2, 5}, type);
        NDArray rowOfTwo('c', {}, {2}, type), zero('c', {}, {0}, type);
        NDArray& second = family == "scalar" ? (two ? rowOfTwo : zero) : y;
        const std::vector<NDArray*> one{&x}, both{&x, &second};
        const auto expected =
            resultOf(*op(loops::qualifiedName(*twin).c_str()), family == "scalar" || two ? both : one);
        const auto found = resultOf(*custom, two ? both : one);
        if (expected.empty() || found.empty()) continue;
        ran = true;
        ASSERT_EQ(found.size(), expected.size()) << name << " " << twin->name;
        for (size_t i = 0; i < found.size(); i++)
          EXPECT_NEAR(found[i], expected[i], 1e-12 * std::max(1., std::fabs(expected[i])))
              << name << " " << loops::qualifiedName(*twin) << " at " << i;
      }
      EXPECT_TRUE(ran) << name << " and " << loops::qualifiedName(*twin) << " have no type in common";
      checked++;
    }
  }
  EXPECT_GT(checked, 70);
}

}  // namespace
