#include "cli/Summary.h"

#include <array/NDArrayText.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "cli/Types.h"

namespace sd::cli {
namespace {

// Larger arrays are shown without their middle.
constexpr LongType SHOWN = 64;

template <typename T>
std::string textOf(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (types::isHalf<T>)
    return fmt::format("{:.5g}", float(value));
  else if constexpr (std::is_same_v<T, float>)
    return fmt::format("{:.7g}", value);
  else if constexpr (std::is_floating_point_v<T>)
    return fmt::format("{:.15g}", value);
  else
    return fmt::format("{}", +value);
}

template <typename T>
std::string statisticsOf(const T* data, LongType length) {
  LongType counted = 0;
  T least{}, most{};
  long double sum = 0;
  for (LongType i = 0; i < length; ++i) {
    if constexpr (IS_FLOAT<T>)
      if (std::isnan(double(data[i]))) continue;
    if (counted == 0 || data[i] < least) least = data[i];
    if (counted == 0 || data[i] > most) most = data[i];
    if constexpr (IS_FLOAT<T>)
      sum += double(data[i]);
    else
      sum += data[i];
    ++counted;
  }
  if (counted == 0) return length == 0 ? "no elements" : fmt::format("{} elements, all of them nan", length);
  std::string text = fmt::format("min {}  max {}  mean {:.7g}", textOf(least), textOf(most), double(sum / counted));
  if (counted < length) text += fmt::format("  nan {}", length - counted);
  return text;
}

template <typename T>
std::string complexStatistics(const Array& array) {
  const auto* data = static_cast<const std::complex<T>*>(array.data());
  const LongType length = array.length();
  T least{}, most{};
  std::complex<long double> sum = 0;
  for (LongType i = 0; i < length; ++i) {
    const T magnitude = std::abs(data[i]);
    if (i == 0 || magnitude < least) least = magnitude;
    if (i == 0 || magnitude > most) most = magnitude;
    sum += std::complex<long double>(data[i]);
  }
  if (length == 0) return "no elements";
  const std::complex<double> mean(sum / static_cast<long double>(length));
  return fmt::format("magnitudes {} to {}  mean {:.7g}{:+.7g}j", textOf(least), textOf(most), mean.real(), mean.imag());
}

std::string statisticsOf(const Array& array) {
  if (array.dtype() == COMPLEX64) return complexStatistics<float>(array);
  if (array.dtype() == COMPLEX128) return complexStatistics<double>(array);
  return visitType(array.dtype(), [&](auto zero) {
    return statisticsOf(static_cast<const decltype(zero)*>(array.data()), array.length());
  });
}

}  // namespace

std::string summaryOf(const Array& array) {
  nd::PrintOptions options;
  options.threshold = SHOWN;
  return fmt::format("{} {}\n{}\n{}\n", typeName(array.dtype()), array.shapeText(), statisticsOf(array),
                     nd::text(NDArray(array.data(), array.info()), options));
}

}  // namespace sd::cli
