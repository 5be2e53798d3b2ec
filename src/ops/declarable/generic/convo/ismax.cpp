// Marks the maximum of each sub-array.
// operations: ismax
// aliases: IsMax
// calls: Divide
#include <execution/Parallel.h>
#include <ops/declarable/headers/convo.h>

#include <numeric>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/pooling_call.h"

namespace sd::ops {
namespace {

/// The axes of a sub-array. Empty means that each element is a sub-array, and therefore a maximum.
std::vector<int> axesOf(const std::vector<int>& axis, const NDArray& x) {
  std::vector<int> all(static_cast<size_t>(x.rankOf()));
  std::iota(all.begin(), all.end(), 0);
  // A scalar is its own sub-array.
  const std::vector<int> axes = checkedAxes(axis, std::max(x.rankOf(), 1), "axis");
  if (x.rankOf() == 0) return {};
  if (axes.empty()) return all;
  int position;
  if (x.isCommonVector(position)) {
    const int first = checkedAxis(axis[0], x.rankOf(), "axis");
    return x.sizeAt(first) == 1 && x.lengthOf() > 1 ? std::vector<int>() : all;
  }
  return axes;
}

template <typename T>
void mark(const T* x, T* z, LongType parts, LongType size) {
  execution::parallelFor(parts, execution::threadsFor(static_cast<double>(parts * size)),
                         [&](LongType start, LongType stop) {
                           for (LongType part = start; part < stop; part++) {
                             const T* from = x + part * size;
                             T* to = z + part * size;
                             // Starts from the first element: if it is NaN it remains the maximum, because no
                             // comparison with it is true.
                             LongType best = 0;
                             for (LongType i = 1; i < size; i++)
                               if (from[i] > from[best]) best = i;
                             std::fill_n(to, size, T(0));
                             to[best] = T(1);
                           }
                         });
}

}  // namespace

CONFIGURABLE_OP_IMPL(ismax, 1, 1, true, 0, -2) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const std::vector<int> axes = axesOf(arguments<MaximumAxes>(block).axis, x);
  if (x.isEmpty()) return Status::OK;
  if (axes.empty()) {
    z.assign(1);
    return Status::OK;
  }
  std::vector<int> order;
  LongType parts = 1, size = 1;
  for (int d = 0; d < x.rankOf(); d++)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) {
      order.push_back(d);
      parts *= x.sizeAt(d);
    }
  for (int axis : axes) {
    order.push_back(axis);
    size *= x.sizeAt(axis);
  }
  const DataType type = helpers::poolingTypeOf(x.dataType());
  NDArray target = z.permute(order);
  const NDArray source = x.permute(order);
  // A copy, because the output may be the input.
  const NDArray values = source.dup('c').cast(type);
  DenseOut result(target, type);
  helpers::withPoolingType(x.dataType(), [&](auto lowest) {
    using T = decltype(lowest);
    mark(values.bufferAsT<T>(), result.as<T>(), parts, size);
  });
  result.commit();
  return Status::OK;
}
DECLARE_SCHEMA(ismax) {
  schema.summary("Marks the maximum of each sub-array: 1 there, 0 elsewhere.")
      .formula("z[i] = 1 where i is the position of the maximum, else 0")
      .note(
          "Of equal maxima, the first in c order is marked. NaN is skipped, unless it is the first element of its "
          "sub-array. In a vector the axis does not matter, unless its size along the axis is 1: then all elements are "
          "maxima.");
  schema.input("x", "any shape");
  schema
      .argument(&MaximumAxes::axis, "axis",
                "the axes of the sub-arrays, all when there are none; negative ones count from the end")
      .atInteger(0);
  schema.output("z", "the shape and type of x");
  schema.inputTypes({ALL_FLOATS, ALL_INTS}).outputTypes({ALL_FLOATS, ALL_INTS, BOOL}).infer(inferLikeFirst);
  schema.notDifferentiable(JUMPS);
  schema.example(R"({"x": [[1.0, 3.0, 2.0], [6.0, 5.0, 4.0]], "axis": [1]})")
      .words("one-hot maximum, argmax mask")
      .see("argmax reduce_max");
}
DECLARE_SYN(IsMax, ismax);

}  // namespace sd::ops
