// Layers of long short-term memory and their gradients on oneDNN, in single precision.
// operations: lstmLayer lstmLayer_bp
// calls: Add Sigmoid Tanh
#ifdef NDFORGE_ONEDNN

#include <system/platform_boilerplate.h>

#include "ops/declarable/helpers/lstm_layer_call.h"
#include "ops/declarable/platform/onednn/Onednn.h"

namespace sd::ops::platforms {
namespace {

using dnnl::memory;
using dnnl::prop_kind;
using helpers::LstmLayerCall;
using Tag = memory::format_tag;

using Forward = dnnl::lstm_forward;
using Backward = dnnl::lstm_backward;

/// One direction of a layer. oneDNN has the gates in the same order: i, f, g, o.
struct Operands {
  memory::desc x, state, wx, wr, bias, outputs;
  dnnl::rnn_direction direction;

  Operands(const helpers::LstmSteps& steps, const helpers::LstmWeights<float>& w)
      : x(of({steps.number, steps.batch, w.inputs}, Tag::tnc)),
        state(of({1, 1, steps.batch, w.units}, Tag::ldnc)),
        wx(of({1, 1, w.inputs, 4, w.units}, Tag::ldigo)),
        wr(of({1, 1, w.units, 4, w.units}, Tag::ldigo)),
        bias(of({1, 1, 4, w.units}, Tag::ldgo)),
        outputs(of({steps.number, steps.batch, w.units}, Tag::tnc)),
        direction(steps.backward ? dnnl::rnn_direction::unidirectional_right2left
                                 : dnnl::rnn_direction::unidirectional_left2right) {}

  static memory::desc of(const onednn::Dims& dims, Tag tag) { return {dims, memory::data_type::f32, tag}; }

