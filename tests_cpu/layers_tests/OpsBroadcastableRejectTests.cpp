// Calls that broadcast operations must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const std::vector<Rejection> SHAPES = {
    {"shapes that do not broadcast", {In(FLOAT32, {2, 3}), In(FLOAT32, {2, 2})}, {}, refusal::Argument, "[2, 3]"},
    {"a 0 against 2", {In(FLOAT32, {0, 3}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[0, 3]"},
    {"one input", {In(FLOAT32, {2, 3})}, {}, refusal::Runtime, "input 1 is missing"},
    {"no input", {}, {}, refusal::Validation, "no inputs"},
    {"an output of another shape",
     {In(FLOAT32, {2}), In(FLOAT32, {2})},
     {},
     refusal::Runtime,
     "[3]",
     false,
     std::vector<In>{In(FLOAT32, {3})}},
    {"in place, the result larger than x",
     {In(FLOAT32, {3}), In(FLOAT32, {2, 3})},
     {},
     refusal::Argument,
     "in place",
     true},
    {"in place, x one element", {In(FLOAT32, {}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "in place", true},
};

}  // namespace

TEST(OpsBroadcastableReject, Arithmetic) {
  for (const char* name :
       {"add",         "subtract",   "reversesubtract", "multiply",      "squaredsubtract", "divide", "realdiv",
        "floordiv",    "maximum",    "minimum",         "reversedivide", "divide_no_nan",   "mod",    "floormod",
        "Pow",         "assign",     "reversemod",      "truncatediv",   "tf_atan2",        "igamma", "igammac",
        "boolean_and", "boolean_or", "boolean_xor"}) {
    checkRejections(name, SHAPES);
    checkRejections(name, {{"an output of another type",
                            {In(FLOAT32, {2}), In(FLOAT32, {2})},
                            {},
                            refusal::Validation,
                            "output 0",
                            false,
                            std::vector<In>{In(DOUBLE, {2})}}});
  }
}

TEST(OpsBroadcastableReject, Divisors) {
  for (const char* name : {"divide", "floordiv", "floormod", "divide_no_nan"})
    checkRejections(name, {{"BOOL divides", {In(FLOAT32, {2}), In(BOOL, {2})}, {}, refusal::Argument, "input 1 'y'"}});
  checkRejections("reversedivide",
                  {{"BOOL divides", {In(BOOL, {2}), In(FLOAT32, {2})}, {}, refusal::Argument, "input 0 'x'"}});
  for (const char* name : {"divide", "floordiv", "floormod", "mod", "truncatediv"})
    checkRejections(name, {{"division of an integer by 0",
                            {In(INT32, {2}, {1, 2}), In(INT32, {2}, {1, 0})},
                            {},
                            refusal::Runtime,
                            "division of INT32 by 0"}});
  checkRejections("realdiv", {{"division of an integer by 0",
                               {In(INT32, {2}, {1, 2}), In(INT32, {2}, {1, 0})},
                               {},
                               refusal::Runtime,
                               "Divide: argument 'y': division of INT32 by 0"}});
  for (const char* name : {"reversedivide", "reversemod"})
    checkRejections(name, {{"division of an integer by 0",
                            {In(INT32, {2}, {1, 0}), In(INT32, {2}, {1, 2})},
                            {},
                            refusal::Runtime,
                            "division of INT32 by 0"}});
}

TEST(OpsBroadcastableReject, Types) {
  for (const char* name : {"add", "subtract", "multiply", "divide"})
    checkRejections(name, {{"strings", {In(UTF8, {2}), In(UTF8, {2})}, {}, refusal::Runtime, ""}});
  for (const char* name : {"Pow", "tf_atan2", "igamma", "igammac"})
    checkRejections(name, {{"BOOL", {In(BOOL, {2}), In(BOOL, {2})}, {}, refusal::Validation, "input 0"}});
  for (const char* name : {"igamma", "igammac"})
    checkRejections(name, {{"integers", {In(INT32, {2}), In(INT32, {2})}, {}, refusal::Validation, "input 0"}});
}

TEST(OpsBroadcastableReject, Comparisons) {
  const std::vector<Rejection> table = {
      {"two types", {In(FLOAT32, {2}), In(INT32, {2})}, {}, refusal::Argument, "INT32"},
      {"shapes that do not broadcast", {In(FLOAT32, {2, 3}), In(FLOAT32, {2, 2})}, {}, refusal::Argument, "[2, 3]"},
      {"an output that is not BOOL",
       {In(FLOAT32, {2}), In(FLOAT32, {2})},
       {},
       refusal::Validation,
       "output 0",
       false,
       std::vector<In>{In(FLOAT32, {2})}},
      {"in place on numbers", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Argument, "output 0", true},
  };
  for (const char* name : {"equals", "not_equals", "less", "less_equal", "greater", "greater_equal"})
    checkRejections(name, table);
}

TEST(OpsBroadcastableReject, Gradients) {
  const std::vector<Rejection> table = {
      {"shapes that do not broadcast",
       {In(FLOAT32, {2, 3}), In(FLOAT32, {2}), In(FLOAT32, {2, 3})},
       {},
       refusal::Argument,
       "[2, 3]"},
      {"a gradient of another length",
       {In(FLOAT32, {2, 3}), In(FLOAT32, {3}), In(FLOAT32, {3})},
       {},
       refusal::Argument,
       "input 2 'gradZ'"},
      {"two inputs", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Runtime, "input 2 is missing"},
      {"one input", {In(FLOAT32, {2})}, {}, refusal::Runtime, "input 1 'y' is missing"},
      {"a gradient of integers",
       {In(FLOAT32, {2}), In(FLOAT32, {2}), In(INT32, {2})},
       {},
       refusal::Argument,
       "input 2 'gradZ'"},
  };
  for (const char* name : {"add_bp", "subtract_bp", "reversesubtract_bp", "multiply_bp", "divide_bp", "realdiv_bp",
                           "reversedivide_bp", "squaredsubtract_bp", "maximum_bp", "minimum_bp", "assign_bp", "mod_bp",
                           "reversemod_bp", "floordiv_bp", "floormod_bp", "Pow_bp"})
    checkRejections(name, table);
}

TEST(OpsBroadcastableReject, Meshgrid) {
  checkRejections(
      "meshgrid",
      {
          {"two types", {In(FLOAT32, {2}), In(DOUBLE, {2})}, {}, refusal::Argument, "input 1"},
          {"nothing", {}, {}, refusal::Validation, "no inputs"},
          {"strings", {In(UTF8, {2})}, {}, refusal::Validation, "input 0"},
          {"too many dimensions", std::vector<In>(33, In(FLOAT32, {1})), {}, refusal::Argument, "33 inputs"},
      });
}

TEST(OpsBroadcastableReject, Percentile) {
  const In x(FLOAT32, {2, 3});
  checkRejections(
      "percentile",
      {
          {"no q", {x}, {}, refusal::Validation, "floating arguments"},
          {"q below 0", {x}, {.t = {-1}}, refusal::Argument, "-1"},
          {"q above 100", {x}, {.t = {100.5}}, refusal::Argument, "100.5"},
          {"q NaN", {x}, {.t = {NAN}}, refusal::Argument, "'q'"},
          {"an unknown interpolation", {x}, {.t = {50, 3}}, refusal::Argument, "'interpolation'"},
          {"an axis too large", {x}, {.t = {50}, .i = {2}}, refusal::Argument, "2 is outside"},
          {"an axis too small", {x}, {.t = {50}, .i = {-3}}, refusal::Runtime, "-3 is outside"},
          {"too many axes", {x}, {.t = {50}, .i = {0, 1, 0}}, refusal::Argument, "3 axes are given"},
          {"a scalar", {In(FLOAT32, {})}, {.t = {50}}, refusal::Argument, "its rank is 0, less than 1"},
          {"of nothing", {In(FLOAT32, {0, 3})}, {.t = {50}}, refusal::Argument, "an empty array has no percentiles"},
      });
}
