// Normalisation of groups of channels, and of single channels. Wu and He, 2018; Ulyanov, Vedaldi and Lempitsky, 2016.
// operations: group_norm group_norm_bp instance_norm instance_norm_bp
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/shape.h>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/group_normalization.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

template <typename S>
int channelAxis(const S& a, int rank) {
  return a.channelsFirst ? 1 : rank - 1;
}

/// The number of groups of the channels.
LongType groupsOf(const GroupNormalization& a, LongType channels) {
  if (channels % a.numGroups != 0)
    reject("argument 'num_groups': the {} channels of x cannot be divided into {} groups", channels, a.numGroups);
  return a.numGroups;
}
LongType groupsOf(const InstanceNormalization&, LongType channels) { return channels; }

/// Checks x, whose rank may be unknown, and returns the number of its channels.
template <typename S>
LongType channelsOf(const S& a, const PartialShape& x) {
  if (!x.hasRank()) return PartialShape::UNKNOWN;
  const LongType channels = x[channelAxis(a, x.rank())];
  if (channels != PartialShape::UNKNOWN) groupsOf(a, channels);
  return channels;
}

void requireChannels(const PartialShape& array, int index, const char* name, LongType channels) {
  if (!compatible(array, PartialShape(array.type(), {channels})))
    reject("input {} '{}': its shape is {}, not [{}]", index, name, array.text(), channels);
}

/// A checked call of an operation: gamma and beta are inputs `first` and `first + 1`, if `last` is not before them.
template <typename S>
struct Call {
  const S& a;
  const NDArray &x, *gamma, *beta;
  LongType channels;

  Call(graph::Context& block, int first, int last)
      : a(arguments<S>(block)),
        x(*block.array(0)),
        gamma(block.optionalArray(first)),
        beta(first + 1 > last ? nullptr : block.optionalArray(first + 1)),
        channels(channelsOf(a, PartialShape::of(x.shapeInfo()))) {
    if (gamma != nullptr) requireChannels(PartialShape::of(gamma->shapeInfo()), first, "gamma", channels);
    if (beta != nullptr) requireChannels(PartialShape::of(beta->shapeInfo()), first + 1, "beta", channels);
  }
  LongType groups() const { return groupsOf(a, channels); }
  int axis() const { return channelAxis(a, x.rankOf()); }
};

template <typename S>
Status normalize(graph::Context& block, NDArray& z) {
  const Call<S> call(block, 1, 2);
  if (z.isEmpty()) return Status::OK;
  normalizeGroups(call.x, call.gamma, call.beta, z, call.axis(), call.groups(), call.a.epsilon);
  return Status::OK;
}

template <typename S>
Status differentiate(graph::Context& block, NDArray& gradX, NDArray& gradGamma, NDArray& gradBeta) {
  const Call<S> call(block, 2, 2);
  const NDArray& g = *block.array(1);
  requireSameShape(g, 1, "gradZ", call.x, 0, "x");
  if (call.x.isEmpty()) {
    gradGamma.nullify();
    gradBeta.nullify();
    return Status::OK;
  }
  groupGradients(call.x, g, call.gamma, gradX, gradGamma, gradBeta, call.axis(), call.groups(), call.a.epsilon);
  return Status::OK;
}

template <typename S>
void inferNormalized(Inference& in) {
  const PartialShape x = in.input(0);
  const LongType channels = channelsOf(in.arguments<S>(), x);
  if (in.has(1)) requireChannels(in.input(1), 1, "gamma", channels);
  if (in.has(2)) requireChannels(in.input(2), 2, "beta", channels);
  in.output(x);
}

template <typename S>
void inferGradients(Inference& in) {
  const PartialShape x = merged(in.input(0), in.input(1));
  const LongType channels = channelsOf(in.arguments<S>(), x);
  if (in.has(2)) requireChannels(in.input(2), 2, "gamma", channels);
  const DataType type = in.has(2) ? in.input(2).type() : x.type();
  in.output(x);
  for (int k = 0; k < 2; k++) in.output(type, {channels});
}

/// What the gradient operations compute, for the gradients of their gradients.
template <typename S>
std::vector<Symbol> composedGradients(Gradient& g) {
  const auto& a = g.arguments<S>();
  const Symbol x = g.input(0), gamma = g.input(2);
  const int rank = g.rank(x);
  std::vector<int> there{0, channelAxis(a, rank)}, back{0};
  for (int d = 1; d < rank; d++) {
    if (d != there[1]) there.push_back(d);
    back.push_back(a.channelsFirst ? d : d + 1 < rank ? d + 1 : 1);
  }
  const Symbol turned = g.permute(x, there);
  const LongType samples = g.size(turned, 0), channels = g.size(turned, 1), groups = groupsOf(a, channels);
  const auto shaped = [&](Symbol values, LongType parts) {
    return g.call("reshape", {values}, Reshape{{samples, parts, -1}});
  };
  const auto mean = [&](Symbol values) { return g.call("reduce_mean", {values}, Reduction{{2}, true}); };
  const Symbol values = shaped(turned, groups), centred = values - mean(values);
  const Symbol inverse = g.call("transform.RSqrt", {mean(centred * centred) + a.epsilon}), normal = centred * inverse;
  const Symbol of = shaped(g.permute(g.input(1), there), channels);
  const Symbol factors = gamma ? g.call("reshape", {gamma}, Reshape{{1, channels, 1}}) : Symbol();
  const Symbol scaled = shaped(gamma ? of * factors : of, groups);
  const Symbol gradient = inverse * (scaled - mean(scaled) - normal * mean(scaled * normal));
  return {g.permute(g.reshapeLike(gradient, turned), back), g.sum(of * shaped(normal, channels), {0, 2}),
          g.sum(of, {0, 2})};
}

