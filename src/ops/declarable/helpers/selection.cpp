#include "ops/declarable/helpers/selection.h"

#include <cstring>

#include "execution/Parallel.h"
#include "loops/TypeDispatch.h"

namespace sd::ops::helpers {

LongType decidedBy(const NDArray& condition, const NDArray& x) {
  if (condition.isSameShape(x)) return 1;
  if (condition.lengthOf() == 1) return x.lengthOf();
  if (x.rankOf() == 0 || condition.lengthOf() != x.sizeAt(0))
    reject("input 0 'condition': shape {} is neither that of input 1 'x', {}, nor one element, nor one for each slice",
           text(condition), text(x));
  return x.lengthOf() / x.sizeAt(0);
}

void select(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z) {
  const LongType decided = decidedBy(condition, x);
  if (z.isEmpty()) return;
  const Dense chosen(condition, BOOL);
  const Dense denseX(x), denseY(y);
  DenseOut result(z);
  const auto* c = chosen.as<bool>();
  const auto size = static_cast<LongType>(z.sizeOfT());
  const int threads = execution::threadsFor(0.5 * static_cast<double>(z.lengthOf()));
  if (decided > 1) {
    const LongType bytes = decided * size;
    execution::parallelFor(z.lengthOf() / decided, threads, [&](LongType start, LongType stop) {
      for (LongType k = start; k < stop; k++)
        std::memcpy(result.as<char>() + k * bytes, (c[k] ? denseX : denseY).as<char>() + k * bytes,
                    static_cast<size_t>(bytes));
    });
  } else {
    loops::withElementBits("select", z.dataType(), [&]<typename T>() {
      const T *a = denseX.as<T>(), *b = denseY.as<T>();
      T* target = result.as<T>();
      execution::parallelFor(z.lengthOf(), threads, [=](LongType start, LongType stop) {
        for (LongType k = start; k < stop; k++) target[k] = c[k] ? a[k] : b[k];
      });
    });
  }
  result.commit();
}

void putWhere(const NDArray& condition, const NDArray& x, const NDArray& y, NDArray& z) {
  const Dense chosen(condition, BOOL);
  const Dense denseX(x), denseY(y);
  DenseOut result(z);
  const auto* c = chosen.as<bool>();
  loops::withElementBits("where_np", z.dataType(), [&]<typename T>() {
    const T *a = denseX.as<T>(), *b = denseY.as<T>();
    T* target = result.as<T>();
    const LongType step = y.lengthOf() == 1 ? 0 : 1;
    for (LongType k = 0, n = z.lengthOf(); k < n; k++) {
      target[k] = c[k] ? *b : a[k];
      if (c[k]) b += step;
    }
  });
  result.commit();
}

void coordinates(const NDArray& condition, LongType* target, LongType axisStep, LongType elementStep) {
  const int rank = condition.rankOf();
  const Dense dense(condition, BOOL);
  const auto* found = dense.as<bool>();
  const LongType row = rank == 0 ? 1 : condition.sizeAt(-1);
  LongType outer[SD_MAX_RANK] = {};
  for (LongType first = 0; first < condition.lengthOf(); first += row) {
    for (LongType k = 0; k < row; k++) {
      if (!found[first + k]) continue;
      for (int d = 0; d < rank - 1; d++) target[d * axisStep] = outer[d];
      if (rank > 0) target[(rank - 1) * axisStep] = k;
      target += elementStep;
    }
    for (int d = rank - 2; d >= 0; d--) {
      if (++outer[d] < condition.sizeAt(d)) break;
      outer[d] = 0;
    }
  }
}

LongType countTrue(const NDArray& x) { return x.isEmpty() ? 0 : x.reduceNumber(reduce::CountNonZero).e<LongType>(0); }

}  // namespace sd::ops::helpers
