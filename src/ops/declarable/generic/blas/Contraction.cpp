#include "ops/declarable/generic/blas/Contraction.h"

#include <loops/Executor.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "array/ComplexParts.h"
#include "array/NDArrayCommon.h"
#include "linalg/MatrixProduct.h"
#include "ops/declarable/helpers/checked_size.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

using helpers::Label;
using helpers::Labels;

bool has(const Labels& labels, Label label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

/// In any order.
bool areSame(const Labels& a, const Labels& b) {
  return a.size() == b.size() && std::is_permutation(a.begin(), a.end(), b.begin());
}

Labels joined(Labels first, const Labels& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Dims dimsOf(const Labels& labels, const LabelSizes& sizes) {
  Dims dims;
  for (const Label label : labels) dims.push_back(sizes.at(label));
  return dims;
}

LongType product(const Labels& labels, const LabelSizes& sizes) {
  LongType result = 1;
  for (const Label label : labels) result = helpers::checkedProduct(result, sizes.at(label), "an intermediate result");
  return result;
}

/// As product(), for comparisons.
double volume(const Labels& labels, const LabelSizes& sizes) {
  double result = 1;
  for (const Label label : labels) result *= static_cast<double>(sizes.at(label));
  return result;
}

NDArray view(const NDArray& array, const Dims& dims, const Dims& strides, LongType offset = 0) {
  if (dims.empty()) return array.reshape('c', {});
  LongType info[SD_MAX_SHAPEINFOLENGTH];
  shape::fillContiguous(info, array.dataType(), 'c', static_cast<int>(dims.size()), dims.data());
  std::copy(strides.begin(), strides.end(), shape::stride(info));
  shape::checkStridesEwsAndOrder(info);
  return array.viewOf(info, offset);
}

/// A view whose dimensions have the order of `labels`.
NDArray permuted(const Labelled& x, const Labels& labels) {
  if (x.labels == labels) return x.array.viewOf(x.array.shapeInfo(), 0);
  std::vector<int> order;
  for (const Label label : labels)
    order.push_back(static_cast<int>(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin()));
  return x.array.permute(order);
}

/// Positions `first` to first + n - 1 of the dimension of a label.
Labelled part(const Labelled& x, Label label, LongType first, LongType n) {
  const auto d = static_cast<size_t>(std::find(x.labels.begin(), x.labels.end(), label) - x.labels.begin());
  Dims dims = x.array.getShapeAsVector();
  const Dims strides(x.array.stridesOf(), x.array.stridesOf() + dims.size());
  dims[d] = n;
  return {view(x.array, dims, strides, first * strides[d]), x.labels};
}

/// The dimensions of each group as one dimension: a view where the strides allow it, else a copy.
NDArray grouped(const Labelled& x, const std::vector<Labels>& groups, const LabelSizes& sizes) {
  Labels all;
  Dims dims, strides;
  bool isView = true;
  for (const Labels& group : groups) all = joined(std::move(all), group);
  const NDArray array = permuted(x, all);
  int d = 0;
  for (const Labels& group : groups) {
    LongType size = 1, stride = 1;
    for (const Label label : group) {
      const LongType own = sizes.at(label), step = array.stridesOf()[d++];
      if (own == 1) continue;
      isView = isView && (size == 1 || stride == own * step);
      size *= own;
      stride = step;
    }
    dims.push_back(size);
    strides.push_back(stride);
  }
  return isView ? view(array, dims, strides) : array.dup('c').reshape('c', dims);
}

void multiplyReal(const NDArray& x, const NDArray& y, NDArray& z, double alpha = 1, double beta = 0) {
  multiplyArrays(x, y, z, false, false, alpha, beta, Multiplier::Blas);
}

/// z = x y for matrices or batches of them. Those of complex numbers are the products of their parts.
void multiply(const NDArray& x, const NDArray& y, NDArray& z) {
  if (!z.isC()) return multiplyReal(x, y, z);
  const NDArray xRe = arrays::realPart(x).dup('c'), xIm = arrays::imaginaryPart(x).dup('c');
  const NDArray yRe = arrays::realPart(y).dup('c'), yIm = arrays::imaginaryPart(y).dup('c');
  NDArray part = unset(xRe.dataType(), z.getShapeAsVector());
  multiplyReal(xRe, yRe, part);
  multiplyReal(xIm, yIm, part, -1, 1);
  arrays::realPart(z).assign(part);
  multiplyReal(xRe, yIm, part);
  multiplyReal(xIm, yRe, part, 1, 1);
  arrays::imaginaryPart(z).assign(part);
}

/// Sums over the labels that are not wanted.
void sumOut(Labelled& x, const Labels& wanted) {
  std::vector<int> axes;
  Labels left;
  for (size_t d = 0; d < x.labels.size(); d++) {
    if (has(wanted, x.labels[d]))
      left.push_back(x.labels[d]);
    else
      axes.push_back(static_cast<int>(d));
  }
  if (axes.empty()) return;
  x.array = x.array.reduceAlongDimension(reduce::Sum, axes, false);
  if (left.empty()) x.array = x.array.reshape('c', {});
  x.labels = std::move(left);
}

/// The product of two operands, summed over the labels that are not wanted.
class PairProduct {
 public:
  /// `preferred`: the order of the labels of the result, as far as it is possible.
  PairProduct(Labelled& a, Labelled& b, const Labels& wanted, const Labels& preferred, const LabelSizes& sizes)
      : _a(a), _b(b), _sizes(sizes) {
    sumOut(a, joined(wanted, b.labels));
    sumOut(b, joined(wanted, a.labels));
    for (const Label label : preferred)
      if (has(wanted, label)) place(label, true);
    for (const Label label : joined(a.labels, b.labels)) place(label, has(wanted, label));
    // The free labels of b may come first in the preferred order.
    if (!_freeA.empty() && !_freeB.empty()) {
      const auto at = [&](Label label) { return std::find(preferred.begin(), preferred.end(), label); };
      if (at(_freeB.front()) < at(_freeA.front())) {
        std::swap(_freeA, _freeB);
        _swapped = true;
      }
    }
  }

  Labels labels() const { return joined(joined(_batch, _freeA), _freeB); }

  /// Into `target`, contiguous in c order with the dimensions of labels(), or into a new array.
  Labelled run(NDArray* target) const {
    const Labelled &left = _swapped ? _b : _a, &right = _swapped ? _a : _b;
    const LongType batch = product(_batch, _sizes), m = product(_freeA, _sizes), n = product(_freeB, _sizes);
    const DataType type = _a.array.dataType();
    const Dims full{batch, m, n};
    NDArray result = target == nullptr ? unset(type, Dims{product(labels(), _sizes)}).reshape('c', full)
                                       : target->reshape('c', full);
    if (_summed.empty()) {
      multiplyEach(grouped(left, {_batch, _freeA, {}}, _sizes), grouped(right, {_batch, {}, _freeB}, _sizes), result);
    } else if (batch > 1 && m == 1 && n == 1) {
      sumEach(left, right, result);
    } else if (batch == 1) {
      NDArray matrix = result.reshape('c', {m, n});
      multiply(grouped(left, {joined(_batch, _freeA), _summed}, _sizes),
               grouped(right, {joined(_batch, _summed), _freeB}, _sizes), matrix);
    } else {
      multiply(grouped(left, {_batch, _freeA, _summed}, _sizes), grouped(right, {_batch, _summed, _freeB}, _sizes),
               result);
    }
    return {result.reshape('c', dimsOf(labels(), _sizes)), labels()};
  }

 private:
  const Labelled &_a, &_b;
  const LabelSizes& _sizes;
  Labels _batch, _freeA, _freeB, _summed;
  bool _swapped = false;

  void place(Label label, bool isWanted) {
    const bool inA = has(_a.labels, label), inB = has(_b.labels, label);
    Labels& list = inA && inB ? (isWanted ? _batch : _summed) : inA ? _freeA : _freeB;
    if ((inA || inB) && !has(list, label)) list.push_back(label);
  }

  /// A batch of sums of products, as many of them at a time as fit into a cache.
  void sumEach(const Labelled& x, const Labelled& y, const NDArray& z) const {
    constexpr LongType ENOUGH = 1 << 15;
    const Label label = _batch.front();
    const LongType rows = _sizes.at(label), inner = product(_batch, _sizes) / rows, k = product(_summed, _sizes);
    const LongType step = std::clamp<LongType>(ENOUGH / std::max<LongType>(inner * k, 1), 1, rows);
    LabelSizes sizes = _sizes;
    for (LongType first = 0; first < rows; first += step) {
      const LongType n = sizes[label] = std::min(step, rows - first);
      NDArray products = unset(z.dataType(), {n * inner, k});
      multiplyEach(grouped(part(x, label, first, n), {_batch, joined(_freeA, _summed)}, sizes),
                   grouped(part(y, label, first, n), {_batch, joined(_summed, _freeB)}, sizes), products);
      view(z, {n * inner}, {1}, first * inner).assign(products.reduceAlongDimension(reduce::Sum, {1}, false));
    }
  }

  static void multiplyEach(const NDArray& x, const NDArray& y, NDArray& z) {
    broadcastTo(loops::OpGroup::Pairwise, pairwise::Multiply, x, y, z);
  }
};

/// The labels that are needed beside operands i and j: those of the output and of the other operands.
Labels neededBeside(const std::vector<Labelled>& operands, size_t i, size_t j, const Labels& output) {
  Labels needed = output;
  for (size_t k = 0; k < operands.size(); k++)
    if (k != i && k != j) needed = joined(std::move(needed), operands[k].labels);
  return needed;
}

/// The pair whose product takes the least memory beyond that of the two, and of such pairs the cheapest.
std::pair<size_t, size_t> nextPair(const std::vector<Labelled>& operands, const Labels& output,
                                   const LabelSizes& sizes) {
  std::pair<size_t, size_t> best{0, 1};
  std::pair<double, double> least{std::numeric_limits<double>::infinity(), 0};
  if (operands.size() == 2) return best;
  for (size_t i = 0; i < operands.size(); i++) {
    for (size_t j = i + 1; j < operands.size(); j++) {
      const Labels needed = neededBeside(operands, i, j, output);
      Labels all, left;
      for (const Label label : joined(operands[i].labels, operands[j].labels)) {
        if (has(all, label)) continue;
        all.push_back(label);
        if (has(needed, label)) left.push_back(label);
      }
      const double before = volume(operands[i].labels, sizes) + volume(operands[j].labels, sizes);
      const std::pair cost{volume(left, sizes) - before, volume(all, sizes)};
      if (cost < least) least = cost, best = {i, j};
    }
  }
  return best;
}

}  // namespace

Labelled labelled(const NDArray& array, const Labels& labels, const LabelSizes& sizes) {
  bool isPlain = true;
  for (size_t d = 0; d < labels.size() && isPlain; d++)
    isPlain = array.sizeAt(static_cast<int>(d)) == sizes.at(labels[d]) &&
              std::find(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(d), labels[d]) ==
                  labels.begin() + static_cast<std::ptrdiff_t>(d);
  if (isPlain) return {array.viewOf(array.shapeInfo(), 0), labels};
  Labels own;
  Dims dims, strides;
  for (size_t d = 0; d < labels.size(); d++) {
    const LongType size = array.sizeAt(static_cast<int>(d)), stride = array.stridesOf()[d];
    if (size == 1 && sizes.at(labels[d]) != 1) continue;
    const auto found = static_cast<size_t>(std::find(own.begin(), own.end(), labels[d]) - own.begin());
    if (found < own.size()) {
      strides[found] += stride;
      continue;
    }
    own.push_back(labels[d]);
    dims.push_back(size);
    strides.push_back(stride);
  }
  return {view(array, dims, strides), own};
}

void contract(std::vector<Labelled> operands, const Labels& output, const LabelSizes& sizes, DataType type,
              NDArray& z) {
  for (Labelled& x : operands)
    if (x.array.dataType() != type) x.array = arrays::converted(x.array, type);
  if (operands.size() == 2 && output.empty() && z.dataType() == type && z.isR() &&
      areSame(operands[0].labels, operands[1].labels)) {
    const NDArray other = permuted(operands[1], operands[0].labels);
    return loops::reduce3(reduce3::Dot, arrays::in(operands[0].array), arrays::in(other), arrays::out(z), nullptr, 0,
                          {});
  }
  while (operands.size() > 1) {
    const auto [i, j] = nextPair(operands, output, sizes);
    const PairProduct pair(operands[i], operands[j], neededBeside(operands, i, j, output), output, sizes);
    const bool direct = operands.size() == 2 && pair.labels() == output && z.dataType() == type &&
                        arrays::isLinear(z) && z.ordering() == 'c';
    Labelled result = pair.run(direct ? &z : nullptr);
    if (direct) return;
    operands[i] = std::move(result);
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(j));
  }
  Labelled& last = operands[0];
  // Sums that have the order and the type of the result are written to it.
  Labels left;
  std::vector<int> summed;
  for (size_t d = 0; d < last.labels.size(); d++) {
    if (has(output, last.labels[d]))
      left.push_back(last.labels[d]);
    else
      summed.push_back(static_cast<int>(d));
  }
  if (!summed.empty() && left == output && z.dataType() == last.array.dataType()) {
    last.array.reduceAlongDimension(reduce::Sum, z, summed);
    return;
  }
  sumOut(last, output);
  z.assign(permuted(last, output));
}

}  // namespace sd::ops
