// Suppression of boxes that overlap better ones.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BOXES_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_BOXES_H

#include "ops/declarable/Common.h"

namespace sd::ops::helpers {

struct Suppression {
  LongType maximum;  ///< how many to select at most
  double overlap;    ///< suppressed when the similarity with a selected one is above
  double score;      ///< only candidates with at least this score
  bool inclusive;    ///< suppressed at `overlap` too, and candidates must exceed `score`
};

/// Intersection over union of boxes i and j, rows (y1, x1, y2, x2) with corners in any order; 0 when an area is 0.
double intersectionOverUnion(const double* boxes, LongType i, LongType j);

/// Candidates by descending score, of equal scores the first; each is selected unless it is too similar to one that
/// was. `similarity(candidate, selected)`.
template <typename F>
std::vector<LongType> selectBoxes(const double* scores, LongType n, const Suppression& how, F&& similarity);

/// The candidates' numbers in the order in which they are looked at.
std::vector<LongType> candidatesByScore(const double* scores, LongType n, const Suppression& how);

template <typename F>
std::vector<LongType> selectBoxes(const double* scores, LongType n, const Suppression& how, F&& similarity) {
  std::vector<LongType> selected;
  for (LongType candidate : candidatesByScore(scores, n, how)) {
    if (static_cast<LongType>(selected.size()) >= how.maximum) break;
    bool keep = true;
    // The last ones selected are the likeliest to have like scores and to overlap.
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
