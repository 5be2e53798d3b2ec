// Training steps of word vectors (word2vec). They work in place only: the tables are inputs and outputs.
#ifndef NDFORGE_OPS_DECLARABLE_HEADERS_NLP_H
#define NDFORGE_OPS_DECLARABLE_HEADERS_NLP_H

#include <ops/declarable/DeclarableOp.h>

namespace sd::ops {

DECLARE_CONFIGURABLE_OP(skipgram, 12, 12, true, 0, 0)
DECLARE_CONFIGURABLE_OP(skipgram_inference, 6, 6, true, -2, -2)
DECLARE_CONFIGURABLE_OP(cbow, 15, 15, true, 0, 0)
DECLARE_CONFIGURABLE_OP(cbow_inference, 6, 6, true, -2, -2)

}  // namespace sd::ops

#endif
