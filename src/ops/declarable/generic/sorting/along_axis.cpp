// Elements at positions along an axis, one position for each element of the result: take_along_axis, put_along_axis.
// operations: take_along_axis put_along_axis
// calls: Add CountZero
#include <ops/declarable/headers/sorting.h>

#include <complex>
#include <cstdint>

#include "ops/declarable/helpers/Region.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rows.h"
#include "ops/declarable/helpers/rules.h"
#include "ops/declarable/helpers/scatter_into.h"
#include "ops/declarable/helpers/take_elements.h"
#include "ops/declarable/helpers/wrapped_indices.h"

namespace sd::ops {
namespace {

constexpr const char* AXIS_TEXT = "the dimension along which the indices count; negative ones count from the end";

/// The sizes of x and indices, which broadcast except along the axis: those of indices there.
PartialShape takenShape(const PartialShape& x, const PartialShape& indices, int axis, bool mayGrow) {
  if (!x.hasRank() || !indices.hasRank()) return PartialShape(x.type());
  const int along = checkedAxis(axis, x.rank());
  bool fits = x.rank() == indices.rank();
  PartialShape z(x.type(), {});
  for (int d = 0; fits && d < x.rank(); d++) {
    const LongType a = x[d], b = indices[d];
    const bool unknown = a == PartialShape::UNKNOWN || b == PartialShape::UNKNOWN;
    fits = d == along || a == b || b == 1 || (a == 1 && mayGrow) || unknown;
    z.append(d == along ? b : unknown ? PartialShape::UNKNOWN : b == 1 ? a : b);
  }
  if (!fits)
    reject("input 1 'indices': shape {} does not fit shape {} of x with axis {}", indices.text(), x.text(), axis);
  return z;
}

/// The elements of x, which is contiguous, that indices along an axis name for a result with the sizes `dims`.
class Places {
 public:
  Places(const NDArray& x, const NDArray& indices, int axis, const Dims& dims)
      : _indices(wrappedIndices(indices, x.sizeAt(axis), 1, "indices")),
        _dims(dims),
        _ofX(dims.size()),
        _ofIndices(dims.size()),
        _along(static_cast<size_t>(axis)),
        _row(dims.back()) {
    LongType x_ = 1, i_ = 1;
    for (int d = static_cast<int>(dims.size()) - 1; d >= 0; d--) {
      const auto k = static_cast<size_t>(d);
      _ofX[k] = x.sizeAt(d) == 1 && d != axis ? 0 : x_;
      _ofIndices[k] = indices.sizeAt(d) == 1 && d != axis ? 0 : i_;
      x_ *= x.sizeAt(d);
      i_ *= indices.sizeAt(d);
      _length *= _dims[k];
    }
  }

  /// Calls f(start, n, x, xStep, indices, indicesStep, step) for parts of rows of the result, which is not empty, in
  /// several threads: element start + j is element x + j xStep + indices[j indicesStep] step of x.
  template <typename F>
  void eachPart(F&& f) const {
    constexpr LongType PART = 1 << 14;
    const size_t last = _dims.size() - 1;
    const LongType xStep = _along == last ? 0 : _ofX[last], indexStep = _ofIndices[last], step = _ofX[_along];
    const LongType parts = (_row + PART - 1) / PART, size = std::min(_row, PART);
    const auto* index = _indices.as<LongType>();
    overElements(_length / _row * parts, 2 * static_cast<double>(size), [=, this, &f](LongType first, LongType stop) {
      Dims at(last, 0);
      for (LongType rest = first / parts, d = static_cast<LongType>(last) - 1; d >= 0; d--) {
        at[static_cast<size_t>(d)] = rest % _dims[static_cast<size_t>(d)];
        rest /= _dims[static_cast<size_t>(d)];
      }
      LongType xStart = 0, indexStart = 0;
      for (LongType unit = first; unit < stop; unit++) {
        const LongType row = unit / parts, from = unit % parts * PART;
        if (unit == first || from == 0) {
          xStart = indexStart = 0;
          for (size_t d = 0; d < last; d++) {
            if (d != _along) xStart += at[d] * _ofX[d];
            indexStart += at[d] * _ofIndices[d];
          }
        }
        f(row * _row + from, std::min(PART, _row - from), xStart + from * xStep, xStep,
          index + indexStart + from * indexStep, indexStep, step);
        if (from + PART >= _row)
          for (size_t d = last; d-- > 0 && ++at[d] == _dims[d];) at[d] = 0;
      }
    });
  }

