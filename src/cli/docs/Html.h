// HTML as text: escaping, elements, and the frame around the content of every page. All elements are closed, so that
// XML parsers accept the pages too.
#ifndef NDFORGE_SRC_CLI_DOCS_HTML_H
#define NDFORGE_SRC_CLI_DOCS_HTML_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sd::cli::docs {

/// Text for content and for attribute values: & < > " ' are escaped, control characters become U+FFFD.
std::string escape(std::string_view text);

/// Text that is safe in ids and file names: characters other than letters, digits, '.', '-' and '_' become _xx.
std::string safeName(std::string_view text);

/// <code>text</code>, escaped.
std::string code(std::string_view text);

/// As code(); lines may break between the words of the name.
std::string breakable(std::string_view name);

/// A link to a page; `href` is escaped, `content` is HTML.
std::string link(const std::string& href, const std::string& content);

/// A level-2 heading with an anchor, followed by `content`. Empty when `content` is empty.
std::string section(std::string_view id, std::string_view title, const std::string& content);

/// A table in its own scrolling region. Cells are HTML; the first cell of each row is the row's heading.
class Table {
 public:
  explicit Table(std::string_view label) : _label(label) {}
  Table& columns(std::vector<std::string> titles);
  void add(std::vector<std::string> cells);
  bool empty() const { return _rows.empty(); }
  std::string html() const;

 private:
  std::string _label;
  std::vector<std::string> _titles;
  std::vector<std::vector<std::string>> _rows;
};

/// A page's title, description and position in the site.
struct Frame {
  std::string title;
  std::string description;
  std::string root;  ///< the path from the page to the folder of the site: "" or "../"
  std::vector<std::pair<std::string, std::string>> crumbs;  ///< titles and pages above this one
};

/// A whole page.
std::string page(const Frame& frame, const std::string& content);

/// A mark that every file of the site contains. Files with this mark may be overwritten.
inline constexpr std::string_view MARK = "ndforge docs";

}  // namespace sd::cli::docs

#endif
