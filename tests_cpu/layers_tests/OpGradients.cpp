// Gradients of operations against central differences.
#include <gtest/gtest.h>
#include <helpers/ShapeUtils.h>

#include <cmath>

#include "OpCalls.h"
#include "OpHarness.h"

namespace sd::optest {
namespace {

constexpr LongType MOST_ELEMENTS = 24;  // elements tested per input, spread over it

/// A fixed sequence of numbers with magnitudes in [0.25, 1.25).
class Weights {
 public:
  double next() {
    _state = _state * 6364136223846793005u + 1442695040888963407u;
    const double magnitude = 0.25 + static_cast<double>(_state >> 11) / 9007199254740992.0;
    return (_state >> 10 & 1) != 0 ? magnitude : -magnitude;
  }

 private:
  uint64_t _state = 2463534242u;
};

class GradientCheck {
 public:
  GradientCheck(const OpCase& c, ops::DeclarableOp& op, ops::DeclarableOp& gradient)
      : _case(c), _op(op), _gradient(gradient), _inputs(placed(c.inputs, Layout::C)) {}

  void run() {
    _outputs = evaluate();
    Weights weights;
    for (const auto& z : _outputs) {
      _eps.push_back(z->isR() ? std::make_shared<NDArray>(converted(z->dup('c'), DOUBLE)) : nullptr);
      if (_eps.back() != nullptr)
        for (LongType i = 0; i < z->lengthOf(); i++) _eps.back()->p(i, weights.next());
    }
    collect();
    const std::vector<Array> analytic = analyticGradients(Layout::C, Layout::C);
    if (::testing::Test::HasFailure()) return;
    for (const auto& [input, output] : _case.gradient.outputOf) compare(input, output, analytic);
    if (!_case.checks("bp_layouts") || ::testing::Test::HasFailure()) return;
    const std::pair<Layout, Layout> layouts[] = {
        {Layout::F, Layout::C}, {Layout::Padded, Layout::F}, {Layout::Reversed, Layout::EverySecond}};
    for (const auto& [inputs, outputs] : layouts) {
      const std::vector<Array> again = analyticGradients(inputs, outputs);
      for (size_t k = 0; k < std::min(again.size(), analytic.size()); k++)
        if (const auto found = difference(*again[k], *analytic[k], analytic[k]->dataType(), 1e-9))
          ADD_FAILURE() << "inputs in the layout '" << numbered::nameOf(inputs) << "', outputs in '"
                        << numbered::nameOf(outputs) << "': gradient " << k << ": " << *found;
    }
    checkMixedTypes(_gradient, _gradientInputs, _arguments, _case.tolerance(FLOAT32));
  }

 private:
  const OpCase& _case;
  ops::DeclarableOp &_op, &_gradient;
  Placing _inputs;
  std::vector<std::shared_ptr<NDArray>> _outputs, _eps;
  std::vector<Array> _gradientInputs;
  Arguments _arguments;

  std::vector<std::shared_ptr<NDArray>> evaluate() {
    std::vector<std::shared_ptr<NDArray>> outputs;
    std::vector<NDArray*> given;
    for (const LongType* info : shapesOf(_op, pointers(_inputs), _case.arguments)) {
      outputs.push_back(std::make_shared<NDArray>(info, false, LaunchContext::defaultContext()));
      given.push_back(outputs.back().get());
    }
    if (execute(_op, pointers(_inputs), given, _case.arguments) != Status::OK)
      throw std::runtime_error("the operation failed: " + ops::DeclarableOp::lastValidationMessage());
    return outputs;
  }

  /// The inputs and the arguments of the gradient operation.
  void collect() {
    const Gradient& how = _case.gradient;
    _arguments = _case.arguments;
    if (how.t) _arguments.t = *how.t;
    if (how.i) _arguments.i = *how.i;
    if (how.b) _arguments.b = *how.b;
    if (how.inputs.empty()) {
      _gradientInputs = _case.inputs;
      for (const auto& eps : _eps)
        if (eps != nullptr) _gradientInputs.push_back(eps);
      return;
    }
    for (const std::string& name : how.inputs) {
      const auto at = name.find_first_of("0123456789");
      if (name == "none") {
        _gradientInputs.push_back(nullptr);
        continue;
      }
      const std::string kind = name.substr(0, at);
      const auto index = static_cast<size_t>(std::stoi(name.substr(at)));
      _gradientInputs.push_back(kind == "in"    ? _case.inputs.at(index)
                                : kind == "eps" ? Array(_eps.at(index))
                                                : Array(_outputs.at(index)));
    }
  }

