// Functions of matrices: calls that they must reject, and properties of results on larger matrices.
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/matrix_functions.h>

#include "OpRejections.h"

using namespace sd;
using namespace sd::optest;
using namespace sd::optest::refusal;

namespace {
const In WORDS(UTF8, {2});
const In VECTOR(FLOAT32, {3});
const In SQUARE(FLOAT32, {2, 2});
const In INFINITE(FLOAT32, {2, 2}, {1, INFINITY, 0, 1});
const In UNDEFINED(DOUBLE, {2, 2}, {1, 0, NAN, 1});
}  // namespace

TEST(OpsMatrixFunctions, KronRejects) {
  const std::vector<LongType> many(17, 1);
  checkRejections("kron", {
                              {"strings", {WORDS, VECTOR}, {}, Validation, "input 0"},
                              {"strings as y", {VECTOR, WORDS}, {}, Validation, "input 1"},
                              {"BOOL", {In(BOOL, {2}), VECTOR}, {}, Validation, "input 0"},
                              {"one input", {VECTOR}, {}, Runtime, "input 1"},
                              {"17 dimensions", {In(FLOAT32, many), VECTOR}, {}, Argument, "17 dimensions"},
                          });
}

TEST(OpsMatrixFunctions, SquaresReject) {
  for (const char* name : {"expm", "eigh"})
    checkRejections(name, {
                              {"a vector", {VECTOR}, {}, Argument, "its rank is 1"},
                              {"not square", {In(FLOAT32, {2, 3})}, {}, Argument, "[2, 3] are not square"},
                              {"an infinite element", {INFINITE}, {}, Argument, "not finite (shape [2, 2])"},
                              {"NaN", {UNDEFINED}, {}, Argument, "not finite"},
                              {"integers", {In(INT32, {2, 2})}, {}, Validation, "input 0"},
                              {"nothing", {}, {}, Validation, "no inputs"},
                          });
}

TEST(OpsMatrixFunctions, PinvRejects) {
  checkRejections("pinv", {
                              {"a vector", {VECTOR}, {}, Argument, "its rank is 1"},
                              {"an infinite element", {INFINITE}, {}, Argument, "not finite"},
                              {"NaN", {UNDEFINED}, {}, Argument, "not finite"},
                              {"integers", {In(INT32, {2, 2})}, {}, Validation, "input 0"},
                              {"a negative rcond", {SQUARE}, {.t = {-0.5}}, Argument, "rcond"},
                          });
}

namespace {

NDArray only(ops::DeclarableOp& op, const NDArray& x) {
  return NDArray(*op.evaluate({&const_cast<NDArray&>(x)}).at(0));
}

NDArray wave(LongType rows, LongType columns) {
  NDArray x('c', {rows, columns}, DOUBLE);
  for (LongType i = 0; i < x.lengthOf(); i++)
    x.p(i, std::sin(static_cast<double>(i * i % 97) + 0.1 * static_cast<double>(i)));
  return x;
}

}  // namespace

TEST(OpsMatrixFunctions, ExponentialOfSumsOfCommutingMatrices) {
  NDArray x = wave(60, 60);
  x *= 0.2;
  ops::additional::expm op;
  const NDArray once = only(op, x), twice = only(op, x + x);
  EXPECT_TRUE(mmul(once, once).equalsTo(twice, 1e-9));
  const NDArray back = only(op, -x);
  EXPECT_TRUE(mmul(once, back).isIdentityMatrix());
}

TEST(OpsMatrixFunctions, PseudoinverseOfLargeMatrices) {
  const NDArray x = wave(70, 40);
  ops::additional::pinv op;
  const NDArray p = only(op, x);
  EXPECT_TRUE(mmul(p, x).isIdentityMatrix());
  const NDArray projection = mmul(x, p);
  EXPECT_TRUE(projection.equalsTo(projection.transpose(), 1e-9));
}

TEST(OpsMatrixFunctions, EigenvectorsOfLargeMatrices) {
  const NDArray x = wave(80, 80);
  NDArray symmetric = x + x.transpose();
  ops::additional::eigh op;
  auto results = op.evaluate({&symmetric});
  const NDArray &w = *results.at(0), &v = *results.at(1);
  EXPECT_TRUE(mmul(v.transpose(), v).isIdentityMatrix());
  EXPECT_TRUE(mmul(symmetric, v).equalsTo(v * w, 1e-9));
  for (LongType i = 1; i < 80; i++) EXPECT_LE(w.e<double>(i - 1), w.e<double>(i));
}
