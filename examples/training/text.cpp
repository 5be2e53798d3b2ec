// Trains a network of long short-term memory to continue a text, character by character, and lets it write.
//
//   ndforge_text [file [steps]]
//
// The network reads the characters one after another and says after each what comes next; the loss is the mean
// negative logarithm of the probability of the right character.
#include <graph/Graph.h>
#include <graph/Session.h>
#include <helpers/RandomGenerator.h>
#include <nd/nd.h>
#include <training/Trainer.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "../digits/Progress.h"

using namespace sd;
using nd::Symbol;

namespace {

constexpr LongType HIDDEN = 128, STEPS_OF_A_SEQUENCE = 40, SEQUENCES = 16;

/// The characters of a text as numbers.
struct Text {
  std::string alphabet;
  std::vector<int> numbers;  ///< of the characters of the text

  explicit Text(const std::string& text) : alphabet(text) {
    std::sort(alphabet.begin(), alphabet.end());
    alphabet.erase(std::unique(alphabet.begin(), alphabet.end()), alphabet.end());
    for (const char c : text) numbers.push_back(static_cast<int>(alphabet.find(c)));
  }
  LongType characters() const { return static_cast<LongType>(alphabet.size()); }
};

std::string read(const std::string& file) {
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream || text.size() < 1000) throw std::runtime_error(file + " cannot be read, or is too short");
  return text;
}

NDArray uniform(const std::vector<LongType>& shape, double limit, int seed) {
  const graph::RandomGenerator random(7, seed);
  NDArray array('c', shape, FLOAT32);
  for (LongType k = 0; k < array.lengthOf(); k++)
    array.p<double>(k, limit * (2 * static_cast<double>(random.relativeT<float>(k)) - 1));
  return array;
}

class Network {
 public:
  explicit Network(LongType characters)
      : _characters(characters),
        _inputWeights(graph.variable("input_weights", uniform({characters, 4 * HIDDEN}, LIMIT, 1))),
        _recurrentWeights(graph.variable("recurrent_weights", uniform({HIDDEN, 4 * HIDDEN}, LIMIT, 2))),
        _bias(graph.variable("bias", NDArray('c', {4 * HIDDEN}, FLOAT32))),
        _outputWeights(graph.variable("output_weights", uniform({HIDDEN, characters}, LIMIT, 3))),
        _outputBias(graph.variable("output_bias", NDArray('c', {characters}, FLOAT32))) {
    // Sequences side by side: characters are [time, sequence].
    read = graph.placeholder("read", INT64, {STEPS_OF_A_SEQUENCE, SEQUENCES});
    next = graph.placeholder("next", INT64, {STEPS_OF_A_SEQUENCE, SEQUENCES});
    const auto layer =
        nd::lstmLayer(oneHot(read), _inputWeights, _recurrentWeights, _bias, {}, {}, {}, {}, {.returnH = true});
    const Symbol logits = logitsOf(layer.h), labels = nd::reshape(next, {.shape = {-1}});
    loss = nd::reduce_mean(nd::sparse_softmax_cross_entropy_loss_with_logits(labels, logits)).named("loss");

    // To write: one character, and what the layer remembers.
    one = graph.placeholder("one", INT64, {1, 1});
    h = graph.placeholder("h", FLOAT32, {1, HIDDEN});
    c = graph.placeholder("c", FLOAT32, {1, HIDDEN});
    const auto step = nd::lstmLayer(oneHot(one), _inputWeights, _recurrentWeights, _bias, {}, h, c, {},
                                    {.returnH = true, .returnHLast = true, .returnCLast = true});
    written = {softmax(logitsOf(step.h)), step.h_last, step.c_last};
  }

  std::vector<std::string> parameters() const {
    return {_inputWeights, _recurrentWeights, _bias, _outputWeights, _outputBias};
  }

  graph::Graph graph;
  Symbol read, next, loss, one, h, c;
  std::vector<Symbol> written;

