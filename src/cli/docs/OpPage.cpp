// The page of one operation.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>

#include "cli/Choice.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "cli/docs/Calls.h"
#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"

namespace sd::cli::docs {
namespace {

using loops::NumberedOp;
using ops::DocumentedEntry;

constexpr const char* ROOT = "../";

std::string linkTo(const Item& item) { return link(ROOT + item.page, code(item.name)); }

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// Escaped text in which names of other operations are links. Names that are also ordinary words are not linked.
std::string prose(const Catalogue& catalogue, const Item& self, std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const size_t length =
        size_t(std::find_if(text.begin(), text.end(), [](char c) { return !isWord(c); }) - text.begin());
    std::string word(text.substr(0, std::max<size_t>(length, 1)));
    std::string_view end = word.ends_with('.') ? "." : "";
    const std::string name = word.substr(0, word.size() - end.size());
    const Item* other =
        length == 0 || name.find_first_of("_0123456789") == std::string::npos ? nullptr : catalogue.find(name);
    html += other == nullptr || other == &self ? escape(word) : linkTo(*other) + std::string(end);
    text.remove_prefix(word.size());
  }
  return html;
}

/// A command as HTML. Lines do not break inside options.
std::string shellWords(const std::string& command) {
  std::string html;
  for (const std::string& word : split(command, ' ')) {
    const bool option = word.starts_with('-');
    html += html.empty() ? "" : " ";
    html += option ? "<span class=\"option\">" + escape(word) + "</span>" : escape(word);
  }
  return html;
}

/// Preformatted text with the content `html`.
std::string block(const char* kind, const std::string& label, const std::string& html) {
  return fmt::format("<pre class=\"{}\" aria-label=\"{}\"><code>{}</code></pre>\n", kind, escape(label), html);
}

std::string paragraphs(const Catalogue& catalogue, const Item& item, const char* lines) {
  std::string html;
  for (const std::string& line : split(lines, '\n')) html += fmt::format("<p>{}</p>\n", prose(catalogue, item, line));
  return html;
}

// ---- inputs, outputs, arguments

std::string positionOf(size_t first, size_t count, bool any) {
  if (any) return fmt::format("{}…", first);
  return count == 1 ? fmt::format("{}", first) : fmt::format("{}–{}", first, first + count - 1);
}

/// One row for each line of the documentation.
std::string entriesTable(const Catalogue& catalogue, const Item& item, const char* lines, const char* label,
                         bool arguments) {
  Table table(label);
  std::vector<std::string> columns{"Name", "Position"};
  if (arguments) columns.emplace_back("Default");
  columns.emplace_back("Meaning");
  table.columns(columns);
  size_t position = 0;
  bool open = false;  // positions are unknown after an argument with any number of values
  for (const DocumentedEntry& entry : ops::documentedEntries(lines)) {
    std::string names;
    for (const std::string& name : entry.names) names += (names.empty() ? "" : ", ") + breakable(name);
    if (entry.any) names += " …";
    if (entry.optional && !arguments) names += " <span class=\"tag\">optional</span>";
    const size_t count = std::max<size_t>(entry.names.size(), 1);
    std::vector<std::string> row{names.empty() ? "<span class=\"muted\">-</span>" : names,
                                 open || entry.names.empty() ? "" : positionOf(position, count, entry.any)};
    if (arguments)
      row.push_back(!entry.defaultValue.empty() ? escape(entry.defaultValue)
                    : entry.optional            ? "<span class=\"muted\">optional</span>"
                                                : "<span class=\"muted\">required</span>");
    row.push_back(prose(catalogue, item, entry.text));
    table.add(std::move(row));
    position += count;
    open = open || entry.any || entry.names.empty();
  }
  return table.html();
}

std::string extrasTable(const NumberedOp& op) {
  Table table("Extra parameters");
  table.columns({"Name", "Position", "", "Meaning"});
  size_t position = 0;
  for (const ExtraParameter& parameter : extraParameters(op))
    table.add({code(parameter.name), fmt::format("{}", position++),
               fmt::format("<span class=\"muted\">{}</span>", parameter.required ? "required" : "optional"),
               escape(parameter.text)});
  return table.html();
}

// ---- types

std::string chips(const ops::TypeSet& types) {
  if (types.any() || types.empty()) return "any";
  std::string html = "<ul class=\"chips\">";
  for (const DataType type : elementTypes())
    if (types.contains(type)) html += fmt::format("<li>{}</li>", code(typeName(type)));
  if (types.inherits()) html += "<li>an input's type</li>";
  return html + "</ul>";
}

std::string inputLabel(const std::vector<std::string>& names, int index) {
  return size_t(index) < names.size() ? code(names[size_t(index)]) : fmt::format("input {}", index);
}

std::string resultTypeOf(const NumberedOp& op) {
  switch (loops::resultType(op.group, DataType::INT16, DataType::FLOAT32)) {
    case DataType::BOOL:
      return code("bool");
    case DataType::INT64:
      return code("int64");
    case DataType::FLOAT32:
      return fmt::format("x's type when it is a float type, else {} (or the type that is set as the default)",
                         code("float32"));
    default:
      return "x's type";
  }
}

std::string typesTable(const Item& item) {
  const ops::OpDescriptor& descriptor = *item.descriptor;
  Table table("Types");
  table.columns({"Array", "Types"});
  std::vector<std::string> names, cells;
  for (const DocumentedEntry& entry : ops::documentedEntries(item.documentation().inputs)) {
    if (entry.any) break;
    names.insert(names.end(), entry.names.begin(), entry.names.end());
  }
  const int count = std::max({descriptor.getNumberOfInputs(), int(names.size()), 1});
  for (int i = 0; i < count; ++i) cells.push_back(chips(descriptor.inputTypes(i)));
  // Neighbouring inputs with the same types share a row.
  for (int first = 0; first < count;) {
    int last = first;
    while (last + 1 < count && cells[size_t(last + 1)] == cells[size_t(first)]) ++last;
    std::string label;
    for (int i = first; i <= last; ++i) label += (i == first ? "" : ", ") + inputLabel(names, i);
    if (first == 0 && last == count - 1 && (count > 1 || names.empty())) label = "every input";
    if (descriptor.getNumberOfInputs() != 0 || !names.empty()) table.add({label, cells[size_t(first)]});
    first = last + 1;
  }
  std::string outputs = chips(descriptor.outputTypes(0));
  if (item.numbered != nullptr)
    outputs = resultTypeOf(*item.numbered);
  else if (descriptor.isSameMode())
    outputs = "the type of the input at the same position, or of the first input";
  if (descriptor.getNumberOfOutputs() != 0) table.add({"outputs", outputs});
  return table.html();
}

// ---- facts

class Facts {
 public:
  void add(const char* key, const std::string& html) {
    if (!html.empty()) _html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", key, html);
  }
  std::string html() const { return _html.empty() ? "" : "<dl class=\"facts\">\n" + _html + "</dl>\n"; }

