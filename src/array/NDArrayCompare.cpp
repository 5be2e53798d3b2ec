// Equality of arrays, and the checks for calls that take a user function.
#include <array/ElementRows.h>
#include <array/NDArray.h>

#include <cmath>
#include <string>

#include "array/ComplexParts.h"
#include "array/ElementConvert.h"
#include "array/NDArrayCommon.h"
#include "types/StoredBool.h"

namespace sd {

namespace {

template <typename T>
bool closeTo(T a, T b, double eps) {
  if (a == b) return true;
  if constexpr (std::is_same_v<T, bool>) {
    return eps >= 1;
  } else if constexpr (std::is_integral_v<T>) {
    // The unsigned type holds every difference and the magnitude of every value.
    using U = std::make_unsigned_t<T>;
    const auto magnitude = [](T v) {
      return static_cast<double>(v < 0 ? U(0) - static_cast<U>(v) : static_cast<U>(v));
    };
    const double difference = static_cast<double>(
        static_cast<U>(a > b ? static_cast<U>(a) - static_cast<U>(b) : static_cast<U>(b) - static_cast<U>(a)));
    return difference <= eps || difference <= eps * std::fmax(magnitude(a), magnitude(b));
  } else {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (std::isinf(x) || std::isinf(y)) return false;
    const double difference = std::fabs(x - y);
    return difference <= eps || difference <= eps * std::fmax(std::fabs(x), std::fabs(y));
  }
}

// float16 and bfloat16 do not convert to double implicitly.
template <typename T>
auto comparable(T value) {
  if constexpr (std::is_same_v<T, StoredBool>)
    return static_cast<bool>(value);
  else if constexpr (types::isHalf<T>)
    return static_cast<float>(value);
  else
    return value;
}

template <typename T>
bool equalElements(const NDArray& a, const NDArray& b, double eps) {
  const auto *x = a.bufferAsT<Stored<T>>(), *y = b.bufferAsT<Stored<T>>();
  if (!shape::shapeEquals(a.shapeInfo(), b.shapeInfo())) {
    for (LongType i = 0; i < a.lengthOf(); i++)
      if (!closeTo(comparable(x[shape::getIndexOffset(i, a.shapeInfo())]),
                   comparable(y[shape::getIndexOffset(i, b.shapeInfo())]), eps))
        return false;
    return true;
  }
  const detail::ElementRows<2> rows({a.shapeInfo(), b.shapeInfo()}, true);
  bool equal = true;
  rows.run(0, rows.length(), [&](const auto& row) {
    for (LongType i = 0; i < row.length && equal; i++)
      equal = closeTo(comparable(x[row.offsets[0] + i * row.steps[0]]),
                      comparable(y[row.offsets[1] + i * row.steps[1]]), eps);
  });
  return equal;
}

}  // namespace

bool NDArray::equalsTo(const NDArray& other, double eps) const {
  if (_shapeInfo == nullptr || other._shapeInfo == nullptr) return _shapeInfo == other._shapeInfo;
  if (_dataType != other._dataType || _length != other._length) return false;
  const bool vectors = (rankOf() == 1 && other.rankOf() == 2) || (rankOf() == 2 && other.rankOf() == 1);
  if (!vectors && !shape::shapeEquals(_shapeInfo, other._shapeInfo)) return false;
  if (!hasElements()) return true;
  if (isS()) {
    for (LongType i = 0; i < _length; i++)
      if (readUtf8(i) != other.readUtf8(i)) return false;
    return true;
  }
  if (isC())
    return arrays::bothParts(*this).equalsTo(
        arrays::bothParts(other.isSameShape(*this) ? other : other.reshape(ordering(), getShapeAsVector())), eps);
  const double roundedEps = static_cast<float>(eps);
  return elements::withType("equalsTo", _dataType,
                            [&](auto example) { return equalElements<decltype(example)>(*this, other, roundedEps); });
}

bool NDArray::operator==(const NDArray& other) const {
  if (this == &other) return true;
  return isSameShape(other) && equalsTo(other);
}

// ---- user functions

void NDArray::checkLambda(const char* name, DataType type, const NDArray& target) const {
  if (_dataType != type || target._dataType != type)
    fail<std::runtime_error>("[{}] the function has type {}, the array {}, the target {}", name, arrays::typeText(type),
                             arrays::typeText(_dataType), arrays::typeText(target._dataType));
  checkLambdaOperand(name, target);
}

void NDArray::checkLambdaType(const char* name, const NDArray& operand) const {
  if (operand._dataType != _dataType)
    fail<std::runtime_error>("[{}] the arrays have types {} and {}", name, arrays::typeText(_dataType),
                             arrays::typeText(operand._dataType));
}

void NDArray::checkLambdaOperand(const char* name, const NDArray& operand) const {
  checkLambdaType(name, operand);
  if (!isSameShape(operand))
    fail("[{}] shapes {} and {} differ", name, arrays::shapeText(*this), arrays::shapeText(operand));
}

}  // namespace sd
