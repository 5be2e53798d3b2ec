// Computes the row sums of a product and its softmax, and compares them with what is known.
#include <nd/nd.h>

#include <cmath>
#include <cstdio>

int main() {
  using namespace sd;
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  NDArray product = nd::matmul(x, x, {.transposeB = true});  // [[14, 32], [32, 77]]
  NDArray sums = nd::reduce_sum(product, {.axis = {1}});
  NDArray shares = nd::softmax(x);
  const bool isRight = sums.e<float>(0) == 46 && sums.e<float>(1) == 109 &&
                       std::fabs(shares.e<float>(0, 2) - 0.66524096f) < 1e-6f;
  std::printf("row sums %g and %g, softmax %g: %s\n", sums.e<float>(0), sums.e<float>(1), shares.e<float>(0, 2),
              isRight ? "right" : "wrong");
  return isRight ? 0 : 1;
}
