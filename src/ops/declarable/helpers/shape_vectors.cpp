#include "ops/declarable/helpers/shape_vectors.h"

#include <algorithm>

#include "shape/broadcasting.h"

namespace sd::ops {

LongType lengthOfShapeVector(graph::Context& block, int input, const char* name) {
  const NDArray& array = *block.array(input);
  const bool none = array.isEmpty() && array.rankOf() == 0;  // the shape of a scalar has no sizes
  if (!none) requireRank(array, 1, input, name);
  return array.lengthOf();
}

Dims shapeVector(graph::Context& block, int input, const char* name) {
  lengthOfShapeVector(block, input, name);
  const NDArray& array = *block.array(input);
  Dims sizes = array.isEmpty() ? Dims() : integersOf(array, input, name);
  for (const LongType size : sizes)
    if (size < 0) reject("input {} '{}': size {} is negative ({})", input, name, size, text(sizes));
  return sizes;
}

Dims broadcastOf(const Dims& x, const Dims& y) {
  Dims result(std::max(x.size(), y.size()));
  if (!broadcasting::commonShape(x, y, result.data())) reject("shapes {} and {} do not broadcast", text(x), text(y));
  return result;
}

void writeVector(const Dims& values, NDArray& z) {
  for (size_t i = 0; i < values.size(); i++) z.p(static_cast<LongType>(i), values[i]);
}

}  // namespace sd::ops
