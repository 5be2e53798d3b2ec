// Measuring operations.
#ifndef NDFORGE_HELPERS_BENCHMARKHELPER_H
#define NDFORGE_HELPERS_BENCHMARKHELPER_H

#include <helpers/BenchmarkParameters.h>
#include <helpers/OpBenchmark.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace sd {

/// Each call of runOperationSuit gives a table, one line a measurement, fields separated by tabs, after a line with
/// their names (without it when postHeaders is false): name, number of the operation, runs to warm up, runs, type,
/// whether in place, shape, strides, axes, orders, then mean, median, least, greatest and standard deviation of the
/// time of a run in microseconds. `msg` is printed before.
///
/// The functions make operands: they push as many arrays into each list, and each set of operands is measured. The
/// lists delete the arrays.
class SD_LIB_EXPORT BenchmarkHelper {
 public:
  /// @throws std::runtime_error without runs
  explicit BenchmarkHelper(unsigned int warmUpIterations = 10, unsigned int runIterations = 100);

  std::string runOperationSuit(OpBenchmark* benchmark);
  std::string runOperationSuit(std::initializer_list<OpBenchmark*> benchmarks, const char* msg = nullptr);
  std::string runOperationSuit(std::vector<OpBenchmark*>& benchmarks, bool postHeaders = true,
                               const char* msg = nullptr);

  using XZ = std::function<void(ResultSet&, ResultSet&)>;
  using XYZ = std::function<void(ResultSet&, ResultSet&, ResultSet&)>;
  using ParametricXZ = std::function<void(Parameters&, ResultSet&, ResultSet&)>;
  using ParametricXYZ = std::function<void(Parameters&, ResultSet&, ResultSet&, ResultSet&)>;
  using ParametricContext = std::function<graph::Context*(Parameters&)>;

  std::string runOperationSuit(OpBenchmark* benchmark, const XZ& func, const char* msg = nullptr);
  std::string runOperationSuit(OpBenchmark* benchmark, const XYZ& func, const char* msg = nullptr);
  std::string runOperationSuit(OpBenchmark* benchmark, const ParametricXZ& func, ParametersBatch& parameters,
                               const char* msg = nullptr);
  std::string runOperationSuit(OpBenchmark* benchmark, const ParametricXYZ& func, ParametersBatch& parameters,
                               const char* msg = nullptr);
  /// The contexts are deleted.
  std::string runOperationSuit(DeclarableBenchmark* benchmark, const ParametricContext& func,
                               ParametersBatch& parameters, const char* msg = nullptr);

 private:
  unsigned int _warmUp;
  unsigned int _runs;

  std::string line(OpBenchmark& benchmark) const;
  std::string lines(OpBenchmark& benchmark, const ResultSet& x, const ResultSet* y, const ResultSet& z) const;
};

}  // namespace sd

#endif
