#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
#include "cli/Json.h"
#include "cli/Measure.h"
#include "cli/Progress.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

struct GraphShowOptions : GraphOptions {
  bool dot = false, svg = false, passes = false, plan = false, memory = false;
  std::string output;
  std::shared_ptr<bool> json;
};

std::string passesText(const graph::Session& session) {
  std::string text = "";
  for (const graph::PassReport& report : session.passReports())
    text += fmt::format("{:<14} {:>6} nodes -> {:<6} {:>6} changes  {}\n", report.name, report.nodesBefore,
                        report.nodesAfter, report.changes, report.text);
  return text.empty() ? "no passes\n" : text;
}

Json passesJson(const graph::Session& session) {
  Json passes = Json::array();
  for (const graph::PassReport& report : session.passReports())
    passes.push_back({{"name", report.name},
                      {"nodesBefore", report.nodesBefore},
                      {"nodesAfter", report.nodesAfter},
                      {"changes", report.changes},
                      {"text", report.text}});
  return passes;
}

/// In bytes.
struct Memory {
  LongType inputs = 0, variables = 0, plan = 0, values = 0;

  Memory(const graph::Graph& graph, const GraphInputs& given, const graph::Session& session)
      : plan(session.peakBytes()), values(session.totalBytes()) {
    for (const GraphInput& input : given.all()) inputs += LongType(input.array.bytes());
    for (const graph::Variable* variable : graph.getVariableSpace()->getVariables())
      if (variable->hasNDArray() && !variable->getNDArray()->isS())
        variables += variable->getNDArray()->lengthOf() * LongType(variable->getNDArray()->sizeOfT());
  }

  std::string text() const {
    return fmt::format("inputs     {}\nvariables  {}\nplan       {}, shared by values of {}\n", bytesText(inputs),
                       bytesText(variables), bytesText(plan), bytesText(values));
  }
  Json json() const { return {{"inputs", inputs}, {"variables", variables}, {"plan", plan}, {"values", values}}; }
};

/// The type and the shape, which may be unknown: null. Unknown sizes are null too.
Json shapeJson(const ops::PartialShape& shape) {
  Json json = {{"type", nullptr}, {"shape", nullptr}};
  if (shape.hasType()) json["type"] = DataTypeUtils::isS(shape.type()) ? "text" : typeName(shape.type());
  if (!shape.hasRank()) return json;
  json["shape"] = Json::array();
  for (const LongType size : shape.sizes())
    json["shape"].push_back(size == ops::PartialShape::UNKNOWN ? Json(nullptr) : Json(size));
  return json;
}

/// Of each output of a node; null when nothing is known about them.
Json outputsJson(const graph::ValueShapes& shapes, int node) {
  Json outputs = nullptr;
  for (int k = 0; shapes.count({node, k}) != 0; ++k) outputs.push_back(shapeJson(shapes.at({node, k})));
  return outputs;
}

Json graphJson(const GraphShowOptions& options, const graph::Graph& graph, const GraphInputs& inputs) {
  const graph::ValueShapes shapes = shapesOf(graph, inputs.drawing());
  Json json = {{"file", options.file},
               {"inputs", Json::array()},
               {"variables", Json::array()},
               {"nodes", Json::array()},
               {"results", graph.resultIds()}};
  const auto add = [](Json& list, Json row, const ops::PartialShape& shape) {
    row.update(shapeJson(shape));
    list.push_back(std::move(row));
  };
  for (const GraphInput& input : inputs.all()) add(json["inputs"], Json::object({{"name", input.name}}), shapes.at(input.value));
  for (const graph::Variable* variable : graph.getVariableSpace()->getVariables()) {
    if (!variable->hasNDArray() || variable->isPlaceholder()) continue;
    add(json["variables"], {{"id", variable->id()}, {"name", *variable->getName()}},
        ops::PartialShape::of(variable->getNDArray()->shapeInfo()));
  }
  for (const graph::Node* node : graph.allNodes())
    json["nodes"].push_back({{"id", node->id()},
                             {"name", *node->getName()},
                             {"operation", node->operationName()},
                             {"inputs", node->inputs()},
                             {"outputs", node->isScoped() ? Json(nullptr) : outputsJson(shapes, node->id())}});
  return json;
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
  if (*options.json) {
    Json json = graphJson(options, graph, inputs);
    if (options.passes) json["passes"] = passesJson(session);
    if (options.plan) json["plan"] = split(session.text(), '\n');
    if (options.memory) json["memory"] = Memory(graph, inputs, session).json();
    return textOf(json);
  }
  std::string text = "";
  if (options.passes) text += passesText(session);
  if (options.plan) text += session.text();
  if (options.memory) text += Memory(graph, inputs, session).text();
  return text;
}

void showGraph(const GraphShowOptions& options) {
  if (options.dot && options.svg) throw UsageError("--dot and --svg: choose one of them");
  if ((options.dot || options.svg) && (options.plan || options.memory))
    throw UsageError(
        "--plan and --memory are texts; --dot and --svg draw the graph, with --passes what they make of it");
  if (*options.json && (options.dot || options.svg))
    throw UsageError("--json, --dot and --svg are different forms; choose one of them");
  std::string text = "";
  {
    const Progress progress("reading");
    const auto graph = options.load();
    GraphInputs inputs(*graph, options);
    if (options.passes || options.plan || options.memory)
      text = compiledText(options, *graph, inputs);
    else if (*options.json)
      text = textOf(graphJson(options, *graph, inputs));
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
  options->addInputs(*command, GraphOptions::Inputs::Shapes);
  options->addPasses(*command);
  command->add_option("-o,--output", options->output, "A file to write to instead of standard output");
  options->json = addJsonFlag(*command);
  command->footer(
      "Examples:\n"
      "  ndforge graph show model.fb\n"
      "  ndforge graph show model.fb --shape x=32x784 --svg -o model.svg\n"
      "  ndforge graph show model.fb --shape x=32x784 --passes --plan --memory\n"
      "  ndforge graph show model.fb --dot | dot -Tpdf -o model.pdf");
  command->callback([=] { showGraph(*options); });
}

}  // namespace sd::cli
