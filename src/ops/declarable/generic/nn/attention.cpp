// Dot product attention, with one head or several, and its gradient. Vaswani et al., "Attention is all you need", 2017.
// operations: dot_product_attention dot_product_attention_bp multi_head_dot_product_attention
// operations: multi_head_dot_product_attention_bp
// calls: Dot Exp Max Multiply Subtract Sum
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/blas.h>
#include <ops/declarable/headers/nn.h>
#include <ops/declarable/headers/shape.h>

#include <cmath>
#include <numeric>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/softmax.h"

namespace sd::ops {
namespace {

// Subtracted where the mask is 0; finite, and much larger than any score.
constexpr double MASKED = 1e9;

NDArray product(const NDArray& a, const NDArray& b, bool transposeA, bool transposeB, double alpha = 1) {
  Dims dims = a.getShapeAsVector();
  dims[dims.size() - 2] = a.sizeAt(transposeA ? -1 : -2);
  dims[dims.size() - 1] = b.sizeAt(transposeB ? -2 : -1);
  NDArray z = unset(a.dataType(), dims);
  MmulHelper::matmul(&a, &b, &z, transposeA, transposeB, alpha);
  return z;
}

/// A view with the last two axes exchanged.
NDArray swapped(const NDArray& array) {
  std::vector<int> order(static_cast<size_t>(array.rankOf()));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 2], order[order.size() - 1]);
  return array.permute(order);
}

double scaleOf(const NDArray& queries, bool normalize) {
  return normalize ? 1 / std::sqrt(static_cast<double>(queries.sizeAt(-2))) : 1.0;
}

/// a^T b: [.., Ta, Tb], as a view [.., Tb, Ta]. With a of queries and b of keys, what belongs to a query is contiguous.
NDArray pairs(const NDArray& a, const NDArray& b, double alpha = 1) {
  return swapped(product(a, b, true, false, alpha));
}

/// softmax of keys^T queries over Tk: [.., Tk, Tq]. All arrays have the compute type.
NDArray weights(const NDArray& queries, const NDArray& keys, const NDArray* mask, bool normalize) {
  NDArray scores = pairs(queries, keys, scaleOf(queries, normalize));
  if (mask != nullptr) {
    Dims dims(static_cast<size_t>(scores.rankOf()), 1);
    dims[0] = mask->sizeAt(0);
    dims[dims.size() - 2] = mask->sizeAt(1);
    NDArray shift = unset(scores.dataType(), dims);
    shift.assign(mask->reshape('c', dims));
    shift -= 1.0;
    shift *= MASKED;
    scores += shift;
  }
  NDArray rows = swapped(scores);
  softmaxAlong(rows, rows, rows.rankOf() - 1, false);
  return scores;
}

struct Gradients {
  NDArray queries, keys, values;
};

Gradients gradients(const NDArray& queries, const NDArray& keys, const NDArray& values, const NDArray& g,
                    const NDArray* mask, bool normalize) {
  const NDArray w = weights(queries, keys, mask, normalize);
  NDArray scores = pairs(g, values);  // dL/dW
  const int axis = w.rankOf() - 2;
  scores -= (w * scores).reduceAlongDimension(reduce::Sum, {axis}, true);
  scores *= w;
  scores *= scaleOf(queries, normalize);
  return {product(keys, scores, false, false), product(queries, scores, false, true), product(g, w, false, true)};
}

/// Requires [batch, time of the keys].
void requireMask(const Inference& in, int index) {
  if (!in.has(index)) return;
  const PartialShape keys = in.input(1), mask = in.input(index);
  if (!keys.hasRank()) return;
  const PartialShape expected(INHERIT, {keys[0], keys[-1]});
  if (!compatible(mask, expected))
    reject("input {} 'mask': its shape is {}, not {}", index, mask.text(), expected.text());
}

/// Whether both the result and the weights are empty. Values without features leave only the weights to compute.
bool isNothing(const NDArray& z, const NDArray* weights) {
  return z.isEmpty() && (weights == nullptr || weights->isEmpty());
}

void store(const NDArray& values, NDArray& z) {
  if (!z.isEmpty()) z.assign(values);
}

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

/// The known one of two sizes that must be equal.
template <typename Report>
LongType common(LongType a, LongType b, Report&& report) {
  if (a != UNKNOWN && b != UNKNOWN && a != b) report();
  return a == UNKNOWN ? b : a;
}

