#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>

#include "cli/Errors.h"
#include "cli/GraphFile.h"
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
};

/// "z=z.npy": the result z goes to the file z.npy. Without a name it is the next result of the graph, or all results
/// for the only -o if that is a .npz file.
struct Target {
  std::string name, file;
};

std::vector<Target> targetsOf(const GraphRunOptions& options) {
  std::vector<Target> targets;
  for (const std::string& text : options.outputs) {
    const size_t equals = text.rfind('=');
    Target target{equals == std::string::npos ? "" : text.substr(0, equals),
                  equals == std::string::npos ? text : text.substr(equals + 1)};
    Array::checkTarget(target.file);
    for (const Target& other : targets)
      if (isSameTarget(target.file, other.file))
        throw UsageError(fmt::format("-o: '{}' and '{}' are the same file", other.file, target.file));
    targets.push_back(std::move(target));
  }
  return targets;
}

bool isArchiveOfAll(const std::vector<Target>& targets) {
  return targets.size() == 1 && targets[0].name.empty() && targets[0].file.ends_with(".npz");
}

/// How many outputs a node has; 1 when it does not say.
int outputsOf(const graph::Node& node, const graph::Graph& graph) {
  if (node.isLogic(logic::While))
    return static_cast<int>(std::count_if(node.inputs().begin(), node.inputs().end(),
                                          [&](const auto& input) { return !graph.hasScope(input.first); }));
  return node.hasCustomOp() ? std::max(1, node.getCustomOp()->describedDescriptor()->getNumberOfOutputs()) : 1;
}

/// The names of the results of the graph, one for each output.
std::vector<std::string> resultsOf(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const int id : graph.resultIds()) {
    const bool isNode = id >= 0 && graph.hasNode(id);
    std::string name = isNode ? *graph.nodeById(id)->getName()
                       : graph.getVariableSpace()->hasVariable(id, 0)
                           ? *graph.getVariableSpace()->getVariable(id, 0)->getName()
                           : "";
    if (name.empty()) name = std::to_string(id);
    const int count = isNode ? outputsOf(*graph.nodeById(id), graph) : 1;
    names.push_back(name);
    for (int k = 1; k < count; ++k) names.push_back(fmt::format("{}:{}", name, k));
  }
  return names;
}

/// Everything that -o may name.
std::vector<std::string> namesIn(const graph::Graph& graph) {
  std::vector<std::string> names;
  for (const graph::Node* node : graph.allNodes()) {
    if (node->isScoped() || node->isLogic(logic::Scope)) continue;
    names.push_back(node->getName()->empty() ? std::to_string(node->id()) : *node->getName());
  }
  for (const graph::Variable* variable : graph.getVariableSpace()->getVariables())
    if (!variable->getName()->empty() && (variable->id() < 0 || !graph.hasNode(variable->id())))
      names.push_back(*variable->getName());
  return names;
}

/// The node of this name or number; nullptr when there is none.
const graph::Node* nodeNamed(const graph::Graph& graph, const std::string& name) {
  for (const graph::Node* node : graph.allNodes())
    if (!node->isScoped() && *node->getName() == name && !name.empty()) return node;
  for (const graph::Node* node : graph.allNodes())
    if (!node->isScoped() && std::to_string(node->id()) == name) return node;
  return nullptr;
}

bool isVariable(const graph::Graph& graph, const std::string& name) {
  const auto variables = graph.getVariableSpace()->getVariables();
  return std::any_of(variables.begin(), variables.end(), [&](const graph::Variable* variable) {
    return *variable->getName() == name || std::to_string(variable->id()) == name;
  });
}

/// @throws UsageError when -o may not name this
void checkName(const graph::Graph& graph, const std::string& file, const std::string& name) {
  if (nodeNamed(graph, name) != nullptr || isVariable(graph, name)) return;
  const size_t colon = name.rfind(':');
  const bool indexed = colon != std::string::npos && colon + 1 < name.size() && name.size() - colon < 8 &&
                       name.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  const graph::Node* node = indexed ? nodeNamed(graph, name.substr(0, colon)) : nullptr;
  if (node == nullptr)
    throw UsageError(fmt::format("-o: '{}' has no node or variable '{}'{}", file, shortened(name),
                                 nearNames(name, namesIn(graph), "nodes and variables")));
  // Operations with any number of outputs declare a number below 0.
  const int declared = node->hasCustomOp() ? node->getCustomOp()->describedDescriptor()->getNumberOfOutputs() : -1;
  if (declared > 0 && std::stoi(name.substr(colon + 1)) >= declared)
    throw UsageError(
        fmt::format("-o: '{}' has no output {}", shortened(name.substr(0, colon)), name.substr(colon + 1)));
}

/// The results to compute: one for each target, or all.
std::vector<std::string> wantedResults(const graph::Graph& graph, const GraphRunOptions& options,
                                       std::vector<Target>& targets) {
  const std::vector<std::string> all = resultsOf(graph);
  if (targets.empty() || isArchiveOfAll(targets)) return all;
  for (const Target& target : targets)
    if (!target.name.empty()) checkName(graph, options.file, target.name);
  std::vector<std::string> left;
  for (const std::string& name : all)
    if (std::none_of(targets.begin(), targets.end(), [&](const Target& target) { return target.name == name; }))
      left.push_back(name);
  size_t next = 0;
  std::vector<std::string> wanted;
  for (Target& target : targets) {
    if (target.name.empty()) {
      if (next == left.size())
        throw UsageError(fmt::format("'{}' has {} results ({}); none is left for '{}'", options.file, all.size(),
                                     fmt::join(all, ", "), target.file));
      target.name = left[next++];
    }
    wanted.push_back(target.name);
  }
  return wanted;
}

