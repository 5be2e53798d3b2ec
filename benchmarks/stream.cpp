// Measures which share of the memory bandwidth execPairwiseTransform reaches with Add on large arrays. It alternates
// with z = x + y with non-temporal stores (STREAM's "add") on the same arrays and as many threads.
//
//   stream [--elements N] [--rounds N] [--check]
//
// --check: exit status 1 when the share is below 85 %. When other programs use the processors, both loops wait for them
// and seem equally fast. So a run in which the STREAM loop is slower on all threads than on one exits with 3.
#include <legacy/NativeOps.h>
#include <system/openmp_pragmas.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using sd::LongType;

constexpr int ADD = 0;
constexpr double LEAST_SHARE = 0.85;
constexpr int BUSY = 3;
constexpr LongType BLOCK = 16;  // floats: one cache line
constexpr int TRIES = 3;        // the bandwidth of a shared machine varies: each round takes the best of a few runs

// One cache line.
#if defined(__AVX512F__)
void addLine(const float* x, const float* y, float* z) {
  _mm512_stream_ps(z, _mm512_add_ps(_mm512_load_ps(x), _mm512_load_ps(y)));
}
#elif defined(__AVX__)
void addLine(const float* x, const float* y, float* z) {
  for (int i = 0; i < BLOCK; i += 8)
    _mm256_stream_ps(z + i, _mm256_add_ps(_mm256_load_ps(x + i), _mm256_load_ps(y + i)));
}
#elif defined(__SSE2__)
void addLine(const float* x, const float* y, float* z) {
  for (int i = 0; i < BLOCK; i += 4) _mm_stream_ps(z + i, _mm_add_ps(_mm_load_ps(x + i), _mm_load_ps(y + i)));
}
#else
void addLine(const float* x, const float* y, float* z) {
  for (int i = 0; i < BLOCK; i++) {
#if defined(__clang__)
    __builtin_nontemporal_store(x[i] + y[i], z + i);
#else
    z[i] = x[i] + y[i];
#endif
  }
}
#endif

void streamAdd(const float* x, const float* y, float* z, LongType n, int threads) {
  PRAGMA_OMP_PARALLEL_THREADS(threads) {
    SD_OMP(for schedule(static))
    for (LongType i = 0; i < n; i += BLOCK) addLine(x + i, y + i, z + i);
#if defined(__SSE2__)
    _mm_sfence();
#endif
  }
}

struct Array {
  explicit Array(LongType n) {
    LongType stride = 1;
    shape = shapeBuffer(1, &n, &stride, sd::FLOAT32, 'c', 1, false);
    buffer = allocateDataBuffer(n, sd::FLOAT32, false);
    if (shape == nullptr || buffer == nullptr) {
      std::fprintf(stderr, "stream: %s\n", lastErrorMessage());
      std::exit(1);
    }
    info = static_cast<const LongType*>(getConstantShapeBufferPrimary(shape));
    data = static_cast<float*>(dbPrimaryBuffer(buffer));
  }
  ~Array() {
    deleteDataBuffer(buffer);
    deleteConstantShapeBuffer(shape);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  OpaqueConstantShapeBuffer* shape;
  OpaqueDataBuffer* buffer;
  const LongType* info;
  float* data;
};

template <typename F>
double bestSeconds(F&& run) {
  double best = 1e30;
  for (int i = 0; i < TRIES; i++) {
    const auto start = std::chrono::steady_clock::now();
    run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Options {
  LongType elements = LongType{1} << 24;
  int rounds = 21;
  bool check = false;
};

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--check") {
      options.check = true;
      continue;
    }
    const LongType number = std::atoll(value);
    if ((name != "--elements" && name != "--rounds") || number < 1) {
      std::fprintf(stderr, "stream: usage: stream [--elements N] [--rounds N] [--check]\n");
      std::exit(2);
    }
    if (name == "--elements")
      options.elements = (number + BLOCK - 1) / BLOCK * BLOCK;
    else
      options.rounds = static_cast<int>(std::min<LongType>(number, 100000));
    i++;
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  const LongType n = options.elements;
  const int threads = ompGetMaxThreads();
  Array x(n), y(n), z(n);
  for (LongType i = 0; i < n; i++) {
    x.data[i] = static_cast<float>(i % 1021);
    y.data[i] = 0.5f;
  }

  const auto stream = [&] { streamAdd(x.data, y.data, z.data, n, threads); };
  const auto ours = [&] {
    execPairwiseTransform(nullptr, ADD, x.buffer, x.info, nullptr, y.buffer, y.info, nullptr, z.buffer, z.info, nullptr,
                          nullptr);
  };
  std::memset(z.data, 0, static_cast<size_t>(n) * sizeof(float));
  ours();
  if (lastErrorCode() != 0 || z.data[n - 1] != x.data[n - 1] + 0.5f) {
    std::fprintf(stderr, "stream: the sum is wrong: %s\n", lastErrorMessage());
    return 1;
  }

  std::vector<double> oneThread, streamTimes, ourTimes, shares;
  for (int round = 0; round < options.rounds; round++) {
    oneThread.push_back(bestSeconds([&] { streamAdd(x.data, y.data, z.data, n, 1); }));
    streamTimes.push_back(bestSeconds(stream));
    ourTimes.push_back(bestSeconds(ours));
    shares.push_back(streamTimes.back() / ourTimes.back());
  }
  const double bytes = 3.0 * static_cast<double>(n) * sizeof(float), share = median(shares);
  std::printf(
      "3 arrays of %.0f MB, %d threads: stream %.1f GB/s (%.1f on one thread), ndforge %.1f GB/s, share %.1f %%\n",
      static_cast<double>(n) * sizeof(float) * 1e-6, threads, bytes / median(streamTimes) * 1e-9,
      bytes / median(oneThread) * 1e-9, bytes / median(ourTimes) * 1e-9, share * 100);
  if (median(streamTimes) > 1.05 * median(oneThread)) {
    std::fprintf(stderr, "stream: the processors are busy, so the share is meaningless\n");
    return BUSY;
  }
  return options.check && share < LEAST_SHARE ? 1 : 0;
}
