// Arrays as NumPy prints them.
#include <array/NDArrayText.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <vector>

#include "array/ArrayText.h"
#include "system/Error.h"

namespace sd::nd {

namespace {

/// The magnitude of a number: 0.DIGITS * 10^point, without zeros at the ends of DIGITS; none for 0.
struct Decimal {
  std::string digits;
  int point = 0;

  int decimals() const { return std::max(0, static_cast<int>(digits.size()) - point); }
  /// "12.5", "0."
  std::string fixed() const {
    if (digits.empty()) return "0.";
    if (point <= 0) return "0." + std::string(static_cast<size_t>(-point), '0') + digits;
    const auto whole = static_cast<size_t>(point);
    if (digits.size() <= whole) return digits + std::string(whole - digits.size(), '0') + ".";
    return digits.substr(0, whole) + "." + digits.substr(whole);
  }
};

Decimal decimalOf(const char* first, const char* last) {
  Decimal number;
  const char* exponent = std::find(first, last, 'e');
  for (const char* c = first; c != exponent; c++)
    if (*c != '.') number.digits += *c;
  int power = 0;
  if (exponent != last) std::from_chars(exponent + (exponent[1] == '+' ? 2 : 1), last, power);
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
  number.point = number.digits.empty() ? 0 : power + 1;
  return number;
}

template <typename T>
Decimal shortestOf(T magnitude) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof(text), magnitude, std::chars_format::scientific);
  return decimalOf(text, end.ptr);
}

/// For types without a shortest form of their own: the fewest digits of which Half makes the number.
template <typename Half>
Decimal shortestHalf(float magnitude) {
  char text[64];
  for (int digits = 0;; digits++) {
    const auto end = std::to_chars(text, text + sizeof(text), magnitude, std::chars_format::scientific, digits);
    double back = 0;
    std::from_chars(text, end.ptr, back);
    if (digits == 8 || static_cast<float>(static_cast<Half>(static_cast<float>(back))) == magnitude)
      return decimalOf(text, end.ptr);
  }
}

Decimal shortest(double magnitude, DataType type) {
  if (magnitude == 0) return {};
  const auto narrow = static_cast<float>(magnitude);
  if (type == HALF) return shortestHalf<float16>(narrow);
  if (type == BFLOAT16) return shortestHalf<bfloat16>(narrow);
  return type == FLOAT32 ? shortestOf(narrow) : shortestOf(magnitude);
}

/// Rounded to `digits` behind the point, "1.250e+03" or "12.250"; a point stands in either.
std::string rounded(double magnitude, std::chars_format format, int digits) {
  std::string text(400 + static_cast<size_t>(digits), ' ');
  text.resize(static_cast<size_t>(std::to_chars(text.data(), text.data() + text.size(), magnitude, format, digits).ptr -
                                  text.data()));
  if (digits == 0) text.insert(std::min(text.find('e'), text.size()), ".");
  return text;
}

/// The size from which numbers have exponents: `usual`, or where the digits of narrow types end.
double exponentsFrom(DataType type, double usual) {
  return type == FLOAT32 ? 1e6 : type == HALF ? 1e3 : type == BFLOAT16 ? 1e2 : usual;
}