/// The shapes of the result and of the weights.
struct Attended {
  PartialShape result, weights;
};

/// Checks the inputs.
Attended attended(Inference& in) {
  const PartialShape shapes[] = {in.input(0), in.input(1), in.input(2)};
  const DataType type = shapes[2].type();
  int rank = -1;
  for (const PartialShape& shape : shapes) rank = std::max(rank, shape.rank());
  for (const PartialShape& shape : shapes)
    if (shape.hasRank() && shape.rank() != rank)
      reject("inputs 0 'queries', 1 'keys' and 2 'values' have ranks {}, {} and {}: all must be 3 or all must be 4",
             shapes[0].rank(), shapes[1].rank(), shapes[2].rank());
  if (rank < 0) return {PartialShape(type), PartialShape(type)};
  const auto known = [rank](const PartialShape& shape) {
    return shape.hasRank() ? shape : PartialShape::ofRank(shape.type(), rank);
  };
  const PartialShape q = known(shapes[0]), k = known(shapes[1]), v = known(shapes[2]);
  PartialShape result(type, q.sizes());
  for (int d = 0; d + 2 < rank; d++) {
    const auto differ = [&] {
      reject("shapes {}, {} and {} of queries, keys and values differ in dimension {}", q.text(), k.text(), v.text(),
             d);
    };
    result.set(d, common(common(q[d], k[d], differ), v[d], differ));
  }
  common(q[rank - 2], k[rank - 2],
         [&] { reject("shapes {} and {} of queries and keys differ in features", q.text(), k.text()); });
  const LongType time = common(k[rank - 1], v[rank - 1], [&] {
    reject("shapes {} and {} of keys and values differ in time", k.text(), v.text());
  });
  result.set(rank - 2, v[rank - 2]);
  PartialShape matches = result;
  return {result, matches.set(rank - 2, time)};
}

template <Attended (*OF)(Inference&), int MASK>
void inferForward(Inference& in) {
  const Attended shapes = OF(in);
  requireMask(in, MASK);
  in.output(shapes.result);
  if (in.arguments<Attention>().needWeights) in.output(shapes.weights);
}

/// The gradients of the first inputs; input `GRADIENT` is gradZ.
template <Attended (*OF)(Inference&), int GRADIENT>
void inferBackward(Inference& in) {
  const Attended shapes = OF(in);
  const PartialShape g = in.input(GRADIENT);
  if (!compatible(g, shapes.result))
    reject("input {} 'gradZ': its shape is {}, not {}", GRADIENT, g.text(), shapes.result.text());
  requireMask(in, GRADIENT + 1);
  for (int i = 0; i < GRADIENT; i++) in.output(in.input(i));
}

void scaledArgument(Schema& schema) {
  schema.argument(&Attention::scaled, "scaled", "whether the scores are divided by sqrt(F)").atInteger(0);
  schema.inputTypes({ALL_FLOATS}).outputTypes({ALL_FLOATS});
}

void forwardArguments(Schema& schema) {
  schema.input("mask", "[B, Tk], 1 keeps a key, 0 skips it").optional();
  scaledArgument(schema);
  schema.argument(&Attention::needWeights, "need_weights", "whether the weights are a second output").atInteger(1);
}

void backwardArguments(Schema& schema) {
  schema.input("mask", "[B, Tk], 1 keeps a key, 0 skips it").optional();
  scaledArgument(schema);
  schema.notDifferentiable(IS_GRADIENT).note("The weights, as an output, have no gradient.");
}

void attentionInputs(Schema& schema) {
  schema.input("queries", "[B, F, Tq] or [B, H, F, Tq]").rank(3, 4);
  schema.input("keys", "[B, F, Tk] or [B, H, F, Tk]").rank(3, 4);
  schema.input("values", "[B, V, Tk] or [B, H, V, Tk]").rank(3, 4);
}

// ---- gradient rules

constexpr const char* MASK_CHOOSES = "the mask chooses keys";

