// Operations that sort, search in sorted arrays, and take or put elements along an axis.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_SORTING_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_SORTING_H

#include <ops/declarable/DeclarableCustomOp.h>
#include <ops/declarable/headers/choices.h>

namespace sd::ops {

namespace args {
/// Arguments of sort and argsort.
struct Sorting {
  int axis = -1;
  bool descending = false;
};

/// Arguments of searchsorted.
struct SearchSorted {
  bool right = false;  ///< behind equal elements, not in front of them
};

/// Arguments of take_along_axis.
struct TakeAlongAxis {
  int axis = -1;
};

/// How put_along_axis combines an element with the values for its place.
enum class PutReduction { None, Add, Mul, Max, Min };
}  // namespace args
template <>
struct ChoicesOf<args::PutReduction> {
  static constexpr const char* name = "PutReduction";
  static constexpr Choice values[] = {{"none", 0, "the last value takes the place of the element"},
                                      {"add", 1, "the element plus the values"},
                                      {"mul", 2, "the element times the values"},
                                      {"max", 3, "the largest of the element and the values"},
                                      {"min", 4, "the smallest of the element and the values"}};
};

namespace args {
/// Arguments of put_along_axis.
struct PutAlongAxis {
  int axis = -1;
  PutReduction reduction = PutReduction::None;
};

/// Arguments of diff.
struct Differences {
  int times = 1;
  int axis = -1;
};
}  // namespace args

namespace additional {
/// The elements in order along an axis.
DECLARE_CUSTOM_OP(sort, 1, 1, true, 0, -2)
/// The positions of the elements in order.
DECLARE_CUSTOM_OP(argsort, 1, 1, false, 0, -2)
/// Where values would have to be inserted into sorted rows.
DECLARE_CUSTOM_OP(searchsorted, 2, 1, false, 0, 0)
/// Elements at positions along an axis.
DECLARE_CUSTOM_OP(take_along_axis, 2, 1, false, 0, -2)
/// An array with other elements at positions along an axis.
DECLARE_CUSTOM_OP(put_along_axis, 3, 1, true, 0, -2)
/// Differences of neighbours along an axis.
DECLARE_CUSTOM_OP(diff, 1, 1, false, 0, -2)
}  // namespace additional

}  // namespace sd::ops

#endif
