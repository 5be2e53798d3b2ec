// Maximum and average pooling on oneDNN, single precision.
// operations: maxpool2d avgpool2d avgpool2d_bp maxpool2d_bp
// calls: Divide IsNan Min
#ifdef NDFORGE_ONEDNN

#include <system/platform_boilerplate.h>

#include "ops/declarable/helpers/pooling_call.h"
#include "ops/declarable/platform/onednn/Onednn.h"

namespace sd::ops::platforms {
namespace {

using dnnl::prop_kind;
using helpers::PoolingCall;
using helpers::PoolingKind;

#if DNNL_VERSION_MAJOR < 3
using Forward = dnnl::pooling_v2_forward;  // with dilations
using Backward = dnnl::pooling_v2_backward;
#else
using Forward = dnnl::pooling_forward;
using Backward = dnnl::pooling_backward;
#endif

constexpr LongType LEAST_ELEMENTS = 20000;

/// oneDNN divides averages over dilated windows, and over windows that reach beyond the padding, in another way.
template <typename S>
bool usable(graph::Context& block, bool gradient) {
  if (!onednn::isEnabled(block) || !onednn::fits(block.array(0))) return false;
  if (gradient && !onednn::fits(block.array(1))) return false;
  const auto& outputs = block.fastpath_out();
  if (outputs.empty() || !onednn::fits(outputs[0])) return false;
  const auto& call = PoolingCall::current<S>(block);
  // Creating a primitive costs more than pooling a small image. The library's own kernels are faster where the channels
  // come first.
  if (block.array(0)->lengthOf() < LEAST_ELEMENTS) return false;
  if ((call.kind == PoolingKind::Max || !gradient) && !call.channelsLast) return false;
  // oneDNN takes the elements of few last channels one by one.
  if (gradient && call.kind == PoolingKind::Max && call.channels < 8) return false;
  for (const auto& axis : call.windows.axes) {
    if (call.kind == PoolingKind::Average && (axis.dilation != 1 || axis.exceedsPadding())) return false;
    // Every window must have cells inside the image; windows with dilation must not be padded.
    if (axis.dilation != 1 && (axis.pad != 0 || axis.padEnd != 0 || axis.exceedsPadding())) return false;
    for (LongType o : {LongType(0), axis.out - 1})
      if (axis.cellsInside(o) == 0) return false;
  }
  return onednn::Geometry(call.windows).fits();
}

/// oneDNN's maximum does not skip NaN.
bool hasNaN(const NDArray& x) { return x.hasNaNs(); }

/// oneDNN also takes the first of equal values as the maximum, except that values not above the lowest one have no
/// maximum. Returns false for NaN.
bool isAboveLowest(const NDArray& x) {
  return !hasNaN(x) && x.reduceNumber(reduce::Min).e<float>(0) > -DataTypeUtils::max<float>();
}

dnnl::algorithm algorithmOf(const PoolingCall& call) {
  if (call.kind == PoolingKind::Max) return dnnl::algorithm::pooling_max;
  return call.extra == 0 ? dnnl::algorithm::pooling_avg_exclude_padding : dnnl::algorithm::pooling_avg_include_padding;
}

Forward::primitive_desc describe(const PoolingCall& call, const dnnl::memory::desc& x, const dnnl::memory::desc& y,
                                 prop_kind kind = prop_kind::forward_inference) {
  const onednn::Geometry g(call.windows);
  return onednn::plan<Forward>(kind, algorithmOf(call), x, y, g.strides, g.kernel, g.dilations, g.before, g.after);
}

template <typename S>
Status forward(graph::Context& block, NDArray& y) {
  const auto& call = PoolingCall::current<S>(block);
  const onednn::ThreadLimit limit(static_cast<double>(block.array(0)->lengthOf()));
  const NDArray source = helpers::channelsFirst(*block.array(0), call.channelsLast);
  NDArray target = helpers::channelsFirst(y, call.channelsLast);
  const auto desc = describe(call, onednn::describe(source), onednn::describe(target));
  onednn::Call run;
  run.input(DNNL_ARG_SRC, source, desc.src_desc());
  run.output(DNNL_ARG_DST, target, desc.dst_desc());
  run.run(Forward(desc));
  return Status::OK;
}

template <typename S>
Status backward(graph::Context& block, NDArray& gradX) {
  const auto& call = PoolingCall::current<S>(block);
  const onednn::ThreadLimit limit(static_cast<double>(block.array(0)->lengthOf()));
  const NDArray gradY = helpers::channelsFirst(*block.array(1), call.channelsLast);
  NDArray target = helpers::channelsFirst(gradX, call.channelsLast);
  const auto x = onednn::withoutGaps(onednn::describe(target)), y = onednn::describe(gradY);
  const onednn::Geometry g(call.windows);
  const auto hint = describe(call, x, y, prop_kind::forward_training);
  const auto desc = onednn::planGradient<Backward>(hint, algorithmOf(call), x, y, g.strides, g.kernel, g.dilations,
                                                   g.before, g.after);
  onednn::Call run;
  if (call.kind == PoolingKind::Max) {
    // Recomputes the positions of the maxima, because those of the forward pass are not kept.
    const auto positions = run.apart(hint.workspace_desc());
    onednn::Call search;
    search.input(DNNL_ARG_SRC, helpers::channelsFirst(*block.array(0), call.channelsLast), hint.src_desc());
    search.pass(DNNL_ARG_DST, search.apart(hint.dst_desc()));
    search.pass(DNNL_ARG_WORKSPACE, positions);
    search.run(Forward(hint));
    run.pass(DNNL_ARG_WORKSPACE, positions);
  }
  run.input(DNNL_ARG_DIFF_DST, gradY, desc.diff_dst_desc());
  run.output(DNNL_ARG_DIFF_SRC, target, desc.diff_src_desc());
  run.run(Backward(desc));
  return Status::OK;
}

}  // namespace

DECLARE_PLATFORM(maxpool2d, ENGINE_CPU)
PLATFORM_IMPL(maxpool2d, ENGINE_CPU) { return forward<Pooling2d>(block, *getZ(block)); }
PLATFORM_CHECK(maxpool2d, ENGINE_CPU) { return usable<Pooling2d>(block, false) && !hasNaN(*block.array(0)); }

DECLARE_PLATFORM(avgpool2d, ENGINE_CPU)
PLATFORM_IMPL(avgpool2d, ENGINE_CPU) { return forward<AveragePooling2d>(block, *getZ(block)); }
PLATFORM_CHECK(avgpool2d, ENGINE_CPU) { return usable<AveragePooling2d>(block, false); }

DECLARE_PLATFORM(avgpool2d_bp, ENGINE_CPU)
PLATFORM_IMPL(avgpool2d_bp, ENGINE_CPU) { return backward<AveragePooling2d>(block, *getZ(block)); }
PLATFORM_CHECK(avgpool2d_bp, ENGINE_CPU) { return usable<AveragePooling2d>(block, true); }

DECLARE_PLATFORM(maxpool2d_bp, ENGINE_CPU)
PLATFORM_IMPL(maxpool2d_bp, ENGINE_CPU) { return backward<Pooling2d>(block, *getZ(block)); }
PLATFORM_CHECK(maxpool2d_bp, ENGINE_CPU) { return usable<Pooling2d>(block, true) && isAboveLowest(*block.array(0)); }

}  // namespace sd::ops::platforms

#endif
