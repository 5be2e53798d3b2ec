// Adds two arrays through an installed NDForge.
#include <array/NDArray.h>

#include <cstdio>

int main() {
  sd::NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, sd::DataType::FLOAT32);
  sd::NDArray row('c', {3}, {10, 20, 30}, sd::DataType::FLOAT32);
  const double sum = (x + row).sumNumber().e<double>(0);
  std::printf("sum: %g\n", sum);
  return sum == 141 ? 0 : 1;
}
