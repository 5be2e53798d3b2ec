// Nearest-neighbour upsampling: each cell becomes a block.
// operations: upsampling2d upsampling2d_bp upsampling3d upsampling3d_bp
// aliases: upsampling upsampling_bp
#include <execution/Parallel.h>
#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/checked_size.h"

namespace sd::ops {
namespace {

/// Sizes and factors of depth, height and width. In these operations, format flag 1 means channels first.
struct Upsampling {
  Dims dims;  // of the image before upsampling
  bool channelsFirst;
  LongType planes, inner;
  std::array<LongType, 3> size{1, 1, 1}, factor{1, 1, 1};

  Upsampling(const LongType* x, int axes, bool first) : dims(dimsOf(x)), channelsFirst(first) {
    if (shape::rank(x) != axes + 2)
      reject("input 0 'x': its rank is {}, not {} (shape {})", shape::rank(x), axes + 2, text(x));
    planes = first ? helpers::checkedProduct(dims[0], dims[1], "the planes of x") : dims[0];
    inner = first ? 1 : dims.back();
    for (int d = 0; d < axes; d++) size[axis(d, axes)] = dims[static_cast<size_t>(spatial() + d)];
  }
  static size_t axis(int d, int axes) { return static_cast<size_t>(3 - axes + d); }
  int spatial() const { return channelsFirst ? 2 : 1; }

  static Upsampling forward(graph::Context& block, const LongType* x, int axes) {
    Upsampling u(x, axes, integer(block, static_cast<size_t>(axes), 0) != 0);
    for (int d = 0; d < axes; d++) {
      const LongType f = block.intArgument64(static_cast<size_t>(d));
      if (f <= 0) reject("integer argument {} 'factor': {} is not positive", d, f);
      u.factor[axis(d, axes)] = f;
    }
    return u;
  }

  static Upsampling backward(graph::Context& block, const LongType* x, const LongType* grad, int axes) {
    Upsampling u(x, axes, integer(block, 0, 0) != 0);
    if (shape::rank(grad) != axes + 2)
      reject("input 1 'gradY': its rank is {}, not {} (shape {})", shape::rank(grad), axes + 2, text(grad));
    for (int d = 0; d < axes + 2; d++) {
      const LongType small = u.dims[static_cast<size_t>(d)], large = sizeAt(grad, d);
      const bool isSpatial = d >= u.spatial() && d < u.spatial() + axes;
      const bool fits = isSpatial ? (small == 0 ? large == 0 : large > 0 && large % small == 0) : large == small;
      if (!fits)
        reject("input 1 'gradY': its shape {} is not a multiple of the shape of input 0 'x', {}", text(grad), text(x));
      if (isSpatial && small > 0) u.factor[axis(d - u.spatial(), axes)] = large / small;
    }
    return u;
  }

