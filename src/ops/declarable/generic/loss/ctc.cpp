// Connectionist temporal classification. Graves et al., "Connectionist temporal classification", 2006: the sum over all
// alignments of a label sequence, by forward and backward variables in log space.
// operations: ctc_loss ctc_loss_grad
#include <ops/declarable/headers/loss.h>

#include <algorithm>
#include <cmath>

#include "ops/declarable/helpers/log_sum.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// One sample: the log-probabilities of its frames, and its labels with blanks around each.
template <typename T>
struct Sample {
  const T* logs;  ///< frames x classes
  LongType frames, classes;
  std::vector<LongType> symbols;

  Sample(const T* values, LongType t, LongType k, const LongType* labels, LongType length, LongType blank)
      : logs(values), frames(t), classes(k) {
    symbols.assign(static_cast<size_t>(2 * length + 1), blank);
    for (LongType i = 0; i < length; i++) symbols[static_cast<size_t>(2 * i + 1)] = labels[i];
  }

  double at(LongType t, size_t s) const { return static_cast<double>(logs[t * classes + symbols[s]]); }
  /// Whether an alignment may go from symbol s - 2 directly to s.
  bool skips(size_t s) const { return s >= 2 && s % 2 == 1 && symbols[s] != symbols[s - 2]; }

  /// alpha[t * symbols + s]: log-probability that the frames up to t end in symbol s.
  std::vector<double> forward() const {
    const size_t n = symbols.size();
    std::vector<double> a(static_cast<size_t>(frames) * n, NEVER);
    a[0] = at(0, 0);
    if (n > 1) a[1] = at(0, 1);
    for (LongType t = 1; t < frames; t++) {
      const double* before = a.data() + static_cast<size_t>(t - 1) * n;
      double* now = a.data() + static_cast<size_t>(t) * n;
      for (size_t s = 0; s < n; s++) {
        double sum = before[s];
        if (s >= 1) sum = logSum(sum, before[s - 1]);
        if (skips(s)) sum = logSum(sum, before[s - 2]);
        now[s] = sum + at(t, s);
      }
    }
    return a;
  }

  /// As forward(), for the frames from t on that start in symbol s.
  std::vector<double> backward() const {
    const size_t n = symbols.size();
    std::vector<double> b(static_cast<size_t>(frames) * n, NEVER);
    double* last = b.data() + static_cast<size_t>(frames - 1) * n;
    last[n - 1] = at(frames - 1, n - 1);
    if (n > 1) last[n - 2] = at(frames - 1, n - 2);
    for (LongType t = frames - 2; t >= 0; t--) {
      const double* after = b.data() + static_cast<size_t>(t + 1) * n;
      double* now = b.data() + static_cast<size_t>(t) * n;
      for (size_t s = 0; s < n; s++) {
        double sum = after[s];
        if (s + 1 < n) sum = logSum(sum, after[s + 1]);
        if (s + 2 < n && skips(s + 2)) sum = logSum(sum, after[s + 2]);
        now[s] = sum + at(t, s);
      }
    }
    return b;
  }

  double loss(const std::vector<double>& alpha) const {
    const size_t n = symbols.size();
    const double* last = alpha.data() + static_cast<size_t>(frames - 1) * n;
    return -(n > 1 ? logSum(last[n - 1], last[n - 2]) : last[n - 1]);
  }

  /// g = exp(logs) - the probability that a frame belongs to a class, given the labels
  void gradient(T* g) const {
    const size_t n = symbols.size();
    const std::vector<double> alpha = forward(), beta = backward();
    const double total = loss(alpha);
    for (LongType i = 0; i < frames * classes; i++) g[i] = std::exp(logs[i]);
    if (std::isinf(total)) return;
    for (LongType t = 0; t < frames; t++)
      for (size_t s = 0; s < n; s++) {
        const double both = alpha[static_cast<size_t>(t) * n + s] + beta[static_cast<size_t>(t) * n + s];
        if (both != NEVER) g[t * classes + symbols[s]] -= static_cast<T>(std::exp(both + total - at(t, s)));
      }
  }
};

