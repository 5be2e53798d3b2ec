#include "ops/declarable/generic/nlp/Arguments.h"

namespace sd::ops::word2vec {

void requireInPlace(graph::Context& block) {
  if (!block.isInplace()) reject("the operation works only in place");
}

std::vector<LongType> valuesOf(const NDArray& array) {
  return array.isEmpty() ? std::vector<LongType>() : array.getBufferAsVector<LongType>();
}

std::vector<double> realsOf(const NDArray& array) {
  return array.isEmpty() ? std::vector<double>() : array.getBufferAsVector<double>();
}

int roundsOf(graph::Context& block, size_t index) {
  const LongType rounds = integer(block, index, 0);
  if (rounds < 0 || rounds > INT32_MAX) reject("argument 'nsRounds': {} is outside 0..2147483647", rounds);
  return static_cast<int>(rounds);
}

NDArray* inferenceVector(NDArray& array, const Tables& tables) {
  if (array.isEmpty()) return nullptr;
  if (array.lengthOf() != tables.width)
    reject("input 'inferenceVector': its shape is {}, but word vectors have {} elements", text(array), tables.width);
  return &array;
}

void requireTables(const Tables& tables, const std::vector<Step>& steps, int rounds) {
  for (const Step& step : steps) {
    if (!step.codes.empty() && tables.syn1.isEmpty()) reject("input 'syn1': it is empty, but codes are given");
    if (rounds == 0 || step.starter < 0) continue;
    if (tables.syn1neg.isEmpty()) reject("input 'syn1neg': it is empty, but there are rounds of negative sampling");
    if (tables.negTable.isEmpty()) reject("input 'negTable': it is empty, but there are rounds of negative sampling");
    requireWord(step.starter, std::min(tables.words, tables.syn1neg.sizeAt(0)), "ngStarter");
  }
}

OpDescriptor* allowTypes(OpDescriptor* descriptor, const char* kinds) {
  for (int k = 0; kinds[k] != 0; k++) {
    if (kinds[k] == 'i')
      descriptor->setAllowedInputTypes(k, {ALL_INTS});
    else if (kinds[k] == 'f')
      descriptor->setAllowedInputTypes(k, {ALL_FLOATS});
    else
      descriptor->setAllowedInputTypes(k, {ALL_FLOATS, ALL_INTS});
  }
  return descriptor->setAllowedOutputTypes(ANY);
}

void requireWord(LongType word, LongType words, const char* name) {
  if (word < 0 || word >= words) reject("input '{}': value {} is outside 0..{}", name, word, words - 1);
}

LongType ArgumentReader::next(const char* name) {
  if (!more()) reject("integer argument {} '{}' is missing: {} are given", _next, name, _block.numI());
  return _block.intArgument64(_next++);
}

std::vector<LongType> ArgumentReader::next(LongType count, const char* name) {
  if (count < 0) reject("argument '{}': a count of {} is negative", name, count);
  if (count > static_cast<LongType>(_block.numI() - _next))
    reject("integer argument '{}': {} values are needed, but {} arguments are left", name, count,
           _block.numI() - _next);
  std::vector<LongType> values;
  for (LongType k = 0; k < count; k++) values.push_back(_block.intArgument64(_next++));
  return values;
}

int readRounds(graph::Context& block, ArgumentReader& arguments, LongType starter, const Tables& tables, Step& step) {
  step.random = static_cast<UnsignedLong>(arguments.next("randomValue"));
  if (arguments.more()) (void)arguments.next("numWorkers");
  const int rounds = arguments.more() ? roundsOf(block, arguments.position()) : 0;
  if (rounds > 0) {
    requireWord(starter, tables.words, "ngStarter");
    step.starter = starter;
  }
  step.alpha = T_ARG(0);
  return rounds;
}

}  // namespace sd::ops::word2vec
