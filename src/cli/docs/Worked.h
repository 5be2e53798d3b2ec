// The worked example of an operation: the arrays and arguments of one call, and what it gives.
#ifndef NDFORGE_SRC_CLI_DOCS_WORKED_H
#define NDFORGE_SRC_CLI_DOCS_WORKED_H

#include <array/NDArray.h>
#include <ops/declarable/DeclarableOp.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/docs/Catalogue.h"
#include "ops/declarable/Example.h"

namespace sd::cli::docs {

/// The seed of random examples.
inline constexpr int SEED = 7;

class WorkedExample {
 public:
  /// The example of the schema, computed. nullptr when the schema has none, and when the call fails.
  static std::unique_ptr<WorkedExample> of(const Item& item);

  /// An array and the name that all calls on the page have for it. Inputs that are left out are null.
  struct Operand {
    std::string name;
    NDArray* array = nullptr;
    const ops::InputRow* row = nullptr;
  };
  struct Argument {
    const ops::ArgumentRow* row;
    ops::ArgumentValue value;
  };

  const Item& item() const { return _item; }
  const ops::Schema& schema() const { return _item.op->schema(); }
  const std::vector<Operand>& inputs() const { return _inputs; }
  /// Those that the example gives.
  const std::vector<Argument>& arguments() const { return _arguments; }
  const std::vector<Operand>& outputs() const { return _outputs; }
  /// nullptr when the example does not give it.
  const ops::ArgumentValue* argument(std::string_view name) const;
  bool isRandom() const { return _item.descriptor->isRandom(); }
  /// Whether an input is left out and a later one is given.
  bool hasGap() const;
  /// The struct of the call, with defaults; nullptr without arguments.
  const void* structure() const { return _structure; }
  /// Whether a call with these positional lists gives the same.
  bool agreesWith(const std::vector<double>& floats, const std::vector<LongType>& integers,
                  const std::vector<bool>& flags, const std::vector<DataType>& types) const;

 private:
  const Item& _item;
  ops::Example _example, _run;  // the second one is used by the call, which may write to its arrays
  std::vector<std::unique_ptr<NDArray>> _results;
  graph::Context _context{1};
  const void* _structure = nullptr;
  std::vector<Operand> _inputs, _outputs;
  std::vector<Argument> _arguments;

  explicit WorkedExample(const Item& item);
  void makeOutputs();
  void nameOperands();
};

/// The values of an array as nested lists, whose rows are lines; each line but the first begins with `indent` spaces.
std::string valuesText(const NDArray& array, size_t indent);

/// Everything that the call is given, and everything that it returns: a line for each, with types and shapes.
std::string givenText(const WorkedExample& example);
std::string resultText(const WorkedExample& example);

}  // namespace sd::cli::docs

#endif
