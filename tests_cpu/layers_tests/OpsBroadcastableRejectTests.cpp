// What the operations that broadcast refuse.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const std::vector<Rejection> ARITHMETIC = {
    {"shapes that do not broadcast", {In(FLOAT32, {2, 3}), In(FLOAT32, {2, 2})}, {}, refusal::Argument, "[2, 3]"},
    {"a 0 against 2", {In(FLOAT32, {0, 3}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[0, 3]"},
    {"one input", {In(FLOAT32, {2, 3})}, {}, refusal::Runtime, ""},
    {"no input", {}, {}, refusal::Validation, "no inputs"},
    {"an output of another shape",
     {In(FLOAT32, {2}), In(FLOAT32, {2})},
     {},
     refusal::Runtime,
     "[3]",
     false,
     std::vector<In>{In(FLOAT32, {3})}},
    {"in place, the result larger than x", {In(FLOAT32, {3}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "", true},
};

}  // namespace

TEST(OpsBroadcastableReject, Arithmetic) {
  for (const char* name :
       {"add", "subtract", "reversesubtract", "multiply", "divide", "maximum", "minimum", "squaredsubtract"})
    checkRejections(name, ARITHMETIC);
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
  };
  for (const char* name : {"equals", "not_equals", "less", "less_equal", "greater", "greater_equal"})
    checkRejections(name, table);
}
