#include "cli/Options.h"

#include <fmt/format.h>
#include <ops/declarable/DeclarableOp.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

#include "cli/NamedArguments.h"
#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

LongType integerOf(const std::string& text) {
  LongType value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc() || end != last)
    throw UsageError(fmt::format("--int: '{}' is not an integer that fits into 64 bits", shortened(text)));
  return value;
}

bool booleanOf(const std::string& text) {
  if (text != "true" && text != "false" && text != "1" && text != "0")
    throw UsageError(fmt::format("--bool: '{}' is neither true nor false", shortened(text)));
  return text == "true" || text == "1";
}

}  // namespace

std::vector<LongType> parseShape(const std::string& text) {
  std::vector<LongType> dims;
  const char* at = text.data();
  const char* last = at + text.size();
  LongType length = 1;
  while (true) {
    LongType dim = 0;
    const auto [end, error] = std::from_chars(at, last, dim);
    if (error != std::errc() || dim < 0 || (end != last && *end != 'x'))
      throw UsageError(fmt::format("--shape: '{}' is not a shape such as 1024x1024", shortened(text)));
    dims.push_back(dim);
    // Elements have at most 8 bytes.
    if (dims.size() > SD_MAX_RANK || __builtin_mul_overflow(length, std::max<LongType>(dim, 1), &length) ||
        length > std::numeric_limits<LongType>::max() / 8)
      throw UsageError(fmt::format("--shape: '{}' has too many dimensions or elements", shortened(text)));
    if (end == last) return dims;
    at = end + 1;
  }
}

void Options::addTo(CLI::App& command, const char* dtypeHelp) {
  command.add_option("NAME", name, "Name of the operation: add, Add, pairwise.Add or PAIRWISE_TRANSFORM:0")->required();
  command.add_option("--scalar", scalar, "Numbered operations: a number as the second operand");
  command
      .add_option("--dims", dims,
                  "Numbered operations: dimensions to reduce or to broadcast along, for example 0,1 or -1")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      .add_option("--extra", extra, "Numbered operations: extra parameters ('ndforge info NAME' shows what they mean)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--dtype", dtypes, dtypeHelp)->delimiter(',')->allow_extra_args(false);
  command.add_flag("--keep-dims", keepDims, "Reductions: keep the reduced dimensions as 1");
  command.add_flag("--all", all, "Distances: from each sub-array of x along --dims to each sub-array of y");
  command.add_flag("--bias-corrected", biasCorrected, "Variance operations: divide by n - 1");
  const auto list = [&](const char* option, std::vector<std::string>& values, const char* help) {
    command.add_option(option, values, help)->delimiter(',')->allow_extra_args(false);
  };
  list("--int", integers, "Custom operations: integer arguments, for example 1,-2");
  list("--float", floats, "Custom operations: floating arguments, for example 0.5,1e-3");
  list("--bool", booleans, "Custom operations: boolean arguments, for example true,false");
  command.add_option("--seed", seed, "Random operations: the same seed gives the same numbers");
  command.allow_extras();
  further = [&command] { return command.get_parent()->remaining(); };
}

void Options::addHelpTo(CLI::App& command) {
  command.set_help_flag();
  command.add_flag_callback(
      "-h,--help",
      [this, &command] {
        if (name.empty()) throw CLI::CallForHelp();
        throw OperationHelp{name, command.get_name()};
      },
      "Print this help; after the name of an operation its inputs, arguments, outputs and an example");
}

Request Options::request() const {
  for (const auto& [given, option] : {std::pair(!integers.empty(), "--int"), std::pair(!floats.empty(), "--float"),
                                      std::pair(!booleans.empty(), "--bool")})
    if (given) throw UsageError(fmt::format("{}: {} is for custom operations", name, option));
  refuseNamedArguments(name, further());
  if (dtypes.size() > 1) throw UsageError(fmt::format("{}: --dtype takes one type", name));
  if (shapes.size() > 1) throw UsageError(fmt::format("{}: --shape is given {} times", name, shapes.size()));
  Request request;
  if (scalar) request.scalar = Number(*scalar, "--scalar");
  if (!dims.empty()) request.dims = dims;
  for (const std::string& value : extra) request.extra.emplace_back(value, "--extra");
  if (!dtypes.empty()) request.dtype = typeOf(dtypes[0]);
  if (!shapes.empty()) request.shape = parseShape(shapes[0]);
  request.keepDims = keepDims;
  request.all = all;
  request.biasCorrected = biasCorrected;
  request.seed = seed;
  return request;
}

CustomRequest Options::customRequest(const CustomOp& op) const {
  CustomRequest request;
  const ops::Schema& schema = op.op->schema();
  const auto flag = [&](bool given, const char* argument) {
    if (!given || schema.argument(argument) == nullptr) return given;
    request.named.emplace_back(argument, argumentFrom(op, *schema.argument(argument), "true"));
    return false;
  };
  const bool keeps = flag(keepDims, "keep_dims"), corrects = flag(biasCorrected, "bias_corrected");
  for (const auto& [given, option] : {std::pair(scalar.has_value(), "--scalar"), std::pair(!dims.empty(), "--dims"),
                                      std::pair(!extra.empty(), "--extra"), std::pair(keeps, "--keep-dims"),
                                      std::pair(all, "--all"), std::pair(corrects, "--bias-corrected")}) {
    if (!given) continue;
    const auto twins = op.twins();
    throw UsageError(fmt::format("{}: {} is for numbered operations{}", op.name(), option,
                                 twins.empty() ? "" : ", such as " + loops::qualifiedName(*twins[0])));
  }
  for (const std::string& value : floats) Number(value, "--float").store(DOUBLE, &request.floats.emplace_back());
  for (const std::string& value : integers) request.integers.push_back(integerOf(value));
  for (const std::string& value : booleans) request.booleans.push_back(booleanOf(value));
  if (!dtypes.empty() && schema.argument("dtype") != nullptr)
    request.named.emplace_back("dtype", argumentFrom(op, *schema.argument("dtype"), dtypes[0]));
  else
    for (const std::string& dtype : dtypes) request.types.push_back(typeOf(dtype));
  // What is random has a generator to seed; other operations may have an argument of this name.
  if (seed && !op.descriptor->isRandom() && schema.argument("seed") != nullptr)
    request.named.emplace_back("seed", argumentFrom(op, *schema.argument("seed"), fmt::format("{}", *seed)));
  else
    request.seed = seed;
  for (auto& argument : namedArguments(op, further())) request.named.push_back(std::move(argument));
  return request;
}

}  // namespace sd::cli
