// Calls that quantiles and medians must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;
using namespace sd::optest::refusal;

namespace {
const In WORDS(UTF8, {2});
const In MATRIX(FLOAT32, {2, 3});
const In HALF_WAY(FLOAT32, {}, {0.5});
}  // namespace

TEST(OpsOrderStatisticsReject, Quantile) {
  const std::vector<Rejection> table = {
      {"a fraction too large",
       {MATRIX, In(FLOAT32, {3}, {0, 1, 1.5})},
       {},
       Argument,
       "input 1 'q': value 1.5 at [2] is outside 0..1 (shape [3])"},
      {"a negative fraction", {MATRIX, In(DOUBLE, {}, {-0.25})}, {}, Argument, "value -0.25 is outside 0..1"},
      {"a fraction of no results",
       {In(FLOAT32, {0, 3}), In(INT32, {1}, {2})},
       {.i = {0, 1}},
       Argument,
       "value 2 at [0]"},
      {"no fraction", {MATRIX, In::empty(DOUBLE)}, {}, Argument, "input 1 'q': there are no fractions"},
      {"NaN for a fraction", {MATRIX, In(FLOAT32, {1}, {NAN})}, {}, Argument, "value nan at [0]"},
      {"a matrix of fractions", {MATRIX, In(FLOAT32, {1, 1}, {0.5})}, {}, Argument, "its rank is 2"},
      {"an axis too large", {MATRIX, HALF_WAY}, {.i = {0, 2}}, Argument, "2 is outside -2..1"},
      {"an axis too small", {MATRIX, HALF_WAY}, {.i = {0, 0, -3}}, Argument, "-3 is outside -2..1"},
      {"an axis of a scalar", {HALF_WAY, HALF_WAY}, {.i = {0, 0}}, Argument, "axis"},
      {"an unknown interpolation", {MATRIX, HALF_WAY}, {.i = {5}}, Argument, "interpolation"},
      {"strings", {WORDS, HALF_WAY}, {}, Validation, "input 0"},
      {"strings for fractions", {MATRIX, WORDS}, {}, Validation, "input 1"},
      {"one input", {MATRIX}, {}, Runtime, "input 1"},
  };
  for (const char* name : {"quantile", "quantile_positions"}) checkRejections(name, table);
}

TEST(OpsOrderStatisticsReject, Median) {
  checkRejections("median", {
                                {"an axis too large", {MATRIX}, {.i = {2}}, Argument, "2 is outside -2..1"},
                                {"an axis too small", {MATRIX}, {.i = {0, -3}}, Argument, "-3 is outside -2..1"},
                                {"an axis of a scalar", {HALF_WAY}, {.i = {0}}, Argument, "axis"},
                                {"strings", {WORDS}, {}, Validation, "input 0"},
                                {"nothing", {}, {}, Validation, "no inputs"},
                            });
}
