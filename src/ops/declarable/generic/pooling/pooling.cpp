// Maximum, average and p-norm pooling, and their gradients.
// operations: maxpool2d maxpool2d_bp avgpool2d avgpool2d_bp pnormpool2d pnormpool2d_bp maxpool3dnew maxpool3dnew_bp
// operations: avgpool3dnew avgpool3dnew_bp max_pool_with_argmax
// aliases: MaxPool MaxPool2D maxpool MaxPool2D_bp MaxPool_bp AvgPool AvgPool2D avgpool PnormPool PnormPool2D pnormpool
#include <ops/declarable/headers/pooling.h>

#include "ops/declarable/helpers/pooling_call.h"

namespace sd::ops {
namespace {

using helpers::PoolingCall;
using helpers::PoolingKind;

ShapeList* forwardShapes(graph::Context& block, PoolingKind kind, int dims, const LongType* x) {
  const auto call = PoolingCall::read(block, kind, dims, x);
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), call.yShape()));
}

PoolingCall gradientCall(graph::Context& block, PoolingKind kind, int dims) {
  const NDArray &x = *block.array(0), &g = *block.array(1);
  const auto call = PoolingCall::read(block, kind, dims, x.shapeInfo());
  if (!g.isSameShape(call.yShape()))
    reject("input 1 'gradY': its shape is {}, but the output has shape {}", text(g), text(call.yShape()));
  if (g.dataType() != x.dataType())
    reject("input 1 'gradY': its type is {}, but input 0 'x' has type {}", DataTypeUtils::describe(g.dataType()),
           DataTypeUtils::describe(x.dataType()));
  return call;
}

ShapeList* gradientShapes(graph::Context& block, PoolingKind kind, int dims) {
  gradientCall(block, kind, dims);
  return shapes(like(block.array(0)->shapeInfo(), block.array(1)->dataType()));
}

constexpr const char* INTEGERS[] = {
    "kH, kW: window sizes\nsH, sW: strides\npH, pW: paddings on both sides, for mode 0\ndH, dW: dilations\nmode: 0 the "
    "given padding, else same (output = ceil(input / stride))\n",
    "kD, kH, kW: window sizes\nsD, sH, sW: strides\npD, pH, pW: paddings on both sides, for mode 0\ndD, dH, dW: "
    "dilations\nmode: 0 the given padding, else same (output = ceil(input / stride))\n"};
constexpr const char* EXTRA[] = {"unused?: any number\n",
                                 "padding: 0 divides by the number of cells inside the image, 1 by the window's size\n",
                                 "p: the order of the norm, 1 or more\n"};
constexpr const char* FORMAT[] = {"format?: 0 NCHW (default), else NHWC", "format?: 0 NCDHW (default), else NDHWC"};

struct Member {
  const char *summary, *formula, *gradient;
};
const Member MEMBERS[] = {{"Maximum pooling.", "y = max of x over the cells of the window inside the image",
                           "each gradY is added to gradX at the first cell of its window that holds the maximum"},
                          {"Average pooling.", "y = sum of x over the cells of the window / divisor",
                           "each gradY / divisor is added to gradX at all cells of its window"},
                          {"P-norm pooling.", "y = (sum of |x|^p over the cells of the window)^(1 / p)",
                           "gradX += gradY * (sum |x|^p)^((1 - p) / p) * |x|^(p - 1) * sign(x), 0 where the sum is 0"}};

/// Descriptions of the integer arguments, for each kind and two or three dimensions. Built once, because descriptors
/// keep pointers to them.
const std::array<std::string, 6>& integerTexts() {
  static const std::array<std::string, 6> texts = [] {
    std::array<std::string, 6> result;
    for (size_t i = 0; i < result.size(); i++) result[i] = std::string(INTEGERS[i % 2]) + EXTRA[i / 2] + FORMAT[i % 2];
    return result;
  }();
  return texts;
}

void describe(OpDescriptor* descriptor, PoolingKind kind, int dims, bool gradient) {
  const auto number = static_cast<size_t>(kind);
  const std::string& integers = integerTexts()[number * 2 + static_cast<size_t>(dims - 2)];
  if (gradient || kind == PoolingKind::PNorm)
    descriptor->setAllowedInputTypes({ALL_FLOATS});
  else
    descriptor->setAllowedInputTypes({ALL_FLOATS, ALL_INTS});
  const Member& member = MEMBERS[number];
  const char* image = dims == 2 ? "x: [N, C, iH, iW] or [N, iH, iW, C]" : "x: [N, C, iD, iH, iW] or [N, iD, iH, iW, C]";
  const char* both = dims == 2 ? "x: [N, C, iH, iW] or [N, iH, iW, C]\ngradY: the shape of y"
                               : "x: [N, C, iD, iH, iW] or [N, iD, iH, iW, C]\ngradY: the shape of y";
  descriptor->setSameMode(true)->document(
      {.summary = gradient ? "The gradient of the pooling of the same name." : member.summary,
       .formula = gradient ? member.gradient : member.formula,
       .inputs = gradient ? both : image,
       .outputs = gradient ? "gradX: the shape and type of x" : "y: the layout and type of x",
       .floats = gradient && kind == PoolingKind::PNorm ? "eps: not used" : "",
       .integers = integers.c_str(),
       .notes =
           "Cells outside the image are never read. A window without any cell inside gives the lowest value (maximum) "
           "or 0."});
}

}  // namespace

