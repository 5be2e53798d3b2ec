// A call as text: for people, as a command line, and as C++.
#include <array/DataTypeUtils.h>

#include <cmath>
#include <cstdio>

#include "Call.h"

namespace fuzz {
namespace {

std::string text(double value) {
  char digits[40];
  std::snprintf(digits, sizeof(digits), "%.17g", value);
  return digits;
}
std::string text(LongType value) { return std::to_string(value); }
std::string text(int value) { return std::to_string(value); }
std::string text(uint8_t value) { return value != 0 ? "true" : "false"; }

template <typename T>
std::string listed(const std::vector<T>& values, const char* separator = ", ") {
  std::string result;
  for (const T& value : values) result += (result.empty() ? "" : separator) + text(value);
  return result;
}

}  // namespace

std::string Call::describe() const {
  std::string result = std::string(nameOf(entry)) + " of " + op;
  if (entry == Entry::Numbered)
    result += " (number " + std::to_string(number) + ", form " + std::to_string(form) + (flag ? ", flag" : "") + ")";
  for (size_t k = 0; k < inputs.size(); k++) result += "\n  input " + std::to_string(k) + ": " + inputs[k].describe();
  for (size_t k = 0; k < outputs.size(); k++)
    result += (entry == Entry::Numbered ? "\n  z: " : "\n  output " + std::to_string(k) + " of the seed: ") +
              outputs[k].describe();
  for (const OutputChange& change : outputChanges) {
    Array output = static_cast<size_t>(change.index) < outputs.size() ? outputs[static_cast<size_t>(change.index)]
                                                                      : Array::of(sd::FLOAT32, {2});
    spoilOutput(output, inputs, Random(change.seed));
    result += "\n  output " + std::to_string(change.index) + " is changed, for example to " + output.describe();
  }
  if (!t.empty()) result += "\n  floating: " + listed(t);
  if (!i.empty()) result += "\n  integers: " + listed(i);
  if (!b.empty()) result += "\n  booleans: " + listed(b);
  if (!d.empty()) result += "\n  types: " + listed(d);
  if (entry == Entry::Numbered) result += extraGiven ? "\n  extra: " + listed(extra) : "\n  extra: null";
  if (inPlace) result += "\n  in place";
  if (!outputsGiven) result += "\n  no outputs";
  if (trustShapes) result += "\n  shape function override";
  if (!helpers) result += "\n  without helpers";
  if (mode != 0) result += "\n  mode " + std::to_string(mode);
  if (!atEnd) result += "\n  guard pages in front";
  return result;
}

std::string Call::asCommand() const {
  std::string line = "ndforge run " + op;
  for (size_t k = 0; k < inputs.size(); k++) line += " -i in" + std::to_string(k) + ".npy";
  if (!t.empty()) line += " --float " + listed(t, ",");
  if (!i.empty()) line += " --int " + listed(i, ",");
  if (!b.empty()) line += " --bool " + listed(b, ",");
  return line;
}

std::string Call::asCode() const {
  std::string code, names;
  for (size_t k = 0; k < inputs.size(); k++) {
    const Array& array = inputs[k];
    const std::string name = "in" + std::to_string(k);
    names += (names.empty() ? "&" : ", &") + name;
    code += "NDArray " + name + "('" + array.order + "', {" + listed(array.dims) + "}, " + typeName(array.type) + ");";
    if (!array.given) code += "  // null";
    code += "\n";
  }
  return code + "ops::OpRegistrator::getInstance().find(\"" + op + "\")->evaluate({" + names + "}, {" + listed(t) +
         "}, {" + listed(i) + "}, {" + listed(b) + "});";
}

}  // namespace fuzz