/// Calls f(index of the sample, sample) for each sample that has frames.
template <typename F>
void eachSample(graph::Context& block, const NDArray& logits, F&& f) {
  const LongType batch = logits.sizeAt(0), frames = logits.sizeAt(1), classes = logits.sizeAt(2);
  const LongType width = block.array(0)->sizeAt(1);
  const Dense labels(*block.array(0), INT64), labelLengths(*block.array(2), INT64), lengths(*block.array(3), INT64);
  LongType blank = block.intArgument64(0);
  if (blank < 0 || blank >= classes) blank = classes - 1;
  const auto lengthOf = [&](LongType b) { return std::clamp<LongType>(lengths.as<LongType>()[b], 0, frames); };
  const auto labelsOf = [&](LongType b) {
    return std::clamp<LongType>(labelLengths.as<LongType>()[b], 0, std::min(width, lengthOf(b)));
  };
  for (LongType b = 0; b < batch; b++)
    for (LongType i = 0; i < labelsOf(b); i++) {
      const LongType label = labels.as<LongType>()[b * width + i];
      if (label < 0 || label >= classes)
        reject("input 0 'labels': value {} at [{}, {}] is outside 0..{} (shape {})", label, b, i, classes - 1,
               text(*block.array(0)));
    }
  const Dense dense(logits, computeType(logits));
  withReal(computeType(logits), [&]<typename T>() {
    const double cost = 60.0 * static_cast<double>(frames) * static_cast<double>(2 * width + 1);
    overElements(batch, cost, [&](LongType first, LongType last) {
      for (LongType b = first; b < last; b++)
        if (lengthOf(b) > 0)
          f(b, Sample<T>(dense.as<T>() + b * frames * classes, lengthOf(b), classes, labels.as<LongType>() + b * width,
                         labelsOf(b), blank));
    });
  });
}

void requireSamples(ShapeList* in) {
  constexpr const char* NAMES[] = {"labels", "logits", "labelLengths", "lengths"};
  constexpr int RANKS[] = {2, 3, 1, 1};
  for (int i = 0; i < 4; i++) {
    if (shape::rank(in->at(i)) != RANKS[i])
      reject("input {} '{}': its rank is {}, not {} (shape {})", i, NAMES[i], shape::rank(in->at(i)), RANKS[i],
             text(in->at(i)));
    if (shape::shapeOf(in->at(i))[0] != shape::shapeOf(in->at(1))[0])
      reject("input {} '{}': its shape {} and the shape of input 1 'logits', {}, differ in batch size", i, NAMES[i],
             text(in->at(i)), text(in->at(1)));
  }
}

void describe(OpDescriptor* descriptor, const char* summary, const char* formula, const char* outputs) {
  descriptor->setAllowedInputTypes({INT32, INT64})
      ->setAllowedInputTypes(1, {ALL_FLOATS})
      ->setAllowedOutputTypes({ALL_FLOATS})
      ->document({.summary = summary,
                  .formula = formula,
                  .inputs = "labels: [B, S]\nlogits: [B, T, K], log-probabilities\nlabelLengths: [B]\nlengths: [B], "
                            "the number of frames of each sample",
                  .outputs = outputs,
                  .integers = "blank: the class that means no label; K - 1 when it is outside 0..K-1",
                  .notes = "Lengths are limited to the available sizes, labels to the number of frames."});
}

}  // namespace

CUSTOM_OP_IMPL(ctc_loss, 4, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  std::vector<double> losses(static_cast<size_t>(z.lengthOf()), 0.0);
  if (!INPUT_VARIABLE(1)->isEmpty())
    eachSample(block, *INPUT_VARIABLE(1),
               [&](LongType b, const auto& sample) { losses[static_cast<size_t>(b)] = sample.loss(sample.forward()); });
  z.assign(NDArray('c', {z.lengthOf()}, losses, DOUBLE));
  return Status::OK;
}
DECLARE_SHAPE_FN(ctc_loss) {
  requireSamples(inputShape);
  const LongType* logits = inputShape->at(1);
  return shapes(vectorOf(ArrayOptions::dataType(logits), shape::shapeOf(logits)[0]));
}
DECLARE_TYPES(ctc_loss) {
  describe(getOpDescriptor(), "Connectionist temporal classification: the loss of label sequences.",
           "z = -log(sum of the probabilities of all alignments)",
           "z: [B], the type of logits; inf when there is no alignment, 0 without frames");
}

CUSTOM_OP_IMPL(ctc_loss_grad, 4, 1, false, 0, 1) {
  NDArray& z = *OUTPUT_VARIABLE(0);
  if (z.isEmpty()) return Status::OK;
  const LongType step = z.sizeAt(1) * z.sizeAt(2);
  NDArray gradient = zeros(computeType(z), z.getShapeAsVector());
  eachSample(block, *INPUT_VARIABLE(1), [&]<typename T>(LongType b, const Sample<T>& sample) {
    sample.gradient(gradient.bufferAsT<T>() + b * step);
  });
  z.assign(gradient);
  return Status::OK;
}
DECLARE_SHAPE_FN(ctc_loss_grad) {
  requireSamples(inputShape);
  return shapes(like(inputShape->at(1)));
}
DECLARE_TYPES(ctc_loss_grad) {
  describe(getOpDescriptor(), "The gradient of ctc_loss with respect to the inputs of log_softmax.",
           "z = exp(logits) - the probability of each class given the labels",
           "z: like logits; 0 in frames that are not used");
}

}  // namespace sd::ops
