// Values of arguments that a program writes down: for setArgument() and for calls with named arguments.
#ifndef NDFORGE_SRC_CALL_ARGUMENT_VALUES_H
#define NDFORGE_SRC_CALL_ARGUMENT_VALUES_H

#include <ops/declarable/Arguments.h>

#include <string>
#include <utility>
#include <vector>

namespace sd::ops {

inline ArgumentValue integersArgument(std::vector<LongType> values) {
  return {ArgumentValue::Form::Integers, std::move(values), {}, {}};
}

inline ArgumentValue numbersArgument(std::vector<double> values) {
  return {ArgumentValue::Form::Numbers, {}, std::move(values), {}};
}

inline ArgumentValue numberArgument(double value) { return numbersArgument({value}); }

inline ArgumentValue flagArgument(bool value) { return {ArgumentValue::Form::Flags, {value ? 1 : 0}, {}, {}}; }

inline ArgumentValue typeArgument(DataType type) {
  return {ArgumentValue::Form::Types, {static_cast<LongType>(type)}, {}, {}};
}

inline ArgumentValue choiceArgument(std::string name) { return {ArgumentValue::Form::Name, {}, {}, std::move(name)}; }

}  // namespace sd::ops

#endif