template <typename S>
void describe(Schema& schema) {
  if constexpr (requires { &S::numGroups; })
    schema.argument(&S::numGroups, "num_groups", "the number of groups into which the channels are divided")
        .atInteger(0)
        .atLeast(1)
        .require();
  schema.argument(&S::epsilon, "epsilon", "a number added to the variance").atFloat(0).atLeast(0);
  schema.argument(&S::channelsFirst, "channels_first", "whether the channels C are axis 1, not the last").atFlag(0);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
}

template <typename S>
void describeForward(Schema& schema) {
  schema.input("x", "[N, C, …] or [N, …, C]").rankAtLeast(2);
  schema.input("gamma", "[C], the factors").optional();
  schema.input("beta", "[C], the offsets").optional();
  describe<S>(schema);
  schema.output("z", "the shape and type of x");
  schema.infer(inferNormalized<S>).formula("z = gamma (x - mean) / sqrt(variance + epsilon) + beta");
}

template <typename S>
void describeGradients(Schema& schema) {
  schema.input("x", "[N, C, …] or [N, …, C]").rankAtLeast(2);
  schema.input("gradZ", "the shape of x");
  schema.input("gamma", "[C], the factors").optional();
  describe<S>(schema);
  schema.output("gradX", "the shape and type of x");
  schema.output("gradGamma", "[C], the type of gamma, or of x without gamma");
  schema.output("gradBeta", "[C], the type of gamma, or of x without gamma");
  schema.infer(inferGradients<S>).gradient(composedRule<composedGradients<S>>);
  schema.formula(
      "gradX = standardize_bp(x, gradZ gamma) in each group, gradGamma = sum(gradZ (x - mean) / sqrt(variance + "
      "epsilon)), gradBeta = sum(gradZ) over all axes but C");
}

}  // namespace

CONFIGURABLE_OP_IMPL(group_norm, 1, 1, true, 0, 0) { return normalize<GroupNormalization>(block, *OUTPUT_VARIABLE(0)); }
DECLARE_SCHEMA(group_norm) {
  schema.summary("Standardises groups of channels of each sample, then scales and shifts channels.")
      .source("Wu and He, Group Normalization, 2018");
  describeForward<GroupNormalization>(schema);
  schema.gradient("group_norm_bp").words("group normalization").see("instance_norm layer_norm batchnorm");
  schema
      .example(
          R"({"x": [[[1.0], [3.0], [2.0], [6.0]]], "gamma": [1.0, 1.0, 2.0, 2.0], "num_groups": 2, "epsilon": 0.0})")
      .elsewhere({.torch = "torch.nn.functional.group_norm",
                  .tensorflow = "tf.keras.layers.GroupNormalization",
                  .onnx = "GroupNormalization"});
}

CUSTOM_OP_IMPL(group_norm_bp, 2, 3, false, 0, 0) {
  return differentiate<GroupNormalization>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(2));
}
INFERRED_SHAPES(group_norm_bp)
DECLARE_SCHEMA(group_norm_bp) {
  schema.summary("The gradients of group_norm.").see("group_norm");
  describeGradients<GroupNormalization>(schema);
  schema.example(
      R"({"x": [[[1.0], [3.0], [2.0], [6.0]]], "gradZ": [[[1.0], [0.0], [0.0], [1.0]]], "num_groups": 1, "epsilon": 0.5})");
}

CONFIGURABLE_OP_IMPL(instance_norm, 1, 1, true, 0, 0) {
  return normalize<InstanceNormalization>(block, *OUTPUT_VARIABLE(0));
}
DECLARE_SCHEMA(instance_norm) {
  schema.summary("Standardises each channel of each sample, then scales and shifts channels.")
      .source("Ulyanov, Vedaldi and Lempitsky, Instance Normalization, 2016");
  describeForward<InstanceNormalization>(schema);
  schema.gradient("instance_norm_bp").words("instance normalization, style").see("group_norm batchnorm");
  schema.example(R"({"x": [[[1.0, 3.0], [2.0, 6.0]]], "gamma": [1.0, 2.0], "beta": [0.0, 10.0], "epsilon": 0.0})")
      .elsewhere({.torch = "torch.nn.functional.instance_norm", .onnx = "InstanceNormalization"});
}

CUSTOM_OP_IMPL(instance_norm_bp, 2, 3, false, 0, 0) {
  return differentiate<InstanceNormalization>(block, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(2));
}
INFERRED_SHAPES(instance_norm_bp)
DECLARE_SCHEMA(instance_norm_bp) {
  schema.summary("The gradients of instance_norm.").see("instance_norm");
  describeGradients<InstanceNormalization>(schema);
  schema.example(R"({"x": [[[1.0, 3.0, 5.0], [2.0, 6.0, 1.0]]], "gradZ": [[[1.0, 0.0, 0.0], [0.0, 1.0, 2.0]]]})");
}

}  // namespace sd::ops