 private:
  static constexpr double LIMIT = 0.08;
  LongType _characters;
  Symbol _inputWeights, _recurrentWeights, _bias, _outputWeights, _outputBias;

  Symbol oneHot(const Symbol& numbers) const { return nd::onehot(numbers, {.depth = _characters, .dtype = FLOAT32}); }
  Symbol logitsOf(const Symbol& states) const {
    return matmul(nd::reshape(states, {.shape = {-1, HIDDEN}}), _outputWeights) + _outputBias;
  }
};

/// Characters `from`.. of the text in the shape [time, sequence].
NDArray batchOf(const Text& text, const std::vector<size_t>& from, size_t shift) {
  NDArray numbers('c', {STEPS_OF_A_SEQUENCE, SEQUENCES}, INT64);
  for (LongType t = 0; t < STEPS_OF_A_SEQUENCE; t++)
    for (LongType s = 0; s < SEQUENCES; s++)
      numbers.p<LongType>(t * SEQUENCES + s,
                          text.numbers[from[static_cast<size_t>(s)] + static_cast<size_t>(t) + shift]);
  return numbers;
}

std::string write(Network& network, const Text& text, char first, int count) {
  graph::Session session(network.graph, {.results = {network.written[0], network.written[1], network.written[2]}});
  const graph::RandomGenerator random(99, 1);
  NDArray h('c', {1, HIDDEN}, FLOAT32), c('c', {1, HIDDEN}, FLOAT32), one('c', {1, 1}, INT64);
  std::string result(1, first);
  for (int k = 0; k < count; k++) {
    one.p<LongType>(0, static_cast<LongType>(text.alphabet.find(result.back())));
    const auto outputs = session.run({{network.one, one}, {network.h, h}, {network.c, c}});
    h.assign(outputs[1]);
    c.assign(outputs[2]);
    // A character is drawn with its probability.
    double rest = static_cast<double>(random.relativeT<float>(k));
    LongType drawn = 0;
    while (drawn + 1 < outputs[0].lengthOf() && (rest -= outputs[0].e<double>(drawn)) > 0) drawn++;
    result += text.alphabet[static_cast<size_t>(drawn)];
  }
  return result;
}

void train(const std::string& file, int steps) {
  const Text text(read(file));
  Network network(text.characters());
  training::Trainer trainer(
      network.graph, network.loss, network.parameters(), training::Adam{},
      {.schedule = training::Schedule::cosine(5e-3, steps, 5e-4), .clip = training::Clipping::byGlobalNorm(5)});
  std::printf("%zu characters, %lld different ones, which alone would give a loss of %.2f\n", text.numbers.size(),
              text.characters(), std::log(static_cast<double>(text.characters())));
  const graph::RandomGenerator random(5, 1);
  const auto places = static_cast<int>(text.numbers.size() - STEPS_OF_A_SEQUENCE - 1);
  Progress progress(steps, 0);
  double mean = 0;
  for (int step = 0; step < steps; step++) {
    std::vector<size_t> from;
    for (LongType s = 0; s < SEQUENCES; s++)
      from.push_back(static_cast<size_t>(random.relativeT<int>(step * SEQUENCES + s, 0, places)));
    const double loss = trainer.step({{network.read, batchOf(text, from, 0)}, {network.next, batchOf(text, from, 1)}});
    mean = step == 0 ? loss : 0.95 * mean + 0.05 * loss;
    char shown[40];
    std::snprintf(shown, sizeof shown, "loss %.3f", mean);
    progress.show(step + 1, shown);
  }
  std::printf("The network writes:\n%s\n", write(network, text, 'T', 300).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const int steps = argc > 2 ? std::atoi(argv[2]) : 400;
  if (argc > 3 || steps < 1) {
    std::fprintf(stderr, "usage: ndforge_text [file [steps]]\n");
    return 2;
  }
  try {
    train(argc > 1 ? argv[1] : NDFORGE_EXAMPLE_TEXT, steps);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ndforge_text: %s\n", error.what());
    return 1;
  }
  return 0;
}
