// Convolutions and their gradients on oneDNN, single precision.
// operations: conv2d conv2d_bp conv3dnew conv3dnew_bp deconv2d deconv2d_bp deconv3d deconv3d_bp depthwise_conv2d
// operations: depthwise_conv2d_bp
// calls: Add Sum
#ifdef NDFORGE_ONEDNN

#include <system/platform_boilerplate.h>

#include "ops/declarable/helpers/convolution_call.h"
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

constexpr double LEAST_PRODUCTS = 2e5;
constexpr double NANOSECONDS_FOR_A_PRODUCT = 0.02;
constexpr LongType FEW_CHANNELS = 4;
/// Products for each element from which on it is worthwhile to reorder images.
constexpr double WORTH_BLOCKS = 128, WORTH_CHANNELS_LAST = 400;

double productsOf(const ConvolutionCall& call) {
  const LongType patch = call.kind == ConvolutionKind::Depthwise ? 1 : call.shape.inChannels;
  return static_cast<double>(call.shape.batch * call.shape.outChannels) *
         static_cast<double>(call.shape.windows.outSize()) *
         static_cast<double>(call.shape.windows.kernelSize() * patch);
}

/// Products for each element of both images, whose order costs time to change.
double productsOfElement(const ConvolutionCall& call) {
  const auto& shape = call.shape;
  const double x = static_cast<double>(shape.inChannels) * static_cast<double>(shape.windows.inSize());
  const double y = static_cast<double>(shape.outChannels) * static_cast<double>(shape.windows.outSize());
  return productsOf(call) / (static_cast<double>(shape.batch) * (x + y));
}

/// The plain or depthwise convolution of a call over `dims` axes; a transposed convolution runs it in the other
/// direction. Its arrays in oneDNN's description: images [N, C, (D,) H, W], weights [O, I, (kD,) kH, kW], or [C, mC, 1,
/// kH, kW] for a depthwise one.
class Plain {
 public:
  Plain(const ConvolutionCall& call, int dims)
      : _call(call),
        _geometry(call.shape.windows, static_cast<size_t>(3 - dims)),
        _cost(NANOSECONDS_FOR_A_PRODUCT * productsOf(call)),
        _limit(_cost) {}

  void forward(const NDArray& x, const NDArray& weights, const NDArray* bias, NDArray& y) const {
    const NDArray images = channelsFirst(x), filters = grouped(weights);
    NDArray target = channelsFirst(y);
    const bool asGiven = readsAsGiven(images, target);
    const auto [desc, primitive] = onednn::prepared<Forward>(keyOf(bias != nullptr, asGiven, images, target), [&] {
      return forwardFor(images, filters, target, bias != nullptr, asGiven);
    });
    onednn::Call call;
    call.input(DNNL_ARG_SRC, images, desc.src_desc());
    call.input(DNNL_ARG_WEIGHTS, filters, desc.weights_desc());
    if (bias != nullptr)
      call.pass(DNNL_ARG_BIAS, dnnl::memory(desc.bias_desc(), onednn::engine(), const_cast<void*>(bias->buffer())));
    call.output(DNNL_ARG_DST, target, desc.dst_desc());
    call.run(primitive);
  }
  void backwardData(const NDArray& weights, const NDArray& gradY, NDArray& gradX) const {
    const NDArray gradients = channelsFirst(gradY), filters = grouped(weights);
    NDArray target = channelsFirst(gradX);
    const bool asGiven = readsAsGiven(target, gradients);
    const auto [desc, primitive] = onednn::prepared<BackwardData>(keyOf(false, asGiven, target, gradients), [&] {
      const auto x = layoutOf(target, asGiven), w = any(filters), y = layoutOf(gradients, asGiven);
      const auto& g = _geometry;
      return onednn::planGradient<BackwardData>(describe(prop_kind::forward_training, x, w, y, false), DIRECT, x, w, y,
                                                g.strides, g.dilations, g.before, g.after);
    });
    onednn::Call call;
    call.input(DNNL_ARG_DIFF_DST, gradients, desc.diff_dst_desc());
    call.input(DNNL_ARG_WEIGHTS, filters, desc.weights_desc());
    call.output(DNNL_ARG_DIFF_SRC, target, desc.diff_src_desc());
    call.run(primitive);
  }
  void backwardWeights(const NDArray& x, const NDArray& gradY, NDArray& gradWeights, NDArray* gradBias) const {
    const onednn::ThreadLimit limit(_cost, true);
    const NDArray images = channelsFirst(x), gradients = channelsFirst(gradY);
    NDArray target = grouped(gradWeights);
    const bool asGiven = readsAsGiven(images, gradients);
    auto key = keyOf(gradBias != nullptr, asGiven, images, gradients);
    const auto [desc, primitive] = onednn::prepared<BackwardWeights>(std::move(key), [&] {
      const auto xs = layoutOf(images, asGiven), w = any(target), y = layoutOf(gradients, asGiven);
      const auto& g = _geometry;
      const auto hint = describe(prop_kind::forward_training, xs, w, y, gradBias != nullptr);
      return gradBias != nullptr ? onednn::planGradient<BackwardWeights>(hint, DIRECT, xs, w, biasDesc(), y, g.strides,
                                                                         g.dilations, g.before, g.after)
                                 : onednn::planGradient<BackwardWeights>(hint, DIRECT, xs, w, y, g.strides, g.dilations,
                                                                         g.before, g.after);
    });
    onednn::Call call;
    call.input(DNNL_ARG_SRC, images, desc.src_desc());
    call.input(DNNL_ARG_DIFF_DST, gradients, desc.diff_dst_desc());
    call.output(DNNL_ARG_DIFF_WEIGHTS, target, desc.diff_weights_desc());
    if (gradBias != nullptr)
      call.pass(DNNL_ARG_DIFF_BIAS, dnnl::memory(desc.diff_bias_desc(), onednn::engine(), gradBias->buffer()));
    call.run(primitive);
  }

