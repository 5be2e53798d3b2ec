#include "cli/docs/Guides.h"

#include <fmt/format.h>

#include "cli/Text.h"
#include "cli/docs/Html.h"

namespace sd::cli::docs {
namespace {

/// The headings of level 2, when there are enough of them to choose from.
std::string contents(const Guide& guide) {
  std::string items;
  int count = 0;
  for (const std::string& line : split(guide.headings, '\n')) {
    if (!line.starts_with("2 ")) continue;
    const size_t space = line.find(' ', 2);
    items += fmt::format("<li>{}</li>", link("#" + line.substr(2, space - 2), escape(line.substr(space + 1))));
    ++count;
  }
  if (count < 3) return "";
  return "<nav class=\"contents\" aria-label=\"On this page\"><ul class=\"inline\">" + items + "</ul></nav>\n";
}

std::string others(const Guide& guide) {
  std::string items;
  for (const Guide& other : guides())
    items += &other == &guide
                 ? fmt::format("<li aria-current=\"page\">{}</li>", escape(other.title))
                 : fmt::format("<li>{}</li>", link(std::string(other.name) + ".html", escape(other.title)));
  return "<nav class=\"others\" aria-label=\"Guides\"><h2>Guides</h2><ul class=\"inline\">" + items + "</ul></nav>\n";
}

}  // namespace

const std::vector<Guide>& guides() {
  static const std::vector<Guide> GUIDES{
#include "cli/guides.inc"
  };
  return GUIDES;
}

std::string firstSentence(const Guide& guide) {
  const size_t end = guide.summary.find(". ");
  return std::string(end == std::string_view::npos ? guide.summary : guide.summary.substr(0, end + 1));
}

std::string guidePage(const Guide& guide) {
  const std::string content = fmt::format("<h1>{}</h1>\n{}<div class=\"prose\">\n{}</div>\n{}", escape(guide.title),
                                          contents(guide), guide.html, others(guide));
  return page({std::string(guide.title), firstSentence(guide), "../", {{"Guides", "index.html#guides"}}}, content);
}

}  // namespace sd::cli::docs
