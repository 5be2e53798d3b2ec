// The parameters over which a benchmark is repeated.
#ifndef NDFORGE_HELPERS_BENCHMARKPARAMETERS_H
#define NDFORGE_HELPERS_BENCHMARKPARAMETERS_H

#include <system/common.h>

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sd {

/// Named values. Reading a name that was not added throws std::out_of_range.
class SD_LIB_EXPORT Parameters {
 public:
  Parameters* addIntParam(const std::string& name, int value);
  /// @throws std::runtime_error when the numbers of names and values differ
  Parameters* addIntParam(std::initializer_list<std::string> names, std::initializer_list<int> values);
  Parameters* addBoolParam(const std::string& name, bool value);
  Parameters* addBoolParam(std::initializer_list<std::string> names, std::initializer_list<bool> values);
  Parameters* addArrayParam(const std::string& name, std::initializer_list<int> values);

  int getIntParam(const std::string& name) const;
  bool getBoolParam(const std::string& name) const;
  std::vector<int> getArrayParam(const std::string& name) const;

 private:
  std::map<std::string, int> _ints;
  std::map<std::string, bool> _bools;
  std::map<std::string, std::vector<int>> _arrays;
};

/// The values that one parameter takes in turn.
class SD_LIB_EXPORT ParametersSpace {
 public:
  ParametersSpace(std::string name, std::vector<int> values) : _name(std::move(name)), _values(std::move(values)) {}
  virtual ~ParametersSpace() = default;
  const std::string& name() const { return _name; }
  const std::vector<int>& evaluate() const { return _values; }

 protected:
  /// start, start + step, … up to stop. @throws std::runtime_error for a step below 1
  static std::vector<int> range(int start, int stop, int step);

  std::string _name;
  std::vector<int> _values;
};

/// The values 0 and 1.
class BoolParameters : public ParametersSpace {
 public:
  explicit BoolParameters(std::string name) : ParametersSpace(std::move(name), {0, 1}) {}
};

/// start, start + step, … up to stop.
class IntParameters : public ParametersSpace {
 public:
  IntParameters(std::string name, int start, int stop, int step = 1)
      : ParametersSpace(std::move(name), range(start, stop, step)) {}
};

/// base to the power of start, start + step, … up to stop. @throws std::runtime_error for powers that do not fit into
/// an int
class SD_LIB_EXPORT IntPowerParameters : public ParametersSpace {
 public:
  IntPowerParameters(std::string name, int base, int start, int stop, int step = 1);
};

class PredefinedParameters : public ParametersSpace {
 public:
  PredefinedParameters(std::string name, std::initializer_list<int> values)
      : ParametersSpace(std::move(name), values) {}
  PredefinedParameters(std::string name, const std::vector<int>& values) : ParametersSpace(std::move(name), values) {}
};

/// All combinations of the values of several parameters, which it does not own; the last parameter changes fastest.
class SD_LIB_EXPORT ParametersBatch {
 public:
  ParametersBatch() = default;
  ParametersBatch(std::initializer_list<ParametersSpace*> spaces) : _spaces(spaces) {}
  explicit ParametersBatch(const std::vector<ParametersSpace*>& spaces) : _spaces(spaces) {}

  std::vector<Parameters> parameters() const;

 private:
  std::vector<ParametersSpace*> _spaces;
};

}  // namespace sd

#endif
