// accumulate: sum + x, written over the sum. A class of operations with a destroy map.
#include <graph/ContractOperation.h>
#include <ops/declarable/CommonInference.h>

#include <stdexcept>
#include <vector>

namespace {

using namespace sd;

struct AccumulateParameters {
  double factor = 1;
};

class Accumulate final : public graph::ContractOperation<Accumulate, AccumulateParameters> {
 public:
  static constexpr const char* NAME = "accumulate";
  using ContractOperation::ContractOperation;

  static void describe(ops::Schema& schema) {
    schema.summary("Adds a multiple of an array to a sum.").formula("z = sum + factor * x");
    schema.input("sum", "any shape").types({ALL_FLOATS});
    schema.input("x", "the shape of sum").types({ALL_FLOATS});
    schema.argument(&AccumulateParameters::factor, "factor", "the weight of x").atFloat(0);
    schema.output("z", "the shape and type of sum");
    schema.infer(ops::inferLikeFirst);
    schema.example(R"({"sum": [1.0, 2.0], "x": [0.5, -0.5], "factor": 2.0})");
  }

  /// In a graph, the sum is overwritten after everything else has read it. In calls by name it is copied first.
  InputsOfOutputs destroyMap() const override { return {{0, {0}}}; }

  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage&) const override {
    if (!inputs[0]->isSameShape(*inputs[1]))
      throw std::invalid_argument("[accumulate] sum and x have different shapes");
    // The storage of output 0 is this array.
    *inputs[0] += *inputs[1] * parameters.factor;
  }

  Symbols grad(const Symbols&, const Symbols&, const Symbols& gradients) const override {
    return {gradients[0], gradients[0] * parameters.factor};
  }
};

SD_REGISTER_OPERATION(Accumulate)

}  // namespace
