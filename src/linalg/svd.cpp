#include <helpers/biDiagonalUp.h>
#include <helpers/jacobiSVD.h>
#include <helpers/svd.h>

#include <vector>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

namespace {

constexpr const char* METHOD = "SVD";

/// c = a b
template <typename T>
void product(const MatrixView<T>& a, const MatrixView<T>& b, const MatrixView<T>& c) {
  std::vector<T> row(static_cast<size_t>(b.columns));
  for (LongType i = 0; i < a.rows; i++) {
    std::fill(row.begin(), row.end(), T(0));
    for (LongType k = 0; k < a.columns; k++) {
      const T factor = a(i, k);
      if (factor == 0) continue;
      for (LongType j = 0; j < b.columns; j++) row[static_cast<size_t>(j)] += factor * b(k, j);
    }
    for (LongType j = 0; j < b.columns; j++) c(i, j) = row[static_cast<size_t>(j)];
  }
}

/// a = a b for a square b. Works row by row, so the result may overwrite a.
template <typename T>
void multiplyInPlace(const MatrixView<T>& a, const MatrixView<T>& b) {
  product(a, b, a);
}

/// Rows or columns first..end - 1 of `limit`.
struct Range {
  LongType first, end, limit;
};

void requireInside(const char* method, std::initializer_list<Range> ranges) {
  for (const Range& range : ranges)
    if (range.first < 0 || range.end <= range.first || range.end > range.limit)
      fail("[SVD::{}] range {}..{} is empty or outside 0..{}", method, range.first, range.end - 1, range.limit - 1);
}

/// The size of the largest square in the upper left corner; the number of columns when the rows do not count.
LongType squareOf(const NDArray& array, bool countRows = true) {
  return countRows ? std::min(array.sizeAt(0), array.sizeAt(1)) : array.sizeAt(1);
}

void requireLengths(const char* method, LongType length, std::initializer_list<const NDArray*> arrays) {
  for (const NDArray* array : arrays)
    if (array->lengthOf() != length)
      fail("[SVD::{}] an array has shape {}, but {} elements are needed", method, ShapeUtils::shapeAsString(array),
           length);
}

/// The indices in `permut`, for arrays of this length.
std::vector<LongType> indicesOf(const char* method, const NDArray& permut, LongType length) {
  std::vector<LongType> indices = permut.getBufferAsVector<LongType>();
  for (const LongType i : indices) requireInside(method, {{i, i + 1, length}});
  return indices;
}

/// The secular equation: 1 + sum of z_i^2 / (d_i^2 - s^2) for s = shift + mu. Differences are computed from diag -
/// shift, which is exact near the root.
template <typename T>
T secular(T mu, const VectorView<T>& z, const VectorView<T>& diag, const std::vector<LongType>& indices, T shift) {
  T sum = 1;
  for (const LongType i : indices) sum += (z[i] / ((diag[i] - shift) - mu)) * (z[i] / (diag[i] + shift + mu));
  return sum;
}

/// The root between left and right, relative to `shift`, which is one of the two. Uses rational interpolation with a
/// pole at 0, and bisection when that leaves the interval.
template <typename T, typename F>
T zeroBetween(T left, T right, T shift, bool last, const F& f) {
  const T width = right - left, side = shift == left ? T(1) : T(-1);
  T previous = side * width * T(0.1), current = side * width * (last ? T(1) : T(0.5));
  T fPrevious = f(previous), fCurrent = f(current);
  if (std::abs(fPrevious) < std::abs(fCurrent)) {
    std::swap(previous, current);
    std::swap(fPrevious, fCurrent);
  }
  bool bisect = fPrevious * fCurrent > 0;
  while (!bisect && fCurrent != 0 && std::abs(fCurrent - fPrevious) > PRECISION<T> &&
         std::abs(current - previous) > 8 * PRECISION<T> * std::max(std::abs(current), std::abs(previous))) {
    const T a = (fCurrent - fPrevious) / (1 / current - 1 / previous), b = fCurrent - a / current;
    previous = current;
    fPrevious = fCurrent;
    current = -a / b;
    fCurrent = f(current);
    bisect = !(side * current >= 0 && side * current <= width) || !(std::abs(fCurrent) <= std::abs(fPrevious));
  }
  if (!bisect) return current;
  T low, high;
  if (side > 0) {
    low = TINY<T>;
    high = last ? width : width * T(0.6);
  } else {
    low = -width * T(0.6);
    high = -TINY<T>;
  }
  T fLow = f(low);
  while (high - low > 2 * PRECISION<T> * std::max(std::abs(low), std::abs(high))) {
    const T middle = (low + high) / 2, fMiddle = f(middle);
    if (middle == low || middle == high) break;
    if (fLow * fMiddle < 0) {
      high = middle;
    } else {
      low = middle;
      fLow = fMiddle;
    }
  }
  return (low + high) / 2;
}

}  // namespace

