// Continuous bag of words: the mean of the vectors around a word is trained to predict the word.
// operations: cbow cbow_inference
#include "ops/declarable/generic/nlp/Arguments.h"

namespace sd::ops {

using namespace word2vec;

namespace {

/// The words around a word. Negative words are padding in the rows of a batch.
struct Context {
  std::vector<LongType> words, locked;
  LongType labels = 0;  ///< number of words at the end that are labels
};

/// The vector to train: the mean over the words. The words, or only the labels among them, are updated unless locked.
Input inputOf(const Context& context, LongType vocabulary, bool trainWords, bool inference) {
  Input input;
  const auto width = static_cast<LongType>(context.words.size());
  if (context.labels < 0 || context.labels > width)
    reject("input 'num_labels': {} is outside 0..{}, the number of context words", context.labels, width);
  const LongType first = trainWords ? 0 : width - context.labels;
  for (LongType c = 0; c < width; c++) {
    const LongType word = context.words[static_cast<size_t>(c)];
    if (word < 0) continue;
    if (word >= vocabulary)
      fail<std::runtime_error>("[{}] input 'context': value {} is outside 0..{}", *RunningOp::current(), word,
                               vocabulary - 1);
    input.rows.push_back(word);
    const bool isLocked = !context.locked.empty() && context.locked[static_cast<size_t>(c)] == 1;
    if (!inference && c >= first && !isLocked) input.updated.push_back(word);
  }
  input.inference = inference;
  input.divisor = static_cast<LongType>(input.rows.size()) + (inference ? 1 : 0);
  return input;
}

void requireNodes(const Step& step, LongType words, bool padding) {
  for (const LongType node : step.indices)
    if (node >= words || (node < 0 && !padding))
      fail<std::runtime_error>("[{}] input 'indices': value {} is outside 0..{}", *RunningOp::current(), node,
                               words - 1);
}

}  // namespace

CONFIGURABLE_OP_IMPL(cbow, 15, 15, true, 0, 0) {
  requireInPlace(block);
  const NDArray &starter = *INPUT_VARIABLE(1), &context = *INPUT_VARIABLE(2), &indices = *INPUT_VARIABLE(3),
                &codes = *INPUT_VARIABLE(4), &locked = *INPUT_VARIABLE(13);
  const Tables tables(*INPUT_VARIABLE(5), *INPUT_VARIABLE(6), *INPUT_VARIABLE(7), *INPUT_VARIABLE(8),
                      *INPUT_VARIABLE(9));
  const auto& a = arguments<Cbow>(block);
  const int rounds = a.negativeRounds;
  const bool single = context.rankOf() <= 1, fits = indices.isEmpty() || (indices.rankOf() <= 1) == single;
  if (context.rankOf() > 2 || indices.rankOf() > 2 || !fits)
    fail<std::runtime_error>("[cbow] input 2 'context': its shape {} does not match the shape of input 3 'indices', {}",
                             text(context), text(indices));
  const auto rows = static_cast<size_t>(single ? 1 : context.sizeAt(0));
  const std::vector<LongType> words = valuesOf(context), locks = valuesOf(locked), nodes = valuesOf(indices),
                              branches = valuesOf(codes);
  if (nodes.size() != branches.size())
    reject("input 4 'codes': its shape is {}, but input 3 'indices' has shape {}", text(codes), text(indices));
  if (rows == 0) return Status::OK;
  if (nodes.size() % rows != 0 || (!single && !indices.isEmpty() && indices.sizeAt(0) != context.sizeAt(0)))
    reject("input 3 'indices': its shape {} does not have {} rows", text(indices), rows);
  if (!locks.empty() && locks.size() != words.size())
    reject("input 13 'locked_words': its shape is {}, but input 2 'context' has shape {}", text(locked), text(context));
  const size_t steps = nodes.size() / rows, width = words.size() / rows;
  std::vector<LongType> counts = valuesOf(*INPUT_VARIABLE(12));
  if (counts.size() > rows) counts.resize(rows);
  const PerRow<LongType> starters(valuesOf(starter), rows, true, "ng_starter"),
      randoms(valuesOf(*INPUT_VARIABLE(11)), rows, rounds == 0, "random_value"),
      labels(std::move(counts), rows, true, "num_labels");
  const PerRow<double> alphas(realsOf(*INPUT_VARIABLE(10)), rows, false, "learning_rate");
  NDArray* inference = single ? inferenceVector(*INPUT_VARIABLE(14), tables) : nullptr;

  std::vector<Step> batch(rows);
  std::vector<Input> inputs(rows);
  for (size_t b = 0; b < rows; b++) {
    const auto part = [b](const std::vector<LongType>& all, size_t size) {
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(all.empty() ? 0 : b * size);
      return std::vector<LongType>(from, all.empty() ? from : from + static_cast<std::ptrdiff_t>(size));
    };
    Context around{part(words, width), part(locks, width), labels.empty() ? 0 : labels.at(b)};
    if (single)
      for (const LongType word : around.words) requireWord(word, tables.words, "context");
    inputs[b] = inputOf(around, tables.words, a.trainWords, inference != nullptr);
    batch[b].indices = part(nodes, steps);
    requireNodes(batch[b], tables.words, !single);
    const std::vector<LongType> taken = part(branches, steps);
    batch[b].codes.assign(taken.begin(), taken.end());
    if (!starters.empty() && rounds > 0) {
      batch[b].starter = starters.at(b);
      requireWord(batch[b].starter, tables.words, "ng_starter");
    }
    batch[b].alpha = alphas.at(b);
    if (!randoms.empty()) batch[b].random = static_cast<UnsignedLong>(randoms.at(b));
  }
  requireTables(tables, batch, rounds);
  train(tables, inference, batch, inputs, rounds, Outside::Skips);
  return Status::OK;
}
DECLARE_SCHEMA(cbow) {
  schema.summary("Steps of CBOW training: the mean of the vectors near a word learns to predict it.");
  const auto integers = [&](const char* name, const char* text) { schema.input(name, text).types({ALL_INTS}); };
  integers("target", "not used");
  integers("ng_starter", "a scalar, [B] or empty: the words that are predicted, by negative sampling");
  integers("context", "[W] or [B, W], the context words; in a batch, negative values are padding");
  integers("indices",
           "[R] or [B, R], inner nodes of the words that are predicted; in a batch, negative values are padding");
  integers("codes", "the shape of indices, the branches taken there, 0 or 1");
  tableInputs(schema, true);
  schema.input("learning_rate", "a scalar or [B]").types({ALL_FLOATS});
  integers("random_value", "a scalar or [B], the random states of negative sampling");
  integers("num_labels", "a scalar, [B] or more, or empty: the number of words at the end of context that are labels");
  integers("locked_words", "the shape of context, or empty: 1 marks a word that is not changed");
  schema.input("inference_vector", "[D] or empty; it is added to the words and is the only array that is changed")
      .types({ALL_FLOATS});
  roundsArgument<Cbow>(schema);
  schema.argument(&Cbow::trainWords, "train_words", "whether words are changed too, not only labels").atFlag(0);
  describeTraining(schema, SD_TRAINING_NOTE);
  schema.words("word2vec, word embeddings, continuous bag of words, negative sampling, hierarchical softmax")
      .see("cbow_inference skipgram");
}

namespace {

/// The integers, as the note says.
bool readInference(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() == 0 && block.hasNamedArguments()) return false;
  auto& a = *static_cast<CbowInference*>(arguments);
  ArgumentReader list(block);
  LongType words = 0, locked = 0;
  readBranches(list, a, [&] {
    words = list.next("the number of words of context");
    locked = list.next("the number of locked words");
  });
  a.context = list.next(words, "context");
  a.lockedWords = list.next(locked, "locked_words");
  (void)list.next("target");
  a.ngStarter = list.next("ng_starter");
  a.numLabels = list.next("num_labels");
  a.negativeRounds = readTail(list, a.randomValue);
  return true;
}

}  // namespace

