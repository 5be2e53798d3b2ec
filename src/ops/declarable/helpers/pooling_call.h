// Checked arguments of pooling operations, and calls of the kernels on arrays of any layout and type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_CALL_H

#include <limits>

#include "ops/declarable/helpers/pooling.h"
#include "types/TypeDispatch.h"

namespace sd::ops::helpers {

struct PoolingCall {
  PoolingKind kind;
  int dims;
  Windows windows;
  LongType batch, channels;
  bool channelsLast;
  LongType extra;  ///< Average: 1 counts padded cells, 0 does not; PNorm: p

  /// Reads the window arguments, `extra` and, if `formats`, the data format.
  static PoolingCall read(graph::Context& block, PoolingKind kind, int dims, const LongType* x, bool formats = true);

  Dims yShape() const { return imageShape(batch, channels, windows, true, dims, channelsLast); }
  Pooling pooling() const { return {channelsLast ? batch : batch * channels, channelsLast ? channels : 1, windows}; }
  void forward(const NDArray& x, NDArray& y) const;
  /// x and gradY must have the same type.
  void backward(const NDArray& x, const NDArray& gradY, NDArray& gradX) const;
};

/// The type in which values of `type` are compared and summed.
DataType poolingTypeOf(DataType type);

/// Calls f with the lowest value of `type`, as a value of its compute type.
template <typename F>
void withPoolingType(DataType type, F&& f) {
  if (type == DOUBLE)
    f(-DataTypeUtils::max<double>());
  else if (DataTypeUtils::isR(type))
    f(-loops::withFloatType("pooling", type, []<typename T>() { return static_cast<float>(DataTypeUtils::max<T>()); }));
  else if (type == UINT64)
    f(UnsignedLong(0));
  else
    f(std::numeric_limits<LongType>::min());
}

}  // namespace sd::ops::helpers

#endif
