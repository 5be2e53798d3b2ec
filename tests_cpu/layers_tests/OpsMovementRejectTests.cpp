// Calls that operations which join, split, repeat and rearrange arrays must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

TEST(OpsMovementReject, Joining) {
  checkRejections(
      "concat",
      {{"another size", {In(FLOAT32, {2, 3}), In(FLOAT32, {2, 2})}, {.i = {0}}, refusal::Argument, "[2, 2]"},
       {"another rank", {In(FLOAT32, {2, 3}), In(FLOAT32, {3})}, {.i = {0}}, refusal::Argument, "[3]"},
       {"an empty array of another rank",
        {In(FLOAT32, {2, 3}), In(FLOAT32, {0})},
        {.i = {0}},
        refusal::Argument,
        "[0]"},
       {"another type", {In(FLOAT32, {2}), In(INT32, {2})}, {.i = {0}}, refusal::Argument, "input 1"},
       {"an axis outside", {In(FLOAT32, {2, 3})}, {.i = {2}}, refusal::Argument, "2 is outside"},
       {"no axis", {In(FLOAT32, {2, 3})}, {}, refusal::OutOfRange, "missing"},
       {"an axis of two", {In(FLOAT32, {2}), In(INT32, {2})}, {.b = {true}}, refusal::Argument, "one element"},
       {"an axis alone", {In(INT32, {})}, {.b = {true}}, refusal::Argument, "no array"},
       {"no input", {}, {.i = {0}}, refusal::Validation, "no inputs"}});
  checkRejections("concat_bp", {{"another gradient",
                                 {In(FLOAT32, {2}), In(FLOAT32, {2}), In(FLOAT32, {3})},
                                 {.i = {0}},
                                 refusal::Argument,
                                 "[4]"},
                                {"no array", {In(FLOAT32, {2})}, {.i = {0}}, refusal::Argument, "no array"}});
  for (const char* name : {"stack", "parallel_stack"})
    checkRejections(name, {{"another shape", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {}, refusal::Argument, "[3]"},
                           {"another type", {In(FLOAT32, {2}), In(INT32, {2})}, {}, refusal::Argument, "input 1"}});
  checkRejections("stack", {{"outside", {In(FLOAT32, {2})}, {.i = {2}}, refusal::Argument, "2 is outside"},
                            {"outside, negative", {In(FLOAT32, {2})}, {.i = {-3}}, refusal::Argument, "-3"}});
}

