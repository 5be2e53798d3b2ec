#include "ops/declarable/helpers/coordinates.h"

namespace sd::ops::helpers {

Dims shapeOfParts(const Dims& indices, const Dims& dims, int index, const char* name) {
  if (indices.empty()) reject("input {} '{}': it is a scalar, but shape [..., k] is needed", index, name);
  const LongType k = indices.back();
  if (k > static_cast<LongType>(dims.size()))
    reject("input {} '{}': {} coordinates for an array of rank {} (shape {})", index, name, k, dims.size(),
           text(indices));
  Dims parts(indices.begin(), indices.end() - 1);
  parts.insert(parts.end(), dims.begin() + k, dims.end());
  return parts;
}

FlatIndices::FlatIndices(const NDArray& indices, const Dims& dims, int index, const char* name) {
  shapeOfParts(dimsOf(indices.shapeInfo()), dims, index, name);
  const auto k = static_cast<size_t>(indices.sizeAt(-1));
  LongType n = 1;
  bool overflow = false;
  for (size_t d = 0; d < k; d++) overflow |= __builtin_mul_overflow(_size, dims[d], &_size);
  for (int d = 0; d < indices.rankOf() - 1; d++) overflow |= __builtin_mul_overflow(n, indices.sizeAt(d), &n);
  if (overflow)
    reject("input {} '{}': the positions of shapes {} and {} overflow 64 bits", index, name, text(indices), text(dims));
  _parts.resize(static_cast<size_t>(n));
  if (k > 0 && n > 0) {
    const Dense dense = integerElements(indices, index, name);
    const auto* row = dense.as<LongType>();
    for (auto& part : _parts) {
      for (size_t d = 0; d < k; d++) {
        if (row[d] < 0 || row[d] >= dims[d])
          reject("input {} '{}': value {} in row {} of coordinates is outside 0..{} (dimension {} of shape {})", index,
                 name, row[d], &part - _parts.data(), dims[d] - 1, d, text(dims));
        part = part * dims[d] + row[d];
      }
      row += k;
    }
  } else if (n > 0 && _size == 0) {
    reject("input {} '{}': the array of shape {} has no elements", index, name, text(dims));
  }
}

}  // namespace sd::ops::helpers
