#include <fmt/format.h>
#include <ops/declarable/Schema.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/Text.h"
#include "cli/docs/Guides.h"
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
constexpr char RANKING[] =
#include "cli/ranking.js.inc"
    ;

using nlohmann::json;

/// A script that sets a member of `window`. Pages opened from file:// may run scripts, but not read other files.
std::string script(std::string_view member, const json& value) {
  // Invalid UTF-8 in texts from plugins is replaced.
  return fmt::format("/* {} */\nwindow.{} = {};\n", MARK, member,
                     value.dump(0, ' ', true, json::error_handler_t::replace));
}

/// The parts of a list, without spaces around them.
json listed(std::string_view text, char separator) {
  json parts = json::array();
  for (std::string part : split(text, separator)) {
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

const ops::Schema* schemaOf(const Item& item) {
  return item.numbered != nullptr || item.descriptor == nullptr ? nullptr : item.descriptor->statedSchema();
}

}  // namespace

std::string searchIndex(const Catalogue& catalogue) {
  // name, page, family, line, aliases
  json operations = json::array();
  for (const Item& item : catalogue.items())
    operations.push_back({item.name, item.page, item.family, item.line(), item.aliases});
  return script("NDFORGE_OPERATIONS", operations);
}

std::string searchMore(const Catalogue& catalogue, const HeaderPages& headers) {
  // How many operations refer to it as a related one.
  std::map<std::string, int> mentions;
  for (const Item& item : catalogue.items())
    if (const ops::Schema* schema = schemaOf(item))
      for (const json& name : listed(schema->see(), ' ')) ++mentions[name.get<std::string>()];
  // For each operation: synonyms, names elsewhere, mentions.
  json operations = json::object();
  for (const Item& item : catalogue.items()) {
    const ops::Schema* schema = schemaOf(item);
    if (schema == nullptr) continue;
    json elsewhere = json::array();
    const ops::NamesElsewhere& names = schema->elsewhere();
    for (const char* list : {names.numpy, names.torch, names.tensorflow, names.onnx})
      for (const json& name : listed(list, ',')) elsewhere.push_back(name);
    operations[item.name] = {listed(schema->words(), ','), elsewhere, mentions[item.name]};
  }
  // Other pages: title, page, kind, line, words.
  json pages = json::array();
  for (const Guide& guide : guides()) {
    json headings = json::array();
    for (const std::string& line : split(guide.headings, '\n')) headings.push_back(line.substr(line.find(' ', 2) + 1));
    pages.push_back({guide.title, guide.page(), "guide", firstSentence(guide), headings});
  }
  for (const json& entry : json::parse(headers.entries())) pages.push_back(entry);
  return script("NDFORGE_MORE", {{"operations", operations}, {"pages", pages}});
}

std::vector<File> site(const HeaderPages& headers) {
  const Catalogue catalogue;
  std::vector<File> files;
  files.push_back({"index.html", indexPage(catalogue, headers)});
  files.push_back({"all.html", allPage(catalogue)});
  for (const Guide& guide : guides()) files.push_back({guide.page(), guidePage(guide)});
  for (File& file : headers.files()) files.push_back(std::move(file));
  for (const Family& family : catalogue.families()) files.push_back({family.page, familyPage(catalogue, family)});
  for (const Item& item : catalogue.items()) files.push_back({item.page, opPage(catalogue, item)});
  files.push_back({"style.css", STYLE});
  files.push_back({"search.js", SCRIPT});
  files.push_back({"ranking.js", RANKING});
  files.push_back({"search-index.js", searchIndex(catalogue)});
  files.push_back({"search-more.js", searchMore(catalogue, headers)});
  return files;
}

}  // namespace sd::cli::docs
