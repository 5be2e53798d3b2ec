// Numbers to fill arrays with.
#ifndef NDFORGE_HELPERS_DATA_GEN_H
#define NDFORGE_HELPERS_DATA_GEN_H

#include <array/NDArrayFactory.h>

#include <algorithm>
#include <memory>

/// n equally spaced numbers from `from` to `to` (see sd::NDArrayFactory::linspace); the caller frees them with
/// delete[].
/// @throws std::runtime_error when n is negative
template <typename T>
T* linspace(T from, T to, sd::LongType n) {
  const std::unique_ptr<sd::NDArray> array(sd::NDArrayFactory::linspace<T>(from, to, n));
  T* numbers = new T[static_cast<size_t>(n)];
  std::copy_n(array->bufferAsT<T>(), n, numbers);
  return numbers;
}

#endif
