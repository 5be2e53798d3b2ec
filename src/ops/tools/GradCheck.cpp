#include <helpers/GradCheck.h>
#include <helpers/ShapeUtils.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "system/Error.h"

namespace sd {
namespace {

constexpr double STEP = 1e-5, MAX_RELATIVE = 1e-5, MIN_ABSOLUTE = 1e-6;

ResultSet run(ops::DeclarableOp& op, const OpArgsHolder& arguments) {
  ResultSet results = op.execute(arguments);
  if (results.status() != Status::OK)
    fail<std::runtime_error>("[{}] the operation ended with status {}", *op.getOpName(),
                             static_cast<int>(results.status()));
  return results;
}

double lossOf(ops::DeclarableOp& ff, const OpArgsHolder& arguments, GradCheck::LossFunc loss) {
  ResultSet outputs = run(ff, arguments);
  double total = 0;
  for (const NDArray* z : outputs) {
    const double sum = z->isEmpty() ? 0 : z->cast(DOUBLE).sumNumber().e<double>(0);
    total += loss == GradCheck::MEAN ? sum / static_cast<double>(z->lengthOf()) : sum;
  }
  return total;
}

/// An element whose value is changed temporarily and restored at the end.
class Element {
 public:
  Element(NDArray& array, LongType index) : _array(array), _index(index), _value(array.e<double>(index)) {}
  ~Element() { _array.p(_index, _value); }
  Element(const Element&) = delete;
  Element& operator=(const Element&) = delete;
  void move(double by) { _array.p(_index, _value + by); }

 private:
  NDArray& _array;
  LongType _index;
  double _value;
};

}  // namespace

bool GradCheck::checkGrad(ops::DeclarableOp& ff, ops::DeclarableOp& bp, const OpArgsHolder& ffArgs,
                          const OpArgsHolder& bpArgs, const std::vector<bool>& whatArrsToCheck,
                          const std::vector<double>& idxRange, LossFunc loss) {
  const auto& inputs = ffArgs.getInArrs();
  const auto& gradientInputs = bpArgs.getInArrs();
  if (gradientInputs.size() < inputs.size())
    fail("[checkGrad] {} has {} inputs, {} has {}", *bp.getOpName(), gradientInputs.size(), *ff.getOpName(),
         inputs.size());
  if (idxRange.size() != 2 || !(idxRange[0] >= 0 && idxRange[0] <= idxRange[1] && idxRange[1] <= 1))
    fail("[checkGrad] argument 'idxRange': two fractions in ascending order are needed");

  for (size_t i = inputs.size(); i < gradientInputs.size(); i++)
    gradientInputs[i]->assign(loss == SUM ? 1.0 : 1.0 / static_cast<double>(gradientInputs[i]->lengthOf()));
  const ResultSet gradients = run(bp, bpArgs);

  for (size_t i = 0; i < inputs.size(); i++) {
    const bool wanted = i >= whatArrsToCheck.size() || whatArrsToCheck[i];
    if (!wanted || inputs[i] == nullptr || !inputs[i]->isR()) continue;
    if (i >= static_cast<size_t>(gradients.size()))
      fail("[checkGrad] {} returns {} gradients, so there is none for input {}", *bp.getOpName(), gradients.size(), i);
    const NDArray& gradient = *gradients.at(i);
    if (!gradient.isSameShape(inputs[i]))
      fail("[checkGrad] {}: gradient {} has shape {}, the input has {}", *bp.getOpName(), i,
           ShapeUtils::shapeAsString(&gradient), ShapeUtils::shapeAsString(inputs[i]));
    const auto length = static_cast<double>(inputs[i]->lengthOf());
    const auto first = static_cast<LongType>(idxRange[0] * length), end = static_cast<LongType>(idxRange[1] * length);
    for (LongType k = first; k < end; k++) {
      double above, below;
      {
        Element element(*inputs[i], k);
        element.move(STEP);
        above = lossOf(ff, ffArgs, loss);
        element.move(-STEP);
        below = lossOf(ff, ffArgs, loss);
      }
      const double numeric = (above - below) / (2 * STEP), analytic = gradient.e<double>(k);
      if (!std::isfinite(numeric) || !std::isfinite(analytic))
        fail<std::runtime_error>("[checkGrad] input {}, element {}: the gradient is {}, numerically {}", i, k, analytic,
                                 numeric);
      const double error = std::fabs(analytic - numeric);
      if (error < MIN_ABSOLUTE || error <= MAX_RELATIVE * (std::fabs(analytic) + std::fabs(numeric))) continue;
      std::printf("[checkGrad] %s: input %zu, element %lld: the gradient is %.10g, numerically %.10g\n",
                  bp.getOpName()->c_str(), i, static_cast<long long>(k), analytic, numeric);
      return false;
    }
  }
  return true;
}

}  // namespace sd
