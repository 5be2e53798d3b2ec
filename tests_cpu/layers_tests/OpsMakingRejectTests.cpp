// Calls that operations which create, clip and merge arrays, or handle diagonals and blocks of pixels, must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsMakingReject, Making) {
  checkRejections(
      "create",
      {{"no such order", {In(INT64, {1}, {2})}, {.i = {98, 5}}, refusal::Argument, "98"},
       {"no type", {In(INT64, {1}, {2})}, {.i = {99, 0}}, refusal::Argument, "'dtype': 0"},
       {"no type given", {In(INT64, {1}, {2})}, {.i = {99}}, refusal::OutOfRange, "argument 'dtype' is missing"},
       {"a negative size", {In(INT64, {1}, {-2})}, {.i = {99, 5}}, refusal::Argument, "-2"},
       {"a matrix", {In(INT64, {2, 2})}, {.i = {99, 5}}, refusal::Argument, "a vector is needed"}});
  checkRejections("fill", {{"no value", {In(INT64, {1}, {2})}, {}, refusal::Argument, "missing"},
                           {"two values", {In(INT64, {1}, {2}), In(INT64, {2})}, {}, refusal::Argument, "one element"},
                           {"a negative size", {In(INT64, {1}, {-2})}, {.i = {1}}, refusal::Argument, "-2"},
                           {"a matrix", {In(INT64, {2, 2})}, {.i = {1}}, refusal::Argument, "a vector is needed"},
                           {"a size that is no integer",
                            {In(DOUBLE, {2}, {2, 1e19})},
                            {.i = {1}},
                            refusal::Argument,
                            "input 0 'shape': value 1e+19 at [1]"}});
  checkRejections("fill_as", {{"no value", {In(INT64, {1})}, {}, refusal::Argument, "missing"}});
  checkRejections(
      "lin_space",
      {{"no numbers", {}, {}, refusal::Argument, "argument 'start' is missing"},
       {"integers", {}, {.i = {1, 2, 3}}, refusal::Argument, "argument 'start' is missing"},
       {"a negative count", {}, {.t = {0, 1}, .i = {-1}}, refusal::Argument, "argument 'num': -1 is outside 0"},
       {"two starts",
        {In(FLOAT32, {2}), In(FLOAT32, {}), In(INT32, {})},
        {},
        refusal::Argument,
        "it has 2 elements, not 1"}});
  checkRejections("range", {{"no numbers", {}, {}, refusal::Argument, "1 to 3"},
                            {"no step", {}, {.i = {1, 5, 0}}, refusal::Argument, "steps of 0"},
                            {"no float step", {}, {.t = {1, 5, 0}}, refusal::Argument, "steps of 0"},
                            {"the wrong way", {}, {.i = {1, 5, -1}}, refusal::Argument, "steps of -1"},
                            {"the wrong way in floats", {}, {.t = {5, 1}}, refusal::Argument, "steps of 1"},
                            {"two starts", {In(INT32, {2})}, {}, refusal::Argument, "one element"}});
  checkRejections(
      "create_view",
      {{"outside", {In(INT32, {2}), In(INT64, {5}, {0, 1, 1, 2, 1})}, {}, refusal::Runtime, "2 is outside"},
       {"an end outside", {In(INT32, {2}), In(INT64, {7}, {1, 2, 1, 0, 2, 1, 1})}, {}, refusal::Runtime, "0..2"},
       {"too many",
        {In(INT32, {2}), In(INT64, {4}, {2, 0, 1, 1}), In(INT64, {4}, {2, 0, 1, 1})},
        {},
        refusal::Argument,
        "more indices"},
       {"no such kind", {In(INT32, {2}), In(INT64, {4}, {4, 0, 1, 1})}, {}, refusal::Argument, "kind"},
       {"too short", {In(INT32, {2}), In(INT64, {1})}, {}, refusal::Argument, "4 numbers"}});
}

