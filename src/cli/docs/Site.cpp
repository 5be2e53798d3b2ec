#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"

namespace sd::cli::docs {
namespace {

constexpr char STYLE[] =
#include "cli/style.css.inc"
    ;
constexpr char SCRIPT[] =
#include "cli/search.js.inc"
    ;

}  // namespace

std::string searchIndex(const Catalogue& catalogue) {
  // name, page, family, line, aliases
  nlohmann::json operations = nlohmann::json::array();
  for (const Item& item : catalogue.items())
    operations.push_back({item.name, item.page, item.family, item.line(), item.aliases});
  using nlohmann::json;
  // Invalid UTF-8 in texts from plugins is replaced.
  return "/* " + std::string(MARK) +
         " */\nwindow.NDFORGE_OPERATIONS = " + operations.dump(0, ' ', true, json::error_handler_t::replace) + ";\n";
}

std::vector<File> site() {
  const Catalogue catalogue;
  std::vector<File> files;
  files.push_back({"index.html", indexPage(catalogue)});
  files.push_back({"all.html", allPage(catalogue)});
  for (const Family& family : catalogue.families()) files.push_back({family.page, familyPage(catalogue, family)});
  for (const Item& item : catalogue.items()) files.push_back({item.page, opPage(catalogue, item)});
  files.push_back({"style.css", STYLE});
  files.push_back({"search.js", SCRIPT});
  files.push_back({"search-index.js", searchIndex(catalogue)});
  return files;
}

}  // namespace sd::cli::docs
