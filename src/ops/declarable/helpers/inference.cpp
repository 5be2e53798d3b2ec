#include "ops/declarable/helpers/inference.h"

#include <ops/declarable/RunningOp.h>
#include <system/Environment.h>

#include <algorithm>

namespace sd::ops {
namespace {

constexpr LongType UNKNOWN = PartialShape::UNKNOWN;

}  // namespace

// ---- whole inferences

void inferLikeInputs(Inference& in) {
  for (int i = 0, n = std::max(1, in.inputs()); i < n; i++) in.output(in.input(i));
}

void inferLikeFirst(Inference& in) { in.output(in.input(0)); }

void inferTruth(Inference& in) { in.output(PartialShape::scalar(BOOL)); }

void inferLikeFirstAndSecond(Inference& in) {
  const PartialShape x = in.input(0), g = in.input(1);
  requireSameShape(g, 1, in.inputName(1), x, 0, in.inputName(0));
  in.output(merged(x, g));
}

// ---- shapes

bool compatible(const PartialShape& a, const PartialShape& b) {
  if (!a.hasRank() || !b.hasRank()) return true;
  if (a.rank() != b.rank()) return false;
  for (int d = 0; d < a.rank(); d++)
    if (a[d] != b[d] && a[d] != UNKNOWN && b[d] != UNKNOWN) return false;
  return true;
}

PartialShape merged(const PartialShape& a, const PartialShape& b) {
  if (!b.hasRank()) return a;
  if (!a.hasRank()) return b.withType(a.type()).withOrder(a.order());
  PartialShape result = a;
  for (int d = 0; d < a.rank(); d++)
    if (a[d] == UNKNOWN) result.set(d, b[d]);
  return result;
}

PartialShape reduced(const PartialShape& a, const std::vector<int>& axes, bool keepDims, DataType type) {
  if (!a.hasRank()) return axes.empty() && !keepDims ? PartialShape::scalar(type) : PartialShape(type);
  return reducedAlong(a, axes.empty() ? axes : checkedAxes(axes, a.rank()), keepDims, type);
}

PartialShape reducedAlong(const PartialShape& a, const std::vector<int>& axes, bool keepDims, DataType type) {
  PartialShape result(type, {}, a.order());
  for (int d = 0; d < a.rank(); d++) {
    const bool gone = axes.empty() || std::binary_search(axes.begin(), axes.end(), d);
    if (!gone)
      result.append(a[d]);
    else if (keepDims)
      result.append(1);
  }
  return result;
}

PartialShape broadcast(const PartialShape& a, const PartialShape& b) {
  if (!a.hasRank() || !b.hasRank()) return PartialShape(a.type());
  const int rank = std::max(a.rank(), b.rank());
  PartialShape result(a.type(), {}, a.rank() >= b.rank() ? a.order() : b.order());
  for (int d = 0; d < rank; d++) {
    const int i = d - (rank - a.rank()), k = d - (rank - b.rank());
    const LongType m = i < 0 ? 1 : a[i], n = k < 0 ? 1 : b[k];
    if (m == UNKNOWN || n == UNKNOWN) {
      // An unknown size is either 1 or the other one, if that is not 1.
      const LongType other = m == UNKNOWN ? n : m;
      result.append(other == 1 ? UNKNOWN : other);
      continue;
    }
    if (m != n && m != 1 && n != 1) reject("shapes {} and {} do not broadcast", a.text(), b.text());
    result.append(m == 1 ? n : m);
  }
  return result;
}

// ---- checks

void requireCompatible(const PartialShape& shape, int index, const char* name, const PartialShape& other,
                       const char* otherText) {
  if (!compatible(shape, other))
    reject("input {} '{}': its shape is {}, but {} has shape {}", index, name, shape.text(), otherText, other.text());
}

void requireSameShape(const PartialShape& shape, int index, const char* name, const PartialShape& other, int otherIndex,
                      const char* otherName) {
  if (!compatible(shape, other))
    reject("input {} '{}': its shape is {}, but input {} '{}' has shape {}", index, name, shape.text(), otherIndex,
           otherName, other.text());
}

void requireSameType(const PartialShape& shape, int index, const char* name, const PartialShape& other, int otherIndex,
                     const char* otherName) {
  if (shape.hasType() && other.hasType() && shape.type() != other.type())
    reject("input {} '{}': its type is {}, but input {} '{}' has type {}", index, name,
           DataTypeUtils::describe(shape.type()), otherIndex, otherName, DataTypeUtils::describe(other.type()));
}

void requireRank(const PartialShape& shape, int rank, int index, const char* name) {
  if (shape.hasRank() && shape.rank() != rank)
    reject("input {} '{}': its rank is {}, not {} (shape {})", index, name, shape.rank(), rank, shape.text());
}

// ---- of element-wise operations and their gradients

namespace {

enum class Single { No, Maybe, Yes };

/// Whether the shape is that of a single element of rank up to 2.
Single isSingle(const PartialShape& shape) {
  if (shape.rank() > 2) return Single::No;
  Single result = Single::Yes;
  for (const LongType size : shape) {
    if (size != 1 && size != UNKNOWN) return Single::No;
    if (size == UNKNOWN) result = Single::Maybe;
  }
  return result;
}

/// BroadcastableOp::resultType for operands whose shapes may be unknown.
DataType operandType(const PartialShape& x, const PartialShape& y) {
  if (!Environment::operationsPromoteTypes()) return x.type();
  const LongType lengthX = x.length(), lengthY = y.length();
  if (!x.hasType() || !y.hasType() || lengthX == UNKNOWN || lengthY == UNKNOWN) return INHERIT;
  return lengthX >= lengthY ? DataTypeUtils::pickPairwiseResultType(x.type(), y.type())
                            : DataTypeUtils::pickPairwiseResultType(y.type(), x.type());
}

}  // namespace

void inferLikeFirstTwo(Inference& in) {
  in.output(in.input(0));
  in.output(in.input(1));
}

PartialShape operandShape(const PartialShape& x, const PartialShape& y, DataType type) {
  if (x.isEmptyScalar() || y.isEmptyScalar()) return PartialShape::empty(type);
  if (!x.hasRank() || !y.hasRank()) return PartialShape(type);
  const Single oneX = isSingle(x), oneY = isSingle(y);
  // The other operand's shape, unless that may be a single element too: then the larger rank counts.
  if (oneY == Single::Yes && (oneX == Single::No || x.rank() >= y.rank())) return x.withType(type);
  if (oneX == Single::Yes && (oneY == Single::No || y.rank() >= x.rank())) return y.withType(type);
  const Single larger = x.rank() > y.rank() ? oneX : oneY;
  const bool certain = x.rank() == y.rank() || larger == Single::No;
  if (!certain) return PartialShape(type);
  return broadcast(x, y).withType(type);
}

void inferBroadcast(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  in.output(operandShape(x, y, operandType(x, y)));
}

void inferComparison(Inference& in) {
  const PartialShape x = in.input(0), y = in.input(1);
  requireSameType(y, 1, "y", x, 0, "x");
  in.output(operandShape(x, y, BOOL));
}

void requireScalar(const PartialShape& shape, int index, const char* name) {
  const LongType length = shape.length();
  if (length != UNKNOWN && length != 1)
    reject("input {} '{}': one element is needed, its shape is {}", index, name, shape.text());
}

void requireList(const PartialShape& shape, int index, const char* name) {
  if (!shape.hasRank() || shape.rank() < 2) return;
  const bool oneLine =
      shape.rank() == 2 && (shape[0] == 1 || shape[1] == 1 || shape[0] == UNKNOWN || shape[1] == UNKNOWN);
  if (!oneLine) reject("input {} '{}': a vector is needed, its shape is {}", index, name, shape.text());
}

// ---- sizes that an input lists

std::optional<Dims> listedIn(Inference& in, int index, const char* name) {
  requireList(in.input(index), index, name);
  const NDArray* values = in.values(index);
  if (values == nullptr) return std::nullopt;
  return integersOf(*values, index, name);
}

PartialShape shapeListedIn(Inference& in, int index, const char* name, DataType type, char order) {
  const auto sizes = listedIn(in, index, name);
  if (!sizes) {
    const LongType count = in.input(index).length();
    return count == UNKNOWN || count > SD_MAX_RANK ? PartialShape(type)
                                                   : PartialShape::ofRank(type, static_cast<int>(count));
  }
  requireSizes(*sizes, name);
  return PartialShape(type, *sizes, order);
}

}  // namespace sd::ops
