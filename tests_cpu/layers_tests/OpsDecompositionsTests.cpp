// Decompositions, checked by multiplying the factors, and calls that they must reject.
#include <array/NDArrayFactory.h>
#include <helpers/MmulHelper.h>
#include <ops/declarable/CustomOperations.h>

#include <cmath>

#include "OpRejections.h"
#include "random"

using namespace sd;
using namespace sd::optest;

namespace {

NDArray randomArray(const std::vector<LongType>& shape, DataType type, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  NDArray x('c', shape, type);
  for (LongType i = 0; i < x.lengthOf(); i++) x.p<double>(i, normal(engine));
  return x;
}

NDArray transposed(const NDArray& x) {
  std::vector<int> axes;
  for (int d = 0; d < x.rankOf(); d++) axes.push_back(d);
  std::swap(axes[axes.size() - 2], axes[axes.size() - 1]);
  return x.permute(axes).dup('c');
}

NDArray product(const NDArray& x, const NDArray& y) {
  std::unique_ptr<NDArray> z(MmulHelper::mmul(&x, &y));
  return *z;
}

void expectIdentities(const NDArray& x, double tolerance) {
  const LongType n = x.sizeAt(-1);
  for (LongType i = 0; i < x.lengthOf(); i++)
    ASSERT_NEAR(i / n % n == i % n ? 1.0 : 0.0, x.e<double>(i), tolerance) << "element " << i;
}

}  // namespace

TEST(OpsDecompositionsTests, SingularVectors) {
  for (DataType type : {DOUBLE, FLOAT32})
    for (const std::vector<LongType>& shape :
         {std::vector<LongType>{5, 3}, {3, 5}, {4, 4}, {1, 1}, {2, 3, 4, 6}, {33, 40}, {2, 128, 130}, {130, 128}})
      for (LongType full : {0, 1}) {
        const double tolerance = type == DOUBLE ? 1e-12 : 2e-5;
        NDArray x = randomArray(shape, type, 3);
        const ResultSet parts = ops::svd().evaluate({&x}, {}, {full, 1, 16});
        ASSERT_EQ(3, parts.size());
        const NDArray &s = *parts.at(0), &u = *parts.at(1), &v = *parts.at(2);
        expectIdentities(product(transposed(u), u), tolerance);
        expectIdentities(product(transposed(v), v), tolerance);
        // u^T x v holds the singular values on its diagonal
        const NDArray middle = product(product(transposed(u), x), v);
        const LongType rows = middle.sizeAt(-2), columns = middle.sizeAt(-1), k = s.sizeAt(-1);
        for (LongType i = 0; i < middle.lengthOf(); i++) {
          const LongType r = i / columns % rows, c = i % columns, batch = i / (rows * columns);
          ASSERT_NEAR(r == c ? s.e<double>(batch * k + r) : 0.0, middle.e<double>(i), 10 * tolerance);
        }
      }
}

TEST(OpsDecompositionsTests, FullOrthogonalFactors) {
  for (const std::vector<LongType>& shape : {std::vector<LongType>{5, 3}, {3, 5}, {2, 4, 1}, {2, 2}}) {
    NDArray x = randomArray(shape, DOUBLE, 4);
    const ResultSet parts = ops::qr().evaluate({&x}, {}, {}, {true});
    const NDArray &q = *parts.at(0), &r = *parts.at(1);
    expectIdentities(product(transposed(q), q), 1e-13);
    EXPECT_TRUE(product(q, r).equalsTo(x, 1e-12));
  }
}

