// Calls that reductions must reject.
#include <cmath>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const In MATRIX(FLOAT32, {3, 5});

const std::vector<Rejection> AXES = {
    {"an axis that is too large", {MATRIX}, {.i = {2}}, refusal::Argument, "argument 'axis': 2 is outside -2..1"},
    {"an axis that is too small", {MATRIX}, {.i = {-3}}, refusal::Argument, "-3 is outside"},
    {"more axes than dimensions", {MATRIX}, {.i = {0, 1, 0}}, refusal::Argument, "3 axes"},
    {"an axis of a scalar", {In(FLOAT32, {})}, {.i = {1}}, refusal::Argument, "rank 0"},
    {"axes in an array, outside", {MATRIX, In(INT32, {2}, {0, 7})}, {}, refusal::Argument, "7 is outside"},
    {"axes that are no integers",
     {MATRIX, In(FLOAT32, {1}, {NAN})},
     {},
     refusal::Argument,
     "input 1 'axis': value nan"},
    {"axes beyond 32 bits",
     {MATRIX, In(INT64, {1}, {4294967296.0})},
     {},
     refusal::Argument,
     "input 1 'axis': value 4294967296 at [0] is not an integer of 32 bits"},
    {"strings", {In(UTF8, {2})}, {}, refusal::Validation, "input 0"},
    {"nothing", {}, {}, refusal::Validation, "no inputs"},
};

const std::vector<Rejection> GRADIENTS = {
    {"a gradient of another shape", {MATRIX, In(FLOAT32, {4})}, {.i = {1}}, refusal::Argument, "[4]"},
    {"an axis that is too large", {MATRIX, In(FLOAT32, {3})}, {.i = {2}}, refusal::Argument, "outside -2..1"},
    {"integers", {In(INT32, {3, 5}), In(FLOAT32, {3})}, {.i = {1}}, refusal::Validation, "input 0"},
    {"no gradient", {MATRIX}, {.i = {1}}, refusal::Runtime, "input 1 'gradY' is missing"},
};

}  // namespace

TEST(OpsReduceReject, Axes) {
  for (const char* name : {"reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min", "reduce_norm1",
                           "reduce_norm2", "reduce_sqnorm", "reduce_norm_max"})
    checkRejections(name, AXES);
}

TEST(OpsReduceReject, Gradients) {
  for (const char* name :
       {"reduce_sum_bp", "reduce_mean_bp", "reduce_prod_bp", "reduce_max_bp", "reduce_min_bp", "reduce_norm1_bp",
        "reduce_norm2_bp", "reduce_sqnorm_bp", "reduce_norm_max_bp", "reduce_variance_bp", "reduce_stdev_bp"})
    checkRejections(name, GRADIENTS);
}

TEST(OpsReduceReject, Others) {
  checkRejections("reduce_dot_bp", {{"shapes that differ",
                                     {MATRIX, In(FLOAT32, {5, 3}), In(FLOAT32, {3})},
                                     {.i = {1}},
                                     refusal::Argument,
                                     "[5, 3]"}});
  checkRejections("norm", {{"no mode", {MATRIX}, {}, refusal::Validation, "floating arguments"},
                           {"one axis for Frobenius", {MATRIX}, {.t = {0}, .i = {1}}, refusal::Argument, "Frobenius"},
                           {"a p-norm without p", {MATRIX}, {.t = {7}, .i = {1}}, refusal::Argument, "p, is missing"},
                           {"integers", {In(INT32, {2, 2})}, {.t = {1}}, refusal::Validation, "input 0"}});
}
