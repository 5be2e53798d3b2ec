// Calls that checks, shapes as arrays, quantised values, sparse arrays, beam searches, t-SNE steps and operations for
// testing calls must reject, and the effects of operations without results.
#include <ops/declarable/OpRegistrator.h>
#include <cmath>

#include "OpRejections.h"

namespace sd::optest {
namespace {

using refusal::Argument;
using refusal::OutOfRange;
using refusal::Runtime;
using refusal::Validation;

In f(Dims dims, std::vector<double> values = {}) { return In(FLOAT32, std::move(dims), std::move(values)); }
In i(Dims dims, std::vector<double> values = {}) { return In(INT32, std::move(dims), std::move(values)); }
const In WORD(UTF8, {}), WORDS(UTF8, {2});

TEST(OpsParityReject, Checks) {
  checkRejections("Assert", {{"false", {In(BOOL, {})}, {}, Argument, "input 0 'condition': it is false"},
                             {"0 in front", {f({2}, {0, 1})}, {}, Argument, "it is false"},
                             {"empty", {f({0})}, {}, Argument, "it is empty"},
                             {"strings", {WORD}, {}, Validation, "input 0"}});
  checkRejections("check_numerics", {{"NaN", {f({2}, {1, NAN}), WORD}, {}, Argument, "CheckNumerics: text"},
                                     {"infinity", {f({2}, {-INFINITY, 1}), WORD}, {}, Argument, "CheckNumerics: text"},
                                     {"NaN in place", {f({2}, {1, NAN}), WORD}, {}, Argument, "CheckNumerics", true},
                                     {"no message", {f({2})}, {}, Runtime, "1"},
                                     {"two messages", {f({2}), WORDS}, {}, Argument, "input 1 'message'"},
                                     {"a number as message", {f({2}), f({})}, {}, Validation, "input 1"},
                                     {"integers", {i({2}), WORD}, {}, Validation, "input 0"}});
}

TEST(OpsParityReject, ShapesAsArrays) {
  for (const char* name : {"broadcast_dynamic_shape", "broadcastgradientargs"})
    checkRejections(name, {{"shapes", {i({2}, {2, 3}), i({1}, {4})}, {}, Argument, "shapes [2, 3] and [4] do not"},
                           {"rank of x", {i({1, 2}, {2, 3}), i({1}, {1})}, {}, Argument, "input 0 'x': its rank is 2"},
                           {"rank of y", {i({1}, {1}), i({}, {3})}, {}, Argument, "input 1 'y': its rank is 0"},
                           {"a negative size", {i({1}, {1}), i({1}, {-3})}, {}, Argument, "size -3 is negative"},
                           {"floats", {f({1}), i({1})}, {}, Validation, "input 0"}});
  checkRejections("broadcast_dynamic_shape",
                  {{"types", {i({1}, {1}), In(INT64, {1}, {1})}, {}, Argument, "input 1 'y': its type is INT64"}});
}

TEST(OpsParityReject, Quantised) {
  const char* const single = "fake_quant_with_min_max_vars";
  const char* const channels = "fake_quant_with_min_max_vars_per_channel";
  checkRejections(
      single,
      {{"no range", {f({2})}, {}, Argument, "argument 'min' is missing"},
       {"half a range", {f({2})}, {.t = {1}}, Argument, "2 floating arguments, min and max, are needed, 1 given"},
       {"two inputs", {f({2}), f({})}, {}, Argument, "argument 'max' is missing"},
       {"a range of 0", {f({2})}, {.t = {1, 1}}, Argument, "'min' 1 is not below 'max' 1"},
       {"a range upside down", {f({2}), f({}, {2}), f({}, {1})}, {}, Argument, "'min' 2"},
       {"NaN", {f({2})}, {.t = {NAN, 1}}, Argument, "'min' nan"},
       {"a vector", {f({2}), f({2}), f({})}, {}, Argument, "input 1 'min'"},
       {"1 bit", {f({2})}, {.t = {0, 1}, .i = {1}}, Argument, "'num_bits': 1 is outside 2..16"},
       {"17 bits", {f({2})}, {.t = {0, 1}, .i = {17}}, Argument, "17 is outside"},
       {"integers", {i({2})}, {.t = {0, 1}}, Validation, "input 0"}});
  checkRejections(
      channels,
      {{"length", {f({2, 3}), f({2}, {0, 0}), f({3}, {1, 1, 1})}, {}, Argument, "input 1 'min': its shape is [2]"},
       {"rank", {f({2, 3}), f({3}), f({1, 3}, {1, 1, 1})}, {}, Argument, "input 2 'max': its rank is 2"},
       {"a channel upside down", {f({2, 2}), f({2}, {0, 3}), f({2}, {1, 2})}, {}, Argument, "'min' 3"},
       {"a scalar", {f({}), f({1}), f({1})}, {}, Argument, "a scalar has no channels"},
       {"no range", {f({2, 3})}, {.t = {0, 1}}, Argument, "1"},
       {"bits", {f({2}), f({2}), f({2}, {1, 1})}, {.i = {0}}, Argument, "'num_bits': 0"}});
}

TEST(OpsParityReject, SparseArraysAndStrings) {
  const In at = i({2, 2}, {0, 1, 2, 3}), shape = i({2}, {3, 4});
  checkRejections(
      "compat_sparse_to_dense",
      {{"an index outside", {i({1, 2}, {0, 4}), shape, f({1})}, {}, Argument, "value 4 at [0, 1] is outside 0..3"},
       {"a negative index", {i({1, 2}, {-1, 0}), shape, f({1})}, {}, Argument, "value -1 at [0, 0] is outside 0..2"},
       {"too few values", {at, shape, f({1})}, {}, Argument, "1 values for shape [3, 4] need [1, 2]"},
       {"a default of another type",
        {at, shape, f({2}), i({})},
        {},
        Argument,
        "input 3 'default_value': its type is INT32"},
       {"a default vector", {at, shape, f({2}), f({2})}, {}, Argument, "input 3 'default_value': one element"},
       {"a matrix of sizes",
        {at, i({2, 2}, {3, 4, 1, 1}), f({2})},
        {},
        Argument,
        "input 1 'shape': a vector is needed"},
       {"a negative size", {at, i({2}, {3, -4}), f({2})}, {}, Argument, "size -4 is negative"},
       {"indices that are no integers",
        {f({2, 2}, {0, NAN, 0, 0}), shape, f({2})},
        {},
        Argument,
        "input 0 'indices': value nan at [0, 1]"}});
  checkRejections("compat_string_split", {{"two delimiters", {WORDS, WORDS}, {}, Argument, "input 1 'delimiter'"},
                                          {"a number", {f({2}), WORD}, {}, Validation, "input 0"},
                                          {"a number to split at", {WORDS, f({})}, {}, Validation, "input 1"}});
  checkRejections("firas_sparse", {{"another column", {f({1, 2}, {3, 0})}, {.i = {2}}, OutOfRange, "3 at [0, 0]"},
                                   {"a vector", {f({4})}, {.i = {2}}, Argument, "its rank is 1, not 2"},
                                   {"no columns", {f({1, 2})}, {}, Validation, "1 integer"},
                                   {"integers", {i({1, 2})}, {.i = {2}}, Validation, "input 0"}});
}

TEST(OpsParityReject, DistancesAndDecoding) {
  checkRejections("knn_mindistance",
                  {{"lengths", {f({3}), f({3}), f({2})}, {}, Argument, "input 2 'highest': its shape is [2]"},
                   {"types", {f({3}), In(DOUBLE, {3}), f({3})}, {}, Argument, "input 1 'lowest': its type is DOUBLE"},
                   {"integers", {i({3}), i({3}), i({3})}, {}, Validation, "input 0"}});
  const In logits = f({2, 4, 3});
  checkRejections(
      "ctc_beam",
      {{"rank of the logits", {f({4, 3}), i({4})}, {}, Argument, "input 0 'logits': its rank is 2"},
       {"rank of the lengths", {logits, i({2, 1})}, {}, Argument, "input 1 'logit_lengths': its rank is 2"},
       {"batch", {logits, i({3})}, {}, Argument, "input 1 'logit_lengths': its shape is [3]"},
       {"more than the beam", {logits, i({2})}, {.i = {-1, 3, 4}}, Argument, "'top_paths': 4 is outside 1..3"},
       {"none", {logits, i({2})}, {.i = {-1, 3, 0}}, Argument, "'top_paths': 0 is outside"},
       {"no beam", {logits, i({2})}, {.i = {-1, 0, 1}}, Argument, "'beam_width': 0 is outside"},
       {"no classes", {f({2, 4, 0}), i({2})}, {}, Argument, "no classes"},
       {"a negative length", {logits, i({2}, {1, -1})}, {}, Argument, "value -1 at [1] is negative"},
       {"lengths of floats", {logits, f({2})}, {}, Validation, "input 1"}});
}

TEST(OpsParityReject, NeighbourGraphs) {
  checkRejections("barnes_gains",
                  {{"gradient", {f({2}), f({3}), f({2})}, {}, Argument, "input 1 'gradient': its shape is [3]"},
                   {"epsilon", {f({2}), f({2}), f({2, 1})}, {}, Argument, "input 2 'step'"},
                   {"BOOL", {In(BOOL, {2}), f({2}), f({2})}, {}, Validation, "input 0"}});
  const In rows = i({3}, {0, 1, 2}), cols = i({2}, {1, 0}), vals = f({2}), data = f({2, 3});
  checkRejections(
      "barnes_edge_forces",
      {{"rows of rank 2", {i({2, 2}), cols, vals, data}, {.i = {2}}, Argument, "input 0 'rows': its shape [2, 2]"},
       {"cols of rank 2", {rows, i({2, 2}), vals, data}, {.i = {2}}, Argument, "input 1 'cols': its shape [2, 2]"},
       {"types", {rows, cols, In(DOUBLE, {2}), data}, {.i = {2}}, Argument, "input 2 'vals': its type is DOUBLE"},
       {"data of rank 1", {rows, cols, vals, f({2})}, {.i = {2}}, Argument, "input 3 'data': its rank is 1"},
       {"too many points", {rows, cols, vals, data}, {.i = {3}}, Argument, "'num_rows': 3 exceeds the 2 points"},
       {"too few rows", {i({2}), cols, vals, data}, {.i = {2}}, Argument, "input 0 'rows': it has 2 elements"},
       {"rows outside", {i({3}, {0, 1, 5}), cols, vals, data}, {.i = {2}}, Argument, "value 5 at [2] is outside 1..2"},
       {"rows that fall", {i({3}, {0, 2, 1}), cols, vals, data}, {.i = {2}}, Argument, "value 1 at [2] is outside"},
       {"a point outside", {rows, i({2}, {1, 2}), vals, data}, {.i = {2}}, Argument, "value 2 at [1] is outside 0..1"},
       {"a negative point", {rows, i({2}, {-1, 0}), vals, data}, {.i = {2}}, Argument, "value -1 at [0]"},
       {"no N", {rows, cols, vals, data}, {}, Validation, "1 integer"}});
  checkRejections(
      "barnes_symmetrized",
      {{"no entries", {i({3}), i({0}), f({0})}, {.i = {2}}, Runtime, "has no entries"},
       {"a column outside", {rows, i({2}, {1, 2}), vals}, {.i = {2}}, Argument, "value 2 at [1] is outside 0..1"},
       {"too few rows", {i({2}), cols, vals}, {.i = {2}}, Argument, "input 0 'rows'"},
       {"no N", {rows, cols, vals}, {}, Validation, "1 integer"}});
  checkRejections("cell_contains",
                  {{"short", {f({2}), f({1}), f({2})}, {.i = {2}}, Argument, "input 1 'width': its shape is [1]"},
                   {"negative", {f({2}), f({2}), f({2})}, {.i = {-1}}, Argument, "'num_dimensions': -1 is outside"},
                   {"no dimension", {f({2}), f({2}), f({2})}, {}, Validation, "1 integer"}});
}

TEST(OpsParityReject, ImageResize) {
  const In image = f({1, 4, 5, 2}), size = i({2}, {3, 3});
  checkRejections(
      "image_resize",
      {{"method", {image, size}, {.i = {8}}, Argument, "'method': 8 is none of"},
       {"coordinates", {image, size}, {.i = {1, 3}}, Argument, "'coordinates': 3 is none of"},
       {"rounding", {image, size}, {.i = {1, 2, 4}}, Argument, "'rounding': 4 is none of"},
       {"coordinates of bilinear",
        {image, size},
        {.i = {0, 0}},
        Argument,
        "method bilinear needs coordinates half_pixel"},
       {"pixels outside of area", {image, size}, {.i = {3}, .b = {false, false, false}}, Argument, "method area"},
       {"antialias of bicubic",
        {image, size},
        {.i = {2, 0}, .b = {false, true}},
        Argument,
        "method bicubic with antialias"},
       {"size of 3", {image, i({3}, {3, 3, 3})}, {}, Argument, "input 1 'size': it has 3 elements, not 2"},
       {"size 0", {image, i({2}, {3, 0})}, {}, Argument, "input 1 'size': value 0 at [1]"},
       {"rank", {f({4, 5}), size}, {}, Argument, "its rank is 2, not in 3..4"},
       {"an empty image", {f({1, 0, 5, 2}), size}, {}, Argument, "the image is empty"},
       {"no size", {image}, {}, Argument, "argument 'size' is missing"},
       {"a size that is no integer",
        {image, f({2}, {3, INFINITY})},
        {},
        Argument,
        "input 1 'size': value inf at [1]"}});
}

TEST(OpsParityReject, Diagnostics) {
  checkRejections("testcustom", {{"no arguments", {f({2})}, {}, Validation, "1 integer"}});
  Rejection axis{"an axis outside", {f({2})}, {.i = {3}}, Argument, "argument 'axis': 3 is outside -1..0"};
  checkRejections("testreduction", {{"no arguments", {f({2})}, {}, Validation, "1 integer"}, axis});
  checkRejections("test_scalar", {{"empty", {f({0})}, {}, Argument, "input 0 'x': it is empty"},
                                  {"strings", {WORD}, {}, Validation, "input 0"}});
  checkRejections("testop2i2o", {{"one input", {f({2})}, {}, Runtime, "input 1"},
                                 {"BOOL", {In(BOOL, {2}), f({2})}, {}, Validation, "input 0"}});
  checkRejections("test_output_reshape", {{"strings", {WORD}, {}, Validation, "input 0"}});
  for (const char* name : {"print_variable", "print_affinity"})
    checkRejections(name, {{"a number as message", {f({2}), f({})}, {}, Argument, "input 1 'message': its type"},
                           {"two messages", {f({2}), WORDS}, {}, Argument, "input 1 'message': one element"}});
  for (const char* name : {"rint", "square"})
    checkRejections(name,
                    {{"BOOL", {In(BOOL, {2})}, {}, Validation, "input 0"}, {"strings", {WORD}, {}, Validation, ""}});
}

// ---- operations whose outputs hold no results

ops::DeclarableOp* named(const char* name) { return ops::OpRegistrator::getInstance().find(name); }

TEST(OpsDiagnostics, WhatIsNotWrittenIsZeroOrStays) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  const NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  NDArray input(x);
  const auto check = [&](const char* name, std::vector<LongType> integers, const NDArray& expected) {
    SCOPED_TRACE(name);
    ops::DeclarableOp* op = named(name);
    ASSERT_NE(op, nullptr);
    auto result = op->evaluate({&input}, {}, integers);
    ASSERT_EQ(result.status(), Status::OK);
    ASSERT_EQ(result.size(), 1);
    EXPECT_EQ(difference(*result.at(0), expected, expected.dataType(), 0), std::nullopt);
    NDArray given = expected.ulike();
    given.assign(7);
    NDArray seven(given);
    ASSERT_EQ(op->execute({&input}, {&given}, {}, integers, {}), Status::OK);
    EXPECT_EQ(difference(given, seven, seven.dataType(), 0), std::nullopt);
    EXPECT_EQ(difference(input, x, FLOAT32, 0), std::nullopt);
    noteTested(std::string("values ") + name + " FLOAT");
  };
  check("noop", {}, NDArray('c', {2, 3}, FLOAT32));
  check("Assert", {}, NDArray('c', {2, 3}, FLOAT32));
  check("testcustom", {1}, NDArray('c', {4, 6}, FLOAT32));
  check("testreduction", {1}, NDArray('c', {2}, FLOAT32));
  check("testreduction", {DataTypeUtils::max<int>()}, NDArray(FLOAT32));
  testing::internal::CaptureStdout();
  check("print_variable", {}, NDArray(INT32));
  check("print_affinity", {}, NDArray(INT32));
  EXPECT_NE(testing::internal::GetCapturedStdout().find("length: 24 bytes"), std::string::npos);
}

TEST(OpsDiagnostics, ManyOrNoInputs) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  ops::DeclarableOp& op = *named("noop");
  NDArray x('c', {2}, FLOAT32), y('c', {3, 1}, INT64);
  EXPECT_EQ(op.evaluate({&x, &y}).size(), 2);
  auto none = op.evaluate(std::vector<NDArray*>{});
  EXPECT_EQ(none.status(), Status::OK);
  EXPECT_EQ(none.size(), 0);
  EXPECT_EQ(op.evaluate({&x, &y}, {}, {}, {}, {}, true).status(), Status::OK);
}

