// Charts of a training run as SVG files.
#ifndef NDFORGE_EXAMPLES_DIGITS_CHARTS_H
#define NDFORGE_EXAMPLES_DIGITS_CHARTS_H

#include <string>
#include <vector>

/// A line on a logarithmic axis: value k belongs to step (k + 1) * every.
struct LossCurve {
  std::string title;
  std::vector<double> losses;  ///< above 0
  int every = 1;
};

/// How often examples of class i were taken for class j: counts[i][j].
struct ConfusionMatrix {
  std::string title;
  std::vector<std::vector<int>> counts;
};

/// Write the pictures. @throws std::runtime_error when there is nothing to draw or the file cannot be written
void writeSvg(const LossCurve& curve, const std::string& path);
void writeSvg(const ConfusionMatrix& matrix, const std::string& path);

#endif