CONFIGURABLE_OP_IMPL(cbow_inference, 6, 6, true, -2, -2) {
  requireInPlace(block);
  const Tables tables(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), *INPUT_VARIABLE(3),
                      *INPUT_VARIABLE(4));
  const auto& a = arguments<CbowInference>(block);
  if (!a.lockedWords.empty() && a.lockedWords.size() != a.context.size())
    reject("argument 'locked_words': {} locks are given for {} context words", a.lockedWords.size(), a.context.size());
  const Step step = stepOf(a, tables);
  const int rounds = a.negativeRounds;
  const Context around{a.context, a.lockedWords, a.numLabels};
  for (const LongType word : around.words) requireWord(word, tables.words, "context");
  requireNodes(step, tables.words, false);
  NDArray* inference = inferenceVector(*INPUT_VARIABLE(5), tables);
  const Input input = inputOf(around, tables.words, a.trainWords, inference != nullptr);
  requireTables(tables, {step}, rounds);
  train(tables, inference, {step}, {input}, rounds, Outside::Skips);
  return Status::OK;
}
DECLARE_SCHEMA(cbow_inference) {
  using A = CbowInference;
  schema.summary("One step of CBOW training with an inference vector.");
  tableInputs(schema, false);
  schema.input("inference_vector", "[D] or empty; it is trained instead of a word").types({ALL_FLOATS});
  schema.inputTypes({ALL_FLOATS});
  branchArguments<A>(schema, readInference);
  schema.argument(&A::context, "context", "the context words").readBy(isListed);
  schema.argument(&A::lockedWords, "locked_words", "1 locks a word of context").readBy(isListed);
  samplingArguments<A>(schema);
  schema
      .argument(&A::trainWords, "train_words",
                "whether words are changed too, not only labels; without inference_vector")
      .atFlag(0);
  describeTraining(
      schema, SD_TRAINING_NOTE
      " Positionally the integers are the numbers of codes, of indices, of words of context and of locked words, these "
      "four lists, a word that is not used, ng_starter, num_labels, random_value, a number that is not used, "
      "negative_rounds; the last two may be missing.");
  schema.words("word2vec, word embeddings, inference, paragraph vectors, continuous bag of words")
      .see("cbow skipgram_inference");
}

}  // namespace sd::ops
