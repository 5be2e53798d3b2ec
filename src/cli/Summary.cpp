#include "cli/Summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/Types.h"

namespace sd::cli {
namespace {

constexpr LongType SHOWN = 8;

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

}  // namespace

std::string summaryOf(const Array& array) {
  return visitType(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* data = static_cast<const T*>(array.data());
    const LongType length = array.length();
    std::string elements;
    for (LongType i = 0; i < std::min(length, SHOWN); ++i) elements += (i == 0 ? "" : ", ") + textOf(data[i]);
    if (length > SHOWN) elements += ", ...";
    return fmt::format("{} {}\n{}\n[{}]\n", typeName(array.dtype()), array.shapeText(), statisticsOf(data, length),
                       elements);
  });
}

}  // namespace sd::cli