 private:
  static constexpr auto DIRECT = algorithm::convolution_direct;
  const ConvolutionCall& _call;
  onednn::Geometry _geometry;
  double _cost;  // in nanoseconds, on one thread
  onednn::ThreadLimit _limit;

  /// All that a plan depends on: strides only where images are read and written as given.
  std::vector<LongType> keyOf(bool bias, bool asGiven, const NDArray& x, const NDArray& y) const {
    const auto& shape = _call.shape;
    std::vector<LongType> key{static_cast<LongType>(_call.kind),
                              bias ? 1 : 0,
                              _call.channelsLast ? 1 : 0,
                              _call.dims,
                              shape.batch,
                              shape.inChannels,
                              shape.outChannels};
    for (const auto& a : shape.windows.axes)
      key.insert(key.end(), {a.in, a.out, a.kernel, a.stride, a.pad, a.dilation});
    if (asGiven)
      for (const NDArray* view : {&x, &y}) key.insert(key.end(), view->stridesOf(), view->stridesOf() + view->rankOf());
    return key;
  }
  NDArray channelsFirst(const NDArray& array) const { return helpers::channelsFirst(array, _call.channelsLast); }
  static dnnl::memory::desc any(const NDArray& view) { return onednn::anyLayout(onednn::describe(view)); }
  static dnnl::memory::desc layoutOf(const NDArray& view, bool asGiven) {
    return asGiven ? onednn::describe(view) : any(view);
  }
  dnnl::memory::desc biasDesc() const {
    return {{_call.shape.outChannels}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a};
  }
  NDArray grouped(const NDArray& array) const {
    NDArray view = helpers::outInKernel(array, _call.weightLayout);
    if (_call.kind != ConvolutionKind::Depthwise) return view;
    const LongType dims[] = {view.sizeAt(1), view.sizeAt(0), 1, view.sizeAt(2), view.sizeAt(3)};
    const LongType strides[] = {view.strideAt(1), view.strideAt(0), 1, view.strideAt(2), view.strideAt(3)};
    const LongType* info = ConstantShapeHelper::getInstance().createShapeInfo(ShapeDescriptor(
        FLOAT32, 'c', std::vector<LongType>(dims, dims + 5), std::vector<LongType>(strides, strides + 5)));
    return view.viewOf(info, 0);
  }

  Forward::primitive_desc describe(prop_kind kind, const dnnl::memory::desc& x, const dnnl::memory::desc& w,
                                   const dnnl::memory::desc& y, bool bias) const {
    const auto& g = _geometry;
    if (bias)
      return onednn::plan<Forward>(kind, DIRECT, x, w, biasDesc(), y, g.strides, g.dilations, g.before, g.after);
    return onednn::plan<Forward>(kind, DIRECT, x, w, y, g.strides, g.dilations, g.before, g.after);
  }
  /// Products over a single cell accept channels-first images without reordering; other windows need blocks of
  /// channels.
  bool readsAsGiven(const NDArray& x, const NDArray& y) const {
    return _call.shape.windows.isPointwise() && _call.kind != ConvolutionKind::Depthwise && arrays::isLinear(x) &&
           arrays::isLinear(y) && (_call.channelsLast || productsOfElement(_call) < WORTH_BLOCKS);
  }
  Forward::primitive_desc forwardFor(const NDArray& x, const NDArray& w, const NDArray& y, bool bias,
                                     bool asGiven) const {
    if (asGiven) return describe(prop_kind::forward_inference, onednn::describe(x), any(w), onednn::describe(y), bias);
    // The kernels for inference read channels last, those for training blocks of channels, which take less time to make
    // of channels first.
    const bool channelsLast =
        _call.channelsLast || (!_call.shape.windows.isPointwise() && productsOfElement(_call) >= WORTH_CHANNELS_LAST);
    const auto kind = channelsLast ? prop_kind::forward_inference : prop_kind::forward_training;
    return describe(kind, any(x), any(w), any(y), bias);
  }
};

