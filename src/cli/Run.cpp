#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "cli/Commands.h"
#include "cli/Errors.h"
#include "cli/InputPatterns.h"
#include "cli/Json.h"
#include "cli/NamedArguments.h"
#include "cli/Names.h"
#include "cli/Options.h"
#include "cli/Progress.h"
#include "cli/Summary.h"
#include "cli/Text.h"
#include "system/OutputFile.h"

namespace sd::cli {
namespace {

struct RunOptions : Options {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::shared_ptr<bool> json;
};

bool isArchive(const std::string& target) { return target.ends_with(".npz"); }

/// What an operation gives.
struct Results {
  std::string operation;
  std::vector<std::string> names;
  std::vector<Array> arrays;
};

Results runNumbered(const RunOptions& options, const FileCall& files, const std::vector<std::string>& targets,
                    Progress& progress) {
  if (targets.size() > 1)
    throw UsageError(fmt::format("{} has one output, -o is given {} times", options.name, targets.size()));
  Request request = options.request();
  for (const std::string& input : files.inputs) request.inputs.push_back(Array::read(input));
  Call call(options.name, std::move(request));
  progress.next(fmt::format("computing {}", call.op().name));
  call.run();
  return {loops::qualifiedName(call.op()), {"z"}, {call.result()}};
}

/// Checks that there is one file for each output, or one archive for all.
void requireTargets(const CustomOp& op, const std::vector<std::string>& targets, size_t outputs) {
  const bool together = targets.size() == 1 && isArchive(targets[0]);
  if (targets.empty() || together || targets.size() == outputs) return;
  throw UsageError(
      fmt::format("{}: its outputs are {}; -o is given {} times, not once for each output or once with a .npz file",
                  op.name(), fmt::join(op.outputNames(outputs), ", "), targets.size()));
}

Results runCustom(const CustomOp& op, const RunOptions& options, const FileCall& files,
                  const std::vector<std::string>& targets, Progress& progress) {
  CustomRequest request = options.customRequest(op);
  if (!options.shapes.empty()) {
    const ops::ArgumentRow* shape = op.op->schema().argument("shape");
    if (shape == nullptr)
      throw UsageError(fmt::format("{}: --shape is for random numbered operations without inputs", op.name()));
    const std::string& text = options.shapes[0];
    ops::ArgumentValue value;
    if (text.find('x') == std::string::npos)
      value = argumentFrom(op, *shape, text);
    else
      value.integers = parseShape(text);
    request.named.emplace_back("shape", std::move(value));
  }
  for (const std::string& input : files.inputs) {
    const auto [name, file] = namedFile(input);
    request.inputs.emplace_back(name, Array::read(file));
  }
  CustomCall call(op, std::move(request));
  requireTargets(op, targets, call.outputs());
  progress.next(fmt::format("computing {}", op.name()));
  call.run();
  return {op.name(), op.outputNames(call.outputs()), call.results()};
}

void writeAll(const Results& results, const std::vector<std::string>& targets) {
  if (targets.size() == results.arrays.size()) {
    for (size_t i = 0; i < targets.size(); ++i) results.arrays[i].write(targets[i]);
    return;
  }
  std::vector<std::pair<std::string, Array>> arrays;
  for (size_t i = 0; i < results.arrays.size(); ++i) arrays.emplace_back(results.names[i], results.arrays[i]);
  Array::writeArchive(targets[0], arrays);
}

/// Results that were written have the name of their file in place of their values.
Json resultsJson(const Results& results, const FileCall& files, const std::vector<std::string>& targets) {
  Json outputs = Json::array();
  for (size_t i = 0; i < results.arrays.size(); ++i) {
    Json output = targets.empty() ? jsonOf(results.names[i], results.arrays[i])
                                  : typeAndShape(results.names[i], results.arrays[i]);
    if (!targets.empty()) output["file"] = targets[targets.size() == 1 ? 0 : i];
    outputs.push_back(std::move(output));
  }
  return {{"operation", results.operation}, {"inputs", files.inputs}, {"outputs", outputs}};
}

std::string summariesOf(const Results& results) {
  if (results.arrays.size() == 1) return summaryOf(results.arrays[0]);
  std::string text;
  for (size_t i = 0; i < results.arrays.size(); ++i)
    text += fmt::format("{}: {}", results.names[i], summaryOf(results.arrays[i]));
  return text;
}

void checkTargets(const std::vector<std::string>& targets) {
  for (size_t i = 0; i < targets.size(); ++i) {
    Array::checkTarget(targets[i]);
    for (size_t j = 0; j < i; ++j)
      if ((targets[i] == "-" && targets[j] == "-") || isSameTarget(targets[i], targets[j]))
        throw UsageError(fmt::format("-o: '{}' and '{}' are the same file", targets[j], targets[i]));
  }
}

Results compute(const RunOptions& options, const FileCall& files, const std::vector<std::string>& targets,
                Progress& progress) {
  const CustomOp custom = findCustom(options.name);
  return custom ? runCustom(custom, options, files, targets, progress) : runNumbered(options, files, targets, progress);
}

void runOnce(const RunOptions& options) {
  checkTargets(options.outputs);
  const FileCall files{"", options.inputs, {}};
  Results results;
  {
    Progress progress("reading");
    results = compute(options, files, options.outputs, progress);
    progress.next("writing");
    if (!options.outputs.empty()) writeAll(results, options.outputs);
  }
  if (*options.json)
    printJson(resultsJson(results, files, options.outputs));
  else if (options.outputs.empty())
    print(summariesOf(results));
}

/// One call for each file that patterns stand for; -o names a folder.
void runOnMany(const RunOptions& options) {
  const std::vector<FileCall> calls = callsOf(options.inputs);
  if (options.outputs.size() > 1)
    throw UsageError(fmt::format("-o: the results for the files of a pattern go into one folder, -o is given {} times",
                                 options.outputs.size()));
  std::optional<ResultFolder> folder;
  if (!options.outputs.empty()) folder.emplace(options.outputs[0], calls, options.name);
  Json json = Json::array();
  std::string text = "";
  forEachCall(calls, [&](size_t i) {
    Progress progress(fmt::format("reading {} of {}", i + 1, calls.size()));
    const Results results = compute(options, calls[i], {}, progress);
    std::vector<std::string> target;
    if (folder) {
      target = {folder->target(i, results.arrays.size())};
      writeAll(results, target);
    }
    if (*options.json)
      json.push_back(resultsJson(results, calls[i], target));
    else if (!folder)
      text += fmt::format("{}\n{}", calls[i].file, summariesOf(results));
  });
  if (*options.json)
    printJson(json);
  else
    print(text);
}

void run(const RunOptions& options) {
  std::vector<std::string> words = options.further();
  words.push_back(options.name);
  refuseLooseFiles(words);
  if (!findCustom(options.name)) findOps(options.name);  // reports an unknown name before any file is read
  if (*options.json && std::count(options.outputs.begin(), options.outputs.end(), "-") > 0)
    throw UsageError("--json: standard output cannot take an array of -o - as well");
  const auto isMany = [](const std::string& input) { return isPattern(input); };
  std::any_of(options.inputs.begin(), options.inputs.end(), isMany) ? runOnMany(options) : runOnce(options);
}

}  // namespace

void addRun(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an operation on .npy and .npz files");
  const auto options = std::make_shared<RunOptions>();
  options->addTo(*command,
                 "Numbered operations: the type to compute in, float32, int64, ... (inputs are cast); custom "
                 "operations: type arguments");
  command
      ->add_option(
          "-i,--input", options->inputs,
          "An input: x.npy, x.npz:name, or - for a .npy file on standard input; once for each. Custom operations: "
          "also name=x.npy. A pattern in quotation marks, 'images/*.npy', runs the operation once for each file")
      ->allow_extra_args(false);
  command
      ->add_option(
          "-o,--output", options->outputs,
          "The result: z.npy, z.npz (array 'z'), or - for a .npy file on standard output; once for each output, or "
          "one .npz for all; without it a summary is printed. For a pattern a folder, in which results have the names "
          "of the files")
      ->allow_extra_args(false);
  command->add_option("--shape", options->shapes, "Random numbered operations without inputs: shape of the result: 3x4")
      ->allow_extra_args(false);
  options->json = addJsonFlag(*command);
  options->addHelpTo(*command);
  command->footer(
      "Examples:\n"
      "  ndforge run clipbyvalue -i x.npy --float 0,1 -o z.npy\n"
      "  ndforge run conv2d -i x=images.npy -i weights=w.npy --int 3,3,1,1,0,0,1,1,1 -o y.npy\n"
      "  ndforge run maxpool2d -i x.npy --kernel 2,2 --layout nhwc -o y.npy\n"
      "  ndforge run unique -i x.npy -o values.npy -o indices.npy\n"
      "  ndforge run exp -i 'images/*.npy' -o results/\n"
      "  ndforge run Exp -i x.npy -o z.npy\n"
      "  ndforge run pairwise.Add -i x.npy -i y.npz:weights\n"
      "  ndforge run Multiply -i x.npy --scalar 2.5 -o z.npz\n"
      "  ndforge run reduce.Mean -i x.npy --dims 0 --keep-dims\n"
      "  ndforge run EuclideanDistance -i x.npy -i y.npy --dims 1 --all -o distances.npy\n"
      "  ndforge run NormP -i x.npy --extra 3 --dtype float64\n"
      "  ndforge run UniformDistribution --shape 3x4 --extra 0,1 --seed 7 -o z.npy");
  command->callback([=] { run(*options); });
}

}  // namespace sd::cli
