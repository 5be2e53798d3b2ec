// Pages of the public headers. Their content is HTML that tools/header_pages.py made of Doxygen's XML.
#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/Errors.h"
#include "cli/Text.h"
#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"

namespace sd::cli::docs {
namespace {

std::string idOf(const std::string& group) {
  std::string id = lower(group);
  for (char& c : id)
    if (c == ' ' || c == ',') c = '-';
  return "group-" + safeName(id);
}

}  // namespace

HeaderPages::HeaderPages(const std::string& file) {
  using nlohmann::json;
  std::ifstream stream(file);
  if (!stream) throw DataError(fmt::format("the file '{}' cannot be read", file));
  try {
    const json all = json::parse(stream);
    json entries = json::array();
    for (const json& page : all.at("pages")) {
      _pages.push_back({page.at("path"), page.at("title"), page.at("summary"), page.at("html")});
      if (!_pages.back().path.starts_with("headers/") || _pages.back().path.find("..") != std::string::npos)
        throw DataError(fmt::format("'{}': a page may not be at '{}'", file, _pages.back().path));
      for (const json& entry : page.at("entries")) entries.push_back(entry);
    }
    for (const json& group : all.at("groups")) {
      _groups.push_back({group.at("name"), group.at("summary"), {}});
      for (const json& page : group.at("pages"))
        _groups.back().pages.push_back({page.at("path"), page.at("title"), page.at("summary"), ""});
    }
    _entries = entries.dump();
  } catch (const json::exception& error) {
    throw DataError(fmt::format("'{}' is not a file of tools/header_pages.py: {}", file, error.what()));
  }
}

std::string HeaderPages::cards() const {
  if (empty()) return "";
  std::string html = "<ul class=\"cards\">\n";
  for (const Group& group : _groups)
    html += fmt::format(
        "<li><a href=\"headers/index.html#{}\"><span class=\"name\">{}</span> <span class=\"count\">{}</span></a>"
        "<p>{}</p></li>\n",
        idOf(group.name), escape(group.name), group.pages.size(), escape(group.summary));
  return html + "</ul>\n";
}

std::string HeaderPages::index() const {
  std::string content =
      "<h1>Headers</h1>\n<p class=\"lead\">The public headers by purpose, with the comments of their "
      "declarations.</p>\n";
  for (const Group& group : _groups) {
    Table table(group.name);
    table.columns({"Header", "What it holds"});
    for (const Page& page : group.pages)
      table.add({link("../" + page.path, code(page.title)), escape(page.summary)});
    content +=
        section(idOf(group.name), group.name,
                (group.summary.empty() ? "" : fmt::format("<p>{}.</p>\n", escape(group.summary))) + table.html());
  }
  return page({"Headers", "The public headers of NDForge.", "../", {{"Operations", "index.html"}}}, content);
}

std::vector<File> HeaderPages::files() const {
  std::vector<File> files;
  if (empty()) return files;
  files.push_back({"headers/index.html", index()});
  for (const Page& one : _pages)
    files.push_back(
        {one.path, page({one.title, one.summary, "../", {{"Headers", "headers/index.html"}}},
                        fmt::format("<h1>{}</h1>\n<div class=\"prose\">\n{}</div>\n", escape(one.title), one.html))});
  return files;
}

}  // namespace sd::cli::docs
