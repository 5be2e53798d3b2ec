// Training steps of word vectors: skip-gram and continuous bag of words, with hierarchical softmax and negative
// sampling. Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WORD2VEC_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WORD2VEC_H

#include <array/NDArray.h>

#include <memory>
#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops::word2vec {

/// An array that is read and written, as contiguous elements of the type of computation.
class Shared {
 public:
  Shared(NDArray& array, DataType type);
  template <typename T>
  T* as() {
    return _copy != nullptr ? _copy->bufferAsT<T>() : _array->bufferAsT<T>();
  }
  /// Writes a copy back.
  void commit();

 private:
  NDArray* _array;
  std::unique_ptr<NDArray> _copy;
};

/// The tables of a model. Vectors: syn0, syn1 (inner nodes of the tree), syn1neg (words), each [V, D], the last two may
/// be empty. expTable[k] = sigmoid((2 k / E - 1) * 6); negTable: words by frequency.
struct Tables {
  NDArray &syn0, &syn1, &syn1neg;
  const NDArray &expTable, &negTable;
  LongType words, width;

  /// @throws std::invalid_argument when shapes or types do not agree
  Tables(NDArray& s0, NDArray& s1, NDArray& s1n, const NDArray& exp, const NDArray& neg);
};

/// One training step: a row of the batch.
struct Step {
  std::vector<LongType> indices;  ///< inner nodes on the way to the word
  std::vector<int> codes;         ///< the branches taken there, 0 or 1
  LongType starter = -1;          ///< the word of negative sampling, when there are rounds of it
  double alpha = 0;               ///< learning rate
  UnsignedLong random = 0;
};

/// The vector that a step trains: the sum of rows of syn0, divided, and a vector of inference.
struct Input {
  std::vector<LongType> rows;  ///< of syn0, which are added
  bool inference = false;      ///< the vector of inference is added, and it alone is changed
  LongType divisor = 1;
  std::vector<LongType> updated;  ///< rows of syn0 that are changed
};

/// What an index outside of the words does.
enum class Outside { Stops, Skips };

/// Runs steps one after the other. Everything has been checked: rows, starters, lengths; `inference` is null without
/// such a vector.
void train(const Tables& tables, NDArray* inference, const std::vector<Step>& steps, const std::vector<Input>& inputs,
           int rounds, Outside outside);

}  // namespace sd::ops::word2vec

#endif
