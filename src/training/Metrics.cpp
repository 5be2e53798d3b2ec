#include <graph/Graph.h>
#include <training/Metrics.h>

#include "call/argument_values.h"
#include "graph/OpenGraph.h"
#include "system/Error.h"
#include "training/GraphBuilder.h"

namespace sd::training {

void addAccuracy(graph::Graph& graph, const std::string& logits, const std::string& labels, const std::string& name) {
  GraphBuilder builder(graph);
  const Value x = builder.find(logits), y = builder.find(labels);
  const graph::OpenGraph open(graph, {}, {x, y});
  const ops::PartialShape &xShape = open.value(open.results()[0]).shape, &yShape = open.value(open.results()[1]).shape;
  if (!xShape.hasRank() || !yShape.hasRank())
    invalidArgument("[training] accuracy: the number of dimensions of '{}' is not known",
                    xShape.hasRank() ? labels : logits);
  const bool isOneHot = xShape.rank() == yShape.rank();
  if (xShape.rank() == 0 || (!isOneHot && yShape.rank() != xShape.rank() - 1))
    invalidArgument("[training] accuracy: '{}' has {} dimensions, and '{}' has {}", logits, xShape.rank(), labels,
                    yShape.rank());
  const auto largest = [&](Value value) {
    return builder.call("argmax", {value}, "", {{"axis", ops::integersArgument({-1})}});
  };
  const Value found = largest(x);
  const Value given = isOneHot ? largest(y) : builder.call("cast", {y}, "", {{"dtype", ops::typeArgument(INT64)}});
  const Value equal = builder.call("equals", {found, given});
  builder.call("reduce_mean", {builder.call("cast", {equal}, "", {{"dtype", ops::typeArgument(FLOAT32)}})}, name);
}

}  // namespace sd::training
