// Names of functors as text, and whether the build includes an operation.
#ifndef NDFORGE_SRC_LOOPS_KERNELS_OPNAMES_H
#define NDFORGE_SRC_LOOPS_KERNELS_OPNAMES_H

#include <string_view>

// Lower-case names between colons, for example ":add:tanh:". When it is not defined, all operations are built.
#ifndef SD_OPERATION_LIST
#define SD_OPERATION_LIST ""
#endif

namespace sd::loops {

/// "simdOps::Add" -> "Add".
constexpr std::string_view opName(std::string_view functor) {
  const auto colon = functor.rfind(':');
  return colon == std::string_view::npos ? functor : functor.substr(colon + 1);
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether an operation is part of the build.
constexpr bool isBuilt(std::string_view functor) {
  constexpr std::string_view list = SD_OPERATION_LIST;
  if (list.empty()) return true;
  const auto name = opName(functor);
  for (std::size_t start = 0; start + name.size() + 2 <= list.size(); start++) {
    bool same = list[start] == ':' && list[start + name.size() + 1] == ':';
    for (std::size_t i = 0; same && i < name.size(); i++) same = list[start + 1 + i] == lower(name[i]);
    if (same) return true;
  }
  return false;
}

}  // namespace sd::loops

#endif
