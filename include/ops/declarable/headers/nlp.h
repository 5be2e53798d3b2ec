// Training steps of word vectors (word2vec). They work in place only: the tables are inputs and outputs.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_NLP_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_NLP_H

#include <ops/declarable/DeclarableOp.h>

#include <vector>

namespace sd::ops {

namespace args {
struct Cbow {
  int negativeRounds = 0;  ///< of negative sampling
  bool trainWords = true;  ///< words are changed too, not only labels
};

struct Skipgram {
  int negativeRounds = 0;  ///< of negative sampling
};

struct SkipgramInference {
  double learningRate = 0.0;
  std::vector<LongType> codes{};    ///< the branches taken at indices, 0 or 1
  std::vector<LongType> indices{};  ///< inner nodes of the word that is predicted
  LongType target = 0;              ///< the word to train without a vector of inference
  LongType ngStarter = 0;           ///< the word that negative sampling predicts
  LongType randomValue = 0;
  int negativeRounds = 0;
};

struct CbowInference {
  double learningRate = 0.0;
  std::vector<LongType> codes{};
  std::vector<LongType> indices{};
  std::vector<LongType> context{};
  std::vector<LongType> lockedWords{};  ///< 1 locks a word of context; none: no word is locked
  LongType ngStarter = 0;
  LongType numLabels = 0;  ///< words at the end of context that are labels
  LongType randomValue = 0;
  int negativeRounds = 0;
  bool trainWords = true;
};
}  // namespace args

DECLARE_CONFIGURABLE_OP(skipgram, 12, 12, true, 0, 0)
DECLARE_CONFIGURABLE_OP(skipgram_inference, 6, 6, true, -2, -2)
DECLARE_CONFIGURABLE_OP(cbow, 15, 15, true, 0, 0)
DECLARE_CONFIGURABLE_OP(cbow_inference, 6, 6, true, -2, -2)

}  // namespace sd::ops

#endif
