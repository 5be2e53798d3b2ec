// Runs the tests of fused operators compiled for one instruction set; exit code 77 when the processor does not support
// it.
#include <gtest/gtest.h>

namespace {

bool runsHere() {
#if defined(__AVX512BW__)
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  if (!runsHere()) return 77;
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
