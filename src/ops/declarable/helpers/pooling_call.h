// Calls of pooling kernels on arrays of any layout and type.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_CALL_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_POOLING_CALL_H

#include <ops/declarable/headers/pooling.h>

#include <limits>

#include "ops/declarable/helpers/pooling.h"
#include "types/TypeDispatch.h"

namespace sd::ops::helpers {

/// Arguments and shapes of a call.
struct PoolingCall {
  PoolingKind kind;
  int dims;
  Windows windows;
  LongType batch, channels;
  bool channelsLast;
  LongType extra;  ///< Average: 1 counts padded cells, 0 does not; PNorm: p

  /// `sizes` are the dimensions of x.
  template <typename S>
  static PoolingCall of(const S& a, const LongType* sizes) {
    const auto window = WindowArguments::of(a);
    const bool last = channelsAreLast(a);
    return {kindOf<S>(),
            window.dims,
            window.over(sizes + (last ? 1 : 2), paddingOf(a.paddingMode)),
            sizes[0],
            sizes[last ? window.dims + 1 : 1],
            last,
            extraOf(a)};
  }
  /// The call of a running operation.
  template <typename S>
  static const PoolingCall& current(graph::Context& block) {
    return kept<PoolingCall>(block, [&] { return of(arguments<S>(block), block.array(0)->shapeOf()); });
  }

  template <typename S>
  static constexpr PoolingKind kindOf() {
    if constexpr (requires { &S::countIncludePad; })
      return PoolingKind::Average;
    else if constexpr (requires { &S::ord; })
      return PoolingKind::PNorm;
    else
      return PoolingKind::Max;
  }
  template <typename S>
  static bool channelsAreLast(const S& a) {
    if constexpr (requires { a.layout; })
      return static_cast<int>(a.layout) != 0;  // NCHW and NCDHW come first
    else
      return false;
  }

  Dims yShape() const { return imageShape(batch, channels, windows, true, dims, channelsLast); }
  Pooling pooling() const { return {channelsLast ? batch : batch * channels, channelsLast ? channels : 1, windows}; }
  void forward(const NDArray& x, NDArray& y) const;
  /// x and gradY must have the same type.
  void backward(const NDArray& x, const NDArray& gradY, NDArray& gradX) const;

 private:
  template <typename S>
  static LongType extraOf(const S& a) {
    if constexpr (requires { a.countIncludePad; })
      return a.countIncludePad ? 1 : 0;
    else if constexpr (requires { a.ord; })
      return a.ord;
    else
      return 0;
  }
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
