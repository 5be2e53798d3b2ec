#include <array/NDArray.h>

int main() {
  using namespace sd;
  NDArray x('c', {2, 3}, {1, 2, 3, 4, 5, 6}, FLOAT32);
  NDArray row('c', {3}, {10, 20, 30}, FLOAT32);
  auto y = x * 2.f + row;                    // broadcasts the row
  y.applyTransform(transform::Sqrt, y);      // a numbered operation, in place
  y.reduceAlongDimension(reduce::Sum, {1}).printBuffer("sums of the rows");
}
