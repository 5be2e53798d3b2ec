// Times layers for compare_torch.py: reads lines "NAME CALLS" from standard input, calls the layer that often, and
// prints the seconds per call, elapsed time and processor time. Layers are prepared only when a line names them.
#include <array/NDArray.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace sd;
using Dims = std::vector<LongType>;

struct Row {
  const char* op;
  std::vector<Dims> inputs;
  std::vector<LongType> integers;
  std::vector<double> floats = {};
  std::vector<bool> booleans = {};
  const char* before = nullptr;  // an operation that is called first, with the same inputs and arguments
};

// compare_torch.py has the same rows.
const std::map<std::string, Row> ROWS = {
    {"conv2d 3x3", {"conv2d", {{8, 64, 56, 56}, {3, 3, 64, 64}}, {3, 3, 1, 1, 1, 1, 1, 1, 0}}},
    {"conv2d 1x1", {"conv2d", {{8, 64, 56, 56}, {1, 1, 64, 256}}, {1, 1, 1, 1, 0, 0, 1, 1, 0}}},
    {"conv2d 7x7 stride 2", {"conv2d", {{4, 3, 224, 224}, {7, 7, 3, 64}}, {7, 7, 2, 2, 3, 3, 1, 1, 0}}},
    {"conv2d NHWC", {"conv2d", {{8, 56, 56, 64}, {3, 3, 64, 64}}, {3, 3, 1, 1, 1, 1, 1, 1, 0, 1}}},
    {"conv3d", {"conv3dnew", {{2, 32, 16, 32, 32}, {3, 3, 3, 32, 32}}, {3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0}}},
    {"deconv2d stride 2", {"deconv2d", {{8, 64, 28, 28}, {4, 4, 64, 64}}, {4, 4, 2, 2, 1, 1, 1, 1, 0}}},
    {"conv2d small", {"conv2d", {{1, 3, 16, 16}, {3, 3, 3, 8}}, {3, 3, 1, 1, 1, 1, 1, 1, 0}}},
    {"conv2d gradients",
     {"conv2d_bp", {{8, 64, 56, 56}, {3, 3, 64, 64}, {8, 64, 56, 56}}, {3, 3, 1, 1, 1, 1, 1, 1, 0}}},
    {"depthwise 3x3", {"depthwise_conv2d", {{8, 64, 56, 56}, {3, 3, 64, 1}}, {3, 3, 1, 1, 1, 1, 1, 1, 0}}},
    {"max pooling", {"maxpool2d", {{8, 64, 112, 112}}, {3, 3, 2, 2, 1, 1, 1, 1, 0}}},
    {"max pooling gradient", {"maxpool2d_bp", {{8, 64, 112, 112}, {8, 64, 56, 56}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0}}},
    {"max pooling and gradient",
     {"maxpool2d_bp", {{8, 64, 112, 112}, {8, 64, 56, 56}}, {3, 3, 2, 2, 1, 1, 1, 1, 0, 0}, {}, {}, "maxpool2d"}},
    {"average pooling", {"avgpool2d", {{8, 64, 112, 112}}, {2, 2, 2, 2, 0, 0, 1, 1, 0, 0}}},
    {"batch normalisation", {"batchnorm", {{8, 64, 112, 112}, {64}, {64}, {64}, {64}}, {1, 1, 1}, {1e-5}}},
    {"batch normalisation gradients",
     {"batchnorm_bp", {{8, 64, 112, 112}, {64}, {64}, {64}, {64}, {8, 64, 112, 112}}, {1, 1, 1}, {1e-5}}},
    {"LSTM",
     {"lstmLayer",
      {{64, 32, 128}, {128, 512}, {128, 512}, {512}},
      {0, 0, 2, 0, 0},
      {0},
      {true, false, false, false, false, true, true, true}}},
    {"LSTM gradients",
     {"lstmLayer_bp",
      {{64, 32, 128}, {128, 512}, {128, 512}, {512}, {64, 32, 128}},
      {0, 0, 2, 0, 0},
      {0},
      {true, false, false, false, false, true, false, false}}},
};

class Call {
 public:
  explicit Call(const Row& row) : _row(row) {
    for (const Dims& dims : row.inputs) {
      _arrays.push_back(std::make_unique<NDArray>('c', dims, FLOAT32));
      NDArray& array = *_arrays.back();
      float* values = array.bufferAsT<float>();
      const float lowest = dims.size() == 1 ? 0.5f : -0.1f;  // variances are positive
      for (LongType i = 0; i < array.lengthOf(); i++) values[i] = static_cast<float>(i * 7919 % 1000) / 5000.f + lowest;
      _inputs.push_back(&array);
    }
    run();
  }
  void run() {
    for (const char* name : {_row.before, _row.op}) {
      if (name == nullptr) continue;
      auto* op = ops::OpRegistrator::getInstance().find(name);
      if (op->evaluate(_inputs, _row.floats, _row.integers, _row.booleans).status() != Status::OK)
        throw std::runtime_error(std::string(name) + " failed");
    }
  }

 private:
  const Row& _row;
  std::vector<std::unique_ptr<NDArray>> _arrays;
  std::vector<NDArray*> _inputs;
};

}  // namespace

int main() {
  std::map<std::string, std::unique_ptr<Call>> calls;
  std::string line;
  while (std::getline(std::cin, line)) {
    const size_t space = line.rfind(' ');
    const std::string name = line.substr(0, space);
    const int count = std::stoi(line.substr(space + 1));
    const auto row = ROWS.find(name);
    if (row == ROWS.end()) {
      std::fprintf(stderr, "layers: no row '%s'\n", name.c_str());
      return 2;
    }
    auto& call = calls[name];
    if (call == nullptr) call = std::make_unique<Call>(row->second);
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t before = std::clock();
    for (int i = 0; i < count; i++) call->run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    std::printf("%.9g %.9g\n", seconds.count() / count, used / count);
    std::fflush(stdout);
  }
}