/// Real numbers in one format. As in NumPy, digits that are cut off are rounded from the exact value, and in numbers
/// with exponents digits behind the shortest ones are those of the exact value. `plus` stands before what is not
/// negative.
std::vector<std::string> realTexts(const std::vector<double>& values, DataType type, int limit, const char* plus = "") {
  std::vector<Decimal> numbers;
  double least = INFINITY, most = 0;
  int significant = 1;
  for (const double value : values) {
    numbers.push_back(std::isfinite(value) ? shortest(std::abs(value), type) : Decimal{});
    if (!std::isfinite(value) || value == 0) continue;
    least = std::min(least, std::abs(value));
    most = std::max(most, std::abs(value));
    auto size = static_cast<int>(numbers.back().digits.size());
    if (size > limit + 1) {
      const std::string cut = rounded(std::abs(value), std::chars_format::scientific, limit);
      size = static_cast<int>(decimalOf(cut.data(), cut.data() + cut.size()).digits.size());
    }
    significant = std::max(significant, size);
  }
  const double smallest = type == DOUBLE ? 1e-4 : static_cast<double>(1e-4F);
  const bool scientific = most > 0 && (most >= exponentsFrom(type, 1e8) || least < smallest || most / least > 1000);
  const auto magnitudeText = [&](double magnitude, const Decimal& number) {
    if (scientific) return rounded(magnitude, std::chars_format::scientific, significant - 1);
    if (number.decimals() <= limit) return number.fixed();
    std::string text = rounded(magnitude, std::chars_format::fixed, limit);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
  };
  std::vector<std::string> texts;
  size_t left = 0, right = 0, width = 0;
  for (size_t i = 0; i < values.size(); i++) {
    const double value = values[i];
    std::string text = std::signbit(value) && !std::isnan(value) ? "-" : plus;
    if (std::isfinite(value))
      text += magnitudeText(std::abs(value), numbers[i]);
    else
      text += std::isnan(value) ? "nan" : "inf";
    if (const size_t dot = text.find('.'); dot != std::string::npos) {
      left = std::max(left, dot);
      right = std::max(right, text.size() - dot - 1);
    }
    width = std::max(width, text.size());
    texts.push_back(std::move(text));
  }
  width = std::max(width, left + 1 + right);
  for (std::string& text : texts) {
    const size_t dot = text.find('.');
    if (dot != std::string::npos && !scientific) text.append(right - (text.size() - dot - 1), ' ');
    text.insert(0, width - text.size(), ' ');
  }
  return texts;
}

/// Complex numbers, "1.+2.j": the real and the imaginary parts have a format each.
std::vector<std::string> complexTexts(const std::vector<std::complex<double>>& values, DataType part, int limit) {
  std::vector<double> real, imaginary;
  for (const auto& value : values) {
    real.push_back(value.real());
    imaginary.push_back(value.imag());
  }
  std::vector<std::string> texts = realTexts(real, part, limit);
  const std::vector<std::string> others = realTexts(imaginary, part, limit, "+");
  for (size_t i = 0; i < texts.size(); i++) {
    std::string other = others[i];
    other.insert(other.find_last_not_of(' ') + 1, 1, 'j');
    texts[i] += other;
  }
  return texts;
}

}  // namespace

std::string scalarText(double value, DataType type) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const double magnitude = std::abs(value);
  const Decimal number = shortest(magnitude, type);
  const std::string sign = std::signbit(value) ? "-" : "";
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < exponentsFrom(type, 1e16))) {
    const std::string text = number.fixed();
    return sign + text + (text.back() == '.' ? "0" : "");
  }
  const std::string exponent =
      rounded(magnitude, std::chars_format::scientific, static_cast<int>(number.digits.size()));
  const std::string& digits = number.digits;
  return sign + digits.substr(0, 1) + (digits.size() > 1 ? "." : "") + digits.substr(1) +
         exponent.substr(exponent.find('e'));
}