/// z and the weights, from queries, keys and values for one head or, of rank 4, for several.
std::vector<Symbol> attend(Gradient& g, Symbol queries, Symbol keys, Symbol values, Symbol mask) {
  Symbol scores = g.matmul(keys, queries, true);
  if (g.arguments<Attention>().scaled) scores = scores / std::sqrt(static_cast<double>(g.size(queries, -2)));
  if (mask) {
    Symbol shift = g.expandDims((g.cast(mask, scores) - 1.0) * MASKED, -1);
    if (g.rank(queries) == 4) shift = g.expandDims(shift, 1);
    scores = scores + shift;
  }
  const Symbol matches = g.call("softmax", {scores}, SoftmaxAxis{-2});
  return {g.matmul(values, matches), matches};
}

std::vector<Symbol> composedAttention(Gradient& g) { return attend(g, g.input(0), g.input(1), g.input(2), g.input(3)); }

std::vector<Symbol> composedHeads(Gradient& g) {
  // [B, F, T] times [H, P, F] is [B, T, H, P].
  const auto projected = [&](int x, int w) {
    const Symbol product = g.call("tensormmul", {g.input(x), g.input(w)}, TensorContraction{{1}, {2}});
    return g.permute(product, {0, 2, 3, 1});
  };
  const auto each = attend(g, projected(0, 3), projected(1, 4), projected(2, 5), g.input(7));
  const Reshape byHead{{g.size(g.input(5), 0), g.size(g.input(5), 1), -1}};
  const Symbol out = g.call("reshape", {g.input(6)}, byHead);
  return {g.permute(g.call("tensormmul", {each[0], out}, TensorContraction{{1, 2}, {0, 1}}), {0, 2, 1}), each[1]};
}

/// The gradient operation NAME_bp does not take the gradient of the weights. COUNT: the inputs before the mask.
template <std::vector<Symbol> (*FORWARD)(Gradient& g), int COUNT>
void attentionRule(Gradient& g) {
  g.none(COUNT, MASK_CHOOSES);
  if (g.of(1)) {
    Composition composition(g);
    const std::vector<Symbol> results = FORWARD(composition);
    return composition.differentiate(results, COUNT);
  }
  std::vector<Symbol> given;
  for (int i = 0; i < COUNT; i++) given.push_back(g.input(i));
  given.insert(given.end(), {g.of(0), g.input(COUNT)});
  const auto results = g.callAll(g.op().getOpDescriptor()->name() + "_bp", given, g.ownArguments());
  for (int i = 0; i < COUNT; i++) g.set(i, results[static_cast<size_t>(i)]);
}

}  // namespace

CUSTOM_OP_IMPL(dot_product_attention, 3, -1, false, 0, 2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Attention>(block);
  NDArray* shown = a.needWeights ? OUTPUT_VARIABLE(1) : nullptr;
  if (isNothing(z, shown)) return Status::OK;
  const DataType type = computeType(z);
  const Dense q(*INPUT_VARIABLE(0), type), k(*INPUT_VARIABLE(1), type), v(*INPUT_VARIABLE(2), type);
  const NDArray w = weights(*q, *k, block.optionalArray(3), a.scaled);
  DenseOut out(z, type);
  MmulHelper::matmul(&*v, &w, &*out, false, false);
  out.commit();
  if (shown != nullptr) store(w, *shown);
  return Status::OK;
}
INFERRED_SHAPES(dot_product_attention)
DECLARE_SCHEMA(dot_product_attention) {
  schema.summary("Attention: means of values, weighted by how keys match queries.")
      .formula("z = values W, W = softmax(keys^T queries / sqrt(F)) over the keys");
  attentionInputs(schema);
  forwardArguments(schema);
  schema.output("z", "[B, V, Tq] or [B, H, V, Tq], the type of values");
  schema.output("weights", "[B, Tk, Tq] or [B, H, Tk, Tq], the type of values").when("need_weights");
  schema.infer(inferForward<attended, 3>).gradient(attentionRule<composedAttention, 3>);
  schema
      .example(
          R"({"queries": [[[0.0], [0.0]]], "keys": [[[0.0, 0.0], [0.0, 0.0]]], "values": [[[1.0, 3.0]]], "scaled": true})")
      .elsewhere(
          {.torch = "torch.nn.functional.scaled_dot_product_attention", .tensorflow = "tf.keras.layers.Attention"})
      .words("attention, transformer, query, key, value")
      .see("multi_head_dot_product_attention softmax");
}

