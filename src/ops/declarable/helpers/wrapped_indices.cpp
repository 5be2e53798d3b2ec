#include "ops/declarable/helpers/wrapped_indices.h"

#include "loops/Kernels.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {

Dense wrappedIndices(const NDArray& indices, LongType size, int index, const char* name) {
  Dense dense = integerElements(indices, index, name);
  const auto* values = dense.as<LongType>();
  const LongType n = indices.lengthOf();
  if (simd::kernels().areWithin(values, n, size)) return dense;
  for (LongType i = 0; i < n; i++)
    if (values[i] < -size || values[i] >= size)
      reject("input {} '{}': value {} at {} is outside {}..{} (shape {})", index, name, values[i],
             text(placeOf(indices, i)), -size, size - 1, text(indices));
  NDArray wrapped = unset(INT64, indices.getShapeAsVector());
  auto* to = wrapped.bufferAsT<LongType>();
  for (LongType i = 0; i < n; i++) to[i] = values[i] < 0 ? values[i] + size : values[i];
  return Dense(std::move(wrapped), INT64);
}

}  // namespace sd::ops