std::string scalarText(std::complex<double> value, DataType part) {
  const auto whole = [part](double x) {
    std::string text = scalarText(x, part);
    if (text.size() > 2 && text.substr(text.size() - 2) == ".0") text.erase(text.size() - 2);
    return text;
  };
  const std::string imaginary = whole(value.imag()) + "j";
  if (value.real() == 0 && !std::signbit(value.real())) return imaginary;
  return "(" + whole(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + ")";
}

namespace {

class Printer {
 public:
  Printer(const NDArray& x, const PrintOptions& options) : _x(x), _options(options) {
    _shortened = x.lengthOf() > options.threshold;
    if (x.rankOf() == 0)
      _places.push_back(0);
    else
      collect(0, 0);
    write();
  }

  std::string text() {
    if (_x.rankOf() == 0 && _x.isC()) return scalarText(complexAt(0), DataTypeUtils::partType(_x.dataType()));
    if (_x.rankOf() == 0) return _x.isR() ? scalarText(_x.e<double>(0), _x.dataType()) : _texts[0];
    return rows(0, static_cast<size_t>(_options.indent));
  }

 private:
  const NDArray& _x;
  const PrintOptions& _options;
  bool _shortened = false;
  std::vector<LongType> _places;    ///< of the elements that are printed, in c order
  std::vector<std::string> _texts;  ///< theirs
  size_t _next = 0;

  // Twice the edge might overflow.
  bool isShortened(int dimension) const { return _shortened && _x.sizeAt(dimension) - _options.edge > _options.edge; }

  /// Calls f(index) for each index of a dimension that is printed, and gap() for those that are not.
  template <typename F, typename G>
  void each(int dimension, F&& f, G&& gap) const {
    const LongType size = _x.sizeAt(dimension);
    if (!isShortened(dimension)) {
      for (LongType i = 0; i < size; i++) f(i);
      return;
    }
    for (LongType i = 0; i < _options.edge; i++) f(i);
    gap();
    for (LongType i = size - _options.edge; i < size; i++) f(i);
  }

  void collect(int dimension, LongType first) {
    const bool last = dimension + 1 == _x.rankOf();
    each(
        dimension,
        [&](LongType i) {
          const LongType place = first * _x.sizeAt(dimension) + i;
          if (last)
            _places.push_back(place);
          else
            collect(dimension + 1, place);
        },
        [] {});
  }

  std::complex<double> complexAt(LongType place) const { return _x.e<std::complex<double>>(place); }

  void write() {
    if (_x.isC()) {
      std::vector<std::complex<double>> values;
      for (const LongType place : _places) values.push_back(complexAt(place));
      _texts = complexTexts(values, DataTypeUtils::partType(_x.dataType()), _options.precision);
      return;
    }
    if (_x.isR()) {
      std::vector<double> values;
      for (const LongType place : _places) values.push_back(_x.e<double>(place));
      _texts = realTexts(values, _x.dataType(), _options.precision);
      return;
    }
    size_t width = _x.isB() && _x.rankOf() > 0 ? 5 : 0;  // as if there were a False
    for (const LongType place : _places) {
      _texts.push_back(plain(place));
      width = std::max(width, _texts.back().size());
    }
    for (std::string& text : _texts) text.insert(_x.isS() ? text.size() : 0, width - text.size(), ' ');
  }
  std::string plain(LongType place) const {
    if (_x.isS()) return "\"" + _x.e<std::string>(place) + "\"";
    if (_x.isB()) return _x.e<bool>(place) ? "True" : "False";
    return _x.dataType() == UINT64 ? std::to_string(_x.e<uint64_t>(place)) : std::to_string(_x.e<LongType>(place));
  }

  /// The part of the array that begins at a dimension; `indent` characters stand before it.
  std::string rows(int dimension, size_t indent) {
    const bool last = dimension + 1 == _x.rankOf();
    const std::string separator = _options.separator;
    const std::string mark = separator.substr(0, separator.find_last_not_of(' ') + 1);
    const std::string margin(indent + 1, ' ');
    const LongType count = isShortened(dimension) ? 2 * _options.edge + 1 : _x.sizeAt(dimension);
    LongType done = 0;
    std::string result = "[", line;
    const auto element = [&](const std::string& text) {
      const bool more = ++done < count;
      // Every line has room for the brackets or the mark that may follow.
      const size_t behind = static_cast<size_t>(dimension) + std::max<size_t>(mark.size(), 1);
      if (!line.empty() && indent + 1 + line.size() + text.size() + behind > static_cast<size_t>(_options.width)) {
        line.erase(line.find_last_not_of(' ') + 1);
        result += line + "\n" + margin;
        line.clear();
      }
      line += text + (more ? mark + " " : "");
    };
    const auto block = [&](const std::string& text) {
      result += text;
      if (++done < count) result += mark + std::string(static_cast<size_t>(_x.rankOf() - 1 - dimension), '\n') + margin;
    };
    each(
        dimension,
        [&](LongType) {
          if (last)
            element(_texts[_next++]);
          else
            block(rows(dimension + 1, indent + 1));
        },
        [&] { last ? element("...") : block("..."); });
    return result + line + "]";
  }
};

}  // namespace

std::string text(const NDArray& x, const PrintOptions& options) {
  if (options.precision < 0 || options.threshold < 0 || options.indent < 0)
    invalidArgument("[text] precision {}, threshold {} and indent {} must not be negative", options.precision,
                    options.threshold, options.indent);
  if (options.edge < 1 || options.width < 1)
    invalidArgument("[text] edge {} and width {} must be positive", options.edge, options.width);
  if (!x.hasElements()) return "[]";
  return Printer(x, options).text();
}

}  // namespace sd::nd
