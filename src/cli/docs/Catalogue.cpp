#include "cli/docs/Catalogue.h"

#include <fmt/format.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/Schema.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/Text.h"
#include "cli/docs/Html.h"

namespace sd::cli::docs {
namespace {

using loops::NumberedOp;
using loops::OpGroup;

struct Summary {
  std::string_view family, text;
};

// The first comment of each header that declares operations.
constexpr Summary SUMMARIES[] = {
#include "ops/FamilySummaries.inc"
};

std::string_view summaryOf(const std::string& family) {
  const auto found =
      std::find_if(std::begin(SUMMARIES), std::end(SUMMARIES), [&](const Summary& s) { return s.family == family; });
  return found == std::end(SUMMARIES) ? "Operations of loaded libraries." : found->text;
}

}  // namespace

std::string Item::summary() const { return op->schema().summary(); }

std::string Item::formula() const { return op->schema().formula(); }

std::string Item::line() const {
  std::string text = numbered != nullptr ? std::string(numbered->formula) : summary();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Catalogue::Catalogue() {
  addCustom();
  addNumbered();
  addSearchTerms();
  addPages();
  addFamilies();
  for (const Item& item : _items) {
    _byOp.emplace(item.op, &item);
    _byName.emplace(item.name, &item);
  }
  for (const Item& item : _items)
    for (const std::string& alias : item.aliases) _byName.emplace(alias, &item);
}

void Catalogue::addCustom() {
  for (const CustomOp& op : customOps()) {
    Item item;
    item.name = op.name();
    item.op = op.op;
    item.descriptor = op.descriptor;
    item.aliases = op.aliases();
    item.family = op.family;
    if (op.family == "plugin") item.library = std::filesystem::path(op.library()).filename().string();
    _items.push_back(std::move(item));
  }
  _customs = _items.size();
}

void Catalogue::addNumbered() {
  for (const NumberedOp& op : loops::numberedOps()) {
    Item item;
    item.name = loops::qualifiedName(op);
    item.op = ops::OpRegistrator::getInstance().find(item.name);
    item.descriptor = item.op->describedDescriptor();
    item.numbered = &op;
    item.family = loops::groupName(op.group);
    _items.push_back(std::move(item));
  }
}

void Catalogue::addSearchTerms() {
  for (Item& item : _items) {
    const ops::Schema& schema = item.op->schema();
    for (const std::string& word : split(schema.words(), ',')) item.words.push_back(word.substr(word.starts_with(' ')));
    const ops::NamesElsewhere& names = schema.elsewhere();
    for (const char* name : {names.numpy, names.torch, names.tensorflow, names.onnx})
      if (*name != '\0') item.elsewhere.emplace_back(name);
  }
}

void Catalogue::addPages() {
  // Two names that differ only in case are the same file on some systems.
  std::set<std::string> used;
  for (Item& item : _items) {
    const std::string name = safeName(item.name);
    std::string file = name;
    for (int i = 2; !used.insert(lower(file)).second; ++i) file = fmt::format("{}-{}", name, i);
    item.page = "op/" + file + ".html";
  }
}

void Catalogue::addFamilies() {
  std::map<std::string, size_t> places;
  for (const Item& item : _items) {
    const auto [place, isNew] = places.emplace(item.family, _families.size());
    if (isNew) {
      Family family;
      family.name = item.family;
      family.numbered = item.numbered != nullptr;
      family.summary = family.numbered ? loops::traitsOf(item.numbered->group).summary : summaryOf(item.family);
      family.page = fmt::format("{}/{}.html", family.numbered ? "group" : "family", safeName(item.family));
      _families.push_back(std::move(family));
    }
    _families[place->second].items.push_back(&item);
  }
  // Numbered groups come last, in the order of their enumeration.
  std::stable_sort(_families.begin(), _families.end(), [](const Family& a, const Family& b) {
    return a.numbered == b.numbered ? !a.numbered && a.name < b.name : b.numbered;
  });
}

const Family& Catalogue::familyOf(const Item& item) const {
  return *std::find_if(_families.begin(), _families.end(), [&](const Family& f) { return f.name == item.family; });
}

const Item& Catalogue::item(const NumberedOp& op) const { return *_byName.at(loops::qualifiedName(op)); }

const Item* Catalogue::find(const std::string& name) const {
  const auto found = _byName.find(name);
  return found == _byName.end() ? nullptr : found->second;
}

}  // namespace sd::cli::docs
