// Calls that operations which sort, search, take and put along an axis must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;
using namespace sd::optest::refusal;

namespace {
const In WORDS(UTF8, {2});
const In MATRIX(FLOAT32, {2, 3});
}  // namespace

TEST(OpsSortingReject, Sort) {
  const std::vector<Rejection> table = {
      {"an axis too large", {MATRIX}, {.i = {2}}, Argument, "2 is outside -2..1"},
      {"an axis too small", {MATRIX}, {.i = {-3}}, Argument, "-3 is outside -2..1"},
      {"a scalar", {In(FLOAT32, {})}, {}, Argument, "its rank is 0"},
      {"nothing", {}, {}, Validation, "no inputs"},
  };
  for (const char* name : {"sort", "argsort"}) checkRejections(name, table);
}

TEST(OpsSortingReject, Search) {
  checkRejections("searchsorted",
                  {
                      {"a scalar to search in", {In(FLOAT32, {}), MATRIX}, {}, Argument, "its rank is 0"},
                      {"rows that differ", {MATRIX, In(FLOAT32, {3, 3})}, {}, Argument, "[3, 3]"},
                      {"ranks that differ", {MATRIX, In(FLOAT32, {3})}, {}, Argument, "[3]"},
                      {"strings", {In(FLOAT32, {2}), WORDS}, {}, Validation, "input 1"},
                      {"one input", {MATRIX}, {}, Runtime, "input 1"},
                  });
}

TEST(OpsSortingReject, TakeAlongAxis) {
  checkRejections(
      "take_along_axis",
      {
          {"an index too large",
           {MATRIX, In(INT32, {2, 2}, {0, 1, 3, 0})},
           {},
           Argument,
           "input 1 'indices': value 3 at [1, 0] is outside -3..2 (shape [2, 2])"},
          {"an index too small", {MATRIX, In(INT64, {2, 1}, {0, -4})}, {}, Argument, "value -4 at [1, 0]"},
          {"an index for no elements", {In(FLOAT32, {2, 0}), In(INT64, {2, 1})}, {}, Argument, "value 0 at [0, 0]"},
          {"another rank", {MATRIX, In(INT32, {2})}, {}, Argument, "[2]"},
          {"other sizes", {MATRIX, In(INT32, {3, 1})}, {}, Argument, "[3, 1]"},
          {"an axis too large", {MATRIX, In(INT32, {2, 1})}, {.i = {2}}, Argument, "2 is outside -2..1"},
          {"a scalar", {In(FLOAT32, {}), In(INT32, {})}, {}, Argument, "its rank is 0"},
          {"real indices", {MATRIX, MATRIX}, {}, Validation, "input 1"},
      });
}

TEST(OpsSortingReject, PutAlongAxis) {
  const In values(FLOAT32, {2, 2});
  checkRejections(
      "put_along_axis",
      {
          {"an index too large", {MATRIX, In(INT32, {2, 2}, {0, 1, 3, 0}), values}, {}, Argument, "value 3 at [1, 0]"},
          {"an index for no elements",
           {In(FLOAT32, {2, 0}), In(INT64, {2, 1}), In(FLOAT32, {2, 1})},
           {},
           Argument,
           "value 0 at [0, 0]"},
          {"other sizes", {MATRIX, In(INT32, {3, 2}), values}, {}, Argument, "[3, 2]"},
          {"more indices than x has rows", {In(FLOAT32, {1, 3}), In(INT32, {2, 2}), values}, {}, Argument, "[2, 2]"},
          {"values that do not broadcast", {MATRIX, In(INT32, {2, 2}), In(FLOAT32, {3})}, {}, Argument, "input 2"},
          {"values of a higher rank", {MATRIX, In(INT32, {2, 2}), In(FLOAT32, {1, 2, 2})}, {}, Argument, "input 2"},
          {"an unknown reduction", {MATRIX, In(INT32, {2, 2}), values}, {.i = {1, 5}}, Argument, "reduction"},
          {"a sum of BOOL", {In(BOOL, {2, 3}), In(INT32, {2, 2}), In(BOOL, {2, 2})}, {.i = {1, 1}}, Argument, "BOOL"},
          {"an axis too large", {MATRIX, In(INT32, {2, 2}), values}, {.i = {2}}, Argument, "2 is outside -2..1"},
          {"strings", {MATRIX, In(INT32, {2, 2}), WORDS}, {}, Argument, "input 0 'x': numbers are given with strings"},
          {"two inputs", {MATRIX, In(INT32, {2, 2})}, {}, Runtime, "input 2"},
      });
}

TEST(OpsSortingReject, Differences) {
  checkRejections("diff",
                  {
                      {"a negative number of times", {MATRIX}, {.i = {-1}}, Argument, "'times': -1 is outside 0.."},
                      {"an axis too large", {MATRIX}, {.i = {1, 2}}, Argument, "2 is outside -2..1"},
                      {"a scalar", {In(FLOAT32, {})}, {}, Argument, "its rank is 0"},
                      {"strings", {WORDS}, {}, Validation, "input 0"},
                  });
}
