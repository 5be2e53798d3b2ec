// Dot product attention, with one head or several, and its gradient. Vaswani et al., "Attention is all you need", 2017.
// operations: dot_product_attention dot_product_attention_bp multi_head_dot_product_attention
// operations: multi_head_dot_product_attention_bp
// calls: Exp Max Multiply Subtract Sum
#include <helpers/MmulHelper.h>
#include <ops/declarable/headers/nn.h>

#include <cmath>

#include "ops/declarable/helpers/real.h"
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

double scaleOf(const NDArray& queries, bool normalize) {
  return normalize ? 1 / std::sqrt(static_cast<double>(queries.sizeAt(-2))) : 1.0;
}

/// softmax of keys^T queries over Tk: [.., Tk, Tq]. All arrays have the compute type.
NDArray weights(const NDArray& queries, const NDArray& keys, const NDArray* mask, bool normalize) {
  NDArray scores = product(keys, queries, true, false, scaleOf(queries, normalize));
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
  softmaxAlong(scores, scores, scores.rankOf() - 2, false);
  return scores;
}

struct Gradients {
  NDArray queries, keys, values;
};

Gradients gradients(const NDArray& queries, const NDArray& keys, const NDArray& values, const NDArray& g,
                    const NDArray* mask, bool normalize) {
  const NDArray w = weights(queries, keys, mask, normalize);
  NDArray scores = product(values, g, true, false);  // dL/dW
  const int axis = w.rankOf() - 2;
  scores -= (w * scores).reduceAlongDimension(reduce::Sum, {axis}, true);
  scores *= w;
  scores *= scaleOf(queries, normalize);
  return {product(keys, scores, false, false), product(queries, scores, false, true), product(g, w, false, true)};
}

void requireMask(const NDArray* mask, int index, const LongType* keys) {
  if (mask == nullptr) return;
  const LongType batch = shape::shapeOf(keys)[0], time = shape::shapeOf(keys)[shape::rank(keys) - 1];
  if (mask->getShapeAsVector() != Dims{batch, time})
    reject("input {} 'mask': its shape is {}, not [{}, {}]", index, text(*mask), batch, time);
}

/// Whether both the result and the weights are empty. Values without features leave only the weights to compute.
bool isNothing(const NDArray& z, const NDArray* weights) {
  return z.isEmpty() && (weights == nullptr || weights->isEmpty());
}

void store(const NDArray& values, NDArray& z) {
  if (!z.isEmpty()) z.assign(values);
}

struct Attended {
  const LongType* result;
  const LongType* weights;
};

/// Checks the inputs and returns the shapes of the result and of the weights.
Attended attended(const LongType* q, const LongType* k, const LongType* v) {
  const int rank = shape::rank(q);
  if ((rank != 3 && rank != 4) || shape::rank(k) != rank || shape::rank(v) != rank)
    reject("inputs 0 'queries', 1 'keys' and 2 'values' have ranks {}, {} and {}: all must be 3 or all must be 4", rank,
           shape::rank(k), shape::rank(v));
  Dims dims = dimsOf(q);
  const Dims keys = dimsOf(k), values = dimsOf(v);
  const auto r = static_cast<size_t>(rank);
  for (size_t d = 0; d + 2 < r; d++)
    if (dims[d] != keys[d] || dims[d] != values[d])
      reject("shapes {}, {} and {} of queries, keys and values differ in dimension {}", text(q), text(k), text(v), d);
  if (dims[r - 2] != keys[r - 2]) reject("shapes {} and {} of queries and keys differ in features", text(q), text(k));
  if (keys[r - 1] != values[r - 1]) reject("shapes {} and {} of keys and values differ in time", text(k), text(v));
  const DataType type = ArrayOptions::dataType(v);
  dims[r - 2] = values[r - 2];
  const LongType* result = shapeOf(type, 'c', dims);
  dims[r - 2] = keys[r - 1];
  return {result, shapeOf(type, 'c', dims)};
}

constexpr const char* NORMALIZATION = "normalization: 1 divides the scores by sqrt(F)";
constexpr const char* FORWARD_INTEGERS =
    "normalization: 1 divides the scores by sqrt(F)\nwithWeights: 1 also returns the weights";

}  // namespace

