// Calls of reductions and of products that must be refused.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const In MATRIX(FLOAT32, {3, 5});

const std::vector<Rejection> AXES = {
    {"an axis that is too large", {MATRIX}, {.i = {2}}, refusal::Argument, "argument 'axes': 2 is outside -2..1"},
    {"an axis that is too small", {MATRIX}, {.i = {-3}}, refusal::Argument, "-3 is outside"},
    {"more axes than dimensions", {MATRIX}, {.i = {0, 1, 0}}, refusal::Argument, "3 axes"},
    {"an axis of a scalar", {In(FLOAT32, {})}, {.i = {1}}, refusal::Argument, "rank 0"},
    {"axes in an array, outside", {MATRIX, In(INT32, {2}, {0, 7})}, {}, refusal::Argument, "7 is outside"},
    {"axes that are no integers", {MATRIX, In(FLOAT32, {1})}, {}, refusal::Validation, "input 1"},
    {"strings", {In(UTF8, {2})}, {}, refusal::Validation, "input 0"},
    {"nothing", {}, {}, refusal::Validation, "no inputs"},
};

const std::vector<Rejection> GRADIENTS = {
    {"a gradient of another shape", {MATRIX, In(FLOAT32, {4})}, {.i = {1}}, refusal::Argument, "[4]"},
    {"an axis that is too large", {MATRIX, In(FLOAT32, {3})}, {.i = {2}}, refusal::Argument, "outside -2..1"},
    {"integers", {In(INT32, {3, 5}), In(FLOAT32, {3})}, {.i = {1}}, refusal::Validation, "input 0"},
    {"no gradient", {MATRIX}, {.i = {1}}, refusal::Argument, "input 1 is missing"},
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

TEST(OpsBlasReject, Matmul) {
  const In VECTOR(FLOAT32, {5});
  checkRejections("matmul",
                  {{"inner sizes", {MATRIX, MATRIX}, {}, refusal::Argument, "5 columns do not fit 3 rows"},
                   {"inner sizes, transposed",
                    {MATRIX, In(FLOAT32, {5, 2})},
                    {.i = {1}},
                    refusal::Argument,
                    "3 columns do not fit 5"},
                   {"a scalar", {In(FLOAT32, {}), MATRIX}, {}, refusal::Argument, "scalar"},
                   {"ranks", {In(FLOAT32, {2, 3, 5}), In(FLOAT32, {5, 2})}, {}, refusal::Argument, "differ in rank"},
                   {"batches", {In(FLOAT32, {2, 3, 5}), In(FLOAT32, {3, 5, 2})}, {}, refusal::Argument, "dimension 0"},
                   {"vectors", {VECTOR, In(FLOAT32, {4})}, {}, refusal::Argument, "[4]"},
                   {"types", {MATRIX, In(DOUBLE, {5, 2})}, {}, refusal::Type, ""},
                   {"BOOL", {In(BOOL, {2, 2}), In(BOOL, {2, 2})}, {}, refusal::Validation, "input 0"},
                   {"one operand", {MATRIX}, {}, refusal::Runtime, ""}});
  checkRejections(
      "matmul_bp",
      {{"the gradient's shape", {MATRIX, In(FLOAT32, {5, 2}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[3, 2]"},
       {"inner sizes", {MATRIX, MATRIX, MATRIX}, {}, refusal::Argument, "columns"}});
}

TEST(OpsBlasReject, Others) {
  const In A(FLOAT32, {2, 3, 4}), B(FLOAT32, {4, 3, 5});
  checkRejections("tensormmul",
                  {{"no axes", {A, B}, {}, refusal::Validation, "integer arguments"},
                   {"numbers of axes", {A, B}, {.i = {1, 2, 2, 0, 1}}, refusal::Runtime, "do not pair"},
                   {"sizes", {A, B}, {.i = {1, 0, 1, 0}}, refusal::Runtime, "differ in size"},
                   {"an axis twice", {A, B}, {.i = {2, 1, 1, 2, 1, 1}}, refusal::Runtime, "twice"},
                   {"an axis outside", {A, B}, {.i = {1, 3, 1, 0}}, refusal::Argument, "3 is outside"},
                   {"more axes than follow", {A, B}, {.i = {3, 0}}, refusal::Runtime, "announced"},
                   {"no axes of b", {A, B}, {.i = {1, 0}}, refusal::Argument, "number of axes of b is missing"},
                   {"types", {A, In(DOUBLE, {4, 3, 5})}, {.i = {1, 2, 1, 0}}, refusal::Argument, "differ in type"}});
  checkRejections("axpy", {{"shapes", {A, B}, {}, refusal::Argument, "[4, 3, 5]"},
                           {"types", {A, In(DOUBLE, {2, 3, 4})}, {}, refusal::Argument, "type"},
                           {"alpha", {A, A, In(FLOAT32, {2})}, {}, refusal::Argument, "'alpha'"}});
  const In ONE(FLOAT32, {1}), X(FLOAT32, {2, 3}), Y(FLOAT32, {3, 4});
  checkRejections(
      "batched_gemm",
      {{"arguments", {ONE, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2}}, refusal::Validation, "9 integer"},
       {"a flag", {ONE, ONE, X, Y}, {.i = {2, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'transA': 2"},
       {"a size", {ONE, ONE, X, Y}, {.i = {1, 1, 0, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'M': 0"},
       {"a shape", {ONE, ONE, Y, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "matrix 0 of A"},
       {"inputs", {ONE, ONE, X}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "3 inputs"},
       {"alpha", {X, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'alpha'"},
       {"a leading dimension", {ONE, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 2, 4, 2, 1}}, refusal::Argument, "'ldA': 2"},
       {"a leading dimension beyond the buffer",
        {ONE, ONE, X, Y},
        {.i = {1, 1, 2, 4, 3, 9, 4, 2, 1}},
        refusal::Argument,
        "leading dimension of 9"}});
}

TEST(OpsActivationsReject, Activations) {
  for (const char* name : {"sigmoid", "tanh", "softsign", "softplus", "selu", "rectifiedtanh", "rationaltanh",
                           "hardtanh", "hardsigmoid", "lrelu", "elu", "thresholdedrelu"})
    checkRejections(name, {{"integers", {In(INT32, {3})}, {}, refusal::Validation, "input 0"},
                           {"strings", {In(UTF8, {3})}, {}, refusal::Validation, "input 0"},
                           {"an output of another type",
                            {MATRIX},
                            {},
                            refusal::Validation,
                            "output 0",
                            false,
                            std::vector<In>{In(DOUBLE, {3, 5})}}});
  for (const char* name : {"sigmoid_bp", "tanh_bp", "softsign_bp", "softplus_bp", "selu_bp", "cube_bp", "relu_bp",
                           "relu6_bp", "lrelu_bp", "elu_bp", "thresholdedrelu_bp", "hardtanh_bp", "hardsigmoid_bp"})
    checkRejections(name, {{"another length", {MATRIX, In(FLOAT32, {4})}, {}, refusal::Runtime, "[4]"},
                           {"another type", {MATRIX, In(DOUBLE, {3, 5})}, {}, refusal::Type, "input 1"},
                           {"integers", {In(INT32, {3}), In(INT32, {3})}, {}, refusal::Validation, "input 0"}});
  for (const char* name : {"relu", "relu6"})
    checkRejections(name, {{"no cutoff", {MATRIX}, {}, refusal::Validation, "floating arguments"}});
}

TEST(OpsActivationsReject, SlopesAndHalves) {
  const In X(FLOAT32, {2, 3, 4});
  checkRejections("prelu", {{"rank 1", {In(FLOAT32, {3}), In(FLOAT32, {3})}, {}, refusal::Argument, "at least 2"},
                            {"slopes", {X, In(FLOAT32, {5})}, {}, refusal::Argument, "[5] does not fit [3, 4]"},
                            {"an axis", {X, In(FLOAT32, {3})}, {.i = {3}}, refusal::Argument, "shared axis 3"}});
  checkRejections("prelu_bp",
                  {{"the gradient", {X, In(FLOAT32, {3, 4}), In(FLOAT32, {5})}, {}, refusal::Runtime, "[5]"},
                   {"slopes", {X, In(FLOAT32, {5}), X}, {}, refusal::Argument, "[5]"}});
  checkRejections("crelu", {{"a scalar", {In(FLOAT32, {})}, {}, refusal::Argument, "last axis"},
                            {"integers", {In(INT32, {2})}, {}, refusal::Argument, "INT32"}});
  checkRejections("crelu_bp", {{"the gradient", {X, X}, {}, refusal::Argument, "[2, 3, 8]"}});
  checkRejections("identity_bp", {{"the gradient", {X, In(FLOAT32, {5})}, {}, refusal::Runtime, "[5]"},
                                  {"integers", {X, In(INT32, {24})}, {}, refusal::Validation, "input 1"}});
}
