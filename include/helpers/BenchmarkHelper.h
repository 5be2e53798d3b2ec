// Measures operations.
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

/// Each call of runOperationSuit returns a table with one line for each measurement and tab-separated fields. A line
/// with the field names comes first (unless postHeaders is false): name, number of the operation, warm-up runs, runs,
/// type, whether in place, shape, strides, axes, orders, then mean, median, minimum, maximum and standard deviation of
/// the time of a run in microseconds. Prints `msg` first.
///
/// The functions make operands: they push the same number of arrays into each list, and each set of operands is
/// measured. The lists delete the arrays.
class SD_LIB_EXPORT BenchmarkHelper {
 public:
  /// @throws std::runtime_error when runIterations is 0
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
  /// This function deletes the contexts.
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