template <typename T>
SVD<T>::SVD(const NDArray& matrix, int switchSize, bool calcV, bool calcU, bool fullUV, char)
    : _switchSize(switchSize), _fullUV(fullUV) {
  requireMatrix(METHOD, matrix);
  requireType<T>(METHOD, matrix);
  const LongType rows = matrix.sizeAt(0), columns = matrix.sizeAt(1);
  _transp = columns > rows;
  _diagSize = static_cast<int>(std::min(rows, columns));
  // The taller of the matrix and its transpose is decomposed, by way of its transposed bidiagonal matrix.
  _calcU = _transp ? calcU : calcV;
  _calcV = _transp ? calcV : calcU;
  const auto zeros = [&](LongType m, LongType n) { return NDArray(matrix.ordering(), {m, n}, matrix.dataType()); };
  _s = zeros(_diagSize, 1);
  _m = zeros(_diagSize + 1, _diagSize);
  _u = zeros(_calcU ? _diagSize + 1 : 2, _diagSize + 1);
  if (_calcV) _v = zeros(_diagSize, _diagSize);
}

template <typename T>
SVD<T>::SVD(const NDArray& matrix, int switchSize, bool calcV, bool calcU, bool fullUV)
    : SVD(matrix, switchSize, calcV, calcU, fullUV, 't') {
  if (!matrix.isFinite()) fail("[{}] the matrix contains values that are not finite", METHOD);
  evalData(matrix);
}

/// Checks columns col1 to col2 in every matrix that a step works on.
template <typename T>
void SVD<T>::requirePart(const char* method, int col1, int col2, int row1W, int col1W, int shift) const {
  const LongType size = static_cast<LongType>(col2) - col1 + 1;
  const LongType vSize = _calcV ? squareOf(_v) : std::numeric_limits<LongType>::max();
  requireInside(method, {{col1, col1 + size, squareOf(_m)},
                         {col1, col1 + size + 1, _m.sizeAt(0)},
                         {col1 + shift, col1 + shift + size, squareOf(_m)},
                         {col1, col1 + size + 1, squareOf(_u, _calcU)},
                         {row1W, row1W + size, vSize},
                         {col1W, col1W + size, vSize}});
}

template <typename T>
void SVD<T>::deflation1(int col1, int shift, int ind, int size) {
  const auto m = matrixOf<T>(METHOD, _m);
  const LongType first = col1 + shift, other = first + ind;
  const LongType uSize = squareOf(_u, _calcU);
  requireInside("deflation1",
                {{first, other + 1, squareOf(_m)}, {col1, col1 + ind + 1, uSize}, {col1, col1 + 1, uSize}});
  const T c = m(first, first), s = m(other, first), r = std::sqrt(c * c + s * s);
  if (r == 0) {
    m(other, other) = 0;
    return;
  }
  m(first, first) = r;
  m(other, first) = 0;
  m(other, other) = 0;
  const auto u = matrixOf<T>(METHOD, _u);
  rotateColumns(_calcU ? u.block(col1, 0, std::min<LongType>(size + 1, u.rows - col1), u.columns) : u, col1, col1 + ind,
                {c / r, -s / r});
}