TEST(OpsMakingReject, Limits) {
  checkRejections(
      "clipbyvalue",
      {{"the wrong order", {In(FLOAT32, {2})}, {.t = {2, 1}}, refusal::Argument, "2 and 1"},
       {"equal", {In(FLOAT32, {2})}, {.t = {1, 1}}, refusal::Argument, "1 and 1"},
       {"one", {In(FLOAT32, {2})}, {.t = {1}}, refusal::OutOfRange, "argument 'max' is missing"},
       {"two lower ones", {In(FLOAT32, {2}), In(FLOAT32, {2}), In(FLOAT32, {})}, {}, refusal::Argument, "one element"},
       {"none", {In(FLOAT32, {2})}, {}, refusal::Argument, ""}});
  checkRejections("clipbynorm",
                  {{"no limit", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 floating"},
                   {"outside", {In(FLOAT32, {2})}, {.t = {1}, .i = {1}}, refusal::Argument, "1 is outside"},
                   {"integers", {In(INT32, {2})}, {.t = {1}}, refusal::Validation, "input 0"}});
  checkRejections(
      "clipbyavgnorm",
      {{"no limit", {In(FLOAT32, {2})}, {}, refusal::Argument, "missing"},
       {"two limits", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Argument, "it has 2 elements, not 1"}});
  for (const char* name : {"clipbynorm_bp", "clipbyavgnorm_bp"})
    checkRejections(name,
                    {{"another gradient", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {.t = {1}}, refusal::Argument, "[3]"},
                     {"no limit", {In(FLOAT32, {2}), In(FLOAT32, {2})}, {}, refusal::Validation, "1 floating"}});
  for (const char* name : {"standardize", "standardize_bp"})
    checkRejections(
        name,
        {{"no axes", {In(FLOAT32, {2}), In(INT32, {0}), In(FLOAT32, {2})}, {}, refusal::Argument, "no axes"},
         {"outside", {In(FLOAT32, {2}), In(INT32, {1}, {1}), In(FLOAT32, {2})}, {}, refusal::Runtime, "1 is outside"}});
  checkRejections("clip_by_global_norm", {{"no limit", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 floating"}});
}

TEST(OpsMakingReject, Merging) {
  for (const char* name :
       {"mergeadd", "mergeavg", "mergemax", "mergemaxindex", "mergeadd_bp", "mergeavg_bp", "mergemax_bp"})
    checkRejections(name, {{"another shape", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {}, refusal::Validation, "[3]"}});
  checkRejections("mergemaxindex",
                  {{"a type", {In(FLOAT32, {2})}, {.i = {5}}, refusal::Argument, "INT32"},
                   {"two types", {In(FLOAT32, {2}), In(DOUBLE, {2})}, {}, refusal::Argument, "input 1"}});
  checkRejections("mergeavg", {{"integers", {In(INT32, {2})}, {}, refusal::Validation, "input 0"}});
  checkRejections("mergemax_bp", {{"no gradient", {In(FLOAT32, {2})}, {}, refusal::Argument, "missing"}});
}

TEST(OpsMakingReject, Matrices) {
  checkRejections("eye", {{"no size", {}, {}, refusal::Argument, "missing"},
                          {"an order alone", {}, {.i = {-99}}, refusal::Argument, "missing"},
                          {"a negative size", {}, {.i = {2, -3}}, refusal::Argument, "-3"},
                          {"a matrix", {In(INT32, {1, 1})}, {}, refusal::Argument, "rank"}});
  checkRejections("diag", {{"rank 4", {In(FLOAT32, {2, 2, 2, 2})}, {}, refusal::Argument, "rank is 4"}});
  checkRejections("diag_part", {{"a vector", {In(FLOAT32, {2})}, {}, refusal::Argument, "[2]"},
                                {"other halves", {In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[2, 3]"}});
  checkRejections("matrix_diag", {{"a scalar", {In(FLOAT32, {})}, {}, refusal::Argument, "rank is 0"}});
  for (const char* name : {"matrix_diag_part", "trace"})
    checkRejections(name, {{"a vector", {In(FLOAT32, {2})}, {}, refusal::Argument, "rank is 1"}});
  checkRejections("matrix_set_diag",
                  {{"a vector", {In(FLOAT32, {2}), In(FLOAT32, {})}, {}, refusal::Argument, "rank is 1"},
                   {"another length", {In(FLOAT32, {2, 3}), In(FLOAT32, {3})}, {}, refusal::Argument, "[3]"},
                   {"another type", {In(FLOAT32, {2, 3}), In(INT32, {2})}, {}, refusal::Argument, "input 1"}});
  checkRejections(
      "matrix_band_part",
      {{"a vector", {In(FLOAT32, {2})}, {.i = {0, 0}}, refusal::Argument, "rank is 1"},
       {"no limits", {In(FLOAT32, {2, 3})}, {}, refusal::Argument, "'num_lower'"},
       {"two inputs", {In(FLOAT32, {2, 3}), In(INT32, {})}, {.i = {0, 0}}, refusal::Argument, "'num_lower'"},
       {"too low", {In(FLOAT32, {2, 3})}, {.i = {3, 0}}, refusal::Argument, "3 diagonals"},
       {"too high", {In(FLOAT32, {2, 3})}, {.i = {0, 4}}, refusal::Argument, "4 diagonals"}});
  checkRejections("tri", {{"a negative size", {}, {.i = {-1}}, refusal::Argument, "-1"},
                          {"no size", {}, {}, refusal::Validation, "1 integer"}});
  checkRejections("triu", {{"a scalar", {In(FLOAT32, {})}, {}, refusal::Argument, "rank is 0"}});
  checkRejections("triu_bp",
                  {{"another gradient", {In(FLOAT32, {2, 2}), In(FLOAT32, {2})}, {}, refusal::Argument, "[2]"}});
}

TEST(OpsMakingReject, Blocks) {
  for (const char* name : {"depth_to_space", "space_to_depth"})
    checkRejections(name,
                    {{"rank 3", {In(FLOAT32, {2, 2, 4})}, {.i = {2, 1}}, refusal::Argument, "rank is 3"},
                     {"no block", {In(FLOAT32, {1, 2, 2, 4})}, {.i = {0, 1}}, refusal::Argument, "0 is outside"},
                     {"no divisor", {In(FLOAT32, {1, 3, 2, 3})}, {.i = {2, 1}}, refusal::Argument, "divisible by"},
                     {"one argument", {In(FLOAT32, {1, 2, 2, 4})}, {.i = {2}}, refusal::Validation, "2 integer"}});
  for (const char* name : {"batch_to_space", "space_to_batch"})
    checkRejections(
        name,
        {{"rank 3", {In(FLOAT32, {4, 2, 4}), In(INT32, {2, 2})}, {.i = {2}}, refusal::Argument, "rank is 3"},
         {"no block", {In(FLOAT32, {4, 2, 2, 1}), In(INT32, {2, 2})}, {.i = {1}}, refusal::Argument, "1 is outside 2"},
         {"another shape", {In(FLOAT32, {4, 2, 2, 1}), In(INT32, {4})}, {.i = {2}}, refusal::Argument, "[2, 2]"},
         {"a negative border",
          {In(FLOAT32, {4, 2, 2, 1}), In(INT32, {2, 2}, {0, 0, -2, 0})},
          {.i = {2}},
          refusal::Argument,
          "-2 at [1]"}});
  checkRejections(
      "batch_to_space",
      {{"a batch", {In(FLOAT32, {3, 2, 2, 1}), In(INT32, {2, 2})}, {.i = {2}}, refusal::Argument, "batch of 3"},
       {"too much", {In(FLOAT32, {4, 2, 2, 1}), In(INT32, {2, 2}, {2, 3})}, {.i = {2}}, refusal::Argument, "2 and 3"}});
  checkRejections(
      "space_to_batch",
      {{"no divisor", {In(FLOAT32, {1, 2, 3, 1}), In(INT32, {2, 2})}, {.i = {2}}, refusal::Argument, "3 elements"}});
  for (const char* name : {"batch_to_space_nd", "space_to_batch_nd"})
    checkRejections(
        name,
        {{"a matrix", {In(FLOAT32, {4, 2}), In(INT32, {1, 1}, {2}), In(INT32, {1, 2})}, {}, refusal::Argument, "rank"},
         {"too many", {In(FLOAT32, {4}), In(INT32, {1}, {2}), In(INT32, {1, 2})}, {}, refusal::Argument, "batch"},
         {"no block",
          {In(FLOAT32, {4, 2}), In(INT32, {1}, {0}), In(INT32, {1, 2})},
          {},
          refusal::Argument,
          "0 is below 1"},
         {"other borders",
          {In(FLOAT32, {4, 2}), In(INT32, {1}, {2}), In(INT32, {2})},
          {},
          refusal::Argument,
          "[1, 2]"}});
}

TEST(OpsMakingReject, TheRest) {
  checkRejections("roll",
                  {{"no shift", {In(FLOAT32, {2})}, {}, refusal::Argument, "missing"},
                   {"no axes", {In(FLOAT32, {2}), In(INT32, {})}, {}, refusal::Argument, "2 inputs"},
                   {"other axes", {In(FLOAT32, {2}), In(INT32, {1}), In(INT32, {2})}, {}, refusal::Argument, "1 and 2"},
                   {"outside", {In(FLOAT32, {2})}, {.i = {1, 1}}, refusal::Argument, "1 is outside"}});
  checkRejections("tear", {{"outside", {In(FLOAT32, {2})}, {.i = {1}}, refusal::Argument, "1 is outside"},
                           {"negative", {In(FLOAT32, {2})}, {.i = {-1}}, refusal::Argument, "-1 is outside"},
                           {"none", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"}});
  checkRejections("invert_permutation",
                  {{"twice", {In(INT32, {2}, {1, 1})}, {}, refusal::Runtime, "value 1 at [1]"},
                   {"outside", {In(INT32, {2}, {0, 2})}, {}, refusal::Runtime, "value 2 at [1]"},
                   {"negative", {In(INT32, {2}, {0, -1})}, {}, refusal::Runtime, "value -1 at [1]"},
                   {"a matrix", {In(INT32, {2, 2}, {0, 1, 2, 3})}, {}, refusal::Argument, "[2, 2]"}});
}
