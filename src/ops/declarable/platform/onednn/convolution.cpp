// Convolutions and their gradients on oneDNN, single precision.
#ifdef NDFORGE_ONEDNN

#include <system/platform_boilerplate.h>

#include "ops/declarable/helpers/convolutionCall.h"
#include "ops/declarable/platform/onednn/Onednn.h"

namespace sd::ops::platforms {
namespace {

using dnnl::algorithm;
using dnnl::prop_kind;
using helpers::ConvolutionCall;
using helpers::ConvolutionKind;

using Forward = dnnl::convolution_forward;
using BackwardData = dnnl::convolution_backward_data;
using BackwardWeights = dnnl::convolution_backward_weights;

/// A call of a convolution over `dims` axes with views that oneDNN describes: images [N, C, (D,) H, W], weights
/// [O, I, (kD,) kH, kW], or [C, mC, 1, kH, kW] for a depthwise one.
struct Operands {
  const NDArray *x, *weights, *bias;
  ConvolutionCall call;
  NDArray images, filters;
  onednn::Geometry geometry;

  Operands(graph::Context& block, ConvolutionKind kind, int dims, const NDArray* b)
      : x(block.array(0)),
        weights(block.array(1)),
        bias(b),
        call(ConvolutionCall::read(block, kind, dims, {x->shapeInfo(), 0, "x"}, {weights->shapeInfo(), 1, "weights"})),
        images(helpers::channelsFirst(*x, call.channelsLast)),
        filters(grouped(*weights)),
        geometry(call.shape.windows, static_cast<size_t>(3 - dims)) {
    if (bias != nullptr) call.checkBias({bias->shapeInfo(), 2, "bias"});
  }