template <typename T>
void SVD<T>::deflation2(int col1U, int col1M, int row1W, int col1W, int ind1, int ind2, int size) {
  const auto m = matrixOf<T>(METHOD, _m);
  const LongType first = col1M + ind1, second = col1M + ind2;
  const LongType last = std::max(ind1, ind2) + 1, mSize = squareOf(_m), uSize = squareOf(_u, _calcU),
                 vSize = _calcV ? squareOf(_v) : std::numeric_limits<LongType>::max();
  requireInside("deflation2", {{ind1, ind1 + 1, mSize},
                               {ind2, ind2 + 1, mSize},
                               {col1M, col1M + last, mSize},
                               {col1U, col1U + last, uSize},
                               {col1U, col1U + 1, uSize},
                               {row1W, row1W + 1, vSize},
                               {col1W, col1W + last, vSize}});
  const T c = m(first, col1M), s = m(second, col1M), r = std::sqrt(c * c + s * s);
  if (r == 0) {
    m(first, first) = m(second, second);
    return;
  }
  m(first, col1M) = r;
  m(second, second) = m(first, first);
  m(second, col1M) = 0;
  const Rotation<T> j{c / r, -s / r};
  const auto u = matrixOf<T>(METHOD, _u);
  rotateColumns(_calcU ? u.block(col1U, 0, std::min<LongType>(size + 1, u.rows - col1U), u.columns) : u, col1U + ind1,
                col1U + ind2, j);
  if (!_calcV) return;
  const auto v = matrixOf<T>(METHOD, _v);
  rotateColumns(v.block(row1W, 0, std::min<LongType>(size, v.rows - row1W), v.columns), col1W + ind1, col1W + ind2, j);
}

template <typename T>
void SVD<T>::deflation(int col1, int col2, int ind, int row1W, int col1W, int shift) {
  const int size = col2 + 1 - col1, begin = col1 + shift;
  requirePart("deflation", col1, col2, row1W, col1W, shift);
  requireInside("deflation", {{ind, ind + 1, size}});
  const auto part = matrixOf<T>(METHOD, _m).from(begin, begin);
  const VectorView<T> column = part.column(0).head(size), diag = part.diagonal().head(size);
  const T largest = diag.from(1).maxAbs();
  const T strict = std::max(TINY<T>, PRECISION<T> * largest);
  const T coarse = 8 * PRECISION<T> * std::max(column.maxAbs(), largest);

  if (diag[0] < coarse) diag[0] = coarse;
  for (int i = 1; i < size; i++)
    if (std::abs(column[i]) < strict) column[i] = 0;
  for (int i = 1; i < size; i++)
    if (diag[i] < coarse) deflation1(col1, shift, i, size);

  // Both halves of the diagonal are sorted: they are merged, and zeros go to the end.
  bool total = true;
  for (int i = 1; i < size; i++) total = total && !(std::abs(column[i]) >= TINY<T>);
  std::vector<int> order(static_cast<size_t>(size));
  const auto at = [](std::vector<int>& values, int i) -> int& { return values[static_cast<size_t>(i)]; };
  int filled = 1;
  for (int i = 1; i < size; i++)
    if (std::abs(diag[i]) < TINY<T>) at(order, filled++) = i;
  for (int i = 1, j = ind + 1; filled < size; filled++) {
    if (i > ind)
      at(order, filled) = j++;
    else if (j >= size)
      at(order, filled) = i++;
    else
      at(order, filled) = diag[i] < diag[j] ? j++ : i++;
  }
  if (total) {  // the first element then has to be inserted in order
    for (int i = 1; i < size; i++) {
      const int k = at(order, i);
      if (std::abs(diag[k]) < TINY<T> || diag[0] < diag[k]) {
        at(order, i - 1) = k;
      } else {
        at(order, i - 1) = 0;
        break;
      }
    }
  }
  const auto u = matrixOf<T>(METHOD, _u);
  const auto uColumns = _calcU ? u.block(col1, col1, size + 1, size + 1) : u.block(0, col1, 2, size + 1);
  const auto v = _calcV ? matrixOf<T>(METHOD, _v).block(row1W, col1W, size, size) : MatrixView<T>{};
  std::vector<int> elementAt(order.size()), placeOf(order.size());
  for (int i = 0; i < size; i++) at(elementAt, i) = at(placeOf, i) = i;
  for (int i = total ? 0 : 1; i < size; i++) {
    const int element = at(order, size - (total ? i + 1 : i)), place = at(placeOf, element);
    if (place == i) continue;
    std::swap(diag[i], diag[place]);
    if (i != 0 && place != 0) std::swap(column[i], column[place]);
    uColumns.column(i).swap(uColumns.column(place));
    if (_calcV) v.column(i).swap(v.column(place));
    const int moved = at(elementAt, i);
    at(placeOf, moved) = place;
    at(placeOf, element) = i;
    at(elementAt, place) = moved;
    at(elementAt, i) = element;
  }

  int i = size - 1;
  while (i > 0 && (std::abs(diag[i]) < TINY<T> || std::abs(column[i]) < TINY<T>)) i--;
  for (; i > 1; i--)
    if (diag[i] - diag[i - 1] < PRECISION<T> * largest) deflation2(col1, begin, row1W, col1W, i - 1, i, size);
}

