// Arrays as text.
#include <array/NDArray.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cstdio>

#include "array/ArrayText.h"
#include "array/NDArrayCommon.h"

namespace sd {

namespace {

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

// `real` formats real numbers.
template <typename Real>
std::string element(const NDArray& array, LongType i, Real real) {
  if (array.isS()) return quoted(array.e<std::string>(i));
  if (array.isB()) return array.e<bool>(i) ? "true" : "false";
  if (array.isR()) return real(array.e<double>(i));
  return array.dataType() == UINT64 ? fmt::format("{}", array.e<uint64_t>(i)) : fmt::format("{}", array.e<LongType>(i));
}

std::string fixed(double value) { return fmt::format("{:f}", value); }
// The default format of an output stream.
std::string general(double value) { return fmt::format("{:g}", value); }

LongType limited(const NDArray& array, LongType limit) {
  return limit < 0 || limit > array.lengthOf() ? array.lengthOf() : limit;
}

template <typename Real>
std::string list(const NDArray& array, LongType limit, Real real) {
  std::string text = "[";
  for (LongType i = 0, n = limited(array, limit); i < n; i++) text += (i > 0 ? ", " : "") + element(array, i, real);
  return text + "]";
}

void nested(const NDArray& array, int dim, LongType first, LongType& left, std::string& text) {
  const int rank = array.rankOf();
  LongType inner = 1;
  for (int d = dim + 1; d < rank; d++) inner *= array.shapeInfo()[1 + d];
  text += "[";
  for (LongType i = 0; i < array.shapeInfo()[1 + dim] && left > 0; i++) {
    if (dim == rank - 1) {
      text += (i > 0 ? ", " : "") + element(array, first + i, fixed);
      left--;
    } else {
      if (i > 0) text += ",\n" + std::string(static_cast<size_t>(dim) + 1, ' ');
      nested(array, dim + 1, first + i * inner, left, text);
    }
  }
  text += "]";
}

void print(const char* message, const std::string& text) {
  if (message != nullptr) std::printf("%s: ", message);
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

}  // namespace

std::string indexedText(const NDArray& array, LongType limit) {
  if (!array.hasElements()) return "Empty";
  if (array.rankOf() == 0) return element(array, 0, [](double value) { return fmt::format("{:.8f}", value); });
  if (array.rankOf() == 1 || (array.rankOf() == 2 && array.shapeInfo()[1] == 1)) return list(array, limit, fixed);
  LongType left = limited(array, limit);
  std::string text;
  nested(array, 0, 0, left, text);
  return text;
}

void NDArray::printIndexedBuffer(const char* msg, LongType limit) const { print(msg, indexedText(*this, limit)); }

void NDArray::printBuffer(const char* msg, LongType limit, bool) const { print(msg, list(*this, limit, fixed)); }

namespace {

// The elements in memory order, as a vector with the array's element-wise stride, or with stride 1 when it has none.
NDArray inMemoryOrder(const NDArray& array) {
  LongType info[] = {1, array.lengthOf(), array.ews() > 0 ? array.ews() : 1, 0, 0, 'c'};
  ArrayOptions::setDataType(info, array.dataType());
  shape::checkStridesEwsAndOrder(info);
  return array.viewOf(info, 0);
}

}  // namespace

void NDArray::printLinearBuffer() const {
  if (!hasElements() || isS())
    printBuffer();
  else
    print(nullptr, list(inMemoryOrder(*this), -1, fixed));
}

void NDArray::printCurrent(bool host, const char* msg, int precision, DataType type) const {
  if (!host || !hasElements() || isS()) {
    print(msg, host ? list(*this, -1, fixed) : "no device");
    return;
  }
  print(msg, list(inMemoryOrder(*this).asT(type), -1,
                  [precision](double value) { return fmt::format("{:.{}f}", value, std::max(precision, 0)); }));
}

void NDArray::printShapeInfo(const char* msg) const {
  print(msg, _shapeInfo == nullptr ? "none" : ShapeUtils::shapeInfoAsString(_shapeInfo));
}

std::string NDArray::asIndexedString(LongType limit) const { return list(*this, limit, general); }
std::string NDArray::asString(LongType limit) const { return list(*this, limit, general); }

}  // namespace sd
