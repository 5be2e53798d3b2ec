// What --json prints.
#ifndef NDFORGE_SRC_CLI_JSON_H
#define NDFORGE_SRC_CLI_JSON_H

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/Array.h"

namespace CLI {
class App;
}

namespace sd::cli {

/// Members keep their order.
using Json = nlohmann::ordered_json;

/// Adds --json to a subcommand.
std::shared_ptr<bool> addJsonFlag(CLI::App& command);

/// A number; "nan", "inf" or "-inf", which are no numbers in JSON.
Json jsonOf(double value);

/// {"name": …, "type": …, "shape": …}
Json typeAndShape(std::string_view name, const Array& array);

/// The same with "values": nested lists, or a single value when the array has no dimensions. Complex numbers are
/// [real, imaginary]. The array must be in c order.
Json jsonOf(std::string_view name, const Array& array);

/// {"runs": …, "median": …, "best": …} of sorted times in seconds.
Json jsonOf(const std::vector<double>& times);

/// The text: members on lines of their own, lists without objects on one line; only ASCII.
std::string textOf(const Json& json);

void printJson(const Json& json);

}  // namespace sd::cli

#endif
