#include <graph/Graph.h>
#include <ops/declarable/headers/indexing.h>
#include <symbol/Symbol.h>
#include <training/Metrics.h>

#include "graph/GraphSymbols.h"
#include "system/Error.h"

namespace sd::training {

void addAccuracy(graph::Graph& graph, const std::string& logits, const std::string& labels, const std::string& name) {
  const nd::Symbol x = graph::findSymbol(graph, logits, "training"), y = graph::findSymbol(graph, labels, "training");
  const ops::PartialShape xShape = x.shape(), yShape = y.shape();
  if (!xShape.hasRank() || !yShape.hasRank())
    invalidArgument("[training] accuracy: the number of dimensions of '{}' is not known",
                    xShape.hasRank() ? labels : logits);
  const bool isOneHot = xShape.rank() == yShape.rank();
  if (xShape.rank() == 0 || (!isOneHot && yShape.rank() != xShape.rank() - 1))
    invalidArgument("[training] accuracy: '{}' has {} dimensions, and '{}' has {}", logits, xShape.rank(), labels,
                    yShape.rank());
  if (graph.getVariableSpace()->hasVariable(&name))
    invalidArgument("[training] accuracy: the name '{}' is taken", name);
  nd::SymbolScope& scope = graph.symbols();
  const auto largest = [&scope](const nd::Symbol& value) {
    return scope.call("argmax", {value}, ops::ArgExtreme{.axis = {-1}});
  };
  const nd::Symbol found = largest(x), given = isOneHot ? largest(y) : scope.cast(y, INT64);
  const nd::Symbol equal = scope.call("equals", {found, given});
  const nd::Symbol mean = scope.call("reduce_mean", {scope.cast(equal, FLOAT32)});
  if (!name.empty()) mean.named(name);
}

}  // namespace sd::training
