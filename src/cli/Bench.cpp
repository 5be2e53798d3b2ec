#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/Commands.h"
#include "cli/Json.h"
#include "cli/Measure.h"
#include "cli/Names.h"
#include "cli/Options.h"
#include "cli/Progress.h"
#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

using loops::OpGroup;

struct BenchOptions : Options {
  double seconds = 1;
  std::shared_ptr<bool> json;
};

int inputsOfRandomOp(std::string_view name) {
  if (name == "ProbablisticMerge" || name == "Choice") return 2;
  return name == "DropOut" || name == "DropOutInverted" || name == "AlphaDropOut" ? 1 : 0;
}

/// Adds the operands that the operation needs. Where it takes a second array or a scalar, it gets an array.
void addOperands(const std::string& name, Request& request, const std::vector<LongType>& dims) {
  const DataType dtype = *request.dtype;
  const auto ops = findOps(name);
  const auto has = [&](std::initializer_list<std::string_view> families) {
    return std::any_of(ops.begin(), ops.end(), [&](const loops::NumberedOp* op) {
      return std::find(families.begin(), families.end(), loops::familyName(op->group)) != families.end();
    });
  };
  if (has({"random"})) {
    const int inputs = inputsOfRandomOp(ops[0]->name);
    for (int i = 0; i < inputs; ++i) request.inputs.push_back(filled(dtype, dims));
    if (inputs == 0) request.shape = dims;
    return;
  }
  request.inputs.push_back(filled(dtype, dims));
  if (request.scalar) return;
  if (request.dims && has({"broadcast"})) {
    std::vector<LongType> along;
    for (int axis : *request.dims) {
      if (axis < 0) axis += int(dims.size());
      if (axis < 0 || size_t(axis) >= dims.size())
        throw UsageError(fmt::format("--dims: {} is outside 0..{}", axis, dims.size() - 1));
      along.push_back(dims[size_t(axis)]);
    }
    request.inputs.push_back(filled(dtype, along));
  } else if (has({"pairwise", "broadcast", "reduce3"})) {
    request.inputs.push_back(filled(dtype, dims));
  } else if (has({"scalar"})) {
    request.scalar = Number("1", "--scalar");
  }
}

void report(const std::string& operation, DataType dtype, const BenchOptions& options, const std::vector<double>& times,
            LongType elements, size_t traffic) {
  if (*options.json)
    return printJson({{"operation", operation},
                      {"type", typeName(dtype)},
                      {"shapes", options.shapes},
                      {"seconds", jsonOf(times)},
                      {"elements", elements},
                      {"bytes", traffic}});
  const double median = times[times.size() / 2];
  print(fmt::format("{} {} {}: {}", operation, typeName(dtype), fmt::join(options.shapes, " "), timesText(times)));
  if (elements > 0)
    print(fmt::format("  {:.3f} ns per element  {:.2f} GB/s", median * 1e9 / double(elements),
                      double(traffic) / median * 1e-9));
  print("\n");
}

/// "100x64" or "100:int64": an input of that shape and type.
Array operand(const std::string& text, DataType dtype) {
  const size_t colon = text.find(':');
  if (colon != std::string::npos) dtype = typeOf(text.substr(colon + 1));
  return filled(dtype, parseShape(text.substr(0, colon)));
}

void benchCustom(const CustomOp& op, const BenchOptions& options) {
  CustomRequest request = options.customRequest(op);
  if (request.types.size() > 1) throw UsageError(fmt::format("{}: --dtype takes one type", op.name()));
  const DataType dtype = request.types.empty() ? DataType::FLOAT32 : request.types[0];
  request.types.clear();
  for (const std::string& shape : options.shapes) request.inputs.emplace_back("", operand(shape, dtype));
  const int wanted = op.descriptor->getNumberOfInputs();
  if (options.shapes.size() == 1)
    for (int i = 1; i < wanted; i++) request.inputs.emplace_back("", operand(options.shapes[0], dtype));
  CustomCall call(op, std::move(request));
  std::vector<double> times;
  {
    const Progress progress(fmt::format("measuring {}", op.name()));
    times = measure([&call] { call.run(); }, options.seconds);
  }
  report(op.name(), dtype, options, times, call.elements(), call.traffic());
}

void benchNumbered(const BenchOptions& options) {
  Request request = options.request();
  const std::vector<LongType> dims = std::move(request.shape);
  request.shape.clear();
  if (!request.dtype) request.dtype = DataType::FLOAT32;
  const DataType dtype = *request.dtype;
  addOperands(options.name, request, dims);
  Call call(options.name, std::move(request));
  std::vector<double> times;
  {
    const Progress progress(fmt::format("measuring {}", call.op().name));
    times = measure([&call] { call.run(); }, options.seconds);
  }
  report(loops::qualifiedName(call.op()), dtype, options, times, call.x() ? call.x().length() : call.result().length(),
         call.traffic());
}

void bench(const BenchOptions& options) {
  checkSeconds(options.seconds);
  if (const CustomOp custom = findCustom(options.name))
    benchCustom(custom, options);
  else
    benchNumbered(options);
}

}  // namespace

void addBench(CLI::App& app) {
  CLI::App* command = app.add_subcommand("bench", "Measure how long an operation takes");
  const auto options = std::make_shared<BenchOptions>();
  options->addTo(*command, "Type of the operands: float32 (default), int64, ...");
  command
      ->add_option("--shape", options->shapes,
                   "Shape of the operands, for example 1024x1024. Custom operations: one for all inputs, or one for "
                   "each, followed by a type where it differs, for example 100:int64")
      ->required()
      ->allow_extra_args(false);
  command->add_option("--seconds", options->seconds, "How long to measure")->capture_default_str();
  options->json = addJsonFlag(*command);
  options->addHelpTo(*command);
  command->footer(
      "Examples:\n"
      "  ndforge bench add --shape 1024x1024 --shape 1024\n"
      "  ndforge bench gather --shape 1000x64 --shape 500:int64 --int 0\n"
      "  ndforge bench Add --shape 1024x1024 --dtype float32\n"
      "  ndforge bench Sum --shape 1000x1000 --dims 0\n"
      "  ndforge bench Multiply --shape 4096 --scalar 2");
  command->callback([=] { bench(*options); });
}

}  // namespace sd::cli
