// Reads inputs and arguments for the training steps of word vectors. The sequences of a batch are rows.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_NLP_ARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_NLP_ARGUMENTS_H

#include "ops/declarable/helpers/word2vec.h"

// A part of the documentation of inputs.
#define NDFORGE_MODEL_INPUTS                                                     \
  "syn0: [V, D], the vectors of the words\n"                                     \
  "syn1: [V, D], the vectors of the inner nodes; may be empty without codes\n"   \
  "syn1neg: [V, D], the vectors of negative sampling; may be empty without it\n" \
  "expTable: [E], sigmoid((2 k / E - 1) * 6)\n"                                  \
  "negTable: [L], words in proportion to their frequency; may be empty without negative sampling\n"

namespace sd::ops::word2vec {

/// @throws std::invalid_argument when the call is not in place
void requireInPlace(graph::Context& block);

/// All elements of an array; none if it is empty.
std::vector<LongType> valuesOf(const NDArray& array);
std::vector<double> realsOf(const NDArray& array);

/// One value for each row of a batch, or a single value for all rows.
template <typename T>
class PerRow {
 public:
  /// @throws std::invalid_argument unless there are 1 or `rows` values; with `optional`, none are allowed as well
  PerRow(std::vector<T> values, size_t rows, bool optional, const char* name) : _values(std::move(values)) {
    const size_t n = _values.size();
    if (n != 1 && n != rows && !(optional && n == 0))
      reject("input '{}': {} values are given for {} rows", name, n, rows);
  }
  bool empty() const { return _values.empty(); }
  T at(size_t row) const { return _values.size() == 1 ? _values[0] : _values[row]; }

 private:
  std::vector<T> _values;
};

/// The rounds of negative sampling: argument `index`, 0 when it is missing. @throws std::invalid_argument when negative
int roundsOf(graph::Context& block, size_t index);

/// The vector of inference; null when the input is empty. @throws std::invalid_argument when its shape is wrong
NDArray* inferenceVector(NDArray& array, const Tables& tables);

/// Checks the tables that hierarchical softmax and negative sampling use. @throws std::invalid_argument
void requireTables(const Tables& tables, const std::vector<Step>& steps, int rounds);

/// Requires a row of syn0. @throws std::invalid_argument
void requireWord(LongType word, LongType words, const char* name);

/// Reads integer arguments one after the other.
class ArgumentReader {
 public:
  explicit ArgumentReader(graph::Context& block) : _block(block) {}
  bool more() const { return _next < _block.numI(); }
  size_t position() const { return _next; }
  /// @throws std::invalid_argument when there are no arguments left
  LongType next(const char* name);
  std::vector<LongType> next(LongType count, const char* name);

 private:
  graph::Context& _block;
  size_t _next = 0;
};

/// The first arguments of an inference step: the numbers of codes and of indices (then those that `more` reads), the
/// codes, the indices. @throws std::invalid_argument when the two numbers differ or arguments are missing
template <typename F>
Step readBranches(ArgumentReader& arguments, F&& more) {
  const LongType codes = arguments.next("numCodes"), indices = arguments.next("numIndices");
  more();
  if (codes != indices) reject("argument 'numIndices': {} indices are given for {} codes", indices, codes);
  Step step;
  const std::vector<LongType> branches = arguments.next(codes, "codes");
  step.codes.assign(branches.begin(), branches.end());
  step.indices = arguments.next(indices, "indices");
  return step;
}

/// The last arguments of an inference step: randomValue, numWorkers?, nsRounds?, and the learning rate. Sets `step`;
/// `starter` is the word that negative sampling predicts. Returns the number of rounds. @throws std::invalid_argument
int readRounds(graph::Context& block, ArgumentReader& arguments, LongType starter, const Tables& tables, Step& step);

/// Sets the types of the inputs, with a letter for each: i integers, f floating point, n both.
OpDescriptor* allowTypes(OpDescriptor* descriptor, const char* kinds);

constexpr const char* MODEL_NOTES =
    "Works only in place. The tables share one type. Hierarchical softmax: g = (1 - code - sigmoid(row . syn1[i])) * "
    "alpha; negative sampling: g = (label - sigmoid(row . syn1neg[i])) * alpha. Rows of a batch are trained one after "
    "the other, so that results do not depend on the number of threads.";

constexpr const char* INFERENCE_INPUTS = NDFORGE_MODEL_INPUTS "inferenceVector: [D]";

}  // namespace sd::ops::word2vec

#endif