// Columns of a multiple of 128 elements are factored with gaps between them.
TEST(OpsDecompositionsTests, FactorsOfMultiplesOf128) {
  for (const std::vector<LongType>& shape :
       {std::vector<LongType>{128, 128}, {2, 128, 20}, {256, 128}, {130, 128}, {128, 130}})
    for (const bool full : {false, true}) {
      if (!full && shape[shape.size() - 2] < shape.back()) continue;
      NDArray x = randomArray(shape, DOUBLE, 6);
      const ResultSet parts = ops::qr().evaluate({&x}, {}, {}, {full});
      const NDArray &q = *parts.at(0), &r = *parts.at(1);
      expectIdentities(product(transposed(q), q), 1e-12);
      EXPECT_TRUE(product(q, r).equalsTo(x, 1e-11));
      const LongType rows = r.sizeAt(-2), columns = r.sizeAt(-1);
      for (LongType i = 0; i < r.lengthOf(); i++) {
        const LongType row = i / columns % rows, column = i % columns;
        if (column < row) {
          ASSERT_EQ(0, r.e<double>(i)) << "element " << i;
        }
      }
    }
}

TEST(OpsDecompositionsTests, Eigenvectors) {
  for (DataType type : {DOUBLE, FLOAT32})
    for (LongType n : {1, 2, 5, 12, 128}) {
      const double tolerance = type == DOUBLE ? 1e-11 : 1e-4;
      NDArray a = randomArray({n, n}, type, static_cast<unsigned>(n));
      const ResultSet parts = ops::eig().evaluate({&a});
      const NDArray &w = *parts.at(0), &v = *parts.at(1);
      for (LongType j = 0; j < n; j++) {
        double length = 0;
        for (LongType i = 0; i < n; i++) {
          double re = 0, im = 0;
          for (LongType k = 0; k < n; k++) {
            re += a.e<double>(i, k) * v.e<double>(k, j, 0);
            im += a.e<double>(i, k) * v.e<double>(k, j, 1);
          }
          const double x = v.e<double>(i, j, 0), y = v.e<double>(i, j, 1);
          const double p = w.e<double>(j, 0), q = w.e<double>(j, 1);
          EXPECT_NEAR(p * x - q * y, re, tolerance);
          EXPECT_NEAR(p * y + q * x, im, tolerance);
          length += x * x + y * y;
        }
        EXPECT_NEAR(1, length, tolerance);
      }
    }
}

TEST(OpsDecompositionsTests, ManyThreadsGiveTheSame) {
  NDArray x = randomArray({500, 8, 8}, FLOAT32, 5);
  NDArray whole = *ops::matrix_inverse().evaluate({&x}).at(0);
  for (LongType b : {0, 123, 499}) {
    NDArray one = x({b, b + 1, 0, 0, 0, 0}, false).dup('c');
    EXPECT_TRUE(whole({b, b + 1, 0, 0, 0, 0}, false).equalsTo(*ops::matrix_inverse().evaluate({&one}).at(0), 0.0));
  }
}

