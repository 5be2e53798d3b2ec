// Calls that boolean operations and choices must reject.
#include <ops/declarable/headers/boolean.h>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsBooleanReject, Questions) {
  const std::vector<Rejection> table = {
      {"an empty array", {In(FLOAT32, {0}), In(FLOAT32, {})}, {}, refusal::Argument, "input 0 'x'"},
      {"an empty second array", {In(FLOAT32, {}), In(FLOAT32, {0})}, {}, refusal::Argument, "input 1 'y'"},
      {"strings", {In(UTF8, {}), In(UTF8, {})}, {}, refusal::Validation, "input 0"},
      {"one input", {In(FLOAT32, {})}, {}, refusal::Runtime, "input 1 is missing"},
  };
  for (const char* name : {"eq_scalar", "neq_scalar", "lt_scalar", "lte_scalar", "gt_scalar", "gte_scalar"})
    checkRejections(name, table);
  for (const char* name : {"is_non_decreasing", "is_strictly_increasing"})
    checkRejections(name, {{"strings", {In(UTF8, {2})}, {}, refusal::Validation, "input 0"}});
}

TEST(OpsBooleanReject, Verify) {
  ops::eq_scalar equal;
  EXPECT_THROW(equal.verify({}), std::runtime_error);
}

TEST(OpsBooleanReject, BooleanNot) {
  checkRejections("boolean_not", {{"floats", {In(FLOAT32, {2})}, {}, refusal::Validation, "input 0"}});
}

TEST(OpsBooleanReject, Choices) {
  const std::vector<Rejection> table = {
      {"two shapes", {In(BOOL, {2}), In(FLOAT32, {2, 3}), In(FLOAT32, {3, 2})}, {}, refusal::Argument, "[3, 2]"},
      {"a condition that does not fit",
       {In(BOOL, {3}), In(FLOAT32, {2, 3}), In(FLOAT32, {2, 3})},
       {},
       refusal::Argument,
       "shape [3]"},
      {"a condition for a scalar",
       {In(BOOL, {3}), In(FLOAT32, {}), In(FLOAT32, {})},
       {},
       refusal::Argument,
       "shape [3]"},
  };
  checkRejections("select", table);
  checkRejections("Where", table);
  checkRejections("select", {{"a condition of numbers",
                              {In(INT8, {2}), In(FLOAT32, {2}), In(FLOAT32, {2})},
                              {},
                              refusal::Validation,
                              "input 0"}});
  checkRejections("Where", {{"two inputs", {In(BOOL, {2}), In(FLOAT32, {2})}, {}, refusal::Argument, "2 inputs"}});
}

TEST(OpsBooleanReject, WhereNp) {
  checkRejections("where_np", {
                                  {"two inputs", {In(BOOL, {2}), In(FLOAT32, {2})}, {}, refusal::Argument, "2 inputs"},
                                  {"four inputs",
                                   {In(BOOL, {2}), In(FLOAT32, {2}), In(FLOAT32, {2}), In(FLOAT32, {2})},
                                   {},
                                   refusal::Argument,
                                   "4 inputs"},
                                  {"a condition of numbers", {In(INT8, {2})}, {}, refusal::Validation, "input 0"},
                                  {"too few values",
                                   {In(BOOL, {3}, {1, 1, 1}), In(FLOAT32, {3}), In(FLOAT32, {2})},
                                   {},
                                   refusal::Argument,
                                   "2 elements are given for 3"},
                                  {"slices that do not fit",
                                   {In(BOOL, {3}), In(FLOAT32, {2, 3}), In(FLOAT32, {2, 3})},
                                   {},
                                   refusal::Argument,
                                   "shape [3]"},
                              });
}

TEST(OpsBooleanReject, Choose) {
  checkRejections(
      "choose",
      {
          {"no mode", {In(FLOAT32, {2})}, {.t = {1}}, refusal::Validation, "integer arguments"},
          {"an unknown mode", {In(FLOAT32, {2})}, {.t = {1}, .i = {16}}, refusal::Argument, "16"},
          {"a negative mode", {In(FLOAT32, {2})}, {.t = {1}, .i = {-1}}, refusal::Argument, "-1"},
          {"nothing to compare with", {In(FLOAT32, {2})}, {.i = {2}}, refusal::Argument, "argument 'value' is missing"},
          {"two shapes", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {.i = {2}}, refusal::Argument, "[3]"},
          {"integers", {In(INT32, {2})}, {.t = {1}, .i = {2}}, refusal::Validation, "input 0"},
      });
}
