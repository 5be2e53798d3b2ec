// ismax: marks the largest element.
#include <ops/declarable/headers/indexing.h>

#include <algorithm>

#include "ops/declarable/Common.h"

#if NOT_EXCLUDED(OP_ismax)

namespace sd::ops {

CONFIGURABLE_OP_IMPL(ismax, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  std::vector<int> axes = checkedAxes(*block.getIArguments(), x.rankOf(), "dimensions");
  if (z.isEmpty()) return Status::OK;
  int position;
  if (x.isCommonVector(position) && x.rankOf() <= 2) {
    // A vector is searched as a whole, unless the first dimension asked for has one element.
    if (block.numI() > 0 && x.sizeAt(INT_ARG(0)) == 1 && x.lengthOf() > 1) {
      z.assign(1);
      return Status::OK;
    }
    axes.clear();
  }
  if (axes.empty())
    for (int d = 0; d < x.rankOf(); d++) axes.push_back(d);

  std::vector<int> order;
  Dims kept, dims;
  for (int d = 0; d < x.rankOf(); d++)
    if (!std::binary_search(axes.begin(), axes.end(), d)) {
      order.push_back(d);
      kept.push_back(x.sizeAt(d));
    }
  order.insert(order.end(), axes.begin(), axes.end());
  for (int d : order) dims.push_back(x.sizeAt(d));

  NDArray places(shapeOf(INT64, 'c', kept), false);
  loops::indexReduce(indexreduce::IndexMax, in(x), out(places), nullptr, loops::Axes(axes.begin(), axes.end()));
  NDArray marks(shapeOf(BOOL, 'c', dims), false);
  marks.nullify();
  const LongType size = x.lengthOf() / places.lengthOf();
  for (LongType i = 0; i < places.lengthOf(); i++)
    marks.bufferAsT<bool>()[i * size + places.bufferAsT<LongType>()[i]] = true;
  if (order.empty()) {
    z.assign(marks);
  } else {
    z.permute(order).assign(marks);
  }
  return Status::OK;
}

DECLARE_TYPES(ismax) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS, BOOL})
      ->document({.summary = "Marks the largest element of an array, or of each part of it.",
                  .formula = "z = 1 at the first largest element of each part, else 0",
                  .inputs = "x: any shape",
                  .outputs = "z: x's shape and type; any type when it is given",
                  .integers = "dimensions…?: those that a part spans (default: all)",
                  .notes = "NaN is skipped. A vector is one part, whatever the dimensions; if the first of them has "
                           "size 1, every element is marked."});
}

DECLARE_SYN(IsMax, ismax);

}  // namespace sd::ops

#endif
