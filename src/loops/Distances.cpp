// Distances between sub-arrays of two operands.
#include <loops/Executor.h>

#include <algorithm>

#include "loops/Alignment.h"
#include "loops/Kernels.h"
#include "loops/OpInfo.h"
#include "loops/Params.h"
#include "loops/ReduceCommon.h"
#include "loops/Stream.h"
#include "loops/SubArrays.h"
#include "system/Error.h"

namespace sd::loops {

namespace {

Storage distanceType(const Operand& x, const Operand& z) {
  return x.storage == simd::F64 || z.storage == simd::F64 || (isIntegral(x.type) && x.elementSize > 2) ? simd::F64
                                                                                                       : simd::F32;
}

struct Sums {
  double value[simd::MAX_DISTANCE_SUMS] = {};
};

/// The distances between pairs of sub-arrays of x and y with equal numbers of elements.
struct Distances {
  const OpInfo& op;
  const Operand &x, &y, &z;
  const simd::DistanceKernel& kernel;
  const void* params;
  Storage type;
  Plan plan{2};  ///< the reduced dimensions, operand 0 is x, 1 is y

  template <typename XAt, typename YAt, typename ZAt>
  void run(LongType outputs, XAt&& xAt, YAt&& yAt, ZAt&& zAt) {
    plan.merge();
    const LongType length = plan.outerCount() * plan.inner().size;
    const LongType chunks = (length + SUB_ARRAY_CHUNK - 1) / SUB_ARRAY_CHUNK;
    const Stream xs = Stream::input(x, type), ys = Stream::input(y, type);
    const auto store = Stream::output(z, simd::F64).convert;
    forChunks<Sums>(
        outputs, chunks, reduceThreads(outputs * length, 2 * op.cost),
        [&](LongType output, LongType chunk, Sums& sums) {
          TileOf<REDUCTION_TILE> tiles[2];
          const char* xData = x.data + xAt(output) * xs.size;
          const char* yData = y.data + yAt(output) * ys.size;
          sums = {};
          forTiles(plan, chunk * SUB_ARRAY_CHUNK, std::min(length, (chunk + 1) * SUB_ARRAY_CHUNK),
                   [&](LongType xo, LongType yo, LongType n) {
                     kernel.run(xs.load(xData + xo * xs.size, plan.inner().stride[0], tiles[0].bytes, n),
                                ys.load(yData + yo * ys.size, plan.inner().stride[1], tiles[1].bytes, n), n, sums.value,
                                params);
                   });
        },
        [&](LongType output, Sums* parts) {
          for (LongType c = 1; c < chunks; c++)
            for (int s = 0; s < simd::MAX_DISTANCE_SUMS; s++) parts[0].value[s] += parts[c].value[s];
          const double result = kernel.finish(parts[0].value, length);
          store(&result, 1, z.data + zAt(output) * z.elementSize, 1, 1);
        });
  }
};

struct DistanceArguments {
  const OpInfo& op;
  Operand x, y, z;
  Storage type;
  const simd::DistanceKernel& kernel;
  Params params;

  DistanceArguments(int number, In xIn, In yIn, Out zOut, const void* paramData, int paramCount)
      : op(opInfo(OpGroup::Reduce3, number)),
        x(operand(op.name, "x", xIn.data, xIn.info)),
        y(operand(op.name, "y", yIn.data, yIn.info)),
        z(operand(op.name, "z", zOut.data, zOut.info)),
        type(distanceType(x, z)),
        kernel(simd::kernels().reduce3[number][type]),
        params(op, epsilonOf(paramData, paramCount), z.storage, type, paramCount > 0 ? 1 : 0) {
    requireType(op.name, "y", y, x.type);
    requireFloating(op.name, "z", z);
    if (kernel.run == nullptr) fail("[{}] this build has no kernel for the type of x", op.name);
  }

  /// Three values: the first two are accumulators in the reference's convention and the third is eps. One value: eps.
  const void* epsilonOf(const void* data, int count) const {
    if (data == nullptr || count < 3) return data;
    return static_cast<const char*>(data) + 2 * z.elementSize;
  }

  /// There are no pairs: every result is the operation's value for empty input.
  void fillEmpty() const {
    const auto store = Stream::output(z, simd::F64).convert;
    const Offsets at{z.rank, z.sizes, z.strides};
    for (LongType i = 0; i < z.length; i++) store(&kernel.emptyValue, 1, z.data + at(i) * z.elementSize, 1, 1);
  }