template <typename T>
T SVD<T>::secularEq(T mu, const NDArray& col0, const NDArray& diag, const NDArray& permut, const NDArray& diagShifted,
                    T shift) const {
  const auto z = vectorOf<T>(METHOD, col0), d = vectorOf<T>(METHOD, diag), shifted = vectorOf<T>(METHOD, diagShifted);
  requireLengths("secularEq", z.length, {&diag, &diagShifted});
  T sum = 1;
  for (const LongType i : indicesOf("secularEq", permut, z.length))
    sum += (z[i] / (shifted[i] - mu)) * (z[i] / (d[i] + shift + mu));
  return sum;
}

template <typename T>
void SVD<T>::calcSingVals(const NDArray& col0, const NDArray& diag, const NDArray& permut, NDArray& singVals,
                          NDArray& shifts, NDArray& mus) const {
  const auto z = vectorOf<T>(METHOD, col0), d = vectorOf<T>(METHOD, diag), s = vectorOf<T>(METHOD, singVals),
             offset = vectorOf<T>(METHOD, shifts), mu = vectorOf<T>(METHOD, mus);
  requireLengths("calcSingVals", z.length, {&diag, &singVals, &shifts, &mus});
  const std::vector<LongType> indices = indicesOf("calcSingVals", permut, z.length);
  LongType size = z.length;
  while (size > 1 && z[size - 1] == 0) size--;
  for (LongType k = 0; k < z.length; k++) {
    if (z[k] == 0 || size == 1) {
      s[k] = offset[k] = k == 0 ? z[0] : d[k];
      mu[k] = 0;
      continue;
    }
    const bool last = k == size - 1;
    const T left = d[k];
    T right;
    if (last) {
      right = d[k] + z.norm();
    } else {
      LongType next = k + 1;
      while (z[next] == 0) next++;
      right = d[next];
    }
    const T middle = left + (right - left) / 2;
    const T shift = last || secular(middle, z, d, indices, T(0)) > 0 ? left : right;
    mu[k] = zeroBetween(left, right, shift, last, [&](T x) { return secular(x, z, d, indices, shift); });
    offset[k] = shift;
    s[k] = shift + mu[k];
  }
}

template <typename T>
void SVD<T>::perturb(const NDArray& col0, const NDArray& diag, const NDArray& permut, const NDArray& singVals,
                     const NDArray& shifts, const NDArray& mus, NDArray& zhat) const {
  const auto z = vectorOf<T>(METHOD, col0), d = vectorOf<T>(METHOD, diag), s = vectorOf<T>(METHOD, singVals),
             offset = vectorOf<T>(METHOD, shifts), mu = vectorOf<T>(METHOD, mus), out = vectorOf<T>(METHOD, zhat);
  requireLengths("perturb", z.length, {&diag, &singVals, &shifts, &mus, &zhat});
  const std::vector<LongType> indices = indicesOf("perturb", permut, z.length);
  if (indices.empty()) return out.fill(T(0));
  const LongType last = indices.back();
  for (LongType k = 0; k < z.length; k++) {
    if (z[k] == 0) {
      out[k] = 0;
      continue;
    }
    T value = (s[last] + d[k]) * (mu[last] + (offset[last] - d[k]));
    for (size_t l = 0; l < indices.size(); l++) {
      const LongType i = indices[l];
      if (i == k) continue;
      const LongType j = i < k ? i : indices[l - 1];
      value *= ((s[j] + d[k]) / (d[i] + d[k])) * ((mu[j] + (offset[j] - d[k])) / (d[i] - d[k]));
    }
    const T root = std::sqrt(std::max(T(0), value));
    out[k] = z[k] > 0 ? root : -root;
  }
}

