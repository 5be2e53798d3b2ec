#include "ops/declarable/helpers/wrapped_indices.h"

#include <algorithm>

#include "ops/declarable/helpers/real.h"

namespace sd::ops {

Dense wrappedIndices(const NDArray& indices, LongType size, int index, const char* name) {
  Dense dense = integerElements(indices, index, name);
  const auto* values = dense.as<LongType>();
  const LongType n = indices.lengthOf();
  const auto [least, most] = n == 0 ? std::pair<LongType, LongType>() : [&] {
    LongType low = values[0], high = values[0];
    for (LongType i = 1; i < n; i++) {
      low = std::min(low, values[i]);
      high = std::max(high, values[i]);
    }
    return std::pair(low, high);
  }();
  if (n == 0 || (least >= 0 && most < size)) return dense;
  if (least < -size || most >= size) {
    LongType i = 0;
    while (values[i] >= -size && values[i] < size) i++;
    reject("input {} '{}': value {} at {} is outside {}..{} (shape {})", index, name, values[i],
           text(placeOf(indices, i)), -size, size - 1, text(indices));
  }
  NDArray wrapped = unset(INT64, indices.getShapeAsVector());
  auto* to = wrapped.bufferAsT<LongType>();
  for (LongType i = 0; i < n; i++) to[i] = values[i] < 0 ? values[i] + size : values[i];
  return Dense(std::move(wrapped), INT64);
}

}  // namespace sd::ops
