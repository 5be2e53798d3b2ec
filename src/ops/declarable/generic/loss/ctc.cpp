// Connectionist temporal classification. Graves et al., "Connectionist temporal classification", 2006: the sum over all
// alignments of a label sequence, by forward and backward variables in log space.
// operations: ctc_loss ctc_loss_grad
#include <ops/declarable/headers/indexing.h>
#include <ops/declarable/headers/loss.h>
#include <ops/declarable/headers/reduce.h>
#include <ops/declarable/headers/shape.h>
#include <ops/declarable/headers/transforms.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/declarable/Composition.h"
#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/log_sum.h"
#include "ops/declarable/helpers/real.h"
#include "ops/declarable/helpers/rules.h"

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
  LongType blank = arguments<CtcLoss>(block).blank;
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

// ---- the gradient of the gradient

using Symbols = std::vector<Symbol>;

/// Stands for the logarithm of 0, as a number that is also left when a few of them are added, in single precision too.
constexpr double IMPOSSIBLE = -1e30;

/// 0 where the condition holds, otherwise IMPOSSIBLE.
Symbol unless(Gradient& g, Symbol condition, Symbol like) { return (1.0 - g.cast(condition, like)) * IMPOSSIBLE; }

/// The integers 0, 1, … as a row, [1, size].
Symbol countedRow(Gradient& g, LongType size) {
  NDArray row('c', {1, size}, INT64);
  for (LongType i = 0; i < size; i++) row.p<LongType>(i, i);
  return g.constant(row);
}

/// 1 in the frames that count, [B, T, 1].
Symbol usedFrames(Gradient& g) {
  const Symbol logits = g.input(1), frames = g.positions(g.sum(logits, {0, 2})),
               lengths = g.cast(g.expandDims(g.input(3), -1), INT64);
  return g.expandDims(g.cast(g.call("less_equal", {g.zerosLike(lengths) + frames, lengths}), logits), -1);
}

/// The loss by operations that have gradients, which treat all samples together: what the class Sample computes.
/// Columns are [B, 1].
class ComposedLoss {
 public:
  Symbol loss;        ///< a column
  Symbol isPossible;  ///< a column: 0 where there is no alignment, else 1

  explicit ComposedLoss(Gradient& rule)
      : _g(rule),
        _classes(_g.size(_g.input(1), 2)),
        _width(_g.size(_g.input(0), 1)),
        _frames(limited(_g.input(3), _g.size(_g.input(1), 1))),
        _labels(_g.call("minimum", {limited(_g.input(2), _width), _frames})) {
    const Symbol symbols = symbolsWithBlanks(), logs = logsOf(symbols), places = countedRow(_g, 2 * _width + 1);
    const Symbol penalty = penaltyOfSkips(symbols, logs);
    const auto isAtLeast = [&](Symbol x, Symbol y) { return _g.call("greater_equal", {x, y}); };
    Symbol alpha;
    LongType t = 0;
    for (const Symbol& now : _g.callAll("unstack", {logs}, Stack{1})) {
      // Before the first frame an alignment has to be at the first symbol.
      if (!alpha) alpha = now * 0.0 + unless(_g, _g.call("equals", {places, _g.constant(0, places)}), now);
      Symbols from{alpha};
      if (_width > 0) {
        const Symbol never = columns(alpha, 0, 1) * 0.0 + IMPOSSIBLE;
        from.push_back(_g.call("concat", {never, columns(alpha, 0, 2 * _width)}, Concat{1}));
        from.push_back(_g.call("concat", {never, never, columns(alpha, 0, 2 * _width - 1)}, Concat{1}) + penalty);
      }
      const Symbol sum = _g.call("reduce_logsumexp", {_g.call("stack", from, Stack{0})}, Reduction{{0}, false});
      const Symbol counts = _g.cast(isAtLeast(_frames, _g.constant(static_cast<double>(++t), _frames)), now);
      alpha = (sum + now) * counts + alpha * (1.0 - counts);
    }
    // Alignments end at the last label or at the blank behind it.
    const Symbol last = _labels * 2.0;
    const Symbol ends =
        alpha + unless(_g, isAtLeast(last, places), alpha) + unless(_g, isAtLeast(places, last - 1.0), alpha);
    const Symbol total = _g.call("reduce_logsumexp", {ends}, Reduction{{1}, true});
    loss = -total;
    isPossible = _g.cast(isAtLeast(total, _g.constant(IMPOSSIBLE / 10, total)), total);
  }

