// Applies functions of the caller to the elements of arrays. The loops are compiled together with the function, so that
// simple functions are vectorised; large arrays are split over threads.
#ifndef NDFORGE_ARRAY_NDARRAYLAMBDA_H
#define NDFORGE_ARRAY_NDARRAYLAMBDA_H

#include <array/ElementRows.h>
#include <array/NDArray.h>
#include <execution/Parallel.h>

namespace sd {

namespace detail {

/// Calls body(row) for the rows of N arrays. The cost of a caller's function is unknown; 4 ns per call are assumed.
template <int N, typename Body>
void forEachRow(const ElementRows<N>& rows, const Body& body) {
  const LongType length = rows.length();
  const int threads = length < 4096 ? 1 : execution::threadsFor(4.0 * static_cast<double>(length));
  if (threads == 1)
    rows.run(0, length, body);
  else
    execution::parallelFor(length, threads, [&](LongType start, LongType stop) { rows.run(start, stop, body); });
}

}  // namespace detail

template <typename T, typename F, detail::IfFunctor<F>>
void NDArray::applyLambda(const F& func, NDArray& target) const {
  checkLambda("applyLambda", DataTypeUtils::fromT<T>(), target);
  const T* x = bufferAsT<T>();
  T* z = target.bufferAsT<T>();
  detail::forEachRow(detail::ElementRows<2>({_shapeInfo, target._shapeInfo}, true), [&](const auto& row) {
    const T* from = x + row.offsets[0];
    T* to = z + row.offsets[1];
    if (row.steps[0] == 1 && row.steps[1] == 1)
      for (LongType i = 0; i < row.length; i++) to[i] = func(from[i]);
    else
      for (LongType i = 0; i < row.length; i++) to[i * row.steps[1]] = func(from[i * row.steps[0]]);
  });
}

template <typename T, typename F, detail::IfFunctor<F>>
void NDArray::applyPairwiseLambda(const NDArray& other, const F& func, NDArray& target) const {
  checkLambda("applyPairwiseLambda", DataTypeUtils::fromT<T>(), target);
  if (other._length == 1 && _length > 0) {
    checkLambdaType("applyPairwiseLambda", other);
    const T value = *other.bufferAsT<T>();
    applyLambda<T>([&func, value](T x) { return func(x, value); }, target);
    return;
  }
  checkLambdaOperand("applyPairwiseLambda", other);
  const T *x = bufferAsT<T>(), *y = other.bufferAsT<T>();
  T* z = target.bufferAsT<T>();
  detail::forEachRow(detail::ElementRows<3>({_shapeInfo, other._shapeInfo, target._shapeInfo}, true),
                     [&](const auto& row) {
                       const T *a = x + row.offsets[0], *b = y + row.offsets[1];
                       T* to = z + row.offsets[2];
                       if (row.steps[0] == 1 && row.steps[1] == 1 && row.steps[2] == 1)
                         for (LongType i = 0; i < row.length; i++) to[i] = func(a[i], b[i]);
                       else
                         for (LongType i = 0; i < row.length; i++)
                           to[i * row.steps[2]] = func(a[i * row.steps[0]], b[i * row.steps[1]]);
                     });
}

template <typename T, typename F, detail::IfFunctor<F>>
void NDArray::applyTriplewiseLambda(const NDArray& second, const NDArray& third, const F& func, NDArray& target) const {
  checkLambda("applyTriplewiseLambda", DataTypeUtils::fromT<T>(), target);
  checkLambdaOperand("applyTriplewiseLambda", second);
  checkLambdaOperand("applyTriplewiseLambda", third);
  const T *x = bufferAsT<T>(), *y = second.bufferAsT<T>(), *v = third.bufferAsT<T>();
  T* z = target.bufferAsT<T>();
  detail::forEachRow(detail::ElementRows<4>({_shapeInfo, second._shapeInfo, third._shapeInfo, target._shapeInfo}, true),
                     [&](const auto& row) {
                       const T *a = x + row.offsets[0], *b = y + row.offsets[1], *c = v + row.offsets[2];
                       T* to = z + row.offsets[3];
                       if (row.steps[0] == 1 && row.steps[1] == 1 && row.steps[2] == 1 && row.steps[3] == 1)
                         for (LongType i = 0; i < row.length; i++) to[i] = func(a[i], b[i], c[i]);
                       else
                         for (LongType i = 0; i < row.length; i++)
                           to[i * row.steps[3]] = func(a[i * row.steps[0]], b[i * row.steps[1]], c[i * row.steps[2]]);
                     });
}

template <typename T, typename F, detail::IfFunctor<F>>
void NDArray::applyIndexedLambda(const F& func, NDArray& target) const {
  checkLambda("applyIndexedLambda", DataTypeUtils::fromT<T>(), target);
  const T* x = bufferAsT<T>();
  T* z = target.bufferAsT<T>();
  detail::forEachRow(detail::ElementRows<2>({_shapeInfo, target._shapeInfo}), [&](const auto& row) {
    const T* from = x + row.offsets[0];
    T* to = z + row.offsets[1];
    for (LongType i = 0; i < row.length; i++) to[i * row.steps[1]] = func(row.index + i, from[i * row.steps[0]]);
  });
}

template <typename T, typename F, detail::IfFunctor<F>>
void NDArray::applyIndexedPairwiseLambda(const NDArray& other, const F& func, NDArray& target) const {
  checkLambda("applyIndexedPairwiseLambda", DataTypeUtils::fromT<T>(), target);
  if (other._length == 1 && _length > 0) {
    checkLambdaType("applyIndexedPairwiseLambda", other);
    const T value = *other.bufferAsT<T>();
    applyIndexedLambda<T>([&func, value](LongType i, T x) { return func(i, x, value); }, target);
    return;
  }
  checkLambdaOperand("applyIndexedPairwiseLambda", other);
  const T *x = bufferAsT<T>(), *y = other.bufferAsT<T>();
  T* z = target.bufferAsT<T>();
  detail::forEachRow(detail::ElementRows<3>({_shapeInfo, other._shapeInfo, target._shapeInfo}), [&](const auto& row) {
    const T *a = x + row.offsets[0], *b = y + row.offsets[1];
    T* to = z + row.offsets[2];
    for (LongType i = 0; i < row.length; i++)
      to[i * row.steps[2]] = func(row.index + i, a[i * row.steps[0]], b[i * row.steps[1]]);
  });
}

template <typename E>
void NDArray::applyLambda(const std::function<E(E)>& func, NDArray& target) const {
  applyLambda<E>([&func](E x) { return func(x); }, target);
}

template <typename E>
void NDArray::applyPairwiseLambda(const NDArray& other, const std::function<E(E, E)>& func, NDArray& target) const {
  applyPairwiseLambda<E>(
      other, [&func](E x, E y) { return func(x, y); }, target);
}

template <typename E>
void NDArray::applyTriplewiseLambda(const NDArray& second, const NDArray& third, const std::function<E(E, E, E)>& func,
                                    NDArray& target) const {
  applyTriplewiseLambda<E>(
      second, third, [&func](E x, E y, E v) { return func(x, y, v); }, target);
}

template <typename E>
void NDArray::applyIndexedLambda(const std::function<E(LongType, E)>& func, NDArray& target) const {
  applyIndexedLambda<E>([&func](LongType i, E x) { return func(i, x); }, target);
}

template <typename E>
void NDArray::applyIndexedPairwiseLambda(const NDArray& other, const std::function<E(LongType, E, E)>& func,
                                         NDArray& target) const {
  applyIndexedPairwiseLambda<E>(
      other, [&func](LongType i, E x, E y) { return func(i, x, y); }, target);
}

}  // namespace sd

#endif
