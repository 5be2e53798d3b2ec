// Times steps of training for compare_training.py: reads lines "NETWORK BATCH STEPS RATE" from standard input, trains
// the network that often on the same batch with this learning rate, and prints the seconds per step and the loss before
// the last one. A line "NETWORK BATCH profile" prints the time of each node instead.
#include <array/NDArray.h>
#include <graph/Gradients.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <graph/profiling/GraphProfilingHelper.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace sd;
using namespace sd::graph;
using Dims = std::vector<LongType>;

/// The values of compare_training.py: between -scale / 2 and scale / 2.
NDArray pattern(const Dims& dims, double scale, LongType seed) {
  NDArray array('c', dims, FLOAT32);
  float* values = array.bufferAsT<float>();
  for (LongType i = 0; i < array.lengthOf(); i++)
    values[i] = static_cast<float>(scale * (static_cast<double>((i + seed) * 7919 % 1009) / 1009 - 0.5));
  return array;
}

/// A parameter with the state of Adam.
struct Parameter {
  std::string name;
  NDArray* value;  // of the graph's variable
  std::unique_ptr<NDArray> gradient, v, m;
  std::unique_ptr<Context> step;
};

class Network {
 public:
  Network(const std::string& kind, LongType batch)
      : _x('c', kind == "dense" ? Dims{batch, 64} : Dims{batch, 1, 8, 8}, FLOAT32),
        _labels('c', {batch}, INT64),
        _loss(FLOAT32) {
    _x.assign(pattern(Dims(_x.shapeOf(), _x.shapeOf() + _x.rankOf()), 2, 5));
    for (LongType i = 0; i < batch; i++) _labels.bufferAsT<LongType>()[i] = i * 7 % 10;
    placeholder("x", -1);
    placeholder("labels", -2);
    const Values logits = kind == "dense" ? dense() : convolutional();
    const Values losses = call("sparse_softmax_cross_entropy_loss_with_logits", {{-2, 0}, logits});
    call("reduce_mean", {losses}, {}, "loss");
    std::vector<std::string> names;
    for (const Parameter& p : _parameters) names.push_back(p.name);
    SessionOptions options;
    options.results = {"loss"};
    for (const auto& [node, output] : addGradients(_graph, "loss", names))
      options.results.push_back(std::to_string(node) + ":" + std::to_string(output));
    _results = {&_loss};
    for (Parameter& p : _parameters) {
      p.gradient = std::make_unique<NDArray>(p.value->ulike());
      p.v = std::make_unique<NDArray>(p.value->like());
      p.m = std::make_unique<NDArray>(p.value->like());
      p.step = std::make_unique<Context>(1);
      int index = 0;
      for (NDArray* array : {p.gradient.get(), p.v.get(), p.m.get()}) {
        p.step->setInputArray(index, array);
        p.step->setOutputArray(index++, array);
      }
      _results.push_back(p.gradient.get());
    }
    _session = std::make_unique<Session>(_graph, options);
  }

  double step(double rate) {
    const double rates[] = {rate, 0.9, 0.999, 1e-8};
    _session->run({&_x, &_labels}, _results);
    for (Parameter& p : _parameters) {
      p.step->setTArguments(rates, 4);
      p.step->setIArguments(&_iteration, 1);
      if (_adam->execute(p.step.get()) != Status::OK) throw std::runtime_error("adam_updater failed");
      *p.value -= *p.gradient;
    }
    _iteration++;
    return _loss.e<double>(0);
  }

  void profile() {
    GraphProfile profile;
    RunOptions options;
    options.profile = &profile;
    for (int i = 0; i < 200; i++) _session->run({&_x, &_labels}, _results, options);
    profile.printOut();
    std::printf("%s\n", _session->text().c_str());
  }

 private:
  using Values = std::pair<int, int>;

  void placeholder(const std::string& name, int number) {
    auto* variable = new Variable(true);
    std::string text = name;
    variable->setName(&text);
    _graph.getVariableSpace()->putVariable(number, variable);
  }
  Values parameter(const std::string& name, const Dims& dims, double scale) {
    const int number = -3 - static_cast<int>(_parameters.size());
    auto* array = new NDArray(pattern(dims, scale, number * 31 + 1000));
    _graph.getVariableSpace()->putVariable(number, new Variable(array, name.c_str(), number));
    _parameters.push_back({name, array, nullptr, nullptr, nullptr, nullptr});
    return {number, 0};
  }
  Values call(const char* op, const std::vector<Values>& inputs,
              const std::vector<std::pair<std::string, std::vector<LongType>>>& arguments = {}, const char* name = "") {
    auto* node = new Node(ops::OpRegistrator::getInstance().find(op), ++_nodes);
    node->setName(std::string(name));
    node->setInputs(inputs);
    for (const auto& [key, values] : arguments) {
      ops::ArgumentValue value;
      value.integers = values;
      node->setArgument(key, value);
    }
    _graph.addNode(node);
    return {_nodes, 0};
  }
  Values linear(Values x, const std::string& suffix, LongType in, LongType out) {
    const Values w = parameter("w" + suffix, {in, out}, 0.3), b = parameter("b" + suffix, {out}, 0);
    return call("add", {call("matmul", {x, w}), b});
  }
  Values convolution(Values x, const std::string& suffix, LongType in, LongType out) {
    const Values w = parameter("w" + suffix, {3, 3, in, out}, 0.3), b = parameter("b" + suffix, {out}, 0);
    return call("conv2d", {x, w, b}, {{"kernel", {3, 3}}, {"padding", {1, 1}}});
  }
  Values dense() { return linear(call("relu", {linear({-1, 0}, "1", 64, 128)}), "2", 128, 10); }
  Values convolutional() {
    const Values first = call("relu", {convolution({-1, 0}, "1", 1, 16)});
    const Values second = call("relu", {convolution(first, "2", 16, 32)});
    const Values pooled = call("maxpool2d", {second}, {{"kernel", {2, 2}}, {"stride", {2, 2}}});
    return linear(call("reshape", {pooled}, {{"shape", {-1, 512}}}), "3", 512, 10);
  }

  Graph _graph;
  NDArray _x, _labels, _loss;
  std::vector<Parameter> _parameters;
  std::vector<NDArray*> _results;
  std::unique_ptr<Session> _session;
  ops::DeclarableOp* _adam = ops::OpRegistrator::getInstance().find("adam_updater");
  int _nodes = 0;
  LongType _iteration = 0;
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
    if (steps == "profile") {
      network->profile();
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