 private:
  Gradient& _g;
  const LongType _classes, _width;  // of the labels
  const Symbol _frames, _labels;    // columns: how many of them count

  Symbol limited(Symbol lengths, LongType most) const {
    const Symbol column = _g.expandDims(_g.cast(lengths, INT64), 1);
    const Symbol limit = _g.constant(static_cast<double>(most), column);
    return _g.call("maximum", {_g.call("minimum", {column, limit}), _g.constant(0, column)});
  }
  Symbol columns(Symbol x, LongType begin, LongType size) const {
    return _g.call("slice", {x}, Slice{{0, begin}, {-1, size}});
  }
  Symbol blanks(LongType size) const {
    const LongType blank = _g.arguments<CtcLoss>().blank;
    const LongType known = blank < 0 || blank >= _classes ? _classes - 1 : blank;
    return (countedRow(_g, size) + _frames) * 0.0 + static_cast<double>(known);
  }
  /// The labels with blanks around each, [B, 2 width + 1]. Labels that do not count may be anything, and become 0.
  Symbol symbolsWithBlanks() const {
    if (_width == 0) return blanks(1);
    const Symbol counts = _g.call("less", {countedRow(_g, _width), _labels});
    const Symbol known = _g.keepWhere(counts, _g.cast(_g.input(0), INT64));
    const Symbol pairs = _g.call("stack", {blanks(_width), known}, Stack{2});
    return _g.call("concat", {_g.call("reshape", {pairs}, Reshape{{-1, 2 * _width}}), blanks(1)}, Concat{1});
  }
  /// The log-probabilities of the symbols in each frame, [B, T, 2 width + 1].
  Symbol logsOf(Symbol symbols) const {
    Symbol logits = _g.input(1);
    const DataType type = _g.shape(logits).type();
    if (type != INHERIT && DataTypeUtils::sizeOf(type) < sizeof(float)) logits = _g.cast(logits, FLOAT32);
    const Symbol first = (_g.expandDims(_g.positions(_g.sum(logits, {2})), 2) - 1.0) * static_cast<double>(_classes);
    const Symbol logs = _g.call("gather", {_g.flat(logits), first + _g.expandDims(symbols, 1)}, Gather{0});
    return _g.call("maximum", {logs, _g.constant(IMPOSSIBLE, logs)});
  }
  /// 0 for symbols that an alignment may reach from the last but one: labels that differ from the one before.
  Symbol penaltyOfSkips(Symbol symbols, Symbol logs) const {
    if (_width == 0) return {};
    const Symbol before = _g.call("concat", {blanks(2), columns(symbols, 0, 2 * _width - 1)}, Concat{1});
    return unless(_g, _g.call("not_equals", {symbols, before}), logs);
  }
};

/// exp(logits) in the frames that count, and the gradient of the loss, which is composed frame by frame.
void framesRule(Gradient& g) {
  if (g.size(g.input(1), 1) == 0) return;
  Composition whole(g), inner(static_cast<Gradient&>(whole));
  const ComposedLoss composed(inner);
  const Symbol byLogits = inner.pullBack({composed.loss}, {composed.isPossible})[1];
  const Symbol probabilities = whole.call("transform.Exp", {whole.input(1)}) * usedFrames(whole);
  whole.differentiate({byLogits ? probabilities + byLogits : probabilities});
}

