#include "cli/guides/Markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>

#include "cli/docs/Html.h"

namespace sd::cli::guides {
namespace {

using docs::escape;

// Ids that the frame of every page uses.
const std::set<std::string> RESERVED{"content", "search", "results", "hits", "status"};

/// The id of a heading, as the hosts of repositories make it: links between the sources work as on the pages.
std::string slug(const std::string& text) {
  std::string id;
  for (const char c : text) {
    const auto letter = static_cast<unsigned char>(c);
    if (std::isalnum(letter) != 0 || c == '-' || c == '_' || letter >= 0x80)
      id += char(std::tolower(letter));
    else if (c == ' ')
      id += '-';
  }
  return id;
}

std::string decoded(const std::string& entity) {
  static const std::vector<std::pair<std::string, std::string>> KNOWN{
      {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&nbsp;", "\u00a0"}, {"&ndash;", "–"}};
  for (const auto& [name, text] : KNOWN)
    if (entity == name) return text;
  return entity;
}

std::string textOf(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

/// Receives the events of the parser.
class Renderer {
 public:
  explicit Renderer(const LinkTarget& target) : _target(target) {}

  Guide run(const std::string& markdown) {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_STRIKETHROUGH;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).enter(type, detail); };
    parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return of(self).leave(type, detail); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) { return of(self).enterSpan(type, detail); };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).leaveSpan(type); };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return of(self).add(type, std::string(text, size));
    };
    if (md_parse(markdown.data(), MD_SIZE(markdown.size()), &parser, this) != 0)
      throw std::runtime_error("the text cannot be parsed");
    if (_titles != 1) throw std::runtime_error(fmt::format("{} headings of level 1, not one", _titles));
    return std::move(_guide);
  }

 private:
  const LinkTarget& _target;
  Guide _guide;
  int _titles = 0;
  int _images = 0;
  std::string _plain;   // the text of the paragraph or heading that is open
  std::string _code;    // the text of a block of code
  std::string _inside;  // the HTML of the heading that is open
  bool _isCode = false, _isHeading = false, _isTight = false;
  std::vector<std::string> _links;  // what closes the links that are open
  std::set<std::string> _ids = RESERVED;

  static Renderer& of(void* self) { return *static_cast<Renderer*>(self); }

  std::string& out() { return _isHeading ? _inside : _guide.html; }

  int enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        out() += "<blockquote>\n";
        break;
      case MD_BLOCK_UL:
        out() += "<ul>\n";
        break;
      case MD_BLOCK_OL:
        out() += fmt::format("<ol start=\"{}\">\n", static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start);
        break;
      case MD_BLOCK_LI:
        out() += "<li>";
        _plain.clear();
        break;
      case MD_BLOCK_HR:
        out() += "<hr/>\n";
        break;
      case MD_BLOCK_H:
        _isHeading = true;
        _plain.clear();
        _inside.clear();
        break;
      case MD_BLOCK_CODE:
        _isCode = true;
        _code.clear();
        break;
      case MD_BLOCK_P:
        out() += "<p>";
        _plain.clear();
        break;
      case MD_BLOCK_TABLE:
        out() += "<div class=\"scroll\">\n<table>\n";
        break;
      case MD_BLOCK_THEAD:
        out() += "<thead>";
        break;
      case MD_BLOCK_TBODY:
        out() += "<tbody>\n";
        break;
      case MD_BLOCK_TR:
        out() += "<tr>";
        break;
      case MD_BLOCK_TH:
        out() += "<th scope=\"col\">";
        break;
      case MD_BLOCK_TD:
        out() += "<td>";
        break;
      default:
        break;
    }
    return 0;
  }

  int leave(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        out() += "</blockquote>\n";
        break;
      case MD_BLOCK_UL:
        out() += "</ul>\n";
        break;
      case MD_BLOCK_OL:
        out() += "</ol>\n";
        break;
      case MD_BLOCK_LI:
        out() += "</li>\n";
        break;
      case MD_BLOCK_H:
        heading(int(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
        break;
      case MD_BLOCK_CODE:
        code(textOf(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang));
        break;
      case MD_BLOCK_P:
        out() += "</p>\n";
        if (_guide.summary.empty()) _guide.summary = _plain;
        break;
      case MD_BLOCK_TABLE:
        out() += "</table>\n</div>\n";
        break;
      case MD_BLOCK_THEAD:
        out() += "</thead>\n";
        break;
      case MD_BLOCK_TBODY:
        out() += "</tbody>\n";
        break;
      case MD_BLOCK_TR:
        out() += "</tr>\n";
        break;
      case MD_BLOCK_TH:
        out() += "</th>";
        break;
      case MD_BLOCK_TD:
        out() += "</td>";
        break;
      default:
        break;
    }
    return 0;
  }

  void heading(int level) {
    _isHeading = false;
    if (level == 1) {
      _guide.title = _plain;
      ++_titles;
      return;
    }
    const std::string first = slug(_plain);
    std::string id = first;
    for (int i = 1; !_ids.insert(id).second; ++i) id = fmt::format("{}-{}", first, i);
    _guide.headings.push_back({level, id, _plain});
    _guide.html += fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", level, escape(id), _inside);
  }

  void code(const std::string& language) {
    _isCode = false;
    out() += fmt::format("<pre class=\"code\"><code>{}</code></pre>\n", coloured(_code, language));
  }

  int enterSpan(MD_SPANTYPE type, void* detail) {
    if (_images > 0 && type != MD_SPAN_IMG) return 0;
    switch (type) {
      case MD_SPAN_EM:
        out() += "<em>";
        break;
      case MD_SPAN_STRONG:
        out() += "<strong>";
        break;
      case MD_SPAN_CODE:
        out() += "<code>";
        break;
      case MD_SPAN_DEL:
        out() += "<del>";
        break;
      case MD_SPAN_A:
        openLink(textOf(static_cast<MD_SPAN_A_DETAIL*>(detail)->href));
        break;
      case MD_SPAN_IMG:
        ++_images;
        break;  // its text stands for it
      default:
        break;
    }
    return 0;
  }

  int leaveSpan(MD_SPANTYPE type) {
    if (_images > 0 && type != MD_SPAN_IMG) return 0;
    switch (type) {
      case MD_SPAN_EM:
        out() += "</em>";
        break;
      case MD_SPAN_STRONG:
        out() += "</strong>";
        break;
      case MD_SPAN_CODE:
        out() += "</code>";
        break;
      case MD_SPAN_DEL:
        out() += "</del>";
        break;
      case MD_SPAN_A:
        out() += _links.back();
        _links.pop_back();
        break;
      case MD_SPAN_IMG:
        --_images;
        break;
      default:
        break;
    }
    return 0;
  }

  /// The pages have no links out of the site: those addresses stand in parentheses.
  void openLink(const std::string& address) {
    const std::string target = _target(address);
    const bool isExternal = address.find("://") != std::string::npos;
    if (!target.empty()) out() += fmt::format("<a href=\"{}\">", escape(target));
    _links.push_back(!target.empty() ? "</a>"
                     : isExternal    ? fmt::format(" (<code>{}</code>)", escape(address))
                                     : std::string());
  }

  int add(MD_TEXTTYPE type, const std::string& text) {
    if (type == MD_TEXT_BR) {
      out() += "<br/>";
    } else if (_isCode) {
      _code += text;
    } else {
      const std::string shown = type == MD_TEXT_ENTITY ? decoded(text) : type == MD_TEXT_SOFTBR ? "\n" : text;
      out() += escape(shown);
      _plain += type == MD_TEXT_SOFTBR ? " " : shown;
    }
    return 0;
  }
};

