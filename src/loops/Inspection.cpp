// Statistics of all elements of an array.
#include <array/ArrayOptions.h>
#include <helpers/shape.h>

#include <cmath>
#include <limits>

#include "loops/Inspection.h"
#include "loops/Layout.h"
#include "system/Error.h"
#include "types/StoredBool.h"
#include "types/TypeDispatch.h"

namespace sd::loops {

namespace {

template <typename T, typename F>
void forEach(const T* data, const Layout& layout, F&& f) {
  layout.pieces(0, layout.length(), [&](LongType at, LongType stride, LongType count) {
    for (LongType i = 0; i < count; i++) f(static_cast<double>(data[at + i * stride]));
  });
}

template <typename T>
Statistics statisticsOf(const T* data, const Layout& layout) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Statistics s{infinity, -infinity, 0, 0, 0, 0, 0, 0, 0};
  double sum = 0;
  forEach(data, layout, [&](double x) {
    sum += x;
    if (x < s.minimum) s.minimum = x;
    if (x > s.maximum) s.maximum = x;
    s.zeros += std::fabs(x) <= 1e-5;
    s.positives += x > 0;
    s.negatives += x < 0;
    s.infinities += std::isinf(x);
    s.notNumbers += std::isnan(x);
  });
  const auto n = static_cast<double>(layout.length());
  s.mean = sum / n;
  double squares = 0;
  forEach(data, layout, [&](double x) { squares += (x - s.mean) * (x - s.mean); });
  s.standardDeviation = layout.length() == 1 ? s.mean : std::sqrt(squares / n);
  if (s.notNumbers == layout.length()) s.minimum = s.maximum = std::numeric_limits<double>::quiet_NaN();
  return s;
}

}  // namespace

Statistics inspect(In x) {
  const char* op = "inspectArray";
  if (x.info == nullptr) fail("[{}] the shape of x is null", op);
  shape::validate(x.info, op);
  const DataType type = ArrayOptions::dataType(x.info);
  const LongType length = shape::length(x.info);
  if (length > 0 && x.data == nullptr) fail("[{}] the buffer of x is null", op);
  return withNumericType(op, type, [&]<typename T>() {
    return length == 0 ? Statistics{} : statisticsOf(static_cast<const Stored<T>*>(x.data), Layout(x.info));
  });
}

}  // namespace sd::loops
