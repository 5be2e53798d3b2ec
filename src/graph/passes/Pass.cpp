#include "graph/passes/Pass.h"

namespace sd::graph {
namespace {

constexpr Pass PASSES[] = {
    {"dead", "Removes nodes whose results nobody reads.", removeDeadNodes},
    {"constants", "Computes nodes that read constants alone.", foldConstants},
    {"identities", "Removes nodes that return their input.", removeIdentities},
    {"chains", "Joins transposes, reshapes, conversions and reversals that follow each other.", joinChains},
    {"equal", "Merges nodes that compute the same.", mergeEqualNodes},
    {"transposes", "Moves transposes of matrices into the products that read or write them.", absorbTransposes, true},
    {"fusion", "Joins element-wise nodes, and a reduction after them, to one pass over memory.", fuseElements},
};

}  // namespace

std::span<const Pass> allPasses() { return PASSES; }

}  // namespace sd::graph
