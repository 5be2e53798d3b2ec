#include "cli/docs/Html.h"

#include <fmt/format.h>

#include <cctype>

namespace sd::cli::docs {

std::string escape(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0 && c != '\n' && c != '\t')
          result += "\uFFFD";
        else
          result += c;
    }
  }
  return result;
}

std::string safeName(std::string_view text) {
  std::string result;
  for (const unsigned char c : text) {
    const bool plain = c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_');
    // A leading dot would hide the file, or leave the folder.
    if (plain && !(c == '.' && result.empty()))
      result += char(c);
    else
      result += fmt::format("_{:02x}", c);
  }
  return result;
}

std::string code(std::string_view text) { return "<code>" + escape(text) + "</code>"; }

std::string breakable(std::string_view name) {
  std::string html = code(name);
  for (size_t i = 0; i + 1 < html.size(); ++i)
    if ((html[i] == '_' || html[i] == '.') && html[i + 1] != '<') html.insert(i + 1, "<wbr/>");
  return html;
}

std::string link(const std::string& href, const std::string& content) {
  return fmt::format(R"(<a href="{}">{}</a>)", escape(href), content);
}

std::string section(std::string_view id, std::string_view title, const std::string& content) {
  if (content.empty()) return "";
  return fmt::format("<section aria-labelledby=\"{0}\">\n<h2 id=\"{0}\">{1}</h2>\n{2}</section>\n", id, escape(title),
                     content);
}

Table& Table::columns(std::vector<std::string> titles) {
  titles_ = std::move(titles);
  return *this;
}

void Table::add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::string Table::html() const {
  if (rows_.empty()) return "";
  std::string html = fmt::format("<div class=\"scroll\">\n<table aria-label=\"{}\">\n<thead><tr>", escape(label_));
  for (const std::string& title : titles_) html += fmt::format("<th scope=\"col\">{}</th>", escape(title));
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : rows_) {
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i)
      html += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", row[i]) : fmt::format("<td>{}</td>", row[i]);
    html += "</tr>\n";
  }
  return html + "</tbody>\n</table>\n</div>\n";
}

std::string page(const Frame& frame, const std::string& content) {
  std::string crumbs;
  for (const auto& [title, target] : frame.crumbs)
    crumbs += fmt::format("<li>{}</li>", link(frame.root + target, escape(title)));
  if (!crumbs.empty())
    crumbs = fmt::format(
        "<nav class=\"crumbs\" aria-label=\"Where this page is\"><ol>{}<li aria-current=\"page\">{}</li>"
        "</ol></nav>\n",
        crumbs, escape(frame.title));
  const std::string title = frame.crumbs.empty() ? frame.title : frame.title + " - NDForge operations";
  return fmt::format(
      R"(<!DOCTYPE html>
<html lang="en" data-root="{root}">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="generator" content="{mark}"/>
<meta name="color-scheme" content="light dark"/>
<meta name="description" content="{description}"/>
<title>{title}</title>
<link rel="stylesheet" href="{root}style.css"/>
<script defer="defer" src="{root}search-index.js"></script>
<script defer="defer" src="{root}search.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<div class="bar">
<a class="brand" href="{root}index.html">NDForge <span>operations</span></a>
<form class="search" role="search" action="{root}index.html" method="get" hidden="hidden">
<label for="search">Search operations</label>
<input id="search" name="q" type="search" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="Name, alias, family or words" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="hits"/>
<kbd aria-hidden="true">/</kbd>
<div id="results" hidden="hidden"><ul id="hits" role="listbox" aria-label="Operations found"></ul><p id="status" role="status"></p></div>
</form>
<nav class="links" aria-label="Site"><a href="{root}index.html#families">Families</a> <a href="{root}all.html">A to Z</a></nav>
</div>
</header>
<main id="content">
{crumbs}{content}</main>
<footer><p>NDForge {version}. Written by <code>ndforge docs</code> from the operations that it knows.</p></footer>
</body>
</html>
)",
      fmt::arg("root", frame.root), fmt::arg("mark", MARK), fmt::arg("description", escape(frame.description)),
      fmt::arg("title", escape(title)), fmt::arg("crumbs", crumbs), fmt::arg("content", content),
      fmt::arg("version", NDFORGE_VERSION));
}

}  // namespace sd::cli::docs
