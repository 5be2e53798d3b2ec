#include "cli/Measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/Types.h"

namespace sd::cli {
namespace {

constexpr double MOST_SECONDS = 3600;

}  // namespace

Array filled(DataType dtype, const std::vector<LongType>& dims) {
  const Array array = withMemory(fmt::format("an operand, {} of shape [{}],", typeName(dtype), fmt::join(dims, ", ")),
                                 [&] { return Array::allocate(dtype, 'c', dims); });
  visitType(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* data = static_cast<T*>(array.data());
    const LongType length = array.length();
    for (LongType i = 0; i < length; ++i) {
      if constexpr (IS_FLOAT<T>)
        data[i] = T(0.5f + float(i % 1021) / 1021.f);
      else if constexpr (std::is_same_v<T, bool>)
        data[i] = i % 3 == 0;
      else
        data[i] = T(i % 7 + 1);
    }
  });
  return array;
}

std::string timeText(double seconds) {
  if (seconds < 1e-6) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 1e-3) return fmt::format("{:.2f} us", seconds * 1e6);
  return seconds < 1 ? fmt::format("{:.3f} ms", seconds * 1e3) : fmt::format("{:.3f} s", seconds);
}

std::string bytesText(LongType bytes) {
  if (bytes < 10000) return fmt::format("{} bytes", bytes);
  if (bytes < 10000000) return fmt::format("{:.1f} kB", double(bytes) * 1e-3);
  return fmt::format("{:.1f} MB", double(bytes) * 1e-6);
}

void checkSeconds(double seconds) {
  if (!(seconds > 0 && seconds <= MOST_SECONDS))
    throw UsageError(fmt::format("--seconds: {} is outside 0..{}", seconds, MOST_SECONDS));
}

std::string timesText(const std::vector<double>& times) {
  return fmt::format("{} (best {}, {} runs)", timeText(times[times.size() / 2]), timeText(times[0]), times.size());
}

}  // namespace sd::cli
