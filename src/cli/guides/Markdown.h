// Pages of Markdown as HTML for the reference pages.
#ifndef NDFORGE_SRC_CLI_GUIDES_MARKDOWN_H
#define NDFORGE_SRC_CLI_GUIDES_MARKDOWN_H

#include <functional>
#include <string>
#include <vector>

namespace sd::cli::guides {

struct Heading {
  int level = 2;
  std::string id, text;
};

struct Guide {
  std::string title;    ///< the first heading
  std::string summary;  ///< the first paragraph, as text
  std::string html;     ///< everything below the first heading
  std::vector<Heading> headings;
};

/// What a link leads to on the site; empty for targets that the site does not have: the link's text stays.
using LinkTarget = std::function<std::string(const std::string& address)>;

/// @throws std::runtime_error when the text has no heading of level 1, or two
Guide render(const std::string& markdown, const LinkTarget& target);

/// Source text with <span>s around comments, strings and words of the language ("cpp", "c", "python", "sh", "cmake").
std::string coloured(const std::string& source, const std::string& language);

}  // namespace sd::cli::guides

#endif