struct Language {
  std::vector<std::string> names;
  std::string comment;  // begins one; it ends with the line
  std::set<std::string> words;
};

const std::vector<Language>& languages() {
  static const std::vector<Language> LANGUAGES{
      {{"cpp", "c++", "c"}, "//", {"auto",    "bool",      "break",    "case",     "catch",    "char",      "class",
                                   "const",   "constexpr", "double",   "else",     "enum",     "false",     "float",
                                   "for",     "if",        "inline",   "int",      "long",     "namespace", "new",
                                   "nullptr", "NULL",      "operator", "public",   "private",  "return",    "signed",
                                   "sizeof",  "static",    "struct",   "switch",   "template", "this",      "throw",
                                   "true",    "try",       "typename", "unsigned", "using",    "void",      "while"}},
      {{"python", "py"}, "#", {"and", "as",   "assert", "class",  "def",   "elif", "else",   "False",
                               "for", "from", "if",     "import", "in",    "is",   "lambda", "None",
                               "not", "or",   "return", "True",   "while", "with", "yield"}},
      {{"sh", "bash", "shell", "console", "cmake"}, "#", {}},
  };
  return LANGUAGES;
}

}  // namespace

Guide render(const std::string& markdown, const LinkTarget& target) { return Renderer(target).run(markdown); }

std::string coloured(const std::string& source, const std::string& language) {
  const auto& known = languages();
  const auto found = std::find_if(known.begin(), known.end(), [&](const Language& one) {
    return std::find(one.names.begin(), one.names.end(), language) != one.names.end();
  });
  if (found == known.end()) return escape(source);
  std::string html;
  const auto span = [&](const char* kind, const std::string& text) {
    html += fmt::format("<span class=\"{}\">{}</span>", kind, escape(text));
  };
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t at = 0; at < source.size();) {
    const char c = source[at];
    size_t end = at + 1;
    const bool spaceBefore = at == 0 || std::isspace(static_cast<unsigned char>(source[at - 1])) != 0;
    if (source.compare(at, found->comment.size(), found->comment) == 0 && (found->comment != "#" || spaceBefore)) {
      end = std::min(source.find('\n', at), source.size());
      span("comment", source.substr(at, end - at));
    } else if (c == '"' || (c == '\'' && spaceBefore)) {
      while (end < source.size() && source[end] != c && source[end] != '\n') end += source[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, source.size());
      span("string", source.substr(at, end - at));
    } else if (isWord(c)) {
      while (end < source.size() && isWord(source[end])) ++end;
      const std::string word = source.substr(at, end - at);
      if (found->words.count(word) != 0)
        span("word", word);
      else
        html += word;
    } else {
      html += escape(source.substr(at, 1));
    }
    at = end;
  }
  return html;
}

}  // namespace sd::cli::guides
