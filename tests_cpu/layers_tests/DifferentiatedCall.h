// One call of an operation, its gradient by the rule, and central differences.
#ifndef NDFORGE_TESTS_DIFFERENTIATEDCALL_H
#define NDFORGE_TESTS_DIFFERENTIATEDCALL_H

#include <graph/Context.h>
#include <gtest/gtest.h>
#include <ops/declarable/CustomOperations.h>
#include <ops/declarable/Gradient.h>

#include <cmath>
#include <complex>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nd_test {

namespace graph = sd::graph;
namespace ops = sd::ops;
using ops::ArgumentValue;
using ops::GradientNeeds;
using ops::Need;
using ops::PartialShape;
using sd::DataType;
using sd::DOUBLE;
using sd::LongType;
using sd::NDArray;
using sd::Status;

/// Operations that compute in single precision, or less, whatever their inputs are. All of them are linear in the
/// inputs that have gradients, so that large steps do no harm.
inline bool isSingle(const std::string& name) {
  static const std::set<std::string> NAMES = {"image_resize",    "resize_area",     "resize_bicubic", "resize_images",
                                              "crop_and_resize", "resize_bilinear", "to_float16",     "to_float32"};
  return NAMES.count(name) > 0;
}

/// Operations on symmetric matrices: element [j, i] changes with [i, j].
inline bool isSymmetric(const std::string& name) { return name == "cholesky" || name == "logdet"; }

/// The largest relative error of each operation, for the page docs/gradients.md.
inline std::map<std::string, double>& largestErrors() {
  static std::map<std::string, double> errors;
  return errors;
}

inline constexpr double TOLERANCE = 1e-5;

using Arrays = std::vector<std::unique_ptr<NDArray>>;
using Arguments = std::vector<std::pair<std::string, ArgumentValue>>;

inline std::unique_ptr<NDArray> likeFilled(const NDArray& x, double value) {
  auto result = std::make_unique<NDArray>(x.ulike());
  if (!result->isEmpty()) result->assign(value);
  return result;
}

/// One call, its gradient, and central differences.
class DifferentiatedCall {
 public:
  DifferentiatedCall(ops::DeclarableOp& op, std::string name, Arrays inputs, Arguments arguments)
      : _op(op), _name(std::move(name)), _inputs(std::move(inputs)), _arguments(std::move(arguments)) {
    for (auto& input : _inputs) {
      if (input == nullptr || !input->isR()) continue;
      // cast() gives single elements rank 0.
      auto real = input->rankOf() == 0 ? std::make_unique<NDArray>(DOUBLE)
                                       : std::make_unique<NDArray>('c', input->getShapeAsVector(), DOUBLE);
      if (!input->isEmpty()) real->assign(*input);
      input = std::move(real);
    }
  }

  const Arrays& inputs() const { return _inputs; }

  /// Moves the points away from ties, zeros and jumps, which examples like, and not out of intervals such as -1..1.
  void disturb() {
    for (auto& input : _inputs)
      for (LongType k = 0; input != nullptr && input->isR() && k < input->lengthOf(); k++)
        input->p<double>(k, 0.97 * input->e<double>(k) + 0.0037 * static_cast<double>(1 + 5 * k % 7));
    if (!isSymmetric(_name)) return;
    NDArray& a = *_inputs[0];
    NDArray transposed = a.permute({1, 0}).dup('c');
    a.assign((a + transposed) * 0.5);
  }

  /// Gives arrays of which a case states only the shape, which are zeros, values of a sequence in -1.1..1.1.
  void fillShapes() {
    int n = 0;
    for (auto& input : _inputs) {
      n++;
      if (input == nullptr || !input->isR() || input->lengthOf() == 0) continue;
      bool zeros = true;
      for (LongType k = 0; k < input->lengthOf(); k++) zeros = zeros && input->e<double>(k) == 0;
      for (LongType k = 0; zeros && k < input->lengthOf(); k++) {
        const double golden = 0.618034 * static_cast<double>(k + 1) + 0.37 * n,
                     value = 2 * (golden - std::floor(golden)) - 1;
        input->p<double>(k, value + std::copysign(0.1, value));
      }
    }
  }

  bool isFinite() {
    graph::Context block(1);
    run(block);
    for (int i = 0; i < block.numberOfOutputs(); i++)
      for (LongType k = 0; k < block.optionalOutput(i)->lengthOf(); k++)
        if (!std::isfinite(std::abs(block.optionalOutput(i)->e<std::complex<double>>(k)))) return false;
    return true;
  }

