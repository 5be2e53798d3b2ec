// Counting elements by value: bincount, histogram, histogram_fixed_width, confusion_matrix.
// operations: bincount histogram histogram_fixed_width confusion_matrix
// calls: Add CountZero Max Min
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/rules.h"
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
  const NDArray* values;
  const NDArray* weights = nullptr;
  LongType length;
  DataType type;

  /// `array(i)` is input i of `width`.
  template <typename Arrays>
  Bins(const Bincount& a, size_t width, Arrays&& array) : values(array(0)) {
    if (width == 2 || width > 3) weights = array(1);
    if (weights != nullptr && weights->isEmpty()) weights = nullptr;
    if (weights != nullptr && weights->lengthOf() != 1) requireSameShape(*weights, 1, "weights", *values, 0, "values");

    LongType largest = -1;
    if (!values->isEmpty()) {
      const auto smallest = values->reduceNumber(reduce::Min).template e<LongType>(0);
      if (smallest < 0) reject("input 0 'values': {} is negative (shape {})", smallest, text(*values));
      largest = values->reduceNumber(reduce::Max).template e<LongType>(0);
    }
    length = largest + 1;
    if (width > 2) {
      const NDArray &lower = *array(width == 3 ? 1 : 2), &upper = *array(width == 3 ? 2 : 3);
      const int at = width == 3 ? 1 : 2;
      const LongType least = scalarInteger(lower, at, "min_length");
      const LongType most = upper.isEmpty() ? least : scalarInteger(upper, at + 1, "max_length");
      length = std::min(std::max(length, least), most);
    } else {
      length = std::max(length, a.minLength);
      length = std::min(length, a.maxLength.value_or(length));
    }
    if (length < 0) reject("the number of bins, {}, is negative", length);
    type = width > 1 ? array(1)->dataType() : a.dtype;
    if (!DataTypeUtils::isR(type) && !DataTypeUtils::isZ(type))
      reject("argument 'dtype': {} is not a numeric type", DataTypeUtils::describe(type));
  }
};

const Bins& currentBins(graph::Context& block) {
  return kept<Bins>(
      block, [&] { return Bins(arguments<Bincount>(block), block.width(), [&](int i) { return block.array(i); }); });
}

void inferBins(Inference& in) {
  const int width = std::max(1, in.inputs());
  bool known = true;
  for (int i = 0; i < width; i++) {
    in.input(i);
    known = known && in.values(i) != nullptr;
  }
  if (!known) {
    return in.output(width > 1 ? in.input(1).type() : in.arguments<Bincount>().dtype, {PartialShape::UNKNOWN});
  }
  const Bins bins(in.arguments<Bincount>(), static_cast<size_t>(width), [&](int i) { return in.values(i); });
  in.output(bins.type, {bins.length});
  in.keep(bins);
}

}  // namespace

