#include "fourier/Plan.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fourier/KeptPlans.h"

namespace sd::fourier {

namespace {

constexpr LongType LARGEST_RADIX = 31;

/// The radices of the passes; empty when the length has a larger prime factor.
std::vector<int> radicesOf(LongType n) {
  std::vector<int> radices, others;
  int twos = 0;
  for (; n % 2 == 0; n /= 2) twos++;
  for (LongType factor = 3; factor <= LARGEST_RADIX; factor += 2)
    for (; n % factor == 0; n /= factor) others.push_back(static_cast<int>(factor));
  if (n > 1) return {};
  // The first pass makes rows of as many lanes as its radix, which should fill a vector of the following ones.
  if (twos >= 3 && twos != 4) {
    radices.push_back(8);
    twos -= 3;
    if (twos % 2 != 0 && twos >= 3) {
      radices.push_back(8);
      twos -= 3;
    }
  }
  for (; twos >= 2; twos -= 2) radices.push_back(4);
  if (twos == 1) radices.push_back(2);
  std::reverse(others.begin(), others.end());
  radices.insert(radices.end(), others.begin(), others.end());
  return radices;
}

/// The next number from n on whose only prime factors are 2, 3 and 5.
LongType smoothFrom(LongType n) {
  LongType best = 1;
  while (best < n) best *= 2;
  for (LongType fives = 1; fives < best; fives *= 5)
    for (LongType threes = fives; threes < best; threes *= 3) {
      LongType candidate = threes;
      while (candidate < n) candidate *= 2;
      // Fewer than three twos make slow passes.
      if (candidate % 8 == 0) best = std::min(best, candidate);
    }
  return best;
}

}  // namespace

// The angle is reduced to the first eighth of the circle, where sine and cosine are most exact.
void rootOfUnity(LongType k, LongType n, double& re, double& im) {
  LongType eighths = 8 * k;  // of n
  bool swapped = false, negatedRe = false, negatedIm = true;
  if (eighths > 4 * n) {
    eighths = 8 * n - eighths;
    negatedIm = false;
  }
  if (eighths > 2 * n) {
    eighths = 4 * n - eighths;
    negatedRe = true;
  }
  if (eighths > n) {
    eighths = 2 * n - eighths;
    swapped = true;
  }
  const double angle = std::numbers::pi * static_cast<double>(eighths) / (4 * static_cast<double>(n));
  double c = std::cos(angle), s = std::sin(angle);
  if (swapped) std::swap(c, s);
  re = negatedRe ? -c : c;
  im = negatedIm ? -s : s;
}

template <typename T>
Plan<T>::Plan(LongType length) : _length(length), _double(length) {
  const std::vector<int> radices = radicesOf(length);
  if (radices.empty() && length > 1) prepareConvolution();
  LongType rest = length;
  for (const int radix : radices) {
    const LongType all = rest;
    rest /= radix;
    double re, im;
    std::vector<T> twiddles(static_cast<size_t>(2 * (radix - 1) * rest));
    for (LongType j = 1; j < radix; j++)
      for (LongType p = 0; p < rest; p++) {
        rootOfUnity(j * p, all, re, im);
        const auto at = static_cast<size_t>((j - 1) * rest + p);
        twiddles[at] = static_cast<T>(re);
        twiddles[at + static_cast<size_t>((radix - 1) * rest)] = static_cast<T>(im);
      }
    // The kernel turns differences by -i, so sines are positive for the first half of the circle.
    std::vector<T> roots(static_cast<size_t>(2 * radix));
    for (LongType k = 0; k < radix; k++) {
      rootOfUnity(k, radix, re, im);
      roots[static_cast<size_t>(k)] = static_cast<T>(re);
      roots[static_cast<size_t>(radix + k)] = static_cast<T>(-im);
    }
    _tables.push_back(std::move(twiddles));
    _tables.push_back(std::move(roots));
    _passes.push_back({radix, rest, _tables[_tables.size() - 2].data(), _tables.back().data()});
  }
}

// Bluestein, "A linear filtering approach to the computation of discrete Fourier transform", 1970: with
// j k = (j^2 + k^2 - (k - j)^2) / 2 the transform is a convolution with a chirp.
template <typename T>
void Plan<T>::prepareConvolution() {
  const LongType n = _length, m = smoothFrom(2 * n - 1);
  _convolution = of(m);
  _chirp.resize(static_cast<size_t>(2 * n));
  std::vector<T> re(static_cast<size_t>(m)), im(static_cast<size_t>(m)), work;
  LongType square = 0;  // k^2 mod 2 n
  for (LongType k = 0; k < n; k++) {
    double c, s;
    rootOfUnity(square, 2 * n, c, s);
    _chirp[static_cast<size_t>(k)] = static_cast<T>(c);
    _chirp[static_cast<size_t>(n + k)] = static_cast<T>(s);
    // the conjugate chirp, around 0; 1 / m is for the transform back
    for (const LongType at : {k, (m - k) % m}) {
      re[static_cast<size_t>(at)] = static_cast<T>(c / static_cast<double>(m));
      im[static_cast<size_t>(at)] = static_cast<T>(-s / static_cast<double>(m));
    }
    square = (square + 2 * k + 1) % (2 * n);
  }
  work.resize(static_cast<size_t>(_convolution->workSize()));
  const Split<T> filter = _convolution->run({re.data(), im.data()}, work.data(), 1);
  _filter.assign(filter.re, filter.re + m);
  _filter.insert(_filter.end(), filter.im, filter.im + m);
}

namespace {

/// z = x * w for `n` rows of lanes; all lanes of a row have the same factor.
template <typename T>
void multiplyRows(Split<const T> x, Split<const T> w, Split<T> z, LongType n, LongType lanes) {
  for (LongType k = 0; k < n; k++) {
    const T c = w.re[k], s = w.im[k];
    for (LongType at = k * lanes; at < (k + 1) * lanes; at++) {
      const T re = x.re[at] * c - x.im[at] * s;
      z.im[at] = x.re[at] * s + x.im[at] * c;
      z.re[at] = re;
    }
  }
}

}  // namespace

template <typename T>
Split<T> Plan<T>::convolve(Split<T> x, T* work, LongType lanes) const {
  const LongType n = _length, m = _convolution->length();
  const Split<const T> chirp{_chirp.data(), _chirp.data() + n}, filter{_filter.data(), _filter.data() + m};
  const Split<T> padded{work, work + m * lanes};
  T* rest = padded.im + m * lanes;
  multiplyRows<T>({x.re, x.im}, chirp, padded, n, lanes);
  std::fill(padded.re + n * lanes, padded.re + m * lanes, T(0));
  std::fill(padded.im + n * lanes, padded.im + m * lanes, T(0));
  Split<T> z = _convolution->run(padded, rest, lanes);
  multiplyRows<T>({z.re, z.im}, filter, z, m, lanes);
  // With its parts exchanged, the transform goes backwards.
  std::swap(z.re, z.im);
  z = _convolution->run(z, z.im == padded.re ? rest : padded.re, lanes);
  std::swap(z.re, z.im);
  multiplyRows<T>({z.re, z.im}, chirp, x, n, lanes);
  return x;
}

template <typename T>
Split<T> Plan<T>::run(Split<T> x, T* work, LongType lanes, const simd::FourierEnds& ends) const {
  const auto transform = kernelOf<T>().run;
  const Split<T> other{work, work + _length * lanes};
  simd::FourierRun run{
      _passes.data(), static_cast<int>(_passes.size()), _length, lanes, x.re, x.im, other.re, other.im, ends};
  if (_convolution == nullptr) return transform(run) ? other : x;
  // No passes: numbers are read, and written.
  run.ends.to = nullptr;
  transform(run);
  const Split<T> z = convolve(x, work, lanes);
  run.re = z.re;
  run.im = z.im;
  run.ends = ends;
  run.ends.from = nullptr;
  transform(run);
  return z;
}

template <typename T>
std::shared_ptr<const Plan<T>> Plan<T>::of(LongType length) {
  return keptPlan<Plan<T>>(length, [&] { return std::make_shared<const Plan>(length); });
}

template <typename T>
Split<const T> RootsOfDouble<T>::get() const {
  const LongType count = _n / 2 + 1;
  std::call_once(_made, [&] {
    _roots.resize(static_cast<size_t>(2 * count));
    for (LongType k = 0; k < count; k++) {
      double re, im;
      rootOfUnity(k, 2 * _n, re, im);
      _roots[static_cast<size_t>(k)] = static_cast<T>(re);
      _roots[static_cast<size_t>(count + k)] = static_cast<T>(im);
    }
  });
  return {_roots.data(), _roots.data() + count};
}

template class Plan<float>;
template class Plan<double>;
template class RootsOfDouble<float>;
template class RootsOfDouble<double>;

}  // namespace sd::fourier
