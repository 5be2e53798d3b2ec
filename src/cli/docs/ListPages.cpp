// The pages that list operations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/Text.h"
#include "cli/docs/Formula.h"
#include "cli/docs/Guides.h"
#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"

namespace sd::cli::docs {
namespace {

std::string cards(const Catalogue& catalogue, bool numbered) {
  std::string html = "<ul class=\"cards\">\n";
  for (const Family& family : catalogue.families()) {
    if (family.numbered != numbered) continue;
    html += fmt::format(
        "<li><a href=\"{}\"><span class=\"name\">{}</span> <span class=\"count\">{}</span></a><p>{}</p></li>\n",
        escape(family.page), escape(family.name), family.items.size(), escape(family.summary));
  }
  return html + "</ul>\n";
}

std::string plural(size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string indexPage(const Catalogue& catalogue, const HeaderPages& headers) {
  const size_t customs = catalogue.customCount(), numbered = catalogue.items().size() - customs;
  std::string content = fmt::format(
      "<h1>Operations of NDForge</h1>\n"
      "<p class=\"lead\">{} with shape functions, called as C++ classes, by name or hash, from C and from the shell; "
      "and "
      "{}, which the methods of arrays call by number. Each has a page with its formula, arguments, shapes, "
      "types and gradient.</p>\n"
      "<p class=\"hint js-only\" hidden=\"hidden\">Press <kbd>/</kbd> to search by name, here or elsewhere, or by "
      "words.</p>\n",
      plural(customs, "custom operation"), plural(numbered, "numbered operation"));
  std::string list;
  for (const Guide& guide : guides())
    list += fmt::format("<li><a href=\"{}\"><span class=\"name\">{}</span></a><p>{}</p></li>\n", escape(guide.page()),
                        escape(guide.title), escape(firstSentence(guide)));
  content += section("guides", "Guides",
                     list.empty() ? "<p>This command was built without md4c, so that it has no guides.</p>\n"
                                  : "<ul class=\"cards\">\n" + list + "</ul>\n");
  content += section("families", "Families of custom operations", cards(catalogue, false));
  content += section("groups", "Groups of numbered operations", cards(catalogue, true));
  content += section("headers", "Headers", headers.cards());
  return page(
      {"Operations of NDForge", "Every operation of NDForge, with formulas, arguments, shapes and types.", "", {}},
      content);
}

std::string familyPage(const Catalogue& catalogue, const Family& family) {
  Table table("Operations of " + family.name);
  if (family.numbered)
    table.columns({"Operation", "Number", "What it computes"});
  else
    table.columns({"Operation", "What it does"});
  for (const Item* item : family.items) {
    const std::string name = link("../" + item->page, breakable(item->name));
    const std::string formula = item->formula();
    if (family.numbered)
      table.add({name, fmt::format("{}", item->numbered->number), formulaHtml(item->line())});
    else
      table.add(
          {name, escape(item->line()) +
                     (formula.empty() ? "" : fmt::format("<div class=\"below\">{}</div>", formulaHtml(formula)))});
  }
  std::string content = fmt::format("<h1>{}</h1>\n<p class=\"lead\">{}</p>\n<p class=\"muted\">{}.</p>\n",
                                    escape(family.name), escape(family.summary),
                                    plural(family.items.size(), family.numbered ? "numbered operation" : "operation"));
  content += table.html();
  content += "<nav class=\"others\" aria-label=\"Other families\"><h2>Other families</h2><ul class=\"inline\">";
  for (const Family& other : catalogue.families())
    if (&other != &family && other.numbered == family.numbered)
      content += fmt::format("<li>{}</li>", link("../" + other.page, escape(other.name)));
  content += "</ul></nav>\n";
  return page({family.name, family.summary, "../", {{"Operations", "index.html"}}}, content);
}

std::string allPage(const Catalogue& catalogue) {
  std::vector<const Item*> items;
  for (const Item& item : catalogue.items()) items.push_back(&item);
  // Sorted by the name without the family, so that pairwise.Add is next to add.
  const auto key = [](const Item& item) {
    return lower(item.numbered != nullptr ? item.numbered->name : std::string_view(item.name));
  };
  std::stable_sort(items.begin(), items.end(), [&](const Item* a, const Item* b) {
    const std::string left = key(*a), right = key(*b);
    return left == right ? a->name < b->name : left < right;
  });
  std::string letters, content;
  char letter = '\0';
  Table table("");
  const auto finish = [&] {
    if (table.empty()) return;
    const std::string id(1, letter);
    letters += fmt::format("<li>{}</li>", link("#letter-" + id, escape(lower(id))));
    content += section("letter-" + id, id, table.html());
  };
  for (const Item* item : items) {
    const std::string name = key(*item);
    const char initial = char(std::toupper(static_cast<unsigned char>(name[0])));
    if (initial != letter) {
      finish();
      letter = initial;
      table = Table(fmt::format("Operations starting with {}", letter));
      table.columns({"Operation", "What it does"});
    }
    std::string below = link(catalogue.familyOf(*item).page, escape(item->family));
    if (!item->aliases.empty())
      below += fmt::format(", also {}", escape(fmt::format("{}", fmt::join(item->aliases, ", "))));
    const std::string line = item->numbered != nullptr ? formulaHtml(item->line()) : escape(item->line());
    table.add({link(item->page, breakable(item->name)), fmt::format("{}<div class=\"below\">{}</div>", line, below)});
  }
  finish();
  return page({"A to Z", "Every operation of NDForge, ordered by name.", "", {{"Operations", "index.html"}}},
              fmt::format("<h1>A to Z</h1>\n<nav aria-label=\"Letters\"><ul class=\"inline letters\">{}</ul></nav>\n{}",
                          letters, content));
}

}  // namespace sd::cli::docs
