// Steps of training.
//
//   training --serve                 for compare/ (see serve.h): rows "NETWORK BATCH"
//   training --text NETWORK BATCH    prints the plan of a step
#include <array/NDArray.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <nd/nd.h>
#include <training/Trainer.h>

#include <cstring>
#include <optional>

#include "serve.h"

namespace {

using namespace sd;
using nd::Symbol;
using Dims = std::vector<LongType>;

// The small one while time is measured: gradients of a perfect fit are denormal, and slow.
constexpr double RATE = 1e-3, SMALL_RATE = 1e-7;
constexpr int COMPARED_STEPS = 10;

/// The values of compare/torch_networks.py: between -scale / 2 and scale / 2.
NDArray pattern(const Dims& dims, double scale, LongType seed) {
  NDArray array('c', dims, FLOAT32);
  float* values = array.bufferAsT<float>();
  for (LongType i = 0; i < array.lengthOf(); i++)
    values[i] = static_cast<float>(scale * (static_cast<double>((i + seed) * 7919 % 1009) / 1009 - 0.5));
  return array;
}

class Network : public benchmarks::Row {
 public:
  Network(const std::string& kind, LongType batch)
      : _x(pattern(kind == "dense" ? Dims{batch, 64} : Dims{batch, 1, 8, 8}, 2, 5)), _labels('c', {batch}, INT64) {
    for (LongType i = 0; i < batch; i++) _labels.bufferAsT<LongType>()[i] = i * 7 % 10;
    const Symbol x = _graph.placeholder("x", FLOAT32, kind == "dense" ? Dims{-1, 64} : Dims{-1, 1, 8, 8});
    const Symbol labels = _graph.placeholder("labels", INT64, {-1});
    const Symbol logits = kind == "dense" ? dense(x) : convolutional(x);
    const Symbol loss = nd::reduce_mean(nd::sparse_softmax_cross_entropy_loss_with_logits(labels, logits));
    training::TrainingOptions options;
    options.schedule = training::Schedule([this](LongType) { return _rate; });
    _trainer.emplace(_graph, loss, _parameters, training::Adam(), options);
  }

  void run(long calls) override {
    for (long i = 0; i < calls; i++) step(SMALL_RATE);
  }

  /// The losses of steps, after one with the small rate.
  std::vector<double> results() override {
    step(SMALL_RATE);
    std::vector<double> losses;
    for (int i = 0; i < COMPARED_STEPS; i++) losses.push_back(step(RATE));
    return losses;
  }

  double step(double rate) {
    _rate = rate;
    return _trainer->stepInOrder({&_x, &_labels});
  }

  std::string text() {
    step(0);
    return _trainer->session().text();
  }

 private:
  Symbol parameter(const std::string& name, const Dims& dims, double scale) {
    const LongType seed = 1000 - 31 * (3 + static_cast<LongType>(_parameters.size()));
    _parameters.push_back(name);
    return _graph.variable(name, pattern(dims, scale, seed));
  }
  Symbol linear(const Symbol& x, const std::string& suffix, LongType in, LongType out) {
    const Symbol w = parameter("w" + suffix, {in, out}, 0.3), b = parameter("b" + suffix, {out}, 0);
    return nd::matmul(x, w) + b;
  }
  Symbol convolution(const Symbol& x, const std::string& suffix, LongType in, LongType out) {
    const Symbol w = parameter("w" + suffix, {3, 3, in, out}, 0.3), b = parameter("b" + suffix, {out}, 0);
    return nd::conv2d(x, w, b, {.kernel = {3, 3}, .padding = {1, 1}});
  }
  Symbol dense(const Symbol& x) { return linear(nd::relu(linear(x, "1", 64, 128)), "2", 128, 10); }
  Symbol convolutional(const Symbol& x) {
    const Symbol features = nd::relu(convolution(nd::relu(convolution(x, "1", 1, 16)), "2", 16, 32));
    const Symbol pooled = nd::maxpool2d(features, {.kernel = {2, 2}, .stride = {2, 2}});
    return linear(nd::reshape(pooled, {.shape = {-1, 512}}), "3", 512, 10);
  }

  NDArray _x, _labels;
  double _rate = 0;
  graph::Graph _graph;
  std::vector<std::string> _parameters;
  std::optional<training::Trainer> _trainer;
};

std::unique_ptr<Network> make(const std::string& name) {
  std::istringstream words(name);
  std::string kind;
  LongType batch = 0;
  if (!(words >> kind >> batch) || (kind != "dense" && kind != "conv")) return nullptr;
  return std::make_unique<Network>(kind, batch);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--serve") == 0) return benchmarks::serve(make);
  const auto network =
      argc == 4 && std::strcmp(argv[1], "--text") == 0 ? make(std::string(argv[2]) + " " + argv[3]) : nullptr;
  if (network == nullptr) return std::fprintf(stderr, "usage: training --serve, or --text NETWORK BATCH\n"), 2;
  std::printf("%s\n", network->text().c_str());
}
