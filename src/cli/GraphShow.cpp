#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
#include "cli/Measure.h"
#include "cli/Progress.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

struct GraphShowOptions : GraphOptions {
  bool dot = false, svg = false, passes = false, plan = false, memory = false;
  std::string output;
};

std::string passesText(const graph::Session& session) {
  std::string text = "";
  for (const graph::PassReport& report : session.passReports())
    text += fmt::format("{:<14} {:>6} nodes -> {:<6} {:>6} changes  {}\n", report.name, report.nodesBefore,
                        report.nodesAfter, report.changes, report.text);
  return text.empty() ? "no passes\n" : text;
}

std::string memoryText(const graph::Graph& graph, const GraphInputs& inputs, const graph::Session& session) {
  LongType given = 0, variables = 0;
  for (const GraphInput& input : inputs.all()) given += LongType(input.array.bytes());
  for (const graph::Variable* variable : graph.getVariableSpace()->getVariables())
    if (variable->hasNDArray() && !variable->getNDArray()->isS())
      variables += variable->getNDArray()->lengthOf() * LongType(variable->getNDArray()->sizeOfT());
  return fmt::format("inputs     {}\nvariables  {}\nplan       {}, shared by values of {}\n", bytesText(given),
                     bytesText(variables), bytesText(session.peakBytes()), bytesText(session.totalBytes()));
}

/// What needs a plan, which is compiled for the shapes of the inputs.
std::string compiledText(const GraphShowOptions& options, const graph::Graph& graph, GraphInputs& inputs) {
  inputs.fill();
  graph::SessionOptions settings;
  settings.withoutPasses = options.without;
  graph::Session session(graph, settings);
  withMemory("the plan", [&] { session.compile(inputs.feeds()); });
  const std::unique_ptr<graph::Graph> optimised = session.optimised();
  if (optimised == nullptr)
    throw DataError(
        fmt::format("'{}': no plan is compiled for graphs whose branches and loops are made of Switch, "
                    "Merge and Enter; their nodes run one by one",
                    options.file));
  if (options.dot) return dotOf(*optimised, inputs.drawing());
  if (options.svg) return svgOf(*optimised, inputs.drawing());
  std::string text = "";
  if (options.passes) text += passesText(session);
  if (options.plan) text += session.text();
  if (options.memory) text += memoryText(graph, inputs, session);
  return text;
}

void showGraph(const GraphShowOptions& options) {
  if (options.dot && options.svg) throw UsageError("--dot and --svg: choose one of them");
  if ((options.dot || options.svg) && (options.plan || options.memory))
    throw UsageError(
        "--plan and --memory are texts; --dot and --svg draw the graph, with --passes what they make of it");
  std::string text = "";
  {
    const Progress progress("reading");
    const auto graph = options.load();
    GraphInputs inputs(*graph, options);
    if (options.passes || options.plan || options.memory)
      text = compiledText(options, *graph, inputs);
    else if (options.dot)
      text = dotOf(*graph, inputs.drawing());
    else if (options.svg)
      text = svgOf(*graph, inputs.drawing());
    else
      text = tableOf(*graph, inputs.drawing());
  }
  if (options.output.empty()) return print(text);
  OutputFile file("graph", options.output);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace

void addGraphShow(CLI::App& app) {
  CLI::App* command = app.add_subcommand("show", "Show a graph, what the passes do with it, and its plan");
  const auto options = std::make_shared<GraphShowOptions>();
  options->addFile(*command);
  command->add_flag("--dot", options->dot, "The graph in the language of Graphviz");
  command->add_flag("--svg", options->svg, "The graph as a picture");
  command->add_flag("--passes", options->passes,
                    "What each pass of the optimiser does; with --dot or --svg the result");
  command->add_flag("--plan", options->plan, "The steps of the plan");
  command->add_flag("--memory", options->memory, "The memory that the plan takes");
  options->addInputs(*command, true);
  options->addPasses(*command);
  command->add_option("-o,--output", options->output, "A file to write to instead of standard output");
  command->footer(
      "Examples:\n"
      "  ndforge graph show model.fb\n"
      "  ndforge graph show model.fb --shape x=32x784 --svg -o model.svg\n"
      "  ndforge graph show model.fb --shape x=32x784 --passes --plan --memory\n"
      "  ndforge graph show model.fb --dot | dot -Tpdf -o model.pdf");
  command->callback([=] { showGraph(*options); });
}

}  // namespace sd::cli
