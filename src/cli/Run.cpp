#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/Commands.h"
#include "cli/Names.h"
#include "cli/Options.h"
#include "cli/Progress.h"
#include "cli/Summary.h"

namespace sd::cli {
namespace {

struct RunOptions : Options {
  std::vector<std::string> inputs;
  std::string output;
};

void run(const RunOptions& options) {
  if (!options.output.empty()) Array::checkTarget(options.output);
  findOps(options.name);  // a name that does not exist is said before any file is read
  Request request = options.request();
  std::string summary;
  {
    Progress progress("reading");
    for (const std::string& input : options.inputs) request.inputs.push_back(Array::read(input));
    Call call(options.name, std::move(request));
    progress.next(fmt::format("computing {}", call.op().name));
    call.run();
    progress.next("writing");
    if (options.output.empty())
      summary = summaryOf(call.result());
    else
      call.result().write(options.output);
  }
  fmt::print("{}", summary);
}

}  // namespace

void addRun(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Run an operation on .npy and .npz files");
  const auto options = std::make_shared<RunOptions>();
  options->addTo(*command);
  command->add_option("-i,--input", options->inputs, "An operand: x.npy, or x.npz:name; may be given twice")
      ->allow_extra_args(false);
  command->add_option("-o,--output", options->output,
                      "The result: z.npy, or z.npz (array 'z'); none: a summary is printed");
  command->add_option("--shape", options->shape, "Random operations without inputs: shape of the result, 3x4");
  command->footer(
      "Examples:\n"
      "  ndforge run Exp -i x.npy -o z.npy\n"
      "  ndforge run Add -i x.npy -i y.npz:weights\n"
      "  ndforge run Multiply -i x.npy --scalar 2.5 -o z.npz\n"
      "  ndforge run Mean -i x.npy --dims 0 --keep-dims\n"
      "  ndforge run EuclideanDistance -i x.npy -i y.npy --dims 1 --all -o distances.npy\n"
      "  ndforge run NormP -i x.npy --extra 3 --dtype float64\n"
      "  ndforge run UniformDistribution --shape 3x4 --extra 0,1 --seed 7 -o z.npy");
  command->callback([=] { run(*options); });
}

}  // namespace sd::cli
