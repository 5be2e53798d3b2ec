#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>

#include "cli/Commands.h"
#include "cli/Errors.h"
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
};

bool isArchive(const std::string& target) { return target.ends_with(".npz"); }

/// "x=a.npy" means the file a.npy for the input x.
std::pair<std::string, std::string> namedFile(const std::string& input) {
  const size_t equals = input.find('=');
  const bool named = equals != std::string::npos && equals > 0 &&
                     std::all_of(input.begin(), input.begin() + std::ptrdiff_t(equals),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  return named ? std::pair(input.substr(0, equals), input.substr(equals + 1)) : std::pair(std::string(), input);
}

std::string runNumbered(const RunOptions& options) {
  findOps(options.name);  // reports an unknown name before any file is read
  if (options.outputs.size() > 1)
    throw UsageError(fmt::format("{} has one output, -o is given {} times", options.name, options.outputs.size()));
  Request request = options.request();
  Progress progress("reading");
  for (const std::string& input : options.inputs) request.inputs.push_back(Array::read(input));
  Call call(options.name, std::move(request));
  progress.next(fmt::format("computing {}", call.op().name));
  call.run();
  progress.next("writing");
  if (options.outputs.empty()) return summaryOf(call.result());
  call.result().write(options.outputs[0]);
  return "";
}

/// Checks that there is one file for each output, or one archive for all.
void requireTargets(const CustomOp& op, const std::vector<std::string>& targets, size_t outputs) {
  const bool together = targets.size() == 1 && isArchive(targets[0]);
  if (targets.empty() || together || targets.size() == outputs) return;
  throw UsageError(
      fmt::format("{}: its outputs are {}; -o is given {} times, not once for each output or once with a .npz file",
                  op.name(), fmt::join(op.outputNames(outputs), ", "), targets.size()));
}

void writeAll(const CustomOp& op, const std::vector<Array>& results, const std::vector<std::string>& targets) {
  if (targets.size() == results.size()) {
    for (size_t i = 0; i < targets.size(); ++i) results[i].write(targets[i]);
    return;
  }
  const std::vector<std::string> names = op.outputNames(results.size());
  std::vector<std::pair<std::string, Array>> arrays;
  for (size_t i = 0; i < results.size(); ++i) arrays.emplace_back(names[i], results[i]);
  Array::writeArchive(targets[0], arrays);
}

std::string runCustom(const CustomOp& op, const RunOptions& options) {
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
  Progress progress("reading");
  for (const std::string& input : options.inputs) {
    const auto [name, file] = namedFile(input);
    request.inputs.emplace_back(name, Array::read(file));
  }
  CustomCall call(op, std::move(request));
  requireTargets(op, options.outputs, call.outputs());
  progress.next(fmt::format("computing {}", op.name()));
  call.run();
  progress.next("writing");
  const std::vector<Array> results = call.results();
  if (!options.outputs.empty()) {
    writeAll(op, results, options.outputs);
    return "";
  }
  if (results.size() == 1) return summaryOf(results[0]);
  const std::vector<std::string> names = op.outputNames(results.size());
  std::string summary;
  for (size_t i = 0; i < results.size(); ++i) summary += fmt::format("{}: {}", names[i], summaryOf(results[i]));
  return summary;
}

void checkTargets(const std::vector<std::string>& targets) {
  for (size_t i = 0; i < targets.size(); ++i) {
    Array::checkTarget(targets[i]);
    for (size_t j = 0; j < i; ++j)
      if ((targets[i] == "-" && targets[j] == "-") || isSameTarget(targets[i], targets[j]))
        throw UsageError(fmt::format("-o: '{}' and '{}' are the same file", targets[j], targets[i]));
  }
}

void run(const RunOptions& options) {
  checkTargets(options.outputs);
  const CustomOp custom = findCustom(options.name);
  print(custom ? runCustom(custom, options) : runNumbered(options));
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
          "also name=x.npy")
      ->allow_extra_args(false);
  command
      ->add_option(
          "-o,--output", options->outputs,
          "The result: z.npy, z.npz (array 'z'), or - for a .npy file on standard output; once for each output, or "
          "one .npz for all; without it a summary is printed")
      ->allow_extra_args(false);
  command->add_option("--shape", options->shapes, "Random numbered operations without inputs: shape of the result: 3x4")
      ->allow_extra_args(false);
  command->footer(
      "Examples:\n"
      "  ndforge run clipbyvalue -i x.npy --float 0,1 -o z.npy\n"
      "  ndforge run conv2d -i x=images.npy -i weights=w.npy --int 3,3,1,1,0,0,1,1,1 -o y.npy\n"
      "  ndforge run maxpool2d -i x.npy --kernel 2,2 --layout nhwc -o y.npy\n"
      "  ndforge run unique -i x.npy -o values.npy -o indices.npy\n"
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