template <typename T>
void SVD<T>::calcSingVecs(const NDArray& zhat, const NDArray& diag, const NDArray& permut, const NDArray& singVals,
                          const NDArray& shifts, const NDArray& mus, NDArray& U, NDArray& V) const {
  const auto z = vectorOf<T>(METHOD, zhat), d = vectorOf<T>(METHOD, diag), s = vectorOf<T>(METHOD, singVals),
             offset = vectorOf<T>(METHOD, shifts), mu = vectorOf<T>(METHOD, mus);
  const LongType n = z.length;
  requireLengths("calcSingVecs", n, {&diag, &singVals, &shifts, &mus});
  const std::vector<LongType> indices = indicesOf("calcSingVecs", permut, n);
  const auto u = matrixOf<T>(METHOD, U), v = _calcV ? matrixOf<T>(METHOD, V) : MatrixView<T>{};
  if (u.rows != n + 1 || u.columns != n + 1 || (_calcV && (v.rows != n || v.columns != n)))
    fail("[SVD::calcSingVecs] the shapes of U {} and V {} do not match {} singular values",
         ShapeUtils::shapeAsString(&U), ShapeUtils::shapeAsString(&V), n);
  for (LongType k = 0; k < n; k++) {
    const VectorView<T> left = u.column(k);
    left.fill(T(0));
    if (_calcV) v.column(k).fill(T(0));
    if (z[k] == 0) {
      left[k] = 1;
      if (_calcV) v(k, k) = 1;
      continue;
    }
    for (const LongType i : indices) left[i] = z[i] / ((d[i] - offset[k]) - mu[k]) / (d[i] + s[k]);
    left.scale(1 / left.norm());
    if (!_calcV) continue;
    for (size_t l = 1; l < indices.size(); l++) {
      const LongType i = indices[l];
      v(i, k) = d[i] * z[i] / ((d[i] - offset[k]) - mu[k]) / (d[i] + s[k]);
    }
    v(0, k) = -1;
    v.column(k).scale(1 / v.column(k).norm());
  }
  u.column(n).fill(T(0));
  u(n, n) = 1;
}

template <typename T>
void SVD<T>::calcBlockSVD(int col1, int size, NDArray& U, NDArray& singVals, NDArray& V) {
  requireInside("calcBlockSVD", {{col1, static_cast<LongType>(col1) + size, squareOf(_m)}});
  const auto part = matrixOf<T>(METHOD, _m).block(col1, col1, size, size);
  const char order = _m.ordering();
  const DataType type = _m.dataType();
  NDArray col0(order, {size, 1}, type), diag(col0), shifts(col0), mus(col0), zhat(col0);
  const auto z = vectorOf<T>(METHOD, col0), d = vectorOf<T>(METHOD, diag);
  for (LongType i = 0; i < size; i++) {
    z[i] = part(i, 0);
    d[i] = i == 0 ? T(0) : part(i, i);
  }
  singVals = NDArray(order, {size, 1}, type);
  U = NDArray(order, {size + 1, size + 1}, type);
  if (_calcV) V = NDArray(order, {size, size}, type);

  LongType used = size;
  while (used > 1 && d[used - 1] == 0) used--;
  std::vector<LongType> indices;
  for (LongType i = 0; i < used; i++)
    if (std::abs(z[i]) > TINY<T>) indices.push_back(i);
  NDArray permut('c', {static_cast<LongType>(indices.size())}, INT64);
  for (size_t i = 0; i < indices.size(); i++) permut.p(static_cast<LongType>(i), indices[i]);

  calcSingVals(col0, diag, permut, singVals, shifts, mus);
  perturb(col0, diag, permut, singVals, shifts, mus, zhat);
  calcSingVecs(zhat, diag, permut, singVals, shifts, mus, U, V);

  const auto s = vectorOf<T>(METHOD, singVals);
  const auto u = matrixOf<T>(METHOD, U), v = _calcV ? matrixOf<T>(METHOD, V) : MatrixView<T>{};
  const auto exchange = [&](LongType i, LongType j) {
    std::swap(s[i], s[j]);
    u.column(i).swap(u.column(j));
    if (_calcV) v.column(i).swap(v.column(j));
  };
  for (LongType i = 1; i < used; i++)  // nearly sorted: only deflated values are out of place
    for (LongType j = i; j > 0 && s[j - 1] > s[j]; j--) exchange(j - 1, j);
  for (LongType i = 0; i < used / 2; i++) exchange(i, used - 1 - i);
}

