// Runs the unit tests. Prints the instruction set that the kernels use and checks that it is the right one: the set
// that NDFORGE_ISA names (exit code 77 when this machine does not support it), or the best set of the machine.
#include <gtest/gtest.h>
#include <loops/Executor.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "CutBuild.h"
#include "layers_tests/OpHarness.h"

namespace {

constexpr int SKIPPED = 77;

bool machineHas(const std::string& set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (set == "x86-64-v4")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  if (set == "x86-64-v3")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  return set == "x86-64-v2";
#elif defined(__aarch64__)
  return set == "neon";
#else
  return set == "generic";
#endif
}

/// The sets in NDFORGE_BUILT_SETS are ordered from the best to the most common.
std::string bestSet() {
  for (const char* set : {NDFORGE_BUILT_SETS})
    if (machineHas(set)) return set;
  return "generic";
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* forced = std::getenv("NDFORGE_ISA");
  const std::string wanted = forced != nullptr && *forced != '\0' ? forced : bestSet();
  if (!machineHas(wanted)) {
    std::printf("left out: this machine has no %s\n", wanted.c_str());
    return SKIPPED;
  }
  const std::string used(sd::loops::instructionSet());
  std::printf("instruction set: %s\n", used.c_str());
  if (used != wanted) {
    std::printf("the library should have chosen %s\n", wanted.c_str());
    return EXIT_FAILURE;
  }
  sd::optest::registerOpCases();
  sd::tests::skipWhatIsNotBuilt();
  return RUN_ALL_TESTS();
}
