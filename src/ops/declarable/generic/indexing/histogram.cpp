// Counting elements by value: bincount, histogram, histogram_fixed_width, confusion_matrix.
// operations: bincount histogram histogram_fixed_width confusion_matrix
// calls: CountZero Max Min
#include <ops/declarable/headers/indexing.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/declarable/Common.h"
#include "ops/declarable/helpers/scatter_into.h"

namespace sd::ops {
namespace {

/// Sets z to 0, then adds weights[i], or 1, to z[indices[i]]. Indices outside z are skipped.
void countInto(const LongType* indices, LongType n, const NDArray* weights, NDArray& z) {
  if (z.isEmpty()) return;
  const DataType type = weights == nullptr ? INT64 : helpers::accumulatorOf(z.dataType());
  DenseOut target(z, type);
  target->nullify();
  if (weights == nullptr) {
    auto* counts = target.as<LongType>();
    const auto size = static_cast<UnsignedLong>(z.lengthOf());
    for (LongType i = 0; i < n; i++)
      if (static_cast<UnsignedLong>(indices[i]) < size) counts[indices[i]]++;
  } else if (n > 0) {
    NDArray each('c', {n}, type);
    each.assign(*weights);
    helpers::scatterRows(helpers::Combine::Add, type, target->buffer(), z.lengthOf(), 1, indices, n, each.buffer());
  }
  target.commit();
}

// ---- bincount

/// The inputs of bincount: (values), (values, weights), (values, min, max), or (values, weights, min, max).
struct Bins {
  const NDArray& values;
  const NDArray* weights = nullptr;
  LongType length;
  DataType type;

  explicit Bins(graph::Context& block) : values(*block.array(0)) {
    const auto width = block.width();
    if (width == 2 || width > 3) weights = block.array(1);
    if (weights != nullptr && weights->isEmpty()) weights = nullptr;
    if (weights != nullptr && weights->lengthOf() != 1) requireSameShape(*weights, 1, "weights", values, 0, "values");

    LongType largest = -1;
    if (!values.isEmpty()) {
      const auto smallest = values.reduceNumber(reduce::Min).e<LongType>(0);
      if (smallest < 0) reject("input 0 'values': {} is negative (shape {})", smallest, text(values));
      largest = values.reduceNumber(reduce::Max).e<LongType>(0);
    }
    length = largest + 1;
    if (width > 2) {
      const NDArray &lower = *block.array(width == 3 ? 1 : 2), &upper = *block.array(width == 3 ? 2 : 3);
      const int at = width == 3 ? 1 : 2;
      const LongType least = scalarInteger(lower, at, "minLength");
      const LongType most = upper.isEmpty() ? least : scalarInteger(upper, at + 1, "maxLength");
      length = std::min(std::max(length, least), most);
    } else {
      length = std::max(length, integer(block, 0, 0));
      length = std::min(length, integer(block, 1, length));
    }
    if (length < 0) reject("the number of bins, {}, is negative", length);
    type = width > 1 ? block.array(1)->dataType() : static_cast<DataType>(integer(block, 2, INT32));
    if (!DataTypeUtils::isR(type) && !DataTypeUtils::isZ(type))
      reject("integer argument 2: {} is not a numeric type", static_cast<int>(type));
  }
};

}  // namespace

CUSTOM_OP_IMPL(bincount, 1, 1, false, 0, 0) {
  const Bins bins(block);
  const Dense values(bins.values, INT64);
  countInto(values.as<LongType>(), bins.values.lengthOf(), bins.weights, *OUTPUT_VARIABLE(0));
  return Status::OK;
}

DECLARE_SHAPE_FN(bincount) {
  const Bins bins(block);
  return shapes(vectorOf(bins.type, bins.length));
}

DECLARE_TYPES(bincount) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, INT32)
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(3, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Counts how often each number occurs, or adds up weights.",
                  .formula = "z[v] = sum of weights[i] (or 1) over values[i] = v",
                  .inputs = "values: any shape, INT32, not negative\n"
                            "weights?: the shape of values, or one element\n"
                            "minLength?, maxLength?: scalars, after values or after weights; an empty maxLength means "
                            "minLength",
                  .outputs = "z: a vector of largest value + 1 elements, at least minLength, at most maxLength; larger "
                             "values are ignored. INT32, or the type of input 1",
                  .integers = "minLength?: with at most two inputs (default 0)\n"
                              "maxLength?: (default: no limit)\n"
                              "type?: of the output, with one input (default INT32)"});
}

// ---- histograms

namespace {

/// The bin index of each value; -1 for NaN.
template <typename F>
std::vector<LongType> binsOf(const NDArray& x, F&& bin) {
  std::vector<LongType> bins(static_cast<size_t>(x.lengthOf()));
  if (bins.empty()) return bins;
  const Dense values(x, DOUBLE);
  for (size_t i = 0; i < bins.size(); i++) {
    const double value = values.as<double>()[i];
    bins[i] = std::isnan(value) ? -1 : bin(value);
  }
  return bins;
}

LongType numberOfBins(LongType bins) {
  if (bins < 1) reject("number of bins: {} is below 1", bins);
  return bins;
}

LongType fixedBins(graph::Context& block) {
  if (block.width() < 3) return numberOfBins(integer(block, 0, 100));
  return numberOfBins(scalarInteger(*block.array(2), 2, "nbins"));
}

}  // namespace