CUSTOM_OP_IMPL(dot_product_attention, 3, -1, false, 0, 2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray* shown = INT_ARG(1) != 0 ? OUTPUT_VARIABLE(1) : nullptr;
  if (isNothing(z, shown)) return Status::OK;
  const DataType type = computeType(z);
  const Dense q(*INPUT_VARIABLE(0), type), k(*INPUT_VARIABLE(1), type), v(*INPUT_VARIABLE(2), type);
  const NDArray w = weights(*q, *k, block.optionalArray(3), INT_ARG(0) != 0);
  DenseOut out(z, type);
  MmulHelper::matmul(&*v, &w, &*out, false, false);
  out.commit();
  if (shown != nullptr) store(w, *shown);
  return Status::OK;
}
DECLARE_SHAPE_FN(dot_product_attention) {
  const Attended dims = attended(inputShape->at(0), inputShape->at(1), inputShape->at(2));
  requireMask(block.optionalArray(3), 3, inputShape->at(1));
  return INT_ARG(1) != 0 ? shapes(dims.result, dims.weights) : shapes(dims.result);
}
DECLARE_TYPES(dot_product_attention) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Attention: means of values, weighted by how keys match queries.",
                  .formula = "z = values W, W = softmax(keys^T queries / sqrt(F)) over the keys",
                  .inputs = "queries: [B, F, Tq] or [B, H, F, Tq]\nkeys: [B, F, Tk] or [B, H, F, Tk]\nvalues: [B, V, "
                            "Tk] or [B, H, V, Tk]\nmask?: [B, Tk], 1 keeps a key, 0 skips it",
                  .outputs = "z: [B, V, Tq] or [B, H, V, Tq], the type of values\nweights?: [B, Tk, Tq] or [B, H, Tk, "
                             "Tq]",
                  .integers = FORWARD_INTEGERS});
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
  const Gradients result = gradients(*q, *k, *v, *g, block.optionalArray(4), INT_ARG(0) != 0);
  store(result.queries, *OUTPUT_VARIABLE(0));
  store(result.keys, *OUTPUT_VARIABLE(1));
  store(result.values, *OUTPUT_VARIABLE(2));
  return Status::OK;
}
DECLARE_SHAPE_FN(dot_product_attention_bp) {
  const Attended dims = attended(inputShape->at(0), inputShape->at(1), inputShape->at(2));
  if (dimsOf(inputShape->at(3)) != dimsOf(dims.result))
    reject("input 3 'g': its shape is {}, not {}", text(inputShape->at(3)), text(dims.result));
  requireMask(block.optionalArray(4), 4, inputShape->at(1));
  return shapes(like(inputShape->at(0)), like(inputShape->at(1)), like(inputShape->at(2)));
}
DECLARE_TYPES(dot_product_attention_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of dot_product_attention.",
                  .inputs = "queries: as in dot_product_attention\nkeys: like queries\nvalues: like queries\ng: the "
                            "incoming gradient, the shape of its result\nmask?: [B, Tk]",
                  .outputs = "gradQueries: like queries\ngradKeys: like keys\ngradValues: like values",
                  .integers = NORMALIZATION});
}

// ---- several heads

