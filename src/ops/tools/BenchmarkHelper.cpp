#include <helpers/BenchmarkHelper.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "system/Error.h"

namespace sd {

namespace {

constexpr const char* HEADER =
    "TestName\tOpNum\tWarmup\tNumIter\tDataType\tInplace\tShape\tStrides\tAxis\tOrders\tavg (us)\tmedian (us)\tmin "
    "(us)\tmax (us)\tstdev (us)\n";

std::string started(const char* message, bool header = true) {
  if (message != nullptr) std::printf("\n%s\n", message);
  return header ? HEADER : "";
}

}  // namespace

BenchmarkHelper::BenchmarkHelper(unsigned int warmUpIterations, unsigned int runIterations)
    : _warmUp(warmUpIterations), _runs(runIterations) {
  if (_runs == 0) fail("[BenchmarkHelper] at least one run is needed");
}

std::string BenchmarkHelper::line(OpBenchmark& benchmark) const {
  for (unsigned int i = 0; i < _warmUp; i++) benchmark.executeOnce();
  std::vector<double> times(_runs);
  for (double& time : times) {
    const auto start = std::chrono::steady_clock::now();
    benchmark.executeOnce();
    time = std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  }
  std::sort(times.begin(), times.end());
  double mean = 0, squares = 0;
  for (const double time : times) mean += time / static_cast<double>(_runs);
  for (const double time : times) squares += (time - mean) * (time - mean);
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.3f}\t{:.3f}\n",
                     benchmark.testName(), benchmark.opNum(), _warmUp, _runs, benchmark.dataType(), benchmark.inplace(),
                     benchmark.shape(), benchmark.strides(), benchmark.axis(), benchmark.orders(), mean,
                     times[times.size() / 2], times.front(), times.back(), std::sqrt(squares / _runs));
}

std::string BenchmarkHelper::lines(OpBenchmark& benchmark, const ResultSet& x, const ResultSet* y,
                                   const ResultSet& z) const {
  if (x.size() != z.size() || (y != nullptr && y->size() != x.size()))
    fail("[BenchmarkHelper] the numbers of arrays differ: {} for x, {} for y, {} for z", x.size(),
         y == nullptr ? 0 : y->size(), z.size());
  const std::unique_ptr<OpBenchmark> measured(benchmark.clone());
  std::string text;
  for (int i = 0; i < x.size(); i++) {
    measured->setX(x.at(static_cast<unsigned long>(i)));
    if (y != nullptr) measured->setY(y->at(static_cast<unsigned long>(i)));
    measured->setZ(z.at(static_cast<unsigned long>(i)));
    text += line(*measured);
  }
  return text;
}

std::string BenchmarkHelper::runOperationSuit(OpBenchmark* benchmark) { return started(nullptr) + line(*benchmark); }

std::string BenchmarkHelper::runOperationSuit(std::initializer_list<OpBenchmark*> benchmarks, const char* msg) {
  std::vector<OpBenchmark*> list(benchmarks);
  return runOperationSuit(list, true, msg);
}

std::string BenchmarkHelper::runOperationSuit(std::vector<OpBenchmark*>& benchmarks, bool postHeaders,
                                              const char* msg) {
  std::string text = started(msg, postHeaders);
  for (OpBenchmark* benchmark : benchmarks) text += line(*benchmark);
  return text;
}

std::string BenchmarkHelper::runOperationSuit(OpBenchmark* benchmark, const XZ& func, const char* msg) {
  ResultSet x, z;
  func(x, z);
  return started(msg) + lines(*benchmark, x, nullptr, z);
}

std::string BenchmarkHelper::runOperationSuit(OpBenchmark* benchmark, const XYZ& func, const char* msg) {
  ResultSet x, y, z;
  func(x, y, z);
  return started(msg) + lines(*benchmark, x, &y, z);
}

std::string BenchmarkHelper::runOperationSuit(OpBenchmark* benchmark, const ParametricXZ& func,
                                              ParametersBatch& parameters, const char* msg) {
  std::string text = started(msg);
  for (Parameters& values : parameters.parameters()) {
    ResultSet x, z;
    func(values, x, z);
    text += lines(*benchmark, x, nullptr, z);
  }
  return text;
}

std::string BenchmarkHelper::runOperationSuit(OpBenchmark* benchmark, const ParametricXYZ& func,
                                              ParametersBatch& parameters, const char* msg) {
  std::string text = started(msg);
  for (Parameters& values : parameters.parameters()) {
    ResultSet x, y, z;
    func(values, x, y, z);
    text += lines(*benchmark, x, &y, z);
  }
  return text;
}

std::string BenchmarkHelper::runOperationSuit(DeclarableBenchmark* benchmark, const ParametricContext& func,
                                              ParametersBatch& parameters, const char* msg) {
  std::string text = started(msg);
  for (Parameters& values : parameters.parameters()) {
    const std::unique_ptr<graph::Context> context(func(values));
    benchmark->setContext(context.get());
    text += line(*benchmark);
    benchmark->setContext(nullptr);
  }
  return text;
}

}  // namespace sd