 private:
  std::string _html;
};

std::string linksTo(const std::vector<const Item*>& items) {
  std::string html;
  for (const Item* item : items) html += (html.empty() ? "" : ", ") + linkTo(*item);
  return html;
}

std::string linkTo(const Catalogue& catalogue, const ops::DeclarableOp* op) {
  return op == nullptr ? "" : linkTo(catalogue.item(*op));
}

std::string linkTo(const Catalogue& catalogue, const NumberedOp* op) {
  return op == nullptr ? "" : linkTo(catalogue.item(*op));
}

std::string hashOf(const Item& item) { return code(fmt::format("{}", item.op->getOpHash())); }

void customFacts(const Catalogue& catalogue, const Item& item, Facts& facts) {
  const ops::OpDescriptor& descriptor = *item.descriptor;
  std::string aliases;
  for (const std::string& alias : item.aliases) aliases += (aliases.empty() ? "" : ", ") + code(alias);
  facts.add("Aliases", aliases);
  facts.add("Gradient", linkTo(catalogue, ops::gradientOf(*item.op)));
  facts.add("Gradient of", linkTo(catalogue, ops::differentiatedBy(*item.op)));
  std::vector<const Item*> twins;
  for (const NumberedOp* twin : ops::numberedTwins(*item.op)) twins.push_back(&catalogue.item(*twin));
  facts.add("Numbered", linksTo(twins));
  facts.add("In place", descriptor.allowsInplace() ? "yes: an output may be the input's array" : "no");
  std::string views;
  for (const auto& [output, input] : descriptor.viewMap())
    views += fmt::format("{}output {} shares the memory of input {}", views.empty() ? "" : "; ", output, input);
  facts.add("View", views);
  if (descriptor.isRandom()) facts.add("Random", "yes: the numbers come from the call's random generator");
  facts.add("Hash", hashOf(item));
  facts.add("Kind", escape(descriptor.kind()));
  if (!item.library.empty()) facts.add("Library", code(item.library));
}

void numberedFacts(const Catalogue& catalogue, const Item& item, Facts& facts) {
  const NumberedOp& op = *item.numbered;
  facts.add("Group", link(ROOT + catalogue.familyOf(item).page, code(item.family)));
  facts.add("Number", fmt::format("{}", op.number));
  std::vector<const Item*> customs, others;
  for (const ops::DeclarableOp* twin : ops::customTwins(op)) customs.push_back(&catalogue.item(*twin));
  for (const Item& other : catalogue.items())
    if (other.numbered != nullptr && other.numbered != &op && other.numbered->name == op.name) others.push_back(&other);
  facts.add("Custom", linksTo(customs));
  facts.add("Also as", linksTo(others));
  facts.add("Derivative", linkTo(catalogue, ops::derivativeOf(op)));
  facts.add("Derivative of", linkTo(catalogue, ops::derivedFrom(op)));
  facts.add("In place", item.descriptor->allowsInplace() ? "yes: z may be x" : "no");
  facts.add("Hash", hashOf(item));
}

std::string calls(const Item& item) {
  std::string html;
  const std::string cpp = cppCall(item), command = commandLine(item);
  if (cpp.empty()) return "<p>This operation is part of graphs and is not called by itself.</p>\n";
  html += block("call cpp", "C++", escape(cpp));
  if (command.empty())
    return html + "<p>It works on lists of arrays, not on files, so the command line cannot run it.</p>\n";
  html += block("call shell", "Command line", shellWords(command));
  std::string notes;
  for (const std::string& note : commandNotes(item)) notes += fmt::format("<li>{}</li>", code(note));
  if (!notes.empty()) html += "<ul class=\"inline notes\">" + notes + "</ul>\n";
  return html;
}

}  // namespace

