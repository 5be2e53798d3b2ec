// Sums, moves and scales points in the plane, stored as consecutive numbers. Each step is one pass without a loop.
#include <tensor/Tensor.h>

#include <cstdio>
#include <vector>

struct Point {
  float x, y;
};

int main() {
  using namespace sd;
  std::vector<Point> points = {{1, 2}, {4, 5}, {7, 8}};
  const auto numbers = tensor::components<float>(points);  // 1, 2, 4, 5, 7, 8

  const auto sum = tensor::sum2D(numbers);
  const auto centre = tensor::average2D(numbers);
  std::printf("sum (%g, %g), centre (%g, %g)\n", sum[0], sum[1], centre[0], centre[1]);

  // a pair repeats over the elements, so it acts as a point
  tensor::subtract(numbers, std::pair(centre[0] - 5, centre[1] - 3), numbers);
  std::printf("moved (%g, %g)\n", points[0].x, points[0].y);
  tensor::multiply(numbers, 2.f, numbers);
  std::printf("scaled (%g, %g)\n", points[0].x, points[0].y);

  // a composed operator: ((x - corner) / 2)^2
  using HalfDistance = tensor::compose<simdOps::AddMultiply, simdOps::Square>;
  std::vector<float> squares(numbers.size());
  tensor::apply<HalfDistance>(numbers, std::pair(-4.f, 0.f), 0.5f, squares);
  std::printf("farthest %td\n", tensor::indexOfMaximum(squares) / 2);
}