template <typename T>
void SVD<T>::DivideAndConquer(int col1, int col2, int row1W, int col1W, int shift) {
  const int n = col2 - col1 + 1, k = n / 2;
  requirePart("DivideAndConquer", col1, col2, row1W, col1W, shift);
  const auto m = matrixOf<T>(METHOD, _m), u = matrixOf<T>(METHOD, _u);
  const auto v = _calcV ? matrixOf<T>(METHOD, _v) : MatrixView<T>{};
  const auto copy = [](const MatrixView<T>& from, const MatrixView<T>& to) {
    for (LongType i = 0; i < to.rows; i++)
      for (LongType j = 0; j < to.columns; j++) to(i, j) = from(i, j);
  };

  if (n < std::max(3, _switchSize)) {
    const JacobiSVD<T> jacobi(_m({col1, col1 + n + 1, col1, col1 + n}, true), true, _calcV, true);
    const auto left = matrixOf<T>(METHOD, jacobi._u);
    if (_calcU) {
      copy(left, u.block(col1, col1, n + 1, n + 1));
    } else {
      copy(left.block(0, 0, 1, n + 1), u.block(0, col1, 1, n + 1));
      copy(left.block(n, 0, 1, n + 1), u.block(1, col1, 1, n + 1));
    }
    if (_calcV) copy(matrixOf<T>(METHOD, jacobi._v), v.block(row1W, col1W, n, n));
    m.block(col1 + shift, col1 + shift, std::min<LongType>(n + 1, m.rows - col1 - shift), n).fill(T(0));
    const auto s = vectorOf<T>(METHOD, jacobi._s);
    for (LongType i = 0; i < n; i++) m(col1 + shift + i, col1 + shift + i) = s[i];
    return;
  }

  const T alpha = m(col1 + k, col1 + k), beta = m(col1 + k + 1, col1 + k);
  DivideAndConquer(k + 1 + col1, col2, k + 1 + row1W, k + 1 + col1W, shift);
  DivideAndConquer(col1, k - 1 + col1, row1W, col1W + 1, shift + 1);

  // The last row of the first half's U and the first row of the second half's U.
  const VectorView<T> lower = u.row(_calcU ? col1 + k : 1), upper = u.row(_calcU ? col1 + k + 1 : 0);
  const T lambda = lower[col1 + k], phi = upper[col2 + 1];
  const T r0 = std::sqrt(alpha * lambda * (alpha * lambda) + beta * phi * (beta * phi));
  const T c0 = r0 < TINY<T> ? T(1) : alpha * lambda / r0, s0 = r0 < TINY<T> ? T(0) : beta * phi / r0;
  std::vector<T> first(static_cast<size_t>(k)), second(static_cast<size_t>(n - k - 1));
  for (int i = 0; i < k; i++) first[static_cast<size_t>(i)] = alpha * lower[col1 + i];
  for (int i = 0; i < n - k - 1; i++) second[static_cast<size_t>(i)] = beta * upper[col1 + k + 1 + i];
  if (_calcV) v(row1W + k, col1W) = 1;

  // The first half's columns move by one; the middle column is split into the first and the last column.
  const LongType top = _calcU ? k + 1 : 1, bottom = _calcU ? n - k : 1;
  const auto above = u.block(_calcU ? col1 : 0, col1, top, n + 1);
  const auto below = u.block(_calcU ? col1 + k + 1 : 1, col1, bottom, n + 1);
  for (LongType i = 0; i < top; i++) {
    const T q = above(i, k);
    for (LongType j = k; j > 0; j--) above(i, j) = above(i, j - 1);
    above(i, 0) = q * c0;
    above(i, n) = -q * s0;
  }
  for (LongType i = 0; i < bottom; i++) {
    below(i, 0) = below(i, n) * s0;
    below(i, n) *= c0;
  }
  if (!_calcU) {
    for (LongType j = 1; j <= k; j++) below(0, j) = 0;
    for (LongType j = k + 1; j < n; j++) above(0, j) = 0;
  }

  const LongType begin = col1 + shift;
  m(begin, begin) = r0;
  for (int i = 0; i < k; i++) m(begin + 1 + i, begin) = first[static_cast<size_t>(i)];
  for (int i = 0; i < n - k - 1; i++) m(begin + k + 1 + i, begin) = second[static_cast<size_t>(i)];
  deflation(col1, col2, k, row1W, col1W, shift);

  NDArray blockU, values, blockV;
  calcBlockSVD(static_cast<int>(begin), n, blockU, values, blockV);
  multiplyInPlace(_calcU ? u.block(col1, col1, n + 1, n + 1) : u.block(0, col1, 2, n + 1), matrixOf<T>(METHOD, blockU));
  if (_calcV) multiplyInPlace(v.block(row1W, col1W, n, n), matrixOf<T>(METHOD, blockV));
  m.block(begin, begin, n, n).fill(T(0));
  const auto s = vectorOf<T>(METHOD, values);
  for (LongType i = 0; i < n; i++) m(begin + i, begin + i) = s[i];
}

