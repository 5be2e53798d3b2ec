// Trains a network on 1,797 handwritten digits of 8x8 pixels, of which every fifth is held out.
//
//   ndforge_network [dense|convolutional] [--epochs N] [--batch N] [--folder FOLDER] [--data FOLDER]
//
// Writes into the folder (the current one unless given): network.npz after each epoch, from which a run that was
// stopped goes on, with the same results as if it had not been stopped; loss.svg; confusion.svg. Remove network.npz to
// begin again.
#include <array/NDArrayFile.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <helpers/RandomGenerator.h>
#include <nd/nd.h>
#include <training/Metrics.h>
#include <training/Trainer.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "Charts.h"
#include "Progress.h"

using namespace sd;
using nd::Symbol;

namespace {

constexpr int DIGITS = 10;

struct Settings {
  std::string kind = "dense", folder = ".", data = NDFORGE_EXAMPLE_DATA;
  int epochs = 30, batch = 32;
};

struct Data {
  NDArray pixels;  ///< [n, 1, 8, 8], 0..1
  NDArray labels;  ///< [n]
};

/// The rows `rows` of the data.
Data part(const Data& all, const std::vector<LongType>& rows) {
  const NDArray index('c', {static_cast<LongType>(rows.size())}, std::vector<double>(rows.begin(), rows.end()), INT64);
  return {nd::gather(all.pixels, index, {}), nd::gather(all.labels, index, {})};
}

/// Numbers that are normally distributed, of the size that keeps the variance of a layer with relu.
NDArray weights(const std::vector<LongType>& shape, LongType inputs, int seed) {
  nd::generator().setStates(seed);
  NDArray drawn = nd::random_normal(
      NDArray('c', {static_cast<LongType>(shape.size())}, std::vector<double>(shape.begin(), shape.end()), INT64));
  return drawn.cast(FLOAT32) * static_cast<float>(std::sqrt(2.0 / static_cast<double>(inputs)));
}

/// The variables of a layer, and what they are called.
class Parameters {
 public:
  explicit Parameters(graph::Graph& graph) : _graph(graph) {}

  Symbol weight(const std::string& name, const std::vector<LongType>& shape, LongType inputs) {
    return add(name, weights(shape, inputs, static_cast<int>(names.size()) + 1));
  }
  Symbol bias(const std::string& name, LongType size) { return add(name, NDArray('c', {size}, FLOAT32)); }

  std::vector<std::string> names;

 private:
  graph::Graph& _graph;

