// Operations on diagonals and triangles of matrices.
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cstring>

#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"

namespace sd {

namespace {

struct Diagonal {
  LongType count, step;

  explicit Diagonal(const ArrayHandle& array) : count(1), step(0) {
    const int rank = array.rankOf();
    if (rank > 0) count = *std::min_element(array.shapeOf(), array.shapeOf() + rank);
    for (int d = 0; d < rank; d++) step += array.stridesOf()[d];
  }
};

constexpr double EPS = 1e-5;

void requireSquare(const char* op, const NDArray& array) {
  arrays::requireNumbers(op, array);
  if (array.rankOf() != 2 || array.sizeAt(0) != array.sizeAt(1))
    fail<std::runtime_error>("[{}] shape {} is not a square matrix", op, arrays::shapeText(array));
}

bool isIdentity(const NDArray& array) {
  NDArray identity = array.like();
  identity.setIdentity();
  return array.equalsTo(identity, EPS);
}

// Fills elements `step` apart. A constant size makes each copy inline.
template <size_t Size>
void fillRow(char* to, LongType count, LongType step, const void* value) {
  for (LongType i = 0; i < count; i++) std::memcpy(to + i * step * static_cast<LongType>(Size), value, Size);
}

using FillRow = void (*)(char*, LongType, LongType, const void*);

FillRow fillRowOf(size_t size) {
  return size == 1 ? fillRow<1> : size == 2 ? fillRow<2> : size == 4 ? fillRow<4> : fillRow<8>;
}

}  // namespace

void NDArray::setIdentity() {
  if (!hasElements()) return;
  arrays::requireNumbers("setIdentity", *this);
  nullify();
  const Diagonal diagonal(*this);
  for (LongType i = 0; i < diagonal.count; i++) setValueAt<float>(i * diagonal.step, 1.f);
}

double NDArray::getTrace() const {
  if (!hasElements()) return 0;
  arrays::requireNumbers("getTrace", *this);
  double sum = 0;
  const Diagonal diagonal(*this);
  for (LongType i = 0; i < diagonal.count; i++) sum += valueAt<double>(i * diagonal.step);
  return sum;
}

bool NDArray::isIdentityMatrix() const {
  requireSquare("isIdentityMatrix", *this);
  return isIdentity(*this);
}

bool NDArray::isUnitary() const {
  requireSquare("isUnitary", *this);
  return !hasElements() || isIdentity(mmul(*this, transpose()));
}

void NDArray::fillTriangles(float value, int lower, int upper, NDArray& target, char direction,
                            bool includeEdges) const {
  constexpr const char* OP = "fillAsTriangular";
  if (direction != 'u' && direction != 'l' && direction != 'b')
    fail("[{}] direction '{}' is none of 'u', 'l', 'b'", OP, direction);
  const bool square = rankOf() == 1 && target.rankOf() == 2 && sizeAt(0) == target.sizeAt(0);
  if (!(square && sizeAt(0) == target.sizeAt(1)) && (target.rankOf() < 2 || !isSameShape(target)))
    fail("[{}] shape {} does not fit the target's shape {}", OP, arrays::shapeText(*this), arrays::shapeText(target));
  arrays::requireNumbers(OP, *this);
  arrays::requireNumbers(OP, target);
  if (!hasElements()) return;
  target.assign(*this);

  LongType converted[2];
  elements::convert(&value, FLOAT32, converted, target._dataType);
  const FillRow fillOut = fillRowOf(target._elementSize);
  const int rank = target.rankOf();
  const LongType *dims = target.shapeOf(), *strides = target.stridesOf();
  const LongType columns = dims[rank - 1], step = strides[rank - 1], edge = includeEdges ? 0 : 1;
  LongType coords[SD_MAX_RANK] = {};
  for (LongType rest = target._length / columns; rest > 0; rest--) {
    LongType offset = 0;
    for (int d = 0; d < rank - 1; d++) offset += coords[d] * strides[d];
    const LongType row = coords[rank - 2];
    // columns of the upper part start at `first`, those of the lower part end before `last`
    const LongType first = direction == 'l' ? columns : std::clamp<LongType>(row + lower + edge, 0, columns);
    const LongType last = direction == 'u' ? 0 : std::clamp<LongType>(row + upper + 1 - edge, 0, columns);
    fillOut(static_cast<char*>(target.address(offset)), last, step, converted);
    fillOut(static_cast<char*>(target.address(offset + first * step)), columns - first, step, converted);
    for (int d = rank - 2; d >= 0 && ++coords[d] == dims[d]; d--) coords[d] = 0;
  }
}

}  // namespace sd
