// Times steps of training for compare_training.py: reads lines "NETWORK BATCH STEPS RATE" from standard input, trains
// the network that often on the same batch with this learning rate, and prints the seconds per step and the loss before
// the last one. A line "NETWORK BATCH text" prints the plan of a step instead.
#include <array/NDArray.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <nd/nd.h>
#include <training/Trainer.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace sd;
using nd::Symbol;
using Dims = std::vector<LongType>;

/// The values of compare_training.py: between -scale / 2 and scale / 2.
NDArray pattern(const Dims& dims, double scale, LongType seed) {
  NDArray array('c', dims, FLOAT32);
  float* values = array.bufferAsT<float>();
  for (LongType i = 0; i < array.lengthOf(); i++)
    values[i] = static_cast<float>(scale * (static_cast<double>((i + seed) * 7919 % 1009) / 1009 - 0.5));
  return array;
}

class Network {
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

}  // namespace

int main() {
  std::map<std::string, std::unique_ptr<Network>> networks;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string kind, steps;
    LongType batch = 0;
    words >> kind >> batch >> steps;
    auto& network = networks[kind + " " + std::to_string(batch)];
    if (network == nullptr) network = std::make_unique<Network>(kind, batch);
    if (steps == "text") {
      std::printf("%s\n", network->text().c_str());
      continue;
    }
    const int count = std::stoi(steps);
    double rate = 0, loss = 0;
    words >> rate;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; i++) loss = network->step(rate);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%.9g %.9g\n", seconds.count() / count, loss);
    std::fflush(stdout);
  }
}
