// Numbers that say how good a model is.
#ifndef NDFORGE_TRAINING_METRICS_H
#define NDFORGE_TRAINING_METRICS_H

#include <system/common.h>

#include <string>

namespace sd::graph {
class Graph;
}

namespace sd::training {

/// Adds nodes that compute how often the largest of the logits, along the last dimension, is that of the label: labels
/// are classes (one dimension less than the logits), or rows with a 1 for the class (the shape of the logits). Values
/// are named as in SessionOptions::results. @throws std::invalid_argument for unknown names, shapes that do not fit,
/// and a name that is taken
SD_LIB_EXPORT void addAccuracy(graph::Graph& graph, const std::string& logits, const std::string& labels,
                               const std::string& name = "accuracy");

/// The mean of what it is given.
class RunningMean {
 public:
  /// `count`: for how many examples the value stands.
  void add(double value, LongType count = 1) {
    _sum += value * static_cast<double>(count);
    _count += count;
  }
  void reset() { *this = RunningMean(); }
  /// NaN before anything was added.
  double value() const { return _sum / static_cast<double>(_count); }
  LongType count() const { return _count; }

 private:
  double _sum = 0;
  LongType _count = 0;
};

}  // namespace sd::training

#endif
