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
};

struct Measured {
  double compilation = 0;
  std::vector<double> times;
  LongType peak = 0, total = 0;
  std::string passes = "";
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
  if (!reports.empty())
    measured.passes = fmt::format(", {} nodes -> {}", reports.front().nodesBefore, reports.back().nodesAfter);
  return measured;
}

std::string slowestText(const graph::GraphProfile& profile) {
  std::vector<const graph::NodeProfile*> nodes = profile.nodes();
  std::stable_sort(nodes.begin(), nodes.end(), [](const graph::NodeProfile* a, const graph::NodeProfile* b) {
    return a->getTotalTime() > b->getTotalTime();
  });
  LongType all = 0;
  for (const graph::NodeProfile* node : nodes) all += node->getTotalTime();
  if (nodes.size() > SLOWEST) nodes.resize(SLOWEST);
  std::string text = "slowest nodes, each run by itself\n";
  for (const graph::NodeProfile* node : nodes) {
    const std::string name = node->name().empty() ? std::to_string(node->id()) : shortened(node->name());
    const double seconds = double(node->getTotalTime()) * 1e-9 / double(std::max<LongType>(1, node->merges()));
    text += fmt::format("  {:<24} {:<20} {:>10} {:>5.1f} %  {}\n", name, node->operation(), timeText(seconds),
                        all == 0 ? 0. : 100. * double(node->getTotalTime()) / double(all),
                        fmt::join(node->outputShapes(), ", "));
  }
  return text;
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
    text = fmt::format("{}: {}\n", options.file, inputs.text());
    text += fmt::format("reading         {}\n", timeText(reading));
    text += fmt::format("compilation     {}{}\n", timeText(measured.compilation), measured.passes);
    text += fmt::format("run             {}\n", timesText(measured.times));
    text += fmt::format("without passes  {}, compilation {}\n", timesText(plain.times), timeText(plain.compilation));
    text += fmt::format("memory          {}, shared by values of {}\n", bytesText(measured.peak),
                        bytesText(measured.total));
    text += slowestText(*profile);
  }
  print(text);
}

}  // namespace

void addGraphBench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure how long a graph takes");
  const auto options = std::make_shared<GraphBenchOptions>();
  options->addFile(*command);
  options->addInputs(*command, true);
  options->addPasses(*command);
  command->add_option("--seconds", options->seconds, "How long to measure")->capture_default_str();
  command->add_option("--trace", options->trace,
                      "A file for the course of the runs of single nodes, which chrome://tracing and ui.perfetto.dev "
                      "draw");
  command->footer(
      "Examples:\n"
      "  ndforge graph bench model.fb --shape x=32x784\n"
      "  ndforge graph bench model.fb -i x.npy --without all --threads 1 --trace trace.json");
  command->callback([=] { benchGraph(*options); });
}

}  // namespace sd::cli
