// The page of one operation.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <loops/ResultType.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpReference.h>

#include <algorithm>
#include <cctype>

#include "cli/ArgumentText.h"
#include "cli/Text.h"
#include "cli/Types.h"
#include "cli/docs/Calls.h"
#include "cli/docs/Formula.h"
#include "cli/docs/Html.h"
#include "cli/docs/Pages.h"

namespace sd::cli::docs {
namespace {

using loops::NumberedOp;

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

std::string muted(std::string_view text) { return fmt::format("<span class=\"muted\">{}</span>", escape(text)); }

std::string tag(std::string_view text) { return fmt::format(" <span class=\"tag\">{}</span>", escape(text)); }

/// Text that goes on in the same cell, below.
std::string below(const std::string& html) {
  return html.empty() ? "" : fmt::format("<div class=\"below\">{}</div>", html);
}

// ---- inputs, arguments, outputs

/// "float types, integers, bool", or the single types.
std::string typesCell(const ops::TypeSet& types) {
  if (types.any() || types.empty()) return "any";
  struct Group {
    const char* name;
    std::vector<DataType> types;
  };
  static const Group GROUPS[] = {{"float types", {FLOAT32, DOUBLE, HALF, BFLOAT16}},
                                 {"integers", {INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64}}};
  std::vector<std::string> cells;
  std::vector<DataType> named;
  for (const Group& group : GROUPS)
    if (std::all_of(group.types.begin(), group.types.end(), [&](DataType type) { return types.contains(type); })) {
      cells.emplace_back(group.name);
      named.insert(named.end(), group.types.begin(), group.types.end());
    }
  for (const DataType type : elementTypes())
    if (types.contains(type) && std::find(named.begin(), named.end(), type) == named.end())
      cells.push_back(code(typeName(type)));
  if (types.inherits()) cells.emplace_back("an input's type");
  return fmt::format("{}", fmt::join(cells, ", "));
}

std::string rankText(const ops::InputRow& row) {
  if (!row.limitsRank()) return "";
  if (row.leastRank() == row.mostRank()) return fmt::format("rank {}", row.leastRank());
  if (row.mostRank() >= SD_MAX_RANK) return fmt::format("rank {} or more", row.leastRank());
  return fmt::format("rank {}..{}", row.leastRank(), row.mostRank());
}

std::string inputsTable(const Catalogue& catalogue, const Item& item) {
  const ops::Schema& schema = item.op->schema();
  Table table("Inputs");
  table.columns({"Name", "Position", "Types", "Meaning"});
  int index = 0;
  for (const ops::InputRow& row : schema.inputs()) {
    std::string name = breakable(row.name());
    if (row.isAny()) name += " …";
    if (row.isOptional()) name += tag("optional");
    std::string more = rankText(row);
    if (schema.argument(row.name()) != nullptr)
      more += fmt::format("{}instead of the argument of this name", more.empty() ? "" : "; ");
    table.add({name, fmt::format("{}{}", index, row.isAny() ? "…" : ""), typesCell(item.descriptor->inputTypes(index)),
               prose(catalogue, item, row.text()) + below(escape(more))});
    ++index;
  }
  return table.html();
}

std::string argumentsTable(const Catalogue& catalogue, const Item& item) {
  const ops::Schema& schema = item.op->schema();
  Table table("Arguments");
  table.columns({"Name", "Kind", "Default", "Meaning"});
  for (const ops::ArgumentRow& row : schema.arguments()) {
    const std::string range = rangeText(row), preset = defaultText(schema, row);
    std::string meaning = prose(catalogue, item, row.text());
    std::string choices;
    for (int i = 0; i < row.access().choiceCount; ++i)
      if (const ops::Choice& choice = row.access().choices[i]; row.accepts(i))
        choices += fmt::format("<li>{} ({}): {}</li>", code(choice.name), choice.number, escape(choice.text));
    if (!choices.empty()) meaning += "<ul class=\"choices\">" + choices + "</ul>";
    std::string places = placesText(row);
    if (row.input() >= 0) places += fmt::format("{}input {}", places.empty() ? "" : ", or ", row.input());
    if (!places.empty()) places = "Position: " + places;
    table.add({breakable(row.name()), escape(kindText(row)) + below(escape(range)),
               row.required()   ? muted("required")
               : preset.empty() ? muted("none")
                                : code(preset),
               meaning + below(escape(places))});
  }
  return table.html();
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
      return loops::resultType(op, DataType::COMPLEX64, DataType::FLOAT32) == DataType::FLOAT32
                 ? "x's type; for complex numbers that of their parts"
                 : "x's type";
  }
}

std::string outputTypes(const Item& item, int index) {
  if (item.numbered != nullptr) return resultTypeOf(*item.numbered);
  if (item.descriptor->isSameMode()) {
    const auto& inputs = item.op->schema().inputs();
    if (inputs.empty()) return "that of the input at this position, or of the first input";
    const auto place = static_cast<size_t>(index);
    return "that of " + code(inputs[place < inputs.size() ? place : 0].name());
  }
  return typesCell(item.descriptor->outputTypes(index));
}

std::string outputsTable(const Catalogue& catalogue, const Item& item) {
  const ops::Schema& schema = item.op->schema();
  Table table("Outputs");
  table.columns({"Name", "Position", "Types", "Meaning"});
  int index = 0;
  for (const ops::OutputRow& row : schema.outputs()) {
    std::string name = breakable(row.name);
    if (row.isAny) name += " …";
    if (*row.condition != '\0') name += tag("optional");
    table.add({name, fmt::format("{}{}", index, row.isAny ? "…" : ""), outputTypes(item, index),
               prose(catalogue, item, row.text) + below(prose(catalogue, item, row.condition))});
    ++index;
  }
  return table.html();
}

/// What is known of an operation without a schema: types, and how many arguments the positional lists need.
std::string countsTable(const Item& item) {
  const ops::OpDescriptor& descriptor = *item.descriptor;
  if (item.op->schema().isStated()) return "";
  const auto count = [](int declared) {
    return declared >= 0 ? fmt::format("{}", declared) : declared == -1 ? "1 or more" : "any number";
  };
  Table table("Counts");
  table.columns({"What", "How many", "Types"});
  table.add({"inputs", count(descriptor.getNumberOfInputs()), typesCell(descriptor.inputTypes(0))});
  table.add({"outputs", count(descriptor.getNumberOfOutputs()), outputTypes(item, 0)});
  table.add({"floating arguments", count(descriptor.getNumberOfTArgs()), ""});
  table.add({"integer arguments", count(descriptor.getNumberOfIArgs()), ""});
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

std::string linkTo(const Catalogue& catalogue, const NumberedOp* op) {
  return op == nullptr ? "" : linkTo(catalogue.item(*op));
}

std::string hashOf(const Item& item) { return code(fmt::format("{}", item.op->getOpHash())); }

std::string gradientHtml(const Catalogue& catalogue, const Item& item) {
  const ops::Schema& schema = item.op->schema();
  if (const ops::DeclarableOp* gradient = ops::gradientOf(*item.op)) return linkTo(catalogue.item(*gradient));
  if (schema.gradientRule() != nullptr) return "a rule of other operations";
  return prose(catalogue, item, gradientText(schema));
}

void addNames(const Item& item, Facts& facts) {
  const ops::NamesElsewhere& names = item.op->schema().elsewhere();
  for (const auto& [key, name] : {std::pair("NumPy", names.numpy), std::pair("PyTorch", names.torch),
                                  std::pair("TensorFlow", names.tensorflow), std::pair("ONNX", names.onnx)})
    if (*name != '\0') facts.add(key, code(name));
}

std::string seeAlso(const Catalogue& catalogue, const Item& item) {
  std::string html;
  for (const std::string& name : split(item.op->schema().see(), ' ')) {
    const Item* other = catalogue.find(name);
    html += (html.empty() ? "" : ", ") + (other == nullptr ? code(name) : linkTo(*other));
  }
  return html;
}

void customFacts(const Catalogue& catalogue, const Item& item, Facts& facts) {
  const ops::OpDescriptor& descriptor = *item.descriptor;
  const ops::Schema& schema = item.op->schema();
  std::string aliases;
  for (const std::string& alias : item.aliases) aliases += (aliases.empty() ? "" : ", ") + code(alias);
  facts.add("Aliases", aliases);
  facts.add("Gradient", gradientHtml(catalogue, item));
  std::vector<const Item*> forward, twins;
  for (const ops::DeclarableOp* op : ops::differentiatedBy(*item.op)) forward.push_back(&catalogue.item(*op));
  facts.add("Gradient of", linksTo(forward));
  for (const NumberedOp* twin : ops::numberedTwins(*item.op)) twins.push_back(&catalogue.item(*twin));
  facts.add("Numbered", linksTo(twins));
  facts.add("In place", descriptor.allowsInplace() ? "yes: an output may be the input's array" : "no");
  std::string views;
  for (const auto& [output, input] : descriptor.viewMap())
    views += fmt::format("{}output {} shares the memory of input {}", views.empty() ? "" : "; ", output, input);
  facts.add("View", views);
  if (descriptor.isRandom()) facts.add("Random", "yes: the numbers come from the call's random generator");
  if (schema.isCommutative()) facts.add("Commutative", "yes: the first two inputs may be exchanged");
  if (descriptor.readsOutputs()) facts.add("Outputs", "are read: those that the caller does not give are zeros");
  facts.add("Side effect", prose(catalogue, item, schema.sideEffect()));
  addNames(item, facts);
  facts.add("Source", prose(catalogue, item, schema.source()));
  facts.add("Hash", hashOf(item));
  facts.add("Kind", escape(descriptor.kind()));
  if (!item.library.empty()) facts.add("Library", code(item.library));
  facts.add("See also", seeAlso(catalogue, item));
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
  facts.add("Gradient", gradientHtml(catalogue, item));
  facts.add("Derivative", linkTo(catalogue, ops::derivativeOf(op)));
  facts.add("Derivative of", linkTo(catalogue, ops::derivedFrom(op)));
  facts.add("In place", item.descriptor->allowsInplace() ? "yes: z may be x" : "no");
  facts.add("Hash", hashOf(item));
}

// ---- the example and its calls

std::string examples(const Item& item) {
  const std::string_view kind = item.descriptor->kind();
  if (kind == "logic") return "<p>This operation is part of graphs and is not called by itself.</p>\n";
  if (kind == "list") return "<p>It works on lists of arrays, which are parts of graphs.</p>\n";
  const auto example = WorkedExample::of(item);
  if (example == nullptr) return "<p>There is no example.</p>\n";
  std::string html;
  const std::string given = givenText(*example);
  if (!given.empty()) html += block("call given", "Given", escape(given));
  if (const std::string result = resultText(*example); !result.empty())
    html += block("call result", "Result", escape(result));
  const auto call = [&](const char* kind_, const char* label, const std::string& text) {
    if (!text.empty()) html += block(kind_, label, escape(text));
  };
  call("call cpp", "C++", cppCall(*example));
  call("call positional", item.numbered != nullptr ? "C++, a method of arrays" : "C++, with positional arguments",
       positionalCall(*example));
  if (const std::string command = commandLine(*example); !command.empty())
    html += block("call shell", "Command line", shellWords(command));
  if (const std::string text = cCall(*example); !text.empty())
    html += "<details><summary>The call from C</summary>\n" + block("call c", "C", escape(text)) + "</details>\n";
  return html;
}

}  // namespace

std::string opPage(const Catalogue& catalogue, const Item& item) {
  const ops::Schema& schema = item.op->schema();
  std::string content = fmt::format("<h1>{}</h1>\n", escape(item.name));
  content += fmt::format("<p class=\"lead\">{}</p>\n", prose(catalogue, item, schema.summary()));
  if (*schema.formula() != '\0')
    content += fmt::format("<div class=\"formula\">{}</div>\n", formulaHtml(schema.formula()));
  content += section("example", "Example", examples(item));
  content += section("inputs", "Inputs", inputsTable(catalogue, item));
  content += section("arguments", "Arguments", argumentsTable(catalogue, item));
  content += section("outputs", "Outputs", outputsTable(catalogue, item));
  content += section("counts", "Inputs, outputs and arguments", countsTable(item));
  content += section("notes", "Notes", paragraphs(catalogue, item, schema.note()));
  Facts facts;
  if (item.numbered != nullptr)
    numberedFacts(catalogue, item, facts);
  else
    customFacts(catalogue, item, facts);
  content += section("facts", "Facts", facts.html());
  return page(
      {item.name, item.line(), ROOT, {{"Operations", "index.html"}, {item.family, catalogue.familyOf(item).page}}},
      content);
}

}  // namespace sd::cli::docs