CUSTOM_OP_IMPL(dot_product_attention_bp, 4, 3, false, 0, 1) {
  const DataType type = computeType(*OUTPUT_VARIABLE(0));
  const Dense q(*INPUT_VARIABLE(0), type), k(*INPUT_VARIABLE(1), type), v(*INPUT_VARIABLE(2), type),
      g(*INPUT_VARIABLE(3), type);
  // If queries and keys have no features, the weights are equal and the values still have a gradient.
  if (v->isEmpty() || g->isEmpty()) {
    for (int i = 0; i < 3; i++)
      if (!OUTPUT_VARIABLE(i)->isEmpty()) OUTPUT_VARIABLE(i)->nullify();
    return Status::OK;
  }
  const Gradients result = gradients(*q, *k, *v, *g, block.optionalArray(4), arguments<Attention>(block).scaled);
  store(result.queries, *OUTPUT_VARIABLE(0));
  store(result.keys, *OUTPUT_VARIABLE(1));
  store(result.values, *OUTPUT_VARIABLE(2));
  return Status::OK;
}
INFERRED_SHAPES(dot_product_attention_bp)
DECLARE_SCHEMA(dot_product_attention_bp) {
  schema.summary("The gradients of dot_product_attention.")
      .formula(
          "gradW = values^T gradZ, gradS = W (gradW - sum(W gradW)) / sqrt(F), gradQueries = keys gradS, gradKeys = "
          "queries gradS^T, gradValues = gradZ W^T");
  attentionInputs(schema);
  schema.input("gradZ", "the shape of z").rank(3, 4);
  backwardArguments(schema);
  schema.output("gradQueries", "the shape and type of queries");
  schema.output("gradKeys", "the shape and type of keys");
  schema.output("gradValues", "the shape and type of values");
  schema.infer(inferBackward<attended, 3>);
  schema
      .example(
          R"({"queries": [[[0.0], [0.0]]], "keys": [[[0.0, 0.0], [0.0, 0.0]]], "values": [[[1.0, 3.0]]], "gradZ": [[[1.0]]], "scaled": true})")
      .words("attention, transformer")
      .see("dot_product_attention");
}

// ---- several heads

