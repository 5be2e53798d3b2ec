// Skip-gram: a word's vector is trained to predict the words around it.
// operations: skipgram skipgram_inference
#include "ops/declarable/generic/nlp/Arguments.h"

namespace sd::ops {

using namespace word2vec;

CONFIGURABLE_OP_IMPL(skipgram, 12, 12, true, 0, 0) {
  requireInPlace(block);
  const NDArray &target = *INPUT_VARIABLE(0), &starter = *INPUT_VARIABLE(1), &indices = *INPUT_VARIABLE(2),
                &codes = *INPUT_VARIABLE(3);
  const Tables tables(*INPUT_VARIABLE(4), *INPUT_VARIABLE(5), *INPUT_VARIABLE(6), *INPUT_VARIABLE(7),
                      *INPUT_VARIABLE(8));
  const int rounds = arguments<Skipgram>(block).negativeRounds;
  const bool single = (target.isScalar() && !target.isEmpty()) || (starter.isScalar() && !starter.isEmpty());
  const bool vectors = target.isVector() || starter.isVector();
  if (!single && !vectors)
    fail<std::runtime_error>("[skipgram] input 0 'target': its shape is {}, but a scalar or a vector is needed",
                             text(target));
  const auto rows = static_cast<size_t>(single ? 1 : std::max(target.lengthOf(), starter.lengthOf()));
  const std::vector<LongType> nodes = valuesOf(indices), branches = valuesOf(codes);
  if (nodes.size() != branches.size())
    reject("input 3 'codes': its shape is {}, but input 2 'indices' has shape {}", text(codes), text(indices));
  if (nodes.size() % rows != 0) reject("input 2 'indices': its shape {} does not have {} rows", text(indices), rows);
  const size_t steps = nodes.size() / rows;
  const PerRow<LongType> targets(valuesOf(target), rows, true, "target"),
      starters(valuesOf(starter), rows, true, "ng_starter");
  const PerRow<double> alphas(realsOf(*INPUT_VARIABLE(9)), rows, false, "learning_rate");
  const PerRow<LongType> randoms(valuesOf(*INPUT_VARIABLE(10)), rows, rounds == 0, "random_value");
  NDArray* inference = single ? inferenceVector(*INPUT_VARIABLE(11), tables) : nullptr;

  std::vector<Step> batch(rows);
  std::vector<Input> inputs(rows);
  for (size_t b = 0; b < rows; b++) {
    const auto from = static_cast<std::ptrdiff_t>(b * steps), to = static_cast<std::ptrdiff_t>((b + 1) * steps);
    batch[b].indices.assign(nodes.begin() + from, nodes.begin() + to);
    batch[b].codes.assign(branches.begin() + from, branches.begin() + to);
    if (!starters.empty() && rounds > 0) {
      batch[b].starter = starters.at(b);
      requireWord(batch[b].starter, tables.words, "ng_starter");
    }
    batch[b].alpha = alphas.at(b);
    if (!randoms.empty()) batch[b].random = static_cast<UnsignedLong>(randoms.at(b));
    if (inference != nullptr) {
      inputs[b].inference = true;
    } else {
      if (targets.empty()) reject("input 0 'target': it is empty, but there is no inference vector");
      requireWord(targets.at(b), tables.words, "target");
      inputs[b].rows = inputs[b].updated = {targets.at(b)};
    }
  }
  requireTables(tables, batch, rounds);
  train(tables, inference, batch, inputs, rounds, single ? Outside::Stops : Outside::Skips);
  return Status::OK;
}
DECLARE_SCHEMA(skipgram) {
  schema.summary("Steps of skip-gram training: vectors of words learn to predict words near them.");
  schema.input("target", "a scalar or [B], the words that are trained; may be empty with inference_vector")
      .types({ALL_INTS});
  schema.input("ng_starter", "a scalar, [B] or empty: the words that are predicted, by negative sampling")
      .types({ALL_INTS});
  schema
      .input("indices",
             "[R] or [B, R], inner nodes of the words that are predicted; a single target stops at an index outside "
             "the words, a batch skips it")
      .types({ALL_INTS});
  schema.input("codes", "the shape of indices, the branches taken there, 0 or 1").types({ALL_INTS});
  tableInputs(schema, true);
  schema.input("learning_rate", "a scalar or [B]").types({ALL_FLOATS});
  schema.input("random_value", "a scalar or [B], the random states of negative sampling").types({ALL_INTS});
  schema
      .input("inference_vector",
             "[D] or empty; it is trained in place of the target, and is then the only array that is trained")
      .types({ALL_FLOATS});
  roundsArgument<Skipgram>(schema);
  describeTraining(schema, SD_TRAINING_NOTE);
  schema.words("word2vec, word embeddings, negative sampling, hierarchical softmax").see("skipgram_inference cbow");
}

namespace {

/// The integers, as the note says.
bool readInference(const ArgumentRow&, const graph::Context& block, void* arguments) {
  if (block.numI() == 0 && block.hasNamedArguments()) return false;
  auto& a = *static_cast<SkipgramInference*>(arguments);
  ArgumentReader list(block);
  readBranches(list, a, [] {});
  a.target = list.next("target");
  a.ngStarter = list.next("ng_starter");
  a.negativeRounds = readTail(list, a.randomValue);
  return true;
}

}  // namespace

CONFIGURABLE_OP_IMPL(skipgram_inference, 6, 6, true, -2, -2) {
  requireInPlace(block);
  const Tables tables(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), *INPUT_VARIABLE(3),
                      *INPUT_VARIABLE(4));
  const auto& a = arguments<SkipgramInference>(block);
  const Step step = stepOf(a, tables);
  Input input;
  NDArray* inference = inferenceVector(*INPUT_VARIABLE(5), tables);
  if (inference != nullptr) {
    input.inference = true;
  } else {
    requireWord(a.target, tables.words, "target");
    input.rows = input.updated = {a.target};
  }
  requireTables(tables, {step}, a.negativeRounds);
  train(tables, inference, {step}, {input}, a.negativeRounds, Outside::Stops);
  return Status::OK;
}
DECLARE_SCHEMA(skipgram_inference) {
  schema.summary("One step of skip-gram training with an inference vector.");
  tableInputs(schema, false);
  schema.input("inference_vector", "[D] or empty; it is trained instead of a word").types({ALL_FLOATS});
  schema.inputTypes({ALL_FLOATS});
  branchArguments<SkipgramInference>(schema, readInference);
  schema.argument(&SkipgramInference::target, "target", "the word to train without inference_vector").readBy(isListed);
  samplingArguments<SkipgramInference>(schema);
  describeTraining(
      schema, SD_TRAINING_NOTE
      " Positionally the integers are the numbers of codes and of indices, these two lists, target, ng_starter, "
      "random_value, a number that is not used, negative_rounds; the last two may be missing.");
  schema.words("word2vec, word embeddings, inference, paragraph vectors").see("skipgram cbow_inference");
}

}  // namespace sd::ops