TEST(OpsMovementReject, Cutting) {
  checkRejections("unstack", {{"outside", {In(FLOAT32, {2})}, {.i = {1}}, refusal::Argument, "1 is outside"},
                              {"a scalar", {In(FLOAT32, {})}, {.i = {0}}, refusal::Argument, "rank 0"},
                              {"no dimension", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"}});
  checkRejections("split", {{"no divisor", {In(FLOAT32, {5})}, {.i = {2}}, refusal::Argument, "divisible by 2"},
                            {"no parts", {In(FLOAT32, {5})}, {.i = {0}}, refusal::Argument, "0 is outside 1"},
                            {"outside", {In(FLOAT32, {5})}, {.i = {5, 1}}, refusal::Argument, "1 is outside"},
                            {"no axis", {In(FLOAT32, {4}), In(FLOAT32, {4})}, {.i = {2}}, refusal::Argument, "axis"}});
  checkRejections(
      "split_v", {{"another sum", {In(FLOAT32, {5}), In(INT32, {2}, {2, 2})}, {}, refusal::Argument, "[2, 2]"},
                  {"a negative size", {In(FLOAT32, {5}), In(INT32, {2}, {6, -1})}, {}, refusal::Argument, "[6, -1]"},
                  {"outside", {In(FLOAT32, {5}), In(INT32, {1}, {5})}, {.i = {1}}, refusal::Argument, "1 is outside"}});
  checkRejections(
      "slice",
      {{"a negative begin", {In(FLOAT32, {5})}, {.i = {-1, 2}}, refusal::Argument, "-1 in dimension 0"},
       {"a begin outside", {In(FLOAT32, {5})}, {.i = {6, 0}}, refusal::Argument, "6 in dimension 0"},
       {"too large", {In(FLOAT32, {5})}, {.i = {2, 4}}, refusal::Argument, "4 positions from 2"},
       {"a negative size", {In(FLOAT32, {5})}, {.i = {2, -2}}, refusal::Argument, "-2 positions from 2"},
       {"too few", {In(FLOAT32, {5, 2})}, {.i = {0, 0, 1}}, refusal::Argument, "4 integer"},
       {"too few values", {In(FLOAT32, {5, 2}), In(INT32, {1}), In(INT32, {2})}, {}, refusal::Argument, "1 and 2"}});
  checkRejections(
      "slice_bp",
      {{"nothing", {In(FLOAT32, {5}), In(FLOAT32, {0})}, {.i = {2, 0}}, refusal::Argument, "0 is below 1"},
       {"another gradient", {In(FLOAT32, {5}), In(FLOAT32, {3})}, {.i = {2, 2}}, refusal::Argument, "[3]"}});
  checkRejections(
      "strided_slice",
      {{"a stride of 0", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 0, 0, 2, 0}}, refusal::Argument, "must not be 0"},
       {"an end outside", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 0, 0, 6, 1}}, refusal::Argument, "6 at [0]"},
       {"a begin outside", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 0, 6, 2, 1}}, refusal::Argument, "6 at [0]"},
       {"a position outside", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 1, 5, 6, 1}}, refusal::Argument, "5 at [0]"},
       {"shrunk backwards", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 1, 2, 3, -1}}, refusal::Argument, "-1 at [0]"},
       {"two ellipses",
        {In(FLOAT32, {5})},
        {.i = {0, 3, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
        refusal::Argument,
        "more than one"},
       {"too many dimensions",
        {In(FLOAT32, {5})},
        {.i = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}},
        refusal::Argument,
        "2 dimensions"},
       {"no multiple of 3",
        {In(FLOAT32, {5})},
        {.i = {0, 0, 0, 0, 0, 0, 1}},
        refusal::Argument,
        "3 lists of equal length"},
       {"no lists", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0, 0}}, refusal::Argument, "argument 'begin' is missing"},
       {"no end", {In(FLOAT32, {5}), In(INT32, {1})}, {.i = {0, 0, 0, 0, 0}}, refusal::Argument, "end"},
       {"too few masks", {In(FLOAT32, {5})}, {.i = {0, 0, 0, 0}}, refusal::Validation, "5 integer"},
       {"lists of two lengths",
        {In(FLOAT32, {5}), In(INT32, {1}), In(INT32, {2})},
        {.i = {0, 0, 0, 0, 0}},
        refusal::Argument,
        "1, 2 and 1"}});
  checkRejections("strided_slice_bp", {{"another gradient",
                                        {In(FLOAT32, {5}), In(FLOAT32, {3})},
                                        {.i = {0, 0, 0, 0, 0, 0, 2, 1}},
                                        refusal::Argument,
                                        "[3]"},
                                       {"an end outside",
                                        {In(FLOAT32, {5, 2}), In(FLOAT32, {5})},
                                        {.i = {0, 0, 0, 0, 2, 0, 0, 6, 1, 1, 1}},
                                        refusal::Argument,
                                        "6 at [0]"}});
}

