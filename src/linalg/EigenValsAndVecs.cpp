#include <helpers/EigenValsAndVecs.h>
#include <helpers/HessenbergAndSchur.h>

#include <complex>

#include "linalg/MatrixView.h"

namespace sd::ops::helpers {

using namespace linalg;

namespace {

template <typename T>
void eigenvalues(const MatrixView<T>& t, const MatrixView<T>& values) {
  for (LongType i = 0; i < t.rows; i++) {
    if (i + 1 == t.rows || t(i + 1, i) == 0) {
      values(i, 0) = t(i, i);
      values(i, 1) = 0;
      continue;
    }
    const T p = (t(i, i) - t(i + 1, i + 1)) / 2, a = t(i + 1, i), b = t(i, i + 1);
    const T scale = std::max({std::abs(p), std::abs(a), std::abs(b)});
    const T z = scale * std::sqrt(std::abs(p / scale * (p / scale) + a / scale * (b / scale)));
    values(i, 0) = values(i + 1, 0) = t(i + 1, i + 1) + p;
    values(i, 1) = z;
    values(i + 1, 1) = -z;
    i++;
  }
}

/// Computes the eigenvectors of the quasi-triangular t by back-substitution, in its columns: column n for a real
/// eigenvalue, columns n - 1 and n (real and imaginary part) for a complex pair. The method is that of EISPACK's hqr2:
/// Wilkinson and Reinsch, "Linear Algebra", contribution II/15.
template <typename T>
class BackSubstitution {
 public:
  BackSubstitution(const MatrixView<T>& triangle, const MatrixView<T>& eigen) : _t(triangle), _values(eigen) {
    for (LongType i = 0; i < _t.rows; i++)
      for (LongType j = std::max<LongType>(i - 1, 0); j < _t.columns; j++) _norm += std::abs(_t(i, j));
  }

  void run() {
    if (_norm == 0) return;
    for (LongType n = _t.rows - 1; n >= 0; n--) {
      if (_values(n, 1) == 0)
        realColumn(n);
      else if (_values(n, 1) < 0 && n > 0)
        pairOfColumns(n--);
    }
  }

 private:
  using Complex = std::complex<T>;

  MatrixView<T> _t, _values;
  T _norm = 0;

  T dot(LongType row, LongType column, LongType first, LongType last) const {
    T sum = 0;
    for (LongType k = first; k <= last; k++) sum += _t(row, k) * _t(k, column);
    return sum;
  }
  /// Rescales columns first to last, from row i on, when they would overflow.
  void rescale(LongType i, LongType first, LongType last) {
    T largest = 0;
    for (LongType j = first; j <= last; j++) largest = std::max(largest, std::abs(_t(i, j)));
    if (PRECISION<T> * largest * largest <= 1) return;
    for (LongType j = first; j <= last; j++) _t.column(j).from(i).scale(1 / largest);
  }

  void realColumn(LongType n) {
    const T p = _values(n, 0);
    T lastR = 0, lastW = 0;
    LongType l = n;
    _t(n, n) = 1;
    for (LongType i = n - 1; i >= 0; i--) {
      const T w = _t(i, i) - p, r = dot(i, n, l, n);
      if (_values(i, 1) < 0) {  // the second row of a complex pair, solved together with the first
        lastW = w;
        lastR = r;
        continue;
      }
      l = i;
      if (_values(i, 1) == 0) {
        _t(i, n) = -r / (w != 0 ? w : PRECISION<T> * _norm);
      } else {
        const T x = _t(i, i + 1), y = _t(i + 1, i), d = _values(i, 0) - p;
        const T z = (x * lastR - lastW * r) / (d * d + _values(i, 1) * _values(i, 1));
        _t(i, n) = z;
        _t(i + 1, n) = std::abs(x) > std::abs(lastW) ? (-r - w * z) / x : (-lastR - y * z) / lastW;
      }
      rescale(i, n, n);
    }
  }

  void set(LongType i, LongType n, const Complex& value) {
    _t(i, n - 1) = value.real();
    _t(i, n) = value.imag();
  }

