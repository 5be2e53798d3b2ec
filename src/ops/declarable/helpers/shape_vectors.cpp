#include "ops/declarable/helpers/shape_vectors.h"

#include <algorithm>

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
  for (size_t d = 1; d <= result.size(); d++) {
    const LongType a = d <= x.size() ? x[x.size() - d] : 1, b = d <= y.size() ? y[y.size() - d] : 1;
    if (a != b && a != 1 && b != 1) reject("shapes {} and {} do not broadcast", text(x), text(y));
    result[result.size() - d] = a == 1 ? b : a;
  }
  return result;
}

void writeVector(const Dims& values, NDArray& z) {
  for (size_t i = 0; i < values.size(); i++) z.p(static_cast<LongType>(i), values[i]);
}

}  // namespace sd::ops