/// Requires the same batch size of all inputs. Returns it, or -1.
LongType batchOf(Inference& in) {
  constexpr const char* NAMES[] = {"labels", "logits", "label_lengths", "logit_lengths"};
  const PartialShape logits = in.input(1);
  LongType batch = logits.hasRank() ? logits[0] : PartialShape::UNKNOWN;
  for (int i = 0; i < 4; i++) {
    const PartialShape shape = in.input(i);
    if (!shape.hasRank() || shape[0] == PartialShape::UNKNOWN) continue;
    if (batch == PartialShape::UNKNOWN) batch = shape[0];
    if (shape[0] != batch)
      reject("input {} '{}': its shape {} and the shape of input 1 'logits', {}, differ in batch size", i, NAMES[i],
             shape.text(), logits.text());
  }
  return batch;
}

void describe(Schema& schema) {
  schema.input("labels", "[B, S]").rank(2);
  schema.input("logits", "[B, T, K], log-probabilities").types({ALL_FLOATS}).rank(3);
  schema.input("label_lengths", "[B], the number of labels of each sample").rank(1);
  schema.input("logit_lengths", "[B], the number of frames of each sample").rank(1);
  schema.argument(&CtcLoss::blank, "blank", "the class that means no label; K - 1 when it is outside 0..K-1")
      .atInteger(0);
  schema.inputTypes({INT32, INT64}).outputTypes({ALL_FLOATS});
  schema.words("connectionist temporal classification, speech recognition, alignment");
  // log(0.5): two classes of the same probability in each of two frames
  schema.example(
      R"({"labels": [[0]], "logits": [[[-0.6931471805599453, -0.6931471805599453], [-0.6931471805599453, -0.6931471805599453]]], "label_lengths": [1], "logit_lengths": [2], "blank": 1})");
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
INFERRED_SHAPES(ctc_loss)
DECLARE_SCHEMA(ctc_loss) {
  schema.summary("Connectionist temporal classification: the loss of label sequences.")
      .formula("loss = -log(sum of the probabilities of all alignments)")
      .note("Lengths are limited to the available sizes, labels to the number of frames.");
  describe(schema);
  schema.output("loss", "[B], the type of logits; inf when there is no alignment, 0 without frames");
  schema.infer([](Inference& in) {
    const LongType batch = batchOf(in);
    in.output(in.input(1).type(), {batch});
  });
  schema.elsewhere({.torch = "torch.nn.functional.ctc_loss", .tensorflow = "tf.nn.ctc_loss"}).see("ctc_beam");
  schema.gradient([](Gradient& g) {
    // ctc_loss_grad takes the logits through a softmax first, which adds exp(logits) in the frames that are used.
    const Symbol logits = g.input(1),
                 result = g.call("ctc_loss_grad", {g.input(0), logits, g.input(2), g.input(3)}, g.ownArguments());
    const Symbol byLogits = result - g.call("transform.Exp", {logits}) * usedFrames(g);
    g.set(1, byLogits * g.expandDims(g.expandDims(g.of(), -1), -1));
  });
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
INFERRED_SHAPES(ctc_loss_grad)
DECLARE_SCHEMA(ctc_loss_grad) {
  schema.summary("The gradient of ctc_loss with respect to the inputs of log_softmax.")
      .formula("gradLogits = exp(logits) - the probability of each class given the labels")
      .note(
          "Lengths are limited to the available sizes, labels to the number of frames. The gradient with respect to "
          "the logits themselves is gradLogits - exp(logits) in the frames that are used. The gradient of the loss is "
          "not an input and multiplies the result.");
  describe(schema);
  schema.output("gradLogits", "the shape and type of logits; 0 in frames that are not used");
  schema.gradient(framesRule).see("ctc_loss").infer([](Inference& in) {
    const LongType batch = batchOf(in);
    PartialShape logits = in.input(1);
    if (!logits.hasRank()) logits = PartialShape::ofRank(logits.type(), 3);
    in.output(logits.set(0, batch));
  });
}

}  // namespace sd::ops
