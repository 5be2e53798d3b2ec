// Code shared by the calls of custom and of numbered operations.
#ifndef NDFORGE_SRC_CLI_DOCS_CALLPARTS_H
#define NDFORGE_SRC_CLI_DOCS_CALLPARTS_H

#include <string>
#include <string_view>

#include "cli/Text.h"
#include "cli/docs/Catalogue.h"

namespace sd::cli::docs {

/// A value for arguments whose lower-case name contains `part`. A part of one or two letters must be the whole name.
struct Example {
  std::string_view part, value;
};

/// The value of the first example that matches; "1" when none does.
template <size_t N>
std::string exampleOf(const std::string& name, const Example (&examples)[N]) {
  const std::string folded = lower(name);
  for (const auto& [part, value] : examples)
    if (part.size() <= 2 ? folded == part : folded.find(part) != std::string::npos) return std::string(value);
  return "1";
}

std::string customCall(const Item& item);
std::string customCommand(const Item& item);
std::string numberedCall(const Item& item);
std::string numberedCommand(const Item& item);

}  // namespace sd::cli::docs

#endif
