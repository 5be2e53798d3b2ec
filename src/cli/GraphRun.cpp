#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
#include "cli/GraphResults.h"
#include "cli/InputPatterns.h"
#include "cli/Json.h"
#include "cli/Measure.h"
#include "cli/Progress.h"
#include "cli/Summary.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

struct GraphRunOptions : GraphOptions {
  std::vector<std::string> outputs;
  int repeat = 1;
  std::shared_ptr<bool> json;
  std::function<std::vector<std::string>()> further;  ///< words that belong to no option
};

/// What the runs on some inputs give.
struct RunResults {
  std::vector<std::string> names;
  std::vector<Array> arrays;
  std::vector<double> times;  ///< of the runs, in seconds
};

/// A graph that runs on one input or on several.
class GraphRuns {
 public:
  /// `names`: of the results
  GraphRuns(const GraphRunOptions& options, const graph::Graph& graph, std::vector<std::string> names)
      : _options(options), _names(std::move(names)) {
    graph::SessionOptions settings;
    settings.results = firstOutputs(graph, _names);
    settings.withoutPasses = _options.without;
    withMemory("the computation", [&] { _session = std::make_unique<graph::Session>(graph, settings); });
  }

  RunResults operator()(const GraphInputs& inputs) {
    inputs.requireAll();
    RunResults results{_names, {}, {}};
    std::vector<NDArray> arrays;
    withMemory("the computation", [&] {
      for (int i = 0; i < _options.repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        arrays = _session->run(inputs.feeds());
        results.times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
    });
    if (arrays.size() != _names.size())
      throw DataError(
          fmt::format("'{}': {} results were computed, {} expected", _options.file, arrays.size(), _names.size()));
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].isS())
        throw DataError(
            fmt::format("'{}': the result '{}' is an array of texts, which can be neither written nor shown",
                        _options.file, shortened(_names[i])));
      results.arrays.push_back(withMemory("a copy of the result", [&] { return Array::of(arrays[i]); }));
    }
    return results;
  }

 private:
  const GraphRunOptions& _options;
  std::vector<std::string> _names;
  std::unique_ptr<graph::Session> _session;
};

/// Writes each result to its file, or all to one archive.
void writeAll(const RunResults& results, const std::vector<std::string>& files) {
  std::vector<std::pair<std::string, Array>> named;
  for (size_t i = 0; i < results.arrays.size(); ++i) named.emplace_back(results.names[i], results.arrays[i]);
  if (files.size() == 1 && files[0].ends_with(".npz")) return Array::writeArchive(files[0], named);
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].ends_with(".npz"))
      Array::writeArchive(files[i], {named[i]});
    else
      results.arrays[i].write(files[i]);
  }
}

/// Results that were written have the name of their file in place of their values.
Json resultsJson(const GraphRunOptions& options, const std::vector<std::string>& inputs, const RunResults& results,
                 const std::vector<std::string>& files) {
  Json json = {{"file", options.file}, {"inputs", inputs}};
  if (options.repeat > 1) {
    std::vector<double> times = results.times;
    std::sort(times.begin(), times.end());
    json["seconds"] = jsonOf(times);
    json["seconds"]["first"] = results.times[0];
  }
  json["results"] = Json::array();
  for (size_t i = 0; i < results.arrays.size(); ++i) {
    Json result =
        files.empty() ? jsonOf(results.names[i], results.arrays[i]) : typeAndShape(results.names[i], results.arrays[i]);
    if (!files.empty()) result["file"] = files[files.size() == 1 ? 0 : i];
    json["results"].push_back(std::move(result));
  }
  return json;
}

/// Times, and the results when they go to no files.
std::string resultsText(const RunResults& results, bool isWritten) {
  std::string text = "";
  if (results.times.size() > 1) {
    std::vector<double> times = results.times;
    std::sort(times.begin(), times.end());
    text = fmt::format("{}, the first {}\n", timesText(times), timeText(results.times[0]));
  }
  for (size_t i = 0; i < results.arrays.size() && !isWritten; ++i)
    text += (results.arrays.size() > 1 ? shortened(results.names[i]) + ": " : "") + summaryOf(results.arrays[i]);
  return text;
}