TEST(OpsDiagnostics, PrintsTheMessageInFront) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  NDArray x('c', {2}, {1.5, 2.5}, FLOAT32), message(std::string("weights"), UTF8);
  ops::DeclarableOp& op = *named("print_variable");
  testing::internal::CaptureStdout();
  const Status status = op.evaluate({&x, &message}).status();
  const Status inPlace = op.evaluate({&x}, {}, {}, {}, {}, true).status();
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, Status::OK);
  EXPECT_EQ(inPlace, Status::OK);
  EXPECT_EQ(printed.find("weights"), 0u) << printed;
  EXPECT_NE(printed.find("2.5"), std::string::npos) << printed;
}

TEST(OpsDiagnostics, OutputBecomesAVector) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  for (DataType type : {FLOAT32, INT64}) {
    NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, type);
    ops::DeclarableOp& op = *named("test_output_reshape");
    auto result = op.evaluate({&x});
    ASSERT_EQ(result.status(), Status::OK);
    EXPECT_EQ(difference(*result.at(0), NDArray('c', {6}, {1, 2, 3, 4, 5, 6}, type), type, 0), std::nullopt);
    EXPECT_EQ(x.rankOf(), 2);
    ASSERT_EQ(op.evaluate({&x}, {}, {}, {}, {}, true).status(), Status::OK);
    EXPECT_EQ(x.rankOf(), 1);
    noteTested("values test_output_reshape " + DataTypeUtils::asString(type));
  }
}

TEST(OpsDiagnostics, InvokeDoesNotRun) {
#if !defined(SD_ALL_OPS)
  GTEST_SKIP() << "operations are left out of this build";
#endif
  NDArray x('c', {2}, FLOAT32);
  ops::DeclarableOp& op = *named("invoke");
  EXPECT_EQ(op.evaluate({&x, &x}).status(), Status::VALIDATION);
}

}  // namespace
}  // namespace sd::optest
