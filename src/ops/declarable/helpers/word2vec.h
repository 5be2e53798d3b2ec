// Training steps of word vectors: skip-gram and continuous bag of words, with hierarchical softmax and negative
// sampling. Mikolov et al., "Distributed representations of words and phrases and their compositionality", 2013.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WORD2VEC_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_WORD2VEC_H

#include <array/NDArray.h>

#include <memory>
#include <vector>

#include "ops/declarable/Common.h"

namespace sd::ops::word2vec {

/// An array that is read and written as contiguous elements of the compute type.
class Shared {
 public:
  Shared(NDArray& array, DataType type);
  template <typename T>
  T* as() {
    return _copy != nullptr ? _copy->bufferAsT<T>() : _array->bufferAsT<T>();
  }
  /// Writes a copy back to the array.
  void commit();

 private:
  NDArray* _array;
  std::unique_ptr<NDArray> _copy;
};

/// The tables of a model. Vectors: syn0, syn1 (inner nodes of the tree), syn1neg (words), each [V, D]; the last two may
/// be empty. expTable[k] = sigmoid((2 k / E - 1) * 6); negTable: words in proportion to their frequency.
struct Tables {
  NDArray &syn0, &syn1, &syn1neg;
  const NDArray &expTable, &negTable;
  LongType words, width;

  /// @throws std::invalid_argument when shapes or types do not agree
  Tables(NDArray& s0, NDArray& s1, NDArray& s1n, const NDArray& exp, const NDArray& neg);
};

/// One training step, which is a row of the batch.
struct Step {
  std::vector<LongType> indices;  ///< inner nodes on the path to the word
  std::vector<int> codes;         ///< the branches of that path, 0 or 1
  LongType starter = -1;          ///< the word for negative sampling, if there are rounds of it
  double alpha = 0;               ///< learning rate
  UnsignedLong random = 0;
};

/// The vector that a step trains: rows of syn0, and possibly a vector of inference, are added and divided by `divisor`.
struct Input {
  std::vector<LongType> rows;  ///< rows of syn0 that are added
  bool inference = false;      ///< the vector of inference is added, and only it is changed
  LongType divisor = 1;
  std::vector<LongType> updated;  ///< rows of syn0 that are updated
};

/// What an index outside the vocabulary does.
enum class Outside { Stops, Skips };

/// Runs steps one after the other. The caller must have checked rows, starters and lengths; `inference` is null when
/// there is no such vector.
void train(const Tables& tables, NDArray* inference, const std::vector<Step>& steps, const std::vector<Input>& inputs,
           int rounds, Outside outside);

}  // namespace sd::ops::word2vec

#endif
