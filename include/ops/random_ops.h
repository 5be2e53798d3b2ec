// The numbered random operations, element by element and on arrays.
#ifndef NDFORGE_OPS_RANDOM_OPS_H
#define NDFORGE_OPS_RANDOM_OPS_H

#include <loops/random.h>
#include <ops/functors/random.h>

#include <stdexcept>

namespace randomOps {

namespace detail {

template <typename T>
T element(int number, sd::LongType i, sd::LongType length, const sd::graph::RandomGenerator* generator, const T* x,
          const T* y, const T* params) {
  if (generator == nullptr) throw std::runtime_error("[randomOps] argument 'generator' is null");
  T z{};
  sd::loops::randomElement(number, *generator, sd::DataTypeUtils::fromT<T>(), i, length, x, y, &z, params);
  return z;
}

}  // namespace detail

template <int Number, int Params, bool Special, typename T>
T RandomForms<Number, Params, Special, T>::op(sd::LongType i, sd::LongType length,
                                              sd::graph::RandomGenerator* generator, T* params) {
  return detail::element<T>(Number, i, length, generator, nullptr, nullptr, params);
}

template <int Number, int Params, bool Special, typename T>
T RandomForms<Number, Params, Special, T>::op(T x, sd::LongType i, sd::LongType length,
                                              sd::graph::RandomGenerator* generator, T* params) {
  return detail::element<T>(Number, i, length, generator, &x, nullptr, params);
}

template <int Number, int Params, bool Special, typename T>
T RandomForms<Number, Params, Special, T>::op(T x, T y, sd::LongType i, sd::LongType length,
                                              sd::graph::RandomGenerator* generator, T* params) {
  return detail::element<T>(Number, i, length, generator, &x, &y, params);
}

template <int Number, int Params, bool Special, typename T>
void RandomForms<Number, Params, Special, T>::specialOp(sd::Pointer state, const T* x, const sd::LongType* xShape,
                                                        const T* y, const sd::LongType* yShape, T* z,
                                                        const sd::LongType* zShape, T* params) {
  functions::random::RandomFunction<T>::execTransform(Number, state, x, xShape, y, yShape, z, zShape, params);
}

}  // namespace randomOps

#endif
