#include <helpers/hhSequence.h>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

HHsequence::HHsequence(const NDArray& vectors, const NDArray& coeffs, char type)
    : _vectors(vectors), _coeffs(coeffs), _shift(0), _diagSize(0), _type(type) {
  if (type != 'u' && type != 'v') fail("[HHsequence] the type is '{}', not 'u' or 'v'", type);
  requireMatrix("HHsequence", vectors);
  _diagSize = static_cast<int>(std::min(vectors.sizeAt(0), vectors.sizeAt(1)));
}

int HHsequence::rows() const { return static_cast<int>(_vectors.sizeAt(_type == 'u' ? 0 : 1)); }

NDArray HHsequence::getTail(int idx) const {
  const int first = idx + 1 + _shift;
  if (idx < 0 || idx >= _diagSize || first >= rows())
    fail("[HHsequence::getTail] reflection {} of {} has no tail (vectors of shape {}, shift {})", idx, _diagSize,
         ShapeUtils::shapeAsString(&_vectors), _shift);
  if (_type == 'u') return _vectors({first, rows(), idx, idx + 1}, true);
  return _vectors({idx, idx + 1, first, rows()}, true);
}

namespace {

/// Multiplies the last rows of `matrix` by H from the left.
template <typename T>
void multiply(const HHsequence& sequence, const MatrixView<T>& matrix) {
  const auto all = matrixOf<T>("HHsequence", sequence._vectors);
  const MatrixView<T> vectors = sequence._type == 'u' ? all : all.transposed();
  const auto coeffs = vectorOf<T>("HHsequence", sequence._coeffs);
  if (coeffs.length < sequence._diagSize)
    fail("[HHsequence] {} factors are given for {} reflections", coeffs.length, sequence._diagSize);
  for (int k = sequence._diagSize - 1; k >= 0; k--) {
    const LongType first = k + sequence._shift;
    if (first >= vectors.rows) continue;
    reflectRows(matrix.from(matrix.rows - vectors.rows + first, 0), vectors.column(k).from(first + 1), coeffs[k]);
  }
}

}  // namespace

void HHsequence::mulLeft(NDArray& matrix) const {
  requireMatrix("HHsequence::mulLeft", matrix);
  if (matrix.sizeAt(0) < rows())
    fail("[HHsequence::mulLeft] a matrix of shape {} has fewer than {} rows", ShapeUtils::shapeAsString(&matrix),
         rows());
  inTypeOf("HHsequence::mulLeft", _vectors,
           [&](auto zero) { multiply(*this, matrixOf<decltype(zero)>("HHsequence::mulLeft", matrix)); });
}

void HHsequence::applyTo(NDArray& dest) const {
  if (!dest.isSameShape({rows(), rows()}) || dest.dataType() != _vectors.dataType())
    dest = NDArray(dest.ordering(), {rows(), rows()}, _vectors.dataType());
  dest.setIdentity();
  mulLeft(dest);
}

}  // namespace sd::ops::helpers
