#include "ops/declarable/helpers/pooling_call.h"

namespace sd::ops::helpers {

DataType poolingTypeOf(DataType type) {
  if (DataTypeUtils::isR(type)) return realTypeOf(type);
  return type == UINT64 ? UINT64 : INT64;
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
