// Measures composites: sum(tanh(x * 2 + y) * z) in one pass, against the separate calls, tanh alone, and a plain sum of
// the three arrays, which reads memory at full speed. Then the time of a prepared run on small arrays.
//
//   composite [--elements N] [--rounds N] [--check | --alone]
//
// --alone runs nothing but the composite, for profilers. The runs alternate; the best time of each counts. --check:
// exit status 1 when the composite takes more than 1.15 times the slower of tanh and the plain sum, or is not 2.5 times
// as fast as the separate calls.
#include <loops/Executor.h>
#include <system/Environment.h>
#include <system/openmp_pragmas.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "loops/Composite.h"

namespace {

using sd::LongType;
using namespace sd::loops;
using Clock = std::chrono::steady_clock;

int number(OpGroup group, const char* name) { return findOp(group, name)->number; }

/// x * 2 + y, tanh, times z; the last input is 2.
Composite program(int steps, bool sums) {
  using sd::FLOAT32;
  std::vector<CompositeStep> list = {
      {OpGroup::Scalar, number(OpGroup::Scalar, "Multiply"), 0, 3, FLOAT32},
      {OpGroup::Pairwise, number(OpGroup::Pairwise, "Add"), 4, 1, FLOAT32},
      {OpGroup::TransformStrict, number(OpGroup::TransformStrict, "Tanh"), 5, -1, FLOAT32},
      {OpGroup::Pairwise, number(OpGroup::Pairwise, "Multiply"), 6, 2, FLOAT32}};
  list.resize(static_cast<size_t>(std::min(steps, 4)));
  for (int k = 4; k < steps; k++) list.push_back({OpGroup::Scalar, number(OpGroup::Scalar, "Add"), 3 + k, 3, FLOAT32});
  if (!sums) return Composite(std::vector<sd::DataType>(4, FLOAT32), list);
  return Composite(
      std::vector<sd::DataType>(4, FLOAT32), list, {},
      CompositeReduction{OpGroup::ReduceSame, number(OpGroup::ReduceSame, "Sum"), 3 + steps, {}, false, FLOAT32});
}

/// The shapeInfo of a float array in c order.
std::vector<LongType> infoOf(LongType n) { return {1, n, 1, 8192, 1, 'c'}; }
const std::vector<LongType> SCALAR = {0, 8192, 1, 'c'};

/// Lanes that the compiler keeps in vector registers.
float plainSum(const float* x, const float* y, const float* z, LongType n) {
  constexpr LongType LANES = 64;
  float total = 0;
  SD_OMP(parallel for schedule(static) reduction(+ : total))
  for (LongType block = 0; block < n / 65536; block++) {
    float lanes[LANES] = {};
    for (LongType i = block * 65536; i < (block + 1) * 65536; i += LANES)
      for (LongType k = 0; k < LANES; k++) lanes[k] += x[i + k] + y[i + k] + z[i + k];
    for (float lane : lanes) total += lane;
  }
  return total;
}

template <typename F>
void keepBest(double& best, F&& run) {
  const auto start = Clock::now();
  run();
  best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
}

void small() {
  std::printf("prepared runs, ns:\n%8s %8s %8s %8s\n", "steps", "1", "10", "1000 elements");
  for (int steps : {1, 2, 4, 8, 16}) {
    std::printf("%8d", steps);
    for (LongType n : {1, 10, 1000}) {
      std::vector<float> x(1000, 0.5f), z(1000);
      const float two = 2;
      const auto info = infoOf(n);
      auto prepared =
          program(steps, false).prepare({info.data(), info.data(), info.data(), SCALAR.data()}, {info.data()});
      const void* in[] = {x.data(), x.data(), x.data(), &two};
      void* out[] = {z.data()};
      double best = 1e9;
      constexpr int CALLS = 1000;
      for (int round = 0; round < 50; round++)
        keepBest(best, [&] {
          for (int i = 0; i < CALLS; i++) prepared.run(in, out);
        });
      std::printf(" %8.1f", best / CALLS * 1e9);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  LongType n = 10000000;
  int rounds = 31;
  bool check = false, alone = false;
  for (int i = 1; i < argc; i++) {
    if (std::strcmp(argv[i], "--check") == 0)
      check = true;
    else if (std::strcmp(argv[i], "--alone") == 0)
      alone = true;
    else if (std::strcmp(argv[i], "--elements") == 0 && i + 1 < argc)
      n = std::max(65536LL, std::atoll(argv[++i]));
    else if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
      rounds = std::max(1, std::atoi(argv[++i]));
    else
      return std::fprintf(stderr, "composite: usage: composite [--elements N] [--rounds N] [--check | --alone]\n"), 2;
  }
  const auto size = static_cast<size_t>(n);
  const auto array = [&] {
    auto* p = static_cast<float*>(std::aligned_alloc(64, (size * sizeof(float) + 63) / 64 * 64));
    for (size_t i = 0; i < size; i++) p[i] = static_cast<float>(i % 1021) / 1021 - 0.5f;
    return p;
  };
  float *x = array(), *y = array(), *z = array(), *a = array(), *b = array();
  const float two = 2;
  float separate = 0, fused = 0;
  const auto info = infoOf(n);
  const In xIn{x, info.data()}, yIn{y, info.data()}, zIn{z, info.data()}, twoIn{&two, SCALAR.data()};
  const Out aOut{a, info.data()}, bOut{b, info.data()};
  auto prepared = program(4, true).prepare({info.data(), info.data(), info.data(), SCALAR.data()}, {SCALAR.data()});
  const void* in[] = {x, y, z, &two};
  void* out[] = {&fused};
  const int tanh = number(OpGroup::TransformStrict, "Tanh");

  double composite = 1e9, calls = 1e9, tanhAlone = 1e9, reading = 1e9;
  volatile float kept = 0;
  // The order changes from round to round: what ran before decides what the caches hold.
  for (int turn = 0; turn < 4 * rounds; turn++) {
    switch (alone ? 0 : (turn + turn / 4) % 4) {
      case 0:
        keepBest(composite, [&] { prepared.run(in, out); });
        break;
      case 1:
        keepBest(reading, [&] { kept = plainSum(x, y, z, n); });
        break;
      case 2:
        keepBest(tanhAlone, [&] { transform(OpGroup::TransformStrict, tanh, xIn, aOut); });
        break;
      default:
        keepBest(calls, [&] {
          scalar(OpGroup::Scalar, number(OpGroup::Scalar, "Multiply"), xIn, twoIn, aOut);
          pairwise(OpGroup::Pairwise, number(OpGroup::Pairwise, "Add"), {a, info.data()}, yIn, bOut);
          transform(OpGroup::TransformStrict, tanh, {b, info.data()}, aOut);
          pairwise(OpGroup::Pairwise, number(OpGroup::Pairwise, "Multiply"), {a, info.data()}, zIn, bOut);
          reduce(OpGroup::ReduceSame, number(OpGroup::ReduceSame, "Sum"), {b, info.data()}, {&separate, SCALAR.data()},
                 nullptr, {});
        });
    }
  }
  if (alone) return std::printf("composite %.2f ms\n", composite * 1e3), 0;
  if (separate != fused) {
    std::fprintf(stderr, "composite: %.9g, separate calls: %.9g\n", static_cast<double>(fused),
                 static_cast<double>(separate));
    return 1;
  }
  const double bound = std::max(reading, tanhAlone);
  std::printf(
      "sum(tanh(x * 2 + y) * z), %lld floats: composite %.2f ms; reading %.2f ms (%.1f GB/s), tanh alone %.2f ms: "
      "%.2f times the slower; separate calls %.2f ms, %.2f times as long\n",
      n, composite * 1e3, reading * 1e3, 12e-9 * static_cast<double>(n) / reading, tanhAlone * 1e3, composite / bound,
      calls * 1e3, calls / composite);
  small();
  for (float* p : {x, y, z, a, b}) std::free(p);
  return check && (composite > 1.15 * bound || calls < 2.5 * composite) ? 1 : 0;
}