  Dims large() const {
    Dims result = dims;
    const int axes = static_cast<int>(dims.size()) - 2;
    for (int d = 0; d < axes; d++) {
      LongType& extent = result[static_cast<size_t>(spatial() + d)];
      extent = helpers::checkedProduct(extent, factor[axis(d, axes)], "the size of y");
    }
    return result;
  }
  /// [planes, D, fD, H, fH, W, fW, inner]
  Dims blocks(bool withFactors) const {
    const auto f = [&](size_t d) { return withFactors ? factor[d] : 1; };
    return {planes, size[0], f(0), size[1], f(1), size[2], f(2), inner};
  }
};

/// Copies elements as bits: T is an unsigned integer of the element's size.
template <typename T>
void repeatCells(const Upsampling& u, const T* x, T* y) {
  const LongType rows = u.planes * u.size[0] * u.size[1], rowSize = u.size[2] * u.inner;
  const LongType largeRow = rowSize * u.factor[2], block = largeRow * u.factor[1];
  const LongType slice = u.size[1] * block;  // elements of the result per depth
  const double cost = 0.3 * static_cast<double>(rows * block * u.factor[0]);
  execution::parallelFor(rows, execution::threadsFor(cost), [&](LongType start, LongType stop) {
    for (LongType row = start; row < stop; row++) {
      const LongType depth = row / u.size[1];
      T* const first = y + depth * u.factor[0] * slice + row % u.size[1] * block;
      const T* from = x + row * rowSize;
      T* to = first;
      for (LongType w = 0; w < u.size[2]; w++, from += u.inner)
        for (LongType f = 0; f < u.factor[2]; f++, to += u.inner) std::copy_n(from, u.inner, to);
      for (LongType f = 1; f < u.factor[1]; f++) std::copy_n(first, largeRow, first + f * largeRow);
      for (LongType f = 1; f < u.factor[0]; f++) std::copy_n(first, block, first + f * slice);
    }
  });
}

Status enlarge(const Upsampling& u, const NDArray& x, NDArray& y) {
  if (y.isEmpty()) return Status::OK;
  const Dense small(x);
  DenseOut large(y);
  const void* from = small->buffer();
  void* to = large->buffer();
  switch (y.sizeOfT()) {
    case 2:
      repeatCells(u, static_cast<const uint16_t*>(from), static_cast<uint16_t*>(to));
      break;
    case 4:
      repeatCells(u, static_cast<const uint32_t*>(from), static_cast<uint32_t*>(to));
      break;
    default:
      repeatCells(u, static_cast<const uint64_t*>(from), static_cast<uint64_t*>(to));
  }
  large.commit();
  return Status::OK;
}

Status sumBlocks(const Upsampling& u, const NDArray& gradY, NDArray& gradX) {
  if (gradX.isEmpty()) return Status::OK;
  const Dense large(gradY);
  DenseOut small(gradX);
  NDArray sums = small->reshape('c', u.blocks(false));
  sumTo(large->reshape('c', u.blocks(true)), sums);
  small.commit();
  return Status::OK;
}

void describe(OpDescriptor* descriptor, int axes, bool gradient) {
  const char* image = axes == 2 ? "x: [N, H, W, C] or [N, C, H, W]" : "x: [N, D, H, W, C] or [N, C, D, H, W]";
  const char* both = axes == 2 ? "x: [N, H, W, C] or [N, C, H, W]; only its shape is used\ngradY: the shape of y"
                               : "x: [N, D, H, W, C] or [N, C, D, H, W]; only its shape is used\ngradY: the "
                                 "shape of y";
  descriptor->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = gradient ? "The gradient of upsampling." : "Enlarges images: each cell becomes a block.",
                  .formula = gradient ? "gradX[.., h, w] = the sum of gradY over the block"
                                      : "y[.., h, w] = x[.., h / factorH, w / factorW]",
                  .inputs = gradient ? both : image,
                  .outputs = gradient ? "gradX: the shape of x, the type of gradY" : "y: the type of x",
                  .integers = gradient ? "format?: 0 channels last (default), else channels first"
                              : axes == 2
                                  ? "factorH, factorW: output cells for each cell of x\nformat?: 0 channels last "
                                    "(default), else channels first"
                                  : "factorD, factorH, factorW: output cells for each cell of x\nformat?: 0 channels "
                                    "last (default), else channels first"});
}

}  // namespace

// name, spatial axes
#define SD_UPSAMPLING(NAME, AXES)                                                                                    \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, AXES) {                                                                       \
    const NDArray& x = *INPUT_VARIABLE(0);                                                                           \
    return enlarge(Upsampling::forward(block, x.shapeInfo(), AXES), x, *OUTPUT_VARIABLE(0));                         \
  }                                                                                                                  \
  DECLARE_SHAPE_FN(NAME) {                                                                                           \
    const LongType* x = inputShape->at(0);                                                                           \
    return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), Upsampling::forward(block, x, AXES).large())); \
  }                                                                                                                  \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), AXES, false); }                                                  \
  CUSTOM_OP_IMPL(NAME##_bp, 2, 1, false, 0, 0) {                                                                     \
    const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);                                                  \
    return sumBlocks(Upsampling::backward(block, x.shapeInfo(), g.shapeInfo(), AXES), g, *OUTPUT_VARIABLE(0));       \
  }                                                                                                                  \
  DECLARE_SHAPE_FN(NAME##_bp) {                                                                                      \
    const LongType *x = inputShape->at(0), *g = inputShape->at(1);                                                   \
    Upsampling::backward(block, x, g, AXES);                                                                         \
    return shapes(like(x, ArrayOptions::dataType(g)));                                                               \
  }                                                                                                                  \
  DECLARE_TYPES(NAME##_bp) { describe(getOpDescriptor(), AXES, true); }

SD_UPSAMPLING(upsampling2d, 2)
SD_UPSAMPLING(upsampling3d, 3)

DECLARE_SYN(upsampling, upsampling2d);
DECLARE_SYN(upsampling_bp, upsampling2d_bp);

}  // namespace sd::ops
