// The guides: pages of docs/ and docs/guide/, rendered when the command is built.
#ifndef NDFORGE_SRC_CLI_DOCS_GUIDES_H
#define NDFORGE_SRC_CLI_DOCS_GUIDES_H

#include <string>
#include <string_view>
#include <vector>

namespace sd::cli::docs {

struct Guide {
  std::string_view name, title;
  std::string_view summary;   ///< the first paragraph
  std::string_view headings;  ///< a line for each: level, id, text
  std::string_view html;

  std::string page() const { return "guide/" + std::string(name) + ".html"; }
};

/// In reading order. None in a build without the parser of Markdown.
const std::vector<Guide>& guides();

std::string guidePage(const Guide& guide);

/// The first sentence of the summary.
std::string firstSentence(const Guide& guide);

}  // namespace sd::cli::docs

#endif
