#include "graph/passes/Pass.h"

namespace sd::graph {
namespace {

constexpr Pass PASSES[] = {
    {"dead", "Removes nodes whose results nobody reads.", removeDeadNodes},
    {"constants", "Computes nodes that read constants alone.", foldConstants},
    {"identities", "Removes nodes that return their input.", removeIdentities},
    {"chains", "Joins transposes, reshapes, conversions and reversals that follow each other.", joinChains},
    {"equal", "Merges nodes that compute the same.", mergeEqualNodes},
    {"layouts", "Removes pairs of permutations around convolutions, which take the other layout.", chooseLayouts, true},
    {"transposes", "Moves transposes of matrices into the products that read or write them.", absorbTransposes, true},
    {"normalizations", "Folds normalisations into the constant weights of convolutions.", foldNormalizations, true},
    {"biases", "Gives convolutions the bias that is added to their result.", joinBiases, true},
    {"strength", "Squares instead of powers, products instead of quotients, where bits agree.", reduceStrength},
    {"sums", "Lets operations add their results to sums, without arrays in between.", addToSums, true},
    {"fusion", "Joins element-wise nodes, and a reduction after them, to one pass over memory.", fuseElements},
};

}  // namespace

std::span<const Pass> allPasses() { return PASSES; }

}  // namespace sd::graph
