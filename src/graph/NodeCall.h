// The call that a node makes: its context, what it returns, and its errors.
#ifndef NDFORGE_SRC_GRAPH_NODECALL_H
#define NDFORGE_SRC_GRAPH_NODECALL_H

#include <graph/Context.h>
#include <graph/Node.h>
#include <graph/exceptions/unresolved_input_exception.h>
#include <graph/profiling/GraphProfile.h>
#include <ops/declarable/PartialShape.h>
#include <symbol/Symbol.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sd::graph {

/// Stands in a list of inputs for an optional one that is not given.
inline constexpr std::pair<int, int> ABSENT_INPUT{0, -1};

using NamedArguments = std::vector<std::pair<std::string, ops::ArgumentValue>>;

/// The arguments of a struct, by their names; optional ones without a value are left out.
NamedArguments namedArguments(const ops::Schema& schema, const ops::CallArguments& arguments);

/// A context with the arguments of the node and nothing else. Other contexts of the same node draw other random numbers
/// unless a seed is set.
std::unique_ptr<Context> contextOf(const Node& node);

/// Whether `block` still has the arguments that contextOf() would give.
bool hasArgumentsOf(const Context& block, const Node& node);

/// The inputs of a context for inference: constants, and arrays without values for those of which the shape is known.
/// At its end it leaves only the constants there.
class KnownInputs {
 public:
  KnownInputs(Context& block, const std::vector<ops::PartialShape>& shapes,
              const std::vector<const NDArray*>& constants);
  ~KnownInputs();
  KnownInputs(const KnownInputs&) = delete;
  KnownInputs& operator=(const KnownInputs&) = delete;

 private:
  Context& _block;
  std::vector<NDArray> _shapes;
};

/// Types and shapes of the results, as far as they are known; empty when nothing is, not even their number.
/// `constants`: the inputs whose values are known, null for others.
/// `origin`: that of the graph.
/// @throws std::invalid_argument when inputs or arguments do not fit; the message names the node
std::vector<ops::PartialShape> inferOutputs(const Node& node, Context& block,
                                            const std::vector<ops::PartialShape>& inputs,
                                            const std::vector<const NDArray*>& constants, const std::string& origin);

/// The same; the message does not name the node.
std::vector<ops::PartialShape> inferOutputs(const Node& node, const std::vector<ops::PartialShape>& inputs,
                                            const std::vector<const NDArray*>& constants);

/// Whether a result may be written over an input without any difference but for the memory.
bool mayOverwriteInput(ops::DeclarableOp& op, int output = 0, int input = 0);

/// The same within a plan, which knows who else needs the input.
bool mayLieOver(ops::DeclarableOp& op, int output, int input);
/// Whether mayLieOver() holds for any result and input.
bool mayLieOverInputs(ops::DeclarableOp& op);
/// Whether the operation can add its results to sums, which are its last inputs.
bool mayAddToSums(const ops::DeclarableOp& op);

/// Whether the operation takes a missing array for a result that nobody reads.
bool mayOmitOutputs(ops::DeclarableOp& op);

/// When a call of a node began, and how long it took, in nanoseconds.
struct CallTimes {
  LongType start, preparation, execution, total;
};
/// Adds a call to a profile. Arrays may be null.
void recordCall(GraphProfile& profile, const Node& node, const CallTimes& times,
                const std::vector<const NDArray*>& inputs, const std::vector<const NDArray*>& outputs);

/// Rethrows the exception being handled, with the same type and a message that starts with `where`. Call it inside a
/// catch block.
[[noreturn]] void rethrowAt(const std::string& where);
/// The same, with `before` and `after` around the message.
[[noreturn]] void rethrowWith(const std::string& before, const std::string& after);

/// "[graph] model.fb: node 3 'logits' (matmul)"
std::string placeOf(const std::string& origin, const Node& node);

/// Says that the input is neither a node nor a variable.
unresolved_input_exception unresolvedInput(const std::string& origin, LongType graphId, const Node& node, size_t input);

}  // namespace sd::graph

#endif
