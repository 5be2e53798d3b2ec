// Skip-gram: a word's vector is trained to predict the words around it.
// operations: skipgram skipgram_inference
#include <ops/declarable/headers/nlp.h>

#include "ops/declarable/generic/nlp/Arguments.h"

namespace sd::ops {

using namespace word2vec;

CONFIGURABLE_OP_IMPL(skipgram, 12, 12, true, 0, 0) {
  requireInPlace(block);
  const NDArray &target = *INPUT_VARIABLE(0), &starter = *INPUT_VARIABLE(1), &indices = *INPUT_VARIABLE(2),
                &codes = *INPUT_VARIABLE(3);
  const Tables tables(*INPUT_VARIABLE(4), *INPUT_VARIABLE(5), *INPUT_VARIABLE(6), *INPUT_VARIABLE(7),
                      *INPUT_VARIABLE(8));
  const int rounds = roundsOf(block, 1);
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
      starters(valuesOf(starter), rows, true, "ngStarter");
  const PerRow<double> alphas(realsOf(*INPUT_VARIABLE(9)), rows, false, "alpha");
  const PerRow<LongType> randoms(valuesOf(*INPUT_VARIABLE(10)), rows, rounds == 0, "randomValue");
  NDArray* inference = single ? inferenceVector(*INPUT_VARIABLE(11), tables) : nullptr;

  std::vector<Step> batch(rows);
  std::vector<Input> inputs(rows);
  for (size_t b = 0; b < rows; b++) {
    const auto from = static_cast<std::ptrdiff_t>(b * steps), to = static_cast<std::ptrdiff_t>((b + 1) * steps);
    batch[b].indices.assign(nodes.begin() + from, nodes.begin() + to);
    batch[b].codes.assign(branches.begin() + from, branches.begin() + to);
    if (!starters.empty() && rounds > 0) {
      batch[b].starter = starters.at(b);
      requireWord(batch[b].starter, tables.words, "ngStarter");
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
DECLARE_TYPES(skipgram) {
  allowTypes(getOpDescriptor(), "iiiiffffnfif")
      ->document({.summary = "Steps of skip-gram training: vectors of words learn to predict words near them.",
                  .inputs = "target: scalar or [B], the words that are trained; may be empty with inferenceVector\n"
                            "ngStarter: scalar, [B] or empty: the words that are predicted, by negative sampling\n"
                            "indices: [R] or [B, R], inner nodes of the words that are predicted; a single target "
                            "stops at an index outside the words, a batch skips it\n"
                            "codes: the shape of indices, the branches taken there, 0 or 1\n" NDFORGE_MODEL_INPUTS
                            "alpha: scalar or [B], learning rates\nrandomValue: scalar or [B], INT64\n"
                            "inferenceVector: [D] or empty; it is trained in place of the target, and is then the only "
                            "array that is trained",
                  .outputs = "the inputs",
                  .integers = "numWorkers?: ignored\nnsRounds?: rounds of negative sampling (default 0)",
                  .booleans = "isInference?: ignored; inferenceVector decides\npreciseMode?: ignored",
                  .notes = MODEL_NOTES});
}

CONFIGURABLE_OP_IMPL(skipgram_inference, 6, 6, true, -2, -2) {
  requireInPlace(block);
  const Tables tables(*INPUT_VARIABLE(0), *INPUT_VARIABLE(1), *INPUT_VARIABLE(2), *INPUT_VARIABLE(3),
                      *INPUT_VARIABLE(4));
  ArgumentReader arguments(block);
  Step step = readBranches(arguments, [] {});
  const LongType target = arguments.next("target"), starter = arguments.next("ngStarter");
  const int rounds = readRounds(block, arguments, starter, tables, step);
  Input input;
  NDArray* inference = inferenceVector(*INPUT_VARIABLE(5), tables);
  if (inference != nullptr) {
    input.inference = true;
  } else {
    requireWord(target, tables.words, "target");
    input.rows = input.updated = {target};
  }
  requireTables(tables, {step}, rounds);
  train(tables, inference, {step}, {input}, rounds, Outside::Stops);
  return Status::OK;
}
DECLARE_TYPES(skipgram_inference) {
  getOpDescriptor()
      ->setAllowedInputTypes({ALL_FLOATS})
      ->setAllowedOutputTypes(ANY)
      ->document({.summary = "One step of skip-gram training with an inference vector.",
                  .inputs = INFERENCE_INPUTS,
                  .outputs = "the inputs",
                  .floats = "alpha: learning rate",
                  .integers = "numCodes: number of codes\nnumIndices: the same number\ncodes: that many, 0 or 1\n"
                              "indices: that many, inner nodes\ntarget: the word to train without inferenceVector\n"
                              "ngStarter: the word that negative sampling predicts\nrandomValue: random state of "
                              "negative sampling\n"
                              "numWorkers?: ignored\nnsRounds?: rounds of negative sampling (default 0)",
                  .notes = MODEL_NOTES});
}

}  // namespace sd::ops