 private:
  Dense _indices;
  Dims _dims, _ofX, _ofIndices;
  size_t _along;
  LongType _row, _length = 1;
};

/// Their positions in x.
NDArray placesOf(const NDArray& x, const NDArray& indices, int axis, const Dims& dims) {
  NDArray places = unset(INT64, dims);
  auto* to = places.bufferAsT<LongType>();
  Places(x, indices, axis, dims)
      .eachPart([=](LongType start, LongType n, LongType xStart, LongType xStep, const LongType* index,
                    LongType indexStep, LongType step) {
        for (LongType j = 0; j < n; j++) to[start + j] = xStart + j * xStep + index[j * indexStep] * step;
      });
  return places;
}

template <typename T>
void takePlaces(const Places& places, const void* x, void* z) {
  const auto* from = static_cast<const T*>(x);
  auto* to = static_cast<T*>(z);
  places.eachPart([=](LongType start, LongType n, LongType xStart, LongType xStep, const LongType* index,
                      LongType indexStep, LongType step) {
    // The usual case has constants in its loop.
    if (xStep == 0 && indexStep == 1 && step == 1)
      helpers::takeElements(from + xStart, index, n, to + start);
    else
      for (LongType j = 0; j < n; j++) to[start + j] = from[xStart + j * xStep + index[j * indexStep] * step];
  });
}

void takePlaces(const Places& places, const NDArray& x, NDArray& z) {
  const auto take = x.sizeOfT() == 1   ? takePlaces<uint8_t>
                    : x.sizeOfT() == 2 ? takePlaces<uint16_t>
                    : x.sizeOfT() == 4 ? takePlaces<uint32_t>
                    : x.sizeOfT() == 8 ? takePlaces<uint64_t>
                                       : takePlaces<std::complex<double>>;
  take(places, x.buffer(), z.buffer());
}

helpers::Combine combineOf(PutReduction reduction) {
  using helpers::Combine;
  switch (reduction) {
    case PutReduction::Add:
      return Combine::Add;
    case PutReduction::Mul:
      return Combine::Multiply;
    case PutReduction::Max:
      return Combine::Max;
    case PutReduction::Min:
      return Combine::Min;
    default:
      return Combine::Assign;
  }
}

/// The sizes of indices, with those of x where they are 1.
void inferPut(Inference& in) {
  const PartialShape x = in.input(0), indices = in.input(1), values = in.input(2);
  const auto& a = in.arguments<PutAlongAxis>();
  if ((x.type() == BOOL || DataTypeUtils::isS(x.type())) && a.reduction != PutReduction::None)
    reject("argument 'reduction': {} elements can be replaced, but not combined", DataTypeUtils::describe(x.type()));
  const PartialShape z = takenShape(x, indices, a.axis, false);
  bool fits = !z.hasRank() || !values.hasRank() || values.rank() <= z.rank();
  for (int d = 1; fits && z.hasRank() && d <= std::max(values.rank(), 0); d++)
    fits =
        values[-d] == 1 || values[-d] == z[-d] || values[-d] == PartialShape::UNKNOWN || z[-d] == PartialShape::UNKNOWN;
  if (!fits) reject("input 2 'values': shape {} does not broadcast to shape {}", values.text(), z.text());
  in.output(x);
}

/// The gradients of a call without a reduction: of several values for one place the last one counts.
void replacementRule(Gradient& g, int axis) {
  const Symbol indices = g.input(1), values = g.input(2);
  const PutAlongAxis replace{axis, PutReduction::None};
  const TakeAlongAxis take{axis};
  g.set(0, g.call("put_along_axis", {g.of(), indices, g.zerosLike(values)}, replace));
  const Symbol taken = g.call("take_along_axis", {g.of(), indices}, take), numbers = g.positions(taken);
  const Symbol last = g.call("put_along_axis", {g.positions(g.of()), indices, numbers}, replace);
  const Symbol won = g.call("equals", {g.call("take_along_axis", {last, indices}, take), numbers});
  g.set(2, g.sumTo(taken * g.cast(won, taken), values));
}

/// The element and the values for its place that equal the largest or smallest of them share its gradient.
void extremeRule(Gradient& g, int axis) {
  const Symbol x = g.input(0), indices = g.input(1), values = g.input(2), z = g.output();
  const TakeAlongAxis take{axis};
  const Symbol byX = g.cast(g.call("equals", {x, z}), z);
  const Symbol byValues = g.cast(g.call("equals", {values, g.call("take_along_axis", {z, indices}, take)}), z);
  const Symbol share =
      g.of() / g.call("put_along_axis", {byX, indices, byValues}, PutAlongAxis{axis, PutReduction::Add});
  g.set(0, share * byX);
  g.set(2, g.sumTo(g.call("take_along_axis", {share, indices}, take) * byValues, values));
}

/// The product of the other factors, which exists when the factor is 0 as well.
void productRule(Gradient& g, int axis) {
  const Symbol x = g.input(0), indices = g.input(1), values = g.input(2);
  const TakeAlongAxis take{axis};
  const auto zeroMask = [&g](Symbol factor) { return g.cast(g.call("equals", {factor, g.zerosLike(factor)}), factor); };
  const Symbol zeroX = zeroMask(x), zeroValues = zeroMask(values);
  const auto put = [&](Symbol to, Symbol with, PutReduction reduction) {
    return g.call("put_along_axis", {to, indices, with}, PutAlongAxis{axis, reduction});
  };
  const Symbol product = put(x + zeroX, values + zeroValues, PutReduction::Mul);
  const Symbol zeros = put(zeroX, zeroValues, PutReduction::Add);
  const auto taken = [&](Symbol from) { return g.call("take_along_axis", {from, indices}, take); };
  g.set(0, g.of() * zeroMask(zeros - zeroX) * product / (x + zeroX));
  g.set(2,
        g.sumTo(taken(g.of()) * zeroMask(taken(zeros) - zeroValues) * taken(product) / (values + zeroValues), values));
}

void putRule(Gradient& g) {
  const auto& a = g.arguments<PutAlongAxis>();
  switch (a.reduction) {
    case PutReduction::None:
      return replacementRule(g, a.axis);
    case PutReduction::Add:
      g.set(0, g.of());
      g.set(2, g.sumTo(g.call("take_along_axis", {g.of(), g.input(1)}, TakeAlongAxis{a.axis}), g.input(2)));
      return;
    case PutReduction::Mul:
      return productRule(g, a.axis);
    default:
      return extremeRule(g, a.axis);
  }
}

}  // namespace

CUSTOM_OP_IMPL(take_along_axis, 2, 1, false, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &indices = *INPUT_VARIABLE(1);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const int axis = checkedAxis(arguments<TakeAlongAxis>(block).axis, x.rankOf());
  if (z.isEmpty()) {
    wrappedIndices(indices, x.sizeAt(axis), 1, "indices");
    return Status::OK;
  }
  const Dense from(x);
  const Places places(x, indices, axis, z.getShapeAsVector());
  DenseOut to(z);
  takePlaces(places, *from, *to);
  to.commit();
  return Status::OK;
}
INFERRED_SHAPES(take_along_axis)
DECLARE_SCHEMA(take_along_axis) {
  schema.summary("Elements at positions along an axis.").formula("z[a.., i, c..] = x[a.., indices[a.., i, c..], c..]");
  schema.input("x", "rank 1 or more")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS})
      .rankAtLeast(1)
      .moved();
  schema
      .input(
          "indices",
          "the rank of x; the dimensions broadcast with those of x except along the axis; negative values count from "
          "the end")
      .types({ALL_INTS});
  schema.argument(&TakeAlongAxis::axis, "axis", AXIS_TEXT).atInteger(0);
  schema.output("z", "the shape of indices, or of x where that is 1; the type of x");
  schema.outputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_COMPLEX, ALL_STRINGS}).infer([](Inference& in) {
    in.output(takenShape(in.input(0), in.input(1), in.arguments<TakeAlongAxis>().axis, true));
  });
  schema.gradient(movingRule<0>);
  schema.example(R"({"x": [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]], "indices": [[2, 0], [1, -1]]})");
  schema.elsewhere({.numpy = "numpy.take_along_axis",
                    .torch = "torch.gather",
                    .tensorflow = "tf.experimental.numpy.take_along_axis",
                    .onnx = "GatherElements"});
  schema.words("gather elements, pick, index").see("put_along_axis argsort gather");
}