CUSTOM_OP_IMPL(histogram, 1, 1, false, 0, 1) {
  const NDArray& x = *INPUT_VARIABLE(0);
  NDArray& z = *OUTPUT_VARIABLE(0);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const Dense values(x, DOUBLE);
  for (LongType i = 0; i < x.lengthOf(); i++) {
    const double value = values.as<double>()[i];
    if (std::isinf(value))
      reject("input 0 'x': the value at [{}] is infinite, so there is no range (shape {})", i, text(x));
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const auto count = static_cast<double>(z.lengthOf());
  const double width = (high - low) / count;
  const auto bins = binsOf(x, [&](double value) {
    if (!(width > 0)) return LongType{0};
    return static_cast<LongType>(std::clamp((value - low) / width, 0.0, count - 1));
  });
  countInto(bins.data(), x.lengthOf(), nullptr, z);
  return Status::OK;
}

DECLARE_SHAPE_FN(histogram) { return shapes(vectorOf(INT64, numberOfBins(block.intArgument64(0)))); }

DECLARE_TYPES(histogram) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS})
      ->document({.summary = "Counts elements in bins of equal width between the smallest and the largest.",
                  .formula = "bin = trunc((x - min) / ((max - min) / numBins)), the largest in the last bin",
                  .inputs = "x: any shape, finite",
                  .outputs = "z: [numBins], INT64",
                  .integers = "numBins: at least 1",
                  .notes = "If all elements are equal, they are in bin 0. NaN is not counted."});
}

CUSTOM_OP_IMPL(histogram_fixed_width, 2, 1, false, 0, 0) {
  const NDArray &x = *INPUT_VARIABLE(0), &range = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (range.lengthOf() != 2) reject("input 1 'range': its shape is {}, but two elements are needed", text(range));
  const double low = range.e<double>(0), high = range.e<double>(1);
  if (!(low < high) || std::isinf(low) || std::isinf(high))
    reject("input 1 'range': {} to {} is not a finite range", low, high);
  const LongType last = z.lengthOf() - 1;
  const double width = (high - low) / static_cast<double>(z.lengthOf());
  const auto bins = binsOf(x, [&](double value) {
    if (value < low + width) return LongType{0};
    return value >= high - width ? last : std::min(static_cast<LongType>((value - low) / width), last);
  });
  countInto(bins.data(), x.lengthOf(), nullptr, z);
  return Status::OK;
}

DECLARE_SHAPE_FN(histogram_fixed_width) { return shapes(vectorOf(INT64, fixedBins(block))); }

DECLARE_TYPES(histogram_fixed_width) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(1, {ALL_INTS, ALL_FLOATS})
      ->setAllowedInputTypes(2, {ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS})
      ->document(
          {.summary = "Counts elements in bins of equal width of a given range.",
           .formula = "bin = trunc((x - low) / ((high - low) / nbins)); values outside are in the bins at the ends",
           .inputs = "x: any shape\nrange: [low, high], low < high\nnbins?: a scalar; overrides the argument",
           .outputs = "z: [nbins], INT64",
           .integers = "nbins?: at least 1 (default 100)",
           .notes = "NaN is not counted."});
}

// ---- confusion_matrix

namespace {

struct Confusion {
  std::vector<LongType> cells;
  const NDArray* weights = nullptr;
  LongType classes;
  DataType type;

  explicit Confusion(graph::Context& block) {
    const NDArray &labels = *block.array(0), &predictions = *block.array(1);
    if (labels.rankOf() == 0) reject("input 0 'labels': a vector is needed, its shape is {}", text(labels));
    requireList(labels, 0, "labels");
    requireSameShape(predictions, 1, "predictions", labels, 0, "labels");
    if (block.width() > 2) {
      weights = block.array(2);
      requireSameShape(*weights, 2, "weights", predictions, 1, "predictions");
    }
    LongType largest = -1;
    const Dense rows = integerElements(labels, 0), columns = integerElements(predictions, 1);
    for (LongType i = 0; i < labels.lengthOf(); i++)
      largest = std::max({largest, rows.as<LongType>()[i], columns.as<LongType>()[i]});
    if (largest == INT64_MAX && block.numI() == 0) reject("class {} is too large", largest);
    classes = block.numI() > 0 ? block.intArgument64(0) : largest + 1;
    if (classes < 0) reject("integer argument 0: the number of classes, {}, is negative", classes);
    if (classes > INT32_MAX) reject("the number of classes, {}, is greater than {}", classes, INT32_MAX);
    checkedIndices(labels, classes, 0, "labels");
    checkedIndices(predictions, classes, 1, "predictions");
    for (LongType i = 0; i < labels.lengthOf(); i++)
      cells.push_back(rows.as<LongType>()[i] * classes + columns.as<LongType>()[i]);
    type = block.numD() > 0 ? block.typeArgument(0) : INT64;
    if (!DataTypeUtils::isR(type) && !DataTypeUtils::isZ(type))
      reject("type argument 0: {} is not a numeric type", DataTypeUtils::describe(type));
  }
};

}  // namespace

CUSTOM_OP_IMPL(confusion_matrix, 2, 1, false, 0, -2) {
  const Confusion confusion(block);
  countInto(confusion.cells.data(), static_cast<LongType>(confusion.cells.size()), confusion.weights,
            *OUTPUT_VARIABLE(0));
  return Status::OK;
}

DECLARE_SHAPE_FN(confusion_matrix) {
  const Confusion confusion(block);
  return shapes(shapeOf(confusion.type, 'c', {confusion.classes, confusion.classes}));
}

DECLARE_TYPES(confusion_matrix) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_INTS, ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_INTS, ALL_FLOATS})
      ->document({.summary = "Counts how often each class was predicted for each class.",
                  .formula = "z[r, c] = sum of weights[i] (or 1) over labels[i] = r, predictions[i] = c",
                  .inputs = "labels: [n], classes from 0\npredictions: [n]\nweights?: [n]",
                  .outputs = "z: [classes, classes], INT64 or the requested type",
                  .integers = "classes?: (default: the largest label or prediction + 1)",
                  .types = "type?: of the output (default INT64)"});
}

}  // namespace sd::ops
