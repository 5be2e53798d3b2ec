// The calls that the generator of graphs chooses from.
#ifndef NDFORGE_TESTS_GRAPHGENERATORCALLS_H
#define NDFORGE_TESTS_GRAPHGENERATORCALLS_H

#include <vector>

#include "GraphGenerator.h"

namespace sd::graphtest {

/// An operation of the registry with the arrays and arguments of its example.
struct KnownCall {
  GeneratedCall call;
  std::vector<ArrayPtr> inputs;  ///< null where one is left out
  std::vector<bool> isData;      ///< whether other arrays of the same type and shape may take the input's place
};

/// All operations that a graph may contain: deterministic ones without side effects, strings and lists, whose examples
/// run. The custom ones are first.
const std::vector<KnownCall>& knownCalls();
/// Custom operations that take two arrays and broadcast them.
const std::vector<const KnownCall*>& broadcastingCalls();
/// The numbered operations of a family.
const std::vector<const KnownCall*>& callsOf(loops::OpFamily family);
/// Operations of one array whose result has its shape.
const std::vector<const KnownCall*>& activationCalls();
/// Reductions along named axes.
const std::vector<const KnownCall*>& reductionCalls();

}  // namespace sd::graphtest

#endif
