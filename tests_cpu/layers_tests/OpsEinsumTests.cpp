// Calls that einsum must reject, and products of complex numbers.
#include <array/NDArrayFactory.h>

#include <complex>

#include "OpRejections.h"

#ifdef SD_ALL_OPS
#include <nd/nd.h>

using namespace sd;
using namespace sd::optest;
using namespace sd::optest::refusal;

namespace {

using Complex = std::complex<double>;

std::string errorOf(const std::string& equation, const std::vector<NDArray>& x) {
  try {
    nd::einsum(NDArrayFactory::string(equation), x);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST(OpsEinsumReject, Equations) {
  const NDArray matrix('c', {2, 3}, FLOAT32), other('c', {4, 3}, FLOAT32), vector('c', {3}, FLOAT32);
  const struct {
    const char* equation;
    std::vector<NDArray> operands;
    const char* message;
  } table[] = {
      {"ij,jk->iz", {matrix, vector}, "[einsum] the equation 'ij,jk->iz': output label 'z' is in no operand"},
      {"ij->ii", {matrix}, "output label 'i' is repeated"},
      {"i1->i", {matrix}, "'1' at position 1 is neither a letter nor ',', '->' or '...'"},
      {"ij->i->j", {matrix}, "'->' at position 5 is the second one"},
      {"ij->i,j", {matrix}, "',' at position 5 is behind '->'"},
      {"i..j", {matrix}, "'.' at position 1"},
      {"...i...", {matrix}, "'...' at position 4 is the second one of its term"},
      {"ij-i", {matrix}, "'-' at position 2"},
      {"ij,j", {matrix}, "has 2 operands, but 1 is given"},
      {"ij", {matrix, vector}, "has 1 operand, but 2 are given"},
      {"ijk", {matrix}, "operand 0 has 3 labels, but shape [2, 3]"},
      {"i", {matrix}, "operand 0 has 1 label, but shape [2, 3]"},
      {"ijk...", {matrix}, "operand 0 has 3 labels, but shape [2, 3]"},
      {"i...->i", {matrix}, "the result lacks '...'"},
      {"ii", {matrix}, "label 'i' has sizes 2 and 3 in operand 0 (shape [2, 3])"},
      {"ij,ij", {matrix, other}, "label 'i' has size 4 in operand 1 (shape [4, 3]), but 2 in operand 0 (shape [2, 3])"},
      {"...j,...j", {matrix, other}, "dimension -1 of '...' has size 4 in operand 1"},
  };
  for (const auto& row : table)
    EXPECT_NE(std::string::npos, errorOf(row.equation, row.operands).find(row.message))
        << row.equation << ": " << errorOf(row.equation, row.operands);
}

TEST(OpsEinsumReject, Inputs) {
  const In matrix(FLOAT32, {2, 3});
  checkRejections("einsum", {
                                {"numbers for the equation", {matrix, matrix}, {}, Validation, "input 0"},
                                {"strings for an operand", {In(UTF8, {}), In(UTF8, {2})}, {}, Validation, "input 1"},
                                {"several equations", {In(UTF8, {2}), matrix}, {}, Argument, "one string is needed"},
                                {"no operand", {In(UTF8, {})}, {}, Runtime, "input 1"},
                            });
  checkRejections("einsum_bp", {
                                   {"numbers for the equation", {matrix, matrix, matrix}, {}, Validation, "input 0"},
                                   {"several equations", {In(UTF8, {2}), matrix, matrix}, {}, Argument, "one string"},
                                   {"no gradient", {In(UTF8, {}), matrix}, {}, Argument, "1 operand, but 0 are given"},
                               });
}

// Sums of products of batches that are computed in parts.
TEST(OpsEinsum, LargeBatches) {
  const auto counted = [](const std::vector<LongType>& shape, LongType seed) {
    NDArray x('c', shape, DOUBLE);
    for (LongType i = 0; i < x.lengthOf(); i++) x.p<double>(i, static_cast<double>((i * 31 + seed) % 17 - 8));
    return x;
  };
  const LongType I = 83, J = 47, K = 91;
  const NDArray a = counted({I, J, K}, 1), b = counted({K, J, I}, 5);
  const NDArray z = nd::einsum(NDArrayFactory::string("ijk,kji->j"), std::vector<NDArray>{a, b});
  ASSERT_TRUE(z.isSameShape({J}));
  for (LongType j = 0; j < J; j++) {
    double sum = 0;
    for (LongType i = 0; i < I; i++)
      for (LongType k = 0; k < K; k++) sum += a.e<double>((i * J + j) * K + k) * b.e<double>((k * J + j) * I + i);
    ASSERT_EQ(z.e<double>(j), sum) << j;
  }
  // Two labels of the batch, the first of which is divided.
  const NDArray c = counted({J, 3, I * K}, 2), d = counted({3, I * K, J}, 3);
  const NDArray pairs = nd::einsum(NDArrayFactory::string("jtk,tkj->jt"), std::vector<NDArray>{c, d});
  ASSERT_TRUE(pairs.isSameShape({J, 3}));
  for (LongType j = 0; j < J; j++)
    for (LongType t = 0; t < 3; t++) {
      double sum = 0;
      for (LongType k = 0; k < I * K; k++)
        sum += c.e<double>((j * 3 + t) * I * K + k) * d.e<double>((t * I * K + k) * J + j);
      ASSERT_EQ(pairs.e<double>(j * 3 + t), sum) << j << ", " << t;
    }
}

TEST(OpsEinsum, Complex) {
  NDArray x('c', {2, 3}, COMPLEX128), y('c', {3, 2}, COMPLEX128);
  for (int i = 0; i < 6; i++) {
    x.bufferAsT<Complex>()[i] = Complex(i + 1, 0.5 - i);
    y.bufferAsT<Complex>()[i] = Complex(2 - i, i * i);
  }
  const NDArray z = nd::einsum(NDArrayFactory::string("ij,jk->ki"), {x, y});
  const NDArray trace = nd::einsum(NDArrayFactory::string("ij,ji->"), {x, y});
  Complex sum = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      Complex expected = 0;
      for (int j = 0; j < 3; j++) expected += x.e<Complex>(i, j) * y.e<Complex>(j, k);
      EXPECT_LT(std::abs(expected - z.e<Complex>(k, i)), 1e-12) << i << ", " << k;
      if (i == k) sum += expected;
    }
  EXPECT_LT(std::abs(sum - trace.e<Complex>(0)), 1e-12);
}
#endif