namespace {

/// Checks the seven inputs and returns the shapes of the result and of the weights.
Attended attendedByHeads(ShapeList* in) {
  constexpr const char* NAMES[] = {"queries", "keys", "values", "Wq", "Wk", "Wv", "Wo"};
  for (int i = 0; i < 7; i++)
    if (shape::rank(in->at(i)) != (i < 6 ? 3 : 2))
      reject("input {} '{}': its rank is {}, not {}", i, NAMES[i], shape::rank(in->at(i)), i < 6 ? 3 : 2);
  const auto dim = [in](int i, int d) { return shape::shapeOf(in->at(i))[d]; };
  for (int i = 0; i < 3; i++) {
    if (dim(i, 0) != dim(0, 0)) reject("inputs 0 'queries' and {} '{}' differ in batch size", i, NAMES[i]);
    if (dim(3 + i, 0) != dim(3, 0)) reject("inputs 3 'Wq' and {} '{}' differ in heads", 3 + i, NAMES[3 + i]);
    if (dim(3 + i, 2) != dim(i, 1))
      reject("input {} '{}': its shape {} does not match the shape of '{}', {}", 3 + i, NAMES[3 + i],
             text(in->at(3 + i)), NAMES[i], text(in->at(i)));
  }
  if (dim(3, 1) != dim(4, 1)) reject("inputs 3 'Wq' and 4 'Wk' differ in projected features");
  if (dim(1, 2) != dim(2, 2)) reject("inputs 1 'keys' and 2 'values' differ in time");
  if (dim(6, 0) != dim(5, 0) * dim(5, 1))
    reject("input 6 'Wo': its shape is {}, but {} rows are needed", text(in->at(6)), dim(5, 0) * dim(5, 1));
  const DataType type = ArrayOptions::dataType(in->at(2));
  return {shapeOf(type, 'c', {dim(0, 0), dim(6, 1), dim(0, 2)}),
          shapeOf(type, 'c', {dim(0, 0), dim(3, 0), dim(1, 2), dim(0, 2)})};
}

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

#define SD_HEAD_INPUTS                                                                                         \
  "queries: [B, Fq, Tq]\nkeys: [B, Fk, Tk]\nvalues: [B, Fv, Tk]\nWq: [H, P, Fq]\nWk: [H, P, Fk]\nWv: [H, Pv, " \
  "Fv]\nWo: [H Pv, O]\n"

}  // namespace

CUSTOM_OP_IMPL(multi_head_dot_product_attention, 7, -1, false, 0, 2) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  NDArray* shown = INT_ARG(1) != 0 ? OUTPUT_VARIABLE(1) : nullptr;
  if (isNothing(z, shown)) return Status::OK;
  const Heads heads(block);
  const NDArray w = weights(heads.q, heads.k, block.optionalArray(7), INT_ARG(0) != 0);
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
DECLARE_SHAPE_FN(multi_head_dot_product_attention) {
  const Attended dims = attendedByHeads(inputShape);
  requireMask(block.optionalArray(7), 7, inputShape->at(1));
  return INT_ARG(1) != 0 ? shapes(dims.result, dims.weights) : shapes(dims.result);
}
DECLARE_TYPES(multi_head_dot_product_attention) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "Multi-head attention: projections, dot_product_attention, and a projection of the "
                             "result.",
                  .formula = "z = Wo^T concat over heads of attention(Wq queries, Wk keys, Wv values)",
                  .inputs = SD_HEAD_INPUTS "mask?: [B, Tk], 1 keeps a key, 0 skips it",
                  .outputs = "z: [B, O, Tq], the type of values\nweights?: [B, H, Tk, Tq]",
                  .integers = FORWARD_INTEGERS});
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
  const bool normalize = INT_ARG(0) != 0;
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
DECLARE_SHAPE_FN(multi_head_dot_product_attention_bp) {
  const Attended dims = attendedByHeads(inputShape);
  if (dimsOf(inputShape->at(7)) != dimsOf(dims.result))
    reject("input 7 'g': its shape is {}, not {}", text(inputShape->at(7)), text(dims.result));
  requireMask(block.optionalArray(8), 8, inputShape->at(1));
  auto result = std::make_unique<ShapeList>();
  for (int i = 0; i < 7; i++) result->push_back(like(inputShape->at(i)));
  return result.release();
}
DECLARE_TYPES(multi_head_dot_product_attention_bp) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = "The gradients of multi_head_dot_product_attention.",
                  .inputs = SD_HEAD_INPUTS "g: the incoming gradient, [B, O, Tq]\nmask?: [B, Tk]",
                  .outputs = "gradQueries: like queries\ngradKeys: like keys\ngradValues: like values\ngradWq: like "
                             "Wq\ngradWk: like Wk\ngradWv: like Wv\ngradWo: like Wo",
                  .integers = NORMALIZATION});
}

}  // namespace sd::ops
