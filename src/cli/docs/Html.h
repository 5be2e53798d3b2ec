// HTML as text: escaping, elements, and what every page of the site has around its content. Elements are closed, so
// that readers of XML accept the pages too.
#ifndef NDFORGE_SRC_CLI_DOCS_HTML_H
#define NDFORGE_SRC_CLI_DOCS_HTML_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sd::cli::docs {

/// Text for content and for attribute values: & < > " ' are escaped, control characters become U+FFFD.
std::string escape(std::string_view text);

/// Text that may serve in ids and file names: other characters than letters, digits, '.', '-' and '_' are written _xx.
std::string safeName(std::string_view text);

/// <code>text</code>, escaped.
std::string code(std::string_view text);

/// As code(), with places between the words of a name where lines may break.
std::string breakable(std::string_view name);

/// A link to a page; `href` is escaped, `content` is HTML.
std::string link(const std::string& href, const std::string& content);

/// A heading of level 2 with an anchor, and what is below it. Nothing when `content` is empty.
std::string section(std::string_view id, std::string_view title, const std::string& content);

/// A table in a region that scrolls by itself. Cells are HTML; the first of each row is its heading.
class Table {
 public:
  explicit Table(std::string_view label) : label_(label) {}
  Table& columns(std::vector<std::string> titles);
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string html() const;

 private:
  std::string label_;
  std::vector<std::string> titles_;
  std::vector<std::vector<std::string>> rows_;
};

/// What a page says about itself.
struct Frame {
  std::string title;
  std::string description;
  std::string root;  ///< the way from the page to the folder of the site: "" or "../"
  std::vector<std::pair<std::string, std::string>> crumbs;  ///< titles and pages above this one
};

/// A whole page.
std::string page(const Frame& frame, const std::string& content);

/// What the files of the site begin with, or hold: they may be written over.
inline constexpr std::string_view MARK = "ndforge docs";

}  // namespace sd::cli::docs

#endif