std::string opPage(const Catalogue& catalogue, const Item& item) {
  const ops::OpDocumentation& documentation = item.documentation();
  const NumberedOp* numbered = item.numbered;
  std::string content = fmt::format("<h1>{}</h1>\n", escape(item.name));
  content += fmt::format("<p class=\"lead\">{}</p>\n", prose(catalogue, item, documentation.summary));
  if (*documentation.formula != '\0') content += block("formula", "Formula", escape(documentation.formula));
  Facts facts;
  if (numbered != nullptr)
    numberedFacts(catalogue, item, facts);
  else
    customFacts(catalogue, item, facts);
  content += section("call", "Call", calls(item));
  const auto entries = [&](const char* id, const char* title, const char* lines, bool arguments) {
    content += section(id, title, entriesTable(catalogue, item, lines, title, arguments));
  };
  entries("inputs", "Inputs", documentation.inputs, false);
  entries("outputs", "Outputs", documentation.outputs, false);
  if (numbered != nullptr) {
    content += section("parameters", "Extra parameters", extrasTable(*numbered));
  } else {
    entries("floats", "Floating arguments", documentation.floats, true);
    entries("integers", "Integer arguments", documentation.integers, true);
    entries("booleans", "Boolean arguments", documentation.booleans, true);
  }
  content += section("types", "Types", typesTable(item) + paragraphs(catalogue, item, documentation.types));
  content += section("notes", "Notes", paragraphs(catalogue, item, documentation.notes));
  content += section("facts", "Facts", facts.html());
  return page(
      {item.name, item.line(), ROOT, {{"Operations", "index.html"}, {item.family, catalogue.familyOf(item).page}}},
      content);
}

}  // namespace sd::cli::docs