// name, kind, spatial axes, integer arguments of the operation and its gradient, floating arguments of the gradient
#define SD_POOLING(NAME, KIND, DIMS, IARGS, BP_IARGS, BP_TARGS)                                       \
  CUSTOM_OP_IMPL(NAME, 1, 1, false, 0, IARGS) {                                                       \
    const NDArray& x = *INPUT_VARIABLE(0);                                                            \
    PoolingCall::read(block, PoolingKind::KIND, DIMS, x.shapeInfo()).forward(x, *OUTPUT_VARIABLE(0)); \
    return Status::OK;                                                                                \
  }                                                                                                   \
  DECLARE_SHAPE_FN(NAME) { return forwardShapes(block, PoolingKind::KIND, DIMS, inputShape->at(0)); } \
  DECLARE_TYPES(NAME) { describe(getOpDescriptor(), PoolingKind::KIND, DIMS, false); }                \
  CUSTOM_OP_IMPL(NAME##_bp, 2, 1, false, BP_TARGS, BP_IARGS) {                                        \
    gradientCall(block, PoolingKind::KIND, DIMS)                                                      \
        .backward(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *OUTPUT_VARIABLE(0));                       \
    return Status::OK;                                                                                \
  }                                                                                                   \
  DECLARE_SHAPE_FN(NAME##_bp) { return gradientShapes(block, PoolingKind::KIND, DIMS); }              \
  DECLARE_TYPES(NAME##_bp) { describe(getOpDescriptor(), PoolingKind::KIND, DIMS, true); }

SD_POOLING(maxpool2d, Max, 2, 9, 10, 0)
SD_POOLING(avgpool2d, Average, 2, 10, 10, 0)
SD_POOLING(pnormpool2d, PNorm, 2, 10, 10, 1)
SD_POOLING(maxpool3dnew, Max, 3, 14, 14, 0)
SD_POOLING(avgpool3dnew, Average, 3, 14, 14, 0)

DECLARE_SYN(MaxPool, maxpool2d);
DECLARE_SYN(MaxPool2D, maxpool2d);
DECLARE_SYN(maxpool, maxpool2d);
DECLARE_SYN(MaxPool2D_bp, maxpool2d_bp);
DECLARE_SYN(MaxPool_bp, maxpool2d_bp);
DECLARE_SYN(AvgPool, avgpool2d);
DECLARE_SYN(AvgPool2D, avgpool2d);
DECLARE_SYN(avgpool, avgpool2d);
DECLARE_SYN(PnormPool, pnormpool2d);
DECLARE_SYN(PnormPool2D, pnormpool2d);
DECLARE_SYN(pnormpool, pnormpool2d);

CUSTOM_OP_IMPL(max_pool_with_argmax, 1, 2, false, 0, 9) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray &values = *OUTPUT_VARIABLE(0), &indices = *OUTPUT_VARIABLE(1);
  const auto call = PoolingCall::read(block, PoolingKind::Max, 2, x.shapeInfo(), false);
  call.forward(x, values);
  if (indices.isEmpty()) return Status::OK;
  const Dense images(x, helpers::poolingTypeOf(x.dataType()));
  DenseOut cells(indices, INT64);
  helpers::withPoolingType(x.dataType(), [&](auto lowest) {
    using T = decltype(lowest);
    helpers::maxCells<T>(call.pooling(), lowest, images.as<T>(), cells.as<LongType>());
  });
  // Converts cells of a channel to positions in the sample.
  const LongType size = call.windows.outSize(), cellsOfChannel = call.windows.inSize();
  LongType* at = cells.as<LongType>();
  for (LongType plane = 0; plane < call.batch * call.channels; plane++)
    for (LongType i = 0; i < size; i++, at++) *at = std::max<LongType>(*at, 0) + plane % call.channels * cellsOfChannel;
  cells.commit();
  return Status::OK;
}
DECLARE_SHAPE_FN(max_pool_with_argmax) {
  const LongType* x = inputShape->at(0);
  const auto call = PoolingCall::read(block, PoolingKind::Max, 2, x, false);
  const DataType type = block.numD() > 0 ? block.typeArgument(0) : INT64;
  if (type != INT64 && type != INT32)
    reject("type argument 0: {} is not INT64 or INT32", DataTypeUtils::describe(type));
  return shapes(shapeOf(ArrayOptions::dataType(x), shape::order(x), call.yShape()),
                shapeOf(type, shape::order(x), call.yShape()));
}
DECLARE_TYPES(max_pool_with_argmax) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes(0, {ALL_FLOATS, ALL_INTS})
      ->setAllowedOutputTypes(1, {INT32, INT64})
      ->document({.summary = "Maximum pooling, with the positions of the maxima.",
                  .formula = "values = max of x over the cells of the window, indices = its position",
                  .inputs = "x: [N, C, iH, iW]",
                  .outputs = "values: [N, C, oH, oW], the type of x\nindices: [N, C, oH, oW], the positions of the "
                             "maxima in their samples [C, iH, iW], the first of equal maxima",
                  .integers = INTEGERS[0],
                  .types = "Type argument 0: the type of the indices, INT64 (default) or INT32."});
}

}  // namespace sd::ops
