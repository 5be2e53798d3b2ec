// The objects that enter operations in the registry when their library is loaded.
#ifndef NDFORGE_OPS_DECLARABLE_REGISTRATION_H
#define NDFORGE_OPS_DECLARABLE_REGISTRATION_H

#include <ops/declarable/OpRegistrator.h>

#include <string_view>

// In a build restricted to a list of operations: the list, between colons: ":add:conv2d:".
#ifndef SD_OPERATION_LIST
#define SD_OPERATION_LIST ""
#endif

namespace sd::ops {

/// Whether this build contains the operation; a build can be restricted to a list.
constexpr bool isSelected([[maybe_unused]] std::string_view name) {
#if defined(SD_BUILDING_LIBRARY)
  constexpr std::string_view list = SD_OPERATION_LIST;
  if (list.empty()) return true;
  for (size_t start = 0; start + name.size() + 2 <= list.size(); start++)
    if (list[start] == ':' && list[start + name.size() + 1] == ':' && list.substr(start + 1, name.size()) == name)
      return true;
  return false;
#else
  return true;
#endif
}

template <typename Op>
struct Registration {
  explicit Registration(std::string_view name) {
    if (!isSelected(name)) return;
    auto* op = new Op;
#if defined(SD_BUILDING_LIBRARY)
    op->getOpDescriptor()->markBuiltIn();
#endif
    OpRegistrator::getInstance().registerOperation(op);
  }
};

struct Synonym {
  Synonym(const char* alias, const char* original) {
    if (isSelected(original)) OpRegistrator::getInstance().registerAlias(alias, original);
  }
};

}  // namespace sd::ops

#endif
