#include "ops/declarable/generic/loss/WeightedLoss.h"

#include <system/Environment.h>

#include <algorithm>

#include "shape/broadcasting.h"

namespace sd::ops {

Reduction reductionOf(graph::Context& block) {
  const LongType mode = block.intArgument64(0);
  if (mode < 0 || mode > 3) reject("argument 'mode': {} is outside 0..3", mode);
  return static_cast<Reduction>(mode);
}

DataType lossType(const LongType* predictions) {
  const DataType type = ArrayOptions::dataType(predictions);
  return DataTypeUtils::isR(type) ? type : Environment::getInstance().defaultFloatDataType();
}

void requireLabels(const LongType* predictions, const LongType* labels) {
  if (dimsOf(predictions) != dimsOf(labels))
    reject("input 2 'labels': its shape is {}, but input 0 'predictions' has shape {}", text(labels),
           text(predictions));
}

Dims weightDims(const LongType* weights, const Dims& losses, bool squeezed) {
  const Dims dims = dimsOf(weights);
  if (shape::length(weights) == 1) return {};
  if (dims.size() == losses.size() && broadcasting::broadcastsTo(dims, losses)) return dims;
  if (squeezed) {
    const auto larger = [](const Dims& from) {
      Dims result;
      std::copy_if(from.begin(), from.end(), std::back_inserter(result), [](LongType n) { return n != 1; });
      return result;
    };
    if (larger(dims) == larger(losses)) return losses;
  }
  reject("input 1 'weights': its shape {} does not broadcast to {}", text(weights), text(losses));
}

const LongType* lossShape(graph::Context& block, DataType type, char order, const Dims& losses) {
  if (reductionOf(block) != Reduction::None || losses.empty()) return scalarOf(type);
  return shapeOf(type, order, losses);
}

Weighting::Weighting(graph::Context& block, const NDArray& weights, DataType type, const Dims& losses, bool squeezed)
    : _mode(reductionOf(block)) {
  for (LongType n : losses) _count *= static_cast<double>(n);
  const Dims dims = weightDims(weights.shapeInfo(), losses, squeezed);
  _weights = unset(type, dims);
  if (!weights.isEmpty()) _weights.assign(weights.reshape('c', dims));
  if (_count == 0 || weights.isEmpty()) {
    _divisor = _mode == Reduction::None || _mode == Reduction::Sum ? 1 : 0;
    return;
  }
  if (_mode == Reduction::WeightedMean)
    _divisor = _weights.reduceNumber(reduce::Sum).e<double>(0) * repeats();
  else if (_mode == Reduction::NonZeroMean)
    _divisor = _weights.reduceNumber(reduce::CountNonZero).e<double>(0) * repeats();
}

double Weighting::repeats() const { return _count / static_cast<double>(_weights.lengthOf()); }

void Weighting::reduce(NDArray& losses, NDArray& z) const {
  if (_mode != Reduction::None && (_divisor == 0 || _count == 0)) return z.nullify();
  if (isSingle())
    losses *= _weights.e<double>(0);
  else
    losses *= _weights;
  if (_mode == Reduction::None) return z.assign(losses.reshape('c', z.getShapeAsVector()));
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
  if (_count == 0 || _divisor == 0 || (_mode == Reduction::WeightedMean && isSingle())) return gradient.nullify();
  if (_mode == Reduction::WeightedMean) {
    const NDArray weighted = losses * _weights;
    losses -= weighted.reduceNumber(reduce::Sum).e<double>(0) / _divisor;
  }
  losses /= _divisor;
  NDArray sums = unset(losses.dataType(), _weights.getShapeAsVector());
  sumTo(losses, sums);
  gradient.assign(sums.reshape('c', gradient.getShapeAsVector()));
}

void Weighting::gradientOfEqual(double loss, NDArray& gradient) const {
  if (gradient.isEmpty()) return;
  if (_count == 0 || _divisor == 0 || (_mode == Reduction::WeightedMean && isSingle())) return gradient.nullify();
  if (_mode == Reduction::WeightedMean)
    loss -= loss * _weights.reduceNumber(reduce::Sum).e<double>(0) * repeats() / _divisor;
  gradient.assign(loss * repeats() / _divisor);
}

}  // namespace sd::ops