  void pairOfColumns(LongType n) {
    const T p = _values(n, 0), q = _values(n, 1);
    T lastRe = 0, lastIm = 0, lastW = 0;
    LongType l = n - 1;
    if (std::abs(_t(n, n - 1)) > std::abs(_t(n - 1, n)))
      set(n - 1, n, {q / _t(n, n - 1), -(_t(n, n) - p) / _t(n, n - 1)});
    else
      set(n - 1, n, Complex(0, -_t(n - 1, n)) / Complex(_t(n - 1, n - 1) - p, q));
    set(n, n, {0, 1});
    for (LongType i = n - 2; i >= 0; i--) {
      const T re = dot(i, n - 1, l, n), im = dot(i, n, l, n), w = _t(i, i) - p;
      if (_values(i, 1) < 0) {
        lastW = w;
        lastRe = re;
        lastIm = im;
        continue;
      }
      l = i;
      if (_values(i, 1) == 0) {
        set(i, n, Complex(-re, -im) / Complex(w, q));
      } else {
        const T x = _t(i, i + 1), y = _t(i + 1, i), d = _values(i, 0) - p;
        Complex divisor(d * d + _values(i, 1) * _values(i, 1) - q * q, 2 * d * q);
        if (divisor == Complex(0))
          divisor = PRECISION<T> * _norm * (std::abs(w) + std::abs(q) + std::abs(x) + std::abs(y) + std::abs(lastW));
        set(i, n, Complex(x * lastRe - lastW * re + q * im, x * lastIm - lastW * im - q * re) / divisor);
        const T a = _t(i, n - 1), b = _t(i, n);
        if (std::abs(x) > std::abs(lastW) + std::abs(q))
          set(i + 1, n, {(-re - w * a + q * b) / x, (-im - w * b - q * a) / x});
        else
          set(i + 1, n, Complex(-lastRe - y * a, -lastIm - y * b) / Complex(lastW, q));
      }
      rescale(i, n - 1, n);
    }
  }
};

}  // namespace

template <typename T>
EigenValsAndVecs<T>::EigenValsAndVecs(const NDArray& matrix) {
  constexpr const char* METHOD = "EigenValsAndVecs";
  requireMatrix(METHOD, matrix, true);
  Schur<T> schur(matrix);
  const LongType n = matrix.sizeAt(0);
  _Vals = NDArray(matrix.ordering(), {n, 2}, matrix.dataType());
  _Vecs = NDArray(matrix.ordering(), {n, n, 2}, matrix.dataType());
  const auto t = matrixOf<T>(METHOD, schur.t), u = matrixOf<T>(METHOD, schur.u), values = matrixOf<T>(METHOD, _Vals);
  eigenvalues(t, values);
  BackSubstitution<T>(t, values).run();

  // Multiplies u by column j of t, which has rows 0..j (0..j + 1 for the first of a pair).
  NDArray vectors(matrix.ordering(), {n, n}, matrix.dataType());
  const auto v = matrixOf<T>(METHOD, vectors);
  for (LongType j = 0; j < n; j++) {
    const LongType rows = std::min(n, values(j, 1) > 0 ? j + 2 : j + 1);
    for (LongType i = 0; i < n; i++) {
      T sum = 0;
      for (LongType k = 0; k < rows; k++) sum += u(i, k) * t(k, j);
      v(i, j) = sum;
    }
  }
  const auto part = [&](int which) {
    return MatrixView<T>{_Vecs.bufferAsT<T>() + which * _Vecs.strideAt(2), _Vecs.strideAt(0), _Vecs.strideAt(1), n, n};
  };
  const auto re = part(0), im = part(1);
  for (LongType j = 0; j < n; j++) {
    if (values(j, 1) == 0 || j + 1 == n) {
      const T length = v.column(j).norm();
      for (LongType i = 0; i < n; i++) re(i, j) = v(i, j) / length;
      continue;
    }
    const T length = std::hypot(v.column(j).norm(), v.column(j + 1).norm());
    for (LongType i = 0; i < n; i++) {
      re(i, j) = re(i, j + 1) = v(i, j) / length;
      im(i, j) = v(i, j + 1) / length;
      im(i, j + 1) = -im(i, j);
    }
    j++;
  }
}

template class EigenValsAndVecs<float>;
template class EigenValsAndVecs<double>;

}  // namespace sd::ops::helpers