  void checkOutput() const {
    requireDistinctElements(op.name, z);
    requireDisjoint(op.name, z, "x", x);
    requireDisjoint(op.name, z, "y", y);
  }
};

}  // namespace

void reduce3(int number, In xIn, In yIn, Out zOut, const void* params, int paramCount, const Axes& axes) {
  const DistanceArguments a(number, xIn, yIn, zOut, params, paramCount);
  const auto& op = a.op;
  const bool whole = axes.empty() || a.z.length == 1;
  // the larger operand is split along the axes; a shorter operand is a single sub-array
  const bool xIsSub = !whole && a.x.length < a.y.length, yIsSub = !whole && a.y.length < a.x.length;
  const Operand& large = xIsSub ? a.y : a.x;
  const ReducedShape shape(op.name, large, a.z, whole ? Axes() : axes);
  if (a.z.empty()) return;
  a.checkOutput();
  if (a.x.empty() || a.y.empty()) {
    if (a.x.empty() != a.y.empty())
      fail("[{}] argument 'y': shape {} does not match shape {} of x", op.name, shapeText(a.y), shapeText(a.x));
    a.fillEmpty();
    return;
  }
  LongType xStrides[SD_MAX_RANK], yStrides[SD_MAX_RANK];
  bool fits;
  Distances d{op, a.x, a.y, a.z, a.kernel, a.params.data(), a.type};
  const Space reducedSpace{shape.reduced, shape.reducedSizes};
  if (whole || xIsSub || yIsSub) {
    std::copy_n(shape.reducedStrides, shape.reduced, xIsSub ? yStrides : xStrides);
    fits = matchElements(xIsSub ? a.x : a.y, reducedSpace, xIsSub ? xStrides : yStrides);
  } else {
    std::copy_n(shape.reducedStrides, shape.reduced, xStrides);
    fits = sameSizes(a.x, a.y);
    if (fits) {
      const ReducedShape ys(op.name, a.y, axes);
      std::copy_n(ys.reducedStrides, ys.reduced, yStrides);
    }
  }
  if (!fits)
    fail("[{}] argument 'y': shape {} does not match shape {} of x along [{}]", op.name, shapeText(a.y), shapeText(a.x),
         fmt::join(axes, ", "));
  for (int i = 0; i < shape.reduced; i++) {
    const LongType strides[] = {xStrides[i], yStrides[i]};
    d.plan.add(shape.reducedSizes[i], strides);
  }
  const Offsets largeAt{shape.kept, shape.keptSizes, shape.keptStrides};
  const Offsets zAt{shape.kept, shape.keptSizes, shape.zStrides};
  const auto none = [](LongType) -> LongType { return 0; };
  if (xIsSub)
    d.run(shape.keptLength, none, largeAt, zAt);
  else if (yIsSub || whole)
    d.run(shape.keptLength, largeAt, none, zAt);
  else {
    const ReducedShape ys(op.name, a.y, axes);
    d.run(shape.keptLength, largeAt, Offsets{ys.kept, ys.keptSizes, ys.keptStrides}, zAt);
  }
}

void reduce3All(int number, In xIn, In yIn, Out zOut, const void* params, int paramCount, const Axes& axes) {
  const DistanceArguments a(number, xIn, yIn, zOut, params, paramCount);
  const auto& op = a.op;
  const ReducedShape xs(op.name, a.x, axes);
  // When y has no such axes it is a single sub-array.
  const bool yIsSub = a.y.rank < a.x.rank && std::any_of(axes.begin(), axes.end(), [&](int axis) {
                        return axis >= a.y.rank || axis < -a.y.rank;
                      });
  const ReducedShape ys(op.name, a.y, yIsSub ? Axes() : axes);
  const LongType sizes[] = {xs.keptLength, ys.keptLength};
  LongType zStrides[2], yStrides[SD_MAX_RANK];
  bool fits;
  if (yIsSub) {
    fits =
        a.y.length == xs.reducedLength && (a.y.empty() || matchElements(a.y, {xs.reduced, xs.reducedSizes}, yStrides));
  } else {
    fits = xs.reduced == ys.reduced && std::equal(xs.reducedSizes, xs.reducedSizes + xs.reduced, ys.reducedSizes);
    std::copy_n(ys.reducedStrides, ys.reduced, yStrides);
  }
  if (!fits)
    fail("[{}] argument 'y': shapes {} and {} differ along [{}]", op.name, shapeText(a.y), shapeText(a.x),
         fmt::join(axes, ", "));
  if (a.z.length != sizes[0] * sizes[1] || (!a.z.empty() && !matchElements(a.z, {2, sizes}, zStrides)))
    fail("[{}] argument 'z': shape {} where [{}, {}] is needed", op.name, shapeText(a.z), sizes[0], sizes[1]);
  if (a.z.empty()) return;
  a.checkOutput();
  if (a.x.empty() || a.y.empty()) {
    a.fillEmpty();
    return;
  }
  Distances d{op, a.x, a.y, a.z, a.kernel, a.params.data(), a.type};
  for (int i = 0; i < xs.reduced; i++) {
    const LongType strides[] = {xs.reducedStrides[i], yStrides[i]};
    d.plan.add(xs.reducedSizes[i], strides);
  }
  const Offsets xAt{xs.kept, xs.keptSizes, xs.keptStrides}, yAt{ys.kept, ys.keptSizes, ys.keptStrides};
  d.run(
      a.z.length, [&](LongType i) { return xAt(i / sizes[1]); }, [&](LongType i) { return yAt(i % sizes[1]); },
      [&](LongType i) { return i / sizes[1] * zStrides[0] + i % sizes[1] * zStrides[1]; });
}

}  // namespace sd::loops
