#include "cli/Json.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>

#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

/// The shortest decimal number from which the float is read back: 0.1, not 0.10000000149011612.
Json realJson(float value) {
  if (!std::isfinite(value)) return jsonOf(double(value));
  char text[64];
  const char* end = std::to_chars(text, text + sizeof(text), value).ptr;
  double shortest = 0;
  std::from_chars(text, end, shortest);
  return shortest;
}

Json realJson(double value) { return jsonOf(value); }

template <typename T>
Json elementJson(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else if constexpr (std::is_same_v<T, double>)
    return realJson(value);
  else if constexpr (IS_FLOAT<T>)
    return realJson(float(value));
  else
    return value;
}

template <typename T>
Json elementJson(std::complex<T> value) {
  return Json::array({realJson(value.real()), realJson(value.imag())});
}

/// The part of an array from a dimension on; moves `next` behind its elements.
template <typename T>
Json nested(const std::vector<LongType>& dims, size_t dimension, const T*& next) {
  if (dimension == dims.size()) return elementJson(*next++);
  Json list = Json::array();
  for (LongType i = 0; i < dims[dimension]; ++i) list.push_back(nested(dims, dimension + 1, next));
  return list;
}

template <typename T>
Json valuesOf(const Array& array) {
  const T* next = static_cast<const T*>(array.data());
  return nested(array.dims(), 0, next);
}

bool hasObjects(const Json& json) {
  return json.is_object() || (json.is_array() && std::any_of(json.begin(), json.end(), hasObjects));
}

// Names may contain any bytes: other characters than ASCII are escaped, invalid UTF-8 is replaced.
std::string onOneLine(const Json& json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

void write(const Json& json, size_t indent, std::string& text) {
  if (json.empty() || json.is_primitive()) {
    text += onOneLine(json);
    return;
  }
  const bool isObject = json.is_object(), hasLines = hasObjects(json);
  const std::string margin = hasLines ? "\n" + std::string(indent + 2, ' ') : "";
  text += isObject ? "{" : "[";
  bool first = true;
  for (const auto& [key, value] : json.items()) {
    text += (first ? "" : hasLines ? "," : ", ") + margin;
    if (isObject) text += onOneLine(key) + ": ";
    write(value, indent + 2, text);
    first = false;
  }
  if (hasLines) text += "\n" + std::string(indent, ' ');
  text += isObject ? "}" : "]";
}

}  // namespace

std::shared_ptr<bool> addJsonFlag(CLI::App& command) {
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON; errors stay text on standard error");
  return json;
}

Json jsonOf(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json typeAndShape(std::string_view name, const Array& array) {
  return {{"name", name}, {"type", typeName(array.dtype())}, {"shape", array.dims()}};
}

Json jsonOf(std::string_view name, const Array& array) {
  Json json = typeAndShape(name, array);
  if (array.dtype() == COMPLEX64)
    json["values"] = valuesOf<std::complex<float>>(array);
  else if (array.dtype() == COMPLEX128)
    json["values"] = valuesOf<std::complex<double>>(array);
  else
    json["values"] = visitType(array.dtype(), [&](auto zero) { return valuesOf<decltype(zero)>(array); });
  return json;
}

Json jsonOf(const std::vector<double>& times) {
  return {{"runs", times.size()}, {"median", times[times.size() / 2]}, {"best", times[0]}};
}

std::string textOf(const Json& json) {
  std::string text = "";
  write(json, 0, text);
  return text + "\n";
}

void printJson(const Json& json) { print(textOf(json)); }

}  // namespace sd::cli
