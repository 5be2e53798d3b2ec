// Reads inputs and arguments for the training steps of word vectors. The sequences of a batch are rows.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_GENERIC_NLP_ARGUMENTS_H
#define NDFORGE_SRC_OPS_DECLARABLE_GENERIC_NLP_ARGUMENTS_H

#include <ops/declarable/headers/nlp.h>

#include "ops/declarable/helpers/inference.h"
#include "ops/declarable/helpers/word2vec.h"

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

/// The vector of inference; null when the input is empty. @throws std::invalid_argument when its shape is wrong
NDArray* inferenceVector(NDArray& array, const Tables& tables);

/// Checks the tables that hierarchical softmax and negative sampling use. @throws std::invalid_argument
void requireTables(const Tables& tables, const std::vector<Step>& steps, int rounds);

/// Requires a row of syn0. @throws std::invalid_argument
void requireWord(LongType word, LongType words, const char* name);

/// Reads integer arguments one after the other.
class ArgumentReader {
 public:
  explicit ArgumentReader(const graph::Context& block) : _block(block) {}
  bool more() const { return _next < _block.numI(); }
  /// @throws std::invalid_argument when there are no arguments left
  LongType next(const char* name);
  std::vector<LongType> next(LongType count, const char* name);

 private:
  const graph::Context& _block;
  size_t _next = 0;
};

/// The first integers of an inference step: the numbers of codes and of indices (then those that `more` reads), the
/// codes, the indices. @throws std::invalid_argument when the two numbers differ or integers are missing
template <typename S, typename F>
void readBranches(ArgumentReader& list, S& a, F&& more) {
  const LongType codes = list.next("the number of codes"), indices = list.next("the number of indices");
  more();
  if (codes != indices) reject("argument 'indices': {} indices are given for {} codes", indices, codes);
  a.codes = list.next(codes, "codes");
  a.indices = list.next(indices, "indices");
}

/// The last integers of an inference step: the random value, the number of workers, which is not used, and the rounds
/// of negative sampling, which are returned. The last two may be missing.
int readTail(ArgumentReader& list, LongType& random);

/// The step that the arguments of an inference describe. @throws std::invalid_argument
template <typename S>
Step stepOf(const S& a, const Tables& tables) {
  if (a.codes.size() != a.indices.size())
    reject("argument 'indices': {} indices are given for {} codes", a.indices.size(), a.codes.size());
  Step step;
  step.codes.assign(a.codes.begin(), a.codes.end());
  step.indices = a.indices;
  step.random = static_cast<UnsignedLong>(a.randomValue);
  if (a.negativeRounds > 0) {
    requireWord(a.ngStarter, tables.words, "ng_starter");
    step.starter = a.ngStarter;
  }
  step.alpha = a.learningRate;
  return step;
}

// ---- schemas

/// syn0, syn1, syn1neg, exp_table, neg_table; the last one may have `integers`.
void tableInputs(Schema& schema, bool integers);

#define SD_TRAINING_NOTE                                                                                             \
  "Works only in place. The tables share one type. Hierarchical softmax: g = (1 - code - sigmoid(row . syn1[i])) * " \
  "learning_rate; negative sampling: g = (label - sigmoid(row . syn1neg[i])) * learning_rate. Rows of a batch are "  \
  "trained one after the other, so that results do not depend on the number of threads."
/// The note, outputs and traits of a training step.
void describeTraining(Schema& schema, const char* note);

template <typename S>
void roundsArgument(Schema& schema) {
  schema.argument(&S::negativeRounds, "negative_rounds", "rounds of negative sampling").atInteger(1).atLeast(0);
}

/// The list of integers has been read together with the first argument of it.
inline bool isListed(const ArgumentRow&, const graph::Context& block, void*) { return block.numI() > 0; }

/// The learning rate of a positional call. @throws std::out_of_range when it is missing
template <typename S>
bool readRate(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numT() == 0 && block.hasNamedArguments()) return false;
  static_cast<S*>(arguments)->learningRate = block.floatArgument(0);
  return true;
}

/// Rows of the integers that inference steps share; `read` reads the whole list.
template <typename S>
void branchArguments(Schema& schema, PositionalReader read) {
  schema.argument(&S::learningRate, "learning_rate", "the learning rate").atFloat(0).readBy(readRate<S>);
  schema.argument(&S::codes, "codes", "the branches taken at indices, 0 or 1").readBy(read);
  schema.argument(&S::indices, "indices", "inner nodes of the word that is predicted").readBy(isListed);
}

template <typename S>
void samplingArguments(Schema& schema) {
  schema.argument(&S::ngStarter, "ng_starter", "the word that negative sampling predicts").readBy(isListed);
  if constexpr (requires { &S::numLabels; })
    schema.argument(&S::numLabels, "num_labels", "words at the end of context that are labels").readBy(isListed);
  schema.argument(&S::randomValue, "random_value", "the random state of negative sampling").readBy(isListed);
  schema.argument(&S::negativeRounds, "negative_rounds", "rounds of negative sampling").atLeast(0).readBy(isListed);
}

}  // namespace sd::ops::word2vec

#endif
