// Discrete Fourier transforms along one dimension of arrays.
#ifndef NDFORGE_SRC_FOURIER_TRANSFORM_H
#define NDFORGE_SRC_FOURIER_TRANSFORM_H

#include <system/common.h>

namespace sd::fourier {

/// The sequences of two arrays: all positions in the other dimensions. Strides are in real numbers.
struct Lines {
  int rank = 0;
  LongType sizes[SD_MAX_RANK], xStrides[SD_MAX_RANK], zStrides[SD_MAX_RANK];
  LongType count = 1;

  void add(LongType size, LongType xStride, LongType zStride);
  /// Where sequences first, first + 1, … of x and z begin.
  void offsets(LongType first, LongType n, LongType* x, LongType* z) const;
};

/// Numbers of the first sequence, `step` real numbers apart.
template <typename T>
struct Sequence {
  T *re, *im;  ///< im is null for real numbers
  LongType step, count;
};

/// z[k] = scale * sum_j x[j] exp(-2 pi i j k / n); 2 pi i when it is inverse. Numbers that x lacks count as 0, and
/// those that z has no room for are left out. x and z may be the same array, or must not overlap.
template <typename T>
void transform(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, bool inverse, T scale);

/// The same for real x; z has the first n / 2 + 1 numbers.
template <typename T>
void transformReal(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, T scale);

/// z[j] = scale * sum_k X[k] exp(2 pi i j k / n), real, where x has the first n / 2 + 1 numbers and the others are the
/// conjugates X[n - k].
template <typename T>
void transformToReal(const Lines& lines, Sequence<const T> x, Sequence<T> z, LongType n, T scale);

}  // namespace sd::fourier

#endif
