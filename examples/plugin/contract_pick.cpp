// pick: one of two arrays, by a number. The result is the memory of the array that is chosen: a class of operations
// with a view map of several inputs.
#include <graph/ContractOperation.h>

#include <stdexcept>
#include <vector>

namespace {

using namespace sd;

struct PickParameters {};

class Pick final : public graph::ContractOperation<Pick, PickParameters> {
 public:
  static constexpr const char* NAME = "pick";
  using ContractOperation::ContractOperation;

  static void describe(ops::Schema& schema) {
    schema.summary("One of two arrays.").formula("z = x, y");
    schema.input("which", "a scalar, 0 for x and 1 for y").types({ALL_INTS}).rank(0);
    schema.input("x", "any shape");
    schema.input("y", "any shape, of the type of x");
    schema.output("z", "x or y");
    schema.infer([](ops::Inference& in) {
      const ops::PartialShape x = in.input(1), y = in.input(2);
      if (x.hasType() && y.hasType() && x.type() != y.type())
        throw std::invalid_argument("[pick] x has type " + DataTypeUtils::describe(x.type()) + ", y has type " +
                                    DataTypeUtils::describe(y.type()));
      const NDArray* which = in.values(0);
      if (which != nullptr)
        in.output(which->e<LongType>(0) == 0 ? x : y);
      else
        in.output(x == y ? x : ops::PartialShape(x.type()));
    });
    schema.example(R"({"which": 1, "x": [1.0, 2.0], "y": [3.0, 4.0]})");
  }

  /// Output 0 lies in input 1 or in input 2.
  InputsOfOutputs viewMap() const override { return {{0, {1, 2}}}; }

  void perform(const graph::NodeDescription&, const std::vector<NDArray*>& inputs, Storage& outputs) const override {
    outputs[0].setView(*inputs[inputs[0]->e<LongType>(0) == 0 ? 1 : 2]);
  }
};

SD_REGISTER_OPERATION(Pick)

}  // namespace
