// The pages of the site.
#ifndef NDFORGE_SRC_CLI_DOCS_PAGES_H
#define NDFORGE_SRC_CLI_DOCS_PAGES_H

#include <string>
#include <vector>

#include "cli/docs/Catalogue.h"

namespace sd::cli::docs {

struct File {
  std::string path;  ///< below the folder of the site
  std::string content;
};

class HeaderPages;

std::string opPage(const Catalogue& catalogue, const Item& item);
std::string indexPage(const Catalogue& catalogue, const HeaderPages& headers);
std::string familyPage(const Catalogue& catalogue, const Family& family);
/// Every operation, ordered by name.
std::string allPage(const Catalogue& catalogue);
/// The data of the search box. It is a script because pages opened from file:// may not read other files.
std::string searchIndex(const Catalogue& catalogue);
/// The rest of it: synonyms, names elsewhere, pages that are no operations.
std::string searchMore(const Catalogue& catalogue, const HeaderPages& headers);

/// The pages of the public headers, which tools/header_pages.py makes.
class HeaderPages {
 public:
  HeaderPages() = default;
  /// @throws DataError when the file is not what the script writes
  explicit HeaderPages(const std::string& file);

  bool empty() const { return _pages.empty(); }
  /// The groups of headers, for the front page.
  std::string cards() const;
  std::vector<File> files() const;
  /// For the search: a JSON array of [title, page, kind, line, words].
  std::string entries() const { return _entries; }

 private:
  struct Page {
    std::string path, title, summary, html;
  };
  struct Group {
    std::string name, summary;
    std::vector<Page> pages;  // without their HTML
  };
  std::vector<Page> _pages;
  std::vector<Group> _groups;
  std::string _entries = "[]";

  std::string index() const;
};

/// All files, pages first. The same operations and headers give the same bytes.
std::vector<File> site(const HeaderPages& headers = {});

}  // namespace sd::cli::docs

#endif
