#include "cli/Custom.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ops/declarable/DeclarableOp.h>
#include <ops/declarable/OpRegistrator.h>

#include <algorithm>

#include "cli/Text.h"
#include "cli/Types.h"

namespace sd::cli {
namespace {

using loops::NumberedOp;

struct Declaration {
  std::string_view name, family;
};

constexpr Declaration DECLARATIONS[] = {
#include "ops/Families.inc"
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

}  // namespace

std::vector<std::string> CustomOp::aliases() const { return ops::OpRegistrator::getInstance().aliasesOf(op); }

std::string CustomOp::library() const { return ops::OpRegistrator::getInstance().libraryOf(op); }

const ops::Schema& CustomOp::schema() const { return op->schema(); }

std::vector<std::string> CustomOp::inputNames() const {
  std::vector<std::string> names;
  for (const ops::InputRow& row : schema().inputs()) {
    if (row.isAny()) return {};  // the names depend on the number of arrays
    names.emplace_back(row.name());
  }
  return names;
}

std::vector<std::string> CustomOp::outputNames(size_t count) const {
  std::vector<std::string> names;
  size_t required = 0;
  bool any = false;
  for (const ops::OutputRow& row : schema().outputs()) {
    names.emplace_back(row.name);
    required += *row.condition == '\0' ? 1 : 0;
    any = any || row.isAny;
  }
  // The names are certain only when all optional outputs are present, or none.
  if (!any && (names.size() == count || required == count)) {
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