bool isContiguous(const NDArray* array) { return array == nullptr || arrays::isLinear(*array); }

/// Whether oneDNN supports the arrays and the work is worthwhile. The shape function has checked the arguments.
template <typename S>
bool usable(graph::Context& block, ConvolutionKind kind, bool gradient) {
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
    if (!(gradient && helpers::isUnread(block, static_cast<int>(k))) && !onednn::fits(outputs[k])) return false;
  if (gradient && bias != nullptr && !isContiguous(outputs[2])) return false;
  const auto& call = ConvolutionCall::current<S>(block, kind);
  // Reordering costs more than a small convolution.
  return productsOf(call) > LEAST_PRODUCTS &&
         onednn::Geometry(call.shape.windows, static_cast<size_t>(3 - call.dims)).fits();
}

template <typename S>
Status forward(graph::Context& block, ConvolutionKind kind, NDArray& y) {
  const NDArray &x = *block.array(0), &weights = *block.array(1), *bias = block.optionalArray(2);
  const auto& call = ConvolutionCall::current<S>(block, kind);
  if (bias != nullptr) call.checkBias(*bias, 2);
  const Plain plain(call, call.dims);
  if (kind == ConvolutionKind::Transposed) {
    plain.backwardData(weights, x, y);
    call.addBias(bias, y);
  } else {
    plain.forward(x, weights, bias, y);
  }
  return Status::OK;
}

template <typename S>
Status backward(graph::Context& block, ConvolutionKind kind, NDArray* gradX, NDArray* gradWeights, NDArray* gradBias) {
  const NDArray &x = *block.array(0), &weights = *block.array(1);
  const int last = static_cast<int>(block.width()) - 1;
  const NDArray& gradY = *block.array(last);
  const auto& call = ConvolutionCall::current<S>(block, kind);
  if (last == 3 && block.optionalArray(2) != nullptr) call.checkBias(*block.array(2), 2);
  call.checkY(gradY, last);
  const Plain plain(call, call.dims);
  const bool isTransposed = kind == ConvolutionKind::Transposed;
  if (gradX != nullptr) {
    if (isTransposed)
      plain.forward(gradY, weights, nullptr, *gradX);
    else if (kind == ConvolutionKind::Plain && call.shape.inChannels <= FEW_CHANNELS)
      // oneDNN computes blocks of channels, most of which would be empty.
      call.backwardData(weights, gradY, *gradX);
    else
      plain.backwardData(weights, gradY, *gradX);
  }
  if (gradWeights != nullptr && !isTransposed) {
    plain.backwardWeights(x, gradY, *gradWeights, gradBias);
    return Status::OK;
  }
  if (gradWeights != nullptr) plain.backwardWeights(gradY, x, *gradWeights, nullptr);
  if (gradBias != nullptr) helpers::biasGradient(gradY, call.channelsLast, *gradBias);
  return Status::OK;
}

}  // namespace

// name, kind, struct of arguments
#define SD_ONEDNN_CONVOLUTION(NAME, KIND, ARGUMENTS)                                                                  \
  DECLARE_PLATFORM(NAME, ENGINE_CPU)                                                                                  \
  PLATFORM_IMPL(NAME, ENGINE_CPU) { return forward<ARGUMENTS>(block, ConvolutionKind::KIND, *getZ(block)); }          \
  PLATFORM_CHECK(NAME, ENGINE_CPU) { return usable<ARGUMENTS>(block, ConvolutionKind::KIND, false); }                 \
  DECLARE_PLATFORM(NAME##_bp, ENGINE_CPU)                                                                             \
  PLATFORM_IMPL(NAME##_bp, ENGINE_CPU) {                                                                              \
    const bool bias = block.width() == 4 && block.optionalArray(2) != nullptr;                                        \
    const auto outputOf = [&](int k) { return helpers::isUnread(block, k) ? nullptr : getZ(block, k); };              \
    return backward<ARGUMENTS>(block, ConvolutionKind::KIND, outputOf(0), outputOf(1), bias ? outputOf(2) : nullptr); \
  }                                                                                                                   \
  PLATFORM_CHECK(NAME##_bp, ENGINE_CPU) { return usable<ARGUMENTS>(block, ConvolutionKind::KIND, true); }

SD_ONEDNN_CONVOLUTION(conv2d, Plain, Convolution2d)
SD_ONEDNN_CONVOLUTION(conv3dnew, Plain, Convolution3d)
SD_ONEDNN_CONVOLUTION(deconv2d, Transposed, Convolution2d)
SD_ONEDNN_CONVOLUTION(deconv3d, Transposed, Convolution3d)
SD_ONEDNN_CONVOLUTION(depthwise_conv2d, Depthwise, Convolution2d)

}  // namespace sd::ops::platforms

#endif
