#include "cli/Custom.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>
#include <cstring>

#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

struct Declaration {
  std::string_view name, family;
};

constexpr Declaration DECLARATIONS[] = {
#include "cli/Families.inc"
};

std::string familyOf(const std::string& name) {
  const auto found = std::find_if(std::begin(DECLARATIONS), std::end(DECLARATIONS),
                                  [&](const Declaration& d) { return d.name == name; });
  return found == std::end(DECLARATIONS) ? "plugin" : std::string(found->family);
}

CustomOp describe(ops::DeclarableOp* op) {
  const ops::OpDescriptor* descriptor = op->describedDescriptor();
  return {op, descriptor, familyOf(descriptor->name())};
}

bool isCustom(ops::DeclarableOp* op) {
  return op != nullptr && std::string_view(op->getOpDescriptor()->kind()) != "numbered";
}

std::vector<std::string> namesOf(const char* lines) {
  std::vector<std::string> names;
  for (const Entry& entry : entriesOf(lines)) {
    if (entry.any) return {};  // how they are called depends on how many there are
    names.insert(names.end(), entry.names.begin(), entry.names.end());
  }
  return names;
}

bool isName(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

std::vector<Entry> entriesOf(const char* lines) {
  std::vector<Entry> entries;
  for (const std::string& line : split(lines, '\n')) {
    Entry entry;
    const size_t colon = line.find(": ");
    bool named = colon != std::string::npos;
    if (named) {
      for (std::string name : split(line.substr(0, colon), ',')) {
        name.erase(0, name.find_first_not_of(' '));
        for (const char* dots : {"…", "..."}) {
          if (!name.ends_with(dots)) continue;
          entry.any = true;
          name.resize(name.size() - std::strlen(dots));
        }
        if (name.ends_with('?')) {
          entry.optional = true;
          name.pop_back();
        }
        if (isName(name))
          entry.names.push_back(name);
        else
          named = named && name.empty() && entry.any;
      }
    }
    if (!named) entry = Entry();
    entry.text = named ? line.substr(colon + 2) : line;
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<std::string> CustomOp::aliases() const { return ops::OpRegistrator::getInstance().aliasesOf(op); }

std::string CustomOp::library() const { return ops::OpRegistrator::getInstance().libraryOf(op); }

std::string CustomOp::gradient() const {
  std::vector<std::string> names = aliases();
  names.insert(names.begin(), name());
  for (const std::string& candidate : names) {
    ops::DeclarableOp* found = ops::OpRegistrator::getInstance().find(candidate + "_bp");
    if (isCustom(found)) return found->getOpDescriptor()->name();
  }
  return "";
}

std::vector<const NumberedOp*> CustomOp::twins() const {
  constexpr std::string_view REDUCE = "reduce_";
  std::vector<const NumberedOp*> found;
  std::string wanted = lower(name());
  const bool reduces = wanted.starts_with(REDUCE);
  if (reduces) wanted.erase(0, REDUCE.size());
  std::erase(wanted, '_');
  for (const NumberedOp& candidate : loops::numberedOps())
    if (lower(candidate.name) == wanted && (loops::familyName(candidate.group) == "reduce") == reduces)
      found.push_back(&candidate);
  return found;
}

std::vector<std::string> CustomOp::inputNames() const { return namesOf(documentation().inputs); }

std::vector<std::string> CustomOp::outputNames(size_t count) const {
  std::vector<std::string> names = namesOf(documentation().outputs);
  if (names.size() >= count) {
    names.resize(count);
    return names;
  }
  names.clear();
  for (size_t i = 0; i < count; ++i) names.push_back(count == 1 ? "z" : fmt::format("z{}", i));
  return names;
}

std::vector<CustomOp> customOps() {
  std::vector<CustomOp> all;
  for (ops::DeclarableOp* op : ops::OpRegistrator::getInstance().operations()) all.push_back(describe(op));
  return all;
}

CustomOp findCustom(const std::string& name) {
  ops::OpRegistrator& registry = ops::OpRegistrator::getInstance();
  if (ops::DeclarableOp* op = registry.find(name); isCustom(op)) return describe(op);
  const auto& numbered = loops::numberedOps();
  if (std::any_of(numbered.begin(), numbered.end(), [&](const NumberedOp& op) { return op.name == name; })) return {};
  for (const CustomOp& op : customOps()) {
    std::vector<std::string> names = op.aliases();
    names.push_back(op.name());
    if (std::any_of(names.begin(), names.end(), [&](const std::string& n) { return lower(n) == lower(name); }))
      return op;
  }
  return {};
}

bool isInGroup(const CustomOp& op, const std::string& group) {
  return lower(op.family) == lower(group) || lower(op.descriptor->kind()) == lower(group);
}

std::string typesText(const ops::TypeSet& types) {
  if (types.any() || types.empty()) return "any";
  std::vector<std::string> names;
  for (const DataType type : elementTypes())
    if (types.contains(type)) names.emplace_back(typeName(type));
  if (types.inherits()) names.emplace_back("an input's type");
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace sd::cli
