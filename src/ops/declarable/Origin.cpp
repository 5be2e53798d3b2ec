#include "ops/declarable/Origin.h"

#include <dlfcn.h>

#include <cstring>

namespace sd::ops {
namespace {

void* baseOf(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) == 0 ? nullptr : info.dli_fbase;
}

}  // namespace

bool isOfLibrary(const void* object) {
  static const void* const library = baseOf(reinterpret_cast<const void*>(&isOfLibrary));
  // The table of virtual functions lies where the class is defined.
  const void* table = nullptr;
  std::memcpy(&table, object, sizeof(table));
  return baseOf(table) == library;
}

}  // namespace sd::ops
