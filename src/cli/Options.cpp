#include "cli/Options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <limits>

#include "cli/Types.h"

namespace sd::cli {

std::vector<LongType> parseShape(const std::string& text) {
  std::vector<LongType> dims;
  const char* at = text.data();
  const char* last = at + text.size();
  LongType length = 1;
  while (true) {
    LongType dim = 0;
    const auto [end, error] = std::from_chars(at, last, dim);
    if (error != std::errc() || dim < 0 || (end != last && *end != 'x'))
      throw UsageError(fmt::format("--shape: '{}' is not a shape such as 1024x1024", text));
    dims.push_back(dim);
    // Elements have at most 8 bytes.
    if (dims.size() > SD_MAX_RANK || __builtin_mul_overflow(length, std::max<LongType>(dim, 1), &length) ||
        length > std::numeric_limits<LongType>::max() / 8)
      throw UsageError(fmt::format("--shape: '{}' has too many dimensions or elements", text));
    if (end == last) return dims;
    at = end + 1;
  }
}

void Options::addTo(CLI::App& command) {
  command.add_option("NAME", name, "Name of the operation: Add, pairwise.Add or PAIRWISE_TRANSFORM:0")->required();
  command.add_option("--scalar", scalar, "A number as the second operand");
  command.add_option("--dims", dims, "Dimensions to reduce or to broadcast along, for example 0,1 or -1")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--extra", extra, "Extra parameters of the operation ('ndforge info NAME' shows what they mean)")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--dtype", dtype, "Type to compute in: float32, int64, ... (inputs are cast)");
  command.add_flag("--keep-dims", keepDims, "Reductions: keep the reduced dimensions as 1");
  command.add_flag("--all", all, "Distances: of each sub-array of x along --dims to each one of y");
  command.add_flag("--bias-corrected", biasCorrected, "Variance operations: divide by n - 1");
  command.add_option("--seed", seed, "Random operations: the same seed gives the same numbers");
}

Request Options::request() const {
  Request request;
  if (scalar) request.scalar = Number(*scalar, "--scalar");
  if (!dims.empty()) request.dims = dims;
  for (const std::string& value : extra) request.extra.emplace_back(value, "--extra");
  if (dtype) request.dtype = typeOf(*dtype);
  if (shape) request.shape = parseShape(*shape);
  request.keepDims = keepDims;
  request.all = all;
  request.biasCorrected = biasCorrected;
  request.seed = seed;
  return request;
}

}  // namespace sd::cli