void requireDifferent(const std::vector<Target>& targets, const char* kind) {
  for (size_t i = 0; i < targets.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (isSameTarget(targets[i].file, targets[j].file))
        throw UsageError(fmt::format("-o: '{}' and '{}' are the same {}", targets[j].file, targets[i].file, kind));
}

/// The text to print.
std::string runOnce(const GraphRunOptions& options, const graph::Graph& graph, const std::vector<Target>& targets,
                    Progress& progress) {
  std::vector<std::string> files;
  for (const Target& target : targets) {
    Array::checkTarget(target.file);
    files.push_back(target.file);
  }
  requireDifferent(targets, "file");
  const bool isAll = targets.empty() || (targets.size() == 1 && targets[0].name.empty() && files[0].ends_with(".npz"));
  const auto names = isAll ? resultsOf(graph) : resultsFor(targets, graph, options.file);
  const GraphInputs inputs(graph, options);
  inputs.requireAll();
  progress.next("computing");
  const RunResults results = GraphRuns(options, graph, names)(inputs);
  progress.next("writing");
  writeAll(results, files);
  return *options.json ? textOf(resultsJson(options, options.inputs, results, files))
                       : resultsText(results, !files.empty());
}

/// One run for each file that patterns stand for; -o names folders.
std::string runOnMany(const GraphRunOptions& options, const graph::Graph& graph, const std::vector<Target>& targets,
                      Progress& progress) {
  const GraphInputs none(graph, options.file);
  const auto calls = callsOf(options.inputs, [&](const std::string& text) { return none.split(text); });
  std::deque<ResultFolder> folders;
  for (const Target& target : targets) folders.emplace_back(target.file, calls, "results");
  requireDifferent(targets, "folder");
  const bool isAll = targets.empty() || (targets.size() == 1 && targets[0].name.empty());
  GraphRuns runs(options, graph, isAll ? resultsOf(graph) : resultsFor(targets, graph, options.file));
  Json json = Json::array();
  std::string text = "";
  forEachCall(calls, [&](size_t i) {
    progress.next(fmt::format("running on {} of {}", i + 1, calls.size()));
    GraphInputs inputs = none;
    inputs.give(calls[i].inputs);
    const RunResults results = runs(inputs);
    std::vector<std::string> files;
    for (ResultFolder& folder : folders) files.push_back(folder.target(i, isAll ? results.arrays.size() : 1));
    writeAll(results, files);
    const std::string shown = resultsText(results, !files.empty());
    if (*options.json)
      json.push_back(resultsJson(options, calls[i].inputs, results, files));
    else if (!shown.empty())
      text += calls[i].file + "\n" + shown;
  });
  return *options.json ? textOf(json) : text;
}

/// @throws UsageError for files that a shell has put in place of a pattern, CLI::ExtrasError for other words
void refuseWords(const GraphRunOptions& options) {
  std::vector<std::string> words = options.further();
  if (words.empty()) return;
  words.push_back(options.file);
  refuseLooseFiles(words);
  words.pop_back();
  throw CLI::ExtrasError("run", words);
}

void runGraph(const GraphRunOptions& options) {
  constexpr int MOST_REPEATS = 1000000;
  refuseWords(options);
  std::vector<Target> targets;
  for (const std::string& text : options.outputs) targets.emplace_back(text);
  if (*options.json && std::any_of(targets.begin(), targets.end(), [](const Target& t) { return t.file == "-"; }))
    throw UsageError("--json: standard output cannot take an array of -o - as well");
  if (options.repeat < 1 || options.repeat > MOST_REPEATS)
    throw UsageError(fmt::format("--repeat: {} is outside 1..{}", options.repeat, MOST_REPEATS));
  std::string text = "";
  {
    Progress progress("reading");
    const auto graph = options.load();
    const GraphInputs inputs(*graph, options.file);
    const auto split = [&](const std::string& input) { return inputs.split(input); };
    const bool isMany = std::any_of(options.inputs.begin(), options.inputs.end(),
                                    [&](const std::string& input) { return isPattern(input, split); });
    text = isMany ? runOnMany(options, *graph, targets, progress) : runOnce(options, *graph, targets, progress);
  }
  print(text);
}

}  // namespace

void addGraphRun(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run a graph on .npy and .npz files");
  const auto options = std::make_shared<GraphRunOptions>();
  options->addFile(*command);
  options->addInputs(*command, GraphOptions::Inputs::Patterns);
  command
      ->add_option(
          "-o,--output", options->outputs,
          "A result, or any node or variable: z=z.npy; without 'z=' in the order of the graph; once for each, "
          "or one .npz file for all results; without it a summary is printed. For a pattern a folder, z=z/, in "
          "which results have the names of the files")
      ->allow_extra_args(false);
  options->addPasses(*command);
  command->add_option("--repeat", options->repeat, "Runs the graph so many times and prints how long that takes")
      ->capture_default_str();
  options->json = addJsonFlag(*command);
  command->allow_extras();
  options->further = [command] { return command->get_parent()->get_parent()->remaining(); };
  command->footer(
      "Examples:\n"
      "  ndforge graph run model.fb -i x.npy\n"
      "  ndforge graph run model.fb -i x=x.npy -i mask=m.npy -o probabilities=p.npy -o hidden=h.npy\n"
      "  ndforge graph run model.fb -i inputs.npz -o results.npz\n"
      "  ndforge graph run model.fb -i x='images/*.npy' -o probabilities=results/\n"
      "  ndforge graph run model.fb --weights trained.npz -i x.npy -o y.npy");
  command->callback([=] { runGraph(*options); });
}

}  // namespace sd::cli