TEST(OpsMovementReject, Repetition) {
  checkRejections("tile", {{"a 0", {In(FLOAT32, {2})}, {.i = {0}}, refusal::Argument, "0 is outside 1"},
                           {"none", {In(FLOAT32, {2})}, {}, refusal::Argument, "0 values"},
                           {"too many", {In(FLOAT32, {2}), In(INT32, {2}, {1, 1})}, {}, refusal::Argument, "2 values"},
                           {"too large", {In(FLOAT32, {4})}, {.i = {1LL << 62}}, refusal::Argument, "too large"}});
  checkRejections("tile_bp",
                  {{"another gradient", {In(FLOAT32, {2}), In(FLOAT32, {5})}, {.i = {2}}, refusal::Argument, "[4]"}});
  checkRejections("repeat", {{"outside", {In(FLOAT32, {2})}, {.i = {2, 1}}, refusal::Argument, "1 is outside"},
                             {"too many", {In(FLOAT32, {2})}, {.i = {2, 1, 1, 0}}, refusal::Argument, "3 values"},
                             {"negative", {In(FLOAT32, {2})}, {.i = {2, -1, 0}}, refusal::Argument, "-1 is outside 0"},
                             {"in place", {In(FLOAT32, {2})}, {.i = {2, 0}}, refusal::Argument, "in place", true},
                             {"nothing", {In(FLOAT32, {2})}, {}, refusal::Validation, "1 integer"}});
  checkRejections(
      "pad",
      {{"mirrored strings", {In(UTF8, {2}), In(INT32, {1, 2}, {1, 0})}, {.i = {1}}, refusal::Argument, "strings"},
       {"another shape", {In(FLOAT32, {2, 3}), In(INT32, {2})}, {.i = {0}}, refusal::Argument, "[2, 2]"},
       {"negative", {In(FLOAT32, {2}), In(INT32, {1, 2}, {0, -1})}, {.i = {0}}, refusal::Argument, "-1 at [0]"},
       {"too much to reflect",
        {In(FLOAT32, {2}), In(INT32, {1, 2}, {2, 0})},
        {.i = {1}},
        refusal::Argument,
        "2 at [0]"},
       {"too much to mirror", {In(FLOAT32, {2}), In(INT32, {1, 2}, {0, 3})}, {.i = {2}}, refusal::Argument, "3 at [0]"},
       {"no such mode", {In(FLOAT32, {2}), In(INT32, {1, 2})}, {.i = {3}}, refusal::Argument, "'padding_mode': 3"},
       {"a value of another type",
        {In(FLOAT32, {2}), In(INT32, {1, 2}), In(INT32, {})},
        {.i = {0}},
        refusal::Argument,
        "'value'"},
       {"small paddings", {In(FLOAT32, {2}), In(INT16, {1, 2})}, {.i = {0}}, refusal::Validation, "input 1"}});
  checkRejections(
      "mirror_pad",
      {{"another shape", {In(FLOAT32, {2, 3}), In(INT32, {2})}, {.i = {0}}, refusal::Argument, "[2, 2]"},
       {"too much to reflect", {In(FLOAT32, {2}), In(INT32, {2}, {2, 0})}, {.i = {0}}, refusal::Argument, "2 at [0]"},
       {"too much to mirror", {In(FLOAT32, {2}), In(INT32, {2}, {0, 3})}, {.i = {1}}, refusal::Argument, "3 at [0]"},
       {"integers", {In(INT32, {2}), In(INT32, {2})}, {.i = {1}}, refusal::Validation, "input 0"}});
}

TEST(OpsMovementReject, Reversing) {
  checkRejections(
      "reverse",
      {{"outside", {In(FLOAT32, {2})}, {.i = {1}}, refusal::Runtime, "1 is outside"},
       {"outside, an input", {In(FLOAT32, {2}), In(INT32, {1}, {-2})}, {}, refusal::Runtime, "-2 is outside"}});
  checkRejections("reverse_bp",
                  {{"another gradient", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {.i = {0}}, refusal::Argument, "[3]"}});
  checkRejections(
      "reverse_sequence",
      {{"too long", {In(FLOAT32, {2, 3}), In(INT32, {2}, {1, 4})}, {.i = {1, 0}}, refusal::Argument, "value 4 at [1]"},
       {"negative",
        {In(FLOAT32, {2, 3}), In(INT32, {2}, {-1, 0})},
        {.i = {1, 0}},
        refusal::Argument,
        "value -1 at [0]"},
       {"too few lengths", {In(FLOAT32, {2, 3}), In(INT32, {3})}, {.i = {1, 0}}, refusal::Argument, "3 values"},
       {"a matrix of lengths", {In(FLOAT32, {2, 3}), In(INT32, {2, 1})}, {.i = {1, 0}}, refusal::Argument, "rank"},
       {"one dimension", {In(FLOAT32, {2, 3}), In(INT32, {2})}, {.i = {0, 0}}, refusal::Argument, "same dimension"},
       {"outside", {In(FLOAT32, {2, 3}), In(INT32, {2})}, {.i = {2, 0}}, refusal::Argument, "2 is outside"},
       {"a vector", {In(FLOAT32, {2}), In(INT32, {2})}, {.i = {1, 0}}, refusal::Argument, "rank"}});
}

