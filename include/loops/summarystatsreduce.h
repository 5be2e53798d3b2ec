// Statistical moments, accumulated value by value or merged from parts.
#ifndef NDFORGE_LOOPS_SUMMARYSTATSREDUCE_H
#define NDFORGE_LOOPS_SUMMARYSTATSREDUCE_H

#include <math/templatemath.h>
#include <system/common.h>

#include <limits>

namespace functions::summarystats {

/// Count, mean and sums of powers of the differences from the mean. Formulas: Pébay, "Formulas for robust, one-pass
/// parallel computation of covariances and arbitrary-order statistical moments", 2008.
template <typename X>
class SummaryStatsData {
 public:
  double n = 0;
  double min = std::numeric_limits<double>::max();
  double max = std::numeric_limits<double>::lowest();
  double mean = 0;
  double M2 = 0;
  double M3 = 0;
  double M4 = 0;
  double bias = 0;

  void initialize() { *this = SummaryStatsData(); }
  void initWithValue(X value) {
    initialize();
    n = 1;
    min = max = mean = static_cast<double>(value);
  }
  void setValues(const SummaryStatsData* other) { *this = *other; }

  /// Combines the moments of both sets of values.
  void merge(const SummaryStatsData& other) {
    if (other.n == 0) return;
    if (n == 0) {
      *this = other;
      return;
    }
    const double count = n + other.n, d = other.mean - mean, a = n, b = other.n;
    M4 += other.M4 + d * d * d * d * a * b * (a * a - a * b + b * b) / (count * count * count) +
          6 * d * d * (a * a * other.M2 + b * b * M2) / (count * count) + 4 * d * (a * other.M3 - b * M3) / count;
    M3 += other.M3 + d * d * d * a * b * (a - b) / (count * count) + 3 * d * (a * other.M2 - b * M2) / count;
    M2 += other.M2 + d * d * a * b / count;
    mean += d * b / count;
    n = count;
    min = sd::math::sd_min(min, other.min);
    max = sd::math::sd_max(max, other.max);
  }
  void add(X value) {
    SummaryStatsData one;
    one.initWithValue(value);
    merge(one);
  }

  double getN() const { return n; }
  double getMin() const { return min; }
  double getMax() const { return max; }
  double getMean() const { return mean; }
  double getM2() const { return M2; }
  double getM3() const { return M3; }
  double getM4() const { return M4; }
  double getBias() const { return bias; }
  void setN(double value) { n = value; }
  void setMean(double value) { mean = value; }
  void setM2(double value) { M2 = value; }
  void setM3(double value) { M3 = value; }
  void setM4(double value) { M4 = value; }
  void setBias(double value) { bias = value; }

  /// The sum of squares divided by n - 1, and by n.
  double varianceBiasCorrected() const { return n > 1 ? M2 / (n - 1) : 0; }
  double variance() const { return n > 1 ? M2 / n : 0; }
  double skewness() const { return M2 > 0 ? sd::math::sd_sqrt(n) * M3 / sd::math::sd_pow(M2, 1.5) : 0; }
  double kurtosis() const { return M2 > 0 ? n * M4 / (M2 * M2) : 0; }
};

}  // namespace functions::summarystats

#endif
