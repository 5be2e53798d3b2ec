#include "loops/Kernels.h"

#include <KernelTables.h>
#include <loops/Executor.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sd::simd {

namespace {

#if defined(__x86_64__)
/// Clang 14's __builtin_cpu_supports does not know this feature.
bool hasF16C() {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}

/// Whether AVX-512 sorts 32-bit keys more slowly than AVX2, by up to seven times, because it stores chosen lanes one
/// after the other (vpcompressd): on AMD's Zen 4, which is the only processor of its family that has AVX-512.
bool compressesSlowly() {
  constexpr unsigned EXTENDED = 15, FAMILY = 25;
  unsigned a, b, c, d;
  if (__get_cpuid(0, &a, &b, &c, &d) == 0 || b != signature_AMD_ebx) return false;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0) return false;
  return (a >> 8 & 15) == EXTENDED && EXTENDED + (a >> 20 & 255) == FAMILY;
}
#else
bool compressesSlowly() { return false; }
#endif

/// Whether the processor and the operating system support an instruction set, named by x86-64 psABI level.
bool isSupported(std::string_view set) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && hasF16C();
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (set == "x86-64-v4") return v4;
  if (set == "x86-64-v3") return v3;
  if (set == "x86-64-v2") return v2;
#endif
  return set == "neon" || set == "generic";
}

const KernelSet* setNamed(std::string_view name) {
  for (const auto& set : KERNEL_SETS)
    if (name == set.name && isSupported(name)) return &set;
  return nullptr;
}

const KernelTable& choose() {
  const KernelSet* best = &KERNEL_SETS[0];
  for (const auto& set : KERNEL_SETS)
    if (isSupported(set.name)) best = &set;
  if (const char* wanted = std::getenv("NDFORGE_ISA")) {
    if (const KernelSet* forced = setNamed(wanted)) return *forced->table();
    std::fprintf(stderr, "ndforge: NDFORGE_ISA=%s is not available here, using %s\n", wanted, best->name);
  }
  const KernelSet* const avx2 = setNamed("x86-64-v3");
  if (std::string_view(best->name) != "x86-64-v4" || avx2 == nullptr || !compressesSlowly()) return *best->table();
  static const KernelTable mixed = [&] {
    KernelTable table = *best->table();
    table.sortKeys32 = avx2->table()->sortKeys32;
    return table;
  }();
  return mixed;
}

}  // namespace

const KernelTable& kernels() {
  static const KernelTable& table = choose();
  return table;
}

}  // namespace sd::simd

namespace sd::loops {

std::string_view instructionSet() { return simd::kernels().name; }

}  // namespace sd::loops