TEST(OpsMovementReject, Positions) {
  checkRejections(
      "onehot",
      {{"no depth", {In(INT32, {2})}, {}, refusal::Argument, "missing"},
       {"a depth of 0", {In(INT32, {2})}, {.i = {-1, 0}}, refusal::Argument, "'depth': 0 is outside 1"},
       {"outside", {In(INT32, {2})}, {.i = {2, 3}}, refusal::Argument, "2 is outside"},
       {"two depths", {In(INT32, {2}), In(INT32, {2}, {3, 3})}, {}, refusal::Argument, "it has 2 elements, not 1"}});
  checkRejections(
      "sequence_mask",
      {{"a negative length", {In(INT32, {2})}, {.i = {-1}}, refusal::Argument, "'min_length': -1 is outside 0"},
       {"no type", {In(INT32, {2})}, {.i = {2, 99}}, refusal::Argument, "99"},
       {"a mask that is too long", {In(INT32, {2})}, {.i = {INT32_MAX}}, refusal::Argument, "at most"},
       {"a length that is too long", {In(INT32, {2}, {1, INT32_MAX})}, {}, refusal::Argument, "at most"},
       {"a length that is no number",
        {In(FLOAT32, {2}, {1, NAN})},
        {},
        refusal::Argument,
        "input 0 'lengths': value nan at [1]"}});
  for (const char* name : {"cumsum", "cumprod"})
    checkRejections(name, {{"outside", {In(FLOAT32, {2})}, {.i = {0, 0, 1}}, refusal::Argument, "1 is outside"},
                           {"one flag", {In(FLOAT32, {2})}, {.i = {0}}, refusal::Validation, "2 integer"},
                           {"strings", {In(UTF8, {2})}, {.i = {0, 0}}, refusal::Validation, "input 0"}});
  for (const char* name : {"cumsum_bp", "cumprod_bp"})
    checkRejections(
        name, {{"another gradient", {In(FLOAT32, {2}), In(FLOAT32, {3})}, {.i = {0, 0, 0}}, refusal::Argument, "[3]"}});
}

TEST(OpsMovementReject, Strings) {
  const In words(UTF8, {2, 3}), mask(BOOL, {2, 3}), numbers(FLOAT32, {2, 3}), places(INT64, {2, 1});
  checkRejections("concat",
                  {{"numbers", {words, numbers}, {.i = {0}}, refusal::Argument, "input 1: its type is FLOAT32"},
                   {"after an empty array of numbers",
                    {In(FLOAT32, {0, 3}), words},
                    {.i = {0}},
                    refusal::Argument,
                    "output 0: its type is FLOAT32, but there are strings among the inputs"}});
  checkRejections("split",
                  {{"a string as the axis", {In(UTF8, {}), numbers}, {.i = {2, 0}}, refusal::Argument, "strings"}});
  checkRejections("stack", {{"numbers", {words, numbers}, {.i = {0}}, refusal::Argument, "input 1"}});
  for (const char* name : {"select", "Where"})
    checkRejections(
        name,
        {{"numbers", {mask, words, numbers}, {}, refusal::Argument, "input 2 'y': numbers are given with strings"},
         {"strings", {mask, numbers, words}, {}, refusal::Argument, "input 1 'x': numbers are given with strings"}});
  checkRejections("put_along_axis", {{"a sum",
                                      {words, places, In(UTF8, {2, 1})},
                                      {.i = {1, 1}},
                                      refusal::Argument,
                                      "'reduction': UTF8 elements can be replaced, but not combined"},
                                     {"numbers",
                                      {words, places, In(FLOAT32, {2, 1})},
                                      {.i = {1}},
                                      refusal::Argument,
                                      "input 2 'values': numbers are given with strings"}});
  // These do more than move elements.
  checkRejections("space_to_depth",
                  {{"strings", {In(UTF8, {1, 2, 2, 1})}, {.i = {2, 1}}, refusal::Argument, "strings"}});
}