template <typename T>
void SVD<T>::exchangeUV(const HHsequence& hhU, const HHsequence& hhV, const NDArray& U, const NDArray& V) {
  const auto expand = [&](const HHsequence& reflections, const NDArray& core) {
    const LongType rows = reflections.rows();
    NDArray result(_m.ordering(), {rows, _fullUV ? rows : _diagSize}, _m.dataType());
    result.setIdentity();
    result({0, _diagSize, 0, _diagSize}, true).assign(core({0, _diagSize, 0, _diagSize}, true));
    reflections.mulLeft(result);
    return result;
  };
  NDArray left, right;
  if (_calcV) left = expand(hhU, V);
  if (_calcU) right = expand(hhV, U);
  _u = std::move(left);
  _v = std::move(right);
}

template <typename T>
void SVD<T>::evalData(const NDArray& matrix) {
  if (matrix.sizeAt(1) < _switchSize) {
    JacobiSVD<T> jacobi(matrix, _transp ? _calcU : _calcV, _transp ? _calcV : _calcU, _fullUV);
    _s = std::move(jacobi._s);
    _u = std::move(jacobi._u);
    _v = std::move(jacobi._v);
    return;
  }
  T scale = matrixOf<T>(METHOD, matrix).maxAbs();
  if (scale == 0) scale = 1;
  const BiDiagonalUp bidiagonal((_transp ? matrix.transpose() : matrix) / scale);
  _m({0, _diagSize, 0, 0}, true).assign(bidiagonal._HHbidiag.transpose());
  DivideAndConquer(0, _diagSize - 1, 0, 0, 0);

  const auto m = matrixOf<T>(METHOD, _m), s = matrixOf<T>(METHOD, _s);
  for (LongType i = 0; i < _diagSize; i++) s(i, 0) = std::abs(m(i, i)) * scale;
  exchangeUV(bidiagonal.makeHHsequence('u'), bidiagonal.makeHHsequence('v'), _u, _v);
  if (_transp) std::swap(_u, _v);
}

template class SVD<float>;
template class SVD<double>;

}  // namespace sd::ops::helpers
