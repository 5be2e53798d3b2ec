// How long calls take, and operands to measure them with.
#ifndef NDFORGE_SRC_CLI_MEASURE_H
#define NDFORGE_SRC_CLI_MEASURE_H

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "cli/Array.h"

namespace sd::cli {

/// An array of values in the ordinary range of most functions: 0.5 to 1.5, for integers 1 to 7.
Array filled(DataType dtype, const std::vector<LongType>& dims);

/// "820 ns", "1.25 ms".
std::string timeText(double seconds);

/// "820 bytes", "1.2 MB".
std::string bytesText(LongType bytes);

/// @throws UsageError when --seconds is not in the range that measurements take
void checkSeconds(double seconds);

/// Seconds per call, measured in batches of calls, sorted.
template <typename F>
std::vector<double> measure(F&& call, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr size_t FEWEST_RUNS = 3;
  // Short calls are timed in batches, so that reading the clock does not dominate the time.
  size_t batch = 1;
  for (;; batch *= 4) {
    const auto start = Clock::now();
    for (size_t i = 0; i < batch; ++i) call();
    if (Clock::now() - start > std::chrono::microseconds(100)) break;
  }
  std::vector<double> times;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (times.size() < FEWEST_RUNS || Clock::now() < end) {
    const auto start = Clock::now();
    for (size_t i = 0; i < batch; ++i) call();
    times.push_back(std::chrono::duration<double>(Clock::now() - start).count() / double(batch));
  }
  std::sort(times.begin(), times.end());
  return times;
}

/// "1.25 ms (best 1.20 ms, 812 runs)" of sorted times.
std::string timesText(const std::vector<double>& times);

}  // namespace sd::cli

#endif