CUSTOM_OP_IMPL(put_along_axis, 3, 1, true, 0, -2) {
  const NDArray &x = *INPUT_VARIABLE(0), &indices = *INPUT_VARIABLE(1), &values = *INPUT_VARIABLE(2);
  NDArray& z = *OUTPUT_VARIABLE(0);
  const auto& a = arguments<PutAlongAxis>(block);
  const int axis = checkedAxis(a.axis, x.rankOf());
  const PartialShape shape =
      takenShape(PartialShape::of(x.shapeInfo()), PartialShape::of(indices.shapeInfo()), a.axis, false);
  const Dims dims(shape.begin(), shape.end());
  if (indices.isEmpty() || x.isEmpty()) {
    wrappedIndices(indices, x.sizeAt(axis), 1, "indices");
    if (!z.isEmpty()) z.assign(x);
    return Status::OK;
  }
  const NDArray places = placesOf(x, indices, axis, dims);
  NDArray updates = unset(values.dataType(), dims);
  copy(values, updates);
  helpers::scatterInto(combineOf(a.reduction), x, x.lengthOf(), places.bufferAsT<LongType>(), places.lengthOf(),
                       updates, 2, z);
  return Status::OK;
}
INFERRED_SHAPES(put_along_axis)
DECLARE_SCHEMA(put_along_axis) {
  schema.summary("An array with other elements at positions along an axis.")
      .formula("z = x, then z[a.., indices[a.., i, c..], c..] = values[a.., i, c..]")
      .note(
          "Several values for one place are combined in the order of the indices; without a reduction the last one "
          "counts.");
  schema.input("x", "rank 1 or more").types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).rankAtLeast(1).moved();
  schema
      .input(
          "indices",
          "the rank of x; the dimensions are those of x or 1 except along the axis; negative values count from the end")
      .types({ALL_INTS});
  schema.input("values", "broadcast to the shape of indices, or of x where that is 1; converted to the type of x")
      .types({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS})
      .moved();
  schema.argument(&PutAlongAxis::axis, "axis", AXIS_TEXT).atInteger(0);
  schema.argument(&PutAlongAxis::reduction, "reduction", "how elements and values are combined").atInteger(1);
  schema.output("z", "the shape and type of x");
  schema.outputTypes({ALL_FLOATS, ALL_INTS, BOOL, ALL_STRINGS}).infer(inferPut).gradient(putRule);
  schema.example(R"({"x": [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], "indices": [[2], [0]], "values": [[5.0], [7.0]]})");
  schema.elsewhere({.numpy = "numpy.put_along_axis",
                    .torch = "torch.scatter",
                    .tensorflow = "tf.tensor_scatter_nd_update",
                    .onnx = "ScatterElements"});
  schema.words("scatter elements, scatter add, set").see("take_along_axis scatter_add scatter_nd");
}

}  // namespace sd::ops
