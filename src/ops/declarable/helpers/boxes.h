// Non-maximum suppression: removes boxes that overlap better ones.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BOXES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BOXES_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

struct Suppression {
  LongType maximum;  ///< greatest number of boxes to select
  double overlap;    ///< a candidate is suppressed when its similarity to a selected one exceeds this
  double score;      ///< least score of a candidate
  bool inclusive;    ///< also suppresses at exactly `overlap`, and requires scores above `score`
};

/// Intersection over union of boxes i and j. Boxes are rows (y1, x1, y2, x2) with their corners in any order; the
/// result is 0 when an area is 0.
double intersectionOverUnion(const double* boxes, LongType i, LongType j);

/// Visits candidates by descending score; of equal scores the first comes first. Each is selected unless it is too
/// similar to a selected one. The calls are similarity(candidate, selected).
template <typename F>
std::vector<LongType> selectBoxes(const double* scores, LongType n, const Suppression& how, F&& similarity);

/// The candidates' indices in the order in which they are visited.
std::vector<LongType> candidatesByScore(const double* scores, LongType n, const Suppression& how);

template <typename F>
std::vector<LongType> selectBoxes(const double* scores, LongType n, const Suppression& how, F&& similarity) {
  std::vector<LongType> selected;
  for (LongType candidate : candidatesByScore(scores, n, how)) {
    if (static_cast<LongType>(selected.size()) >= how.maximum) break;
    bool keep = true;
    // The boxes selected last are the most likely to overlap this one, because their scores are closest.
    for (auto other = selected.rbegin(); keep && other != selected.rend(); ++other) {
      const double overlap = similarity(candidate, *other);
      keep = !(how.inclusive ? overlap >= how.overlap : overlap > how.overlap);
    }
    if (keep) selected.push_back(candidate);
  }
  return selected;
}

}  // namespace sd::ops::helpers

#endif