  Symbol add(const std::string& name, const NDArray& initial) {
    names.push_back(name);
    return _graph.variable(name, initial);
  }
};

/// 64 pixels, 128 hidden units, 10 digits.
Symbol denseNetwork(Symbol x, Parameters& p) {
  const Symbol pixels = nd::reshape(x, {.shape = {-1, 64}});
  const Symbol h = relu(matmul(pixels, p.weight("w1", {64, 128}, 64)) + p.bias("b1", 128));
  return matmul(h, p.weight("w2", {128, DIGITS}, 128)) + p.bias("b2", DIGITS);
}

/// Two convolutions with windows of 3x3, a maximum over 2x2, and a dense layer.
Symbol convolutionalNetwork(Symbol x, Parameters& p) {
  const auto layer = [&p](const Symbol& image, const std::string& name, LongType from, LongType to) {
    const Symbol w = p.weight("w" + name, {3, 3, from, to}, 9 * from), b = p.bias("b" + name, to);
    return relu(nd::conv2d(image, w, b, {.kernel = {3, 3}, .paddingMode = ops::args::PaddingMode::Same}));
  };
  const Symbol features = layer(layer(x, "1", 1, 16), "2", 16, 32);
  const Symbol pooled = nd::maxpool2d(features, {.kernel = {2, 2}, .stride = {2, 2}});
  const Symbol flat = nd::reshape(pooled, {.shape = {-1, 32 * 4 * 4}});
  return matmul(flat, p.weight("w3", {32 * 4 * 4, DIGITS}, 32 * 4 * 4)) + p.bias("b3", DIGITS);
}

/// The order of the examples in an epoch, which depends on its number alone.
std::vector<LongType> shuffled(LongType count, int epoch) {
  graph::RandomGenerator random(1234, epoch + 1);
  std::vector<LongType> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (LongType i = count - 1; i > 0; i--)
    std::swap(order[static_cast<size_t>(i)],
              order[static_cast<size_t>(random.relativeT<int>(i, 0, static_cast<int>(i) + 1))]);
  return order;
}

void train(const Settings& settings) {
  const NDArray pixels = loadNpy(settings.data + "/optdigits.npy"),
                labels = loadNpy(settings.data + "/optdigits_labels.npy");
  const LongType count = pixels.sizeAt(0);
  const Data all{pixels.cast(FLOAT32).reshape('c', {count, 1, 8, 8}) / 16.f, labels.cast(INT64)};
  std::vector<LongType> learnedRows, heldOutRows;
  for (LongType i = 0; i < count; i++) (i % 5 == 4 ? heldOutRows : learnedRows).push_back(i);
  const Data learned = part(all, learnedRows), heldOut = part(all, heldOutRows);

  graph::Graph graph;
  Parameters parameters(graph);
  const Symbol x = graph.placeholder("x", FLOAT32, {-1, 1, 8, 8}), y = graph.placeholder("y", INT64, {-1});
  const Symbol logits =
      (settings.kind == "dense" ? denseNetwork(x, parameters) : convolutionalNetwork(x, parameters)).named("logits");
  const Symbol loss = nd::reduce_mean(nd::sparse_softmax_cross_entropy_loss_with_logits(y, logits)).named("loss");
  training::Trainer trainer(graph, loss, parameters.names, training::Adam{.learningRate = 3e-3});

  const std::string checkpoint = settings.folder + "/network.npz", history = settings.folder + "/network_losses.npy";
  std::filesystem::create_directories(settings.folder);
  std::vector<double> losses;
  const auto steps = static_cast<LongType>((learnedRows.size() + settings.batch - 1) / settings.batch);
  if (trainer.resume(checkpoint)) {
    losses = loadNpy(history).getBufferAsVector<double>();
    // A run that is killed between the two files has written the loss of an epoch that is not in the checkpoint.
    losses.resize(static_cast<size_t>(trainer.steps() / steps));
    std::printf("Going on after %lld steps from %s.\n", trainer.steps(), checkpoint.c_str());
  }
  const LongType last = steps * settings.epochs;
  std::printf("A %s network, %zu digits to learn from, %zu held out, batches of %d:\n", settings.kind.c_str(),
              learnedRows.size(), heldOutRows.size(), settings.batch);
  Progress progress(last, trainer.steps());
  for (auto epoch = static_cast<int>(trainer.steps() / steps); epoch < settings.epochs; epoch++) {
    const std::vector<LongType> order = shuffled(learned.labels.lengthOf(), epoch);
    double sum = 0;
    for (LongType step = 0; step < steps; step++) {
      const auto begin = order.begin() + step * settings.batch;
      const auto end = order.end() - begin > settings.batch ? begin + settings.batch : order.end();
      const Data batch = part(learned, {begin, end});
      sum += trainer.step({{x, batch.pixels}, {y, batch.labels}});
      char text[40];
      std::snprintf(text, sizeof text, "loss %.5f", sum / static_cast<double>(step + 1));
      progress.show(trainer.steps(), text);
    }
    losses.push_back(sum / static_cast<double>(steps));
    saveNpy(NDArray('c', {static_cast<LongType>(losses.size())}, losses, DOUBLE), history);
    trainer.save(checkpoint);
  }

  const NDArray guesses = nd::argmax(
      graph::Session(graph, {.results = {logits}}).run({{x, heldOut.pixels}, {y, heldOut.labels}})[0], {.axis = {1}});
  ConfusionMatrix matrix{"What the held-out digits were taken for",
                         std::vector<std::vector<int>>(DIGITS, std::vector<int>(DIGITS, 0))};
  int right = 0;
  for (LongType i = 0; i < guesses.lengthOf(); i++) {
    const auto digit = heldOut.labels.e<LongType>(i), guess = guesses.e<LongType>(i);
    matrix.counts[static_cast<size_t>(digit)][static_cast<size_t>(guess)]++;
    right += digit == guess ? 1 : 0;
  }
  writeSvg(LossCurve{"Training loss", losses, static_cast<int>(steps)}, settings.folder + "/loss.svg");
  writeSvg(matrix, settings.folder + "/confusion.svg");
  std::printf("Held-out accuracy: %.1f %% (%d of %lld). Pictures: %s/loss.svg, %s/confusion.svg\n",
              100.0 * right / static_cast<double>(guesses.lengthOf()), right, guesses.lengthOf(),
              settings.folder.c_str(), settings.folder.c_str());
}

bool read(int count, char** arguments, Settings& settings) {
  for (int i = 1; i < count; i++) {
    const std::string argument = arguments[i];
    if (argument == "dense" || argument == "convolutional") {
      settings.kind = argument;
      continue;
    }
    if (i + 1 == count) return false;
    const char* value = arguments[++i];
    if (argument == "--folder")
      settings.folder = value;
    else if (argument == "--data")
      settings.data = value;
    else if (argument == "--epochs")
      settings.epochs = std::atoi(value);
    else if (argument == "--batch")
      settings.batch = std::atoi(value);
    else
      return false;
  }
  return settings.epochs > 0 && settings.batch > 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!read(argc, argv, settings)) {
    std::fprintf(stderr,
                 "usage: ndforge_network [dense|convolutional] [--epochs N] [--batch N] [--folder FOLDER] "
                 "[--data FOLDER]\n");
    return 2;
  }
  try {
    train(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ndforge_network: %s\n", error.what());
    return 1;
  }
  return 0;
}
