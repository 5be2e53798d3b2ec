// Plans of discrete Fourier transforms of one length.
#ifndef NDFORGE_SRC_FOURIER_PLAN_H
#define NDFORGE_SRC_FOURIER_PLAN_H

#include <system/common.h>

#include <memory>
#include <mutex>
#include <vector>

#include "loops/Kernels.h"
#include "loops/kernels/KernelTable.h"

namespace sd::fourier {

/// Numbers in two arrays: their real and their imaginary parts.
template <typename T>
struct Split {
  T *re, *im;
};

template <typename T>
const simd::FourierKernel& kernelOf() {
  return simd::kernels().fourier[sizeof(T) == sizeof(double)];
}

/// exp(-2 pi i k / n): re, im. 0 <= k <= n.
void rootOfUnity(LongType k, LongType n, double& re, double& im);

/// exp(-2 pi i k / (2 n)) for 0 <= k <= n / 2, for transforms of 2 n real numbers. Made when they are needed.
template <typename T>
class RootsOfDouble {
 public:
  explicit RootsOfDouble(LongType n) : _n(n) {}
  Split<const T> get() const;

 private:
  LongType _n;
  mutable std::once_flag _made;
  mutable std::vector<T> _roots;
};

/// X[k] = sum_j x[j] exp(-2 pi i j k / n) of several sequences at once. T is float or double.
template <typename T>
class Plan {
 public:
  /// The plan of a length of 1 or more. The last plans that were used are kept.
  static std::shared_ptr<const Plan> of(LongType length);

  explicit Plan(LongType length);

  LongType length() const { return _length; }
  /// Numbers of room that run() needs in `work` for each lane: twice the length, or more.
  LongType workSize() const { return _convolution != nullptr ? 4 * _convolution->length() : 2 * _length; }

  /// Transforms x[n, lanes], which is overwritten, or what `ends` name. The result lies in x or in `work`, which has
  /// workSize() * lanes elements, or where `ends` say.
  Split<T> run(Split<T> x, T* work, LongType lanes, const simd::FourierEnds& ends = {}) const;

  Split<const T> rootsOfDouble() const { return _double.get(); }

 private:
  LongType _length;
  std::vector<simd::FourierPass> _passes;
  std::vector<std::vector<T>> _tables;

  // Lengths with large prime factors: Bluestein's algorithm, a convolution by transforms of another length.
  std::shared_ptr<const Plan> _convolution;
  std::vector<T> _chirp, _filter;  ///< each the real parts, then the imaginary ones
  RootsOfDouble<T> _double;

  void prepareConvolution();
  Split<T> convolve(Split<T> x, T* work, LongType lanes) const;
};

}  // namespace sd::fourier

#endif
