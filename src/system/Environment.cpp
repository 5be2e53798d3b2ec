#include <sched.h>
#include <system/Environment.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

namespace sd {

namespace {

/// The variable as a positive integer; empty when it is not set, is not a number, or is below 1.
template <typename T>
std::optional<T> positiveVariable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  T value{};
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end || value < 1) return std::nullopt;
  return value;
}

/// The number of processors that this process may use. Without OpenMP it uses one.
int availableProcessors() {
#if !defined(_OPENMP)
  return 1;
#else
#ifdef __linux__
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof(processors), &processors) == 0) return std::max(1, CPU_COUNT(&processors));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
#endif
}

}  // namespace

/// Initialises the instance while the library is loaded.
struct EnvironmentLoader {
  static Environment instance;
  __attribute__((constructor(101))) static void run() { instance.load(); }
};

constinit Environment EnvironmentLoader::instance;

Environment& Environment::getInstance() { return EnvironmentLoader::instance; }

void Environment::load() {
  const auto threads = positiveVariable<int>("OMP_NUM_THREADS").value_or(availableProcessors());
  const int most = std::min(positiveVariable<int>("SD_MAX_THREADS").value_or(threads), SD_MAX_NUM_THREADS);
  set(_maxThreads, most);

  const auto master = positiveVariable<int>("SD_MASTER_THREADS");
  if (master && *master > most)
    std::fprintf(stderr, "ndforge: SD_MASTER_THREADS=%d exceeds the maximum of %d threads; using %d\n", *master, most,
                 most);
  set(_maxMasterThreads, std::min(master.value_or(threads), most));

  if (const auto bytes = positiveVariable<uint64_t>("SD_MAX_PRIMARY_BYTES")) set(_maxPrimary, *bytes);
  if (const auto bytes = positiveVariable<uint64_t>("SD_MAX_SPECIAL_BYTES")) set(_maxSpecial, *bytes);
  if (const auto bytes = positiveVariable<uint64_t>("SD_MAX_DEVICE_BYTES")) set(_maxDevice, *bytes);
  set(_helpers, std::getenv("SD_FORBID_HELPERS") == nullptr);
  set(_blasFallback, std::getenv("SD_BLAS_FALLBACK") != nullptr);
}

void Environment::setMaxMasterThreads(int value) {
  if (value > 0) set(_maxMasterThreads, std::min(value, maxThreads()));
}

void Environment::setDefaultFloatDataType(DataType value) {
  if (value != FLOAT32 && value != DOUBLE && value != HALF && value != BFLOAT16)
    throw std::runtime_error(
        "[setDefaultFloatDataType] the default float type must be FLOAT32, DOUBLE, HALF or BFLOAT16");
  set(_defaultFloat, value);
}

std::vector<Pair>& Environment::capabilities() {
  static std::vector<Pair> none;
  return none;
}

}  // namespace sd