CUSTOM_OP_IMPL(bincount, 1, 1, false, 0, 0) {
  const Bins& bins = currentBins(block);
  const Dense values(*bins.values, INT64);
  countInto(values.as<LongType>(), bins.values->lengthOf(), bins.weights, *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(bincount)

DECLARE_SCHEMA(bincount) {
  schema.summary("Counts how often each number occurs, or adds up weights.")
      .formula("z[v] = sum of weights[i] (or 1) over values[i] = v");
  schema.input("values", "any shape, 0 or more").types({INT32}).shapesNeedValues();
  schema.input("weights", "the shape of values, or one element, the second of two or of four inputs")
      .types({ALL_FLOATS, ALL_INTS});
  schema.input("min_length", "a scalar; the second of three inputs, the third of four")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  schema.input("max_length", "a scalar; the last of three or four inputs; an empty one means min_length")
      .types({ALL_FLOATS, ALL_INTS})
      .shapesNeedValues();
  using A = Bincount;
  schema
      .argument(&A::minLength, "min_length", "the smallest length of the result; used when no inputs give the lengths")
      .atInteger(0);
  schema.argument(&A::maxLength, "max_length", "the largest length of the result; larger values are ignored")
      .atInteger(1);
  schema.argument(&A::dtype, "dtype", "the type of the result when there is one input").atInteger(2);
  schema.output(
      "z", "[n], largest value + 1 elements, at least min_length, at most max_length; INT32, or the type of input 1");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferBins);
  schema.example(R"({"values": [1, 1, 3], "weights": [0.5, 1.0, 2.0]})");
  schema.elsewhere({.numpy = "numpy.bincount", .torch = "torch.bincount", .tensorflow = "tf.math.bincount"});
  schema.words("count, frequency, histogram").see("histogram unique_with_counts");
  schema.gradient([](Gradient& g) {
    if ((g.inputs() != 2 && g.inputs() != 4) || !g.of()) return;
    // Numbers beyond the result are not counted.
    const Symbol values = g.input(0), one = g.constant(1, values);
    const Symbol last = g.cast(g.call("size_at", {g.output()}, SizeAt{0}), values) - one;
    const Symbol counted = g.call("minimum", {values, last});
    g.set(1,
          g.sumTo(g.keepWhere(g.call("equals", {values, counted}), g.call("gather", {g.of(), counted})), g.input(1)));
  });
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

INFERRED_SHAPES(histogram)

DECLARE_SCHEMA(histogram) {
  schema.inputTypes({ALL_INTS, ALL_FLOATS});
  schema.summary("Counts elements in bins of equal width between the smallest and the largest.")
      .formula("bin = trunc((x - min) / ((max - min) / num_bins)), the largest in the last bin")
      .note("If all elements are equal, they are in bin 0. NaN is not counted.");
  schema.input("x", "any shape, finite").types({ALL_FLOATS, ALL_INTS});
  schema.argument(&Histogram::numBins, "num_bins", "number of bins").atInteger(0).atLeast(1).require();
  schema.output("z", "[num_bins], INT64");
  schema.outputTypes({ALL_INTS}).infer([](Inference& in) { in.output(INT64, {in.arguments<Histogram>().numBins}); });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [0.0, 1.0, 2.0, 3.0, 4.0], "num_bins": 2})");
  schema.elsewhere({.numpy = "numpy.histogram", .torch = "torch.histc"});
  schema.words("distribution, count, bins").see("histogram_fixed_width bincount");
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

INFERRED_SHAPES(histogram_fixed_width)

DECLARE_SCHEMA(histogram_fixed_width) {
  schema.summary("Counts elements in bins of equal width of a given range.")
      .formula("bin = trunc((x - low) / ((high - low) / num_bins)); values outside are in the bins at the ends")
      .note("NaN is not counted.");
  schema.input("x", "any shape").types({ALL_FLOATS, ALL_INTS});
  schema.input("range", "[2], the lower and the upper limit, low < high").types({ALL_FLOATS, ALL_INTS});
  schema.input("num_bins", "a scalar").types({ALL_FLOATS, ALL_INTS}).optional();
  schema.argument(&HistogramFixedWidth::numBins, "num_bins", "number of bins").atInteger(0).orInput(2).atLeast(1);
  schema.output("z", "[num_bins], INT64");
  schema.outputTypes({ALL_INTS}).infer([](Inference& in) {
    in.input(1);
    const bool known = in.knows(&HistogramFixedWidth::numBins);
    in.output(INT64, {known ? in.arguments<HistogramFixedWidth>().numBins : PartialShape::UNKNOWN});
  });
  schema.notDifferentiable(INTEGER_RESULT);
  schema.example(R"({"x": [-1.0, 0.0, 1.5, 2.0, 5.0], "range": [0.0, 5.0], "num_bins": 5})");
  schema.elsewhere({.numpy = "numpy.histogram", .torch = "torch.histc", .tensorflow = "tf.histogram_fixed_width"});
  schema.words("distribution, count, bins").see("histogram");
}

// ---- confusion_matrix

namespace {

struct Confusion {
  std::vector<LongType> cells;
  LongType classes;

  Confusion(const ConfusionMatrix& a, const NDArray& labels, const NDArray& predictions) {
    LongType largest = -1;
    const Dense rows = integerElements(labels, 0, "labels"), columns = integerElements(predictions, 1, "predictions");
    for (LongType i = 0; i < labels.lengthOf(); i++)
      largest = std::max({largest, rows.as<LongType>()[i], columns.as<LongType>()[i]});
    if (largest == INT64_MAX && !a.numClasses) reject("class {} is too large", largest);
    classes = a.numClasses.value_or(largest + 1);
    if (classes > INT32_MAX) reject("the number of classes, {}, is greater than {}", classes, INT32_MAX);
    checkedIndices(labels, classes, 0, "labels");
    checkedIndices(predictions, classes, 1, "predictions");
    for (LongType i = 0; i < labels.lengthOf(); i++)
      cells.push_back(rows.as<LongType>()[i] * classes + columns.as<LongType>()[i]);
  }
};

void checkClasses(const PartialShape& labels, const PartialShape& predictions, const PartialShape* weights) {
  if (labels.rank() == 0) reject("input 0 'labels': a vector is needed, its shape is {}", labels.text());
  requireList(labels, 0, "labels");
  requireSameShape(predictions, 1, "predictions", labels, 0, "labels");
  if (weights != nullptr) requireSameShape(*weights, 2, "weights", predictions, 1, "predictions");
}

const Confusion& currentConfusion(graph::Context& block) {
  return kept<Confusion>(block, [&] {
    const NDArray &labels = *block.array(0), &predictions = *block.array(1), *given = block.optionalArray(2);
    const PartialShape weights = given == nullptr ? PartialShape() : PartialShape::of(given->shapeInfo());
    checkClasses(PartialShape::of(labels.shapeInfo()), PartialShape::of(predictions.shapeInfo()),
                 given == nullptr ? nullptr : &weights);
    return Confusion(arguments<ConfusionMatrix>(block), labels, predictions);
  });
}

void inferConfusion(Inference& in) {
  const auto& a = in.arguments<ConfusionMatrix>();
  const PartialShape weights = in.has(2) ? in.input(2) : PartialShape();
  checkClasses(in.input(0), in.input(1), in.has(2) ? &weights : nullptr);
  if (!DataTypeUtils::isR(a.dtype) && !DataTypeUtils::isZ(a.dtype))
    reject("argument 'dtype': {} is not a numeric type", DataTypeUtils::describe(a.dtype));
  const NDArray *labels = in.values(0), *predictions = in.values(1);
  LongType classes = a.numClasses.value_or(PartialShape::UNKNOWN);
  if (labels != nullptr && predictions != nullptr) {
    Confusion confusion(a, *labels, *predictions);
    classes = confusion.classes;
    in.keep(std::move(confusion));
  }
  in.output(a.dtype, {classes, classes});
}

}  // namespace

CUSTOM_OP_IMPL(confusion_matrix, 2, 1, false, 0, -2) {
  const Confusion& confusion = currentConfusion(block);
  countInto(confusion.cells.data(), static_cast<LongType>(confusion.cells.size()), block.optionalArray(2),
            *OUTPUT_VARIABLE(0));
  return Status::OK;
}

INFERRED_SHAPES(confusion_matrix)

DECLARE_SCHEMA(confusion_matrix) {
  schema.summary("Counts how often each class was predicted for each class.")
      .formula("z[r, c] = sum of weights[i] (or 1) over labels[i] = r and predictions[i] = c");
  schema.input("labels", "[n], classes from 0").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("predictions", "[n], classes from 0").types({ALL_FLOATS, ALL_INTS}).shapesNeedValues();
  schema.input("weights", "[n]").types({ALL_FLOATS, ALL_INTS}).optional();
  schema
      .argument(&ConfusionMatrix::numClasses, "num_classes",
                "number of classes; the largest label or prediction + 1 if absent")
      .atInteger(0)
      .between(0, 2147483647);
  schema.argument(&ConfusionMatrix::dtype, "dtype", "the type of the result").atType(0);
  schema.output("z", "[num_classes, num_classes], dtype");
  schema.outputTypes({ALL_INTS, ALL_FLOATS}).infer(inferConfusion);
  schema.example(R"({"labels": [0, 1, 1], "predictions": [0, 1, 0]})");
  schema.elsewhere({.tensorflow = "tf.math.confusion_matrix"});
  schema.words("classification, error matrix").see("bincount");
  schema.gradient([](Gradient& g) {
    const Symbol cells = g.call("stack", {g.input(0), g.input(1)}, Stack{-1});
    if (g.input(2) && g.of()) g.set(2, g.call("gather_nd", {g.of(), cells}));
  });
}

}  // namespace sd::ops
