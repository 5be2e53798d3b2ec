#include <fmt/format.h>
#include <fmt/ranges.h>
#include <graph/profiling/GraphProfile.h>
#include <graph/profiling/GraphProfilingHelper.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
#include "cli/Json.h"
#include "cli/Measure.h"
#include "cli/Progress.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

constexpr size_t SLOWEST = 10;

struct GraphBenchOptions : GraphOptions {
  double seconds = 1;
  std::string trace;
  std::shared_ptr<bool> json;
};

struct Measured {
  double compilation = 0;
  std::vector<double> times;
  LongType peak = 0, total = 0;
  int nodesBefore = -1, nodesAfter = -1;  ///< of the passes; -1 without
};

Measured measureWith(const graph::Graph& graph, const GraphInputs& inputs, std::vector<std::string> without,
                     double seconds) {
  graph::SessionOptions settings;
  settings.withoutPasses = std::move(without);
  const std::vector<graph::Feed> feeds = inputs.feeds();
  Measured measured;
  const auto start = std::chrono::steady_clock::now();
  graph::Session session(graph, settings);
  session.compile(feeds);
  measured.compilation = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  measured.times = measure([&] { session.run(feeds); }, seconds);
  measured.peak = session.peakBytes();
  measured.total = session.totalBytes();
  const auto reports = session.passReports();
  if (!reports.empty()) {
    measured.nodesBefore = reports.front().nodesBefore;
    measured.nodesAfter = reports.back().nodesAfter;
  }
  return measured;
}

struct NodeTime {
  std::string name, operation;
  double seconds, share;  ///< of one run; of the time of all nodes
  std::vector<std::string> shapes;
};

std::vector<NodeTime> slowestOf(const graph::GraphProfile& profile) {
  std::vector<const graph::NodeProfile*> nodes = profile.nodes();
  std::stable_sort(nodes.begin(), nodes.end(), [](const graph::NodeProfile* a, const graph::NodeProfile* b) {
    return a->getTotalTime() > b->getTotalTime();
  });
  LongType all = 0;
  for (const graph::NodeProfile* node : nodes) all += node->getTotalTime();
  if (nodes.size() > SLOWEST) nodes.resize(SLOWEST);
  std::vector<NodeTime> times;
  for (const graph::NodeProfile* node : nodes)
    times.push_back({node->name().empty() ? std::to_string(node->id()) : node->name(), node->operation(),
                     double(node->getTotalTime()) * 1e-9 / double(std::max<LongType>(1, node->merges())),
                     all == 0 ? 0. : double(node->getTotalTime()) / double(all), node->outputShapes()});
  return times;
}

std::string slowestText(const std::vector<NodeTime>& nodes) {
  std::string text = "slowest nodes, each run by itself\n";
  for (const NodeTime& node : nodes)
    text += fmt::format("  {:<24} {:<20} {:>10} {:>5.1f} %  {}\n", shortened(node.name), node.operation,
                        timeText(node.seconds), 100 * node.share, fmt::join(node.shapes, ", "));
  return text;
}

Json measuredJson(const Measured& measured) {
  Json json = {{"compilation", measured.compilation}};
  json.update(jsonOf(measured.times));
  return json;
}

Json benchJson(const GraphBenchOptions& options, const GraphInputs& inputs, double reading, const Measured& measured,
               const Measured& plain, const std::vector<NodeTime>& slowest) {
  Json given = Json::array(), nodes = Json::array();
  for (const GraphInput& input : inputs.all()) given.push_back(typeAndShape(input.name, input.array));
  for (const NodeTime& node : slowest)
    nodes.push_back({{"name", node.name},
                     {"operation", node.operation},
                     {"seconds", node.seconds},
                     {"share", node.share},
                     {"outputs", node.shapes}});
  Json json = {{"file", options.file},
               {"inputs", given},
               {"reading", reading},
               {"seconds", measuredJson(measured)},
               {"withoutPasses", measuredJson(plain)}};
  if (measured.nodesBefore >= 0) json["nodes"] = {{"before", measured.nodesBefore}, {"after", measured.nodesAfter}};
  json["memory"] = {{"peak", measured.peak}, {"total", measured.total}};
  json["slowest"] = nodes;
  return json;
}

/// A profile of runs without a plan: a plan has no times of nodes.
std::unique_ptr<graph::GraphProfile> profileOf(graph::Graph& graph, const GraphInputs& inputs, double once) {
  const auto placeholders = graph.getPlaceholders();
  for (size_t i = 0; i < placeholders.size(); ++i)
    placeholders[i]->setNDArray(new NDArray(inputs.all()[i].view->dup()));
  const int runs = std::clamp(static_cast<int>(0.5 / std::max(once, 1e-6)), 1, 20);
  return std::unique_ptr<graph::GraphProfile>(graph::GraphProfilingHelper::profile(&graph, runs));
}

void benchGraph(const GraphBenchOptions& options) {
  checkSeconds(options.seconds);
  std::string text = "";
  Json json;
  {
    Progress progress("reading");
    const auto start = std::chrono::steady_clock::now();
    const auto graph = options.load();
    const double reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    GraphInputs inputs(*graph, options);
    inputs.fill();
    progress.next("measuring");
    const Measured measured =
        withMemory("the computation", [&] { return measureWith(*graph, inputs, options.without, options.seconds); });
    const Measured plain =
        withMemory("the computation", [&] { return measureWith(*graph, inputs, {"all"}, options.seconds); });
    progress.next("profiling");
    const auto profile =
        withMemory("the computation", [&] { return profileOf(*graph, inputs, plain.times[plain.times.size() / 2]); });
    if (!options.trace.empty()) {
      const std::string trace = profile->chromeTrace();
      OutputFile file("graph", options.trace);
      file.write(trace.data(), trace.size());
      file.commit();
    }
    const std::vector<NodeTime> slowest = slowestOf(*profile);
    if (*options.json) {
      json = benchJson(options, inputs, reading, measured, plain, slowest);
    } else {
      const std::string passes =
          measured.nodesBefore < 0 ? "" : fmt::format(", {} nodes -> {}", measured.nodesBefore, measured.nodesAfter);
      text = fmt::format("{}: {}\n", options.file, inputs.text());
      text += fmt::format("reading         {}\n", timeText(reading));
      text += fmt::format("compilation     {}{}\n", timeText(measured.compilation), passes);
      text += fmt::format("run             {}\n", timesText(measured.times));
      text += fmt::format("without passes  {}, compilation {}\n", timesText(plain.times), timeText(plain.compilation));
      text += fmt::format("memory          {}, shared by values of {}\n", bytesText(measured.peak),
                          bytesText(measured.total));
      text += slowestText(slowest);
    }
  }
  *options.json ? printJson(json) : print(text);
}

}  // namespace

void addGraphBench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure how long a graph takes");
  const auto options = std::make_shared<GraphBenchOptions>();
  options->addFile(*command);
  options->addInputs(*command, GraphOptions::Inputs::Shapes);
  options->addPasses(*command);
  command->add_option("--seconds", options->seconds, "How long to measure")->capture_default_str();
  command->add_option("--trace", options->trace,
                      "A file for the course of the runs of single nodes, which chrome://tracing and ui.perfetto.dev "
                      "draw");
  options->json = addJsonFlag(*command);
  command->footer(
      "Examples:\n"
      "  ndforge graph bench model.fb --shape x=32x784\n"
      "  ndforge graph bench model.fb -i x.npy --without all --threads 1 --trace trace.json");
  command->callback([=] { benchGraph(*options); });
}

}  // namespace sd::cli
