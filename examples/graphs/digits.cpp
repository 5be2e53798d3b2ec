// A graph made by hand: two dense layers that read handwritten digits.
//
//   graph_digits [digits.fb [data folder]]
//
// The weights of the first layer are random; those of the second one are the least-squares
// solution for the first 1,000 digits, so nothing has to be trained step by step. The graph takes pixels of any number
// of digits and gives their labels. It is saved in a file, which the command and use_graph.c run.
#include <array/NDArrayFile.h>
#include <graph/Graph.h>
#include <graph/Session.h>
#include <nd/nd.h>
#include <ops/declarable/OpRegistrator.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#ifndef NDFORGE_EXAMPLE_DATA
#define NDFORGE_EXAMPLE_DATA "examples/data"
#endif

using namespace sd;

namespace {

constexpr LongType PIXELS = 64, HIDDEN = 300, DIGITS = 10, TRAINING = 1000;

// The numbers of the nodes, and of the variables, which are below 0.
enum Node { SCALE = 1, FLAT, PRODUCT, SUM, HIDDEN_LAYER, SCORES, LABELS };
enum Variable { X = -1, W1 = -2, B1 = -3, W2 = -4 };

/// A variable with a name. The graph owns it and its array.
void addVariable(graph::Graph& graph, int number, const char* name, const NDArray& array) {
  graph.getVariableSpace()->putVariable(number, new graph::Variable(new NDArray(array), name, number));
}

/// Adds a call of an operation. Inputs are numbers of nodes or variables.
graph::Node& addCall(graph::Graph& graph, int number, const char* operation, const char* name,
                     std::initializer_list<int> inputs) {
  auto* node = new graph::Node(ops::OpRegistrator::getInstance().find(operation), number, inputs);
  node->setName(std::string(name));
  graph.addNode(node);  // which owns it from then on
  return *node;
}

/// relu(x w1 + b1) for pixels from 0 to 1.
NDArray hiddenLayer(const NDArray& x, const NDArray& w1, const NDArray& b1) {
  return nd::relu(nd::add(nd::matmul(x, w1), b1));
}

struct Weights {
  NDArray w1, b1, w2;
};

Weights solve(const NDArray& x, const NDArray& labels) {
  graph::RandomGenerator random(7);
  NDArray w1('c', {PIXELS, HIDDEN}, FLOAT32), b1('c', {HIDDEN}, FLOAT32);
  for (LongType i = 0; i < w1.lengthOf(); i++) w1.p(i, random.relativeT<float>(i, -0.5f, 0.5f));
  for (LongType i = 0; i < b1.lengthOf(); i++) b1.p(i, random.relativeT<float>(w1.lengthOf() + i, -0.5f, 0.5f));
  NDArray wanted('c', {x.sizeAt(0), DIGITS}, FLOAT32);
  wanted.nullify();
  for (LongType i = 0; i < x.sizeAt(0); i++) wanted.p(i, labels.e<LongType>(i), 1.f);
  NDArray w2 = nd::solve_ls(hiddenLayer(x, w1, b1), wanted, {.l2Regularizer = 1});
  return {w1, b1, w2};
}

std::unique_ptr<graph::Graph> graphOf(const Weights& weights) {
  auto graph = std::make_unique<graph::Graph>();
  auto* x = new graph::Variable(true);  // a placeholder: [N, 8, 8], 0 to 16
  const std::string name = "x";
  x->setName(&name);
  x->shape() = {-1, 8, 8};
  x->setDataType(UINT8);
  graph->getVariableSpace()->putVariable(X, x);
  addVariable(*graph, W1, "w1", weights.w1);
  addVariable(*graph, B1, "b1", weights.b1);
  addVariable(*graph, W2, "w2", weights.w2);

  ops::ArgumentValue type, shape, axis;
  type.form = ops::ArgumentValue::Form::Types;
  type.integers = {FLOAT32};
  shape.integers = {-1, PIXELS};
  axis.integers = {1};
  addCall(*graph, SCALE, "cast", "numbers", {X}).setArgument("dtype", type);
  addCall(*graph, FLAT, "reshape", "pixels", {SCALE}).setArgument("shape", shape);
  addCall(*graph, PRODUCT, "matmul", "", {FLAT, W1});
  addCall(*graph, SUM, "add", "", {PRODUCT, B1});
  addCall(*graph, HIDDEN_LAYER, "relu", "hidden", {SUM});
  addCall(*graph, SCORES, "matmul", "scores", {HIDDEN_LAYER, W2});
  addCall(*graph, LABELS, "argmax", "labels", {SCORES}).setArgument("axis", axis);
  return graph;
}

void run(const std::string& file, const std::string& folder) {
  const NDArray pixels = loadNpy(folder + "/optdigits.npy"), labels = loadNpy(folder + "/optdigits_labels.npy");
  const LongType count = pixels.sizeAt(0);
  const NDArray x = nd::reshape(nd::cast(pixels, {.dtype = FLOAT32}), {}, {.shape = {count, PIXELS}});
  const Weights weights = solve(x({0, TRAINING, 0, 0}, true), labels);

  graphOf(weights)->save(file);
  graph::Session session(graph::Graph::load(file));
  const NDArray found = session.run({{"x", pixels}})[0];
  int right = 0;
  for (LongType i = TRAINING; i < count; i++) right += found.e<LongType>(i) == labels.e<LongType>(i);
  std::printf("%d of %d digits that the weights were not made from are read correctly\n", right,
              static_cast<int>(count - TRAINING));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "digits.fb", argc > 2 ? argv[2] : NDFORGE_EXAMPLE_DATA);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
