// Random numbers of the fuzzer, which are the same on every machine.
#ifndef NDFORGE_FUZZ_RANDOM_H
#define NDFORGE_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace fuzz {

/// The splitmix64 generator.
class Random {
 public:
  explicit Random(uint64_t seed) : _state(seed) {}
  /// Each pair of numbers gives a different stream.
  Random(uint64_t seed, uint64_t stream) : _state(Random(seed ^ (stream * 0xD1B54A32D192ED03ull)).next()) {}

  uint64_t next() {
    uint64_t z = _state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// 0 .. n - 1; 0 for n = 0.
  uint64_t below(uint64_t n) { return n < 2 ? 0 : next() % n; }
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(below(static_cast<uint64_t>(high - low) + 1));
  }
  /// True with probability 1 / n.
  bool once(uint64_t n) { return below(n) == 0; }
  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(values.size())];
  }
  template <typename T>
  const T& pick(const std::vector<T>& values) {
    return values[below(values.size())];
  }

 private:
  uint64_t _state;
};

}  // namespace fuzz

#endif
