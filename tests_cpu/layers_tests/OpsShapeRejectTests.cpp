// Calls that shape operations must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsShapeReject, Questions) {
  checkRejections("rank", {{"no input", {}, {}, refusal::Validation, "no inputs"}});
  checkRejections("size_at",
                  {{"a dimension outside", {In(FLOAT32, {2, 3})}, {.i = {2}}, refusal::Argument, "2 is outside"},
                   {"a negative one", {In(FLOAT32, {2, 3})}, {.i = {-3}}, refusal::Runtime, "-3"},
                   {"no argument", {In(FLOAT32, {2, 3})}, {}, refusal::Validation, "1 integer"}});
  checkRejections("shape_of", {{"a float type", {In(INT32, {2})}, {.i = {5}}, refusal::Argument, "integer type"},
                               {"no type", {In(INT32, {2})}, {.i = {99}}, refusal::Argument, "99"}});
  checkRejections(
      "evaluate_reduction_shape",
      {{"an axis outside", {In(INT64, {2}, {2, 3}), In(INT32, {1}, {2})}, {}, refusal::Runtime, "2 is outside"},
       {"a negative size", {In(INT64, {2}, {2, -3}), In(INT32, {1}, {0})}, {}, refusal::Argument, "-3"},
       {"no number", {In(FLOAT32, {2}, {2, NAN}), In(INT32, {1})}, {}, refusal::Argument, "value nan at [1]"}});
}

TEST(OpsShapeReject, Reshape) {
  checkRejections(
      "reshape",
      {{"another length", {In(FLOAT32, {2, 3})}, {.i = {2, 4}}, refusal::Argument, "[2, 4]"},
       {"two unknown sizes", {In(FLOAT32, {2, 3})}, {.i = {-1, -1}}, refusal::Argument, "more than one"},
       {"an unknown size that does not divide", {In(FLOAT32, {2, 3})}, {.i = {4, -1}}, refusal::Argument, "[4, -1]"},
       {"no sizes", {In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[2, 3]"},
       {"no such order", {In(FLOAT32, {2, 3})}, {.i = {-98, 6}}, refusal::Runtime, "-98"},
       {"a negative size", {In(FLOAT32, {2, 3})}, {.i = {-99, -3, -2}}, refusal::Argument, "-3"},
       {"a zero size", {In(FLOAT32, {2, 3})}, {.i = {0, 6}}, refusal::Argument, "[0, 6]"},
       {"an empty array", {In(FLOAT32, {0, 3})}, {.i = {3}}, refusal::Argument, "[0, 3]"},
       {"sizes that overflow", {In(FLOAT32, {2})}, {.i = {1LL << 62, 1LL << 62}}, refusal::Argument, "too large"},
       {"sizes that are no integers",
        {In(FLOAT32, {2}), In(FLOAT32, {1}, {1e30})},
        {},
        refusal::Argument,
        "input 1 'shape'"}});
  checkRejections("reshapeas",
                  {{"another length", {In(FLOAT32, {2, 3}), In(FLOAT32, {2, 2})}, {}, refusal::Runtime, "[2, 2]"}});
  checkRejections(
      "expand_dims",
      {{"outside", {In(FLOAT32, {2})}, {.i = {2}}, refusal::Argument, "2 is outside"},
       {"outside, negative", {In(FLOAT32, {2})}, {.i = {-3}}, refusal::Argument, "-3"},
       {"no axis", {In(FLOAT32, {2})}, {}, refusal::Argument, "missing"},
       {"two axes", {In(FLOAT32, {2}), In(INT32, {2})}, {}, refusal::Argument, "it has 2 elements, not 1"}});
  checkRejections(
      "set_shape",
      {{"another length", {In(FLOAT32, {2}), In(INT64, {1}, {3})}, {}, refusal::Argument, "[3]"},
       {"a matrix", {In(FLOAT32, {1}), In(INT64, {2, 2}, {1, 1, 1, 1})}, {}, refusal::Argument, "a vector is needed"}});
  checkRejections(
      "squeeze",
      {{"outside", {In(FLOAT32, {1, 2})}, {.i = {0, 2}}, refusal::Argument, "argument 'axis': 2 is outside -2..1"},
       {"outside, negative", {In(FLOAT32, {1, 2})}, {.i = {-3}}, refusal::Argument, "-3 is outside"},
       {"outside, an input", {In(FLOAT32, {1, 2}), In(INT32, {1}, {9})}, {}, refusal::Argument, "9 is outside"}});
  checkRejections("flatten_2d",
                  {{"outside", {In(FLOAT32, {2, 3})}, {.i = {3}}, refusal::Argument, "3 is outside"},
                   {"no axis", {In(FLOAT32, {2, 3})}, {}, refusal::OutOfRange, "argument 'axis' is missing"}});
  checkRejections("order", {{"no argument", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"}});
}

TEST(OpsShapeReject, Movement) {
  for (const char* name : {"permute", "transpose"})
    checkRejections(
        name,
        {{"too few", {In(FLOAT32, {2, 3})}, {.i = {0}}, refusal::Argument, "1 dimensions"},
         {"outside", {In(FLOAT32, {2, 3})}, {.i = {0, 2}}, refusal::Argument, "2 is outside"},
         {"twice", {In(FLOAT32, {2, 3})}, {.i = {1, -1}}, refusal::Argument, "is repeated"},
         {"twice, an input", {In(FLOAT32, {2, 3}), In(INT32, {2}, {1, 1})}, {}, refusal::Argument, "is repeated"}});
  checkRejections("flatten",
                  {{"two types", {In(FLOAT32, {2}), In(INT32, {2})}, {.i = {99}}, refusal::Argument, "input 1"},
                   {"no order", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"},
                   {"strings", {In(UTF8, {})}, {.i = {99}}, refusal::Validation, "input 0"}});
  checkRejections(
      "broadcast_to",
      {{"other sizes", {In(FLOAT32, {2}), In(INT32, {2}, {2, 3})}, {}, refusal::Argument, "[2, 3]"},
       {"fewer dimensions", {In(FLOAT32, {1, 2}), In(INT32, {1}, {2})}, {}, refusal::Argument, "[1, 2]"},
       {"a wildcard", {In(FLOAT32, {2}), In(INT32, {2}, {-1, 2})}, {}, refusal::Argument, "-1"},
       {"a matrix", {In(FLOAT32, {2}), In(INT32, {2, 2}, {2, 2, 2, 2})}, {}, refusal::Argument, "a vector is needed"}});
  checkRejections("tile_to_shape", {{"other sizes", {In(FLOAT32, {2})}, {.i = {1}}, refusal::Runtime, "[1]"},
                                    {"no sizes", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"}});
  checkRejections("tile_to_shape_bp",
                  {{"another gradient", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {.i = {3}}, refusal::Argument, "[3]"}});
}