  /// Converts the real inputs.
  void convert(DataType type) {
    for (auto& input : _inputs) {
      if (input == nullptr || !input->isR()) continue;
      auto other = input->rankOf() == 0 ? std::make_unique<NDArray>(type)
                                        : std::make_unique<NDArray>('c', input->getShapeAsVector(), type);
      if (!input->isEmpty()) other->assign(*input);
      input = std::move(other);
    }
  }

  std::vector<std::unique_ptr<NDArray>> gradients() {
    graph::Context block(1);
    run(block);
    makeWeights(block);
    return ops::gradientsOf(_op, block, _weights);
  }

  /// What the rule reads when only types and ranks are known, or less; nothing when the rule says that this is too
  /// little.
  std::optional<GradientNeeds> needsWithout(bool sizes, bool ranks) {
    graph::Context block(1);
    run(block);
    std::vector<PartialShape> shapes;
    const auto partial = [&](const NDArray* array) {
      if (array == nullptr) return PartialShape::absent();
      if (sizes) return PartialShape::of(array->shapeInfo());
      return ranks ? PartialShape::ofRank(array->dataType(), array->rankOf()) : PartialShape(array->dataType());
    };
    for (const auto& input : _inputs) shapes.push_back(partial(input.get()));
    std::vector<PartialShape> results;
    for (int i = 0; i < block.numberOfOutputs(); i++) results.push_back(partial(block.optionalOutput(i)));
    graph::Context arguments(1);
    arguments.callByName();
    for (const auto& [name, value] : _arguments) arguments.setArgument(name, value);
    try {
      return ops::gradientNeeds(_op, shapes, arguments, results);
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string::npos, std::string(error.what()).find("not known")) << error.what();
      return std::nullopt;
    }
  }

  void check() {
    graph::Context block(1);
    run(block);
    makeWeights(block);
    const auto results = ops::gradientsOf(_op, block, _weights);
    ASSERT_EQ(_inputs.size(), results.size());
    const GradientNeeds needs = this->needs(block);
    for (size_t i = 0; i < results.size(); i++) {
      if (_inputs[i] == nullptr || !_inputs[i]->isR()) continue;
      SCOPED_TRACE("input " + std::to_string(i));
      EXPECT_EQ(needs.set[i], results[i] != nullptr) << "the rule on shapes and the rule on arrays differ";
      if (results[i] == nullptr)
        expectNoInfluence(*_inputs[i], needs.reasons[i]);
      else
        compare(*_inputs[i], *results[i]);
    }
    checkNeeds(block, results, needs);
  }

 private:
  ops::DeclarableOp& _op;
  const std::string _name;
  Arrays _inputs;
  Arguments _arguments;
  Arrays _weightArrays;
  std::vector<NDArray*> _weights;

  void fill(graph::Context& block) const {
    for (size_t i = 0; i < _inputs.size(); i++) block.setInputArray(static_cast<int>(i), _inputs[i].get());
    block.callByName();
    for (const auto& [name, value] : _arguments) block.setArgument(name, value);
    // An integer that is not read.
    if (const LongType none = 0; _name == "embedding_lookup") block.setIArguments(&none, 1);
  }

  void run(graph::Context& block) const {
    fill(block);
    if (_op.execute(&block) != Status::OK) throw std::runtime_error(ops::DeclarableOp::lastValidationMessage());
  }

  void makeWeights(graph::Context& block) {
    _weights.clear();
    _weightArrays.clear();
    for (int i = 0; i < block.numberOfOutputs(); i++) {
      const NDArray* y = block.optionalOutput(i);
      const bool counts = y != nullptr && (y->isR() || y->isC()) && takesBranch(block, i);
      _weightArrays.push_back(counts ? std::make_unique<NDArray>(y->ulike()) : nullptr);
      _weights.push_back(_weightArrays.back().get());
      for (LongType k = 0; counts && k < y->lengthOf(); k++) {
        const double weight = 1 + 0.25 * static_cast<double>((7 * k + 3 * i) % 5);
        if (y->isC()) {
          NDArray both(sd::COMPLEX128);
          *both.bufferAsT<std::complex<double>>() = {weight, 0.7 - weight};
          _weights.back()->p(k, both);
        } else {
          _weights.back()->p<double>(k, weight);
        }
      }
    }
  }

  /// Only one of the outputs of Switch has values.
  bool takesBranch(const graph::Context& block, int output) const {
    return _name != "Switch" || block.getBranch() == output;
  }

  /// The sum of the outputs with their weights; of complex ones, that of the products of both parts.
  double weighted() const {
    graph::Context block(1);
    run(block);
    double sum = 0;
    for (size_t i = 0; i < _weights.size(); i++)
      for (LongType k = 0; _weights[i] != nullptr && k < _weights[i]->lengthOf(); k++)
        sum += (std::conj(_weights[i]->e<std::complex<double>>(k)) *
                block.optionalOutput(static_cast<int>(i))->e<std::complex<double>>(k))
                   .real();
    return sum;
  }

  LongType mirrored(const NDArray& x, LongType k) const {
    if (!isSymmetric(_name)) return k;
    const LongType n = x.sizeAt(-1);
    return k / (n * n) * n * n + k % n * n + k / n % n;
  }

  double difference(NDArray& x, LongType k) const {
    const LongType twin = mirrored(x, k);
    const double value = x.e<double>(k);
    const double step = isSingle(_name) ? 0.25 : 1e-5 * std::max(1.0, std::abs(value));
    const auto at = [&](double by) {
      x.p<double>(k, value + by);
      x.p<double>(twin, value + by);
      return weighted();
    };
    // The error of two steps falls with the fourth power of the step.
    const double one = (at(step) - at(-step)) / (2 * step), two = (at(2 * step) - at(-2 * step)) / (4 * step);
    x.p<double>(k, value);
    x.p<double>(twin, value);
    return isSingle(_name) ? one : (4 * one - two) / 3;
  }

  void compare(NDArray& x, const NDArray& gradient) const {
    double& largest = largestErrors()[_name];
    for (LongType k = 0; k < x.lengthOf(); k++) {
      const LongType twin = mirrored(x, k);
      const double expected = difference(x, k);
      const double actual = gradient.e<double>(k) + (twin == k ? 0 : gradient.e<double>(twin));
      const double error = std::abs(actual - expected) / std::max(1.0, std::abs(expected));
      EXPECT_LE(error, TOLERANCE) << "element " << k << ": " << actual << " instead of " << expected;
      largest = std::max(largest, error);
    }
  }

  /// Inputs that the rule leaves out do not matter, or the rule says why they have no gradient.
  void expectNoInfluence(NDArray& x, const char* reason) const {
    if (reason != nullptr) return;
    for (LongType k = 0; k < x.lengthOf(); k++)
      EXPECT_NEAR(0, difference(x, k), TOLERANCE) << "element " << k << ": the rule sets no gradient";
  }

  GradientNeeds needs(graph::Context& block) const {
    std::vector<PartialShape> shapes, results;
    for (const auto& input : _inputs)
      shapes.push_back(input == nullptr ? PartialShape::absent() : PartialShape::of(input->shapeInfo()));
    for (int i = 0; i < block.numberOfOutputs(); i++)
      results.push_back(PartialShape::of(block.optionalOutput(i)->shapeInfo()));
    graph::Context arguments(1);
    arguments.callByName();
    for (const auto& [name, value] : _arguments) arguments.setArgument(name, value);
    return ops::gradientNeeds(_op, shapes, arguments, results);
  }

  /// The gradient does not change when the arrays that the rule does not need are lost.
  void checkNeeds(graph::Context& block, const std::vector<std::unique_ptr<NDArray>>& expected,
                  const GradientNeeds& needs) const {
    Arrays lost;
    graph::Context rest(1);
    fill(rest);
    const auto withoutValues = [&](const NDArray* array) {
      lost.push_back(likeFilled(*array, std::nan("")));
      return lost.back().get();
    };
    for (size_t i = 0; i < _inputs.size(); i++)
      if (_inputs[i] != nullptr && _inputs[i]->isR() && needs.inputs[i] != Need::Values)
        rest.setInputArray(static_cast<int>(i), withoutValues(_inputs[i].get()));
    for (int i = 0; i < block.numberOfOutputs(); i++) {
      NDArray* z = block.optionalOutput(i);
      const bool needed = !z->isR() || needs.outputs[static_cast<size_t>(i)] == Need::Values;
      rest.setOutputArray(i, needed ? z : withoutValues(z));
    }
    const auto actual = ops::gradientsOf(_op, rest, _weights);
    for (size_t i = 0; i < expected.size(); i++)
      for (LongType k = 0; expected[i] != nullptr && k < expected[i]->lengthOf(); k++)
        EXPECT_EQ(expected[i]->e<double>(k), actual[i]->e<double>(k))
            << "input " << i << ", element " << k << ": the rule reads more than it says";
  }
};

}  // namespace nd_test

#endif
