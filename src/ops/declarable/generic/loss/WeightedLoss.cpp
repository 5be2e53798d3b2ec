#include "ops/declarable/generic/loss/WeightedLoss.h"

#include <ops/declarable/headers/transforms.h>
#include <system/Environment.h>

#include <algorithm>

namespace sd::ops {

DataType lossType(DataType predictions) {
  return predictions == INHERIT || DataTypeUtils::isR(predictions) ? predictions
                                                                   : Environment::getInstance().defaultFloatDataType();
}

PartialShape labelledShape(const Inference& in, const char* name, int labels) {
  const PartialShape predictions = in.input(0), y = in.input(labels);
  requireSameShape(y, labels, "labels", predictions, 0, name);
  return merged(predictions, y);
}

namespace {

/// Whether each size of `from` fits one of `to`, when unknown sizes may be any; and also 1 fits if `stretches`.
bool fits(const PartialShape& from, const PartialShape& to, bool stretches) {
  constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
  return from.rank() == to.rank() && std::equal(from.begin(), from.end(), to.begin(), [&](LongType a, LongType b) {
           return a == b || a == UNKNOWN || b == UNKNOWN || (stretches && a == 1);
         });
}

/// The first weight of each slice, as a view, where the weights have the shape of the labels.
NDArray firstOfSlices(const NDArray& weights, const NDArray& used) {
  std::vector<LongType> intervals;
  for (int d = 0; d < weights.rankOf(); d++) {
    const bool isSliced = weights.sizeAt(d) != used.sizeAt(d);
    intervals.insert(intervals.end(), {0, isSliced ? 1 : 0});
  }
  return weights(intervals, true);
}

}  // namespace

PartialShape weightShape(const PartialShape& weights, const PartialShape& losses, bool squeezed,
                         const PartialShape* labels) {
  if (weights.length() == 1) return PartialShape::scalar(weights.type());
  if (!weights.hasRank() || !losses.hasRank()) return PartialShape(weights.type());
  const PartialShape shape(weights.type(), weights.sizes());
  const bool known = weights.hasKnownSizes() && losses.hasKnownSizes();
  // An unknown size may be 1.
  const bool one = !weights.hasKnownSizes() && std::all_of(weights.begin(), weights.end(), [](LongType n) {
    return n == 1 || n == PartialShape::UNKNOWN;
  });
  if (one) return PartialShape(weights.type());
  if (fits(shape, losses, true)) return shape;
  if (labels != nullptr && labels->hasRank() && fits(shape, *labels, false)) return losses.withType(weights.type());
  if (squeezed) {
    if (!known) return PartialShape(weights.type());
    const auto larger = [](const PartialShape& from) {
      Dims result;
      std::copy_if(from.begin(), from.end(), std::back_inserter(result), [](LongType n) { return n != 1; });
      return result;
    };
    if (larger(shape) == larger(losses)) return losses.withType(weights.type());
  }
  reject("input 1 'weights': its shape {} does not broadcast to {}", weights.text(), losses.text());
}

PartialShape lossShape(LossReduction reduction, const PartialShape& losses) {
  if (reduction != LossReduction::None || losses.rank() == 0) return PartialShape::scalar(losses.type());
  return losses;
}

void inferLossGradients(Inference& in, const PartialShape& predictions) {
  const DataType type = lossType(predictions.type());
  in.output(predictions.withType(type));
  in.output(in.input(1).withType(type));
  in.output(merged(in.input(2), predictions).withType(type));
}

Weighting::Weighting(LossReduction reduction, const NDArray& weights, DataType type, const Dims& losses, bool squeezed,
                     const PartialShape* labels)
    : _reduction(reduction) {
  for (LongType n : losses) _count *= static_cast<double>(n);
  const PartialShape given = PartialShape::of(weights.shapeInfo());
  const Dims dims = weightShape(given, PartialShape(type, losses), squeezed, labels).sizes();
  _weights = unset(type, dims);
  if (!weights.isEmpty() && weights.lengthOf() != _weights.lengthOf())
    _weights.assign(firstOfSlices(weights, _weights));
  else if (!weights.isEmpty())
    _weights.assign(weights.reshape('c', dims));
  if (_count == 0 || weights.isEmpty()) {
    _divisor = _reduction == LossReduction::None || _reduction == LossReduction::Sum ? 1 : 0;
    return;
  }
  if (_reduction == LossReduction::MeanByWeight)
    _divisor = _weights.reduceNumber(reduce::Sum).e<double>(0) * repeats();
  else if (_reduction == LossReduction::MeanByNonzeroWeight)
    _divisor = _weights.reduceNumber(reduce::CountNonZero).e<double>(0) * repeats();
}

double Weighting::repeats() const { return _count / static_cast<double>(_weights.lengthOf()); }

void Weighting::reduce(NDArray& losses, NDArray& z) const {
  if (_reduction != LossReduction::None && (_divisor == 0 || _count == 0)) return z.nullify();
  if (isSingle())
    losses *= _weights.e<double>(0);
  else
    losses *= _weights;
  if (_reduction == LossReduction::None) return z.assign(losses.reshape('c', z.getShapeAsVector()));
  z.assign(losses.reduceNumber(reduce::Sum).e<double>(0) / _divisor);
}

void Weighting::reduceEqual(double loss, NDArray& z) const {
  if (z.isEmpty()) return;
  if (_divisor == 0 || _count == 0) return z.nullify();
  z.assign(loss * _weights.reduceNumber(reduce::Sum).e<double>(0) * repeats() / _divisor);
}

NDArray Weighting::factor() const {
  NDArray result = _weights.dup();
  if (_divisor == 0)
    result.nullify();
  else
    result /= _divisor;
  return result;
}

void Weighting::gradient(NDArray& losses, NDArray& gradient) const {
  if (gradient.isEmpty()) return;
  if (_count == 0 || _divisor == 0 || (_reduction == LossReduction::MeanByWeight && isSingle()))
    return gradient.nullify();
  if (_reduction == LossReduction::MeanByWeight) {
    const NDArray weighted = losses * _weights;
    losses -= weighted.reduceNumber(reduce::Sum).e<double>(0) / _divisor;
  }
  losses /= _divisor;
  NDArray sums = unset(losses.dataType(), _weights.getShapeAsVector());
  sumTo(losses, sums);
  assignGradient(sums, gradient);
}

void Weighting::assignGradient(const NDArray& values, NDArray& gradient) const {
  if (gradient.lengthOf() == values.lengthOf())
    return gradient.assign(values.reshape('c', gradient.getShapeAsVector()));
  gradient.nullify();
  firstOfSlices(gradient, values).assign(values);
}

void Weighting::gradientOfEqual(double loss, NDArray& gradient) const {
  if (gradient.isEmpty()) return;
  if (_count == 0 || _divisor == 0 || (_reduction == LossReduction::MeanByWeight && isSingle()))
    return gradient.nullify();
  if (_reduction == LossReduction::MeanByWeight)
    loss -= loss * _weights.reduceNumber(reduce::Sum).e<double>(0) * repeats() / _divisor;
  gradient.assign(loss * repeats() / _divisor);
}

// ---- gradients

/// Whether weights of shape `weights` have more elements than the losses, which have one for each slice.
static bool isOfLabels(const PartialShape& weights, const PartialShape& losses) {
  return weights.hasKnownSizes() && losses.hasKnownSizes() && weights.rank() == losses.rank() &&
         !fits(weights, losses, true);
}

Symbol composedLoss(Gradient& g, LossReduction reduction, Symbol losses) {
  Symbol given = g.cast(g.input(1), losses);
  const PartialShape known = g.shape(given), shape = g.shape(losses);
  const bool single = known.length() == 1;
  if (isOfLabels(known, shape)) {
    Slice first{std::vector<LongType>(static_cast<size_t>(shape.rank()), 0), {}};
    for (int d = 0; d < shape.rank(); d++) first.size.push_back(shape[d]);
    given = g.call("slice", {given}, first);
  }
  // [N, 1] for [N]
  if (!single && known.hasRank() && shape.hasRank() && known.rank() != shape.rank())
    given = g.reshapeLike(given, losses);
  const Symbol weights = single ? g.sum(given) : given, weighted = losses * weights;
  if (reduction == LossReduction::None) return weighted;
  if (reduction == LossReduction::Sum) return g.sum(weighted);
  // The divisor is the sum over all element losses; 0 gives 0.
  const Symbol counted = reduction == LossReduction::MeanByWeight
                             ? weights
                             : g.cast(g.call("not_equals", {weights, g.constant(0, weights)}), weights);
  const auto ratio = [&](Symbol sum, Symbol divisor) { return g.call("divide_no_nan", {sum, divisor}); };
  if (single) return ratio(g.call("reduce_mean", {weighted}), counted);
  return ratio(g.sum(weighted), g.sum(counted * g.onesLike(losses)));
}

void applyLossRule(Gradient& g, LossReduction reduction, const CallArguments& arguments, Symbol stretched) {
  const std::string& name = g.op().getOpDescriptor()->name();
  const Symbol predictions = g.input(0), weights = g.input(1), labels = g.input(2);
  const std::vector<Symbol> results = g.callAll(name + "_grad", {predictions, weights, labels}, arguments);
  g.set(0, results[0] * stretched);
  g.set(2, results[2] * stretched);
  if (reduction != LossReduction::None) return g.set(1, results[1] * g.of(0));
  // The gradient of the sum has one term for each weight that counts.
  if (isOfLabels(g.shape(weights), g.shape(g.of(0)))) return g.set(1, results[1] * stretched);
  // Each loss has its own gradient, so that the sum of the element losses does not help.
  const Symbol unweighted = g.call(name, {predictions, g.call("ones_as", {weights}), labels}, arguments);
  const Symbol terms = unweighted * g.of(0);
  g.set(1, g.sumTo(g.rank(weights) == 1 ? g.flat(terms) : terms, weights));
}

// ---- schemas

void documentLoss(Schema& schema, const LossText& text, const char* forward, GradientFunction rule) {
  if (forward == nullptr) {
    schema.summary(text.summary).formula(text.formula).example(text.example);
    schema.elsewhere(text.elsewhere).words(text.words).see(text.see);
  } else {
    schema.summary(text.gradientSummary).formula(text.gradientFormula).example(text.gradientExample);
    schema.note(LOSS_GRADIENT_NOTE).words(text.words).see(forward);
    if (rule != nullptr)
      schema.gradient(rule);
    else
      schema.notDifferentiable(IS_GRADIENT);
  }
}

void lossInputs(Schema& schema, const char* predictions, const char* weights) {
  schema.input("predictions", predictions);
  schema.input("weights", weights);
  schema.input("labels", "the shape of predictions");
  schema.inputTypes({ALL_FLOATS, ALL_INTS, BOOL}).outputTypes({ALL_FLOATS});
}

void lossGradientOutputs(Schema& schema, const char* first, const char* firstText) {
  schema.output(first, firstText);
  schema.output("gradWeights", "the shape of weights, the type of the loss");
  schema.output("gradLabels", "the shape of labels, the type of the loss");
}

}  // namespace sd::ops
