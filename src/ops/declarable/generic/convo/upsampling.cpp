// Nearest-neighbour upsampling: each cell becomes a block.
// operations: upsampling2d upsampling2d_bp upsampling3d upsampling3d_bp
// aliases: upsampling upsampling_bp
#include <execution/Parallel.h>
#include <ops/declarable/Gradient.h>
#include <ops/declarable/headers/convo.h>

#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/inference.h"

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// The number of spatial axes.
template <typename S>
constexpr int axesOf = static_cast<int>(std::tuple_size_v<decltype(S::scaleFactor)>);

template <typename S>
bool isChannelsFirst(const S& a) {
  return static_cast<int>(a.layout) == 0;  // NCHW and NCDHW come first
}

/// Requires that the spatial sizes of gradY, which begin with dimension `spatial`, are multiples of those of x, and
/// that the other sizes are equal. The ranks are known.
void requireMultiple(const PartialShape& x, const PartialShape& gradY, int spatial) {
  for (int d = 0; d < x.rank(); d++) {
    const LongType small = x[d], large = gradY[d];
    if (small == UNKNOWN || large == UNKNOWN) continue;
    const bool isSpatial = d >= spatial && d < spatial + x.rank() - 2;
    const bool fits = isSpatial ? (small == 0 ? large == 0 : large > 0 && large % small == 0) : large == small;
    if (!fits)
      reject("input 1 'gradY': its shape {} is not a multiple of the shape of input 0 'x', {}", gradY.text(), x.text());
  }
}

/// Sizes and factors of depth, height and width.
struct Upsampling {
  Dims dims;  // of the image before upsampling
  bool channelsFirst;
  LongType planes, inner;
  std::array<LongType, 3> size{1, 1, 1}, factor{1, 1, 1};

  Upsampling(const LongType* x, int axes, bool first) : dims(dimsOf(x)), channelsFirst(first) {
    planes = first ? helpers::checkedProduct(dims[0], dims[1], "the planes of x") : dims[0];
    inner = first ? 1 : dims.back();
    for (int d = 0; d < axes; d++) size[axis(d, axes)] = dims[static_cast<size_t>(spatial() + d)];
  }
  static size_t axis(int d, int axes) { return static_cast<size_t>(3 - axes + d); }
  int spatial() const { return channelsFirst ? 2 : 1; }

  template <typename S>
  static Upsampling forward(const S& a, const LongType* x) {
    constexpr int axes = axesOf<S>;
    Upsampling u(x, axes, isChannelsFirst(a));
    for (int d = 0; d < axes; d++) u.factor[axis(d, axes)] = a.scaleFactor[static_cast<size_t>(d)];
    return u;
  }