namespace {

/// Checks the seven inputs.
Attended attendedByHeads(Inference& in) {
  constexpr const char* NAMES[] = {"queries",     "keys",          "values",     "weights_query",
                                   "weights_key", "weights_value", "weights_out"};
  const auto dim = [&in](int i, int d) {
    const PartialShape shape = in.input(i);
    return shape.hasRank() ? shape[d] : UNKNOWN;
  };
  LongType batch = UNKNOWN, heads = UNKNOWN;
  for (int i = 0; i < 3; i++) {
    batch =
        common(batch, dim(i, 0), [&] { reject("inputs 0 'queries' and {} '{}' differ in batch size", i, NAMES[i]); });
    heads = common(heads, dim(3 + i, 0),
                   [&] { reject("inputs 3 'weights_query' and {} '{}' differ in heads", 3 + i, NAMES[3 + i]); });
    common(dim(3 + i, 2), dim(i, 1), [&] {
      reject("input {} '{}': its shape {} does not match the shape of '{}', {}", 3 + i, NAMES[3 + i],
             in.input(3 + i).text(), NAMES[i], in.input(i).text());
    });
  }
  common(dim(3, 1), dim(4, 1),
         [] { reject("inputs 3 'weights_query' and 4 'weights_key' differ in projected features"); });
  const LongType time = common(dim(1, 2), dim(2, 2), [] { reject("inputs 1 'keys' and 2 'values' differ in time"); });
  const LongType features = dim(5, 1), rows = heads == UNKNOWN || features == UNKNOWN ? UNKNOWN : heads * features;
  common(dim(6, 0), rows,
         [&] { reject("input 6 'weights_out': its shape is {}, but {} rows are needed", in.input(6).text(), rows); });
  const DataType type = in.input(2).type();
  return {PartialShape(type, {batch, dim(6, 1), dim(0, 2)}), PartialShape(type, {batch, heads, time, dim(0, 2)})};
}

void headInputs(Schema& schema) {
  schema.input("queries", "[B, Fq, Tq]").rank(3);
  schema.input("keys", "[B, Fk, Tk]").rank(3);
  schema.input("values", "[B, Fv, Tk]").rank(3);
  schema.input("weights_query", "[H, P, Fq]").rank(3);
  schema.input("weights_key", "[H, P, Fk]").rank(3);
  schema.input("weights_value", "[H, Pv, Fv]").rank(3);
  schema.input("weights_out", "[H * Pv, O]").rank(2);
}

#define SD_HEADS                                                                                             \
  R"({"queries": [[[0.0]]], "keys": [[[0.0, 0.0]]], "values": [[[1.0, 3.0]]], "weights_query": [[[1.0]]], )" \
  R"("weights_key": [[[1.0]]], "weights_value": [[[1.0]]], "weights_out": [[1.0, 10.0]], "scaled": true)"

/// Projects [B, F, T] by weights [H, P, F]: [B, H, P, T].
NDArray project(const NDArray& x, const NDArray& w) {
  NDArray z = unset(x.dataType(), {x.sizeAt(0), w.sizeAt(0), w.sizeAt(1), x.sizeAt(2)});
  if (x.isEmpty() || w.isEmpty()) {
    if (!z.isEmpty()) z.nullify();
    return z;
  }
  const NDArray matrix = w.reshape('c', {w.sizeAt(0) * w.sizeAt(1), w.sizeAt(2)});
  for (LongType b = 0; b < x.sizeAt(0); b++) {
    const NDArray from = x(b, {0});
    NDArray to = z(b, {0}).reshape('c', {matrix.sizeAt(0), x.sizeAt(2)}, false);
    MmulHelper::matmul(&matrix, &from, &to, false, false);
  }
  return z;
}

/// The gradients of x and w from the gradient of a projection.
void projectGradient(const NDArray& x, const NDArray& w, const NDArray& g, NDArray& gradX, NDArray& gradW) {
  if (x.isEmpty() || w.isEmpty()) {
    if (!gradX.isEmpty()) gradX.nullify();
    if (!gradW.isEmpty()) gradW.nullify();
    return;
  }
  const NDArray matrix = w.reshape('c', {w.sizeAt(0) * w.sizeAt(1), w.sizeAt(2)});
  NDArray dx = unset(x.dataType(), x.getShapeAsVector()), dw = unset(x.dataType(), matrix.getShapeAsVector());
  for (LongType b = 0; b < x.sizeAt(0); b++) {
    const NDArray from = x(b, {0}), incoming = g(b, {0}).reshape('c', {matrix.sizeAt(0), x.sizeAt(2)});
    NDArray to = dx(b, {0});
    MmulHelper::matmul(&matrix, &incoming, &to, true, false);
    MmulHelper::matmul(&incoming, &from, &dw, false, true, 1, b == 0 ? 0 : 1);
  }
  gradX.assign(dx);
  gradW.assign(dw.reshape('c', w.getShapeAsVector()));
}

/// The inputs in the compute type, projected for each head.
struct Heads {
  DataType type;
  std::vector<Dense> in;
  NDArray q, k, v;

  explicit Heads(graph::Context& block) : type(computeType(*block.array(2))) {
    in.reserve(7);
    for (int i = 0; i < 7; i++) in.emplace_back(*block.array(i), type);
    q = project(*in[0], *in[3]);
    k = project(*in[1], *in[4]);
    v = project(*in[2], *in[5]);
  }
};

}  // namespace

CUSTOM_OP_IMPL(multi_head_dot_product_attention, 7, -1, false, 0, 2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<Attention>(block);
  NDArray* shown = a.needWeights ? OUTPUT_VARIABLE(1) : nullptr;
  if (isNothing(z, shown)) return Status::OK;
  const Heads heads(block);
  const NDArray w = weights(heads.q, heads.k, block.optionalArray(7), a.scaled);
  if (z.isEmpty() || heads.v.isEmpty()) {  // no keys, or values without features
    if (shown != nullptr) store(w, *shown);
    if (!z.isEmpty()) z.nullify();
    return Status::OK;
  }
  const NDArray attention = product(heads.v, w, false, false);  // [B, H, Pv, Tq]
  DenseOut out(z, heads.type);
  for (LongType b = 0; b < z.sizeAt(0); b++) {
    const NDArray from = attention(b, {0}).reshape('c', {heads.in[6]->sizeAt(0), z.sizeAt(2)});
    NDArray to = (*out)(b, {0});
    MmulHelper::matmul(&*heads.in[6], &from, &to, true, false);
  }
  out.commit();
  if (shown != nullptr) store(w, *shown);
  return Status::OK;
}
INFERRED_SHAPES(multi_head_dot_product_attention)
DECLARE_SCHEMA(multi_head_dot_product_attention) {
  schema.summary("Multi-head attention: projections, dot_product_attention, and a projection of the result.")
      .formula(
          "z = weights_out^T concat over heads of attention(weights_query queries, weights_key keys, weights_value "
          "values)");
  headInputs(schema);
  forwardArguments(schema);
  schema.output("z", "[B, O, Tq], the type of values");
  schema.output("weights", "[B, H, Tk, Tq], the type of values").when("need_weights");
  schema.infer(inferForward<attendedByHeads, 7>).gradient(attentionRule<composedHeads, 7>);
  schema.example(SD_HEADS "}")
      .elsewhere({.torch = "torch.nn.functional.multi_head_attention_forward",
                  .tensorflow = "tf.keras.layers.MultiHeadAttention"})
      .words("attention, transformer, self-attention")
      .see("dot_product_attention");
}

