// The arguments of the operation `composite`: the steps of loops::Composite as lists of numbers, which graphs and files
// can hold.
//
// `program` has these integers, one after the other:
//   the number of steps; for each step: group (loops::OpGroup), number, x, y (-1: none), type of the result, the number
//   of its parameters; the number of outputs and their values; and if there is a reduction: its group, number, value,
//   type, the number of its parameters, whether reduced axes stay (0, 1), and its axes up to the end of the list.
// `parameters` has the parameters of all steps and of the reduction. A type is a DataType; INHERIT (0) stands for the
// usual type of the group's results: x's, BOOL or INT64.
#ifndef NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COMPOSITE_H
#define NDFORGE_SRC_OPS_DECLARABLE_HELPERS_COMPOSITE_H

#include <ops/declarable/headers/transforms.h>

#include <optional>
#include <vector>

#include "loops/Composite.h"

namespace sd::ops {

/// The arguments of a node that computes these steps. The inputs of the node are values 0..n-1.
args::CompositeArguments compositeArguments(const std::vector<loops::CompositeStep>& steps,
                                            const std::vector<int>& outputs,
                                            const std::optional<loops::CompositeReduction>& reduction = std::nullopt);

/// What the arguments say.
struct CompositeOutline {
  std::vector<loops::CompositeStep> steps;  ///< their types may be INHERIT
  std::vector<int> outputs;
  std::optional<loops::CompositeReduction> reduction;
};

/// @throws std::invalid_argument for lists that are not of the form above
CompositeOutline readComposite(const args::CompositeArguments& arguments);

/// The composite for inputs of these types.
/// @throws std::invalid_argument
loops::Composite makeComposite(CompositeOutline outline, const std::vector<DataType>& inputs);

}  // namespace sd::ops

#endif
