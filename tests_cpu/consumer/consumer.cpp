// Adds two arrays through an installed NDForge, and finds an operation by its name.
#include <array/NDArray.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstdio>

int main() {
  sd::NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, sd::DataType::FLOAT32);
  sd::NDArray row('c', {3}, {10, 20, 30}, sd::DataType::FLOAT32);
  const double sum = (x + row).sumNumber().e<double>(0);
  std::printf("sum: %g\n", sum);
  const bool isFound = sd::ops::OpRegistrator::getInstance().getOperation("add") != nullptr;
  std::printf("add: %s\n", isFound ? "found" : "missing");
  return sum == 141 && isFound ? 0 : 1;
}
