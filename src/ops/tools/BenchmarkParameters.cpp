#include <helpers/BenchmarkParameters.h>

#include <limits>

#include "system/Error.h"

namespace sd {

namespace {

template <typename T>
void addAll(std::map<std::string, T>& map, const std::initializer_list<std::string>& names,
            const std::initializer_list<T>& values) {
  if (names.size() != values.size()) fail("[Parameters] {} names are given for {} values", names.size(), values.size());
  for (size_t i = 0; i < names.size(); i++) map[names.begin()[i]] = values.begin()[i];
}

template <typename T>
const T& found(const std::map<std::string, T>& map, const std::string& name) {
  const auto entry = map.find(name);
  if (entry == map.end()) fail<std::out_of_range>("[Parameters] there is no parameter '{}'", name);
  return entry->second;
}

}  // namespace

Parameters* Parameters::addIntParam(const std::string& name, int value) {
  _ints[name] = value;
  return this;
}
Parameters* Parameters::addIntParam(std::initializer_list<std::string> names, std::initializer_list<int> values) {
  addAll(_ints, names, values);
  return this;
}
Parameters* Parameters::addBoolParam(const std::string& name, bool value) {
  _bools[name] = value;
  return this;
}
Parameters* Parameters::addBoolParam(std::initializer_list<std::string> names, std::initializer_list<bool> values) {
  addAll(_bools, names, values);
  return this;
}
Parameters* Parameters::addArrayParam(const std::string& name, std::initializer_list<int> values) {
  _arrays[name] = values;
  return this;
}

int Parameters::getIntParam(const std::string& name) const { return found(_ints, name); }
bool Parameters::getBoolParam(const std::string& name) const {
  const auto number = _ints.find(name);  // a parameter space holds integers only, so a bool may be stored as one
  return number != _ints.end() ? number->second != 0 : found(_bools, name);
}
std::vector<int> Parameters::getArrayParam(const std::string& name) const { return found(_arrays, name); }

std::vector<int> ParametersSpace::range(int start, int stop, int step) {
  if (step < 1) fail("[ParametersSpace] step {} is below 1", step);
  std::vector<int> values;
  for (LongType value = start; value <= stop; value += step) values.push_back(static_cast<int>(value));
  return values;
}

IntPowerParameters::IntPowerParameters(std::string name, int base, int start, int stop, int step)
    : ParametersSpace(std::move(name), range(start, stop, step)) {
  for (int& value : _values) {
    LongType power = 1;
    for (int i = 0; i < value; i++) {
      power *= base;
      if (power > std::numeric_limits<int>::max() || power < std::numeric_limits<int>::min())
        fail("[IntPowerParameters] '{}': {} to the power of {} does not fit an int", _name, base, value);
    }
    value = static_cast<int>(power);
  }
}

std::vector<Parameters> ParametersBatch::parameters() const {
  std::vector<Parameters> all(1);
  for (const ParametersSpace* space : _spaces) {
    std::vector<Parameters> longer;
    for (const Parameters& parameters : all)
      for (const int value : space->evaluate()) {
        longer.push_back(parameters);
        longer.back().addIntParam(space->name(), value);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace sd
