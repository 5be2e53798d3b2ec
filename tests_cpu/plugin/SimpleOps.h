// What the tests of simple operations share.
#ifndef NDFORGE_TESTS_PLUGIN_SIMPLEOPS_H
#define NDFORGE_TESTS_PLUGIN_SIMPLEOPS_H

#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>
#include <ops/simple/SimpleOp.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace simple_tests {

using namespace sd;
using Arguments = std::vector<std::pair<std::string, ops::ArgumentValue>>;

inline ops::DeclarableOp& op(const std::string& name) {
  ops::DeclarableOp* found = ops::OpRegistrator::getInstance().find(name);
  if (found == nullptr) throw std::invalid_argument("there is no operation " + name);
  return *found;
}

inline ops::ArgumentValue number(double value) {
  ops::ArgumentValue result;
  result.form = ops::ArgumentValue::Form::Numbers;
  result.numbers = {value};
  return result;
}

inline ops::ArgumentValue integers(std::vector<LongType> values) {
  ops::ArgumentValue result;
  result.integers = std::move(values);
  return result;
}

/// Elements in 0.2..1.7, none of them special to any of the operations.
inline NDArray sample(const std::vector<LongType>& shape, DataType type = DOUBLE, int seed = 0) {
  NDArray array = shape.empty() ? NDArray(type) : NDArray('c', shape, type);
  for (LongType k = 0; k < array.lengthOf(); k++)
    array.p<double>(k, 0.2 + static_cast<double>((37 * (k + seed) + 11) % 101) * 0.015);
  return array;
}

/// A call with its inputs and arguments.
inline void fill(graph::Context& call, const std::vector<NDArray*>& inputs, const Arguments& arguments) {
  for (size_t i = 0; i < inputs.size(); i++) call.setInputArray(static_cast<int>(i), inputs[i]);
  call.callByName();
  for (const auto& [name, value] : arguments) call.setArgument(name, value);
  call.setRng(graph::RandomGenerator(7, 9));
}

inline NDArray result(const std::string& name, const std::vector<NDArray*>& inputs, const Arguments& arguments = {}) {
  graph::Context call(1);
  fill(call, inputs, arguments);
  const Status status = op(name).execute(&call);
  if (status != Status::OK) throw std::invalid_argument(op(name).failureMessage(status));
  return *call.optionalOutput(0);
}

template <typename F>
std::string refusal(F call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline void expectNear(const NDArray& expected, const NDArray& actual, double tolerance) {
  ASSERT_TRUE(expected.isSameShape(actual)) << ShapeUtils::shapeAsString(&actual);
  ASSERT_EQ(expected.dataType(), actual.dataType());
  for (LongType k = 0; k < expected.lengthOf(); k++) {
    const double a = expected.e<double>(k), b = actual.e<double>(k);
    ASSERT_LE(std::abs(a - b), tolerance * std::max(1.0, std::abs(a))) << "element " << k << ": " << b << " not " << a;
  }
}

/// An operation of the module, and what it is called with in tests of gradients.
struct Case {
  std::string name;
  int inputs;
  Arguments arguments;
};

inline std::vector<Case> cases() {
  return {{"simple_negate", 1, {}},
          {"simple_scale", 1, {{"scalar", number(-1.5)}}},
          {"simple_exp", 1, {}},
          {"simple_tanh", 1, {}},
          {"simple_sigmoid", 1, {}},
          {"simple_square", 1, {}},
          {"simple_log", 1, {}},
          {"simple_leaky_relu", 1, {{"slope", number(0.1)}}},
          {"simple_smooth_l1", 2, {{"scalar", number(1.3)}}},
          {"simple_minus", 2, {}},
          {"simple_softmax", 1, {}},
          {"simple_dropout", 1, {{"scalar", number(0.6)}}},
          {"simple_row_sum", 1, {}}};
}

}  // namespace simple_tests

#endif
