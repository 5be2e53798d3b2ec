// growing_add: x + y, computed in a buffer that stays from run to run and grows when it has to. A class of operations
// with a hidden output.
#include <graph/ContractOperation.h>
#include <ops/declarable/CommonInference.h>

#include <stdexcept>
#include <vector>

namespace {

using namespace sd;

struct GrowingAddParameters {};

class GrowingAdd final : public graph::ContractOperation<GrowingAdd, GrowingAddParameters> {
 public:
  static constexpr const char* NAME = "growing_add";
  using ContractOperation::ContractOperation;

  static void describe(ops::Schema& schema) {
    schema.summary("Adds arrays in a buffer of its own.").formula("z = x + y");
    schema.input("x", "any shape").types({ALL_FLOATS});
    schema.input("y", "the shape of x").types({ALL_FLOATS});
    schema.output("z", "the shape and type of x");
    schema.infer(ops::inferLikeFirst);
    schema.example(R"({"x": [1.0, 2.0], "y": [0.5, -0.5]})");
  }

  /// The buffer follows z in the storage.
  int hiddenOutputs() const override { return 1; }

  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    const NDArray &x = *inputs[0], &y = *inputs[1];
    if (!x.isSameShape(y)) throw std::invalid_argument("[growing_add] x and y have different shapes");
    graph::OutputStorage& buffer = outputs[1];
    const NDArray* present = buffer.array();
    if (present == nullptr || present->dataType() != x.dataType() || present->lengthOf() < x.lengthOf())
      buffer.require(x.dataType(), {2 * x.lengthOf()});
    NDArray &sums = *buffer.array(), &z = outputs[0].requireLike(x);
    for (LongType i = 0; i < x.lengthOf(); i++) sums.p<double>(i, x.e<double>(i) + y.e<double>(i));
    for (LongType i = 0; i < x.lengthOf(); i++) z.p<double>(i, sums.e<double>(i));
  }

  Symbols grad(const Symbols&, const Symbols&, const Symbols& gradients) const override {
    return {gradients[0], gradients[0]};
  }
};

SD_REGISTER_OPERATION(GrowingAdd)

}  // namespace