/// A number alone, or a name without the index of an output, would mean every output.
std::vector<std::string> firstOutputs(const graph::Graph& graph, std::vector<std::string> names) {
  for (std::string& name : names)
    if (const graph::Node* node = nodeNamed(graph, name)) name = fmt::format("{}:0", node->id());
  return names;
}

void runGraph(const GraphRunOptions& options) {
  constexpr int MOST_REPEATS = 1000000;
  std::vector<Target> targets = targetsOf(options);
  if (*options.json && std::any_of(targets.begin(), targets.end(), [](const Target& t) { return t.file == "-"; }))
    throw UsageError("--json: standard output cannot take an array of -o - as well");
  if (options.repeat < 1 || options.repeat > MOST_REPEATS)
    throw UsageError(fmt::format("--repeat: {} is outside 1..{}", options.repeat, MOST_REPEATS));
  std::string text = "";
  Json json = {{"file", options.file}};
  std::vector<std::string> names;
  std::vector<Array> results;
  {
    Progress progress("reading");
    const auto graph = options.load();
    const GraphInputs inputs(*graph, options);
    names = wantedResults(*graph, options, targets);
    inputs.requireAll();
    progress.next("computing");
    graph::SessionOptions settings;
    settings.results = firstOutputs(*graph, names);
    settings.withoutPasses = options.without;
    std::vector<NDArray> arrays;
    std::vector<double> times;
    withMemory("the computation", [&] {
      graph::Session session(*graph, settings);
      for (int i = 0; i < options.repeat; ++i) {
        const auto start = std::chrono::steady_clock::now();
        arrays = session.run(inputs.feeds());
        times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      }
    });
    if (options.repeat > 1) {
      const double first = times[0];
      std::sort(times.begin(), times.end());
      text = fmt::format("{}, the first {}\n", timesText(times), timeText(first));
      json["seconds"] = jsonOf(times);
      json["seconds"]["first"] = first;
    }
    if (arrays.size() != names.size())
      throw DataError(
          fmt::format("'{}': {} results were computed, {} expected", options.file, arrays.size(), names.size()));
    for (size_t i = 0; i < arrays.size(); ++i) {
      if (arrays[i].isS())
        throw DataError(
            fmt::format("'{}': the result '{}' is an array of texts, which can be neither written nor shown",
                        options.file, shortened(names[i])));
      results.push_back(withMemory("a copy of the result", [&] { return Array::of(arrays[i]); }));
    }
    if (!targets.empty()) progress.next("writing");
    if (isArchiveOfAll(targets)) {
      std::vector<std::pair<std::string, Array>> named;
      for (size_t i = 0; i < results.size(); ++i) named.emplace_back(names[i], results[i]);
      Array::writeArchive(targets[0].file, named);
    } else {
      for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i].file.ends_with(".npz"))
          Array::writeArchive(targets[i].file, {{names[i], results[i]}});
        else
          results[i].write(targets[i].file);
      }
    }
  }
  if (*options.json) {
    json["results"] = Json::array();
    for (size_t i = 0; i < results.size(); ++i) {
      Json result = targets.empty() ? jsonOf(names[i], results[i]) : typeAndShape(names[i], results[i]);
      if (!targets.empty()) result["file"] = targets[isArchiveOfAll(targets) ? 0 : i].file;
      json["results"].push_back(std::move(result));
    }
    return printJson(json);
  }
  if (targets.empty())
    for (size_t i = 0; i < results.size(); ++i)
      text += (results.size() > 1 ? shortened(names[i]) + ": " : "") + summaryOf(results[i]);
  print(text);
}

}  // namespace

void addGraphRun(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run a graph on .npy and .npz files");
  const auto options = std::make_shared<GraphRunOptions>();
  options->addFile(*command);
  options->addInputs(*command, false);
  command
      ->add_option("-o,--output", options->outputs,
                   "A result, or any node or variable: z=z.npy; without 'z=' in the order of the graph; once for each, "
                   "or one .npz file for all results; without it a summary is printed")
      ->allow_extra_args(false);
  options->addPasses(*command);
  command->add_option("--repeat", options->repeat, "Runs the graph so many times and prints how long that takes")
      ->capture_default_str();
  options->json = addJsonFlag(*command);
  command->footer(
      "Examples:\n"
      "  ndforge graph run model.fb -i x.npy\n"
      "  ndforge graph run model.fb -i x=x.npy -i mask=m.npy -o probabilities=p.npy -o hidden=h.npy\n"
      "  ndforge graph run model.fb -i inputs.npz -o results.npz\n"
      "  ndforge graph run model.fb --weights trained.npz -i x.npy -o y.npy");
  command->callback([=] { runGraph(*options); });
}

}  // namespace sd::cli
