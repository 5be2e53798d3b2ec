#include "ops/declarable/helpers/boxes.h"

#include <algorithm>

namespace sd::ops::helpers {
namespace {

struct Box {
  double top, left, bottom, right;
  explicit Box(const double* corners)
      : top(std::min(corners[0], corners[2])),
        left(std::min(corners[1], corners[3])),
        bottom(std::max(corners[0], corners[2])),
        right(std::max(corners[1], corners[3])) {}
  double area() const { return (bottom - top) * (right - left); }
};

}  // namespace

double intersectionOverUnion(const double* boxes, LongType i, LongType j) {
  const Box a(boxes + 4 * i), b(boxes + 4 * j);
  const double areaA = a.area(), areaB = b.area();
  if (areaA <= 0 || areaB <= 0) return 0;
  const double height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const double width = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double common = std::max(height, 0.0) * std::max(width, 0.0);
  return common / (areaA + areaB - common);
}

std::vector<LongType> candidatesByScore(const double* scores, LongType n, const Suppression& how) {
  std::vector<LongType> candidates;
  for (LongType i = 0; i < n; i++)
    if (how.inclusive ? scores[i] > how.score : scores[i] >= how.score) candidates.push_back(i);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [scores](LongType a, LongType b) { return scores[a] > scores[b]; });
  return candidates;
}

}  // namespace sd::ops::helpers