  std::vector<Array> analyticGradients(Layout inputLayout, Layout outputLayout) {
    const Placing inputs = placed(_gradientInputs, inputLayout);
    const Placing outputs = placed(shapesOf(_gradient, pointers(inputs), _arguments), outputLayout);
    if (execute(_gradient, pointers(inputs), pointers(outputs), _arguments) != Status::OK) {
      ADD_FAILURE() << _gradient.getOpDescriptor()->name() << ": " << ops::DeclarableOp::lastValidationMessage();
      return {};
    }
    for (size_t k = 0; k < inputs.size(); k++)
      if (inputs[k] != nullptr && !inputs[k]->unchanged())
        ADD_FAILURE() << _gradient.getOpDescriptor()->name() << ": input " << k << " was changed";
    std::vector<Array> results;
    for (size_t k = 0; k < outputs.size(); k++) {
      if (!outputs[k]->gapsUntouched()) ADD_FAILURE() << "wrote outside the elements of gradient " << k;
      results.push_back(std::make_shared<NDArray>(*outputs[k]->get()));
    }
    return results;
  }

  void compare(int input, int output, const std::vector<Array>& analytic) {
    NDArray& x = *_inputs.at(static_cast<size_t>(input))->get();
    if (static_cast<size_t>(output) >= analytic.size()) {
      ADD_FAILURE() << "there is no gradient " << output;
      return;
    }
    const NDArray& gradient = *analytic[static_cast<size_t>(output)];
    if (gradient.dataType() != DOUBLE || !gradient.isSameShape(x)) {
      ADD_FAILURE() << "gradient " << output << " is " << DataTypeUtils::asString(gradient.dataType())
                    << ShapeUtils::shapeAsString(&gradient) << ", input " << input << " is DOUBLE"
                    << ShapeUtils::shapeAsString(&x);
      return;
    }
    const LongType n = x.lengthOf(), checked = std::min(n, MOST_ELEMENTS);
    for (LongType k = 0; k < checked; k++) {
      const LongType i = checked == 1 ? 0 : k * (n - 1) / (checked - 1);
      const double value = x.e<double>(i), step = _case.gradient.step * std::max(1.0, std::fabs(value));
      const double up = value + step, down = value - step;
      x.p(i, up);
      const auto above = evaluate();
      x.p(i, down);
      const auto below = evaluate();
      x.p(i, value);
      const double numeric = weightedDifference(above, below) / (up - down), exact = gradient.e<double>(i);
      const double error = std::fabs(numeric - exact);
      if (error <= 1e-6 || error <= 1e-5 * std::max(std::fabs(numeric), std::fabs(exact))) continue;
      ADD_FAILURE() << "gradient by input " << input << ", element " << i << ": " << exact << ", numerically "
                    << numeric;
      return;
    }
  }

  /// The sum of weight * (above - below) over all float outputs.
  double weightedDifference(const std::vector<std::shared_ptr<NDArray>>& above,
                            const std::vector<std::shared_ptr<NDArray>>& below) const {
    long double sum = 0;
    for (size_t k = 0; k < _eps.size(); k++) {
      if (_eps[k] == nullptr || !isUsed(k)) continue;
      for (LongType i = 0; i < _eps[k]->lengthOf(); i++)
        sum += static_cast<long double>(_eps[k]->e<double>(i)) * (above[k]->e<double>(i) - below[k]->e<double>(i));
    }
    return static_cast<double>(sum);
  }

  /// Whether the gradient operation takes the gradient of output k as an input.
  bool isUsed(size_t k) const {
    const auto& names = _case.gradient.inputs;
    return names.empty() || std::find(names.begin(), names.end(), "eps" + std::to_string(k)) != names.end();
  }
};

}  // namespace

void checkGradients(const OpCase& c) {
  auto& registry = ops::OpRegistrator::getInstance();
  ops::DeclarableOp* op = registry.find(c.op);
  const std::string name = c.gradient.op.empty() ? op->getOpDescriptor()->name() + "_bp" : c.gradient.op;
  ops::DeclarableOp* gradient = registry.find(name);
  SCOPED_TRACE("the gradient of " + c.describe());
  if (gradient == nullptr) {
#if defined(SD_ALL_OPS)
    ADD_FAILURE() << "there is no operation " << name;
#endif
    return;
  }
  try {
    GradientCheck(c, *op, *gradient).run();
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what();
  }
}

}  // namespace sd::optest
