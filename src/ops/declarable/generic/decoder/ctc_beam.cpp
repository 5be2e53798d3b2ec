// The most probable label sequences of connectionist temporal classification, by a prefix beam search in log space.
// Graves, "Sequence transduction with recurrent neural networks", 2012; Hannun et al., "First-pass large vocabulary
// continuous speech recognition using bi-directional recurrent DNNs", 2014.
// operations: ctc_beam
#include <ops/declarable/headers/decoder.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/log_sum.h"
#include "ops/declarable/helpers/real.h"

namespace sd::ops {
namespace {

/// A sequence of symbols in the beam, with the log-probabilities that the frames so far end in a blank and in the
/// sequence's last symbol.
struct Prefix {
  int node;
  double blank, symbol;
  double total() const { return logSum(blank, symbol); }
};

/// The search for one sample.
class BeamSearch {
 public:
  BeamSearch(LongType classes, LongType blank, LongType width) : _classes(classes), _blank(blank), _width(width) {
    _beam.push_back({0, 0, NEVER});
  }

  /// Processes one more frame, given as log-probabilities of the classes.
  void advance(const std::vector<double>& logs) {
    // An extended prefix may equal another prefix of the beam, and must then be merged with it; all others are new.
    _placeOf.assign(_nodes.size(), -1);
    for (size_t k = 0; k < _beam.size(); k++) _placeOf[static_cast<size_t>(_beam[k].node)] = static_cast<int>(k);
    const size_t kept = _beam.size();
    std::vector<Candidate> candidates(kept);
    for (size_t k = 0; k < kept; k++) {
      const Prefix& prefix = _beam[k];
      const LongType last = symbolOf(prefix.node);
      candidates[k] = {static_cast<int>(k), -1, logs[static_cast<size_t>(_blank)] + prefix.total(),
                       last >= 0 ? logs[static_cast<size_t>(last)] + prefix.symbol : NEVER};
    }
    for (size_t k = 0; k < kept; k++) {
      const Prefix& prefix = _beam[k];
      const LongType last = symbolOf(prefix.node);
      for (LongType c = 0; c < _classes; c++) {
        if (c == _blank) continue;
        const double score = logs[static_cast<size_t>(c)] + (c == last ? prefix.blank : prefix.total());
        const auto known = _children.find(keyOf(prefix.node, c));
        const int place = known == _children.end() ? -1 : _placeOf[static_cast<size_t>(known->second)];
        if (place >= 0) {
          Candidate& met = candidates[static_cast<size_t>(place)];
          met.symbol = logSum(met.symbol, score);
        } else {
          candidates.push_back({static_cast<int>(k), static_cast<int>(c), NEVER, score});
        }
      }
    }
    for (Candidate& candidate : candidates) candidate.total = logSum(candidate.blank, candidate.symbol);
    keepBest(candidates);
  }

  /// The remaining prefixes, best first.
  const std::vector<Prefix>& beam() const { return _beam; }
  std::vector<LongType> symbolsOf(const Prefix& prefix) const {
    std::vector<LongType> symbols;
    for (int node = prefix.node; node != 0; node = _nodes[static_cast<size_t>(node)].parent)
      symbols.push_back(_nodes[static_cast<size_t>(node)].symbol);
    std::reverse(symbols.begin(), symbols.end());
    return symbols;
  }

 private:
  struct Node {
    int parent, symbol;
  };
  /// Prefix `from` of the beam, extended by a class (-1: not extended).
  struct Candidate {
    int from = 0, added = -1;
    double blank = NEVER, symbol = NEVER, total = NEVER;
  };

  LongType _classes, _blank, _width;
  std::vector<Node> _nodes{{0, -1}};            // node 0 is the empty sequence
  std::unordered_map<uint64_t, int> _children;  // of nodes that have been in the beam
  std::vector<Prefix> _beam;
  std::vector<int> _placeOf;  // for each node its index in the beam, or -1

  int symbolOf(int node) const { return _nodes[static_cast<size_t>(node)].symbol; }
  static uint64_t keyOf(int node, LongType c) { return static_cast<uint64_t>(node) << 32 | static_cast<uint64_t>(c); }

