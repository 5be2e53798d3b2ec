// C functions for the environment: thresholds, threads, instruction sets.
#include <legacy/NativeOps.h>
#include <loops/Executor.h>
#include <system/Environment.h>
#include <system/openmp_pragmas.h>

#include <algorithm>
#include <string_view>

#include "execution/ThreadBudget.h"
#include "legacy/Guard.h"
#include "linalg/ExternalBlas.h"

using sd::Environment;
using namespace sd::legacy;

namespace {

// Results of binaryLevel and optimalLevel.
enum Level : int { GENERIC, BASELINE, AVX2, AVX512 };

Level levelOfCpu() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512cd");
  return avx2 && avx512 ? AVX512 : avx2 ? AVX2 : BASELINE;
#else
  return GENERIC;
#endif
}

Level levelOfKernels() {
  const std::string_view name = sd::loops::instructionSet();
  return name == "x86-64-v4" ? AVX512 : name == "x86-64-v3" ? AVX2 : name == "x86-64-v2" ? BASELINE : GENERIC;
}

}  // namespace

void initializeDevicesAndFunctions() {}

void initializeFunctions(sd::Pointer* functions) {
  guarded(__func__, [&] { sd::helpers::setExternalBlas(&required("functions", functions)); });
}

void setElementThreshold(int num) { Environment::getInstance().setElementwiseThreshold(num); }

void setTADThreshold(int num) { Environment::getInstance().setTadThreshold(num); }

void enableDebugMode(bool reallyEnable) { Environment::getInstance().setDebug(reallyEnable); }

void enableVerboseMode(bool reallyEnable) { Environment::getInstance().setVerbose(reallyEnable); }

int ompGetMaxThreads() { return omp_get_max_threads(); }

int ompGetNumThreads() { return omp_get_num_threads(); }

void setOmpNumThreads(int threads) {
  omp_set_num_threads(sd::execution::mayUsePool() ? std::clamp(threads, 1, SD_MAX_NUM_THREADS) : 1);
  Environment& environment = Environment::getInstance();
  environment.setMaxMasterThreads(std::clamp(threads, 1, std::max(1, environment.maxThreads())));
}

void setOmpMinThreads(int) {}

bool isExperimentalEnabled() { return Environment::operationsPromoteTypes(); }

bool isBlasVersionMatches(int, int, int) { return true; }

int binaryLevel() {
  return guarded(__func__, [] { return static_cast<int>(levelOfKernels()); });
}

int optimalLevel() { return levelOfCpu(); }

bool isMinimalRequirementsMet() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
#else
  return true;
#endif
}

bool isOptimalRequirementsMet() {
  return guarded(__func__, [] { return levelOfKernels() == levelOfCpu(); });
}
