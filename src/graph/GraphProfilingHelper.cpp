#include <exceptions/graph_execution_exception.h>
#include <graph/profiling/GraphProfilingHelper.h>

#include <memory>

#include "graph/Interpreter.h"
#include "system/Error.h"

namespace sd::graph {
namespace {

/// Sets the graph's _timestats for as long as it lives.
class Timed {
 public:
  explicit Timed(Graph& graph) : _configuration(*graph.getExecutorConfiguration()), _before(_configuration._timestats) {
    _configuration._timestats = true;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { _configuration._timestats = _before; }

 private:
  ExecutorConfiguration& _configuration;
  bool _before;
};

}  // namespace

GraphProfile* GraphProfilingHelper::profile(Graph* graph, int iterations) {
  if (graph == nullptr) invalidArgument("[GraphProfilingHelper::profile] the graph is null");
  if (iterations < 1) invalidArgument("[GraphProfilingHelper::profile] {} iterations", iterations);
  graph->buildGraph();
  const std::unique_ptr<VariableSpace> variables(graph->getVariableSpace()->clone());
  GraphInterpreter interpreter(*graph, *variables);
  const auto run = [&](FlowPath& flow) {
    variables->setFlowPath(&flow);
    if (interpreter.run() != Status::OK) throw graph_execution_exception(interpreter.failure(), graph->id());
  };
  for (int i = 0; i < iterations; i++) {
    FlowPath flow;
    run(flow);
  }
  const Timed timed(*graph);
  auto merged = std::make_unique<GraphProfile>();
  for (int i = 0; i < iterations; i++) {
    FlowPath flow;
    run(flow);
    if (i == 0)
      merged->assign(flow.profile());
    else
      merged->merge(flow.profile());
  }
  return merged.release();
}

}  // namespace sd::graph
