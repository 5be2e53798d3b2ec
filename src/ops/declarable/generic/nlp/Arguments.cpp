#include "ops/declarable/generic/nlp/Arguments.h"

#include "ops/declarable/helpers/inference.h"

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

NDArray* inferenceVector(NDArray& array, const Tables& tables) {
  if (array.isEmpty()) return nullptr;
  if (array.lengthOf() != tables.width)
    reject("input 'inference_vector': its shape is {}, but word vectors have {} elements", text(array), tables.width);
  return &array;
}

void requireTables(const Tables& tables, const std::vector<Step>& steps, int rounds) {
  for (const Step& step : steps) {
    if (!step.codes.empty() && tables.syn1.isEmpty()) reject("input 'syn1': it is empty, but codes are given");
    if (rounds == 0 || step.starter < 0) continue;
    if (tables.syn1neg.isEmpty()) reject("input 'syn1neg': it is empty, but there are rounds of negative sampling");
    if (tables.negTable.isEmpty()) reject("input 'neg_table': it is empty, but there are rounds of negative sampling");
    requireWord(step.starter, std::min(tables.words, tables.syn1neg.sizeAt(0)), "ng_starter");
  }
}

void requireWord(LongType word, LongType words, const char* name) {
  if (word < 0 || word >= words) reject("input '{}': value {} is outside 0..{}", name, word, words - 1);
}

LongType ArgumentReader::next(const char* name) {
  if (!more())
    fail<std::out_of_range>("[{}] argument '{}' is missing: {} integers are given", RunningOp::name(), name,
                            _block.numI());
  return _block.intArgument64(_next++);
}

std::vector<LongType> ArgumentReader::next(LongType count, const char* name) {
  if (count < 0) reject("argument '{}': a count of {} is negative", name, count);
  if (count > static_cast<LongType>(_block.numI() - _next))
    fail<std::out_of_range>("[{}] argument '{}': {} values are needed, but {} integers are left", RunningOp::name(),
                            name, count, _block.numI() - _next);
  std::vector<LongType> values;
  for (LongType k = 0; k < count; k++) values.push_back(_block.intArgument64(_next++));
  return values;
}

int readTail(ArgumentReader& list, LongType& random) {
  random = list.next("random_value");
  if (list.more()) (void)list.next("the number of workers");
  const LongType rounds = list.more() ? list.next("negative_rounds") : 0;
  if (rounds < 0 || rounds > INT32_MAX) reject("argument 'negative_rounds': {} is outside 0..2147483647", rounds);
  return static_cast<int>(rounds);
}

namespace {

struct InputText {
  const char *name, *text;
};
constexpr InputText TABLES[] = {
    {"syn0", "[V, D], the vectors of the words"},
    {"syn1", "[V, D], the vectors of the inner nodes; may be empty without codes"},
    {"syn1neg", "[V, D], the vectors of negative sampling; may be empty without it"},
    {"exp_table", "[E], sigmoid((2 k / E - 1) * 6)"},
};
constexpr InputText NEGATIVE_TABLE = {
    "neg_table", "[L], words in proportion to their frequency; may be empty without negative sampling"};

}  // namespace

void tableInputs(Schema& schema, bool integers) {
  for (const auto& [name, text] : TABLES) schema.input(name, text).types({ALL_FLOATS});
  InputRow& row = schema.input(NEGATIVE_TABLE.name, NEGATIVE_TABLE.text);
  if (integers)
    row.types({ALL_FLOATS, ALL_INTS});
  else
    row.types({ALL_FLOATS});
}

void describeTraining(Schema& schema, const char* note) {
  schema.note(note);
  schema.output("z", "the inputs, changed in place").any();
  schema.outputTypes({ANY}).infer(inferLikeInputs);
  schema.sideEffect("changes the tables").notDifferentiable(TRAINING_STEP);
}

}  // namespace sd::ops::word2vec
