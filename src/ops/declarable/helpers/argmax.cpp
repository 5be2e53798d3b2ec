// Checks the operands of argMax and chooses its types.
#include <array/ArrayOptions.h>
#include <helpers/shape.h>
#include <ops/declarable/helpers/reductions.h>
#include <system/type_boilerplate.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "system/Error.h"

namespace sd::ops::helpers {

// The instantiations are in compilation_units/argmax.cpp.in.
template <typename X, typename Z>
void argMax_(loops::In x, loops::Out z, const loops::Axes& axes);

namespace {

using Dims = std::vector<LongType>;

Dims dimsOf(const LongType* info) { return Dims(shape::shapeOf(info), shape::shapeOf(info) + shape::rank(info)); }

/// The sorted axes; all axes when none are given.
loops::Axes completeAxes(const loops::Axes& axes, int rank) {
  loops::Axes sorted(axes.empty() ? static_cast<size_t>(rank) : axes.size());
  if (axes.empty()) {
    std::iota(sorted.begin(), sorted.end(), 0);
  } else {
    sorted.resize(static_cast<size_t>(
        shape::normaliseAxes(axes.data(), static_cast<int>(axes.size()), rank, sorted.data(), "argMax")));
  }
  return sorted;
}

void checkShape(const LongType* x, const LongType* z, const loops::Axes& axes) {
  Dims without;
  Dims with = dimsOf(x);
  LongType positions = 1;
  for (int d = 0; d < shape::rank(x); d++) {
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) {
      without.push_back(with[d]);
    } else {
      positions *= with[d];
      with[d] = 1;
    }
  }
  const Dims given = dimsOf(z);
  if (given != without && given != with)
    invalidArgument("[argMax] argument 1 'z': shape {} does not fit x of shape {} reduced over axes {}", given,
                    dimsOf(x), axes);
  if (ArrayOptions::dataType(z) == INT32 && positions > std::numeric_limits<int>::max())
    invalidArgument("[argMax] argument 1 'z': positions up to {} do not fit INT32", positions - 1);
}

}  // namespace

void argMax(loops::In x, loops::Out z, const loops::Axes& axes) {
  if (x.info == nullptr) invalidArgument("[argMax] argument 0 'x': the shape is null");
  if (z.info == nullptr) invalidArgument("[argMax] argument 1 'z': the shape is null");
  shape::validate(x.info, "argMax");
  shape::validate(z.info, "argMax");
  const loops::Axes all = completeAxes(axes, shape::rank(x.info));
  checkShape(x.info, z.info, all);
  if (shape::length(z.info) == 0) return;
  if (z.data == nullptr) invalidArgument("[argMax] argument 1 'z': the buffer is null");
  if (x.data == nullptr && shape::length(x.info) > 0) invalidArgument("[argMax] argument 0 'x': the buffer is null");
  BUILD_DOUBLE_SELECTOR(ArrayOptions::dataType(x.info), ArrayOptions::dataType(z.info), argMax_, (x, z, all),
                        SD_COMMON_TYPES, SD_INDEXING_TYPES);
}

}  // namespace sd::ops::helpers
