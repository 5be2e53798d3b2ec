#include "ops/declarable/helpers/pooling_call.h"

namespace sd::ops::helpers {

DataType poolingTypeOf(DataType type) {
  if (DataTypeUtils::isR(type)) return realTypeOf(type);
  return type == UINT64 ? UINT64 : INT64;
}

PoolingCall PoolingCall::read(graph::Context& block, PoolingKind kind, int dims, const LongType* x, bool formats) {
  if (x == nullptr) reject("input 0 'x' is missing");
  if (shape::rank(x) != dims + 2)
    reject("input 0 'x': its rank is {}, not {} (shape {})", shape::rank(x), dims + 2, text(x));
  const auto arguments = WindowArguments::read(block, dims);
  const auto at = static_cast<size_t>(4 * dims + 1);
  PoolingCall call;
  call.kind = kind;
  call.dims = dims;
  call.extra = integer(block, at, 0);
  call.channelsLast = formats && integer(block, at + 1, 0) != 0;
  if (kind == PoolingKind::Average && call.extra != 0 && call.extra != 1)
    reject("integer argument {} 'include padding': {} is not 0 or 1", at, call.extra);
  if (kind == PoolingKind::PNorm && call.extra < 1)
    reject("integer argument {} 'p': {} is less than 1", at, call.extra);
  const LongType* sizes = shape::shapeOf(x);
  call.batch = sizes[0];
  call.channels = sizes[call.channelsLast ? dims + 1 : 1];
  call.windows =
      arguments.over(sizes + (call.channelsLast ? 1 : 2), arguments.mode == 0 ? Padding::Explicit : Padding::Same);
  return call;
}

void PoolingCall::forward(const NDArray& x, NDArray& y) const {
  if (y.isEmpty()) return;
  if (x.isEmpty()) return y.nullify();
  const DataType type = poolingTypeOf(x.dataType());
  const Dense images(x, type);
  DenseOut result(y, type);
  withPoolingType(x.dataType(), [&](auto lowest) {
    using T = decltype(lowest);
    pool<T>(pooling(), kind, kind == PoolingKind::Max ? lowest : static_cast<T>(extra), images.as<T>(), result.as<T>());
  });
  result.commit();
}

void PoolingCall::backward(const NDArray& x, const NDArray& gradY, NDArray& gradX) const {
  if (gradX.isEmpty()) return;
  if (gradY.isEmpty()) return gradX.nullify();
  const DataType type = realTypeOf(x.dataType());
  const Dense images(x, type), gradients(gradY, type);
  DenseOut result(gradX, type);
  const auto run = [&](auto lowest) {
    using T = decltype(lowest);
    poolBackward<T>(pooling(), kind, kind == PoolingKind::Max ? lowest : static_cast<T>(extra), images.as<T>(),
                    gradients.as<T>(), result.as<T>());
  };
  withPoolingType(x.dataType(), [&](auto lowest) {
    if constexpr (std::is_floating_point_v<decltype(lowest)>) run(lowest);
  });
  result.commit();
}

}  // namespace sd::ops::helpers