  template <typename S>
  static Upsampling backward(const S& a, const LongType* x, const LongType* grad) {
    constexpr int axes = axesOf<S>;
    Upsampling u(x, axes, isChannelsFirst(a));
    requireMultiple(PartialShape::of(x), PartialShape::of(grad), u.spatial());
    for (int d = 0; d < axes; d++) {
      const LongType small = u.dims[static_cast<size_t>(u.spatial() + d)];
      if (small > 0) u.factor[axis(d, axes)] = sizeAt(grad, u.spatial() + d) / small;
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

/// The number 0 of the interface means channels last, every other one channels first. The number stands after the
/// factors, or alone.
template <typename S, int INDEX>
bool readLayout(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() <= INDEX) return false;
  using Layout = decltype(S::layout);
  static_cast<S*>(arguments)->layout = static_cast<Layout>(block.intArgument64(INDEX) == 0 ? 1 : 0);
  return true;
}

template <typename S, int INDEX>
void layoutArgument(Schema& schema) {
  schema.argument(&S::layout, "layout", "the order of the axes; positionally 0 is channels last, 1 channels first")
      .atInteger(INDEX)
      .readBy(readLayout<S, INDEX>);
}

template <typename S>
void inferUpsampling(Inference& in) {
  constexpr int axes = axesOf<S>;
  const PartialShape x = in.input(0);
  const S& a = in.arguments<S>();
  if (!x.hasRank()) return in.output(PartialShape::ofRank(x.type(), axes + 2));
  PartialShape y(x.type(), x.sizes(), x.order());
  const int first = isChannelsFirst(a) ? 2 : 1;
  for (int d = 0; d < axes; d++)
    if (x[first + d] != UNKNOWN)
      y.set(first + d, helpers::checkedProduct(x[first + d], a.scaleFactor[static_cast<size_t>(d)], "the size of y"));
  if (first == 2 && x[0] != UNKNOWN && x[1] != UNKNOWN) helpers::checkedProduct(x[0], x[1], "the planes of x");
  in.output(y);
}

template <typename S>
void inferGradient(Inference& in) {
  const PartialShape x = in.input(0), gradY = in.input(1);
  const bool first = isChannelsFirst(in.arguments<S>());
  if (!x.hasRank()) return in.output(PartialShape::ofRank(gradY.type(), axesOf<S> + 2));
  if (gradY.hasRank()) requireMultiple(x, gradY, first ? 2 : 1);
  if (first && x[0] != UNKNOWN && x[1] != UNKNOWN) helpers::checkedProduct(x[0], x[1], "the planes of x");
  in.output(x.withType(gradY.type()));
}

struct Texts {
  const char *summary, *formula, *x, *factor, *example, *gradientExample, *see;
};
const Texts IMAGES = {
    "Enlarges images: each cell becomes a block.",
    "y[.., h, w] = x[.., h / scale_factor[0], w / scale_factor[1]]",
    "[N, H, W, C] or [N, C, H, W]",
    "output cells for each cell of x [height, width]",
    R"({"x": [[[[1.0], [2.0]]]], "scale_factor": [2, 2]})",
    R"({"x": [[[[0.0], [0.0]]]], "gradY": [[[[1.0], [1.0], [1.0], [1.0]], [[1.0], [1.0], [1.0], [1.0]]]]})",
    "resize_nearest_neighbor upsampling3d deconv2d"};
const Texts VOLUMES = {
    "Enlarges volumes: each cell becomes a block.",
    "y[.., d, h, w] = x[.., d / scale_factor[0], h / scale_factor[1], w / scale_factor[2]]",
    "[N, D, H, W, C] or [N, C, D, H, W]",
    "output cells for each cell of x [depth, height, width]",
    R"({"x": [[[[[1.0], [2.0]]]]], "scale_factor": [1, 2, 2]})",
    R"({"x": [[[[[0.0], [0.0]]]]], "gradY": [[[[[1.0], [1.0], [1.0], [1.0]], [[1.0], [1.0], [1.0], [1.0]]]]]})",
    "resize_nearest_neighbor upsampling2d deconv3d"};
constexpr const char* WORDS = "upsample, nearest neighbour, repeat, enlarge";

template <typename S>
void describe(Schema& schema, const Texts& texts, const char* gradient) {
  schema.summary(texts.summary).formula(texts.formula);
  schema.input("x", texts.x).rank(axesOf<S> + 2);
  schema.argument(&S::scaleFactor, "scale_factor", texts.factor).atInteger(0).atLeast(1).require();
  layoutArgument<S, axesOf<S>>(schema);
  schema.output("y", "x with larger spatial sizes, the type of x");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferUpsampling<S>).gradient(gradient);
  schema.example(texts.example)
      .elsewhere({.torch = "torch.nn.functional.interpolate", .onnx = "Resize"})
      .words(WORDS)
      .see(texts.see);
}

/// The gradient of gradY: the blocks of that of gradX.
template <typename S>
void blocksRule(Gradient& g) {
  S a = g.arguments<S>();
  int axis = isChannelsFirst(a) ? 2 : 1;
  for (LongType& factor : a.scaleFactor) {
    factor = g.size(g.input(1), axis) / g.size(g.input(0), axis);
    axis++;
  }
  g.set(1, g.call(axesOf<S> == 2 ? "upsampling2d" : "upsampling3d", {g.of()}, a));
}

template <typename S>
void describeGradient(Schema& schema, const Texts& texts, const char* forward) {
  schema.summary("The gradient of upsampling.")
      .formula("gradX[.., h, w] = the sum of gradY over the block")
      .note("The scale factors follow from the shapes.");
  schema.input("x", texts.x).rank(axesOf<S> + 2);
  schema.input("gradY", "the shape of y").rank(axesOf<S> + 2);
  layoutArgument<S, 0>(schema);
  schema.output("gradX", "the shape of x, the type of gradY");
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS}).infer(inferGradient<S>).gradient(blocksRule<S>);
  schema.example(texts.gradientExample).words(WORDS).see(forward);
}

}  // namespace

// name, struct of arguments, texts, integer arguments
#define SD_UPSAMPLING(NAME, ARGUMENTS, TEXTS, IARGS)                                                         \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, IARGS) {                                                              \
    const NDArray& x = *INPUT_VARIABLE(0);                                                                   \
    return enlarge(Upsampling::forward(arguments<ARGUMENTS>(block), x.shapeInfo()), x, *OUTPUT_VARIABLE(0)); \
  }                                                                                                          \
  INFERRED_SHAPES(NAME)                                                                                      \
  DECLARE_SCHEMA(NAME) { describe<ARGUMENTS>(schema, TEXTS, #NAME "_bp"); }                                  \
  CUSTOM_OP_IMPL(NAME##_bp, 2, 1, false, 0, 0) {                                                             \
    const NDArray &x = *INPUT_VARIABLE(0), &g = *INPUT_VARIABLE(1);                                          \
    return sumBlocks(Upsampling::backward(arguments<ARGUMENTS>(block), x.shapeInfo(), g.shapeInfo()), g,     \
                     *OUTPUT_VARIABLE(0));                                                                   \
  }                                                                                                          \
  INFERRED_SHAPES(NAME##_bp)                                                                                 \
  DECLARE_SCHEMA(NAME##_bp) { describeGradient<ARGUMENTS>(schema, TEXTS, #NAME); }

SD_UPSAMPLING(upsampling2d, Upsampling2d, IMAGES, 2)
SD_UPSAMPLING(upsampling3d, Upsampling3d, VOLUMES, 3)

DECLARE_SYN(upsampling, upsampling2d);
DECLARE_SYN(upsampling_bp, upsampling2d_bp);

}  // namespace sd::ops