  NDArray grouped(const NDArray& array) const {
    NDArray view = helpers::outInKernel(array, call.weightsFormat);
    if (call.kind != ConvolutionKind::Depthwise) return view;
    const LongType dims[] = {view.sizeAt(1), view.sizeAt(0), 1, view.sizeAt(2), view.sizeAt(3)};
    const LongType strides[] = {view.strideAt(1), view.strideAt(0), 1, view.strideAt(2), view.strideAt(3)};
    const LongType* info = ConstantShapeHelper::getInstance().createShapeInfo(ShapeDescriptor(
        FLOAT32, 'c', std::vector<LongType>(dims, dims + 5), std::vector<LongType>(strides, strides + 5)));
    return view.viewOf(info, 0);
  }
  dnnl::memory::desc biasDesc() const {
    return {{call.yChannels()}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a};
  }
  Forward::primitive_desc forward(prop_kind kind, const dnnl::memory::desc& x_, const dnnl::memory::desc& y) const {
    const auto w = onednn::anyLayout(onednn::describe(filters));
    const auto& g = geometry;
    const auto direct = algorithm::convolution_direct;
    const auto desc = bias != nullptr
                          ? Forward::desc(kind, direct, x_, w, biasDesc(), y, g.strides, g.dilations, g.before, g.after)
                          : Forward::desc(kind, direct, x_, w, y, g.strides, g.dilations, g.before, g.after);
    return {desc, onednn::engine()};
  }
  /// Kernels for channels that stand last are those of inference. Products over one cell take channels that stand first
  /// as they are; other windows want blocks of channels.
  Forward::primitive_desc forward(const NDArray& y) const {
    const auto x_ = onednn::describe(images), y_ = onednn::describe(y);
    const bool asGiven = call.shape.windows.isPointwise() && call.kind == ConvolutionKind::Plain &&
                         arrays::isLinear(images) && arrays::isLinear(y);
    if (asGiven) return forward(prop_kind::forward_inference, x_, y_);
    return forward(call.channelsLast ? prop_kind::forward_inference : prop_kind::forward_training,
                   onednn::anyLayout(x_), onednn::anyLayout(y_));
  }
};

bool isContiguous(const NDArray* array) { return array == nullptr || arrays::isLinear(*array); }

constexpr double LEAST_PRODUCTS = 5e5;
constexpr double NANOSECONDS_FOR_A_PRODUCT = 0.02;

double productsOf(const ConvolutionCall& call) {
  const LongType patch = call.kind == ConvolutionKind::Depthwise ? 1 : call.shape.inChannels;
  return static_cast<double>(call.shape.batch * call.shape.outChannels) *
         static_cast<double>(call.shape.windows.outSize()) *
         static_cast<double>(call.shape.windows.kernelSize() * patch);
}

/// Whether the arrays fit and the work is worth it; the arguments have been checked by the shape function.
bool usable(graph::Context& block, ConvolutionKind kind, int dims, bool gradient) {
  if (!onednn::isEnabled(block)) return false;
  const int width = static_cast<int>(block.width());
  const int grad = width - 1;
  const NDArray* bias = gradient && width == 3 ? nullptr : block.optionalArray(2);
  if (!onednn::fits(block.array(0)) || !onednn::fits(block.array(1))) return false;
  if (bias != nullptr && (!onednn::fits(bias) || !isContiguous(bias))) return false;
  if (gradient && !onednn::fits(block.array(grad))) return false;
  const auto& outputs = block.fastpath_out();
  const size_t results = gradient ? (bias != nullptr ? 3 : 2) : 1;
  if (outputs.size() < results) return false;
  for (size_t k = 0; k < results; k++)
    if (!onednn::fits(outputs[k])) return false;
  if (gradient && bias != nullptr && !isContiguous(outputs[2])) return false;
  const auto call = ConvolutionCall::read(block, kind, dims, {block.array(0)->shapeInfo(), 0, "x"},
                                          {block.array(1)->shapeInfo(), 1, "weights"});
  // Setting up a primitive costs more than a small convolution.
  return productsOf(call) > LEAST_PRODUCTS &&
         onednn::Geometry(call.shape.windows, static_cast<size_t>(3 - dims)).fits();
}

Status forward(graph::Context& block, ConvolutionKind kind, int dims, NDArray& y) {
  const Operands o(block, kind, dims, block.optionalArray(2));
  const onednn::ThreadLimit limit(NANOSECONDS_FOR_A_PRODUCT * productsOf(o.call));
  NDArray target = helpers::channelsFirst(y, o.call.channelsLast);
  const auto desc = o.forward(target);
  onednn::Call call;
  call.input(DNNL_ARG_SRC, o.images, desc.src_desc());
  call.input(DNNL_ARG_WEIGHTS, o.filters, desc.weights_desc());
  if (o.bias != nullptr)
    call.pass(DNNL_ARG_BIAS, dnnl::memory(desc.bias_desc(), onednn::engine(), const_cast<void*>(o.bias->buffer())));
  call.output(DNNL_ARG_DST, target, desc.dst_desc());
  call.run(Forward(desc));
  return Status::OK;
}

Status backward(graph::Context& block, ConvolutionKind kind, int dims, NDArray& gradX, NDArray& gradWeights,
                NDArray* gradBias) {
  const bool hasBias = block.width() == 4 && block.optionalArray(2) != nullptr;
  const Operands o(block, kind, dims, hasBias ? block.array(2) : nullptr);
  const int gradIndex = static_cast<int>(block.width()) - 1;
  o.call.checkY({block.array(gradIndex)->shapeInfo(), gradIndex, "gradY"});
  const onednn::ThreadLimit limit(NANOSECONDS_FOR_A_PRODUCT * productsOf(o.call));
  const NDArray gradY = helpers::channelsFirst(*block.array(gradIndex), o.call.channelsLast);
  const auto y = onednn::describe(gradY), x = onednn::describe(o.images), w = onednn::describe(o.filters);
  const auto hint = o.forward(prop_kind::forward_training, onednn::anyLayout(x), onednn::anyLayout(y));
  const auto& g = o.geometry;
  const auto direct = algorithm::convolution_direct;
  {
    const BackwardData::primitive_desc desc(
        BackwardData::desc(direct, onednn::anyLayout(x), onednn::anyLayout(w), onednn::anyLayout(y), g.strides,
                           g.dilations, g.before, g.after),
        onednn::engine(), hint);
    NDArray target = helpers::channelsFirst(gradX, o.call.channelsLast);
    onednn::Call call;
    call.input(DNNL_ARG_DIFF_DST, gradY, desc.diff_dst_desc());
    call.input(DNNL_ARG_WEIGHTS, o.filters, desc.weights_desc());
    call.output(DNNL_ARG_DIFF_SRC, target, desc.diff_src_desc());
    call.run(BackwardData(desc));
  }
  const auto weightsDesc = hasBias
                               ? BackwardWeights::desc(direct, onednn::anyLayout(x), onednn::anyLayout(w), o.biasDesc(),
                                                       onednn::anyLayout(y), g.strides, g.dilations, g.before, g.after)
                               : BackwardWeights::desc(direct, onednn::anyLayout(x), onednn::anyLayout(w),
                                                       onednn::anyLayout(y), g.strides, g.dilations, g.before, g.after);
  const BackwardWeights::primitive_desc desc(weightsDesc, onednn::engine(), hint);
  NDArray target = o.grouped(gradWeights);
  onednn::Call call;
  call.input(DNNL_ARG_SRC, o.images, desc.src_desc());
  call.input(DNNL_ARG_DIFF_DST, gradY, desc.diff_dst_desc());
  call.output(DNNL_ARG_DIFF_WEIGHTS, target, desc.diff_weights_desc());
  if (hasBias) call.pass(DNNL_ARG_DIFF_BIAS, dnnl::memory(desc.diff_bias_desc(), onednn::engine(), gradBias->buffer()));
  call.run(BackwardWeights(desc));
  return Status::OK;
}

}  // namespace

// name, kind, axes
#define SD_ONEDNN_CONVOLUTION(NAME, KIND, AXES)                                                         \
  DECLARE_PLATFORM(NAME, ENGINE_CPU)                                                                    \
  PLATFORM_IMPL(NAME, ENGINE_CPU) { return forward(block, ConvolutionKind::KIND, AXES, *getZ(block)); } \
  PLATFORM_CHECK(NAME, ENGINE_CPU) { return usable(block, ConvolutionKind::KIND, AXES, false); }        \
  DECLARE_PLATFORM(NAME##_bp, ENGINE_CPU)                                                               \
  PLATFORM_IMPL(NAME##_bp, ENGINE_CPU) {                                                                \
    const bool bias = block.width() == 4 && block.optionalArray(2) != nullptr;                          \
    return backward(block, ConvolutionKind::KIND, AXES, *getZ(block), *getZ(block, 1),                  \
                    bias ? getZ(block, 2) : nullptr);                                                   \
  }                                                                                                     \
  PLATFORM_CHECK(NAME##_bp, ENGINE_CPU) { return usable(block, ConvolutionKind::KIND, AXES, true); }

SD_ONEDNN_CONVOLUTION(conv2d, Plain, 2)
SD_ONEDNN_CONVOLUTION(conv3dnew, Plain, 3)
SD_ONEDNN_CONVOLUTION(depthwise_conv2d, Depthwise, 2)

}  // namespace sd::ops::platforms

#endif