  void keepBest(std::vector<Candidate>& candidates) {
    const auto better = [](const Candidate& a, const Candidate& b) {
      if (a.total != b.total) return a.total > b.total;
      return a.from != b.from ? a.from < b.from : a.added < b.added;
    };
    const size_t count = std::min(candidates.size(), static_cast<size_t>(_width));
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end(),
                      better);
    std::vector<Prefix> next;
    for (size_t k = 0; k < count; k++) {
      const Candidate& best = candidates[k];
      int node = _beam[static_cast<size_t>(best.from)].node;
      if (best.added >= 0) {
        const auto [at, isNew] = _children.try_emplace(keyOf(node, best.added), static_cast<int>(_nodes.size()));
        if (isNew) _nodes.push_back({node, best.added});
        node = at->second;
      }
      next.push_back({node, best.blank, best.symbol});
    }
    _beam = std::move(next);
  }
};

struct Settings {
  LongType blank, width, best;
  Settings(const CtcBeam& a, LongType classes)
      : blank(a.blank < 0 || a.blank >= classes ? classes - 1 : a.blank), width(a.beamWidth), best(a.topPaths) {}
};

void requirePaths(const CtcBeam& a) {
  if (a.topPaths > a.beamWidth)
    reject("argument 'top_paths': {} is outside 1..{}, the beam width", a.topPaths, a.beamWidth);
}

/// The results for one sample.
struct Decoded {
  LongType* sequences;       ///< [best, frames]
  double* logProbabilities;  ///< [best]
  LongType* lengths;         ///< [best]
};

template <typename T>
void decode(const T* logits, LongType frames, LongType classes, bool normalise, const Settings& settings,
            const Decoded& result, LongType maxFrames) {
  BeamSearch search(classes, settings.blank, settings.width);
  std::vector<double> logs(frames > 0 ? static_cast<size_t>(classes) : 0);
  for (LongType t = 0; t < frames; t++) {
    std::copy_n(logits + t * classes, classes, logs.begin());
    if (normalise) {
      const double most = *std::max_element(logs.begin(), logs.end());
      double sum = 0;
      for (const double value : logs) sum += std::exp(value - most);
      for (double& value : logs) value -= most + std::log(sum);
    }
    search.advance(logs);
  }
  std::fill_n(result.sequences, settings.best * maxFrames, 0);
  std::fill_n(result.lengths, settings.best, 0);
  std::fill_n(result.logProbabilities, settings.best, NEVER);
  if (frames == 0) result.logProbabilities[0] = 0;
  if (frames == 0 || search.beam().size() < static_cast<size_t>(settings.best)) return;
  for (LongType k = 0; k < settings.best; k++) {
    const Prefix& prefix = search.beam()[static_cast<size_t>(k)];
    const std::vector<LongType> symbols = search.symbolsOf(prefix);
    std::copy(symbols.begin(), symbols.end(), result.sequences + k * maxFrames);
    result.lengths[k] = static_cast<LongType>(symbols.size());
    result.logProbabilities[k] = prefix.total();
  }
}

}  // namespace

