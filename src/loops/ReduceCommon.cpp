#include "loops/ReduceCommon.h"

#include <execution/Parallel.h>
#include <system/Environment.h>

#include "loops/Alignment.h"
#include "system/Error.h"

namespace sd::loops {

void ReducedShape::split(std::string_view op, const Operand& x, const Axes& axes, bool all) {
  uint32_t chosen = 0;  // one bit per dimension, without an allocation
  for (std::size_t i = 0; i < axes.size(); i++) {
    const int axis = axes[i] < 0 ? axes[i] + x.rank : axes[i];
    if (axis < 0 || axis >= x.rank)
      fail("[{}] argument 'dimensions': value {} at [{}] is outside {}..{} (shape {})", op, axes[i], i, -x.rank,
           x.rank - 1, shapeText(x));
    if (chosen >> axis & 1u)
      fail("[{}] argument 'dimensions': dimension {} is repeated (shape {})", op, axis, shapeText(x));
    chosen |= 1u << axis;
  }
  all |= axes.empty();
  // Products wrap only when another size is 0.
  for (int i = 0; i < x.rank; i++) {
    if (all || (chosen >> i & 1u)) {
      reducedSizes[reduced] = x.sizes[i];
      reducedStrides[reduced++] = x.strides[i];
      __builtin_mul_overflow(reducedLength, x.sizes[i], &reducedLength);
    } else {
      keptSizes[kept] = x.sizes[i];
      keptStrides[kept++] = x.strides[i];
      __builtin_mul_overflow(keptLength, x.sizes[i], &keptLength);
    }
  }
}

ReducedShape::ReducedShape(std::string_view op, const Operand& x, const Axes& axes) { split(op, x, axes, false); }

ReducedShape::ReducedShape(std::string_view op, const Operand& x, const Operand& z, const Axes& axes) {
  split(op, x, axes, z.length == 1);
  if (z.empty() && keptLength == 0) return;
  if (z.length == keptLength && matchElements(z, {kept, keptSizes}, zStrides)) return;
  fail("[{}] argument 'z': shape {} is not shape {} reduced along [{}]", op, shapeText(z), shapeText(x),
       fmt::join(axes, ", "));
}

int reduceThreads(LongType elements, int cost) {
  constexpr double NANOSECONDS_PER_COST = 0.1;
  if (elements < Environment::getInstance().elementwiseThreshold()) return 1;
  return execution::threadsFor(static_cast<double>(elements) * cost * NANOSECONDS_PER_COST);
}

}  // namespace sd::loops
