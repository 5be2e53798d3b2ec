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

std::string opPage(const Catalogue& catalogue, const Item& item);
std::string indexPage(const Catalogue& catalogue);
std::string familyPage(const Catalogue& catalogue, const Family& family);
/// Every operation, ordered by name.
std::string allPage(const Catalogue& catalogue);
/// The data of the search box. It is a script because pages opened from file:// may not read other files.
std::string searchIndex(const Catalogue& catalogue);
/// The rest of it: synonyms, names elsewhere, pages that are no operations.
std::string searchMore(const Catalogue& catalogue);

/// All files, pages first. The same operations give the same bytes.
std::vector<File> site();

}  // namespace sd::cli::docs

#endif