CUSTOM_OP_IMPL(ctc_beam, 2, 3, false, 0, -2) {
  const NDArray &logits = *INPUT_VARIABLE(0), &lengths = *INPUT_VARIABLE(1);
  const LongType batch = logits.sizeAt(0), frames = logits.sizeAt(1), classes = logits.sizeAt(2);
  const auto& a = arguments<CtcBeam>(block);
  requirePaths(a);
  const Settings settings(a, classes);
  const Dense counts(lengths, INT64);
  for (LongType b = 0; b < batch; b++)
    if (counts.as<LongType>()[b] < 0)
      reject("input 1 'logit_lengths': value {} at [{}] is negative (shape {})", counts.as<LongType>()[b], b,
             text(lengths));
  if (OUTPUT_VARIABLE(1)->isEmpty()) return Status::OK;
  DenseOut sequences(*OUTPUT_VARIABLE(0), INT64), found(*OUTPUT_VARIABLE(2), INT64);
  DenseOut logProbabilities(*OUTPUT_VARIABLE(1), DOUBLE);
  auto *symbols = OUTPUT_VARIABLE(0)->isEmpty() ? nullptr : sequences.as<LongType>(), *n = found.as<LongType>();
  auto* p = logProbabilities.as<double>();
  const double cost = 20.0 * static_cast<double>(logits.lengthOf()) * static_cast<double>(settings.width);
  withReal(logits.dataType(), [&]<typename T>() {
    const Dense source(logits, computeType(logits));
    execution::parallelFor(batch, execution::threadsFor(cost), [&](LongType start, LongType stop) {
      for (LongType b = start; b < stop; b++)
        decode(logits.isEmpty() ? nullptr : source.as<T>() + b * frames * classes,
               std::min(counts.as<LongType>()[b], frames), classes, a.normalize, settings,
               {symbols == nullptr ? nullptr : symbols + b * settings.best * frames, p + b * settings.best,
                n + b * settings.best},
               frames);
    });
  });
  sequences.commit();
  logProbabilities.commit();
  found.commit();
  return Status::OK;
}
INFERRED_SHAPES(ctc_beam)
DECLARE_SCHEMA(ctc_beam) {
  using A = CtcBeam;
  schema
      .summary(
          "The most probable symbol sequences for frames of class scores, found by a beam search over prefixes "
          "(connectionist temporal classification).")
      .note(
          "When there are fewer than top_paths prefixes, all log-probabilities of the sample are -infinity. Without "
          "frames the empty sequence has log-probability 0.");
  schema.input("logits", "[B, T, C], log-probabilities").types({ALL_FLOATS}).rank(3);
  schema.input("logit_lengths", "[B], the number of frames of each sample; more than T count as T")
      .types({INT32, INT64})
      .rank(1);
  schema.argument(&A::blank, "blank", "the class that means no label; C - 1 when it is outside 0..C-1").atInteger(0);
  schema.argument(&A::beamWidth, "beam_width", "prefixes kept after each frame").atInteger(1).atLeast(1);
  schema.argument(&A::topPaths, "top_paths", "sequences to return, at most beam_width").atInteger(2).atLeast(1);
  schema.argument(&A::normalize, "normalize", "whether logits are turned into log-probabilities first").atFlag(0);
  schema.output("sequences", "[B, top_paths, T], the type of logit_lengths; padded with 0");
  schema.output("log_probabilities", "[B, top_paths], the type of logits");
  schema.output("lengths", "[B, top_paths], the type of logit_lengths");
  schema.outputTypes(0, {INT32, INT64}).outputTypes(1, {ALL_FLOATS}).outputTypes(2, {INT32, INT64});
  schema.infer([](Inference& in) {
    constexpr LongType UNKNOWN = PartialShape::UNKNOWN;
    const PartialShape logits = in.input(0), lengths = in.input(1);
    const auto& a = in.arguments<CtcBeam>();
    LongType batch = logits.hasRank() ? logits[0] : UNKNOWN, frames = logits.hasRank() ? logits[1] : UNKNOWN;
    if (lengths.hasRank() && lengths[0] != UNKNOWN) {
      if (batch != UNKNOWN && batch != lengths[0])
        reject("input 1 'logit_lengths': its shape is {}, but input 0 'logits' has {} samples (shape {})",
               lengths.text(), batch, logits.text());
      batch = lengths[0];
    }
    if (logits.hasRank() && logits[2] == 0) reject("input 0 'logits': there are no classes (shape {})", logits.text());
    requirePaths(a);
    in.output(lengths.type(), {batch, a.topPaths, frames});
    in.output(logits.type(), {batch, a.topPaths});
    in.output(lengths.type(), {batch, a.topPaths});
  });
  schema.notDifferentiable(DISCRETE_CHOICE);
  schema
      .example(
          R"({"logits": [[[-0.5108256237659907, -0.916290731874155], [-0.5108256237659907, -0.916290731874155]]], "logit_lengths": [2], "blank": 1})")
      .elsewhere({.tensorflow = "tf.nn.ctc_beam_search_decoder"})
      .words("connectionist temporal classification, speech recognition, beam search, decoder")
      .see("ctc_loss");
}

}  // namespace sd::ops