CUSTOM_OP_IMPL(multi_head_dot_product_attention_bp, 8, 7, false, 0, 1) {
  const auto isEmpty = [&](int input) { return INPUT_VARIABLE(input)->isEmpty(); };
  // If queries and keys have no features, the weights are equal and the values still have a gradient.
  if (isEmpty(2) || isEmpty(5) || isEmpty(6) || isEmpty(7)) {
    for (int k = 0; k < 7; k++)
      if (!OUTPUT_VARIABLE(k)->isEmpty()) OUTPUT_VARIABLE(k)->nullify();
    return Status::OK;
  }
  const Heads heads(block);
  const Dense g(*INPUT_VARIABLE(7), heads.type);
  const NDArray* mask = block.optionalArray(8);
  const bool normalize = arguments<Attention>(block).scaled;
  const NDArray w = weights(heads.q, heads.k, mask, normalize);
  const NDArray attention = product(heads.v, w, false, false);
  const NDArray& back = *heads.in[6];
  NDArray gradAttention = unset(heads.type, attention.getShapeAsVector());
  NDArray gradBack = unset(heads.type, back.getShapeAsVector());
  for (LongType b = 0; b < g->sizeAt(0); b++) {
    const NDArray incoming = (*g)(b, {0}), from = attention(b, {0}).reshape('c', {back.sizeAt(0), g->sizeAt(2)});
    NDArray to = gradAttention(b, {0}).reshape('c', {back.sizeAt(0), g->sizeAt(2)}, false);
    MmulHelper::matmul(&back, &incoming, &to, false, false);
    MmulHelper::matmul(&from, &incoming, &gradBack, false, true, 1, b == 0 ? 0 : 1);
  }
  const Gradients result = gradients(heads.q, heads.k, heads.v, gradAttention, mask, normalize);
  projectGradient(*heads.in[0], *heads.in[3], result.queries, *OUTPUT_VARIABLE(0), *OUTPUT_VARIABLE(3));
  projectGradient(*heads.in[1], *heads.in[4], result.keys, *OUTPUT_VARIABLE(1), *OUTPUT_VARIABLE(4));
  projectGradient(*heads.in[2], *heads.in[5], result.values, *OUTPUT_VARIABLE(2), *OUTPUT_VARIABLE(5));
  OUTPUT_VARIABLE(6)->assign(gradBack);
  return Status::OK;
}
INFERRED_SHAPES(multi_head_dot_product_attention_bp)
DECLARE_SCHEMA(multi_head_dot_product_attention_bp) {
  schema.summary("The gradients of multi_head_dot_product_attention.")
      .formula("those of dot_product_attention for each head, and of the projections");
  headInputs(schema);
  schema.input("gradZ", "[B, O, Tq]").rank(3);
  backwardArguments(schema);
  schema.output("gradQueries", "the shape and type of queries");
  schema.output("gradKeys", "the shape and type of keys");
  schema.output("gradValues", "the shape and type of values");
  schema.output("gradWeightsQuery", "the shape and type of weights_query");
  schema.output("gradWeightsKey", "the shape and type of weights_key");
  schema.output("gradWeightsValue", "the shape and type of weights_value");
  schema.output("gradWeightsOut", "the shape and type of weights_out");
  schema.infer(inferBackward<attendedByHeads, 7>);
  schema.example(SD_HEADS R"(, "gradZ": [[[1.0], [1.0]]]})").words("attention").see("multi_head_dot_product_attention");
}

}  // namespace sd::ops
