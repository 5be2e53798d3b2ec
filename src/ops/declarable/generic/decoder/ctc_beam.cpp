// The most probable label sequences of connectionist temporal classification, by a prefix beam search in log space.
// Graves, "Sequence transduction with recurrent neural networks", 2012; Hannun et al., "First-pass large vocabulary
// continuous speech recognition using bi-directional recurrent DNNs", 2014.
// operations: ctc_beam
#include <ops/declarable/headers/decoder.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

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
  Settings(graph::Context& block, LongType classes)
      : blank(integer(block, 0, -1)), width(integer(block, 1, 25)), best(integer(block, 2, 1)) {
    if (best < 1 || best > width) reject("argument 'nbest': {} is outside 1..{}, the beam width", best, width);
    if (blank < 0 || blank >= classes) blank = classes - 1;
  }
};

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
  const Settings settings(block, classes);
  const Dense counts(lengths, INT64);
  for (LongType b = 0; b < batch; b++)
    if (counts.as<LongType>()[b] < 0)
      reject("input 1 'lengths': value {} at [{}] is negative (shape {})", counts.as<LongType>()[b], b, text(lengths));
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
               std::min(counts.as<LongType>()[b], frames), classes, flag(block, 0), settings,
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

DECLARE_SHAPE_FN(ctc_beam) {
  const LongType *logits = inputShape->at(0), *lengths = inputShape->at(1);
  if (shape::rank(logits) != 3)
    reject("input 0 'logits': its rank is {}, not 3 (shape {})", shape::rank(logits), text(logits));
  if (shape::rank(lengths) != 1)
    reject("input 1 'lengths': its rank is {}, not 1 (shape {})", shape::rank(lengths), text(lengths));
  const LongType* dims = shape::shapeOf(logits);
  if (shape::shapeOf(lengths)[0] != dims[0])
    reject("input 1 'lengths': its shape is {}, but input 0 'logits' has {} samples (shape {})", text(lengths), dims[0],
           text(logits));
  if (dims[2] < 1) reject("input 0 'logits': there are no classes (shape {})", text(logits));
  const Settings settings(block, dims[2]);
  const DataType counts = ArrayOptions::dataType(lengths);
  return shapes(shapeOf(counts, 'c', {dims[0], settings.best, dims[1]}),
                shapeOf(ArrayOptions::dataType(logits), 'c', {dims[0], settings.best}),
                shapeOf(counts, 'c', {dims[0], settings.best}));
}

DECLARE_TYPES(ctc_beam) {
  getOpDescriptor()
      ->setAllowedInputTypes(0, {ALL_FLOATS})
      ->setAllowedInputTypes(1, {INT32, INT64})
      ->setAllowedOutputTypes(0, {INT32, INT64})
      ->setAllowedOutputTypes(1, {ALL_FLOATS})
      ->setAllowedOutputTypes(2, {INT32, INT64})
      ->document(
          {.summary = "The most probable symbol sequences for frames of class scores, found by a beam search over "
                      "prefixes (connectionist temporal classification).",
           .inputs = "logits: [B, T, C], log-probabilities\nlengths: [B], INT32 or INT64: the number of frames of each "
                     "sample; more than T count as T",
           .outputs = "sequences: [B, nbest, T], the type of lengths; padded with 0\n"
                      "logProbabilities: [B, nbest], the type of logits\nlengths: [B, nbest], the type of lengths",
           .integers =
               "blank?: the class that means no symbol; a negative or too large one means the last class (default -1)\n"
               "beamWidth?: prefixes kept after each frame (default 25)\n"
               "nbest?: sequences to return, at most beamWidth (default 1)",
           .booleans = "normalise?: logits are turned into log-probabilities first (default false)",
           .notes = "When there are fewer than nbest prefixes, all log-probabilities of the sample are -infinity. "
                    "Without frames the empty sequence has log-probability 0."});
}

}  // namespace sd::ops