TEST(OpsDecompositionsTests, Rejections) {
  const In vector(FLOAT32, {3}), oblong(FLOAT32, {2, 3}), ints(INT32, {2, 2});
  const In good(DOUBLE, {2, 2}, {2, 1, 1, 2}), single(FLOAT32, {2, 2}, {2, 1, 1, 2});
  const In singular(DOUBLE, {2, 2, 2}, {1, 0, 0, 1, 0, 1, 0, 2}), column(DOUBLE, {2, 1}, {1, 1});
  const In infinite(DOUBLE, {2, 2}, {INFINITY, 0, 0, 1});
  for (const char* name :
       {"cholesky", "logdet", "lu", "matrix_inverse", "matrix_determinant", "log_matrix_determinant", "sqrtm"})
    checkRejections(name, {{"a vector", {vector}, {}, refusal::Argument, "input 0 'a': its rank is 1"},
                           {"not square", {oblong}, {}, refusal::Argument, "[2, 3] are not square"},
                           {"integers", {ints}, {}, refusal::Validation, "INT32"}});
  for (const char* name : {"cholesky", "logdet"})
    checkRejections(
        name,
        {{"asymmetric", {In(DOUBLE, {2, 2}, {2, 1, 1.001, 2})}, {}, refusal::Argument, "matrix 0 is not symmetric"},
         {"indefinite", {In(DOUBLE, {2, 2}, {1, 2, 2, 1})}, {}, refusal::Argument, "minor of order 2"},
         {"zero", {In(DOUBLE, {2, 2, 2}, {1, 0, 0, 1})}, {}, refusal::Argument, "matrix 1 is not positive"},
         {"NaN", {In(DOUBLE, {1, 1}, {NAN})}, {}, refusal::Argument, "matrix 0"}});
  checkRejections(
      "lu", {{"a zero column", {singular}, {}, refusal::Runtime, "matrix 1 is singular"},
             {"another type of the permutation", {good}, {.i = {5}}, refusal::Argument, "argument 'dtype': FLOAT32"}});
  checkRejections("matrix_inverse",
                  {{"singular", {singular}, {}, refusal::Validation, "matrix 1 is singular"},
                   {"rank 1", {In(FLOAT32, {2, 2}, {1, 2, 2, 4})}, {}, refusal::Validation, "matrix 0 is singular"}});
  for (const char* name : {"solve", "triangular_solve"})
    checkRejections(
        name,
        {{"not square", {oblong, oblong}, {}, refusal::Argument, "[2, 3] are not square"},
         {"a vector b", {good, In(DOUBLE, {2})}, {}, refusal::Argument, "input 1 'b': its rank is 1"},
         {"other rows", {good, In(DOUBLE, {3, 1})}, {}, refusal::Argument, "[3, 1], but 2 rows are needed"},
         {"other batches", {In(DOUBLE, {2, 2, 2}), In(DOUBLE, {3, 2, 1})}, {}, refusal::Argument, "last two differ"},
         {"other types", {single, column}, {}, refusal::Argument, "input 1 'b': its type is DOUBLE"},
         {"one input", {good}, {}, refusal::Runtime, "input 1 'b' is missing"}});
  checkRejections("solve",
                  {{"singular", {singular, In(DOUBLE, {2, 2, 1})}, {}, refusal::Runtime, "matrix 1 is singular"},
                   {"other ranks", {good, In(DOUBLE, {1, 2, 1})}, {}, refusal::Argument, "differ in rank"}});
  for (const char* name : {"lstsq", "solve_ls"})
    checkRejections(
        name,
        {{"a vector", {vector, vector}, {}, refusal::Argument, "input 0 'a': its rank is 1"},
         {"other rows", {good, In(DOUBLE, {3, 1})}, {}, refusal::Argument, "2 rows are needed"},
         {"other batches", {In(DOUBLE, {2, 2, 2}), In(DOUBLE, {3, 2, 1})}, {}, refusal::Argument, "last two differ"},
         {"not finite", {infinite, column}, {}, refusal::Argument, "not finite"},
         {"a negative l2", {good, column}, {.t = {-30}}, refusal::Argument, "is not positive definite"}});
  checkRejections("qr", {{"a vector", {vector}, {}, refusal::Argument, "its rank is 1"},
                         {"too few rows", {oblong}, {}, refusal::Argument, "full_matrices is needed"},
                         {"integers", {ints}, {}, refusal::Validation, "INT32"}});
  checkRejections("svd", {{"a vector", {vector}, {.i = {0, 1, 16}}, refusal::Argument, "its rank is 1"},
                          {"two arguments", {good}, {.i = {0, 1}}, refusal::Validation, "3 integer arguments"},
                          {"not finite", {infinite}, {.i = {0, 1, 16}}, refusal::Argument, "not finite"}});
  checkRejections("eig", {{"a batch", {In(DOUBLE, {2, 2, 2})}, {}, refusal::Argument, "its rank is 3, not 2"},
                          {"not square", {oblong}, {}, refusal::Argument, "[2, 3] are not square"},
                          {"not finite", {infinite}, {}, refusal::Runtime, "not finite"}});
  checkRejections("sqrtm",
                  {{"a negative eigenvalue", {In(DOUBLE, {2, 2}, {1, 0, 0, -1})}, {}, refusal::Runtime, "matrix 0"},
                   {"a nilpotent matrix", {In(DOUBLE, {2, 2}, {0, 1, 0, 0})}, {}, refusal::Runtime, "matrix 0"},
                   {"not finite", {infinite}, {}, refusal::Runtime, "not finite"}});
}
