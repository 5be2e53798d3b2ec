// Calls that products must reject.
#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;

namespace {

const In MATRIX(FLOAT32, {3, 5});

}  // namespace

TEST(OpsBlasReject, Matmul) {
  const In VECTOR(FLOAT32, {5});
  checkRejections(
      "matmul", {{"inner sizes", {MATRIX, MATRIX}, {}, refusal::Argument, "5 columns do not match 3 rows"},
                 {"inner sizes, transposed",
                  {MATRIX, In(FLOAT32, {5, 2})},
                  {.i = {1}},
                  refusal::Argument,
                  "3 columns do not match 5"},
                 {"a scalar", {In(FLOAT32, {}), MATRIX}, {}, refusal::Argument, "scalar"},
                 {"batches", {In(FLOAT32, {2, 3, 5}), In(FLOAT32, {3, 5, 2})}, {}, refusal::Argument, "sizes 2 and 3"},
                 {"a vector and a batch", {VECTOR, In(FLOAT32, {2, 4, 3})}, {}, refusal::Argument, "4 rows"},
                 {"vectors", {VECTOR, In(FLOAT32, {4})}, {}, refusal::Argument, "[4]"},
                 {"types", {MATRIX, In(DOUBLE, {5, 2})}, {}, refusal::Type, ""},
                 {"BOOL", {In(BOOL, {2, 2}), In(BOOL, {2, 2})}, {}, refusal::Validation, "input 0"},
                 {"one operand", {MATRIX}, {}, refusal::Runtime, ""}});
  checkRejections(
      "matmul_bp",
      {{"the gradient's shape", {MATRIX, In(FLOAT32, {5, 2}), In(FLOAT32, {2, 3})}, {}, refusal::Argument, "[3, 2]"},
       {"inner sizes", {MATRIX, MATRIX, MATRIX}, {}, refusal::Argument, "columns"}});
}

TEST(OpsBlasReject, Addmm) {
  const In C(FLOAT32, {3, 2}), Y(FLOAT32, {5, 2});
  checkRejections(
      "addmm",
      {{"inner sizes", {C, MATRIX, MATRIX}, {}, refusal::Argument, "5 columns do not match 3 rows"},
       {"c",
        {In(FLOAT32, {2, 2}), MATRIX, Y},
        {},
        refusal::Argument,
        "[2, 2] does not broadcast to that of the product, [3, 2]"},
       {"c is empty", {In::empty(FLOAT32), MATRIX, Y}, {}, refusal::Argument, "does not broadcast"},
       {"c has a higher rank", {In(FLOAT32, {1, 3, 2}), MATRIX, Y}, {}, refusal::Argument, "does not broadcast"},
       {"a scalar", {C, In(FLOAT32, {}), Y}, {}, refusal::Argument, "scalar"},
       {"types of the factors", {C, MATRIX, In(DOUBLE, {5, 2})}, {}, refusal::Argument, "input 2 'y'"},
       {"type of c", {In(DOUBLE, {3, 2}), MATRIX, Y}, {}, refusal::Argument, "input 1 'x'"},
       {"BOOL", {In(BOOL, {2, 2}), In(BOOL, {2, 2}), In(BOOL, {2, 2})}, {}, refusal::Validation, "input 0"},
       {"two inputs", {C, MATRIX}, {}, refusal::Runtime, "input 2 is missing"}});
}

TEST(OpsBlasReject, Others) {
  const In A(FLOAT32, {2, 3, 4}), B(FLOAT32, {4, 3, 5});
  checkRejections(
      "tensormmul",
      {{"no axes", {A, B}, {}, refusal::Validation, "integer arguments"},
       {"numbers of axes", {A, B}, {.i = {1, 2, 2, 0, 1}}, refusal::Runtime, "the numbers of paired axes differ"},
       {"sizes", {A, B}, {.i = {1, 0, 1, 0}}, refusal::Runtime, "differ in size"},
       {"an axis twice", {A, B}, {.i = {2, 1, 1, 2, 1, 1}}, refusal::Runtime, "twice"},
       {"an axis outside", {A, B}, {.i = {1, 3, 1, 0}}, refusal::Argument, "3 is outside"},
       {"more axes than follow", {A, B}, {.i = {3, 0}}, refusal::Runtime, "are requested, but"},
       {"no axes of b", {A, B}, {.i = {1, 0}}, refusal::OutOfRange, "number of axes is missing"},
       {"types", {A, In(DOUBLE, {4, 3, 5})}, {.i = {1, 2, 1, 0}}, refusal::Argument, "differ in type"}});
  checkRejections("axpy", {{"shapes", {A, B}, {}, refusal::Argument, "[4, 3, 5]"},
                           {"types", {A, In(DOUBLE, {2, 3, 4})}, {}, refusal::Argument, "type"},
                           {"alpha", {A, A, In(FLOAT32, {2})}, {}, refusal::Argument, "'alpha'"}});
  const In ONE(FLOAT32, {1}), X(FLOAT32, {2, 3}), Y(FLOAT32, {3, 4});
  checkRejections(
      "batched_gemm",
      {{"arguments", {ONE, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2}}, refusal::Validation, "9 integer"},
       {"a flag", {ONE, ONE, X, Y}, {.i = {2, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'transpose_a': 2"},
       {"a size", {ONE, ONE, X, Y}, {.i = {1, 1, 0, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'m': 0"},
       {"a shape", {ONE, ONE, Y, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "matrix 0 of 'x'"},
       {"inputs", {ONE, ONE, X}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "3 inputs"},
       {"alpha", {X, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 3, 4, 2, 1}}, refusal::Argument, "'alpha'"},
       {"a leading dimension", {ONE, ONE, X, Y}, {.i = {1, 1, 2, 4, 3, 2, 4, 2, 1}}, refusal::Argument, "'lda': 2"},
       {"a leading dimension beyond the buffer",
        {ONE, ONE, X, Y},
        {.i = {1, 1, 2, 4, 3, 9, 4, 2, 1}},
        refusal::Argument,
        "leading dimension 9"}});
}