  Forward::primitive_desc forward(prop_kind kind) const {
    return onednn::plan<Forward>(kind, direction, x, state, state, onednn::anyLayout(wx), onednn::anyLayout(wr), bias,
                                 outputs, state, state);
  }
  Backward::primitive_desc backward(const Forward::primitive_desc& hint) const {
    const auto anyX = onednn::anyLayout(wx), anyR = onednn::anyLayout(wr);
    return onednn::planGradient<Backward>(hint, prop_kind::backward, direction, x, state, state, anyX, anyR, bias,
                                          outputs, state, state, x, state, state, anyX, anyR, bias, outputs, state,
                                          state);
  }
};

memory given(const memory::desc& desc, const float* values) {
  return {desc, onednn::engine(), const_cast<float*>(values)};
}

/// Nanoseconds per step; threads wait for each other at the end of each step.
double stepCost(const helpers::LstmSteps& steps, const helpers::LstmWeights<float>& w) {
  return static_cast<double>(steps.batch * 4 * w.units) * (1 + 0.02 * static_cast<double>(w.inputs + w.units));
}

/// The values, or zeros when there are none.
memory orZeros(onednn::Call& call, const memory::desc& desc, const float* values) {
  if (values != nullptr) return given(desc, values);
  const memory zeros = call.apart(desc);
  std::fill_n(static_cast<char*>(zeros.get_data_handle()), desc.get_size(), char(0));
  return zeros;
}

template <typename Descriptor>
void passInputs(onednn::Call& call, const Operands& o, const Descriptor& desc, const helpers::LstmWeights<float>& w,
                const float* x, const float* h, const float* c) {
  call.pass(DNNL_ARG_SRC_LAYER, given(o.x, x));
  call.pass(DNNL_ARG_SRC_ITER, given(o.state, h));
  call.pass(DNNL_ARG_SRC_ITER_C, given(o.state, c));
  call.input(DNNL_ARG_WEIGHTS_LAYER, given(o.wx, w.wx), desc.weights_layer_desc());
  call.input(DNNL_ARG_WEIGHTS_ITER, given(o.wr, w.wr), desc.weights_iter_desc());
  call.pass(DNNL_ARG_BIAS, orZeros(call, o.bias, w.bias));
}

void forward(const helpers::LstmSteps& steps, const helpers::LstmWeights<float>& w, const float* x, float* h, float* c,
             float* outputs) {
  const onednn::ThreadLimit limit(stepCost(steps, w), true);
  const Operands o(steps, w);
  const auto desc = o.forward(prop_kind::forward_inference);
  onednn::Call call;
  passInputs(call, o, desc, w, x, h, c);
  call.pass(DNNL_ARG_DST_LAYER, outputs != nullptr ? given(o.outputs, outputs) : call.apart(o.outputs));
  const memory lastH = call.apart(o.state), lastC = call.apart(o.state);
  call.pass(DNNL_ARG_DST_ITER, lastH);
  call.pass(DNNL_ARG_DST_ITER_C, lastC);
  call.run(Forward(desc));
  std::copy_n(static_cast<const float*>(lastH.get_data_handle()), steps.batch * w.units, h);
  std::copy_n(static_cast<const float*>(lastC.get_data_handle()), steps.batch * w.units, c);
}

void gradient(const helpers::LstmSteps& steps, const helpers::LstmWeights<float>& w, const float* x, const float* h,
              const float* c, const helpers::LstmGradients<float>& g) {
  const onednn::ThreadLimit limit(stepCost(steps, w), true);
  const Operands o(steps, w);
  const auto hint = o.forward(prop_kind::forward_training);
  const auto desc = o.backward(hint);
  onednn::Call first, second;
  const memory outputs = second.apart(o.outputs), lastH = second.apart(o.state), lastC = second.apart(o.state);
  const memory workspace = second.apart(hint.workspace_desc());
  passInputs(first, o, hint, w, x, h, c);
  passInputs(second, o, desc, w, x, h, c);
  for (onednn::Call* call : {&first, &second}) {
    call->pass(DNNL_ARG_DST_LAYER, outputs);
    call->pass(DNNL_ARG_DST_ITER, lastH);
    call->pass(DNNL_ARG_DST_ITER_C, lastC);
    call->pass(DNNL_ARG_WORKSPACE, workspace);
  }
  first.run(Forward(hint));

  const LongType states = steps.batch * w.units;
  second.pass(DNNL_ARG_DIFF_DST_LAYER, orZeros(second, o.outputs, g.gradOutputs));
  second.pass(DNNL_ARG_DIFF_DST_ITER, given(o.state, g.gradH));
  second.pass(DNNL_ARG_DIFF_DST_ITER_C, given(o.state, g.gradC));
  const memory firstH = second.apart(o.state), firstC = second.apart(o.state);
  second.pass(DNNL_ARG_DIFF_SRC_LAYER, given(o.x, g.gradX));
  second.pass(DNNL_ARG_DIFF_SRC_ITER, firstH);
  second.pass(DNNL_ARG_DIFF_SRC_ITER_C, firstC);
  // The gradients of the weights are added to the existing values.
  const memory gradX = orZeros(second, desc.diff_weights_layer_desc(), nullptr);
  const memory gradR = orZeros(second, desc.diff_weights_iter_desc(), nullptr);
  second.pass(DNNL_ARG_DIFF_WEIGHTS_LAYER, gradX);
  second.pass(DNNL_ARG_DIFF_WEIGHTS_ITER, gradR);
  if (g.gradBias != nullptr) std::fill_n(g.gradBias, 4 * w.units, 0.f);
  second.pass(DNNL_ARG_DIFF_BIAS, orZeros(second, o.bias, g.gradBias));
  second.finally(gradX, given(o.wx, g.gradWx));
  second.finally(gradR, given(o.wr, g.gradWr));
  second.run(Backward(desc));
  std::copy_n(static_cast<const float*>(firstH.get_data_handle()), states, g.gradH);
  std::copy_n(static_cast<const float*>(firstC.get_data_handle()), states, g.gradC);
}

constexpr LongType LEAST_SUMS = 20000;  // gates of all steps together

/// oneDNN supports the usual activations, but neither a length for each element nor clipped states.
bool usable(graph::Context& block, bool isGradient) {
  if (!onednn::isEnabled(block)) return false;
  const LstmLayerCall layer(block, isGradient);
  const auto& a = layer.activations;
  return layer.type == FLOAT32 && layer.lengths < 0 && layer.peephole < 0 && a.gate.code == 2 && a.cell.code == 0 &&
         a.out.code == 0 && !(a.cellClip > 0) && layer.T * layer.N * layer.units * 4 > LEAST_SUMS && layer.inputs > 0;
}

}  // namespace

DECLARE_PLATFORM(lstmLayer, ENGINE_CPU)
PLATFORM_IMPL(lstmLayer, ENGINE_CPU) {
  const LstmLayerCall layer(block, false);
  helpers::runLstmLayer(layer, helpers::lstmResults(layer, [&](int k) { return getZ(block, k); }), forward);
  return Status::OK;
}
PLATFORM_CHECK(lstmLayer, ENGINE_CPU) { return usable(block, false); }

DECLARE_PLATFORM(lstmLayer_bp, ENGINE_CPU)
PLATFORM_IMPL(lstmLayer_bp, ENGINE_CPU) {
  const LstmLayerCall layer(block, true);
  helpers::runLstmLayerGradient(layer, helpers::lstmInputGradients(layer, [&](int k) { return getZ(block, k); }),
                                gradient);
  return Status::OK;
}
PLATFORM_CHECK(lstmLayer_bp, ENGINE_CPU) { return usable(block, true); }

}  // namespace sd::ops::platforms

#endif
