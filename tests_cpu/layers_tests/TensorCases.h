// Code that the tests of fused operators share: values of every type, lengths around those of batches.
#ifndef NDFORGE_TESTS_TENSORCASES_H
#define NDFORGE_TESTS_TENSORCASES_H

#include <gtest/gtest.h>
#include <tensor/Tensor.h>

#include <string>
#include <vector>

namespace tensorcases {

/// Lengths around one, several and many batches of every width.
inline const std::vector<std::size_t>& lengths() {
  static const std::vector<std::size_t> all = [] {
    std::vector<std::size_t> some;
    for (std::size_t n = 0; n <= 70; n++) some.push_back(n);
    for (std::size_t n : {127, 128, 129, 255, 256, 257, 511, 513, 1000, 6143, 6144, 6145, 20001}) some.push_back(n);
    return some;
  }();
  return all;
}

/// Small integers, so that sums and products of a few are exact in every type. Signed types have both signs.
template <typename T>
std::vector<T> values(std::size_t n, int seed) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; i++) {
    const int v = static_cast<int>((i * 7919 + static_cast<std::size_t>(seed) * 104729 + i * i) % 13);
    x[i] = static_cast<T>(std::is_signed_v<T> ? v - 6 : v);
  }
  return x;
}

/// More types would add minutes to the compile time.
#if defined(NDFORGE_FEW_TYPES)
using Types = ::testing::Types<float, int8_t>;
#else
using Types = ::testing::Types<float, double, int8_t, int32_t, uint64_t>;
#endif

/// The message of the E that f throws. For spans this is std::invalid_argument; for arrays the library's loops also
/// throw std::runtime_error.
template <typename E = std::invalid_argument, typename F>
std::string refusal(F&& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace tensorcases

#endif
